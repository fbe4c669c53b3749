; How an address travels from a parameter to an access.
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

; EXPECT guarded gep: p0=read-only:1/1 p1=write-only:0/0
; EXPECT strict gep: p0=read-write:0/1 p1=write-only:0/0
; EXPECT distinct gep: p0=read-only:1/1 p1=write-only:0/0
; GUARDS gep: p0/p1
; SHARING gep: p0=thread
define ptx_kernel void @gep(ptr %a, ptr %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %p = getelementptr float, ptr %a, i64 %i
  %v = load float, ptr %p, align 4
  %q = getelementptr float, ptr %b, i64 %i
  store float %v, ptr %q, align 4
  ret void
}

; A pointer that moves through the loop keeps its origin.
; EXPECT guarded loop: p0=read-only:1/1 p1=write-only:0/0
; SHARING loop: p0=grid
define ptx_kernel void @loop(ptr %a, ptr %b, i32 %n) {
entry:
  br label %body
body:
  %p = phi ptr [ %a, %entry ], [ %next, %body ]
  %i = phi i32 [ 0, %entry ], [ %j, %body ]
  %s = phi float [ 0.0, %entry ], [ %t, %body ]
  %v = load float, ptr %p, align 4
  %t = fadd float %s, %v
  %next = getelementptr i8, ptr %p, i64 4
  %j = add i32 %i, 1
  %more = icmp slt i32 %j, %n
  br i1 %more, label %body, label %done
done:
  store float %t, ptr %b, align 4
  ret void
}

; Either of two: both must be read-only for the mark, and a store kills both.
; EXPECT guarded pick: p0=read-only:1/1 p1=read-only:1/1 p2=write-only:0/0
; EXPECT guarded pick_store: p0=read-write:0/1 p1=write-only:0/0 p2=read-only:0/1
define ptx_kernel void @pick(ptr %a, ptr %b, ptr %c, i1 %which) {
  %p = select i1 %which, ptr %a, ptr %b
  %v = load i32, ptr %p, align 4
  store i32 %v, ptr %c, align 4
  ret void
}
define ptx_kernel void @pick_store(ptr %a, ptr %b, ptr %c, i1 %which) {
  %p = select i1 %which, ptr %a, ptr %b
  %q = select i1 %which, ptr %a, ptr %c
  %v = load i32, ptr %q, align 4
  store i32 %v, ptr %p, align 4
  ret void
}

; Through other address spaces and through integers.
; EXPECT guarded casts: p0=read-only:2/2 p1=write-only:0/0
define ptx_kernel void @casts(ptr %a, ptr %b) {
  %g = addrspacecast ptr %a to ptr addrspace(1)
  %v = load i32, ptr addrspace(1) %g, align 4
  %n = ptrtoint ptr %a to i64
  %m = add i64 %n, 64
  %p = inttoptr i64 %m to ptr
  %w = load i32, ptr %p, align 4
  %s = add i32 %v, %w
  store i32 %s, ptr %b, align 4
  ret void
}

; An integer parameter used as an address is one; used as an index it is none.
; EXPECT guarded number: p0=read-only:1/1 p1=write-only:0/0
; EXPECT guarded index: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @number(i64 %a, ptr %b) {
  %p = inttoptr i64 %a to ptr
  %v = load i32, ptr %p, align 4
  store i32 %v, ptr %b, align 4
  ret void
}
define ptx_kernel void @index(ptr %a, ptr %b, i64 %n) {
  %i = ptrtoint ptr %a to i64
  %s = shl i64 %n, 2
  %m = add i64 %i, %s
  %p = inttoptr i64 %m to ptr
  %v = load i32, ptr %p, align 4
  store i32 %v, ptr %b, align 4
  ret void
}

; An address out of nothing may be any.
; EXPECT guarded nowhere: p0=read-write:0/1 unknown=write-only:0/0
; EXPECT distinct nowhere: p0=read-only:1/1 unknown=write-only:0/0
define ptx_kernel void @nowhere(ptr %a, i32 %n) {
  %v = load i32, ptr %a, align 4
  %w = zext i32 %n to i64
  %p = inttoptr i64 %w to ptr
  store i32 %v, ptr %p, align 4
  ret void
}

