/*
 * Texture instructions: a function for each geometry and each way to choose the mipmap level, for each of the three
 * kinds of results. The last part converts a result to the type that the program fetches.
 */
#ifndef ROMARK_TEXTURE_PTX_H
#define ROMARK_TEXTURE_PTX_H

#include "cuda_texture_types.h"
#include "vector_functions.h"

/* --- Instructions: romark_NAME(result, texture, coordinates) --- */

#define ROMARK_PARAMS(...) __VA_ARGS__
#define ROMARK_TEX_OF(name, wide, kind, letter, params, instruction, coordinate, operands, ...)                        \
	static __device__ __forceinline__ void name(wide &r, cudaTextureObject_t t, params)                            \
	{                                                                                                              \
		asm(instruction ".v4." kind "." coordinate " {%0, %1, %2, %3}, " operands ";"                          \
		    : "=" letter(r.x), "=" letter(r.y), "=" letter(r.z), "=" letter(r.w)                               \
		    : "l"(t), __VA_ARGS__);                                                                            \
	}
#define ROMARK_TEX(name, params, instruction, coordinate, operands, ...)                                               \
	ROMARK_TEX_OF(name, float4, "f32", "f", ROMARK_PARAMS(params), instruction, coordinate, operands, __VA_ARGS__) \
	ROMARK_TEX_OF(name, int4, "s32", "r", ROMARK_PARAMS(params), instruction, coordinate, operands, __VA_ARGS__)   \
	ROMARK_TEX_OF(name, uint4, "u32", "r", ROMARK_PARAMS(params), instruction, coordinate, operands, __VA_ARGS__)

#define ROMARK_P1 float x
#define ROMARK_P2 float x, float y
#define ROMARK_P3 float x, float y, float z
#define ROMARK_A1 "f"(x)
#define ROMARK_A2 "f"(x), "f"(y)
#define ROMARK_A3 "f"(x), "f"(y), "f"(z)

ROMARK_TEX(romark_tex1Dfetch, int x, "tex.1d", "s32", "[%4, {%5}]", "r"(x))
ROMARK_TEX(romark_tex1D, ROMARK_P1, "tex.1d", "f32", "[%4, {%5}]", ROMARK_A1)
ROMARK_TEX(romark_tex2D, ROMARK_PARAMS(ROMARK_P2), "tex.2d", "f32", "[%4, {%5, %6}]", ROMARK_A2)
ROMARK_TEX(romark_tex3D, ROMARK_PARAMS(ROMARK_P3), "tex.3d", "f32", "[%4, {%5, %6, %7, %7}]", ROMARK_A3)
ROMARK_TEX(romark_texCubemap, ROMARK_PARAMS(ROMARK_P3), "tex.cube", "f32", "[%4, {%5, %6, %7, %7}]", ROMARK_A3)
ROMARK_TEX(romark_tex1DLayered, ROMARK_PARAMS(ROMARK_P1, int layer), "tex.a1d", "f32", "[%4, {%6, %5}]", ROMARK_A1,
	   "r"(layer))
ROMARK_TEX(romark_tex2DLayered, ROMARK_PARAMS(ROMARK_P2, int layer), "tex.a2d", "f32", "[%4, {%7, %5, %6, %6}]",
	   ROMARK_A2, "r"(layer))
ROMARK_TEX(romark_texCubemapLayered, ROMARK_PARAMS(ROMARK_P3, int layer), "tex.acube", "f32", "[%4, {%8, %5, %6, %7}]",
	   ROMARK_A3, "r"(layer))

ROMARK_TEX(romark_tex1DLod, ROMARK_PARAMS(ROMARK_P1, float level), "tex.level.1d", "f32", "[%4, {%5}], %6", ROMARK_A1,
	   "f"(level))
ROMARK_TEX(romark_tex2DLod, ROMARK_PARAMS(ROMARK_P2, float level), "tex.level.2d", "f32", "[%4, {%5, %6}], %7",
	   ROMARK_A2, "f"(level))
ROMARK_TEX(romark_tex3DLod, ROMARK_PARAMS(ROMARK_P3, float level), "tex.level.3d", "f32", "[%4, {%5, %6, %7, %7}], %8",
	   ROMARK_A3, "f"(level))
ROMARK_TEX(romark_texCubemapLod, ROMARK_PARAMS(ROMARK_P3, float level), "tex.level.cube", "f32",
	   "[%4, {%5, %6, %7, %7}], %8", ROMARK_A3, "f"(level))
ROMARK_TEX(romark_tex1DLayeredLod, ROMARK_PARAMS(ROMARK_P1, int layer, float level), "tex.level.a1d", "f32",
	   "[%4, {%6, %5}], %7", ROMARK_A1, "r"(layer), "f"(level))
ROMARK_TEX(romark_tex2DLayeredLod, ROMARK_PARAMS(ROMARK_P2, int layer, float level), "tex.level.a2d", "f32",
	   "[%4, {%7, %5, %6, %6}], %8", ROMARK_A2, "r"(layer), "f"(level))

