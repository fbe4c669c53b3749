/*
 * Micro-benchmarks with closed forms, on several GPUs: a hot array, a producer and a consumer, a pointer chase, and a
 * stream. Each says in numbers what a part of the machine gives; the results must be these numbers.
 */
#include "tests/sim-backend/program.h"
#include "tests/sim-backend/support.h"

#include "sim-backend/map/address_map.h"
#include "sim-backend/probe/probe.h"

#include <stdlib.h>

enum { LINE = 128, BASE = 1 << 20 };

struct gpu {
	const char *name;
	const char *settings[4];        /* on top of selrep64 */
	unsigned routers, links;        /* on the way through a network; 0: it depends on who sends */
	unsigned hot_lines, hot_slices; /* of a controller: beyond these links are narrower than the slices' ports */
};

/* In a mesh all SMs in a column share its links; SMs of another chip share three. */
static const struct gpu gpus[] = {
    {"selrep64", {NULL}, 2, 1, 4, 16},
    {"flat crossbar", {"noc.topology=flat"}, 1, 1, 4, 16},
    {"mesh", {"noc.topology=mesh"}, 0, 0, 2, 1},
    {"two chips", {"chips.count=2", "gpu.sms=128"}, 2, 1, 2, 1},
    {"gddr5", {"dram.preset=gddr5"}, 2, 1, 4, 16},
    {"hbm2", {"dram.preset=hbm2"}, 2, 1, 4, 16},
    {"wide network", {"noc.channel_bytes=128"}, 2, 1, 4, 16},
    {"slow network", {"noc.router_stages=6", "noc.link_cycles=5", "noc.channel_bytes=16"}, 2, 1, 4, 8},
    {"far memory", {"llc.xbar_cycles=9", "llc.latency=77", "l1.preset=volta"}, 2, 1, 4, 16},
};
enum { GPUS = sizeof gpus / sizeof *gpus };

static const struct gpu *gpu;
static struct sim_config *config;
static struct memsys *ms;
static uint64_t now;

static void set(const char *setting)
{
	struct diag d = DIAG_INIT;

	if (sim_config_set(config, setting, &d) < 0)
		fail_msg("%s", d.message);
}

static void configure(const struct gpu *g)
{
	struct diag d = DIAG_INIT;

	gpu = g;
	config = sim_config_create();
	assert_int_equal(sim_config_load(config, "selrep64", &d), 0);
	for (unsigned i = 0; i < 4 && g->settings[i]; i++)
		set(g->settings[i]);
}

static void check_config(void)
{
	struct diag d = DIAG_INIT;

	if (sim_config_check(config, &d) < 0)
		fail_msg("%s: %s", gpu->name, d.message);
}

static const struct memsys_config *machine(void)
{
	return &config->memory;
}

static void start(unsigned degree)
{
	static const char *const names[] = {
	    [1] = "shared", [2] = "degree2", [4] = "degree4", [8] = "degree8", [16] = "degree16"};
	struct diag d = DIAG_INIT;
	const struct config_section *knobs;

	assert_int_equal(sim_config_policies(config, names[degree], NULL, &d), 0);
	check_config();
	knobs = sim_config_section(config, config->llc_policy->name);
	ms = memsys_create(machine(), config->llc_policy, knobs ? knobs->values : NULL, 1);
	memsys_follow_versions(ms);
	now = 0;
	memsys_kernel_begin(ms, now, false);
	now = drain(ms, machine()->sms, now);
}

static void kernel_boundary(void)
{
	now = drain(ms, machine()->sms, now);
	memsys_kernel_end(ms, now);
	now = drain(ms, machine()->sms, now);
	memsys_kernel_begin(ms, now, false);
	now = drain(ms, machine()->sms, now) + 1;
}

static void stop(void)
{
	now = drain(ms, machine()->sms, now);
	if (memsys_check(ms))
		fail_msg("%s: %s", gpu->name, memsys_check(ms));
	memsys_free(ms);
}

/* Request number `n` of an SM; false when it has no more. */
typedef bool (*request_at)(unsigned sm, unsigned n, struct mem_request *request);

/*
 * Every SM sends its requests as fast as the network takes them, and takes a reply a cycle. Returns the cycles until
 * the end.
 */
static uint64_t send_all(request_at at)
{
	unsigned sms = machine()->sms, *sent = calloc(sms, sizeof *sent), left = sms;
	uint64_t from = now;
	struct mem_request r;

	for (; left || !memsys_is_empty(ms); now++) {
		left = 0;
		for (unsigned sm = 0; sm < sms; sm++) {
			struct mem_request reply;

			memsys_receive(ms, sm, now, &reply);
			if (!at(sm, sent[sm], &r))
				continue;
			left++;
			if (memsys_can_send(ms, sm, now)) {
				memsys_send(ms, sm, now, &r);
				sent[sm]++;
			}
		}
		memsys_tick(ms, now, false);
		assert_true(now - from < 10000000);
	}
	free(sent);
	return now - from;
}

