/*
 * The OpenCL math functions of libclc's NVPTX library that the device library builds on, under C names: clc_exp(x),
 * clc_exp_f(x). libclc exports them with the C++ mangling of their OpenCL signatures.
 */
#ifndef ROMARK_DEVICELIB_LIBCLC_H
#define ROMARK_DEVICELIB_LIBCLC_H

/* `n` is the length of the name, which the mangling spells out. */
#define CLC_DOUBLE(name, n) double clc_##name(double) __asm__("_Z" #n #name "d");
#define CLC_1(name, n)                                                                                                 \
	CLC_DOUBLE(name, n)                                                                                            \
	float clc_##name##_f(float) __asm__("_Z" #n #name "f");
#define CLC_2(name, n)                                                                                                 \
	double clc_##name(double, double) __asm__("_Z" #n #name "dd");                                                 \
	float clc_##name##_f(float, float) __asm__("_Z" #n #name "ff");

#include "libclc.def"

/* The functions whose results the device library corrects. */
CLC_1(atan, 4)
CLC_1(erf, 3)
CLC_1(erfc, 4)
CLC_1(expm1, 5)
CLC_DOUBLE(lgamma, 6)
CLC_DOUBLE(sinpi, 5)
CLC_DOUBLE(cospi, 5)
double clc_cosh(double) __asm__("_Z4coshd");
double clc_sinh(double) __asm__("_Z4sinhd");
float clc_sinh_f(float) __asm__("_Z4sinhf");
double clc_sin(double) __asm__("_Z3sind");
float clc_sin_f(float) __asm__("_Z3sinf");
float clc_cos_f(float) __asm__("_Z3cosf");
double clc_tan(double) __asm__("_Z3tand");
float clc_tan_f(float) __asm__("_Z3tanf");
double clc_sincos(double, double *cosine) __asm__("_Z6sincosdPd");
float clc_sincos_f(float, float *cosine) __asm__("_Z6sincosfPf");

#undef CLC_DOUBLE
#undef CLC_1
#undef CLC_2

#endif
