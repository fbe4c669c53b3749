; A mark on every type and alignment, in all the pieces that NVPTX loads it by.
; PTX ro 0 ld.global.u
; PTX ro 0 ld.global.b
; PTX ro 0 ld.global.f
; PTX ro 0 ld.global.v
; PTX keep 0 ld.global.nc.
; SAME
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

; EXPECT guarded t0: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t0(ptr %a, ptr %b) {
  %v = load i8, ptr %a, align 1
  store i8 %v, ptr %b, align 1
  ret void
}
; EXPECT guarded t1: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t1(ptr %a, ptr %b) {
  %v = load i16, ptr %a, align 2
  store i16 %v, ptr %b, align 2
  ret void
}
; EXPECT guarded t2: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t2(ptr %a, ptr %b) {
  %v = load i32, ptr %a, align 4
  store i32 %v, ptr %b, align 4
  ret void
}
; EXPECT guarded t3: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t3(ptr %a, ptr %b) {
  %v = load i64, ptr %a, align 8
  store i64 %v, ptr %b, align 8
  ret void
}
; EXPECT guarded t4: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t4(ptr %a, ptr %b) {
  %v = load half, ptr %a, align 2
  store half %v, ptr %b, align 2
  ret void
}
; EXPECT guarded t6: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t6(ptr %a, ptr %b) {
  %v = load float, ptr %a, align 4
  store float %v, ptr %b, align 4
  ret void
}
; EXPECT guarded t7: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t7(ptr %a, ptr %b) {
  %v = load double, ptr %a, align 8
  store double %v, ptr %b, align 8
  ret void
}
; EXPECT guarded t8: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t8(ptr %a, ptr %b) {
  %v = load ptr, ptr %a, align 8
  store ptr %v, ptr %b, align 8
  ret void
}
; EXPECT guarded t9: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t9(ptr %a, ptr %b) {
  %v = load <2 x i8>, ptr %a, align 2
  store <2 x i8> %v, ptr %b, align 2
  ret void
}
; EXPECT guarded t10: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t10(ptr %a, ptr %b) {
  %v = load <4 x i8>, ptr %a, align 4
  store <4 x i8> %v, ptr %b, align 4
  ret void
}
; EXPECT guarded t11: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t11(ptr %a, ptr %b) {
  %v = load <8 x i8>, ptr %a, align 8
  store <8 x i8> %v, ptr %b, align 8
  ret void
}
; EXPECT guarded t12: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t12(ptr %a, ptr %b) {
  %v = load <16 x i8>, ptr %a, align 16
  store <16 x i8> %v, ptr %b, align 16
  ret void
}
; EXPECT guarded t13: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t13(ptr %a, ptr %b) {
  %v = load <2 x i16>, ptr %a, align 4
  store <2 x i16> %v, ptr %b, align 4
  ret void
}
; EXPECT guarded t14: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t14(ptr %a, ptr %b) {
  %v = load <4 x i16>, ptr %a, align 8
  store <4 x i16> %v, ptr %b, align 8
  ret void
}
; EXPECT guarded t15: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t15(ptr %a, ptr %b) {
  %v = load <8 x i16>, ptr %a, align 16
  store <8 x i16> %v, ptr %b, align 16
  ret void
}
; EXPECT guarded t16: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t16(ptr %a, ptr %b) {
  %v = load <2 x half>, ptr %a, align 4
  store <2 x half> %v, ptr %b, align 4
  ret void
}
; EXPECT guarded t17: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t17(ptr %a, ptr %b) {
  %v = load <4 x half>, ptr %a, align 8
  store <4 x half> %v, ptr %b, align 8
  ret void
}
; EXPECT guarded t18: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t18(ptr %a, ptr %b) {
  %v = load <8 x half>, ptr %a, align 16
  store <8 x half> %v, ptr %b, align 16
  ret void
}
; EXPECT guarded t20: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t20(ptr %a, ptr %b) {
  %v = load <2 x i32>, ptr %a, align 8
  store <2 x i32> %v, ptr %b, align 8
  ret void
}
; EXPECT guarded t21: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t21(ptr %a, ptr %b) {
  %v = load <3 x i32>, ptr %a, align 16
  store <3 x i32> %v, ptr %b, align 16
  ret void
}
; EXPECT guarded t22: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t22(ptr %a, ptr %b) {
  %v = load <4 x i32>, ptr %a, align 16
  store <4 x i32> %v, ptr %b, align 16
  ret void
}
; EXPECT guarded t23: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t23(ptr %a, ptr %b) {
  %v = load <8 x i32>, ptr %a, align 16
  store <8 x i32> %v, ptr %b, align 16
  ret void
}
; EXPECT guarded t24: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t24(ptr %a, ptr %b) {
  %v = load <2 x float>, ptr %a, align 8
  store <2 x float> %v, ptr %b, align 8
  ret void
}
; EXPECT guarded t25: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t25(ptr %a, ptr %b) {
  %v = load <3 x float>, ptr %a, align 4
  store <3 x float> %v, ptr %b, align 4
  ret void
}
; EXPECT guarded t26: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t26(ptr %a, ptr %b) {
  %v = load <4 x float>, ptr %a, align 16
  store <4 x float> %v, ptr %b, align 16
  ret void
}
; EXPECT guarded t27: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t27(ptr %a, ptr %b) {
  %v = load <4 x float>, ptr %a, align 4
  store <4 x float> %v, ptr %b, align 4
  ret void
}
; EXPECT guarded t28: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t28(ptr %a, ptr %b) {
  %v = load <2 x i64>, ptr %a, align 16
  store <2 x i64> %v, ptr %b, align 16
  ret void
}
; EXPECT guarded t29: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t29(ptr %a, ptr %b) {
  %v = load <4 x i64>, ptr %a, align 16
  store <4 x i64> %v, ptr %b, align 16
  ret void
}
; EXPECT guarded t30: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t30(ptr %a, ptr %b) {
  %v = load <2 x double>, ptr %a, align 16
  store <2 x double> %v, ptr %b, align 16
  ret void
}
; EXPECT guarded t31: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t31(ptr %a, ptr %b) {
  %v = load <2 x ptr>, ptr %a, align 16
  store <2 x ptr> %v, ptr %b, align 16
  ret void
}
; EXPECT guarded t32: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t32(ptr %a, ptr %b) {
  %v = load i128, ptr %a, align 16
  store i128 %v, ptr %b, align 16
  ret void
}
; EXPECT guarded t33: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t33(ptr %a, ptr %b) {
  %v = load i1, ptr %a, align 1
  store i1 %v, ptr %b, align 1
  ret void
}
; EXPECT guarded t34: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t34(ptr %a, ptr %b) {
  %v = load i24, ptr %a, align 4
  store i24 %v, ptr %b, align 4
  ret void
}
; EXPECT guarded t35: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t35(ptr %a, ptr %b) {
  %v = load i32, ptr %a, align 1
  store i32 %v, ptr %b, align 1
  ret void
}
; EXPECT guarded t36: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t36(ptr %a, ptr %b) {
  %v = load i64, ptr %a, align 4
  store i64 %v, ptr %b, align 4
  ret void
}
; EXPECT guarded t37: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @t37(ptr %a, ptr %b) {
  %v = load <3 x i8>, ptr %a, align 4
  store <3 x i8> %v, ptr %b, align 4
  ret void
}
