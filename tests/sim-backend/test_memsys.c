/* The memory system as a whole under random traffic: conservation, order of ticks, skipped time, all policies. */
#include "tests/sim-backend/inside.h"
#include "tests/sim-backend/support.h"

#include <stdlib.h>
#include <string.h>

enum { RANDOM_MACHINES = 20, MOST_STATISTICS = 64 };

enum order { TICK_LAST, TICK_FIRST_REVERSED };

struct run {
	const char *policy;
	struct memsys_config config;
	uint64_t cycles;
	enum order order;
	bool sparse;          /* the SMs send in the first 80 of every 700 cycles only */
	bool skip;            /* jump to memsys_next_event where no SM sends */
	unsigned idle_one_in; /* an SM sends in one of so many cycles */
	bool slow_sms;        /* an SM takes replies only now and then */
};

struct result {
	struct memsys_stats stats;
	struct llc_stats slices[512];
	struct structure_memory structures[4];
	double of_policy[MOST_STATISTICS];
	uint64_t sum, end;
};

/* The request that SM `sm` has in `cycle`: a function of both, so that runs can be compared. */
static bool wanted(const struct run *run, unsigned sm, uint64_t cycle, struct mem_request *request)
{
	uint64_t random = (cycle * 64 + sm + 1) * UINT64_C(0x9e3779b97f4a7c15);
	unsigned kind;

	if (random_below(&random, run->idle_one_in) || (run->sparse && cycle % 700 >= 80))
		return false;
	kind = (unsigned)random_below(&random, 20);
	*request = read_of(random_below(&random, 3000) * 128, true);
	if (kind >= 12)
		*request = read_of((4000 + random_below(&random, 9000)) * 128, false);
	if (kind == 14)
		*request =
		    part_of((4000 + random_below(&random, 9000)) * 128, (uint8_t)(1 + random_below(&random, 15)));
	if (kind >= 15)
		*request = write_of((4000 + random_below(&random, 9000)) * 128, 128, 15);
	if (kind == 17)
		*request = write_of((4000 + random_below(&random, 9000)) * 128, 40, 3);
	if (kind == 18)
		*request = atomic_of((4000 + random_below(&random, 50)) * 128);
	request->structure = (uint16_t)(kind % 4);
	request->cookie = (uint32_t)random_below(&random, 1000);
	return true;
}

static void sms_tick(const struct run *run, struct memsys *ms, uint64_t cycle, bool sending, uint64_t *sum)
{
	struct mem_request request, reply;

	for (unsigned sm = 0; sm < run->config.sms; sm++) {
		uint64_t random = (cycle * 64 + sm + 5) * UINT64_C(0xd1342543de82ef95);

		if (!run->slow_sms || !random_below(&random, 40))
			while (memsys_receive(ms, sm, cycle, &reply))
				*sum = *sum * 31 + reply.line + reply.cookie + cycle;
		if (sending && wanted(run, sm, cycle, &request) && memsys_can_send(ms, sm, cycle))
			memsys_send(ms, sm, cycle, &request);
	}
}

static void step(const struct run *run, struct memsys *ms, uint64_t cycle, bool sending, uint64_t *sum)
{
	if (run->order == TICK_FIRST_REVERSED)
		memsys_tick(ms, cycle, true);
	sms_tick(run, ms, cycle, sending, sum);
	if (run->order == TICK_LAST)
		memsys_tick(ms, cycle, false);
}

static uint64_t next_cycle(const struct run *run, const struct memsys *ms, uint64_t cycle)
{
	uint64_t event, sending = cycle % 700 < 80 ? cycle + 1 : (cycle / 700 + 1) * 700;

	if (!run->skip)
		return cycle + 1;
	event = memsys_next_event(ms, cycle);
	assert_true(event > cycle);
	return event < sending ? event : sending;
}

/* Loads of channels: at both ends every flit once, and no channel more than a flit a cycle. */
static void assert_loads(const struct noc_load *load, uint64_t flits, double in_busy, uint64_t cycles)
{
	assert_true(load[NOC_IN].busy == (double)flits && load[NOC_OUT].busy == (double)flits);
	assert_true(in_busy == load[NOC_IN].busy / load[NOC_IN].channels);
	for (enum noc_stage i = NOC_IN; i < NOC_STAGES; i++) {
		assert_true(load[i].busiest <= (double)cycles);
		assert_true(load[i].busy <= load[i].busiest * load[i].channels);
	}
}

