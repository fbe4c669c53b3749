/* Allocation, copies and fills of every shape, module variables, and what cudaDeviceReset takes back. */
#include "tests/runtime/api/program.h"

#include "runtime/include/cuda.h"

#include <string.h>

static void test_allocates_and_frees(void **state)
{
	void *a, *nothing = &a;

	(void)state;
	assert_int_equal(cudaMalloc(&a, 100), cudaSuccess);
	assert_non_null(a);
	assert_int_equal(mock.live_allocations, 1);
	assert_int_equal(cudaFree((char *)a + 8), cudaErrorInvalidValue);
	assert_int_equal(cudaFree(a), cudaSuccess);
	assert_int_equal(cudaFree(a), cudaErrorInvalidValue);
	assert_int_equal(cudaFree(NULL), cudaSuccess);
	assert_int_equal(cudaMalloc(&nothing, 0), cudaSuccess);
	assert_null(nothing);
	assert_int_equal(cudaMalloc(&nothing, (size_t)1 << 40), cudaErrorMemoryAllocation);
	assert_null(nothing);
	assert_int_equal(cudaMalloc(NULL, 4), cudaErrorInvalidValue);
	assert_int_equal(mock.live_allocations, 0);
}

static void test_tells_kinds_of_memory_apart(void **state)
{
	struct cudaPointerAttributes attributes;
	void *device, *managed, *pinned, *mapped;
	unsigned flags;
	int own;

	(void)state;
	assert_int_equal(cudaMalloc(&device, 64), cudaSuccess);
	assert_int_equal(cudaMallocManaged(&managed, 64, cudaMemAttachGlobal), cudaSuccess);
	assert_int_equal(cudaHostAlloc(&pinned, 64, cudaHostAllocMapped), cudaSuccess);
	assert_int_equal(cudaPointerGetAttributes(&attributes, (char *)device + 5), cudaSuccess);
	assert_int_equal(attributes.type, cudaMemoryTypeDevice);
	assert_null(attributes.hostPointer);
	assert_int_equal(cudaPointerGetAttributes(&attributes, managed), cudaSuccess);
	assert_int_equal(attributes.type, cudaMemoryTypeManaged);
	assert_ptr_equal(attributes.hostPointer, managed);
	assert_int_equal(cudaPointerGetAttributes(&attributes, pinned), cudaSuccess);
	assert_int_equal(attributes.type, cudaMemoryTypeHost);
	assert_int_equal(cudaPointerGetAttributes(&attributes, &own), cudaSuccess);
	assert_int_equal(attributes.type, cudaMemoryTypeUnregistered);
	assert_int_equal(cudaHostGetFlags(&flags, pinned), cudaSuccess);
	assert_int_equal(flags, cudaHostAllocMapped);
	assert_int_equal(cudaHostGetDevicePointer(&mapped, pinned, 0), cudaSuccess);
	assert_int_equal(cudaHostGetDevicePointer(&mapped, &own, 0), cudaErrorInvalidValue);
	assert_int_equal(cudaHostRegister(&own, sizeof own, 0), cudaSuccess);
	assert_int_equal(cudaHostRegister(&own, sizeof own, 0), cudaErrorHostMemoryAlreadyRegistered);
	assert_int_equal(cudaHostUnregister(&own), cudaSuccess);
	assert_int_equal(cudaHostUnregister(&own), cudaErrorHostMemoryNotRegistered);
	assert_int_equal(cudaFreeHost(pinned), cudaSuccess);
}

static void test_copies_rows_with_pitch(void **state)
{
	unsigned char from[6][10], to[6][10] = {{0}};
	size_t pitch;
	void *device;

	(void)state;
	for (int y = 0; y < 6; y++)
		for (int x = 0; x < 10; x++)
			from[y][x] = (unsigned char)(y * 16 + x);
	assert_int_equal(cudaMallocPitch(&device, &pitch, 10, 6), cudaSuccess);
	assert_true(pitch >= 10 && pitch % 32 == 0);
	assert_int_equal(cudaMemset2D(device, pitch, 0xee, 10, 6), cudaSuccess);
	assert_int_equal(cudaMemcpy2D((char *)device + 2, pitch, &from[1][3], 10, 5, 4, cudaMemcpyHostToDevice),
			 cudaSuccess);
	assert_int_equal(cudaMemcpy2D(to, 10, device, pitch, 10, 6, cudaMemcpyDeviceToHost), cudaSuccess);
	for (int y = 0; y < 6; y++)
		for (int x = 0; x < 10; x++)
			assert_int_equal(to[y][x], y < 4 && x >= 2 && x < 7 ? from[y + 1][x + 1] : 0xee);
	assert_int_equal(cudaMemcpy2D(to, 4, device, pitch, 10, 6, cudaMemcpyDeviceToHost), cudaErrorInvalidPitchValue);
}

