/* Verdicts across calls: parameters, recursion, functions that others may call, kernels that launch kernels. */
#include "tests/ptx-analyzer/flow/subject.h"

#include <stdio.h>

static void add_function(struct strbuf *text, const char *name, const char *body)
{
	strbuf_addf(text,
		    ".func %s(.param .b64 p)\n{\n.reg .b64 %%rd<9>; .reg .f32 %%f<3>;\n"
		    "ld.param.u64 %%rd1, [p];\n%s\nret;\n}\n",
		    name, body);
}

static void add_call(struct strbuf *text, const char *callee, const char *argument)
{
	strbuf_addf(text, "{ .param .b64 q; st.param.b64 [q], %s; call %s, (q); }\n", argument, callee);
}

/* Parameters and results in registers, and memory of alloca. */
static void test_register_parameters(void **state)
{
	struct subject s;

	(void)state;
	analyze(&s,
		HEADER ".func (.reg .b64 r) next(.reg .b64 a, .reg .b32 i)\n{\n.reg .b64 %rd<3>;\n"
		       "mul.wide.u32 %rd1, i, 4; add.s64 r, a, %rd1; ret;\n}\n"
		       ".visible .entry k(.param .u64 a, .param .u64 b)\n{\n"
		       ".reg .b64 %rd<9>; .reg .f32 %f<2>; .reg .b32 %r<2>;\n"
		       "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; mov.u32 %r1, %tid.x;\n"
		       "call (%rd3), next, (%rd1, %r1); call (%rd4), next, (%rd2, 3);\n"
		       "alloca.u64 %rd5, 64, 8; st.local.u64 [%rd5], %rd4; ld.local.u64 %rd6, [%rd5];\n"
		       "ld.f32 %f1, [%rd3]; st.f32 [%rd6], %f1; ret;\n}\n",
		ALIAS_GUARDED);
	assert_int_equal(find(&s, "k", "p0")->verdict, VERDICT_READ_ONLY);
	assert_int_equal(find(&s, "k", "p0")->loads_marked, 1);
	assert_int_equal(find(&s, "k", "p1")->verdict, VERDICT_WRITE_ONLY);
	release(&s);
}

/*
 * `reads` is marked for kernel k, which calls it directly. Kernel j runs code that is not in the module and may call
 * any function whose address is known to others, with memory that j writes.
 */