/* The policy's own statistics. */
static void copy_policy(const struct memsys_stats *s, double *to)
{
	for (unsigned i = 0; s->policy_rows && s->policy_rows[i].name; i++) {
		const char *at = (const char *)s->policy_values + s->policy_rows[i].offset;

		assert_true(i < MOST_STATISTICS);
		to[i] = s->policy_rows[i].type == STAT_TYPE_REAL ? *(const double *)at : (double)*(const uint64_t *)at;
	}
}

static struct result execute(const struct run *run)
{
	struct memsys *ms = memsys_with(&run->config, run->policy);
	struct result result = {.sum = 1};
	uint64_t cycle = 0;

	memsys_kernel_begin(ms, 0, true);
	while (cycle < run->cycles) {
		step(run, ms, cycle, true, &result.sum);
		cycle = next_cycle(run, ms, cycle);
	}
	cycle = run->cycles;
	memsys_kernel_end(ms, cycle);
	for (; !memsys_is_empty(ms); cycle++) {
		step(run, ms, cycle, false, &result.sum);
		if (cycle > run->cycles + 2000000) {
			memsys_dump(ms, stderr);
			fail_msg("%s: not empty", run->policy);
		}
	}
	if (memsys_check(ms))
		fail_msg("%s: %s", run->policy, memsys_check(ms));
	result.stats = *memsys_statistics(ms);
	assert_loads(result.stats.request_load, result.stats.noc.request_flits, result.stats.noc.request_in_busy,
		     cycle);
	assert_loads(result.stats.reply_load, result.stats.noc.reply_flits, result.stats.noc.reply_in_busy, cycle);
	memcpy(result.slices, result.stats.slices, result.stats.nslices * sizeof *result.slices);
	memcpy(result.structures, result.stats.structures, sizeof(result.structures));
	copy_policy(&result.stats, result.of_policy);
	result.end = cycle;
	memsys_free(ms);
	return result;
}

static void assert_same(const struct result *a, const struct result *b)
{
	assert_memory_equal(&a->stats.noc, &b->stats.noc, sizeof(a->stats.noc));
	assert_memory_equal(&a->stats.links, &b->stats.links, sizeof(a->stats.links));
	assert_memory_equal(&a->stats.llc, &b->stats.llc, sizeof(a->stats.llc));
	assert_memory_equal(&a->stats.dram, &b->stats.dram, sizeof(a->stats.dram));
	assert_memory_equal(a->slices, b->slices, sizeof(a->slices));
	assert_memory_equal(a->structures, b->structures, sizeof(a->structures));
	assert_memory_equal(a->of_policy, b->of_policy, sizeof(a->of_policy));
	assert_int_equal(a->sum, b->sum);
	assert_int_equal(a->end, b->end);
}

/* Small queues everywhere, so that every kind of back-pressure happens. */
static struct memsys_config tight_machine(void)
{
	struct memsys_config c = paper_machine();

	c.noc.injection_queue = c.noc.ejection_queue = 1;
	c.noc.vcs = 2;
	c.noc.vc_flits = 3;
	c.llc.kilobytes = 256;
	c.llc.input_queue = 2;
	c.llc.dram_queue = 2;
	c.llc.fill_queue = 1;
	c.llc.mshr_entries = 3;
	c.llc.mshr_merges = 2;
	c.dram.read_queue = 4;
	c.dram.write_queue = 4;
	c.dram.write_high = 3;
	c.dram.write_low = 1;
	c.dram.return_queue = 1;
	return c;
}

static void test_nothing_is_lost_under_any_policy(void **state)
{
	(void)state;
	for (size_t p = 0; llc_policy_table[p]; p++) {
		struct run run = {llc_policy_table[p]->name, paper_machine(), 4000, TICK_LAST, .idle_one_in = 2};
		struct result plain = execute(&run), tight;

		assert_true(plain.stats.llc.reads > 10000 && plain.stats.llc.atomics > 100);
		run.config = tight_machine();
		run.slow_sms = true;
		tight = execute(&run);
		assert_true(tight.stats.llc.stall_cycles > 0);
		assert_true(tight.stats.llc.accesses > 0 && tight.stats.llc.accesses < plain.stats.llc.accesses);
	}
}