static void test_copies_boxes(void **state)
{
	int from[2][3][4], to[2][3][4] = {{{0}}};
	struct cudaMemcpy3DParms p = {0};
	struct cudaPitchedPtr box;

	(void)state;
	for (int i = 0; i < 24; i++)
		((int *)from)[i] = i + 1;
	assert_int_equal(cudaMalloc3D(&box, make_cudaExtent(sizeof from[0][0], 3, 2)), cudaSuccess);
	assert_int_equal(cudaMemset3D(box, 0, make_cudaExtent(sizeof from[0][0], 3, 2)), cudaSuccess);
	p.srcPtr = make_cudaPitchedPtr(from, sizeof from[0][0], sizeof from[0][0], 3);
	p.dstPtr = box;
	p.dstPos = make_cudaPos(4, 1, 0);
	p.extent = make_cudaExtent(8, 2, 2);
	p.kind = cudaMemcpyHostToDevice;
	assert_int_equal(cudaMemcpy3D(&p), cudaSuccess);
	p = (struct cudaMemcpy3DParms){
	    .srcPtr = box, .extent = make_cudaExtent(sizeof from[0][0], 3, 2), .kind = cudaMemcpyDeviceToHost};
	p.dstPtr = make_cudaPitchedPtr(to, sizeof to[0][0], sizeof to[0][0], 3);
	assert_int_equal(cudaMemcpy3D(&p), cudaSuccess);
	for (int z = 0; z < 2; z++)
		for (int y = 0; y < 3; y++)
			for (int x = 0; x < 4; x++)
				assert_int_equal(to[z][y][x], y && (x == 1 || x == 2) ? from[z][y - 1][x - 1] : 0);
	p.dstPtr.ptr = NULL;
	assert_int_equal(cudaMemcpy3D(&p), cudaErrorInvalidValue);
}

static void test_copies_through_arrays(void **state)
{
	struct cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
	float from[3][5], to[3][5] = {{0}};
	struct cudaExtent extent;
	cudaArray_t array;

	(void)state;
	for (int i = 0; i < 15; i++)
		((float *)from)[i] = (float)i;
	assert_int_equal(cudaMallocArray(&array, &format, 5, 3, 0), cudaSuccess);
	assert_int_equal(cudaArrayGetInfo(&format, &extent, NULL, array), cudaSuccess);
	assert_int_equal(extent.width, 5);
	assert_int_equal(extent.height, 3);
	assert_int_equal(
	    cudaMemcpy2DToArray(array, 0, 0, from, sizeof from[0], sizeof from[0], 3, cudaMemcpyHostToDevice),
	    cudaSuccess);
	assert_int_equal(cudaMemcpyFromArray(to, array, 0, 0, sizeof to, cudaMemcpyDeviceToHost), cudaSuccess);
	assert_memory_equal(from, to, sizeof from);
	assert_int_equal(cudaFreeArray(array), cudaSuccess);
}

