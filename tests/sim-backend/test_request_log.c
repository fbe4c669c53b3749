/*
 * The events of requests. One request alone: the times between its events are the closed form of an empty machine. Many
 * at once: as many events of each kind as the counters say, and each request has its events in order.
 */
#include "tests/sim-backend/support.h"

#include "common/diag.h"
#include "sim-backend/memory/request_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 128, SENT = 200 };

static char *text;
static size_t bytes;

static struct memsys *logged(const struct memsys_config *c, FILE **out, struct request_log **log,
			     struct request_log_choice choice)
{
	struct memsys *ms = memsys_with(c, "shared");

	*out = open_memstream(&text, &bytes);
	*log = request_log_create(&(struct request_log_setup){.out = *out,
							      .sms = c->sms,
							      .chips = 1,
							      .mcs = c->noc.mc_routers,
							      .slices_per_mc = c->llc.slices_per_mc,
							      .mshrs = c->llc.mshr_entries,
							      .line_bytes = LINE},
				  &choice);
	memsys_log_requests(ms, *log);
	return ms;
}

static void end(struct memsys *ms, FILE *out, struct request_log *log)
{
	memsys_free(ms);
	request_log_free(log);
	fclose(out);
}

/* The cycle of the `event` of request `id`; UINT64_MAX if it has none. `count`: how many lines have that event. */
static uint64_t cycle_of(enum request_event event, uint64_t id, unsigned *count)
{
	uint64_t found = UINT64_MAX;

	if (count)
		*count = 0;
	for (const char *line = strchr(text, '\n') + 1; line && *line; line = strchr(line, '\n') + 1) {
		uint64_t cycle, number;
		char name[16];

		if (sscanf(line, "%" SCNu64 " %15s %" SCNu64, &cycle, name, &number) < 2)
			fail_msg("a line that is none: %.40s", line);
		if (strcmp(name, request_event_name(event)) != 0)
			continue;
		if (count)
			++*count;
		if (number == id)
			found = cycle;
	}
	return found;
}

static uint64_t at(enum request_event event, uint64_t id)
{
	return cycle_of(event, id, NULL);
}

static void test_one_request_takes_the_closed_form(void **state)
{
	struct memsys_config c = paper_machine();
	unsigned network = 2 * c.noc.router_stages + c.noc.link_cycles + 1;
	struct request_log *log;
	FILE *out;
	struct memsys *ms = logged(&c, &out, &log, (struct request_log_choice)REQUEST_LOG_ALL);
	uint64_t miss = round_trip(ms, 5, 0, read_of(0x4000, true)),
		 hit = round_trip(ms, 5, 10000, read_of(0x4000, true));

	(void)state;
	fflush(out);
	assert_int_equal(at(REQUEST_SENT, 1), 0);
	assert_int_equal(at(REQUEST_DELIVERED, 1), miss);
	assert_int_equal(at(REQUEST_DELIVERED, 2), hit);
	for (uint64_t id = 1; id <= 2; id++) {
		assert_int_equal(at(REQUEST_NET_IN, id) - at(REQUEST_SENT, id), 1);
		assert_int_equal(at(REQUEST_SLICE_IN, id) - at(REQUEST_NET_IN, id), network);
		assert_int_equal(at(REQUEST_REPLY_IN, id) - at(REQUEST_REPLY, id), 1);
		assert_int_equal(at(REQUEST_DELIVERED, id) - at(REQUEST_REPLY_IN, id),
				 network + LINE / c.noc.channel_bytes - 1);
	}
	assert_int_equal(at(REQUEST_LLC_HIT, 2) - at(REQUEST_SLICE_IN, 2), c.llc.latency);
	assert_int_equal(at(REQUEST_LLC_MISS, 1) - at(REQUEST_SLICE_IN, 1), c.llc.latency);
	assert_int_equal(at(REQUEST_REPLY, 2), at(REQUEST_LLC_HIT, 2));
	assert_int_equal(at(REQUEST_REPLY, 1) - at(REQUEST_LLC_MISS, 1), miss - (hit - 10000));
	assert_int_equal(at(REQUEST_LLC_HIT, 1), UINT64_MAX);
	end(ms, out, log);
	free(text);
}

static unsigned count(enum request_event event)
{
	unsigned n;

	cycle_of(event, 0, &n);
	return n;
}

