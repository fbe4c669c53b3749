/*
 * Objects of the program with a count of references, some of them held by graphs. The release of the last reference
 * destroys an object.
 */
#include "runtime/api/graphs/graph_nodes.h"

#include "runtime/api/state/handles.h"

#include <limits.h>

struct CUuserObject_st {
	void *ptr;
	cudaHostFn_t destroy;
	unsigned owned; /* the program's own references */
	uint64_t held;  /* references of graphs */
};

static bool is_object(cudaUserObject_t object)
{
	return handle_is(HANDLE_USER_OBJECT, object);
}

/* Launches that were submitted may still use the object. */
static void wait_for_launches(void)
{
	struct runtime *rt = runtime_enter();
	struct diag d = DIAG_INIT;

	if (!rt)
		return;
	status_error(rt, rt->ops->synchronize(rt->device, &d));
	runtime_notice(&d);
	runtime_leave(cudaSuccess);
}

static void destroy_unused(struct CUuserObject_st *object)
{
	void *ptr = object->ptr;
	cudaHostFn_t destroy = object->destroy;

	if (object->owned || object->held)
		return;
	wait_for_launches();
	handle_free(object);
	destroy(ptr);
}

cudaError_t cudaUserObjectCreate(cudaUserObject_t *object, void *ptr, cudaHostFn_t destroy,
				 unsigned int initialRefcount, unsigned int flags)
{
	if (!object || !destroy || !initialRefcount || initialRefcount > INT_MAX ||
	    flags != cudaUserObjectNoDestructorSync)
		return runtime_remember(cudaErrorInvalidValue);
	*object = handle_new(HANDLE_USER_OBJECT, sizeof **object);
	**object = (struct CUuserObject_st){.ptr = ptr, .destroy = destroy, .owned = initialRefcount};
	return cudaSuccess;
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count)
{
	if (!is_object(object) || !count || count > INT_MAX - object->owned)
		return runtime_remember(cudaErrorInvalidValue);
	object->owned += count;
	return cudaSuccess;
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count)
{
	if (!is_object(object) || !count || count > object->owned)
		return runtime_remember(cudaErrorInvalidValue);
	object->owned -= count;
	destroy_unused(object);
	return cudaSuccess;
}

/* --- References of graphs --- */

static struct user_reference *reference_of(struct CUgraph_st *graph, const struct CUuserObject_st *object)
{
	for (size_t i = 0; i < graph->users.len; i++)
		if (graph->users.data[i].object == object)
			return &graph->users.data[i];
	return NULL;
}

/* Moved references were the caller's, others are new. */
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count,
				      unsigned int flags)
{
	struct user_reference added = {object, count}, *own;
	bool good = handle_is(HANDLE_GRAPH, graph) && is_object(object) && count && count <= INT_MAX &&
		    flags <= cudaGraphUserObjectMove;

	own = good ? reference_of(graph, object) : NULL;
	if (!good || (flags == cudaGraphUserObjectMove && count > object->owned) ||
	    (own && count > INT_MAX - own->count))
		return runtime_remember(cudaErrorInvalidValue);
	if (flags == cudaGraphUserObjectMove)
		object->owned -= count;
	object->held += count;
	if (own)
		own->count += count;
	else
		vec_push(&graph->users, added);
	return cudaSuccess;
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count)
{
	struct user_reference *own =
	    handle_is(HANDLE_GRAPH, graph) && is_object(object) ? reference_of(graph, object) : NULL;

	if (!own || !count || count > own->count)
		return runtime_remember(cudaErrorInvalidValue);
	own->count -= count;
	if (!own->count)
		*own = vec_pop(&graph->users);
	object->held -= count;
	destroy_unused(object);
	return cudaSuccess;
}

void graph_users_copy(struct CUgraph_st *to, const struct CUgraph_st *from)
{
	for (size_t i = 0; i < from->users.len; i++) {
		from->users.data[i].object->held += from->users.data[i].count;
		vec_push(&to->users, from->users.data[i]);
	}
}

void graph_users_release(struct CUgraph_st *graph)
{
	for (size_t i = 0; i < graph->users.len; i++) {
		struct user_reference *own = &graph->users.data[i];

		own->object->held -= own->count;
		destroy_unused(own->object);
	}
	vec_release(&graph->users);
}
