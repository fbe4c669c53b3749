/* Nodes of all kinds, their edges and parameters, those that are switched off, and objects that graphs hold. */
#include "tests/runtime/api/program.h"

#include <string.h>

#define ONE ((dim3){1, 1, 1})
#define GOOD(call) assert_int_equal(call, cudaSuccess)
#define BAD(call) assert_int_equal(call, cudaErrorInvalidValue)
#define NOT_THERE(call) assert_int_equal(call, cudaErrorNotSupported)

static unsigned order[16], count;

static void note_grid(const struct launch_params *params)
{
	order[count++ % 16] = params->grid[0];
}

static int setup(void **state)
{
	program_setup(state);
	mock.on_launch = note_grid;
	count = 0;
	return 0;
}

static void add_one(void *value)
{
	++*(int *)value;
}

static struct cudaKernelNodeParams kernel(unsigned grid)
{
	return (struct cudaKernelNodeParams){
	    .func = &scale_stub, .gridDim = {grid, 1, 1}, .blockDim = ONE, .kernelParams = scale_arguments()};
}

static cudaGraphNode_t add_kernel(cudaGraph_t graph, unsigned grid, const cudaGraphNode_t *dependency)
{
	const struct cudaKernelNodeParams params = kernel(grid);
	cudaGraphNode_t node;

	GOOD(cudaGraphAddKernelNode(&node, graph, dependency, dependency != NULL, &params));
	return node;
}

static cudaGraph_t new_graph(void)
{
	cudaGraph_t graph;

	GOOD(cudaGraphCreate(&graph, 0));
	return graph;
}

static cudaGraphExec_t instantiate(cudaGraph_t graph)
{
	cudaGraphExec_t exec;

	GOOD(cudaGraphInstantiateWithFlags(&exec, graph, 0));
	return exec;
}

/* Launches, and compares the grids of the kernels that ran, which end with 0. */
static void runs(cudaGraphExec_t exec, const unsigned *grids)
{
	count = 0;
	GOOD(cudaGraphLaunch(exec, NULL));
	for (unsigned i = 0; grids[i]; i++)
		assert_int_equal(order[i], grids[i]);
	assert_int_equal(grids[count], 0);
}

#define RUNS(exec, ...) runs(exec, (const unsigned[16]){__VA_ARGS__})

static void release(cudaGraphExec_t exec, cudaGraph_t graph)
{
	GOOD(cudaGraphExecDestroy(exec));
	GOOD(cudaGraphDestroy(graph));
}

/* --- Graphs as nodes --- */

static void test_child_is_a_copy_that_runs_in_its_place(void **state)
{
	cudaGraph_t outer = new_graph(), inner = new_graph(), own;
	cudaGraphNode_t first = add_kernel(outer, 1, NULL), child, late, early, found;
	cudaGraphExec_t exec;
	enum cudaGraphNodeType type;

	(void)state;
	late = add_kernel(inner, 3, NULL);
	early = add_kernel(inner, 2, NULL);
	GOOD(cudaGraphAddDependencies(inner, &early, &late, 1));
	BAD(cudaGraphAddChildGraphNode(NULL, outer, &first, 1, inner));
	BAD(cudaGraphAddChildGraphNode(&child, outer, &first, 1, NULL));
	BAD(cudaGraphAddChildGraphNode(&child, inner, &first, 1, inner));
	GOOD(cudaGraphAddChildGraphNode(&child, outer, &first, 1, inner));
	add_kernel(outer, 4, &child);
	add_kernel(inner, 9, NULL);
	GOOD(cudaGraphNodeGetType(child, &type));
	assert_int_equal(type, cudaGraphNodeTypeGraph);
	GOOD(cudaGraphChildGraphNodeGetGraph(child, &own));
	assert_ptr_not_equal(own, inner);
	BAD(cudaGraphChildGraphNodeGetGraph(first, &own));
	BAD(cudaGraphChildGraphNodeGetGraph(child, NULL));
	BAD(cudaGraphDestroy(own));
	GOOD(cudaGraphNodeFindInClone(&found, late, own));
	exec = instantiate(outer);
	GOOD(cudaGraphDestroy(inner));
	RUNS(exec, 1, 2, 3, 4);
	release(exec, outer);
	BAD(cudaGraphNodeGetType(found, &type));
}

