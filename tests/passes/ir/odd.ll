; Things that are legal and rare.
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

%opaque = type opaque
%pair = type { i32, i32 }
@unsized = external addrspace(1) global %opaque
@"na\FFme" = addrspace(1) global i32 0

; Names are bytes; what JSON cannot hold is '?'.
; NOPTX
; EXPECT guarded odd?name: p0=write-only:0/0 na?me=read-only:1/1
define ptx_kernel void @"odd\FEname"(ptr %a) {
  %v = load i32, ptr addrspace(1) @"na\FFme", align 4
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded from_unsized: p0=write-only:0/0 unsized=read-only:1/1
define ptx_kernel void @from_unsized(ptr %a) {
  %v = load i32, ptr addrspace(1) @unsized, align 4
  store i32 %v, ptr %a, align 4
  ret void
}

; Variables have the names that they have in PTX.
@"f.table" = internal addrspace(1) constant [2 x i32] [i32 1, i32 2]
@"g.table" = addrspace(1) global [2 x i32] zeroinitializer
; EXPECT guarded dotted: p0=write-only:0/0 f_$_table=read-only:1/1 g.table=read-only:1/1
define ptx_kernel void @dotted(ptr %a) {
  %v = load i32, ptr addrspace(1) @"f.table", align 4
  %w = load i32, ptr addrspace(1) @"g.table", align 4
  %s = add i32 %v, %w
  store i32 %s, ptr %a, align 4
  ret void
}

; A vector of addresses of one field.
; EXPECT guarded field_vector: p0=read-only:0/1 p1=write-only:0/0
define ptx_kernel void @field_vector(ptr %a, ptr %b, <2 x i64> %i) {
  %p = getelementptr %pair, ptr %a, <2 x i64> %i, <2 x i32> <i32 1, i32 1>
  %v = call <2 x i32> @llvm.masked.gather.v2i32.v2p0(<2 x ptr> %p, i32 4, <2 x i1> <i1 1, i1 1>, <2 x i32> undef)
  store <2 x i32> %v, ptr %b, align 8
  ret void
}

; A kernel that does nothing, one that is only declared, and one that nothing reaches the end of.
; EXPECT guarded nothing: p0=unused:0/0
define ptx_kernel void @nothing(ptr %a) {
  ret void
}
declare ptx_kernel void @declared(ptr)
; EXPECT guarded endless: p0=read-only:1/1
define ptx_kernel void @endless(ptr %a) {
  br label %l
l:
  %v = load i32, ptr %a, align 4
  br label %l
}

; A load of a whole structure, and of a vector of odd bits.
; EXPECT guarded aggregates: p0=read-only:2/2 p1=write-only:0/0
define ptx_kernel void @aggregates(ptr %a, ptr %b) {
  %v = load %pair, ptr %a, align 4
  store %pair %v, ptr %b, align 4
  %w = load <3 x i7>, ptr %a, align 4
  store <3 x i7> %w, ptr %b, align 4
  ret void
}

; The shared memory of another block in the cluster is no global memory.
; EXPECT guarded cluster: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @cluster(ptr %a, ptr %out) {
  %p = load ptr, ptr %a, align 8
  %q = addrspacecast ptr %p to ptr addrspace(7)
  %v = load i32, ptr addrspace(7) %q, align 4
  store i32 %v, ptr %out, align 4
  ret void
}

; A call without arguments.
declare void @signal() memory(none)
; EXPECT guarded signals: p0=read-only:1/1
define ptx_kernel void @signals(ptr %a) {
  call void @signal()
  %v = load i32, ptr %a, align 4
  ret void
}
declare <2 x i32> @llvm.masked.gather.v2i32.v2p0(<2 x ptr>, i32, <2 x i1>, <2 x i32>)

; An address from nowhere may lie in any memory, and a kernel's pointer to constant memory does not lie in global memory.
; EXPECT strict from_number: p0=write-only:0/0 unknown=read-only:0/1
define ptx_kernel void @from_number(ptr noalias %out) {
  %v = load i32, ptr inttoptr (i64 4096 to ptr), align 4
  store i32 %v, ptr %out, align 4
  ret void
}
; EXPECT strict from_constant: p1=write-only:0/0
define ptx_kernel void @from_constant(ptr addrspace(4) %c, ptr noalias %out) {
  %p = addrspacecast ptr addrspace(4) %c to ptr
  %v = load i32, ptr %p, align 4
  store i32 %v, ptr %out, align 4
  ret void
}
