/*
 * The program's device code. The start-up code registers each fat binary with its kernels and variables. The PTX is
 * loaded into the device at the first use of one of them.
 */
#include "runtime/api/cudart/topics.h"

#include "ptx-analyzer/language/module/ptx.h"
#include "ptx-analyzer/language/text/ptx_text.h"
#include "runtime/api/cudart/registered_image.h"
#include "runtime/api/cudart/registration.h"
#include "runtime/api/state/handles.h"

#include <uthash.h>

#include <stdlib.h>
#include <string.h>

struct api_variable {
	struct api_variable *next; /* of the same module */
	const void *handle;
	char *name;
	struct api_module *module;
	void **managed; /* the pointer that host code reads a managed variable through, or NULL */
	const void *initial;
	uint64_t shared; /* device address of a variable whose pages the host has too, or 0 */
	struct api_variable *next_shared;
	size_t size;
	UT_hash_handle hh;
};

/* A handle of the driver API is the address of both. */
struct kernel_entry {
	struct api_kernel kernel;
	const void *handle;
	UT_hash_handle hh;
};

/* --- Loading --- */

/* Clang's host code reads a managed variable by its own name: __managed__ aligns it to pages, for the two to share. */
static bool may_be_shared(const struct api_variable *v)
{
	return !v->managed && (uintptr_t)v->handle % 4096 == 0;
}

static cudaError_t share(struct runtime *rt, struct api_variable *v)
{
	enum device_status status = DEVICE_NOT_FOUND;
	struct diag d = DIAG_INIT;
	size_t size;

	if (rt->ops->share)
		status = rt->ops->share(rt->device, v->module->loaded, v->name, (void *)(uintptr_t)v->handle);
	else if (strstr(v->module->ptx.data, ".align 4096"))
		status = DEVICE_FAILED;
	if (status == DEVICE_NOT_FOUND)
		return cudaSuccess;
	if (status == DEVICE_OK)
		status = rt->ops->variable(rt->device, v->module->loaded, v->name, &v->shared, &size);
	if (status) {
		diag_file(&d, image_name(), "managed variable '%s' cannot be shared with the host on this device",
			  v->name);
		runtime_notice(&d);
		return cudaErrorNotSupported;
	}
	v->next_shared = rt->modules.shared;
	rt->modules.shared = v;
	return cudaSuccess;
}

/* Points host code's pointers to the managed variables and gives these their initial values. */
static cudaError_t place_managed(struct runtime *rt, struct api_module *module)
{
	cudaError_t error = cudaSuccess;

	for (struct api_variable *v = module->variables; v && !error; v = v->next) {
		uint64_t address;
		size_t size;

		if (may_be_shared(v))
			error = share(rt, v);
		if (!v->managed || rt->ops->variable(rt->device, module->loaded, v->name, &address, &size))
			continue;
		if (v->initial)
			rt->ops->copy(rt->device, address, (uintptr_t)v->initial, v->size < size ? v->size : size);
		*v->managed = (void *)(uintptr_t)address;
	}
	return error;
}

bool api_variable_is_shared(const struct runtime *rt, uint64_t address, size_t size)
{
	for (const struct api_variable *v = rt->modules.shared; v; v = v->next_shared)
		if (address - (uintptr_t)v->handle < v->size && size <= v->size - (address - (uintptr_t)v->handle))
			return true;
	return false;
}

void api_device_pointer(struct runtime *rt, void *parameter, size_t size)
{
	uint64_t value;

	if (size != sizeof value || !rt->modules.shared)
		return;
	memcpy(&value, parameter, sizeof value);
	for (const struct api_variable *v = rt->modules.shared; v; v = v->next_shared)
		if (value - (uintptr_t)v->handle < v->size) {
			value += v->shared - (uintptr_t)v->handle;
			memcpy(parameter, &value, sizeof value);
			return;
		}
}

/* The version of a wrapper whose image is the link of several. */
enum { LINKED_VERSION = 2 };

/*
 * The parts always keep the PTX: a link to PTX leaves the module's own image empty, and a link to machine code drops
 * the PTX.
 */
static int module_ptx(struct runtime *rt, struct api_module *module, struct diag *d)
{
	unsigned sm = device_capability(rt);

	if (module->parts && image_parts_ptx(module->parts, sm, &module->ptx, d) < 0)
		return DIAG_ERROR;
	return module->ptx.data ? 0 : image_ptx(module->image, sm, &module->ptx, d);
}

