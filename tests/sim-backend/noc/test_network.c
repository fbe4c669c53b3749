/* A network by itself: latency without load, peak and saturation throughput, back-pressure, conservation. */
#include "tests/sim-backend/support.h"

#include "sim-backend/noc/networks.h"

static struct transaction_pool pool;
static struct network net;

static unsigned member(void *context, uint32_t packet)
{
	(void)context;
	return pool.items[packet].request.cookie % 16;
}

static void start(unsigned stages, unsigned link)
{
	struct memsys_config config = paper_machine();

	config.noc.router_stages = stages;
	config.noc.link_cycles = link;
	pool = (struct transaction_pool){.free = NO_TRANSACTION};
	create_network(&net, &config, true, NETWORK_MAX_FLITS, member, &pool);
}

static void tear_down(void)
{
	network_release(&net);
	free(pool.items);
}

static void send_to(unsigned group, unsigned source, unsigned sink, unsigned flits, uint64_t now)
{
	uint32_t packet = transaction_new(&pool);

	pool.items[packet].flits = (uint8_t)flits;
	pool.items[packet].request.cookie = sink;
	pool.items[packet].request.sm = (uint16_t)source;
	pool.items[packet].request.issued = now;
	network_send(&net, source, now, packet, group);
}

static void send(unsigned source, unsigned sink, unsigned flits, uint64_t now)
{
	send_to(sink / 16, source, sink, flits, now);
}

static bool take(unsigned sink, uint64_t now)
{
	uint32_t packet = network_take(&net, sink, now);

	if (packet == NO_TRANSACTION)
		return false;
	assert_int_equal(pool.items[packet].request.cookie, sink);
	transaction_free(&pool, packet);
	return true;
}

static void assert_conserved(void)
{
	struct network_counts c = network_count(&net);

	assert_true(network_is_idle(&net));
	assert_int_equal(pool.used, 0);
	assert_int_equal(c.flits_in, c.flits_out);
	assert_int_equal(c.router_flits, 2 * c.flits_in);
	assert_int_equal(c.link_flits, c.flits_in);
	for (unsigned i = 0; i < net.routers_count; i++) {
		const struct router *r = &net.routers[i];

		assert_int_equal(r->packets, 0);
		for (unsigned j = 0; j < r->outputs; j++) {
			const struct router_output *out = router_output(r, j);

			assert_int_equal(out->free_vcs, 15);
			for (unsigned vc = 0; !output_is_to_sink(out) && vc < 4; vc++)
				assert_int_equal(out->credits[vc], net.setup.depth);
		}
	}
	for (unsigned i = 0; i < net.sources_count; i++)
		for (unsigned vc = 0; vc < 4; vc++)
			assert_int_equal(net.sources[i].credits[vc], net.setup.depth);
}

/* Packets that fit into a VC; longer ones also wait for credits. */
static void test_latency_without_load(void **state)
{
	static const unsigned cases[][3] = {{4, 1, 1}, {4, 1, 5}, {4, 0, 4},  {2, 3, 1},
					    {3, 1, 8}, {7, 2, 8}, {16, 16, 2}};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		unsigned stages = cases[i][0], link = cases[i][1], flits = cases[i][2];
		uint64_t now = 100;

		start(stages, link);
		send(13, 57, flits, now);
		while (!take(57, now))
			network_tick(&net, now++, false);
		assert_int_equal(now - 100, 2 + 2 * stages + link + flits - 1);
		assert_int_equal(net.setup.depth, 8 + (stages > 4 ? stages - 4 : 0) + (link ? 2 * (link - 1) : 0));
		for (int k = 0; k < 40; k++)
			network_tick(&net, now++, false);
		assert_conserved();
		tear_down();
	}
}

