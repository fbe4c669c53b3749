/* Memory pools and what they count, and copies in batches, by both APIs. */
#include "tests/runtime/api/program.h"

#include "runtime/include/cuda.h"

#include <string.h>

static uint64_t value_of(cudaMemPool_t pool, enum cudaMemPoolAttr attribute)
{
	uint64_t value = 0;

	assert_int_equal(cudaMemPoolGetAttribute(pool, attribute, &value), cudaSuccess);
	return value;
}

static cudaMemPool_t make_pool(void)
{
	const struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned,
					       .location = {cudaMemLocationTypeDevice, 0}};
	cudaMemPool_t pool;

	assert_int_equal(cudaMemPoolCreate(&pool, &props), cudaSuccess);
	return pool;
}

static void test_pools_are_of_this_device(void **state)
{
	struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned};
	CUmemoryPool pool;
	CUmemPoolProps none = {0};

	(void)state;
	assert_int_equal(cuMemPoolCreate(&pool, &none), CUDA_ERROR_INVALID_VALUE);
	assert_int_equal(cudaMemPoolCreate((cudaMemPool_t *)&pool, &props), cudaErrorInvalidValue);
	props.location.type = cudaMemLocationTypeHost;
	assert_int_equal(cudaMemPoolCreate((cudaMemPool_t *)&pool, &props), cudaErrorNotSupported);
	props.location = (struct cudaMemLocation){cudaMemLocationTypeDevice, 3};
	assert_int_equal(cudaMemPoolCreate((cudaMemPool_t *)&pool, &props), cudaErrorInvalidDevice);
	props.location.id = 0;
	props.handleTypes = cudaMemHandleTypePosixFileDescriptor;
	assert_int_equal(cudaMemPoolCreate((cudaMemPool_t *)&pool, &props), cudaErrorNotSupported);
}

/* Both ways to free memory of a pool give it back. */
static void test_pools_count_what_is_in_use(void **state)
{
	cudaMemPool_t pool = make_pool(), usual;
	uint64_t zero = 0, one = 1;
	void *a, *b;

	(void)state;
	assert_int_equal(cudaMallocFromPoolAsync(&a, 1000, pool, NULL), cudaSuccess);
	assert_int_equal(value_of(pool, cudaMemPoolAttrUsedMemCurrent), 1000);
	assert_int_equal(cudaMallocFromPoolAsync(&b, 500, pool, NULL), cudaSuccess);
	assert_int_equal(cudaFreeAsync(a, NULL), cudaSuccess);
	assert_int_equal(value_of(pool, cudaMemPoolAttrUsedMemCurrent), 500);
	assert_int_equal(value_of(pool, cudaMemPoolAttrReservedMemCurrent), 500);
	assert_int_equal(value_of(pool, cudaMemPoolAttrUsedMemHigh), 1500);
	assert_int_equal(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &one), cudaErrorInvalidValue);
	assert_int_equal(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &zero), cudaErrorInvalidValue);
	assert_int_equal(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero), cudaSuccess);
	assert_int_equal(value_of(pool, cudaMemPoolAttrUsedMemHigh), 500);
	assert_int_equal(cudaDeviceGetDefaultMemPool(&usual, 0), cudaSuccess);
	assert_int_equal(value_of(usual, cudaMemPoolAttrUsedMemCurrent), 0);
	assert_int_equal(cudaFree(b), cudaSuccess);
	assert_int_equal(value_of(pool, cudaMemPoolAttrUsedMemCurrent), 0);
	assert_int_equal(cudaMallocFromPoolAsync(&a, 8, pool, NULL), cudaSuccess);
	assert_int_equal(cudaMemPoolDestroy(pool), cudaSuccess);
	assert_int_equal(cudaFree(a), cudaSuccess);
}

static void test_pools_by_place(void **state)
{
	struct cudaMemLocation here = {cudaMemLocationTypeDevice, 0}, there = {cudaMemLocationTypeDevice, 1};
	cudaMemPool_t own = make_pool(), pool, usual;
	CUmemoryPool driver;

	(void)state;
	assert_int_equal(cudaMemGetDefaultMemPool(&usual, &here, cudaMemAllocationTypePinned), cudaSuccess);
	assert_int_equal(cudaMemGetMemPool(&pool, &there, cudaMemAllocationTypePinned), cudaErrorInvalidDevice);
	assert_int_equal(cudaMemSetMemPool(&here, cudaMemAllocationTypePinned, own), cudaSuccess);
	assert_int_equal(cudaMemGetMemPool(&pool, &here, cudaMemAllocationTypePinned), cudaSuccess);
	assert_ptr_equal(pool, own);
	assert_int_equal(cuDeviceGetMemPool(&driver, 0), CUDA_SUCCESS);
	assert_ptr_equal(driver, own);
	assert_int_equal(cuDeviceSetMemPool(0, (CUmemoryPool)usual), CUDA_SUCCESS);
	assert_int_equal(cuMemPoolDestroy((CUmemoryPool)own), CUDA_SUCCESS);
}

