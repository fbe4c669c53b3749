; Calls: facts of a function are those of each call, not of all calls together.
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

define internal float @get(ptr %p, i64 %i) noinline {
  %q = getelementptr float, ptr %p, i64 %i
  %v = load float, ptr %q, align 4
  ret float %v
}
define internal void @put(ptr %p, float %v) noinline {
  store float %v, ptr %p, align 4
  ret void
}
define internal ptr @same(ptr %p) noinline {
  ret ptr %p
}
define internal void @copy(ptr %to, ptr %from) noinline {
  %v = call float @get2(ptr %from)
  call void @put(ptr %to, float %v)
  ret void
}
define internal float @get2(ptr %p) noinline {
  %v = load float, ptr %p, align 4
  ret float %v
}

; EXPECT guarded direct: p0=read-only:1/1 p1=write-only:0/0
; SHARING direct: p0=grid
define ptx_kernel void @direct(ptr %a, ptr %b) {
  %v = call float @get(ptr %a, i64 0)
  call void @put(ptr %b, float %v)
  ret void
}

; The identity of one pointer is not that of the other.
; EXPECT guarded identity: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @identity(ptr %a, ptr %b) {
  %p = call ptr @same(ptr %a)
  %q = call ptr @same(ptr %b)
  %v = load float, ptr %p, align 4
  store float %v, ptr %q, align 4
  ret void
}

; A kernel that allows a mark that another forbids calls copies of the functions on the way.
; EXPECT guarded nested: p0=read-only:1/1 p1=write-only:0/0
; EXPECT guarded nested_same: p0=read-write:0/1
define ptx_kernel void @nested(ptr %a, ptr %b) {
  call void @copy(ptr %b, ptr %a)
  ret void
}
define ptx_kernel void @nested_same(ptr %a) {
  call void @copy(ptr %a, ptr %a)
  ret void
}

; A number that is the address in one call, and whose memory another call writes, is read by a function that reads a
; pointer's memory in that other call.
; EXPECT guarded by_number: p0=read-only:0/1 p1=read-write:0/1
; EXPECT distinct by_number: p0=read-only:0/1 p1=read-write:0/1
define internal void @move(ptr %to, ptr %from) noinline {
  %v = load i64, ptr %from, align 8
  store i64 %v, ptr %to, align 8
  ret void
}
define ptx_kernel void @by_number(ptr %a, i64 %n) {
  %p = inttoptr i64 %n to ptr
  %local = alloca i64, align 8
  call void @move(ptr %local, ptr %p)
  call void @move(ptr %p, ptr %a)
  ret void
}

; Recursion, direct and mutual.
define internal float @sum(ptr %p, i32 %n) noinline {
  %done = icmp eq i32 %n, 0
  br i1 %done, label %stop, label %go
go:
  %v = load float, ptr %p, align 4
  %q = getelementptr float, ptr %p, i64 1
  %m = sub i32 %n, 1
  %r = call float @sum(ptr %q, i32 %m)
  %s = fadd float %v, %r
  ret float %s
stop:
  ret float 0.0
}
define internal void @even(ptr %p, ptr %q, i32 %n) noinline {
  %done = icmp eq i32 %n, 0
  br i1 %done, label %stop, label %go
go:
  %m = sub i32 %n, 1
  call void @odd(ptr %q, ptr %p, i32 %m)
  br label %stop
stop:
  ret void
}
define internal void @odd(ptr %p, ptr %q, i32 %n) noinline {
  store i32 %n, ptr %p, align 4
  call void @even(ptr %p, ptr %q, i32 %n)
  ret void
}
; EXPECT guarded recursive: p0=read-only:1/1 p1=write-only:0/0
; EXPECT guarded mutual: p0=write-only:0/0 p1=write-only:0/0 p2=read-only:1/1 p3=write-only:0/0
define ptx_kernel void @recursive(ptr %a, ptr %b, i32 %n) {
  %v = call float @sum(ptr %a, i32 %n)
  store float %v, ptr %b, align 4
  ret void
}
define ptx_kernel void @mutual(ptr %a, ptr %b, ptr %c, ptr %d, i32 %n) {
  call void @even(ptr %a, ptr %b, i32 %n)
  %v = load i32, ptr %c, align 4
  store i32 %v, ptr %d, align 4
  ret void
}

; Calls through pointers: those the pointer may hold, or else all that fit.
@functions = internal addrspace(4) constant [2 x ptr] [ptr @write_one, ptr @write_two]
define internal void @write_one(ptr %p, ptr %q) {
  store i32 1, ptr %p, align 4
  ret void
}
define internal void @write_two(ptr %p, ptr %q) {
  store i32 2, ptr %q, align 4
  ret void
}
; EXPECT guarded indirect: p0=write-only:0/0 p1=write-only:0/0 p2=read-only:1/1 p3=write-only:0/0
; EXPECT guarded indirect_one: p0=write-only:0/0 p1=read-only:1/1 p2=write-only:0/0
; EXPECT guarded indirect_any: p0=write-only:0/0 p1=write-only:0/0 p2=read-only:1/1 p3=write-only:0/0 p4=unused:0/0
define ptx_kernel void @indirect(ptr %a, ptr %b, ptr %c, ptr %d, i64 %i) {
  %s = getelementptr [2 x ptr], ptr addrspace(4) @functions, i64 0, i64 %i
  %f = load ptr, ptr addrspace(4) %s, align 8
  call void %f(ptr %a, ptr %b)
  %v = load i32, ptr %c, align 4
  store i32 %v, ptr %d, align 4
  ret void
}
define ptx_kernel void @indirect_one(ptr %a, ptr %b, ptr %c) {
  %f = load ptr, ptr addrspace(4) @functions, align 8
  call void %f(ptr %a, ptr %b)
  %v = load i32, ptr %b, align 4
  store i32 %v, ptr %c, align 4
  ret void
}
define ptx_kernel void @indirect_any(ptr %a, ptr %b, ptr %c, ptr %d, ptr %f) {
  call void %f(ptr %a, ptr %b)
  %v = load i32, ptr %c, align 4
  store i32 %v, ptr %d, align 4
  ret void
}

