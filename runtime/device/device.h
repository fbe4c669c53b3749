/*
 * A device that runs kernels. The CPU device (a SIMT functional engine) and the GPU device (libcuda) offer the same
 * table of functions. The CUDA API files call these and know nothing of PTX.
 */
#ifndef ROMARK_RUNTIME_DEVICE_H
#define ROMARK_RUNTIME_DEVICE_H

#include "common/diag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct device;
struct settings; /* settings.h */
struct device_module;
struct device_kernel;
struct regions; /* regions.h */

struct launch_params {
	uint32_t grid[3], block[3];
	uint32_t dynamic_shared;
	uint32_t stream;
	uint32_t cluster[3]; /* CTAs of a cluster, from the launch; zeros: as the kernel's PTX has it */
	const void *params;  /* the kernel's parameter buffer, in PTX's layout */
	size_t param_bytes;
	bool cooperative;
	/*
	 * The regions of the program's allocators, NULL: none; and `changes` of the regions when the arguments were
	 * set.
	 */
	const struct regions *regions;
	uint64_t regions_seen;
};

struct kernel_attributes {
	uint32_t registers, static_shared, const_bytes, local_bytes, max_threads;
	uint32_t ptx_version; /* the architecture that the PTX is for: 80 = sm_80 */
	uint32_t nparams;
	const uint32_t *param_sizes, *param_offsets; /* nparams each */
	size_t param_bytes;
};

enum device_status {
	DEVICE_OK,
	DEVICE_OUT_OF_MEMORY,
	DEVICE_BAD_PTX,    /* does not parse, or uses what the device lacks */
	DEVICE_BAD_LAUNCH, /* shape or resources outside the device's limits */
	DEVICE_ILLEGAL_ADDRESS,
	DEVICE_MISALIGNED,
	DEVICE_ASSERT, /* device-side assert */
	DEVICE_TRAP,
	DEVICE_HANG, /* warps wait for a barrier that cannot be reached */
	DEVICE_NOT_FOUND,
	DEVICE_BAD_VALUE,   /* addresses outside of all memory, as arguments of a copy or fill */
	DEVICE_UNSUPPORTED, /* the requested object does not exist on this device */
	DEVICE_FAILED,      /* for another reason */
};

struct device_event; /* a moment in the device's own order of work */

/* --- Images: the memory behind a texture or surface, and how a texture reads it --- */

enum image_format { IMAGE_UNSIGNED, IMAGE_SIGNED, IMAGE_FLOAT };
enum image_edge { IMAGE_WRAP, IMAGE_CLAMP, IMAGE_MIRROR, IMAGE_BORDER }; /* CUDA's numbers */
enum { IMAGE_LEVELS = 16, IMAGE_FACES = 6 };

/* A mipmap level; a texture without mipmaps has a single level. */
struct image_level {
	uint64_t address;
	uint64_t pitch, slice;         /* bytes from row to row, and from slice, layer or face to the next */
	uint32_t width, height, depth; /* texels; 1 for a dimension that there is not */
};

struct device_image {
	bool is_surface;
	bool is_buffer;                  /* a row that is fetched from by index, of any length */
	uint8_t channels, channel_bytes; /* 1, 2 or 4 each */
	enum image_format format;
	uint32_t layers; /* layers times faces; 0 = none */
	uint32_t nlevels;
	struct image_level levels[IMAGE_LEVELS];
	/* For textures only: */
	enum image_edge edge[3];
	bool filters, filters_levels; /* linearly; else the nearest */
	bool normalized_coordinates;  /* [0, 1) is the whole width, not a texel */
	bool normalized_values;       /* integers are read as [0, 1] or [-1, 1] */
	bool srgb;
	float border[4];
	float level_bias, least_level, most_level;
};

/* The functions of a device. On an error they put a sentence in `d`. */
struct device_ops {
	const char *name;
	/* A device is opened with the settings, which it copies. */
	struct device *(*open)(const struct settings *settings, struct diag *d);
	void (*close)(struct device *dev);

	/* Device memory. Addresses are the same in every run of the same program; memory is not zeroed. */
	enum device_status (*alloc)(struct device *dev, size_t size, const char *name, uint64_t *address);
	enum device_status (*release)(struct device *dev, uint64_t address);
	/* The allocation that holds `address`; false if no allocation does. */
	bool (*find)(struct device *dev, uint64_t address, uint64_t *base, size_t *size);
	enum device_status (*copy)(struct device *dev, uint64_t to, uint64_t from, size_t size); /* device or host */
	enum device_status (*fill)(struct device *dev, uint64_t to, const void *pattern, size_t pattern_bytes,
				   size_t count);
	/* The host may write there without a call. NULL: nobody asks. */
	void (*host_writes)(struct device *dev, uint64_t address, size_t size);
	void (*memory_info)(struct device *dev, size_t *free_bytes, size_t *total_bytes);

