/*
 * Start here: a kernel's way through the PTX analyser. Its text is parsed, the analysis finds which of its data
 * structures are only read, the loads of these get the read-only mark, and the module is printed again. The kernel adds
 * two arrays: c[i] = a[i] + b[i].
 */
#include "ptx-analyzer/language/text/ptx_text.h"
#include "tests/ptx-analyzer/language/ptxtest.h"

#include "ptx-analyzer/readonly/analysis.h"

/* Parameters 0, 1 and 2 are the pointers a, b and c; the analyser calls their memory p0, p1 and p2. */
static const char add_arrays[] = HEAD ".visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c)\n{\n"
				      ".reg .u64 %a, %b, %c, %offset;\n.reg .u32 %i, %x, %y;\n"
				      "ld.param.u64 %a, [a];\nld.param.u64 %b, [b];\nld.param.u64 %c, [c];\n"
				      "cvta.to.global.u64 %a, %a;\ncvta.to.global.u64 %b, %b;\n"
				      "cvta.to.global.u64 %c, %c;\n"
				      "mov.u32 %i, %tid.x;\nmul.wide.u32 %offset, %i, 4;\n"
				      "add.u64 %a, %a, %offset;\nadd.u64 %b, %b, %offset;\nadd.u64 %c, %c, %offset;\n"
				      "ld.global.u32 %x, [%a];\nld.global.u32 %y, [%b];\nadd.u32 %x, %x, %y;\n"
				      "st.global.u32 [%c], %x;\nret;\n}\n";

static void test_each_structure_has_a_verdict(void **state)
{
	struct ptx_module *m = parse_text(add_arrays);
	struct ptx_analysis *a = ptx_analyze(m, ALIAS_GUARDED);
	const struct kernel_facts *k = ptx_kernel_facts(a, "add");

	(void)state;
	assert_int_equal(k->nstructures, 3);
	assert_string_equal(k->structures[0].id, "p0");
	assert_int_equal(k->structures[0].verdict, VERDICT_READ_ONLY);
	assert_int_equal(k->structures[1].verdict, VERDICT_READ_ONLY);
	assert_int_equal(k->structures[2].verdict, VERDICT_WRITE_ONLY);

	/* Nothing in the code says that c is not a or b. So a launch may use the marks only where it is neither. */
	assert_int_equal(k->nguards, 2);
	assert_string_equal(k->structures[k->guards[0].reads].id, "p0");
	assert_string_equal(k->structures[k->guards[0].writes].id, "p2");
	ptx_analysis_free(a);
	ptx_module_free(m);
}

static void test_loads_of_what_is_only_read_are_marked(void **state)
{
	struct ptx_module *m = parse_text(add_arrays);
	struct ptx_analysis *a = ptx_analyze(m, ALIAS_GUARDED);
	struct strbuf text = STRBUF_INIT;

	(void)state;
	assert_int_equal(ptx_mark_loads(a, LOAD_RO), 2);
	ptx_print(m, &text);
	assert_non_null(strstr(text.data, "ld.global.ro.u32"));
	assert_null(strstr(text.data, "ld.global.u32"));
	strbuf_release(&text);
	ptx_analysis_free(a);
	ptx_module_free(m);
}

/* The level that takes nothing on trust: c may be a, so what is read through a may be written. */
static void test_the_strict_level_needs_proof(void **state)
{
	struct ptx_module *m = parse_text(add_arrays);
	struct ptx_analysis *a = ptx_analyze(m, ALIAS_STRICT);

	(void)state;
	assert_int_equal(ptx_mark_loads(a, LOAD_RO), 0);
	ptx_analysis_free(a);
	ptx_module_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_each_structure_has_a_verdict),
	    cmocka_unit_test(test_loads_of_what_is_only_read_are_marked),
	    cmocka_unit_test(test_the_strict_level_needs_proof),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
