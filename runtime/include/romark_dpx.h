/*
 * Minimum and maximum of sums and of three values, for dynamic programming: on 32-bit integers and on pairs of 16 bits
 * in one word. The relu forms give at least zero. The b forms also tell whether the first operand won (it wins a tie).
 */
#ifndef ROMARK_DPX_H
#define ROMARK_DPX_H

#if defined(__cplusplus)

#define ROMARK_BOTH static inline __host__ __device__
#define ROMARK_BETTER(type, name, op)                                                                                  \
	ROMARK_BOTH type romark_##name(type a, type b)                                                                 \
	{                                                                                                              \
		return b op a ? b : a;                                                                                 \
	}
/* Sums wrap around. */
#define ROMARK_DPX_32(type, suffix, name, op)                                                                          \
	ROMARK_BETTER(type, name##_##suffix, op)                                                                       \
	ROMARK_BOTH type __vi##name##3_##suffix(type a, type b, type c)                                                \
	{                                                                                                              \
		return romark_##name##_##suffix(romark_##name##_##suffix(a, b), c);                                    \
	}                                                                                                              \
	ROMARK_BOTH type __viadd##name##_##suffix(type a, type b, type c)                                              \
	{                                                                                                              \
		return romark_##name##_##suffix((type)((unsigned)a + (unsigned)b), c);                                 \
	}                                                                                                              \
	ROMARK_BOTH type __vib##name##_##suffix(type a, type b, bool *first)                                           \
	{                                                                                                              \
		*first = !(b op a);                                                                                    \
		return romark_##name##_##suffix(a, b);                                                                 \
	}
/* clang-format off */
#define ROMARK_DPX_HALVES(type, suffix, name, op)                                                                      \
	ROMARK_BETTER(type, name##_##suffix, op)                                                                       \
	ROMARK_BOTH unsigned romark_##name##_##suffix##x2(unsigned a, unsigned b)                                      \
	{                                                                                                              \
		unsigned low = (unsigned short)romark_##name##_##suffix((type)a, (type)b);                             \
		return low | (unsigned)(unsigned short)romark_##name##_##suffix((type)(a >> 16), (type)(b >> 16))      \
				     << 16;                                                                            \
	}                                                                                                              \
	ROMARK_BOTH unsigned __vi##name##3_##suffix##x2(unsigned a, unsigned b, unsigned c)                            \
	{                                                                                                              \
		return romark_##name##_##suffix##x2(romark_##name##_##suffix##x2(a, b), c);                            \
	}                                                                                                              \
	ROMARK_BOTH unsigned __viadd##name##_##suffix##x2(unsigned a, unsigned b, unsigned c)                          \
	{                                                                                                              \
		return romark_##name##_##suffix##x2(((a + b) & 0xffff) | ((a >> 16) + (b >> 16)) << 16, c);            \
	}                                                                                                              \
	ROMARK_BOTH unsigned __vib##name##_##suffix##x2(unsigned a, unsigned b, bool *high, bool *low)                 \
	{                                                                                                              \
		*high = !((type)(b >> 16) op(type)(a >> 16));                                                          \
		*low = !((type)b op(type)a);                                                                           \
		return romark_##name##_##suffix##x2(a, b);                                                             \
	}
/* clang-format on */
#define ROMARK_DPX_RELU(type, suffix, name)                                                                            \
	ROMARK_BOTH type __vi##name##_##suffix##_relu(type a, type b)                                                  \
	{                                                                                                              \
		return romark_max_##suffix(romark_##name##_##suffix(a, b), 0);                                         \
	}                                                                                                              \
	ROMARK_BOTH type __vi##name##3_##suffix##_relu(type a, type b, type c)                                         \
	{                                                                                                              \
		return romark_max_##suffix(__vi##name##3_##suffix(a, b, c), 0);                                        \
	}                                                                                                              \
	ROMARK_BOTH type __viadd##name##_##suffix##_relu(type a, type b, type c)                                       \
	{                                                                                                              \
		return romark_max_##suffix(__viadd##name##_##suffix(a, b, c), 0);                                      \
	}

#define ROMARK_DPX(name, op)                                                                                           \
	ROMARK_DPX_32(int, s32, name, op)                                                                              \
	ROMARK_DPX_32(unsigned, u32, name, op)                                                                         \
	ROMARK_DPX_HALVES(short, s16, name, op)                                                                        \
	ROMARK_DPX_HALVES(unsigned short, u16, name, op)
ROMARK_DPX(max, >)
ROMARK_DPX(min, <)
ROMARK_DPX_RELU(int, s32, max)
ROMARK_DPX_RELU(int, s32, min)
ROMARK_DPX_RELU(unsigned, s16x2, max)
ROMARK_DPX_RELU(unsigned, s16x2, min)

#undef ROMARK_DPX
#undef ROMARK_DPX_RELU
#undef ROMARK_DPX_HALVES
#undef ROMARK_DPX_32
#undef ROMARK_BETTER
#undef ROMARK_BOTH

#endif
#endif