static void test_open_functions(void **state)
{
	static const struct {
		const char *linkage, *other;
		unsigned marked;
	} cases[] = {
	    {".func", "", 1},
	    {".func", ".extern .func mystery();\n.visible .entry j()\n{\ncall mystery; ret;\n}\n", 1},
	    {".visible .func", ".extern .func mystery();\n.visible .entry j()\n{\ncall mystery; ret;\n}\n", 0},
	    {".visible .func", ".visible .entry j()\n{\nret;\n}\n", 1},
	    {".func",
	     ".extern .func mystery();\n.visible .entry j()\n{\n.reg .b64 %rd<2>;\nmov.u64 %rd1, reads;\n"
	     "call mystery; ret;\n}\n",
	     0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct strbuf text = STRBUF_INIT;
		struct subject s;

		strbuf_adds(&text, HEADER);
		strbuf_addf(&text, "%s reads(.param .b64 p)\n{\n.reg .b64 %%rd<2>; .reg .f32 %%f<2>;\n",
			    cases[i].linkage);
		strbuf_adds(&text, "ld.param.u64 %rd1, [p]; ld.f32 %f1, [%rd1]; ret;\n}\n");
		strbuf_adds(&text, ".visible .entry k(.param .u64 a)\n{\n.reg .b64 %rd<3>;\nld.param.u64 %rd1, [a];\n");
		add_call(&text, "reads", "%rd1");
		strbuf_adds(&text, "ret;\n}\n");
		strbuf_adds(&text, cases[i].other);
		analyze(&s, text.data, ALIAS_GUARDED);
		assert_int_equal(find(&s, "k", "p0")->loads_marked, cases[i].marked);
		release(&s);
		strbuf_release(&text);
	}
}

/* A chain of calls as deep as the module is long. */
static void test_deep_calls(void **state)
{
	enum { DEPTH = 20000 };
	struct strbuf text = STRBUF_INIT, body = STRBUF_INIT;
	char name[32];
	struct subject s;

	(void)state;
	strbuf_adds(&text, HEADER);
	add_function(&text, "f0", "st.f32 [%rd1], %f1;");
	for (int i = 1; i < DEPTH; i++) {
		body.len = 0;
		snprintf(name, sizeof name, "f%d", i - 1);
		strbuf_adds(&body, "add.s64 %rd2, %rd1, 4;\n");
		add_call(&body, name, "%rd2");
		snprintf(name, sizeof name, "f%d", i);
		add_function(&text, name, body.data);
	}
	strbuf_adds(&text, ".visible .entry k(.param .u64 a)\n{\n.reg .b64 %rd<3>;\nld.param.u64 %rd1, [a];\n");
	add_call(&text, name, "%rd1");
	strbuf_adds(&text, "ret;\n}\n");
	analyze(&s, text.data, ALIAS_GUARDED);
	assert_int_equal(find(&s, "k", "p0")->verdict, VERDICT_WRITE_ONLY);
	release(&s);
	strbuf_release(&text);
	strbuf_release(&body);
}

/* Recursion that moves its pointer each time, stores pointers through it, and follows what it finds. */
static void test_runaway_recursion(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct subject s;

	(void)state;
	strbuf_adds(&text, HEADER ".func g(.param .b64 p);\n");
	add_function(&text, "f",
		     "st.u64 [%rd1+8], %rd1; ld.u64 %rd2, [%rd1+16]; add.s64 %rd3, %rd1, 24;\n"
		     "{ .param .b64 q; st.param.b64 [q], %rd3; call g, (q); }\n"
		     "{ .param .b64 q; st.param.b64 [q], %rd2; call f, (q); }");
	add_function(&text, "g", "add.s64 %rd3, %rd1, 4; { .param .b64 q; st.param.b64 [q], %rd3; call f, (q); }");
	strbuf_adds(&text, ".visible .entry k(.param .u64 a, .param .u64 b)\n{\n.local .align 8 .b8 stack[4096];\n"
			   ".reg .b64 %rd<9>; .reg .f32 %f<3>;\nld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b];\n"
			   "mov.u64 %rd3, stack; cvta.local.u64 %rd4, %rd3; ld.global.f32 %f1, [%rd2];\n");
	add_call(&text, "f", "%rd4");
	add_call(&text, "f", "%rd1");
	strbuf_adds(&text, "ret;\n}\n");
	analyze(&s, text.data, ALIAS_GUARDED);
	assert_int_equal(find(&s, "k", "p0")->verdict, VERDICT_READ_WRITE);
	assert_int_equal(find(&s, "k", "p1")->verdict, VERDICT_READ_WRITE);
	release(&s);
	strbuf_release(&text);
}

/* A number that is used as an address in another function may be any address. */
static void test_integer_passed_as_pointer(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct subject s;

	(void)state;
	strbuf_adds(&text, HEADER);
	add_function(&text, "f", "st.f32 [%rd1], %f1;");
	strbuf_adds(&text, ".visible .entry k(.param .u64 a)\n{\n.reg .b64 %rd<3>; .reg .f32 %f<2>; .reg .b32 %r<2>;\n"
			   "ld.param.u64 %rd1, [a]; ld.f32 %f1, [%rd1];\n"
			   "mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4;\n");
	add_call(&text, "f", "%rd2");
	strbuf_adds(&text, "ret;\n}\n");
	analyze(&s, text.data, ALIAS_GUARDED);
	assert_int_equal(find(&s, "k", "p0")->verdict, VERDICT_READ_WRITE);
	release(&s);
	strbuf_release(&text);
}

/*
 * A kernel only reads what a function loads, and another kernel writes it. The load is marked for neither, whichever
 * comes first.
 */
static void test_function_of_two_kernels(void **state)
{
	static const char *const writes[] = {"st.f32 [%rd1], %f1;", ""};

	(void)state;
	for (int turn = 0; turn < 2; turn++) {
		struct strbuf text = STRBUF_INIT;
		struct subject s;

		strbuf_adds(&text, HEADER);
		add_function(&text, "reads", "ld.f32 %f1, [%rd1];");
		for (int i = 0; i < 2; i++) {
			strbuf_addf(&text,
				    ".visible .entry k%d(.param .u64 a)\n{\n.reg .b64 %%rd<3>; .reg .f32 %%f<2>;\n"
				    "ld.param.u64 %%rd1, [a]; %s\n",
				    i, writes[i ^ turn]);
			add_call(&text, "reads", "%rd1");
			strbuf_adds(&text, "ret;\n}\n");
		}
		analyze(&s, text.data, ALIAS_GUARDED);
		assert_int_equal(find(&s, "k0", "p0")->loads_marked, 0);
		assert_int_equal(find(&s, "k1", "p0")->loads_marked, 0);
		assert_int_equal(ptx_mark_loads(s.analysis, LOAD_RO), 0);
		release(&s);
		strbuf_release(&text);
	}
}

/* Accesses ascend by function and instruction, though a kernel is analysed before the functions it calls. */
static void test_accesses_ascend(void **state)
{
	struct strbuf text = STRBUF_INIT;
	const struct access *all;
	struct subject s;
	size_t count;

	(void)state;
	strbuf_adds(&text, HEADER);
	add_function(&text, "f", "ld.f32 %f1, [%rd1]; ld.f32 %f1, [%rd1+4];");
	strbuf_adds(&text, ".visible .entry k(.param .u64 a)\n{\n.reg .b64 %rd<3>; .reg .f32 %f<2>;\n"
			   "ld.param.u64 %rd1, [a]; ld.f32 %f1, [%rd1];\n");
	add_call(&text, "f", "%rd1");
	strbuf_adds(&text, "ret;\n}\n");
	analyze(&s, text.data, ALIAS_GUARDED);
	all = ptx_kernel_accesses(s.analysis, 0, &count);
	assert_int_equal(count, 3);
	for (size_t i = 1; i < count; i++)
		assert_true(all[i - 1].function < all[i].function ||
			    (all[i - 1].function == all[i].function && all[i - 1].inst < all[i].inst));
	release(&s);
	strbuf_release(&text);
}

/* A launched kernel may write anything while its launcher runs; getting a buffer writes nothing. */
static void test_launches(void **state)
{
	static const struct {
		const char *callee, *parameters, *arguments;
		unsigned marked;
	} cases[] = {
	    {"cudaGetParameterBufferV2", ".param .b64 b, .param .b64 s", "(x, x)", 1},
	    {"cudaLaunchDeviceV2", ".param .b64 b, .param .b64 s", "(x, x)", 0},
	    {"cudaLaunchDevice", ".param .b64 f, .param .b64 b, .param .b64 s", "(x, x, x)", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct strbuf text = STRBUF_INIT, body = STRBUF_INIT;
		struct subject s;

		strbuf_addf(&text, HEADER ".extern .func (.param .b64 r) %s(%s);\n", cases[i].callee,
			    cases[i].parameters);
		strbuf_addf(&body,
			    "ld.global.f32 %%f1, [%%rd1]; { .param .b64 r, x; st.param.b64 [x], 0; call (r), %s, %s; }",
			    cases[i].callee, cases[i].arguments);
		add_kernel(&text, body.data);
		analyze(&s, text.data, ALIAS_GUARDED);
		assert_int_equal(ptx_kernel_facts(s.analysis, "k")->loads_marked, cases[i].marked);
		release(&s);
		strbuf_release(&body);
		strbuf_release(&text);
	}
}

#define ONE_POINTER                                                                                                    \
	"{ .param .b64 x; st.param.b64 [x], %rd1; proto: .callprototype _ (.param .b64 _); call %rd9, (x), proto; }"

/*
 * A pointer to `writer` comes by another instruction than `mov`, while `reader` can be called as well. So what the call
 * is given is written.
 */
static void test_ways_to_take_a_function(void **state)
{
	static const char *const ways[] = {
	    "mov.u64 %rd9, writer;",
	    "setp.ne.u32 %p1, %r1, 0; selp.b64 %rd9, writer, %rd8, %p1;",
	    "add.u64 %rd9, writer, 0;",
	    "or.b64 %rd9, writer, 0;",
	    "cvt.u64.u64 %rd9, writer;",
	    ".local .b64 l; st.local.u64 [l], writer; ld.local.u64 %rd9, [l];",
	    ".local .align 16 .b64 l[2]; st.local.v2.u64 [l], {writer, reader}; ld.local.u64 %rd9, [l];",
	    ".reg .b128 %q; mov.b128 %q, {writer, reader}; mov.b128 {%rd9, %rd7}, %q;",
	};

	(void)state;
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		struct strbuf text = STRBUF_INIT, body = STRBUF_INIT;
		struct subject s;

		strbuf_adds(&text, HEADER);
		add_function(&text, "reader", "");
		add_function(&text, "writer", "mov.f32 %f1, 0f00000000; st.global.f32 [%rd1], %f1;");
		strbuf_adds(&body, "ld.global.f32 %f1, [%rd1]; mov.u64 %rd8, reader;");
		strbuf_adds(&body, ways[i]);
		strbuf_adds(&body, ONE_POINTER);
		add_kernel(&text, body.data);
		analyze(&s, text.data, ALIAS_GUARDED);
		if (ptx_kernel_facts(s.analysis, "k")->loads_marked != 0)
			fail_msg("marked: %s", ways[i]);
		release(&s);
		strbuf_release(&body);
		strbuf_release(&text);
	}
}

/* A parameter without a size takes arguments of any. */
static void test_variable_arguments(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct subject s;

	(void)state;
	strbuf_adds(&text, HEADER ".func reads(.param .align 8 .b8 v[8])\n{\nret;\n}\n"
				  ".func writes(.param .align 8 .b8 v[])\n{\n.reg .b64 %rd<2>;\n"
				  "ld.param.u64 %rd1, [v]; st.global.u32 [%rd1], 7; ret;\n}\n");
	add_kernel(&text, "ld.global.f32 %f1, [%rd1]; mov.u64 %rd8, reads; mov.u64 %rd9, writes;\n"
			  "{ .param .align 8 .b8 x[8]; st.param.b64 [x], %rd1;\n"
			  "proto: .callprototype _ (.param .align 8 .b8 _[]); call %rd9, (x), proto; }");
	analyze(&s, text.data, ALIAS_GUARDED);
	assert_int_equal(ptx_kernel_facts(s.analysis, "k")->loads_marked, 0);
	release(&s);
	strbuf_release(&text);
}

/* `malloc` may return memory again that a kernel gives back, so that counts as written. */
static void test_memory_given_back(void **state)
{
	static const struct {
		const char *callee;
		unsigned marked;
	} cases[] = {{"free", 0}, {"__cxa_pure_virtual", 1}};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct strbuf text = STRBUF_INIT, body = STRBUF_INIT;
		struct subject s;

		strbuf_addf(&text, HEADER ".extern .func %s(.param .b64 p);\n", cases[i].callee);
		strbuf_adds(&body, "ld.global.f32 %f1, [%rd1];");
		add_call(&body, cases[i].callee, "%rd1");
		add_kernel(&text, body.data);
		analyze(&s, text.data, ALIAS_STRICT);
		assert_int_equal(ptx_kernel_facts(s.analysis, "k")->loads_marked, cases[i].marked);
		release(&s);
		strbuf_release(&body);
		strbuf_release(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_register_parameters),
	    cmocka_unit_test(test_open_functions),
	    cmocka_unit_test(test_deep_calls),
	    cmocka_unit_test(test_runaway_recursion),
	    cmocka_unit_test(test_integer_passed_as_pointer),
	    cmocka_unit_test(test_function_of_two_kernels),
	    cmocka_unit_test(test_accesses_ascend),
	    cmocka_unit_test(test_launches),
	    cmocka_unit_test(test_ways_to_take_a_function),
	    cmocka_unit_test(test_variable_arguments),
	    cmocka_unit_test(test_memory_given_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