static void test_circle_in_a_child_is_refused(void **state)
{
	cudaGraph_t outer = new_graph(), inner = new_graph();
	cudaGraphNode_t a = add_kernel(inner, 1, NULL), b = add_kernel(inner, 2, &a), child;
	cudaGraphInstantiateParams params = {0};
	cudaGraphExec_t exec;

	(void)state;
	GOOD(cudaGraphAddDependencies(inner, &b, &a, 1));
	GOOD(cudaGraphAddChildGraphNode(&child, outer, NULL, 0, inner));
	BAD(cudaGraphInstantiateWithFlags(&exec, outer, 0));
	BAD(cudaGraphInstantiateWithParams(&exec, outer, &params));
	assert_int_equal(params.result_out, cudaGraphInstantiateInvalidStructure);
	GOOD(cudaGraphDestroy(outer));
	GOOD(cudaGraphDestroy(inner));
}

/*
 * Nodes of a child are named by their handles in the child. A node of another graph is not in the instantiated graph.
 */
static void test_nodes_of_children_are_set_in_an_exec(void **state)
{
	cudaGraph_t outer = new_graph(), inner = new_graph(), own;
	cudaGraphNode_t first = add_kernel(outer, 1, NULL), child, stranger = add_kernel(inner, 2, NULL), node;
	const struct cudaKernelNodeParams params = kernel(7);
	cudaGraphExec_t exec;
	unsigned on;

	(void)state;
	GOOD(cudaGraphAddChildGraphNode(&child, outer, &first, 1, inner));
	GOOD(cudaGraphChildGraphNodeGetGraph(child, &own));
	GOOD(cudaGraphNodeFindInClone(&node, stranger, own));
	exec = instantiate(outer);
	GOOD(cudaGraphExecKernelNodeSetParams(exec, node, &params));
	RUNS(exec, 1, 7);
	GOOD(cudaGraphNodeSetEnabled(exec, node, 0));
	RUNS(exec, 1);
	BAD(cudaGraphExecKernelNodeSetParams(exec, stranger, &params));
	BAD(cudaGraphNodeSetEnabled(exec, stranger, 0));
	BAD(cudaGraphNodeGetEnabled(exec, stranger, &on));
	release(exec, outer);
	GOOD(cudaGraphDestroy(inner));
}

static void test_children_are_compared_and_updated(void **state)
{
	cudaGraph_t outer = new_graph(), other = new_graph(), inner = new_graph(), chained = new_graph();
	cudaGraphNode_t child, other_child, a;
	cudaGraphExecUpdateResultInfo info;
	cudaGraphExec_t exec;

	(void)state;
	add_kernel(inner, 1, NULL);
	add_kernel(inner, 2, NULL);
	a = add_kernel(chained, 3, NULL);
	add_kernel(chained, 4, &a);
	GOOD(cudaGraphAddChildGraphNode(&child, outer, NULL, 0, inner));
	GOOD(cudaGraphAddChildGraphNode(&other_child, other, NULL, 0, chained));
	exec = instantiate(outer);
	assert_int_equal(cudaGraphExecUpdate(exec, other, &info), cudaErrorGraphExecUpdateFailure);
	assert_int_equal(info.result, cudaGraphExecUpdateErrorTopologyChanged);
	assert_ptr_equal(info.errorNode, other_child);
	BAD(cudaGraphExecChildGraphNodeSetParams(exec, child, chained));
	BAD(cudaGraphExecChildGraphNodeSetParams(exec, child, NULL));
	RUNS(exec, 1, 2);
	GOOD(cudaGraphExecDestroy(exec));
	exec = instantiate(other);
	GOOD(cudaGraphExecUpdate(exec, other, &info));
	RUNS(exec, 3, 4);
	GOOD(cudaGraphKernelNodeSetParams(
	    a, &(struct cudaKernelNodeParams){kernel(8).func, {8, 1, 1}, ONE, 0, scale_arguments(), NULL}));
	GOOD(cudaGraphExecChildGraphNodeSetParams(exec, other_child, chained));
	RUNS(exec, 8, 4);
	release(exec, other);
	GOOD(cudaGraphDestroy(outer));
	GOOD(cudaGraphDestroy(inner));
	GOOD(cudaGraphDestroy(chained));
}

