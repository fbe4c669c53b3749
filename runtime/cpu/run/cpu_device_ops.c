/* The CPU device as struct device_ops: memory, modules and launches put together. */
#include "runtime/cpu/engine/checks.h"
#include "runtime/cpu/cpu.h"
#include "runtime/cpu/decode/select.h"
#include "runtime/cpu/images/image.h"
#include "runtime/cpu/observe/apart.h"
#include "runtime/cpu/observe/observe.h"
#include "runtime/cpu/run/cpu_launch.h"
#include "runtime/cpu/run/load_module.h"
#include "runtime/cpu/run/trace_output.h"
#include "runtime/include/driver_types.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SELF(dev) ((struct cpu_device *)(dev))

static void cpu_finish(struct device *dev)
{
	struct diag d = DIAG_INIT;

	fflush(stdout);
	trace_output_leave_to_parent(SELF(dev));
	checks_finish(SELF(dev));
	if (SELF(dev)->trace && trace_finish(SELF(dev)->trace, &d) < 0)
		diag_print(&d, stderr);
	SELF(dev)->trace = NULL;
}

static void cpu_close(struct device *dev)
{
	cpu_finish(dev);
	while (SELF(dev)->modules)
		module_unload(SELF(dev)->modules);
	image_table_release(&SELF(dev)->images);
	memory_close(&SELF(dev)->memory);
	mark_checker_free(SELF(dev)->marks);
	race_checker_free(SELF(dev)->races);
	apart_free(SELF(dev)->apart);
	strbuf_release(&SELF(dev)->decoded);
	if (SELF(dev)->selects)
		regfree(&SELF(dev)->kernels);
	free(SELF(dev));
}

static struct device *cpu_open(const struct settings *settings, struct diag *d)
{
	struct cpu_device *dev;

	if (settings->alias == ALIAS_OBSERVED && !settings->trace) {
		diag_file(d, NULL,
			  "ROMARK_ALIAS=observed is of the launches in a trace, and there is none: use 'romark trace "
			  "--alias=observed'");
		return NULL;
	}
	dev = xcalloc(1, sizeof *dev);
	dev->process = getpid();
	dev->set = exec_best_set(settings->isa);
	dev->settings = *settings;
	dev->alias = settings->alias == ALIAS_OBSERVED ? ALIAS_GUARDED : (enum alias_level)settings->alias;
	dev->mark = (enum load_mark)settings->load;
	dev->marks = settings->verify ? mark_checker_new() : NULL;
	if (memory_open(&dev->memory, d) < 0) {
		mark_checker_free(dev->marks);
		free(dev);
		return NULL;
	}
	checks_open(dev);
	dev->races = check_is_on(dev, CHECK_RACE) ? race_checker_new() : NULL;
	if (trace_output_open(dev, d) < 0) {
		cpu_close((struct device *)dev);
		return NULL;
	}
	if (settings->alias == ALIAS_OBSERVED && dev->trace)
		dev->apart = apart_new();
	return (struct device *)dev;
}

/* --- Memory --- */

static void note_host_place(struct cpu_device *dev)
{
	if (check_is_on(dev, CHECK_MEMORY | CHECK_LEAK))
		memory_note_place(&dev->memory, host_place());
}

static enum device_status cpu_alloc(struct device *dev, size_t size, const char *name, uint64_t *address)
{
	struct memory *m = &SELF(dev)->memory;

	note_host_place(SELF(dev));
	if (!memory_alloc(m, size, name ? name : "allocation", address))
		return DEVICE_OUT_OF_MEMORY;
	if (m->undefined)
		undefined_set(m->undefined, *address, size);
	return DEVICE_OK;
}

static bool is_device_memory(uint64_t address)
{
	return address - MEMORY_BASE < MEMORY_BYTES;
}

/* Bytes of `to` become as defined as those of `from`; all memory of the host is. */
static void define(struct memory *m, uint64_t to, uint64_t from, size_t size)
{
	if (!m->undefined || !is_device_memory(to))
		return;
	if (is_device_memory(from))
		undefined_copy(m->undefined, to, from, size);
	else
		undefined_clear(m->undefined, to, size);
}

