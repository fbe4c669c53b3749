/*
 * Every function of the API with NULL for each pointer in turn, with handles of what is gone or never was, with numbers
 * that no enumeration has, and with sizes beyond all memory: an error, and never the end of the process.
 *
 * The calls are made from the headers' prototypes (prototypes.awk). Each is made in a process of its own.
 */
#include "tests/runtime/api/arguments.h"

#include "runtime/include/cuda.h"
#include "tests/runtime/api/program.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/runtime/api/prototypes.inc"

enum { CALLS = sizeof calls / sizeof *calls, ANY = -1, CRASH = -2, SECONDS = 20 };

/* --- Exceptions for single functions --- */

struct exception {
	const char *call, *parameter;
	int result;
};

/* The result for valid arguments if it is not success; parameter: unused. */
static const struct exception results[] = {
    {"cuCtxDisablePeerAccess", NULL, CUDA_ERROR_PEER_ACCESS_NOT_ENABLED},
    {"cuCtxEnablePeerAccess", NULL, CUDA_ERROR_PEER_ACCESS_UNSUPPORTED},
    {"cudaDeviceDisablePeerAccess", NULL, cudaErrorPeerAccessNotEnabled},
    {"cudaDeviceEnablePeerAccess", NULL, cudaErrorInvalidDevice},
    {"cudaDeviceGetP2PAttribute", NULL, cudaErrorInvalidDevice},
    {"cuLibraryLoadFromFile", NULL, CUDA_ERROR_FILE_NOT_FOUND},
    {"cuLinkAddFile", NULL, CUDA_ERROR_FILE_NOT_FOUND},
    {"cuModuleLoad", NULL, CUDA_ERROR_FILE_NOT_FOUND},
    {"cuMemGetAccess", NULL, CUDA_ERROR_INVALID_VALUE},
    {"cuMemSetAccess", NULL, CUDA_ERROR_INVALID_VALUE},
    {"cuMemUnmap", NULL, CUDA_ERROR_INVALID_VALUE},
    {"cudaHostUnregister", NULL, cudaErrorHostMemoryNotRegistered},
    {"cuMemHostUnregister", NULL, cudaErrorHostMemoryNotRegistered},
    {"cuStreamEndCapture", NULL, cudaErrorIllegalState},
    {"cudaStreamEndCapture", NULL, cudaErrorIllegalState},
    {"cudaGetTextureAlignmentOffset", NULL, cudaErrorInvalidTextureBinding},
    {"cudaGetTextureObjectResourceViewDesc", NULL, cudaErrorInvalidValue},
    {"cudaLibraryLoadFromFile", NULL, cudaErrorFileNotFound},
    {"cuDeviceGetP2PAttribute", NULL, cudaErrorInvalidDevice},
    {NULL, NULL, 0},
};

