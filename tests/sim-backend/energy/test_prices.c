/* The places of the prices: each is in a preset, once, and the defaults are the shipped machine's. */
#include "sim-backend/config/config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static bool is_of_memory(const char *key)
{
	return strncmp(key, "dram_", 5) == 0;
}

static bool was_set(const struct sim_config *c, const char *key)
{
	for (size_t i = 0; i < c->places.len; i++)
		if (strcmp(c->places.data[i].section, "energy") == 0 && strcmp(c->places.data[i].key, key) == 0)
			return true;
	return false;
}

static struct sim_config *with_preset(const char *setting)
{
	struct sim_config *c = sim_config_create();
	struct diag d = DIAG_INIT;

	if (sim_config_set(c, setting, &d) < 0)
		fail_msg("%s: %s", setting, d.message);
	return c;
}

static void test_the_chip_s_prices_are_the_defaults(void **state)
{
	struct sim_config *c = with_preset("energy.preset=22nm"), *plain = sim_config_create();

	(void)state;
	for (const struct knob *knob = energy_knobs; knob->name; knob++) {
		if (was_set(c, knob->name) == is_of_memory(knob->name))
			fail_msg("%s: a price of the chip must stand in presets/energy, one of memory must not",
				 knob->name);
		if (knob_real(knob, &c->energy) != knob_real(knob, &plain->energy))
			fail_msg("%s is %g in the preset and %g by default", knob->name, knob_real(knob, &c->energy),
				 knob_real(knob, &plain->energy));
	}
	sim_config_free(c);
	sim_config_free(plain);
}

static void test_each_memory_has_all_prices_of_memory(void **state)
{
	char **list = sim_preset_list("dram");

	(void)state;
	for (size_t i = 0; list[i]; i++) {
		const char *file = strrchr(list[i], '/') + 1;
		char setting[128];
		struct sim_config *c;

		snprintf(setting, sizeof setting, "dram.preset=%.*s", (int)(strlen(file) - strlen(".yaml")), file);
		c = with_preset(setting);
		for (const struct knob *knob = energy_knobs; knob->name; knob++)
			if (was_set(c, knob->name) != is_of_memory(knob->name))
				fail_msg("%s: %s", setting, knob->name);
		sim_config_free(c);
	}
	assert_non_null(list[0]);
	sim_gpu_list_free(list);
}

/* The shipped machine's memory is of the first generation, without being a preset. */
static void test_the_default_memory_is_hbm(void **state)
{
	struct sim_config *c = with_preset("dram.preset=hbm1"), *plain = sim_config_create();

	(void)state;
	for (const struct knob *knob = energy_knobs; knob->name; knob++)
		if (knob_real(knob, &c->energy) != knob_real(knob, &plain->energy))
			fail_msg("%s", knob->name);
	sim_config_free(c);
	sim_config_free(plain);
}

static void test_each_price_has_a_mark(void **state)
{
	static const char *const marks[] = {"computed: ", "published: ", "assumed: "};

	(void)state;
	for (const struct knob *knob = energy_knobs; knob->name; knob++) {
		bool marked = false;

		for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
			marked |= strncmp(knob->source, marks[i], strlen(marks[i])) == 0;
		if (!marked)
			fail_msg("%s: %s", knob->name, knob->source);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_the_chip_s_prices_are_the_defaults),
	    cmocka_unit_test(test_each_memory_has_all_prices_of_memory),
	    cmocka_unit_test(test_the_default_memory_is_hbm),
	    cmocka_unit_test(test_each_price_has_a_mark),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
