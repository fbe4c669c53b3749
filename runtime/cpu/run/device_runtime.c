/*
 * Functions of CUDA's device runtime beside launches: streams and events, memory, copies and fills, and queries of the
 * device. nvcc's programs call them by name; romark's own headers have most of them inline.
 */
#include "runtime/cpu/run/nested.h"

#include "runtime/cpu/decode/intrinsics.h"
#include "runtime/cpu/engine/cpu_device.h"
#include "runtime/cpu/observe/apart.h"
#include "runtime/cpu/observe/observe.h"
#include "runtime/device/limits.h"
#include "runtime/include/driver_types.h"

#include <stdio.h>

/* Every stream and event of device code: all is in one order. */
enum { SOME_HANDLE = 256, VERSION = 13000, TOLD_STACK_BYTES = 1024 };

#define FOR_LANES(lane, mask)                                                                                          \
	for (unsigned lane = 0; lane < LANES; lane++)                                                                  \
		if ((mask) >> lane & 1)

/* Writes where argument `index` points to; a fault where the thread may not. */
static int put(struct warp *w, const struct inst *in, unsigned lane, unsigned index, const void *value, size_t bytes)
{
	uint64_t address = argument(w, in, lane, index, 8);
	uint8_t *to = lane_pointer(w, PTX_SPACE_GENERIC, lane, address, bytes);

	if (!to)
		return fault_address(w, in, lane, DEVICE_ILLEGAL_ADDRESS, address);
	if (check_write(w, in, lane, address, bytes) != STOP_NOT)
		return STOP_FAULT;
	memcpy(to, value, bytes);
	return STOP_NOT;
}

/* The same value for all threads, and success. */
static int put_all(struct warp *w, const struct inst *in, uint32_t mask, const void *value, size_t bytes)
{
	FOR_LANES(lane, mask)
	{
		if (put(w, in, lane, 0, value, bytes) != STOP_NOT)
			return STOP_FAULT;
		set_result(w, in, lane, cudaSuccess, 4);
	}
	return STOP_NOT;
}

/* --- Streams and events --- */

/*
 * cudaStreamCreateWithFlags(stream, flags), and the same for events. All get the same handle, since all work is in a
 * single order.
 */
static int exec_create(struct warp *w, const struct inst *in, uint32_t mask)
{
	return put_all(w, in, mask, &(uint64_t){SOME_HANDLE}, sizeof(uint64_t));
}

/* Calls on streams and events that have no effect. */
static int exec_succeed(struct warp *w, const struct inst *in, uint32_t mask)
{
	FOR_LANES(lane, mask)
	set_result(w, in, lane, cudaSuccess, 4);
	return STOP_NOT;
}

/* --- Questions --- */

static int exec_get_device(struct warp *w, const struct inst *in, uint32_t mask)
{
	return put_all(w, in, mask, &(int){0}, sizeof(int));
}

static int exec_get_device_count(struct warp *w, const struct inst *in, uint32_t mask)
{
	return put_all(w, in, mask, &(int){1}, sizeof(int));
}

static int exec_version(struct warp *w, const struct inst *in, uint32_t mask)
{
	return put_all(w, in, mask, &(int){VERSION}, sizeof(int));
}

static const int most_grid[3] = MAX_GRID, most_block[3] = MAX_BLOCK;

static bool attribute_value(uint32_t attribute, int *value)
{
	switch (attribute) {
	case cudaDevAttrMaxThreadsPerBlock: *value = MAX_CTA_THREADS; return true;
	case cudaDevAttrMaxBlockDimX:
	case cudaDevAttrMaxBlockDimY:
	case cudaDevAttrMaxBlockDimZ: *value = most_block[attribute - cudaDevAttrMaxBlockDimX]; return true;
	case cudaDevAttrMaxGridDimX:
	case cudaDevAttrMaxGridDimY:
	case cudaDevAttrMaxGridDimZ: *value = most_grid[attribute - cudaDevAttrMaxGridDimX]; return true;
	case cudaDevAttrMaxSharedMemoryPerBlock: *value = USUAL_SHARED_BYTES; return true;
	case cudaDevAttrWarpSize: *value = LANES; return true;
	case cudaDevAttrMultiProcessorCount: *value = MULTIPROCESSORS; return true;
	case cudaDevAttrComputeCapabilityMajor: *value = CAPABILITY_MAJOR; return true;
	case cudaDevAttrComputeCapabilityMinor: *value = CAPABILITY_MINOR; return true;
	default: return false;
	}
}

