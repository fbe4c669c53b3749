/* The mock driver: its state, devices, contexts and errors. */
#include "tests/runtime/gpu/mock_driver.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct mock mock = {.opened = -1};

/* Primary contexts, one for each device; a handle is its address. */
struct CUctx_st {
	int retained;
};

enum { MAX_DEVICES = 8, MAX_STACK = 16 };

static struct CUctx_st contexts[MAX_DEVICES];
static _Thread_local CUcontext stack[MAX_STACK];
static _Thread_local unsigned depth;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool initialized, torn_down;
static pid_t initialized_in;

int mock_setting(const char *name, int otherwise)
{
	const char *value = getenv(name);

	return value ? atoi(value) : otherwise;
}

/* The result that MOCK_CUDA_FAIL asks `function` to give. */
static CUresult wanted_failure(const char *function)
{
	const char *at = getenv("MOCK_CUDA_FAIL");
	size_t length = strlen(function);

	while (at && *at) {
		if (strncmp(at, function, length) == 0 && at[length] == '=')
			return atoi(at + length + 1);
		at += strcspn(at, ",");
		at += *at == ',';
	}
	return CUDA_SUCCESS;
}

CUresult mock_enter(const char *function, bool needs_context)
{
	CUresult result = wanted_failure(function);

	pthread_mutex_lock(&lock);
	if (torn_down)
		result = CUDA_ERROR_DEINITIALIZED;
	else if (initialized && initialized_in != getpid())
		result = CUDA_ERROR_NOT_INITIALIZED;
	else if (!initialized && strcmp(function, "cuInit") != 0 && strcmp(function, "cuDriverGetVersion") != 0)
		result = CUDA_ERROR_NOT_INITIALIZED;
	else if (needs_context && (!depth || !stack[depth - 1] || !mock.cpu))
		result = CUDA_ERROR_INVALID_CONTEXT;
	else if (needs_context && mock.spoiled)
		result = mock.spoiled;
	if (result == CUDA_SUCCESS)
		mock_memory_expose(true);
	else
		pthread_mutex_unlock(&lock);
	return result;
}

void mock_leave(CUresult *entered)
{
	if (*entered != CUDA_SUCCESS)
		return;
	mock_memory_expose(false);
	pthread_mutex_unlock(&lock);
}

static void tear_down(void)
{
	torn_down = true;
}

CUresult cuInit(unsigned flags)
{
	MOCK_BEGIN();
	if (flags)
		return CUDA_ERROR_INVALID_VALUE;
	if (!mock_setting("MOCK_CUDA_DEVICES", 1))
		return CUDA_ERROR_NO_DEVICE;
	if (!initialized)
		atexit(tear_down);
	initialized = true;
	initialized_in = getpid();
	return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version)
{
	MOCK_BEGIN();
	*version = mock_setting("MOCK_CUDA_DRIVER", 13000);
	return CUDA_SUCCESS;
}

/* --- Errors: valid in any state --- */

static const struct {
	CUresult result;
	const char *name;
} names[] = {
#define X(name, value) {name, #name},
    LIBCUDA_NUMBERS(X)
#undef X
};

CUresult cuGetErrorName(CUresult error, const char **name)
{
	*name = NULL;
	for (size_t i = 0; i < sizeof names / sizeof *names && !*name; i++)
		if (names[i].result == error && strncmp(names[i].name, "CUDA_", 5) == 0)
			*name = names[i].name;
	return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
	CUresult result = cuGetErrorName(error, text);

	if (result == CUDA_SUCCESS)
		*text = "as the mock driver puts it";
	return result;
}

/* --- Devices --- */

CUresult cuDeviceGetCount(int *count)
{
	MOCK_BEGIN();
	*count = mock_setting("MOCK_CUDA_DEVICES", 1);
	return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
	MOCK_BEGIN();
	if (ordinal < 0 || ordinal >= mock_setting("MOCK_CUDA_DEVICES", 1) || ordinal >= MAX_DEVICES)
		return CUDA_ERROR_INVALID_DEVICE;
	*device = ordinal;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device)
{
	MOCK_BEGIN();
	snprintf(name, (size_t)length, "Mock GPU %d", device);
	return CUDA_SUCCESS;
}