/* Four inputs of a router want one output all the time: the round-robin pointers give each a quarter of it. */
static void test_competitors_share_evenly(void **state)
{
	static const unsigned sizes[] = {1, 4};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		unsigned taken[4] = {0}, quarter = 1000 / 4 / sizes[i];
		uint32_t packet;

		start(4, 1);
		for (uint64_t now = 0; now < 1020; now++) {
			for (unsigned s = 0; s < 4; s++)
				if (network_can_send(&net, s, now))
					send(s, 57, sizes[i], now);
			packet = network_take(&net, 57, now);
			network_tick(&net, now, false);
			if (packet == NO_TRANSACTION)
				continue;
			taken[pool.items[packet].request.sm]++;
			transaction_free(&pool, packet);
		}
		for (unsigned s = 0; s < 4; s++)
			assert_in_range(taken[s], quarter - quarter / 20, quarter + quarter / 20);
		tear_down();
	}
}

/* Sends whenever the source has room: packets of `flits` from source s to where[s]; returns flits taken per cycle. */
static double accepted(const unsigned *where, unsigned flits, unsigned cycles)
{
	uint64_t taken = 0, now;

	for (now = 0; now < cycles; now++) {
		for (unsigned s = 0; s < 64; s++) {
			if (where[s] < 64 && network_can_send(&net, s, now))
				send(s, where[s], flits, now);
			taken += take(s, now) && now >= cycles / 2 ? flits : 0;
		}
		network_tick(&net, now, false);
	}
	for (; !network_is_idle(&net) || pool.used; now++) {
		for (unsigned s = 0; s < 64; s++)
			take(s, now);
		network_tick(&net, now, false);
	}
	for (int k = 0; k < 40; k++)
		network_tick(&net, now++, false);
	assert_conserved();
	return (double)taken / (cycles - cycles / 2);
}

static void only(unsigned *where, unsigned source, unsigned sink)
{
	for (unsigned s = 0; s < 64; s++)
		where[s] = s == source ? sink : 64;
}

/* One flow alone runs at the width of the channels: a flit per cycle. */
static void test_one_flow_fills_its_channel(void **state)
{
	unsigned where[64];

	(void)state;
	for (unsigned flits = 1; flits <= 5; flits += 4) {
		start(4, 1);
		only(where, 3, 40);
		assert_true(accepted(where, flits, 4000) > 0.99);
		tear_down();
	}
}

/* All sources to one sink: the sink's channel is full, and no more. */
static void test_hot_sink_gets_one_flit_a_cycle(void **state)
{
	unsigned where[64];
	double rate;

	(void)state;
	start(4, 1);
	for (unsigned s = 0; s < 64; s++)
		where[s] = 21;
	rate = accepted(where, 4, 4000);
	assert_true(rate > 0.98 && rate <= 1);
	tear_down();
}

/* Each SM-router's four sources to four different MC-routers, no two to one sink: no conflict, so all channels fill. */
static void test_permutation_without_conflicts_fills_all(void **state)
{
	unsigned where[64];

	(void)state;
	start(4, 1);
	for (unsigned s = 0; s < 64; s++)
		where[s] = s % 4 * 16 + s / 4;
	assert_true(accepted(where, 4, 4000) > 0.98 * 64);
	tear_down();
}

/* A router's four sources share its only link to an MC-router. */
static void test_link_between_routers_is_one_channel(void **state)
{
	unsigned where[64];
	double rate;

	(void)state;
	start(4, 1);
	only(where, 0, 16);
	where[1] = 17;
	where[2] = 18;
	where[3] = 19;
	rate = accepted(where, 4, 4000);
	assert_true(rate > 0.98 && rate <= 1);
	tear_down();
}

/* Uniform random traffic saturates between half and all of the 64 channels (input queues, one iteration of iSLIP). */
static void test_uniform_traffic_saturates_above_half(void **state)
{
	uint64_t random = 11, taken = 0, now;

	(void)state;
	start(4, 1);
	for (now = 0; now < 6000; now++) {
		for (unsigned s = 0; s < 64; s++) {
			if (network_can_send(&net, s, now))
				send(s, (unsigned)random_below(&random, 64), 1, now);
			taken += take(s, now) && now >= 2000;
		}
		network_tick(&net, now, false);
	}
	assert_true(taken > 0.5 * 64 * 4000 && taken <= 64 * 4000);
	tear_down();
}

