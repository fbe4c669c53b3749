/*
 * Soundness of the pass's marks by execution: random kernels, marked at an alias level and optimised or not, run on
 * the CPU device, which checks every store against what marked loads have read. Launches alias as far as the level
 * allows.
 *
 *   test_pass_execution [FIRST_SEED COUNT]
 *
 * ROMARK_RANDOM_KERNELS is a count, too. A seed makes a module of several kernels that share functions, and the count
 * is one of kernels. ROMARK_RANDOM_LEVEL=strict takes that level for all; without it each seed picks one.
 */
#include "passes/passes.h"
#include "tests/runtime/cpu/harness.h"
#include "tests/passes/random_program.h"

#include <jansson.h>
#include <stdio.h>

/* Objects: what the parameters point to, what these lead to, and the variables g0 and g1. */
enum {
	OWN = 0, /* of p0..p3, the two pointers in p4, p6, p7 and the two in p8 */
	ROOTS = 10,
	NEXT = ROOTS, /* what the slots of each of those lead to, where names are distinct; g0's and g1's then */
	LAST = NEXT + ROOTS + 2, /* what the slots of each of NEXT lead to there */
	VARIABLES = LAST + ROOTS + 2,
	OBJECTS = VARIABLES + 2,
	SINK = 7,   /* p7 */
	PACKED = 8, /* p8's */
};

static unsigned long first_seed = 1, kernels = 400;
static const char *only_level; /* NULL: each seed picks its own */

static struct tally {
	unsigned kernels, marked, launches, not_covered, illegal;
} tally;

struct world {
	char *objects[OBJECTS];
	unsigned root[ROOTS];                             /* object of p0..p3, p4+0, p4+8, p6, p7, p8+4, p8+12 */
	unsigned slot[OBJECTS][OBJECT_NODES][NODE_SLOTS]; /* objects */
};

/* --- Targets of pointers --- */

static void set_slots(struct world *w, unsigned object, unsigned to)
{
	for (unsigned i = 0; i < OBJECT_NODES * NODE_SLOTS; i++)
		w->slot[object][i / NODE_SLOTS][i % NODE_SLOTS] = to;
}

/* Each name its own memory, as level distinct assumes. */
static void arrange_distinct(struct world *w)
{
	for (unsigned i = 0; i < ROOTS; i++) {
		w->root[i] = OWN + i;
		set_slots(w, OWN + i, NEXT + i);
	}
	for (unsigned i = NEXT; i < LAST; i++) {
		set_slots(w, i, i - NEXT + LAST);
		set_slots(w, i - NEXT + LAST, i - NEXT + LAST);
	}
	for (unsigned i = 0; i < 2; i++)
		set_slots(w, VARIABLES + i, NEXT + ROOTS + i);
}

/*
 * Names may be the same memory, with odds of one in `odds`, and slots lead anywhere; but nothing else leads to what
 * noalias parameters point to.
 */
static void arrange_aliased(struct world *w, struct random *r, unsigned noalias, unsigned odds)
{
	unsigned free[OBJECTS], nfree = 0;

	for (unsigned i = 0; i < OBJECTS; i++)
		if (i != SINK && !(i < 4 && noalias >> i & 1) && (odds < 8 || i >= NEXT) &&
		    (i <= LAST || i >= VARIABLES))
			free[nfree++] = i;
	for (unsigned i = 0; i < ROOTS; i++) {
		bool own = i == SINK || (i < 4 && noalias >> i & 1) || random_pick(r, odds);

		w->root[i] = own ? i : free[random_pick(r, nfree)];
	}
	for (unsigned i = 0; i < OBJECTS; i++)
		for (unsigned n = 0; n < OBJECT_NODES * NODE_SLOTS; n++)
			w->slot[i][n / NODE_SLOTS][n % NODE_SLOTS] = free[random_pick(r, nfree)];
}

static void fill(const struct world *w, struct random *r)
{
	for (unsigned i = 0; i < OBJECTS; i++)
		for (unsigned node = 0; node < OBJECT_NODES; node++) {
			uint64_t *words = (uint64_t *)(w->objects[i] + node * NODE_BYTES);

			for (unsigned n = 0; n < SLOTS_AT / 8; n++)
				words[n] = random_pick(r, 6);
			for (unsigned n = 0; n < NODE_SLOTS; n++)
				words[SLOTS_AT / 8 + n] = DEVICE_POINTER(w->objects[w->slot[i][node][n]]);
		}
}

/* --- Guards --- */

static const json_t *kernel_report(const json_t *report, unsigned kernel)
{
	const json_t *all = json_object_get(report, "kernels"), *item;
	char name[16];
	size_t i;

	snprintf(name, sizeof name, "k%u", kernel);
	json_array_foreach(all, i,
			   item) if (strcmp(json_string_value(json_object_get(item, "name")), name) == 0) return item;
	fail_msg("no report on %s", name);
	return NULL;
}