/* --- Hot array: all SMs read the same few lines --- */

enum { ROUNDS = 64 };
static unsigned hot_lines, hot_rounds;

static bool hot_read(unsigned sm, unsigned n, struct mem_request *r)
{
	(void)sm;
	*r = read_of(BASE + n % hot_lines * LINE, true);
	return n < hot_lines * hot_rounds;
}

/*
 * Requests of the busiest slice: for group g of the SM-clusters a line's requests go to slice g * S/d + home mod S/d.
 * Also the largest number of a controller's slices that are used.
 */
static uint64_t busiest_slice(unsigned degree, unsigned *slices_used)
{
	enum { MCS = 4, S = 16, CLUSTERS = 16 };
	uint64_t requests[MCS][S] = {{0}}, most = 0;
	struct address_map map;

	memsys_map_init(&map, machine());
	*slices_used = 0;
	for (unsigned line = 0; line < hot_lines; line++) {
		struct map_place home = address_map_place(&map, BASE + line * LINE);

		for (unsigned cluster = 0; cluster < CLUSTERS; cluster++) {
			unsigned group = cluster * degree / CLUSTERS, at = group * (S / degree);

			requests[home.mc][at + home.slice % (S / degree)] += machine()->sms / CLUSTERS * hot_rounds;
		}
	}
	for (unsigned mc = 0; mc < MCS; mc++) {
		unsigned used = 0;

		for (unsigned s = 0; s < S; s++) {
			most = requests[mc][s] > most ? requests[mc][s] : most;
			used += requests[mc][s] > 0;
		}
		*slices_used = used > *slices_used ? used : *slices_used;
	}
	return most;
}

/* The slice's port hands out a line in LINE / port_bytes cycles; a narrower channel of the network takes longer. */
static unsigned cycles_of_a_line(void)
{
	unsigned port = machine()->llc.port_bytes, channel = machine()->noc.channel_bytes;

	return LINE / (port < channel ? port : channel);
}

static uint64_t hot_cycles(unsigned degree)
{
	uint64_t cycles;

	start(degree);
	hot_rounds = 1;
	send_all(hot_read);
	hot_rounds = ROUNDS;
	cycles = send_all(hot_read);
	stop();
	return cycles;
}

static uint64_t network_cycles(unsigned flits)
{
	const struct noc_config *n = &machine()->noc;

	return 2 + n->router_stages * gpu->routers + n->link_cycles * gpu->links + flits - 1;
}

static uint64_t hit_cycles(void)
{
	return network_cycles(1) + machine()->llc.latency + network_cycles(LINE / machine()->noc.channel_bytes);
}

/* The last reply comes a round trip after the first port is busy. Little more is lost. */
static void check_hot_array(unsigned degree)
{
	unsigned slices;
	uint64_t bound, cycles;

	check_config();
	hot_rounds = ROUNDS;
	bound = busiest_slice(degree, &slices) * cycles_of_a_line();
	if (slices > gpu->hot_slices)
		return;
	cycles = hot_cycles(degree);
	if (cycles < bound || cycles > bound + bound / 32 + hit_cycles() + (gpu->routers ? 0 : 100))
		fail_msg("%s, degree %u, %u lines: %lu cycles, not %lu", gpu->name, degree, hot_lines,
			 (unsigned long)cycles, (unsigned long)bound);
	if (hot_lines == 1)
		assert_int_equal(bound * degree, (uint64_t)machine()->sms * ROUNDS * cycles_of_a_line());
}

/*
 * While few slices are used, their ports are the limit, and what degree d gains is the ratio of the requests of the
 * busiest slice: d times for one line, under every map.
 */
static void test_hot_array_runs_at_the_ports_of_its_slices(void **state)
{
	static const char *const seeds[] = {"map.seed=1", "map.seed=2", "map.seed=3"};

	(void)state;
	for (unsigned g = 0; g < GPUS; g++)
		for (unsigned seed = 0; seed < (g ? 1 : 3); seed++)
			for (hot_lines = 1; hot_lines <= gpus[g].hot_lines; hot_lines *= 2) {
				configure(&gpus[g]);
				set(seeds[seed]);
				for (unsigned degree = 1; degree <= 16; degree *= 2)
					check_hot_array(degree);
				sim_config_free(config);
			}
}

/*
 * An array that has a line in every slice, which balanced maps make of any 64 lines: no slice is busier than another
 * under any degree. All that copies can gain then is the network's, and an ideal one leaves nothing.
 */
