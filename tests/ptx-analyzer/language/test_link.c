/*
 * The device link: what is joined, renamed, kept once, and refused. The joined text parses and is the same every time.
 */
#include "tests/ptx-analyzer/language/ptxtest.h"

#include "ptx-analyzer/language/text/ptx_link.h"
#include "ptx-analyzer/language/text/ptx_text.h"

#include <stdlib.h>

#define K(name, code) ".visible .entry " name "() { .reg .b32 %r<4>; .reg .b64 %d<4>;\n" code "\nret; }\n"

enum { MOST = 3 };

/* The joined text of up to three modules a.ptx, b.ptx, c.ptx, to be freed; NULL with the message in `d`. */
static char *join(struct diag *d, const char *const *texts)
{
	static const char *const files[MOST] = {"a.ptx", "b.ptx", "c.ptx"};
	struct ptx_module *modules[MOST];
	struct strbuf out = STRBUF_INIT;
	size_t count = 0;
	int result;

	for (; count < MOST && texts[count]; count++) {
		modules[count] = ptx_parse(files[count], texts[count], strlen(texts[count]), d);
		if (!modules[count])
			fail_msg("%s:%u: %s", files[count], d->line, d->message);
	}
	result = ptx_link(modules, count, &out, d);
	for (size_t i = 0; i < count; i++)
		ptx_module_free(modules[i]);
	if (result == 0)
		return strbuf_detach(&out);
	strbuf_release(&out);
	return NULL;
}

static struct ptx_module *joined(const char *const *texts)
{
	struct diag d = DIAG_INIT;
	char *text = join(&d, texts), *again;
	struct ptx_module *m;

	if (!text)
		fail_msg("%s: %s", d.file, d.message);
	again = join(&d, texts);
	assert_string_equal(text, again);
	m = ptx_parse("joined.ptx", text, strlen(text), &d);
	if (!m)
		fail_msg("%u:%u: %s in\n%s", d.line, d.column, d.message, text);
	free(text);
	free(again);
	return m;
}

static void refused(const char *file, const char *message, const char *const *texts)
{
	struct diag d = DIAG_INIT;

	assert_null(join(&d, texts));
	assert_string_equal(d.file, file);
	if (!strstr(d.message, message))
		fail_msg("'%s' is not in: %s", message, d.message);
}

#define JOINED(...) joined((const char *const[MOST + 1]){__VA_ARGS__})
#define REFUSED(file, message, ...) refused(file, message, (const char *const[MOST + 1]){__VA_ARGS__})

static unsigned definitions(const struct ptx_module *m, const char *name)
{
	unsigned count = 0;

	for (uint32_t i = 0; i < m->nfunctions; i++)
		count += !m->functions[i].is_declaration && strcmp(m->functions[i].name, name) == 0;
	return count;
}

static const struct ptx_symbol *symbol(const struct ptx_module *m, const char *name)
{
	const struct ptx_symbol *s = ptx_find_symbol(m, name);

	if (!s)
		fail_msg("no %s", name);
	return s;
}

/* A module declares what the other defines, in either order, and one module may be newer than the other. */
static void test_declared_here_defined_there(void **state)
{
	const char *uses = ".version 7.8\n.target sm_80\n.address_size 64\n"
			   ".extern .func (.param .b32 o) f(.param .b32 i);\n.extern .global .align 4 .u32 x;\n"
			   ".extern .const .align 4 .b8 c[];\n" K(
			       "k", "{ .param .b32 p; .param .b32 q; st.param.b32 [p], 1; call (q), f, (p); }\n"
				    "ld.global.u32 %r1, [x]; ld.const.u32 %r2, [c+4];");
	const char *defines =
	    HEAD ".visible .global .align 4 .u32 x = 7;\n.visible .const .align 4 .b8 c[8] = {1, 2};\n"
		 ".visible .func (.param .b32 o) f(.param .b32 i)\n{ .reg .b32 %r<2>; ld.param.b32 %r1, [i];\n"
		 "st.param.b32 [o], %r1; ret; }\n";

	(void)state;
	for (int turn = 0; turn < 2; turn++) {
		struct ptx_module *m = turn ? JOINED(uses, defines) : JOINED(defines, uses);

		assert_int_equal(definitions(m, "f"), 1);
		assert_int_equal(definitions(m, "k"), 1);
		assert_int_equal(symbol(m, "x")->linkage, PTX_LINK_VISIBLE);
		assert_int_equal(symbol(m, "x")->init[0], 7);
		assert_int_equal(symbol(m, "c")->size, 8);
		assert_int_equal(m->version_major * 10 + m->version_minor, 83);
		assert_string_equal(m->target, "sm_80");
		ptx_module_free(m);
	}
}

