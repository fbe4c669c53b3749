/*
 * Machines with random values for some of their knobs: a simulation ends, serves no old value, and gives the same with
 * modules ticked backwards and on two threads.
 *
 *   ROMARK_RANDOM_MACHINES=10000   so many machines (20 without); with 1 it says which
 *   ROMARK_RANDOM_FIRST=1234       from this one on; a failure names its number and its settings
 *
 * Policies and values that do not fit the others are drawn again. Machines whose SMs are too small for a CTA are
 * counted, and must be less than a third.
 */
#include "sim-backend/l1/l1_policy.h"
#include "sim-backend/llc/llc_policy.h"
#include "sim-backend/base/random.h"
#include "tests/sim-backend/program.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { MACHINES = 20, MOST_SETTINGS = 8, CYCLES = 2500 };

struct machine {
	unsigned long number;
	const char *gpu, *llc, *l1;
	char settings[MOST_SETTINGS][96];
	unsigned nsettings;
	char text[1200]; /* all of it, for messages */
};

static char *trace_path;

/* Marked loads that SMs share, stores and atomics that they share, barriers and shared memory, in two launches. */
static int write_trace(void **state)
{
	static struct program p;
	unsigned load, other, store, atomic, shared, barrier;

	(void)state;
	program_begin(&p, 300, 4);
	p.launches = 2;
	p.shared_bytes = 2048;
	p.marked = true;
	load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	p.insts[load].flags |= TRACE_READ_ONLY;
	other = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 8, 2);
	store = program_memory(&p, TRACE_STORE, TRACE_GLOBAL, 4, -1);
	atomic = program_memory(&p, TRACE_ATOMIC, TRACE_GLOBAL, 4, 3);
	shared = program_memory(&p, TRACE_LOAD, TRACE_SHARED, 4, 4);
	barrier = program_inst(&p, TRACE_BARRIER, -1, -1);
	for (unsigned i = 0; i < 6; i++) {
		program_emit(&p, load, 0x10000 + i * 0x900, 4)->per_warp = 0x240;
		program_emit(&p, other, 0x100000 + i * 0x400, 36)->per_cta = 0x80;
		program_emit(&p, shared, 4 * i, 8);
		program_emit(&p, store, 0x100000 + i * 0x1000, 4)->per_cta = 0x80;
		program_emit(&p, barrier, 0, 0);
	}
	program_emit(&p, atomic, 0x200000, 0);
	trace_path = program_write(&p);
	return trace_path ? 0 : -1;
}

static int remove_trace(void **state)
{
	int status = unlink(trace_path);

	(void)state;
	free(trace_path);
	return status;
}

/* --- A machine --- */

static uint64_t below(uint64_t *random, uint64_t end)
{
	return random_next(random) % end;
}

/* The ends of the range, half of the default and twice it, a power of two, or any value, small ones more often. */
static double random_number(const struct knob *k, uint64_t *random)
{
	double low = k->min < 1 ? 1 : k->min, value;

	switch (below(random, 6)) {
	case 0: value = k->min; break;
	case 1: value = k->initial / 2; break;
	case 2: value = k->initial * 2; break;
	case 3: value = exp2(floor(random_unit(random) * log2(k->max < 2 ? 2 : k->max))); break;
	default: value = exp(log(low) + random_unit(random) * (log(k->max < low ? low : k->max) - log(low)));
	}
	value = value < k->min ? k->min : value > k->max ? k->max : value;
	return k->type == KNOB_TYPE_UINT ? floor(value) : value;
}

static void random_value(const struct knob *k, uint64_t *random, char *text, size_t size)
{
	uint32_t choices = 1;

	switch (k->type) {
	case KNOB_TYPE_BOOL: snprintf(text, size, "%s", below(random, 2) ? "true" : "false"); return;
	case KNOB_TYPE_CHOICE:
		while (knob_choice_name(k->choices, choices, text, size))
			choices++;
		knob_choice_name(k->choices, (uint32_t)below(random, choices), text, size);
		return;
	case KNOB_TYPE_NAME: /* the last stands for files */
		while (knob_choice_name(k->choices, choices, text, size))
			choices++;
		knob_choice_name(k->choices, (uint32_t)below(random, choices - 1), text, size);
		return;
	case KNOB_TYPE_UINT: snprintf(text, size, "%.0f", random_number(k, random)); return;
	case KNOB_TYPE_REAL: snprintf(text, size, "%.6g", random_number(k, random)); return;
	}
}

static void choose_policies(struct machine *m, uint64_t *random)
{
	static const char *const gpus[] = {"selrep64", "sac4", "gtx480", "fermi16"};
	unsigned nllc = 0, nl1 = 0;

	while (llc_policy_table[nllc])
		nllc++;
	while (l1_policy_table[nl1])
		nl1++;
	m->gpu = gpus[below(random, sizeof gpus / sizeof *gpus)];
	m->llc = llc_policy_table[below(random, nllc)]->name;
	m->l1 = below(random, 2) ? "lru" : l1_policy_table[below(random, nl1)]->name;
}

