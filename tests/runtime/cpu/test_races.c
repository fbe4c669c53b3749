/* The check of races: races and what is none: two CTAs of two warps each, a kernel for each case. */
#include "tests/runtime/cpu/harness.h"

#include <stdio.h>

static void *data;

/*
 * %i is the thread, %c the CTA, %g counts threads over both. %s is the thread's word in shared memory and %t that of a
 * thread in the other warp, %a and %b likewise in the data, a set of words for each CTA; %d is where the data starts.
 * Line 12 is the first of a case.
 */
static const char head[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 data)\n{\n"
    ".reg .u64 %d, %a, %b, %w;\n.reg .u32 %i, %c, %g, %j, %s, %t, %x, %y;\n.reg .pred %p, %q, %first, %other; "
    ".shared .align 16 .b8 box[1024];\nld.param.u64 %d, [data]; mov.u32 %x, box;\n"
    "mov.u32 %i, %tid.x; mov.u32 %c, %ctaid.x; mad.lo.u32 %g, %c, 64, %i; xor.b32 %j, %i, 32; shl.b32 %s, %i, 2; shl.b32 %t, %j, 2; "
    "mul.wide.u32 %w, %g, 4; add.u64 %a, %d, %w; xor.b32 %y, %g, 32; mul.wide.u32 %w, %y, 4; add.u64 %b, %d, %w; add.u32 %y, %g, 1;\n"
    "setp.lt.u32 %first, %i, 32; setp.eq.u32 %q, %c, 0; setp.ne.u32 %other, %c, 0; setp.eq.u32 %p, %g, 0;\n";

struct test_case {
	const char *body;
	const char *says; /* NULL: nothing */
};

static int open_verifying(void **state)
{
	(void)state;
	setenv("ROMARK_LOAD", "keep", 1);
	harness_open_with("ROMARK_CHECK", "race");
	unsetenv("ROMARK_LOAD");
	data = harness_alloc(1024, "data");
	return 0;
}

/* Runs with the stream of errors in a file, and returns what it has. */
static const char *errors_of(struct device_module *m, unsigned times)
{
	static const struct harness_launch two_ctas = {.grid = {2}, .block = {64}};
	const uint64_t params[] = {DEVICE_POINTER(data)};
	enum device_status status = DEVICE_OK;
	const char *text;

	harness_listen();
	for (unsigned i = 0; i < times && status == DEVICE_OK; i++)
		status = harness_run(m, "k", &two_ctas, params, 1);
	text = harness_heard();
	if (status != DEVICE_OK)
		fail_msg("%s", harness_diag.message);
	return text;
}

static const char *errors_of_body(const char *body, unsigned times)
{
	struct device_module *m;
	const char *text;
	char ptx[4096];

	memset(data, 0, 1024);
	snprintf(ptx, sizeof ptx, "%s%s\nret;\n}\n", head, body);
	m = harness_load(ptx);
	text = errors_of(m, times);
	harness_unload(m);
	return text;
}

static void expect_cases(const struct test_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *text = errors_of_body(cases[i].body, 1);

		if (cases[i].says ? !strstr(text, cases[i].says) : strstr(text, "race") != NULL)
			fail_msg("'%s'\nexpected: %s\nsaid: %s", cases[i].body,
				 cases[i].says ? cases[i].says : "nothing", text);
	}
}

#define EXPECT_CASES(cases) expect_cases(cases, sizeof(cases) / sizeof(cases)[0])

