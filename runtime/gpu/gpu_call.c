/* Around each call of libcuda: before it, the context that it needs; after it, the device's status for its result. */
#include "runtime/gpu/gpu_device.h"

#include "common/kernel_names.h"

#include <stdio.h>

/* --- Results --- */

static const struct {
	CUresult result;
	enum device_status status;
} known[] = {
    {CUDA_SUCCESS, DEVICE_OK},
    {CUDA_ERROR_INVALID_VALUE, DEVICE_BAD_VALUE},
    {CUDA_ERROR_OUT_OF_MEMORY, DEVICE_OUT_OF_MEMORY},
    {CUDA_ERROR_INVALID_IMAGE, DEVICE_BAD_PTX},
    {CUDA_ERROR_NO_BINARY_FOR_GPU, DEVICE_BAD_PTX},
    {CUDA_ERROR_INVALID_PTX, DEVICE_BAD_PTX},
    {CUDA_ERROR_UNSUPPORTED_PTX_VERSION, DEVICE_BAD_PTX},
    {CUDA_ERROR_UNSUPPORTED_LIMIT, DEVICE_UNSUPPORTED},
    {CUDA_ERROR_NOT_SUPPORTED, DEVICE_UNSUPPORTED},
    {CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, DEVICE_OUT_OF_MEMORY},
    {CUDA_ERROR_NOT_FOUND, DEVICE_NOT_FOUND},
    {CUDA_ERROR_ILLEGAL_ADDRESS, DEVICE_ILLEGAL_ADDRESS},
    {CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, DEVICE_BAD_LAUNCH},
    {CUDA_ERROR_LAUNCH_TIMEOUT, DEVICE_HANG},
    {CUDA_ERROR_ASSERT, DEVICE_ASSERT},
    {CUDA_ERROR_HARDWARE_STACK_ERROR, DEVICE_TRAP},
    {CUDA_ERROR_ILLEGAL_INSTRUCTION, DEVICE_TRAP},
    {CUDA_ERROR_MISALIGNED_ADDRESS, DEVICE_MISALIGNED},
    {CUDA_ERROR_INVALID_ADDRESS_SPACE, DEVICE_ILLEGAL_ADDRESS},
    {CUDA_ERROR_INVALID_PC, DEVICE_TRAP},
    {CUDA_ERROR_LAUNCH_FAILED, DEVICE_TRAP},
    {CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, DEVICE_BAD_LAUNCH},
    {CUDA_ERROR_INVALID_CLUSTER_SIZE, DEVICE_BAD_LAUNCH},
};

enum device_status gpu_status(struct device *dev, CUresult result, const char *what, struct diag *d)
{
	if (result != CUDA_SUCCESS)
		diag_file(d, NULL, "%s: %s", what, libcuda_error(&dev->lib, result));
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (known[i].result == result)
			return known[i].status;
	return DEVICE_FAILED;
}

enum device_status gpu_kernel_status(struct device *dev, CUresult result, struct diag *d)
{
	char what[300] = "a kernel";

	if (dev->last)
		snprintf(what, sizeof what, "kernel '%.250s', or one before it",
			 short_title(dev->last->function->name).text);
	return gpu_status(dev, result, what, d);
}

/* --- Context --- */

struct device *gpu_enter(struct device *dev)
{
	CUcontext current = NULL;

	dev->lib.cuCtxGetCurrent(&current);
	if (current == dev->context)
		return NULL;
	if (current && dev->lib.cuCtxPushCurrent_v2(dev->context) == CUDA_SUCCESS)
		return dev;
	dev->lib.cuCtxSetCurrent(dev->context);
	return NULL;
}

void gpu_leave(struct device **pushed)
{
	CUcontext ignored;

	if (*pushed)
		(*pushed)->lib.cuCtxPopCurrent_v2(&ignored);
}
