/*
 * A device that runs kernels: the CPU device (a SIMT functional engine) and the GPU device (libcuda) stand behind the
 * same table of functions. The CUDA API files call these and know nothing of PTX.
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
	uint32_t cluster[3]; /* CTAs of a cluster asked for at the launch; zeros: as the kernel says */
	const void *params;  /* the kernel's parameter buffer, laid out as PTX says */
	size_t param_bytes;
	bool cooperative;
	/* What allocators have handed out, NULL: nothing; and its `changes` when the arguments were set. */
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

/* A mipmap level; textures without mipmaps have one. */
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
	/* What follows concerns textures only. */
	enum image_edge edge[3];
	bool filters, filters_levels; /* linearly; else the nearest */
	bool normalized_coordinates;  /* [0, 1) is the whole width, not a texel */
	bool normalized_values;       /* integers are read as [0, 1] or [-1, 1] */
	bool srgb;
	float border[4];
	float level_bias, least_level, most_level;
};

/* What every device can do. Errors put a sentence in `d`. */
struct device_ops {
	const char *name;
	/* A device is opened with the settings, which it copies. */
	struct device *(*open)(const struct settings *settings, struct diag *d);
	void (*close)(struct device *dev);

	/* Device memory. Addresses are the same in every run of the same program; memory is not zeroed. */
	enum device_status (*alloc)(struct device *dev, size_t size, const char *name, uint64_t *address);
	enum device_status (*release)(struct device *dev, uint64_t address);
	/* The allocation that holds `address`: false if there is none. */
	bool (*find)(struct device *dev, uint64_t address, uint64_t *base, size_t *size);
	enum device_status (*copy)(struct device *dev, uint64_t to, uint64_t from, size_t size); /* device or host */
	enum device_status (*fill)(struct device *dev, uint64_t to, const void *pattern, size_t pattern_bytes,
				   size_t count);
	void (*memory_info)(struct device *dev, size_t *free_bytes, size_t *total_bytes);

	/*
	 * Textures and surfaces: a handle that kernels are given, over memory that stays the caller's. A variable of
	 * type .texref or .surfref holds one in its 8 bytes. Both NULL: the device has none.
	 */
	enum device_status (*image_create)(struct device *dev, const struct device_image *image, uint64_t *handle);
	enum device_status (*image_destroy)(struct device *dev, uint64_t handle, bool is_surface);
	/*
	 * Memory for an array or a mipmap: gives the levels of `image` addresses, at which only copies and images reach
	 * it; each ends with release. `extent` is that of level 0, with 0 for a missing dimension; `flags` are
	 * cudaArray's. NULL: plain memory will do.
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
	/* By number of cudaLimit. NULL: nothing is limited. */
	enum device_status (*set_limit)(struct device *dev, int which, size_t value, struct diag *d);
	/*
	 * Everything the device holds for this process is gone, and its limits are the usual ones. DEVICE_OK, or the
	 * kernel's failure that it cannot forget. NULL: it holds nothing beside what the caller takes back itself.
	 */
	enum device_status (*reset)(struct device *dev);

	/*
	 * What a device has only if it is apart from the host; NULL on the CPU device, whose memory the host touches,
	 * whose work is done when it is submitted, and whose properties are constants of the API files.
	 */
	/* Memory that host and device touch at the same address: managed, or else pinned. Ends with release. */
	enum device_status (*alloc_shared)(struct device *dev, size_t size, bool managed, uint64_t *address,
					   struct diag *d);
	/* By number of CUdevice_attribute, which is that of cudaDeviceAttr; false if the device does not know it. */
	bool (*attribute)(struct device *dev, int which, int *value);
	void (*device_name)(struct device *dev, char *name, size_t size);
	/* What the device has made of the limit; false if it does not know it. */
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
 * The device of this name, "cpu", "cuda" or "cuda:N"; NULL and a sentence in `d` for a name that is none. Defined in
 * runtime/devices.c, the one place that knows them all.
 */
const struct device_ops *device_choose(const char *name, struct diag *d);

#endif
