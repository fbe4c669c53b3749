; Pointers that stand in memory: locals, by-value parameters, variables, other structures.
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

%view = type { ptr, i32, ptr }
%table = type { [4 x ptr], i32 }

@lut = addrspace(1) global [64 x i32] zeroinitializer
@acc = addrspace(1) global [64 x i32] zeroinitializer
@fixed = addrspace(1) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@args = addrspace(4) externally_initialized global ptr undef
@tile = addrspace(3) global [32 x float] undef
@slots = addrspace(3) global [2 x ptr] undef
@handle = addrspace(1) externally_initialized global ptr null

; EXPECT guarded local: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @local(ptr %a, ptr %b) {
  %x = alloca ptr, align 8
  %y = alloca ptr, align 8
  store ptr %a, ptr %x, align 8
  store ptr %b, ptr %y, align 8
  %p = load ptr, ptr %x, align 8
  %q = load ptr, ptr %y, align 8
  %v = load i32, ptr %p, align 4
  store i32 %v, ptr %q, align 4
  ret void
}

; One array for both: an index that is not known may pick either.
; EXPECT guarded local_array: p0=read-only:1/1 p1=write-only:0/0
; EXPECT guarded local_mixed: p0=read-write:0/1 p1=read-write:0/1
define ptx_kernel void @local_array(ptr %a, ptr %b) {
  %x = alloca [2 x ptr], align 8
  %x1 = getelementptr [2 x ptr], ptr %x, i64 0, i64 1
  store ptr %a, ptr %x, align 8
  store ptr %b, ptr %x1, align 8
  %p = load ptr, ptr %x, align 8
  %q = load ptr, ptr %x1, align 8
  %v = load i32, ptr %p, align 4
  store i32 %v, ptr %q, align 4
  ret void
}
define ptx_kernel void @local_mixed(ptr %a, ptr %b, i64 %i) {
  %x = alloca [2 x ptr], align 8
  %x1 = getelementptr [2 x ptr], ptr %x, i64 0, i64 1
  store ptr %a, ptr %x, align 8
  store ptr %b, ptr %x1, align 8
  %xi = getelementptr [2 x ptr], ptr %x, i64 0, i64 %i
  %p = load ptr, ptr %xi, align 8
  %v = load i32, ptr %p, align 4
  store i32 %v, ptr %p, align 4
  ret void
}

; EXPECT guarded byval: p0+0=read-only:1/1 p0+16=write-only:0/0
; GUARDS byval: p0+0/p0+16
; GUARDS pointee: p0/p1 *p0/p1
define ptx_kernel void @byval(ptr byval(%view) align 8 %s) {
  %in = load ptr, ptr %s, align 8
  %f = getelementptr %view, ptr %s, i64 0, i32 2
  %out = load ptr, ptr %f, align 8
  %v = load i32, ptr %in, align 4
  store i32 %v, ptr %out, align 4
  ret void
}

; The same through a copy, as front ends make it.
; EXPECT guarded byval_copy: p0+0=read-only:1/1 p0+16=write-only:0/0
define ptx_kernel void @byval_copy(ptr byval(%view) align 8 %s) {
  %c = alloca %view, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %c, ptr align 8 %s, i64 24, i1 false)
  %in = load ptr, ptr %c, align 8
  %f = getelementptr i8, ptr %c, i64 16
  %out = load ptr, ptr %f, align 8
  %v = load i32, ptr %in, align 4
  store i32 %v, ptr %out, align 4
  ret void
}

; A member picked at run time may be any of them.
; EXPECT guarded byval_index: p0+0=read-only:1/1 p0+8=read-only:1/1 p0+16=read-only:1/1 p0+24=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @byval_index(ptr byval(%table) align 8 %s, ptr %out, i64 %i) {
  %f = getelementptr %table, ptr %s, i64 0, i32 0, i64 %i
  %p = load ptr, ptr %f, align 8
  %v = load i32, ptr %p, align 4
  store i32 %v, ptr %out, align 4
  ret void
}

