/*
 * Streams: all work is done in the order it is submitted in, at once or, on a GPU, later. So a stream is an order that
 * is already kept, and a number for traces.
 */
#include "runtime/api/cudart/topics.h"

#include "runtime/api/graphs/capture.h"
#include "runtime/api/cudart/stream.h"
#include "runtime/api/state/handles.h"

cudaError_t stream_check(cudaStream_t stream)
{
	return stream_is_default(stream) || handle_is(HANDLE_STREAM, stream) ? cudaSuccess
									     : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority)
{
	ENTER(rt);

	if (!stream || flags > cudaStreamNonBlocking)
		return runtime_leave(cudaErrorInvalidValue);
	*stream = handle_new(HANDLE_STREAM, sizeof **stream);
	(*stream)->flags = flags;
	(*stream)->priority = priority;
	(*stream)->number = ++rt->streams.made;
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
	ENTER(rt);
	cudaError_t error = stream_is_default(stream) ? cudaErrorInvalidResourceHandle : stream_check(stream);

	if (!error) {
		graph_capture_drop(stream);
		handle_free(stream);
	}
	return runtime_leave(error);
}

/* Waits for the device, which matters where work is not done at once. */
static cudaError_t wait_for(cudaStream_t stream)
{
	ENTER(rt);
	struct diag d = DIAG_INIT;
	cudaError_t error = stream_check(stream);

	if (!error && stream_graph(stream))
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
	ENTER(rt);

	return runtime_leave(stream_check(stream));
}

/* The same where there is a place for the answer. */
static cudaError_t asked(cudaStream_t stream, const void *answer)
{
	return answer ? checked(stream) : runtime_remember(cudaErrorInvalidValue);
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags)
{
	cudaError_t error = asked(stream, flags);

	if (!error)
		*flags = stream_is_default(stream) ? cudaStreamDefault : stream->flags;
	return error;
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
	cudaError_t error = asked(stream, priority);

	if (!error)
		*priority = stream_is_default(stream) ? 0 : stream->priority;
	return error;
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id)
{
	cudaError_t error = asked(stream, id);

	if (!error)
		*id = stream_number(stream);
	return error;
}

/* True for the launch attributes that a stream has, too. */
static bool is_stream_attribute(cudaLaunchAttributeID attr)
{
	return attr == cudaLaunchAttributePriority || attr == cudaLaunchAttributeAccessPolicyWindow ||
	       attr == cudaLaunchAttributeSynchronizationPolicy;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr,
				   const cudaLaunchAttributeValue *value)
{
	cudaError_t error = asked(stream, value);

	if (!error && !is_stream_attribute(attr))
		error = runtime_remember(cudaErrorInvalidValue);
	if (!error && attr == cudaLaunchAttributePriority && !stream_is_default(stream))
		stream->priority = value->priority;
	else if (!error && attr == cudaLaunchAttributeAccessPolicyWindow && !stream_is_default(stream))
		stream->window = value->accessPolicyWindow;
	return error;
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr, cudaLaunchAttributeValue *value)
{
	cudaError_t error = asked(stream, value);

	if (!error && !is_stream_attribute(attr))
		error = runtime_remember(cudaErrorInvalidValue);
	if (!error && attr == cudaLaunchAttributePriority)
		value->priority = stream_is_default(stream) ? 0 : stream->priority;
	else if (!error && attr == cudaLaunchAttributeAccessPolicyWindow && !stream_is_default(stream))
		value->accessPolicyWindow = stream->window;
	return error;
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src)
{
	cudaError_t error = checked(dst);

	if (!error)
		error = checked(src);
	if (!error && !stream_is_default(dst)) {
		dst->priority = stream_is_default(src) ? 0 : src->priority;
		dst->window = stream_is_default(src) ? (struct cudaAccessPolicyWindow){.base_ptr = NULL} : src->window;
	}
	return error;
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device)
{
	cudaError_t error = asked(stream, device);

	if (!error)
		*device = 0;
	return error;
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *ptr, size_t length, unsigned int flags)
{
	(void)length;
	if (!ptr || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle))
		return runtime_remember(cudaErrorInvalidValue);
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
	if (stream_graph(stream))
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
	if (!error && !callback)
		error = runtime_remember(cudaErrorInvalidValue);
	if (!error && stream_graph(stream))
		error = runtime_remember(cudaErrorStreamCaptureUnsupported);
	if (!error) {
		error = wait_for(stream);
		callback(stream, error, data);
	}
	return error;
}
