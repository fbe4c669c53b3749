/*
 * The condition code: every instruction that leaves a carry, followed by every instruction that takes one, and with
 * others in between, over all combinations of edge values, against sums of twice the width. Hardware keeps one bit for
 * sums and differences: a difference leaves 1 if nothing was borrowed.
 */
#include "tests/runtime/cpu/harness.h"

#include "common/strbuf.h"

enum kind { SUM, DIFFERENCE, LOW, HIGH, KINDS, NOTHING };

struct step {
	enum kind kind;
	bool takes, gives;
	unsigned bits;
	bool is_signed;
};

static const uint64_t edges[] = {
    0,
    1,
    2,
    3,
    0x7fffffff,
    0x80000000,
    0xfffffffe,
    0xffffffff,
    UINT64_C(0x7fffffffffffffff),
    UINT64_C(0x8000000000000000),
    UINT64_C(0xfffffffffffffffe),
    UINT64_MAX,
};
enum { EDGES = sizeof edges / sizeof edges[0], THREADS = EDGES * EDGES * EDGES, CTA = 128 };
enum { CTAS = (THREADS + CTA - 1) / CTA, TYPES = 4, ENDS = KINDS * TYPES, BETWEEN = 1 + KINDS * TYPES };
enum { RESULTS = ENDS * BETWEEN };

static struct step step_of(unsigned index, bool takes, bool gives)
{
	return (struct step){(enum kind)(index / TYPES), takes, gives, index & 1 ? 64 : 32, index & 2};
}

/* Bit by bit the manual's words, in numbers so wide that nothing is lost. */
static uint64_t half_of_product(const struct step *s, uint64_t a, uint64_t b)
{
	unsigned __int128 p = (unsigned __int128)a * b;

	if (s->is_signed && s->bits == 64)
		p = (unsigned __int128)((__int128)(int64_t)a * (int64_t)b);
	if (s->is_signed && s->bits == 32)
		p = (unsigned __int128)((__int128)(int32_t)a * (int32_t)b);
	return (uint64_t)(s->kind == HIGH ? p >> s->bits : p) & (UINT64_MAX >> (64 - s->bits));
}

/* The step's result and, if it gives one, the carry that it leaves. */
static uint64_t expected(const struct step *s, uint64_t a, uint64_t b, uint64_t c, bool *carry)
{
	const uint64_t mask = UINT64_MAX >> (64 - s->bits);
	const __int128 limit = (__int128)1 << s->bits;
	__int128 r;
	bool over;

	a &= mask, b &= mask, c &= mask;
	if (s->kind == DIFFERENCE) {
		r = (__int128)a - b - (s->takes && !*carry);
		over = r >= 0;
	} else {
		uint64_t first = s->kind == SUM ? a : half_of_product(s, a, b);

		r = (__int128)first + (s->kind == SUM ? b : c) + (s->takes && *carry);
		over = r >= limit;
	}
	if (s->gives)
		*carry = over;
	return (uint64_t)r & mask;
}

static void add_step(struct strbuf *out, const struct step *s, const char *to)
{
	static const char *const names[2][KINDS] = {{"add", "sub", "mad.lo", "mad.hi"},
						    {"addc", "subc", "madc.lo", "madc.hi"}};
	const char *width = s->bits == 64 ? "l" : "w";

	strbuf_addf(out, "%s%s.%c%u %%%s%s, %%%sa, %%%sb", names[s->takes][s->kind], s->gives ? ".cc" : "",
		    s->is_signed ? 's' : 'u', s->bits, width, to, width, width);
	strbuf_addf(out, s->kind >= LOW ? ", %%%sc;\n" : ";\n", width);
}

/* One kernel a giver: a thread for each combination of values, a result for each sequence. */
static char *kernel_of(unsigned giver)
{
	struct strbuf out = STRBUF_INIT;
	const struct step first = step_of(giver, false, true);

	strbuf_addf(
	    &out,
	    ".visible .entry k(.param .u64 pin, .param .u64 pout) {\n.reg .u64 %%in, %%out, %%off, %%l<9>, %%la, "
	    "%%lb, %%lc, %%ld, %%lx;\n.reg .u32 %%i, %%t, %%wa, %%wb, %%wc, %%wd, %%wx;\n.reg .pred %%odd;\n"
	    "ld.param.u64 %%in, [pin];\nld.param.u64 %%out, [pout];\nmov.u32 %%i, %%ctaid.x;\nmov.u32 %%t, "
	    "%%tid.x;\nmad.lo.u32 %%i, %%i, %d, %%t;\nmul.wide.u32 %%off, %%i, 24;\nadd.u64 %%in, %%in, %%off;\n"
	    "mul.wide.u32 %%off, %%i, %d;\nadd.u64 %%out, %%out, %%off;\n",
	    CTA, RESULTS * 8);
	for (unsigned i = 0; i < 3; i++)
		strbuf_addf(&out, "ld.global.u64 %%l%c, [%%in+%u];\ncvt.u32.u64 %%w%c, %%l%c;\n", "abc"[i], 8 * i,
			    "abc"[i], "abc"[i]);
	for (unsigned n = 0; n < RESULTS; n++) {
		const struct step last = step_of(n / BETWEEN, true, false);

		add_step(&out, &first, "x");
		if (n % BETWEEN) {
			const struct step between = step_of(n % BETWEEN - 1, true, true);

			add_step(&out, &between, "x");
		}
		add_step(&out, &last, "d");
		strbuf_addf(&out,
			    last.bits == 64 ? "st.global.u64 [%%out+%u], %%ld;\n"
					    : "cvt.u64.u32 %%ld, %%wd;\nst.global.u64 [%%out+%u], %%ld;\n",
			    8 * n);
	}
	strbuf_adds(&out, "ret;\n}\n");
	return out.data;
}

