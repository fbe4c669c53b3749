; Pointers that come back in disguise: an address with one pointer as its base that holds bits of another. A store through it
; may reach anything, so the load of the other pointer's memory is not marked. And what is only a number ends no mark.
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

@cell = addrspace(3) global [2 x i64] undef, align 8
@bytes = addrspace(3) global [16 x i8] undef, align 8
@left = addrspace(1) global [64 x i32] zeroinitializer, align 16
@right = addrspace(1) global [64 x i32] zeroinitializer, align 16
@third = addrspace(1) global [64 x i32] zeroinitializer, align 16
@one = external addrspace(3) global [0 x i64], align 8
@two = external addrspace(3) global [0 x i64], align 8

; EXPECT guarded difference: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
; EXPECT strict difference: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @difference(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %d = sub i64 %j, %i
  %t = trunc i64 %d to i32
  %n = sext i32 %t to i64
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT strict difference_noalias: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @difference_noalias(ptr %p, ptr noalias %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %d = sub i64 %j, %i
  %t = trunc i64 %d to i32
  %n = sext i32 %t to i64
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded elements: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @elements(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %d = sub i64 %j, %i
  %t = ashr i64 %d, 2
  %a = getelementptr i32, ptr %p, i64 %t
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded twice: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @twice(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %d = sub i64 %i, %j
  %n = sub i64 %i, %d
  %a = inttoptr i64 %n to ptr
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded reflected: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @reflected(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %d = sub i64 %i, %j
  %e = sub i64 0, %d
  %n = add i64 %i, %e
  %a = inttoptr i64 %n to ptr
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded multiples: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @multiples(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %d = sub i64 %j, %i
  %t = mul i64 %d, 3
  %u = shl i64 %d, 1
  %n = sub i64 %t, %u
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded third_of_a_row: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @third_of_a_row(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %d = sub i64 %j, %i
  %u = shl i64 %d, 1
  %n = add i64 %i, %u
  %a = inttoptr i64 %n to ptr
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded shifts: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @shifts(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %d = sub i64 %j, %i
  %t = shl i64 %d, 2
  %u = shl i64 %t, 2
  %w = ashr i64 %u, 1
  %n = ashr i64 %w, 3
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded double: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @double(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %d = sub i64 %j, %i
  %f = sitofp i64 %d to double
  %g = fadd double %f, 0.0
  %n = fptosi double %g to i64
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded absolute: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @absolute(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %f = bitcast i64 %j to double
  %g = call double @llvm.fabs.f64(double %f)
  %t = bitcast double %g to i64
  %n = sub i64 %t, %i
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded negated: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @negated(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %f = bitcast i64 %j to double
  %g = fneg double %f
  %h = fneg double %g
  %t = bitcast double %h to i64
  %n = sub i64 %t, %i
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded remainder: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @remainder(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %n = urem i64 %j, 65521
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded remainders: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @remainders(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %s = urem i64 %j, 1099511627776
  %t = urem i64 %i, 1099511627776
  %n = sub i64 %s, %t
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded low_bits: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @low_bits(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %s = and i64 %j, 127
  %t = and i64 %i, 127
  %n = sub i64 %s, %t
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded rounded: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @rounded(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %s = and i64 %j, -16
  %t = sub i64 %j, %s
  %n = add i64 %t, 0
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded zeros: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @zeros(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %d = sub i64 %j, %i
  %n = call i64 @llvm.ctlz.i64(i64 %d, i1 false)
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded trailing: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @trailing(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %d = sub i64 %j, %i
  %n = call i64 @llvm.cttz.i64(i64 %d, i1 false)
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded count: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @count(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %d = sub i64 %j, %i
  %n = call i64 @llvm.ctpop.i64(i64 %d)
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded power: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @power(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %n = shl i64 1, %j
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded bit: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @bit(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %s = and i64 %j, 4096
  %c = icmp ne i64 %s, 0
  %t = zext i1 %c to i64
  %n = shl i64 %t, 12
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded chosen_bit: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @chosen_bit(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %s = and i64 %j, 4096
  %c = icmp ne i64 %s, 0
  %n = select i1 %c, i64 4096, i64 0
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded order: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @order(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %c = icmp ult ptr %p, %q
  %n = zext i1 %c to i64
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded ballot: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @ballot(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %s = and i64 %j, 4096
  %c = icmp ne i64 %s, 0
  %m = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %c)
  %n = zext i32 %m to i64
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded shuffle: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @shuffle(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %d = sub i64 %j, %i
  %t = trunc i64 %d to i32
  %s = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %t, i32 0, i32 31)
  %n = sext i32 %s to i64
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded reversed: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @reversed(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %d = sub i64 %j, %i
  %t = trunc i64 %d to i32
  %s = call i32 @llvm.bitreverse.i32(i32 %t)
  %n = sext i32 %s to i64
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded assembled: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @assembled(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %d = sub i64 %j, %i
  %n = call i64 asm "abs.s64 $0, $1;", "=l,l"(i64 %d)
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded half_of_each: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @half_of_each(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %s = and i64 %i, -4294967296
  %t = and i64 %j, 4294967295
  %n = or i64 %s, %t
  %a = inttoptr i64 %n to ptr
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded vector_of_halves: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @vector_of_halves(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %s = bitcast i64 %i to <2 x i32>
  %t = bitcast i64 %j to <2 x i32>
  %u = shufflevector <2 x i32> %s, <2 x i32> %t, <2 x i32> <i32 2, i32 1>
  %n = bitcast <2 x i32> %u to i64
  %a = inttoptr i64 %n to ptr
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded exchanged: p0=unused:0/0 p1=read-write:0/1 p2=unused:0/0 unknown=write-only:0/0
define ptx_kernel void @exchanged(ptr %p, ptr %q, ptr %r) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %k = ptrtoint ptr %r to i64
  %v = load i32, ptr %q, align 4
  %s = xor i64 %i, %j
  %t = xor i64 %s, %k
  %n = xor i64 %t, 64
  %a = inttoptr i64 %n to ptr
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded local: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @local(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %d = sub i64 %j, %i
  %t = trunc i64 %d to i32
  %l = alloca i32, align 4
  store i32 %t, ptr %l, align 4
  %m = load i32, ptr %l, align 4
  %n = sext i32 %m to i64
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded shared: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @shared(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %d = sub i64 %j, %i
  %t = trunc i64 %d to i32
  store i32 %t, ptr addrspace(3) @cell, align 4
  %m = load i32, ptr addrspace(3) @cell, align 4
  %n = sext i32 %m to i64
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded two_names: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @two_names(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %d = sub i64 %j, %i
  %t = trunc i64 %d to i32
  store i32 %t, ptr addrspace(3) @one, align 4
  %m = load i32, ptr addrspace(3) @two, align 4
  %n = sext i32 %m to i64
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded by_zero: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @by_zero(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %d = sub i64 %j, %i
  %t = trunc i64 %d to i32
  store i32 %t, ptr addrspace(3) @cell, align 4
  %m = load i32, ptr addrspace(3) null, align 4
  %n = sext i32 %m to i64
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded to_zero: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @to_zero(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %d = sub i64 %j, %i
  %t = trunc i64 %d to i32
  store i32 %t, ptr addrspace(3) null, align 4
  %m = load i32, ptr addrspace(3) @cell, align 4
  %n = sext i32 %m to i64
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded global: p0=write-only:0/0 p1=read-write:0/1 p2=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @global(ptr %p, ptr %q, ptr %s) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %d = sub i64 %j, %i
  %t = trunc i64 %d to i32
  store i32 %t, ptr %s, align 4
  %m = load i32, ptr %s, align 4
  %n = sext i32 %m to i64
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded other_global: p0=write-only:0/0 p1=read-write:0/1 p2=write-only:0/0 p3=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @other_global(ptr %p, ptr %q, ptr %s, ptr %r) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %d = sub i64 %j, %i
  %t = trunc i64 %d to i32
  store i32 %t, ptr %s, align 4
  %m = load volatile i32, ptr %r, align 4
  %n = sext i32 %m to i64
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded atomic: p0=write-only:0/0 p1=read-write:0/1 p2=read-write:0/0 unknown=write-only:0/0
define ptx_kernel void @atomic(ptr %p, ptr %q, ptr %s) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %d = sub i64 %j, %i
  %t = trunc i64 %d to i32
  %x = atomicrmw xchg ptr %s, i32 %t monotonic
  %m = atomicrmw add ptr %s, i32 0 monotonic
  %n = sext i32 %m to i64
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded by_assembly: p0=write-only:0/0 p1=read-write:0/1 p2=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @by_assembly(ptr %p, ptr %q, ptr %s) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %d = sub i64 %j, %i
  %t = trunc i64 %d to i32
  call void asm sideeffect "st.global.u32 [$0], $1;", "l,r,~{memory}"(ptr %s, i32 %t)
  %m = call i32 asm sideeffect "ld.global.u32 $0, [$1];", "=r,l,~{memory}"(ptr %s)
  %n = sext i32 %m to i64
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded by_fill: p0=write-only:0/0 p1=read-write:0/1 p2=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @by_fill(ptr %p, ptr %q, ptr %s) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %d = sub i64 %j, %i
  %t = trunc i64 %d to i32
  %y = trunc i32 %t to i8
  call void @llvm.memset.p0.i64(ptr %s, i8 %y, i64 4, i1 false)
  %m = load i32, ptr %s, align 4
  %n = sext i32 %m to i64
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded by_copy: p0=write-only:0/0 p1=read-write:0/1 p2=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @by_copy(ptr %p, ptr %q, ptr %s) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %d = sub i64 %j, %i
  %t = trunc i64 %d to i32
  %l = alloca i32, align 4
  store i32 %t, ptr %l, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr %l, i64 4, i1 false)
  %m = load i32, ptr %s, align 4
  %n = sext i32 %m to i64
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded upper_kept: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @upper_kept(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %l = alloca ptr, align 8
  store ptr %p, ptr %l, align 8
  %t = trunc i64 %j to i32
  store i32 %t, ptr %l, align 8
  %a = load ptr, ptr %l, align 8
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded lower_copied: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @lower_copied(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %l = alloca ptr, align 8
  %o = alloca ptr, align 8
  store ptr %p, ptr %l, align 8
  store ptr %q, ptr %o, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %l, ptr align 8 %o, i64 4, i1 false)
  %a = load ptr, ptr %l, align 8
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded straddling: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @straddling(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %l = alloca [2 x ptr], align 8
  %l1 = getelementptr i8, ptr %l, i64 8
  store ptr %p, ptr %l, align 8
  store ptr %q, ptr %l1, align 8
  %l2 = getelementptr i8, ptr %l, i64 4
  %n = load i64, ptr %l2, align 4
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded looked_up: p0=write-only:0/0 p1=read-write:0/1 p2=read-write:0/1 unknown=read-write:0/1
define ptx_kernel void @looked_up(ptr %p, ptr %q, ptr %table) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %s = and i64 %j, 255
  %t = getelementptr i8, ptr %table, i64 %s
  %m = load i8, ptr %t, align 1
  %n = zext i8 %m to i64
  %a = getelementptr i8, ptr %p, i64 %n
  store i32 %v, ptr %a, align 4
  ret void
}

%packed = type <{ i32, ptr, ptr }>
; The upper half of one member and the lower half of the next are no member.
; EXPECT guarded between: p0+4=read-write:0/1 p0+8=write-only:0/0 p0+12=write-only:0/0 unknown=write-only:0/0
define ptx_kernel void @between(ptr byval(%packed) align 4 %s) {
  %s1 = getelementptr i8, ptr %s, i64 4
  %s2 = getelementptr i8, ptr %s, i64 8
  %s3 = getelementptr i8, ptr %s, i64 12
  %q = load ptr, ptr %s1, align 4
  %p = load ptr, ptr %s3, align 4
  %a = load ptr, ptr %s2, align 4
  %v = load i32, ptr %q, align 4
  store i32 %v, ptr %a, align 4
  store i32 %v, ptr %p, align 4
  ret void
}
; EXPECT guarded packed_half: p0+4=read-write:0/1 p0+12=write-only:0/0 unknown=write-only:0/0
define ptx_kernel void @packed_half(ptr byval(%packed) align 4 %s) {
  %s1 = getelementptr i8, ptr %s, i64 4
  %s3 = getelementptr i8, ptr %s, i64 12
  %q = load ptr, ptr %s1, align 4
  %l = load i32, ptr %s1, align 4
  %p = load ptr, ptr %s3, align 4
  %i = ptrtoint ptr %p to i64
  %t = trunc i64 %i to i32
  %m = sub i32 %l, %t
  %n = sext i32 %m to i64
  %a = getelementptr i8, ptr %p, i64 %n
  %v = load i32, ptr %q, align 4
  store i32 %v, ptr %a, align 4
  ret void
}
; Four words of two members.
; EXPECT guarded words: p0+0=write-only:0/0 p0+8=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @words(ptr byval({ ptr, ptr }) align 16 %s) {
  %w = load <4 x i32>, ptr %s, align 16
  %x = shufflevector <4 x i32> %w, <4 x i32> poison, <2 x i32> <i32 2, i32 1>
  %n = bitcast <2 x i32> %x to i64
  %a = inttoptr i64 %n to ptr
  %s1 = getelementptr i8, ptr %s, i64 8
  %q = load ptr, ptr %s1, align 8
  %v = load i32, ptr %q, align 4
  store i32 %v, ptr %a, align 4
  ret void
}
; EXPECT guarded wide: p0+0=write-only:0/0 p0+8=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @wide(ptr byval({ ptr, ptr }) align 16 %s) {
  %w = load i128, ptr %s, align 16
  %x = lshr i128 %w, 32
  %n = trunc i128 %x to i64
  %a = inttoptr i64 %n to ptr
  %s1 = getelementptr i8, ptr %s, i64 8
  %q = load ptr, ptr %s1, align 8
  %v = load i32, ptr %q, align 4
  store i32 %v, ptr %a, align 4
  ret void
}
; A whole member of it is that member.
; EXPECT guarded member: p0+0=write-only:0/0 p0+8=write-only:0/0 p1=read-only:1/1
define ptx_kernel void @member(ptr byval({ ptr, ptr }) align 16 %s, ptr %q) {
  %w = load i128, ptr %s, align 16
  %x = lshr i128 %w, 64
  %n = trunc i128 %x to i64
  %a = inttoptr i64 %n to ptr
  %v = load i32, ptr %q, align 4
  store i32 %v, ptr %a, align 4
  ret void
}

; Differences of variables, which the compiler computes.
; EXPECT strict variables: left=write-only:0/0 right=read-write:0/1 unknown=write-only:0/0
; EXPECT strict three_variables: left=write-only:0/0 right=write-only:0/0 third=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @variables() {
  %v = load i32, ptr addrspace(1) @right, align 4
  store i32 %v, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @left, i64 sub (i64 ptrtoint (ptr addrspace(1) @right to i64), i64 ptrtoint (ptr addrspace(1) @left to i64))), align 4
  ret void
}
define ptx_kernel void @three_variables() {
  %v = load i32, ptr addrspace(1) @third, align 4
  %d = sub i64 ptrtoint (ptr addrspace(1) @right to i64), ptrtoint (ptr addrspace(1) @left to i64)
  %n = add i64 ptrtoint (ptr addrspace(1) @right to i64), %d
  %a = inttoptr i64 %n to ptr
  store i32 %v, ptr %a, align 4
  ret void
}

; The same function gets a base and an offset in the same place.
; EXPECT guarded both_ways: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define internal i64 @sum(i64 %x, i64 %y, i64 %depth) noinline {
  %c = icmp ugt i64 %depth, 0
  br i1 %c, label %again, label %done
again:
  %less = sub i64 %depth, 1
  %r = call i64 @sum(i64 %y, i64 %x, i64 %less)
  ret i64 %r
done:
  %s = add i64 %x, %y
  ret i64 %s
}
define ptx_kernel void @both_ways(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %d = sub i64 %j, %i
  %n = call i64 @sum(i64 %i, i64 %d, i64 1)
  %a = inttoptr i64 %n to ptr
  %v = load i32, ptr %q, align 4
  store i32 %v, ptr %a, align 4
  ret void
}
; EXPECT guarded advanced: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define internal ptr @advance(ptr %x, i64 %by) noinline {
  %r = getelementptr i8, ptr %x, i64 %by
  ret ptr %r
}
define ptx_kernel void @advanced(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %d = sub i64 %j, %i
  %a = call ptr @advance(ptr %p, i64 %d)
  %v = load i32, ptr %q, align 4
  store i32 %v, ptr %a, align 4
  ret void
}
; The result of a function is a difference.
; EXPECT guarded returned: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define internal i32 @distance(ptr %x, ptr %y) noinline {
  %i = ptrtoint ptr %x to i64
  %j = ptrtoint ptr %y to i64
  %d = sub i64 %j, %i
  %t = trunc i64 %d to i32
  ret i32 %t
}
define ptx_kernel void @returned(ptr %p, ptr %q) {
  %t = call i32 @distance(ptr %p, ptr %q)
  %a = getelementptr i8, ptr %p, i32 %t
  %v = load i32, ptr %q, align 4
  store i32 %v, ptr %a, align 4
  ret void
}

; Integers that nothing explains, instead of a pointer.

; EXPECT guarded or_from_parts: p0=write-only:0/0 p1=read-write:0/1 p2=read-write:0/2 unknown=write-only:0/0
define ptx_kernel void @or_from_parts(ptr %p, ptr %q, ptr %table, i1 %c) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %b0 = load i8, ptr %table, align 1
  %t1 = getelementptr i8, ptr %table, i64 1
  %b1 = load i8, ptr %t1, align 1
  %x0 = zext i8 %b0 to i64
  %x1 = zext i8 %b1 to i64
  %s1 = shl i64 %x1, 8
  %n = or i64 %s1, %x0
  %m = select i1 %c, i64 %i, i64 %n
  %a = inttoptr i64 %m to ptr
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded or_from_double: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @or_from_double(ptr %p, ptr %q, i1 %c) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %f = uitofp i64 %j to double
  %n = fptoui double %f to i64
  %m = select i1 %c, i64 %i, i64 %n
  %a = inttoptr i64 %m to ptr
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded or_from_half: p0=write-only:0/0 p1=read-write:0/1 p2=write-only:0/0 unknown=write-only:0/0
define ptx_kernel void @or_from_half(ptr %p, ptr %q, i64 %h) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %s = and i64 %i, -4294967296
  %n = add i64 %s, %h
  %a = inttoptr i64 %n to ptr
  store i32 %v, ptr %a, align 4
  ret void
}

; A load through such an address.

; EXPECT guarded loaded: p0=read-only:0/1 p1=write-only:0/0 unknown=read-write:0/1
define ptx_kernel void @loaded(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %d = sub i64 %j, %i
  %t = trunc i64 %d to i32
  %a = getelementptr i8, ptr %p, i32 %t
  %v = load i32, ptr %a, align 4
  store i32 %v, ptr %q, align 4
  ret void
}

; Pointers by way of memory that has another name.

; EXPECT guarded shared_pointer: p0=unused:0/0 p1=read-write:0/1
define ptx_kernel void @shared_pointer(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  store ptr %q, ptr addrspace(3) @one, align 8
  %a = load ptr, ptr addrspace(3) @two, align 8
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded pointer_at_zero: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @pointer_at_zero(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  store ptr %p, ptr addrspace(3) @cell, align 8
  store ptr %q, ptr addrspace(3) null, align 8
  %a = load ptr, ptr addrspace(3) @cell, align 8
  store i32 %v, ptr %a, align 4
  ret void
}

; A generic address made of a number in shared memory gets no global load, nor does one made of a local address's bits.
; EXPECT guarded made_shared: p0=unused:0/0 unknown=read-only:0/1
; EXPECT guarded made_local: p0=unused:0/0 unknown=read-only:0/1
; EXPECT guarded parts_of_local: p0=unused:0/0 unknown=read-only:0/1
define ptx_kernel void @made_shared(ptr %p, i32 %n) {
  %w = zext i32 %n to i64
  %s = inttoptr i64 %w to ptr addrspace(3)
  %g = addrspacecast ptr addrspace(3) %s to ptr
  %v = load i32, ptr %g, align 4
  store i32 %v, ptr addrspace(3) @cell, align 4
  ret void
}
define ptx_kernel void @made_local(ptr %p) {
  %l = alloca i32, align 4
  %i = ptrtoint ptr %l to i64
  %f = uitofp i64 %i to double
  %n = fptoui double %f to i64
  %g = inttoptr i64 %n to ptr
  %v = load i32, ptr %g, align 4
  store i32 %v, ptr addrspace(3) @cell, align 4
  ret void
}
define ptx_kernel void @parts_of_local(ptr %p, i64 %k) {
  %l = alloca i32, align 4
  %c = alloca [4 x ptr], align 8
  %s = getelementptr ptr, ptr %c, i64 %k
  store ptr %l, ptr %s, align 8
  %t = getelementptr i8, ptr %s, i64 4
  %low = load i32, ptr %s, align 4
  %high = load i32, ptr %t, align 4
  %x = zext i32 %low to i64
  %y = zext i32 %high to i64
  %z = shl i64 %y, 32
  %n = or i64 %z, %x
  %g = inttoptr i64 %n to ptr
  %v = load i32, ptr %g, align 4
  store i32 %v, ptr addrspace(3) @cell, align 4
  ret void
}

; Addresses that came as numbers.
; EXPECT guarded numbers: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @numbers(i64 %i, i64 %j) {
  %d = sub i64 %j, %i
  %n = trunc i64 %d to i32
  %p = inttoptr i64 %i to ptr
  %q = inttoptr i64 %j to ptr
  %a = getelementptr i8, ptr %p, i32 %n
  %v = load i32, ptr %q, align 4
  store i32 %v, ptr %a, align 4
  ret void
}

; --- Numbers ---

%tensor = type { ptr, [8 x i64], [8 x i32] }
; Numbers of a by-value structure that has pointers too.
; EXPECT guarded strides: p0+0=write-only:0/0 p1=read-only:1/1
; EXPECT guarded sizes: p0+0=write-only:0/0 p1=read-only:1/1
define ptx_kernel void @strides(ptr byval(%tensor) align 8 %t, ptr %q, i64 %k) {
  %to = load ptr, ptr %t, align 8
  %s = getelementptr %tensor, ptr %t, i64 0, i32 1, i64 %k
  %n = load i64, ptr %s, align 8
  %a = getelementptr i32, ptr %to, i64 %n
  %v = load i32, ptr %q, align 4
  store i32 %v, ptr %a, align 4
  ret void
}
define ptx_kernel void @sizes(ptr byval(%tensor) align 8 %t, ptr %q, i64 %k) {
  %to = load ptr, ptr %t, align 8
  %s = getelementptr %tensor, ptr %t, i64 0, i32 2, i64 %k
  %n = load i32, ptr %s, align 4
  %a = getelementptr i32, ptr %to, i32 %n
  %v = load i32, ptr %q, align 4
  store i32 %v, ptr %a, align 4
  ret void
}
; A pointer of a structure that is picked at run time is one of that structure.
%table = type { [2 x ptr], i32 }
; EXPECT guarded picked: p0+0=write-only:0/0 p0+8=write-only:0/0 p1=read-only:1/1
define ptx_kernel void @picked(ptr byval(%table) align 8 %t, ptr %q, i64 %k) {
  %s = getelementptr %table, ptr %t, i64 0, i32 0, i64 %k
  %a = load ptr, ptr %s, align 8
  %v = load i32, ptr %q, align 4
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded index: p0=write-only:0/0 p1=read-only:1/1
define ptx_kernel void @index(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %w = sext i32 %v to i64
  %a = getelementptr i32, ptr %p, i64 %w
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded wide_index: p0=write-only:0/0 p1=read-only:2/2
define ptx_kernel void @wide_index(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %t = getelementptr i8, ptr %q, i64 8
  %w = load i64, ptr %t, align 8
  %a = getelementptr i32, ptr %p, i64 %w
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded strided: p0=write-only:0/0 p1=read-only:1/1
define ptx_kernel void @strided(ptr %p, ptr %q, i64 %m, i64 %h) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %w = mul i64 %m, %h
  %a = getelementptr i32, ptr %p, i64 %w
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded subtracted: p0=write-only:0/0 p1=read-only:1/1
define ptx_kernel void @subtracted(ptr %p, ptr %q, i64 %m, i64 %h) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %w = sub i64 %m, %h
  %a = getelementptr i32, ptr %p, i64 %w
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded place: p0=write-only:0/0 p1=read-only:1/1
define ptx_kernel void @place(ptr %p, ptr %q, i64 %m) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %e = getelementptr i32, ptr %q, i64 %m
  %x = ptrtoint ptr %e to i64
  %d = sub i64 %x, %j
  %a = getelementptr i8, ptr %p, i64 %d
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded bounded: p0=write-only:0/0 p1=read-only:1/1
define ptx_kernel void @bounded(ptr %p, ptr %q, i64 %m) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %e = getelementptr i32, ptr %q, i64 %m
  %c = icmp ult ptr %q, %e
  %w = zext i1 %c to i64
  %a = getelementptr i8, ptr %p, i64 %w
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded present: p0=write-only:0/0 p1=read-only:1/1 p2=unused:0/0
define ptx_kernel void @present(ptr %p, ptr %q, ptr %r) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %c = icmp ne ptr %r, null
  %w = zext i1 %c to i64
  %a = getelementptr i32, ptr %p, i64 %w
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded aligned: p0=write-only:0/0 p1=read-only:1/1
define ptx_kernel void @aligned(ptr %p, ptr %q, i64 %m) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %s = and i64 %i, 15
  %t = sub i64 %m, %s
  %a = getelementptr i8, ptr %p, i64 %t
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded aligned_down: p0=write-only:0/0 p1=read-only:1/1 p2=write-only:0/0
define ptx_kernel void @aligned_down(ptr %p, ptr %q, i64 %m) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %s = and i64 %i, -16
  %t = add i64 %s, %m
  %a = inttoptr i64 %t to ptr
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded scaled: p0=write-only:0/0 p1=read-only:1/1
define ptx_kernel void @scaled(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %f = sitofp i32 %v to float
  %g = fmul float %f, 2.0
  %n = fptosi float %g to i32
  %a = getelementptr i32, ptr %p, i32 %n
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded own_halves: p0=write-only:0/0 p1=read-only:1/1
define ptx_kernel void @own_halves(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %t = trunc i64 %i to i32
  %u = add i32 %t, 64
  %x = zext i32 %u to i64
  %y = and i64 %i, -4294967296
  %n = or i64 %x, %y
  %a = inttoptr i64 %n to ptr
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded own_halves_moved: p0=write-only:0/0 p1=read-only:1/1
define ptx_kernel void @own_halves_moved(ptr %p, ptr %q, i32 %m) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %t = trunc i64 %i to i32
  %u = add i32 %t, %m
  %x = zext i32 %u to i64
  %y = lshr i64 %i, 32
  %z = shl i64 %y, 32
  %n = or i64 %x, %z
  %a = inttoptr i64 %n to ptr
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded own_bytes: p0=write-only:0/0 p1=read-only:1/1
define ptx_kernel void @own_bytes(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %l = alloca ptr, align 8
  %o = alloca ptr, align 8
  store ptr %p, ptr %l, align 8
  %l0 = getelementptr i8, ptr %l, i64 0
  %o0 = getelementptr i8, ptr %o, i64 0
  %b0 = load i8, ptr %l0, align 1
  store i8 %b0, ptr %o0, align 1
  %l1 = getelementptr i8, ptr %l, i64 1
  %o1 = getelementptr i8, ptr %o, i64 1
  %b1 = load i8, ptr %l1, align 1
  store i8 %b1, ptr %o1, align 1
  %l2 = getelementptr i8, ptr %l, i64 2
  %o2 = getelementptr i8, ptr %o, i64 2
  %b2 = load i8, ptr %l2, align 1
  store i8 %b2, ptr %o2, align 1
  %l3 = getelementptr i8, ptr %l, i64 3
  %o3 = getelementptr i8, ptr %o, i64 3
  %b3 = load i8, ptr %l3, align 1
  store i8 %b3, ptr %o3, align 1
  %l4 = getelementptr i8, ptr %l, i64 4
  %o4 = getelementptr i8, ptr %o, i64 4
  %b4 = load i8, ptr %l4, align 1
  store i8 %b4, ptr %o4, align 1
  %l5 = getelementptr i8, ptr %l, i64 5
  %o5 = getelementptr i8, ptr %o, i64 5
  %b5 = load i8, ptr %l5, align 1
  store i8 %b5, ptr %o5, align 1
  %l6 = getelementptr i8, ptr %l, i64 6
  %o6 = getelementptr i8, ptr %o, i64 6
  %b6 = load i8, ptr %l6, align 1
  store i8 %b6, ptr %o6, align 1
  %l7 = getelementptr i8, ptr %l, i64 7
  %o7 = getelementptr i8, ptr %o, i64 7
  %b7 = load i8, ptr %l7, align 1
  store i8 %b7, ptr %o7, align 1
  %a = load ptr, ptr %o, align 8
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded stored_number: p0=write-only:0/0 p1=read-only:1/1 p2=read-write:0/1
define ptx_kernel void @stored_number(ptr %p, ptr %q, ptr %s) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  store i32 %v, ptr %s, align 4
  %m = load i32, ptr %s, align 4
  %a = getelementptr i32, ptr %p, i32 %m
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded linked: p0=write-only:0/0 p1=read-only:1/1 p2=read-write:0/1
define ptx_kernel void @linked(ptr %p, ptr %q, ptr %nodes) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  %next = getelementptr i8, ptr %nodes, i64 8
  store ptr %next, ptr %nodes, align 8
  %t = getelementptr i8, ptr %nodes, i64 16
  %m = load i32, ptr %t, align 4
  %a = getelementptr i32, ptr %p, i32 %m
  store i32 %v, ptr %a, align 4
  ret void
}

; EXPECT guarded unreachable_store: p0=write-only:0/0 p1=read-only:1/1
define ptx_kernel void @unreachable_store(ptr %p, ptr %q) {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %q to i64
  %v = load i32, ptr %q, align 4
  br i1 false, label %never, label %done
  never:
  store i32 %v, ptr %q, align 4
  br label %done
  done:
  store i32 %v, ptr %p, align 4
  ret void
}

declare double @llvm.fabs.f64(double)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.ctpop.i64(i64)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare i32 @llvm.bitreverse.i32(i32)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