/* A run of bytes fills a row's rest and goes on in the next one, in arrays of different widths. */
static void test_copies_runs_between_arrays(void **state)
{
	struct cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
	int from[15], to[14] = {0}, window[2][2];
	cudaArray_t narrow, wide;

	(void)state;
	for (int i = 0; i < 15; i++)
		from[i] = i;
	assert_int_equal(cudaMallocArray(&narrow, &format, 5, 3, 0), cudaSuccess);
	assert_int_equal(cudaMallocArray(&wide, &format, 7, 2, 0), cudaSuccess);
	assert_int_equal(cudaMemcpyToArrayAsync(narrow, 0, 0, from, sizeof from, cudaMemcpyHostToDevice, NULL),
			 cudaSuccess);
	assert_int_equal(cudaMemcpyArrayToArray(wide, 8, 0, narrow, 4, 0, 48, cudaMemcpyDeviceToDevice), cudaSuccess);
	assert_int_equal(cudaMemcpyFromArrayAsync(to + 2, wide, 8, 0, 48, cudaMemcpyDeviceToHost, NULL), cudaSuccess);
	for (int i = 2; i < 14; i++)
		assert_int_equal(to[i], i - 1);
	assert_int_equal(cudaMemcpy2DFromArrayAsync(window, 8, wide, 20, 0, 8, 2, cudaMemcpyDeviceToHost, NULL),
			 cudaSuccess);
	assert_int_equal(window[0][0], 4);
	assert_int_equal(window[1][1], 12);
	assert_int_equal(cudaMemcpyArrayToArray(wide, 12, 0, narrow, 4, 0, 48, cudaMemcpyDeviceToDevice),
			 cudaErrorInvalidValue);
	assert_int_equal(cudaMemcpyArrayToArray(wide, 0, 0, narrow, 16, 2, 8, cudaMemcpyDeviceToDevice),
			 cudaErrorInvalidValue);
	assert_int_equal(cudaFreeArray(narrow), cudaSuccess);
	assert_int_equal(cudaFreeArray(wide), cudaSuccess);
}

/* Each of these would wrap around to an address that is there. */
static void test_refuses_positions_that_overflow(void **state)
{
	char host[1024] = {0};
	struct cudaMemcpy3DParms box = {.kind = cudaMemcpyHostToDevice, .extent = {16, 2, 2}};
	struct cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
	cudaArray_t array;
	void *memory;

	(void)state;
	assert_int_equal(cudaMalloc(&memory, 1024), cudaSuccess);
	box.srcPtr = make_cudaPitchedPtr(host, 32, 32, 4);
	box.dstPtr = make_cudaPitchedPtr(memory, 32, 32, 4);
	assert_int_equal(cudaMemcpy3D(&box), cudaSuccess);
	box.srcPos = make_cudaPos(0, (size_t)1 << 59, 0);
	assert_int_equal(cudaMemcpy3D(&box), cudaErrorInvalidValue);
	box.srcPos = make_cudaPos(0, 0, (size_t)1 << 57);
	assert_int_equal(cudaMemcpy3D(&box), cudaErrorInvalidValue);
	box.srcPos = make_cudaPos(0, 0, 0);
	box.dstPos = make_cudaPos((size_t)-8, 0, 0);
	assert_int_equal(cudaMemcpy3D(&box), cudaErrorInvalidValue);
	box.dstPos = make_cudaPos(0, 0, 0);
	box.dstPtr.ysize = (size_t)1 << 59;
	assert_int_equal(cudaMemcpy3D(&box), cudaErrorInvalidValue);
	assert_int_equal(cudaMemset3D(box.dstPtr, 0, make_cudaExtent(16, 2, 2)), cudaErrorInvalidValue);

	box.dstPtr.ysize = 4;
	assert_int_equal(cudaMallocArray(&array, &format, 16, 16, 0), cudaSuccess);
	box.dstArray = array;
	box.extent = make_cudaExtent(4, 2, 1);
	assert_int_equal(cudaMemcpy3D(&box), cudaErrorInvalidValue); /* into memory or the array? */
	box.dstPtr.ptr = NULL;
	assert_int_equal(cudaMemcpy3D(&box), cudaSuccess);
	assert_int_equal(cudaFreeArray(array), cudaSuccess);
	assert_int_equal(cudaFree(memory), cudaSuccess);
}

/* A number of levels below 1 or above all becomes the nearest valid number. */
static void test_mipmaps_have_one_to_all_levels(void **state)
{
	const unsigned asked[] = {0, 1, 4, 99}, given[] = {1, 1, 4, 5};
	struct cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
	cudaMipmappedArray_t mipmap;
	cudaArray_t level;

	(void)state;
	for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
		assert_int_equal(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(16, 16, 0), asked[i], 0),
				 cudaSuccess);
		assert_int_equal(cudaGetMipmappedArrayLevel(&level, mipmap, given[i] - 1), cudaSuccess);
		assert_int_equal(cudaGetMipmappedArrayLevel(&level, mipmap, given[i]), cudaErrorInvalidValue);
		assert_int_equal(cudaFreeMipmappedArray(mipmap), cudaSuccess);
	}
}

