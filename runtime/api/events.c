/* Events: moments on the host's clock; work is done when it is submitted, so that is when it was done. */
#include "runtime/api/runtime.h"

#include "common/progress.h"
#include "runtime/api/graph.h"

#include <stdlib.h>

struct CUevent_st {
	struct CUevent_st *next;
	unsigned flags;
	bool recorded;
	double seconds;
	struct CUgraph_st *capture; /* recorded in a capturing stream: part of that capture */
};

static struct CUevent_st *events; /* live ones */

static bool is_event(cudaEvent_t event)
{
	for (struct CUevent_st *e = events; e; e = e->next)
		if (e == event)
			return true;
	return false;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
	struct runtime *rt = runtime_enter();

	if (!rt)
		return runtime_failed();
	if (!event || flags > (cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess))
		return runtime_leave(cudaErrorInvalidValue);
	*event = xcalloc(1, sizeof **event);
	(*event)->flags = flags;
	(*event)->next = events;
	events = *event;
	return runtime_leave(cudaSuccess);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
	return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
	struct runtime *rt = runtime_enter();
	struct CUevent_st **at = &events;

	if (!rt)
		return runtime_failed();
	while (*at && *at != event)
		at = &(*at)->next;
	if (!*at)
		return runtime_leave(cudaErrorInvalidResourceHandle);
	*at = event->next;
	free(event);
	return runtime_leave(cudaSuccess);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
	struct runtime *rt = runtime_enter();
	struct diag d = DIAG_INIT;
	cudaError_t error;

	if (!rt)
		return runtime_failed();
	error = is_event(event) ? stream_check(stream) : cudaErrorInvalidResourceHandle;
	if (!error) {
		event->capture = graph_capturing(stream);
		if (!event->capture)
			error = status_error(rt, rt->ops->synchronize(rt->device, &d));
		event->recorded = !event->capture;
		event->seconds = monotonic_seconds();
	}
	runtime_notice(&d);
	return runtime_leave(error);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
	(void)flags;
	return cudaEventRecord(event, stream);
}

static cudaError_t check_done(cudaEvent_t event)
{
	struct runtime *rt = runtime_enter();
	cudaError_t error = cudaSuccess;

	if (!rt)
		return runtime_failed();
	if (!is_event(event))
		error = cudaErrorInvalidResourceHandle;
	else if (event->capture)
		error = cudaErrorCapturedEvent;
	return runtime_leave(error);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
	return check_done(event);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
	return check_done(event);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
	struct runtime *rt = runtime_enter();
	cudaError_t error = cudaSuccess;

	if (!rt)
		return runtime_failed();
	if (!milliseconds)
		error = cudaErrorInvalidValue;
	else if (!is_event(start) || !is_event(end) || !start->recorded || !end->recorded ||
		 ((start->flags | end->flags) & cudaEventDisableTiming))
		error = cudaErrorInvalidResourceHandle;
	else
		*milliseconds = (float)((end->seconds - start->seconds) * 1e3);
	return runtime_leave(error);
}

/* Work before the event is done already; only a capture has to learn of the other stream. */
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
	struct runtime *rt = runtime_enter();
	cudaError_t error;

	(void)flags;
	if (!rt)
		return runtime_failed();
	error = is_event(event) ? stream_check(stream) : cudaErrorInvalidResourceHandle;
	if (!error && event->capture)
		error = graph_capture_join(stream, event->capture);
	return runtime_leave(error);
}
