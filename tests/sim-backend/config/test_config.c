/* GPU files: right ones are accepted, and each mistake gives one message with a place. */
#include "sim-backend/config/config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "sim-backend/llc/llc_policy.h"
#include "sim-backend/sm/warp_scheduler.h"

static int parse(const char *text, struct diag *d)
{
	struct sim_config *c = sim_config_create();
	int status = sim_config_parse(c, text, strlen(text), "x.yaml", d);

	sim_config_free(c);
	return status;
}

static void assert_wrong(const char *text, unsigned line, const char *message)
{
	struct diag d = DIAG_INIT;

	assert_int_equal(parse(text, &d), DIAG_ERROR);
	assert_string_equal(d.file, "x.yaml");
	assert_int_equal(d.line, line);
	if (!strstr(d.message, message))
		fail_msg("'%s' does not say '%s'", d.message, message);
}

static void test_every_mistake_has_its_line(void **state)
{
	(void)state;
	assert_wrong("name: a\nsm:\n  thread: 2\n", 3, "did you mean 'threads'");
	assert_wrong("name: a\nsmm:\n  threads: 2\n", 2, "did you mean 'sm'");
	assert_wrong("name: a\nsmm: 4\n", 2, "did you mean 'sm'");
	assert_wrong("sm:\n  threads: many\n", 2, "whole number");
	assert_wrong("sm:\n  threads: 100000\n", 2, "32 to 2048");
	assert_wrong("l1:\n  ways: 6\n  ways_: 7\n", 3, "no key 'ways_'");
	assert_wrong("l1:\n  ways: [6]\n", 2, "single value");
	assert_wrong("l1:\n  ways:\n    more: 1\n", 3, "single value");
	assert_wrong("l1: 5\n", 1, "section 'l1' takes keys");
	assert_wrong("l1: [5]\n", 1, "'l1' takes keys with values; lists");
	assert_wrong("name: [5]\n", 1, "'name' takes a single value");
	assert_wrong("nam: a\n", 1, "did you mean 'name'");
	assert_wrong("sm:\n  [5]: 6\n", 2, "a key is expected");
	assert_wrong("description: a\nname: 0123456789012345678901234567890123456789012345678901234567890123\n", 2,
		     "63 is the most");
	assert_wrong("- a\n- b\n", 1, "mapping");
	assert_wrong("llc_policy: sharde\n", 1, "did you mean 'shared'");
	assert_wrong("l1_policy: lruu\n", 1, "did you mean 'lru'");
	assert_wrong("sm:\n  scheduler: fifo\n", 2, "gto|lrr");
	assert_wrong("srrip:\n  bits: 9\n", 2, "1 to 7");
	assert_wrong("name: b: c\n", 1, "mapping values");
	assert_wrong("sm: &x\n  threads: 64\nl1: *x\n", 3, "aliases");
	assert_wrong("", 1, "mapping");
}

/* If a key had two values, only one could count. */
static void test_nothing_stands_twice(void **state)
{
	(void)state;
	assert_wrong("name: a\nsm:\n  warps: 8\n  threads: 256\n  warps: 16\n", 5, "'warps' is here again");
	assert_wrong("sm:\n  warps: 8\nl1:\n  ways: 6\nsm:\n  warps: 9\n", 5, "it is on line 1 already");
	assert_wrong("name: a\nname: b\n", 2, "'name'");
	assert_wrong("name: a\n---\nname: b\n", 2, "a single document");
	assert_wrong("name: a\n...\n%YAML 1.1\n---\nname: b\n", 3, "a single document");
	assert_wrong("{name: a}\n}\n", 2, "did not find");
	assert_int_equal(parse("sm:\n  warps: 8\nl1:\n  ways: 8\n...\n", NULL), 0);
}

/* A C string would end there, and the rest be passed over in silence. */
static void test_texts_have_no_nul(void **state)
{
	(void)state;
	assert_wrong("sm:\n  warps: \"64\\0junk\"\n", 2, "NUL");
	assert_wrong("\"sm\\0\":\n  warps: 64\n", 1, "NUL");
}

