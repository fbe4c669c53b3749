/* Memory comes from the host's heap. Kernels are the names behind ".entry " in the module's text. */
#include "tests/runtime/api/mock_device.h"

#include "common/xalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mock mock;

struct block {
	struct block *next;
	uint64_t address;
	size_t size;
};

struct device {
	struct block *blocks;
	struct device_module *modules;
};

struct device_module {
	struct device_module *next;
	char *text;
	unsigned char variable[64];
};

static struct device device;

static struct device *mock_open(const struct settings *settings, struct diag *d)
{
	(void)settings, (void)d;
	mock.opened++;
	return &device;
}

static void mock_close(struct device *dev)
{
	(void)dev;
}

static enum device_status mock_alloc(struct device *dev, size_t size, const char *name, uint64_t *address)
{
	struct block *block;

	if (!name || size > (size_t)1 << 32)
		return DEVICE_OUT_OF_MEMORY;
	block = xmalloc(sizeof *block);
	*block = (struct block){dev->blocks, (uintptr_t)aligned_alloc(256, (size + 255) / 256 * 256), size};
	dev->blocks = block;
	*address = block->address;
	mock.live_allocations++;
	return DEVICE_OK;
}

static enum device_status mock_release(struct device *dev, uint64_t address)
{
	for (struct block **at = &dev->blocks; *at; at = &(*at)->next)
		if ((*at)->address == address) {
			struct block *block = *at;

			*at = block->next;
			free((void *)(uintptr_t)address);
			free(block);
			mock.live_allocations--;
			return DEVICE_OK;
		}
	return DEVICE_NOT_FOUND;
}

static bool mock_find(struct device *dev, uint64_t address, uint64_t *base, size_t *size)
{
	for (struct block *block = dev->blocks; block; block = block->next)
		if (address >= block->address && address < block->address + block->size) {
			*base = block->address;
			*size = block->size;
			return true;
		}
	for (struct device_module *m = dev->modules; m; m = m->next)
		if (address - (uintptr_t)m->variable < sizeof m->variable) {
			*base = (uintptr_t)m->variable;
			*size = sizeof m->variable;
			return true;
		}
	return false;
}

static enum device_status mock_copy(struct device *dev, uint64_t to, uint64_t from, size_t size)
{
	(void)dev;
	if (!to || !from)
		return DEVICE_ILLEGAL_ADDRESS;
	memmove((void *)(uintptr_t)to, (const void *)(uintptr_t)from, size);
	return DEVICE_OK;
}

static enum device_status mock_fill(struct device *dev, uint64_t to, const void *pattern, size_t bytes, size_t count)
{
	(void)dev;
	if (!to)
		return DEVICE_ILLEGAL_ADDRESS;
	for (size_t i = 0; i < count; i++)
		memcpy((char *)(uintptr_t)to + i * bytes, pattern, bytes);
	return DEVICE_OK;
}

static void mock_memory_info(struct device *dev, size_t *free_bytes, size_t *total_bytes)
{
	(void)dev;
	*total_bytes = (size_t)1 << 32;
	*free_bytes = *total_bytes - mock.live_allocations * 256;
}

static enum device_status mock_load(struct device *dev, const char *image, size_t size, const char *name,
				    struct device_module **module, struct diag *d)
{
	if (strstr(image, "syntax error")) {
		diag_set(d, name, 1, 1, "not PTX");
		return DEVICE_BAD_PTX;
	}
	*module = xcalloc(1, sizeof **module);
	(*module)->next = dev->modules;
	dev->modules = *module;
	(*module)->text = xstrndup(image, size);
	mock.loads++;
	return DEVICE_OK;
}

static void mock_unload(struct device *dev, struct device_module *module)
{
	struct device_module **at = &dev->modules;

	while (*at != module)
		at = &(*at)->next;
	*at = module->next;
	mock.unloads++;
	free(module->text);
	free(module);
}

static enum device_status mock_kernel(struct device *dev, struct device_module *module, const char *name,
				      struct device_kernel **kernel)
{
	char wanted[128];

	(void)dev;
	snprintf(wanted, sizeof wanted, ".entry %s(", name);
	*kernel = (struct device_kernel *)strstr(module->text, wanted);
	return *kernel ? DEVICE_OK : DEVICE_NOT_FOUND;
}

static enum device_status mock_variable(struct device *dev, struct device_module *module, const char *name,
					uint64_t *address, size_t *size)
{
	(void)dev;
	if (!strstr(module->text, name))
		return DEVICE_NOT_FOUND;
	*address = (uintptr_t)module->variable;
	*size = sizeof module->variable;
	return DEVICE_OK;
}

static void mock_attributes(struct device *dev, struct device_kernel *kernel, struct kernel_attributes *out)
{
	(void)dev, (void)kernel;
	*out = (struct kernel_attributes){.registers = mock.registers,
					  .static_shared = mock.static_shared,
					  .max_threads = mock.max_threads,
					  .ptx_version = 80,
					  .nparams = mock.nparams,
					  .param_sizes = mock.param_sizes,
					  .param_offsets = mock.param_offsets,
					  .param_bytes = mock.param_bytes};
}

static enum device_status mock_launch(struct device *dev, struct device_kernel *kernel,
				      const struct launch_params *params, struct diag *d)
{
	(void)dev, (void)kernel, (void)d;
	mock.launches++;
	mock.last = *params;
	memcpy(mock.params, params->params, params->param_bytes);
	if (mock.on_launch)
		mock.on_launch(params);
	return mock.launch_status;
}

static enum device_status mock_synchronize(struct device *dev, struct diag *d)
{
	(void)dev, (void)d;
	mock.synchronizes++;
	return DEVICE_OK;
}

static void mock_finish(struct device *dev)
{
	(void)dev;
}

const struct device_ops cpu_device_ops = {
    .name = "mock",
    .open = mock_open,
    .close = mock_close,
    .alloc = mock_alloc,
    .release = mock_release,
    .find = mock_find,
    .copy = mock_copy,
    .fill = mock_fill,
    .memory_info = mock_memory_info,
    .load = mock_load,
    .unload = mock_unload,
    .kernel = mock_kernel,
    .variable = mock_variable,
    .attributes = mock_attributes,
    .launch = mock_launch,
    .synchronize = mock_synchronize,
    .finish = mock_finish,
};