/* Copies outside an array, and invalid sizes, are refused, and the allocations beside it stay unchanged. */
static void test_refuses_what_does_not_fit(void **state)
{
	struct cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
	enum cudaMemcpyKind up = cudaMemcpyHostToDevice;
	struct cudaMemcpy3DParms box = {.kind = up, .extent = {16, 1, 1}};
	struct cudaPitchedPtr pitched;
	cudaArray_t array;
	float host[16 * 16] = {0};
	void *memory;
	size_t pitch;

	(void)state;
	assert_int_equal(cudaMallocArray(&array, &format, 16, 16, 0), cudaSuccess);
	assert_int_equal(cudaMemcpy2DToArray(array, 0, 15, host, 64, 64, 1, up), cudaSuccess);
	assert_int_equal(cudaMemcpy2DToArray(array, 0, 15, host, 64, 64, 2, up), cudaErrorInvalidValue);
	assert_int_equal(cudaMemcpy2DToArray(array, 4, 0, host, 64, 64, 1, up), cudaErrorInvalidValue);
	assert_int_equal(cudaMemcpy2DToArray(array, 0, (size_t)-1, host, 64, 64, 1, up), cudaErrorInvalidValue);
	assert_int_equal(cudaMemcpy2DFromArray(host, 64, array, 0, 9, 64, 8, cudaMemcpyDeviceToHost),
			 cudaErrorInvalidValue);
	assert_int_equal(cudaMemcpyToArray(array, 0, 15, host, 65, up), cudaErrorInvalidValue);
	assert_int_equal(cudaMemcpyToArray(array, 0, 14, host, 128, up), cudaSuccess);
	box.srcPtr = make_cudaPitchedPtr(host, 64, 16, 16);
	box.dstArray = array;
	assert_int_equal(cudaMemcpy3D(&box), cudaSuccess);
	box.dstPos.x = 1;
	assert_int_equal(cudaMemcpy3D(&box), cudaErrorInvalidValue);
	box.dstPos.x = (size_t)1 << 62;
	assert_int_equal(cudaMemcpy3D(&box), cudaErrorInvalidValue);
	assert_int_equal(cudaFreeArray(array), cudaSuccess);

	assert_int_equal(cudaMallocPitch(&memory, &pitch, (size_t)-1, (size_t)-1), cudaErrorMemoryAllocation);
	assert_int_equal(cudaMallocPitch(&memory, &pitch, 1024, (size_t)1 << 60), cudaErrorMemoryAllocation);
	assert_int_equal(cudaMalloc3D(&pitched, make_cudaExtent((size_t)1 << 40, (size_t)1 << 40, (size_t)1 << 40)),
			 cudaErrorMemoryAllocation);
	assert_int_equal(cudaMallocArray(&array, &format, (size_t)1 << 62, 4, 0), cudaErrorInvalidValue);

	assert_int_equal(cudaMalloc(&memory, 256), cudaSuccess);
	assert_int_equal(cudaMemcpy2D(memory, (size_t)1 << 63, host, 64, 64, 3, up), cudaErrorInvalidValue);
	assert_int_equal(cudaMemcpy2D(memory, (size_t)1 << 40, host, 64, 64, 3, up), cudaErrorInvalidValue);
	assert_int_equal(cudaMemset2D(memory, (size_t)1 << 62, 0, 64, 5), cudaErrorInvalidValue);
	assert_int_equal(cudaMemset(memory, 0, 257), cudaErrorInvalidValue);
	assert_int_equal(cudaMemset((char *)memory + 255, 0, 1), cudaSuccess);
	assert_int_equal(cudaMemset(host, 0, sizeof host), cudaErrorInvalidValue);
	assert_int_equal(cudaHostRegister(host, sizeof host, 0), cudaSuccess);
	assert_int_equal(cudaMemset(host + 1, 0, sizeof host - 4), cudaSuccess);
	assert_int_equal(cudaMemset(host + 1, 0, sizeof host), cudaErrorInvalidValue);
	assert_int_equal(cudaHostUnregister(host), cudaSuccess);
	assert_int_equal(cudaMemcpy(memory, (void *)64, 8, up), cudaErrorInvalidValue);
	assert_int_equal(cudaMemcpy(memory, (void *)0x10, 8, cudaMemcpyDefault), cudaErrorInvalidValue);
	assert_int_equal(cudaMemset((void *)0x10, 0, 8), cudaErrorInvalidValue);
	assert_int_equal(cudaFree(memory), cudaSuccess);
}

