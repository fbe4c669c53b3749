; Inline assembly is read, not feared, as far as its opcodes are known. NOPTX: NVPTX has no memory operands in it.
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

@tile = addrspace(3) global [64 x i8] undef, align 16

; The only sign that @named_writer is called is its name in the assembly.
define internal void @named_reader(ptr %p) noinline {
  %v = load volatile i32, ptr %p, align 4
  ret void
}
define internal void @named_writer(ptr %p) noinline {
  store i32 7, ptr %p, align 4
  ret void
}
@readers = addrspace(1) global [1 x ptr] [ptr @named_reader]
; EXPECT guarded keeps_writer: p0=write-only:0/0
define ptx_kernel void @keeps_writer(ptr %a) {
  call void @named_writer(ptr %a)
  ret void
}
; EXPECT guarded calls_named: p0=read-write:0/2 p1=write-only:0/0
define ptx_kernel void @calls_named(ptr %a, ptr %b) {
  %v = load i32, ptr %a, align 4
  store i32 %v, ptr %b, align 4
  %f = call i64 asm "mov.u64 $0, named_writer;", "=l"()
  %g = inttoptr i64 %f to ptr
  call void %g(ptr %a)
  ret void
}

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

; EXPECT guarded loads: p0=read-only:1/1 p1=write-only:0/0
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

; The address is made inside: any operand may be it, and two pointers together may lead anywhere.
; EXPECT guarded inside: p0=write-only:0/0 p1=write-only:0/0 p2=read-write:0/1 unknown=write-only:0/0
; EXPECT guarded inside_index: p0=write-only:0/0 p1=write-only:0/0 p2=read-only:1/1
define ptx_kernel void @inside(ptr %a, ptr %b, ptr %c) {
  %v = load i32, ptr %c, align 4
  call void asm sideeffect "{ .reg .u64 t; add.u64 t, $0, $1; st.u32 [t], $2; }", "l,l,r"(ptr %a, ptr %b, i32 %v)
  ret void
}

