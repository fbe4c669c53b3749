/*
 * Every topology against closed forms: latency without load by hops, the most that links and arbiters pass, and, under
 * random overload with small buffers, that nothing is lost or stuck and that the order of ticks does not matter.
 */
#include "tests/sim-backend/support.h"

#include "common/diag.h"
#include "sim-backend/noc/networks.h"
#include "sim-backend/probe/probe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct memsys_config config;
static struct transaction_pool pool;
static struct network net;

static void set(const char *key, const char *value)
{
	const struct knob *knob = knob_find(noc_knobs, key);
	char why[256];

	assert_non_null(knob);
	if (knob_set(knob, &config.noc, value, why, sizeof why) < 0)
		fail_msg("%s: %s", key, why);
}

static int reset(void **state)
{
	(void)state;
	config = paper_machine();
	return 0;
}

/* --- One network, driven by hand --- */

static unsigned member(void *context, uint32_t packet)
{
	(void)context;
	return pool.items[packet].request.cookie % net.topology.plan.sinks.each;
}

static void start(bool to_memory, unsigned most_flits)
{
	struct diag d = DIAG_INIT;

	if (memsys_config_check(&config, &d) < 0)
		fail_msg("%s", d.message);
	pool = (struct transaction_pool){.free = NO_TRANSACTION};
	create_network(&net, &config, to_memory, most_flits, member, &pool);
}

static void stop(void)
{
	network_release(&net);
	free(pool.items);
}

static void send(unsigned source, unsigned sink, unsigned flits, uint64_t now)
{
	uint32_t packet = transaction_new(&pool);

	pool.items[packet].flits = (uint8_t)flits;
	pool.items[packet].request.cookie = sink;
	pool.items[packet].request.issued = now;
	network_send(&net, source, now, packet, sink / net.topology.plan.sinks.each);
}

/* All credits are back, no VC is in use, and everything that went in came out. */
static void assert_conserved(void)
{
	struct network_counts c = network_count(&net);

	assert_true(network_is_idle(&net));
	assert_int_equal(pool.used, 0);
	assert_int_equal(c.flits_in, c.flits_out);
	for (unsigned i = 0; i < net.routers_count; i++)
		for (unsigned j = 0; j < net.routers[i].outputs; j++) {
			const struct router_output *out = router_output(&net.routers[i], j);

			assert_int_equal(out->free_vcs, (1u << config.noc.vcs) - 1);
			for (unsigned vc = 0; !output_is_to_sink(out) && vc < config.noc.vcs; vc++)
				assert_int_equal(out->credits[vc], net.setup.depth);
		}
	for (unsigned i = 0; i < net.sources_count; i++)
		for (unsigned vc = 0; vc < config.noc.vcs; vc++)
			assert_int_equal(net.sources[i].credits[vc], net.setup.depth);
}

/* --- Latency without load --- */

/* The number of links from a source to a sink, computed from their positions alone. */
typedef unsigned (*distance)(unsigned from, unsigned to);

static unsigned one_link(unsigned from, unsigned to)
{
	(void)from, (void)to;
	return 1;
}

static unsigned no_link(unsigned from, unsigned to)
{
	(void)from, (void)to;
	return 0;
}

static unsigned mesh_links(unsigned from, unsigned to)
{
	int columns = (int)config.noc.mesh_columns, a = (int)from, b = (int)to;

	return (unsigned)(abs(a % columns - b % columns) + abs(a / columns - b / columns));
}

static unsigned ring_links(unsigned from, unsigned to)
{
	unsigned stops = config.noc.ring_stops, up = (to + stops - from) % stops;

	return up < stops - up ? up : stops - up;
}

static uint64_t measured_latency(unsigned source, unsigned sink, unsigned flits)
{
	uint64_t now = 0;
	uint32_t packet;

	send(source, sink, flits, now);
	while ((packet = network_take(&net, sink, now)) == NO_TRANSACTION) {
		network_tick(&net, now++, false);
		assert_true(now < 10000);
	}
	transaction_free(&pool, packet);
	return now;
}

