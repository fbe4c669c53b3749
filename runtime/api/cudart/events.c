/*
 * Events: the device's own where it has them. On the CPU device work is done when it is submitted, so an event is a
 * moment on the host's clock.
 */
#include "runtime/api/cudart/topics.h"

#include "common/progress.h"
#include "runtime/api/graphs/capture.h"
#include "runtime/api/state/handles.h"

struct CUevent_st {
	unsigned flags;
	bool recorded;
	double seconds;
	struct device_event *moment; /* the device's, or NULL */
	struct CUgraph_st *capture;  /* recorded in a capturing stream: part of that capture */
};

static bool is_event(cudaEvent_t event)
{
	return handle_is(HANDLE_EVENT, event);
}

void events_release(struct runtime *rt)
{
	for (struct CUevent_st *e = NULL; (e = handle_next(HANDLE_EVENT, e));) {
		if (e->moment)
			rt->ops->event_free(rt->device, e->moment);
		e->moment = NULL;
		e->recorded = false;
	}
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
	ENTER(rt);

	if (!event || flags > (cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess))
		return runtime_leave(cudaErrorInvalidValue);
	*event = handle_new(HANDLE_EVENT, sizeof **event);
	(*event)->flags = flags;
	return runtime_leave(cudaSuccess);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
	return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
	ENTER(rt);

	if (!is_event(event))
		return runtime_leave(cudaErrorInvalidResourceHandle);
	if (event->moment)
		rt->ops->event_free(rt->device, event->moment);
	handle_free(event);
	return runtime_leave(cudaSuccess);
}

static cudaError_t record(struct runtime *rt, cudaEvent_t event, struct diag *d)
{
	enum device_status status = rt->ops->event_record ? rt->ops->event_record(rt->device, &event->moment)
							  : rt->ops->synchronize(rt->device, d);

	event->recorded = true;
	event->seconds = monotonic_seconds();
	return status_error(rt, status);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
	ENTER(rt);
	struct diag d = DIAG_INIT;
	cudaError_t error = is_event(event) ? stream_check(stream) : cudaErrorInvalidResourceHandle;

	if (!error) {
		event->capture = stream_graph(stream);
		event->recorded = false;
		if (!event->capture)
			error = record(rt, event, &d);
	}
	runtime_notice(&d);
	return runtime_leave(error);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
	(void)flags;
	return cudaEventRecord(event, stream);
}

static cudaError_t reach(struct runtime *rt, cudaEvent_t event, bool wait, struct diag *d)
{
	bool done = true;
	cudaError_t error = status_error(rt, rt->ops->event_reached(rt->device, event->moment, wait, &done, d));

	return error || done ? error : cudaErrorNotReady;
}

static cudaError_t check_done(cudaEvent_t event, bool wait)
{
	ENTER(rt);
	struct diag d = DIAG_INIT;
	cudaError_t error = cudaSuccess;

	if (!is_event(event))
		error = cudaErrorInvalidResourceHandle;
	else if (event->capture)
		error = cudaErrorCapturedEvent;
	else if (event->moment)
		error = reach(rt, event, wait, &d);
	runtime_notice(&d);
	return runtime_leave(error);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
	return check_done(event, true);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
	return check_done(event, false);
}

/* Between two events that were recorded. */
static cudaError_t elapsed(struct runtime *rt, cudaEvent_t start, cudaEvent_t end, float *milliseconds)
{
	bool done = true;
	cudaError_t error;

	if (!start->moment || !end->moment) {
		*milliseconds = (float)((end->seconds - start->seconds) * 1e3);
		return cudaSuccess;
	}
	error = status_error(rt, rt->ops->event_reached(rt->device, end->moment, false, &done, NULL));
	if (error || !done)
		return error ? error : cudaErrorNotReady;
	return status_error(rt, rt->ops->event_elapsed(rt->device, start->moment, end->moment, milliseconds));
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
	ENTER(rt);
	cudaError_t error = cudaSuccess;

	if (!milliseconds)
		error = cudaErrorInvalidValue;
	else if (!is_event(start) || !is_event(end) || !start->recorded || !end->recorded ||
		 ((start->flags | end->flags) & cudaEventDisableTiming))
		error = cudaErrorInvalidResourceHandle;
	else
		error = elapsed(rt, start, end, milliseconds);
	return runtime_leave(error);
}

/* Work before the event is done already. Only a capture needs the call: it joins the two streams. */
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
	ENTER(rt);
	cudaError_t error = is_event(event) ? stream_check(stream) : cudaErrorInvalidResourceHandle;

	(void)flags;
	if (!error && event->capture)
		error = graph_is_captured(event->capture) ? graph_capture_join(stream, event->capture)
							  : cudaErrorCapturedEvent;
	return runtime_leave(error);
}
