/* With llc.atomic_alike the requests of atomics say how many lanes name the same address. */
#include "tests/sim-backend/mock_memsys.h"
#include "tests/sim-backend/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct program p;

/* The first request of an atomic whose lanes are so many bytes apart. */
static struct mem_request request_of(uint64_t stride, uint32_t mask, bool counts)
{
	struct sim_config *c = one_sm();
	unsigned atomic;

	program_begin(&p, 1, 1);
	atomic = program_memory(&p, TRACE_ATOMIC, TRACE_GLOBAL, 4, 1);
	program_emit(&p, atomic, 0x1000, stride)->mask = mask;
	c->memory.llc.atomic_alike = counts;
	sim_result_free(program_run(&p, c));
	sim_config_free(c);
	return mock_log[0];
}

static void test_requests_tell_how_many_lanes_are_alike(void **state)
{
	(void)state;
	mock = (struct mock_settings){.latency = 50, .interval = 1};
	assert_int_equal(request_of(0, UINT32_MAX, true).alike_log2, 5);
	assert_int_equal(request_of(0, 0x1f, true).alike_log2, 3);
	assert_int_equal(request_of(0, 1, true).alike_log2, 0);
	assert_int_equal(request_of(4, UINT32_MAX, true).alike_log2, 0);
	assert_int_equal(request_of(128, UINT32_MAX, true).alike_log2, 0);
	assert_int_equal(request_of(0, UINT32_MAX, false).alike_log2, 0);
	assert_int_equal(request_of(0, UINT32_MAX, true).sectors, 1);
	assert_int_equal(request_of(0, UINT32_MAX, true).line, 0x1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_requests_tell_how_many_lanes_are_alike)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