/* 2 + stages * routers + link_cycles * links + flits - 1, for every source and sink. */
static void check_latencies(distance links, bool far_sinks, bool to_memory)
{
	unsigned sources = (to_memory ? config.sms : config.noc.mc_routers * config.llc.slices_per_mc);
	unsigned sinks = config.sms + config.noc.mc_routers * config.llc.slices_per_mc - sources;

	for (unsigned s = 0; s < sources; s += 3)
		for (unsigned t = 0; t < sinks; t += 5) {
			unsigned flits = 1 + (s + t) % 5, hops;

			start(to_memory, 5);
			hops = links(net.topology.sources.data[s].router, net.topology.sinks.data[t].router);
			assert_int_equal(measured_latency(s, t, flits),
					 2 + config.noc.router_stages * (hops + 1) +
					     config.noc.link_cycles * (hops + far_sinks) + flits - 1);
			stop();
		}
}

static void test_latency_is_by_hops(void **state)
{
	static const struct {
		const char *topology;
		distance links;
		bool far_sinks;
	} shapes[] = {{"hierarchical", one_link, false},
		      {"flat", no_link, true},
		      {"mesh", mesh_links, false},
		      {"ring", ring_links, false}};
	static const unsigned timings[][2] = {{4, 1}, {2, 0}, {3, 7}};

	(void)state;
	set("ring_stops", "7");
	for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
		for (unsigned k = 0; k < 6; k++) {
			set("topology", shapes[i].topology);
			set("switching", k & 1 ? "flit" : "packet");
			set("mesh_memory", k & 1 ? "edges" : "spread");
			config.noc.router_stages = timings[k / 2][0];
			config.noc.link_cycles = timings[k / 2][1];
			check_latencies(shapes[i].links, shapes[i].far_sinks, k & 1);
		}
}

/* The router in front of a shared port takes two cycles; the wire behind the crossbar is the long one. */
static void test_a_shared_port_costs_two_cycles(void **state)
{
	(void)state;
	set("topology", "concentrated");
	for (int to_memory = 0; to_memory < 2; to_memory++) {
		start(to_memory, 5);
		assert_int_equal(measured_latency(9, 42, 5), 2 + 2 + 4 + 1 + 4);
		stop();
	}
}

static double unloaded_clocks(bool to_memory)
{
	struct shape shape = memsys_shape(&config);

	return noc_unloaded_clocks(&config.noc, &shape, to_memory);
}

static double measured_mean(bool to_memory)
{
	struct shape shape = memsys_shape(&config);
	struct topology_plan plan = topology_plan_of(&config.noc, &shape, to_memory);
	uint64_t sum = 0;

	for (unsigned from = 0; from < plan.sources.groups; from++)
		for (unsigned to = 0; to < plan.sinks.groups; to++) {
			start(to_memory, 5);
			sum += measured_latency(from * plan.sources.each, to * plan.sinks.each, 1);
			stop();
		}
	return (double)sum / (plan.sources.groups * plan.sinks.groups);
}

static void test_the_mean_latency_is_known(void **state)
{
	static const char *const shapes[] = {"hierarchical", "flat", "concentrated", "mesh", "ring"};

	(void)state;
	set("ring_stops", "7");
	config.noc.link_cycles = 3;
	config.noc.mc_router_delay = 2;
	for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
		set("topology", shapes[i]);
		for (int to_memory = 0; to_memory < 2; to_memory++)
			assert_float_equal(unloaded_clocks(to_memory), measured_mean(to_memory), 1e-9);
	}
}

/* --- Throughput of links --- */

static struct probe_noc_result probe(double rate, unsigned flits, bool reply)
{
	struct probe_traffic traffic = PROBE_TRAFFIC_DEFAULT;
	struct probe_noc_result r;
	struct diag d = DIAG_INIT;

	if (memsys_config_check(&config, &d) < 0)
		fail_msg("%s", d.message);
	traffic.rate = rate;
	traffic.flits = flits;
	traffic.reply_network = reply;
	traffic.warmup = 3000;
	traffic.cycles = 5000;
	probe_noc(&config, &traffic, &r);
	return r;
}

static void assert_about(double value, double expected, double tolerance)
{
	if (fabs(value - expected) > tolerance)
		fail_msg("%g, not %g", value, expected);
}

/* Links that run at their own speed, deep buffers, flits: what is left is the shape. */
static void set_ideal(void)
{
	set("switching", "flit");
	set("speedup", "2");
	set("islip_iterations", "2");
	set("vcs", "8");
	set("vc_flits", "32");
	set("output_queue", "32");
	config.noc.ejection_queue = config.llc.input_queue = 32;
}

/*
 * Flits per cycle over the busiest link when every source sends one flit, uniformly, to all sinks; follows every path
 * through the tables.
 */
