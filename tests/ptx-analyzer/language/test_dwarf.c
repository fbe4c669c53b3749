/* Names from debug information of both compilers, of a newer version made by hand, and from damaged information. */
#include "ptx-analyzer/language/debug/dwarf.h"
#include "ptx-analyzer/language/text/ptx_text.h"

#include "common/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct ptx_module *parse(const char *text, size_t size)
{
	struct diag d = DIAG_INIT;
	struct ptx_module *m = ptx_parse("debug", text, size, &d);

	if (!m)
		print_message("line %u: %s\n", d.line, d.message);
	return m;
}

static struct file_data file_of(const char *compiler)
{
	struct file_data file;
	char path[512];

	snprintf(path, sizeof path, PTX_TEXTS "/debug.%s.ptx", compiler);
	assert_int_equal(file_read(path, &file, NULL), 0);
	return file;
}

static uint32_t kernel_of(const struct ptx_module *m, const char *name)
{
	const struct ptx_function *f = ptx_find_function(m, name);

	assert_non_null(f);
	return (uint32_t)(f - m->functions);
}

/* `inherited`: what the member of a base class is called. */
static void check_names(const char *compiler, const char *inherited)
{
	struct arena arena = ARENA_INIT;
	struct file_data file = file_of(compiler);
	struct ptx_module *m = parse(file.data, file.size);
	struct dwarf *d = dwarf_read(m);
	uint32_t scale = kernel_of(m, "scale"), plain = kernel_of(m, "_ZN5space5plainEPKfPf");

	assert_string_equal(dwarf_param(d, scale, 0), "in");
	assert_string_equal(dwarf_param(d, scale, 1), "out");
	assert_string_equal(dwarf_param(d, scale, 2), "v");
	assert_null(dwarf_param(d, scale, 5));
	assert_string_equal(dwarf_param(d, plain, 1), "y");
	assert_string_equal(dwarf_member(d, scale, 2, 0, &arena), inherited);
	assert_string_equal(dwarf_member(d, scale, 2, 8, &arena), "v.data");
	assert_string_equal(dwarf_member(d, scale, 2, 24, &arena), "v.inner.hits");
	assert_string_equal(dwarf_member(d, scale, 3, 0, &arena), "b.ptr");
	/* Inside a member, and in a type that is not a structure. */
	assert_null(dwarf_member(d, scale, 2, 12, &arena));
	assert_null(dwarf_member(d, scale, 0, 0, &arena));
	dwarf_free(d);
	ptx_module_free(m);
	file_data_release(&file);
	arena_release(&arena);
}

static void test_names_of_both_compilers(void **state)
{
	(void)state;
	check_names("clang", "v.marks");
	check_names("nvcc", "v.__b_4base.marks");
}

static void test_without_debug_information_nothing_has_a_name(void **state)
{
	static const char text[] =
	    ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 a) { ret; }\n";
	struct ptx_module *m = parse(text, strlen(text));
	struct dwarf *d = dwarf_read(m);

	(void)state;
	assert_null(dwarf_param(d, 0, 0));
	dwarf_free(d);
	ptx_module_free(m);
}

/* Version 5: strings by offset, a constant in the abbreviation, the unit's kind in its header. */
#define VERSION_5(params)                                                                                              \
	".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 a" params ") { ret; }\n"         \
	".section .debug_abbrev {\n.b8 1,17,1,0,0\n.b8 2,46,1,3,14,73,33,5,0,0\n.b8 3,5,0,3,14,0,0\n.b8 0\n}\n"        \
	".section .debug_info {\n.b32 24\n.b16 5\n.b8 1,8\n.b32 .debug_abbrev\n.b8 1\n"                                \
	".b8 2\n.b32 .debug_str+1\n.b8 3 // comment\n.b32 .debug_str+3\n.b8 0\nlabel:\n.b8 0\n}\n"                     \
	".section .debug_str { .b8 0,107,0,119,0 }\n"

static void test_version_5(void **state)
{
	static const char text[] = VERSION_5(""), two[] = VERSION_5(", .param .u64 b");
	struct ptx_module *m = parse(text, strlen(text));
	struct dwarf *d = dwarf_read(m);

	(void)state;
	assert_string_equal(dwarf_param(d, 0, 0), "w");
	dwarf_free(d);
	ptx_module_free(m);
	/* A kernel with another number of parameters is another kernel. */
	m = parse(two, strlen(two));
	d = dwarf_read(m);
	assert_null(dwarf_param(d, 0, 0));
	dwarf_free(d);
	ptx_module_free(m);
}

static uint32_t next(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

/* Whatever the bytes are, they are read without harm; a sanitizer sees the rest. */
static void read_damaged(struct file_data *file, size_t from, uint32_t *random)
{
	struct arena arena = ARENA_INIT;
	char *text = strdup(file->data);
	struct ptx_module *m;
	struct dwarf *d;

	for (int i = 0; i < 4; i++) {
		size_t at = from + next(random) % (file->size - from);

		if (text[at] >= '0' && text[at] <= '9' && text[at - 1] != 'b')
			text[at] = (char)('0' + next(random) % 10);
	}
	m = parse(text, file->size);
	d = dwarf_read(m);
	for (uint32_t f = 0; f < m->nfunctions; f++)
		for (uint32_t p = 0; p < m->functions[f].nparams; p++)
			for (uint64_t offset = 0; offset < 40; offset += 8)
				if (dwarf_member(d, f, p, offset, &arena))
					assert_non_null(dwarf_param(d, f, p));
	dwarf_free(d);
	ptx_module_free(m);
	arena_release(&arena);
	free(text);
}

static void test_damaged_information_does_no_harm(void **state)
{
	static const char *const compilers[] = {"clang", "nvcc"};
	uint32_t random = 1;

	(void)state;
	for (int c = 0; c < 2; c++) {
		struct file_data file = file_of(compilers[c]);
		const char *from = strstr(file.data, ".debug_abbrev");

		assert_non_null(from);
		for (int i = 0; i < 1000; i++)
			read_damaged(&file, (size_t)(from - file.data), &random);
		file_data_release(&file);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_names_of_both_compilers),
	    cmocka_unit_test(test_without_debug_information_nothing_has_a_name),
	    cmocka_unit_test(test_version_5),
	    cmocka_unit_test(test_damaged_information_does_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