/* The objects that structure `id` of the report covers at this launch, a bit for each; 0 if unknown. */
static uint64_t objects_of(const struct world *w, const char *id)
{
	static const char *const roots[ROOTS] = {"p0", "p1", "p2", "p3", "p4+0", "p4+8", "p6", "p7", "p8+4", "p8+12"};
	uint64_t holders, objects = 0, before;

	for (unsigned i = 0; i < ROOTS; i++)
		if (strcmp(id, roots[i]) == 0)
			return UINT64_C(1) << w->root[i];
	if (id[0] == 'g' && id[2] == '\0')
		return UINT64_C(1) << (VARIABLES + id[1] - '0');
	if (id[0] != '*')
		return 0;
	holders = objects_of(w, id + 1);
	/* "**p0" is all that can be reached. */
	do {
		before = objects;
		holders |= id[1] == '*' ? objects : 0;
		for (unsigned i = 0; i < OBJECTS; i++)
			for (unsigned n = 0; holders >> i & 1 && n < OBJECT_NODES * NODE_SLOTS; n++)
				objects |= UINT64_C(1) << w->slot[i][n / NODE_SLOTS][n % NODE_SLOTS];
	} while (objects != before);
	return objects;
}

static bool guards_hold(const struct world *w, const json_t *kernel)
{
	const json_t *guard;
	size_t i;

	json_array_foreach(json_object_get(kernel, "guards"), i, guard)
	{
		uint64_t reads = objects_of(w, json_string_value(json_object_get(guard, "reads")));
		uint64_t writes = objects_of(w, json_string_value(json_object_get(guard, "writes")));

		if (!reads || !writes || reads & writes)
			return false;
	}
	return true;
}

/* True if a write without a name counts as other memory only by the assumption of level distinct. */
static bool writes_unknown(const json_t *kernel)
{
	const json_t *s;
	size_t i;

	json_array_foreach(json_object_get(kernel, "structures"), i,
			   s) if (strcmp(json_string_value(json_object_get(s, "id")), "unknown") == 0 &&
				  (json_integer_value(json_object_get(s, "stores")) ||
				   json_integer_value(json_object_get(s, "atomics")))) return true;
	return false;
}

/* Whether the level promises anything of this launch. */
static bool is_covered(const struct world *w, enum alias_level alias, const json_t *kernel)
{
	if (alias == ALIAS_GUARDED)
		return guards_hold(w, kernel);
	return alias == ALIAS_STRICT || !writes_unknown(kernel);
}

/* --- A module --- */

struct subject {
	unsigned long seed;
	struct strbuf source;
	unsigned noalias[KERNELS];
	struct pass_options options;
	struct pass_output out;
	json_t *report;
};

static enum alias_level pick_level(struct random *r)
{
	enum alias_level picked = (enum alias_level)random_pick(r, ALIAS_LEVELS);

	if (!only_level)
		return picked;
	for (unsigned i = 0; i < ALIAS_LEVELS; i++)
		if (strcmp(only_level, alias_level_names[i]) == 0)
			return (enum alias_level)i;
	fail_msg("ROMARK_RANDOM_LEVEL is '%s', not one of " ALIAS_LEVEL_CHOICES, only_level);
	return picked;
}

/* False where LLVM has no code for it: atomics on local memory. */
static bool compile(struct subject *s, struct random *r)
{
	struct diag d = DIAG_INIT;

	s->options = (struct pass_options)PASS_OPTIONS_INIT;
	s->options.alias = pick_level(r);
	s->options.load = LOAD_NC;
	s->options.emit = PASS_EMIT_PTX;
	s->options.optimise = (int)random_pick(r, 5) - 1;
	s->options.codegen_level = (int)random_pick(r, 4);
	random_program(r, &s->source, s->noalias);
	if (pass_run("random", s->source.data, s->source.len, &s->options, &s->out, &d) < 0) {
		if (!strstr(d.message, "Cannot select"))
			fail_msg("seed %lu: %s\n%s", s->seed, d.message, s->source.data);
		return false;
	}
	s->report = json_loads(s->out.report, 0, NULL);
	return true;
}

/* A single thread: another thread would find addresses of this one's locals in memory. */
static bool run(struct subject *s, unsigned kernel, const struct world *w, struct device_module *module)
{
	const struct harness_launch shape = {{1, 1, 1}, {1, 1, 1}, 64, false};
	uint64_t params[13] = {0};
	char name[16];

	for (unsigned i = 0; i < 6; i++)
		params[i] = DEVICE_POINTER(w->objects[w->root[i]]);
	snprintf(name, sizeof name, "k%u", kernel);
	params[7] = s->seed % 4;
	params[8] = DEVICE_POINTER(w->objects[w->root[6]]);
	params[9] = DEVICE_POINTER(w->objects[w->root[SINK]]);
	for (unsigned i = 0; i < 2; i++) {
		uint64_t packed = DEVICE_POINTER(w->objects[w->root[PACKED + i]]);

		memcpy((char *)&params[10] + 4 + 8 * i, &packed, sizeof packed);
	}
	return harness_run(module, name, &shape, params, 13) == DEVICE_OK &&
	       (!strstr(s->source.data, "@other(") || harness_run(module, "other", &shape, &params[7], 1) == DEVICE_OK);
}