; Vectors of pointers.
; EXPECT guarded gather: p0=read-only:0/1 p1=write-only:0/0
define ptx_kernel void @gather(ptr %a, ptr %b, <2 x i64> %i) {
  %p = getelementptr i32, ptr %a, <2 x i64> %i
  %v = call <2 x i32> @llvm.masked.gather.v2i32.v2p0(<2 x ptr> %p, i32 4, <2 x i1> <i1 1, i1 1>, <2 x i32> undef)
  store <2 x i32> %v, ptr %b, align 8
  ret void
}

; SHARING classes: p0=grid p1=cta p2=thread p3=indirect
; EXPECT guarded classes: p0=read-only:2/2 p1=read-only:1/1 p2=read-only:1/1 p3=read-only:1/1 p4=write-only:0/0
define ptx_kernel void @classes(ptr %grid, ptr %cta, ptr %thread, ptr %indirect, ptr %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v0 = load i32, ptr %grid, align 4
  %p0 = getelementptr i32, ptr %grid, i32 7
  %v4 = load i32, ptr %p0, align 4
  %p1 = getelementptr i32, ptr %cta, i32 %b
  %v1 = load i32, ptr %p1, align 4
  %m = mul i32 %b, 64
  %i = add i32 %m, %t
  %p2 = getelementptr i32, ptr %thread, i32 %i
  %v2 = load i32, ptr %p2, align 4
  %p3 = getelementptr i32, ptr %indirect, i32 %v0
  %v3 = load i32, ptr %p3, align 4
  %s1 = add i32 %v0, %v1
  %s2 = add i32 %s1, %v2
  %s3 = add i32 %s2, %v3
  %s4 = add i32 %s3, %v4
  store i32 %s4, ptr %out, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare <2 x i32> @llvm.masked.gather.v2i32.v2p0(<2 x ptr>, i32, <2 x i1>, <2 x i32>)

; An address that is lost in a fraction may come back as one from nowhere.
; EXPECT strict fraction: p0=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @fraction(ptr noalias %a) {
  %i = ptrtoint ptr %a to i64
  %d = uitofp i64 %i to double
  %j = fptoui double %d to i64
  %p = inttoptr i64 %j to ptr
  %v = load i32, ptr %a, align 4
  store i32 %v, ptr %p, align 4
  ret void
}

; The halves of an address on their way through other lanes.
; EXPECT strict shuffled: p0=read-write:0/1
define ptx_kernel void @shuffled(ptr noalias %a) {
  %i = ptrtoint ptr %a to i64
  %low = trunc i64 %i to i32
  %shifted = lshr i64 %i, 32
  %high = trunc i64 %shifted to i32
  %low2 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %low, i32 0, i32 31)
  %high2 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %high, i32 0, i32 31)
  %low3 = zext i32 %low2 to i64
  %high3 = zext i32 %high2 to i64
  %high4 = shl i64 %high3, 32
  %j = or i64 %high4, %low3
  %p = inttoptr i64 %j to ptr
  %v = load i32, ptr %a, align 4
  store i32 %v, ptr %p, align 4
  ret void
}
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)

; What a mathematical function returns may be its argument.
; EXPECT strict lesser: p0=read-write:0/1 p1=read-write:0/1
define ptx_kernel void @lesser(ptr noalias %a, ptr noalias %b) {
  %i = ptrtoint ptr %a to i64
  %j = ptrtoint ptr %b to i64
  %k = call i64 @__nv_ullmin(i64 %i, i64 %j)
  %p = inttoptr i64 %k to ptr
  %v = load i32, ptr %a, align 4
  %w = load i32, ptr %b, align 4
  %s = add i32 %v, %w
  store i32 %s, ptr %p, align 4
  ret void
}
declare i64 @__nv_ullmin(i64, i64)