/* cudaDeviceGetAttribute(value, attribute, device) */
static int exec_attribute(struct warp *w, const struct inst *in, uint32_t mask)
{
	FOR_LANES(lane, mask)
	{
		uint32_t error = argument(w, in, lane, 2, 4) ? cudaErrorInvalidDevice : cudaSuccess;
		int value;

		if (!error && !attribute_value((uint32_t)argument(w, in, lane, 1, 4), &value))
			error = nested_refuse(w->launch, cudaErrorNotSupported,
					      "cudaDeviceGetAttribute in device code does not know this attribute");
		else if (!error && put(w, in, lane, 0, &value, sizeof value) != STOP_NOT)
			return STOP_FAULT;
		set_result(w, in, lane, error, 4);
	}
	return STOP_NOT;
}

/* cudaDeviceGetLimit(value, limit) */
static int exec_limit(struct warp *w, const struct inst *in, uint32_t mask)
{
	const struct cpu_device *dev = w->launch->device;

	FOR_LANES(lane, mask)
	{
		uint64_t limit = argument(w, in, lane, 1, 4), value = 0;
		uint32_t error = cudaSuccess;

		if (limit == cudaLimitStackSize)
			value = dev->stack ? dev->stack : TOLD_STACK_BYTES;
		else if (limit == cudaLimitMallocHeapSize)
			value = dev->memory.heap_limit;
		else
			error = cudaErrorUnsupportedLimit;
		if (!error && put(w, in, lane, 0, &value, sizeof value) != STOP_NOT)
			return STOP_FAULT;
		set_result(w, in, lane, error, 4);
	}
	return STOP_NOT;
}

/* --- Names of errors, which kernels print --- */

static const struct {
	uint32_t error;
	const char *name, *text;
} errors[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
#define ERROR(name, number, driver_name, text) {number, "cudaError" #name, text},
#define RUNTIME_ERROR(name, number, text) {number, "cudaError" #name, text},
#include "runtime/include/romark_errors.def"
#undef ERROR
#undef RUNTIME_ERROR
    {UINT32_MAX, "unrecognized error code", "unrecognized error code"},
};

enum { ERRORS = sizeof errors / sizeof *errors };

/* Puts the texts one behind another into an allocation that is never freed. */
static bool place_texts(struct cpu_device *dev)
{
	struct strbuf all = STRBUF_INIT;
	bool placed;

	for (unsigned i = 0; i < ERRORS; i++) {
		strbuf_add(&all, errors[i].name, strlen(errors[i].name) + 1);
		strbuf_add(&all, errors[i].text, strlen(errors[i].text) + 1);
	}
	placed = memory_alloc(&dev->memory, all.len, "names of errors", &dev->texts);
	if (placed)
		memcpy(memory_host(dev->texts), all.data, all.len);
	else
		dev->texts = 0;
	strbuf_release(&all);
	return placed;
}

static uint64_t text_of(struct cpu_device *dev, uint32_t error, bool is_name)
{
	uint64_t at;
	unsigned i = 0;

	if (!dev->texts && !place_texts(dev))
		return 0;
	for (at = dev->texts; i < ERRORS - 1 && errors[i].error != error; i++)
		at += strlen(errors[i].name) + 1 + strlen(errors[i].text) + 1;
	return is_name ? at : at + strlen(errors[i].name) + 1;
}

static int exec_error_name(struct warp *w, const struct inst *in, uint32_t mask)
{
	FOR_LANES(lane, mask)
	set_result(w, in, lane, text_of(w->launch->device, (uint32_t)argument(w, in, lane, 0, 4), true), 8);
	return STOP_NOT;
}

static int exec_error_text(struct warp *w, const struct inst *in, uint32_t mask)
{
	FOR_LANES(lane, mask)
	set_result(w, in, lane, text_of(w->launch->device, (uint32_t)argument(w, in, lane, 0, 4), false), 8);
	return STOP_NOT;
}

/* Unsupported calls: the program gets the error, the user a sentence. */
static int exec_unsupported(struct warp *w, const struct inst *in, uint32_t mask)
{
	uint32_t error = nested_refuse(w->launch, cudaErrorNotSupported,
				       "it asks for attributes or occupancy of a kernel, arrays or graphs, which only "
				       "host code can");

	FOR_LANES(lane, mask)
	set_result(w, in, lane, error, 4);
	return STOP_NOT;
}

/* --- Memory: the heap of kernels --- */

