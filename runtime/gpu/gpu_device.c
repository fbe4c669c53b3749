/* The GPU device: from libcuda and the settings to an open device, and the table of functions that it is. */
#include "runtime/gpu/gpu_device.h"

#include "common/xalloc.h"
#include "runtime/device/name.h"
#include "runtime/gpu/gpu.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- Opening --- */

unsigned gpu_newest_ptx(int cuda_version)
{
	static const struct {
		int cuda_version;
		unsigned ptx;
	} releases[] = {{13010, 91}, {13000, 90}, {12090, 88}, {12080, 87}, {12070, 86}, {12050, 85}, {12040, 84},
			{12030, 83}, {12020, 82}, {12010, 81}, {12000, 80}, {11080, 78}, {11070, 77}, {11060, 76},
			{11050, 75}, {11040, 74}, {11030, 73}, {11020, 72}, {11010, 71}, {11000, 70}};

	if (cuda_version >= releases[0].cuda_version + 10)
		return UINT_MAX;
	for (size_t i = 0; i < sizeof releases / sizeof *releases; i++)
		if (cuda_version >= releases[i].cuda_version)
			return releases[i].ptx;
	return 60;
}

static int choose_device(struct device *dev, struct diag *d)
{
	struct device_name wanted;
	CUresult result;
	int count = 0;

	if (device_name_parse(dev->settings.device, "ROMARK_DEVICE", &wanted, d) < 0)
		return DIAG_ERROR;
	result = dev->lib.cuInit(0);
	if (result == CUDA_SUCCESS)
		result = dev->lib.cuDeviceGetCount(&count);
	if (result == CUDA_ERROR_STUB_LIBRARY)
		return diag_file(d, NULL,
				 "this libcuda.so.1 is a toolkit's stub for linking, not a driver; use --device=cpu");
	if (result == CUDA_ERROR_NO_DEVICE || (result == CUDA_SUCCESS && count == 0))
		return diag_file(d, NULL, "the CUDA driver sees no GPU; use --device=cpu");
	if (result == CUDA_SUCCESS && wanted.number >= count)
		return diag_file(d, NULL, "ROMARK_DEVICE=%s: the GPUs here are cuda:0 to cuda:%d", dev->settings.device,
				 count - 1);
	if (result == CUDA_SUCCESS)
		result = dev->lib.cuDeviceGet(&dev->ordinal, wanted.number);
	if (result == CUDA_SUCCESS)
		return 0;
	return diag_file(d, NULL, "cannot use the GPU: %s", libcuda_error(&dev->lib, result));
}

static int attribute(const struct device *dev, CUdevice_attribute which)
{
	int value = 0;

	dev->lib.cuDeviceGetAttribute(&value, which, dev->ordinal);
	return value;
}

enum { OLDEST_CUDA = 11000 };

