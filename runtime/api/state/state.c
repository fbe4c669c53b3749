/* The state: the first call opens it, exit closes it, and each thread has its own last error. No topic appears here. */
#include "runtime/api/state/state.h"

#include <stdlib.h>
#include <string.h>

struct runtime runtime_state = {.lock_made = PTHREAD_ONCE_INIT};
_Thread_local struct runtime_thread runtime_thread = {.old_launch.block = {1, 1, 1}};

/* The CUDA error for each status of a device; `fatal` errors leave the context unusable. */
static const struct {
	cudaError_t error;
	bool fatal;
} status_errors[] = {
    [DEVICE_OK] = {cudaSuccess, false},
    [DEVICE_OUT_OF_MEMORY] = {cudaErrorMemoryAllocation, false},
    [DEVICE_BAD_PTX] = {cudaErrorInvalidPtx, false},
    [DEVICE_BAD_LAUNCH] = {cudaErrorInvalidConfiguration, false},
    [DEVICE_ILLEGAL_ADDRESS] = {cudaErrorIllegalAddress, true},
    [DEVICE_MISALIGNED] = {cudaErrorMisalignedAddress, true},
    [DEVICE_ASSERT] = {cudaErrorAssert, true},
    [DEVICE_TRAP] = {cudaErrorLaunchFailure, true},
    [DEVICE_HANG] = {cudaErrorLaunchTimeout, true},
    [DEVICE_NOT_FOUND] = {cudaErrorSymbolNotFound, false},
    [DEVICE_BAD_VALUE] = {cudaErrorInvalidValue, false},
    [DEVICE_UNSUPPORTED] = {cudaErrorNotSupported, false},
    [DEVICE_FAILED] = {cudaErrorUnknown, false},
};

static void make_lock(void)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&runtime_state.lock, &attributes);
	pthread_mutexattr_destroy(&attributes);
}

struct runtime *runtime_lock(void)
{
	struct runtime *rt = &runtime_state;

	pthread_once(&rt->lock_made, make_lock);
	pthread_mutex_lock(&rt->lock);
	return rt;
}

void runtime_unlock(void)
{
	pthread_mutex_unlock(&runtime_state.lock);
}

void runtime_notice(const struct diag *d)
{
	if (diag_is_set(d) && !runtime_state.settings.quiet)
		diag_print(d, stderr);
}

enum { EXIT_WRONG_SETTING = 2 };

/*
 * Ends the program: going on would ignore a setting that its user wants, and not all programs check for errors. Calls
 * that it makes while it ends find no device.
 */
static void end_program(struct runtime *rt, const struct diag *d)
{
	diag_print(d, stderr);
	rt->open_error = cudaErrorNoDevice;
	exit(EXIT_WRONG_SETTING);
}

static cudaError_t open_device(struct runtime *rt)
{
	struct diag d = DIAG_INIT;

	if (settings_read(&rt->settings, &d) < 0)
		end_program(rt, &d);
	rt->ops = device_choose(rt->settings.device, &d);
	if (rt->ops)
		rt->device = rt->ops->open(&rt->settings, &d);
	if (!rt->device)
		runtime_notice(&d);
	return rt->device ? cudaSuccess : cudaErrorNoDevice;
}

struct runtime *runtime_enter(void)
{
	struct runtime *rt = runtime_lock();

	if (!rt->device && !rt->open_error)
		rt->open_error = open_device(rt);
	runtime_thread.enter_error = rt->open_error ? rt->open_error : rt->sticky;
	if (!runtime_thread.enter_error)
		return rt;
	runtime_unlock();
	return NULL;
}

cudaError_t runtime_failed(void)
{
	return runtime_remember(runtime_thread.enter_error);
}

cudaError_t runtime_leave(cudaError_t error)
{
	runtime_unlock();
	return runtime_remember(error);
}

cudaError_t status_error(struct runtime *rt, enum device_status status)
{
	if (status_errors[status].fatal)
		rt->sticky = status_errors[status].error;
	return status_errors[status].error;
}

__attribute__((destructor)) static void close_at_exit(void)
{
	if (runtime_state.device)
		runtime_state.ops->finish(runtime_state.device);
}

/* --- API --- */

cudaError_t cudaGetLastError(void)
{
	cudaError_t error = cudaPeekAtLastError();

	runtime_thread.last_error = cudaSuccess;
	return error;
}

cudaError_t cudaPeekAtLastError(void)
{
	return runtime_state.sticky ? runtime_state.sticky : runtime_thread.last_error;
}
