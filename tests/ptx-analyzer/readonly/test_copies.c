/* Functions that several kernels call: a kernel that others keep marks out of gets copies, and nobody else changes. */
#include "common/strbuf.h"
#include "ptx-analyzer/language/text/ptx_text.h"
#include "ptx-analyzer/readonly/analysis.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define HEADER ".version 8.0\n.target sm_80\n.address_size 64\n"
#define GET_HEAD ".func (.param .b32 z) get(.param .b64 x)"
#define GET                                                                                                            \
	GET_HEAD "\n{\n.local .align 8 .b8 slot[8]; .reg .b64 %rd<4>; .reg .b32 %r<2>;\n"                              \
		 "ld.param.u64 %rd1, [x]; mov.u64 %rd2, slot; st.local.u64 [slot], %rd1; ld.local.u64 %rd3, [%rd2];\n" \
		 "debug_name: ld.u32 %r1, [%rd3]; st.param.b32 [z], %r1; ret;\n}\n"
#define DEEP                                                                                                           \
	".visible .func (.param .b32 z) deep(.param .b64 x)\n{\n.reg .b64 %rd<2>; .reg .b32 %r<2>;\n"                  \
	"ld.param.u64 %rd1, [x];\n"                                                                                    \
	"{ .param .b64 y; .param .b32 w; st.param.b64 [y], %rd1; call (w), get, (y); ld.param.b32 %r1, [w]; }\n"       \
	"st.param.b32 [z], %r1; ret;\n}\n"
/* out[0] = callee(in), where in is a parameter, shared memory, or out itself */
#define ENTRY(name, callee, in)                                                                                        \
	".visible .entry " name "(.param .u64 in, .param .u64 out)\n{\n.reg .b64 %rd<4>; .reg .b32 %r<2>;\n"           \
	".shared .align 8 .b8 tile[64];\nld.param.u64 %rd1, [" in "]; ld.param.u64 %rd2, [out];\n"                     \
	"{ .param .b64 y; .param .b32 w; st.param.b64 [y], %rd1; call (w), " callee                                    \
	", (y); ld.param.b32 %r1, [w]; }\n"                                                                            \
	"st.u32 [%rd2], %r1; ret;\n}\n"
#define FROM_SHARED                                                                                                    \
	".visible .entry from_shared(.param .u64 out)\n{\n.reg .b64 %rd<4>; .reg .b32 %r<2>;\n"                        \
	".shared .align 8 .b8 tile[64];\nmov.u64 %rd3, tile; cvta.shared.u64 %rd1, %rd3; ld.param.u64 %rd2, [out];\n"  \
	"{ .param .b64 y; .param .b32 w; st.param.b64 [y], %rd1; call (w), get, (y); ld.param.b32 %r1, [w]; }\n"       \
	"st.u32 [%rd2], %r1; ret;\n}\n"

struct result {
	struct ptx_module *m;
	struct ptx_analysis *a;
	struct strbuf text; /* marked */
};

static struct result analyze(const char *text, bool relocatable, enum load_mark mark)
{
	struct result r = {.text = STRBUF_INIT};
	struct diag d = DIAG_INIT;

	r.m = ptx_parse("test", text, strlen(text), &d);
	if (!r.m)
		fail_msg("line %u: %s", d.line, d.message);
	r.a = ptx_analyze_to_mark(r.m, ALIAS_GUARDED, relocatable, mark);
	ptx_mark_loads(r.a, mark);
	ptx_print(r.m, &r.text);
	return r;
}

static void release(struct result *r)
{
	ptx_analysis_free(r->a);
	ptx_module_free(r->m);
	strbuf_release(&r->text);
}

static unsigned marked_in(const struct result *r, const char *kernel)
{
	return ptx_kernel_facts(r->a, kernel)->loads_marked;
}

static unsigned count(const char *text, const char *word)
{
	unsigned n = 0;

	for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
		n++;
	return n;
}

/* The printed module's analysis finds the same marks and nothing more to copy. */
static void check_again(const struct result *r)
{
	struct result again = analyze(r->text.data, false, LOAD_RO);

	assert_string_equal(again.text.data, r->text.data);
	release(&again);
}

static void test_a_kernel_that_others_hinder_gets_a_copy(void **state)
{
	struct result r =
	    analyze(HEADER GET ENTRY("one", "get", "in") ENTRY("two", "get", "in") FROM_SHARED, false, LOAD_RO);
	const struct kernel_facts *one = ptx_kernel_facts(r.a, "one"), *two = ptx_kernel_facts(r.a, "two");

	(void)state;
	assert_int_equal(marked_in(&r, "one"), 1);
	assert_int_equal(marked_in(&r, "two"), 1);
	assert_int_equal(marked_in(&r, "from_shared"), 0);
	/* Kernels that allow the same share a copy; the original keeps its plain load. */
	assert_int_equal(one->ncopies, 1);
	assert_string_equal(one->copies[0], "get$one");
	assert_string_equal(two->copies[0], "get$one");
	assert_int_equal(ptx_kernel_facts(r.a, "from_shared")->ncopies, 0);
	assert_int_equal(count(r.text.data, "get$one"), 3);
	assert_int_equal(count(r.text.data, "ld.global.ro.u32"), 1);
	assert_int_equal(count(r.text.data, "ld.u32"), 1);
	/* A label that only debug information names is there once. */
	assert_int_equal(count(r.text.data, "debug_name"), 1);
	check_again(&r);
	release(&r);
}