define ptx_kernel void @inside_index(ptr %a, i64 %n, ptr %c) {
  %v = load i32, ptr %c, align 4
  call void asm sideeffect "{ .reg .u64 t; add.u64 t, $0, $1; st.u32 [t], $2; }", "l,l,r"(ptr %a, i64 %n, i32 %v)
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

; A pointer through assembly keeps its origin; one loaded by it comes from there, as an address or as a number.
; EXPECT guarded moved: p0=write-only:0/0 p1=read-only:1/1
; EXPECT guarded loaded: p0=read-only:1/1 p1=read-only:1/1 *p0=write-only:0/0
; EXPECT guarded loaded_number: p0=read-only:1/1 p1=read-only:1/1 *p0=write-only:0/0
; EXPECT guarded loaded_pair: p0=read-only:1/1 p1=read-only:1/1 *p0=write-only:0/0
; EXPECT guarded loaded_halves: p0=read-write:0/1 p1=read-write:0/1 unknown=write-only:0/0
; EXPECT guarded loaded_shared: p0=read-write:0/1 unknown=write-only:0/0
; EXPECT guarded exchanged: p0=read-write:0/0 p1=read-write:0/1 *p0=write-only:0/0 unknown=write-only:0/0
; EXPECT guarded index: p0=read-only:1/1 p1=read-only:1/1 p2=write-only:0/0
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

define ptx_kernel void @loaded_number(ptr %a, ptr %b) {
  %n = call i64 asm sideeffect "ld.global.u64 $0, [$1];", "=l,l"(ptr %a)
  %p = inttoptr i64 %n to ptr
  %v = load i32, ptr %b, align 4
  store i32 %v, ptr %p, align 4
  ret void
}
define ptx_kernel void @loaded_pair(ptr %a, ptr %b) {
  %n = call { i64, i64 } asm sideeffect "ld.global.v2.u64 {$0, $1}, [$2];", "=l,=l,l"(ptr %a)
  %m = extractvalue { i64, i64 } %n, 1
  %p = inttoptr i64 %m to ptr
  %v = load i32, ptr %b, align 4
  store i32 %v, ptr %p, align 4
  ret void
}
define ptx_kernel void @loaded_halves(ptr %a, ptr %b) {
  %n = call { i32, i32 } asm sideeffect "ld.global.v2.u32 {$0, $1}, [$2];", "=r,=r,l"(ptr %a)
  %low = extractvalue { i32, i32 } %n, 0
  %high = extractvalue { i32, i32 } %n, 1
  %low64 = zext i32 %low to i64
  %high64 = zext i32 %high to i64
  %shifted = shl i64 %high64, 32
  %m = or i64 %shifted, %low64
  %p = inttoptr i64 %m to ptr
  %v = load i32, ptr %b, align 4
  store i32 %v, ptr %p, align 4
  ret void
}
define ptx_kernel void @loaded_shared(ptr %b) {
  %s = ptrtoint ptr addrspace(3) @tile to i32
  %n = call i64 asm sideeffect "ld.shared.u64 $0, [$1];", "=l,r"(i32 %s)
  %p = inttoptr i64 %n to ptr
  %v = load i32, ptr %b, align 4
  store i32 %v, ptr %p, align 4
  ret void
}
define ptx_kernel void @exchanged(ptr %a, ptr %b) {
  %n = call i64 asm sideeffect "atom.global.exch.b64 $0, [$1], $2;", "=l,l,l"(ptr %a, i64 0)
  %p = inttoptr i64 %n to ptr
  %v = load i32, ptr %b, align 4
  store i32 %v, ptr %p, align 4
  ret void
}
define ptx_kernel void @index(ptr %a, ptr %b, ptr %c) {
  %i = call i32 asm sideeffect "ld.global.cs.u32 $0, [$1];", "=r,l"(ptr %a)
  %p = getelementptr i32, ptr %b, i32 %i
  %q = getelementptr i32, ptr %c, i32 %i
  %v = load i32, ptr %p, align 4
  store i32 %v, ptr %q, align 4
  ret void
}

; An address that the assembly itself loads, or takes from a symbol, may be any. So it is in a loop, from the second turn.
; EXPECT guarded chased: p0=read-write:0/1 p1=read-write:0/1 unknown=write-only:0/0
; EXPECT guarded symbol: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
; EXPECT guarded turned: p0=read-write:0/1 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @chased(ptr %a, ptr %b) {
  call void asm sideeffect "{ .reg .u64 t; ld.global.u64 t, [$0]; st.global.u32 [t], 5; }", "l,~{memory}"(ptr %a)
  %v = load i32, ptr %b, align 4
  ret void
}
define ptx_kernel void @symbol(ptr %a, ptr %b) {
  call void asm sideeffect "st.global.u64 [elsewhere], $0;", "l,~{memory}"(ptr %a)
  %v = load i32, ptr %b, align 4
  ret void
}
define ptx_kernel void @turned(ptr %a, ptr %b) {
  call void asm sideeffect "{ .reg .u64 t, u; mov.u64 t, $0; again: st.global.u32 [t], 5; mov.u64 t, u; ld.global.u64 u, [$0]; bra again; }", "l,~{memory}"(ptr %a)
  %v = load i32, ptr %b, align 4
  ret void
}

; A register that is argument and result at once.
; EXPECT guarded tied: p0=write-only:0/0 p1=read-only:1/1
; EXPECT guarded tied_chased: p0=read-write:0/1 p1=read-write:0/1 *p0=write-only:0/0 unknown=write-only:0/0
; EXPECT guarded tied_moved: p0=write-only:0/0 p1=read-only:1/1 p2=write-only:0/0
define ptx_kernel void @tied(ptr %a, ptr %b) {
  %v = load i32, ptr %b, align 4
  %p = call ptr asm sideeffect "st.global.u32 [$0], $1; add.u64 $0, $0, 4;", "=l,r,0,~{memory}"(i32 %v, ptr %a)
  store i32 %v, ptr %p, align 4
  ret void
}

define ptx_kernel void @tied_chased(ptr %a, ptr %b) {
  %v = load i32, ptr %b, align 4
  %p = call ptr asm sideeffect "ld.global.u64 $0, [$0]; st.global.u32 [$0], $1;", "=l,r,0,~{memory}"(i32 %v, ptr %a)
  store i32 %v, ptr %p, align 4
  ret void
}
define ptx_kernel void @tied_moved(ptr %a, ptr %b, ptr %c) {
  %v = load i32, ptr %b, align 4
  %p = call ptr asm sideeffect "mov.u64 $0, $3; st.global.u32 [$0], $1;", "=l,r,0,l,~{memory}"(i32 %v, ptr %a, ptr %c)
  ret void
}

; A pointer that assembly stores may come back from there.
; EXPECT strict stored: p0=read-write:0/1 p1=read-write:0/1 *p1=write-only:0/0 unknown=write-only:0/0
; EXPECT strict stored_data: p0=read-only:1/1 p1=read-write:0/1 *p1=write-only:0/0
define ptx_kernel void @stored(ptr noalias %a, ptr %pp) {
  call void asm sideeffect "st.global.u64 [$0], $1;", "l,l,~{memory}"(ptr %pp, ptr %a)
  %p = load ptr, ptr %pp, align 8
  %v = load i32, ptr %a, align 4
  store i32 %v, ptr %p, align 4
  ret void
}
define ptx_kernel void @stored_data(ptr noalias %a, ptr %pp) {
  %p = load ptr, ptr %pp, align 8
  %v = load i32, ptr %a, align 4
  call void asm sideeffect "st.global.u32 [$0], $1;", "l,r,~{memory}"(ptr %p, i32 %v)
  ret void
}

; Assembly that may jump.
; EXPECT guarded jumps: p0=write-only:0/0 p1=read-only:1/1
define ptx_kernel void @jumps(ptr %a, ptr %b) {
  %v = load i32, ptr %b, align 4
  callbr void asm sideeffect "st.global.u32 [$0], $1;", "l,r,!i,~{memory}"(ptr %a, i32 %v) to label %next [label %away]
next:
  ret void
away:
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

; What the program loads by ld.global.nc in assembly it vouches for, unless the kernel plainly writes there.
; EXPECT strict promised: p0=read-only:1/1 p1=write-only:0/0
; EXPECT strict promised_pointer: p0=read-only:1/1 p1=write-only:0/0 *p0=read-write:0/1
; EXPECT guarded broken_promise: p0=read-write:0/1
; EXPECT strict half_promised: p0=read-write:0/1 p1=write-only:0/0
define ptx_kernel void @promised(ptr %a, ptr %b) {
  %v = call i32 asm "ld.global.nc.u32 $0, [$1];", "=r,l"(ptr %a)
  store i32 %v, ptr %b, align 4
  ret void
}
define ptx_kernel void @promised_pointer(ptr %a, ptr %b) {
  %p = call ptr asm "ld.global.nc.u64 $0, [$1];", "=l,l"(ptr %a)
  %v = load i32, ptr %p, align 4
  store i32 %v, ptr %b, align 4
  ret void
}
define ptx_kernel void @broken_promise(ptr %a) {
  %v = call i32 asm "ld.global.nc.u32 $0, [$1];", "=r,l"(ptr %a)
  store i32 %v, ptr %a, align 4
  ret void
}
define ptx_kernel void @half_promised(ptr %a, ptr %b) {
  %v = call i32 asm "{ .reg .u32 t; ld.global.nc.u32 $0, [$1]; ld.global.u32 t, [$1+4]; add.u32 $0, $0, t; }", "=r,l"(ptr %a)
  store i32 %v, ptr %b, align 4
  ret void
}

; What is no PTX at all may write anything. What a barrier guards and shared memory hold is not the program's data.
; EXPECT guarded no_ptx: p0=unused:0/0 p1=read-write:0/1 unknown=write-only:0/0
; EXPECT guarded barrier: p0=read-only:1/1
; EXPECT guarded shared_exchange: p0=read-write:0/1 unknown=write-only:0/0
; EXPECT guarded own_variable: p0=read-only:1/1
; EXPECT guarded multicast: p0=unused:0/0 p1=read-write:0/1 unknown=write-only:0/0
; EXPECT guarded in_parts: p0=write-only:0/0 p1=read-only:1/1
; EXPECT guarded by_constant: p0=write-only:0/0 p1=read-only:1/1
define ptx_kernel void @no_ptx(ptr %a, ptr %b) {
  call void asm sideeffect "make it so", "~{memory}"()
  %v = load i32, ptr %b, align 4
  ret void
}
define ptx_kernel void @barrier(ptr %b) {
  %s = ptrtoint ptr addrspace(3) @tile to i32
  call void asm sideeffect "{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [$0]; }", "r,~{memory}"(i32 %s)
  %v = load i32, ptr %b, align 4
  ret void
}
define ptx_kernel void @shared_exchange(ptr %b) {
  %s = ptrtoint ptr addrspace(3) @tile to i32
  %n = call i64 asm sideeffect "atom.shared.exch.b64 $0, [$1], $2;", "=l,r,l"(i32 %s, i64 0)
  %p = inttoptr i64 %n to ptr
  %v = load i32, ptr %b, align 4
  store i32 %v, ptr %p, align 4
  ret void
}
define ptx_kernel void @own_variable(ptr %b) {
  call void asm sideeffect "{ .shared .b32 own; st.shared.u32 [own], 1; }", "~{memory}"()
  %v = load i32, ptr %b, align 4
  ret void
}
define ptx_kernel void @multicast(ptr %a, ptr %b) {
  call void asm sideeffect "multimem.st.relaxed.sys.global.u32 [$0], 1;", "l,~{memory}"(ptr %a)
  %v = load i32, ptr %b, align 4
  ret void
}
define ptx_kernel void @in_parts(ptr %a, ptr %b) {
  %v = load i32, ptr %b, align 4
  call void asm sideeffect "{ .reg .pred p; setp.ne.b32 p, $0, 0;", "r"(i32 1)
  call void asm sideeffect "@p st.global.u32 [$0], $1; }", "l,r,~{memory}"(ptr %a, i32 %v)
  ret void
}
define ptx_kernel void @by_constant(ptr %a, ptr %b) {
  %v = load i32, ptr %b, align 4
  call void asm sideeffect "st.global.u32 [$0 + $2], $1;", "l,r,n,~{memory}"(ptr %a, i32 %v, i32 8)
  ret void
}

; An address that comes back from where nobody follows it may be heap memory, which the kernel writes.
; EXPECT distinct passed_on: heap=write-only:0/0 unknown=read-write:0/1
; EXPECT guarded passed_on: heap=write-only:0/0 unknown=read-write:0/1
@sink = addrspace(3) global i32 undef, align 4
declare noalias ptr @malloc(i64)
define ptx_kernel void @passed_on() {
  %p = call ptr @malloc(i64 16)
  store i32 5, ptr %p, align 4
  %s = ptrtoint ptr addrspace(3) @tile to i32
  call void asm sideeffect "st.shared.u64 [$0], $1;", "r,l,~{memory}"(i32 %s, ptr %p)
  %n = call i64 asm sideeffect "ld.shared.u64 $0, [$1];", "=l,r,~{memory}"(i32 %s)
  %q = inttoptr i64 %n to ptr
  %v = load i32, ptr %q, align 4
  store i32 %v, ptr addrspace(3) @sink, align 4
  ret void
}

; The counter of the grid's barrier is nobody's data. With another pointer's bits its address may be any.
; EXPECT guarded grid_barrier: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @grid_barrier(ptr %a, ptr %b) {
  %high = call i32 asm sideeffect "mov.u32 $0, %envreg1;", "=r"()
  %low = call i32 asm sideeffect "mov.u32 $0, %envreg2;", "=r"()
  %h = zext i32 %high to i64
  %shifted = shl i64 %h, 32
  %l = zext i32 %low to i64
  %counter = or i64 %shifted, %l
  %old = call i32 asm sideeffect "atom.add.release.gpu.u32 $0, [$1], 1;", "=r,l,~{memory}"(i64 %counter)
  %v = load i32, ptr %a, align 4
  store i32 %v, ptr %b, align 4
  ret void
}
; EXPECT guarded barrier_and_pointer: p0=read-write:0/1 p1=write-only:0/0 unknown=write-only:0/0
define ptx_kernel void @barrier_and_pointer(ptr %a, ptr %b) {
  %high = call i32 asm sideeffect "mov.u32 $0, %envreg1;", "=r"()
  %h = zext i32 %high to i64
  %shifted = shl i64 %h, 32
  %b.n = ptrtoint ptr %b to i64
  %low = and i64 %b.n, 4294967295
  %n = or i64 %shifted, %low
  %p = inttoptr i64 %n to ptr
  %v = load i32, ptr %a, align 4
  store i32 %v, ptr %p, align 4
  ret void
}
; EXPECT guarded barrier_as_offset: p0=read-write:0/1 p1=write-only:0/0 unknown=write-only:0/0
define ptx_kernel void @barrier_as_offset(ptr %a, ptr %b) {
  %low = call i32 asm sideeffect "mov.u32 $0, %envreg2;", "=r"()
  %p = getelementptr i8, ptr %b, i32 %low
  %v = load i32, ptr %a, align 4
  store i32 %v, ptr %p, align 4
  ret void
}
; EXPECT guarded barrier_content: p0=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @barrier_content(ptr %a) {
  %p = call ptr asm sideeffect "{ .reg .b32 h, l; mov.u32 h, %envreg1; mov.u32 l, %envreg2; mov.b64 $0, {l, h}; }", "=l"()
  %q = load ptr, ptr %p, align 8
  %v = load i32, ptr %a, align 4
  store i32 %v, ptr %q, align 4
  ret void
}
