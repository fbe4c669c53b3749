/* Slower clocks of networks and slices: round trips by closed form, and clock numbers that stay exact. */
#include "tests/sim-backend/support.h"

#include "common/diag.h"
#include "sim-backend/base/domain.h"

#include <string.h>

static struct memsys_config config;
static struct stage_stats stages; /* of the miss and the hit together */

static int reset(void **state)
{
	(void)state;
	config = paper_machine();
	return 0;
}

/* Cycles of a hit that is sent in an even cycle. */
static uint64_t hit_cycles(uint32_t noc_mhz, uint32_t llc_mhz)
{
	struct memsys *ms;
	uint64_t cycles;

	config.noc.clock_mhz = noc_mhz;
	config.llc.clock_mhz = llc_mhz;
	ms = memsys_with(&config, "shared");
	round_trip(ms, 0, 10, read_of(0, false));
	drain(ms, 64, 2000);
	cycles = round_trip(ms, 0, 4000, read_of(0, false)) - 4000;
	stages = memsys_statistics(ms)->stages;
	assert_null(memsys_check(ms));
	memsys_free(ms);
	return cycles;
}

static void test_each_stage_takes_its_own_cycles(void **state)
{
	uint64_t request = 2 + 2 * config.noc.router_stages + config.noc.link_cycles, reply = request + 3;

	(void)state;
	assert_int_equal(hit_cycles(0, 0), request + 120 + reply);
	assert_int_equal(hit_cycles(1400, 1400), request + 120 + reply);
	assert_int_equal(hit_cycles(700, 700), 2 * (request + 120 + reply));
	/* Stages are in the SMs' cycles. */
	assert_int_equal(stages.injection_cycles, 2 * 2);
	assert_int_equal(stages.request_network_cycles, 2 * 2 * (request - 1));
	assert_int_equal(stages.pipeline_cycles, 2 * 240);
	assert_int_equal(hit_cycles(700, 0), 2 * request + 120 + 2 * reply);
	/* The request comes in an odd cycle, and the slices' next clock begins in the one after. */
	assert_int_equal(hit_cycles(0, 700), request + 1 + 240 + reply);
	assert_int_equal(hit_cycles(350, 700), 4 * request + 240 + 4 * reply);
}

/* Clocks of a domain that begin in any `core` cycles are `mhz`, however late; each number begins where it should. */
static void test_clocks_are_exact(void **state)
{
	static const uint64_t pairs[][2] = {{1000, 1400}, {1399, 1400}, {1, 1400},
					    {937, 1531},  {1400, 1400}, {0, 1400}};

	(void)state;
	for (unsigned i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
		uint64_t mhz = pairs[i][0] ? pairs[i][0] : pairs[i][1], core = pairs[i][1];
		struct domain d = domain_of(pairs[i][0], core);

		for (uint64_t from = 1; from < UINT64_C(1) << 50; from = from * 1021 + 7) {
			uint64_t ticks = 0;

			for (uint64_t c = from; c < from + core; c++) {
				bool first = domain_cycle(&d, domain_clock(&d, c)) == c;

				ticks += domain_ticks(&d, c);
				assert_int_equal(domain_ticks(&d, c), first);
			}
			assert_int_equal(ticks, mhz);
		}
	}
}

/* Lines that hit in one slice as fast as its port gives them: 4 of its clocks each. */
static void test_a_slow_port_gives_less(void **state)
{
	uint64_t got = 0, line = 0;
	struct mem_request reply, request;
	struct memsys *ms;

	(void)state;
	config.llc.clock_mhz = 1000;
	config.noc.mc_routers = 1;
	config.llc.slices_per_mc = 1;
	config.llc.kilobytes = 64;
	ms = memsys_with(&config, "shared");
	request = read_of(line, false);
	round_trip(ms, 0, 10, request);
	for (uint64_t now = 2000; now < 2000 + 28000; now++) {
		for (unsigned sm = 0; sm < 64; sm++) {
			while (memsys_receive(ms, sm, now, &reply))
				got += now >= 2000 + 14000;
			if (memsys_can_send(ms, sm, now))
				memsys_send(ms, sm, now, &request);
		}
		memsys_tick(ms, now, false);
	}
	assert_in_range(got, 2499, 2501);
	memsys_free(ms);
}

static void test_faster_clocks_are_refused(void **state)
{
	struct diag d = DIAG_INIT;

	(void)state;
	config.llc.clock_mhz = 1500;
	assert_int_equal(memsys_config_check(&config, &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "llc.clock_mhz is 1500"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, reset)
	const struct CMUnitTest tests[] = {
	    TEST(test_each_stage_takes_its_own_cycles),
	    TEST(test_clocks_are_exact),
	    TEST(test_a_slow_port_gives_less),
	    TEST(test_faster_clocks_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
