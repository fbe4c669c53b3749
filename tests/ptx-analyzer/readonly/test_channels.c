/*
 * Ways on which the bits of a pointer leave it one by one: p + (q - p) is q, whatever instruction each bit of the
 * difference has gone through. The kernel reads q and stores through that sum, so that a mark on its load is wrong.
 * Every store is checked against what marked loads have read.
 */
#include "common/strbuf.h"
#include "ptx-analyzer/language/text/ptx_text.h"
#include "ptx-analyzer/readonly/analysis.h"
#include "tests/runtime/cpu/harness.h"

enum { BUFFER_BYTES = 1024, BITS = 32, STORED = 1234 };

/*
 * From the bit in %r1 to the number 0 or 1 in %r2, which an instruction chooses. %r10 is 0, %p3 is false, and the
 * tables hold 0 and 1.
 */
static const struct channel {
	const char *name, *text;
} channels[] = {
    {"no instruction", "mov.b32 %r2, %r1;"},
    {"condition of selp", "setp.ne.u32 %p1, %r1, 0; selp.u32 %r2, 1, 0, %p1;"},
    {"condition of selp, of predicates", "setp.eq.u32 %p1, %r1, 0; not.pred %p1, %p1; selp.u32 %r2, 1, 0, %p1;"},
    {"condition of slct", "sub.u32 %r3, %r1, 1; slct.u32.s32 %r2, 1, 0, %r3;"},
    {"second predicate of setp", "setp.eq.u32 %p2|%p1, %r1, 0; selp.u32 %r2, 1, 0, %p1;"},
    {"predicate of lop3", "lop3.or.b32 %r3|%p1, %r1, %r10, %r10, 0xF0, %p3; selp.u32 %r2, 1, 0, %p1;"},
    {"predicate of shfl", "shfl.sync.idx.b32 %r3|%p1, %r10, %r1, 0, 3; selp.u32 %r2, 0, 1, %p1;"},
    {"clamp of shfl", "shfl.sync.idx.b32 %r2, %r11, 1, %r1, 3;"},
    {"carry of add", "add.cc.u32 %r3, %r1, -1; addc.u32 %r2, 0, 0;"},
    {"carry of add through addc", "add.cc.u32 %r3, %r1, -1; addc.cc.u32 %r3, -1, 0; addc.u32 %r2, 0, 0;"},
    {"carry of add in madc", "add.cc.u32 %r3, %r1, -1; madc.lo.u32 %r2, %r10, %r10, 0;"},
    {"carry of sub", "sub.cc.u32 %r3, 0, %r1; subc.u32 %r2, 0, 0; and.b32 %r2, %r2, 1;"},
    {"carry of mad", "mad.lo.cc.u32 %r3, %r1, 1, -1; addc.u32 %r2, 0, 0;"},
    {"place of bfe", "sub.u32 %r3, 1, %r1; bfe.u32 %r2, 1, %r3, 1;"},
    {"length of bfe", "bfe.u32 %r2, 1, 0, %r1;"},
    {"place of bfi", "bfi.b32 %r2, 1, 0, %r1, 1; shr.u32 %r2, %r2, 1;"},
    {"length of bfi", "bfi.b32 %r2, 1, 0, 0, %r1;"},
    {"place in a local table",
     "mul.wide.u32 %rd5, %r1, 4; mov.u64 %rd6, here; add.s64 %rd6, %rd6, %rd5; ld.local.u32 %r2, [%rd6];"},
    {"place in a shared table",
     "mul.wide.u32 %rd5, %r1, 4; mov.u64 %rd6, tile; add.s64 %rd6, %rd6, %rd5; ld.shared.u32 %r2, [%rd6];"},
    {"place in a variable",
     "mul.wide.u32 %rd5, %r1, 4; mov.u64 %rd6, numbers; add.s64 %rd6, %rd6, %rd5; ld.global.u32 %r2, [%rd6];"},
    {"place in a constant",
     "mul.wide.u32 %rd5, %r1, 4; mov.u64 %rd6, constants; add.s64 %rd6, %rd6, %rd5; ld.const.u32 %r2, [%rd6];"},
    {"place of a local store",
     "mul.wide.u32 %rd5, %r1, 4; mov.u64 %rd6, there; add.s64 %rd6, %rd6, %rd5; st.local.u32 [there+4], %r10;"
     "st.local.u32 [%rd6], 1; ld.local.u32 %r2, [there+4];"},
    {"place of a shared store",
     "mul.wide.u32 %rd5, %r1, 4; mov.u64 %rd6, other; add.s64 %rd6, %rd6, %rd5; st.shared.u32 [other+4], %r10;"
     "st.shared.u32 [%rd6], 1; ld.shared.u32 %r2, [other+4];"},
    {"part in global memory by another name", "st.global.u32 [%rd3], %r1; ld.volatile.global.u32 %r2, [%rd4];"},
};

