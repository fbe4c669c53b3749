; What code generation makes one with the load that it alone uses keeps the mark: casts, shifts and masks, and the bit casts
; it makes for floats that assembly takes as integers.
; PTX ro 6 ld.global.ro.
; PTX nc 6 ld.global.nc.
; PTX ro 8 ld.global.
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
; EXPECT guarded widened: p0=write-only:0/0 p1=read-only:1/1
define ptx_kernel void @widened(ptr %to, ptr %from) {
  %v = load i16, ptr %from, align 2
  %w = zext i16 %v to i32
  %s = shl nuw i32 %w, 16
  %f = bitcast i32 %s to float
  %p = fmul float %f, 3.0
  store float %p, ptr %to, align 4
  ret void
}
; EXPECT guarded narrowed: p0=read-write:0/1 p1=read-only:1/1
define ptx_kernel void @narrowed(ptr %to, ptr %from) {
  %v = load i32, ptr %from, align 4
  %h = lshr i32 %v, 16
  %t = trunc i32 %h to i16
  %o = load i32, ptr %to, align 4
  %g = lshr i32 %o, 16
  %u = trunc i32 %g to i16
  %s = add i16 %t, %u
  store i16 %s, ptr %to, align 2
  ret void
}

!1 = !{!2, !2, i64 0}
!2 = !{!"float", !3, i64 0}
!3 = !{!"root"}
