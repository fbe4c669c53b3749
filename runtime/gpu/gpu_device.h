/*
 * Inside of the GPU device: what its files share. Everything runs in order in the legacy default stream of the
 * device's primary context, whatever streams the program names: the guards rely on that (docs/soundness.md).
 */
#ifndef ROMARK_RUNTIME_GPU_DEVICE_H
#define ROMARK_RUNTIME_GPU_DEVICE_H

#include "common/vec.h"
#include "ptx-analyzer/readonly/guarded.h"
#include "runtime/gpu/libcuda.h"
#include "runtime/device/device.h"
#include "runtime/device/guard_memo.h"
#include "settings/settings.h"

#include <stdbool.h>
#include <sys/types.h>

enum gpu_memory { GPU_MEMORY_DEVICE, GPU_MEMORY_MANAGED, GPU_MEMORY_PINNED };

struct gpu_allocation {
	uint64_t address;
	size_t size; /* the program's size plus a byte, so that a pointer to the end belongs to it */
	enum gpu_memory kind;
};

/* A level of an array or mipmap. `address` only identifies it: libcuda alone knows where the texels are. */
struct gpu_array {
	uint64_t address;
	size_t bytes, pitch, slice;
	CUarray handle;
	CUmipmappedArray mipmap; /* NULL: the array is not part of a mipmap */
};

/* A variable of a module that the host has at `host`. */
struct gpu_shared {
	const struct device_module *module;
	uint64_t address;
	size_t size;
	void *host;
};

struct gpu_image {
	uint64_t handle;
	bool is_surface;
	uint64_t base, size; /* its memory, for the guards; size 0 = not known */
};

/* Of a kernel: without marks, with them, or with a check of each marked load. */
enum gpu_version { GPU_PLAIN, GPU_MARKED, GPU_CHECKED };

/* Times of a version of a kernel; they outlive its module. */
struct gpu_times {
	char *kernel;
	enum gpu_version version;
	VEC(float) milliseconds;
};

struct device {
	struct libcuda lib;
	CUdevice ordinal;
	pid_t process; /* that opened it: a child made by fork cannot use it */
	CUcontext context;
	char name[128];
	int cuda_version;                       /* 12040 = CUDA 12.4 */
	int capability;                         /* 80 = 8.0 */
	unsigned ptx_version;                   /* newest that libcuda takes: 80 = 8.0; UINT_MAX if not known */
	VEC(struct gpu_allocation) allocations; /* by address */
	VEC(struct gpu_array) arrays;
	VEC(struct gpu_image) images;
	uint64_t changes; /* allocations, arrays and images that ever began or ended */
	VEC(struct gpu_shared) shared;
	bool device_has_shared; /* the host's copies are old */
	struct settings settings;
	enum load_mark mark;  /* NC or KEEP: hardware has no .ro */
	const char *times_to; /* NULL: not measured; "1": table on stderr; else a JSON file as well */
	VEC(struct gpu_times) times;
	struct device_module *modules;    /* newest first */
	const struct device_kernel *last; /* launched last, NULL if none or its module is gone */
};

struct device_kernel {
	struct device_kernel *next;
	struct device_module *module;
	const struct ptx_function *function; /* shape of the parameters */
	const struct kernel_facts *facts;    /* guards of the marked version */
	CUfunction marked, plain;            /* plain is NULL if the kernel has no marks */
	CUfunction checked;                  /* each marked load is checked; NULL: none is, or nobody asked for it */
	bool listens;                        /* may wait for what others write while it runs */
	uint32_t *param_offsets, *param_sizes;
	uint32_t static_shared;
	bool told; /* a failed guard was reported */
	struct guard_memo guards;
};

struct device_module {
	struct device_module *next;
	struct device *dev;
	CUmodule handle;
	struct ptx_module *ptx;
	struct ptx_analysis *analysis;
	struct device_kernel *kernels;
};

/* --- gpu_call.c --- */

/*
 * Makes the device's context current in the calling thread until the end of the block. If the thread had no context, it
 * keeps this one, as with NVIDIA's runtime; else it gets its own back.
 */
#define GPU_CONTEXT(dev_) __attribute__((cleanup(gpu_leave))) struct device *gpu_pushed = gpu_enter(dev_)
struct device *gpu_enter(struct device *dev);
void gpu_leave(struct device **pushed);

/* Status for a libcuda call's result, and a sentence if it failed. */
enum device_status gpu_status(struct device *dev, CUresult result, const char *what, struct diag *d);
/* The same for calls that wait. An error then is a kernel's, from the last launch or an earlier one. */
enum device_status gpu_kernel_status(struct device *dev, CUresult result, struct diag *d);

/* --- gpu_device.c --- */

/* The newest PTX that a libcuda takes, by the CUDA release it came with; UINT_MAX for those not known here. */
unsigned gpu_newest_ptx(int cuda_version);

/* --- gpu_memory.c --- */