/* Where the direction says device, memory of the host is refused, in every shape of copy and in both APIs. */
static void test_device_ends_are_on_the_device(void **state)
{
	const enum cudaMemcpyKind up = cudaMemcpyHostToDevice, down = cudaMemcpyDeviceToHost;
	const enum cudaMemcpyKind across = cudaMemcpyDeviceToDevice;
	char host[64] = {0}, other[64] = {0};
	void *memory;

	(void)state;
	assert_int_equal(cudaMalloc(&memory, 64), cudaSuccess);
	assert_int_equal(cudaMemcpy(memory, host, 64, across), cudaErrorInvalidValue);
	assert_int_equal(cudaMemcpy(host, memory, 64, across), cudaErrorInvalidValue);
	assert_int_equal(cudaMemcpy(other, host, 64, across), cudaErrorInvalidValue);
	assert_int_equal(cudaMemcpyPeer(memory, 0, host, 0, 64), cudaErrorInvalidValue);
	assert_int_equal(cudaMemcpy(other, host, 64, up), cudaErrorInvalidValue);
	assert_int_equal(cudaMemcpy(other, host, 64, down), cudaErrorInvalidValue);
	assert_int_equal(cudaMemcpy2D(memory, 8, host, 8, 8, 8, across), cudaErrorInvalidValue);
	assert_int_equal(cudaMemcpyToSymbol(&table, host, 64, 0, across), cudaErrorInvalidValue);
	assert_int_equal(cudaMemcpy(memory, host, 64, cudaMemcpyDefault), cudaSuccess);
	assert_int_equal(cudaMemcpy(other, host, 64, cudaMemcpyHostToHost), cudaSuccess);
	assert_int_equal(cudaMemcpy(memory, memory, 64, across), cudaSuccess);
	assert_int_equal(cudaHostRegister(host, sizeof host, 0), cudaSuccess);
	assert_int_equal(cudaMemcpy(memory, host, 64, across), cudaSuccess);
	assert_int_equal(cudaHostUnregister(host), cudaSuccess);
	assert_int_equal(cuMemsetD8((uintptr_t)host, 1, 8), CUDA_ERROR_INVALID_VALUE);
	assert_int_equal(cuMemsetD32(64, 1, 8), CUDA_ERROR_INVALID_VALUE);
	assert_int_equal(cuMemsetD16((uintptr_t)memory, 1, SIZE_MAX / 2 + 2), CUDA_ERROR_INVALID_VALUE);
	assert_int_equal(cuMemsetD2D32((uintptr_t)memory, SIZE_MAX, 1, 4, 4), CUDA_ERROR_INVALID_VALUE);
	assert_int_equal(cuMemcpyDtoH(other, 0x10, 8), CUDA_ERROR_INVALID_VALUE);
	assert_int_equal(cudaFree(memory), cudaSuccess);
}