/* Where NULL is allowed, or has an error of its own. */
static const struct exception nulls[] = {
    {"cuCtxGetStreamPriorityRange", "greatest", 0},
    {"cuCtxGetStreamPriorityRange", "least", 0},
    {"cuCtxPopCurrent", "context", 0},
    {"cuCtxCreate_v4", "params", 0},
    {"cuFuncGetParamInfo", "size", 0},
    {"cuGraphAddDependencies_v2", "edgeData", 0},
    {"cuGraphGetNodes", "nodes", 0},
    {"cuLaunchHostFunc", "data", 0},
    {"cuLaunchKernel", "extra", 0},
    {"cuLaunchKernelEx", "extra", 0},
    {"cuLibraryGetGlobal", "address", 0},
    {"cuLibraryGetGlobal", "size", 0},
    {"cuLibraryGetManaged", "address", 0},
    {"cuLibraryGetManaged", "size", 0},
    {"cuLibraryLoadData", "jit", 0},
    {"cuLibraryLoadData", "jitValues", 0},
    {"cuLibraryLoadData", "options", 0},
    {"cuLibraryLoadData", "values", 0},
    {"cuLinkAddData", "name", 0},
    {"cuLinkAddData", "options", 0},
    {"cuLinkAddData", "values", 0},
    {"cuLinkComplete", "size", 0},
    {"cuLinkCreate", "options", 0},
    {"cuLinkCreate", "values", 0},
    {"cuMemAddressReserve", "wanted", 0},
    {"cuMemFree", "address", 0},
    {"cuMemFreeAsync", "address", 0},
    {"cuMemFreeHost", "ptr", 0},
    {"cuMemGetAddressRange", "base", 0},
    {"cuMemGetAddressRange", "size", 0},
    {"cuMemGetInfo", "available", 0},
    {"cuMemGetInfo", "total", 0},
    {"cuModuleGetGlobal", "address", 0},
    {"cuModuleGetGlobal", "size", 0},
    {"cuModuleLoadDataEx", "options", 0},
    {"cuModuleLoadDataEx", "values", 0},
    {"cuStreamAddCallback", "data", 0},
    {"cuTexObjectCreate", "view", 0},
    {"cuTexRefSetAddress", "offset", 0},
    {"cudaArrayGetInfo", "desc", 0},
    {"cudaArrayGetInfo", "extent", 0},
    {"cudaArrayGetInfo", "flags", 0},
    {"cudaBindSurfaceToArray", "desc", 0},
    {"cudaBindTexture", "offset", 0},
    {"cudaBindTexture2D", "offset", 0},
    {"cudaBindTextureToArray", "desc", 0},
    {"cudaBindTextureToMipmappedArray", "desc", 0},
    {"cudaCreateTextureObject", "view", 0},
    {"cudaDeviceGetStreamPriorityRange", "greatest", 0},
    {"cudaDeviceGetStreamPriorityRange", "least", 0},
    {"cudaFree", "ptr", 0},
    {"cudaFreeAsync", "ptr", 0},
    {"cudaFreeHost", "ptr", 0},
    {"cudaGraphGetNodes", "nodes", 0},
    {"cudaLaunchHostFunc", "data", 0},
    {"cudaMemGetInfo", "available", 0},
    {"cudaMemGetInfo", "total", 0},
    {"cudaPointerGetAttributes", "ptr", 0},
    {"cudaStreamAddCallback", "data", 0},
    {"cudaGetSymbolAddress", "symbol", cudaErrorInvalidSymbol},
    {"cudaGetSymbolSize", "symbol", cudaErrorInvalidSymbol},
    {"cudaMemcpyFromSymbol", "symbol", cudaErrorInvalidSymbol},
    {"cudaMemcpyFromSymbolAsync", "symbol", cudaErrorInvalidSymbol},
    {"cudaMemcpyToSymbol", "symbol", cudaErrorInvalidSymbol},
    {"cudaMemcpyToSymbolAsync", "symbol", cudaErrorInvalidSymbol},
    {"cudaBindTexture", "texref", cudaErrorInvalidTexture},
    {"cudaBindTexture2D", "texref", cudaErrorInvalidTexture},
    {"cudaBindTextureToArray", "texref", cudaErrorInvalidTexture},
    {"cudaBindTextureToMipmappedArray", "texref", cudaErrorInvalidTexture},
    {"cudaGetTextureAlignmentOffset", "texref", cudaErrorInvalidTexture},
    {"cudaGetTextureReference", "symbol", cudaErrorInvalidTexture},
    {"cudaGetTextureReference", "texref", cudaErrorInvalidTexture},
    {"cudaUnbindTexture", "texref", cudaErrorInvalidTexture},
    {"cudaBindSurfaceToArray", "surfref", cudaErrorInvalidSurface},
    {"cudaGetSurfaceReference", "surfref", cudaErrorInvalidSurface},
    {"cudaGetSurfaceReference", "symbol", cudaErrorInvalidSurface},
    {"cudaFuncGetAttributes", "function", cudaErrorInvalidDeviceFunction},
    {"cudaFuncGetName", "function", cudaErrorInvalidDeviceFunction},
    {"cudaFuncSetAttribute", "function", cudaErrorInvalidDeviceFunction},
    {"cudaFuncSetCacheConfig", "function", cudaErrorInvalidDeviceFunction},
    {"cudaFuncSetSharedMemConfig", "function", cudaErrorInvalidDeviceFunction},
    {"cudaGetFuncBySymbol", "symbol", cudaErrorInvalidDeviceFunction},
    {"cudaLaunchCooperativeKernel", "function", cudaErrorInvalidDeviceFunction},
    {"cudaLaunchKernel", "function", cudaErrorInvalidDeviceFunction},
    {"cudaLaunchKernelExC", "function", cudaErrorInvalidDeviceFunction},
    {"cudaOccupancyAvailableDynamicSMemPerBlock", "function", cudaErrorInvalidDeviceFunction},
    {"cudaOccupancyMaxActiveBlocksPerMultiprocessor", "function", cudaErrorInvalidDeviceFunction},
    {"cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", "function", cudaErrorInvalidDeviceFunction},
    {"cuLibraryLoadFromFile", "jit", CUDA_ERROR_FILE_NOT_FOUND},
    {"cuLibraryLoadFromFile", "jitValues", CUDA_ERROR_FILE_NOT_FOUND},
    {"cuLibraryLoadFromFile", "options", CUDA_ERROR_FILE_NOT_FOUND},
    {"cuLibraryLoadFromFile", "values", CUDA_ERROR_FILE_NOT_FOUND},
    {"cuLinkAddFile", "options", CUDA_ERROR_FILE_NOT_FOUND},
    {"cuLinkAddFile", "values", CUDA_ERROR_FILE_NOT_FOUND},
    {"cuMemGetAddressRange", "address", cudaErrorSymbolNotFound},
    {"cudaGetDriverEntryPointByVersion", "result", cudaErrorSymbolNotFound},
    {"cuMemHostUnregister", "ptr", cudaErrorHostMemoryNotRegistered},
    {"cudaHostUnregister", "ptr", cudaErrorHostMemoryNotRegistered},
    {"cudaGraphAddDependencies_v2", "edgeData", 0},
    {"cudaGraphAddMemcpyNodeToSymbol", "symbol", cudaErrorInvalidSymbol},
    {"cudaGraphAddMemcpyNodeFromSymbol", "symbol", cudaErrorInvalidSymbol},
    {"cudaGraphMemcpyNodeSetParamsToSymbol", "symbol", cudaErrorInvalidSymbol},
    {"cudaGraphMemcpyNodeSetParamsFromSymbol", "symbol", cudaErrorInvalidSymbol},
    {"cudaGraphExecMemcpyNodeSetParamsToSymbol", "symbol", cudaErrorInvalidSymbol},
    {"cudaGraphExecMemcpyNodeSetParamsFromSymbol", "symbol", cudaErrorInvalidSymbol},
    {"cudaGraphGetRootNodes", "rootNodes", 0},
    {"cudaGraphGetEdges_v2", "edgeData", 0},
    {"cudaGraphNodeGetDependencies_v2", "dependencies", 0},
    {"cudaGraphNodeGetDependencies_v2", "edgeData", 0},
    {"cudaGraphNodeGetDependentNodes_v2", "dependentNodes", 0},
    {"cudaGraphNodeGetDependentNodes_v2", "edgeData", 0},
    {"cudaGraphRemoveDependencies_v2", "edgeData", 0},
    {"cudaGraphAddNode", "dependencyData", 0},
    {"cudaUserObjectCreate", "ptr", 0},
    {"cudaFuncGetParamInfo", "function", cudaErrorInvalidDeviceFunction},
    {"cudaFuncGetParamInfo", "paramSize", 0},
    {"cudaOccupancyMaxPotentialClusterSize", "function", cudaErrorInvalidDeviceFunction},
    {"cudaOccupancyMaxActiveClusters", "function", cudaErrorInvalidDeviceFunction},
    {"cudaLibraryLoadData", "jitOptions", 0},
    {"cudaLibraryLoadData", "jitOptionsValues", 0},
    {"cudaLibraryLoadData", "libraryOptions", 0},
    {"cudaLibraryLoadData", "libraryOptionValues", 0},
    {"cudaLibraryLoadFromFile", "jitOptions", cudaErrorFileNotFound},
    {"cudaLibraryLoadFromFile", "jitOptionsValues", cudaErrorFileNotFound},
    {"cudaLibraryLoadFromFile", "libraryOptions", cudaErrorFileNotFound},
    {"cudaLibraryLoadFromFile", "libraryOptionValues", cudaErrorFileNotFound},
    {"cudaGetKernel", "entryFuncAddr", cudaErrorInvalidDeviceFunction},
    {"cudaGetDriverEntryPoint", "driverStatus", cudaErrorSymbolNotFound},
    {"cuKernelGetParamInfo", "paramSize", 0},
    {"cuPointerGetAttributes", "ptr", 0},
    {"cudaLibraryGetGlobal", "address", 0},
    {"cudaLibraryGetGlobal", "size", 0},
    {"cudaLibraryGetManaged", "address", 0},
    {"cudaLibraryGetManaged", "size", 0},
    {NULL, NULL, 0},
};