; EXPECT guarded variables: p0=write-only:0/0 acc=read-write:0/0 fixed=read-only:1/1 lut=read-only:1/1
; EXPECT strict variables: p0=write-only:0/0 acc=read-write:0/0 fixed=read-only:1/1 lut=read-write:0/1
; GUARDS variables: lut/p0
define ptx_kernel void @variables(ptr %out) {
  %v = load i32, ptr addrspace(1) getelementptr ([64 x i32], ptr addrspace(1) @lut, i64 0, i64 3), align 4
  %w = load i32, ptr addrspace(1) @fixed, align 4
  %s = add i32 %v, %w
  %o = atomicrmw add ptr addrspace(1) @acc, i32 %s monotonic
  store i32 %s, ptr %out, align 4
  ret void
}

; Two variables are two memories, whatever a launch does.
; EXPECT strict two_variables: acc=write-only:0/0 lut=read-only:1/1
; GUARDS two_variables:
define ptx_kernel void @two_variables() {
  %v = load i32, ptr addrspace(1) @lut, align 4
  store i32 %v, ptr addrspace(1) @acc, align 4
  ret void
}

; A pointer loaded from memory: what it points to is a structure of its own while what holds it is not written.
; EXPECT guarded pointee: p0=read-only:1/1 p1=write-only:0/0 *p0=read-only:1/1
; EXPECT guarded pointee_alone: p0=read-only:1/1 *p0=read-only:1/1
; EXPECT strict pointee_noalias: p0=read-only:1/1 p1=write-only:0/0 *p0=read-only:1/1
; EXPECT distinct pointee: p0=read-only:1/1 p1=write-only:0/0 *p0=read-only:1/1
define ptx_kernel void @pointee(ptr %pp, ptr %out) {
  %p = load ptr, ptr %pp, align 8
  %v = load i32, ptr %p, align 4
  store i32 %v, ptr %out, align 4
  ret void
}
define ptx_kernel void @pointee_alone(ptr %pp) {
  %p = load ptr, ptr %pp, align 8
  %v = load i32, ptr %p, align 4
  store i32 %v, ptr addrspace(3) @tile, align 4
  ret void
}
define ptx_kernel void @pointee_noalias(ptr %pp, ptr noalias %out) {
  %p = load ptr, ptr %pp, align 8
  %v = load i32, ptr %p, align 4
  store i32 %v, ptr %out, align 4
  ret void
}

; Once the holder is written, what was in it may be anything.
; EXPECT guarded holder_written: p0=read-write:0/1 p1=read-write:0/1 *p0=write-only:0/0
; EXPECT distinct holder_written: p0=read-write:0/1 p1=read-write:0/1 *p0=write-only:0/0
define ptx_kernel void @holder_written(ptr %pp, ptr %a) {
  %p = load ptr, ptr %pp, align 8
  %v = load i32, ptr %a, align 4
  store i32 %v, ptr %p, align 4
  store ptr %a, ptr %pp, align 8
  ret void
}

; A store through a pointer from memory has no known target.
; EXPECT guarded pointee_store: p0=read-only:1/1 p1=read-only:1/1 *p0=write-only:0/0
; EXPECT strict pointee_store: p0=read-write:0/1 p1=read-write:0/1 *p0=write-only:0/0
; EXPECT distinct pointee_store: p0=read-only:1/1 p1=read-only:1/1 *p0=write-only:0/0
define ptx_kernel void @pointee_store(ptr %pp, ptr %a) {
  %p = load ptr, ptr %pp, align 8
  %v = load i32, ptr %a, align 4
  store i32 %v, ptr %p, align 4
  ret void
}

; From constant memory, and from a variable the host fills.
; EXPECT guarded constant_pointer: args=read-only:0/0 *args=read-only:1/1
; EXPECT guarded variable_pointer: handle=read-only:1/1 *handle=read-only:1/1
define ptx_kernel void @constant_pointer() {
  %p = load ptr, ptr addrspace(4) @args, align 8
  %v = load float, ptr %p, align 4
  store float %v, ptr addrspace(3) @tile, align 4
  ret void
}
define ptx_kernel void @variable_pointer() {
  %p = load ptr, ptr addrspace(1) @handle, align 8
  %v = load float, ptr %p, align 4
  store float %v, ptr addrspace(3) @tile, align 4
  ret void
}