static void test_order_of_ticks_does_not_matter(void **state)
{
	(void)state;
	for (size_t p = 0; llc_policy_table[p]; p++)
		for (int tight = 0; tight < 2; tight++) {
			struct run run = {llc_policy_table[p]->name,
					  tight ? tight_machine() : paper_machine(),
					  3000,
					  TICK_LAST,
					  .idle_one_in = 2,
					  .slow_sms = tight};
			struct result forward = execute(&run), backward;

			run.order = TICK_FIRST_REVERSED;
			backward = execute(&run);
			assert_same(&forward, &backward);
		}
}

static void test_skipping_idle_time_changes_nothing(void **state)
{
	(void)state;
	for (size_t p = 0; llc_policy_table[p]; p++) {
		struct run run = {.policy = llc_policy_table[p]->name,
				  .config = paper_machine(),
				  .cycles = 7000,
				  .sparse = true,
				  .idle_one_in = 40};
		struct result stepping = execute(&run), skipping;

		run.skip = true;
		skipping = execute(&run);
		assert_true(skipping.stats.noc.round_trips > 500);
		assert_same(&skipping, &stepping);
	}
}

/* Credits come back over long links after the request itself is done. */
static void test_it_is_busy_until_all_credits_are_back(void **state)
{
	struct memsys_config config = paper_machine();
	struct mem_request write = write_of(0, 128, 15);
	uint64_t now = 5, event;
	const struct network *requests;
	struct memsys *ms;

	(void)state;
	config.noc.link_cycles = 16;
	config.llc.latency = 1;
	ms = memsys_with(&config, "shared");
	memsys_send(ms, 0, now, &write);
	for (event = now; event != UINT64_MAX; event = memsys_next_event(ms, now)) {
		now = event;
		memsys_tick(ms, now, false);
	}
	assert_int_equal(memsys_statistics(ms)->llc.writes, 1);
	requests = &inside_chip(ms, 0)->requests;
	for (unsigned i = 0; i < requests->routers_count; i++) {
		const struct router *r = &requests->routers[i];

		for (unsigned o = 0; o < r->outputs * r->vcs; o++) {
			const struct router_output *out = router_output(r, o / r->vcs);

			if (output_is_to_sink(out))
				assert_int_equal(out->reserved, 0);
			else
				assert_int_equal(out->credits[o % r->vcs], requests->setup.depth);
		}
	}
	assert_true(memsys_is_empty(ms));
	memsys_free(ms);
}

/* An unloaded machine takes every request at once, so all policies see the same requests. */
static void test_no_policy_changes_the_requests(void **state)
{
	struct result first = {.sum = 0};

	(void)state;
	for (size_t p = 0; llc_policy_table[p]; p++) {
		struct run run = {llc_policy_table[p]->name, paper_machine(), 4000, TICK_LAST, .idle_one_in = 200};
		struct result r = execute(&run);

		if (p == 0)
			first = r;
		assert_int_equal(r.stats.noc.request_packets, first.stats.noc.request_packets);
		assert_int_equal(r.stats.noc.request_flits, first.stats.noc.request_flits);
		assert_int_equal(r.stats.noc.reply_flits, first.stats.noc.reply_flits);
		assert_int_equal(r.stats.llc.reads, first.stats.llc.reads);
		assert_int_equal(r.stats.llc.writes, first.stats.llc.writes);
		assert_int_equal(r.stats.llc.atomics, first.stats.llc.atomics);
		assert_int_equal(r.stats.llc.read_only, first.stats.llc.read_only);
	}
}

/* Other shapes: 128 SMs, one controller, narrow channels, 256-byte lines, few channels, many channels. */
static void test_other_machines_work_too(void **state)
{
	struct memsys_config machines[6];

	(void)state;
	for (unsigned i = 0; i < 6; i++)
		machines[i] = paper_machine();
	machines[0].sms = 128;
	machines[0].noc.sm_routers = 32;
	machines[0].noc.mc_routers = 8;
	machines[0].llc.kilobytes = 8192;
	machines[1].sms = 15;
	machines[1].noc.sm_routers = 15;
	machines[1].noc.mc_routers = 1;
	machines[1].llc.slices_per_mc = 8;
	machines[2].noc.channel_bytes = machines[2].llc.port_bytes = 16;
	machines[2].noc.reply_header = true;
	machines[3].llc.line_bytes = 256;
	machines[3].dram.channels_per_mc = 2;
	machines[4].llc.slices_per_mc = 4;
	machines[4].dram.channels_per_mc = 16;
	machines[4].dram.refresh = true;
	machines[5].llc.kilobytes = 128;
	machines[5].noc.vcs = 1;
	machines[5].noc.router_stages = 2;
	machines[5].dram.page_policy = DRAM_CLOSED_PAGE;
	for (unsigned i = 0; i < 6; i++)
		for (unsigned p = 0; p < 3; p++) {
			static const char *const policies[] = {"shared", "private", "selrep"};
			struct run run = {policies[p], machines[i], 1500, TICK_LAST, .idle_one_in = 3};
			struct result r;

			r = execute(&run);
			assert_true(r.stats.noc.round_trips > 1000);
		}
}

