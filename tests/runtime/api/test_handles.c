/*
 * Handles of objects that are gone: an error as in CUDA, never success, and never another object that was made since.
 *
 * Each row of the table makes an object, tests whether it is alive, and destroys it.
 */
#include "tests/runtime/api/program.h"

#include "runtime/api/state/handles.h"
#include "runtime/include/cuda.h"

#include <string.h>

static const char text[] = ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry twice()\n{\nret;\n}\n";
static const struct cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindFloat};
static const struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned,
					      .location = {cudaMemLocationTypeDevice, 0}};

/* --- Objects: a handle as a pointer, whatever its type --- */

static void *make_stream(void)
{
	cudaStream_t stream;

	assert_int_equal(cudaStreamCreate(&stream), cudaSuccess);
	return stream;
}

static int ask_stream(void *stream)
{
	unsigned flags;

	return (int)cudaStreamGetFlags(stream, &flags);
}

static int destroy_stream(void *stream)
{
	return (int)cudaStreamDestroy(stream);
}

static void *make_event(void)
{
	cudaEvent_t event;

	assert_int_equal(cudaEventCreate(&event), cudaSuccess);
	return event;
}

static int ask_event(void *event)
{
	return (int)cudaEventRecord(event, NULL);
}

static int destroy_event(void *event)
{
	return (int)cudaEventDestroy(event);
}

static void *make_graph(void)
{
	cudaGraph_t graph;

	assert_int_equal(cudaGraphCreate(&graph, 0), cudaSuccess);
	return graph;
}

static int ask_graph(void *graph)
{
	size_t count = 0;

	return (int)cudaGraphGetNodes(graph, NULL, &count);
}

static int destroy_graph(void *graph)
{
	return (int)cudaGraphDestroy(graph);
}

static void *make_exec(void)
{
	cudaGraph_t graph = make_graph();
	cudaGraphExec_t exec;

	assert_int_equal(cudaGraphInstantiateWithFlags(&exec, graph, 0), cudaSuccess);
	assert_int_equal(cudaGraphDestroy(graph), cudaSuccess);
	return exec;
}

static int ask_exec(void *exec)
{
	return (int)cudaGraphLaunch(exec, NULL);
}

static int destroy_exec(void *exec)
{
	return (int)cudaGraphExecDestroy(exec);
}

static void *make_pool(void)
{
	cudaMemPool_t pool;

	assert_int_equal(cudaMemPoolCreate(&pool, &props), cudaSuccess);
	return pool;
}

static int ask_pool(void *pool)
{
	return (int)cudaMemPoolTrimTo(pool, 0);
}

static int destroy_pool(void *pool)
{
	return (int)cudaMemPoolDestroy(pool);
}

static void *make_array(void)
{
	cudaArray_t array;

	assert_int_equal(cudaMallocArray(&array, &format, 16, 4, 0), cudaSuccess);
	return array;
}

/* The runtime and the driver say the same of it. */
static int ask_array(void *array)
{
	CUDA_ARRAY3D_DESCRIPTOR descriptor;
	char row[4];
	CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
			      .srcArray = array,
			      .dstMemoryType = CU_MEMORYTYPE_HOST,
			      .dstHost = row,
			      .WidthInBytes = sizeof row,
			      .Height = 1,
			      .Depth = 1};
	CUDA_MEMCPY2D flat = {.srcMemoryType = CU_MEMORYTYPE_HOST,
			      .srcHost = row,
			      .dstMemoryType = CU_MEMORYTYPE_ARRAY,
			      .dstArray = array,
			      .WidthInBytes = sizeof row,
			      .Height = 1};
	int error = (int)cudaArrayGetInfo(NULL, NULL, NULL, array);

	assert_int_equal(cuArray3DGetDescriptor(&descriptor, array), error);
	assert_int_equal(cuMemcpy3D(&copy), error);
	assert_int_equal(cuMemcpy2D(&flat), error);
	return error;
}

static int destroy_array(void *array)
{
	return (int)cudaFreeArray(array);
}

static void *make_mipmap(void)
{
	cudaMipmappedArray_t mipmap;

	assert_int_equal(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(16, 16, 0), 3, 0), cudaSuccess);
	return mipmap;
}

static int ask_mipmap(void *mipmap)
{
	cudaArray_t level;

	return cudaGetMipmappedArrayLevel(&level, mipmap, 0) ? cudaErrorInvalidResourceHandle : cudaSuccess;
}

static int destroy_mipmap(void *mipmap)
{
	return (int)cudaFreeMipmappedArray(mipmap);
}

static void *make_module(void)
{
	CUmodule module;

	assert_int_equal(cuModuleLoadData(&module, text), CUDA_SUCCESS);
	return module;
}

static int ask_module(void *module)
{
	CUfunction function;

	return (int)cuModuleGetFunction(&function, module, "twice");
}