/* Wrong handles and enumerators that are not looked at. */
static const struct exception unseen[] = {
    {NULL, NULL, 0},
};

/* Numbers that are sizes of the caller's memory: no function can check larger numbers. */
static const struct exception lengths[] = {
    {"cudaMemPoolSetAccess", "count", 0},  {"cuLinkCreate", "noptions", 0},
    {"cuLinkAddData", "noptions", 0},      {"cuLinkAddData", "size", 0},
    {"cuModuleLoadDataEx", "noptions", 0}, {"cuLibraryLoadData", "njit", 0},
    {"cuMemPoolSetAccess", "count", 0},    {NULL, NULL, 0},
};

static const struct exception *find(const struct exception *list, const char *call, const char *parameter)
{
	for (; list->call; list++)
		if (strcmp(list->call, call) == 0 && (!list->parameter || strcmp(list->parameter, parameter) == 0))
			return list;
	return NULL;
}

/* --- A call in a process of its own --- */

static int *shared;

/* The test's own handlers would go on with the other tests. */
static void die_of_signals(void)
{
	static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		signal(signals[i], SIG_DFL);
	alarm(SECONDS);
}

static int result_of(const struct call *call, const uint64_t *values)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		die_of_signals();
		*shared = call->run(values);
		_exit(0);
	}
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? *shared : CRASH;
}

