/*
 * Variables that the host shares by name (__managed__ in romark cc's programs). A kernel needs them on the GPU: they
 * move there before a kernel, and back when the host has waited for it. So the host may touch them only while the GPU
 * is idle, as on GPUs without concurrent access to managed memory.
 */
#include "runtime/gpu/gpu_device.h"

static CUresult move_all(struct device *dev, bool to_device)
{
	CUresult result = CUDA_SUCCESS;

	if (dev->device_has_shared == to_device)
		return CUDA_SUCCESS;
	for (size_t i = 0; i < dev->shared.len && result == CUDA_SUCCESS; i++) {
		const struct gpu_shared *s = &dev->shared.data[i];
		CUdeviceptr host = (uintptr_t)s->host;

		result = dev->lib.cuMemcpy(to_device ? s->address : host, to_device ? host : s->address, s->size);
	}
	if (result == CUDA_SUCCESS)
		dev->device_has_shared = to_device;
	return result;
}

CUresult gpu_shared_to_device(struct device *dev)
{
	return dev->shared.len ? move_all(dev, true) : CUDA_SUCCESS;
}

CUresult gpu_shared_to_host(struct device *dev)
{
	return dev->shared.len ? move_all(dev, false) : CUDA_SUCCESS;
}

/* Host code gets the contents that the module gives the variable; all others are brought to the host first. */
enum device_status gpu_share(struct device *dev, struct device_module *module, const char *name, void *host)
{
	GPU_CONTEXT(dev);
	const struct ptx_symbol *symbol = ptx_find_symbol(module->ptx, name);
	struct gpu_shared added = {.module = module, .host = host};
	enum { PAGE = 4096 };
	CUdeviceptr address;
	CUresult result;

	if (!symbol || symbol->align < PAGE || symbol->space != PTX_SPACE_GLOBAL ||
	    dev->lib.cuModuleGetGlobal_v2(&address, &added.size, module->handle, name) != CUDA_SUCCESS)
		return DEVICE_NOT_FOUND;
	added.address = address;
	result = gpu_shared_to_host(dev);
	if (result == CUDA_SUCCESS)
		result = dev->lib.cuMemcpy((uintptr_t)host, added.address, added.size);
	if (result == CUDA_SUCCESS)
		vec_push(&dev->shared, added);
	return gpu_status(dev, result, name, NULL);
}

void gpu_shared_forget(struct device *dev, const struct device_module *module)
{
	size_t kept = 0;

	for (size_t i = 0; i < dev->shared.len; i++)
		if (dev->shared.data[i].module != module)
			dev->shared.data[kept++] = dev->shared.data[i];
	dev->shared.len = kept;
	dev->device_has_shared = dev->device_has_shared && kept;
}
