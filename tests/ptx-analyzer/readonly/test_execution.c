/*
 * Soundness by execution: random modules that do everything to pointers which a program may, run on the CPU device at
 * each alias level. Every store is checked against what marked loads have read, and the results are compared with the
 * same module's without marks. Launches alias as far as the level allows.
 *
 *   ROMARK_RANDOM_KERNELS=100000   so many modules (500 without)
 *   ROMARK_RANDOM_FIRST=1234       from this one on; a failure names its number
 */
#include "common/strbuf.h"
#include "ptx-analyzer/language/text/ptx_text.h"
#include "ptx-analyzer/readonly/analysis.h"
#include "tests/runtime/cpu/harness.h"
#include "tests/ptx-analyzer/readonly/random_kernels.h"

#include <stdio.h>
#include <xxhash.h>

enum {
	KERNELS = 500,
	BATCH = 250, /* modules that a device runs before the next level's turn */
	LAUNCHES = 2,
	BUFFER_BYTES = RANDOM_VARIABLE_BYTES,
	MIDDLE = BUFFER_BYTES / 2,
	MORE = 2, /* buffers for the table, for the struct and for the packed struct, each */
	TABLE = RANDOM_BUFFERS,
	MEMBERS = TABLE + MORE,
	PACKED = MEMBERS + MORE,
	BIASED = PACKED + MORE,
	ADDRESS,
	BUFFERS,
};

static const struct mode {
	const char *name, *load, *verify;
	enum alias_level level;
	bool aliases; /* launches may */
} modes[] = {
    {"plain", "keep", "0", ALIAS_GUARDED, true},
    {"guarded", "ro", "1", ALIAS_GUARDED, true},
    {"strict", "ro", "1", ALIAS_STRICT, true},
    {"distinct", "ro", "1", ALIAS_DISTINCT, false},
};

static struct tally {
	unsigned modules, marked, launches, refused, failures;
} tally;

/* The results of the plain launches of a batch; 0 = that launch cannot run. */
static uint64_t expected[BATCH][LAUNCHES];

/* --- The analyser, for what the level promises --- */

/* Loads marked in "k", and whether it writes what has no name: of that `distinct` promises nothing. */
static unsigned marks_in(const char *text, enum alias_level level, bool *writes_unknown)
{
	struct diag d = DIAG_INIT;
	struct ptx_module *m = ptx_parse("generated", text, strlen(text), &d);
	struct ptx_analysis *a;
	const struct kernel_facts *k;
	unsigned marked;

	if (!m)
		fail_msg("line %u: %s\n%s", d.line, d.message, text);
	a = ptx_analyze(m, level);
	k = ptx_kernel_facts(a, "k");
	*writes_unknown = false;
	for (uint32_t i = 0; i < k->nstructures; i++)
		if (k->structures[i].kind == STRUCTURE_UNKNOWN && k->structures[i].stores + k->structures[i].atomics)
			*writes_unknown = true;
	marked = k->loads_marked;
	ptx_analysis_free(a);
	ptx_module_free(m);
	return marked;
}

/* --- Memory --- */

struct scene {
	char *buffers[BUFFERS];
	char *variables[RANDOM_VARIABLES];
	uint64_t *table;
	uint32_t *indices;
	uint64_t params[RANDOM_PARAMS];
};

static void allocate(struct scene *s)
{
	for (int i = 0; i < BUFFERS; i++)
		s->buffers[i] = harness_alloc(BUFFER_BYTES, "buffer");
	s->table = harness_alloc(RANDOM_SLOTS * 8, "table");
	s->indices = harness_alloc(RANDOM_INDICES * 4, "indices");
	for (uint32_t i = 0; i < RANDOM_INDICES; i++)
		s->indices[i] = i * 3;
}