; Functions without a body.
declare void @mystery(ptr)
declare void @harmless(i32) memory(none)
declare void @reader(ptr nocapture readonly) memory(argmem: read)
declare void @writer(ptr nocapture writeonly) memory(argmem: write)
declare ptr @malloc(i64)
declare void @free(ptr)
declare i32 @vprintf(ptr, ptr)
declare void @__assertfail(ptr, ptr, i32, ptr, i64)
; EXPECT guarded calls_mystery: p0=read-write:0/1 p1=read-write:0/1 unknown=read-write:0/0
; EXPECT strict calls_mystery_noalias: p0=read-only:1/1 unknown=read-write:0/0
; EXPECT guarded calls_known: p0=read-only:1/2 p1=write-only:0/0 p2=read-only:1/1
; EXPECT guarded heap: p0=read-only:1/1 heap=read-write:0/1
; EXPECT guarded prints: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @calls_mystery(ptr %a, ptr %b) {
  call void @mystery(ptr %a)
  %v = load i32, ptr %b, align 4
  %w = load i32, ptr %a, align 4
  ret void
}
define ptx_kernel void @calls_mystery_noalias(ptr noalias %b) {
  %v = load i32, ptr %b, align 4
  call void @mystery(ptr null)
  ret void
}
define ptx_kernel void @calls_known(ptr %a, ptr %b, ptr %c) {
  call void @harmless(i32 1)
  call void @reader(ptr %a)
  call void @writer(ptr %b)
  %v = load i32, ptr %a, align 4
  %w = load i32, ptr %c, align 4
  ret void
}
define ptx_kernel void @heap(ptr %a) {
  %h = call ptr @malloc(i64 16)
  %v = load i32, ptr %a, align 4
  store i32 %v, ptr %h, align 4
  %w = load i32, ptr %h, align 4
  call void @free(ptr %h)
  ret void
}
@format = internal addrspace(4) constant [4 x i8] c"%d\0A\00"
define ptx_kernel void @prints(ptr %a, ptr %b) {
  %buffer = alloca i32, align 4
  %v = load i32, ptr %a, align 4
  store i32 %v, ptr %buffer, align 4
  %r = call i32 @vprintf(ptr addrspacecast (ptr addrspace(4) @format to ptr), ptr %buffer)
  call void @__assertfail(ptr addrspacecast (ptr addrspace(4) @format to ptr), ptr null, i32 1, ptr null, i64 1)
  store i32 %v, ptr %b, align 4
  ret void
}

; A structure passed by value is a copy: what the callee reads is no global memory, and what it writes stays with it.
%block = type { [8 x i32] }
define internal i32 @take(ptr byval(%block) align 4 %s, i64 %i) noinline {
  %q = getelementptr i32, ptr %s, i64 %i
  %v = load i32, ptr %q, align 4
  store i32 7, ptr %q, align 4
  ret i32 %v
}
; EXPECT strict by_value: p0=read-only:0/1 p1=write-only:0/0
define ptx_kernel void @by_value(ptr noalias %a, ptr noalias %b, i64 %i) {
  %v = call i32 @take(ptr byval(%block) align 4 %a, i64 %i)
  store i32 %v, ptr %b, align 4
  ret void
}
; Pointers in it are those of the original.
%two = type { ptr, ptr }
define internal void @take_two(ptr byval(%two) align 8 %s) noinline {
  %f = getelementptr %two, ptr %s, i64 0, i32 1
  %p = load ptr, ptr %s, align 8
  %q = load ptr, ptr %f, align 8
  %v = load i32, ptr %p, align 4
  store i32 %v, ptr %q, align 4
  ret void
}
; EXPECT guarded by_value_pointers: p0+0=read-only:1/1 p0+8=write-only:0/0
define ptx_kernel void @by_value_pointers(ptr byval(%two) align 8 %s) {
  call void @take_two(ptr byval(%two) align 8 %s)
  ret void
}

; An address as a number from code that is not seen.
declare i64 @fetch(ptr nocapture) memory(argmem: read)
; EXPECT guarded fetched: p0=read-write:0/1 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @fetched(ptr %a, ptr %b) {
  %n = call i64 @fetch(ptr %a)
  %p = inttoptr i64 %n to ptr
  %v = load i32, ptr %b, align 4
  store i32 %v, ptr %p, align 4
  ret void
}

; A null argument reaches nothing, though the function that it is given to would write through it.
; EXPECT guarded gives_null: p0=read-only:1/1 p1=write-only:0/0
; EXPECT guarded gives_pointer: p0=read-only:1/1 p1=write-only:0/0 p2=write-only:0/0
define internal i32 @optional(ptr %in, ptr %also) noinline {
  %v = load i32, ptr %in, align 4
  %none = icmp eq ptr %also, null
  br i1 %none, label %done, label %store
store:
  %at = getelementptr i32, ptr %also, i32 %v
  store i32 %v, ptr %at, align 4
  br label %done
done:
  ret i32 %v
}
define ptx_kernel void @gives_null(ptr %in, ptr %out) {
  %v = call i32 @optional(ptr %in, ptr null)
  store i32 %v, ptr %out, align 4
  ret void
}
define ptx_kernel void @gives_pointer(ptr %in, ptr %out, ptr %also) {
  %v = call i32 @optional(ptr %in, ptr %also)
  store i32 %v, ptr %out, align 4
  ret void
}