static void test_launch_in_a_capture_is_a_node(void **state)
{
	cudaGraph_t graph = new_graph(), captured;
	cudaGraphExec_t exec, again;
	cudaStream_t stream;
	size_t nodes = 0;

	(void)state;
	add_kernel(graph, 5, NULL);
	exec = instantiate(graph);
	GOOD(cudaStreamCreate(&stream));
	GOOD(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	GOOD(cudaGraphLaunch(exec, stream));
	assert_int_equal(count, 0);
	GOOD(cudaStreamEndCapture(stream, &captured));
	release(exec, graph);
	GOOD(cudaGraphGetNodes(captured, NULL, &nodes));
	assert_int_equal(nodes, 1);
	again = instantiate(captured);
	RUNS(again, 5);
	release(again, captured);
	GOOD(cudaStreamDestroy(stream));
}

/* --- Events --- */

static void test_events_are_recorded_and_waited_for(void **state)
{
	cudaGraph_t graph = new_graph();
	cudaGraphNode_t record, wait;
	cudaEvent_t first, second, got;
	cudaGraphExec_t exec;
	float ms;

	(void)state;
	GOOD(cudaEventCreate(&first));
	GOOD(cudaEventCreate(&second));
	BAD(cudaGraphAddEventRecordNode(&record, graph, NULL, 0, NULL));
	BAD(cudaGraphAddEventWaitNode(&wait, graph, NULL, 0, NULL));
	GOOD(cudaGraphAddEventRecordNode(&record, graph, NULL, 0, second));
	GOOD(cudaGraphAddEventWaitNode(&wait, graph, &record, 1, second));
	GOOD(cudaGraphEventRecordNodeSetEvent(record, first));
	GOOD(cudaGraphEventWaitNodeSetEvent(wait, first));
	GOOD(cudaGraphEventRecordNodeGetEvent(record, &got));
	assert_ptr_equal(got, first);
	GOOD(cudaGraphEventWaitNodeGetEvent(wait, &got));
	assert_ptr_equal(got, first);
	BAD(cudaGraphEventRecordNodeGetEvent(wait, &got));
	BAD(cudaGraphEventWaitNodeGetEvent(record, &got));
	BAD(cudaGraphEventRecordNodeSetEvent(record, NULL));
	BAD(cudaGraphEventWaitNodeSetEvent(record, first));
	exec = instantiate(graph);
	GOOD(cudaGraphLaunch(exec, NULL));
	assert_int_equal(cudaEventElapsedTime(&ms, first, second), cudaErrorInvalidResourceHandle);
	GOOD(cudaGraphExecEventRecordNodeSetEvent(exec, record, second));
	GOOD(cudaGraphExecEventWaitNodeSetEvent(exec, wait, second));
	BAD(cudaGraphExecEventRecordNodeSetEvent(exec, wait, second));
	BAD(cudaGraphExecEventWaitNodeSetEvent(exec, wait, NULL));
	GOOD(cudaGraphLaunch(exec, NULL));
	GOOD(cudaEventElapsedTime(&ms, first, second));
	GOOD(cudaEventDestroy(second));
	assert_int_not_equal(cudaGraphLaunch(exec, NULL), cudaSuccess);
	GOOD(cudaEventDestroy(first));
	release(exec, graph);
}

/* --- Variables --- */

static void test_variables_are_copied(void **state)
{
	const enum cudaMemcpyKind up = cudaMemcpyHostToDevice, down = cudaMemcpyDeviceToHost;
	cudaGraph_t graph = new_graph();
	cudaGraphNode_t to, from;
	cudaGraphExec_t exec;
	int in[2] = {5, 6}, out[2] = {0};

	(void)state;
	BAD(cudaGraphAddMemcpyNodeToSymbol(&to, graph, NULL, 0, &table, in, 4, 61, up));
	BAD(cudaGraphAddMemcpyNodeToSymbol(&to, graph, NULL, 0, &table, in, 65, 0, up));
	BAD(cudaGraphAddMemcpyNodeFromSymbol(&from, graph, NULL, 0, out, &table, 4, 100, down));
	assert_int_equal(cudaGraphAddMemcpyNodeToSymbol(&to, graph, NULL, 0, &count, in, 4, 0, up),
			 cudaErrorInvalidSymbol);
	GOOD(cudaGraphAddMemcpyNodeToSymbol(&to, graph, NULL, 0, &table, in, 4, 8, up));
	GOOD(cudaGraphAddMemcpyNodeFromSymbol(&from, graph, &to, 1, out, &table, 4, 8, down));
	exec = instantiate(graph);
	GOOD(cudaGraphLaunch(exec, NULL));
	assert_int_equal(out[0], 5);
	GOOD(cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, to, &table, &in[1], 4, 60, up));
	GOOD(cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, from, &out[1], &table, 4, 60, down));
	BAD(cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, to, &table, in, 4, 61, up));
	BAD(cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, from, out, &table, 4, 61, down));
	GOOD(cudaGraphLaunch(exec, NULL));
	assert_int_equal(out[1], 6);
	GOOD(cudaGraphExecDestroy(exec));
	in[1] = 7;
	GOOD(cudaGraphMemcpyNodeSetParamsToSymbol(to, &table, &in[1], 4, 0, up));
	GOOD(cudaGraphMemcpyNodeSetParamsFromSymbol(from, &out[0], &table, 4, 0, down));
	BAD(cudaGraphMemcpyNodeSetParamsToSymbol(to, &table, in, 65, 0, up));
	BAD(cudaGraphMemcpyNodeSetParamsFromSymbol(from, out, &table, 65, 0, down));
	exec = instantiate(graph);
	GOOD(cudaGraphLaunch(exec, NULL));
	assert_int_equal(out[0], 7);
	release(exec, graph);
}

