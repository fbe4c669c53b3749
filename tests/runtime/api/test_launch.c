/* Launches: the calls that reach the device, shapes that are refused, and the attributes of kernels. */
#include "tests/runtime/api/program.h"

#include <string.h>

#define ONE ((dim3){1, 1, 1})

static cudaError_t launch(const void *kernel, dim3 grid, dim3 block, size_t shared)
{
	return cudaLaunchKernel(kernel, grid, block, scale_arguments(), shared, NULL);
}

static void test_packs_parameters(void **state)
{
	float factor;
	uint64_t data;

	(void)state;
	assert_int_equal(launch(&scale_stub, (dim3){3, 4, 5}, (dim3){32, 2, 1}, 256), cudaSuccess);
	assert_int_equal(mock.launches, 1);
	assert_int_equal(mock.last.grid[1], 4);
	assert_int_equal(mock.last.block[0], 32);
	assert_int_equal(mock.last.dynamic_shared, 256);
	assert_int_equal(mock.last.param_bytes, 16);
	memcpy(&data, mock.params, sizeof data);
	memcpy(&factor, mock.params + 8, sizeof factor);
	assert_int_equal(data, 0x1000);
	assert_true(factor == 2.5f);
	assert_int_equal(mock.params[12], 'x');
}

static void test_refuses_impossible_shapes(void **state)
{
	(void)state;
	assert_int_equal(launch(&scale_stub, (dim3){0, 1, 1}, ONE, 0), cudaErrorInvalidConfiguration);
	assert_int_equal(launch(&scale_stub, ONE, (dim3){1, 0, 1}, 0), cudaErrorInvalidConfiguration);
	assert_int_equal(launch(&scale_stub, ONE, (dim3){1025, 1, 1}, 0), cudaErrorInvalidConfiguration);
	assert_int_equal(launch(&scale_stub, ONE, (dim3){1, 1, 65}, 0), cudaErrorInvalidConfiguration);
	assert_int_equal(launch(&scale_stub, (dim3){1, 65536, 1}, ONE, 0), cudaErrorInvalidConfiguration);
	assert_int_equal(launch(&scale_stub, ONE, ONE, 49 << 10), cudaErrorInvalidValue);
	assert_int_equal(mock.launches, 0);
	assert_int_equal(cudaFuncSetAttribute(&scale_stub, cudaFuncAttributeMaxDynamicSharedMemorySize, 96 << 10),
			 cudaSuccess);
	assert_int_equal(launch(&scale_stub, ONE, ONE, 96 << 10), cudaSuccess);
	assert_int_equal(cudaFuncSetAttribute(&scale_stub, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20),
			 cudaErrorInvalidValue);
	assert_int_equal(cudaLaunchKernel(&scale_stub, ONE, ONE, NULL, 0, NULL), cudaErrorInvalidValue);
	assert_int_equal(launch(&missing_stub, ONE, ONE, 0), cudaErrorInvalidDeviceFunction);
	assert_int_equal(launch(state, ONE, ONE, 0), cudaErrorInvalidDeviceFunction);
	assert_int_equal(launch(&broken_stub, ONE, ONE, 0), cudaErrorInvalidPtx);
}

