; Inline assembly is read, not feared, as far as its opcodes are known. NOPTX: NVPTX has no memory operands in it.
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

@tile = addrspace(3) global [64 x i8] undef, align 16

; EXPECT guarded no_memory: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @no_memory(ptr %a, ptr %b) {
  %v = load i32, ptr %a, align 4
  %w = call i32 asm "bfe.u32 $0, $1, 8, 8;", "=r,r"(i32 %v)
  call void asm sideeffect "", "~{memory}"()
  call void asm sideeffect "bar.sync 0; // wait\0A\09membar.gl;", "~{memory}"()
  call void asm sideeffect "/* [a] */ prefetch.global.L2 [$0];", "l,~{memory}"(ptr %a)
  store i32 %w, ptr %b, align 4
  ret void
}

; EXPECT guarded loads: p0=read-only:0/1 p1=write-only:0/0
; EXPECT guarded stores: p0=write-only:0/0 p1=read-only:1/1
; EXPECT guarded reduces: p0=read-write:0/0 p1=read-only:1/1
define ptx_kernel void @loads(ptr %a, ptr %b) {
  %v = call i32 asm sideeffect "ld.global.cg.u32 $0, [$1+4];", "=r,l"(ptr %a)
  store i32 %v, ptr %b, align 4
  ret void
}
define ptx_kernel void @stores(ptr %a, ptr %b) {
  %v = load i32, ptr %b, align 4
  call void asm sideeffect "{ .reg .pred p; setp.ne.b32 p, $2, 0; @p st.global.u32 [$0], $1; }", "l,r,r,~{memory}"(ptr %a, i32 %v, i32 1)
  ret void
}
define ptx_kernel void @reduces(ptr %a, ptr %b) {
  %v = load i32, ptr %b, align 4
  call void asm sideeffect "red.global.add.u32 [${0}], $1;", "l,r"(ptr %a, i32 %v)
  ret void
}

; The address is made inside: any operand may be it.
; EXPECT guarded inside: p0=write-only:0/0 p1=write-only:0/0 p2=read-only:1/1
define ptx_kernel void @inside(ptr %a, ptr %b, ptr %c) {
  %v = load i32, ptr %c, align 4
  call void asm sideeffect "{ .reg .u64 t; add.u64 t, $0, $1; st.u32 [t], $2; }", "l,l,r"(ptr %a, ptr %b, i32 %v)
  ret void
}

; An opcode that the table does not know may write what it is given.
; EXPECT guarded unheard_of: p0=read-write:0/1 p1=read-only:1/1
; EXPECT guarded calls_out: p0=unused:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @unheard_of(ptr %a, ptr %b) {
  call void asm sideeffect "frobnicate.global.u32 [$0];", "l"(ptr %a)
  %v = load i32, ptr %b, align 4
  ret void
}
define ptx_kernel void @calls_out(ptr %a, ptr %b) {
  call void asm sideeffect "call (retval), f, (param);", "l"(ptr %a)
  %v = load i32, ptr %b, align 4
  ret void
}

; Global to shared: one end is read, the other is no structure.
; EXPECT guarded async: p0=read-only:0/1 p1=read-only:1/1
define ptx_kernel void @async(ptr %a, ptr %b) {
  %s = ptrtoint ptr addrspace(3) @tile to i32
  call void asm sideeffect "cp.async.ca.shared.global [$0], [$1], 16;", "r,l,~{memory}"(i32 %s, ptr %a)
  %v = load i32, ptr %b, align 4
  ret void
}

; A pointer through assembly keeps its origin; one loaded by it has none.
; EXPECT guarded moved: p0=write-only:0/0 p1=read-only:1/1
; EXPECT guarded loaded: p0=read-write:0/1 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @moved(ptr %a, ptr %b) {
  %p = call ptr asm "cvta.to.global.u64 $0, $1;", "=l,l"(ptr %a)
  %v = load i32, ptr %b, align 4
  store i32 %v, ptr %p, align 4
  ret void
}
define ptx_kernel void @loaded(ptr %a, ptr %b) {
  %p = call ptr asm sideeffect "ld.global.u64 $0, [$1];", "=l,l"(ptr %a)
  %v = load i32, ptr %b, align 4
  store i32 %v, ptr %p, align 4
  ret void
}

; Memory as an operand.
; EXPECT guarded indirect: p0=read-write:0/1 p1=read-only:0/1
define ptx_kernel void @indirect(ptr %a, ptr %b) {
  call void asm sideeffect "// nothing", "=*m,*m"(ptr elementtype(i32) %a, ptr elementtype(i32) %b)
  ret void
}

; Bulk copies into shared memory read global memory; those out of it write it; tensor stores may write any.
; EXPECT guarded bulk_in: p0=read-only:0/1 p1=read-only:1/1
; EXPECT guarded bulk_out: p0=write-only:0/0 p1=read-only:1/1
; EXPECT guarded tensor_in: p0=read-only:0/1 p1=read-only:1/1
; EXPECT guarded tensor_out: p0=unused:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @bulk_in(ptr %a, ptr %b) {
  %s = ptrtoint ptr addrspace(3) @tile to i32
  call void asm sideeffect "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], 512, [$2];", "r,l,r,~{memory}"(i32 %s, ptr %a, i32 %s)
  %v = load i32, ptr %b, align 4
  ret void
}
define ptx_kernel void @bulk_out(ptr %a, ptr %b) {
  %s = ptrtoint ptr addrspace(3) @tile to i32
  call void asm sideeffect "cp.async.bulk.global.shared::cta.bulk_group [$0], [$1], 512;", "l,r,~{memory}"(ptr %a, i32 %s)
  %v = load i32, ptr %b, align 4
  ret void
}
define ptx_kernel void @tensor_in(ptr %map, ptr %b) {
  %s = ptrtoint ptr addrspace(3) @tile to i32
  call void asm sideeffect "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1, {$2}], [$3];", "r,l,r,r,~{memory}"(i32 %s, ptr %map, i32 0, i32 %s)
  %v = load i32, ptr %b, align 4
  ret void
}
define ptx_kernel void @tensor_out(ptr %map, ptr %b) {
  %s = ptrtoint ptr addrspace(3) @tile to i32
  call void asm sideeffect "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [$0, {$1}], [$2];", "l,r,r,~{memory}"(ptr %map, i32 0, i32 %s)
  %v = load i32, ptr %b, align 4
  ret void
}