/* cudaMalloc(pointer, size) */
static int exec_malloc_at(struct warp *w, const struct inst *in, uint32_t mask)
{
	FOR_LANES(lane, mask)
	{
		uint64_t size = argument(w, in, lane, 1, 8), address = 0;
		char name[32];
		bool made;

		fault_note_place(w, in, lane);
		snprintf(name, sizeof name, "cudaMalloc#%llu", (unsigned long long)++w->launch->device->heap_blocks);
		made = !size || memory_alloc_heap(&w->launch->device->memory, size, name, &address);
		if (put(w, in, lane, 0, &address, sizeof address) != STOP_NOT)
			return STOP_FAULT;
		set_result(w, in, lane, made ? cudaSuccess : cudaErrorMemoryAllocation, 4);
	}
	return STOP_NOT;
}

static int exec_free_at(struct warp *w, const struct inst *in, uint32_t mask)
{
	FOR_LANES(lane, mask)
	{
		uint64_t address = argument(w, in, lane, 0, 8);
		bool good;

		fault_note_place(w, in, lane);
		good = !address || memory_release_heap(&w->launch->device->memory, address);

		set_result(w, in, lane, good ? cudaSuccess : cudaErrorInvalidValue, 4);
	}
	return STOP_NOT;
}

/* --- Copies and fills: they wait with the launches that came before them --- */

/* True if all of it lies in a single allocation. */
static bool is_memory(const struct memory *m, uint64_t address, uint64_t pitch, uint64_t slice,
		      const struct nested_copy *c)
{
	const struct allocation *a = memory_find(m, address);
	uint64_t rows, slices, span;

	if (!a || __builtin_mul_overflow(pitch, c->height - 1, &rows) ||
	    __builtin_mul_overflow(slice, c->depth - 1, &slices) || __builtin_add_overflow(rows, slices, &span) ||
	    __builtin_add_overflow(span, c->width, &span))
		return false;
	return span <= a->size - (address - a->address);
}

static bool can_be(const struct memory *m, const struct nested_copy *c)
{
	if (!c->width || !c->height || !c->depth)
		return true;
	return is_memory(m, c->to, c->to_pitch, c->to_slice, c) &&
	       (c->is_fill || is_memory(m, c->from, c->from_pitch, c->from_slice, c));
}

enum device_status nested_copy_run(struct cpu_device *device, const struct nested_copy *c, struct diag *d)
{
	if (!can_be(&device->memory, c)) {
		diag_file(d, NULL, "memory of a copy or fill in device code was freed before it began");
		return DEVICE_ILLEGAL_ADDRESS;
	}
	for (uint64_t z = 0; z < c->depth; z++)
		for (uint64_t y = 0; y < c->height; y++) {
			uint64_t start = c->to + z * c->to_slice + y * c->to_pitch;
			void *to = memory_host(start);

			if (device->apart && device->traced)
				apart_note_written(device->apart, start, c->width);
			if (device->memory.undefined && c->is_fill)
				undefined_clear(device->memory.undefined, start, c->width);
			else if (device->memory.undefined)
				undefined_copy(device->memory.undefined, start,
					       c->from + z * c->from_slice + y * c->from_pitch, c->width);
			if (c->is_fill)
				memset(to, c->value, c->width);
			else
				memmove(to, memory_host(c->from + z * c->from_slice + y * c->from_pitch), c->width);
		}
	return DEVICE_OK;
}

static void submit(struct warp *w, const struct inst *in, unsigned lane, const struct nested_copy *c, unsigned stream)
{
	bool good = can_be(&w->launch->device->memory, c);

	if (good)
		nested_add_copy(w, c, argument(w, in, lane, stream, 8));
	set_result(w, in, lane, good ? cudaSuccess : cudaErrorInvalidValue, 4);
}

/* cudaMemcpyAsync(to, from, size, kind, stream) */
static int exec_copy(struct warp *w, const struct inst *in, uint32_t mask)
{
	FOR_LANES(lane, mask)
	{
		const struct nested_copy c = {.to = argument(w, in, lane, 0, 8),
					      .from = argument(w, in, lane, 1, 8),
					      .width = argument(w, in, lane, 2, 8),
					      .height = 1,
					      .depth = 1};

		submit(w, in, lane, &c, 4);
	}
	return STOP_NOT;
}

/* cudaMemcpy2DAsync(to, pitch, from, pitch, width, height, kind, stream) */
static int exec_copy_rows(struct warp *w, const struct inst *in, uint32_t mask)
{
	FOR_LANES(lane, mask)
	{
		const struct nested_copy c = {.to = argument(w, in, lane, 0, 8),
					      .to_pitch = argument(w, in, lane, 1, 8),
					      .from = argument(w, in, lane, 2, 8),
					      .from_pitch = argument(w, in, lane, 3, 8),
					      .width = argument(w, in, lane, 4, 8),
					      .height = argument(w, in, lane, 5, 8),
					      .depth = 1};

		submit(w, in, lane, &c, 7);
	}
	return STOP_NOT;
}

