/* Statements outside a module: placeholders are registers, and what a module would refuse has a meaning. */
#include "ptx-analyzer/language/text/fragment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct ptx_module *read(const char *text, unsigned noperands)
{
	struct diag d = DIAG_INIT;
	struct ptx_module *m = ptx_parse_fragment(text, strlen(text), noperands, &d);

	if (!m)
		print_message("%s: %s\n", text, d.message);
	return m;
}

static const struct ptx_inst *only_inst(const struct ptx_module *m)
{
	assert_non_null(m);
	assert_int_equal(m->functions[0].ninsts, 1);
	return &m->functions[0].insts[0];
}

static void test_placeholders_are_the_first_registers(void **state)
{
	static const char *const forms[] = {"ld.global.u32 $0, [$1+4];", "ld.global.u32 ${0}, [${1:x}+4]",
					    "/* [$1] */ ld.global.u32 $0,\n\t[$1+4]; // $$x"};

	(void)state;
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		struct ptx_module *m = read(forms[i], 2);
		const struct ptx_inst *inst = only_inst(m);

		assert_int_equal(inst->opcode->op, PTX_OP_ld);
		assert_int_equal(inst->operands[0].id, 0);
		assert_int_equal(inst->operands[1].kind, PTX_OPERAND_MEM);
		assert_int_equal(inst->operands[1].elems[0].id, 1);
		assert_int_equal(inst->operands[1].imm, 4);
		ptx_module_free(m);
	}
}

static void test_other_dollars_are_refused(void **state)
{
	static const char *const texts[] = {"mov.u32 $, 1;", "mov.u32 $x, 1;", "mov.u32 ${0, 1;", "$(a$|b$)",
					    "mov.u32 ${:comment}, 1;"};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		assert_null(ptx_parse_fragment(texts[i], strlen(texts[i]), 1, NULL));
}

static void test_unknown_instructions_keep_their_operands(void **state)
{
	struct ptx_module *m = read("frobnicate.global.u32 [$0], $1;", 2);
	const struct ptx_inst *inst = only_inst(m);

	(void)state;
	assert_int_equal(inst->opcode->op, PTX_OP_invalid);
	assert_int_equal(inst->noperands, 2);
	assert_int_equal(inst->operands[0].kind, PTX_OPERAND_MEM);
	ptx_module_free(m);
	/* A known name with too few operands is not known either: its roles would not fit. */
	m = read("st.global.u32 [$0];", 1);
	assert_int_equal(only_inst(m)->opcode->op, PTX_OP_invalid);
	ptx_module_free(m);
}

static void test_names_from_elsewhere(void **state)
{
	struct ptx_module *m = read("st.global.u64 [elsewhere], %rd1;", 0);
	const struct ptx_inst *inst = only_inst(m);

	(void)state;
	assert_int_equal(inst->operands[0].elems[0].kind, PTX_OPERAND_SYMBOL);
	assert_int_equal(inst->operands[0].elems[0].id, PTX_FRAGMENT_ELSEWHERE);
	assert_int_equal(inst->operands[1].id, PTX_FRAGMENT_ELSEWHERE);
	ptx_module_free(m);
	m = read("{ .shared .b32 own; st.shared.u32 [own], $0; }", 1);
	assert_int_not_equal(only_inst(m)->operands[0].elems[0].id, PTX_FRAGMENT_ELSEWHERE);
	ptx_module_free(m);
	m = read("call (retval), f, (param);", 0);
	assert_int_equal(only_inst(m)->opcode->op, PTX_OP_call);
	ptx_module_free(m);
}

static void test_scopes_and_labels_may_be_parts(void **state)
{
	static const char *const texts[] = {
	    "{ .reg .pred p;", "}", "} {", "@p bra away;", "again: bra again;", "bra ${1:l};", "@$0 bra out; out:",
	};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct ptx_module *m = read(texts[i], 1);

		assert_non_null(m);
		ptx_module_free(m);
	}
}

static void test_constants_as_operands(void **state)
{
	static const char *const texts[] = {"ld.global.u32 $0, [$1+$2];", "ld.global.u32 $0, [$1 + $2];",
					    "ld.global.u32 $0, [$1-$2];"};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct ptx_module *m = read(texts[i], 3);

		assert_int_equal(only_inst(m)->operands[1].count, 2);
		assert_int_equal(m->functions[0].insts[0].operands[1].elems[1].id, 2);
		ptx_module_free(m);
	}
}

static void test_what_is_no_statement_is_an_error(void **state)
{
	static const char *const texts[] = {
	    "ld.global.u32 $0 [$1];",      "@", "mov.u32 $0, \"text\";", "/* open", "a b c", ".func f() { }",
	    "ld.global.u32 $0, [[$1]];;;)"};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct diag d = DIAG_INIT;

		assert_null(ptx_parse_fragment(texts[i], strlen(texts[i]), 2, &d));
		assert_true(d.message[0] != '\0');
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_placeholders_are_the_first_registers),
	    cmocka_unit_test(test_other_dollars_are_refused),
	    cmocka_unit_test(test_unknown_instructions_keep_their_operands),
	    cmocka_unit_test(test_names_from_elsewhere),
	    cmocka_unit_test(test_scopes_and_labels_may_be_parts),
	    cmocka_unit_test(test_constants_as_operands),
	    cmocka_unit_test(test_what_is_no_statement_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