static void cpu_host_writes(struct device *dev, uint64_t address, size_t size)
{
	define(&SELF(dev)->memory, address, 0, size);
}

static enum device_status cpu_release(struct device *dev, uint64_t address)
{
	note_host_place(SELF(dev));
	return memory_release(&SELF(dev)->memory, address) ? DEVICE_OK : DEVICE_ILLEGAL_ADDRESS;
}

static bool cpu_find(struct device *dev, uint64_t address, uint64_t *base, size_t *size)
{
	const struct allocation *a = memory_find(&SELF(dev)->memory, address);

	if (!a)
		return false;
	*base = a->address;
	*size = a->size;
	return true;
}

/* No memory is mapped below this address. */
enum { FIRST_HOST_ADDRESS = 65536 };

/* Host memory, or inside one allocation. */
static bool may_touch(const struct memory *m, uint64_t address, size_t size)
{
	const struct allocation *a;

	if (!size || address + size < address)
		return !size;
	if (address + size <= MEMORY_BASE || address >= MEMORY_BASE + MEMORY_BYTES)
		return address >= FIRST_HOST_ADDRESS;
	a = memory_find(m, address);
	return a && size <= a->size - (address - a->address);
}

static enum device_status cpu_copy(struct device *dev, uint64_t to, uint64_t from, size_t size)
{
	struct memory *m = &SELF(dev)->memory;

	if (size == 0)
		return DEVICE_OK;
	if (!may_touch(m, to, size) || !may_touch(m, from, size))
		return DEVICE_BAD_VALUE;
	memmove(memory_host(to), memory_host(from), size);
	define(m, to, from, size);
	return DEVICE_OK;
}

static enum device_status cpu_fill(struct device *dev, uint64_t to, const void *pattern, size_t pattern_bytes,
				   size_t count)
{
	uint8_t *at = memory_host(to);

	if (count == 0)
		return DEVICE_OK;
	if (count > MEMORY_BYTES / pattern_bytes || !may_touch(&SELF(dev)->memory, to, count * pattern_bytes))
		return DEVICE_BAD_VALUE;
	define(&SELF(dev)->memory, to, 0, count * pattern_bytes);
	if (pattern_bytes == 1) {
		memset(at, *(const uint8_t *)pattern, count);
		return DEVICE_OK;
	}
	for (size_t i = 0; i < count; i++)
		memcpy(at + i * pattern_bytes, pattern, pattern_bytes);
	return DEVICE_OK;
}

static void cpu_memory_info(struct device *dev, size_t *free_bytes, size_t *total_bytes)
{
	*total_bytes = MEMORY_BYTES;
	*free_bytes = MEMORY_BYTES - SELF(dev)->memory.used;
}

static enum device_status cpu_image_create(struct device *dev, const struct device_image *image, uint64_t *handle)
{
	*handle = image_add(&SELF(dev)->images, image);
	return DEVICE_OK;
}

static enum device_status cpu_image_destroy(struct device *dev, uint64_t handle, bool is_surface)
{
	(void)is_surface;
	return image_remove(&SELF(dev)->images, handle) ? DEVICE_OK : DEVICE_NOT_FOUND;
}

/* --- Modules --- */

static enum device_status cpu_load(struct device *dev, const char *image, size_t size, const char *name,
				   struct device_module **module, struct diag *d)
{
	return module_load(SELF(dev), image, size, name, module, d);
}

static void cpu_unload(struct device *dev, struct device_module *module)
{
	(void)dev;
	module_unload(module);
}

static enum device_status cpu_kernel(struct device *dev, struct device_module *module, const char *name,
				     struct device_kernel **kernel)
{
	(void)dev;
	*kernel = module_kernel(module, name);
	return *kernel ? DEVICE_OK : DEVICE_NOT_FOUND;
}