static int destroy_module(void *module)
{
	return (int)cuModuleUnload(module);
}

static void *make_link(void)
{
	CUlinkState link;

	assert_int_equal(cuLinkCreate(0, NULL, NULL, &link), CUDA_SUCCESS);
	return link;
}

static int ask_link(void *link)
{
	CUresult result =
	    cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)(uintptr_t)text, sizeof text, "text", 0, NULL, NULL);
	size_t size;
	void *image;

	assert_int_equal(cuLinkComplete(link, &image, &size), result);
	return (int)result;
}

static int destroy_link(void *link)
{
	return (int)cuLinkDestroy(link);
}

static const struct kind {
	const char *name;
	void *(*make)(void);
	int (*ask)(void *handle), (*destroy)(void *handle);
	int stale; /* the error */
} kinds[] = {
#define KIND(name, error) {#name, make_##name, ask_##name, destroy_##name, error}
    KIND(stream, cudaErrorInvalidResourceHandle),
    KIND(event, cudaErrorInvalidResourceHandle),
    KIND(graph, cudaErrorInvalidValue),
    KIND(exec, cudaErrorInvalidValue),
    KIND(pool, cudaErrorInvalidValue),
    KIND(array, cudaErrorInvalidResourceHandle),
    KIND(mipmap, cudaErrorInvalidResourceHandle),
    KIND(module, CUDA_ERROR_INVALID_HANDLE),
    KIND(link, CUDA_ERROR_INVALID_HANDLE),
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* --- Tests --- */

static void test_destroyed_twice_is_an_error(void **state)
{
	(void)state;
	for (const struct kind *k = kinds; k < kinds + KINDS; k++) {
		void *first = k->make(), *second;

		assert_int_equal(k->ask(first), 0);
		assert_int_equal(k->destroy(first), 0);
		second = k->make();
		if (first == second)
			fail_msg("a new %s has the handle of one that is gone", k->name);
		if (k->destroy(first) != k->stale || k->ask(first) != k->stale)
			fail_msg("a %s that is gone: %d to destroy it, %d to ask it", k->name, k->destroy(first),
				 k->ask(first));
		assert_int_equal(k->ask(second), 0);
		assert_int_equal(k->destroy(second), 0);
	}
	assert_int_equal(mock.live_allocations, 0);
}

/* Nor is one kind taken for another, or for any address at all. */
static void test_other_addresses_are_errors(void **state)
{
	char own[256] = {0};

	(void)state;
	for (const struct kind *k = kinds; k < kinds + KINDS; k++) {
		void *handle = k->make(), *bad[] = {own, (void *)0x10, (void *)UINTPTR_MAX, (char *)handle + 16};

		for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
			assert_int_equal(k->ask(bad[i]), k->stale);
			assert_int_equal(k->destroy(bad[i]), k->stale);
		}
		for (const struct kind *other = kinds; other < kinds + KINDS; other++)
			if (other != k) {
				assert_int_equal(other->ask(handle), other->stale);
				assert_int_equal(other->destroy(handle), other->stale);
			}
		assert_int_equal(k->destroy(handle), 0);
	}
}

/*
 * Addresses are used once, but memory is not: blocks whose objects are gone are zero, and the system has their memory
 * back.
 */
static void test_addresses_are_used_once(void **state)
{
	enum { COUNT = 100000 };
	static void *handles[COUNT];
	const unsigned char *first;
	void *kept = handle_new(HANDLE_EVENT, 64);

	(void)state;
	for (size_t i = 0; i < COUNT; i++) {
		handles[i] = handle_new(HANDLE_POOL, 64);
		assert_true(i == 0 || handles[i] != handles[i - 1]);
		memset(handles[i], 0xff, 64);
		handle_free(handles[i]);
	}
	for (size_t i = 0; i < COUNT; i++)
		assert_false(handle_is(HANDLE_POOL, handles[i]));
	first = handles[COUNT / 2];
	assert_int_equal(first[0], 0);
	assert_true(handle_is(HANDLE_EVENT, kept));
	handle_free(kept);
}