static uint32_t size_of(const char *assignment, uint32_t *field, struct sim_config *c)
{
	assert_int_equal(sim_config_set(c, assignment, NULL), 0);
	return *field;
}

static void test_sizes_take_units(void **state)
{
	struct sim_config *c = sim_config_create();

	(void)state;
	assert_int_equal(size_of("l1.size_bytes=49152", &c->l1.size_bytes, c), 49152);
	assert_int_equal(size_of("l1.size_bytes=96K", &c->l1.size_bytes, c), 96 << 10);
	assert_int_equal(size_of("l1.size_bytes=48KiB", &c->l1.size_bytes, c), 48 << 10);
	assert_int_equal(size_of("l1.size_bytes=1M", &c->l1.size_bytes, c), 1 << 20);
	assert_int_equal(size_of("l1.size_bytes=1.5kB", &c->l1.size_bytes, c), 1536);
	assert_int_equal(size_of("llc.kilobytes=4096", &c->memory.llc.kilobytes, c), 4096);
	assert_int_equal(size_of("llc.kilobytes=6M", &c->memory.llc.kilobytes, c), 6144);
	assert_int_equal(size_of("llc.kilobytes=8192B", &c->memory.llc.kilobytes, c), 8);
	assert_int_equal(sim_config_set(c, "llc.kilobytes=100B", NULL), DIAG_ERROR);
	assert_int_equal(sim_config_set(c, "l1.size_bytes=48X", NULL), DIAG_ERROR);
	assert_int_equal(sim_config_set(c, "l1.ways=1K", NULL), DIAG_ERROR);
	sim_config_free(c);
}

static void test_settings_without_a_file(void **state)
{
	static const char *const bad[][2] = {
	    {"sm.threads", "section.key=value"},    {"threads=5", "did you mean 'sm.threads=...'"},
	    {"ways=5", "lists the keys"},           {"sm.thread=64", "threads"},
	    {"ms.threads=64", "did you mean 'sm'"}, {"sm.threads=x", "whole number"}};
	struct sim_config *c = sim_config_create();

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct diag d = DIAG_INIT;

		assert_int_equal(sim_config_set(c, bad[i][0], &d), DIAG_ERROR);
		assert_non_null(strstr(d.message, bad[i][1]));
	}
	assert_int_equal(sim_config_set(c, "sm.threads=64", NULL), 0);
	assert_int_equal(c->sm.threads, 64);
	assert_int_equal(sim_config_set(c, "srrip.bits=2", NULL), 0);
	assert_int_equal(sim_config_policies(c, "selrep", "srrip", NULL), 0);
	assert_string_equal(c->llc_policy->name, "selrep");
	assert_true(sim_config_in_force(c, sim_config_section(c, "srrip")));
	assert_int_equal(sim_config_policies(c, "nothing", NULL, NULL), DIAG_ERROR);
	sim_config_free(c);
}

