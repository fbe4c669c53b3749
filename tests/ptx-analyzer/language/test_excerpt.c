/* Excerpts: each function by itself parses, and has the instructions and registers that it had in its module. */
#include "tests/ptx-analyzer/language/ptxtest.h"

static struct ptx_module *excerpt_of(const struct ptx_module *m, const uint32_t *order, size_t count,
				     struct strbuf *text)
{
	text->len = 0;
	ptx_print_excerpt(m, order, count, text);
	return parse_text(text->data);
}

/* The function of `m` with the `index`-th body. */
static const struct ptx_function *body(const struct ptx_module *m, size_t index)
{
	for (uint32_t i = 0; i < m->nfunctions; i++)
		if (!m->functions[i].is_declaration && index-- == 0)
			return &m->functions[i];
	fail_msg("a body is missing");
	return NULL;
}

static void assert_same_function(const struct ptx_function *a, const struct ptx_function *b)
{
	struct strbuf first = STRBUF_INIT, second = STRBUF_INIT;

	assert_string_equal(a->name, b->name);
	assert_int_equal(a->is_kernel, b->is_kernel);
	assert_int_equal(a->ninsts, b->ninsts);
	assert_int_equal(a->nregs, b->nregs);
	for (uint32_t i = 0; i < a->ninsts; i++) {
		first.len = second.len = 0;
		ptx_print_inst(a, &a->insts[i], &first);
		ptx_print_inst(b, &b->insts[i], &second);
		assert_string_equal(first.data, second.data);
	}
	strbuf_release(&first);
	strbuf_release(&second);
}

static void check_each_function(const char *name)
{
	struct strbuf text = STRBUF_INIT;
	struct ptx_module *m;
	char path[512];

	snprintf(path, sizeof path, "%s/%s", PTX_TEXTS, name);
	m = parse_file(path);
	for (uint32_t i = 0; i < m->nfunctions; i++) {
		struct ptx_module *one;

		if (m->functions[i].is_declaration)
			continue;
		one = excerpt_of(m, &i, 1, &text);
		assert_same_function(&m->functions[i], body(one, 0));
		assert_int_equal(one->nlocs, 0);
		ptx_module_free(one);
	}
	ptx_module_free(m);
	strbuf_release(&text);
}

static void test_each_function_parses_by_itself(void **state)
{
	static const char *const names[] = {"classic.ptx", "forms.ptx", "hopper.ptx", "blackwell.ptx",
					    "debug.nvcc.ptx"};

	(void)state;
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		check_each_function(names[i]);
}

static const char calls[] =
    HEAD ".global .align 4 .b8 unused[64];\n.const .align 4 .b8 table[8] = {1, 2, 3, 4};\n"
	 ".shared .align 8 .b8 tile[512];\n.extern .func (.param .b32 r) elsewhere(.param .b32 a);\n"
	 ".func late();\n.func early() { ret; }\n"
	 ".visible .entry other() { ret; }\n"
	 ".visible .entry k() {\n.reg .b32 %r<4>; .reg .b64 %d<3>; .param .b32 p; .param .b32 q;\n"
	 "mov.u64 %d1, table; mov.u64 %d2, tile;\nst.param.b32 [p], %r1;\n"
	 "call (q), elsewhere, (p);\ncall late;\nret;\n}\n"
	 ".func late() { call early; ret; }\n";

static uint32_t defined(const struct ptx_module *m, const char *name)
{
	for (uint32_t i = 0; i < m->nfunctions; i++)
		if (!m->functions[i].is_declaration && !strcmp(m->functions[i].name, name))
			return i;
	return PTX_NONE;
}

static void test_order_and_what_is_named(void **state)
{
	struct ptx_module *m = parse_text(calls), *some;
	const uint32_t order[] = {defined(m, "k"), defined(m, "late"), defined(m, "early")};
	struct strbuf text = STRBUF_INIT;

	(void)state;
	some = excerpt_of(m, order, 3, &text);
	for (unsigned i = 0; i < 3; i++)
		assert_same_function(&m->functions[order[i]], body(some, i));
	assert_null(ptx_find_symbol(some, "unused"));
	assert_int_equal(defined(some, "other"), PTX_NONE);
	assert_int_equal(ptx_find_symbol(some, "table")->size, 8);
	assert_null(ptx_find_symbol(some, "table")->init);
	assert_int_equal(ptx_find_symbol(some, "tile")->align, 8);
	assert_int_not_equal(ptx_find_symbol(some, "tile")->linkage, PTX_LINK_EXTERN);
	ptx_module_free(some);
	ptx_module_free(m);
	strbuf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_each_function_parses_by_itself),
	    cmocka_unit_test(test_order_and_what_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
