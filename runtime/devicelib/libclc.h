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
#define CLC_INT(name, n)                                                                                               \
	double clc_##name(double, int) __asm__("_Z" #n #name "di");                                                    \
	float clc_##name##_f(float, int) __asm__("_Z" #n #name "fi");
#define CLC_TO_INT(name, n)                                                                                            \
	int clc_##name(double) __asm__("_Z" #n #name "d");                                                             \
	int clc_##name##_f(float) __asm__("_Z" #n #name "f");

#include "libclc.def"

double clc_tgamma(double) __asm__("_Z6tgammad");
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
#undef CLC_INT
#undef CLC_TO_INT

#endif