/* Reads and writes of all SMs, of few lines, so that some hit, some merge and some miss. */
static void send_many(struct memsys *ms, const struct memsys_config *c)
{
	uint64_t random = 7;

	for (unsigned i = 0; i < SENT; i++) {
		uint64_t line = 0x100000 + random_below(&random, 64) * LINE;
		struct mem_request r = i % 4 ? read_of(line, true) : write_of(line, LINE, 15);

		if (i % 8 == 0)
			r.flags |= MEM_NO_REPLY;
		if (memsys_can_send(ms, i % c->sms, i))
			memsys_send(ms, i % c->sms, i, &r);
		memsys_tick(ms, i, false);
		for (unsigned sm = 0; sm < c->sms; sm++)
			memsys_receive(ms, sm, i + 1, &(struct mem_request){0});
	}
	drain(ms, c->sms, SENT);
}

static void test_events_are_as_many_as_the_counters_say(void **state)
{
	struct memsys_config c = paper_machine();
	struct request_log *log;
	FILE *out;
	struct memsys *ms = logged(&c, &out, &log, (struct request_log_choice)REQUEST_LOG_ALL);
	const struct memsys_stats *stats;
	unsigned sent;

	(void)state;
	send_many(ms, &c);
	stats = memsys_statistics(ms);
	fflush(out);
	sent = count(REQUEST_SENT);
	assert_true(sent > SENT / 2);
	assert_int_equal(count(REQUEST_NET_IN), sent);
	assert_int_equal(count(REQUEST_SLICE_IN), sent);
	assert_int_equal(count(REQUEST_LLC_HIT), stats->llc.array_hits);
	assert_int_equal(count(REQUEST_LLC_MERGE), stats->llc.merges);
	assert_int_equal(count(REQUEST_LLC_MISS), stats->llc.misses);
	assert_int_equal(stats->llc.array_hits + stats->llc.merges + stats->llc.misses, sent);
	assert_true(stats->llc.array_hits && stats->llc.merges && stats->llc.misses);
	assert_int_equal(count(REQUEST_DRAM_ISSUE), stats->dram.reads + stats->dram.writes);
	assert_int_equal(count(REQUEST_DRAM_DATA), stats->dram.reads);
	assert_int_equal(count(REQUEST_FILL), stats->llc.fills);
	assert_int_equal(count(REQUEST_REPLY), stats->llc.replies);
	assert_int_equal(count(REQUEST_DELIVERED) + count(REQUEST_DONE), sent);
	for (uint64_t id = 1; id <= sent; id++)
		assert_true(at(REQUEST_SENT, id) < at(REQUEST_NET_IN, id) &&
			    at(REQUEST_NET_IN, id) < at(REQUEST_SLICE_IN, id));
	end(ms, out, log);
	free(text);
}

static void test_a_choice_follows_whole_requests_and_no_others(void **state)
{
	struct memsys_config c = paper_machine();
	struct request_log_choice choice = REQUEST_LOG_ALL;
	struct diag d = DIAG_INIT;
	struct request_log *log;
	FILE *out;
	struct memsys *ms;

	(void)state;
	assert_int_equal(request_log_choose(&choice, "sm:5", &d), 0);
	assert_int_equal(request_log_choose(&choice, "line:0x4010", &d), 0);
	assert_int_equal(request_log_choose(&choice, "cycles:0-5000", &d), 0);
	assert_int_equal(request_log_choose(&choice, "sm:-1", &d), DIAG_ERROR);
	choice.sm = 5;
	ms = logged(&c, &out, &log, choice);
	round_trip(ms, 5, 0, read_of(0x4000, true));
	round_trip(ms, 5, 1000, read_of(0x4080, true));
	round_trip(ms, 6, 2000, read_of(0x4000, true));
	round_trip(ms, 5, 3000, read_of(0x4000, true));
	round_trip(ms, 5, 6000, read_of(0x4000, true));
	fflush(out);
	assert_int_equal(count(REQUEST_SENT), 2);
	assert_int_equal(count(REQUEST_DELIVERED), 2);
	assert_int_equal(count(REQUEST_FILL), 1);
	assert_int_equal(at(REQUEST_SENT, 4), 3000);
	end(ms, out, log);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_one_request_takes_the_closed_form),
	    cmocka_unit_test(test_events_are_as_many_as_the_counters_say),
	    cmocka_unit_test(test_a_choice_follows_whole_requests_and_no_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
