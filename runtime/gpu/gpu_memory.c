/*
 * The GPU device's memory. Allocations are sorted by address, since the guards look up which allocation a pointer leads
 * to. Each is a byte longer than the program wants. So a pointer to its end is never the start of the next one, and the
 * right allocation guards code that reads backwards from an end.
 */
#include "runtime/gpu/gpu_device.h"

#include "common/xalloc.h"

#include <stdlib.h>
#include <string.h>

/* Index of the first allocation that ends behind `address`. */
static size_t lower_bound(const struct device *dev, uint64_t address)
{
	size_t low = 0, high = dev->allocations.len;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct gpu_allocation *a = &dev->allocations.data[middle];

		if (a->address + a->size <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct gpu_allocation *gpu_allocation(const struct device *dev, uint64_t address)
{
	size_t i = lower_bound(dev, address);

	if (i == dev->allocations.len || dev->allocations.data[i].address > address)
		return NULL;
	return &dev->allocations.data[i];
}

bool gpu_find(struct device *dev, uint64_t address, uint64_t *base, size_t *size)
{
	const struct gpu_allocation *a = gpu_allocation(dev, address);

	if (!a || address == a->address + a->size - 1)
		return false;
	*base = a->address;
	*size = a->size - 1;
	return true;
}

static void remember(struct device *dev, uint64_t address, size_t size, enum gpu_memory kind)
{
	struct gpu_allocation added = {address, size, kind};
	size_t at = lower_bound(dev, address);

	vec_push(&dev->allocations, added);
	memmove(&dev->allocations.data[at + 1], &dev->allocations.data[at],
		(dev->allocations.len - 1 - at) * sizeof added);
	dev->allocations.data[at] = added;
	dev->changes++;
}

enum device_status gpu_alloc(struct device *dev, size_t size, const char *name, uint64_t *address)
{
	GPU_CONTEXT(dev);
	CUdeviceptr pointer;
	CUresult result = size < SIZE_MAX ? dev->lib.cuMemAlloc_v2(&pointer, size + 1) : CUDA_ERROR_OUT_OF_MEMORY;

	(void)name;
	if (result != CUDA_SUCCESS)
		return gpu_status(dev, result, "allocation", NULL);
	*address = pointer;
	remember(dev, pointer, size + 1, GPU_MEMORY_DEVICE);
	return DEVICE_OK;
}

/*
 * Libcuda would promise more managed memory than the GPU has, and move pages to and fro; GPUs have been seen to hang
 * over that. Programs that need it are better off with an error.
 */
static enum device_status check_managed(struct device *dev, size_t size, struct diag *d)
{
	size_t free_bytes = 0, total_bytes;
	CUresult result = dev->lib.cuMemGetInfo_v2(&free_bytes, &total_bytes);

	if (result != CUDA_SUCCESS)
		return gpu_status(dev, result, "allocation", NULL);
	if (size < free_bytes)
		return DEVICE_OK;
	diag_file(d, NULL,
		  "%zu MiB of managed memory are more than the GPU has free (%zu MiB); romark does not "
		  "oversubscribe it",
		  size >> 20, free_bytes >> 20);
	return DEVICE_OUT_OF_MEMORY;
}

enum device_status gpu_alloc_shared(struct device *dev, size_t size, bool managed, uint64_t *address, struct diag *d)
{
	GPU_CONTEXT(dev);
	enum device_status status = managed ? check_managed(dev, size, d) : DEVICE_OK;
	CUresult result = CUDA_ERROR_OUT_OF_MEMORY;
	CUdeviceptr pointer = 0;
	void *host = NULL;

	if (status != DEVICE_OK)
		return status;
	if (size < SIZE_MAX && managed)
		result = dev->lib.cuMemAllocManaged(&pointer, size + 1, CU_MEM_ATTACH_GLOBAL);
	else if (size < SIZE_MAX)
		result = dev->lib.cuMemHostAlloc(&host, size + 1, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP);
	if (result != CUDA_SUCCESS)
		return gpu_status(dev, result, "allocation", NULL);
	*address = managed ? pointer : (uintptr_t)host;
	remember(dev, *address, size + 1, managed ? GPU_MEMORY_MANAGED : GPU_MEMORY_PINNED);
	return DEVICE_OK;
}

enum device_status gpu_release(struct device *dev, uint64_t address)
{
	GPU_CONTEXT(dev);
	size_t i = lower_bound(dev, address);
	CUresult result;

	if (gpu_array_at(dev, address))
		return gpu_status(dev, gpu_array_release(dev, address), "release", NULL);
	if (i == dev->allocations.len || dev->allocations.data[i].address != address)
		return DEVICE_NOT_FOUND;
	if (dev->allocations.data[i].kind == GPU_MEMORY_PINNED)
		result = dev->lib.cuMemFreeHost((void *)(uintptr_t)address);
	else
		result = dev->lib.cuMemFree_v2(address);
	memmove(&dev->allocations.data[i], &dev->allocations.data[i + 1],
		(dev->allocations.len - i - 1) * sizeof dev->allocations.data[0]);
	dev->allocations.len--;
	dev->changes++;
	return gpu_status(dev, result, "release", NULL);
}

enum device_status gpu_copy(struct device *dev, uint64_t to, uint64_t from, size_t size)
{
	GPU_CONTEXT(dev);
	bool has_array = gpu_array_at(dev, to) || gpu_array_at(dev, from);
	CUresult result = size ? gpu_shared_to_host(dev) : CUDA_SUCCESS;

	if (!size)
		return DEVICE_OK;
	if (result == CUDA_SUCCESS)
		result = gpu_shared_to_device(dev);
	if (result == CUDA_SUCCESS)
		result = has_array ? gpu_array_copy(dev, to, from, size) : dev->lib.cuMemcpy(to, from, size);
	if (result == CUDA_SUCCESS)
		result = gpu_shared_to_host(dev);
	return gpu_status(dev, result, "copy", NULL);
}

/* Libcuda fills with 1, 2 or 4 bytes; a longer pattern is laid out on the host and copied. */
static CUresult fill_long(struct device *dev, uint64_t to, const void *pattern, size_t pattern_bytes, size_t count)
{
	char *bytes = xmalloc(pattern_bytes * count);
	CUresult result;

	for (size_t i = 0; i < count; i++)
		memcpy(bytes + i * pattern_bytes, pattern, pattern_bytes);
	result = dev->lib.cuMemcpy(to, (CUdeviceptr)(uintptr_t)bytes, pattern_bytes * count);
	free(bytes);
	return result;
}

enum device_status gpu_fill(struct device *dev, uint64_t to, const void *pattern, size_t pattern_bytes, size_t count)
{
	GPU_CONTEXT(dev);
	CUresult result = CUDA_SUCCESS;
	uint32_t word = 0;

	memcpy(&word, pattern, pattern_bytes < sizeof word ? pattern_bytes : sizeof word);
	if (count == 0)
		return DEVICE_OK;
	result = gpu_shared_to_device(dev);
	if (result != CUDA_SUCCESS)
		return gpu_status(dev, result, "fill", NULL);
	switch (pattern_bytes) {
	case 1: result = dev->lib.cuMemsetD8_v2(to, (unsigned char)word, count); break;
	case 2: result = dev->lib.cuMemsetD16_v2(to, (unsigned short)word, count); break;
	case 4: result = dev->lib.cuMemsetD32_v2(to, word, count); break;
	default: result = fill_long(dev, to, pattern, pattern_bytes, count);
	}
	if (result == CUDA_SUCCESS)
		result = gpu_shared_to_host(dev);
	return gpu_status(dev, result, "fill", NULL);
}

void gpu_memory_info(struct device *dev, size_t *free_bytes, size_t *total_bytes)
{
	GPU_CONTEXT(dev);

	if (dev->lib.cuMemGetInfo_v2(free_bytes, total_bytes) != CUDA_SUCCESS)
		*free_bytes = *total_bytes = 0;
}
