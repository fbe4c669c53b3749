; Every way to touch memory.
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

%pair = type { i32, i32 }

; EXPECT guarded atomics: p0=read-write:0/0 p1=read-write:0/0 p2=read-only:1/1
define ptx_kernel void @atomics(ptr %a, ptr %b, ptr %c) {
  %v = load i32, ptr %c, align 4
  %x = atomicrmw add ptr %a, i32 %v seq_cst
  %y = cmpxchg ptr %b, i32 0, i32 %v seq_cst seq_cst
  ret void
}

; Volatile and atomic loads read, and are never marked.
; EXPECT guarded ordered: p0=read-only:0/1 p1=read-only:0/1 p2=read-only:0/1 p3=write-only:0/0
; EXPECT guarded ordered_stores: p0=write-only:0/0 p1=write-only:0/0 p2=read-only:1/1
define ptx_kernel void @ordered(ptr %a, ptr %b, ptr %c, ptr %out) {
  %x = load volatile i32, ptr %a, align 4
  %y = load atomic i32, ptr %b monotonic, align 4
  %z = load atomic volatile i32, ptr %c monotonic, align 4
  %s = add i32 %x, %y
  %t = add i32 %s, %z
  store i32 %t, ptr %out, align 4
  ret void
}
define ptx_kernel void @ordered_stores(ptr %a, ptr %b, ptr %c) {
  %v = load i32, ptr %c, align 4
  store volatile i32 %v, ptr %a, align 4
  store atomic i32 %v, ptr %b monotonic, align 4
  ret void
}

; EXPECT guarded fills: p0=write-only:0/0 p1=read-only:1/1
; EXPECT guarded copies: p0=write-only:0/0 p1=read-only:2/2 p2=write-only:0/0
; EXPECT guarded copies_self: p0=read-write:0/1
; EXPECT guarded volatile_copy: p0=write-only:0/0 p1=read-only:0/1
define ptx_kernel void @fills(ptr %a, ptr %b, i64 %n) {
  call void @llvm.memset.p0.i64(ptr align 4 %a, i8 0, i64 %n, i1 false)
  %v = load i32, ptr %b, align 4
  ret void
}
define ptx_kernel void @copies(ptr %a, ptr %b, ptr %c) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %a, ptr align 16 %b, i64 16, i1 false)
  call void @llvm.memmove.p0.p0.i64(ptr align 4 %c, ptr align 4 %b, i64 12, i1 false)
  ret void
}
define ptx_kernel void @copies_self(ptr %a, i64 %n) {
  %p = getelementptr i8, ptr %a, i64 %n
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %a, ptr align 4 %p, i64 16, i1 false)
  ret void
}
define ptx_kernel void @volatile_copy(ptr %a, ptr %b) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %a, ptr align 4 %b, i64 16, i1 true)
  ret void
}

; One operand of the assembly is marked, and the other is not.
; PTX ro 9 ld.global.ro.
; EXPECT guarded two: p0=read-write:0/1 p1=read-only:1/1
define ptx_kernel void @two(ptr %to, ptr %from) {
  %v = load float, ptr %from, align 4
  %w = load float, ptr %to, align 4
  call void asm sideeffect "st.global.v2.f32 [$0], {$1, $2};", "l,f,f"(ptr %to, float %v, float %w)
  ret void
}

; Loads that the program says are read-only: nothing to add, and they count.
; PTX ro 1 cp.async.ca.shared.global
; PTX ro 1 wmma.load.c
; EXPECT guarded already: p0=read-only:1/1 p1=read-only:1/1 p2=write-only:0/0
; EXPECT strict already: p0=read-only:1/1 p1=read-only:1/1 p2=write-only:0/0
define ptx_kernel void @already(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr %out) {
  %v = call i32 @llvm.nvvm.ldg.global.i.i32.p1(ptr addrspace(1) %a, i32 4)
  %w = load i32, ptr addrspace(1) %b, align 4, !invariant.load !0
  %s = add i32 %v, %w
  store i32 %s, ptr %out, align 4
  ret void
}

