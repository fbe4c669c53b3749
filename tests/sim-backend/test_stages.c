/* A round trip by stage: the closed form without load, and what waits where a slice is the narrow part. */
#include "sim-backend/knobs/stat.h"
#include "tests/sim-backend/support.h"

static struct stage_stats stages_of(struct memsys *ms)
{
	return memsys_statistics(ms)->stages;
}

/* The stages of one request, sent when nothing else is there; `cycles`: its round trip. */
static struct stage_stats stages_of_one(struct memsys *ms, uint64_t cycle, struct mem_request request, uint64_t *cycles)
{
	struct stage_stats before = stages_of(ms), after;

	*cycles = round_trip(ms, 5, cycle, request) - cycle;
	after = stages_of(ms);
	stats_subtract(stages_stat_rows, &after, &before);
	return after;
}

/* 145 cycles of a hit: port, network, pipeline, port, network. The additional time of a miss is the memory's. */
static void test_without_load_the_stages_are_the_closed_form(void **state)
{
	struct memsys_config c = paper_machine();
	struct memsys *ms = memsys_with(&c, "shared");
	unsigned request_network = 2 * c.noc.router_stages + c.noc.link_cycles + 1;
	unsigned reply_network = request_network + 128 / c.noc.channel_bytes - 1;
	uint64_t miss, hit;
	struct stage_stats of_miss = stages_of_one(ms, 0, read_of(0x4000, true), &miss);
	struct stage_stats of_hit = stages_of_one(ms, 10000, read_of(0x4000, true), &hit);
	const struct stage_stats expected = {.requests = 1,
					     .injection_cycles = 1,
					     .request_network_cycles = request_network,
					     .pipeline_cycles = c.llc.latency,
					     .reply_queue_cycles = 1,
					     .reply_network_cycles = reply_network};

	(void)state;
	assert_int_equal(hit, 145);
	assert_int_equal(hit, 1 + request_network + c.llc.latency + 1 + reply_network);
	assert_memory_equal(&of_hit, &expected, sizeof expected);
	assert_int_equal(of_miss.memory_cycles, miss - hit);
	of_miss.memory_cycles = 0;
	assert_memory_equal(&of_miss, &expected, sizeof expected);
	memsys_free(ms);
}

/* A request without an answer makes no round trip. */
static void test_writes_without_answers_do_not_count(void **state)
{
	struct memsys_config c = paper_machine();
	struct memsys *ms = memsys_with(&c, "shared");
	struct mem_request request = write_of(0x4000, 128, 0xf);

	(void)state;
	request.flags |= MEM_NO_REPLY;
	memsys_send(ms, 0, 0, &request);
	drain(ms, c.sms, 0);
	assert_int_equal(stages_of(ms).requests, 0);
	assert_int_equal(stages_of(ms).slice_queue_cycles, 0);
	assert_null(memsys_check(ms));
	memsys_free(ms);
}

/* All SMs read one line. Its slice takes four cycles for each, so they wait before it. */
static void test_a_slice_that_all_want_makes_requests_wait(void **state)
{
	struct memsys_config c = paper_machine();
	struct memsys *ms = memsys_with(&c, "shared");
	const struct mem_request request = read_of(0x4000, true);
	struct stage_stats s;
	uint64_t end;

	(void)state;
	round_trip(ms, 0, 0, request);
	for (unsigned sm = 0; sm < c.sms; sm++)
		memsys_send(ms, sm, 10000, &request);
	end = drain(ms, c.sms, 10000);
	s = stages_of(ms);
	assert_true(end - 10000 >= 4 * c.sms);
	assert_int_equal(s.requests, c.sms + 1);
	assert_int_equal(s.pipeline_cycles, (c.sms + 1) * c.llc.latency);
	assert_int_equal(s.slice_queue_cycles, memsys_statistics(ms)->llc.queue_cycles);
	assert_true(s.slice_queue_cycles + s.memory_cycles + s.reply_queue_cycles + s.request_network_cycles >
		    (uint64_t)c.sms * c.sms);
	assert_null(memsys_check(ms));
	memsys_free(ms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_without_load_the_stages_are_the_closed_form),
	    cmocka_unit_test(test_writes_without_answers_do_not_count),
	    cmocka_unit_test(test_a_slice_that_all_want_makes_requests_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
