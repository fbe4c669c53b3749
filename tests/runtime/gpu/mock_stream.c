/* The mock driver's one stream: launches and events wait in it until the host waits for them. */
#include "tests/runtime/gpu/mock_driver.h"

#include "common/progress.h"
#include "common/vec.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct work {
	CUfunction function; /* NULL: an event */
	CUevent event;
	struct launch_params shape;
	void *params;
};

static VEC(struct work) queue;
static char last_launched[256];

const char *mock_last_launched(void)
{
	return last_launched;
}

/* --- Running --- */

static void write_log(const char *kernel)
{
	const char *path = getenv("MOCK_CUDA_LOG");
	FILE *file = path ? fopen(path, "a") : NULL;

	if (!file)
		return;
	fprintf(file, "%s\n", kernel);
	fclose(file);
}

static CUresult failure(enum device_status status)
{
	static const CUresult results[] = {[DEVICE_OUT_OF_MEMORY] = CUDA_ERROR_OUT_OF_MEMORY,
					   [DEVICE_BAD_PTX] = CUDA_ERROR_INVALID_PTX,
					   [DEVICE_BAD_LAUNCH] = CUDA_ERROR_INVALID_VALUE,
					   [DEVICE_ILLEGAL_ADDRESS] = CUDA_ERROR_ILLEGAL_ADDRESS,
					   [DEVICE_MISALIGNED] = CUDA_ERROR_MISALIGNED_ADDRESS,
					   [DEVICE_ASSERT] = CUDA_ERROR_ASSERT,
					   [DEVICE_TRAP] = CUDA_ERROR_LAUNCH_FAILED,
					   [DEVICE_HANG] = CUDA_ERROR_LAUNCH_TIMEOUT,
					   [DEVICE_NOT_FOUND] = CUDA_ERROR_NOT_FOUND};

	return results[status];
}

/*
 * A kernel that never ends. MOCK_CUDA_RING=1: timeout(1), which leads the process group, is told that its time is up,
 * so that a test need not know how long other programs take here.
 */
static void hang(void)
{
	if (getenv("MOCK_CUDA_RING"))
		kill(getpgrp(), SIGALRM);
	for (;;)
		pause();
}

/* Does the test want this kernel never to end? */
static bool hangs(const char *kernel)
{
	const char *name = getenv("MOCK_CUDA_HANG");

	return name && *name && strstr(kernel, name);
}

static CUresult run(struct work *w)
{
	struct diag d = DIAG_INIT;
	enum device_status status;

	if (!w->function) {
		w->event->seconds = monotonic_seconds();
		w->event->pending = false;
		return CUDA_SUCCESS;
	}
	if (hangs(w->function->name))
		hang();
	mock_memory_snapshot();
	write_log(w->function->name);
	w->shape.params = w->params;
	status = cpu_device_ops.launch(mock.cpu, w->function->kernel, &w->shape, &d);
	free(w->params);
	return failure(status);
}

/* Takes the oldest piece of work. */
static void run_one(void)
{
	struct work w = queue.data[0];
	CUresult result;

	memmove(queue.data, queue.data + 1, (queue.len - 1) * sizeof *queue.data);
	queue.len--;
	result = run(&w);
	if (result && !mock.spoiled)
		mock.spoiled = result;
}

CUresult mock_run_all(void)
{
	while (queue.len && !mock.spoiled)
		run_one();
	return mock.spoiled;
}

void mock_forget_all(void)
{
	for (size_t i = 0; i < queue.len; i++)
		free(queue.data[i].params);
	vec_release(&queue);
}

CUresult cuCtxSynchronize(void)
{
	MOCK_ENTER();
	return mock_run_all();
}

/* --- Launches --- */

static CUresult submit(CUfunction function, const struct launch_params *shape, void **params)
{
	struct work w = {.function = function, .shape = *shape};
	const struct kernel_attributes *a = &function->attributes;
	uint64_t threads = (uint64_t)shape->block[0] * shape->block[1] * shape->block[2];
	int limit = function->dynamic_limit ? function->dynamic_limit : (48 << 10) - (int)a->static_shared;

	for (int i = 0; i < 3; i++)
		if (!shape->grid[i] || !shape->block[i] || (i && shape->grid[i] > 65535))
			return CUDA_ERROR_INVALID_VALUE;
	if (threads > 1024 || (a->max_threads && threads > a->max_threads) || (int)shape->dynamic_shared > limit)
		return CUDA_ERROR_INVALID_VALUE;
	w.params = xcalloc(1, a->param_bytes + 1);
	for (uint32_t i = 0; i < a->nparams; i++)
		memcpy((char *)w.params + a->param_offsets[i], params[i], a->param_sizes[i]);
	w.shape.param_bytes = a->param_bytes;
	vec_push(&queue, w);
	snprintf(last_launched, sizeof last_launched, "%s", function->name);
	return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
			unsigned bz, unsigned shared, CUstream stream, void **params, void **extra)
{
	const struct launch_params shape = {.grid = {gx, gy, gz}, .block = {bx, by, bz}, .dynamic_shared = shared};
	MOCK_ENTER();
	return stream || extra ? CUDA_ERROR_INVALID_HANDLE : submit(function, &shape, params);
}