static double heaviest_link(void)
{
	const struct topology *t = &net.topology;
	unsigned groups = t->plan.sinks.groups;
	double heaviest = 0, *loads = calloc(t->links.len, sizeof *loads);

	for (unsigned s = 0; s < t->sources.len; s++)
		for (unsigned g = 0; g < groups; g++)
			for (unsigned at = t->sources.data[s].router; !topology_hop_at(t, at, g)->last;) {
				size_t i = 0;

				while (t->links.data[i].from != at ||
				       t->links.data[i].output != topology_hop_at(t, at, g)->port)
					i++;
				loads[i] += 1.0 / groups;
				heaviest = loads[i] > heaviest ? loads[i] : heaviest;
				at = t->links.data[i].to;
			}
	free(loads);
	return heaviest;
}

/* Below saturation the busiest link carries what the ways say; at saturation it is full, and no more goes through. */
static void check_saturation(double heaviest)
{
	struct probe_noc_result r;

	start(true, 1);
	assert_about(heaviest_link(), heaviest, 1e-9);
	stop();
	r = probe(0.5 / heaviest, 1, false);
	assert_about(r.accepted, 0.5 / heaviest, 0.02 / heaviest);
	assert_about(r.load[NOC_LINKS].busiest / 8000, 0.5, 0.03);
	r = probe(1, 1, false);
	assert_true(r.accepted <= 1.01 / heaviest);
	assert_true(r.accepted >= 0.9 / heaviest);
	assert_true(r.load[NOC_LINKS].busiest / 8000 > 0.9);
}

/*
 * One SM-cluster of `each` SMs and one controller at every stop. Of the traffic of a stop 1/n goes to each distance and
 * direction, half of that for the stop halfway, so a link carries (1 + .. + (n/2 - 1)) / n + 1/4 = n/8 of what a stop
 * sends.
 */
static void set_ring(unsigned stops, unsigned each)
{
	set("topology", "ring");
	config.noc.ring_stops = config.noc.sm_routers = config.noc.mc_routers = stops;
	config.sms = stops * each;
	config.llc.slices_per_mc = each;
	config.llc.kilobytes = 8192;
}

static void test_ring_saturates_at_its_links(void **state)
{
	(void)state;
	set_ring(16, 1);
	set_ideal();
	check_saturation(16 / 8.0);
	set_ring(8, 4);
	check_saturation(4 * 8 / 8.0);
}

/*
 * 4 x 2 nodes, clusters of 4 SMs in columns 0 and 2, controllers in columns 1 and 3. All that column 0 sends goes over
 * its links to the right: 4 flits per link. The bisection, between columns 1 and 2, carries half of that each way.
 */
static void test_mesh_saturates_at_its_links(void **state)
{
	double crossing = 0;
	struct probe_noc_result r;

	(void)state;
	set("topology", "mesh");
	set("mesh_columns", "4");
	set("mesh_rows", "2");
	set("mesh_memory", "edges");
	config.sms = 16;
	config.noc.sm_routers = config.noc.mc_routers = config.llc.slices_per_mc = 4;
	set_ideal();
	check_saturation(4);
	r = probe(0.2, 1, false);
	assert_about(r.accepted, 0.2, 0.005);
	start(true, 1);
	for (size_t i = 0; i < net.topology.links.len; i++) {
		const struct topology_link *link = &net.topology.links.data[i];

		crossing += link->from % 4 == 1 && link->to % 4 == 2;
	}
	assert_int_equal(crossing, 2);
	stop();
}

/* The bytes of a ring's link per cycle are its own: 12 of 32 pass three flits in eight cycles. */
static void test_slow_link_passes_its_bytes(void **state)
{
	static const unsigned bytes[] = {32, 16, 12, 2};

	(void)state;
	set_ring(4, 1);
	set("switching", "flit");
	for (unsigned i = 0; i < 4; i++) {
		uint64_t taken = 0, now;

		config.noc.ring_bytes = bytes[i];
		start(true, 5);
		for (now = 0; now < 6400; now++) {
			uint32_t packet = network_take(&net, 2, now);

			if (packet != NO_TRANSACTION)
				transaction_free(&pool, packet), taken += 5;
			if (network_can_send(&net, 1, now))
				send(1, 2, 5, now);
			network_tick(&net, now, false);
		}
		assert_about((double)taken / 6400, bytes[i] / 32.0, 0.01);
		stop();
	}
}

