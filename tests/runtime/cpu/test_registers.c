/*
 * Where values are kept: vectors of registers, arguments and results of calls that are registers or numbers, the stack
 * of alloca; and hints to caches, which change nothing.
 */
#include "tests/runtime/cpu/harness.h"

#include "common/strbuf.h"

static uint32_t in_word(uint32_t thread, unsigned word)
{
	return 10 * thread + word;
}

static uint32_t sum_and_swap(uint32_t i, unsigned word)
{
	return word == 0 ? in_word(i, 0) + in_word(i, 1) : word == 1 ? in_word(i, 1) : word == 2 ? in_word(i, 0) : 0;
}

static uint32_t reversed(uint32_t i, unsigned word)
{
	return in_word(i, 3 - word);
}

static uint32_t as_is(uint32_t i, unsigned word)
{
	return in_word(i, word);
}

static uint32_t thread_and_shape(uint32_t i, unsigned word)
{
	return word == 0 ? i : word == 1 ? 32 : 0;
}

static uint32_t two_results(uint32_t i, unsigned word)
{
	return word == 0 ? in_word(i, 0) + 7 : word == 1 ? in_word(i, 1) * 3 : 0;
}

static uint32_t odd_only(uint32_t i, unsigned word)
{
	return word == 0 ? i % 2 ? in_word(i, 0) + 5 : 99 : 0;
}

static uint32_t factorial(uint32_t i, unsigned word)
{
	uint32_t r = 1;

	for (uint32_t k = 2; k <= i % 8; k++)
		r *= k;
	return word == 0 ? r : 0;
}

static uint32_t by_pointer(uint32_t i, unsigned word)
{
	return word == 0 ? i % 2 ? in_word(i, 0) + 1 : in_word(i, 0) * 2 : 0;
}

static uint32_t wide_values(uint32_t i, unsigned word)
{
	uint64_t r = (uint64_t)in_word(i, 0) * 0x100000001 - 3;

	return word == 0 ? (uint32_t)r : word == 1 ? (uint32_t)(r >> 32) : 0;
}

static uint32_t one_and_half(uint32_t i, unsigned word)
{
	const float f = (float)in_word(i, 0) * 1.5f + 0.25f;
	uint32_t bits;

	memcpy(&bits, &f, sizeof bits);
	return word == 0 ? bits : 0;
}

static uint32_t aligned_and_kept(uint32_t i, unsigned word)
{
	return word == 0 ? 0 : word == 1 ? 0 : word == 2 ? in_word(i, 0) : in_word(i, 1);
}

#define LOADS "ld.global.v4.u32 {%a, %b, %c, %d}, [%in];\n"

