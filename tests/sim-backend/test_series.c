/* Windows over time: they change no result, add up to the run, and depend neither on skipping nor on order. */
#include "sim-backend/results/timeline.h"
#include "tests/sim-backend/program.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { EPOCH = 500, IDLE = 3300, LAUNCHES = 3 };

static struct program p;

/* Loads that all SMs share, and before each launch a long time in which nothing moves. */
static void write_program(void)
{
	unsigned load;

	program_begin(&p, 64, 2);
	p.launches = LAUNCHES;
	load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	p.insts[load].flags |= TRACE_READ_ONLY;
	for (unsigned i = 0; i < 40; i++)
		program_emit(&p, load, 0x1000 + i * 128, 4)->per_warp = 8192;
}

struct texts {
	char *series, *timeline;
	uint64_t cycles, instructions;
};

static struct texts run(uint64_t window, bool reverse)
{
	struct sim_config *c = sim_config_create();
	struct sim_options options = {.series_cycles = window, .reverse = reverse, .report = stderr};
	struct sim_result *r;
	struct diag d = DIAG_INIT;
	struct texts t = {NULL, NULL, 0, 0};
	char idle[64], epoch[64];
	size_t size;

	snprintf(idle, sizeof idle, "gpu.launch_cycles=%d", IDLE);
	snprintf(epoch, sizeof epoch, "selrep.epoch_cycles=%d", EPOCH);
	if (sim_config_load(c, "selrep64", &d) < 0 || sim_config_policies(c, "selrep", "lru", &d) < 0 ||
	    sim_config_set(c, idle, &d) < 0 || sim_config_set(c, epoch, &d) < 0 ||
	    sim_config_set(c, "selrep.kernel_start=keep", &d) < 0 || sim_config_check(c, &d) < 0)
		fail_msg("%s", d.message);
	write_program();
	if (window) {
		options.series = open_memstream(&t.series, &size);
		options.timeline = open_memstream(&t.timeline, &size);
	}
	if (program_try(&p, c, &options, &r, &d) < 0)
		fail_msg("%s", d.message);
	if (window) {
		fclose(options.series);
		fclose(options.timeline);
	}
	t.cycles = r->cycles;
	t.instructions = r->total.sm.warp_instructions;
	sim_result_free(r);
	sim_config_free(c);
	return t;
}

static void release(struct texts *t)
{
	free(t->series);
	free(t->timeline);
}

static unsigned column_of(const char *series, const char *name)
{
	char heading[512], *rest = heading, *column;
	unsigned i = 0;

	snprintf(heading, sizeof heading, "%.*s", (int)strcspn(series, "\n"), series);
	for (; (column = strsep(&rest, ",")); i++)
		if (strcmp(column, name) == 0)
			return i;
	fail_msg("no column %s in %s", name, heading);
	return 0;
}

/* Column `i` of the row at `row`. */
static double cell(const char *row, unsigned i)
{
	while (i--)
		row = strchr(row, ',') + 1;
	return strtod(row, NULL);
}

static const char *next_row(const char *row)
{
	row = strchr(row, '\n') + 1;
	return *row ? row : NULL;
}

static void test_sampling_changes_nothing(void **state)
{
	struct texts without = run(0, false), with = run(100, false), reversed = run(100, true);

	(void)state;
	assert_int_equal(without.cycles, with.cycles);
	assert_string_equal(with.series, reversed.series);
	assert_string_equal(with.timeline, reversed.timeline);
	release(&with);
	release(&reversed);
}

static void test_windows_add_up_to_the_run(void **state)
{
	static const uint64_t lengths[] = {1, 97, 500, 1000000};

	(void)state;
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		struct texts t = run(lengths[i], false);
		unsigned ipc = column_of(t.series, "ipc");
		double instructions = 0, before = 0;

		for (const char *row = next_row(t.series); row; row = next_row(row)) {
			double cycle = cell(row, 0);

			assert_true(cycle - before <= (double)lengths[i]);
			instructions += cell(row, ipc) * (cycle - before);
			before = cycle;
		}
		assert_int_equal((uint64_t)before, t.cycles);
		assert_true(fabs(instructions - (double)t.instructions) < 1e-4 * (double)t.instructions);
		release(&t);
	}
}

/* An epoch ends every 500 cycles, also where time skips over its end because nothing moves. */
static void test_decisions_are_on_time_where_time_is_skipped(void **state)
{
	struct texts t = run(100, false);
	unsigned epochs = column_of(t.series, "epochs");

	(void)state;
	for (const char *row = next_row(t.series); row; row = next_row(row))
		assert_int_equal((uint64_t)cell(row, epochs), ((uint64_t)cell(row, 0) - 1) / EPOCH);
	release(&t);
}

static void test_the_timeline_has_every_kernel(void **state)
{
	struct texts t = run(EPOCH, false);
	json_t *events = json_loads(t.timeline, JSON_REJECT_DUPLICATES, NULL);
	json_int_t kernels = 0, cycles = 0, marks = 0;

	(void)state;
	assert_true(json_is_array(events));
	for (size_t i = 0; i < json_array_size(events); i++) {
		json_t *event = json_array_get(events, i), *args = json_object_get(event, "args");
		const char *phase = json_string_value(json_object_get(event, "ph"));

		if (strcmp(phase, "X") == 0 && json_integer_value(json_object_get(event, "tid")) == TIMELINE_KERNELS) {
			assert_int_equal(json_integer_value(json_object_get(args, "launch")), kernels++);
			cycles += json_integer_value(json_object_get(args, "cycles"));
		}
		marks += strcmp(phase, "i") == 0;
	}
	assert_int_equal(kernels, LAUNCHES);
	assert_int_equal(cycles, t.cycles);
	assert_true(marks > 3);
	json_decref(events);
	release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_sampling_changes_nothing),
	    cmocka_unit_test(test_windows_add_up_to_the_run),
	    cmocka_unit_test(test_decisions_are_on_time_where_time_is_skipped),
	    cmocka_unit_test(test_the_timeline_has_every_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
