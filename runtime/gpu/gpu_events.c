/* Moments in the GPU's order of work: libcuda's events, all in the default stream. */
#include "runtime/gpu/gpu_device.h"

#include "common/xalloc.h"

#include <stdlib.h>

struct device_event {
	CUevent handle;
};

enum device_status gpu_event_record(struct device *dev, struct device_event **event)
{
	GPU_CONTEXT(dev);
	CUresult result = CUDA_SUCCESS;
	CUevent handle;

	if (!*event) {
		result = dev->lib.cuEventCreate(&handle, 0);
		if (result != CUDA_SUCCESS)
			return gpu_status(dev, result, "event", NULL);
		*event = xcalloc(1, sizeof **event);
		(*event)->handle = handle;
	}
	return gpu_status(dev, dev->lib.cuEventRecord((*event)->handle, NULL), "event", NULL);
}

enum device_status gpu_event_reached(struct device *dev, struct device_event *event, bool wait, bool *done,
				     struct diag *d)
{
	GPU_CONTEXT(dev);
	CUresult result = wait ? dev->lib.cuEventSynchronize(event->handle) : dev->lib.cuEventQuery(event->handle);

	if (done)
		*done = result == CUDA_SUCCESS;
	if (result == CUDA_SUCCESS && wait)
		result = gpu_shared_to_host(dev);
	return result == CUDA_ERROR_NOT_READY ? DEVICE_OK : gpu_kernel_status(dev, result, d);
}

enum device_status gpu_event_elapsed(struct device *dev, const struct device_event *start,
				     const struct device_event *end, float *milliseconds)
{
	GPU_CONTEXT(dev);

	return gpu_status(dev, dev->lib.cuEventElapsedTime(milliseconds, start->handle, end->handle), "event", NULL);
}

void gpu_event_free(struct device *dev, struct device_event *event)
{
	GPU_CONTEXT(dev);

	if (event)
		dev->lib.cuEventDestroy_v2(event->handle);
	free(event);
}
