/*
 * Soundness by execution: random kernels that do everything to pointers which a program may, run on the CPU device with
 * every store checked against what marked loads have read.
 */
#include "common/strbuf.h"
#include "ptx-analyzer/readonly/analysis.h"
#include "tests/runtime/cpu/harness.h"
#include "tests/ptx-analyzer/readonly/random_kernels.h"

enum { KERNELS = 2000, BUFFER_BYTES = 64 << 10, MIDDLE = BUFFER_BYTES / 2 };

static unsigned marks_in(const char *text)
{
	struct diag d = DIAG_INIT;
	struct ptx_module *m = ptx_parse("generated", text, strlen(text), &d);
	struct ptx_analysis *a;
	unsigned marked;

	if (!m)
		fail_msg("line %u: %s\n%s", d.line, d.message, text);
	a = ptx_analyze(m, ALIAS_GUARDED);
	marked = ptx_kernel_facts(a, "k")->loads_marked;
	ptx_analysis_free(a);
	ptx_module_free(m);
	return marked;
}

/* --- Running them --- */

struct memory_set {
	char *buffers[RANDOM_BUFFERS + 2], *members[2];
	uint64_t *table;
	uint32_t *indices;
};

static void allocate(struct memory_set *m)
{
	for (int i = 0; i < RANDOM_BUFFERS + 2; i++)
		m->buffers[i] = harness_alloc(BUFFER_BYTES, "buffer");
	for (int i = 0; i < 2; i++)
		m->members[i] = harness_alloc(BUFFER_BYTES, "member");
	m->table = harness_alloc(RANDOM_SLOTS * 8, "table");
	m->indices = harness_alloc(64, "indices");
	for (uint32_t i = 0; i < 16; i++)
		m->indices[i] = i * 3;
}

/* Mostly separate memory; now and then pointers that alias, which the guards must find. */
static void run(const struct memory_set *m, struct device_module *module, const char *text)
{
	const struct harness_launch shape = {{2, 1, 1}, {32, 1, 1}, 64, false};
	uint64_t params[8];

	for (int i = 0; i < RANDOM_BUFFERS; i++)
		params[i] =
		    DEVICE_POINTER(m->buffers[random_below(8) ? i : (int)random_below(RANDOM_BUFFERS)] + MIDDLE);
	params[4] = DEVICE_POINTER(m->table);
	params[5] = DEVICE_POINTER(m->indices);
	for (int i = 0; i < 2; i++)
		params[6 + i] = DEVICE_POINTER(
		    (random_below(8) ? m->members[i] : m->buffers[random_below(RANDOM_BUFFERS)]) + MIDDLE);
	for (int i = 0; i < RANDOM_SLOTS; i++)
		m->table[i] = DEVICE_POINTER(
		    m->buffers[random_below(3) ? RANDOM_BUFFERS + random_below(2) : random_below(RANDOM_BUFFERS)] +
		    MIDDLE);
	if (harness_run(module, "k", &shape, params, 8) != DEVICE_OK)
		fail_msg("%s\n%s", harness_diag.message, text);
}

static void test_random_kernels(void **state)
{
	const char *asked = getenv("ROMARK_RANDOM_KERNELS"); /* for long runs: 100000 take a few minutes */
	unsigned kernels = asked ? (unsigned)strtoul(asked, NULL, 10) : KERNELS, marked = 0;
	struct memory_set memory;

	(void)state;
	allocate(&memory);
	for (unsigned i = 0; i < kernels; i++) {
		struct strbuf text = random_kernel();
		struct device_module *module;

		marked += marks_in(text.data) > 0;
		module = harness_load(text.data);
		run(&memory, module, text.data);
		run(&memory, module, text.data);
		harness_unload(module);
		strbuf_release(&text);
	}
	/* The check would say little if hardly any kernel had a mark. */
	assert_true(marked > kernels / 4);
}

/* That the check can fail: a promise (.nc) that the launch breaks, which no guard covers. */
static void test_broken_promise_is_caught(void **state)
{
	const char *text = ".version 8.0\n.target sm_80\n.address_size 64\n"
			   ".visible .entry k(.param .u64 a, .param .u64 b)\n{\n.reg .b64 %rd<3>; .reg .f32 %f<2>;\n"
			   "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.global.nc.f32 %f1, [%rd1];\n"
			   "st.global.f32 [%rd2], %f1; ret;\n}\n";
	const struct harness_launch shape = {{1, 1, 1}, {1, 1, 1}, 0, false};
	struct device_module *module = harness_load(text);
	char *buffer = harness_alloc(256, "buffer"), *other = harness_alloc(256, "other");
	const uint64_t same[] = {DEVICE_POINTER(buffer), DEVICE_POINTER(buffer)};
	const uint64_t apart[] = {DEVICE_POINTER(buffer), DEVICE_POINTER(other)};

	(void)state;
	harness_run_ok(module, "k", &shape, apart, 2);
	assert_int_not_equal(harness_run(module, "k", &shape, same, 2), DEVICE_OK);
	harness_unload(module);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_random_kernels),
	    cmocka_unit_test(test_broken_promise_is_caught),
	};
	int failed;

	setenv("ROMARK_VERIFY", "1", 1);
	setenv("ROMARK_QUIET", "1", 1);
	harness_open();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	harness_close();
	return failed;
}
