; An address that is sometimes one thing and sometimes another, where one of the two is easily overlooked.
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

; Two halves from memory are a whole address, of which nothing is known.
; EXPECT guarded halves: p0=read-write:0/2 p1=read-write:0/1 p2=write-only:0/0 unknown=write-only:0/0
; EXPECT guarded words: p0=read-write:0/2 p1=read-write:0/1 p2=write-only:0/0 unknown=write-only:0/0
; EXPECT guarded cell: p0=read-write:0/2 p1=read-write:0/1 p2=write-only:0/0 unknown=write-only:0/0
define ptx_kernel void @halves(ptr %table, ptr %in, ptr %out, i1 %c) {
  %high = getelementptr i8, ptr %table, i64 4
  %l = load i32, ptr %table, align 8
  %h = load i32, ptr %high, align 4
  %lx = zext i32 %l to i64
  %hx = zext i32 %h to i64
  %hs = shl i64 %hx, 32
  %w = or i64 %lx, %hs
  %p = inttoptr i64 %w to ptr
  %q = select i1 %c, ptr %out, ptr %p
  %v = load i32, ptr %in, align 4
  store i32 %v, ptr %q, align 4
  ret void
}
define ptx_kernel void @words(ptr %table, ptr %in, ptr %out, i1 %c) {
  %high = getelementptr i8, ptr %table, i64 4
  %l = load i32, ptr %table, align 8
  %h = load i32, ptr %high, align 4
  %x = insertelement <2 x i32> poison, i32 %l, i32 0
  %y = insertelement <2 x i32> %x, i32 %h, i32 1
  %w = bitcast <2 x i32> %y to i64
  %o = ptrtoint ptr %out to i64
  %s = select i1 %c, i64 %o, i64 %w
  %q = inttoptr i64 %s to ptr
  %v = load i32, ptr %in, align 4
  store i32 %v, ptr %q, align 4
  ret void
}
define ptx_kernel void @cell(ptr %table, ptr %in, ptr %out) {
  %cell = alloca ptr, align 8
  store ptr %out, ptr %cell, align 8
  %high = getelementptr i8, ptr %table, i64 4
  %upper = getelementptr i8, ptr %cell, i64 4
  %l = load i32, ptr %table, align 8
  store i32 %l, ptr %cell, align 8
  %h = load i32, ptr %high, align 4
  store i32 %h, ptr %upper, align 4
  %q = load ptr, ptr %cell, align 8
  %v = load i32, ptr %in, align 4
  store i32 %v, ptr %q, align 4
  ret void
}

; A number narrower than an address is an index beside one, whatever is done to both.
; EXPECT guarded index: p0=read-only:1/1 p1=read-only:1/1 p2=write-only:0/0
define ptx_kernel void @index(ptr %table, ptr %in, ptr %out) {
  %i = load i32, ptr %table, align 4
  %x = zext i32 %i to i64
  %o = ptrtoint ptr %out to i64
  %a = add i64 %o, %x
  %q = inttoptr i64 %a to ptr
  %v = load i32, ptr %in, align 4
  store i32 %v, ptr %q, align 4
  ret void
}

; What is chosen instead of an address is one, though it was loaded as a number.
; EXPECT distinct chosen: p0=read-only:1/1 p1=read-only:1/1 p2=write-only:0/0 *p0=read-only:1/1
; EXPECT distinct exchanged: p0=read-write:0/0 p1=read-only:0/1 p2=write-only:0/0 *p0=read-write:0/1
define ptx_kernel void @chosen(ptr %table, ptr %in, ptr %out, i1 %c) {
  %w = load i64, ptr %table, align 8
  %i = ptrtoint ptr %in to i64
  %s = select i1 %c, i64 %i, i64 %w
  %q = inttoptr i64 %s to ptr
  %v = load i32, ptr %q, align 4
  store i32 %v, ptr %out, align 4
  ret void
}
define ptx_kernel void @exchanged(ptr %table, ptr %in, ptr %out) {
  %i = ptrtoint ptr %in to i64
  %w = atomicrmw xchg ptr %table, i64 %i seq_cst
  %q = inttoptr i64 %w to ptr
  %v = load i32, ptr %q, align 4
  store i32 %v, ptr %out, align 4
  ret void
}

; Pointers copied from local to global memory are found there.
; EXPECT distinct published: p0=read-write:0/1 p1=write-only:0/0 *p0=write-only:0/0
define ptx_kernel void @published(ptr %table, ptr %out) {
  %cell = alloca ptr, align 8
  store ptr %out, ptr %cell, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %table, ptr align 8 %cell, i64 8, i1 false)
  %q = load ptr, ptr %table, align 8
  store i32 1, ptr %q, align 4
  ret void
}

; A function that some call gives a local array must not load as if from global memory; another kernel has a copy.
; EXPECT guarded from_both: p0=read-only:0/1 p1=write-only:0/0
; EXPECT guarded from_global: p0=read-only:1/1 p1=write-only:0/0
define internal i32 @reader(ptr %p) noinline {
  %v = load i32, ptr %p, align 4
  ret i32 %v
}
define ptx_kernel void @from_both(ptr %in, ptr %out) {
  %array = alloca [4 x i32], align 4
  store i32 1, ptr %array, align 4
  %v = call i32 @reader(ptr %in)
  %w = call i32 @reader(ptr %array)
  %s = add i32 %v, %w
  store i32 %s, ptr %out, align 4
  ret void
}
define ptx_kernel void @from_global(ptr %in, ptr %out) {
  %v = call i32 @reader(ptr %in)
  store i32 %v, ptr %out, align 4
  ret void
}

; One kernel gives it a local array, and one global memory: each has its own function.
; EXPECT guarded from_local: p0=write-only:0/0
; EXPECT guarded from_other: p0=read-only:1/1 p1=write-only:0/0
define internal i32 @other_reader(ptr %p) noinline {
  %v = load i32, ptr %p, align 4
  ret i32 %v
}
define ptx_kernel void @from_local(ptr %out) {
  %array = alloca [4 x i32], align 4
  store i32 1, ptr %array, align 4
  %w = call i32 @other_reader(ptr %array)
  store i32 %w, ptr %out, align 4
  ret void
}
define ptx_kernel void @from_other(ptr %in, ptr %out) {
  %v = call i32 @other_reader(ptr %in)
  store i32 %v, ptr %out, align 4
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
