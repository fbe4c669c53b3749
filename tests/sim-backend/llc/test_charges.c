/* Events below the L1s are charged to the structures of their requests. */
#include "tests/sim-backend/support.h"

static struct memsys *ms;
static uint64_t now;

static void start(const char *policy)
{
	struct memsys_config config = paper_machine();

	ms = memsys_with(&config, policy);
	now = 0;
}

static void tear_down(void)
{
	now = drain(ms, 64, now);
	assert_null(memsys_check(ms));
	memsys_free(ms);
}

static void ask(unsigned sm, struct mem_request request)
{
	now = round_trip(ms, sm, now, request) + 1;
}

static void test_structures_are_charged(void **state)
{
	struct mem_request request = read_of(0x9000, false);
	const struct memsys_stats *s;

	(void)state;
	start("shared");
	request.structure = 2;
	ask(0, request);
	ask(1, request);
	s = memsys_statistics(ms);
	assert_int_equal(s->structures[2].accesses, 2);
	assert_int_equal(s->structures[2].hits, 1);
	assert_int_equal(s->structures[1].accesses, 0);
	tear_down();
}

/* A miss and a hit of a line of four sectors: the miss's reply leaves with the fill, so one access reads the array. */
static void test_a_line_s_way_is_charged(void **state)
{
	struct mem_request request = read_of(0x9000, false);
	const struct structure_memory *m;
	const struct memsys_stats *s;

	(void)state;
	start("shared");
	request.structure = 2;
	ask(0, request);
	ask(1, request);
	s = memsys_statistics(ms);
	m = &s->structures[2];
	assert_int_equal(m->request_flits, 2);
	assert_int_equal(m->reply_flits, 2 * 4);
	assert_int_equal(m->array_reads, 1);
	assert_int_equal(m->sectors_read, 4);
	assert_int_equal(m->array_writes, 1);
	assert_int_equal(m->sectors_written, 4);
	assert_int_equal(m->memory_reads, 1);
	assert_int_equal(m->read_bursts, 4);
	assert_int_equal(m->activates, 1);
	assert_int_equal(m->memory_writes, 0);
	/* Each flit goes through routers of 4 x 4 and 16 x 16, over one long link and two short ones. */
	assert_int_equal(s->noc.link_flits, 10);
	assert_int_equal(s->noc.short_flits, 2 * 10);
	assert_int_equal(s->noc.switch_ports, 10 * (8 + 32));
	/* Both networks have 16 routers of 4 x 4 and 4 of 16 x 16. */
	assert_int_equal(s->router_ports, 2 * (16 * 8 + 4 * 32));
	assert_int_equal(s->long_links, 2 * 16 * 4);
	tear_down();
}

/* The write costs the array an access; the write-back, which a boundary asks for, is the writer's too. */
static void test_a_write_back_is_charged_to_the_writer(void **state)
{
	struct mem_request write = write_of(0x9000, 128, 15), read = read_of(0x9000, false);
	const struct structure_memory *m;
	const struct memsys_stats *s;

	(void)state;
	start("degree4");
	write.structure = 1;
	read.structure = 2;
	memsys_send(ms, 0, now, &write);
	now = drain(ms, 64, now);
	ask(0, read);
	memsys_kernel_begin(ms, now, false);
	now = drain(ms, 64, now);
	s = memsys_statistics(ms);
	m = &s->structures[1];
	assert_int_equal(m->array_writes, 1);
	assert_int_equal(m->sectors_written, 4);
	assert_int_equal(m->array_reads, 1);
	assert_int_equal(m->memory_writes, 1);
	assert_int_equal(m->write_bursts, 4);
	assert_int_equal(m->activates, 1);
	assert_int_equal(s->structures[2].memory_writes, 0);
	assert_int_equal(s->structures[2].array_reads, 1);
	assert_int_equal(s->llc.searched_sets, 32); /* in the only slice with a dirty line */
	tear_down();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_structures_are_charged),
	    cmocka_unit_test(test_a_line_s_way_is_charged),
	    cmocka_unit_test(test_a_write_back_is_charged_to_the_writer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