/* More than there is, or than a number holds: an error from every way to ask for memory. */
static void test_sizes_beyond_memory_are_errors(void **state)
{
	static const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 255, (size_t)1 << 63, (size_t)1 << 40};
	struct cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 32, 32, 32, cudaChannelFormatKindFloat);
	struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned,
					 .location = {cudaMemLocationTypeDevice, 0}};
	cudaMipmappedArray_t mipmap;
	struct cudaPitchedPtr box;
	cudaArray_t array;
	cudaMemPool_t pool;
	CUdeviceptr address;
	size_t pitch;
	void *p;

	(void)state;
	assert_int_equal(cudaMemPoolCreate(&pool, &props), cudaSuccess);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		const size_t n = sizes[i];
		const struct cudaExtent extents[] = {{n, 1, 1}, {1, n, 1}, {1, 1, n}, {n, n, n}, {4, n, n}};

		assert_int_equal(cudaMalloc(&p, n), cudaErrorMemoryAllocation);
		assert_int_equal(cudaMallocManaged(&p, n, cudaMemAttachGlobal), cudaErrorMemoryAllocation);
		assert_int_equal(cudaHostAlloc(&p, n, 0), cudaErrorMemoryAllocation);
		assert_int_equal(cudaMallocHost(&p, n), cudaErrorMemoryAllocation);
		assert_int_equal(cudaMallocAsync(&p, n, NULL), cudaErrorMemoryAllocation);
		assert_int_equal(cudaMallocFromPoolAsync(&p, n, pool, NULL), cudaErrorMemoryAllocation);
		assert_int_equal(cudaMallocPitch(&p, &pitch, n, n), cudaErrorMemoryAllocation);
		assert_int_equal(cuMemAlloc(&address, n), CUDA_ERROR_OUT_OF_MEMORY);
		assert_int_equal(cuMemAllocPitch(&address, &pitch, n, 1, 4), CUDA_ERROR_OUT_OF_MEMORY);
		assert_int_equal(cuMemAllocManaged(&address, n, 1), CUDA_ERROR_OUT_OF_MEMORY);
		assert_int_equal(cuMemAllocAsync(&address, n, NULL), CUDA_ERROR_OUT_OF_MEMORY);
		assert_int_equal(cuMemHostAlloc(&p, n, 0), CUDA_ERROR_OUT_OF_MEMORY);
		for (size_t k = 0; k < sizeof extents / sizeof *extents; k++) {
			assert_int_equal(cudaMalloc3D(&box, extents[k]), cudaErrorMemoryAllocation);
			assert_int_equal(cudaMalloc3DArray(&array, &format, extents[k], 0), cudaErrorInvalidValue);
			assert_int_equal(cudaMallocMipmappedArray(&mipmap, &format, extents[k], 4, 0),
					 cudaErrorInvalidValue);
		}
	}
	assert_int_equal(cudaMemPoolDestroy(pool), cudaSuccess);
	assert_int_equal(mock.live_allocations, 0);
}

static void test_reaches_module_variables(void **state)
{
	int values[4] = {1, 2, 3, 4}, back[2] = {0};
	size_t size;
	void *address;

	(void)state;
	assert_int_equal(cudaMemcpyToSymbol(&table, values, sizeof values, 8, cudaMemcpyHostToDevice), cudaSuccess);
	assert_int_equal(cudaMemcpyFromSymbol(back, &table, sizeof back, 12, cudaMemcpyDeviceToHost), cudaSuccess);
	assert_int_equal(back[0], 2);
	assert_int_equal(back[1], 3);
	assert_int_equal(cudaGetSymbolSize(&size, &table), cudaSuccess);
	assert_int_equal(size, 64);
	assert_int_equal(cudaGetSymbolAddress(&address, &table), cudaSuccess);
	assert_int_equal(cudaMemcpyToSymbol(&table, values, 16, 56, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
	assert_int_equal(cudaGetSymbolAddress(&address, values), cudaErrorInvalidSymbol);
}

static void test_reset_takes_everything_back(void **state)
{
	void *a, *b;

	(void)state;
	assert_int_equal(cudaMalloc(&a, 100), cudaSuccess);
	assert_int_equal(cudaMallocManaged(&b, 100, cudaMemAttachGlobal), cudaSuccess);
	assert_int_equal(cudaLaunchKernel(&scale_stub, (dim3){1, 1, 1}, (dim3){1, 1, 1}, scale_arguments(), 0, NULL),
			 cudaSuccess);
	assert_int_equal(mock.loads, 1);
	assert_int_equal(cudaDeviceReset(), cudaSuccess);
	assert_int_equal(mock.live_allocations, 0);
	assert_int_equal(mock.unloads, 1);
	assert_int_equal(cudaFree(a), cudaErrorInvalidValue);
	assert_int_equal(cudaLaunchKernel(&scale_stub, (dim3){1, 1, 1}, (dim3){1, 1, 1}, scale_arguments(), 0, NULL),
			 cudaSuccess);
	assert_int_equal(mock.loads, 2);
}

static void test_pools_are_memory(void **state)
{
	struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned,
					 .location = {cudaMemLocationTypeDevice, 0}};
	uint64_t threshold = 4096, back = 0;
	cudaMemPool_t pool;
	void *a;

	(void)state;
	assert_int_equal(cudaMemPoolCreate(&pool, &props), cudaSuccess);
	assert_int_equal(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold), cudaSuccess);
	assert_int_equal(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &back), cudaSuccess);
	assert_int_equal(back, threshold);
	assert_int_equal(cudaMallocFromPoolAsync(&a, 100, pool, NULL), cudaSuccess);
	assert_int_equal(cudaFreeAsync(a, NULL), cudaSuccess);
	assert_int_equal(cudaMemPoolDestroy(pool), cudaSuccess);
	assert_int_equal(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
	assert_int_equal(cudaMemPoolDestroy(pool), cudaErrorInvalidValue);
}

