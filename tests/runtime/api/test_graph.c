/* Graphs: captured from streams or built node by node, run in the order of their dependencies. */
#include "tests/runtime/api/program.h"

#include <string.h>

#define ONE ((dim3){1, 1, 1})

static unsigned order[8], count;

static void note_grid(const struct launch_params *params)
{
	order[count++ % 8] = params->grid[0];
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

static void test_capture_runs_later(void **state)
{
	int source = 7, target = 0, calls = 0;
	cudaStream_t stream;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	enum cudaStreamCaptureStatus status;

	(void)state;
	assert_int_equal(cudaStreamCreate(&stream), cudaSuccess);
	assert_int_equal(cudaStreamBeginCapture(NULL, cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported);
	assert_int_equal(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
	assert_int_equal(cudaLaunchKernel(&scale_stub, (dim3){5, 1, 1}, ONE, scale_arguments(), 0, stream),
			 cudaSuccess);
	assert_int_equal(cudaMemcpyAsync(&target, &source, sizeof target, cudaMemcpyHostToHost, stream), cudaSuccess);
	assert_int_equal(cudaLaunchHostFunc(stream, add_one, &calls), cudaSuccess);
	assert_int_equal(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
	assert_int_equal(cudaStreamIsCapturing(stream, &status), cudaSuccess);
	assert_int_equal(status, cudaStreamCaptureStatusActive);
	assert_int_equal(mock.launches + (unsigned)calls + (unsigned)target, 0);
	assert_int_equal(cudaStreamEndCapture(stream, &graph), cudaSuccess);
	assert_int_equal(cudaGraphInstantiateWithFlags(&exec, graph, 0), cudaSuccess);
	assert_int_equal(cudaGraphDestroy(graph), cudaSuccess);
	assert_int_equal(cudaGraphLaunch(exec, stream), cudaSuccess);
	assert_int_equal(cudaGraphLaunch(exec, stream), cudaSuccess);
	assert_int_equal(mock.launches, 2);
	assert_int_equal(mock.params[12], 'x');
	assert_int_equal(calls, 2);
	assert_int_equal(target, 7);
	assert_int_equal(cudaGraphExecDestroy(exec), cudaSuccess);
	assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
}

static void test_capture_spreads_through_events(void **state)
{
	cudaStream_t first, second;
	cudaEvent_t fork, join;
	cudaGraph_t graph;
	size_t nodes = 0;

	(void)state;
	assert_int_equal(cudaStreamCreate(&first), cudaSuccess);
	assert_int_equal(cudaStreamCreate(&second), cudaSuccess);
	assert_int_equal(cudaEventCreate(&fork), cudaSuccess);
	assert_int_equal(cudaEventCreate(&join), cudaSuccess);
	assert_int_equal(cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed), cudaSuccess);
	assert_int_equal(cudaEventRecord(fork, first), cudaSuccess);
	assert_int_equal(cudaStreamWaitEvent(second, fork, 0), cudaSuccess);
	assert_int_equal(cudaLaunchKernel(&scale_stub, ONE, ONE, scale_arguments(), 0, second), cudaSuccess);
	assert_int_equal(cudaEventRecord(join, second), cudaSuccess);
	assert_int_equal(cudaStreamWaitEvent(first, join, 0), cudaSuccess);
	assert_int_equal(cudaStreamEndCapture(second, &graph), cudaErrorStreamCaptureUnmatched);
	assert_int_equal(cudaStreamEndCapture(first, &graph), cudaSuccess);
	assert_int_equal(cudaGraphGetNodes(graph, NULL, &nodes), cudaSuccess);
	assert_int_equal(nodes, 1);
	assert_int_equal(mock.launches, 0);
	assert_int_equal(cudaLaunchKernel(&scale_stub, ONE, ONE, scale_arguments(), 0, second), cudaSuccess);
	assert_int_equal(mock.launches, 1);
	cudaGraphDestroy(graph);
	cudaStreamDestroy(first);
	cudaStreamDestroy(second);
	cudaEventDestroy(fork);
	cudaEventDestroy(join);
}

static void test_destroyed_stream_ends_its_capture(void **state)
{
	cudaStream_t stream;

	(void)state;
	assert_int_equal(cudaStreamCreate(&stream), cudaSuccess);
	assert_int_equal(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
	assert_int_equal(cudaLaunchKernel(&scale_stub, ONE, ONE, scale_arguments(), 0, stream), cudaSuccess);
	assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
}

static void test_nodes_run_in_order_of_dependence(void **state)
{
	struct cudaKernelNodeParams params = {
	    .func = &scale_stub, .gridDim = {1, 1, 1}, .blockDim = ONE, .kernelParams = scale_arguments()};
	cudaGraphNode_t late, early, edges[2];
	cudaGraphExec_t exec;
	cudaGraph_t graph;

	(void)state;
	assert_int_equal(cudaGraphCreate(&graph, 0), cudaSuccess);
	params.gridDim.x = 20;
	assert_int_equal(cudaGraphAddKernelNode(&late, graph, NULL, 0, &params), cudaSuccess);
	params.gridDim.x = 10;
	assert_int_equal(cudaGraphAddKernelNode(&early, graph, NULL, 0, &params), cudaSuccess);
	assert_int_equal(cudaGraphAddDependencies(graph, &early, &late, 1), cudaSuccess);
	assert_int_equal(cudaGraphInstantiateWithFlags(&exec, graph, 0), cudaSuccess);
	assert_int_equal(cudaGraphLaunch(exec, NULL), cudaSuccess);
	assert_int_equal(order[0], 10);
	assert_int_equal(order[1], 20);
	params.gridDim.x = 30;
	assert_int_equal(cudaGraphExecKernelNodeSetParams(exec, early, &params), cudaSuccess);
	assert_int_equal(cudaGraphLaunch(exec, NULL), cudaSuccess);
	assert_int_equal(order[2], 30);
	assert_int_equal(cudaGraphExecDestroy(exec), cudaSuccess);
	edges[0] = late;
	edges[1] = early;
	assert_int_equal(cudaGraphAddDependencies(graph, &edges[0], &edges[1], 1), cudaSuccess);
	assert_int_equal(cudaGraphInstantiateWithFlags(&exec, graph, 0), cudaErrorInvalidValue);
	assert_int_equal(cudaGraphDestroy(graph), cudaSuccess);
}

static void add_ten(void *value)
{
	*(int *)value += 10;
}

/* One node of each kind that has parameters, and the two sets of those. */
struct work {
	struct cudaKernelNodeParams kernel;
	struct cudaMemsetParams fill;
	struct cudaHostNodeParams host;
	int *from, *to;
};

static void set_in_graph(const cudaGraphNode_t nodes[4], const struct work *w)
{
	assert_int_equal(cudaGraphKernelNodeSetParams(nodes[0], &w->kernel), cudaSuccess);
	assert_int_equal(cudaGraphMemcpyNodeSetParams1D(nodes[1], w->to, w->from, 4, cudaMemcpyHostToHost),
			 cudaSuccess);
	assert_int_equal(cudaGraphMemsetNodeSetParams(nodes[2], &w->fill), cudaSuccess);
	assert_int_equal(cudaGraphHostNodeSetParams(nodes[3], &w->host), cudaSuccess);
}

static void set_in_exec(cudaGraphExec_t exec, const cudaGraphNode_t nodes[4], const struct work *w)
{
	const struct cudaMemcpy3DParms copy = {.srcPtr = {w->from, 4, 4, 1},
					       .dstPtr = {w->to, 4, 4, 1},
					       .extent = {4, 1, 1},
					       .kind = cudaMemcpyHostToHost};

	assert_int_equal(cudaGraphExecKernelNodeSetParams(exec, nodes[0], &w->kernel), cudaSuccess);
	assert_int_equal(cudaGraphExecMemcpyNodeSetParams1D(exec, nodes[1], w->to, w->from, 3, cudaMemcpyHostToHost),
			 cudaSuccess);
	assert_int_equal(cudaGraphExecMemcpyNodeSetParams(exec, nodes[1], &copy), cudaSuccess);
	assert_int_equal(cudaGraphExecMemsetNodeSetParams(exec, nodes[2], &w->fill), cudaSuccess);
	assert_int_equal(cudaGraphExecHostNodeSetParams(exec, nodes[3], &w->host), cudaSuccess);
	assert_int_equal(cudaGraphExecHostNodeSetParams(exec, nodes[2], &w->host), cudaErrorInvalidValue);
	assert_int_equal(cudaGraphExecMemsetNodeSetParams(exec, nodes[0], &w->fill), cudaErrorInvalidValue);
}

/* Each node does what it was last set to. Later changes of the graph do not reach its instantiated copy. */
static void test_nodes_are_set_anew(void **state)
{
	int from[3] = {5, 6, 7}, to[3] = {0}, calls = 0;
	struct work works[3];
	cudaGraphNode_t nodes[4];
	cudaGraphExec_t exec;
	cudaGraph_t graph;
	uint8_t *bytes;

	(void)state;
	assert_int_equal(cudaMalloc((void **)&bytes, 12), cudaSuccess);
	for (int i = 0; i < 3; i++)
		works[i] = (struct work){.kernel = {.func = &scale_stub,
						    .gridDim = {10u + (unsigned)i, 1, 1},
						    .blockDim = ONE,
						    .kernelParams = scale_arguments()},
					 .fill = {.dst = bytes + 4 * i,
						  .value = 40u + (unsigned)i,
						  .elementSize = 1,
						  .width = 4,
						  .height = 1},
					 .host = {i == 0 ? add_one : add_ten, &calls},
					 .from = &from[i],
					 .to = &to[i]};
	assert_int_equal(cudaGraphCreate(&graph, 0), cudaSuccess);
	assert_int_equal(cudaGraphAddKernelNode(&nodes[0], graph, NULL, 0, &works[0].kernel), cudaSuccess);
	assert_int_equal(cudaGraphAddMemcpyNode1D(&nodes[1], graph, NULL, 0, to, from, 4, cudaMemcpyHostToHost),
			 cudaSuccess);
	assert_int_equal(cudaGraphAddMemsetNode(&nodes[2], graph, NULL, 0, &works[0].fill), cudaSuccess);
	assert_int_equal(cudaGraphAddHostNode(&nodes[3], graph, NULL, 0, &works[0].host), cudaSuccess);
	set_in_graph(nodes, &works[1]);
	assert_int_equal(cudaGraphInstantiateWithFlags(&exec, graph, 0), cudaSuccess);
	set_in_graph(nodes, &works[0]);
	assert_int_equal(cudaGraphLaunch(exec, NULL), cudaSuccess);
	assert_true(order[0] == 11 && to[0] == 0 && to[1] == 6 && bytes[0] != 40 && bytes[4] == 41 && calls == 10);
	set_in_exec(exec, nodes, &works[2]);
	assert_int_equal(cudaGraphLaunch(exec, NULL), cudaSuccess);
	assert_true(order[1] == 12 && to[0] == 0 && to[2] == 7 && bytes[11] == 42 && calls == 20);
	assert_int_equal(cudaGraphExecDestroy(exec), cudaSuccess);
	assert_int_equal(cudaGraphDestroy(graph), cudaSuccess);
	assert_int_equal(cudaFree(bytes), cudaSuccess);
}

static cudaGraph_t two_kernels(uint32_t grid, bool chained, bool empty)
{
	struct cudaKernelNodeParams params = {
	    .func = &scale_stub, .gridDim = {grid, 1, 1}, .blockDim = ONE, .kernelParams = scale_arguments()};
	cudaGraphNode_t first, second;
	cudaGraph_t graph;

	assert_int_equal(cudaGraphCreate(&graph, 0), cudaSuccess);
	assert_int_equal(cudaGraphAddKernelNode(&first, graph, NULL, 0, &params), cudaSuccess);
	params.gridDim.x++;
	if (empty)
		assert_int_equal(cudaGraphAddEmptyNode(&second, graph, &first, 1), cudaSuccess);
	else
		assert_int_equal(cudaGraphAddKernelNode(&second, graph, &first, chained, &params), cudaSuccess);
	return graph;
}

/* An instantiated graph takes the work of another one of the same shape, and keeps its own of one of another shape. */
static void test_whole_graphs_are_updated(void **state)
{
	cudaGraph_t old = two_kernels(10, true, false), now = two_kernels(20, true, false),
		    loose = two_kernels(30, false, false), other = two_kernels(40, true, true);
	cudaGraphExecUpdateResultInfo info;
	cudaGraphExec_t exec;

	(void)state;
	assert_int_equal(cudaGraphInstantiateWithFlags(&exec, old, 0), cudaSuccess);
	assert_int_equal(cudaGraphExecUpdate(exec, now, &info), cudaSuccess);
	assert_int_equal(info.result, cudaGraphExecUpdateSuccess);
	assert_int_equal(cudaGraphDestroy(now), cudaSuccess);
	assert_int_equal(cudaGraphExecUpdate(exec, loose, &info), cudaErrorGraphExecUpdateFailure);
	assert_int_equal(info.result, cudaGraphExecUpdateErrorTopologyChanged);
	assert_int_equal(cudaGraphExecUpdate(exec, other, &info), cudaErrorGraphExecUpdateFailure);
	assert_int_equal(info.result, cudaGraphExecUpdateErrorNodeTypeChanged);
	assert_non_null(info.errorNode);
	assert_int_equal(cudaGraphLaunch(exec, NULL), cudaSuccess);
	assert_true(order[0] == 20 && order[1] == 21 && count == 2);
	assert_int_equal(cudaGraphExecDestroy(exec), cudaSuccess);
	assert_int_equal(cudaGraphDestroy(old), cudaSuccess);
	assert_int_equal(cudaGraphDestroy(loose), cudaSuccess);
	assert_int_equal(cudaGraphDestroy(other), cudaSuccess);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_capture_runs_later, setup),
	    cmocka_unit_test_setup(test_capture_spreads_through_events, setup),
	    cmocka_unit_test_setup(test_destroyed_stream_ends_its_capture, setup),
	    cmocka_unit_test_setup(test_nodes_run_in_order_of_dependence, setup),
	    cmocka_unit_test_setup(test_nodes_are_set_anew, setup),
	    cmocka_unit_test_setup(test_whole_graphs_are_updated, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