	/*
	 * Textures and surfaces. The handle goes to kernels; the memory stays the caller's. A variable of type .texref
	 * or .surfref holds a handle in its 8 bytes. Both NULL: the device has no images.
	 */
	enum device_status (*image_create)(struct device *dev, const struct device_image *image, uint64_t *handle);
	enum device_status (*image_destroy)(struct device *dev, uint64_t handle, bool is_surface);
	/*
	 * Allocates an array or a mipmap, and gives the levels of `image` their addresses. Only copies and images can
	 * reach memory there. Each level ends with release. `extent` is level 0's, with 0 for a missing dimension;
	 * `flags` are cudaArray's. NULL: the caller uses plain memory.
	 */
	enum device_status (*image_alloc)(struct device *dev, struct device_image *image, const uint32_t extent[3],
					  unsigned flags);

	/* `image`: PTX text, NUL-terminated. `name` is for messages and the trace. */
	enum device_status (*load)(struct device *dev, const char *image, size_t size, const char *name,
				   struct device_module **module, struct diag *d);
	void (*unload)(struct device *dev, struct device_module *module);
	enum device_status (*kernel)(struct device *dev, struct device_module *module, const char *name,
				     struct device_kernel **kernel);
	enum device_status (*variable)(struct device *dev, struct device_module *module, const char *name,
				       uint64_t *address, size_t *size);
	/*
	 * A variable aligned to pages and the pages of the host at `host` are the same memory from now on, with the
	 * variable's contents. DEVICE_NOT_FOUND for other variables. NULL: the device has none in common with the host.
	 */
	enum device_status (*share)(struct device *dev, struct device_module *module, const char *name, void *host);
	void (*attributes)(struct device *dev, struct device_kernel *kernel, struct kernel_attributes *out);
	/* Runs to the end before it returns on the CPU device. */
	enum device_status (*launch)(struct device *dev, struct device_kernel *kernel,
				     const struct launch_params *params, struct diag *d);
	enum device_status (*synchronize)(struct device *dev, struct diag *d);
	/* Flushes device-side printf, closes the trace. */
	void (*finish)(struct device *dev);
	/* `which` is a cudaLimit. NULL: nothing is limited. */
	enum device_status (*set_limit)(struct device *dev, int which, size_t value, struct diag *d);
	/*
	 * Frees all that the device holds for this process, and resets its limits. DEVICE_OK, or the kernel's failure
	 * that the device cannot forget. NULL: the caller takes back all there is by other calls.
	 */
	enum device_status (*reset)(struct device *dev);

	/*
	 * Functions that only a device apart from the host needs. They are NULL on the CPU device: the host touches its
	 * memory, its work is done when submitted, and its properties are constants of the API files.
	 */
	/* Memory that host and device touch at the same address: managed, or else pinned. Ends with release. */
	enum device_status (*alloc_shared)(struct device *dev, size_t size, bool managed, uint64_t *address,
					   struct diag *d);
	/*
	 * `which` is a CUdevice_attribute, and has the number of the cudaDeviceAttr. False if the device does not know
	 * it.
	 */
	bool (*attribute)(struct device *dev, int which, int *value);
	void (*device_name)(struct device *dev, char *name, size_t size);
	/*
	 * The limit that the device has set, which may be larger than the value that set_limit had; false if the device
	 * does not know it.
	 */
	bool (*limit)(struct device *dev, int which, size_t *value);
	/* The event follows all work submitted so far; *event is made when NULL. */
	enum device_status (*event_record)(struct device *dev, struct device_event **event);
	/* DEVICE_OK when it has come; with `wait` not before. *done tells where it does not wait. */
	enum device_status (*event_reached)(struct device *dev, struct device_event *event, bool wait, bool *done,
					    struct diag *d);
	enum device_status (*event_elapsed)(struct device *dev, const struct device_event *start,
					    const struct device_event *end, float *milliseconds);
	void (*event_free)(struct device *dev, struct device_event *event);
};

/*
 * The device with this name: "cpu", "cuda" or "cuda:N". NULL and a sentence in `d` for any other name.
 * runtime/devices.c defines it, the only file that knows all devices.
 */
const struct device_ops *device_choose(const char *name, struct diag *d);

#endif
