/*
 * Hardware coherence on two chips: requests one by one, with every packet over the links counted. Under the SM-side
 * organisation each chip keeps copies; lines A are of chip 0's memory, lines B of chip 1's.
 */
#include "tests/sim-backend/inside.h"
#include "tests/sim-backend/support.h"

enum { CHIPS = 2, PER_CHIP = 64, LINE = 128, PAGE = 4096 };
enum { A = LINE, B = 16 * PAGE + LINE };

static struct memsys *ms;
static uint64_t now;

static void start(uint32_t entries, uint32_t ways)
{
	struct memsys_config config = paper_machine();

	config.chips.count = CHIPS;
	config.sms = CHIPS * PER_CHIP;
	config.chips.coherence = COHERENCE_HARDWARE;
	config.chips.directory_entries = entries;
	config.chips.directory_ways = ways;
	assert_int_equal(memsys_config_check(&config, NULL), 0);
	ms = memsys_with(&config, "sm-side");
	memsys_follow_versions(ms);
	memsys_kernel_begin(ms, 0, false);
	now = drain(ms, CHIPS * PER_CHIP, 10);
}

/* Returns the packets that went over links for it. */
static unsigned send(unsigned chip, struct mem_request request)
{
	uint64_t before = memsys_statistics(ms)->links.packets;

	request.flags &= (uint8_t)~MEM_NO_REPLY;
	now = round_trip(ms, chip * PER_CHIP, now, request);
	now = drain(ms, CHIPS * PER_CHIP, now) + 1;
	return (unsigned)(memsys_statistics(ms)->links.packets - before);
}

static void next_kernel(void)
{
	memsys_kernel_end(ms, now);
	assert_true(memsys_is_empty(ms));
	if (memsys_check(ms))
		fail_msg("%s", memsys_check(ms));
	memsys_kernel_begin(ms, now, false);
	assert_true(memsys_is_empty(ms));
}

static void stop(void)
{
	next_kernel();
	memsys_free(ms);
}

static bool holds(unsigned chip, uint64_t line)
{
	return inside_holds(ms, chip, line);
}

static struct coherence_stats counts(void)
{
	return memsys_statistics(ms)->coherence;
}

/* Chip 1 touches the page of B first; both chips have a copy of the line. */
static void share(void)
{
	assert_int_equal(send(1, read_of(B, false)), 0);
	assert_int_equal(send(0, read_of(B, false)), 2); /* the request to memory, and the data */
	assert_int_equal(send(0, read_of(B, false)), 0);
}

static void test_a_write_at_home_invalidates_over_the_link(void **state)
{
	(void)state;
	start(0, 16);
	share();
	assert_int_equal(send(1, write_of(B, LINE, 15)), 1); /* the invalidation */
	assert_int_equal(counts().claims, 1);
	assert_int_equal(counts().invalidations, 1);
	assert_int_equal(counts().found, 1);
	assert_true(holds(1, B) && !holds(0, B));
	assert_int_equal(send(1, write_of(B, LINE, 15)), 0); /* claimed already */
	stop();
}

static void test_a_write_elsewhere_claims_over_the_link(void **state)
{
	(void)state;
	start(0, 16);
	share();
	assert_int_equal(send(0, write_of(B, LINE, 15)), 1); /* the claim; the copy at home is invalidated there */
	assert_int_equal(counts().invalidations, 1);
	assert_true(holds(0, B) && !holds(1, B));
	assert_int_equal(memsys_statistics(ms)->dram.writes, 0);
	stop();
}

/* The writer keeps its copy and writes it to memory, and the reader's fetch goes there. */
static void test_a_read_of_what_another_chip_wrote(void **state)
{
	(void)state;
	start(0, 16);
	share();
	send(0, write_of(B, LINE, 15));
	next_kernel();
	assert_int_equal(send(1, read_of(B, false)), 2); /* what is wanted of chip 0, and its data */
	assert_int_equal(counts().downgrades, 1);
	assert_int_equal(counts().answers_with_data, 1);
	assert_int_equal(memsys_statistics(ms)->dram.writes, 1);
	assert_true(holds(0, B) && holds(1, B));
	assert_int_equal(send(1, read_of(B, false)), 0);
	assert_int_equal(send(0, write_of(B, LINE, 15)), 1); /* it has to claim the line again */
	stop();
}

static void test_a_write_of_what_another_chip_wrote(void **state)
{
	(void)state;
	start(0, 16);
	share();
	send(0, write_of(B, LINE, 15));
	assert_int_equal(send(1, write_of(B, LINE, 15)), 2); /* a recall, and its data */
	assert_int_equal(counts().recalls, 1);
	assert_true(holds(1, B) && !holds(0, B));
	assert_int_equal(send(0, read_of(B, false)), 2); /* the writer is at home */
	assert_int_equal(counts().downgrades, 1);
	stop();
}

/* Data read in one kernel is still there in the next, and a boundary takes no cycle. */
static void test_kernels_flush_nothing(void **state)
{
	(void)state;
	start(0, 16);
	share();
	send(0, write_of(A, LINE, 15));
	next_kernel();
	assert_int_equal(send(0, read_of(B, false)), 0);
	assert_int_equal(send(0, read_of(A, false)), 0);
	assert_int_equal(memsys_statistics(ms)->llc.flush_cycles, 0);
	assert_int_equal(memsys_statistics(ms)->llc.write_backs, 0);
	stop();
}

/* Lines of one controller of chip 1 beyond the directory's: copies that are out have room in it. */
static void test_a_full_directory_invalidates(void **state)
{
	struct memsys_config config = paper_machine();
	unsigned entries = config.noc.mc_routers * 4, lines = 3 * entries, held = 0;

	(void)state;
	start(entries, 4); /* a set at each controller */
	for (unsigned i = 0; i < lines; i++)
		send(1, read_of((uint64_t)i * LINE, false));
	for (unsigned i = 0; i < lines; i++)
		held += holds(1, (uint64_t)i * LINE);
	assert_int_equal(counts().evictions, lines - held);
	assert_int_equal(counts().invalidations, lines - held);
	assert_int_equal(counts().found, lines - held);
	assert_true(held <= entries && held > 0);
	stop();
}

/* The same with written lines: each is recalled before it loses its place. */
static void test_a_full_directory_recalls_what_was_written(void **state)
{
	struct memsys_config config = paper_machine();
	unsigned entries = config.noc.mc_routers * 4, lines = 3 * entries, held = 0;

	(void)state;
	start(entries, 4);
	for (unsigned i = 0; i < lines; i++)
		send(0, write_of((uint64_t)i * LINE, LINE, 15));
	for (unsigned i = 0; i < lines; i++)
		held += holds(0, (uint64_t)i * LINE);
	assert_int_equal(counts().recalls, lines - held);
	assert_int_equal(counts().answers_with_data, lines - held);
	assert_int_equal(memsys_statistics(ms)->dram.writes, lines - held);
	assert_true(held <= entries);
	next_kernel();
	for (unsigned i = 0; i < lines; i++)
		send(1, read_of((uint64_t)i * LINE, false));
	stop();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_a_write_at_home_invalidates_over_the_link),
	    cmocka_unit_test(test_a_write_elsewhere_claims_over_the_link),
	    cmocka_unit_test(test_a_read_of_what_another_chip_wrote),
	    cmocka_unit_test(test_a_write_of_what_another_chip_wrote),
	    cmocka_unit_test(test_kernels_flush_nothing),
	    cmocka_unit_test(test_a_full_directory_invalidates),
	    cmocka_unit_test(test_a_full_directory_recalls_what_was_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