static void test_graphs_know_their_nodes(void **state)
{
	struct cudaMemsetParams fill = {.elementSize = 1};
	cudaGraphNode_t node, other, stale;
	cudaGraph_t one = make_graph(), two = make_graph();
	enum cudaGraphNodeType type;

	(void)state;
	assert_int_equal(cudaGraphAddEmptyNode(&node, one, NULL, 0), cudaSuccess);
	assert_int_equal(cudaGraphAddEmptyNode(&other, two, NULL, 0), cudaSuccess);
	assert_int_equal(cudaGraphAddEmptyNode(&stale, one, &other, 1), cudaErrorInvalidValue);
	assert_int_equal(cudaGraphAddEmptyNode(&stale, one, NULL, 1), cudaErrorInvalidValue);
	assert_int_equal(cudaGraphAddDependencies(one, &node, &other, 1), cudaErrorInvalidValue);
	assert_int_equal(cudaGraphAddMemsetNode(&stale, one, NULL, 0, NULL), cudaErrorInvalidValue);
	assert_int_equal(cudaGraphAddKernelNode(&stale, one, NULL, 0, NULL), cudaErrorInvalidValue);
	assert_int_equal(cudaGraphAddHostNode(NULL, one, NULL, 0, NULL), cudaErrorInvalidValue);
	assert_int_equal(cudaGraphNodeGetType(other, &type), cudaSuccess);
	assert_int_equal(cudaGraphDestroy(two), cudaSuccess);
	assert_int_equal(cudaGraphNodeGetType(other, &type), cudaErrorInvalidValue);
	assert_int_equal(cudaGraphAddMemsetNode(&stale, two, NULL, 0, &fill), cudaErrorInvalidValue);
	assert_int_equal(cudaGraphDestroy(one), cudaSuccess);
}

/* A graph holds on to a kernel; when its module goes, launching the graph is an error. */
static void test_graphs_outlive_modules(void **state)
{
	CUDA_KERNEL_NODE_PARAMS params = {.gridDimX = 1,
					  .gridDimY = 1,
					  .gridDimZ = 1,
					  .blockDimX = 1,
					  .blockDimY = 1,
					  .blockDimZ = 1,
					  .kernelParams = scale_arguments()};
	CUmodule module = make_module();
	CUgraph graph = make_graph();
	CUgraphExec exec;
	CUgraphNode node;

	(void)state;
	assert_int_equal(cuModuleGetFunction(&params.func, module, "twice"), CUDA_SUCCESS);
	assert_int_equal(cuGraphAddKernelNode(&node, graph, NULL, 0, &params), CUDA_SUCCESS);
	assert_int_equal(cuGraphInstantiateWithFlags(&exec, graph, 0), CUDA_SUCCESS);
	assert_int_equal(cuGraphLaunch(exec, NULL), CUDA_SUCCESS);
	assert_int_equal(cuModuleUnload(module), CUDA_SUCCESS);
	assert_int_equal(cuGraphLaunch(exec, NULL), CUDA_ERROR_INVALID_HANDLE);
	assert_int_equal(cuGraphExecDestroy(exec), CUDA_SUCCESS);
	assert_int_equal(cuGraphInstantiateWithFlags(&exec, graph, 0), CUDA_SUCCESS);
	assert_int_equal(cuGraphExecDestroy(exec), CUDA_SUCCESS);
	assert_int_equal(cuGraphDestroy(graph), CUDA_SUCCESS);
}

/* Every call fails for a function whose module is gone, and for a handle that never was a function. */
static void expect_no_function(void *handle)
{
	CUDA_KERNEL_NODE_PARAMS params = {.func = handle, .gridDimX = 1, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 1};
	CUlaunchConfig config = {1, 1, 1, 1, 1, 1, 0, NULL, NULL, 0};
	CUgraph graph = make_graph();
	CUgraphNode node;
	CUmodule module;
	CUlibrary library;
	const char *name;
	size_t size;
	int value;
	const CUresult results[] = {
	    cuLaunchKernel(handle, 1, 1, 1, 1, 1, 1, 0, NULL, scale_arguments(), NULL),
	    cuLaunchCooperativeKernel(handle, 1, 1, 1, 1, 1, 1, 0, NULL, scale_arguments()),
	    cuLaunchKernelEx(&config, handle, scale_arguments(), NULL),
	    cuLaunch(handle),
	    cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, handle),
	    cuFuncSetAttribute(handle, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024),
	    cuFuncSetCacheConfig(handle, 0),
	    cuFuncSetSharedMemConfig(handle, 0),
	    cuFuncGetName(&name, handle),
	    cuFuncGetModule(&module, handle),
	    cuFuncGetParamInfo(handle, 0, &size, NULL),
	    cuKernelGetLibrary(&library, handle),
	    cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, handle, 32, 0),
	    cuOccupancyMaxPotentialBlockSize(&value, &value, handle, NULL, 0, 0),
	    cuGraphAddKernelNode(&node, graph, NULL, 0, &params),
	};

	for (size_t i = 0; i < sizeof results / sizeof *results; i++)
		if (results[i] != CUDA_ERROR_INVALID_HANDLE)
			fail_msg("call %zu of a function that is none: %d", i, (int)results[i]);
	assert_int_equal(cuGraphDestroy(graph), CUDA_SUCCESS);
}

