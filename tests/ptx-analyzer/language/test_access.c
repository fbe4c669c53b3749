/* The spelling of marked loads: the mark's place among the modifiers, and loads that never carry it. */
#include "ptx-analyzer/language/module/ptx_access.h"
#include "ptx-analyzer/language/text/ptx_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const char header[] = ".version 8.8\n.target sm_100a\n.address_size 64\n";

/* The operands do not matter to a spelling; the parser must accept the result. */
static void check_spelling(const char *from, enum load_mark mark, const char *wanted)
{
	struct strbuf text = STRBUF_INIT;
	struct diag d = DIAG_INIT;
	struct ptx_module *m = ptx_parse("header", header, strlen(header), &d);

	assert_non_null(m);
	assert_true(ptx_spell_load(from, strlen(from), mark, &text));
	assert_string_equal(text.data, wanted);
	assert_non_null(ptx_intern_opcode(m, text.data));
	strbuf_release(&text);
	ptx_module_free(m);
}

static void test_where_the_mark_stands(void **state)
{
	static const struct {
		const char *from, *ro, *nc, *plain;
	} rows[] = {
	    {"ld.f32", "ld.global.ro.f32", "ld.global.nc.f32", "ld.global.f32"},
	    {"ld.global.f32", "ld.global.ro.f32", "ld.global.nc.f32", "ld.global.f32"},
	    {"ld.weak.global.u8", "ld.global.ro.u8", "ld.global.nc.u8", "ld.global.u8"},
	    {"ld.global.v4.f32", "ld.global.ro.v4.f32", "ld.global.nc.v4.f32", "ld.global.v4.f32"},
	    {"ld.global.v2.b64", "ld.global.ro.v2.b64", "ld.global.nc.v2.b64", "ld.global.v2.b64"},
	    {"ld.global.ca.u32", "ld.global.ca.ro.u32", "ld.global.ca.nc.u32", "ld.global.ca.u32"},
	    {"ld.global.cg.v2.f32", "ld.global.cg.ro.v2.f32", "ld.global.cg.nc.v2.f32", "ld.global.cg.v2.f32"},
	    {"ld.global.cs.s16", "ld.global.cs.ro.s16", "ld.global.cs.nc.s16", "ld.global.cs.s16"},
	    {"ld.global.L1::no_allocate.u32", "ld.global.ro.L1::no_allocate.u32", "ld.global.nc.L1::no_allocate.u32",
	     "ld.global.L1::no_allocate.u32"},
	    {"ld.global.L1::evict_last.L2::128B.v4.b32", "ld.global.ro.L1::evict_last.L2::128B.v4.b32",
	     "ld.global.nc.L1::evict_last.L2::128B.v4.b32", "ld.global.L1::evict_last.L2::128B.v4.b32"},
	    {"ld.global.L2::cache_hint.b32", "ld.global.ro.L2::cache_hint.b32", "ld.global.nc.L2::cache_hint.b32",
	     "ld.global.L2::cache_hint.b32"},
	    {"ld.global.nc.f32", "ld.global.ro.f32", "ld.global.nc.f32", "ld.global.f32"},
	    {"ld.global.cg.nc.L2::64B.f32", "ld.global.cg.ro.L2::64B.f32", "ld.global.cg.nc.L2::64B.f32",
	     "ld.global.cg.L2::64B.f32"},
	    {"ld.global.ro.v4.u32", "ld.global.ro.v4.u32", "ld.global.nc.v4.u32", "ld.global.v4.u32"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		check_spelling(rows[i].from, LOAD_RO, rows[i].ro);
		check_spelling(rows[i].from, LOAD_NC, rows[i].nc);
		check_spelling(rows[i].from, LOAD_KEEP, rows[i].plain);
	}
}

/* The modifiers decide alike in a spelling and in a decoded opcode. */
static void test_ordered_and_uncached_loads_never_carry_it(void **state)
{
	static const char *const spellings[] = {
	    "ld.volatile.global.u32", "ld.global.volatile.u32",         "ld.relaxed.gpu.global.f32",
	    "ld.acquire.sys.u64",     "ld.mmio.relaxed.sys.global.u32", "ld.global.cv.u32",
	    "ld.global.lu.b16",       "ld.global.unified.u32",
	};
	struct diag d = DIAG_INIT;
	struct ptx_module *m = ptx_parse("header", header, strlen(header), &d);

	(void)state;
	assert_non_null(m);
	for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
		struct strbuf text = STRBUF_INIT;
		const struct ptx_opcode *opcode = ptx_intern_opcode(m, spellings[i]);

		assert_false(ptx_spell_load(spellings[i], strlen(spellings[i]), LOAD_RO, &text));
		assert_false(ptx_spell_load(spellings[i], strlen(spellings[i]), LOAD_NC, &text));
		assert_int_equal(text.len, 0);
		if (opcode)
			assert_non_null(ptx_mark_obstacle(opcode));
		strbuf_release(&text);
	}
	ptx_module_free(m);
}

