/* The guard of a launch: when a kernel's marks hold, and in which words a device tells that they do not. */
#include "runtime/device/launch_guard.h"

#include "verdict/guard_scan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* Two allocations of 64 bytes, of which the host can write the second. Anything else is not known. */
enum { A = 0x10000, B = 0x20000, ELSEWHERE = 0x30000, SIZE = 64 };

static bool find(void *device, uint64_t address, uint64_t *base, size_t *size)
{
	(void)device;
	*base = address - A < SIZE ? A : B;
	*size = SIZE;
	return address - *base < SIZE;
}

static bool no_variable(void *device, uint32_t symbol, uint64_t *address, size_t *size)
{
	(void)device;
	(void)symbol;
	(void)address;
	(void)size;
	return false;
}

static const char *name_of(void *device, uint64_t address)
{
	(void)device;
	return address - A < SIZE ? "weights" : NULL;
}

static bool only_device_writes(void *device, uint64_t base, size_t size)
{
	(void)device;
	return base == A && size == SIZE;
}

/* A kernel that reads its first parameter's memory with marks, and writes through its second. */
static struct structure structures[] = {
    {.id = "p0", .kind = STRUCTURE_PARAM, .param_offset = 0, .param_bytes = 8, .loads_marked = 1},
    {.id = "p1", .kind = STRUCTURE_PARAM, .param_offset = 8, .param_bytes = 8},
};
static struct guard guards[] = {{0, 1}};
static const struct kernel_facts facts = {.structures = structures, .nstructures = 2, .guards = guards, .nguards = 1};
static const struct guard_context memory = {NULL, find, no_variable, NULL, NULL};

static struct launch_guard guard_of(const struct launch_params *launch)
{
	return (struct launch_guard){.kernel = "k", .facts = &facts, .launch = launch, .memory = &memory};
}

static struct launch_params launch_of(const uint64_t pointers[2])
{
	return (struct launch_params){{1, 1, 1}, {32, 1, 1}, .params = pointers, .param_bytes = 16};
}

/* `why`: what follows the kernel's name, NULL: the marks hold. */
static void assert_answer(struct launch_guard g, const uint64_t pointers[2], const char *why)
{
	static const char start[] = "kernel 'k' runs without its read-only marks: ";
	struct launch_params launch = launch_of(pointers);
	struct strbuf said = STRBUF_INIT;

	g.launch = &launch;
	assert_int_equal(launch_guard_holds(&g, &said), !why);
	if (why) {
		assert_memory_equal(said.data, start, sizeof start - 1);
		assert_string_equal(said.data + sizeof start - 1, why);
	} else {
		assert_int_equal(said.len, 0);
	}
	strbuf_release(&said);
}

static void test_memory_apart(void **state)
{
	const uint64_t apart[] = {A, B}, same[] = {A, A + 32}, lost[] = {A, ELSEWHERE}, unnamed[] = {B, B};
	struct launch_guard g = guard_of(NULL);

	(void)state;
	assert_answer(g, apart, NULL);
	assert_answer(g, same, "'p0' is read and 'p1' is written, which may share memory");
	g.name = name_of;
	assert_answer(g, apart, NULL);
	assert_answer(g, same, "'p0' is read and 'p1' is written, both in weights");
	assert_answer(g, lost, "'p0' is read and 'p1' is written, both in weights");
	assert_answer(g, unnamed, "'p0' is read and 'p1' is written, which may share memory");
}

static void test_kernels_that_wait_read_device_memory(void **state)
{
	static const char why[] = "it synchronises with others and reads memory that the host can write";
	const uint64_t device[] = {A, B}, host[] = {B, A}, same[] = {B, B};
	struct launch_guard g = guard_of(NULL);

	(void)state;
	assert_answer(g, host, NULL);
	g.only_device_writes = only_device_writes;
	assert_answer(g, device, NULL);
	assert_answer(g, host, why);
	/* The overlap is reported first. */
	assert_answer(g, same, "'p0' is read and 'p1' is written, which may share memory");
}

/* A look at ranges that depends on numbers at an address. */
static bool looks_through(void *data, const struct guard_context *context, const struct guard *guard)
{
	const uint64_t *address = data;
	const struct guard_scan numbers = {.address = *address, .count = SIZE / 4, .bytes = 4, .step = 4};
	struct guard_scanned found;

	(void)guard;
	return guard_scan(context, &numbers, &found) && found.low == 0 && found.high == 0;
}

static const void *view_zeros(void *device, uint64_t address, size_t size)
{
	static const uint64_t zeros[SIZE / 8];

	(void)device;
	(void)address;
	assert_true(size <= SIZE);
	return zeros;
}

/* The host may write other numbers while such a kernel runs. */
static void test_kernels_that_wait_have_no_scans_of_host_memory(void **state)
{
	static const char why[] = "'p0' is read and 'p1' is written, which may share memory";
	static const struct guard_context seen = {NULL, find, no_variable, view_zeros, NULL};
	const uint64_t same[] = {A, A + 32};
	uint64_t numbers = B;
	const struct launch_ranges_ask ranges = {looks_through, &numbers};
	struct launch_guard g = guard_of(NULL);

	(void)state;
	g.memory = &seen;
	g.ranges = &ranges;
	assert_answer(g, same, NULL);
	g.only_device_writes = only_device_writes;
	assert_answer(g, same, why);
	numbers = A;
	assert_answer(g, same, NULL);
}

static void test_targets_are_handed_out(void **state)
{
	const uint64_t pointers[] = {A + 8, B};
	struct launch_params launch = launch_of(pointers);
	struct launch_guard g = guard_of(&launch);
	struct guard_target targets[2];
	struct strbuf why = STRBUF_INIT;

	(void)state;
	g.targets = targets;
	assert_true(launch_guard_holds(&g, &why));
	assert_int_equal(targets[0].pointer, A + 8);
	assert_int_equal(targets[0].base, A);
	assert_int_equal(targets[1].base, B);
	strbuf_release(&why);
}

static void test_a_failure_is_told_once(void **state)
{
	const uint64_t apart[] = {A, B}, same[] = {A, A};
	struct launch_params holds = launch_of(apart), fails = launch_of(same);
	struct launch_guard g = guard_of(&holds);
	bool told = false;

	(void)state;
	assert_true(launch_guard_ask(&g, true, &told));
	assert_false(told);
	g.launch = &fails;
	assert_false(launch_guard_ask(&g, true, &told));
	assert_true(told);
	assert_false(launch_guard_ask(&g, false, &told));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_memory_apart),
	    cmocka_unit_test(test_kernels_that_wait_read_device_memory),
	    cmocka_unit_test(test_kernels_that_wait_have_no_scans_of_host_memory),
	    cmocka_unit_test(test_targets_are_handed_out),
	    cmocka_unit_test(test_a_failure_is_told_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
