/*
 * Latencies take no bandwidth. Each path of the memory system gets ten to sixty times longer. Then a request without
 * load takes exactly that much longer, and a stream takes as long as before, but for the time until its first reply.
 * The number of open requests does not limit the stream: the SMs send whenever the network takes a request, and slices
 * may wait for more lines than are on their way.
 */
#include "tests/sim-backend/support.h"

#include "sim-backend/config/config.h"

#include <stdio.h>
#include <stdlib.h>

enum { LINE = 128, BASE = 1 << 20, MOST_SETTINGS = 6 };

enum traffic { MEMORY, SECTORS, HITS, WRITES };

struct way {
	const char *knob;
	unsigned shorter, longer;
	unsigned exact; /* times that a read's round trip goes that way without load; 0: it depends on who asks */
	unsigned late;  /* times that the first answer of a stream, or its last request, does */
	enum traffic traffic;
	const char *settings[MOST_SETTINGS]; /* on top of selrep64 */
	unsigned percent;                    /* that a stream may take longer beside that */
};

#define MISSES "llc.mshr_entries=1024"
#define CHIPS "chips.count=2", "gpu.sms=128", "chips.pages=interleave"
#define GDDR6 "dram.preset=gddr6", "dram.refresh=false"

static const struct way ways[] = {
    {"llc.xbar_cycles", 2, 64, 0, 2, MEMORY, {MISSES, "dram.clock_mhz=600"}, 3},
    {"llc.xbar_cycles", 1, 30, 2, 2, MEMORY, {MISSES}, 3},
    {"llc.xbar_cycles", 2, 64, 0, 2, SECTORS, {MISSES, "llc.sectored=true"}, 3},
    {"llc.xbar_cycles", 2, 64, 0, 1, WRITES, {MISSES}, 3},
    {"llc.xbar_cycles", 2, 64, 0, 2, MEMORY, {MISSES, CHIPS}, 3},
    {"dram.tCL", 7, 200, 1, 1, MEMORY, {MISSES}, 3},
    {"dram.tCL", 7, 200, 1, 1, SECTORS, {MISSES, "llc.sectored=true"}, 3},
    {"dram.tCL", 24, 240, 1, 1, SECTORS, {MISSES, GDDR6, "dram.clock_mhz=1400", "llc.sectored=true"}, 3},
    {"llc.latency", 120, 1000, 1, 1, HITS, {NULL}, 3},
    {"llc.latency", 120, 1000, 1, 1, MEMORY, {MISSES}, 3},
    {"llc.latency", 120, 1000, 0, 1, WRITES, {MISSES}, 3},
    {"noc.link_cycles", 1, 30, 2, 2, HITS, {NULL}, 3},
    {"noc.link_cycles", 1, 120, 2, 2, HITS, {NULL}, 3},
    {"noc.link_cycles", 1, 30, 0, 1, WRITES, {MISSES}, 3},
    {"noc.link_cycles", 1, 30, 2, 2, HITS, {"noc.vc_choice=output"}, 3},
    {"noc.link_cycles", 1, 30, 2, 2, HITS, {"noc.switching=flit"}, 3},
    {"noc.link_cycles", 1, 30, 2, 2, HITS, {"noc.topology=flat"}, 3},
    {"noc.link_cycles", 1, 30, 2, 2, HITS, {"noc.topology=concentrated"}, 3},
    {"noc.link_cycles", 1, 30, 0, 2, HITS, {"noc.topology=mesh"}, 3},
    {"noc.link_cycles", 1, 30, 0, 2, HITS, {"noc.topology=ring"}, 12},
    {"noc.router_stages", 4, 16, 4, 4, HITS, {NULL}, 3},
    {"noc.router_stages", 4, 16, 2, 2, HITS, {"noc.topology=flat"}, 3},
    {"noc.router_stages", 4, 16, 0, 4, HITS, {"noc.topology=ring"}, 12},
    {"noc.mc_router_delay", 0, 16, 1, 1, HITS, {NULL}, 3},
    {"chips.hop_latency", 32, 1000, 0, 2, MEMORY, {MISSES, CHIPS}, 3},
};
enum { WAYS = sizeof ways / sizeof *ways };

static struct sim_config *config;
static struct memsys *ms;
static uint64_t now;

static void set(const char *setting)
{
	struct diag d = DIAG_INIT;

	if (sim_config_set(config, setting, &d) < 0)
		fail_msg("%s", d.message);
}