static void test_hot_array_on_all_slices_gains_nothing(void **state)
{
	static const char *const seeds[] = {"map.seed=1", "map.seed=2", "map.seed=3"};

	(void)state;
	hot_lines = 64;
	for (unsigned seed = 0; seed < 3; seed++) {
		unsigned slices;
		uint64_t one, sixteen, bound;

		configure(&gpus[0]);
		set(seeds[seed]);
		set("noc.channel_bytes=128");
		set("noc.vcs=8");
		check_config();
		hot_rounds = ROUNDS;
		bound = (uint64_t)hot_lines * ROUNDS * LINE / machine()->llc.port_bytes;
		assert_int_equal(busiest_slice(1, &slices), hot_lines * ROUNDS);
		assert_int_equal(busiest_slice(16, &slices), hot_lines * ROUNDS);
		one = hot_cycles(1);
		sixteen = hot_cycles(16);
		assert_true(one >= bound && one < bound + bound / 50 + hit_cycles());
		assert_true(sixteen >= bound && one < sixteen + bound / 50);
		sim_config_free(config);
	}
}

/* --- Producer and consumer --- */

enum { WRITTEN = 1024 };

/* The lines are dealt out to the SMs. */
static bool produce(unsigned sm, unsigned n, struct mem_request *r)
{
	*r = write_of(BASE + (uint64_t)(n * machine()->sms + sm) * LINE, LINE, 15);
	return n < WRITTEN / machine()->sms;
}

/* One SM of each cluster reads all lines. */
static bool consume(unsigned sm, unsigned n, struct mem_request *r)
{
	unsigned per_cluster = machine()->sms / machine()->chips.count / machine()->noc.sm_routers;

	*r = read_of(BASE + (uint64_t)n * LINE, true);
	return sm % per_cluster == 0 && n < WRITTEN;
}

/*
 * Kernel A writes lines, kernel B reads them. Under `shared` they stay in their slices: memory sees nothing. Copies
 * come from memory, so before B each line is written back once, and then read for each of its d places but its home,
 * which still has it.
 */
static void test_what_one_kernel_wrote_and_the_next_reads(void **state)
{
	(void)state;
	for (unsigned g = 0; g < GPUS; g++)
		for (unsigned degree = 1; degree <= 16; degree *= 2) {
			const struct memsys_stats *s;

			configure(&gpus[g]);
			start(degree);
			send_all(produce);
			s = memsys_statistics(ms);
			assert_int_equal(s->dram.writes, 0);
			assert_int_equal(s->dram.reads, 0);
			kernel_boundary();
			assert_int_equal(memsys_statistics(ms)->dram.writes, degree > 1 ? WRITTEN : 0);
			send_all(consume);
			s = memsys_statistics(ms);
			assert_int_equal(s->dram.writes, degree > 1 ? WRITTEN : 0);
			assert_int_equal(s->dram.reads, WRITTEN * (degree - 1));
			assert_int_equal(s->llc.write_backs, degree > 1 ? WRITTEN : 0);
			stop();
			sim_config_free(config);
		}
}

/* --- Pointer chase: one request at a time --- */

static uint64_t latency(uint64_t line)
{
	uint64_t from = now;

	now = round_trip(ms, 5, now, read_of(line, false));
	from = now - from;
	now = drain(ms, machine()->sms, now) + 1000;
	return from;
}

/* Another line of the same bank, in the same row or in another row. */
static uint64_t line_of_bank(uint64_t line, bool same_row)
{
	struct map_place place, other;
	struct address_map map;

	memsys_map_init(&map, machine());
	place = address_map_place(&map, line);
	for (uint64_t next = line + LINE;; next += LINE) {
		other = address_map_place(&map, next);
		if (other.mc == place.mc && other.channel == place.channel && other.bank == place.bank &&
		    (other.row == place.row) == same_row)
			return next;
	}
}

/* From a row's column command to the last data. */
static uint64_t data_cycles(void)
{
	const struct dram_config *t = &machine()->dram;
	unsigned step = t->tCCDl > t->burst_clocks ? t->tCCDl : t->burst_clocks;

	return t->tCL + (LINE / t->burst_bytes - 1) * step + t->burst_clocks;
}

/* To the channel and back with a line: a cycle at either end, and a beat for each part of the line. */
static uint64_t way_to_memory(void)
{
	return 2 + 2 * machine()->llc.xbar_cycles + LINE / machine()->llc.port_bytes - 1;
}

/* The memory has the SMs' clock, so that each number is exact. */
static void configure_in_step(const struct gpu *g)
{
	configure(g);
	set("dram.clock_mhz=1400");
	set("dram.refresh=false");
}

/*
 * A hit is the request's network, the pipeline, and the reply's network. A miss adds the way to the channel and back,
 * the commands that the row needs, and the data.
 */
