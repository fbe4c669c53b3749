/*
 * A kernel that listens: while it runs, others may tell it that they have written what it reads. At `strict` only the
 * program's own promises are marked in it; at `guarded` the launch decides.
 */
#include "ptx-analyzer/language/text/ptx_text.h"
#include "ptx-analyzer/readonly/analysis.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

/* A kernel that does `text` before it loads from p by `load`, and the loads that may be marked at each level. */
static const struct listener {
	const char *name, *text, *load;
	uint32_t strict, guarded;
} listeners[] = {
    {"nothing", "", "ld.global.u32", 1, 1},
    {"acquiring load", "ld.acquire.sys.global.u32 %r1, [%rd2];", "ld.global.u32", 0, 1},
    {"volatile load", "ld.volatile.global.u32 %r1, [%rd2];", "ld.global.u32", 0, 1},
    {"relaxed load", "ld.relaxed.gpu.global.u32 %r1, [%rd2];", "ld.global.u32", 0, 1},
    {"fence", "fence.acq_rel.gpu;", "ld.global.u32", 0, 1},
    {"membar", "membar.sys;", "ld.global.u32", 0, 1},
    {"fence in a function", "call wait;", "ld.global.u32", 0, 1},
    {"fence of the CTA alone", "fence.acq_rel.cta;", "ld.global.u32", 1, 1},
    {"acquiring load of the CTA alone", "ld.acquire.cta.global.u32 %r1, [%rd2];", "ld.global.u32", 1, 1},
    {"fence that is never executed",
     "mov.u32 %r1, 0; setp.eq.u32 %p1, %r1, 0; @%p1 bra over; membar.sys; over:", "ld.global.u32", 1, 1},
    {"the program's own promise", "membar.sys;", "ld.global.nc.u32", 1, 1},
};

static struct ptx_module *module_of(const struct listener *l)
{
	char text[1024];
	struct diag d = DIAG_INIT;
	struct ptx_module *m;
	int len = snprintf(
	    text, sizeof text,
	    ".version 8.0\n.target sm_80\n.address_size 64\n.func wait()\n{\nmembar.gl;\nret;\n}\n"
	    ".visible .entry k(.param .u64 p, .param .u64 q)\n{\n.reg .b64 %%rd<4>; .reg .b32 %%r<4>; .reg .pred %%p<2>;\n"
	    "ld.param.u64 %%rd1, [p]; ld.param.u64 %%rd2, [q];\n%s\n%s %%r2, [%%rd1];\nret;\n}\n",
	    l->text, l->load);

	m = ptx_parse("listener", text, (size_t)len, &d);
	if (!m)
		fail_msg("%s: line %u: %s", l->name, d.line, d.message);
	return m;
}

static void check_level(const struct listener *l, enum alias_level level, uint32_t marked)
{
	struct ptx_module *m = module_of(l);
	struct ptx_analysis *a = ptx_analyze(m, level);
	const struct kernel_facts *facts = ptx_kernel_facts(a, "k");

	if (facts->loads_marked != marked)
		fail_msg("%s, %s: %u loads marked instead of %u", l->name, level == ALIAS_STRICT ? "strict" : "guarded",
			 facts->loads_marked, marked);
	ptx_analysis_free(a);
	ptx_module_free(m);
}

static void test_who_listens_is_not_marked_at_strict(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof listeners / sizeof *listeners; i++) {
		check_level(&listeners[i], ALIAS_STRICT, listeners[i].strict);
		check_level(&listeners[i], ALIAS_GUARDED, listeners[i].guarded);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_who_listens_is_not_marked_at_strict)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
