/* The resources that a kernel needs of an SM, compared with ptxas on the same text. */
#include "tests/ptx-analyzer/language/ptxtest.h"
#include "ptx-analyzer/flow/cfg.h"
#include "ptx-analyzer/flow/resources.h"
#include "ptx-analyzer/language/text/ptx_text.h"

#include <stdlib.h>

static struct ptx_module *module;

static int open_module(void **state)
{
	(void)state;
	module = parse_file(FLOW_TEXTS "/resources.ptx");
	return 0;
}

static int close_module(void **state)
{
	(void)state;
	ptx_module_free(module);
	return 0;
}

static void reach(const char *kernel, struct ptx_reach *r)
{
	ptx_reach(module, (uint32_t)(ptx_find_function(module, kernel) - module->functions), r);
}

static uint64_t shared_of(const char *kernel, uint32_t *align)
{
	struct ptx_reach r;
	uint64_t bytes;

	reach(kernel, &r);
	bytes = ptx_shared_bytes(&r, NULL, align);
	ptx_reach_release(&r);
	return bytes;
}

static void test_shared_variables_count_where_they_are_named(void **state)
{
	uint32_t align;

	(void)state;
	assert_int_equal(shared_of("plain", &align), 0);
	assert_int_equal(align, 0);
	assert_int_equal(shared_of("tiled", &align), 4224 + 20);
	assert_int_equal(align, PTX_DYNAMIC_ALIGN);
	assert_int_equal(shared_of("calls", NULL), 512);
}

static void test_each_variable_has_its_place(void **state)
{
	uint32_t *offset = calloc(module->nsymbols, sizeof *offset), places[] = {4244 + 12, 0, 4224, PTX_NONE};
	struct ptx_reach r;

	(void)state;
	reach("tiled", &r);
	ptx_shared_bytes(&r, offset, NULL);
	for (uint32_t i = 0, n = 0; i < module->nsymbols; i++)
		if (module->symbols[i].space == PTX_SPACE_SHARED)
			assert_int_equal(offset[i], places[n++]);
	ptx_reach_release(&r);
	free(offset);
}

static uint32_t barriers_of(const char *kernel)
{
	struct ptx_reach r;
	uint32_t barriers;

	reach(kernel, &r);
	barriers = ptx_barriers(&r);
	ptx_reach_release(&r);
	return barriers;
}

static void test_barriers_count_to_the_highest(void **state)
{
	(void)state;
	assert_int_equal(barriers_of("plain"), 0);
	assert_int_equal(barriers_of("tiled"), 1);
	assert_int_equal(barriers_of("calls"), 3);
	assert_int_equal(barriers_of("any_barrier"), 16);
}

static void test_frames_add_up_along_calls(void **state)
{
	const struct ptx_function *calls = ptx_find_function(module, "calls");
	bool bounded;

	(void)state;
	assert_int_equal(ptx_frame_bytes(calls), 160);
	assert_int_equal(ptx_stack_bytes(calls, &bounded), 160 + 16 + 256);
	assert_true(bounded);
	ptx_stack_bytes(ptx_find_function(module, "endless"), &bounded);
	assert_false(bounded);
}

/* Nine registers of 64 bits and two of 32 are live at once; a predicate does not count. */
static void test_registers_are_those_live_at_once(void **state)
{
	struct ptx_function *wide = ptx_find_function(module, "wide");

	(void)state;
	assert_int_equal(ptx_build_cfg(wide, NULL), 0);
	assert_int_equal(ptx_registers(wide), 9 * 2 + 2);
}

/* The numbers are what ptxas 13 reports of a kernel that could use all registers there are. */
static void test_registers_fit_the_bounds_of_launches(void **state)
{
	static const struct {
		const char *bounds;
		uint32_t registers;
	} rows[] = {
	    {"", 255},
	    {".maxntid 1024", 64},
	    {".maxntid 1000", 64},
	    {".maxntid 768", 80},
	    {".maxntid 640", 96},
	    {".maxntid 32, 32, 1", 64},
	    {".reqntid 1024", 64},
	    {".maxntid 1024\n.minnctapersm 2", 32},
	    {".maxntid 128\n.minnctapersm 16", 32},
	    {".maxntid 100\n.minnctapersm 7", 72},
	    {".maxntid 256\n.minnctapersm 3", 80},
	    {".minnctapersm 4", 255},
	    {".maxnreg 40", 40},
	    {".maxntid 256\n.maxnreg 33", 33},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct strbuf text = STRBUF_INIT;
		struct ptx_module *m;

		strbuf_addf(&text,
			    ".version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 a)\n%s\n{\n"
			    ".reg .b32 %%r<300>;\n.reg .b64 %%p;\nld.param.u64 %%p, [a];\n",
			    rows[i].bounds);
		for (int r = 0; r < 300; r++)
			strbuf_addf(&text, "ld.global.u32 %%r%d, [%%p+%d];\n", r, 4 * r);
		for (int r = 0; r < 300; r++)
			strbuf_addf(&text, "st.global.u32 [%%p+%d], %%r%d;\n", 4 * r, r);
		strbuf_addf(&text, "ret;\n}\n");
		m = ptx_parse("bounds", text.data, text.len, NULL);
		assert_non_null(m);
		assert_int_equal(ptx_build_cfg(&m->functions[0], NULL), 0);
		assert_int_equal(ptx_registers(&m->functions[0]), rows[i].registers);
		ptx_module_free(m);
		strbuf_release(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_shared_variables_count_where_they_are_named),
	    cmocka_unit_test(test_each_variable_has_its_place),
	    cmocka_unit_test(test_barriers_count_to_the_highest),
	    cmocka_unit_test(test_frames_add_up_along_calls),
	    cmocka_unit_test(test_registers_are_those_live_at_once),
	    cmocka_unit_test(test_registers_fit_the_bounds_of_launches),
	};

	return cmocka_run_group_tests(tests, open_module, close_module);
}
