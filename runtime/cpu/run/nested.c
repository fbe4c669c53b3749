/* The functions by which device code launches kernels and waits for them, and the queues of launches. */
#include "runtime/cpu/run/nested.h"

#include "common/kernel_names.h"

#include "runtime/cpu/decode/intrinsics.h"
#include "runtime/cpu/observe/observe.h"
#include "runtime/cpu/run/cpu_launch.h"
#include "runtime/cpu/run/load_module.h"
#include "runtime/device/limits.h"
#include "runtime/include/driver_types.h"

#include <stdio.h>
#include <stdlib.h>

/* --- Queues --- */

static void append(struct nested_queue *queue, struct nested_launch *n)
{
	n->next = NULL;
	*(queue->last ? &queue->last->next : &queue->first) = n;
	queue->last = n;
}

struct nested_launch *nested_take(struct nested_queue *queue)
{
	struct nested_launch *n = queue->first;

	if (n)
		queue->first = n->next;
	if (!queue->first)
		queue->last = NULL;
	return n;
}

void nested_queue_free(struct nested_queue *queue)
{
	struct nested_launch *n;

	while ((n = nested_take(queue)))
		free(n);
}

/* Moves the launches of `from` that belong to the CTA to the end of `to`. */
static void move_of_cta(struct nested_queue *from, struct nested_queue *to, uint64_t cta)
{
	struct nested_queue others = {NULL, NULL};
	struct nested_launch *n;

	while ((n = nested_take(from)))
		append(n->cta == cta ? to : &others, n);
	*from = others;
}

struct nested_queue nested_take_children(struct nested *nested, uint64_t cta)
{
	struct nested_queue children = {NULL, NULL};

	move_of_cta(&nested->children, &children, cta);
	return children;
}

static void prepend(struct nested_queue *queue, struct nested_queue *before)
{
	if (!before->first)
		return;
	before->last->next = queue->first;
	if (!queue->first)
		queue->last = before->last;
	queue->first = before->first;
	*before = (struct nested_queue){NULL, NULL};
}

void nested_end(struct nested *nested, struct memory *memory, struct nested_queue *queue)
{
	for (const struct nested_launch *n = nested->prepared.first; n; n = n->next)
		memory_release(memory, n->buffer);
	nested_queue_free(&nested->prepared);
	prepend(queue, &nested->tails);
	prepend(queue, &nested->children);
}

/* --- Launches --- */

static struct device_kernel *kernel_at(const struct device_module *m, uint64_t address)
{
	struct device_kernel *k = m->kernels;

	while (k && function_address((uint32_t)(k->function - m->ptx->functions)) != address)
		k = k->next;
	return k;
}

/* The error is kept, and told once: launches in <<<>>> have no result that a program could look at. */
uint32_t nested_refuse(struct launch *l, uint32_t error, const char *why)
{
	if (!l->nested.reported && !l->device->settings.quiet)
		fprintf(stderr, "romark: kernel '%s': a call of the device runtime fails: %s\n",
			short_title(l->program->kernel->name).text, why);
	l->nested.reported = true;
	l->nested.error = error;
	return error;
}

void nested_add_copy(struct warp *w, const struct nested_copy *copy, uint64_t stream)
{
	struct nested *nested = &w->launch->nested;
	struct nested_launch *n = xcalloc(1, sizeof *n);

	n->copy = *copy;
	n->cta = w->cta->index;
	append(stream == (uintptr_t)cudaStreamTailLaunch ? &nested->tails : &nested->children, n);
}

static uint32_t check(struct launch *l, struct device_kernel *k, const struct nested_launch *n)
{
	struct diag d = DIAG_INIT;

	if (!k)
		return nested_refuse(l, cudaErrorInvalidDeviceFunction, "its function is not a kernel of this module");
	if (n->depth > MAX_NESTING)
		return nested_refuse(l, cudaErrorLaunchMaxDepthExceeded, "kernels are nested too deeply");
	if (launch_check(k, &n->shape, &d) < 0)
		return nested_refuse(l, cudaErrorInvalidConfiguration, d.message);
	return cudaSuccess;
}

/* A buffer for a launch's parameters, with a record of what is known about the launch. 0 if memory runs out. */
static uint64_t prepare(struct launch *l, size_t bytes, struct device_kernel *kernel, const struct launch_params *shape)
{
	struct nested_launch *n;
	uint64_t buffer;

	if (!memory_alloc(&l->device->memory, bytes, "launch parameters", &buffer)) {
		nested_refuse(l, cudaErrorMemoryAllocation, "no device memory for its parameters");
		return 0;
	}
	n = xcalloc(1, sizeof *n + bytes);
	n->kernel = kernel;
	n->shape = *shape;
	n->shape.params = n + 1;
	n->shape.param_bytes = bytes;
	n->shape.stream = l->shape->stream;
	n->shape.regions = l->shape->regions;
	n->shape.regions_seen = l->shape->regions_seen;
	n->buffer = buffer;
	n->depth = l->nested.depth + 1;
	append(&l->nested.prepared, n);
	return buffer;
}

static struct nested_launch *take_prepared(struct launch *l, uint64_t buffer)
{
	struct nested_queue others = {NULL, NULL};
	struct nested_launch *n, *found = NULL;

	while ((n = nested_take(&l->nested.prepared)))
		if (n->buffer == buffer)
			found = n;
		else
			append(&others, n);
	l->nested.prepared = others;
	return found;
}