static void start(const struct way *way, unsigned cycles)
{
	struct diag d = DIAG_INIT;
	char setting[64];

	config = sim_config_create();
	assert_int_equal(sim_config_load(config, "selrep64", &d), 0);
	set("dram.clock_mhz=1400");
	for (unsigned i = 0; i < MOST_SETTINGS && way->settings[i]; i++)
		set(way->settings[i]);
	snprintf(setting, sizeof setting, "%s=%u", way->knob, cycles);
	set(setting);
	if (sim_config_check(config, &d) < 0)
		fail_msg("%s", d.message);
	ms = memsys_create(&config->memory, config->llc_policy, NULL, 1);
	now = 0;
	memsys_kernel_begin(ms, now, false);
	now = drain(ms, config->memory.sms, now);
}

static void stop(void)
{
	now = drain(ms, config->memory.sms, now);
	if (memsys_check(ms))
		fail_msg("%s", memsys_check(ms));
	memsys_free(ms);
	sim_config_free(config);
}

/* Request number `n` of an SM. */
static struct mem_request request_at(enum traffic traffic, unsigned sm, unsigned n)
{
	unsigned sms = config->memory.sms;

	switch (traffic) {
	case MEMORY: return read_of(BASE + ((uint64_t)n * sms + sm) * LINE, false);
	case SECTORS: return part_of(BASE + ((uint64_t)n * sms + sm) * LINE, 1);
	case HITS: return read_of(BASE + (n + sm * 16) % 1024 * LINE, false);
	default: return write_of(BASE + ((uint64_t)n * sms + sm) * LINE, LINE, 15);
	}
}

/*
 * Every SM sends `count` requests as fast as the network takes them, and takes a reply a cycle. Cycles until all is
 * done.
 */
static uint64_t stream(enum traffic traffic, unsigned count)
{
	unsigned sms = config->memory.sms, *sent = calloc(sms, sizeof *sent), left = sms;
	uint64_t from = now;

	for (; left || !memsys_is_empty(ms); now++) {
		left = 0;
		for (unsigned sm = 0; sm < sms; sm++) {
			struct mem_request reply, r = request_at(traffic, sm, sent[sm]);

			memsys_receive(ms, sm, now, &reply);
			if (sent[sm] == count)
				continue;
			left++;
			if (!memsys_can_send(ms, sm, now))
				continue;
			memsys_send(ms, sm, now, &r);
			sent[sm]++;
		}
		memsys_tick(ms, now, false);
		assert_true(now - from < 10000000);
	}
	free(sent);
	return now - from;
}

static uint64_t stream_cycles(const struct way *way, unsigned cycles)
{
	uint64_t taken;

	start(way, cycles);
	if (way->traffic == HITS)
		stream(MEMORY, 1024 / config->memory.sms);
	taken = stream(way->traffic, way->traffic == WRITES ? 1024 : 512);
	stop();
	return taken;
}

static uint64_t unloaded_cycles(const struct way *way, unsigned cycles)
{
	uint64_t taken;

	start(way, cycles);
	taken = round_trip(ms, 5, now + 1, read_of(BASE, false)) - (now + 1);
	now += taken + 1;
	stop();
	return taken;
}

static void test_a_request_without_load_takes_just_that_longer(void **state)
{
	(void)state;
	for (const struct way *w = ways; w < ways + WAYS; w++) {
		uint64_t shorter, longer;

		if (!w->exact)
			continue;
		shorter = unloaded_cycles(w, w->shorter);
		longer = unloaded_cycles(w, w->longer);
		if (longer - shorter != (uint64_t)w->exact * (w->longer - w->shorter))
			fail_msg("%s=%u: %lu cycles, %lu with %u", w->knob, w->longer, (unsigned long)longer,
				 (unsigned long)shorter, w->shorter);
	}
}

/*
 * Beyond the time until the first answer a stream may take some percent longer, since arbiters meet other requests:
 * more in an overloaded ring, where that decides who enters.
 */
static void test_a_stream_takes_as_long_as_before(void **state)
{
	(void)state;
	for (const struct way *w = ways; w < ways + WAYS; w++) {
		uint64_t shorter = stream_cycles(w, w->shorter), longer = stream_cycles(w, w->longer);

		uint64_t more = shorter * w->percent / 100;

		if (longer > shorter + more + (uint64_t)w->late * (w->longer - w->shorter))
			fail_msg("%s=%u, %s: a stream takes %lu cycles, %lu with %u", w->knob, w->longer,
				 w->settings[0] ? w->settings[0] : "selrep64", (unsigned long)longer,
				 (unsigned long)shorter, w->shorter);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_a_request_without_load_takes_just_that_longer),
	    cmocka_unit_test(test_a_stream_takes_as_long_as_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