/* An error about values that do not fit together names the key at fault, at the place where it was set last. */
static void test_values_that_do_not_fit_together(void **state)
{
	static const struct {
		const char *text, *set, *message, *file;
		unsigned line;
	} misfits[] = {
	    {"l1:\n  ways: 6\n  size_bytes: 1000\n", NULL, "l1.size_bytes is 1000", "x.yaml", 3},
	    {"l1:\n  ways: 6\n", "l1.size_bytes=1000", "l1.size_bytes is 1000", "--set", 0},
	    {"name: a\n", "l1.ways=7", "l1.size_bytes is 49152", "a", 0},
	    {"l1:\n  ways: 4\n  index: fermi\n", NULL, "l1.index is fermi, which is for 32 or 64 sets", "x.yaml", 3},
	    {"name: a\ngpu: {sms: 7}\n", NULL, "gpu.sms is 7", "x.yaml", 2},
	    {"name: a\ngpu: {sms: 64}\n", "gpu.sms=7", "gpu.sms is 7", "--set", 0},
	    {"sm:\n  warps: 64\n  threads: 32\n", NULL, "sm.threads is 32", "x.yaml", 3},
	    {"dram:\n  write_low: 20\n  write_high: 10\n", NULL, "dram.write_high is 10", "x.yaml", 3},
	    {"dram:\n  refresh: true\n  tREFI: 180\n", NULL, "dram.tREFI is 180; it must be above 183", "x.yaml", 3},
	    {"llc:\n  line_bytes: 32\n", NULL, "llc.line_bytes is 32", "x.yaml", 2},
	    {"llc:\n  line_bytes: 256\n", NULL, "it must be 128", "x.yaml", 2},
	    {"llc_policy: dynamic\nchips:\n  count: 2\nllc:\n  ways: 1\n", NULL, "llc.ways is 1; 'dynamic' parts",
	     "x.yaml", 5},
	};

	(void)state;
	for (size_t i = 0; i < sizeof misfits / sizeof *misfits; i++) {
		struct sim_config *c = sim_config_create();
		struct diag d = DIAG_INIT;

		assert_int_equal(sim_config_parse(c, misfits[i].text, strlen(misfits[i].text), "x.yaml", NULL), 0);
		if (misfits[i].set)
			assert_int_equal(sim_config_set(c, misfits[i].set, NULL), 0);
		assert_int_equal(sim_config_check(c, &d), DIAG_ERROR);
		if (!strstr(d.message, misfits[i].message))
			fail_msg("'%s' does not say '%s'", d.message, misfits[i].message);
		assert_string_equal(d.file, misfits[i].file);
		assert_int_equal(d.line, misfits[i].line);
		sim_config_free(c);
	}
}

/* Every file that is shipped loads, and the paper's GPU has the paper's numbers. */
static void test_shipped_gpus_load(void **state)
{
	char **list = sim_gpu_list();
	struct sim_config *c;
	struct diag d = DIAG_INIT;

	(void)state;
	assert_non_null(list[0]);
	for (size_t i = 0; list[i]; i++) {
		c = sim_config_create();
		if (sim_config_load(c, list[i], &d) < 0 || sim_config_check(c, &d) < 0)
			fail_msg("%s:%u: %s", d.file, d.line, d.message);
		sim_config_free(c);
	}
	sim_gpu_list_free(list);
	c = sim_config_create();
	assert_int_equal(sim_config_load(c, "selrep64", &d), 0);
	assert_string_equal(c->name, "selrep64");
	assert_int_equal(c->gpu.sms, 64);
	assert_int_equal(c->gpu.clock_mhz, 1400);
	assert_int_equal(c->l1.size_bytes, 48 << 10);
	assert_int_equal(c->l1.ways, 6);
	assert_int_equal(c->memory.llc.kilobytes, 4096);
	assert_string_equal(warp_scheduler_table[c->sm.scheduler]->name, "gto");
	sim_config_free(c);
	c = sim_config_create();
	assert_int_equal(sim_config_load(c, "selrep65", &d), DIAG_ERROR);
	sim_config_free(c);
}

static bool is_about(double value, double wanted, double tolerance)
{
	return value > wanted * (1 - tolerance) && value < wanted * (1 + tolerance);
}

/* Table 3 and section 2 of the SAC paper: bytes a cycle are GB/s at its 1 GHz. */
static void test_sac4_has_the_papers_bandwidths(void **state)
{
	struct sim_config *c = sim_config_create();
	const struct memsys_config *m = &c->memory;
	unsigned chips, slices;

	(void)state;
	assert_int_equal(sim_config_load(c, "sac4", NULL), 0);
	assert_int_equal(sim_config_check(c, NULL), 0);
	chips = m->chips.count;
	slices = m->noc.mc_routers * m->llc.slices_per_mc;
	assert_int_equal(chips, 4);
	assert_int_equal(c->gpu.sms, 256);
	assert_int_equal(c->gpu.clock_mhz, 1000);
	assert_int_equal(c->l1.size_bytes, 128 << 10);
	assert_int_equal(m->noc.sm_routers, 32);
	assert_int_equal(chips_gates(&m->chips), 6);
	assert_int_equal(chips * slices, 64);
	assert_int_equal(chips * m->llc.kilobytes, 16 << 10);
	assert_int_equal(m->map.page_bytes, 4096);
	/* Links in both directions, LLC, the networks of one chip, DRAM. */
	assert_true(chips * chips_gates(&m->chips) * m->chips.link_gigabytes_per_second == 768);
	assert_true(m->chips.links * m->chips.link_gigabytes_per_second == 96);
	assert_true(is_about(chips * slices * m->llc.port_bytes, 16e3, 0.03));
	assert_true(is_about(slices * m->noc.channel_bytes, 4e3, 0.03));
	assert_true(chips * dram_peak_gbs(&m->dram, m->noc.mc_routers * m->dram.channels_per_mc) == 1750);
	assert_int_equal(chips * m->noc.mc_routers * m->dram.channels_per_mc, 32);
	sim_config_free(c);
}