static uint32_t pick(uint64_t *random, uint32_t low, uint32_t high)
{
	return low + (uint32_t)random_below(random, high - low + 1);
}

static uint32_t pick_power(uint64_t *random, uint32_t low, uint32_t high)
{
	return 1u << pick(random, low, high);
}

/* Any machine that the check lets through; small, so that its queues fill up. */
static struct memsys_config random_machine(uint64_t *random)
{
	struct memsys_config c;

	do {
		c = paper_machine();
		c.noc.sm_routers = pick(random, 1, 20);
		c.chips.count = pick_power(random, 0, 2);
		c.sms = c.chips.count * c.noc.sm_routers * pick(random, 1, 5);
		c.chips.topology = pick(random, CHIPS_RING, CHIPS_FULL);
		c.chips.links = pick(random, 1, 8);
		c.chips.link_gigabytes_per_second = pick(random, 1, 2000) / 7.0;
		c.chips.hop_latency = pick(random, 1, 200);
		c.chips.header_bytes = pick(random, 1, 64);
		c.chips.link_queue = pick(random, 1, 5);
		c.chips.pages = pick(random, PAGES_FIRST_TOUCH, PAGES_HASH);
		c.map.page_bytes = pick_power(random, 9, 21);
		c.noc.mc_routers = pick(random, 1, 8);
		c.noc.channel_bytes = pick(random, 6, 64);
		c.noc.vcs = pick(random, 1, 8);
		c.noc.vc_flits = pick(random, 1, 12);
		c.noc.router_stages = pick(random, 2, 16);
		c.noc.link_cycles = pick(random, 0, 16);
		c.noc.mc_router_delay = pick(random, 0, 16);
		c.noc.injection_queue = pick(random, 1, 9);
		c.noc.ejection_queue = pick(random, 1, 9);
		c.noc.write_header = pick(random, 0, 1);
		c.noc.reply_header = pick(random, 0, 1);
		c.noc.topology = pick(random, 0, 4);
		c.noc.switching = pick(random, 0, 1);
		c.noc.vc_choice = pick(random, 0, 1);
		c.noc.arbiter = pick(random, 0, 1);
		c.noc.islip_iterations = pick(random, 1, 4);
		c.noc.speedup = pick(random, 1, 2);
		c.noc.mesh_columns = pick(random, 1, 7);
		c.noc.mesh_rows = pick(random, 1, 7);
		c.noc.ring_stops = pick(random, 2, 9);
		c.llc.slices_per_mc = pick_power(random, 0, 4);
		c.llc.ways = pick(random, 1, 16);
		c.llc.line_bytes = pick_power(random, 7, 8);
		c.llc.kilobytes = pick(random, 1, 4096);
		c.llc.latency = pick(random, 1, 130);
		c.llc.port_bytes = pick(random, 4, 128);
		c.llc.input_queue = pick(random, 1, 9);
		c.llc.dram_queue = pick(random, 2, 9);
		c.llc.fill_queue = pick(random, 1, 9);
		c.llc.mshr_entries = pick(random, 1, 40);
		c.llc.mshr_merges = pick(random, 1, 9);
		c.llc.partial_write = pick(random, 0, 1);
		c.llc.xbar_cycles = pick(random, 1, 20);
		c.llc.sectored = pick(random, 0, 1);
		c.noc.clock_mhz = pick(random, 0, 1) ? pick(random, 500, 1400) : 0;
		c.llc.clock_mhz = pick(random, 0, 1) ? pick(random, 500, 1400) : 0;
		c.dram.channels_per_mc = pick_power(random, 0, 4);
		c.dram.gigabytes_per_second = pick(random, 5, 4000);
		c.dram.burst_bytes = pick_power(random, 4, 6);
		c.dram.burst_clocks = pick(random, 1, 4);
		c.dram.banks = pick_power(random, 1, 5);
		c.dram.bank_groups = pick_power(random, 0, 2);
		c.dram.row_bytes = pick_power(random, 8, 13);
		c.dram.read_queue = pick(random, 1, 64);
		c.dram.write_queue = pick(random, 1, 64);
		c.dram.write_high = pick(random, 1, 64);
		c.dram.write_low = pick(random, 0, 63);
		c.dram.return_queue = pick(random, 1, 64);
		c.dram.page_policy = pick(random, 0, 1);
		c.dram.tFAW = pick(random, 0, 60);
		c.dram.refresh = pick(random, 0, 1);
		c.dram.tREFI = pick(random, 300, 3000);
		c.map.scheme = pick(random, MAP_LINEAR, MAP_PAGE);
		c.map.seed = pick(random, 0, 1000);
	} while (memsys_config_check(&c, NULL) < 0);
	return c;
}