/* The path to the function is copied as well. A kernel that writes what it reads keeps the originals. */
static void test_what_leads_to_the_function_is_copied(void **state)
{
	struct result r =
	    analyze(HEADER GET DEEP ENTRY("reads", "deep", "in") ENTRY("in_place", "deep", "out"), false, LOAD_RO);

	(void)state;
	assert_int_equal(marked_in(&r, "reads"), 1);
	assert_int_equal(marked_in(&r, "in_place"), 0);
	assert_int_equal(ptx_kernel_facts(r.a, "reads")->ncopies, 2);
	assert_int_equal(count(r.text.data, "call (w), get$reads,"), 1);
	assert_int_equal(count(r.text.data, "call (w), deep$reads,"), 1);
	assert_int_equal(count(r.text.data, ".visible .func"), 1);
	check_again(&r);
	release(&r);
}

/* A function that is declared first and defined last. */
static void test_a_copy_is_declared_where_the_original_is(void **state)
{
	struct result r = analyze(HEADER GET_HEAD ";\n" ENTRY("reads", "get", "in") ENTRY("in_place", "get", "out") GET,
				  false, LOAD_RO);
	const char *declared = strstr(r.text.data, "get$reads"), *called = strstr(r.text.data, "get$reads, (y)");

	(void)state;
	assert_int_equal(marked_in(&r, "reads"), 1);
	assert_true(declared && called && declared < called);
	assert_int_equal(count(r.text.data, "get$reads"), 3);
	check_again(&r);
	release(&r);
}

/* Others may call the original. */
static void test_a_visible_function_of_a_part_is_copied(void **state)
{
	static const char text[] = HEADER GET DEEP ENTRY("reads", "deep", "in");
	struct result part = analyze(text, true, LOAD_RO), whole = analyze(text, false, LOAD_RO);

	(void)state;
	assert_int_equal(marked_in(&part, "reads"), 1);
	assert_int_equal(ptx_kernel_facts(part.a, "reads")->ncopies, 2);
	assert_int_equal(marked_in(&whole, "reads"), 1);
	assert_int_equal(ptx_kernel_facts(whole.a, "reads")->ncopies, 0);
	release(&part);
	release(&whole);
}

/* Without a gain, without marks, or where a copy would not be the same function. */
static void test_nothing_is_copied_for_nothing(void **state)
{
	static const char shared[] = HEADER GET_HEAD
	    "\n{\n.shared .align 8 .b8 mine[8]; .reg .b64 %rd<2>; .reg .b32 %r<3>; ld.param.u64 %rd1, [x];\n"
	    "ld.u32 %r1, [%rd1]; ld.shared.u32 %r2, [mine]; st.param.b32 [z], %r1; ret;\n}\n" ENTRY(
		"reads", "get", "in") ENTRY("in_place", "get", "out");
	static const struct {
		const char *text;
		enum load_mark mark;
	} cases[] = {
	    {HEADER GET ENTRY("one", "get", "in") ENTRY("two", "get", "in"), LOAD_RO},
	    {HEADER GET ENTRY("one", "get", "out") ENTRY("two", "get", "out"), LOAD_RO},
	    {HEADER GET ENTRY("one", "get", "in") FROM_SHARED, LOAD_KEEP},
	    {shared, LOAD_RO},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct result r = analyze(cases[i].text, false, cases[i].mark);

		assert_int_equal(count(r.text.data, "$"), 0);
		release(&r);
	}
}

/* Two kernels want the large function as a whole, each with other loads: there is room for one copy. */
static void test_a_text_at_most_doubles(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct result r;

	(void)state;
	strbuf_adds(&text, HEADER "\n.func get(.param .b64 x, .param .b64 y)\n{\n.reg .b64 %rd<3>; .reg .b32 %r<2>;\n"
				  "ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y];\n");
	for (int i = 0; i < 5000; i++)
		strbuf_adds(&text, "add.u64 %rd1, %rd1, 4;\n");
	strbuf_adds(&text, "ld.u32 %r1, [%rd1]; ld.u32 %r1, [%rd2]; ret;\n}\n");
	for (int i = 0; i < 3; i++)
		strbuf_addf(
		    &text,
		    ".visible .entry k%d(.param .u64 a, .param .u64 b)\n{\n.reg .b64 %%rd<3>; .reg .b32 %%r<2>;\n"
		    "ld.param.u64 %%rd1, [a]; ld.param.u64 %%rd2, [b]; st.u32 [%%rd%d], 0;\n%s"
		    "{ .param .b64 x; .param .b64 y; st.param.b64 [x], %%rd1; st.param.b64 [y], %%rd2;\n"
		    "call get, (x, y); }\nret;\n}\n",
		    i, i == 0 ? 1 : 2, i == 2 ? "st.u32 [%rd1], 0;\n" : "");
	r = analyze(text.data, false, LOAD_RO);
	assert_int_equal(count(r.text.data, "get$k0, (x"), 1);
	assert_int_equal(count(r.text.data, "get$k1"), 0);
	release(&r);
	strbuf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_a_kernel_that_others_hinder_gets_a_copy),
	    cmocka_unit_test(test_what_leads_to_the_function_is_copied),
	    cmocka_unit_test(test_a_copy_is_declared_where_the_original_is),
	    cmocka_unit_test(test_a_visible_function_of_a_part_is_copied),
	    cmocka_unit_test(test_nothing_is_copied_for_nothing),
	    cmocka_unit_test(test_a_text_at_most_doubles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