static void check_thread(unsigned giver, const uint64_t *v, const uint64_t *got)
{
	const struct step first = step_of(giver, false, true);

	for (unsigned n = 0; n < RESULTS; n++) {
		const struct step last = step_of(n / BETWEEN, true, false);
		bool carry = false;
		uint64_t want;

		expected(&first, v[0], v[1], v[2], &carry);
		if (n % BETWEEN) {
			const struct step between = step_of(n % BETWEEN - 1, true, true);

			expected(&between, v[0], v[1], v[2], &carry);
		}
		want = expected(&last, v[0], v[1], v[2], &carry);
		if (got[n] != want)
			fail_msg("giver %u, between %u, taker %u of %llx, %llx, %llx: %llx, not %llx", giver,
				 n % BETWEEN, n / BETWEEN, (unsigned long long)v[0], (unsigned long long)v[1],
				 (unsigned long long)v[2], (unsigned long long)got[n], (unsigned long long)want);
	}
}

static void test_sequences(void **state)
{
	const struct harness_launch launch = {.grid = {CTAS}, .block = {CTA}};
	uint64_t(*in)[3] = harness_alloc(sizeof(uint64_t[CTAS * CTA][3]), "in");
	uint64_t(*out)[RESULTS] = harness_alloc(sizeof(uint64_t[CTAS * CTA][RESULTS]), "out");
	const uint64_t params[] = {DEVICE_POINTER(in), DEVICE_POINTER(out)};

	(void)state;
	for (unsigned i = 0; i < CTAS * CTA; i++) {
		in[i][0] = edges[i % EDGES];
		in[i][1] = edges[i / EDGES % EDGES];
		in[i][2] = edges[i / EDGES / EDGES % EDGES];
	}
	for (unsigned giver = 0; giver < ENDS; giver++) {
		char *text = kernel_of(giver);
		struct device_module *m = harness_load(text);

		harness_run_ok(m, "k", &launch, params, 2);
		for (unsigned i = 0; i < CTAS * CTA; i++)
			check_thread(giver, in[i], out[i]);
		harness_unload(m);
		free(text);
	}
	harness_free(in);
	harness_free(out);
}

/* A lane keeps its own bit, whatever other lanes do meanwhile, and instructions without .cc leave it alone. */
static void test_divergent(void **state)
{
	const struct harness_launch launch = {.grid = {1}, .block = {32}};
	uint32_t *out = harness_alloc(128, "out");
	const uint64_t params[] = {DEVICE_POINTER(out)};
	struct device_module *m = harness_load(
	    ".visible .entry k(.param .u64 pout) {\n.reg .u64 %out, %off;\n.reg .u32 %i, %x, %d;\n.reg .pred %odd, %three;\n"
	    "ld.param.u64 %out, [pout];\nmov.u32 %i, %tid.x;\nmul.wide.u32 %off, %i, 4;\nadd.u64 %out, %out, %off;\n"
	    "sub.cc.u32 %x, %i, 16;\n" /* 1 in lanes 16 to 31 */
	    "and.b32 %x, %i, 1;\nsetp.ne.u32 %odd, %x, 0;\nadd.u32 %x, 0xffffffff, 0xffffffff;\n@!%odd bra MEET;\n"
	    "rem.u32 %x, %i, 3;\nsetp.eq.u32 %three, %x, 0;\n@%three add.cc.u32 %x, %i, 0xffffffff;\n" /* 1 but in lane
													  0 */
	    "MEET:\naddc.u32 %d, 0, 0;\nst.global.u32 [%out], %d;\nret;\n}\n");

	(void)state;
	harness_run_ok(m, "k", &launch, params, 1);
	for (unsigned i = 0; i < 32; i++)
		assert_int_equal(out[i], i & 1 && i % 3 == 0 ? i != 0 : i >= 16);
	harness_unload(m);
	harness_free(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_sequences), cmocka_unit_test(test_divergent)};

	return cmocka_run_group_tests(tests, harness_setup, harness_teardown);
}