/* --- Batches --- */

static void test_copies_in_a_batch(void **state)
{
	char from[3][8] = {"one", "two", "three"}, *device, back[3][8] = {{0}};
	struct cudaMemcpyAttributes attributes = {.srcAccessOrder = cudaMemcpySrcAccessOrderStream};
	size_t sizes[3] = {8, 8, 8}, first = 0, second = 1;
	void *to[3], *there[3];
	const void *sources[3];

	(void)state;
	assert_int_equal(cudaMalloc((void **)&device, 64), cudaSuccess);
	for (int i = 0; i < 3; i++) {
		to[i] = device + 16 * i;
		sources[i] = from[i];
		there[i] = back[i];
	}
	assert_int_equal(cudaMemcpyBatchAsync(to, sources, sizes, 3, &attributes, &first, 1, NULL), cudaSuccess);
	assert_int_equal(cuMemcpyBatchAsync((CUdeviceptr *)there, (CUdeviceptr *)to, sizes, 3,
					    (CUmemcpyAttributes *)&attributes, &first, 1, NULL),
			 CUDA_SUCCESS);
	assert_memory_equal(from, back, sizeof from);
	assert_int_equal(cudaMemcpyBatchAsync(to, sources, sizes, 3, &attributes, &second, 1, NULL),
			 cudaErrorInvalidValue);
	attributes.srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
	assert_int_equal(cudaMemcpyBatchAsync(to, sources, sizes, 3, &attributes, &first, 1, NULL),
			 cudaErrorInvalidValue);
	assert_int_equal(cudaFree(device), cudaSuccess);
}

/* Two rows of three layers, out of rows of 8 and layers of 4 rows. */
static void test_boxes_in_a_batch(void **state)
{
	unsigned char from[3][4][8], *device, back[3][2][5] = {{{0}}};
	struct cudaMemcpy3DBatchOp op = {.extent = {5, 2, 3}, .srcAccessOrder = cudaMemcpySrcAccessOrderStream};

	(void)state;
	for (size_t i = 0; i < sizeof from; i++)
		((unsigned char *)from)[i] = (unsigned char)i;
	assert_int_equal(cudaMalloc((void **)&device, sizeof back), cudaSuccess);
	op.src.type = op.dst.type = cudaMemcpyOperandTypePointer;
	op.src.op.ptr.ptr = from;
	op.src.op.ptr.rowLength = 8;
	op.src.op.ptr.layerHeight = 4;
	op.dst.op.ptr.ptr = device;
	assert_int_equal(cudaMemcpy3DBatchAsync(1, &op, 0, NULL), cudaSuccess);
	assert_int_equal(cudaMemcpy(back, device, sizeof back, cudaMemcpyDeviceToHost), cudaSuccess);
	for (int z = 0; z < 3; z++)
		for (int y = 0; y < 2; y++)
			assert_memory_equal(back[z][y], from[z][y], 5);
	op.dst.type = 7;
	assert_int_equal(cudaMemcpy3DBatchAsync(1, &op, 0, NULL), cudaErrorInvalidValue);
	assert_int_equal(cudaFree(device), cudaSuccess);
}

static void test_values_of_streams(void **state)
{
	CUdeviceptr address;
	uint32_t small = 0;
	uint64_t large = 0;

	(void)state;
	assert_int_equal(cuMemAlloc(&address, 64), CUDA_SUCCESS);
	assert_int_equal(cuStreamWriteValue32(NULL, address + 4, 7, 0), CUDA_SUCCESS);
	assert_int_equal(cuStreamWriteValue64(NULL, address + 8, UINT64_C(1) << 40, 0), CUDA_SUCCESS);
	assert_int_equal(cuStreamWriteValue64(NULL, address + 4, 1, 0), CUDA_ERROR_INVALID_VALUE);
	assert_int_equal(cuMemcpyDtoH(&small, address + 4, 4), CUDA_SUCCESS);
	assert_int_equal(cuMemcpyDtoH(&large, address + 8, 8), CUDA_SUCCESS);
	assert_int_equal(small, 7);
	assert_true(large == UINT64_C(1) << 40);
	assert_int_equal(cuMemFree(address), CUDA_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_pools_are_of_this_device, program_setup),
	    cmocka_unit_test_setup(test_pools_count_what_is_in_use, program_setup),
	    cmocka_unit_test_setup(test_pools_by_place, program_setup),
	    cmocka_unit_test_setup(test_copies_in_a_batch, program_setup),
	    cmocka_unit_test_setup(test_boxes_in_a_batch, program_setup),
	    cmocka_unit_test_setup(test_values_of_streams, program_setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