static bool is_choice(const struct knob *knob, uint32_t index, const char *name)
{
	char choice[64];

	return knob_choice_name(knob->choices, index, choice, sizeof choice) && (!name || strcmp(choice, name) == 0);
}

/* Each row has the name that its scheduler, or its organisation, gives itself. */
static void test_choices_match_their_tables(void **state)
{
	const struct knob *scheduler = knob_find(sm_knobs, "scheduler"), *l1 = knob_find(l1_knobs, "organisation");
	uint32_t i;

	(void)state;
	for (i = 0; warp_scheduler_table[i]; i++)
		assert_true(is_choice(scheduler, i, warp_scheduler_table[i]->name));
	assert_false(is_choice(scheduler, i, NULL));
	for (i = 0; l1_organisation_table[i]; i++)
		assert_true(is_choice(l1, i, l1_organisation_table[i]->name));
	assert_false(is_choice(l1, i, NULL));
}

/* A default outside its own range, an unknown default choice, or a name twice would be a mistake in a table. */
static void test_tables_are_sound(void **state)
{
	struct sim_config *c = sim_config_create();
	char text[128], why[256];

	(void)state;
	for (size_t i = 0; i < c->nsections; i++)
		for (const struct knob *knob = c->sections[i].knobs; knob->name; knob++) {
			knob_format_default(knob, text, sizeof text);
			assert_int_equal(knob_set(knob, c->sections[i].values, text, why, sizeof why), 0);
			assert_ptr_equal(knob_find(c->sections[i].knobs, knob->name), knob);
			assert_true(knob->help[0] && knob->source[0]);
		}
	sim_config_free(c);
}

/* A preset gives the values of a shipped file. Later values change these, and an unknown preset is named. */
static void test_presets_are_taken(void **state)
{
	static const char text[] = "name: a\ndram:\n  preset: gddr5\n  banks: 4\n";
	struct sim_config *c = sim_config_create();
	struct diag d = DIAG_INIT;

	(void)state;
	assert_int_equal(sim_config_parse(c, text, strlen(text), "x.yaml", &d), 0);
	assert_true(c->memory.dram.clock_mhz == 924);
	assert_int_equal(c->memory.dram.tRC, 40);
	assert_int_equal(c->memory.dram.banks, 4);
	assert_int_equal(sim_config_set(c, "dram.preset=hbm2", &d), 0);
	assert_int_equal(c->memory.dram.banks, 16);
	assert_int_equal(sim_config_set(c, "dram.preset=gddr4", &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "did you mean 'gddr"));
	d = (struct diag)DIAG_INIT;
	assert_int_equal(sim_config_set(c, "map.preset=x", &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "has no presets"));
	sim_config_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_every_mistake_has_its_line), cmocka_unit_test(test_nothing_stands_twice),
	    cmocka_unit_test(test_texts_have_no_nul),          cmocka_unit_test(test_sizes_take_units),
	    cmocka_unit_test(test_settings_without_a_file),    cmocka_unit_test(test_values_that_do_not_fit_together),
	    cmocka_unit_test(test_shipped_gpus_load),          cmocka_unit_test(test_sac4_has_the_papers_bandwidths),
	    cmocka_unit_test(test_choices_match_their_tables), cmocka_unit_test(test_tables_are_sound),
	    cmocka_unit_test(test_presets_are_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
