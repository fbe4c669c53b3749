/* Each error of a text is reported with its line, its column and a sentence. No text crashes or hangs the parser. */
#include "common/vec.h"
#include "ptx-analyzer/flow/cfg.h"
#include "ptx-analyzer/language/text/ptx_text.h"
#include "tests/ptx-analyzer/language/ptxtest.h"

static void expect_error(const char *text, unsigned line, unsigned column, const char *message)
{
	struct diag d = DIAG_INIT;
	struct ptx_module *m = ptx_parse("test.ptx", text, strlen(text), &d);

	if (m)
		fail_msg("this was taken for PTX; expected '%s':\n%s", message, text);
	if (d.line != line || d.column != column || !strstr(d.message, message))
		fail_msg("%u:%u: %s; expected %u:%u: %s", d.line, d.column, d.message, line, column, message);
	assert_string_equal(d.file, "test.ptx");
}

static void test_instructions(void **state)
{
	static const struct {
		const char *text;
		unsigned line, column;
		const char *message;
	} rows[] = {
	    {KERNEL("foo.s32 %r1, %r2;"), 7, 1, "unknown instruction 'foo.s32'"},
	    {KERNEL("ld.global.xyz.u32 %r1, [%d1];"), 7, 10, "unknown modifier '.xyz'"},
	    {KERNEL("add.row.s32 %r1, %r2, %r3;"), 7, 4, "'.row' is not allowed on 'add'"},
	    {KERNEL("ld.global %r1, [%d1];"), 7, 1, "needs a type"},
	    {KERNEL("add.s32 %r1, %r2;"), 7, 1, "takes 3 operands, not 2"},
	    {KERNEL("add.s32 %r1, %r2, %r3, %r4;"), 7, 1, "takes 3 operands, not 4"},
	    {KERNEL("ret;\nadd.s32 %r1, %rx, %r3;"), 8, 14, "register '%rx' is not declared"},
	    {KERNEL("add.s32 %r1, %r2, %r32;"), 7, 19, "register '%r32' is not declared"},
	    {KERNEL("add.s32 %r1, %d2, %r3;"), 7, 14, "is .b64, but 32 bits of integer"},
	    {KERNEL("add.f32 %f1, %f2, %fd3;"), 7, 19, "is .f64"},
	    {KERNEL("add.s32 %r1, %f2, %r3;"), 7, 14, "is .f32"},
	    {KERNEL("add.f32 %f1, %f2, 1;"), 7, 19, "floating-point number is wanted"},
	    {KERNEL("add.s32 %r1, %r2, 1.5;"), 7, 19, "an integer is wanted"},
	    {KERNEL("add.s32 5, %r2, %r3;"), 7, 9, "must be a register"},
	    {KERNEL("selp.s32 %r1, %r2, %r3, %r4;"), 7, 25, "a predicate is wanted"},
	    {KERNEL("@%r1 ret;"), 7, 2, "a predicate is a register of type .pred"},
	    {KERNEL("ld.global.u32 %r1, %d1;"), 7, 20, "must be an address"},
	    {KERNEL("add.s32 %r1, %r2, [%d1];"), 7, 19, "cannot be an address"},
	    {KERNEL("ld.global.u32 %r1, [%h1];"), 7, 20, "an address has 32 or 64 bits"},
	    {KERNEL("ld.global.u32 %r1, [nowhere];"), 7, 21, "'nowhere' is not declared"},
	    {KERNEL("ld.global.v2.u32 {%r1, %r2, %r3}, [%d1];"), 7, 18, "has 3 elements, but 2 are wanted"},
	    {KERNEL("ld.global.v2.u32 %r1, [%d1+4;"), 7, 29, "expected ']'"},
	    {KERNEL("mov.b64 %d1, {%r1, %h1};"), 7, 14, "has 48 bits in 2 parts, but 64"},
	    {KERNEL("bra nowhere;"), 7, 5, "'nowhere' is not declared"},
	    {KERNEL("tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%d1, L]; L:"), 7, 47, "'L' is not declared"},
	    {KERNEL("call (L), f, (%r1); L:"), 7, 7, "'L' is not declared"},
	    {KERNEL("t: .branchtargets A; A: bra t;"), 7, 29, "is not a label"},
	    {KERNEL("bra t; t: .branchtargets A; A: ret;"), 7, 5, "'t' is not a label"},
	    {KERNEL("brx.idx %r1, A; A: ret;"), 7, 14, "not a list of targets"},
	    {KERNEL("brx.idx %r1, a;"), 7, 14, "not a list of .branchtargets"},
	    {KERNEL("call %d1, (), f;"), 7, 1, "a call reads"},
	    {KERNEL("add.s32 %r1, %r2+4, 1;"), 7, 17, "in an address"},
	    {KERNEL("add.b32 %r1, %r2, %r3;"), 7, 1, "'add' has no form of type .b32"},
	    {KERNEL("mul.s32 %r1, %r2, %r3;"), 7, 1, "needs .hi or .lo for this type"},
	    {KERNEL("fma.f32 %f1, %f1, %f1, %f1;"), 7, 1, "needs a rounding modifier"},
	    {KERNEL("atom.global.exch.u32 %r1, [%d1], %r2;"), 7, 1, "'atom.exch' has no form of type .u32"},
	    {KERNEL("atom.global.add.u32 %r1, [%d1], %r2, %r3;"), 7, 1, "takes 3 operands, not 4"},
	    {KERNEL("atom.global.cas.b32 %r1, [%d1], %r2;"), 7, 1, "takes 4 operands, not 3"},
	    {KERNEL("atom.global.add.L2::cache_hint.u32 %r1, [%d1], %r2, %r3;"), 7, 53, "64 bits of any kind"},
	    {KERNEL("cvt.rn.bf16x2.f32 %r1, %f2;"), 7, 1, "takes 3 operands, not 2"},
	    {KERNEL("cvt.pack.sat.s8.s32.b32 %r1, %r2, %r3;"), 7, 1, "takes 4 operands, not 3"},
	    {KERNEL("cvt.pack.sat.s8.s32 %r1, %r2, %r3;"), 7, 1, "no form with these types"},
	    {KERNEL("cp.async.ca.shared.global [%r1], [%d1], 4, 4, 4;"), 7, 1, "takes at most 4 operands, not 5"},
	    {KERNEL("lop3.b32 %r1, %r2, %r3, %r4, %r5;"), 7, 30, "must be a number"},
	    {KERNEL("lop3.or.b32 %r1, %r2, %r3, %r4, 1, %p1;"), 7, 13, "must be a pair"},
	    {KERNEL("mov.pred %p1|%p2, %p3;"), 7, 10, "which this instruction does not have"},
	    {KERNEL("not.pred !%p1, %p2;"), 7, 10, "cannot have '!'"},
	    {KERNEL("add.s32 %r1, %r2, _;"), 7, 19, "'_'"},
	    {KERNEL("mov.b32 %r1, %r2.x;"), 7, 18, "no part '.x'"},
	    {KERNEL("mov.b32 %r1, %r2.b1;"), 7, 14, "only video instructions"},
	    {KERNEL(".reg .v2 .b32 v; mov.b32 %r1, v.z;"), 7, 33, "no component '.z'"},
	    {KERNEL(".reg .v2 .b32 v; mov.b32 %r1, v;"), 7, 31, "64 bits in 2 parts, but 32"},
	    {KERNEL(".reg .v2 .b32 v; add.s32 %r1, v, 1;"), 7, 31, "has 2 elements, but 1 is wanted"},
	    {KERNEL(".reg .v4 .b64 v;"), 7, 15, "at most 128 bits"},
	    {KERNEL(".reg .v2 .pred v;"), 7, 16, "no vectors of predicates"},
	    {KERNEL("call (%r1), f, (%d1);"), 7, 13, "parameter 1"},
	    {KERNEL("call (%d1), f, (%r1);"), 7, 13, "result 1"},
	    {KERNEL("call (%r1), f, ([%d1]);"), 7, 13, "parameter 1"},
	    {KERNEL("alloca.u64 %d1, %d2, 24;"), 7, 22, "power of two"},
	    {KERNEL("setp.lo.s32 %p1, %r1, %r2;"), 7, 1, "'.lo' does not compare .s32"},
	    {KERNEL("cvt.s32.f32 %r1, %f2;"), 7, 1, "such as .rzi"},
	    {KERNEL("cvta.u64 %d1, %d2;"), 7, 1, "needs a state space"},
	    {KERNEL("ld.relaxed.u32 %r1, [%d2];"), 7, 1, "needs a scope"},
	    {KERNEL("st.const.u32 [%d2], %r1;"), 7, 1, "not written"},
	    {KERNEL("ld.global.v8.f64 {%fd1}, [%d2];"), 7, 1, "at most 256 bits"},
	    {KERNEL("mov.u64 %d1, %tid.x;"), 7, 14, "special register of 32 bits"},
	    {KERNEL("mov.u32 %r1, %tid;"), 7, 14, "as in %tid.x"},
	    {KERNEL("shfl.sync.b32 %r1, %r2, 1, 31, -1;"), 7, 1, "needs .up, .down, .bfly or .idx"},
	    {KERNEL("bra %r1;"), 7, 5, "is not a label"},
	    {KERNEL("add.s32 %r1, %r2, -%r3;"), 7, 19, "only vmad"},
	    {KERNEL("add.s32 %r1, %r2, %tid.x;"), 7, 19, "only mov reads"},
	    {KERNEL("add.s32 %r1, %r2, %r3"), 8, 1, "expected ',' or ';'"},
	    {KERNEL("call nothing;"), 7, 6, "'nothing' is not declared"},
	    {KERNEL("call a;"), 7, 6, "not a function"},
	    {KERNEL("setp.lt.gt.s32 %p1, %r1, %r2;"), 7, 8, "exclude each other"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		expect_error(rows[i].text, rows[i].line, rows[i].column, rows[i].message);
}

static void test_declarations(void **state)
{
	static const struct {
		const char *text;
		unsigned line, column;
		const char *message;
	} rows[] = {
	    {"", 1, 1, "it has no .version"},
	    {"int main() {}", 1, 1, "expected a directive"},
	    {HEAD ".bogus 3", 4, 2, "unknown directive '.bogus'"},
	    {HEAD ".address_size 16", 4, 15, "32 or 64"},
	    {HEAD ".global x;", 4, 9, "has no type"},
	    {HEAD ".global .f99 x;", 4, 10, "is not allowed in a declaration"},
	    {HEAD ".global .align 3 .b8 x;", 4, 16, "power of two"},
	    {HEAD ".global .b8 x[4] = {1,2,3,4,5};", 4, 29, "more values than"},
	    {HEAD ".global .u64 x = y;", 4, 18, "'y' is not declared"},
	    {HEAD ".global .b8 x;\n.global .b8 x;", 5, 13, "declared twice"},
	    {HEAD ".global .b8 x[4] = {1,2", 4, 24, "expected '}'"},
	    {HEAD ".global .b8 x[-1];", 4, 15, "does not fit"},
	    {HEAD ".global .b8 x[999999999999999];", 4, 15, "does not fit"},
	    {HEAD ".global .b8 x[4/0];", 4, 16, "division by zero"},
	    {HEAD ".reg .b32 %r<5>;", 4, 2, "inside a function"},
	    {HEAD ".entry k() {", 4, 12, "is not closed"},
	    {HEAD ".entry k() { ret; }\n.entry k() { ret; }", 5, 8, "two bodies"},
	    {HEAD ".entry k(.global .b8 x) { ret; }", 4, 10, "a .param or a .reg"},
	    {HEAD ".entry k() .maxntid 1,2,3,4 { ret; }", 4, 20, "at most 3"},
	    {HEAD ".entry k() .frobnicate { ret; }", 4, 13, "is not allowed between"},
	    {KERNEL(".reg .b32 %r<9>;"), 7, 11, "declared twice"},
	    {KERNEL(".reg .b32 x<99999999>;"), 7, 11, "at most"},
	    {KERNEL("L: ret; L: ret;"), 7, 9, "declared twice"},
	    {KERNEL("{ L: ret; } bra L;"), 7, 17, "'L' is not declared"},
	    {KERNEL("{ .reg .b32 y; } mov.b32 y, 1;"), 7, 26, "'y' is not declared"},
	    {KERNEL(".version 3.2"), 7, 2, "is not allowed inside a function"},
	    {KERNEL("mov.b32 %r1, 0x;"), 7, 16, "expected a digit"},
	    {KERNEL("mov.b32 %r1, 0f3F80;"), 7, 14, "has 8 hexadecimal digits"},
	    {KERNEL("mov.b64 %d1, 18446744073709551616;"), 7, 14, "more than 64 bits"},
	    {KERNEL("mov.b32 %r1, 12abc;"), 7, 16, "inside a number"},
	    {KERNEL("/* never closed"), 7, 1, "has no end"},
	    {KERNEL(".pragma \"open;"), 7, 9, "no closing quote"},
	    {HEAD ".file 1 \"a\n", 4, 9, "no closing quote"},
	    {HEAD ".section .debug_info {", 4, 1, "has no end"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		expect_error(rows[i].text, rows[i].line, rows[i].column, rows[i].message);
}

static void test_excerpt_and_caret(void **state)
{
	struct diag d = DIAG_INIT;
	const char *text = KERNEL("ret;\n  add.s32 %r1, %nope, %r3;\nret;");

	(void)state;
	assert_null(ptx_parse("test.ptx", text, strlen(text), &d));
	assert_string_equal(d.excerpt, "  add.s32 %r1, %nope, %r3;");
	assert_int_equal(d.caret, 15);
	assert_null(ptx_parse("test.ptx", text, strlen(text), NULL));
}

/* Repeats `piece` n times between two texts. */
static char *repeated(const char *before, const char *piece, size_t n, const char *after)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_adds(&sb, before);
	for (size_t i = 0; i < n; i++)
		strbuf_adds(&sb, piece);
	strbuf_adds(&sb, after);
	return strbuf_detach(&sb);
}

static void test_depth_is_no_danger(void **state)
{
	static const char *const openings[] = {"(", "-", "~", "!", "1+(", "1?", "(.s64)"};
	struct strbuf text = STRBUF_INIT;
	struct diag d = DIAG_INIT;
	struct ptx_module *m;
	char *many;

	(void)state;
	/* scopes: as deep as memory goes */
	many = repeated(HEAD ".entry k() {\n.reg .pred %p;\n", "{ L: @%p bra L; bra M; ", 100000, "");
	strbuf_adds(&text, many);
	free(many);
	for (int i = 0; i < 100000; i++)
		strbuf_adds(&text, "}");
	strbuf_adds(&text, " M: ret; }");
	m = ptx_parse("deep", text.data, text.len, &d);
	assert_non_null(m);
	assert_int_equal(ptx_build_cfg(&m->functions[0], &d), 0);
	ptx_module_free(m);
	strbuf_release(&text);

	/* expressions, operands and initialisers: an error, not a crash */
	for (size_t i = 0; i < sizeof(openings) / sizeof(openings[0]); i++) {
		many = repeated(HEAD ".global .b8 x[", openings[i], 100000, "1");
		assert_null(ptx_parse("deep", many, strlen(many), &d));
		free(many);
	}
	many = repeated(KERNEL("mov.b32 %r1, "), "{", 100000, "");
	assert_null(ptx_parse("deep", many, strlen(many), &d));
	free(many);
	many = repeated(HEAD ".global .b8 x[4] = ", "{", 100000, "");
	assert_null(ptx_parse("deep", many, strlen(many), &d));
	free(many);
}

/* Cut anywhere, or with a byte changed, a text is parsed or refused with a place inside it. */
static void test_damaged_text(void **state)
{
	char text[4096];
	size_t size;

	(void)state;
	snprintf(text, sizeof(text), "%s",
		 KERNEL(".loc 1 2 3, function_name x+1, inlined_at 1 2 3\n.shared .b32 s[4];\n"
			"L: @!%p1 ld.global.v2.f32 {%f1, _}, [%d1+-4];\nt: .branchtargets L, M;\nbrx.idx %r1, t;\n"
			"mov.b32 %r1, (1<<2)+3; { .param .b32 o; call (o), g, (o); } M: ret; }\n"
			".func (.param .b32 a) g(.param .b32 b) { /* x */ ret; // y\n"));
	size = strlen(text);
	for (size_t i = 0; i < size; i++) {
		struct diag d = DIAG_INIT;
		struct ptx_module *m = ptx_parse("cut", text, i, &d);

		assert_true(m || (d.line >= 1 && d.column >= 1 && d.message[0]));
		ptx_module_free(m);
	}
	for (size_t i = 0; i < size; i++)
		for (int c = 0; c < 3; c++) {
			char old = text[i];
			struct diag d = DIAG_INIT;
			struct ptx_module *m;

			text[i] = "\0}\""[c];
			m = ptx_parse("changed", text, size, &d);
			assert_true(m || (d.line >= 1 && d.column >= 1));
			ptx_module_free(m);
			text[i] = old;
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_instructions),      cmocka_unit_test(test_declarations),
	    cmocka_unit_test(test_excerpt_and_caret), cmocka_unit_test(test_depth_is_no_danger),
	    cmocka_unit_test(test_damaged_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
