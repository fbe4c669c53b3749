; Reasons in inlined code, in functions that a kernel calls, and without debug information.
target triple = "nvptx64-nvidia-cuda"

define internal void @_Z3putPf(ptr %p) noinline !dbg !12 {
  store i32 7, ptr %p, align 4, !dbg !20
  ret void
}
define internal void @_Z5scalePf(ptr %p) noinline !dbg !14 {
  call void @_Z3putPf(ptr %p), !dbg !21
  ret void
}
; The shorter way to put() hands on memory of the thread.
define ptx_kernel void @_Z6callerPfPKf(ptr %out, ptr %in) !dbg !10 {
  %here = alloca float, align 4
  call void @_Z3putPf(ptr %here), !dbg !22
  call void @_Z5scalePf(ptr %out), !dbg !23
  %x = load volatile float, ptr %in, align 4, !dbg !24
  ret void
}
define ptx_kernel void @_Z5adderIfEvPT_(ptr %sum) !dbg !11 {
  %old = atomicrmw add ptr %sum, i32 1 seq_cst, align 4, !dbg !25
  ret void
}
define ptx_kernel void @bare(ptr %0, ptr %1) {
  %3 = load float, ptr %0, align 4
  store float %3, ptr %1, align 4
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cu", directory: "/data")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DIFile(filename: "/usr/lib/llvm-19/lib/clang/19/include/__clang_cuda_device_functions.h", directory: "/data")
!4 = !DISubroutineType(types: !5)
!5 = !{}
!10 = distinct !DISubprogram(name: "caller", file: !1, line: 12, type: !4, unit: !0)
!11 = distinct !DISubprogram(name: "adder", file: !1, line: 21, type: !4, unit: !0)
!12 = distinct !DISubprogram(name: "put", file: !1, line: 3, type: !4, unit: !0)
!14 = distinct !DISubprogram(name: "scale", file: !1, line: 7, type: !4, unit: !0)
!13 = distinct !DISubprogram(name: "atomicAdd", file: !3, line: 340, type: !4, unit: !0)
!20 = !DILocation(line: 4, column: 3, scope: !12)
!21 = !DILocation(line: 8, column: 3, scope: !14)
!22 = !DILocation(line: 14, column: 3, scope: !10)
!23 = !DILocation(line: 15, column: 3, scope: !10)
!24 = !DILocation(line: 16, column: 3, scope: !10)
!25 = !DILocation(line: 341, column: 10, scope: !13, inlinedAt: !26)
!26 = distinct !DILocation(line: 2, column: 72, scope: !12, inlinedAt: !27)
!27 = distinct !DILocation(line: 23, column: 3, scope: !11)