static enum device_status cpu_variable(struct device *dev, struct device_module *module, const char *name,
				       uint64_t *address, size_t *size)
{
	const struct ptx_symbol *s = ptx_find_symbol(module->ptx, name);

	(void)dev;
	if (!s || !module->address[s - module->ptx->symbols])
		return DEVICE_NOT_FOUND;
	*address = module->address[s - module->ptx->symbols];
	*size = s->size;
	return DEVICE_OK;
}

static enum device_status cpu_share(struct device *dev, struct device_module *module, const char *name, void *host)
{
	(void)dev;
	return module_share(module, name, host);
}

static void cpu_attributes(struct device *dev, struct device_kernel *kernel, struct kernel_attributes *out)
{
	(void)dev;
	module_attributes(kernel, out);
}

static enum device_status cpu_launch(struct device *dev, struct device_kernel *kernel,
				     const struct launch_params *params, struct diag *d)
{
	bool was_traced = SELF(dev)->trace;

	trace_output_leave_to_parent(SELF(dev));
	if (was_traced && !SELF(dev)->trace)
		trace_output_say_untraced(SELF(dev), "it was forked by the process that writes it");
	return launch_run(SELF(dev), kernel, params, d);
}

/* --- Limits --- */

static enum device_status set_stack(struct cpu_device *dev, size_t bytes, struct diag *d)
{
	if (!bytes || bytes > MAX_LOCAL_BYTES) {
		diag_file(d, NULL, "cudaLimitStackSize: %zu bytes; a thread has 1 to %d", bytes, MAX_LOCAL_BYTES);
		return DEVICE_BAD_VALUE;
	}
	dev->stack = (uint32_t)bytes;
	return DEVICE_OK;
}

static enum device_status set_heap(struct cpu_device *dev, size_t bytes, struct diag *d)
{
	if (dev->heap_blocks) {
		diag_file(d, NULL, "cudaLimitMallocHeapSize: a kernel has used the heap; set its size before that");
		return DEVICE_BAD_VALUE;
	}
	if (bytes > MEMORY_BYTES)
		return DEVICE_OUT_OF_MEMORY;
	dev->memory.heap_limit = bytes;
	return DEVICE_OK;
}

/*
 * The other limits need no action: printf writes at once, and launches in device code wait in a list without a bound.
 */
static enum device_status cpu_set_limit(struct device *dev, int which, size_t value, struct diag *d)
{
	switch (which) {
	case cudaLimitStackSize: return set_stack(SELF(dev), value, d);
	case cudaLimitMallocHeapSize: return set_heap(SELF(dev), value, d);
	default: return DEVICE_OK;
	}
}

/* Frees what the API does not know of: the heap of kernels, and the limits. */
static enum device_status cpu_reset(struct device *dev)
{
	memory_clear_heap(&SELF(dev)->memory);
	SELF(dev)->memory.heap_limit = USUAL_HEAP_BYTES;
	SELF(dev)->heap_blocks = 0;
	SELF(dev)->stack = 0;
	return DEVICE_OK;
}

/* Launches have ended when they return. */
static enum device_status cpu_synchronize(struct device *dev, struct diag *d)
{
	(void)dev, (void)d;
	fflush(stdout);
	return DEVICE_OK;
}

const struct device_ops cpu_device_ops = {
    .name = "cpu",
    .open = cpu_open,
    .close = cpu_close,
    .alloc = cpu_alloc,
    .release = cpu_release,
    .find = cpu_find,
    .copy = cpu_copy,
    .fill = cpu_fill,
    .host_writes = cpu_host_writes,
    .memory_info = cpu_memory_info,
    .image_create = cpu_image_create,
    .image_destroy = cpu_image_destroy,
    .load = cpu_load,
    .unload = cpu_unload,
    .kernel = cpu_kernel,
    .variable = cpu_variable,
    .share = cpu_share,
    .attributes = cpu_attributes,
    .launch = cpu_launch,
    .synchronize = cpu_synchronize,
    .finish = cpu_finish,
    .set_limit = cpu_set_limit,
    .reset = cpu_reset,
};