/* Names without linkage belong to their file, functions and variables alike; each file's code means its own. */
static void test_private_names_are_kept_apart(void **state)
{
	const char *parts[2];
	char text[2][512];
	struct ptx_module *m;

	(void)state;
	for (int i = 0; i < 2; i++) {
		snprintf(
		    text[i], sizeof text[i],
		    HEAD
		    ".global .align 4 .u32 s = %d;\n.func h() { .reg .b32 %%r<2>; ld.global.u32 %%r1, [s]; ret; }\n"
		    ".visible .global .align 8 .u64 at%d = h;\n.visible .entry k%d() { call h; ret; }\n",
		    i + 1, i, i);
		parts[i] = text[i];
	}
	m = JOINED(parts[0], parts[1]);
	assert_int_equal(symbol(m, "s")->init[0], 1);
	assert_int_equal(symbol(m, "s$2")->init[0], 2);
	assert_int_equal(definitions(m, "h") + definitions(m, "h$2"), 2);
	for (int i = 0; i < 2; i++) {
		const struct ptx_function *k = ptx_find_function(m, i ? "k1" : "k0");
		const struct ptx_function *h = ptx_find_function(m, i ? "h$2" : "h");

		assert_int_equal(k->insts[0].operands[0].id, h->symbol);
		assert_int_equal(h->insts[0].operands[1].elems[0].id, ptx_find_symbol(m, i ? "s$2" : "s") - m->symbols);
		assert_int_equal(symbol(m, i ? "at1" : "at0")->relocs[0].symbol, h->symbol);
	}
	ptx_module_free(m);
}

static void test_weak_definitions_are_one(void **state)
{
	const char *weak = HEAD ".weak .func w() { ret; }\n.weak .global .align 4 .u32 v = 1;\n" K("a", "call w;");
	const char *other = HEAD ".weak .func w() { ret; }\n.weak .global .align 4 .u32 v = 2;\n" K("b", "call w;");
	const char *strong = HEAD ".visible .func w() { ret; }\n.visible .global .align 4 .u32 v = 3;\n";
	struct ptx_module *m;

	(void)state;
	m = JOINED(weak, other);
	assert_int_equal(definitions(m, "w"), 1);
	assert_int_equal(symbol(m, "v")->init[0], 1);
	ptx_module_free(m);
	m = JOINED(weak, strong, other);
	assert_int_equal(definitions(m, "w"), 1);
	assert_int_equal(symbol(m, "v")->init[0], 3);
	assert_int_equal(symbol(m, "v")->linkage, PTX_LINK_VISIBLE);
	ptx_module_free(m);
}

/* Variables that hold each other's addresses, over files; a chain of them longer than any recursion should be. */
static void test_variables_name_each_other(void **state)
{
	enum { LINKS = 2000 };
	struct strbuf chain = STRBUF_INIT;
	struct ptx_module *m;

	(void)state;
	m = JOINED(HEAD ".extern .global .align 8 .u64 y;\n.visible .global .align 8 .u64 x = generic(y);\n",
		   HEAD ".extern .global .align 8 .u64 x;\n.visible .global .align 8 .u64 y = generic(x);\n");
	assert_string_equal(m->symbols[symbol(m, "x")->relocs[0].symbol].name, "y");
	assert_string_equal(m->symbols[symbol(m, "y")->relocs[0].symbol].name, "x");
	ptx_module_free(m);

	strbuf_adds(&chain, HEAD);
	for (int i = 0; i < LINKS; i++)
		strbuf_addf(&chain,
			    ".extern .global .align 8 .u64 v%d;\n.visible .global .align 8 .u64 v%d = generic(v%d);\n",
			    i + 1, i, i + 1);
	m = JOINED(chain.data, HEAD ".visible .global .align 8 .u64 v2000;\n");
	for (int i = 0; i < LINKS; i += 333) {
		char name[16];

		snprintf(name, sizeof name, "v%d", i);
		assert_int_equal(symbol(m, name)->nrelocs, 1);
	}
	ptx_module_free(m);
	strbuf_release(&chain);
}

static void test_dynamic_shared_memory_is_one(void **state)
{
	struct ptx_module *m;

	(void)state;
	m = JOINED(HEAD ".extern .shared .align 4 .b8 s[];\n" K("a", "ld.shared.u32 %r1, [s];"),
		   HEAD ".extern .shared .align 16 .b8 s[];\n" K("b", "ld.shared.u32 %r1, [s];"));
	assert_int_equal(symbol(m, "s")->align, 16);
	ptx_module_free(m);
}

/* Each file's lines stay its own; what was inlined where is not kept. */
static void test_positions_keep_their_files(void **state)
{
	const char *a = HEAD K("a", ".loc 1 10 1\nmov.u32 %r1, 1;") ".file 1 \"a.cu\"\n";
	const char *b = HEAD K("b", ".loc 1 20 1\nmov.u32 %r1, 1;\n.loc 2 30 1, function_name $L, inlined_at 1 20 1\n"
				    "mov.u32 %r2, 1;") ".file 1 \"b.cu\"\n.file 2 \"b.h\"\n"
						       ".section .debug_str\n{\n$L:\n.b8 0\n}\n";
	struct ptx_module *m;
	const struct ptx_function *k;

	(void)state;
	m = JOINED(a, b);
	k = ptx_find_function(m, "a");
	assert_string_equal(m->files[m->locs[k->insts[0].loc].file], "a.cu");
	k = ptx_find_function(m, "b");
	assert_string_equal(m->files[m->locs[k->insts[0].loc].file], "b.cu");
	assert_string_equal(m->files[m->locs[k->insts[1].loc].file], "b.h");
	assert_int_equal(m->locs[k->insts[1].loc].line, 30);
	assert_int_equal(m->locs[k->insts[1].loc].inlined_at, PTX_NONE);
	ptx_module_free(m);
}

