/* Layouts and numbers that other compilers' programs rely on, as CUDA 12 and 13 publish them. */
#include "tests/runtime/api/program.h"

#include "runtime/api/cudart/property_layouts.h"
#include "runtime/include/cuda.h"

#include <string.h>

static void test_structs_have_the_published_size(void **state)
{
	(void)state;
	assert_int_equal(sizeof(struct cudaDeviceProp), 1032);
	assert_int_equal(offsetof(struct cudaDeviceProp, multiProcessorCount), 388);
	assert_int_equal(sizeof(struct device_prop_13), 1008);
	assert_int_equal(offsetof(struct device_prop_13, multiProcessorCount), 384);
	assert_int_equal(offsetof(struct device_prop_13, reserved), 784);
	assert_int_equal(sizeof(struct cudaFuncAttributes), 144);
	assert_int_equal(sizeof(cudaLaunchConfig_t), 56);
	assert_int_equal(sizeof(cudaLaunchAttribute), 72);
	assert_int_equal(sizeof(struct cudaMemcpy3DParms), 160);
	assert_int_equal(sizeof(struct cudaMemPoolProps), 88);
	assert_int_equal(sizeof(struct cudaTextureDesc), 72);
	assert_int_equal(offsetof(struct cudaTextureDesc, borderColor), 24);
	assert_int_equal(offsetof(struct cudaTextureDesc, seamlessCubemap), 68);
	assert_int_equal(offsetof(struct cudaResourceDesc, res.linear.sizeInBytes), 40);
	assert_int_equal(offsetof(struct cudaResourceDesc, res.pitch2D.pitchInBytes), 56);
	assert_int_equal(sizeof(CUDA_RESOURCE_DESC), 144);
	assert_int_equal(offsetof(CUDA_RESOURCE_DESC, res.pitch2D.pitchInBytes), 40);
	assert_int_equal(sizeof(CUDA_TEXTURE_DESC), 104);
	assert_int_equal(offsetof(CUDA_TEXTURE_DESC, borderColor), 40);
	assert_int_equal(sizeof(CUDA_MEMCPY2D), 128);
	assert_int_equal(offsetof(CUDA_MEMCPY2D, dstArray), 96);
	assert_int_equal(sizeof(CUDA_ARRAY_DESCRIPTOR), 24);
	assert_int_equal(sizeof(CUDA_ARRAY3D_DESCRIPTOR), 40);
}

static void test_every_layout_tells_the_same(void **state)
{
	struct cudaDeviceProp own, old;
	struct device_prop_13 new;
	int value;

	(void)state;
	memset(&old, 0x5a, sizeof old);
	assert_int_equal(cudaGetDeviceProperties(&own, 0), cudaSuccess);
	assert_int_equal(properties_11(&old, 0), cudaSuccess);
	assert_int_equal(properties_13(&new, 0), cudaSuccess);
	assert_string_equal(own.name, new.name);
	assert_memory_equal(&own, &old, offsetof(struct cudaDeviceProp, hostRegisterSupported));
	assert_int_equal(old.hostRegisterSupported, 0x5a5a5a5a);
	assert_int_equal(own.multiProcessorCount, new.multiProcessorCount);
	assert_int_equal(own.memoryPoolsSupported, new.memoryPoolsSupported);
	assert_int_equal(own.sharedMemPerBlockOptin, new.sharedMemPerBlockOptin);
	assert_int_equal(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
	assert_int_equal(value, own.multiProcessorCount);
	assert_int_equal(cudaGetDeviceProperties(&own, 1), cudaErrorInvalidDevice);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_structs_have_the_published_size, program_setup),
	    cmocka_unit_test_setup(test_every_layout_tells_the_same, program_setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
