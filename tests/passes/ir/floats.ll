; What code generation makes one with the load that it alone uses keeps the mark: bit casts, and those it makes for floats
; that assembly takes as integers.
; PTX ro 4 ld.global.ro.
; PTX nc 4 ld.global.nc.
; PTX ro 5 ld.global.
; SAME
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

; EXPECT guarded single: p0=write-only:0/0 p1=read-only:1/1
define ptx_kernel void @single(ptr %to, ptr %from) {
  %v = load float, ptr %from, align 4, !tbaa !1
  call void asm sideeffect "st.global.f32 [$0], $1;", "l,f"(ptr %to, float %v)
  ret void
}
; EXPECT guarded double: p0=write-only:0/0 p1=read-only:1/1
define ptx_kernel void @double(ptr %to, ptr %from) {
  %v = load double, ptr %from, align 8
  call void asm sideeffect "st.global.f64 [$0], $1;", "l,d"(ptr %to, double %v)
  ret void
}
; EXPECT guarded half: p0=write-only:0/0 p1=read-only:1/1
define ptx_kernel void @half(ptr %to, ptr %from) {
  %v = load half, ptr %from, align 2
  call void asm sideeffect "st.global.b16 [$0], $1;", "l,h"(ptr %to, half %v)
  ret void
}
; EXPECT guarded cast: p0=read-write:0/1 p1=read-only:1/1
define ptx_kernel void @cast(ptr %to, ptr %from) {
  %v = load float, ptr %from, align 4
  %i = bitcast float %v to i32
  %w = load float, ptr %to, align 4
  %j = bitcast float %w to i32
  %s = add i32 %i, %j
  store i32 %s, ptr %to, align 4
  ret void
}

!1 = !{!2, !2, i64 0}
!2 = !{!"float", !3, i64 0}
!3 = !{!"root"}