static void find_variables(struct scene *s, struct device_module *module)
{
	static const char *const names[RANDOM_VARIABLES] = {"beside_a", "beside_b", "beside_c"};
	uint64_t address = 0;
	size_t size;

	for (int i = 0; i < RANDOM_VARIABLES; i++) {
		assert_int_equal(cpu_device_ops.variable(harness_device(), module, names[i], &address, &size),
				 DEVICE_OK);
		s->variables[i] = (char *)(uintptr_t)address;
	}
}

static void fill(char *memory, unsigned which)
{
	float *numbers = (float *)memory;

	for (unsigned i = 0; i < BUFFER_BYTES / sizeof *numbers; i++)
		numbers[i] = (float)((i * 7 + which * 13) % 11);
}

static uint64_t result_of(const struct scene *s)
{
	uint64_t hash = 0;

	for (int i = 0; i < BUFFERS; i++)
		hash = XXH3_64bits_withSeed(s->buffers[i], BUFFER_BYTES, hash);
	for (int i = 0; i < RANDOM_VARIABLES; i++)
		hash = XXH3_64bits_withSeed(s->variables[i], BUFFER_BYTES, hash);
	return hash | 1;
}

/* --- Launches --- */

/*
 * With odds of one in `odds`, an address of other memory than its own: a buffer, a part of one, a variable. `odds` 0 =
 * never.
 */
static uint64_t pointer(const struct scene *s, unsigned own, unsigned odds)
{
	if (odds == 0 || random_below(odds))
		return DEVICE_POINTER(s->buffers[own] + MIDDLE);
	if (random_below(4) == 0)
		return DEVICE_POINTER(s->variables[random_below(RANDOM_VARIABLES)] + RANDOM_VARIABLE_BYTES / 2);
	return DEVICE_POINTER(s->buffers[random_below(RANDOM_BUFFERS)] + MIDDLE +
			      4 * random_below(3) * random_below(32));
}

static void arrange(struct scene *s, unsigned odds)
{
	for (unsigned i = 0; i < BUFFERS; i++)
		fill(s->buffers[i], i);
	for (unsigned i = 0; i < RANDOM_VARIABLES; i++)
		fill(s->variables[i], BUFFERS + i);
	for (unsigned i = 0; i < RANDOM_BUFFERS; i++)
		s->params[i] = pointer(s, i, odds);
	s->params[4] = DEVICE_POINTER(s->table);
	s->params[5] = DEVICE_POINTER(s->indices);
	for (unsigned i = 0; i < MORE; i++)
		s->params[6 + i] = pointer(s, MEMBERS + i, odds);
	random_pack(s->params, pointer(s, PACKED, odds), pointer(s, PACKED + 1, odds), pointer(s, BIASED, odds),
		    pointer(s, ADDRESS, odds));
	for (unsigned i = 0; i < RANDOM_SLOTS; i++)
		s->table[i] = random_slot(i, pointer(s, TABLE + i % MORE, odds ? 3 : 0));
}

/* Kernel "k", and "second" where there is one; what they leave, or 0. */
static uint64_t launch(const struct scene *s, struct device_module *module, const char *text)
{
	/* One warp: more would race for the buffers. */
	const struct harness_launch shape = {{1, 1, 1}, {32, 1, 1}, 64, false};

	if (harness_run(module, "k", &shape, s->params, RANDOM_PARAMS) != DEVICE_OK)
		return 0;
	if (strstr(text, ".entry second") &&
	    harness_run(module, "second", &shape, s->params, RANDOM_PARAMS) != DEVICE_OK)
		return 0;
	return result_of(s);
}

static void report(const struct mode *mode, unsigned long number, unsigned nth, uint64_t result, const char *text)
{
	tally.failures++;
	fprintf(stderr, "module %lu, launch %u, %s: %s\n", number, nth, mode->name,
		result ? "another result than without marks" : harness_diag.message);
	if (tally.failures <= 3)
		fprintf(stderr, "%s\n", text);
}