static int open_context(struct device *dev, struct diag *d)
{
	CUresult result;

	dev->lib.cuDriverGetVersion(&dev->cuda_version);
	if (dev->cuda_version < OLDEST_CUDA)
		return diag_file(
		    d, NULL,
		    "the CUDA driver here is of CUDA %d.%d: romark needs CUDA 11.0 or newer (or use --device=cpu)",
		    dev->cuda_version / 1000, dev->cuda_version % 1000 / 10);
	dev->ptx_version = gpu_newest_ptx(dev->cuda_version);
	dev->capability = 10 * attribute(dev, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
			  attribute(dev, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
	if (dev->lib.cuDeviceGetName(dev->name, sizeof dev->name, dev->ordinal) != CUDA_SUCCESS)
		snprintf(dev->name, sizeof dev->name, "GPU %d", (int)dev->ordinal);
	if (!attribute(dev, CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING))
		return diag_file(d, NULL, "this GPU or system has no unified addressing, which romark needs");
	result = dev->lib.cuDevicePrimaryCtxRetain(&dev->context, dev->ordinal);
	if (result != CUDA_SUCCESS)
		return diag_file(d, NULL, "cannot use the GPU: %s", libcuda_error(&dev->lib, result));
	return 0;
}

/*
 * Libcuda is gone before this library's destructors run, so what it still owes (output of device-side printf) is
 * fetched by an exit handler, which runs before libcuda's own because it was registered later. A child made by fork
 * has the handler too, but no libcuda.
 */
static struct device *opened;

static void settle_at_exit(void)
{
	if (!opened || opened->process != getpid())
		return;
	GPU_CONTEXT(opened);
	opened->lib.cuCtxSynchronize();
}

static struct device *gpu_open(const struct settings *settings, struct diag *d)
{
	struct device *dev;

	if (settings->trace) {
		diag_file(d, NULL, "a trace is captured on the CPU device only: use --device=cpu");
		return NULL;
	}
	if (settings->alias == ALIAS_OBSERVED) {
		diag_file(
		    d, NULL,
		    "ROMARK_ALIAS=observed is what a launch turned out to do, byte by byte, and only the CPU device "
		    "sees that: use --device=cpu");
		return NULL;
	}
	dev = xcalloc(1, sizeof *dev);
	dev->settings = *settings;
	dev->times_to = settings->times;
	dev->mark = settings->load == LOAD_KEEP ? LOAD_KEEP : LOAD_NC;
	if (libcuda_open(&dev->lib, settings->libcuda, d) < 0 || choose_device(dev, d) < 0 ||
	    open_context(dev, d) < 0) {
		libcuda_close(&dev->lib);
		free(dev);
		return NULL;
	}
	dev->process = getpid();
	opened = dev;
	atexit(settle_at_exit);
	return dev;
}

int gpu_driver_check(const struct settings *settings, struct diag *d)
{
	struct libcuda lib;

	if (libcuda_open(&lib, settings->libcuda, d) < 0)
		return DIAG_ERROR;
	libcuda_close(&lib);
	return 0;
}

static void gpu_close(struct device *dev)
{
	{
		GPU_CONTEXT(dev);
		while (dev->modules)
			gpu_unload(dev, dev->modules);
		while (dev->allocations.len)
			gpu_release(dev, dev->allocations.data[dev->allocations.len - 1].address);
	}
	dev->lib.cuDevicePrimaryCtxRelease_v2(dev->ordinal);
	opened = NULL;
	gpu_images_forget(dev);
	vec_release(&dev->arrays);
	vec_release(&dev->images);
	vec_release(&dev->shared);
	vec_release(&dev->allocations);
	gpu_times_release(dev);
	libcuda_close(&dev->lib);
	free(dev);
}

/* --- The rest of the table --- */

static enum device_status gpu_synchronize(struct device *dev, struct diag *d)
{
	GPU_CONTEXT(dev);
	CUresult result = dev->lib.cuCtxSynchronize();

	return gpu_kernel_status(dev, result == CUDA_SUCCESS ? gpu_shared_to_host(dev) : result, d);
}

static void gpu_finish(struct device *dev)
{
	if (dev->process == getpid())
		gpu_times_report(dev);
}

static bool gpu_attribute(struct device *dev, int which, int *value)
{
	return dev->lib.cuDeviceGetAttribute(value, (CUdevice_attribute)which, dev->ordinal) == CUDA_SUCCESS;
}

static void gpu_name(struct device *dev, char *name, size_t size)
{
	snprintf(name, size, "%s", dev->name);
}

/* Libcuda gives the heap and the buffer of printf their sizes before the first kernel that needs them. */
static enum device_status gpu_set_limit(struct device *dev, int which, size_t value, struct diag *d)
{
	GPU_CONTEXT(dev);
	CUresult result = dev->lib.cuCtxSetLimit((CUlimit)which, value);

	if (result == CUDA_ERROR_INVALID_VALUE && dev->modules &&
	    (which == CU_LIMIT_MALLOC_HEAP_SIZE || which == CU_LIMIT_PRINTF_FIFO_SIZE))
		diag_file(d, NULL,
			  "the driver changes the size of the %s only before kernels that use it are loaded: "
			  "set it at the start of the program",
			  which == CU_LIMIT_MALLOC_HEAP_SIZE ? "device's heap" : "buffer of printf");
	return gpu_status(dev, result, "limit", NULL);
}

static bool gpu_limit(struct device *dev, int which, size_t *value)
{
	GPU_CONTEXT(dev);

	return dev->lib.cuCtxGetLimit(value, (CUlimit)which) == CUDA_SUCCESS;
}

/*
 * Retains the context anew, since a reset leaves it inactive. After most failures of kernels NVIDIA promises only that
 * the process can end. So the first call afterwards reports the context's state.
 */
static enum device_status gpu_reset(struct device *dev)
{
	CUresult result;

	dev->allocations.len = 0;
	dev->changes++;
	gpu_images_forget(dev);
	dev->lib.cuDevicePrimaryCtxReset_v2(dev->ordinal);
	dev->lib.cuDevicePrimaryCtxRelease_v2(dev->ordinal);
	result = dev->lib.cuDevicePrimaryCtxRetain(&dev->context, dev->ordinal);
	if (result == CUDA_SUCCESS)
		result = dev->lib.cuCtxSetCurrent(dev->context);
	if (result == CUDA_SUCCESS)
		result = dev->lib.cuCtxSynchronize();
	return gpu_status(dev, result, "reset", NULL);
}

const struct device_ops gpu_device_ops = {
    .name = "cuda",
    .open = gpu_open,
    .close = gpu_close,
    .alloc = gpu_alloc,
    .release = gpu_release,
    .find = gpu_find,
    .copy = gpu_copy,
    .fill = gpu_fill,
    .memory_info = gpu_memory_info,
    .image_create = gpu_image_create,
    .image_destroy = gpu_image_destroy,
    .image_alloc = gpu_image_alloc,
    .load = gpu_load,
    .unload = gpu_unload,
    .kernel = gpu_kernel,
    .variable = gpu_variable,
    .share = gpu_share,
    .attributes = gpu_attributes,
    .launch = gpu_launch,
    .synchronize = gpu_synchronize,
    .finish = gpu_finish,
    .alloc_shared = gpu_alloc_shared,
    .attribute = gpu_attribute,
    .device_name = gpu_name,
    .set_limit = gpu_set_limit,
    .limit = gpu_limit,
    .reset = gpu_reset,
    .event_record = gpu_event_record,
    .event_reached = gpu_event_reached,
    .event_elapsed = gpu_event_elapsed,
    .event_free = gpu_event_free,
};
