/* cudaDeviceReset on the CPU device: what it takes back, what stays, and that the latter can be used again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "runtime/include/cuda.h"
#include "runtime/include/cuda_runtime_api.h"

static const char text[] = ".version 7.0\n.target sm_75\n.address_size 64\n.global .texref image;\n"
			   ".visible .entry nothing()\n{\nret;\n}\n";

static void test_memory_and_objects_are_gone(void **state)
{
	struct cudaResourceDesc resource = {.resType = cudaResourceTypeLinear};
	struct cudaTextureDesc reading = {.readMode = cudaReadModeElementType};
	cudaTextureObject_t object;
	void *memory;

	(void)state;
	assert_int_equal(cudaMalloc(&memory, 4096), cudaSuccess);
	resource.res.linear.devPtr = memory;
	resource.res.linear.desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
	resource.res.linear.sizeInBytes = 4096;
	assert_int_equal(cudaCreateTextureObject(&object, &resource, &reading, NULL), cudaSuccess);
	assert_int_equal(cudaDeviceReset(), cudaSuccess);
	assert_int_equal(cudaDestroyTextureObject(object), cudaErrorInvalidValue);
	assert_int_equal(cudaFree(memory), cudaErrorInvalidValue);
}

static void test_streams_and_events_stay(void **state)
{
	cudaStream_t stream;
	cudaEvent_t event;
	float milliseconds;

	(void)state;
	assert_int_equal(cudaStreamCreate(&stream), cudaSuccess);
	assert_int_equal(cudaEventCreate(&event), cudaSuccess);
	assert_int_equal(cudaEventRecord(event, stream), cudaSuccess);
	assert_int_equal(cudaDeviceReset(), cudaSuccess);
	assert_int_equal(cudaEventElapsedTime(&milliseconds, event, event), cudaErrorInvalidResourceHandle);
	assert_int_equal(cudaEventRecord(event, stream), cudaSuccess);
	assert_int_equal(cudaEventElapsedTime(&milliseconds, event, event), cudaSuccess);
	assert_int_equal(cudaEventDestroy(event), cudaSuccess);
	assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
}

/* A reference outlives its module's memory and its object. The next binding loads the module and makes an object. */
static void test_references_are_bound_again(void **state)
{
	CUtexref reference;
	CUdeviceptr memory;
	CUmodule module;
	size_t offset;

	(void)state;
	assert_int_equal(cuModuleLoadData(&module, text), CUDA_SUCCESS);
	assert_int_equal(cuModuleGetTexRef(&reference, module, "image"), CUDA_SUCCESS);
	assert_int_equal(cuMemAlloc(&memory, 4096), CUDA_SUCCESS);
	assert_int_equal(cuTexRefSetAddress(&offset, reference, memory, 4096), CUDA_SUCCESS);
	assert_int_equal(cuDevicePrimaryCtxReset(0), CUDA_SUCCESS);
	assert_int_equal(cuMemAlloc(&memory, 4096), CUDA_SUCCESS);
	assert_int_equal(cuTexRefSetAddress(&offset, reference, memory, 4096), CUDA_SUCCESS);
	assert_int_equal(cuModuleUnload(module), CUDA_SUCCESS);
	assert_int_equal(cuMemFree(memory), CUDA_SUCCESS);
}

/* Limits have the program's values until a reset, which restores CUDA's. Impossible values change nothing. */
static void test_limits_are_the_usual_ones(void **state)
{
	static const struct {
		enum cudaLimit limit;
		size_t usual, other, wrong;
	} rows[] = {{cudaLimitStackSize, 1024, 4096, (size_t)1 << 40},
		    {cudaLimitMallocHeapSize, 8 << 20, 1 << 20, SIZE_MAX},
		    {cudaLimitPrintfFifoSize, 1 << 20, 1 << 16, 0}};
	size_t value;

	(void)state;
	assert_int_equal(cudaDeviceReset(), cudaSuccess);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_int_equal(cudaDeviceGetLimit(&value, rows[i].limit), cudaSuccess);
		assert_int_equal(value, rows[i].usual);
		assert_int_equal(cudaDeviceSetLimit(rows[i].limit, rows[i].other), cudaSuccess);
		if (rows[i].wrong)
			assert_int_not_equal(cudaDeviceSetLimit(rows[i].limit, rows[i].wrong), cudaSuccess);
		assert_int_equal(cudaDeviceGetLimit(&value, rows[i].limit), cudaSuccess);
		assert_int_equal(value, rows[i].other);
		assert_int_equal(cudaDeviceReset(), cudaSuccess);
		assert_int_equal(cudaDeviceGetLimit(&value, rows[i].limit), cudaSuccess);
		assert_int_equal(value, rows[i].usual);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_memory_and_objects_are_gone),
	    cmocka_unit_test(test_streams_and_events_stay),
	    cmocka_unit_test(test_references_are_bound_again),
	    cmocka_unit_test(test_limits_are_the_usual_ones),
	};

	return cmocka_run_group_tests_name("reset", tests, NULL, NULL);
}