/* Copies the parameters as they are now. */
static uint32_t submit(struct warp *w, struct nested_launch *n, uint64_t stream)
{
	struct launch *l = w->launch;
	uint32_t error;

	n->depth -= stream == (uintptr_t)cudaStreamTailLaunch;
	n->cta = w->cta->index;
	memcpy(n + 1, memory_host(n->buffer), n->shape.param_bytes);
	memory_release(&l->device->memory, n->buffer);
	n->buffer = 0;
	error = check(l, n->kernel, n);
	if (error)
		free(n);
	else
		append(stream == (uintptr_t)cudaStreamTailLaunch ? &l->nested.tails : &l->nested.children, n);
	return error;
}

/* --- Functions of the device runtime --- */

#define FOR_LANES(lane, mask)                                                                                          \
	for (unsigned lane = 0; lane < LANES; lane++)                                                                  \
		if ((mask) >> lane & 1)

/* Grid, block and dynamic shared memory from argument `first` on. */
static struct launch_params shape_arguments(const struct warp *w, const struct inst *in, unsigned lane, unsigned first)
{
	struct launch_params shape = {0};

	argument_bytes(w, in, lane, first, shape.grid, sizeof shape.grid);
	argument_bytes(w, in, lane, first + 1, shape.block, sizeof shape.block);
	shape.dynamic_shared = (uint32_t)argument(w, in, lane, first + 2, 4);
	return shape;
}

/* cudaGetParameterBuffer(alignment, size) */
static int exec_get_buffer(struct warp *w, const struct inst *in, uint32_t mask)
{
	FOR_LANES(lane, mask)
	{
		const struct launch_params shape = {0};
		uint64_t bytes = argument(w, in, lane, 1, 8);

		set_result(w, in, lane, bytes <= MAX_PARAM_BYTES ? prepare(w->launch, bytes, NULL, &shape) : 0, 8);
	}
	return STOP_NOT;
}

/* cudaLaunchDevice(kernel, buffer, grid, block, shared, stream) */
static int exec_launch(struct warp *w, const struct inst *in, uint32_t mask)
{
	FOR_LANES(lane, mask)
	{
		struct nested_launch *n = take_prepared(w->launch, argument(w, in, lane, 1, 8));
		struct launch_params shape = shape_arguments(w, in, lane, 2);
		uint32_t error = cudaErrorInvalidValue;

		if (n) {
			memcpy(n->shape.grid, shape.grid, sizeof shape.grid);
			memcpy(n->shape.block, shape.block, sizeof shape.block);
			n->shape.dynamic_shared = shape.dynamic_shared;
			n->kernel = kernel_at(w->launch->program->module, argument(w, in, lane, 0, 8));
			error = submit(w, n, argument(w, in, lane, 5, 8));
		}
		set_result(w, in, lane, error, 4);
	}
	return STOP_NOT;
}

/* cudaGetParameterBufferV2(kernel, grid, block, shared) */
static int exec_get_buffer_v2(struct warp *w, const struct inst *in, uint32_t mask)
{
	FOR_LANES(lane, mask)
	{
		struct device_kernel *k = kernel_at(w->launch->program->module, argument(w, in, lane, 0, 8));
		struct launch_params shape = shape_arguments(w, in, lane, 1);

		set_result(w, in, lane, prepare(w->launch, k ? k->function->param_bytes : 0, k, &shape), 8);
	}
	return STOP_NOT;
}

/* cudaLaunchDeviceV2(buffer, stream) */
static int exec_launch_v2(struct warp *w, const struct inst *in, uint32_t mask)
{
	FOR_LANES(lane, mask)
	{
		struct nested_launch *n = take_prepared(w->launch, argument(w, in, lane, 0, 8));

		set_result(w, in, lane, n ? submit(w, n, argument(w, in, lane, 1, 8)) : cudaErrorInvalidValue, 4);
	}
	return STOP_NOT;
}

/* cudaDeviceSynchronize(): waits for what the threads of the CTA have launched so far. */
static int exec_synchronize(struct warp *w, const struct inst *in, uint32_t mask)
{
	struct diag d = DIAG_INIT;
	enum device_status status = launch_children(w->launch, w->cta->index, &d);

	if (status)
		return fault_at(w, in, mask, status, "a kernel that it launched failed: %s", d.message);
	FOR_LANES(lane, mask)
	set_result(w, in, lane, cudaSuccess, 4);
	return STOP_NOT;
}

static int exec_peek_error(struct warp *w, const struct inst *in, uint32_t mask)
{
	FOR_LANES(lane, mask)
	set_result(w, in, lane, w->launch->nested.error, 4);
	return STOP_NOT;
}

static int exec_last_error(struct warp *w, const struct inst *in, uint32_t mask)
{
	exec_peek_error(w, in, mask);
	w->launch->nested.error = cudaSuccess;
	return STOP_NOT;
}

/* clang-format off */
const struct intrinsic nested_intrinsics[] = {
	{"cudaGetParameterBuffer", exec_get_buffer}, {"cudaLaunchDevice", exec_launch},
	{"cudaGetParameterBufferV2", exec_get_buffer_v2}, {"cudaLaunchDeviceV2", exec_launch_v2},
	{"cudaDeviceSynchronize", exec_synchronize}, {"__cudaDeviceSynchronizeDeprecationAvoidance", exec_synchronize},
	{"cudaGetLastError", exec_last_error}, {"cudaPeekAtLastError", exec_peek_error}, {0}};
/* clang-format on */