static cudaError_t load(struct runtime *rt, struct api_module *module)
{
	struct diag d = DIAG_INIT;
	cudaError_t error;

	if (!module->ptx.data && module_ptx(rt, module, &d) < 0) {
		runtime_notice(&d);
		return cudaErrorNoKernelImageForDevice;
	}
	error = status_error(
	    rt, rt->ops->load(rt->device, module->ptx.data, module->ptx.size, image_name(), &module->loaded, &d));
	if (error)
		runtime_notice(&d);
	else
		error = place_managed(rt, module);
	return error;
}

cudaError_t api_module_load(struct runtime *rt, struct api_module *module)
{
	if (!handle_is(HANDLE_MODULE, module))
		return cudaErrorInvalidResourceHandle;
	if (!module->loaded && !module->failed)
		module->failed = load(rt, module);
	return module->failed;
}

cudaError_t api_kernel_load(struct runtime *rt, struct api_kernel *kernel)
{
	cudaError_t error;

	if (!handle_is(HANDLE_KERNEL, kernel))
		return cudaErrorInvalidResourceHandle;
	if (kernel->loaded)
		return cudaSuccess;
	error = api_module_load(rt, kernel->module);
	if (error)
		return error;
	if (rt->ops->kernel(rt->device, kernel->module->loaded, kernel->name, &kernel->loaded))
		return cudaErrorInvalidDeviceFunction;
	rt->ops->attributes(rt->device, kernel->loaded, &kernel->attributes);
	return cudaSuccess;
}

cudaError_t api_kernel_find(struct runtime *rt, const void *handle, struct api_kernel **kernel)
{
	struct kernel_entry *entry;

	HASH_FIND_PTR(rt->modules.kernels, &handle, entry);
	if (!entry)
		return cudaErrorInvalidDeviceFunction;
	*kernel = &entry->kernel;
	return api_kernel_load(rt, *kernel);
}

/* Finds a managed variable by its address, which nvcc's host code passes once the variable has one. */
static struct api_variable *find_managed(struct runtime *rt, const void *place)
{
	for (struct api_variable *v = rt->modules.variables; v; v = v->hh.next)
		if (v->managed && *v->managed == place)
			return v;
	return NULL;
}

cudaError_t api_variable_find(struct runtime *rt, const void *handle, uint64_t *address, size_t *size)
{
	struct api_variable *v;
	cudaError_t error;

	HASH_FIND_PTR(rt->modules.variables, &handle, v);
	if (!v)
		v = find_managed(rt, handle);
	if (!v)
		return cudaErrorInvalidSymbol;
	error = api_module_load(rt, v->module);
	if (!error && rt->ops->variable(rt->device, v->module->loaded, v->name, address, size))
		error = cudaErrorInvalidSymbol;
	return error;
}

/* --- Modules of the driver API --- */

cudaError_t api_module_variable(struct runtime *rt, struct api_module *module, const char *name, uint64_t *address,
				size_t *size)
{
	cudaError_t error = api_module_load(rt, module);

	return error ? error : status_error(rt, rt->ops->variable(rt->device, module->loaded, name, address, size));
}

static void add_kernel(struct runtime *rt, struct api_module *module, const void *handle, const char *name,
		       struct kernel_entry *entry)
{
	entry->handle = entry->kernel.handle = handle;
	entry->kernel.name = xstrdup(name);
	entry->kernel.module = module;
	entry->kernel.max_dynamic_shared = entry->kernel.carveout = -1;
	HASH_ADD_PTR(rt->modules.kernels, handle, entry);
}

struct api_module *api_module_add(const void *image)
{
	struct api_module *module = handle_new(HANDLE_MODULE, sizeof *module);

	module->image = image;
	return module;
}

cudaError_t api_module_remove(struct runtime *rt, struct api_module *module)
{
	struct kernel_entry *entry, *next;

	if (!handle_is(HANDLE_MODULE, module))
		return cudaErrorInvalidResourceHandle;
	HASH_ITER(hh, rt->modules.kernels, entry, next) {
		if (entry->kernel.module != module)
			continue;
		HASH_DEL(rt->modules.kernels, entry);
		free(entry->kernel.name);
		handle_free(entry);
	}
	if (module->loaded)
		rt->ops->unload(rt->device, module->loaded);
	file_data_release(&module->ptx);
	handle_free(module);
	return cudaSuccess;
}

struct api_kernel *api_module_kernel(struct runtime *rt, struct api_module *module, const char *name)
{
	struct kernel_entry *entry, *next;