/* --- Switched off --- */

static void test_what_is_switched_off_stays_so(void **state)
{
	cudaGraph_t graph = new_graph(), other = new_graph();
	cudaGraphNode_t first = add_kernel(graph, 1, NULL), second = add_kernel(graph, 2, &first), third, empty, a, b;
	const struct cudaKernelNodeParams params = kernel(6);
	cudaGraphExecUpdateResultInfo info;
	cudaGraphExec_t exec, twin;
	unsigned on;

	(void)state;
	third = add_kernel(graph, 3, &second);
	GOOD(cudaGraphAddEmptyNode(&empty, graph, &third, 1));
	a = add_kernel(other, 11, NULL);
	b = add_kernel(other, 12, &a);
	a = add_kernel(other, 13, &b);
	GOOD(cudaGraphAddEmptyNode(&empty, other, &a, 1));
	exec = instantiate(graph);
	twin = instantiate(graph);
	GOOD(cudaGraphNodeGetEnabled(exec, second, &on));
	assert_int_equal(on, 1);
	GOOD(cudaGraphNodeSetEnabled(exec, second, 0));
	GOOD(cudaGraphNodeGetEnabled(exec, second, &on));
	assert_int_equal(on, 0);
	RUNS(exec, 1, 3);
	RUNS(twin, 1, 2, 3);
	GOOD(cudaGraphExecKernelNodeSetParams(exec, second, &params));
	RUNS(exec, 1, 3);
	GOOD(cudaGraphExecUpdate(exec, other, &info));
	RUNS(exec, 11, 13);
	GOOD(cudaGraphNodeSetEnabled(exec, b, 5));
	RUNS(exec, 11, 12, 13);
	BAD(cudaGraphNodeSetEnabled(exec, empty, 0));
	BAD(cudaGraphNodeGetEnabled(exec, first, NULL));
	BAD(cudaGraphNodeSetEnabled(NULL, first, 0));
	GOOD(cudaGraphExecDestroy(twin));
	release(exec, graph);
	GOOD(cudaGraphDestroy(other));
}

/* --- Edges --- */