/* One knob of the sections that are in force. */
static void choose_setting(struct machine *m, const struct sim_config *c, uint64_t *random)
{
	const struct config_section *s;
	unsigned knobs = 0;
	char value[48];

	do
		s = &c->sections[below(random, c->nsections)];
	while (!s->knobs || !s->knobs->name || !sim_config_in_force(c, s) || strcmp(s->name, "energy") == 0);
	while (s->knobs[knobs].name)
		knobs++;
	knobs = (unsigned)below(random, knobs);
	random_value(&s->knobs[knobs], random, value, sizeof value);
	snprintf(m->settings[m->nsettings++], sizeof *m->settings, "%s.%s=%s", s->name, s->knobs[knobs].name, value);
}

static struct sim_config *load(const struct machine *m)
{
	struct sim_config *c = sim_config_create();
	struct diag d = DIAG_INIT;

	if (sim_config_load(c, m->gpu, &d) < 0 || sim_config_policies(c, m->llc, m->l1, &d) < 0)
		fail_msg("machine %lu: %s", m->number, d.message);
	return c;
}

/* NULL when the values do not fit together. */
static struct sim_config *configure(const struct machine *m)
{
	struct sim_config *c = load(m);
	struct diag d = DIAG_INIT;
	int status = 0;

	for (unsigned i = 0; status == 0 && i < m->nsettings; i++)
		status = sim_config_set(c, m->settings[i], &d);
	if (status == 0 && sim_config_check(c, &d) == 0)
		return c;
	sim_config_free(c);
	return NULL;
}

static bool fits(const struct machine *m)
{
	struct sim_config *c = configure(m);

	sim_config_free(c);
	return c;
}

static struct machine random_machine(unsigned long number)
{
	struct machine m = {.number = number};
	uint64_t random = number;
	struct sim_config *c;
	unsigned count;
	int used;

	do
		choose_policies(&m, &random);
	while (!fits(&m));
	c = load(&m);
	count = (unsigned)below(&random, MOST_SETTINGS);
	while (m.nsettings < count) {
		choose_setting(&m, c, &random);
		m.nsettings -= !fits(&m);
	}
	sim_config_free(c);
	used = snprintf(m.text, sizeof m.text, "machine %lu: --gpu=%s --llc=%s --l1=%s", number, m.gpu, m.llc, m.l1);
	for (unsigned i = 0; i < m.nsettings; i++)
		used += snprintf(m.text + used, sizeof m.text - (size_t)used, " --set %s", m.settings[i]);
	return m;
}

/* --- A run --- */

static char *without_host(char *text)
{
	json_t *root = json_loads(text, 0, NULL);
	char *rest;

	assert_non_null(root);
	json_object_del(root, "host");
	rest = json_dumps(root, JSON_INDENT(1));
	json_decref(root);
	free(text);
	return rest;
}

/* What is written; NULL when a CTA does not fit an SM of this machine. */
static char *simulate(const struct machine *m, struct sim_options options)
{
	struct sim_config *c = configure(m);
	struct diag d = DIAG_INIT;
	struct trace_reader *trace = trace_open(trace_path, &d);
	struct sim_result *r = NULL;
	char *json = NULL;
	size_t size;
	int status;

	assert_non_null(trace);
	options.max_cycles = CYCLES;
	options.verify = options.detail = true;
	options.json = open_memstream(&json, &size);
	status = sim_run(c, trace, &options, &r, &d);
	fclose(options.json);
	if (status == 0)
		json = without_host(json);
	else if (!strstr(d.message, "for one CTA") && !strstr(d.message, "does not fit an SM"))
		fail_msg("%s: %s", m->text, d.message);
	sim_result_free(r);
	trace_close(trace);
	sim_config_free(c);
	if (status == 0)
		return json;
	free(json);
	return NULL;
}

/* Returns whether a CTA fits its SMs. */
static bool try_machine(const struct machine *m)
{
	static const struct sim_options ways[] = {{.reverse = true}, {.threads = 2, .share_each = 29}};
	char *one = simulate(m, (struct sim_options){0}), *other;

	for (size_t i = 0; one && i < sizeof ways / sizeof *ways; i++) {
		other = simulate(m, ways[i]);
		if (!other || strcmp(one, other) != 0)
			fail_msg("%s: %s gives another result", m->text, i ? "--threads=2" : "--reverse-ticks");
		free(other);
	}
	free(one);
	return one != NULL;
}

static unsigned long number_from(const char *variable, unsigned long without)
{
	const char *text = getenv(variable);

	return text ? strtoul(text, NULL, 10) : without;
}

static void test_every_order_gives_the_same(void **state)
{
	unsigned long machines = number_from("ROMARK_RANDOM_MACHINES", MACHINES),
		      first = number_from("ROMARK_RANDOM_FIRST", 1), ran = 0;

	(void)state;
	for (unsigned long i = 0; i < machines; i++) {
		struct machine m = random_machine(first + i);

		if (machines == 1)
			puts(m.text);
		ran += try_machine(&m);
	}
	printf("%lu machines, %lu of them ran\n", machines, ran);
	assert_true(machines < MACHINES || 3 * ran > 2 * machines);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_order_gives_the_same)};

	return cmocka_run_group_tests(tests, write_trace, remove_trace);
}
