/*
 * Predicates that lanes bring to their warp or their CTA, as they are and complemented, and guards on instructions that
 * end a block. $ is replaced by the operand. ops.def has rows for !p in single instructions.
 */
#include "tests/runtime/cpu/harness.h"

#include "common/strbuf.h"

enum { THREADS = 64, WARP = 32 };

static uint32_t bits_of(uint64_t held, unsigned thread)
{
	return (uint32_t)(held >> thread / WARP * WARP);
}

static uint32_t all_of_warp(uint64_t held, unsigned thread)
{
	return bits_of(held, thread) == UINT32_MAX;
}

static uint32_t any_of_warp(uint64_t held, unsigned thread)
{
	return bits_of(held, thread) != 0;
}

static uint32_t same_in_warp(uint64_t held, unsigned thread)
{
	return bits_of(held, thread) == 0 || bits_of(held, thread) == UINT32_MAX;
}

static uint32_t count_of_cta(uint64_t held, unsigned thread)
{
	uint32_t n = 0;

	(void)thread;
	for (unsigned i = 0; i < THREADS; i++)
		n += held >> i & 1;
	return n;
}

static uint32_t all_of_cta(uint64_t held, unsigned thread)
{
	return count_of_cta(held, thread) == THREADS;
}

static uint32_t any_of_cta(uint64_t held, unsigned thread)
{
	return held != 0 && thread < THREADS;
}

static uint32_t own(uint64_t held, unsigned thread)
{
	return held >> thread & 1;
}

/* The instruction's result in %d equals the reference's value for all threads' predicates. */
static const struct {
	const char *ptx;
	uint32_t (*reference)(uint64_t held, unsigned thread);
} rows[] = {
    {"vote.sync.all.pred %q, $, -1; selp.u32 %d, 1, 0, %q;", all_of_warp},
    {"vote.sync.any.pred %q, $, -1; selp.u32 %d, 1, 0, %q;", any_of_warp},
    {"vote.sync.uni.pred %q, $, -1; selp.u32 %d, 1, 0, %q;", same_in_warp},
    {"vote.sync.ballot.b32 %d, $, -1;", bits_of},
    {"bar.red.popc.u32 %d, 0, $;", count_of_cta},
    {"bar.red.and.pred %q, 0, $; selp.u32 %d, 1, 0, %q;", all_of_cta},
    {"bar.red.or.pred %q, 0, 64, $; selp.u32 %d, 1, 0, %q;", any_of_cta},
    {"barrier.red.popc.u32 %d, 1, 64, $;", count_of_cta},
    {"barrier.cta.red.and.aligned.pred %q, 2, $; selp.u32 %d, 1, 0, %q;", all_of_cta},
    {"@$ bra YES; mov.u32 %d, 0; bra END; YES: mov.u32 %d, 1; END:", own},
    {"mov.u32 %d, 0; @$ mov.u32 %d, 1;", own},
    {"mov.u32 %d, 0; @$ call (%d), one, ();", own},
    {"mov.u32 %d, 0; @$ atom.shared.add.u32 %i, [%s], 1; bar.sync 0; ld.shared.u32 %d, [cell];", count_of_cta},
    {"mov.u32 %d, 1; @$ st.shared.u32 [%m], %d; ld.shared.u32 %d, [%m];", own},
    /* a predicate of cp.async reads nothing where it holds, and writes zeros */
    {"cp.async.ca.shared.global [%m], [%out], 4, $; cp.async.wait_all; ld.shared.u32 %d, [%m]; setp.eq.u32 %q, %d, 0; "
     "selp.u32 %d, 1, 0, %q;",
     own},
};

static struct device_module *load_row(const char *ptx, const char *predicate)
{
	struct strbuf text = STRBUF_INIT;
	struct device_module *m;

	strbuf_adds(
	    &text,
	    ".shared .align 4 .b32 cell; .shared .align 4 .b8 cells[256];\n.func (.reg .b32 r) one() { mov.u32 r, 1; ret; }\n"
	    ".visible .entry k(.param .u64 held, .param .u64 pout) {\n.reg .u64 %out, %off, %h;\n"
	    ".reg .u32 %i, %d, %s, %m;\n.reg .pred %p, %q;\nld.param.u64 %h, [held];\nld.param.u64 %out, [pout];\n"
	    "mov.u32 %i, %tid.x;\nmul.wide.u32 %off, %i, 4;\nadd.u64 %out, %out, %off;\nshr.u64 %h, %h, %i;\n"
	    "and.b64 %h, %h, 1;\nsetp.ne.u64 %p, %h, 0;\nmov.u32 %s, cell;\nmov.u32 %m, cells;\n"
	    "mad.lo.u32 %m, %i, 4, %m;\nst.shared.u32 [%m], 0;\nst.shared.u32 [%s], 0;\nbar.sync 0;\n");
	for (; *ptx; ptx++)
		if (*ptx == '$')
			strbuf_adds(&text, predicate);
		else
			strbuf_addc(&text, *ptx);
	strbuf_adds(&text, "\nst.global.u32 [%out], %d;\nret;\n}\n");
	m = harness_load(text.data);
	strbuf_release(&text);
	return m;
}

static void check_row(size_t row, bool complemented, uint32_t *out)
{
	static const uint64_t held[] = {0, UINT64_MAX, 1, UINT32_MAX, UINT64_C(0xaaaaaaaa00000000), ~UINT64_C(2)};
	const struct harness_launch launch = {.grid = {1}, .block = {THREADS}};
	struct device_module *m = load_row(rows[row].ptx, complemented ? "!%p" : "%p");

	for (size_t k = 0; k < sizeof held / sizeof held[0]; k++) {
		const uint64_t params[] = {held[k], DEVICE_POINTER(out)}, seen = complemented ? ~held[k] : held[k];

		memset(out, 0xee, THREADS * sizeof *out);
		harness_run_ok(m, "k", &launch, params, 2);
		for (unsigned i = 0; i < THREADS; i++)
			if (out[i] != rows[row].reference(seen, i))
				fail_msg("%s with %s: %#x in thread %u for %#llx", rows[row].ptx,
					 complemented ? "!%p" : "%p", out[i], i, (unsigned long long)held[k]);
	}
	harness_unload(m);
}

static void test_rows(void **state)
{
	uint32_t *out = harness_alloc(THREADS * sizeof *out, "out");

	(void)state;
	for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
		check_row(row, false, out);
		check_row(row, true, out);
	}
	harness_free(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};

	return cmocka_run_group_tests(tests, harness_setup, harness_teardown);
}