/* Four chips with narrow links, every queue of a machine as small as it may be. */
static struct memsys_config tight_chips(void)
{
	struct memsys_config c = tight_machine();

	c.chips.count = 4;
	c.sms = 4 * 32;
	c.chips.links = 1;
	c.chips.link_gigabytes_per_second = 20;
	c.chips.hop_latency = 9;
	c.chips.link_queue = 1;
	return c;
}

/* Every kind of traffic between all chips, until all queues are full both ways round the ring; then all must end. */
static void four_chips_under(const char *policy, struct memsys_config config)
{
	struct run run = {policy, config, 3000, TICK_LAST, .idle_one_in = 1, .slow_sms = true};
	struct result forward = execute(&run), backward;

	assert_true(forward.stats.links.packets > 2000);
	run.order = TICK_FIRST_REVERSED;
	backward = execute(&run);
	assert_same(&forward, &backward);
	run = (struct run){.policy = policy, .config = config, .cycles = 7000, .sparse = true, .idle_one_in = 40};
	forward = execute(&run);
	run.skip = true;
	backward = execute(&run);
	assert_same(&forward, &backward);
}

static void test_four_chips_under_any_policy(void **state)
{
	(void)state;
	for (size_t p = 0; llc_policy_table[p]; p++)
		four_chips_under(llc_policy_table[p]->name, tight_chips());
}

/* With directories, of few entries and of as many as they need. */
static void test_four_coherent_chips(void **state)
{
	struct memsys_config config = tight_chips();

	(void)state;
	config.chips.coherence = COHERENCE_HARDWARE;
	four_chips_under("sm-side", config);
	config.chips.directory_entries = config.noc.mc_routers * 16;
	config.chips.directory_ways = 4;
	four_chips_under("sac", config);
	four_chips_under("static", config);
}

/* Links are at the same places of every network; a single crossbar has room for fewer slices. */
static void test_four_chips_on_any_network(void **state)
{
	(void)state;
	for (unsigned topology = 0; topology_table[topology]; topology++) {
		struct run run = {"selrep", tight_chips(), 1500, TICK_LAST, .idle_one_in = 1, .slow_sms = true};
		struct result forward, backward;

		run.config.noc.topology = topology;
		run.config.llc.slices_per_mc = 8;
		assert_int_equal(memsys_config_check(&run.config, NULL), 0);
		forward = execute(&run);
		assert_true(forward.stats.links.packets > 500);
		run.order = TICK_FIRST_REVERSED;
		backward = execute(&run);
		assert_same(&forward, &backward);
	}
}

static void test_random_machines(void **state)
{
	uint64_t random = 20;

	(void)state;
	for (unsigned i = 0; i < RANDOM_MACHINES; i++) {
		unsigned policy = (unsigned)random_below(&random, 9);
		struct run run = {.policy = policy < 7 ? llc_policy_table[policy]->name : "sm-side",
				  .config = random_machine(&random),
				  .cycles = 800,
				  .idle_one_in = 2,
				  .slow_sms = i & 1};
		struct result forward = execute(&run), backward;

		assert_true(forward.stats.llc.accesses > 0);
		run.order = TICK_FIRST_REVERSED;
		backward = execute(&run);
		assert_same(&forward, &backward);
		run.sparse = true;
		run.slow_sms = false;
		run.cycles = 2200;
		forward = execute(&run);
		run.skip = true;
		backward = execute(&run);
		assert_same(&forward, &backward);
	}
}