static void test_pointer_chase_takes_the_sum_of_its_stages(void **state)
{
	(void)state;
	for (unsigned g = 0; g < GPUS; g++) {
		const struct dram_config *t;
		uint64_t row_hit;

		if (!gpus[g].routers)
			continue;
		configure_in_step(&gpus[g]);
		start(1);
		t = &machine()->dram;
		row_hit = hit_cycles() + way_to_memory() + data_cycles();
		assert_int_equal(latency(BASE), row_hit + t->tRCD);
		assert_int_equal(latency(BASE), hit_cycles());
		assert_int_equal(latency(line_of_bank(BASE, true)), row_hit);
		assert_int_equal(latency(line_of_bank(BASE, false)), row_hit + t->tRP + t->tRCD);
		stop();
		sim_config_free(config);
	}
}

/* The same by a kernel: one warp, whose loads wait for each other. The second load of a line hits in the L1. */
static void test_pointer_chase_of_a_kernel(void **state)
{
	static struct program p;
	unsigned load;

	(void)state;
	for (unsigned g = 0; g < GPUS; g++) {
		struct sim_options options = {.report = stderr};
		struct sim_result *r;
		struct diag d = DIAG_INIT;
		uint64_t row_hit, l1_hit;

		if (!gpus[g].routers)
			continue;
		configure_in_step(&gpus[g]);
		check_config();
		program_begin(&p, 1, 1);
		load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
		p.insts[load].src[p.insts[load].nsrc++] = 1;
		program_emit(&p, load, BASE, 4);
		program_emit(&p, load, BASE, 4);
		program_emit(&p, load, line_of_bank(BASE, true), 4);
		if (program_try(&p, config, &options, &r, &d) < 0)
			fail_msg("%s", d.message);
		l1_hit = 1 + config->l1.hit_latency;
		row_hit = 1 + hit_cycles() + way_to_memory() + data_cycles() + config->l1.fill_latency;
		assert_int_equal(r->total.sm.load_cycles, 2 * row_hit + machine()->dram.tRCD + l1_hit);
		sim_result_free(r);
		sim_config_free(config);
	}
}

/* --- Stream --- */

/*
 * Line after line. The bus is the limit: less the refreshes, and, where two bursts of one bank group lie farther apart
 * than a burst is long, no less than if all were of one group.
 */
static void test_stream_fills_the_memory_channels(void **state)
{
	(void)state;
	for (unsigned g = 0; g < GPUS; g++) {
		struct probe_traffic traffic = PROBE_TRAFFIC_DEFAULT;
		struct probe_dram_result r;
		const struct dram_config *t;
		double limit, group;

		configure(&gpus[g]);
		check_config();
		t = &machine()->dram;
		limit = t->refresh ? 1 - (double)t->tRFC / t->tREFI : 1;
		group = t->tCCDl > t->burst_clocks ? (double)t->burst_clocks / t->tCCDl : 1;
		traffic.pattern = PROBE_STREAM;
		traffic.cycles = 20000;
		probe_dram(machine(), &traffic, &r);
		if (r.bandwidth_fraction > 1.001 * limit || r.bandwidth_fraction < 0.98 * group * limit)
			fail_msg("%s: %g of the peak, not %g", gpu->name, r.bandwidth_fraction, limit);
		sim_config_free(config);
	}
}

/* Every source sends to a sink of its own: each channel passes a flit a cycle. In the mesh they share links. */
static void test_stream_fills_the_network(void **state)
{
	(void)state;
	for (unsigned g = 0; g < GPUS; g++) {
		struct probe_traffic traffic = PROBE_TRAFFIC_DEFAULT;
		struct probe_noc_result r;
		double limit = gpus[g].routers ? 1 : 1.0 / 8;

		configure(&gpus[g]);
		check_config();
		traffic.pattern = PROBE_PERMUTATION;
		traffic.reply_network = true;
		traffic.flits = 4;
		traffic.cycles = 20000;
		probe_noc(machine(), &traffic, &r);
		if (r.accepted > limit || r.accepted < 0.98 * limit)
			fail_msg("%s: %g of a flit, not %g", gpu->name, r.accepted, limit);
		sim_config_free(config);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_hot_array_runs_at_the_ports_of_its_slices),
	    cmocka_unit_test(test_hot_array_on_all_slices_gains_nothing),
	    cmocka_unit_test(test_what_one_kernel_wrote_and_the_next_reads),
	    cmocka_unit_test(test_pointer_chase_takes_the_sum_of_its_stages),
	    cmocka_unit_test(test_pointer_chase_of_a_kernel),
	    cmocka_unit_test(test_stream_fills_the_memory_channels),
	    cmocka_unit_test(test_stream_fills_the_network),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