static void test_configurations_nest(void **state)
{
	dim3 grid, block;
	size_t shared;
	cudaStream_t stream;

	(void)state;
	assert_int_equal(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaErrorMissingConfiguration);
	assert_int_equal(__cudaPushCallConfiguration((dim3){1, 1, 1}, ONE, 10, NULL), 0);
	assert_int_equal(__cudaPushCallConfiguration((dim3){2, 1, 1}, ONE, 20, NULL), 0);
	assert_int_equal(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
	assert_int_equal(grid.x, 2);
	assert_int_equal(shared, 20);
	assert_int_equal(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
	assert_int_equal(shared, 10);
}

static void test_launches_by_handle(void **state)
{
	cudaLaunchAttribute cooperative = {.id = cudaLaunchAttributeCooperative, .val = {.cooperative = 1}};
	cudaLaunchConfig_t config = {.gridDim = {2, 1, 1}, .blockDim = ONE, .attrs = &cooperative, .numAttrs = 1};
	cudaKernel_t handle;

	(void)state;
	assert_int_equal(__cudaGetKernel(&handle, &scale_stub), cudaSuccess);
	assert_int_equal(__cudaLaunchKernel(handle, ONE, ONE, scale_arguments(), 0, NULL), cudaSuccess);
	assert_int_equal(cudaLaunchKernelExC(&config, &scale_stub, scale_arguments()), cudaSuccess);
	assert_true(mock.last.cooperative);
	assert_int_equal(mock.launches, 2);
}

static void test_cooperative_grids_must_fit(void **state)
{
	(void)state;
	assert_int_equal(cudaLaunchCooperativeKernel(&scale_stub, (dim3){64 * 2, 1, 1}, (dim3){1024, 1, 1},
						     scale_arguments(), 0, NULL),
			 cudaSuccess);
	assert_true(mock.last.cooperative);
	assert_int_equal(cudaLaunchCooperativeKernel(&scale_stub, (dim3){64 * 2 + 1, 1, 1}, (dim3){1024, 1, 1},
						     scale_arguments(), 0, NULL),
			 cudaErrorCooperativeLaunchTooLarge);
}

static void test_streams_number_launches(void **state)
{
	cudaStream_t first, second;

	(void)state;
	assert_int_equal(cudaStreamCreate(&first), cudaSuccess);
	assert_int_equal(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking), cudaSuccess);
	assert_int_equal(cudaLaunchKernel(&scale_stub, ONE, ONE, scale_arguments(), 0, second), cudaSuccess);
	assert_int_equal(mock.last.stream, 2);
	assert_int_equal(cudaStreamDestroy(first), cudaSuccess);
	assert_int_equal(cudaLaunchKernel(&scale_stub, ONE, ONE, scale_arguments(), 0, first),
			 cudaErrorInvalidResourceHandle);
	assert_int_equal(cudaStreamDestroy(NULL), cudaErrorInvalidResourceHandle);
	assert_int_equal(cudaStreamSynchronize(second), cudaSuccess);
	assert_int_equal(cudaStreamDestroy(second), cudaSuccess);
}

static void test_answers_about_kernels(void **state)
{
	struct cudaFuncAttributes a;
	int blocks;

	(void)state;
	assert_int_equal(cudaFuncGetAttributes(&a, &scale_stub), cudaSuccess);
	assert_int_equal(a.numRegs, 32);
	assert_int_equal(a.sharedSizeBytes, 1024);
	assert_int_equal(a.maxThreadsPerBlock, 1024);
	/* 2048 threads of 32 registers use the register file up; two blocks of 1024. */
	assert_int_equal(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &scale_stub, 1024, 0), cudaSuccess);
	assert_int_equal(blocks, 2);
	/* 32 KiB and a bit each: five fit into 164 KiB less what is reserved. */
	assert_int_equal(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &scale_stub, 64, 30 << 10),
			 cudaSuccess);
	assert_int_equal(blocks, 5);
	assert_int_equal(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &scale_stub, 32, 0), cudaSuccess);
	assert_int_equal(blocks, 32);
	assert_int_equal(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &scale_stub, 0, 0),
			 cudaErrorInvalidValue);
}

/* The CPU device's registers are estimated: whatever they are, a block that may be launched has room. */
static void test_blocks_that_launch_have_room(void **state)
{
	int blocks;

	(void)state;
	mock.registers = 80;
	assert_int_equal(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &scale_stub, 1024, 0), cudaSuccess);
	assert_int_equal(blocks, 1);
	assert_int_equal(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &scale_stub, 512, 0), cudaSuccess);
	assert_int_equal(blocks, 1);
	assert_int_equal(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &scale_stub, 384, 0), cudaSuccess);
	assert_int_equal(blocks, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_packs_parameters, program_setup),
	    cmocka_unit_test_setup(test_refuses_impossible_shapes, program_setup),
	    cmocka_unit_test_setup(test_configurations_nest, program_setup),
	    cmocka_unit_test_setup(test_launches_by_handle, program_setup),
	    cmocka_unit_test_setup(test_cooperative_grids_must_fit, program_setup),
	    cmocka_unit_test_setup(test_streams_number_launches, program_setup),
	    cmocka_unit_test_setup(test_answers_about_kernels, program_setup),
	    cmocka_unit_test_setup(test_blocks_that_launch_have_room, program_setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
