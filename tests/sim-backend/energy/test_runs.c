/* Energy of whole runs: what is charged to structures, kernels and the rest adds up, and small programs by hand. */
#include "tests/sim-backend/program.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static double value(const json_t *object, const char *key)
{
	const json_t *v = json_object_get(object, key);

	return v ? json_number_value(v) : 0;
}

static void assert_same(double a, double b)
{
	if (!(fabs(a - b) <= 1e-7 * fabs(a)))
		fail_msg("%.12g is not %.12g", a, b);
}

static json_t *run(const struct program *p, const char *llc, const char *setting)
{
	struct sim_config *c = sim_config_create();
	struct sim_result *r = NULL;
	struct diag d = DIAG_INIT;
	size_t size;
	char *text;
	FILE *json = open_memstream(&text, &size);
	struct sim_options options = {.json = json};
	json_t *root;

	if (sim_config_load(c, "selrep64", &d) < 0 || sim_config_policies(c, llc, NULL, &d) < 0 ||
	    (setting && sim_config_set(c, setting, &d) < 0) || program_try(p, c, &options, &r, &d) < 0)
		fail_msg("%s", d.message);
	fclose(json);
	sim_result_free(r);
	sim_config_free(c);
	root = json_loads(text, 0, NULL);
	free(text);
	assert_non_null(root);
	return root;
}

/* Parts, static power, and who is charged. JSON has nine digits. */
static void assert_adds_up(const json_t *object)
{
	const json_t *energy = json_object_get(object, "energy"), *events = json_object_get(object, "energy_events");
	const json_t *structures = json_object_get(object, "structures"), *structure, *event;
	double parts = 0, all_events = 0, charged = 0;
	const char *name;
	size_t i;

	for (const struct stat_row *row = energy_rows; strcmp(row->name, "static_sm_j") != 0; row++)
		parts += value(energy, row->name);
	json_object_foreach((json_t *)events, name, event) all_events += json_number_value(event);
	json_array_foreach(structures, i, structure)
	{
		const json_t *own = json_object_get(structure, "energy");

		charged += value(own, "total_j");
		assert_same(value(own, "total_j"),
			    value(own, "l1_j") + value(own, "noc_j") + value(own, "llc_j") + value(own, "dram_j"));
	}
	assert_same(value(energy, "static_j"), value(energy, "static_sm_j") + value(energy, "static_noc_j") +
						   value(energy, "static_llc_j") + value(energy, "static_dram_j") +
						   value(energy, "static_other_j"));
	assert_same(parts, all_events);
	assert_same(value(energy, "total_j"), parts + value(energy, "static_j"));
	assert_same(value(energy, "structures_j"), charged);
	assert_same(value(energy, "total_j"), charged + value(energy, "elsewhere_j") + value(energy, "static_j"));
	assert_true(charged > 0);
}

/* Loads that share and that do not, stores that hit and miss, atomics, shared memory; two kernels in turn. */
static void many_things(struct program *p)
{
	unsigned load, store, atomic, add;

	program_begin(p, 32, 4);
	p->launches = 4;
	p->second_kernel = true;
	load = program_memory(p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	store = program_memory(p, TRACE_STORE, TRACE_GLOBAL, 4, -1);
	atomic = program_memory(p, TRACE_ATOMIC, TRACE_GLOBAL, 4, 2);
	add = program_inst(p, TRACE_FP32, 3, 1);
	for (unsigned i = 0; i < 12; i++) {
		program_emit(p, load, 0x1000 + 0x200 * i, 4);
		program_emit(p, add, 0, 0);
		program_emit(p, load, 0x100000 + 0x80 * i, 4)->per_cta = 0x2000;
		program_emit(p, store, 0x200000 + 0x80 * i, 4)->per_warp = 0x400;
	}
	program_emit(p, atomic, 0x300000, 0);
}

static void test_energy_is_neither_lost_nor_doubled(void **state)
{
	static const char *const policies[] = {"shared", "private", "degree4", "selrep", "adaptive"};
	static struct program p;

	(void)state;
	many_things(&p);
	for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
		/* A small LLC, so that lines are written back while kernels run and between them. */
		json_t *root = run(&p, policies[i], "llc.kilobytes=128"), *kernel;
		const json_t *energy = json_object_get(root, "energy"),
			     *events = json_object_get(root, "energy_events");
		double total = 0;
		size_t k;

		assert_adds_up(root);
		json_array_foreach(json_object_get(root, "kernels"), k, kernel)
		{
			assert_adds_up(kernel);
			total += value(json_object_get(kernel, "energy"), "total_j");
		}
		assert_int_equal(k, 4);
		assert_same(value(energy, "total_j"), total);
		/* Everything else in the run belongs to a structure. */
		assert_same(value(energy, "elsewhere_j"),
			    value(energy, "sm_j") + value(energy, "directory_j") + value(events, "dram_refresh_j") +
				1.12e-12 * value(json_object_get(root, "llc"), "searched_sets"));
		json_decref(root);
	}
}