static void test_races_are_named(void **state)
{
	static const struct test_case cases[] = {
	    {"st.shared.u32 [%s], %y;\nld.shared.u32 %x, [%t];", "line 13 reads what another wrote, and no barrier"},
	    {"st.shared.u32 [%s], %y;\nld.shared.u32 %x, [%t];", "'st.shared.u32 [%s], %y;', line 12"},
	    {"ld.shared.u32 %x, [%t];\nst.shared.u32 [%s], %y;", "line 13 writes what another read, and no barrier"},
	    {"st.shared.u32 [box], %y;", "line 12 writes what another wrote, and no barrier"},
	    {"st.global.u32 [%a], %y;\nld.global.u32 %x, [%b];", "128 bytes into data"},
	    {"st.global.u32 [%a], %y;\nld.u32 %x, [%b];", "RAW hazard on __global__ memory, between warps of a block"},
	    {"@%p st.global.u32 [%d+4], %y;\n@%other ld.global.u32 %x, [%d+4];",
	     "line 13 reads what another wrote, and nothing puts the blocks in order"},
	    {"@%q ld.global.u32 %x, [%d+8];\n@%other st.global.u32 [%d+8], %y;",
	     "writes what another read, and nothing puts"},
	    /* Lanes of one warp: one writes what another has read or written, also with a single instruction. */
	    {"xor.b32 %t, %s, 4;\n@%first st.shared.u32 [%s], %y;\n@%first ld.shared.u32 %x, [%t];",
	     "RAW hazard on __shared__ memory, between threads of a warp"},
	    {"xor.b32 %t, %s, 4;\n@%first ld.shared.u32 %x, [%t];\n@%first st.shared.u32 [%s], %y;",
	     "line 14 writes what another read, and no __syncwarp"},
	    {"@%first st.shared.u32 [box], %y;", "the instruction does both at once"},
	    {"@%first st.shared.v2.u32 [box], {%c, %y};", "WAW hazard on __shared__ memory, between threads of a warp"},
	    /* Only half of the lanes were with the others. */
	    {"xor.b32 %t, %s, 4;\nand.b32 %x, %i, 1;\nsetp.eq.u32 %p, %x, 0;\n@%first st.shared.u32 [%s], %y;\n"
	     "@%p bar.warp.sync 0x55555555;\n@%first ld.shared.u32 %x, [%t];",
	     "line 17 reads what another wrote, and no __syncwarp"},
	    /* A barrier of the CTA puts nothing in order between CTAs. */
	    {"@%p st.global.u32 [%d+4], %y;\nbar.sync 0;\n@%other ld.global.u32 %x, [%d+4];", "line 14 reads"},
	    /* Nor does a barrier that comes after both. */
	    {"st.shared.u32 [%s], %y;\nld.shared.u32 %x, [%t];\nbar.sync 0;", "line 13 reads"},
	    {"st.shared.u32 [%s], %y;\nbar.sync 0;\nst.shared.u8 [%s+1], %i;\nld.shared.u32 %x, [%t];",
	     "line 15 reads"},
	    /* Two warps have read a word, and one of them writes it. */
	    {"ld.shared.u32 %x, [box];\n@!%first st.shared.u32 [box], %y;",
	     "line 13 writes what another read, and no barrier"},
	    {"and.b32 %x, %i, 31;\nshl.b32 %x, %x, 2;\nld.shared.u32 %j, [%x];\n@!%first st.shared.u32 [%x], %y;",
	     "line 15 writes what another read, and no barrier"},
	    /*
	     * A lane of a warp is enough: of 32 zeros and ones only one is new, and of 32 words only one belongs to
	     * another warp.
	     */
	    {"ld.shared.u32 %x, [%s];\nsetp.eq.u32 %p, %i, 40;\nselp.u32 %y, 1, 0, %p;\n@!%first st.shared.u32 [%t], %y;",
	     "by thread (40,0,0) in block (0,0,0)\n=========     Address 0x1000040000020 (offset 32 of shared memory, "
	     "which has 1024 bytes)"},
	    {"st.shared.u32 [%s], %y;\nmin.u32 %x, %i, 36;\nsub.u32 %x, 67, %x;\nshl.b32 %x, %x, 2;\n"
	     "@!%first ld.shared.u32 %x, [%x];",
	     "line 16 reads"},
	    /* A plain store may undo what an atomic operation did, and that what a plain store did. */
	    {"@%first atom.shared.add.u32 %x, [%s], 1;\n@!%first st.shared.u32 [%t], 5;",
	     "line 13 writes what another wrote, and no barrier"},
	    {"st.shared.u32 [%t], 5;\nred.shared.add.u32 [%s], 1;", "'st.shared.u32 [%t], 5;', line 12"},
	    {"@%p st.global.u32 [%d], 5;\n@%other red.global.add.u32 [%d], 1;",
	     "line 13 writes what another wrote, and nothing puts the blocks in order"},
	    /* Elements of vectors, rows of half a warp, words far from each other. */
	    {"and.b32 %x, %i, 31;\nshl.b32 %x, %x, 3;\nshr.u32 %y, %i, 5;\nadd.u32 %y, %y, 7;\n"
	     "st.shared.v2.u32 [%x], {%y, %y};",
	     "line 16 writes"},
	    {"and.b32 %x, %i, 15;\nshl.b32 %x, %x, 2;\n@%first ld.shared.u32 %j, [%x];\n@!%first st.shared.u32 [%x], %y;",
	     "line 15 writes"},
	    {"and.b32 %x, %i, 15;\nmul.lo.u32 %x, %x, 60;\n@%first ld.shared.u32 %j, [%x];\n"
	     "@!%first st.shared.u32 [%x], %y;",
	     "line 15 writes"},
	};

	(void)state;
	EXPECT_CASES(cases);
}

