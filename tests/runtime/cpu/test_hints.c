/*
 * The cache hints in a load's spelling are in the trace, whatever mark it carries or gets: hint and mark are separate
 * facts.
 */
#include "tests/runtime/cpu/harness.h"

#include "trace/trace.h"

#include <stdio.h>
#include <unistd.h>

static const struct load {
	const char *text; /* without a mark */
	unsigned flags;   /* of its row */
	bool takes_mark;  /* PTX allows .nc beside it, and the analysis gives it the mark */
} loads[] = {
    {"", 0, true},
    {".ca", 0, true},
    {".cg", TRACE_NO_L1, true},
    {".cs", 0, true},
    {".lu", 0, false},
    {".cv", TRACE_NO_L1, false},
    {".L1::no_allocate", TRACE_NO_L1, true},
    {".L1::evict_first", 0, true},
    {".L1::evict_last", 0, true},
    {".L1::no_allocate.L2::128B", TRACE_NO_L1, true},
    {".cg.L2::128B", TRACE_NO_L1, true},
    {".volatile", TRACE_VOLATILE, false},
    {".relaxed.gpu", TRACE_VOLATILE, false},
    {".acquire.sys", TRACE_VOLATILE, false},
    {".weak", 0, true},
};
enum { LOADS = sizeof loads / sizeof *loads, KNOWN = TRACE_READ_ONLY | TRACE_NO_L1 | TRACE_VOLATILE };

static bool is_order(const char *text)
{
	return text[1] == 'v' || text[1] == 'r' || text[1] == 'a' || text[1] == 'w';
}

/* PTX has the order in front of the space, cache operators behind it, then the mark, then hints. */
static void spell(char *to, size_t size, const char *text, const char *mark)
{
	if (text[0] && is_order(text))
		snprintf(to, size, "ld%s.global%s", text, mark);
	else if (strncmp(text, ".cg.", 4) == 0)
		snprintf(to, size, "ld.global.cg%s%s", mark, text + 3);
	else if (strncmp(text, ".L", 2) == 0)
		snprintf(to, size, "ld.global%s%s", mark, text);
	else
		snprintf(to, size, "ld.global%s%s", text, mark);
}

static struct device_module *module_of(const char *mark)
{
	static char text[8192];
	size_t at = (size_t)snprintf(text, sizeof text,
				     ".visible .entry k(.param .u64 data)\n{\n.reg .u64 %%a;\n.reg .u32 %%x;\n"
				     "ld.param.u64 %%a, [data];\ncvta.to.global.u64 %%a, %%a;\n");

	for (unsigned i = 0; i < LOADS; i++) {
		char load[64];

		spell(load, sizeof load, loads[i].text, loads[i].takes_mark ? mark : "");
		at += (size_t)snprintf(text + at, sizeof text - at, "%s.u32 %%x, [%%a];\n", load);
	}
	snprintf(text + at, sizeof text - at, "ret;\n}\n");
	return harness_load(text);
}

/* The rows of the loads are in the order of the text. */
static void check_rows(const char *path, bool marked, const char *setting, const char *mark)
{
	struct trace_launch launch;
	struct diag d = DIAG_INIT;
	struct trace_reader *r = trace_open(path, &d);
	const struct trace_kernel *k;
	unsigned seen = 0;

	assert_non_null(r);
	assert_int_equal(trace_next_launch(r, &launch, &d), 1);
	k = trace_kernel_of(r, launch.kernel);
	for (uint32_t i = 0; i < k->ninsts; i++) {
		const struct trace_inst *inst = &k->insts[i];
		unsigned flags;

		if (inst->cls != TRACE_LOAD || inst->space != TRACE_GLOBAL)
			continue;
		assert_true(seen < LOADS);
		flags = loads[seen].flags | (marked && loads[seen].takes_mark ? TRACE_READ_ONLY : 0);
		if ((inst->flags & KNOWN) != flags)
			fail_msg("ROMARK_LOAD=%s, 'ld.global%s' with '%s': flags %x, not %x", setting, loads[seen].text,
				 mark, inst->flags & KNOWN, flags);
		seen++;
	}
	assert_int_equal(seen, LOADS);
	trace_close(r);
}

static void check(const char *setting, const char *mark, bool marked)
{
	const struct harness_launch one_thread = {.block = {1}};
	char path[] = "/tmp/romark-hints-XXXXXX";
	uint64_t data;

	close(mkstemp(path));
	setenv("ROMARK_LOAD", setting, 1);
	harness_open_with("ROMARK_TRACE", path);
	data = DEVICE_POINTER(harness_alloc(128, "data"));
	harness_run_ok(module_of(mark), "k", &one_thread, &data, 1);
	cpu_device_ops.finish(harness_device());
	check_rows(path, marked, setting, mark);
	unsetenv("ROMARK_LOAD");
	harness_open();
	unlink(path);
}

static void test_marks_of_the_text_leave_hints(void **state)
{
	(void)state;
	check("keep", "", false);
	check("keep", ".ro", true);
	check("keep", ".nc", true);
}

/* Loads that the analysis marks, with either spelling, and earlier marks that it keeps. */
static void test_marks_of_the_analysis_leave_hints(void **state)
{
	static const char *const settings[] = {"ro", "nc"}, *const marks[] = {"", ".ro", ".nc"};

	(void)state;
	for (unsigned i = 0; i < 2; i++)
		for (unsigned k = 0; k < 3; k++)
			check(settings[i], marks[k], true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_marks_of_the_text_leave_hints),
	    cmocka_unit_test(test_marks_of_the_analysis_leave_hints),
	};

	return cmocka_run_group_tests(tests, harness_setup, harness_teardown);
}