/* Each row's code runs in 32 threads; %i is the thread, in and out have 4 words for each. */
/* clang-format off */
static const struct {
	const char *functions, *code;
	uint32_t (*reference)(uint32_t thread, unsigned word);
} rows[] = {
	{"", ".reg .v2 .u32 v, w; ld.global.v2.u32 v, [%in]; add.u32 %a, v.x, v.y; mov.v2.u32 w, {v.y, v.x};\n"
	     "st.global.u32 [%out], %a; st.global.v2.u32 [%out+8], w; st.global.u32 [%out+4], w.x; st.global.u32 [%out+8], w.y;\n"
	     "st.global.u32 [%out+12], 0;", sum_and_swap},
	{"", ".reg .v4 .b32 v; ld.global.v4.b32 v, [%in]; mov.v4.b32 v, {v.w, v.z, v.y, v.x}; "
	 "st.global.v4.b32 [%out], v;", reversed},
	{"", ".reg .v4 .u32 v<3>; ld.global.v4.u32 v2, [%in]; mov.v4.u32 v1, v2; mov.u32 v2.x, 5; "
	 "st.global.v4.u32 [%out], v1;", as_is},
	{"", ".reg .v4 .f32 v; ld.global.v4.f32 {v.r, v.g, v.b, v.a}, [%in]; st.global.v2.f32 [%out], {v.x, v.y};\n"
	     "st.global.v2.f32 [%out+8], {v.z, v.w};", as_is},
	{"", ".reg .v2 .u64 v; .reg .v2 .u32 l, h; ld.global.v2.u64 v, [%in]; mov.b64 l, v.x; mov.b64 {h.x, h.y}, v.y;\n"
	     "mov.b64 v.x, {h.y, h.x}; mov.b64 v.y, {l.y, l.x}; st.global.v2.u64 [%out], v;", reversed},
	{"", ".reg .v4 .u32 t, n; mov.v4.u32 t, %tid; mov.v4.u32 n, %ntid; mul.lo.u32 %a, t.z, n.y;\n"
	     "st.global.v4.u32 [%out], {t.x, n.x, t.y, %a};", thread_and_shape},
	{".func (.reg .u32 r, .reg .u32 s) f(.reg .u32 x, .reg .u32 y) { add.u32 r, x, 7; mul.lo.u32 s, y, 3; "
	 "mov.u32 x, 0; ret; }\n",
	 LOADS "call (%c, %d), f, (%a, %b); st.global.v4.u32 [%out], {%c, %d, 0, 0};", two_results},
	{".func (.param .b32 r) f(.param .b32 x, .reg .u32 y) { .reg .u32 t; ld.param.u32 t, [x]; "
	 "add.u32 t, t, y; st.param.b32 [r], t; ret; }\n",
	 LOADS "and.b32 %d, %i, 1; setp.ne.u32 %p, %d, 0; mov.u32 %c, 99; @%p call (%c), f, (%a, 5); call (_), f, (1, %b);\n"
	 "st.global.v4.u32 [%out], {%c, 0, 0, 0};", odd_only},
	{".func (.reg .u32 r) f(.reg .u32 x) { .reg .pred p; .reg .u32 y, z; setp.lt.u32 p, x, 2; mov.u32 r, 1; @p ret;\n"
	 "sub.u32 y, x, 1; call (z), f, (y); mul.lo.u32 r, z, x; ret; }\n",
	 "and.b32 %a, %i, 7; call (%a), f, (%a); st.global.v4.u32 [%out], {%a, 0, 0, 0};", factorial},
	{".func (.reg .u32 r) f(.reg .u32 x, .reg .u64 y) { .reg .u32 t; cvt.u32.u64 t, y; add.u32 r, x, t; ret; }\n"
	 ".func (.reg .u32 r) g(.reg .u32 x, .reg .u64 y) { .reg .u32 t; cvt.u32.u64 t, y; add.u32 t, t, 1; "
	 "mul.lo.u32 r, x, t; ret; }\n",
	 LOADS ".reg .u64 f1, f2; and.b32 %d, %i, 1; setp.ne.u32 %p, %d, 0; mov.u64 f1, f; mov.u64 f2, g; "
	 "selp.b64 f1, f1, f2, %p;\n"
	 "pt: .callprototype (.reg .u32 _) _ (.reg .u32 _, .reg .u64 _);\ncall (%c), f1, (%a, 1), pt; "
	 "st.global.v4.u32 [%out], {%c, 0, 0, 0};",
	 by_pointer},
	{".func (.reg .u64 r) f(.reg .u64 x, .param .b64 y) { .reg .u64 t; ld.param.u64 t, [y]; "
	 "mul.lo.u64 r, x, t; sub.u64 r, r, 3; ret; }\n",
	 LOADS ".reg .u64 w; cvt.u64.u32 w, %a; call (w), f, (w, 0x100000001); st.global.u64 [%out], w; "
	 "st.global.u64 [%out+8], 0;",
	 wide_values},
	{".func (.reg .f32 r) f(.reg .f32 x, .reg .f32 y, .param .b32 z) { .reg .f32 t; ld.param.f32 t, [z]; "
	 "fma.rn.f32 r, x, y, t; ret; }\n",
	 LOADS ".reg .f32 q; cvt.rn.f32.u32 q, %a; call (q), f, (q, 1.5, 0.25); st.global.f32 [%out], q; "
	 "st.global.u32 [%out+4], 0;\n"
	 "st.global.u64 [%out+8], 0;", one_and_half},
	{".func (.reg .v4 .u32 r) f(.reg .v4 .u32 x) { mov.v4.u32 r, {x.w, x.z, x.y, x.x}; ret; }\n",
	 ".reg .v4 .u32 v; ld.global.v4.u32 v, [%in]; call (v), f, (v); st.global.v4.u32 [%out], v;", reversed},
	{".func (.reg .pred r, .reg .u32 s) f(.reg .pred x, .reg .u32 y) { not.pred r, x; add.u32 s, y, 5; ret; }\n",
	 LOADS ".reg .pred q; and.b32 %d, %i, 1; setp.eq.u32 %p, %d, 0; call (q, %c), f, (%p, %a);\n"
	 "selp.u32 %c, %c, 99, q; st.global.v4.u32 [%out], {%c, 0, 0, 0};", odd_only},
	{"", LOADS ".reg .u64 s, m, n, l; stacksave.u64 s; cvt.u64.u32 l, %i; alloca.u64 m, l, 0; alloca.u64 n, 16, 256;\n"
	 "and.b64 l, m, 7; cvt.u32.u64 %c, l; and.b64 l, n, 255; cvt.u32.u64 %d, l; st.local.u32 [n], %a; "
	 "st.local.u32 [n+12], %b;\n"
	 "ld.local.u32 %a, [n]; ld.local.u32 %b, [n+12]; stackrestore.u64 s; "
	 "st.global.v4.u32 [%out], {%c, %d, %a, %b};", aligned_and_kept},
	{"", ".reg .b64 pol<4>; .reg .f32 frac; mov.f32 frac, 0.5;\n"
	 "createpolicy.fractional.L2::evict_last.b64 pol0, 1.0; "
	 "createpolicy.fractional.L2::evict_first.L2::evict_unchanged.b64 pol1, frac;\n"
	 "createpolicy.range.global.L2::evict_last.b64 pol2, [%in], 128, 256; createpolicy.cvt.L2.b64 pol3, pol0;\n"
	 "cp.async.bulk.prefetch.L2.global [%in], 16; cp.async.bulk.prefetch.L2.global.L2::cache_hint [%in], 16, pol0;\n"
	 "prefetch.global.L1 [%in]; prefetch.global.L2::evict_last [%in]; prefetchu.L1 [%in]; "
	 "applypriority.global.L2::evict_normal [%in], 128;\n"
	 "ld.global.L1::evict_last.L2::cache_hint.v2.u32 {%a, %b}, [%in], pol0; "
	 "ld.global.L2::cache_hint.L2::256B.u32 %c, [%in+8], pol1;\n"
	 "ld.global.u32 %d, [%in+12]; st.global.L2::cache_hint.v4.u32 [%out], {%a, %b, %c, 0}, pol2;\n"
	 "red.global.add.L2::cache_hint.u32 [%out+12], %d, pol3; atom.global.add.L2::cache_hint.u32 %a, [%out], 0, pol0;", as_is},
};
/* clang-format on */

