/* Guards by byte ranges: kernels whose data lie in one allocation, apart from each other or not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/diag.h"
#include "common/strbuf.h"
#include "ptx-analyzer/language/text/ptx_text.h"
#include "ptx-analyzer/readonly/guard_ranges.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One allocation, and its words. */
enum { ARENA = 0x100000, ARENA_BYTES = 0x10000, BLOCK = 64, GRID = 4, MOST_STRUCTURES = 8 };
/* Variables of a module are allocations of their own, by their symbols. All words of them are 0. */
enum { VARIABLES = 0x900000, VARIABLE_BYTES = 0x1000, MOST_VARIABLES = 16 };

static uint64_t words[ARENA_BYTES / 8];

static bool find(void *device, uint64_t address, uint64_t *base, size_t *size)
{
	(void)device;
	*base = ARENA;
	*size = ARENA_BYTES;
	if (address - VARIABLES < MOST_VARIABLES * VARIABLE_BYTES) {
		*base = address / VARIABLE_BYTES * VARIABLE_BYTES;
		*size = VARIABLE_BYTES;
		return true;
	}
	return address - ARENA < ARENA_BYTES;
}

static bool variable(void *device, uint32_t symbol, uint64_t *address, size_t *size)
{
	(void)device;
	*address = VARIABLES + symbol * VARIABLE_BYTES;
	*size = VARIABLE_BYTES;
	return symbol < MOST_VARIABLES;
}

static const void *view(void *device, uint64_t address, size_t size)
{
	static const uint64_t zeros[VARIABLE_BYTES / 8];

	(void)device;
	if (address >= VARIABLES) {
		assert_true(size <= VARIABLE_BYTES);
		return zeros;
	}
	assert_true(address >= ARENA && address + size <= ARENA + ARENA_BYTES);
	return (char *)words + (address - ARENA);
}

struct asked {
	struct guard_ranges *ranges;
	const struct guard_context *context;
};

static bool apart(void *data, const struct guard *guard)
{
	const struct asked *asked = data;

	return guard_ranges_hold(asked->ranges, asked->context, guard);
}

struct params {
	uint64_t p, q;
	uint32_t n, m;
};

/* A module with "k", which takes p, q, n and m. %r2 is the thread in the grid. */
static char *module_of(const char *before, const char *body)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(
	    &text,
	    ".version 8.0\n.target sm_80\n.address_size 64\n%s\n"
	    ".visible .entry k(.param .u64 p, .param .u64 q, .param .u32 n, .param .u32 m)\n{\n"
	    "\t.reg .pred %%p<4>; .reg .b32 %%r<10>; .reg .b64 %%rd<10>; .reg .f32 %%f<8>;\n"
	    "\tld.param.u64 %%rd0, [p]; ld.param.u64 %%rd1, [q]; ld.param.u32 %%r0, [n]; ld.param.u32 %%r1, [m];\n"
	    "\tcvta.to.global.u64 %%rd0, %%rd0; cvta.to.global.u64 %%rd1, %%rd1;\n"
	    "\tmov.u32 %%r2, %%ctaid.x; mov.u32 %%r3, %%ntid.x; mov.u32 %%r4, %%tid.x;\n"
	    "\tmad.lo.s32 %%r2, %%r2, %%r3, %%r4;\n\tsetp.ge.s32 %%p0, %%r2, %%r0;\n\t@%%p0 ret;\n"
	    "\tmul.wide.s32 %%rd2, %%r2, 4; add.s64 %%rd3, %%rd0, %%rd2; add.s64 %%rd4, %%rd1, %%rd2;\n"
	    "%s\n\tret;\n}\n",
	    before, body);
	return strbuf_detach(&text);
}

