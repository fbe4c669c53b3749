/*
 * Byte ranges as text: what is said of guards, loops and products, where only one bound is known, and why there is
 * none. Numbers of texts are held against execution by test_random.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/diag.h"
#include "common/strbuf.h"
#include "ptx-analyzer/language/text/ptx_text.h"
#include "ptx-analyzer/ranges/range_text.h"

#include <string.h>

/* %rd0 is the pointer p, %r0 n, %r1 m, %r2 the thread in the grid, %r3 in the CTA. The last access counts. */
static const struct {
	const char *body, *text;
} cases[] = {
    {"mul.wide.s32 %rd1, %r2, 4; add.s64 %rd1, %rd1, %rd0; ld.global.f32 %f0, [%rd1];", "p[0 .. 4*ntid.x*nctaid.x)"},
    {"setp.ge.s32 %p0, %r2, %r0; @%p0 bra END; mul.wide.s32 %rd1, %r2, 4; add.s64 %rd1, %rd1, %rd0;\n"
     "st.global.f32 [%rd1+-4], %f0; END:",
     "p[-4 .. 4*n - 4)"},
    {"setp.ge.u32 %p0, %r2, %r0; @%p0 ret; mul.wide.u32 %rd1, %r2, 8; add.s64 %rd1, %rd1, %rd0;\n"
     "ld.global.f64 %fd0, [%rd1];",
     "p[0 .. 8*n)"},
    {"setp.ge.s32 %p0, %r2, %r0; @%p0 ret; setp.ge.s32 %p1, %r3, %r1; @%p1 ret;\n"
     "mad.lo.s32 %r4, %r2, %r1, %r3; mul.wide.s32 %rd1, %r4, 4; add.s64 %rd1, %rd1, %rd0;\n"
     "ld.global.f32 %f0, [%rd1];",
     "p[0 .. 4*m*n)"},
    {"mov.u32 %r4, %r2; L: setp.ge.s32 %p0, %r4, %r0; @%p0 bra END; mul.wide.s32 %rd1, %r4, 4;\n"
     "add.s64 %rd1, %rd1, %rd0; st.global.f32 [%rd1], %f0; add.s32 %r4, %r4, 256; bra L; END:",
     "p[0 .. 4*n)"},
    {"setp.lt.s32 %p0, %r0, 1; @%p0 ret; mov.b64 %rd1, %rd0; mov.u32 %r4, 0;\n"
     "L: ld.global.f32 %f0, [%rd1]; add.s64 %rd1, %rd1, 4;\n"
     "add.s32 %r4, %r4, 1; setp.lt.s32 %p0, %r4, %r0; @%p0 bra L;",
     "p[0 .. 4*n)"},
    {"mul.wide.s32 %rd2, %r0, 4; add.s64 %rd2, %rd2, %rd0; mov.b64 %rd1, %rd0;\n"
     "L: ld.global.f32 %f0, [%rd1]; add.s64 %rd1, %rd1, 4; setp.ne.s64 %p0, %rd1, %rd2; @%p0 bra L;",
     "p[0 .. 4*n)"},
    {"and.b32 %r4, %r2, 15; mul.wide.s32 %rd1, %r4, 4; add.s64 %rd1, %rd1, %rd0; ld.global.f32 %f0, [%rd1];",
     "p[0 .. 64)"},
    {"min.s32 %r4, %r2, %r0; max.s32 %r4, %r4, 0; mul.wide.s32 %rd1, %r4, 1; add.s64 %rd1, %rd1, %rd0;\n"
     "ld.global.b8 %r5, [%rd1];",
     "p[max(min(0, n), 0) .. max(min(ntid.x*nctaid.x - 1, n), 0) + 1)"},
    {"ld.global.s32 %r4, [%rd0]; mul.wide.s32 %rd1, %r4, 4; add.s64 %rd1, %rd1, %rd0; ld.global.f32 %f0, [%rd1];",
     "unknown: a number from memory is in its address"},
    {"ld.global.s32 %r4, [%rd0]; setp.ge.u32 %p0, %r4, %r0; @%p0 ret; mul.wide.s32 %rd1, %r4, 4;\n"
     "add.s64 %rd1, %rd1, %rd0; ld.global.f32 %f0, [%rd1];",
     "p[0 .. 4*n)"},
    {"shfl.sync.idx.b32 %r4, %r2, 0, 31, -1; mul.wide.s32 %rd1, %r4, 4;\n"
     "add.s64 %rd1, %rd1, %rd0; ld.global.f32 %f0, [%rd1];",
     "unknown: a number that romark does not follow is in its address"},
    {"mov.b64 %rd1, %rd0; L: ld.global.b32 %r4, [%rd0]; st.global.f32 [%rd1], %f0; add.s64 %rd1, %rd1, 4;\n"
     "setp.ne.s32 %p0, %r4, 0; @%p0 bra L;",
     "unknown: its loop has no bound that romark knows"},
};

static const char head[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry k(.param .u64 p, .param .u32 n, .param .u32 m)\n{\n"
    "\t.reg .pred %p<4>; .reg .b32 %r<10>; .reg .b64 %rd<8>; .reg .f32 %f<8>; .reg .f64 %fd<4>;\n"
    "\tld.param.u64 %rd0, [p]; ld.param.u32 %r0, [n]; ld.param.u32 %r1, [m];\n"
    "\tcvta.to.global.u64 %rd0, %rd0;\n"
    "\tmov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"
    "\tmad.lo.s32 %r2, %r2, %r3, %r4; mov.u32 %r3, %tid.x;\n";

static void name_param(void *data, uint64_t place, struct strbuf *out)
{
	(void)data;
	strbuf_adds(out, place == 0 ? "p" : place == 8 ? "n" : "m");
}

static void check_text(const char *body, const char *expected)
{
	const struct range_base base = {.number = 0, .name = "p"};
	const struct sum_names names = {.param = name_param};
	struct strbuf source = STRBUF_INIT, text = STRBUF_INIT;
	struct diag d = DIAG_INIT;
	struct range_texts *texts;
	struct kernel_ranges *k;
	struct ptx_module *m;
	struct ptx_function *f;
	uint32_t last = 0;

	strbuf_addf(&source, "%s\t%s\n\tret;\n}\n", head, body);
	m = ptx_parse("text", source.data, source.len, &d);
	if (!m)
		fail_msg("line %u: %s\n%s", d.line, d.message, body);
	f = ptx_find_function(m, "k");
	for (uint32_t i = 0; i < f->ninsts; i++)
		if (f->insts[i].opcode->space == PTX_SPACE_GLOBAL && f->insts[i].opcode->op != PTX_OP_cvta)
			last = i;
	k = ptx_ranges_prepare(f);
	texts = ptx_range_texts(k);
	assert_int_equal(ptx_range_text(texts, last, &base, 1, &names, &text), strncmp(expected, "unknown", 7) != 0);
	if (strcmp(text.data, expected) != 0)
		fail_msg("%s\nis %s, not %s", body, text.data, expected);
	ptx_range_texts_free(texts);
	ptx_ranges_free(k);
	ptx_module_free(m);
	strbuf_release(&source);
	strbuf_release(&text);
}

static void test_each_text(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
		check_text(cases[i].body, cases[i].text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_text)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