/* By threads alone: 132 multiprocessors of 64 warps and 32 blocks. */
static uint64_t blocks_at_once(uint64_t threads)
{
	uint64_t warps = (threads + 31) / 32, each = warps ? 64 / warps : 0;

	return 132 * (each < 32 ? each : 32);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
				   unsigned bz, unsigned shared, CUstream stream, void **params)
{
	const struct launch_params shape = {
	    .grid = {gx, gy, gz}, .block = {bx, by, bz}, .dynamic_shared = shared, .cooperative = true};
	MOCK_ENTER();
	if ((uint64_t)gx * gy * gz > blocks_at_once((uint64_t)bx * by * bz))
		return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
	return stream ? CUDA_ERROR_INVALID_HANDLE : submit(function, &shape, params);
}

/* Clusters need such a GPU, and grids that they fill; on the CPU device each is one CTA. */
static CUresult check_cluster(const CUlaunchConfig *c, const CUlaunchAttribute *a, CUfunction function)
{
	unsigned x = a->value.clusterDim.x, y = a->value.clusterDim.y, z = a->value.clusterDim.z;

	if (mock_setting("MOCK_CUDA_CAPABILITY", 90) < 90 || !x || !y || !z || c->gridDimX % x || c->gridDimY % y ||
	    c->gridDimZ % z || x * y * z > (function->large_clusters ? 16u : 8u))
		return CUDA_ERROR_INVALID_CLUSTER_SIZE;
	return CUDA_SUCCESS;
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction function, void **params, void **extra)
{
	struct launch_params shape = {.grid = {c->gridDimX, c->gridDimY, c->gridDimZ},
				      .block = {c->blockDimX, c->blockDimY, c->blockDimZ},
				      .dynamic_shared = c->sharedMemBytes};
	CUresult result = c->hStream || extra ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
	MOCK_ENTER();
	for (unsigned i = 0; i < c->numAttrs && result == CUDA_SUCCESS; i++) {
		if (c->attrs[i].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
			shape.cooperative = c->attrs[i].value.cooperative;
		else if (c->attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
			result = check_cluster(c, &c->attrs[i], function);
		else
			result = CUDA_ERROR_INVALID_VALUE;
	}
	return result ? result : submit(function, &shape, params);
}

/* --- Events --- */

CUresult cuEventCreate(CUevent *event, unsigned flags)
{
	MOCK_ENTER();
	(void)flags;
	*event = xcalloc(1, sizeof **event);
	return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
	MOCK_ENTER();
	(void)stream;
	event->pending = event->recorded = true;
	vec_push(&queue, (struct work){.event = event});
	return CUDA_SUCCESS;
}

/* Time goes on a piece of work at a time. */
CUresult cuEventQuery(CUevent event)
{
	MOCK_ENTER();
	if (!event->pending)
		return CUDA_SUCCESS;
	run_one();
	return mock.spoiled ? mock.spoiled : CUDA_ERROR_NOT_READY;
}

CUresult cuEventSynchronize(CUevent event)
{
	MOCK_ENTER();
	while (event->pending && !mock.spoiled)
		run_one();
	return mock.spoiled;
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end)
{
	MOCK_ENTER();
	if (!start->recorded || !end->recorded)
		return CUDA_ERROR_INVALID_HANDLE;
	if (start->pending || end->pending)
		return CUDA_ERROR_NOT_READY;
	*milliseconds = (float)((end->seconds - start->seconds) * 1e3);
	return CUDA_SUCCESS;
}

/* An event that has not come yet is waited for. */
CUresult cuEventDestroy_v2(CUevent event)
{
	MOCK_ENTER();
	while (event->pending && queue.len)
		run_one();
	free(event);
	return CUDA_SUCCESS;
}
