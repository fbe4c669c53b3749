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

static void capture_runs_later(void **state)
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

static void capture_spreads_through_events(void **state)
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

static void destroyed_stream_ends_its_capture(void **state)
{
	cudaStream_t stream;

	(void)state;
	assert_int_equal(cudaStreamCreate(&stream), cudaSuccess);
	assert_int_equal(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
	assert_int_equal(cudaLaunchKernel(&scale_stub, ONE, ONE, scale_arguments(), 0, stream), cudaSuccess);
	assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
}

static void nodes_run_in_order_of_dependence(void **state)
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

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(capture_runs_later, setup),
	    cmocka_unit_test_setup(capture_spreads_through_events, setup),
	    cmocka_unit_test_setup(destroyed_stream_ends_its_capture, setup),
	    cmocka_unit_test_setup(nodes_run_in_order_of_dependence, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