static void run_module(struct scene *s, const struct mode *mode, unsigned long number, uint64_t *plain)
{
	bool is_plain = mode == &modes[0], unknown = false;
	struct device_module *module;
	struct strbuf text;

	random_seed(number);
	text = random_kernel();
	if (!is_plain)
		tally.marked += marks_in(text.data, mode->level, &unknown) > 0;
	tally.modules++;
	module = harness_load(text.data);
	find_variables(s, module);
	for (unsigned nth = 0; nth < LAUNCHES && !(nth && !mode->aliases) && !(unknown && !mode->aliases); nth++) {
		uint64_t result;

		random_seed(number * LAUNCHES + nth);
		arrange(s, nth ? 6 : 0);
		if (!is_plain && plain[nth] == 0)
			continue;
		result = launch(s, module, text.data);
		tally.launches++;
		if (is_plain) {
			plain[nth] = result;
			tally.refused += result == 0;
		} else if (result != plain[nth]) {
			report(mode, number, nth, result, text.data);
		}
	}
	harness_unload(module);
	strbuf_release(&text);
}

static void run_batch(const struct mode *mode, unsigned long first, unsigned count)
{
	struct scene scene;

	setenv("ROMARK_LOAD", mode->load, 1);
	setenv("ROMARK_ALIAS", alias_level_name(mode->level), 1);
	setenv("ROMARK_VERIFY", mode->verify, 1);
	harness_open();
	allocate(&scene);
	for (unsigned i = 0; i < count; i++)
		run_module(&scene, mode, first + i, expected[i]);
	harness_close();
}

static unsigned long number_from(const char *variable, unsigned long otherwise)
{
	const char *asked = getenv(variable);

	return asked ? strtoul(asked, NULL, 10) : otherwise;
}

static void test_random_modules(void **state)
{
	unsigned long kernels = number_from("ROMARK_RANDOM_KERNELS", KERNELS),
		      first = number_from("ROMARK_RANDOM_FIRST", 1);

	(void)state;
	for (unsigned long done = 0; done < kernels; done += BATCH)
		for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
			run_batch(&modes[i], first + done, (unsigned)(kernels - done < BATCH ? kernels - done : BATCH));
	printf("%lu modules, each at 3 levels; %u times with marks; %u launches, %u of plain modules that fail; "
	       "%u violations\n",
	       kernels, tally.marked, tally.launches, tally.refused, tally.failures);
	assert_int_equal(tally.failures, 0);
	/* The check would say little if hardly any kernel had a mark, or ran. */
	assert_true(kernels < KERNELS || tally.marked > kernels / 2);
	assert_true(tally.refused <= kernels / 50);
}

/* That the check can fail: a promise (.nc) that the launch breaks, which no guard covers. */
static void test_broken_promise_is_caught(void **state)
{
	const char *text = ".version 8.0\n.target sm_80\n.address_size 64\n"
			   ".visible .entry k(.param .u64 a, .param .u64 b)\n{\n.reg .b64 %rd<3>; .reg .f32 %f<2>;\n"
			   "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.global.nc.f32 %f1, [%rd1];\n"
			   "st.global.f32 [%rd2], %f1; ret;\n}\n";
	const struct harness_launch shape = {{1, 1, 1}, {1, 1, 1}, 0, false};
	struct device_module *module = harness_load(text);
	char *buffer = harness_alloc(256, "buffer"), *other = harness_alloc(256, "other");
	const uint64_t same[] = {DEVICE_POINTER(buffer), DEVICE_POINTER(buffer)};
	const uint64_t apart[] = {DEVICE_POINTER(buffer), DEVICE_POINTER(other)};

	(void)state;
	harness_run_ok(module, "k", &shape, apart, 2);
	assert_int_not_equal(harness_run(module, "k", &shape, same, 2), DEVICE_OK);
	harness_unload(module);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_random_modules),
	    cmocka_unit_test_setup_teardown(test_broken_promise_is_caught, harness_setup, harness_teardown),
	};

	setenv("ROMARK_QUIET", "1", 1);
	setenv("ROMARK_VERIFY", "1", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
