/* Doubled modules: which functions stand twice, and that no way leads from plain code to marked loads. */
#include "ptx-analyzer/language/text/ptx_text.h"
#include "ptx-analyzer/readonly/guarded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEADER ".version 8.0\n.target sm_80\n.address_size 64\n"
#define READER(kind, name)                                                                                             \
	kind " " name "(.param .u64 in, .param .u64 out)\n{\n.reg .b32 %r<2>; .reg .b64 %rd<5>;\n"                     \
	     "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];\n"                                                    \
	     "cvta.to.global.u64 %rd3, %rd1; cvta.to.global.u64 %rd4, %rd2;\n"                                         \
	     "ld.global.u32 %r1, [%rd3]; st.global.u32 [%rd4], %r1; ret;\n}\n"

/* The doubled text of a module, to be freed. */
static char *doubled(const char *text, size_t *marked)
{
	struct diag d = DIAG_INIT;
	struct ptx_module *m = ptx_parse("test", text, strlen(text), &d);
	struct ptx_analysis *a;
	struct strbuf out = STRBUF_INIT;

	if (!m)
		fail_msg("line %u: %s", d.line, d.message);
	a = ptx_analyze(m, ALIAS_GUARDED);
	*marked = ptx_print_guarded(a, m, LOAD_NC, &out);
	ptx_analysis_free(a);
	ptx_module_free(m);
	return strbuf_detach(&out);
}

/* The text from the head of function `name` to its end. */
static char *body(const char *text, const char *name)
{
	char head[80];
	const char *at, *end;

	snprintf(head, sizeof head, " %s(", name);
	at = strstr(text, head);
	end = at ? strstr(at, "\n}") : NULL;
	return at && end ? strndup(at, (size_t)(end - at)) : NULL;
}

static void expect(const char *text, const char *function, const char *says, bool there)
{
	char *found = body(text, function);

	if (!found)
		fail_msg("no function %s in:\n%s", function, text);
	if ((strstr(found, says) != NULL) != there)
		fail_msg("%s: '%s' is %s:\n%s", function, says, there ? "missing" : "there", found);
	free(found);
}

static void expect_once(const char *text, const char *function)
{
	char plain[64];

	expect(text, function, ".nc", false);
	snprintf(plain, sizeof plain, "%s$plain", function);
	assert_null(body(text, plain));
}

static void test_called_functions_are_doubled(void **state)
{
	static const char text[] = HEADER READER(
	    ".func", "reader") ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .b64 %rd<3>;\n"
			       "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];\n"
			       "{ .param .b64 a; .param .b64 b; st.param.b64 [a], %rd1; st.param.b64 [b], %rd2;\n"
			       "call.uni reader, (a, b); } ret;\n}\n";
	size_t marked;
	char *out = doubled(text, &marked);

	(void)state;
	assert_int_equal(marked, 1);
	expect(out, "reader", "ld.global.nc", true);
	expect(out, "reader$plain", "ld.global.nc", false);
	expect(out, "k", "call.uni reader,", true);
	expect(out, "k$plain", "reader$plain", true);
	free(out);
}

/* `keep` stores a function's address; another kernel may call it although its own guards failed. */
static void test_a_function_whose_address_is_taken_is_not_marked(void **state)
{
	static const char text[] = HEADER ".visible .global .align 8 .u64 slot;\n" READER(".func", "reader")
	    READER(".visible .entry",
		   "other") ".visible .entry keep()\n{\n.reg .b64 %rd<3>;\n"
			    "mov.u64 %rd1, reader; st.global.u64 [slot], %rd1; ret;\n}\n"
			    ".visible .entry call(.param .u64 in, .param .u64 out)\n{\n.reg .b64 %rd<4>;\n"
			    "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; ld.global.u64 %rd3, [slot];\n"
			    "{ .param .b64 a; .param .b64 b; st.param.b64 [a], %rd1; st.param.b64 [b], %rd2;\n"
			    "type: .callprototype _ (.param .b64 _, .param .b64 _);\n"
			    "call %rd3, (a, b), type; } ret;\n}\n";
	size_t marked;
	char *out = doubled(text, &marked);

	(void)state;
	expect_once(out, "reader");
	expect(out, "other", "ld.global.nc", true);
	free(out);
}

/* A kernel launched from the device meets no guards. */
static void test_a_kernel_whose_address_is_taken_is_not_marked(void **state)
{
	static const char text[] = HEADER READER(
	    ".visible .entry",
	    "child") ".extern .func (.param .b32 r) cudaLaunchDeviceV2(.param .b64 buffer, .param .b64 stream);\n"
		     ".visible .global .align 8 .u64 slot;\n"
		     ".visible .entry parent()\n{\n.reg .b64 %rd<3>;\n"
		     "mov.u64 %rd1, child; st.global.u64 [slot], %rd1; ret;\n}\n";
	size_t marked;
	char *out = doubled(text, &marked);

	(void)state;
	assert_int_equal(marked, 0);
	expect_once(out, "child");
	free(out);
}

/* Doubling what is doubled changes nothing, and its guards are still found. */
static void test_twice_is_once(void **state)
{
	static const char text[] = HEADER READER(".visible .entry", "k");
	size_t marked;
	char *once = doubled(text, &marked), *twice;
	struct diag d = DIAG_INIT;
	struct ptx_module *m;
	struct ptx_analysis *a;

	(void)state;
	assert_int_equal(marked, 1);
	twice = doubled(once, &marked);
	assert_string_equal(once, twice);
	m = ptx_parse("twice", twice, strlen(twice), &d);
	a = ptx_analyze(m, ALIAS_GUARDED);
	assert_int_equal(ptx_guarded_facts(a, "k")->nguards, 1);
	ptx_analysis_free(a);
	ptx_module_free(m);
	free(once);
	free(twice);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_called_functions_are_doubled),
	    cmocka_unit_test(test_a_function_whose_address_is_taken_is_not_marked),
	    cmocka_unit_test(test_a_kernel_whose_address_is_taken_is_not_marked),
	    cmocka_unit_test(test_twice_is_once),
	};

	return cmocka_run_group_tests_name("doubling", tests, NULL, NULL);
}
