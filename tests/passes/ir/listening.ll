; A kernel that synchronises beyond its block may be told while it runs that others have written what it reads. The code
; alone proves no mark then, except of what the program itself calls constant or unaliased. NOPTX: LLVM 16 has no fences.
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

@fixed = addrspace(1) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]

; EXPECT strict spins: p0=read-only:0/1 p1=read-only:0/1 p2=write-only:0/0
; EXPECT guarded spins: p0=read-only:0/1 p1=read-only:1/1 p2=write-only:0/0
; EXPECT strict promised: p0=read-only:0/1 p1=read-only:1/1 p2=write-only:0/0 fixed=read-only:1/1
define ptx_kernel void @spins(ptr %flag, ptr %data, ptr noalias %out) {
entry:
  br label %spin
spin:
  %f = load volatile i32, ptr %flag, align 4
  %set = icmp ne i32 %f, 0
  br i1 %set, label %go, label %spin
go:
  %v = load i32, ptr %data, align 4
  store i32 %v, ptr %out, align 4
  ret void
}
define ptx_kernel void @promised(ptr %flag, ptr noalias %data, ptr noalias %out) {
entry:
  br label %spin
spin:
  %f = load atomic i32, ptr %flag acquire, align 4
  %set = icmp ne i32 %f, 0
  br i1 %set, label %go, label %spin
go:
  %v = load i32, ptr %data, align 4
  %w = load i32, ptr addrspace(1) @fixed, align 4
  %s = add i32 %v, %w
  store i32 %s, ptr %out, align 4
  ret void
}

; EXPECT strict fences: p0=read-only:0/1 p1=write-only:0/0
; EXPECT strict fences_by_name: p0=read-only:0/1 p1=write-only:0/0
; EXPECT strict fences_in_assembly: p0=read-only:0/1 p1=write-only:0/0
; EXPECT strict acquires_in_assembly: p0=read-only:0/1 p1=write-only:0/0 p2=read-write:0/0
; EXPECT strict exchanges: p0=read-only:0/1 p1=write-only:0/0 p2=read-write:0/0
; EXPECT strict called: p0=read-only:0/1 p1=write-only:0/0
define ptx_kernel void @fences(ptr %data, ptr noalias %out) {
  fence acquire
  %v = load i32, ptr %data, align 4
  store i32 %v, ptr %out, align 4
  ret void
}
define ptx_kernel void @fences_by_name(ptr %data, ptr noalias %out) {
  call void @llvm.nvvm.membar.sys()
  %v = load i32, ptr %data, align 4
  store i32 %v, ptr %out, align 4
  ret void
}
define ptx_kernel void @fences_in_assembly(ptr %data, ptr noalias %out) {
  call void asm sideeffect "fence.acq_rel.gpu;", "~{memory}"()
  %v = load i32, ptr %data, align 4
  store i32 %v, ptr %out, align 4
  ret void
}
define ptx_kernel void @acquires_in_assembly(ptr %data, ptr noalias %out, ptr noalias %flag) {
  %f = call i32 asm sideeffect "atom.acquire.gpu.global.add.u32 $0, [$1], 0;", "=r,l,~{memory}"(ptr %flag)
  %v = load i32, ptr %data, align 4
  store i32 %v, ptr %out, align 4
  ret void
}
define ptx_kernel void @exchanges(ptr %data, ptr noalias %out, ptr noalias %flag) {
  %f = cmpxchg ptr %flag, i32 1, i32 0 acquire monotonic
  %v = load i32, ptr %data, align 4
  store i32 %v, ptr %out, align 4
  ret void
}
define internal void @order() noinline {
  fence seq_cst
  ret void
}
define ptx_kernel void @called(ptr %data, ptr noalias %out) {
  call void @order()
  %v = load i32, ptr %data, align 4
  store i32 %v, ptr %out, align 4
  ret void
}

; Within the block there is nobody else, and what only tells others is told nothing.
; EXPECT strict in_the_block: p0=read-only:1/1 p1=write-only:0/0
; EXPECT strict tells: p0=read-only:1/1 p1=write-only:0/0 p2=read-write:0/0
define ptx_kernel void @in_the_block(ptr %data, ptr noalias %out) {
  call void @llvm.nvvm.membar.cta()
  call void @llvm.nvvm.barrier0()
  call void asm sideeffect "fence.acq_rel.cta;", "~{memory}"()
  %v = load i32, ptr %data, align 4
  store i32 %v, ptr %out, align 4
  ret void
}
define ptx_kernel void @tells(ptr %data, ptr noalias %out, ptr noalias %counter) {
  %v = load i32, ptr %data, align 4
  store i32 %v, ptr %out, align 4
  %n = atomicrmw add ptr %counter, i32 1 monotonic
  ret void
}
declare void @llvm.nvvm.membar.sys()
declare void @llvm.nvvm.membar.cta()
declare void @llvm.nvvm.barrier0()