/* cudaMemsetAsync(to, value, size, stream) */
static int exec_fill(struct warp *w, const struct inst *in, uint32_t mask)
{
	FOR_LANES(lane, mask)
	{
		const struct nested_copy c = {.is_fill = true,
					      .to = argument(w, in, lane, 0, 8),
					      .value = (uint8_t)argument(w, in, lane, 1, 4),
					      .width = argument(w, in, lane, 2, 8),
					      .height = 1,
					      .depth = 1};

		submit(w, in, lane, &c, 3);
	}
	return STOP_NOT;
}

/* cudaMemset2DAsync(to, pitch, value, width, height, stream) */
static int exec_fill_rows(struct warp *w, const struct inst *in, uint32_t mask)
{
	FOR_LANES(lane, mask)
	{
		const struct nested_copy c = {.is_fill = true,
					      .to = argument(w, in, lane, 0, 8),
					      .to_pitch = argument(w, in, lane, 1, 8),
					      .value = (uint8_t)argument(w, in, lane, 2, 4),
					      .width = argument(w, in, lane, 3, 8),
					      .height = argument(w, in, lane, 4, 8),
					      .depth = 1};

		submit(w, in, lane, &c, 5);
	}
	return STOP_NOT;
}

/* cudaMemset3DAsync(pitched pointer, value, extent, stream) */
static int exec_fill_box(struct warp *w, const struct inst *in, uint32_t mask)
{
	FOR_LANES(lane, mask)
	{
		struct nested_copy c = {.is_fill = true, .value = (uint8_t)argument(w, in, lane, 1, 4)};
		struct cudaPitchedPtr to;
		struct cudaExtent extent;

		argument_bytes(w, in, lane, 0, &to, sizeof to);
		argument_bytes(w, in, lane, 2, &extent, sizeof extent);
		c.to = (uintptr_t)to.ptr;
		c.to_pitch = to.pitch;
		c.width = extent.width;
		c.height = extent.height;
		c.depth = extent.depth;
		if (__builtin_mul_overflow(c.to_pitch, (uint64_t)to.ysize, &c.to_slice))
			c.to_slice = UINT64_MAX;
		submit(w, in, lane, &c, 3);
	}
	return STOP_NOT;
}

/* clang-format off */
const struct intrinsic device_runtime_intrinsics[] = {
	{"cudaStreamCreateWithFlags", exec_create}, {"cudaStreamDestroy", exec_succeed},
	{"cudaEventCreateWithFlags", exec_create}, {"cudaEventDestroy", exec_succeed},
	{"cudaEventRecord", exec_succeed}, {"cudaEventRecordWithFlags", exec_succeed},
	{"cudaStreamWaitEvent", exec_succeed},
	{"cudaGetDevice", exec_get_device}, {"cudaGetDeviceCount", exec_get_device_count},
	{"cudaRuntimeGetVersion", exec_version}, {"cudaDeviceGetAttribute", exec_attribute},
	{"cudaDeviceGetLimit", exec_limit}, {"cudaDeviceGetCacheConfig", exec_get_device},
	{"cudaDeviceGetSharedMemConfig", exec_get_device},
	{"cudaGetErrorName", exec_error_name}, {"cudaGetErrorString", exec_error_text},
	{"cudaMalloc", exec_malloc_at}, {"cudaFree", exec_free_at},
	{"cudaMemcpyAsync", exec_copy}, {"cudaMemcpy2DAsync", exec_copy_rows}, {"cudaMemcpy3DAsync", exec_unsupported},
	{"cudaMemsetAsync", exec_fill}, {"cudaMemset2DAsync", exec_fill_rows}, {"cudaMemset3DAsync", exec_fill_box},
	{"cudaFuncGetAttributes", exec_unsupported},
	{"cudaOccupancyMaxActiveBlocksPerMultiprocessor", exec_unsupported},
	{"cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", exec_unsupported},
	{"cudaGraphLaunch", exec_unsupported}, {"cudaGraphKernelNodeSetParam", exec_unsupported},
	{"cudaGraphKernelNodeSetEnabled", exec_unsupported}, {"cudaGraphKernelNodeSetGridDim", exec_unsupported},
	{"cudaGraphKernelNodeUpdatesApply", exec_unsupported}, {0}};
/* clang-format on */
