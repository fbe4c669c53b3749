/* Errors: remembered once, sticky after a failed kernel, named as CUDA names them; events. */
#include "tests/runtime/api/program.h"

#include <string.h>
#include <pthread.h>

#define ONE ((dim3){1, 1, 1})

static void test_last_error_is_given_once(void **state)
{
	void *a;

	(void)state;
	assert_int_equal(cudaFree((void *)16), cudaErrorInvalidValue);
	assert_int_equal(cudaMalloc(&a, 16), cudaSuccess);
	assert_int_equal(cudaPeekAtLastError(), cudaErrorInvalidValue);
	assert_int_equal(cudaGetLastError(), cudaErrorInvalidValue);
	assert_int_equal(cudaGetLastError(), cudaSuccess);
}

static void *ask_for_last_error(void *result)
{
	*(cudaError_t *)result = cudaGetLastError();
	return NULL;
}

static void test_last_error_belongs_to_the_thread(void **state)
{
	cudaError_t other = cudaErrorUnknown;
	pthread_t thread;

	(void)state;
	cudaFree((void *)16);
	assert_int_equal(pthread_create(&thread, NULL, ask_for_last_error, &other), 0);
	pthread_join(thread, NULL);
	assert_int_equal(other, cudaSuccess);
	assert_int_equal(cudaGetLastError(), cudaErrorInvalidValue);
}

static void test_kernel_failures_stay(void **state)
{
	static const struct {
		enum device_status status;
		cudaError_t error;
	} failures[] = {
	    {DEVICE_ILLEGAL_ADDRESS, cudaErrorIllegalAddress},
	    {DEVICE_MISALIGNED, cudaErrorMisalignedAddress},
	    {DEVICE_ASSERT, cudaErrorAssert},
	    {DEVICE_TRAP, cudaErrorLaunchFailure},
	    {DEVICE_HANG, cudaErrorLaunchTimeout},
	};
	void *a;

	(void)state;
	for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
		mock.launch_status = failures[i].status;
		assert_int_equal(cudaLaunchKernel(&scale_stub, ONE, ONE, scale_arguments(), 0, NULL), cudaSuccess);
		assert_int_equal(cudaDeviceSynchronize(), failures[i].error);
		assert_int_equal(cudaMalloc(&a, 16), failures[i].error);
		assert_int_equal(cudaGetLastError(), failures[i].error);
		assert_int_equal(cudaGetLastError(), failures[i].error);
		assert_int_equal(cudaDeviceReset(), cudaSuccess);
		mock.launch_status = DEVICE_OK;
		assert_int_equal(cudaMalloc(&a, 16), cudaSuccess);
		cudaGetLastError();
		assert_int_equal(cudaGetLastError(), cudaSuccess);
	}
}

static void test_refused_launches_do_not_stay(void **state)
{
	(void)state;
	mock.launch_status = DEVICE_BAD_LAUNCH;
	assert_int_equal(cudaLaunchKernel(&scale_stub, ONE, ONE, scale_arguments(), 0, NULL),
			 cudaErrorInvalidConfiguration);
	mock.launch_status = DEVICE_OK;
	assert_int_equal(cudaGetLastError(), cudaErrorInvalidConfiguration);
	assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
}

static void test_errors_have_names(void **state)
{
	(void)state;
	assert_string_equal(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
	assert_string_equal(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
	assert_string_equal(cudaGetErrorString(cudaSuccess), "no error");
	assert_string_equal(cudaGetErrorString((cudaError_t)12345), "unrecognized error code");
	assert_int_equal(cudaErrorAssert, 710);
	assert_int_equal(cudaErrorInvalidDeviceFunction, 98);
}

static void test_there_is_one_device(void **state)
{
	int value;

	(void)state;
	assert_int_equal(cudaGetDeviceCount(&value), cudaSuccess);
	assert_int_equal(value, 1);
	assert_int_equal(cudaSetDevice(1), cudaErrorInvalidDevice);
	assert_int_equal(cudaSetDevice(0), cudaSuccess);
	assert_int_equal(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0), cudaSuccess);
	assert_int_equal(value, 1024);
	assert_int_equal(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 2), cudaErrorInvalidDevice);
	assert_int_equal(cudaDeviceCanAccessPeer(&value, 0, 0), cudaSuccess);
	assert_int_equal(cudaDeviceEnablePeerAccess(1, 0), cudaErrorInvalidDevice);
	assert_int_equal(cudaIpcGetMemHandle(NULL, NULL), cudaErrorNotSupported);
}

static void test_events_measure(void **state)
{
	cudaEvent_t start, end, silent;
	float milliseconds = -1;

	(void)state;
	assert_int_equal(cudaEventCreate(&start), cudaSuccess);
	assert_int_equal(cudaEventCreate(&end), cudaSuccess);
	assert_int_equal(cudaEventCreateWithFlags(&silent, cudaEventDisableTiming), cudaSuccess);
	assert_int_equal(cudaEventRecord(start, NULL), cudaSuccess);
	assert_int_equal(cudaEventElapsedTime(&milliseconds, start, end), cudaErrorInvalidResourceHandle);
	assert_int_equal(cudaEventRecord(end, NULL), cudaSuccess);
	assert_int_equal(cudaEventRecord(silent, NULL), cudaSuccess);
	assert_int_equal(cudaEventElapsedTime(&milliseconds, start, end), cudaSuccess);
	assert_true(milliseconds >= 0);
	assert_int_equal(cudaEventElapsedTime(&milliseconds, start, silent), cudaErrorInvalidResourceHandle);
	assert_int_equal(cudaEventQuery(end), cudaSuccess);
	assert_int_equal(cudaEventDestroy(end), cudaSuccess);
	assert_int_equal(cudaEventDestroy(end), cudaErrorInvalidResourceHandle);
	assert_int_equal(cudaEventDestroy(start), cudaSuccess);
	assert_int_equal(cudaEventDestroy(silent), cudaSuccess);
}

static void test_textures_need_a_device_that_has_them(void **state)
{
	struct cudaResourceDesc resource = {.resType = cudaResourceTypeLinear};
	struct cudaTextureDesc texture = {.readMode = cudaReadModeElementType};
	cudaTextureObject_t object;

	(void)state;
	resource.res.linear.desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
	assert_int_equal(cudaCreateTextureObject(&object, &resource, &texture, NULL), cudaErrorInvalidValue);
	assert_int_equal(cudaMalloc(&resource.res.linear.devPtr, 64), cudaSuccess);
	resource.res.linear.sizeInBytes = 64;
	assert_int_equal(cudaCreateTextureObject(&object, &resource, &texture, NULL), cudaErrorNotSupported);
	resource.res.linear.desc.y = 16;
	assert_int_equal(cudaCreateTextureObject(&object, &resource, &texture, NULL),
			 cudaErrorInvalidChannelDescriptor);
	assert_int_equal(cudaDestroyTextureObject(99), cudaErrorInvalidValue);
	assert_int_equal(cudaDestroyTextureObject(0), cudaSuccess);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_last_error_is_given_once, program_setup),
	    cmocka_unit_test_setup(test_last_error_belongs_to_the_thread, program_setup),
	    cmocka_unit_test_setup(test_kernel_failures_stay, program_setup),
	    cmocka_unit_test_setup(test_refused_launches_do_not_stay, program_setup),
	    cmocka_unit_test_setup(test_errors_have_names, program_setup),
	    cmocka_unit_test_setup(test_there_is_one_device, program_setup),
	    cmocka_unit_test_setup(test_events_measure, program_setup),
	    cmocka_unit_test_setup(test_textures_need_a_device_that_has_them, program_setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