; Shared memory may hold pointers too.
; EXPECT guarded shared_pointers: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @shared_pointers(ptr %a, ptr %b) {
  %s1 = getelementptr [2 x ptr], ptr addrspace(3) @slots, i64 0, i64 1
  store ptr %a, ptr addrspace(3) @slots, align 8
  store ptr %b, ptr addrspace(3) %s1, align 8
  call void @llvm.nvvm.barrier0()
  %p = load ptr, ptr addrspace(3) @slots, align 8
  %q = load ptr, ptr addrspace(3) %s1, align 8
  %v = load i32, ptr %p, align 4
  store i32 %v, ptr %q, align 4
  ret void
}

; A local whose address is out is anyone's.
; EXPECT guarded leaked: p0=read-write:0/1 p1=write-only:0/0 unknown=write-only:0/0
define ptx_kernel void @leaked(ptr %a, ptr %b) {
  %x = alloca ptr, align 8
  store ptr %a, ptr %x, align 8
  store ptr %x, ptr %b, align 8
  %p = load ptr, ptr %x, align 8
  %v = load i32, ptr %a, align 4
  store i32 %v, ptr %p, align 4
  ret void
}

declare void @llvm.nvvm.barrier0()
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; All dynamic shared memory is one, whatever its variables are called.
@dynamic_a = external addrspace(3) global [0 x ptr], align 8
@dynamic_b = external addrspace(3) global [0 x ptr], align 8
; EXPECT guarded dynamic_shared: p0=write-only:0/0 p1=read-only:1/1
define ptx_kernel void @dynamic_shared(ptr %a, ptr %b) {
  store ptr %a, ptr addrspace(3) @dynamic_a, align 8
  %p = load ptr, ptr addrspace(3) @dynamic_b, align 8
  %v = load i32, ptr %b, align 4
  store i32 %v, ptr %p, align 4
  ret void
}

; A pointer that a masked store puts into memory may come back from there.
; EXPECT strict masked: p0=read-write:0/1 p1=read-write:0/1 *p1=write-only:0/0 unknown=write-only:0/0
define ptx_kernel void @masked(ptr noalias %a, ptr %pp) {
  %w = insertelement <1 x ptr> undef, ptr %a, i32 0
  call void @llvm.masked.store.v1p0.p0(<1 x ptr> %w, ptr %pp, i32 8, <1 x i1> <i1 1>)
  %p = load ptr, ptr %pp, align 8
  %v = load i32, ptr %a, align 4
  store i32 %v, ptr %p, align 4
  ret void
}
declare void @llvm.masked.store.v1p0.p0(<1 x ptr>, ptr, i32, <1 x i1>)

; Where nothing that is written can be it, even an address from anywhere is read-only, as long as it is a global one.
; EXPECT strict chase: p0=read-only:1/1 p1=write-only:0/0 **p0=read-only:1/1 *p0=read-only:1/1
; EXPECT strict chase_escaped: p0=read-only:1/1 p1=write-only:0/0 **p0=read-only:1/1 *p0=read-only:1/1
define ptx_kernel void @chase(ptr %a, ptr noalias %out) {
  %p = load ptr, ptr %a, align 8
  %q = load ptr, ptr %p, align 8
  %v = load i32, ptr %q, align 4
  store i32 %v, ptr %out, align 4
  ret void
}
define ptx_kernel void @chase_escaped(ptr %a, ptr noalias %out) {
  %x = alloca i32, align 4
  %p = load ptr, ptr %a, align 8
  %q = load ptr, ptr %p, align 8
  %v = load i32, ptr %q, align 4
  store i32 %v, ptr %out, align 4
  store ptr %x, ptr %out, align 8
  ret void
}

; An address that an atomic operation puts into memory may come back from there.
; EXPECT strict exchanged: p0=read-write:0/1 p1=read-write:0/1 *p1=write-only:0/0 unknown=write-only:0/0
define ptx_kernel void @exchanged(ptr noalias %a, ptr %pp) {
  %i = ptrtoint ptr %a to i64
  %old = call i64 @llvm.nvvm.atomic.cas.gen.i.sys.i64.p0(ptr %pp, i64 0, i64 %i)
  store i32 0, ptr inttoptr (i64 4096 to ptr), align 4
  %p = load ptr, ptr %pp, align 8
  %v = load i32, ptr %a, align 4
  store i32 %v, ptr %p, align 4
  ret void
}
declare i64 @llvm.nvvm.atomic.cas.gen.i.sys.i64.p0(ptr, i64, i64)
