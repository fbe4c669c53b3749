/* A traced kernel's excerpt of PTX: its instructions are the rows of the trace's table, in the same order. */
#include "tests/runtime/cpu/harness.h"

#include "ptx-analyzer/language/text/ptx_text.h"
#include "trace/trace.h"

#include <unistd.h>

/* The functions' rows stand in the order in which the functions are met. */
static const char ptx[] = ".global .align 4 .b8 unused[64];\n"
			  ".func third() { ret; }\n"
			  ".visible .entry other() { ret; }\n"
			  ".func second() { .reg .u32 %r; mov.u32 %r, 1; call third; ret; }\n"
			  ".visible .entry first(.param .u64 out)\n{\n.reg .u64 %d; .reg .u32 %r; .reg .pred %p;\n"
			  "ld.param.u64 %d, [out];\nmov.u32 %r, %tid.x;\nsetp.lt.u32 %p, %r, 7;\n"
			  "@%p bra OUT;\ncall second;\nOUT:\nst.global.u32 [%d], %r;\nret;\n}\n";

/* Returns the number of instructions, each of which has the class of its row. */
static uint32_t compare(const struct ptx_module *m, const struct trace_kernel *kernel)
{
	uint32_t n = 0;

	for (uint32_t f = 0; f < m->nfunctions; f++)
		for (uint32_t i = 0; i < m->functions[f].ninsts; i++, n++) {
			const struct ptx_inst *inst = &m->functions[f].insts[i];

			assert_int_equal(kernel->insts[n].cls == TRACE_STORE, inst->opcode->cls == PTX_CLASS_STORE);
			assert_int_equal(kernel->insts[n].cls == TRACE_CALL, inst->opcode->cls == PTX_CLASS_CALL);
			assert_int_equal(kernel->insts[n].cls == TRACE_INT, inst->opcode->cls == PTX_CLASS_INT);
		}
	return n;
}

static void test_instructions_are_rows(void **state)
{
	static const struct harness_launch launch = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
	char path[] = "/tmp/romark-excerpt-XXXXXX";
	const struct trace_kernel *kernel;
	struct trace_launch traced;
	struct diag d = DIAG_INIT;
	struct trace_reader *r;
	struct ptx_module *m;
	uint64_t out;

	(void)state;
	close(mkstemp(path));
	setenv("ROMARK_QUIET", "1", 1);
	harness_open_with("ROMARK_TRACE", path);
	out = (uint64_t)(uintptr_t)harness_alloc(4, "out");
	harness_run_ok(harness_load(ptx), "first", &launch, &out, 1);
	cpu_device_ops.finish(harness_device());
	r = trace_open(path, &d);
	assert_non_null(r);
	assert_int_equal(trace_next_launch(r, &traced, &d), 1);
	kernel = trace_kernel_of(r, traced.kernel);
	m = ptx_parse("excerpt", kernel->ptx, strlen(kernel->ptx), &d);
	assert_non_null(m);
	assert_int_equal(compare(m, kernel), kernel->ninsts);
	assert_int_equal(kernel->ninsts, 7 + 3 + 1);
	assert_null(strstr(kernel->ptx, "unused"));
	assert_null(strstr(kernel->ptx, "other"));
	ptx_module_free(m);
	trace_close(r);
	unlink(path);
	harness_close();
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_instructions_are_rows)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