static const char head[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n.global .u32 numbers[2] = {0, 1};\n"
    ".const .u32 constants[2] = {0, 1};\n.visible .entry k(.param .u64 p, .param .u64 q, .param .u64 s, .param .u64 t)\n"
    "{\n.reg .b64 %rd<20>; .reg .b32 %r<20>; .reg .pred %p<4>;\n"
    ".local .u32 here[2]; .local .u32 there[2]; .shared .u32 tile[2]; .shared .u32 other[2];\n"
    "ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [q]; ld.param.u64 %rd3, [s]; ld.param.u64 %rd4, [t];\n"
    "mov.u32 %r11, %tid.x; and.b32 %r10, %r11, 0; setp.ne.u32 %p3, %r10, 0; setp.eq.u32 %p0, %r11, 0;\n"
    "st.local.u32 [here], 0; st.local.u32 [here+4], 1; st.shared.u32 [tile], 0; st.shared.u32 [tile+4], 1;\n"
    "ld.global.u32 %r9, [%rd2]; st.global.u32 [%rd1], %r9; sub.s64 %rd8, %rd2, %rd1; mov.u64 %rd9, 0;\n";

static struct strbuf kernel_of(const struct channel *c)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_adds(&text, head);
	for (unsigned bit = 0; bit < BITS; bit++) {
		strbuf_addf(&text, "shr.u64 %%rd7, %%rd8, %u; cvt.u32.u64 %%r1, %%rd7; and.b32 %%r1, %%r1, 1;\n", bit);
		strbuf_adds(&text, c->text);
		strbuf_addf(&text,
			    "\ncvt.u64.u32 %%rd11, %%r2; shl.b64 %%rd12, %%rd11, %u; add.s64 %%rd9, %%rd9, %%rd12;\n",
			    bit);
	}
	strbuf_adds(&text, "cvt.s64.s32 %rd13, %rd9; add.s64 %rd10, %rd1, %rd13;\n");
	strbuf_addf(&text, "@%%p0 st.global.u32 [%%rd10], %d; ret;\n}\n", STORED);
	return text;
}

static void check_channel(const struct channel *c, char *p, char *q, char *s)
{
	const struct harness_launch shape = {{1, 1, 1}, {2, 1, 1}, 0, false};
	const uint64_t params[] = {DEVICE_POINTER(p), DEVICE_POINTER(q), DEVICE_POINTER(s), DEVICE_POINTER(s)};
	struct strbuf text = kernel_of(c);
	struct device_module *m = harness_load(text.data);

	memset(q, 0, BUFFER_BYTES);
	if (harness_run(m, "k", &shape, params, 4) != DEVICE_OK)
		fail_msg("%s: %s", c->name, harness_diag.message);
	if (*(uint32_t *)(void *)q != STORED)
		fail_msg("%s: the store does not reach q", c->name);
	harness_unload(m);
	strbuf_release(&text);
}

static void test_bits_are_followed(void **state)
{
	char *p = harness_alloc(BUFFER_BYTES, "p"), *q = harness_alloc(BUFFER_BYTES, "q"),
	     *s = harness_alloc(BUFFER_BYTES, "s");

	(void)state;
	for (size_t i = 0; i < sizeof channels / sizeof *channels; i++)
		check_channel(&channels[i], p, q, s);
}

/* A store to one of two buffers, by a comparison of parameters; a load of a third is marked unless that may be it. */
static bool keeps_marks(const char *comparison)
{
	struct strbuf text = STRBUF_INIT;
	struct diag d = DIAG_INIT;
	struct ptx_module *m;
	struct ptx_analysis *a;
	bool marked;

	strbuf_adds(&text, head);
	strbuf_addf(&text, "%s\nselp.b64 %%rd10, %%rd1, %%rd3, %%p1; st.global.u32 [%%rd10], 0; ret;\n}\n", comparison);
	m = ptx_parse("comparison", text.data, text.len, &d);
	a = ptx_analyze(m, ALIAS_GUARDED);
	marked = ptx_kernel_facts(a, "k")->loads_marked > 0;
	ptx_analysis_free(a);
	ptx_module_free(m);
	strbuf_release(&text);
	return marked;
}

static void test_a_parameter_that_is_compared_as_given_tells_no_bits(void **state)
{
	(void)state;
	assert_true(keeps_marks("setp.eq.u64 %p1, %rd2, 0;"));
	assert_true(keeps_marks("setp.ne.u64 %p1, 0, %rd2;"));
	assert_true(keeps_marks("setp.lt.u64 %p1, %rd2, %rd1;"));
	assert_true(keeps_marks("setp.eq.u32 %p1, %r11, 3;"));
	assert_false(keeps_marks("setp.lt.u64 %p1, %rd2, 4096;"));
	assert_false(keeps_marks("add.s64 %rd5, %rd2, 4; setp.lt.u64 %p1, %rd5, %rd1;"));
	assert_false(keeps_marks("shr.u64 %rd5, %rd2, 9; setp.eq.u64 %p1, %rd5, 0;"));
	assert_false(keeps_marks("sub.s64 %rd5, %rd2, %rd1; setp.eq.u64 %p1, %rd5, 0;"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_bits_are_followed, harness_setup, harness_teardown),
	    cmocka_unit_test(test_a_parameter_that_is_compared_as_given_tells_no_bits),
	};

	setenv("ROMARK_QUIET", "1", 1);
	setenv("ROMARK_VERIFY", "1", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