/* The marks of "k" hold for these parameters. */
static bool hold(const char *before, const char *body, struct params params)
{
	const struct guard_context context = {NULL, find, variable, view, NULL};
	char *text = module_of(before, body);
	struct diag d = DIAG_INIT;
	struct ptx_module *m = ptx_parse("test", text, strlen(text), &d);
	struct guard_target targets[MOST_STRUCTURES];
	struct guard_ranges ranges = {.launch = {.grid = {GRID, 1, 1}, .block = {BLOCK, 1, 1}}};
	const struct asked asked = {&ranges, &context};
	int failed;

	if (!m)
		fail_msg("line %u: %s", d.line, d.message);
	ranges.analysis = ptx_analyze(m, ALIAS_GUARDED);
	ranges.facts = ptx_kernel_facts(ranges.analysis, "k");
	ranges.launch.params = &params;
	ranges.launch.param_bytes = sizeof params;
	assert_true(ranges.facts->nguards > 0 && ranges.facts->nstructures <= MOST_STRUCTURES);
	guard_resolve(ranges.facts, &context, &params, sizeof params, targets);
	assert_true(guard_check(ranges.facts, targets, NULL, NULL) >= 0);
	failed = guard_check(ranges.facts, targets, apart, (void *)(uintptr_t)&asked);
	guard_ranges_release(&ranges);
	ptx_analysis_free(ranges.analysis);
	ptx_module_free(m);
	free(text);
	return failed < 0;
}

static const char copy[] = "ld.global.f32 %f0, [%rd3]; st.global.f32 [%rd4], %f0;";

static void test_parts_of_one_allocation(void **state)
{
	(void)state;
	assert_true(hold("", copy, (struct params){ARENA, ARENA + 400, 100, 0}));
	assert_false(hold("", copy, (struct params){ARENA, ARENA + 396, 100, 0}));
	assert_true(hold("", copy, (struct params){ARENA + 400, ARENA, 100, 0}));
	assert_false(hold("", copy, (struct params){ARENA + 397, ARENA, 100, 0}));
	assert_false(hold("", copy, (struct params){ARENA, ARENA, 100, 0}));
	/* The grid ends before n does. */
	assert_true(hold("", copy, (struct params){ARENA, ARENA + 1024, 5000, 0}));
	assert_false(hold("", copy, (struct params){ARENA, ARENA + 1020, 5000, 0}));
	/* No thread gets there. */
	assert_true(hold("", copy, (struct params){ARENA, ARENA, 0, 0}));
}

/* What is read may lie on both sides of what is written: each access has its own range. */
static void test_reads_around_a_write(void **state)
{
	static const char around[] =
	    "ld.global.f32 %f0, [%rd3]; ld.global.f32 %f1, [%rd3+800]; add.f32 %f0, %f0, %f1;\n"
	    "st.global.f32 [%rd4], %f0;";

	(void)state;
	assert_true(hold("", around, (struct params){ARENA, ARENA + 400, 100, 0}));
	assert_false(hold("", around, (struct params){ARENA, ARENA + 404, 100, 0}));
}

static void test_every_write_counts(void **state)
{
	static const char atomic[] =
	    "ld.global.f32 %f0, [%rd3]; st.global.f32 [%rd4], %f0;\n"
	    "mul.wide.s32 %rd5, %r1, 4; add.s64 %rd5, %rd1, %rd5; atom.global.add.u32 %r5, [%rd5], 1;";
	static const char loaded[] = "ld.global.u32 %r5, [%rd3]; mul.wide.s32 %rd5, %r5, 4; add.s64 %rd5, %rd1, %rd5;\n"
				     "st.global.u32 [%rd5], %r5;";

	(void)state;
	assert_true(hold("", atomic, (struct params){ARENA, ARENA + 400, 100, 100}));
	assert_false(hold("", atomic, (struct params){ARENA, ARENA + 400, 100, (uint32_t)-1}));
	/* Where a store goes that memory tells. */
	assert_true(hold("", loaded, (struct params){ARENA, ARENA + 0x8000, 4, 0}));
	words[1] = (uint32_t)(-0x8000 / 4);
	assert_false(hold("", loaded, (struct params){ARENA, ARENA + 0x8000, 4, 0}));
	assert_true(hold("", loaded, (struct params){ARENA, ARENA + 0x8000, 2, 0}));
	words[1] = 0;
}

