/*
 * Only the matching call frees memory: every way to allocate against every way to free. After a refusal the memory is
 * still there.
 */
#include "tests/runtime/api/program.h"

#include "runtime/include/cuda.h"

#include <stdlib.h>

static char own[64];

/* --- Ways to make memory --- */

static void *by_malloc(void)
{
	void *ptr;

	assert_int_equal(cudaMalloc(&ptr, 64), cudaSuccess);
	return ptr;
}

static void *by_pitch(void)
{
	size_t pitch;
	void *ptr;

	assert_int_equal(cudaMallocPitch(&ptr, &pitch, 64, 2), cudaSuccess);
	return ptr;
}

static void *by_3d(void)
{
	struct cudaPitchedPtr ptr;

	assert_int_equal(cudaMalloc3D(&ptr, make_cudaExtent(64, 2, 2)), cudaSuccess);
	return ptr.ptr;
}

static void *by_async(void)
{
	void *ptr;

	assert_int_equal(cudaMallocAsync(&ptr, 64, NULL), cudaSuccess);
	return ptr;
}

static void *by_managed(void)
{
	void *ptr;

	assert_int_equal(cudaMallocManaged(&ptr, 64, cudaMemAttachGlobal), cudaSuccess);
	return ptr;
}

static void *by_malloc_host(void)
{
	void *ptr;

	assert_int_equal(cudaMallocHost(&ptr, 64), cudaSuccess);
	return ptr;
}

static void *by_host_alloc(void)
{
	void *ptr;

	assert_int_equal(cudaHostAlloc(&ptr, 64, cudaHostAllocMapped), cudaSuccess);
	return ptr;
}

static void *by_register(void)
{
	assert_int_equal(cudaHostRegister(own, sizeof own, 0), cudaSuccess);
	return own;
}

static void *by_reserve(void)
{
	CUdeviceptr address;

	assert_int_equal(cuMemAddressReserve(&address, 2 << 20, 0, 0, 0), CUDA_SUCCESS);
	return (void *)(uintptr_t)address;
}

static void *inside(void)
{
	return (char *)by_malloc() + 16;
}

static void *of_the_host(void)
{
	return own;
}

/* --- Ways to free it --- */

static int free_async(void *ptr)
{
	return (int)cudaFreeAsync(ptr, NULL);
}

static int free_plain(void *ptr)
{
	return (int)cudaFree(ptr);
}

static int free_host(void *ptr)
{
	return (int)cudaFreeHost(ptr);
}

static int free_driver(void *ptr)
{
	return (int)cuMemFree((uintptr_t)ptr);
}

static int free_driver_async(void *ptr)
{
	return (int)cuMemFreeAsync((uintptr_t)ptr, NULL);
}

static int free_driver_host(void *ptr)
{
	return (int)cuMemFreeHost(ptr);
}

static int unregister(void *ptr)
{
	return cudaHostUnregister(ptr) == cudaSuccess ? 0 : cudaErrorInvalidValue;
}

static int free_range(void *ptr)
{
	return (int)cuMemAddressFree((uintptr_t)ptr, 2 << 20);
}

/* Bits of the columns below. */
enum { DEVICE = 1, HOST = 2, REGISTERED = 4, RANGE = 8 };

static const struct {
	const char *name;
	int (*run)(void *ptr);
	int frees;
} ways_to_free[] = {
    {"cudaFree", free_plain, DEVICE},
    {"cudaFreeAsync", free_async, DEVICE},
    {"cuMemFree", free_driver, DEVICE},
    {"cuMemFreeAsync", free_driver_async, DEVICE},
    {"cudaFreeHost", free_host, HOST},
    {"cuMemFreeHost", free_driver_host, HOST},
    {"cudaHostUnregister", unregister, REGISTERED},
    {"cuMemAddressFree", free_range, RANGE},
};

static const struct {
	const char *name;
	void *(*run)(void);
	int kind;
} ways_to_make[] = {
    {"cudaMalloc", by_malloc, DEVICE},
    {"cudaMallocPitch", by_pitch, DEVICE},
    {"cudaMalloc3D", by_3d, DEVICE},
    {"cudaMallocAsync", by_async, DEVICE},
    {"cudaMallocManaged", by_managed, DEVICE},
    {"cudaMallocHost", by_malloc_host, HOST},
    {"cudaHostAlloc", by_host_alloc, HOST},
    {"cudaHostRegister", by_register, REGISTERED},
    {"cuMemAddressReserve", by_reserve, RANGE},
    {"an address in the middle", inside, 0},
    {"memory of the host", of_the_host, 0},
};

enum { FREES = sizeof ways_to_free / sizeof *ways_to_free, MAKES = sizeof ways_to_make / sizeof *ways_to_make };

/* Whatever frees it is tried last, so that the memory is there when the others are. */
static void try_all(size_t make, size_t last)
{
	void *ptr = ways_to_make[make].run();

	for (size_t i = 0; i < FREES; i++)
		if (!(ways_to_free[i].frees & ways_to_make[make].kind) &&
		    ways_to_free[i].run(ptr) != cudaErrorInvalidValue)
			fail_msg("%s frees %s", ways_to_free[i].name, ways_to_make[make].name);
	if (ways_to_free[last].run(ptr) != cudaSuccess)
		fail_msg("%s does not free %s", ways_to_free[last].name, ways_to_make[make].name);
	if (ways_to_free[last].run(ptr) != cudaErrorInvalidValue)
		fail_msg("%s frees %s twice", ways_to_free[last].name, ways_to_make[make].name);
}

static void test_every_pair(void **state)
{
	(void)state;
	for (size_t make = 0; make < MAKES; make++)
		for (size_t last = 0; last < FREES; last++)
			if (ways_to_free[last].frees & ways_to_make[make].kind)
				try_all(make, last);
	assert_int_equal(mock.live_allocations, 0);
}

static void test_nobody_frees_what_is_not_theirs(void **state)
{
	(void)state;
	for (size_t make = 0; make < MAKES; make++) {
		if (ways_to_make[make].kind)
			continue;
		for (size_t i = 0; i < FREES; i++)
			assert_int_equal(ways_to_free[i].run(ways_to_make[make].run()), cudaErrorInvalidValue);
	}
}

static size_t available(void)
{
	size_t bytes, total;

	assert_int_equal(cudaMemGetInfo(&bytes, &total), cudaSuccess);
	return bytes;
}

/* Pinned and registered memory is the host's. */
static void test_only_device_memory_counts(void **state)
{
	static void *(*const hosts[])(void) = {by_malloc_host, by_host_alloc, by_register};
	size_t before = available();
	void *made[3], *device;

	(void)state;
	for (size_t i = 0; i < 3; i++)
		made[i] = hosts[i]();
	assert_int_equal(available(), before);
	device = by_malloc();
	assert_true(available() < before);
	assert_int_equal(cudaFreeHost(made[0]), cudaSuccess);
	assert_true(available() < before);
	assert_int_equal(cudaFree(device), cudaSuccess);
	assert_int_equal(available(), before);
	assert_int_equal(cudaFreeHost(made[1]), cudaSuccess);
	assert_int_equal(available(), before);
	assert_int_equal(cudaDeviceReset(), cudaSuccess);
	assert_int_equal(available(), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_every_pair, program_setup),
	    cmocka_unit_test_setup(test_nobody_frees_what_is_not_theirs, program_setup),
	    cmocka_unit_test_setup(test_only_device_memory_counts, program_setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