static void test_blocked_sinks_push_back_and_lose_nothing(void **state)
{
	uint64_t random = 5, now, sent = 0;
	bool refused = false;

	(void)state;
	start(4, 1);
	for (now = 0; now < 3000; now++) {
		for (unsigned s = 0; s < 64; s++) {
			unsigned flits = 1 + (unsigned)random_below(&random, 9);

			if (network_can_send(&net, s, now))
				send(s, (unsigned)random_below(&random, 64), flits, now), sent++;
			else
				refused = true;
		}
		network_tick(&net, now, now & 1);
	}
	assert_true(refused);
	/* Nothing was taken: at most the contents of queues and buffers were sent. */
	assert_true(sent <= 64 * (8 + 1 + 32) + 64 * 32 + 64 * 8);
	for (; pool.used; now++) {
		for (unsigned s = 0; s < 64; s++)
			if (!random_below(&random, 3))
				sent -= take(s, now);
		network_tick(&net, now, false);
		assert_true(now < 200000);
	}
	assert_int_equal(sent, 0);
	for (int k = 0; k < 40; k++)
		network_tick(&net, now++, false);
	assert_conserved();
	tear_down();
}

static uint64_t today;
static unsigned groups_asked;

static unsigned group(void *context, uint32_t packet)
{
	(void)context;
	assert_true(today > pool.items[packet].request.issued);
	groups_asked++;
	return pool.items[packet].request.cookie / 16;
}

/* Some packets of one source to all sinks; returns when the last has arrived. */
static uint64_t send_forty(const struct memsys_config *config, bool later)
{
	unsigned sent = 0, taken = 0;

	pool = (struct transaction_pool){.free = NO_TRANSACTION};
	create_network(&net, config, true, NETWORK_MAX_FLITS, member, &pool);
	network_ask_group(&net, group);
	for (today = 0; taken < 40; today++) {
		for (unsigned sink = 0; sink < 64; sink++)
			taken += take(sink, today);
		if (sent < 40 && network_can_send(&net, 5, today)) {
			unsigned sink = sent++ * 7 % 64;

			send_to(later ? NETWORK_GROUP_LATER : sink / 16, 5, sink, 3, today);
		}
		network_tick(&net, today, false);
	}
	tear_down();
	return today;
}

/* Asked once for each packet, after the cycle in which it was sent, and the packets take as long as any. */
static void test_a_group_may_be_asked_for_later(void **state)
{
	struct memsys_config config = paper_machine();

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		uint64_t end;

		config.noc.switching = i & 1 ? NOC_FLIT : NOC_PACKET;
		config.noc.vc_choice = i & 2 ? NOC_VC_OUTPUT : NOC_VC_ANY;
		groups_asked = 0;
		end = send_forty(&config, false);
		assert_int_equal(groups_asked, 0);
		assert_int_equal(send_forty(&config, true), end);
		assert_int_equal(groups_asked, 40);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_latency_without_load),
	    cmocka_unit_test(test_competitors_share_evenly),
	    cmocka_unit_test(test_one_flow_fills_its_channel),
	    cmocka_unit_test(test_hot_sink_gets_one_flit_a_cycle),
	    cmocka_unit_test(test_permutation_without_conflicts_fills_all),
	    cmocka_unit_test(test_link_between_routers_is_one_channel),
	    cmocka_unit_test(test_uniform_traffic_saturates_above_half),
	    cmocka_unit_test(test_blocked_sinks_push_back_and_lose_nothing),
	    cmocka_unit_test(test_a_group_may_be_asked_for_later),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
