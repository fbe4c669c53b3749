/* Text -> module -> text: what is printed parses to the same module, prints the same again, and loses nothing. */
#include "common/file.h"
#include "ptx-analyzer/language/text/ptx_text.h"
#include "tests/ptx-analyzer/language/ptxtest.h"

static struct file_data load(const char *name)
{
	char path[512];
	struct file_data file;
	struct diag d = DIAG_INIT;

	snprintf(path, sizeof(path), "%s/%s", PTX_TEXTS, name);
	assert_int_equal(file_read(path, &file, &d), 0);
	return file;
}

static struct ptx_module *parse_or_fail(const char *name, const char *text, size_t size)
{
	struct diag d = DIAG_INIT;
	struct ptx_module *m = ptx_parse(name, text, size, &d);

	if (!m)
		fail_msg("%s:%u:%u: %s\n%s", name, d.line, d.column, d.message, d.excerpt);
	return m;
}

static void assert_same_shape(const struct ptx_module *a, const struct ptx_module *b)
{
	assert_int_equal(a->nfunctions, b->nfunctions);
	assert_int_equal(a->nsymbols, b->nsymbols);
	assert_int_equal(a->nlocs, b->nlocs);
	assert_int_equal(a->nfiles, b->nfiles);
	for (uint32_t i = 0; i < a->nfunctions; i++) {
		assert_int_equal(a->functions[i].ninsts, b->functions[i].ninsts);
		assert_int_equal(a->functions[i].nregs, b->functions[i].nregs);
		assert_int_equal(a->functions[i].nlabels, b->functions[i].nlabels);
		assert_memory_equal(a->functions[i].labels, b->functions[i].labels,
				    a->functions[i].nlabels * sizeof(uint32_t));
	}
	for (uint32_t i = 0; i < a->nsymbols; i++) {
		const struct ptx_symbol *s = &a->symbols[i], *t = &b->symbols[i];

		assert_string_equal(s->name, t->name);
		assert_int_equal(s->size, t->size);
		assert_int_equal(s->align, t->align);
		assert_int_equal(s->nrelocs, t->nrelocs);
		assert_int_equal(!s->init, !t->init);
		if (s->init)
			assert_memory_equal(s->init, t->init, s->size);
	}
}

static void check_file(const char *name, uint32_t instructions)
{
	struct file_data file = load(name);
	struct ptx_module *m = parse_or_fail(name, file.data, file.size), *again;
	struct strbuf first = STRBUF_INIT, second = STRBUF_INIT;
	uint32_t n = 0;

	ptx_print(m, &first);
	again = parse_or_fail("printed", first.data, first.len);
	ptx_print(again, &second);
	assert_string_equal(first.data, second.data);
	assert_same_shape(m, again);
	for (uint32_t i = 0; i < m->nfunctions; i++)
		n += m->functions[i].ninsts;
	assert_int_equal(n, instructions);
	strbuf_release(&first);
	strbuf_release(&second);
	ptx_module_free(m);
	ptx_module_free(again);
	file_data_release(&file);
}

static void test_files(void **state)
{
	(void)state;
	check_file("typed_opcodes.ptx", 880);
	check_file("classic.ptx", 113);
	check_file("hopper.ptx", 139);
	check_file("blackwell.ptx", 69);
	check_file("forms.ptx", 286);
}

static void test_canonical_text(void **state)
{
	struct file_data file = load("classic.ptx"), expected = load("classic.printed");
	struct ptx_module *m = parse_or_fail("classic.ptx", file.data, file.size);
	struct strbuf out = STRBUF_INIT;

	(void)state;
	ptx_print(m, &out);
	assert_string_equal(out.data, expected.data);
	strbuf_release(&out);
	ptx_module_free(m);
	file_data_release(&file);
	file_data_release(&expected);
}

/* Directives that compilers write seldom, each in canonical form already. */
static void test_rare_directives(void **state)
{
	static const char text[] = HEAD ".pragma \"first\";\n"
					".global .samplerref s = { filter_mode = linear };\n"
					".extern .global .u32 later;\n"
					".global .attribute(.unified(1, 2)) .u32 unified;\n"
					".global .u32 later = 5;\n"
					".const .align 4 .f32 none[] = {};\n"
					"\n.visible .func one()\n{\n\tret;\n}\n"
					"\n.visible .func two()\n;\n"
					".alias two, one;\n"
					"\n.func .attribute(.unified(3, 4)) three()\n.noreturn\n.abi_preserve 2\n{\n"
					"t: .calltargets one, two;\n\t.pragma \"inside\";\n\ttrap;\n}\n"
					"@@DWARF .byte 1\n";
	struct ptx_module *m = parse_text(text);
	struct strbuf out = STRBUF_INIT;

	(void)state;
	ptx_print(m, &out);
	assert_string_equal(out.data, text);
	strbuf_release(&out);
	ptx_module_free(m);
}

static void test_rewriting_shows(void **state)
{
	struct ptx_module *m = parse_text(KERNEL("@%p1 ld.global.v2.f32 {%f1, %f2}, [%d1+8]; ret;"));
	struct ptx_function *f = ptx_find_function(m, "k");
	struct strbuf out = STRBUF_INIT;

	(void)state;
	f->insts[0].opcode = ptx_intern_opcode(m, "ld.global.ro.v2.f32");
	ptx_print_inst(f, &f->insts[0], &out);
	assert_string_equal(out.data, "@%p1 ld.global.ro.v2.f32 {%f1, %f2}, [%d1+8];");
	out.len = 0;
	ptx_print_function(f, "other", &out);
	assert_non_null(strstr(out.data, ".visible .entry other("));
	strbuf_release(&out);
	ptx_module_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_files),
	    cmocka_unit_test(test_canonical_text),
	    cmocka_unit_test(test_rare_directives),
	    cmocka_unit_test(test_rewriting_shows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