static void test_only_the_given_bytes_are_read(void **state)
{
	static const char line[] = "ld.global.v4.u32 \t{%r1, %r2, %r3, %r4}, [%rd1.volatile];";
	struct strbuf text = STRBUF_INIT;

	(void)state;
	assert_true(ptx_spell_load(line, strcspn(line, " "), LOAD_RO, &text));
	assert_string_equal(text.data, "ld.global.ro.v4.u32");
	strbuf_release(&text);
}

static void test_spaces_of_addresses(void **state)
{
	struct diag d = DIAG_INIT;
	struct ptx_module *m = ptx_parse("header", header, strlen(header), &d);
	const struct ptx_opcode *copy = ptx_intern_opcode(m, "cp.async.ca.shared.global");
	const struct ptx_opcode *bulk =
	    ptx_intern_opcode(m, "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes");

	(void)state;
	assert_int_equal(ptx_address_space(copy, 0), PTX_SPACE_SHARED);
	assert_int_equal(ptx_address_space(copy, 1), PTX_SPACE_GLOBAL);
	assert_int_equal(ptx_address_space(bulk, 1), PTX_SPACE_GLOBAL);
	assert_int_equal(ptx_address_space(bulk, 2), PTX_SPACE_SHARED);
	assert_int_equal(ptx_address_space(ptx_intern_opcode(m, "ldmatrix.sync.aligned.m8n8.x1.b16"), 0),
			 PTX_SPACE_SHARED);
	assert_true(ptx_hides_memory(PTX_OP_multimem_st, PTX_SPACE_GLOBAL));
	assert_false(ptx_hides_memory(PTX_OP_cp_async_bulk_tensor, PTX_SPACE_SHARED));
	ptx_module_free(m);
}

/* Whether the row has one, and one only, of the letters. */
static bool has_one(const char *facts, const char *letters)
{
	size_t first = strcspn(facts, letters);

	return facts[first] && !facts[first + 1 + strcspn(facts + first + 1, letters)];
}

/*
 * What a row leaves unsaid would be taken as harmless, and marks would be wrong. So each row says of its addresses
 * whether they name all memory, and of what may order memory whether it synchronises with others than the CTA.
 */
static void test_every_row_says_what_marks_depend_on(void **state)
{
	(void)state;
	for (unsigned op = PTX_OP_invalid + 1; op < PTX_OP_COUNT; op++) {
		const struct ptx_op_info *row = &ptx_op_table[op];
		bool may_order = strstr(row->mods, "@order") || strstr(row->mods, "acquire");

		assert_int_equal(strspn(row->facts, "nhsufaoq"), strlen(row->facts));
		if (row->cls == PTX_CLASS_BARRIER || row->cls == PTX_CLASS_TEXTURE)
			continue;
		if (row->cls == PTX_CLASS_FENCE) {
			if (!has_one(row->facts, "fs"))
				fail_msg("%s says not whether it synchronises", row->name);
			continue;
		}
		if (strpbrk(row->signature, "lwapmv") && !has_one(row->facts, "nhsu"))
			fail_msg("%s says not whether its operands name all memory", row->name);
		if (may_order && !has_one(row->facts, "faoq"))
			fail_msg("%s says not whether it synchronises", row->name);
	}
}

static void test_what_listens(void **state)
{
	static const struct {
		const char *text;
		bool listens;
	} cases[] = {
	    {"fence.acq_rel.gpu", true},
	    {"fence.acq_rel.cta", false},
	    {"membar.gl", true},
	    {"atom.acquire.gpu.global.add.u32", true},
	    {"atom.global.add.u32", false},
	    {"ld.relaxed.sys.global.u32", true},
	    {"ld.global.u32", false},
	    {"ld.relaxed.gpu.shared.u32", false},
	    {"red.release.gpu.global.add.u32", false},
	    {"multimem.ld_reduce.acquire.sys.global.add.u32", true},
	    {"multimem.ld_reduce.weak.global.add.u32", false},
	};
	struct diag d = DIAG_INIT;
	struct ptx_module *m = ptx_parse("header", header, strlen(header), &d);

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (ptx_listens(ptx_intern_opcode(m, cases[i].text)) != cases[i].listens)
			fail_msg("%s", cases[i].text);
	ptx_module_free(m);
}

static void test_a_promise_is_nc_alone(void **state)
{
	struct diag d = DIAG_INIT;
	struct ptx_module *m = ptx_parse("header", header, strlen(header), &d);

	(void)state;
	assert_true(ptx_is_promised(ptx_intern_opcode(m, "ld.global.nc.u32")));
	assert_false(ptx_is_promised(ptx_intern_opcode(m, "ld.global.ro.u32")));
	assert_false(ptx_is_promised(ptx_intern_opcode(m, "ld.global.u32")));
	ptx_module_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_where_the_mark_stands),
	    cmocka_unit_test(test_ordered_and_uncached_loads_never_carry_it),
	    cmocka_unit_test(test_only_the_given_bytes_are_read),
	    cmocka_unit_test(test_spaces_of_addresses),
	    cmocka_unit_test(test_every_row_says_what_marks_depend_on),
	    cmocka_unit_test(test_what_listens),
	    cmocka_unit_test(test_a_promise_is_nc_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