static void valid_values(const struct call *call, uint64_t values[MOST_PARAMETERS])
{
	for (int i = 0; i < call->n; i++)
		values[i] = argument_valid(call, i);
}

/* With one value changed. */
static int result_with(const struct call *call, int at, uint64_t value)
{
	uint64_t values[MOST_PARAMETERS];

	valid_values(call, values);
	values[at] = value;
	return result_of(call, values);
}

static unsigned complain(const struct call *call, const char *what, const char *parameter, int result)
{
	if (result == CRASH)
		print_error("%s: %s %s ends the process\n", call->name, what, parameter);
	else
		print_error("%s: %s %s gives %d\n", call->name, what, parameter, result);
	return 1;
}

/* --- Tests --- */

/* Else the other tests would see the errors of something else. */
static void test_valid_arguments_succeed(void **state)
{
	uint64_t values[MOST_PARAMETERS];
	unsigned failures = 0;

	(void)state;
	for (const struct call *c = calls; c < calls + CALLS; c++) {
		const struct exception *e = find(results, c->name, "");
		int result;

		valid_values(c, values);
		result = result_of(c, values);
		if (result != (e ? e->result : 0) && result != cudaErrorNotSupported)
			failures += complain(c, "valid", "arguments", result);
	}
	assert_int_equal(failures, 0);
}

static void test_null_is_an_error(void **state)
{
	unsigned failures = 0;

	(void)state;
	for (const struct call *c = calls; c < calls + CALLS; c++)
		for (int i = 0; i < c->n; i++) {
			const char *name = c->parameters[i].name;
			const struct exception *e = find(nulls, c->name, name);
			int result;

			if (!argument_is_pointer(c, i))
				continue;
			result = result_with(c, i, 0);
			if (result == CRASH ||
			    (result != cudaErrorNotSupported && result != (e ? e->result : cudaErrorInvalidValue)))
				failures += complain(c, "NULL for", name, result);
		}
	assert_int_equal(failures, 0);
}

static void test_wrong_handles_are_errors(void **state)
{
	unsigned failures = 0;
	uint64_t wrong[MOST_WRONG];

	(void)state;
	for (const struct call *c = calls; c < calls + CALLS; c++)
		for (int i = 0; i < c->n; i++) {
			const char *name = c->parameters[i].name;
			size_t n = argument_wrong(c, i, wrong);

			for (size_t k = 0; k < n && (argument_is_handle(c, i) || argument_is_enum(c, i)); k++) {
				int result = result_with(c, i, wrong[k]);

				if (result == CRASH || (!result && !find(unseen, c->name, name)))
					failures += complain(c, "a wrong", name, result);
			}
		}
	assert_int_equal(failures, 0);
}

static void test_no_number_ends_the_process(void **state)
{
	unsigned failures = 0;
	uint64_t wrong[MOST_WRONG];

	(void)state;
	for (const struct call *c = calls; c < calls + CALLS; c++)
		for (int i = 0; i < c->n; i++) {
			const char *name = c->parameters[i].name;
			size_t n = argument_wrong(c, i, wrong);

			if (argument_is_handle(c, i) || argument_is_enum(c, i) || find(lengths, c->name, name))
				continue;
			for (size_t k = 0; k < n; k++)
				if (result_with(c, i, wrong[k]) == CRASH)
					failures += complain(c, "a large or small", name, CRASH);
		}
	assert_int_equal(failures, 0);
}

static int make(void **state)
{
	(void)state;
	shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	arguments_make();
	return shared == MAP_FAILED;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_valid_arguments_succeed),
	    cmocka_unit_test(test_null_is_an_error),
	    cmocka_unit_test(test_wrong_handles_are_errors),
	    cmocka_unit_test(test_no_number_ends_the_process),
	};

	return cmocka_run_group_tests(tests, make, NULL);
}