static void test_edges_are_told_and_changed(void **state)
{
	cudaGraph_t graph = new_graph();
	cudaGraphNode_t a = add_kernel(graph, 1, NULL), b = add_kernel(graph, 2, NULL), c = add_kernel(graph, 3, &b);
	cudaGraphNode_t from[3] = {a, a, NULL}, to[3] = {b, c, NULL}, twice[2] = {a, a};
	cudaGraphEdgeData edges[3] = {{.type = 1}};
	cudaGraphExec_t exec;
	size_t n = 3;

	(void)state;
	GOOD(cudaGraphAddDependencies(graph, from, to, 2));
	BAD(cudaGraphAddDependencies(graph, from, to, 1));
	BAD(cudaGraphAddEmptyNode(&c, graph, twice, 2));
	NOT_THERE(cudaGraphAddDependencies_v2(graph, to, from, edges, 1));
	GOOD(cudaGraphGetRootNodes(graph, from, &n));
	assert_true(n == 1 && from[0] == a && !from[1] && !from[2]);
	n = 2;
	GOOD(cudaGraphGetEdges_v2(graph, from, to, edges, &n));
	assert_true(n == 2 && from[0] == a && to[0] == b && from[1] == b && to[1] == c && edges[0].type == 0);
	GOOD(cudaGraphGetEdges(graph, NULL, NULL, &n));
	assert_int_equal(n, 3);
	GOOD(cudaGraphNodeGetDependencies(c, from, &n));
	assert_true(n == 2 && from[0] == b && from[1] == a && !from[2]);
	n = 3;
	GOOD(cudaGraphNodeGetDependentNodes(a, to, &n));
	assert_true(n == 2 && to[0] == b && to[1] == c && !to[2]);
	exec = instantiate(graph);
	RUNS(exec, 1, 2, 3);
	BAD(cudaGraphRemoveDependencies(graph, twice, (cudaGraphNode_t[2]){c, c}, 2));
	BAD(cudaGraphRemoveDependencies(graph, &c, &a, 1));
	GOOD(cudaGraphRemoveDependencies(graph, (cudaGraphNode_t[2]){b, a}, (cudaGraphNode_t[2]){c, b}, 2));
	n = 3;
	GOOD(cudaGraphGetEdges(graph, from, to, &n));
	assert_true(n == 1 && from[0] == a && to[0] == c);
	GOOD(cudaGraphAddDependencies(graph, &c, &b, 1));
	GOOD(cudaGraphExecDestroy(exec));
	exec = instantiate(graph);
	RUNS(exec, 1, 3, 2);
	BAD(cudaGraphGetRootNodes(NULL, from, &n));
	BAD(cudaGraphGetEdges(graph, from, NULL, &n));
	BAD(cudaGraphNodeGetDependencies(a, from, NULL));
	BAD(cudaGraphNodeGetDependentNodes(NULL, from, &n));
	release(exec, graph);
}

static void test_nodes_are_found_in_clones(void **state)
{
	cudaGraph_t graph = new_graph(), clone;
	cudaGraphNode_t a = add_kernel(graph, 1, NULL), b = add_kernel(graph, 2, &a), found, late;
	const struct cudaKernelNodeParams params = kernel(5);
	cudaGraphExec_t exec;

	(void)state;
	GOOD(cudaGraphClone(&clone, graph));
	late = add_kernel(graph, 3, &b);
	GOOD(cudaGraphNodeFindInClone(&found, b, clone));
	assert_ptr_not_equal(found, b);
	BAD(cudaGraphNodeFindInClone(&late, late, clone));
	BAD(cudaGraphNodeFindInClone(&late, found, graph));
	BAD(cudaGraphNodeFindInClone(NULL, b, clone));
	GOOD(cudaGraphKernelNodeSetParams(found, &params));
	GOOD(cudaGraphDestroy(graph));
	exec = instantiate(clone);
	RUNS(exec, 1, 5);
	release(exec, clone);
}

/* --- Parameters --- */

/* A node's parameters can be read, changed and set again. */
static void test_kernels_tell_their_parameters(void **state)
{
	cudaGraph_t graph = new_graph();
	cudaGraphNode_t node = add_kernel(graph, 3, NULL), empty;
	struct cudaKernelNodeParams params;
	cudaGraphExec_t exec;

	(void)state;
	GOOD(cudaGraphAddEmptyNode(&empty, graph, NULL, 0));
	GOOD(cudaGraphKernelNodeGetParams(node, &params));
	assert_ptr_equal(params.func, &scale_stub);
	assert_int_equal(params.gridDim.x, 3);
	assert_true(*(float *)params.kernelParams[1] == 2.5f && *(char *)params.kernelParams[2] == 'x');
	*(char *)params.kernelParams[2] = 'y';
	params.gridDim.x = 4;
	GOOD(cudaGraphKernelNodeSetParams(node, &params));
	exec = instantiate(graph);
	RUNS(exec, 4);
	assert_int_equal(mock.params[12], 'y');
	params = kernel(1);
	params.kernelParams = NULL;
	BAD(cudaGraphKernelNodeSetParams(node, &params));
	BAD(cudaGraphKernelNodeGetParams(empty, &params));
	BAD(cudaGraphKernelNodeGetParams(node, NULL));
	release(exec, graph);
}

