; Copies of functions: a kernel that allows a mark which another kernel forbids calls a function of its own.
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

; The two kernels that only read share a copy, which has the name of the first; the third has the original.
; EXPECT guarded one_reads: p0=read-only:1/1 p1=write-only:0/0
; EXPECT guarded two_reads: p0=read-only:1/1 p1=write-only:0/0
; EXPECT guarded in_place: p0=read-write:0/1
; PTX ro 1 .func  (.param .b32 func_retval0) get$one_reads(
; PTX ro 0 get$two_reads
; PTX keep 1 .func  (.param .b32 func_retval0) get$one_reads(
; PTX ro 1 .func  (.param .b32 func_retval0) get(
; GUARDS one_reads: p0/p1
define internal i32 @get(ptr %p) noinline {
  %v = load i32, ptr %p, align 4
  ret i32 %v
}
define ptx_kernel void @one_reads(ptr %a, ptr %b) {
  %v = call i32 @get(ptr %a)
  store i32 %v, ptr %b, align 4
  ret void
}
define ptx_kernel void @two_reads(ptr %a, ptr %b) {
  %v = call i32 @get(ptr %a)
  %w = add i32 %v, 1
  store i32 %w, ptr %b, align 4
  ret void
}
define ptx_kernel void @in_place(ptr %a) {
  %v = call i32 @get(ptr %a)
  store i32 %v, ptr %a, align 4
  ret void
}

; What leads there is copied too, through recursion; what does not is not.
; EXPECT guarded walks: p0=read-only:2/2 p1=write-only:0/0
; EXPECT guarded walks_in_place: p0=read-write:0/2
; PTX ro 1 .func  (.param .b32 func_retval0) even$walks(
; PTX ro 1 .func  (.param .b32 func_retval0) odd$walks(
; PTX ro 0 plain$walks
define internal i32 @plain(i32 %n) noinline {
  %m = mul i32 %n, 3
  ret i32 %m
}
define internal i32 @even(ptr %p, i32 %n) noinline {
  %v = load i32, ptr %p, align 4
  %done = icmp eq i32 %n, 0
  br i1 %done, label %stop, label %go
go:
  %m = sub i32 %n, 1
  %r = call i32 @odd(ptr %p, i32 %m)
  br label %stop
stop:
  %s = phi i32 [ %v, %0 ], [ %r, %go ]
  ret i32 %s
}
define internal i32 @odd(ptr %p, i32 %n) noinline {
  %q = getelementptr i32, ptr %p, i64 1
  %v = load i32, ptr %q, align 4
  %m = call i32 @plain(i32 %v)
  %r = call i32 @even(ptr %p, i32 %n)
  %s = add i32 %m, %r
  ret i32 %s
}
define ptx_kernel void @walks(ptr %a, ptr %b, i32 %n) {
  %v = call i32 @even(ptr %a, i32 %n)
  store i32 %v, ptr %b, align 4
  ret void
}
define ptx_kernel void @walks_in_place(ptr %a, i32 %n) {
  %v = call i32 @even(ptr %a, i32 %n)
  store i32 %v, ptr %a, align 4
  ret void
}

; A call through a pointer comes to the original: its load is that of both calls, the copy's that of one.
; EXPECT guarded both_ways: p0=read-only:1/2 p1=write-only:0/0
; EXPECT guarded by_name: p0=read-write:0/1
; PTX ro 1 .func  (.param .b32 func_retval0) named$both_ways(
@table = internal addrspace(4) constant [1 x ptr] [ptr @named]
define internal i32 @named(ptr %p) noinline {
  %v = load i32, ptr %p, align 4
  ret i32 %v
}
define ptx_kernel void @both_ways(ptr %a, ptr %b) {
  %v = call i32 @named(ptr %a)
  %f = load ptr, ptr addrspace(4) @table, align 8
  %w = call i32 %f(ptr %a)
  %s = add i32 %v, %w
  store i32 %s, ptr %b, align 4
  ret void
}
define ptx_kernel void @by_name(ptr %a) {
  %v = call i32 @named(ptr %a)
  store i32 %v, ptr %a, align 4
  ret void
}

; A function handed to itself is handed on as it was.
; EXPECT guarded hands_on: p0=read-only:1/2 p1=write-only:0/0
; EXPECT guarded hands_on_in_place: p0=read-write:0/1
define internal i32 @apply(ptr %f, ptr %p) noinline {
  %v = load i32, ptr %p, align 4
  %again = icmp ne ptr %f, null
  br i1 %again, label %go, label %stop
go:
  %w = call i32 %f(ptr null, ptr %p)
  br label %stop
stop:
  %s = phi i32 [ %v, %0 ], [ %w, %go ]
  ret i32 %s
}
define ptx_kernel void @hands_on(ptr %a, ptr %b) {
  %v = call i32 @apply(ptr @apply, ptr %a)
  store i32 %v, ptr %b, align 4
  ret void
}
define ptx_kernel void @hands_on_in_place(ptr %a) {
  %v = call i32 @apply(ptr null, ptr %a)
  store i32 %v, ptr %a, align 4
  ret void
}

; Lines are the original's, and a variable of the function is one variable.
; EXPECT guarded with_lines: p0=read-only:1/1 p1=write-only:0/0 counter=read-write:0/1
; EXPECT guarded with_lines_in_place: p0=read-write:0/1 counter=read-write:0/1
; PTX ro 1 .func  (.param .b32 func_retval0) lines$with_lines(
; PTX ro 2 .loc	1 77 5
; PTX ro 1 .global .align 4 .u32 counter
@counter = addrspace(1) global i32 0, align 4
define i32 @lines(ptr %p) noinline !dbg !5 {
  %n = load i32, ptr addrspace(1) @counter, align 4, !dbg !8
  %m = add i32 %n, 1, !dbg !8
  store i32 %m, ptr addrspace(1) @counter, align 4, !dbg !8
  %v = load i32, ptr %p, align 4, !dbg !7
  ret i32 %v, !dbg !8
}
define ptx_kernel void @with_lines(ptr %a, ptr %b) {
  %v = call i32 @lines(ptr %a)
  store i32 %v, ptr %b, align 4
  ret void
}
define ptx_kernel void @with_lines_in_place(ptr %a) {
  %v = call i32 @lines(ptr %a)
  store i32 %v, ptr %a, align 4
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, isOptimized: true, emissionKind: DebugDirectivesOnly)
!1 = !DIFile(filename: "lines.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{null}
!5 = distinct !DISubprogram(name: "lines", scope: !1, file: !1, line: 70, type: !3, scopeLine: 70, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!7 = !DILocation(line: 77, column: 5, scope: !5)
!8 = !DILocation(line: 79, column: 5, scope: !5)
