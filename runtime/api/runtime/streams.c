/*
 * Streams: all work is done in the order it is submitted in, at once or, on a GPU, later. So a stream is an order that
 * is already kept, and a number for traces.
 */
#include "runtime/api/runtime/runtime.h"

#include "runtime/api/graphs/graph.h"
#include "runtime/api/runtime/stream.h"

#include <stdlib.h>

static struct CUstream_st *streams; /* live ones */
static uint32_t stream_count;

static bool is_default(cudaStream_t stream)
{
	return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

cudaError_t stream_check(cudaStream_t stream)
{
	if (is_default(stream))
		return cudaSuccess;
	for (struct CUstream_st *s = streams; s; s = s->next)
		if (s == stream)
			return cudaSuccess;
	return cudaErrorInvalidResourceHandle;
}

uint32_t stream_number(cudaStream_t stream)
{
	return is_default(stream) ? 0 : stream->number;
}

struct CUstream_st *stream_state(cudaStream_t stream)
{
	return is_default(stream) ? NULL : stream;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority)
{
	struct runtime *rt = runtime_enter();

	if (!rt)
		return runtime_failed();
	if (!stream || flags > cudaStreamNonBlocking)
		return runtime_leave(cudaErrorInvalidValue);
	*stream = xcalloc(1, sizeof **stream);
	(*stream)->flags = flags;
	(*stream)->priority = priority;
	(*stream)->number = ++stream_count;
	(*stream)->next = streams;
	streams = *stream;
	return runtime_leave(cudaSuccess);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
	return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
	return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
	struct runtime *rt = runtime_enter();
	cudaError_t error;

	if (!rt)
		return runtime_failed();
	error = is_default(stream) ? cudaErrorInvalidResourceHandle : stream_check(stream);
	if (!error) {
		struct CUstream_st **at = &streams;

		while (*at != stream)
			at = &(*at)->next;
		*at = stream->next;
		graph_capture_drop(stream);
		free(stream);
	}
	return runtime_leave(error);
}

/* Waits for the device, which matters where work is not done at once. */
static cudaError_t wait_for(cudaStream_t stream)
{
	struct runtime *rt = runtime_enter();
	struct diag d = DIAG_INIT;
	cudaError_t error;

	if (!rt)
		return runtime_failed();
	error = stream_check(stream);
	if (!error && graph_capturing(stream))
		error = cudaErrorStreamCaptureUnsupported;
	if (!error)
		error = status_error(rt, rt->ops->synchronize(rt->device, &d));
	runtime_notice(&d);
	return runtime_leave(error);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
	return wait_for(stream);
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
	return wait_for(stream);
}

cudaError_t cudaDeviceSynchronize(void)
{
	return wait_for(NULL);
}

static cudaError_t checked(cudaStream_t stream)
{
	struct runtime *rt = runtime_enter();

	return rt ? runtime_leave(stream_check(stream)) : runtime_failed();
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags)
{
	cudaError_t error = checked(stream);

	if (!error)
		*flags = is_default(stream) ? cudaStreamDefault : stream->flags;
	return error;
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
	cudaError_t error = checked(stream);

	if (!error)
		*priority = is_default(stream) ? 0 : stream->priority;
	return error;
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id)
{
	cudaError_t error = checked(stream);

	if (!error)
		*id = stream_number(stream);
	return error;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr,
				   const cudaLaunchAttributeValue *value)
{
	cudaError_t error = checked(stream);

	if (!error && !value)
		error = runtime_remember(cudaErrorInvalidValue);
	if (!error && attr == cudaLaunchAttributePriority && !is_default(stream))
		stream->priority = value->priority;
	else if (!error && attr == cudaLaunchAttributeAccessPolicyWindow && !is_default(stream))
		stream->window = value->accessPolicyWindow;
	return error;
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr, cudaLaunchAttributeValue *value)
{
	cudaError_t error = checked(stream);

	if (!error && !value)
		error = runtime_remember(cudaErrorInvalidValue);
	if (!error && attr == cudaLaunchAttributePriority)
		value->priority = is_default(stream) ? 0 : stream->priority;
	else if (!error && attr == cudaLaunchAttributeAccessPolicyWindow && !is_default(stream))
		value->accessPolicyWindow = stream->window;
	return error;
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *ptr, size_t length, unsigned int flags)
{
	(void)ptr, (void)length, (void)flags;
	return checked(stream);
}

/* --- Host functions: after the work before them; without the lock, so that they may take their time --- */

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
	cudaError_t error = checked(stream);

	if (error)
		return error;
	if (!function)
		return runtime_remember(cudaErrorInvalidValue);
	if (graph_capturing(stream))
		return graph_capture_host(stream, function, data);
	error = wait_for(stream);
	if (!error)
		function(data);
	return error;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned int flags)
{
	cudaError_t error = checked(stream);

	(void)flags;
	if (!error && graph_capturing(stream))
		error = runtime_remember(cudaErrorStreamCaptureUnsupported);
	if (!error) {
		error = wait_for(stream);
		callback(stream, error, data);
	}
	return error;
}
