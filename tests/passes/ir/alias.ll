; What each level takes as different memory.
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

; noalias on either side proves it, and needs no launch condition.
; EXPECT strict reader_noalias: p0=read-only:1/1 p1=write-only:0/0
; EXPECT strict writer_noalias: p0=read-only:1/1 p1=write-only:0/0
; GUARDS reader_noalias:
; GUARDS writer_noalias:
define ptx_kernel void @reader_noalias(ptr noalias %a, ptr %b) {
  %v = load i32, ptr %a, align 4
  store i32 %v, ptr %b, align 4
  ret void
}
define ptx_kernel void @writer_noalias(ptr %a, ptr noalias %b) {
  %v = load i32, ptr %a, align 4
  store i32 %v, ptr %b, align 4
  ret void
}

; One writer too many.
; EXPECT strict third: p0=read-write:0/1 p1=read-only:1/1 p2=write-only:0/0 p3=write-only:0/0
; GUARDS third: p0/p3
define ptx_kernel void @third(ptr %a, ptr noalias %b, ptr noalias %c, ptr %d) {
  %v = load i32, ptr %a, align 4
  %w = load i32, ptr %b, align 4
  store i32 %v, ptr %c, align 4
  store i32 %w, ptr %d, align 4
  ret void
}

; A kernel that writes nothing needs no proof.
; EXPECT strict reads: p0=read-only:1/1
define ptx_kernel void @reads(ptr %a) {
  %v = load i32, ptr %a, align 4
  %zero = icmp eq i32 %v, 0
  br i1 %zero, label %stop, label %done
stop:
  call void @llvm.trap()
  unreachable
done:
  ret void
}

; noalias holds against pointers from memory, unless the pointer itself was put there.
; EXPECT strict from_memory: p0=read-only:1/1 p1=read-write:0/1 *p1=write-only:0/0
; EXPECT strict published: p0=read-write:0/1 p1=read-write:0/1 *p1=write-only:0/0
define ptx_kernel void @from_memory(ptr noalias %a, ptr %pp) {
  %p = load ptr, ptr %pp, align 8
  %v = load i32, ptr %a, align 4
  store i32 %v, ptr %p, align 4
  ret void
}
define ptx_kernel void @published(ptr noalias %a, ptr %pp) {
  store ptr %a, ptr %pp, align 8
  %p = load ptr, ptr %pp, align 8
  %v = load i32, ptr %a, align 4
  store i32 %v, ptr %p, align 4
  ret void
}

; Members of by-value parameters and variables are names like parameters.
%view = type { ptr, ptr }
@total = addrspace(1) global i32 0
; EXPECT strict members: p0+0=read-write:0/1 p0+8=write-only:0/0
; EXPECT guarded members: p0+0=read-only:1/1 p0+8=write-only:0/0
; EXPECT guarded member_variable: p0+0=read-only:1/1 total=write-only:0/0
; EXPECT distinct members: p0+0=read-only:1/1 p0+8=write-only:0/0
; GUARDS members: p0+0/p0+8
; GUARDS member_variable: p0+0/total
define ptx_kernel void @members(ptr byval(%view) align 8 %s) {
  %p = load ptr, ptr %s, align 8
  %g = getelementptr i8, ptr %s, i64 8
  %q = load ptr, ptr %g, align 8
  %v = load i32, ptr %p, align 4
  store i32 %v, ptr %q, align 4
  ret void
}
define ptx_kernel void @member_variable(ptr byval(%view) align 8 %s) {
  %p = load ptr, ptr %s, align 8
  %v = load i32, ptr %p, align 4
  store i32 %v, ptr addrspace(1) @total, align 4
  ret void
}

; Kernels by annotation, as front ends wrote them before the calling convention.
; EXPECT guarded annotated: p0=read-only:1/1 p1=write-only:0/0
define void @annotated(ptr %a, ptr %b) {
  %v = load i32, ptr %a, align 4
  store i32 %v, ptr %b, align 4
  ret void
}
define void @no_kernel(ptr %a) {
  store i32 0, ptr %a, align 4
  ret void
}

declare void @llvm.trap()
!nvvm.annotations = !{!0, !1}
!0 = !{ptr @annotated, !"maxntidx", i32 128, !"kernel", i32 1}
!1 = !{ptr @no_kernel, !"align", i32 1}