/* A network of its own between 4 chips: two hops of 32 cycles halfway round, each with the 4 stages of its router. */
static void test_ring_between_chips(void **state)
{
	struct topology_plan plan = {.sources = {4, 1}, .sinks = {4, 1}, .knobs = &config.noc};
	static const unsigned hops[] = {0, 1, 2, 1};

	(void)state;
	set("topology", "ring");
	set("link_cycles", "32");
	for (unsigned to = 0; to < 4; to++) {
		pool = (struct transaction_pool){.free = NO_TRANSACTION};
		noc_create_planned(&net, &plan, &(struct noc_ends){8, 8, 5}, member, NULL, &pool);
		assert_int_equal(measured_latency(0, to, 5), 2 + 4 * (hops[to] + 1) + 32 * hops[to] + 4);
		stop();
	}
}

/* Four SMs behind one port share its flit a cycle. */
static void test_shared_port_is_one_channel(void **state)
{
	struct probe_noc_result r;

	(void)state;
	set("topology", "concentrated");
	set_ideal();
	r = probe(1, 1, false);
	assert_about(r.accepted, 0.25, 0.005);
	assert_true(r.load[NOC_LINKS].busiest / 8000 > 0.98);
	assert_true(r.load[NOC_OUT].busiest / 8000 < 0.4);
}

/* --- Throughput of arbiters --- */

/* One crossbar of n sources and n sinks with the shortest pipeline. */
static void set_crossbar(unsigned n)
{
	set("topology", "flat");
	set("vc_flits", "32");
	set("router_stages", "2");
	config.sms = config.noc.sm_routers = config.noc.mc_routers = n;
	config.llc.slices_per_mc = 1;
	config.noc.injection_queue = 64;
}

/*
 * With one VC an input is one queue, and only its head can go: Karol, Hluchyj, Morgan, "Input versus output queueing on
 * a space-division packet switch" (IEEE Trans. Commun. 1987), table I.
 */
static void test_one_queue_per_input_passes_karols_share(void **state)
{
	static const struct {
		unsigned n;
		double share;
	} rows[] = {{2, 0.75}, {4, 0.6553}, {8, 0.6184}};

	(void)state;
	set("vcs", "1");
	for (unsigned i = 0; i < 3; i++)
		for (unsigned iterations = 1; iterations <= 4; iterations += 3) {
			set_crossbar(rows[i].n);
			config.noc.islip_iterations = iterations;
			assert_about(probe(1, 1, false).accepted, rows[i].share, 0.01);
		}
}

/*
 * A queue for each output at every input. Arbiters without memory would match 1 - (1 - 1/n)^n of the outputs in one
 * iteration (Anderson et al. 1993: 0.68 for n = 4, 0.63 for many). The pointers of iSLIP come to point at different
 * inputs, so uniform traffic passes nearly whole (McKeown 1999, section III); what is missing here are the finite VCs.
 */
static void test_a_queue_per_output_passes_nearly_all(void **state)
{
	double one, two;

	(void)state;
	set_crossbar(4);
	set("vc_choice", "output");
	set("arbiter", "input");
	one = probe(1, 1, false).accepted;
	config.noc.islip_iterations = 2;
	two = probe(1, 1, false).accepted;
	assert_true(one > 0.93 && two > 0.95 && two > one);
	assert_true(one > 1 - pow(1 - 1.0 / 4, 4) + 0.2);
}

/* With VCs that packets share, each iteration finds inputs for more outputs. */
static void test_iterations_raise_what_passes(void **state)
{
	double accepted[5];

	(void)state;
	set("switching", "flit");
	for (unsigned i = 1; i <= 4; i++) {
		config.noc.islip_iterations = i;
		accepted[i] = probe(1, 1, false).accepted;
	}
	assert_about(accepted[1], 0.62, 0.01);
	assert_true(accepted[2] > accepted[1] + 0.1);
	assert_true(accepted[3] > accepted[2] - 0.005 && accepted[4] > accepted[3] - 0.005);
}

/* Going round all input VCs, outputs follow each other to one input; the more VCs, the longer they stay there. */
static void test_going_round_inputs_keeps_outputs_apart(void **state)
{
	double by_vc, by_input;

	(void)state;
	set("vcs", "8");
	set("vc_flits", "32");
	set("arbiter", "vc");
	by_vc = probe(1, 1, false).accepted;
	set("arbiter", "input");
	by_input = probe(1, 1, false).accepted;
	assert_true(by_vc < 0.56 && by_input > by_vc + 0.08);
}