static void test_others_tell_their_parameters(void **state)
{
	cudaGraph_t graph = new_graph();
	cudaGraphNode_t copy, fill, host;
	struct cudaMemcpy3DParms c;
	struct cudaMemsetParams f = {.elementSize = 2, .width = 3, .height = 1, .value = 7};
	struct cudaHostNodeParams h = {add_one, order};
	int from[2] = {0}, to[2] = {0};

	(void)state;
	GOOD(cudaMalloc(&f.dst, 8));
	GOOD(cudaGraphAddMemcpyNode1D(&copy, graph, NULL, 0, to, from, 8, cudaMemcpyHostToHost));
	GOOD(cudaGraphAddMemsetNode(&fill, graph, NULL, 0, &f));
	GOOD(cudaGraphAddHostNode(&host, graph, NULL, 0, &h));
	GOOD(cudaGraphMemcpyNodeGetParams(copy, &c));
	assert_true(c.srcPtr.ptr == from && c.dstPtr.ptr == to && c.extent.width == 8 && c.extent.height == 1 &&
		    c.extent.depth == 1 && c.kind == cudaMemcpyHostToHost);
	GOOD(cudaGraphMemcpyNodeSetParams(copy, &c));
	GOOD(cudaGraphMemcpyNodeSetParams1D(copy, from, to, 4, cudaMemcpyDefault));
	GOOD(cudaGraphMemcpyNodeGetParams(copy, &c));
	assert_true(c.srcPtr.ptr == to && c.extent.width == 4 && c.kind == cudaMemcpyDefault);
	memset(&h, 0, sizeof h);
	GOOD(cudaGraphHostNodeGetParams(host, &h));
	assert_true(h.fn == add_one && h.userData == order);
	GOOD(cudaGraphMemsetNodeGetParams(fill, &f));
	assert_true(f.elementSize == 2 && f.width == 3 && f.height == 1 && f.value == 7);
	BAD(cudaGraphMemcpyNodeGetParams(fill, &c));
	BAD(cudaGraphMemsetNodeGetParams(host, &f));
	BAD(cudaGraphHostNodeGetParams(copy, &h));
	GOOD(cudaFree(f.dst));
	GOOD(cudaGraphDestroy(graph));
}

/* --- One call for all kinds --- */