ROMARK_TEX(romark_tex1DGrad, ROMARK_PARAMS(ROMARK_P1, float dx, float dy), "tex.grad.1d", "f32",
	   "[%4, {%5}], {%6}, {%7}", ROMARK_A1, "f"(dx), "f"(dy))
ROMARK_TEX(romark_tex2DGrad, ROMARK_PARAMS(ROMARK_P2, float2 dx, float2 dy), "tex.grad.2d", "f32",
	   "[%4, {%5, %6}], {%7, %8}, {%9, %10}", ROMARK_A2, "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y))
ROMARK_TEX(romark_tex3DGrad, ROMARK_PARAMS(ROMARK_P3, float4 dx, float4 dy), "tex.grad.3d", "f32",
	   "[%4, {%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}", ROMARK_A3, "f"(dx.x), "f"(dx.y),
	   "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z))
ROMARK_TEX(romark_tex1DLayeredGrad, ROMARK_PARAMS(ROMARK_P1, int layer, float dx, float dy), "tex.grad.a1d", "f32",
	   "[%4, {%6, %5}], {%7}, {%8}", ROMARK_A1, "r"(layer), "f"(dx), "f"(dy))
ROMARK_TEX(romark_tex2DLayeredGrad, ROMARK_PARAMS(ROMARK_P2, int layer, float2 dx, float2 dy), "tex.grad.a2d", "f32",
	   "[%4, {%7, %5, %6, %6}], {%8, %9}, {%10, %11}", ROMARK_A2, "r"(layer), "f"(dx.x), "f"(dx.y), "f"(dy.x),
	   "f"(dy.y))

/* The instruction names the channel, so each channel has its own. */
ROMARK_TEX(romark_gather_r, ROMARK_PARAMS(ROMARK_P2), "tld4.r.2d", "f32", "[%4, {%5, %6}]", ROMARK_A2)
ROMARK_TEX(romark_gather_g, ROMARK_PARAMS(ROMARK_P2), "tld4.g.2d", "f32", "[%4, {%5, %6}]", ROMARK_A2)
ROMARK_TEX(romark_gather_b, ROMARK_PARAMS(ROMARK_P2), "tld4.b.2d", "f32", "[%4, {%5, %6}]", ROMARK_A2)
ROMARK_TEX(romark_gather_a, ROMARK_PARAMS(ROMARK_P2), "tld4.a.2d", "f32", "[%4, {%5, %6}]", ROMARK_A2)

template <class Wide>
static __device__ __forceinline__ void romark_tex2Dgather(Wide &r, cudaTextureObject_t t, float x, float y, int channel)
{
	if (channel == 1)
		romark_gather_g(r, t, x, y);
	else if (channel == 2)
		romark_gather_b(r, t, x, y);
	else if (channel == 3)
		romark_gather_a(r, t, x, y);
	else
		romark_gather_r(r, t, x, y);
}

#undef ROMARK_TEX
#undef ROMARK_TEX_OF

/* --- Results --- */

/*
 * For a type that textures have: the type of four results (wide), how to make one value of these (narrow), and the type
 * that a texture of it gives in normalised mode (normalized).
 */
template <class T>
struct romark_texel;

#define ROMARK_TEXEL(type, of, expression, floats)                                                                     \
	template <>                                                                                                    \
	struct romark_texel<type> {                                                                                    \
		typedef of wide;                                                                                       \
		typedef floats normalized;                                                                             \
		static __device__ __forceinline__ type narrow(const of &r)                                             \
		{                                                                                                      \
			return expression;                                                                             \
		}                                                                                                      \
	};
#define ROMARK_TEXELS(scalar, name, of)                                                                                \
	ROMARK_TEXEL(scalar, of, (scalar)r.x, float)                                                                   \
	ROMARK_TEXEL(name##1, of, make_##name##1((scalar)r.x), float1)                                                 \
	ROMARK_TEXEL(name##2, of, make_##name##2((scalar)r.x, (scalar)r.y), float2)                                    \
	ROMARK_TEXEL(name##4, of, make_##name##4((scalar)r.x, (scalar)r.y, (scalar)r.z, (scalar)r.w), float4)
ROMARK_TEXELS(signed char, char, int4)
ROMARK_TEXELS(unsigned char, uchar, uint4)
ROMARK_TEXELS(short, short, int4)
ROMARK_TEXELS(unsigned short, ushort, uint4)
ROMARK_TEXELS(int, int, int4)
ROMARK_TEXELS(unsigned int, uint, uint4)
ROMARK_TEXELS(float, float, float4)
ROMARK_TEXEL(char, int4, (char)r.x, float)
#undef ROMARK_TEXELS
#undef ROMARK_TEXEL

/* The type that a fetch through a reference returns. */
template <class T, enum cudaTextureReadMode mode>
struct romark_fetched {
	typedef T type;
};
template <class T>
struct romark_fetched<T, cudaReadModeNormalizedFloat> {
	typedef typename romark_texel<T>::normalized type;
};

/* The object that a reference is bound to. */
template <class Reference>
static __device__ __forceinline__ unsigned long long romark_reference(Reference reference)
{
	unsigned long long object;

	asm("mov.b64 %0, %1;" : "=l"(object) : "l"(reference));
	return object;
}

#endif