/* As on a GPU of that capability; what is not here is 0. */
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
	static const struct {
		int attribute, value;
	} values[] = {{1, 1024},    {2, 1024},   {3, 1024}, {4, 64},     {5, 2147483647}, {6, 65535}, {7, 65535},
		      {8, 49152},   {9, 65536},  {10, 32},  {12, 65536}, {16, 132},       {39, 2048}, {41, 1},
		      {81, 233472}, {82, 65536}, {83, 1},   {95, 1},     {97, 232448},    {106, 32},  {111, 1024}};
	MOCK_BEGIN();
	(void)device;
	*value = 0;
	if (attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
		*value = mock_setting("MOCK_CUDA_CAPABILITY", 90) / 10;
	if (attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)
		*value = mock_setting("MOCK_CUDA_CAPABILITY", 90) % 10;
	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		if (values[i].attribute == attribute)
			*value = values[i].value;
	return CUDA_SUCCESS;
}

/* --- Contexts --- */

static CUresult open_cpu(CUdevice device)
{
	struct diag d = DIAG_INIT;
	struct settings settings;

	settings_read(&settings, NULL);
	settings.load = LOAD_KEEP;
	settings.quiet = true;
	mock.cpu = cpu_device_ops.open(&settings, &d);
	if (!mock.cpu) {
		diag_print(&d, stderr);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	mock.opened = device;
	return mock_memory_open(mock.cpu);
}

static void close_cpu(void)
{
	mock_forget_all();
	mock_module_forget();
	mock_images_forget();
	mock_memory_close();
	cpu_device_ops.close(mock.cpu);
	mock.cpu = NULL;
	mock.heap_used = mock.printf_used = false;
	memset(mock.limits, 0, sizeof mock.limits);
	if (mock_setting("MOCK_CUDA_RECOVERS", 0))
		mock.spoiled = CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
	MOCK_BEGIN();
	*context = &contexts[device];
	contexts[device].retained++;
	return mock.cpu ? CUDA_SUCCESS : open_cpu(device);
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
	MOCK_BEGIN();
	if (!contexts[device].retained)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (--contexts[device].retained == 0 && mock.cpu)
		close_cpu();
	return CUDA_SUCCESS;
}

/* Leaves the context inactive: it must be retained again. */
CUresult cuDevicePrimaryCtxReset_v2(CUdevice device)
{
	MOCK_BEGIN();
	(void)device;
	if (mock.cpu)
		close_cpu();
	return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
	MOCK_BEGIN();
	*context = depth ? stack[depth - 1] : NULL;
	return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context)
{
	MOCK_BEGIN();
	depth += !depth;
	stack[depth - 1] = context;
	return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent_v2(CUcontext context)
{
	MOCK_BEGIN();
	if (depth == MAX_STACK)
		return CUDA_ERROR_INVALID_VALUE;
	stack[depth++] = context;
	return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent_v2(CUcontext *context)
{
	MOCK_BEGIN();
	if (!depth)
		return CUDA_ERROR_INVALID_CONTEXT;
	*context = stack[--depth];
	return CUDA_SUCCESS;
}

enum { SYNC_DEPTH_LIMIT = 3, KNOWN_LIMITS = 9 };

/* The context makes this when the first module that needs it is loaded. */
static CUresult check_limit(CUlimit limit)
{
	if (limit < 0 || limit >= KNOWN_LIMITS)
		return CUDA_ERROR_INVALID_VALUE;
	return limit == SYNC_DEPTH_LIMIT && mock_setting("MOCK_CUDA_CAPABILITY", 90) >= 90
		   ? CUDA_ERROR_UNSUPPORTED_LIMIT
		   : CUDA_SUCCESS;
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
	CUresult result = check_limit(limit);
	MOCK_ENTER();
	if ((limit == CU_LIMIT_MALLOC_HEAP_SIZE && mock.heap_used) ||
	    (limit == CU_LIMIT_PRINTF_FIFO_SIZE && mock.printf_used))
		result = CUDA_ERROR_INVALID_VALUE;
	if (result == CUDA_SUCCESS)
		mock.limits[limit] = value;
	return result;
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit)
{
	CUresult result = check_limit(limit);
	MOCK_ENTER();
	if (result == CUDA_SUCCESS)
		*value = mock.limits[limit];
	return result;
}

/* --- Queries by tests --- */

size_t mock_limit(int which)
{
	return mock.limits[which];
}

void mock_restart(void)
{
	mock.spoiled = CUDA_SUCCESS;
}

int mock_opened_device(void)
{
	return mock.opened;
}