static void test_any_kind_is_added_and_set(void **state)
{
	const unsigned char kinds[] = {
	    cudaGraphNodeTypeKernel, cudaGraphNodeTypeMemset,      cudaGraphNodeTypeHost,      cudaGraphNodeTypeGraph,
	    cudaGraphNodeTypeEmpty,  cudaGraphNodeTypeEventRecord, cudaGraphNodeTypeWaitEvent, cudaGraphNodeTypeMemcpy};
	enum { KINDS = sizeof kinds };
	cudaGraph_t graph = new_graph(), inner = new_graph();
	struct cudaGraphNodeParams params[KINDS] = {0};
	cudaGraphNode_t nodes[KINDS];
	cudaGraphEdgeData edge = {.type = 1};
	int calls = 0, from = 4, to = 0;
	cudaGraphExec_t exec;
	cudaEvent_t event;
	int *memory;

	(void)state;
	GOOD(cudaMalloc((void **)&memory, 8));
	GOOD(cudaEventCreate(&event));
	add_kernel(inner, 2, NULL);
	for (int i = 0; i < KINDS; i++)
		params[i].type = kinds[i];
	params[0].kernel.func = &scale_stub;
	params[0].kernel.gridDim = params[0].kernel.blockDim = ONE;
	params[0].kernel.kernelParams = scale_arguments();
	params[1].memset.dst = memory;
	params[1].memset.elementSize = 4;
	params[1].memset.width = params[1].memset.height = 1;
	params[1].memset.value = 77;
	params[2].host.fn = add_one;
	params[2].host.userData = &calls;
	params[3].graph.graph = inner;
	params[5].eventRecord.event = event;
	params[6].eventWait.event = event;
	params[7].memcpy.copyParams = (struct cudaMemcpy3DParms){
	    .srcPtr = {&from, 4, 4, 1}, .dstPtr = {&to, 4, 4, 1}, .extent = {4, 1, 1}, .kind = cudaMemcpyHostToHost};
	for (int i = 0; i < KINDS; i++)
		GOOD(cudaGraphAddNode(&nodes[i], graph, i ? &nodes[i - 1] : NULL, NULL, i > 0, &params[i]));
	NOT_THERE(cudaGraphAddNode(&nodes[0], graph, nodes, &edge, 1, &params[0]));
	BAD(cudaGraphAddNode(&nodes[0], graph, NULL, NULL, 0, NULL));
	exec = instantiate(graph);
	RUNS(exec, 1, 2);
	assert_true(memory[0] == 77 && calls == 1 && to == 4);
	GOOD(cudaEventQuery(event));
	params[0].kernel.gridDim.x = 9;
	params[1].memset.value = 78;
	for (int i = 0; i < KINDS; i++) {
		const bool settable = kinds[i] != cudaGraphNodeTypeEmpty, child = kinds[i] == cudaGraphNodeTypeGraph;

		assert_int_equal(cudaGraphNodeSetParams(nodes[i], &params[i]),
				 settable && !child ? cudaSuccess : cudaErrorNotSupported);
		assert_int_equal(cudaGraphExecNodeSetParams(exec, nodes[i], &params[i]),
				 settable ? cudaSuccess : cudaErrorNotSupported);
		BAD(cudaGraphNodeSetParams(nodes[i], &params[(i + 1) % KINDS]));
		BAD(cudaGraphExecNodeSetParams(exec, nodes[i], &params[(i + 1) % KINDS]));
	}
	RUNS(exec, 9, 2);
	assert_int_equal(memory[0], 78);
	params[3].graph.ownership = cudaGraphChildGraphOwnershipMove;
	NOT_THERE(cudaGraphAddNode(&nodes[3], graph, NULL, NULL, 0, &params[3]));
	params[3].type = cudaGraphNodeTypeConditional;
	NOT_THERE(cudaGraphAddNode(&nodes[3], graph, NULL, NULL, 0, &params[3]));
	release(exec, graph);
	GOOD(cudaGraphDestroy(inner));
	GOOD(cudaEventDestroy(event));
	GOOD(cudaFree(memory));
}

static void test_instantiation_tells_its_flags(void **state)
{
	cudaGraphInstantiateParams params = {.flags = cudaGraphInstantiateFlagUseNodePriority, .result_out = 3};
	cudaGraph_t graph = new_graph();
	unsigned long long flags = 0;
	cudaGraphExec_t exec;

	(void)state;
	GOOD(cudaGraphInstantiateWithParams(&exec, graph, &params));
	assert_int_equal(params.result_out, cudaGraphInstantiateSuccess);
	GOOD(cudaGraphExecGetFlags(exec, &flags));
	assert_int_equal(flags, cudaGraphInstantiateFlagUseNodePriority);
	BAD(cudaGraphExecGetFlags(exec, NULL));
	BAD(cudaGraphExecGetFlags(NULL, &flags));
	GOOD(cudaGraphExecDestroy(exec));
	params.flags = 1 << 20;
	BAD(cudaGraphInstantiateWithParams(&exec, graph, &params));
	BAD(cudaGraphInstantiateWithParams(&exec, graph, NULL));
	GOOD(cudaGraphDestroy(graph));
}

/* --- Objects of the program --- */

static cudaUserObject_t new_object(int *destroyed, unsigned references)
{
	cudaUserObject_t object;

	GOOD(cudaUserObjectCreate(&object, destroyed, add_one, references, cudaUserObjectNoDestructorSync));
	return object;
}

static void test_objects_are_destroyed_once(void **state)
{
	int destroyed = 0;
	cudaUserObject_t object = new_object(&destroyed, 2);

	(void)state;
	GOOD(cudaUserObjectRetain(object, 3));
	GOOD(cudaUserObjectRelease(object, 4));
	BAD(cudaUserObjectRelease(object, 2));
	BAD(cudaUserObjectRelease(object, 0));
	BAD(cudaUserObjectRetain(object, 0));
	assert_int_equal(destroyed, 0);
	GOOD(cudaUserObjectRelease(object, 1));
	assert_int_equal(destroyed, 1);
	BAD(cudaUserObjectRelease(object, 1));
	BAD(cudaUserObjectRetain(object, 1));
	BAD(cudaUserObjectCreate(NULL, &destroyed, add_one, 1, cudaUserObjectNoDestructorSync));
	BAD(cudaUserObjectCreate(&object, &destroyed, NULL, 1, cudaUserObjectNoDestructorSync));
	BAD(cudaUserObjectCreate(&object, &destroyed, add_one, 0, cudaUserObjectNoDestructorSync));
	BAD(cudaUserObjectCreate(&object, &destroyed, add_one, 1, 0));
	assert_int_equal(destroyed, 1);
}