static void test_ideal_crossbar_passes_nearly_all(void **state)
{
	static const char *const crossbars[] = {"hierarchical", "flat"};

	(void)state;
	set_ideal();
	for (unsigned i = 0; i < 2; i++) {
		set("topology", crossbars[i]);
		assert_true(probe(1, 1, false).accepted > 0.95);
		assert_true(probe(1, 1, true).accepted > 0.95);
		assert_true(probe(1, 4, true).accepted > 0.93);
	}
}

/* --- Flits and packets --- */

/* A packet of one flit is a flit: both kinds of router must say the same in every number. */
static void test_packets_of_one_flit_are_flits(void **state)
{
	(void)state;
	for (unsigned i = 0; topology_table[i]; i++)
		for (unsigned iterations = 1; iterations <= 3; iterations += 2) {
			struct probe_noc_result packets, flits;

			set("topology", topology_table[i]->name);
			config.noc.islip_iterations = iterations;
			set("switching", "packet");
			packets = probe(0.7, 1, false);
			set("switching", "flit");
			flits = probe(0.7, 1, false);
			assert_memory_equal(&packets, &flits, sizeof packets);
		}
}

/* --- Random overload --- */

static uint32_t pick(uint64_t *random, uint32_t low, uint32_t high)
{
	return low + (uint32_t)random_below(random, high - low + 1);
}

/* Any network that the check lets through, with small buffers. */
static void random_network(uint64_t *random)
{
	struct noc_config *c = &config.noc;

	do {
		config = paper_machine();
		c->topology = pick(random, 0, 4);
		c->sm_routers = pick(random, 1, 12);
		c->mc_routers = 1u << pick(random, 0, 3);
		config.sms = c->sm_routers * pick(random, 1, 4);
		config.llc.slices_per_mc = 1u << pick(random, 0, 2);
		c->vcs = pick(random, 1, 8);
		c->vc_flits = pick(random, 1, 6);
		c->switching = pick(random, 0, 1);
		c->vc_choice = pick(random, 0, 1);
		c->arbiter = pick(random, 0, 1);
		c->islip_iterations = pick(random, 1, 4);
		c->speedup = pick(random, 1, 2);
		c->output_queue = pick(random, 2, 9);
		c->router_stages = pick(random, 2, 6);
		c->link_cycles = pick(random, 0, 20);
		c->mc_router_delay = pick(random, 0, 3);
		c->injection_queue = pick(random, 1, 4);
		c->ejection_queue = pick(random, 1, 4);
		config.llc.input_queue = pick(random, 1, 4);
		c->mesh_columns = pick(random, 1, 6);
		c->mesh_rows = pick(random, 1, 6);
		c->mesh_memory = pick(random, 0, 1);
		c->ring_stops = pick(random, 2, 9);
		c->ring_bytes = pick(random, 0, 32);
	} while (memsys_config_check(&config, NULL) < 0);
}

enum { OVERLOAD = 500, PATIENCE = 60000 };

/* Sends wherever there is room and takes now and then; returns a digest of what arrived where and when. */
static uint64_t overload(uint64_t random, bool to_memory, bool reverse)
{
	uint64_t digest = 0, now;

	start(to_memory, 12);
	for (now = 0; now < OVERLOAD || pool.used; now++) {
		for (unsigned s = 0; s < net.sources_count && now < OVERLOAD; s++)
			if (network_can_send(&net, s, now))
				send(s, pick(&random, 0, net.sinks_count - 1), pick(&random, 1, 12), now);
		for (unsigned t = 0; t < net.sinks_count; t++) {
			uint32_t packet = random_below(&random, 3) ? NO_TRANSACTION : network_take(&net, t, now);

			if (packet == NO_TRANSACTION)
				continue;
			assert_int_equal(pool.items[packet].request.cookie, t);
			digest = digest * 31 + now * 1024 + t * 16 + pool.items[packet].flits;
			transaction_free(&pool, packet);
		}
		network_tick(&net, now, reverse);
		if (now > PATIENCE) {
			network_dump(&net, topology_table[config.noc.topology]->name, stderr);
			fail_msg("deadlock");
		}
	}
	for (int k = 0; k < 300; k++)
		network_tick(&net, now++, reverse);
	assert_conserved();
	stop();
	return digest;
}

