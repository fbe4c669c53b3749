; Of each load that must stay as it is there are four in the PTX, two volatile and two relaxed ones.
; What NVPTX makes of noalias readonly parameters when nobody interferes: volatile loads become ld.global.nc, relaxed
; atomic loads stop code generation, struct copies lose their marks.
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

%float3 = type { float, float, float }

; EXPECT guarded volatile_spin: p0=read-only:0/1 p1=read-only:1/1 p2=write-only:0/0
; PTX ro 7 ld.global.ro
; PTX nc 7 ld.global.nc
; PTX keep 0 ld.global.u
define ptx_kernel void @volatile_spin(ptr noalias readonly %flag, ptr noalias readonly %data, ptr noalias %out) {
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

; EXPECT guarded relaxed: p0=read-only:0/1 p1=write-only:0/0
define ptx_kernel void @relaxed(ptr noalias readonly %a, ptr noalias %out) {
  %v = load atomic i32, ptr %a monotonic, align 4
  store i32 %v, ptr %out, align 4
  ret void
}

; The same of a variable that is constant.
@constant = addrspace(1) constant [2 x i32] [i32 1, i32 2], align 4
; EXPECT guarded constant_volatile: p0=write-only:0/0 constant=read-only:0/2
define ptx_kernel void @constant_volatile(ptr %out) {
  %v = load volatile i32, ptr addrspace(1) @constant, align 4
  %w = load atomic i32, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @constant, i64 4) monotonic, align 4
  %s = add i32 %v, %w
  store i32 %s, ptr %out, align 4
  ret void
}

; Copies: 12 bytes by 4, 16 at once, 40 by 8, and a long one as a loop.
; EXPECT guarded copy12: p0=write-only:0/0 p1=read-only:1/1
; EXPECT guarded copy16: p0=write-only:0/0 p1=read-only:1/1
; EXPECT guarded copy4096: p0=write-only:0/0 p1=read-only:1/1
; EXPECT guarded copy_any: p0=write-only:0/0 p1=read-only:1/1
; PTX ro 2 ld.global.ro.v2.
define ptx_kernel void @copy12(ptr noalias %to, ptr noalias readonly %from) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %to, ptr align 4 %from, i64 12, i1 false)
  ret void
}
define ptx_kernel void @copy16(ptr noalias %to, ptr noalias readonly %from) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %to, ptr align 16 %from, i64 16, i1 false)
  ret void
}
define ptx_kernel void @copy4096(ptr noalias %to, ptr noalias readonly %from) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %to, ptr align 16 %from, i64 4096, i1 false)
  ret void
}
define ptx_kernel void @copy_any(ptr noalias %to, ptr noalias readonly %from, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %to, ptr align 1 %from, i64 %n, i1 false)
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