static struct device_module *load_row(const char *functions, const char *code)
{
	struct strbuf text = STRBUF_INIT;
	struct device_module *m;

	strbuf_addf(
	    &text,
	    ".version 8.6\n.target sm_90\n.address_size 64\n%s.visible .entry k(.param .u64 pin, .param .u64 pout) {\n"
	    ".reg .u64 %%in, %%out, %%off; .reg .u32 %%i, %%a, %%b, %%c, %%d; .reg .pred %%p;\n"
	    "ld.param.u64 %%in, [pin]; ld.param.u64 %%out, [pout]; mov.u32 %%i, %%tid.x; mul.wide.u32 %%off, %%i, 16;\n"
	    "add.u64 %%in, %%in, %%off; add.u64 %%out, %%out, %%off;\n%s\nret;\n}\n",
	    functions, code);
	m = harness_load(text.data);
	strbuf_release(&text);
	return m;
}

static void test_rows(void **state)
{
	const struct harness_launch launch = {.grid = {1}, .block = {32}};
	uint32_t(*in)[4] = harness_alloc(sizeof(uint32_t[32][4]), "in");
	uint32_t(*out)[4] = harness_alloc(sizeof(uint32_t[32][4]), "out");
	const uint64_t params[] = {DEVICE_POINTER(in), DEVICE_POINTER(out)};

	(void)state;
	for (unsigned i = 0; i < 32; i++)
		for (unsigned k = 0; k < 4; k++)
			in[i][k] = in_word(i, k);
	for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
		struct device_module *m = load_row(rows[r].functions, rows[r].code);

		memset(out, 0xee, sizeof(uint32_t[32][4]));
		harness_run_ok(m, "k", &launch, params, 2);
		for (unsigned i = 0; i < 32; i++)
			for (unsigned k = 0; k < 4; k++)
				if (out[i][k] != rows[r].reference(i, k))
					fail_msg("row %zu, word %u of thread %u: %#x, not %#x", r, k, i, out[i][k],
						 rows[r].reference(i, k));
		harness_unload(m);
	}
	harness_free(in);
	harness_free(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};

	return cmocka_run_group_tests(tests, harness_setup, harness_teardown);
}