/* romark.h looks for these by name. */
int romark_runtime_region(void *ptr, size_t size, void *stream);
int romark_runtime_region_end(void *ptr, void *stream);

static void test_regions_divide_allocations(void **state)
{
	cudaStream_t none = (cudaStream_t)state;
	char *arena, own[512];

	assert_int_equal(cudaMalloc((void **)&arena, 4096), cudaSuccess);
	assert_int_equal(romark_runtime_region(arena + 1024, 1000, NULL), cudaSuccess);
	assert_int_equal(romark_runtime_region(arena + 1024, 256, NULL), cudaErrorInvalidValue);
	assert_int_equal(romark_runtime_region(arena + 2048, 256, none), cudaErrorInvalidResourceHandle);
	assert_int_equal(romark_runtime_region(arena, 4097, NULL), cudaErrorInvalidValue);
	assert_int_equal(romark_runtime_region(own, 256, NULL), cudaErrorInvalidValue);
	assert_int_equal(cudaGetLastError(), cudaErrorInvalidValue);
	assert_int_equal(romark_runtime_region_end(arena, NULL), cudaErrorInvalidValue);
	assert_int_equal(romark_runtime_region_end(arena + 1024, NULL), cudaSuccess);
	assert_int_equal(romark_runtime_region_end(arena + 1024, NULL), cudaErrorInvalidValue);
	assert_int_equal(romark_runtime_region(arena, 4096, NULL), cudaSuccess);
	assert_int_equal(cudaFree(arena), cudaSuccess);
	assert_int_equal(romark_runtime_region_end(arena, NULL), cudaErrorInvalidValue);
	assert_int_equal(cudaMalloc((void **)&arena, 4096), cudaSuccess);
	assert_int_equal(romark_runtime_region(arena, 4096, NULL), cudaSuccess);
	assert_int_equal(cudaDeviceReset(), cudaSuccess);
	assert_int_equal(romark_runtime_region_end(arena, NULL), cudaErrorInvalidValue);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_allocates_and_frees, program_setup),
	    cmocka_unit_test_setup(test_tells_kinds_of_memory_apart, program_setup),
	    cmocka_unit_test_setup(test_copies_rows_with_pitch, program_setup),
	    cmocka_unit_test_setup(test_copies_boxes, program_setup),
	    cmocka_unit_test_setup(test_copies_through_arrays, program_setup),
	    cmocka_unit_test_setup(test_mipmaps_have_one_to_all_levels, program_setup),
	    cmocka_unit_test_setup(test_copies_runs_between_arrays, program_setup),
	    cmocka_unit_test_setup(test_refuses_positions_that_overflow, program_setup),
	    cmocka_unit_test_setup(test_refuses_what_does_not_fit, program_setup),
	    cmocka_unit_test_setup(test_device_ends_are_on_the_device, program_setup),
	    cmocka_unit_test_setup(test_sizes_beyond_memory_are_errors, program_setup),
	    cmocka_unit_test_setup(test_reaches_module_variables, program_setup),
	    cmocka_unit_test_setup(test_reset_takes_everything_back, program_setup),
	    cmocka_unit_test_setup(test_pools_are_memory, program_setup),
	    cmocka_unit_test_setup(test_regions_divide_allocations, program_setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
