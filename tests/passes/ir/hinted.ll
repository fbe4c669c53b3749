; A load in assembly that does nothing else in memory is marked in its text, hints and all.
; PTX ro 1 ld.global.cg.ro.u32
; PTX ro 1 ld.global.cs.ro.v2.f32
; PTX nc 1 ld.global.cg.nc.u32
; PTX keep 0 .ro
; PTX ro 1 ld.global.cv.u32
; PTX ro 2 ld.global.cg.u32
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

; EXPECT guarded hinted: p0=read-only:1/1 p1=write-only:0/0
; EXPECT strict hinted: p0=read-write:0/1 p1=write-only:0/0
; GUARDS hinted: p0/p1
define ptx_kernel void @hinted(ptr %a, ptr %b) {
  %v = call i32 asm sideeffect "ld.global.cg.u32 $0, [$1];", "=r,l,~{memory}"(ptr %a)
  store i32 %v, ptr %b, align 4
  ret void
}
; EXPECT guarded pair: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @pair(ptr %a, ptr %b) {
  %v = call { float, float } asm sideeffect "ld.global.cs.v2.f32 {$0,$1}, [$2];", "=f,=f,l,~{memory}"(ptr %a)
  %x = extractvalue { float, float } %v, 0
  store float %x, ptr %b, align 4
  ret void
}
; What must not be cached, what is written, and what stands beside another access is not.
; EXPECT guarded uncached: p0=read-only:0/1 p1=write-only:0/0
; EXPECT guarded written: p0=read-write:0/1
; EXPECT guarded two: p0=read-only:0/1 p1=write-only:0/0
define ptx_kernel void @uncached(ptr %a, ptr %b) {
  %v = call i32 asm sideeffect "ld.global.cv.u32 $0, [$1];", "=r,l,~{memory}"(ptr %a)
  store i32 %v, ptr %b, align 4
  ret void
}
define ptx_kernel void @written(ptr %a) {
  %v = call i32 asm sideeffect "ld.global.cg.u32 $0, [$1];", "=r,l,~{memory}"(ptr %a)
  store i32 %v, ptr %a, align 4
  ret void
}
define ptx_kernel void @two(ptr %a, ptr %b) {
  %v = call i32 asm sideeffect "{ .reg .u32 t; ld.global.cg.u32 t, [$1]; ld.global.u32 $0, [$1+4]; add.u32 $0, $0, t; }", "=r,l,~{memory}"(ptr %a)
  store i32 %v, ptr %b, align 4
  ret void
}
