/* The GPU device's memory, and the table of functions that makes it a device. */
#include "runtime/cuda/gpu_device.h"

#include "common/xalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum device_status gpu_fail(struct device *dev, CUresult result, const char *what, struct diag *d)
{
	static const struct {
		CUresult result;
		enum device_status status;
	} known[] = {
		{CUDA_ERROR_OUT_OF_MEMORY, DEVICE_OUT_OF_MEMORY},
		{CUDA_ERROR_ILLEGAL_ADDRESS, DEVICE_ILLEGAL_ADDRESS},
		{CUDA_ERROR_MISALIGNED_ADDRESS, DEVICE_MISALIGNED},
		{CUDA_ERROR_ASSERT, DEVICE_ASSERT},
		{CUDA_ERROR_LAUNCH_FAILED, DEVICE_TRAP},
	};

	diag_file(d, NULL, "%s: %s", what, libcuda_error(&dev->lib, result));
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (known[i].result == result)
			return known[i].status;
	return DEVICE_BAD_LAUNCH;
}

static int choice(const char *variable, const char *const *names, int otherwise)
{
	const char *value = getenv(variable);

	for (int i = 0; value && names[i]; i++)
		if (strcmp(names[i], value) == 0)
			return i;
	return otherwise;
}

static void read_settings(struct device *dev)
{
	static const char *const aliases[] = {"guarded", "strict", "distinct", NULL};
	static const char *const loads[] = {"ro", "nc", "keep", NULL};

	dev->alias = (enum ptx_alias)choice("ROMARK_ALIAS", aliases, PTX_ALIAS_GUARDED);
	dev->mark = choice("ROMARK_LOAD", loads, PTX_LOAD_NC) == PTX_LOAD_KEEP ? PTX_LOAD_KEEP : PTX_LOAD_NC;
	dev->quiet = getenv("ROMARK_QUIET") != NULL;
	dev->timing = getenv("ROMARK_TIME_KERNELS") != NULL;
}

static struct device *open_device(struct diag *d)
{
	struct device *dev = xcalloc(1, sizeof *dev);
	CUcontext context;
	CUdevice ordinal;
	CUresult result;

	if (getenv("ROMARK_TRACE")) {
		diag_file(d, NULL, "a trace is captured on the CPU device only: use --device=cpu");
		free(dev);
		return NULL;
	}
	if (libcuda_open(&dev->lib, d) < 0) {
		free(dev);
		return NULL;
	}
	read_settings(dev);
	result = dev->lib.cuInit(0);
	if (result == CUDA_SUCCESS)
		result = dev->lib.cuDeviceGet(&ordinal, 0);
	if (result == CUDA_SUCCESS)
		result = dev->lib.cuDevicePrimaryCtxRetain(&context, ordinal);
	if (result == CUDA_SUCCESS)
		result = dev->lib.cuCtxSetCurrent(context);
	if (result == CUDA_SUCCESS)
		return dev;
	gpu_fail(dev, result, "cannot use the GPU", d);
	libcuda_close(&dev->lib);
	free(dev);
	return NULL;
}

static void close_device(struct device *dev)
{
	while (dev->modules)
		gpu_unload(dev, dev->modules);
	vec_release(&dev->allocations);
	libcuda_close(&dev->lib);
	free(dev);
}

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

bool gpu_find(struct device *dev, uint64_t address, uint64_t *base, size_t *size)
{
	size_t i = lower_bound(dev, address);

	if (i == dev->allocations.len || dev->allocations.data[i].address > address)
		return false;
	*base = dev->allocations.data[i].address;
	*size = dev->allocations.data[i].size;
	return true;
}

static enum device_status alloc(struct device *dev, size_t size, const char *name, uint64_t *address)
{
	struct gpu_allocation added = {0, size};
	CUdeviceptr pointer;
	CUresult result = dev->lib.cuMemAlloc_v2(&pointer, size);
	size_t at;

	(void)name;
	if (result != CUDA_SUCCESS)
		return gpu_fail(dev, result, "allocation", NULL);
	*address = added.address = pointer;
	at = lower_bound(dev, pointer);
	vec_push(&dev->allocations, added);
	memmove(&dev->allocations.data[at + 1], &dev->allocations.data[at],
		(dev->allocations.len - 1 - at) * sizeof added);
	dev->allocations.data[at] = added;
	return DEVICE_OK;
}

static enum device_status release(struct device *dev, uint64_t address)
{
	size_t i = lower_bound(dev, address);
	CUresult result;

	if (i == dev->allocations.len || dev->allocations.data[i].address != address)
		return DEVICE_NOT_FOUND;
	result = dev->lib.cuMemFree_v2(address);
	if (result != CUDA_SUCCESS)
		return gpu_fail(dev, result, "release", NULL);
	memmove(&dev->allocations.data[i], &dev->allocations.data[i + 1],
		(dev->allocations.len - i - 1) * sizeof dev->allocations.data[0]);
	dev->allocations.len--;
	return DEVICE_OK;
}

static enum device_status copy(struct device *dev, uint64_t to, uint64_t from, size_t size)
{
	CUresult result = size ? dev->lib.cuMemcpy(to, from, size) : CUDA_SUCCESS;

	return result == CUDA_SUCCESS ? DEVICE_OK : gpu_fail(dev, result, "copy", NULL);
}

/* The driver fills with 1, 2 or 4 bytes; a longer pattern is laid out on the host and copied. */
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

static enum device_status fill(struct device *dev, uint64_t to, const void *pattern, size_t pattern_bytes, size_t count)
{
	CUresult result = CUDA_SUCCESS;
	uint32_t word = 0;

	memcpy(&word, pattern, pattern_bytes < sizeof word ? pattern_bytes : sizeof word);
	if (count == 0)
		return DEVICE_OK;
	switch (pattern_bytes) {
	case 1:
		result = dev->lib.cuMemsetD8_v2(to, (unsigned char)word, count);
		break;
	case 2:
		result = dev->lib.cuMemsetD16_v2(to, (unsigned short)word, count);
		break;
	case 4:
		result = dev->lib.cuMemsetD32_v2(to, word, count);
		break;
	default:
		result = fill_long(dev, to, pattern, pattern_bytes, count);
	}
	return result == CUDA_SUCCESS ? DEVICE_OK : gpu_fail(dev, result, "fill", NULL);
}

static void memory_info(struct device *dev, size_t *free_bytes, size_t *total_bytes)
{
	if (dev->lib.cuMemGetInfo_v2(free_bytes, total_bytes) != CUDA_SUCCESS)
		*free_bytes = *total_bytes = 0;
}

static enum device_status synchronize(struct device *dev, struct diag *d)
{
	CUresult result = dev->lib.cuCtxSynchronize();

	return result == CUDA_SUCCESS ? DEVICE_OK : gpu_fail(dev, result, "kernel", d);
}

static void finish(struct device *dev)
{
	dev->lib.cuCtxSynchronize();
	if (dev->timing)
		gpu_report_times(dev);
}

const struct device_ops gpu_device_ops = {
	.name = "cuda",
	.open = open_device,
	.close = close_device,
	.alloc = alloc,
	.release = release,
	.find = gpu_find,
	.copy = copy,
	.fill = fill,
	.memory_info = memory_info,
	.load = gpu_load,
	.unload = gpu_unload,
	.kernel = gpu_kernel,
	.variable = gpu_variable,
	.attributes = gpu_attributes,
	.launch = gpu_launch,
	.synchronize = synchronize,
	.finish = finish,
};
