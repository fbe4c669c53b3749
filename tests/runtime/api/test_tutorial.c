/*
 * Start here: what a CUDA program does, call by call, down to the device. The program is program.h's, with one kernel,
 * scale(float *data, float factor, char c); the device is a mock that keeps memory and records launches, so that a test
 * sees what the API made of the calls.
 */
#include "tests/runtime/api/program.h"

static void test_a_program_copies_launches_and_copies_back(void **state)
{
	float in[4] = {1, 2, 3, 4}, out[4] = {0}, factor = 2, *data;
	char letter = 'x';
	void *arguments[] = {&data, &factor, &letter};

	(void)state;
	assert_int_equal(cudaMalloc((void **)&data, sizeof in), cudaSuccess);
	assert_int_equal(mock.live_allocations, 1);
	assert_int_equal(cudaMemcpy(data, in, sizeof in, cudaMemcpyHostToDevice), cudaSuccess);

	/* scale<<<1, 4>>>(data, factor, letter), as the compiler spells it. scale_stub is the kernel's handle. */
	assert_int_equal(cudaLaunchKernel(&scale_stub, (dim3){1, 1, 1}, (dim3){4, 1, 1}, arguments, 0, NULL),
			 cudaSuccess);
	assert_int_equal(mock.launches, 1);
	assert_int_equal(mock.last.block[0], 4);
	assert_int_equal(mock.last.param_bytes,
			 16); /* a pointer, a float and a char, laid out as the kernel has them */

	assert_int_equal(cudaMemcpy(out, data, sizeof out, cudaMemcpyDeviceToHost), cudaSuccess);
	assert_memory_equal(in, out, sizeof in); /* the mock computes nothing */
	assert_int_equal(cudaFree(data), cudaSuccess);
	assert_int_equal(mock.live_allocations, 0);
}

/* A wrong call returns its error, and cudaGetLastError returns it once more and forgets it. */
static void test_an_error_is_returned_and_remembered(void **state)
{
	(void)state;
	assert_int_equal(cudaMemcpy(NULL, NULL, 4, (enum cudaMemcpyKind)99), cudaErrorInvalidMemcpyDirection);
	assert_int_equal(cudaGetLastError(), cudaErrorInvalidMemcpyDirection);
	assert_int_equal(cudaGetLastError(), cudaSuccess);
}

/* A fault of the device, on the other hand, stays until cudaDeviceReset. */
static void test_a_fault_of_the_device_stays(void **state)
{
	(void)state;
	mock.launch_status = DEVICE_ILLEGAL_ADDRESS;
	cudaLaunchKernel(&scale_stub, (dim3){1, 1, 1}, (dim3){4, 1, 1}, scale_arguments(), 0, NULL);
	assert_int_equal(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
	assert_int_equal(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
	mock.launch_status = DEVICE_OK;
	assert_int_equal(cudaDeviceReset(), cudaSuccess);
	assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_a_program_copies_launches_and_copies_back, program_setup),
	    cmocka_unit_test_setup(test_an_error_is_returned_and_remembered, program_setup),
	    cmocka_unit_test_setup(test_a_fault_of_the_device_stays, program_setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