/* Clang's list of what the host uses takes addresses that no code takes; its short names for static variables. */
static void test_peculiarities_of_clang(void **state)
{
	struct ptx_module *m;

	(void)state;
	m = JOINED(
	    HEAD
	    ".extern .global .align 4 .u32 x;\n.global .align 8 .u64 __clang_gpu_used_external[1] = {generic(x)};\n",
	    HEAD ".visible .global .align 4 .u32 x;\n");
	assert_null(ptx_find_symbol(m, "__clang_gpu_used_external"));
	ptx_module_free(m);
	m = JOINED(HEAD
		   ".extern .global .align 4 .u32 _ZL1s;\n.visible .global .align 4 .u32 _ZL1s__static__12ab = 5;\n" K(
		       "k", "ld.global.u32 %r1, [_ZL1s];"));
	assert_null(ptx_find_symbol(m, "_ZL1s"));
	assert_int_equal(symbol(m, "_ZL1s__static__12ab")->init[0], 5);
	ptx_module_free(m);
}

/* Clang's declaration of another file's kernel is a function's, with the parameters that a function would have. */
static void test_kernels_are_declared_as_functions(void **state)
{
	const char *declares = HEAD ".extern .func k(.param .b32 a);\n.visible .global .align 8 .u64 at = k;\n";
	const char *defines = HEAD ".visible .entry k(.param .u8 a) { ret; }\n";

	(void)state;
	for (int turn = 0; turn < 2; turn++) {
		struct ptx_module *m = turn ? JOINED(declares, defines) : JOINED(defines, declares);

		assert_int_equal(definitions(m, "k"), 1);
		assert_int_equal(m->symbols[symbol(m, "at")->relocs[0].symbol].kind, PTX_SYMBOL_FUNCTION);
		ptx_module_free(m);
	}
}

static void test_what_the_device_provides(void **state)
{
	const char *text = HEAD ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n" K("k", "");
	struct ptx_module *m = parse_text(text);
	struct diag d = DIAG_INIT;

	(void)state;
	assert_int_equal(ptx_check_complete(m, &d), 0);
	ptx_module_free(m);
	m = JOINED(text, HEAD ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n");
	ptx_module_free(m);
	m = parse_text(HEAD ".extern .func f();\n" K("k", "call f;"));
	assert_int_equal(ptx_check_complete(m, &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "function 'f' is used here"));
	ptx_module_free(m);
}

static void test_errors_name_both_files(void **state)
{
	(void)state;
	REFUSED("b.ptx", "function 'f' is defined here and in a.ptx", HEAD ".visible .func f() { ret; }\n",
		HEAD ".visible .func f() { ret; }\n");
	REFUSED("b.ptx", "variable 'x' is defined here and in a.ptx", HEAD ".visible .global .u32 x;\n",
		HEAD ".visible .global .u32 x;\n");
	REFUSED("a.ptx", "function 'f' is used here and defined nowhere",
		HEAD ".extern .func f();\n" K("k", "call f;"));
	REFUSED("b.ptx", "variable 'x' is used here and defined nowhere", HEAD ".global .u32 x;\n",
		HEAD ".extern .global .u32 x;\n");
	REFUSED("b.ptx", "memory space", HEAD ".visible .const .u32 x;\n", HEAD ".extern .global .u32 x;\n");
	REFUSED("b.ptx", "another size", HEAD ".visible .global .u32 x;\n", HEAD ".extern .global .u64 x;\n");
	REFUSED("b.ptx", "other parameters: a.ptx", HEAD ".visible .func f(.param .b32 a) { ret; }\n",
		HEAD ".extern .func f(.param .b64 a);\n");
	REFUSED("b.ptx", "a function in one and a variable in the other", HEAD ".visible .func f() { ret; }\n",
		HEAD ".extern .global .u32 f;\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_declared_here_defined_there),
	    cmocka_unit_test(test_private_names_are_kept_apart),
	    cmocka_unit_test(test_weak_definitions_are_one),
	    cmocka_unit_test(test_variables_name_each_other),
	    cmocka_unit_test(test_dynamic_shared_memory_is_one),
	    cmocka_unit_test(test_positions_keep_their_files),
	    cmocka_unit_test(test_peculiarities_of_clang),
	    cmocka_unit_test(test_what_the_device_provides),
	    cmocka_unit_test(test_errors_name_both_files),
	    cmocka_unit_test(test_kernels_are_declared_as_functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