	if (!handle_is(HANDLE_MODULE, module))
		return NULL;
	HASH_ITER(hh, rt->modules.kernels, entry, next) {
		if (entry->kernel.module == module && strcmp(entry->kernel.name, name) == 0)
			return &entry->kernel;
	}
	entry = handle_new(HANDLE_KERNEL, sizeof *entry);
	add_kernel(rt, module, &entry->kernel, name, entry);
	return &entry->kernel;
}

cudaError_t api_module_kernels(struct runtime *rt, struct api_module *module, struct api_kernel **kernels,
			       unsigned room, unsigned *count)
{
	cudaError_t error = api_module_load(rt, module);
	struct ptx_module *m;

	*count = 0;
	if (error)
		return error;
	m = ptx_parse(image_name(), module->ptx.data, module->ptx.size, NULL);
	if (!m)
		return cudaErrorInvalidPtx;
	for (uint32_t i = 0; i < m->nfunctions; i++) {
		if (!m->functions[i].is_kernel || m->functions[i].is_declaration)
			continue;
		if (kernels && *count < room)
			kernels[*count] = api_module_kernel(rt, module, m->functions[i].name);
		++*count;
	}
	ptx_module_free(m);
	return cudaSuccess;
}

void modules_unload(struct runtime *rt)
{
	struct kernel_entry *entry, *next;

	rt->modules.shared = NULL;
	for (struct api_module *m = NULL; (m = handle_next(HANDLE_MODULE, m));) {
		if (m->loaded)
			rt->ops->unload(rt->device, m->loaded);
		m->loaded = NULL;
		m->failed = cudaSuccess;
	}
	HASH_ITER(hh, rt->modules.kernels, entry, next) {
		entry->kernel.loaded = NULL;
	}
}

/* --- Registration, called by the program's start-up code --- */

void **__cudaRegisterFatBinary(void *wrapper)
{
	const struct image_wrapper *w = wrapper;
	struct api_module *module;

	runtime_lock();
	module = api_module_add(w->data);
	if (w->version == LINKED_VERSION)
		module->parts = w->parts;
	runtime_unlock();
	return (void **)module;
}

/* Managed variables are the device's too before the program first writes them. */
void __cudaRegisterFatBinaryEnd(void **handle)
{
	struct api_module *module = (struct api_module *)handle;
	const struct api_variable *v = module->variables;
	struct runtime *rt;

	while (v && !may_be_shared(v))
		v = v->next;
	if (!v)
		return;
	rt = runtime_enter();
	if (!rt)
		return;
	api_module_load(rt, module);
	runtime_leave(cudaSuccess);
}

/* nvcc's host code calls it before it first follows its pointer to a managed variable. */
char __cudaInitModule(void **handle)
{
	struct runtime *rt = runtime_enter();

	if (!rt) {
		runtime_failed();
		return 0;
	}
	return runtime_leave(api_module_load(rt, (struct api_module *)handle)) == cudaSuccess;
}

void __cudaUnregisterFatBinary(void **handle)
{
	(void)handle; /* the device closes when the library does; until then destructors may still launch kernels */
}

void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int threads, void *tid,
			    void *bid, void *block, void *grid, int *warp)
{
	struct runtime *rt = runtime_lock();
	struct kernel_entry *entry;

	(void)device, (void)threads, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
	HASH_FIND_PTR(rt->modules.kernels, &host, entry);
	if (!entry) {
		entry = handle_new(HANDLE_KERNEL, sizeof *entry);
		add_kernel(rt, (struct api_module *)handle, host, name, entry);
	}
	runtime_unlock();
}

static void register_variable(struct api_module *module, const void *host, const char *name, void **managed,
			      const void *initial, size_t size)
{
	struct api_variable *v = xcalloc(1, sizeof *v);
	struct runtime *rt;

	v->handle = host;
	v->name = xstrdup(name);
	v->module = module;
	v->managed = managed;
	v->initial = initial;
	v->size = size;
	rt = runtime_lock();
	v->next = module->variables;
	module->variables = v;
	HASH_ADD_PTR(rt->modules.variables, handle, v);
	runtime_unlock();
}

void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external, size_t size,
		       int constant, int global)
{
	(void)device, (void)external, (void)constant, (void)global;
	register_variable((struct api_module *)handle, host, name, NULL, NULL, size);
}

void __cudaRegisterManagedVar(void **handle, void **host, void *initial, const char *name, size_t size, unsigned align)
{
	(void)align;
	register_variable((struct api_module *)handle, host, name, host, initial, size);
}