static const json_t *only_structure(const json_t *root)
{
	const json_t *list = json_object_get(root, "structures");

	assert_int_equal(json_array_size(list), 1);
	return json_object_get(json_array_get(list, 0), "energy");
}

/* One warp reads `lines` lines `reads` times, one read after the other. */
static json_t *read_lines(unsigned lines, unsigned reads, const char *llc)
{
	static struct program p;
	unsigned load;

	program_begin(&p, 1, 1);
	p.marked = true;
	load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	p.insts[load].flags |= TRACE_READ_ONLY;
	for (unsigned i = 0; i < reads * lines; i++)
		program_emit(&p, load, 0x1000 + i % lines * 128, 4);
	return run(&p, llc, NULL);
}

static double price(const char *name)
{
	struct energy_config config;

	knob_defaults(energy_knobs, &config);
	return 1e-12 * knob_real(knob_find(energy_knobs, name), &config);
}

static void test_reads_of_a_line_cost_what_the_prices_say(void **state)
{
	enum { READS = 25 };
	json_t *root = read_lines(1, READS, "shared");
	const json_t *e = only_structure(root);
	double router = 2 * (price("noc_buffer_write_pj") + price("noc_buffer_read_pj") + price("noc_switch_pj")) +
			(4 + 16) * (price("noc_switch_port_pj") + price("noc_arbitration_pj"));
	double way = router + (12.3 + 2 * 1) * price("noc_link_mm_pj");

	(void)state;
	assert_same(value(e, "l1_j"),
		    READS * price("l1_tag_pj") + (READS - 1) * price("l1_read_pj") + price("l1_write_pj"));
	/* A flit asks, four bring the line; behind the slice, one asks and four bring it. */
	assert_same(value(e, "noc_j"), 5 * way + 5 * price("noc_crossbar_pj"));
	assert_same(value(e, "llc_j"), price("llc_tag_pj") + price("llc_write_pj") + 4 * price("llc_write_sector_pj"));
	assert_same(value(e, "dram_j"),
		    price("dram_activate_pj") + 128 * 8 * (price("dram_read_bit_pj") + price("dram_io_bit_pj")));
	json_decref(root);
}

/* SelRep's sees what goes to one controller, Adaptive's what goes to one slice; of that a few sets. */
static void test_a_directory_costs_what_it_is_used(void **state)
{
	static const char *const policies[] = {"selrep", "adaptive"};
	json_t *shared = read_lines(512, 2, "shared");

	(void)state;
	assert_true(value(json_object_get(shared, "energy"), "directory_j") == 0);
	json_decref(shared);
	for (unsigned i = 0; i < 2; i++) {
		json_t *root = read_lines(512, 2, policies[i]);
		const json_t *llc = json_object_get(root, "llc"), *e = json_object_get(root, "energy");

		assert_true(value(llc, "directory_writes") > 0);
		assert_true(value(llc, "directory_searches") >= value(llc, "directory_writes"));
		assert_same(value(e, "directory_j"), value(llc, "directory_searches") * price("directory_search_pj") +
							 value(llc, "directory_writes") * price("directory_write_pj"));
		json_decref(root);
	}
}

static void test_power_at_rest_is_that_of_the_machine(void **state)
{
	json_t *root = read_lines(1, 3, "shared");
	const json_t *e = json_object_get(root, "energy");
	double seconds = value(root, "cycles") / 1.4e9;

	(void)state;
	assert_same(value(e, "static_j"),
		    seconds * (64 * 0.283 + 256 * 0.0069 + 128 * 0.0025 + 4096 * 0.000311 + 32 * 0.066 + 32.3));
	assert_same(value(e, "watts"), value(e, "total_j") / seconds);
	json_decref(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_energy_is_neither_lost_nor_doubled),
	    cmocka_unit_test(test_reads_of_a_line_cost_what_the_prices_say),
	    cmocka_unit_test(test_a_directory_costs_what_it_is_used),
	    cmocka_unit_test(test_power_at_rest_is_that_of_the_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