static void test_what_is_in_order_is_no_race(void **state)
{
	static const struct test_case cases[] = {
	    {"st.shared.u32 [%s], %y;\nbar.sync 0;\nld.shared.u32 %x, [%t];", NULL},
	    {"ld.shared.u32 %x, [%t];\nbar.sync 0;\nst.shared.u32 [%s], %y;\nbar.sync 0;\nld.shared.u32 %x, [%t];",
	     NULL},
	    {"st.global.u32 [%a], %y;\nbar.sync 0;\nld.global.u32 %x, [%b];", NULL},
	    /* Everybody's own, and bytes side by side. */
	    {"st.shared.u32 [%s], %y;\nld.shared.u32 %x, [%s];\nst.global.u32 [%a], %x;\nld.global.u32 %x, [%a];",
	     NULL},
	    {"shr.u32 %x, %i, 5;\ncvt.u64.u32 %w, %x;\nadd.u64 %a, %d, %w;\nshl.b32 %x, %c, 1;\ncvt.u64.u32 %w, %x;\n"
	     "add.u64 %a, %a, %w;\nst.global.u8 [%a], %c;",
	     NULL},
	    /* Lanes of one warp, with their own words, or with __syncwarp. */
	    {"@%first st.shared.u32 [%s], %y;\n@%first ld.shared.u32 %x, [%s];\n@%first st.shared.u32 [%s], %i;", NULL},
	    {"xor.b32 %t, %s, 4;\n@%first st.shared.u32 [%s], %y;\nbar.warp.sync -1;\n@%first ld.shared.u32 %x, [%t];",
	     NULL},
	    /* Each CTA has its own shared memory. */
	    {"@%first st.shared.u32 [%s], %y;\n@%first ld.shared.u32 %x, [%s];", NULL},
	    /* Atomic and volatile. */
	    {"atom.shared.add.u32 %x, [box], 1;", NULL},
	    {"red.global.add.u32 [%d], 1;\natom.global.max.u32 %x, [%d], 7;", NULL},
	    {"st.shared.u32 [%t], 5;\nbar.sync 0;\nred.shared.add.u32 [%s], 1;\nbar.sync 0;\nst.shared.u32 [%t], 5;",
	     NULL},
	    {"ld.global.u32 %x, [%d];\nred.global.add.u32 [%d], 1;\nld.global.u32 %x, [%d];", NULL},
	    /* The last thread restarts the counter. */
	    {"atom.global.add.u32 %x, [%d], 1;\nsetp.eq.u32 %p, %x, 127;\n@%p st.global.u32 [%d], 0;", NULL},
	    {"st.volatile.shared.u32 [box], %y;\nld.volatile.shared.u32 %x, [box];", NULL},
	    {"st.relaxed.gpu.global.u32 [%d], %y;\nld.acquire.gpu.global.u32 %x, [%d];", NULL},
	    /* A flag puts in order what is behind it. */
	    {"@%q bra W;\nL:\nld.volatile.global.u32 %x, [%d+256];\nsetp.eq.u32 %p, %x, 0;\n@%p bra L;\nld.global.u32 %x, [%d];\n"
	     "ret;\nW:\n@%p st.global.u32 [%d], 5;\nmembar.gl;\nbar.sync 0;\n@%p st.volatile.global.u32 [%d+256], 1;",
	     NULL},
	    /* Rows of half a warp, beside the other warp's rows, and each warp's part of a vector. */
	    {"shl.b32 %x, %i, 3;\nst.shared.v2.u32 [%x], {%y, %y};\nld.shared.v2.u32 {%y, %j}, [%x];", NULL},
	    {"shr.u32 %x, %i, 4;\nshl.b32 %x, %x, 6;\nmov.u32 %y, 5;\nst.shared.u32 [%x], %y;\nld.shared.u32 %y, [%x];",
	     NULL},
	    /* All store the same. */
	    {"st.global.u32 [%d], 0;\nld.global.u32 %x, [%d];", NULL},
	};

	(void)state;
	EXPECT_CASES(cases);
}

static unsigned count_of(const char *text, const char *what)
{
	unsigned n = 0;

	for (; (text = strstr(text, what)); text++)
		n++;
	return n;
}

static void test_a_pair_is_named_once(void **state)
{
	const char *text = errors_of_body("st.shared.u32 [%s], %y;\nld.shared.u32 %x, [%t];", 5);

	(void)state;
	assert_int_equal(count_of(text, "line 13 reads"), 1);
	assert_int_equal(count_of(text, "line 12 writes"), 1);
	assert_int_equal(count_of(text, "hazard"), 2);
}

static void test_nothing_is_said_without_the_check(void **state)
{
	(void)state;
	harness_open();
	data = harness_alloc(1024, "data");
	assert_string_equal(errors_of_body("st.shared.u32 [%s], %y;\nld.shared.u32 %x, [%t];", 1), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_races_are_named), cmocka_unit_test(test_what_is_in_order_is_no_race),
	    cmocka_unit_test(test_a_pair_is_named_once), cmocka_unit_test(test_nothing_is_said_without_the_check)};

	return cmocka_run_group_tests(tests, open_verifying, harness_teardown);
}