static void test_random_overload_loses_and_blocks_nothing(void **state)
{
	uint64_t random = 7;
	unsigned seen[5] = {0};

	(void)state;
	for (unsigned i = 0; i < 150; i++) {
		bool to_memory = i & 1;

		random_network(&random);
		seen[config.noc.topology]++;
		assert_int_equal(overload(i, to_memory, false), overload(i, to_memory, true));
	}
	for (unsigned i = 0; i < 5; i++)
		assert_true(seen[i] > 5);
}

/* A ring that all sources fill with the longest ways: without the two classes of VCs it stops. */
static void test_full_ring_does_not_stop(void **state)
{
	(void)state;
	for (unsigned vcs = 2; vcs <= 3; vcs++)
		for (int flit_wise = 0; flit_wise < 2; flit_wise++) {
			config = paper_machine();
			set_ring(8, 4);
			set("switching", flit_wise ? "flit" : "packet");
			config.noc.vcs = vcs;
			config.noc.vc_flits = 2;
			for (unsigned seed = 0; seed < 4; seed++)
				overload(seed, true, false);
		}
}

/* The same for a mesh of one VC and one flit of room: packets that turned from y to x would close circles. */
static void test_full_mesh_does_not_stop(void **state)
{
	(void)state;
	set("topology", "mesh");
	set("switching", "flit");
	set("mesh_columns", "8");
	set("mesh_rows", "8");
	config.noc.sm_routers = config.noc.mc_routers = config.sms = 32;
	config.llc.slices_per_mc = 1;
	config.llc.kilobytes = 8192;
	config.noc.vcs = config.noc.vc_flits = 1;
	for (unsigned seed = 0; seed < 6; seed++)
		overload(seed, seed & 1, false);
}

/* --- Impossible shapes --- */

static void test_impossible_shapes_are_named(void **state)
{
	static const struct {
		const char *settings[8]; /* key, value, .. */
		const char *message;
	} cases[] = {
	    {{"topology", "mesh", "mesh_columns", "4", "mesh_rows", "4"}, "a mesh of 4 x 4 nodes"},
	    {{"topology", "mesh", "mesh_columns", "20", "mesh_rows", "1", "mesh_memory", "edges"}, "needs two rows"},
	    {{"topology", "ring", "vcs", "1"}, "a ring of 4 stops"},
	    {{"topology", "ring", "ring_bytes", "64"}, "noc.ring_bytes is 64"},
	    {{"topology", "ring", "ring_bytes", "1", "switching", "flit"}, "from a sixteenth"},
	    {{"topology", "ring", "ring_bytes", "16"}, "need noc.switching=flit"},
	    {{"speedup", "2"}, "noc.speedup is 2"},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct diag d = DIAG_INIT;

		config = paper_machine();
		for (unsigned k = 0; k < 8 && cases[i].settings[k]; k += 2)
			set(cases[i].settings[k], cases[i].settings[k + 1]);
		assert_int_equal(memsys_config_check(&config, &d), DIAG_ERROR);
		if (!strstr(d.message, cases[i].message))
			fail_msg("'%s' does not say '%s'", d.message, cases[i].message);
	}
}

static void test_too_large_a_crossbar_is_named(void **state)
{
	struct diag d = DIAG_INIT;

	(void)state;
	config.sms = 128;
	set("topology", "flat");
	assert_int_equal(memsys_config_check(&config, &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "128 inputs and 64 outputs"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, reset)
	const struct CMUnitTest tests[] = {
	    TEST(test_latency_is_by_hops),
	    TEST(test_a_shared_port_costs_two_cycles),
	    TEST(test_the_mean_latency_is_known),
	    TEST(test_ring_saturates_at_its_links),
	    TEST(test_mesh_saturates_at_its_links),
	    TEST(test_slow_link_passes_its_bytes),
	    TEST(test_ring_between_chips),
	    TEST(test_shared_port_is_one_channel),
	    TEST(test_one_queue_per_input_passes_karols_share),
	    TEST(test_a_queue_per_output_passes_nearly_all),
	    TEST(test_iterations_raise_what_passes),
	    TEST(test_going_round_inputs_keeps_outputs_apart),
	    TEST(test_ideal_crossbar_passes_nearly_all),
	    TEST(test_packets_of_one_flit_are_flits),
	    TEST(test_random_overload_loses_and_blocks_nothing),
	    TEST(test_full_ring_does_not_stop),
	    TEST(test_full_mesh_does_not_stop),
	    TEST(test_impossible_shapes_are_named),
	    TEST(test_too_large_a_crossbar_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