static void find_variables(struct world *w, struct device_module *module)
{
	static const char *const names[] = {"g0", "g1"};

	for (unsigned i = 0; i < 2; i++) {
		uint64_t address = 0;
		size_t size;

		if (cpu_device_ops.variable(harness_device(), module, names[i], &address, &size) != DEVICE_OK)
			fail_msg("no variable %s", names[i]);
		w->objects[VARIABLES + i] = (char *)(uintptr_t)address;
	}
}

/*
 * Whether the program, compiled in the same way without marks, ends with an illegal address too: then the program or
 * LLVM is wrong, and the marks are not.
 */
static bool fails_without_marks(struct subject *s, unsigned kernel, struct world *w, struct random *r)
{
	struct pass_options options = s->options;
	struct device_module *module;
	struct pass_output out;
	bool failed;

	options.load = LOAD_KEEP;
	if (pass_run("random", s->source.data, s->source.len, &options, &out, NULL) < 0)
		return false;
	module = harness_load(out.text);
	find_variables(w, module);
	fill(w, r);
	failed = !run(s, kernel, w, module) && strstr(harness_diag.message, "illegal address");
	harness_unload(module);
	pass_output_release(&out);
	return failed;
}

/* `filled`: the random numbers from which the world was filled. */
static void launch(struct subject *s, unsigned kernel, struct world *w, struct random filled,
		   struct device_module *module)
{
	char message[1024];

	tally.launches++;
	if (run(s, kernel, w, module))
		return;
	snprintf(message, sizeof message, "%s", harness_diag.message);
	if (fails_without_marks(s, kernel, w, &filled)) {
		tally.illegal++;
		find_variables(w, module);
		return;
	}
	fprintf(stderr, "seed %lu, k%u, %s, -O%d: %s\n%s\n%s\n%s", s->seed, kernel, alias_level_name(s->options.alias),
		s->options.optimise, message, s->out.report, s->source.data, s->out.text);
	fail_msg("seed %lu: %s", s->seed, message);
}

/* Launches the kernel twice, where its level covers that. */
static void launch_twice(struct subject *s, unsigned kernel, struct world *w, struct random *r,
			 struct device_module *module)
{
	const json_t *report = kernel_report(s->report, kernel);
	struct random filled;

	tally.kernels++;
	tally.marked += json_integer_value(json_object_get(report, "loads_marked")) > 0;
	for (unsigned i = 0; i < 2; i++) {
		if (s->options.alias == ALIAS_DISTINCT)
			arrange_distinct(w);
		else
			arrange_aliased(w, r, s->noalias[kernel], i ? 2 : 8);
		filled = *r;
		fill(w, r);
		if (is_covered(w, s->options.alias, report))
			launch(s, kernel, w, filled, module);
		else
			tally.not_covered++;
	}
}

static void run_seed(struct world *w, unsigned long seed)
{
	struct random r = random_from(seed);
	struct subject s = {.seed = seed, .source = STRBUF_INIT};

	if (compile(&s, &r)) {
		struct device_module *module = harness_load(s.out.text);

		find_variables(w, module);
		for (unsigned i = 0; i < KERNELS; i++)
			launch_twice(&s, i, w, &r, module);
		harness_unload(module);
		json_decref(s.report);
		pass_output_release(&s.out);
	}
	strbuf_release(&s.source);
}

static void test_random_programs(void **state)
{
	struct world world;

	(void)state;
	for (unsigned i = 0; i < VARIABLES; i++)
		world.objects[i] = harness_alloc(OBJECT_BYTES, "object");
	for (unsigned long i = 0; i < kernels; i += KERNELS)
		run_seed(&world, first_seed + i / KERNELS);
	printf("%u kernels, %u with marks; %u launches, %u others were not covered by their level, "
	       "%u ended with an illegal address without marks too\n",
	       tally.kernels, tally.marked, tally.launches, tally.not_covered, tally.illegal);
	/* The check would say little if hardly any kernel had a mark, or hardly any launch came to it; a few may
	 * differ, and so do levels. */
	if (kernels < 100)
		return;
	assert_true(!only_level || (tally.marked > kernels / 10 && tally.launches > kernels / 2));
	if (only_level)
		return;
	assert_true(tally.kernels > kernels * 3 / 4);
	assert_true(tally.marked > tally.kernels / 4);
	assert_true(tally.launches > tally.kernels);
	assert_true(tally.illegal * 100 <= tally.launches);
}

int main(int argc, char **argv)
{
	const char *asked = getenv("ROMARK_RANDOM_KERNELS");
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_random_programs, harness_setup, harness_teardown),
	};

	only_level = getenv("ROMARK_RANDOM_LEVEL");
	if (asked)
		kernels = strtoul(asked, NULL, 10);
	if (argc == 3) {
		first_seed = strtoul(argv[1], NULL, 10);
		kernels = strtoul(argv[2], NULL, 10);
	}
	/* This checks the marks in the text. The analyser's own marks are only those that need no guard. */
	setenv("ROMARK_VERIFY", "1", 1);
	setenv("ROMARK_ALIAS", "strict", 1);
	setenv("ROMARK_QUIET", "1", 1);
	setenv("ROMARK_MAX_INSTRUCTIONS", "1000000", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