static void test_graphs_hold_objects(void **state)
{
	int destroyed = 0;
	cudaUserObject_t object = new_object(&destroyed, 1);
	cudaGraph_t graph = new_graph(), clone, other = new_graph();
	cudaGraphExecUpdateResultInfo info;
	cudaGraphExec_t exec;

	(void)state;
	BAD(cudaGraphRetainUserObject(graph, object, 2, cudaGraphUserObjectMove));
	BAD(cudaGraphRetainUserObject(graph, object, 0, 0));
	BAD(cudaGraphRetainUserObject(graph, object, 1, 2));
	BAD(cudaGraphReleaseUserObject(graph, object, 1));
	GOOD(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
	BAD(cudaUserObjectRelease(object, 1));
	GOOD(cudaGraphRetainUserObject(graph, object, 2, 0));
	GOOD(cudaGraphReleaseUserObject(graph, object, 2));
	BAD(cudaGraphReleaseUserObject(graph, object, 2));
	GOOD(cudaGraphClone(&clone, graph));
	exec = instantiate(graph);
	GOOD(cudaGraphReleaseUserObject(graph, object, 1));
	GOOD(cudaGraphDestroy(graph));
	GOOD(cudaGraphDestroy(clone));
	assert_int_equal(destroyed, 0);
	GOOD(cudaGraphExecUpdate(exec, other, &info));
	assert_int_equal(destroyed, 1);
	release(exec, other);
	assert_int_equal(destroyed, 1);
}

static void test_children_hold_objects(void **state)
{
	int destroyed = 0;
	cudaUserObject_t object = new_object(&destroyed, 1);
	cudaGraph_t outer = new_graph(), inner = new_graph();
	cudaGraphNode_t child;
	cudaGraphExec_t exec;

	(void)state;
	GOOD(cudaGraphRetainUserObject(inner, object, 1, cudaGraphUserObjectMove));
	GOOD(cudaGraphAddChildGraphNode(&child, outer, NULL, 0, inner));
	GOOD(cudaGraphDestroy(inner));
	exec = instantiate(outer);
	GOOD(cudaGraphDestroy(outer));
	assert_int_equal(destroyed, 0);
	GOOD(cudaGraphExecDestroy(exec));
	assert_int_equal(destroyed, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_child_is_a_copy_that_runs_in_its_place, setup),
	    cmocka_unit_test_setup(test_circle_in_a_child_is_refused, setup),
	    cmocka_unit_test_setup(test_nodes_of_children_are_set_in_an_exec, setup),
	    cmocka_unit_test_setup(test_children_are_compared_and_updated, setup),
	    cmocka_unit_test_setup(test_launch_in_a_capture_is_a_node, setup),
	    cmocka_unit_test_setup(test_events_are_recorded_and_waited_for, setup),
	    cmocka_unit_test_setup(test_variables_are_copied, setup),
	    cmocka_unit_test_setup(test_what_is_switched_off_stays_so, setup),
	    cmocka_unit_test_setup(test_edges_are_told_and_changed, setup),
	    cmocka_unit_test_setup(test_nodes_are_found_in_clones, setup),
	    cmocka_unit_test_setup(test_kernels_tell_their_parameters, setup),
	    cmocka_unit_test_setup(test_others_tell_their_parameters, setup),
	    cmocka_unit_test_setup(test_any_kind_is_added_and_set, setup),
	    cmocka_unit_test_setup(test_instantiation_tells_its_flags, setup),
	    cmocka_unit_test_setup(test_objects_are_destroyed_once, setup),
	    cmocka_unit_test_setup(test_graphs_hold_objects, setup),
	    cmocka_unit_test_setup(test_children_hold_objects, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