/*
 * A write without a range may go to other numbers than those that were looked through, as long as it stays in the
 * allocation of its pointer.
 */
static void test_writes_elsewhere(void **state)
{
	static const char variables[] = ".global .align 4 .u32 index[64]; .global .align 8 .u32 counts[64];";
	static const char body[] =
	    "mov.u64 %%rd5, %s; add.s64 %%rd5, %%rd5, %%rd2; ld.global.u32 %%r5, [%%rd5];\n"
	    "mul.wide.s32 %%rd6, %%r5, 4; add.s64 %%rd6, %%rd0, %%rd6; ld.global.f32 %%f0, [%%rd6];\n"
	    "st.global.f32 [%%rd4], %%f0;\n"
	    "shfl.sync.idx.b32 %%r6|%%p1, %%r2, 0, 31, -1; mul.wide.s32 %%rd7, %%r6, 4; mov.u64 %%rd8, %s\n"
	    "add.s64 %%rd7, %%rd8, %%rd7; st.global.u32 [%%rd7], 1;";
	char text[1024];

	(void)state;
	snprintf(text, sizeof text, body, "index", "counts;");
	assert_true(hold(variables, text, (struct params){ARENA, ARENA + 4, 64, 0}));
	assert_false(hold(variables, text, (struct params){ARENA, ARENA, 64, 0}));
	snprintf(text, sizeof text, body, "counts", "counts;");
	assert_false(hold(variables, text, (struct params){ARENA, ARENA + 4, 64, 0}));
	/* Where it goes is a word in memory. */
	snprintf(text, sizeof text, body, "index", "0; ld.global.u64 %rd8, [counts];");
	assert_false(hold(variables, text, (struct params){ARENA, ARENA + 4, 64, 0}));
}

/* Code of other functions is not followed. */
static void test_calls(void **state)
{
	static const char put[] = ".func put(.param .u64 to) { .reg .b64 %a; ld.param.u64 %a, [to];\n"
				  "st.global.u32 [%a], 1; ret; }";

	(void)state;
	assert_false(hold(put,
			  "ld.global.f32 %f0, [%rd3]; { .param .u64 to; st.param.u64 [to], %rd4; call put, (to); }",
			  (struct params){ARENA, ARENA + 0x8000, 4, 0}));
}

/* Pointers that the kernel takes out of a table are those that the launch saw, so all reads of the table count. */
static void test_a_table_of_pointers(void **state)
{
	static const char through[] = "ld.volatile.global.u64 %rd5, [%rd0]; ld.global.f32 %f0, [%rd5];\n"
				      "st.global.f32 [%rd4], %f0;";

	(void)state;
	assert_true(hold("", through, (struct params){ARENA, ARENA + 8, 100, 0}));
	assert_false(hold("", through, (struct params){ARENA, ARENA + 4, 100, 0}));
	words[0] = ARENA + 0x8000; /* where the pointer leads is not followed */
	assert_false(hold("", through, (struct params){ARENA, ARENA + 8, 100, 0}));
	words[0] = 0;
}

/* Memory that is not the program's own may be mapped at two addresses. */
static void test_other_memory(void **state)
{
	(void)state;
	assert_false(hold("", copy, (struct params){ARENA, 0x700000, 100, 0}));
	assert_false(hold("", copy, (struct params){0x700000, ARENA, 100, 0}));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_parts_of_one_allocation),
	    cmocka_unit_test(test_reads_around_a_write),
	    cmocka_unit_test(test_every_write_counts),
	    cmocka_unit_test(test_writes_elsewhere),
	    cmocka_unit_test(test_calls),
	    cmocka_unit_test(test_a_table_of_pointers),
	    cmocka_unit_test(test_other_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