; Shared and constant memory are no structures; what is copied there from global memory is read.
@tile = addrspace(3) global [64 x i8] undef, align 16
@table = addrspace(4) externally_initialized global [4 x i32] zeroinitializer
; EXPECT guarded async: p0=read-only:0/1
; EXPECT guarded private_spaces: p0=write-only:0/0
define ptx_kernel void @async(ptr addrspace(1) %a) #0 {
  call void @llvm.nvvm.cp.async.ca.shared.global.16(ptr addrspace(3) @tile, ptr addrspace(1) %a)
  call void @llvm.nvvm.cp.async.commit.group()
  call void @llvm.nvvm.cp.async.wait.all()
  ret void
}
define ptx_kernel void @private_spaces(ptr %out) {
  %v = load i32, ptr addrspace(3) @tile, align 4
  %w = load i32, ptr addrspace(4) @table, align 4
  %g = addrspacecast ptr addrspace(4) @table to ptr
  %x = load i32, ptr %g, align 4
  %s = add i32 %v, %w
  %t = add i32 %s, %x
  store i32 %t, ptr addrspace(3) @tile, align 4
  store i32 %t, ptr %out, align 4
  ret void
}

; A generic pointer that may be shared memory gets no global load.
; EXPECT guarded maybe_shared: p0=read-only:0/1 p1=write-only:0/0
define ptx_kernel void @maybe_shared(ptr %a, ptr %out, i1 %which) {
  %s = addrspacecast ptr addrspace(3) @tile to ptr
  %p = select i1 %which, ptr %a, ptr %s
  %v = load i32, ptr %p, align 4
  store i32 %v, ptr %out, align 4
  ret void
}

; Tensor fragments.
; EXPECT guarded fragments: p0=read-only:0/1 p1=write-only:0/0
define ptx_kernel void @fragments(ptr %a, ptr %b) {
  %f = call { <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.c.row.stride.f16.p0(ptr %a, i32 16)
  %h = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half> } %f, 0
  call void @llvm.nvvm.wmma.m16n16k16.store.d.row.stride.f16.p0(ptr %b, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, i32 16)
  ret void
}

; Waiting for the grid before this one: its stores come until then.
; EXPECT distinct dependent: p0=read-write:0/1 p1=write-only:0/0 unknown=read-write:0/0
define ptx_kernel void @dependent(ptr noalias readonly %a, ptr noalias %out) {
  call void asm sideeffect "griddepcontrol.wait;", "~{memory}"()
  %v = load i32, ptr %a, align 4
  store i32 %v, ptr %out, align 4
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare i32 @llvm.nvvm.ldg.global.i.i32.p1(ptr addrspace(1), i32)
declare void @llvm.nvvm.cp.async.ca.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.commit.group()
declare void @llvm.nvvm.cp.async.wait.all()
declare { <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.c.row.stride.f16.p0(ptr, i32)
declare void @llvm.nvvm.wmma.m16n16k16.store.d.row.stride.f16.p0(ptr, <2 x half>, <2 x half>, <2 x half>, <2 x half>, i32)
attributes #0 = { "target-cpu"="sm_80" "target-features"="+ptx78" }
!0 = !{}

; Images by their handles.
; EXPECT guarded images: p0=read-only:1/1 p1=write-only:0/0 p2=write-only:0/0
define ptx_kernel void @images(i64 %texture, i64 %surface, ptr %out) {
  %t = call { float, float, float, float } @llvm.nvvm.tex.unified.1d.v4f32.s32(i64 %texture, i32 0)
  %v = extractvalue { float, float, float, float } %t, 0
  call void @llvm.nvvm.sust.b.1d.i32.clamp(i64 %surface, i32 0, i32 7)
  store float %v, ptr %out, align 4
  ret void
}
declare { float, float, float, float } @llvm.nvvm.tex.unified.1d.v4f32.s32(i64, i32)
declare void @llvm.nvvm.sust.b.1d.i32.clamp(i64, i32, i32)
