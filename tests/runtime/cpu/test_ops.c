/*
 * Every operation on every type against an independent reference, lane by lane: edge values in all combinations, then
 * pseudo-random ones, under a full mask and under a divergent one. The cases are the rows of ops.def.
 */
#include "tests/runtime/cpu/harness.h"

#include "common/strbuf.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

union value {
	uint64_t u64;
	int64_t s64;
	uint32_t u32;
	int32_t s32;
	uint16_t u16;
	int16_t s16;
	uint8_t u8;
	int8_t s8;
	float f32;
	double f64;
};

/* For references where any result is right. */
#define ANYTHING UINT64_C(0xa11fade5a11fade5)

/* --- References that need more than an expression, written differently from the engine's --- */

static float ftz(float x)
{
	return fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x;
}

static float sat(float x)
{
	return isnan(x) ? 0 : fminf(fmaxf(x, 0), 1);
}

static float h2f(uint16_t h)
{
	int e = h >> 10 & 31, m = h & 1023;
	float v = e == 31 ? (m ? NAN : INFINITY) : e ? ldexpf((float)(1024 + m), e - 25) : ldexpf((float)m, -24);

	return h & 0x8000 ? -v : v;
}

static float b2f(uint16_t h)
{
	union value v = {.u32 = (uint32_t)h << 16};

	return v.f32;
}

/* The 16-bit number nearest to x, or next in a direction, by looking at both neighbours. */
static uint16_t narrow(long double x, float (*widen)(uint16_t), uint16_t infinite, int mode)
{
	uint16_t sign = signbit(x) ? 0x8000 : 0, low = 0, high = infinite;
	long double ax = fabsl(x), below, above, limit;

	if (isnan(x))
		return 0x7fff;
	while (high - low > 1) {
		uint16_t middle = (uint16_t)((low + high) / 2);

		if (widen(middle) <= ax)
			low = middle;
		else
			high = middle;
	}
	/* The neighbour above the largest number counts as one more step, not as infinity. */
	below = widen(low);
	limit = 2 * (long double)widen((uint16_t)(infinite - 1)) - widen((uint16_t)(infinite - 2));
	above = high == infinite ? limit : widen(high);
	if (isinf(x))
		return sign | infinite;
	if (ax == below)
		return sign | low;
	switch (mode) {
	case FE_TOWARDZERO: high = low; break;
	case FE_DOWNWARD: low = high = sign ? high : low; break;
	case FE_UPWARD: low = high = sign ? low : high; break;
	default:
		if (ax - below < above - ax || (ax - below == above - ax && !(low & 1)))
			high = low;
		break;
	}
	return sign | high;
}

static uint16_t f2h(long double x)
{
	return narrow(x, h2f, 0x7c00, FE_TONEAREST);
}

static uint16_t f2b(long double x)
{
	return narrow(x, b2f, 0x7f80, FE_TONEAREST);
}

#define H(x) h2f((uint16_t)(x))
#define B(x) b2f((uint16_t)(x))
#define PAIR(lo, hi) ((uint32_t)(uint16_t)(lo) | (uint32_t)(uint16_t)(hi) << 16)

static float fmin_ptx(float a, float b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) ? b : a;
	if (a == b)
		return signbit(a) ? a : b;
	return a < b ? a : b;
}

static float fmax_ptx(float a, float b)
{
	return -fmin_ptx(-a, -b);
}

static double dmin_ptx(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) ? b : a;
	if (a == b)
		return signbit(a) ? a : b;
	return a < b ? a : b;
}

static double dmax_ptx(double a, double b)
{
	return -dmin_ptx(-a, -b);
}

/* An operation under a rounding mode of the host; volatile keeps the compiler from moving it. */
#define ROUNDED(mode, type, expr)                                                                                      \
	({                                                                                                             \
		volatile type result_;                                                                                 \
		fesetround(mode);                                                                                      \
		result_ = (expr);                                                                                      \
		fesetround(FE_TONEAREST);                                                                              \
		result_;                                                                                               \
	})
#define VF(x) (*(volatile float *)&(x))
#define VD(x) (*(volatile double *)&(x))

/* Bit by bit, as the PTX manual words it. */
static uint64_t bfe(uint64_t a, unsigned pos, unsigned len, unsigned msb, int is_signed)
{
	uint64_t d = 0;
	unsigned sign;

	pos &= 255;
	len &= 255;
	sign = !is_signed || len == 0 ? 0 : a >> (pos + len - 1 < msb ? pos + len - 1 : msb) & 1;
	for (unsigned i = 0; i <= msb; i++) {
		uint64_t bit = i < len && pos + i <= msb ? a >> (pos + i) & 1 : sign;

		d |= bit << i;
	}
	return d;
}

