; A mark that rests on the launch moves nothing: a launch that it does not hold for computes the same with it.
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

; EXPECT guarded around_store: p0=read-only:2/2 p1=write-only:0/0
; ORDER ld.global.ro. | st.global. | ld.global.ro. | st.global.
; SAME
define ptx_kernel void @around_store(ptr %a, ptr %b) {
  %v = load i32, ptr %a, align 4
  store i32 %v, ptr %b, align 4
  %w = load i32, ptr %a, align 4
  %q = getelementptr i32, ptr %b, i64 1
  store i32 %w, ptr %q, align 4
  ret void
}

; What else stands in the PTX stays: local memory, and labels that branches go to.
; PTX ro 1 .local .align 4 .b8
; PTX ro 2 $L__BB1_2
; EXPECT guarded local_memory: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @local_memory(ptr %a, ptr %b, i32 %i, i1 %skip) {
  %x = alloca [4 x i32], align 4
  br i1 %skip, label %done, label %go
go:
  %v = load i32, ptr %a, align 4
  %p = getelementptr [4 x i32], ptr %x, i32 0, i32 %i
  store volatile i32 %v, ptr %p, align 4
  %w = load volatile i32, ptr %x, align 4
  store i32 %w, ptr %b, align 4
  br label %done
done:
  ret void
}