enum device_status gpu_alloc(struct device *dev, size_t size, const char *name, uint64_t *address);
enum device_status gpu_alloc_shared(struct device *dev, size_t size, bool managed, uint64_t *address, struct diag *d);
enum device_status gpu_release(struct device *dev, uint64_t address);
/* The allocation that holds `address`, or whose end it is; NULL if none. */
const struct gpu_allocation *gpu_allocation(const struct device *dev, uint64_t address);
bool gpu_find(struct device *dev, uint64_t address, uint64_t *base, size_t *size);
enum device_status gpu_copy(struct device *dev, uint64_t to, uint64_t from, size_t size);
enum device_status gpu_fill(struct device *dev, uint64_t to, const void *pattern, size_t pattern_bytes, size_t count);
void gpu_memory_info(struct device *dev, size_t *free_bytes, size_t *total_bytes);

/* --- gpu_arrays.c --- */

enum device_status gpu_image_alloc(struct device *dev, struct device_image *image, const uint32_t extent[3],
				   unsigned flags);
/* The array with this address, or NULL. The next two functions take such addresses, too. */
struct gpu_array *gpu_array_at(struct device *dev, uint64_t address);
CUresult gpu_array_copy(struct device *dev, uint64_t to, uint64_t from, size_t size);
CUresult gpu_array_release(struct device *dev, uint64_t address);
/* The context is gone, and all arrays with it. */
void gpu_arrays_forget(struct device *dev);
/* Libcuda's name for the format of an image's texels. */
CUarray_format gpu_format(const struct device_image *image);

/* --- gpu_images.c --- */

enum device_status gpu_image_create(struct device *dev, const struct device_image *image, uint64_t *handle);
enum device_status gpu_image_destroy(struct device *dev, uint64_t handle, bool is_surface);
/* The memory behind a texture or surface. */
bool gpu_image_find(const struct device *dev, uint64_t handle, uint64_t *base, size_t *size);
/* The context is gone, and everything in it, arrays too. */
void gpu_images_forget(struct device *dev);

/* --- gpu_module.c --- */

/*
 * Lowers the version line of PTX that is newer than libcuda, since an old libcuda refuses such text for this line
 * alone. If the text does need the newer version, libcuda names the line and the reason. Returns the text's own
 * version, or 0 if it was not changed.
 */
unsigned gpu_lower_version(struct ptx_module *m, unsigned newest);
/*
 * The text for libcuda: both versions of marked kernels, with `checks` the checked one too, and references as it can
 * take them; 0 or DIAG_ERROR.
 */
int gpu_print(struct ptx_analysis *a, struct ptx_module *m, enum load_mark mark, bool checks, struct strbuf *text,
	      struct diag *d);
enum device_status gpu_load(struct device *dev, const char *image, size_t size, const char *name,
			    struct device_module **module, struct diag *d);
void gpu_unload(struct device *dev, struct device_module *module);
enum device_status gpu_kernel(struct device *dev, struct device_module *module, const char *name,
			      struct device_kernel **kernel);
enum device_status gpu_variable(struct device *dev, struct device_module *module, const char *name, uint64_t *address,
				size_t *size);
void gpu_attributes(struct device *dev, struct device_kernel *kernel, struct kernel_attributes *out);

/* --- gpu_shared.c --- */

enum device_status gpu_share(struct device *dev, struct device_module *module, const char *name, void *host);
/*
 * gpu_shared_to_device comes before work that may use the variables; gpu_shared_to_host after the host has waited for
 * it.
 */
CUresult gpu_shared_to_device(struct device *dev);
CUresult gpu_shared_to_host(struct device *dev);
/* Ends the sharing of the module's variables. */
void gpu_shared_forget(struct device *dev, const struct device_module *module);

/* --- gpu_references.c --- */

/* Makes code load the handles that references hold; DIAG_ERROR for code that cannot. */
int gpu_references_load(struct ptx_module *m, struct diag *d);
/* For the time of printing, references are variables of 8 bytes; what is returned ends with restore. */
uint8_t *gpu_references_declare(struct ptx_module *m);
void gpu_references_restore(struct ptx_module *m, uint8_t *types);

/* --- gpu_launch.c --- */

enum device_status gpu_launch(struct device *dev, struct device_kernel *kernel, const struct launch_params *params,
			      struct diag *d);

/* --- gpu_events.c --- */

enum device_status gpu_event_record(struct device *dev, struct device_event **event);
enum device_status gpu_event_reached(struct device *dev, struct device_event *event, bool wait, bool *done,
				     struct diag *d);
enum device_status gpu_event_elapsed(struct device *dev, const struct device_event *start,
				     const struct device_event *end, float *milliseconds);
void gpu_event_free(struct device *dev, struct device_event *event);

/* --- gpu_times.c --- */

void gpu_times_add(struct device *dev, const char *kernel, enum gpu_version version, float milliseconds);
/* Prints the table on stderr, and writes the JSON file if the settings name a file. */
void gpu_times_report(const struct device *dev);
void gpu_times_release(struct device *dev);

#endif