static void test_dump_names_who_waits(void **state)
{
	struct memsys_config config = paper_machine();
	struct memsys *ms = memsys_with(&config, "shared");
	struct mem_request reply;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	uint64_t progress, now;

	(void)state;
	for (now = 0; now < 3000; now++) {
		struct mem_request request = read_of(0, false);

		if (memsys_can_send(ms, 0, now))
			memsys_send(ms, 0, now, &request);
		memsys_tick(ms, now, false);
	}
	/* Nobody takes the replies: everything has come to rest. */
	progress = memsys_progress(ms);
	for (; now < 3200; now++)
		memsys_tick(ms, now, false);
	assert_int_equal(memsys_progress(ms), progress);
	memsys_dump(ms, out);
	fclose(out);
	assert_non_null(strstr(text, "reply network sink 0: 8 packets not taken"));
	assert_non_null(strstr(text, "request network source 0: 8 packets wait"));
	assert_non_null(strstr(text, "llc mc"));
	assert_non_null(memsys_check(ms));
	free(text);
	for (; !memsys_is_empty(ms); now++) {
		while (memsys_receive(ms, 0, now, &reply))
			;
		memsys_tick(ms, now, false);
	}
	assert_null(memsys_check(ms));
	assert_int_equal(memsys_next_event(ms, now), UINT64_MAX);
	memsys_free(ms);
}

/* No feature of the LLC sets flags under these policies, so a reply has its request's, from memory and from the LLC. */
static void test_flags_come_back_unchanged(void **state)
{
	static const char *const policies[] = {"shared", "selrep", "private"};
	struct memsys_config config = paper_machine();
	struct mem_request reply, request = read_of(0x4000, false);

	(void)state;
	for (size_t p = 0; p < sizeof policies / sizeof policies[0]; p++) {
		struct memsys *ms = memsys_with(&config, policies[p]);
		uint64_t cycle = 0;

		for (unsigned flags = 0; flags < 16; flags++) {
			request.flags = (uint8_t)(flags & ~MEM_NO_REPLY);
			memsys_send(ms, 3, cycle, &request);
			while (!memsys_receive(ms, 3, cycle, &reply))
				memsys_tick(ms, cycle++, false);
			assert_int_equal(reply.flags, request.flags);
		}
		drain(ms, 64, cycle);
		memsys_free(ms);
	}
}

/* A reply of a line has four flits. It is predicted while they come, and comes in the predicted cycle. */
static void test_a_foreseen_reply_comes(void **state)
{
	struct memsys_config config = paper_machine();
	struct memsys *ms = memsys_with(&config, "shared");
	struct mem_request reply, request = read_of(0x4000, false);
	const struct mem_request *coming;
	uint64_t cycle = 0, wait, first = UINT64_MAX;

	(void)state;
	memsys_send(ms, 3, cycle, &request);
	for (; !memsys_receive(ms, 3, cycle, &reply); cycle++) {
		coming = memsys_foresee(ms, 3, cycle, &wait);
		assert_true(coming || first == UINT64_MAX);
		if (coming && first == UINT64_MAX)
			first = cycle + wait;
		if (coming)
			assert_true(cycle + wait == first && coming->line == request.line);
		memsys_tick(ms, cycle, false);
	}
	assert_int_equal(first, cycle);
	assert_null(memsys_foresee(ms, 3, cycle, &wait));
	drain(ms, 64, cycle);
	memsys_free(ms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_flags_come_back_unchanged),
	    cmocka_unit_test(test_a_foreseen_reply_comes),
	    cmocka_unit_test(test_nothing_is_lost_under_any_policy),
	    cmocka_unit_test(test_order_of_ticks_does_not_matter),
	    cmocka_unit_test(test_skipping_idle_time_changes_nothing),
	    cmocka_unit_test(test_it_is_busy_until_all_credits_are_back),
	    cmocka_unit_test(test_no_policy_changes_the_requests),
	    cmocka_unit_test(test_other_machines_work_too),
	    cmocka_unit_test(test_four_chips_under_any_policy),
	    cmocka_unit_test(test_four_coherent_chips),
	    cmocka_unit_test(test_four_chips_on_any_network),
	    cmocka_unit_test(test_random_machines),
	    cmocka_unit_test(test_dump_names_who_waits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
