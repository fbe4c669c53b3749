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

; Marks end with their function, and do not reach into assembly.
; PTX ro 5 ld.global.ro.
; PTX keep 8 ld.global.
; PTX ro 1 ld.global.cv.
; EXPECT guarded after_marks: p0=read-write:0/1
; EXPECT guarded assembly_load: p0=read-only:1/2
define ptx_kernel void @after_marks(ptr %a) {
  %v = load i32, ptr %a, align 4
  %w = add i32 %v, 1
  store i32 %w, ptr %a, align 4
  ret void
}
define ptx_kernel void @assembly_load(ptr %a) {
  %v = load i32, ptr %a, align 4
  %w = call i32 asm sideeffect "ld.global.cv.u32 $0, [$1];", "=r,l"(ptr %a)
  %x = add i32 %v, %w
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %stop, label %done
stop:
  call void @llvm.trap()
  br label %done
done:
  ret void
}

; An unmarked load right behind a marked one.
; EXPECT guarded beside: p0=read-write:0/1 p1=read-only:1/1
define ptx_kernel void @beside(ptr %a, ptr %b) {
  %v = load i32, ptr %b, align 4
  %w = load i32, ptr %a, align 4
  %s = add i32 %v, %w
  store i32 %s, ptr %a, align 4
  ret void
}
declare void @llvm.trap()