static void test_functions_end_with_their_module(void **state)
{
	char own[256] = {0};
	CUmodule module = make_module();
	CUfunction function;
	int registers;

	(void)state;
	assert_int_equal(cuModuleGetFunction(&function, module, "twice"), CUDA_SUCCESS);
	assert_int_equal(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function), CUDA_SUCCESS);
	expect_no_function(own);
	expect_no_function(module);
	assert_int_equal(cuModuleUnload(module), CUDA_SUCCESS);
	expect_no_function(function);
}

/* Nor does a reference read an array that is gone. */
static void test_references_end_with_their_module(void **state)
{
	CUmodule module = make_module();
	CUDA_ARRAY_DESCRIPTOR flat = {16, 4, CU_AD_FORMAT_FLOAT, 1};
	float color[4] = {0};
	CUarray array;
	CUtexref reference;

	(void)state;
	assert_int_equal(cuArrayCreate(&array, &flat), CUDA_SUCCESS);
	assert_int_equal(cuModuleGetTexRef(&reference, module, "twice"), CUDA_SUCCESS);
	assert_int_equal(cuTexRefSetFlags(reference, 0), CUDA_SUCCESS);
	assert_int_equal(cuTexRefSetArray(reference, array, 0), CUDA_ERROR_NOT_SUPPORTED); /* bound: no image here */
	assert_int_equal(cuArrayDestroy(array), CUDA_SUCCESS);
	assert_int_equal(cuTexRefSetFlags(reference, 0), CUDA_ERROR_INVALID_HANDLE);
	assert_int_equal(cuTexRefSetArray(reference, array, 0), CUDA_ERROR_INVALID_HANDLE);
	assert_int_equal(cuModuleUnload(module), CUDA_SUCCESS);
	assert_int_equal(cuTexRefSetBorderColor(reference, color), CUDA_ERROR_INVALID_HANDLE);
}

/* An event of a capture says so after the capture has ended, and after its graph is gone. */
static void test_events_outlive_captures(void **state)
{
	cudaStream_t stream = make_stream(), other = make_stream();
	cudaEvent_t event = make_event();
	cudaGraph_t graph;

	(void)state;
	assert_int_equal(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
	assert_int_equal(cudaEventRecord(event, stream), cudaSuccess);
	assert_int_equal(cudaStreamEndCapture(stream, &graph), cudaSuccess);
	assert_int_equal(cudaStreamWaitEvent(other, event, 0), cudaErrorCapturedEvent);
	assert_int_equal(cudaGraphDestroy(graph), cudaSuccess);
	assert_int_equal(cudaStreamWaitEvent(other, event, 0), cudaErrorCapturedEvent);
	assert_int_equal(cudaEventRecord(event, stream), cudaSuccess);
	assert_int_equal(cudaStreamWaitEvent(other, event, 0), cudaSuccess);
	assert_int_equal(cudaEventDestroy(event), cudaSuccess);
	assert_int_equal(cudaStreamDestroy(other), cudaSuccess);
	assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
}

/* The memory of an array may be another's after a reset; levels go with their mipmap. */
static void test_arrays_end_with_their_memory(void **state)
{
	cudaArray_t array = make_array(), level;
	cudaMipmappedArray_t mipmap = make_mipmap();
	void *memory;

	(void)state;
	assert_int_equal(cudaGetMipmappedArrayLevel(&level, mipmap, 1), cudaSuccess);
	assert_int_equal(cudaFreeArray(level), cudaErrorInvalidResourceHandle);
	assert_int_equal(cudaDeviceReset(), cudaSuccess);
	assert_int_equal(cudaMalloc(&memory, 1024), cudaSuccess);
	assert_int_equal(cudaFreeArray(array), cudaErrorInvalidResourceHandle);
	assert_int_equal(cudaFreeMipmappedArray(mipmap), cudaErrorInvalidResourceHandle);
	assert_int_equal(cudaMemcpyToArray(array, 0, 0, memory, 4, cudaMemcpyDefault), cudaErrorInvalidResourceHandle);
	assert_int_equal(cudaMemcpyFromArray(memory, level, 0, 0, 4, cudaMemcpyDefault),
			 cudaErrorInvalidResourceHandle);
	assert_int_equal(mock.live_allocations, 1);
	assert_int_equal(cudaFree(memory), cudaSuccess);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_destroyed_twice_is_an_error, program_setup),
	    cmocka_unit_test_setup(test_other_addresses_are_errors, program_setup),
	    cmocka_unit_test_setup(test_addresses_are_used_once, program_setup),
	    cmocka_unit_test_setup(test_graphs_know_their_nodes, program_setup),
	    cmocka_unit_test_setup(test_graphs_outlive_modules, program_setup),
	    cmocka_unit_test_setup(test_functions_end_with_their_module, program_setup),
	    cmocka_unit_test_setup(test_references_end_with_their_module, program_setup),
	    cmocka_unit_test_setup(test_events_outlive_captures, program_setup),
	    cmocka_unit_test_setup(test_arrays_end_with_their_memory, program_setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
