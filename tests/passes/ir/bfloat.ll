; The types that only LLVM 17 and later generate code for.
; PTX ro 3 ld.global.ro.
; SAME
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

; EXPECT guarded t5: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t5(ptr %a, ptr %b) {
  %v = load bfloat, ptr %a, align 2
  store bfloat %v, ptr %b, align 2
  ret void
}
; EXPECT guarded t19: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t19(ptr %a, ptr %b) {
  %v = load <2 x bfloat>, ptr %a, align 4
  store <2 x bfloat> %v, ptr %b, align 4
  ret void
}
; EXPECT guarded assembly: p0=write-only:0/0 p1=read-only:1/1
define ptx_kernel void @assembly(ptr %to, ptr %from) {
  %v = load bfloat, ptr %from, align 2
  call void asm sideeffect "st.global.b16 [$0], $1;", "l,h"(ptr %to, bfloat %v)
  ret void
}