static uint64_t bfi(uint64_t a, uint64_t b, unsigned pos, unsigned len, unsigned msb)
{
	pos &= 255;
	len &= 255;
	for (unsigned i = 0; i < len && pos + i <= msb; i++) {
		b &= ~(1ull << (pos + i));
		b |= (a >> i & 1) << (pos + i);
	}
	return b;
}

static uint32_t prmt(uint32_t a, uint32_t b, uint32_t c)
{
	uint8_t bytes[8];
	uint32_t d = 0;

	memcpy(bytes, &a, 4);
	memcpy(bytes + 4, &b, 4);
	for (int i = 0; i < 4; i++) {
		unsigned s = c >> 4 * i & 15;
		uint8_t byte = s & 8 ? (uint8_t)((int8_t)bytes[s & 7] >> 7) : bytes[s & 7];

		d |= (uint32_t)byte << 8 * i;
	}
	return d;
}

static uint32_t lop3(uint32_t a, uint32_t b, uint32_t c, unsigned lut)
{
	uint32_t d = 0;

	for (int i = 0; i < 32; i++)
		d |= (uint32_t)(lut >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i;
	return d;
}

static int64_t clamp(double x, double low, double high)
{
	if (isnan(x))
		return 0;
	if (x <= low)
		return (int64_t)low;
	return (int64_t)(x >= high ? high : x);
}

/* Not-a-number is the top bit where the source or the result has 64 bits. */
static int64_t clamp_f64(double x, double low, double high)
{
	return isnan(x) ? low < 0 ? (int64_t)low : (int64_t)(high / 2 + 1) : clamp(x, low, high);
}

static uint64_t clamp_u64(double x)
{
	return isnan(x) ? UINT64_C(1) << 63 : x <= 0 ? 0 : x >= 0x1p64 ? UINT64_MAX : (uint64_t)x;
}

static int64_t clamp_s64(double x)
{
	return isnan(x) ? INT64_MIN : x >= 0x1p63 ? INT64_MAX : x <= -0x1p63 ? INT64_MIN : (int64_t)x;
}

static int bfind(uint64_t x, int bits)
{
	for (int i = bits - 1; i >= 0; i--)
		if (x >> i & 1)
			return i;
	return -1;
}

/* --- The table --- */

/* clang-format off */
enum kind { KIND_none, KIND_pred, KIND_u8, KIND_s8, KIND_u16, KIND_s16, KIND_u32, KIND_s32, KIND_u64, KIND_s64, KIND_f32,
	    KIND_f64, KIND_f16, KIND_h2 };
/* clang-format on */

struct row {
	const char *ptx;
	enum kind d, a, b, c;
	int ulps; /* 0: exact */
	void (*reference)(union value *D, union value A, union value B, union value C);
	int line;
};

#define ROW_NAME_(line) reference_##line
#define ROW_NAME(line) ROW_NAME_(line)
#define ROW(ptx, d, a, b, c, ...)                                                                                      \
	static void ROW_NAME(__LINE__)(union value * D, union value A, union value B, union value C)                   \
	{                                                                                                              \
		(void)A, (void)B, (void)C;                                                                             \
		__VA_ARGS__;                                                                                           \
	}
#define APPROX(ulps, ptx, d, a, b, c, ...) ROW(ptx, d, a, b, c, __VA_ARGS__)
#include "tests/runtime/cpu/ops.def"
#undef ROW
#undef APPROX
static const struct row rows[] = {
#define ROW(ptx, d, a, b, c, ...) {ptx, KIND_##d, KIND_##a, KIND_##b, KIND_##c, 0, ROW_NAME(__LINE__), __LINE__},
#define APPROX(ulps, ptx, d, a, b, c, ...)                                                                             \
	{ptx, KIND_##d, KIND_##a, KIND_##b, KIND_##c, ulps, ROW_NAME(__LINE__), __LINE__},
#include "tests/runtime/cpu/ops.def"
};
enum { NROWS = sizeof rows / sizeof rows[0] };

/* --- Kernels: t<N>(inputs, outputs): thread i applies row N to inputs[i] --- */

/* clang-format off */
static const struct {
	const char *reg, *load;
} kinds[] = {
	[KIND_pred] = {".pred", "u8"}, [KIND_u8] = {".b16", "u8"},   [KIND_s8] = {".b16", "s8"},  [KIND_u16] = {".b16", "u16"},
	[KIND_s16] = {".b16", "s16"},  [KIND_u32] = {".b32", "u32"}, [KIND_s32] = {".b32", "s32"}, [KIND_u64] = {".b64", "u64"},
	[KIND_s64] = {".b64", "s64"},  [KIND_f32] = {".f32", "f32"}, [KIND_f64] = {".f64", "f64"}, [KIND_f16] = {".b16", "b16"},
	[KIND_h2] = {".b32", "b32"},
};
/* clang-format on */

static void add_load(struct strbuf *out, char name, enum kind kind, unsigned offset)
{
	if (kind == KIND_none)
		return;
	if (kind == KIND_pred)
		strbuf_addf(out, "ld.global.u8 %%t, [%%in+%u];\nand.b16 %%t, %%t, 1;\nsetp.ne.u16 %%%c, %%t, 0;\n",
			    offset, name);
	else
		strbuf_addf(out, "ld.global.%s %%%c, [%%in+%u];\n", kinds[kind].load, name, offset);
}

/* `full`: all threads do it; otherwise three of four, in a branch. */
static void add_kernel(struct strbuf *out, unsigned index, bool full)
{
	const struct row *r = &rows[index];
	const enum kind operand[] = {r->a, r->b, r->c};

	strbuf_addf(
	    out,
	    ".visible .entry t%u%s(.param .u64 pin, .param .u64 pout)\n{\n.reg .u64 %%in, %%out, %%w;\n.reg .u32 %%i, %%t32;\n"
	    ".reg .b16 %%t;\n.reg .pred %%skip;\n.reg %s %%d;\n",
	    index, full ? "" : "m", kinds[r->d].reg);
	for (int k = 0; k < 3; k++)
		if (operand[k])
			strbuf_addf(out, ".reg %s %%%c;\n", kinds[operand[k]].reg, "abc"[k]);
	strbuf_adds(
	    out,
	    "ld.param.u64 %in, [pin];\nld.param.u64 %out, [pout];\nmov.u32 %i, %ctaid.x;\nmad.lo.u32 %i, %i, 32, 0;\n"
	    "mov.u32 %t32, %tid.x;\nadd.u32 %i, %i, %t32;\nmul.wide.u32 %w, %i, 24;\nadd.u64 %in, %in, %w;\n"
	    "mul.wide.u32 %w, %i, 8;\nadd.u64 %out, %out, %w;\n");
	for (unsigned k = 0; k < 3; k++)
		add_load(out, "abc"[k], operand[k], 8 * k);
	if (!full)
		strbuf_adds(out, "and.b32 %t32, %i, 3;\nsetp.eq.u32 %skip, %t32, 2;\n@%skip bra END;\n");
	strbuf_addf(out, "%s;\n", r->ptx);
	if (r->d == KIND_pred)
		strbuf_adds(out, "selp.u32 %i, 1, 0, %d;\nst.global.u32 [%out], %i;\n");
	else
		strbuf_addf(out, "st.global.%s [%%out], %%d;\n",
			    kinds[r->d].load[0] == 's' ? kinds[r->d].reg + 1 : kinds[r->d].load);
	strbuf_adds(out, "END:\nret;\n}\n");
}

/* --- Values --- */

/* clang-format off */
static const uint64_t integer_edges[] = {
	0, 1, 2, 3, 5, 7, 8, 15, 16, 17, 24, 30, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 0x7fff, 0x8000, 0xffff, 0x10000,
	0x7fffff, 0x800000, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000,
	0xffffffffffffffff, 0xfffffffffffffffe, 0xffffffff80000000, 0xffffffffffff8000, 0xffffffffffffff80, 0x123456789abcdef0,
};
static const double float_edges[] = {
	0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, 0x1p-126, -0x1p-126, 0x1p-149, -0x1p-149, 0x1.8p-140, 0x1.fffffep127,
	-0x1.fffffep127, INFINITY, -INFINITY, NAN, 0x1p31, -0x1p31, 0x1p32, 0x1p63, 0x1p64, 2147483647.0, 255.5, -128.5, 65504.0,
	65520.0, 0x1p-14, 0x1p-24, 0x1p-25, 1e-3, 1.0000001, 0.1, 123456.789, -7.75, 16777217.0, 0x1p-1022, 0x1p-1074, 1e300, -1e-300,
};
/* clang-format on */
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static uint64_t edge(enum kind kind, unsigned index)
{
	union value v = {0};

	switch (kind) {
	case KIND_f32: v.f32 = (float)float_edges[index % COUNT(float_edges)]; break;
	case KIND_f64: v.f64 = float_edges[index % COUNT(float_edges)]; break;
	case KIND_f16: v.u16 = f2h(float_edges[index % COUNT(float_edges)]); break;
	case KIND_h2:
		v.u32 = PAIR(f2h(float_edges[index % COUNT(float_edges)]),
			     f2h(float_edges[(index * 7 + 3) % COUNT(float_edges)]));
		break;
	default: v.u64 = integer_edges[index % COUNT(integer_edges)]; break;
	}
	return v.u64;
}

static uint64_t random_value(enum kind kind)
{
	union value v = {.u64 = harness_random()};
	unsigned scale = (unsigned)(harness_random() % 3);

	if (kind == KIND_f32 && scale)
		v.f32 = (float)(int32_t)v.u32 / (scale == 1 ? 0x1p31f : 0x1p20f);
	if (kind == KIND_f64 && scale)
		v.f64 = (double)v.s64 / (scale == 1 ? 0x1p63 : 0x1p40);
	if (kind >= KIND_u8 && kind <= KIND_s64 && scale == 1)
		v.u64 &= 63;
	return v.u64;
}

enum { CASES = 4096 };

static void fill_inputs(const struct row *r, uint64_t (*in)[3])
{
	const enum kind kind[] = {r->a, r->b, r->c};

	for (unsigned i = 0; i < CASES; i++)
		for (unsigned k = 0; k < 3; k++) {
			unsigned n = k == 0 ? i : k == 1 ? i / 43 : i / 7 + i % 11;

			in[i][k] = i < CASES / 2 ? edge(kind[k], n) : random_value(kind[k]);
		}
}

/* --- Comparison --- */

static int64_t ordered(const struct row *r, union value v)
{
	int64_t bits = r->d == KIND_f64 ? v.s64 : v.s32;

	return bits < 0 ? (r->d == KIND_f64 ? INT64_MIN : INT32_MIN) - bits : bits;
}

static uint64_t used_bits(const struct row *r, union value v)
{
	switch (r->d) {
	case KIND_u8:
	case KIND_s8:
	case KIND_u16:
	case KIND_s16:
	case KIND_f16: return v.u16;
	case KIND_u64:
	case KIND_s64:
	case KIND_f64: return v.u64;
	case KIND_pred: return v.u32 & 1;
	default: return v.u32;
	}
}

static bool same(const struct row *r, union value got, union value want)
{
	if (want.u64 == ANYTHING)
		return true;
	if (r->d == KIND_f64 && isnan(want.f64))
		return isnan(got.f64);
	if (r->d == KIND_f32 && isnan(want.f32))
		return got.u32 == 0x7fffffff || (isnan(got.f32) && !r->ulps);
	if (r->ulps) {
		int64_t distance = ordered(r, got) - ordered(r, want);

		return distance <= r->ulps && distance >= -r->ulps;
	}
	return used_bits(r, got) == used_bits(r, want);
}

static bool check_row(unsigned index, uint64_t (*in)[3], const union value *out, bool full)
{
	const struct row *r = &rows[index];

	for (unsigned i = 0; i < CASES; i++) {
		union value want = {0}, a = {in[i][0]}, b = {in[i][1]}, c = {in[i][2]};

		if (full || i % 4 != 2)
			r->reference(&want, a, b, c);
		else
			want.u64 = out[i].u64 == 0 ? 0 : 1;
		if (!full && i % 4 == 2 ? out[i].u64 != 0 : !same(r, out[i], want)) {
			print_error(
			    "ops.def:%d: '%s' of 0x%llx, 0x%llx, 0x%llx is 0x%llx, expected 0x%llx (case %u, %s mask)\n",
			    r->line, r->ptx, (unsigned long long)in[i][0], (unsigned long long)in[i][1],
			    (unsigned long long)in[i][2], (unsigned long long)used_bits(r, out[i]),
			    (unsigned long long)used_bits(r, want), i, full ? "full" : "partial");
			return false;
		}
	}
	return true;
}

static void test_rows(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct device_module *module;
	uint64_t(*in)[3];
	union value *out;
	unsigned failures = 0;

	(void)state;
	for (unsigned i = 0; i < NROWS; i++) {
		add_kernel(&text, i, true);
		add_kernel(&text, i, false);
	}
	module = harness_load(text.data);
	in = harness_alloc(CASES * sizeof *in, "in");
	out = harness_alloc(CASES * sizeof *out, "out");
	for (unsigned i = 0; i < NROWS; i++)
		for (int full = 1; full >= 0; full--) {
			const struct harness_launch launch = {.grid = {CASES / 32}, .block = {32}};
			const uint64_t params[] = {DEVICE_POINTER(in), DEVICE_POINTER(out)};
			char name[32];

			snprintf(name, sizeof name, "t%u%s", i, full ? "" : "m");
			fill_inputs(&rows[i], in);
			memset(out, 0, CASES * sizeof *out);
			if (harness_run(module, name, &launch, params, 2) != DEVICE_OK) {
				print_error("ops.def:%d: %s\n", rows[i].line, harness_diag.message);
				failures++;
				break;
			}
			if (!check_row(i, in, out, full)) {
				failures++;
				break;
			}
		}
	harness_unload(module);
	strbuf_release(&text);
	assert_int_equal(failures, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};
	int failed;

	harness_open();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	harness_close();
	return failed;
}
