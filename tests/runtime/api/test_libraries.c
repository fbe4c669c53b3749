/* Libraries and kernels by handle, on the CPU device: what is in them, and that the kernels run. */
#include "tests/runtime/api/program.h"

#include "runtime/include/cuda.h"

#include <string.h>

static const char text[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
			   ".visible .global .align 4 .u32 table[4] = {1, 2, 3, 4};\n"
			   ".visible .entry first(.param .u64 to, .param .u32 value)\n{\n.reg .u64 %p;\n.reg .u32 %v;\n"
			   "ld.param.u64 %p, [to];\nld.param.u32 %v, [value];\nst.global.u32 [%p], %v;\nret;\n}\n"
			   ".visible .entry second()\n{\nret;\n}\n";

static cudaLibrary_t load(void)
{
	cudaLibrary_t library;

	assert_int_equal(cudaLibraryLoadData(&library, text, NULL, NULL, 0, NULL, NULL, 0), cudaSuccess);
	return library;
}

static void test_kernels_are_listed_and_run(void **state)
{
	cudaLibrary_t library = load();
	cudaKernel_t kernels[2], found;
	unsigned count, value = 42, back = 0;
	size_t offset, size;
	const char *name;
	void *to, *arguments[] = {&to, &value};

	(void)state;
	assert_int_equal(cudaLibraryGetKernelCount(&count, library), cudaSuccess);
	assert_int_equal(count, 2);
	assert_int_equal(cudaLibraryEnumerateKernels(kernels, 2, library), cudaSuccess);
	assert_int_equal(cudaFuncGetName(&name, kernels[1]), cudaSuccess);
	assert_string_equal(name, "second");
	assert_int_equal(cudaLibraryGetKernel(&found, library, "first"), cudaSuccess);
	assert_ptr_equal(found, kernels[0]);
	assert_int_equal(cudaLibraryGetKernel(&found, library, "third"), cudaErrorSymbolNotFound);
	assert_int_equal(cudaFuncGetParamInfo(kernels[0], 1, &offset, &size), cudaSuccess);
	assert_int_equal(offset, 8);
	assert_int_equal(size, 4);
	assert_int_equal(cudaFuncGetParamInfo(kernels[0], 2, &offset, &size), cudaErrorInvalidValue);
	assert_int_equal(cudaMalloc(&to, 4), cudaSuccess);
	assert_int_equal(cudaLaunchKernel(kernels[0], (dim3){1, 1, 1}, (dim3){1, 1, 1}, arguments, 0, NULL),
			 cudaSuccess);
	assert_int_equal(cudaMemcpy(&back, to, 4, cudaMemcpyDeviceToHost), cudaSuccess);
	assert_int_equal(back, 42);
	assert_int_equal(cudaFree(to), cudaSuccess);
	assert_int_equal(cudaLibraryUnload(library), cudaSuccess);
	assert_int_equal(cudaLibraryUnload(library), cudaErrorInvalidResourceHandle);
	assert_int_equal(cudaFuncGetName(&name, kernels[0]), cudaErrorInvalidDeviceFunction);
}

static void test_variables_are_found(void **state)
{
	cudaLibrary_t library = load();
	unsigned values[4] = {0};
	size_t size = 0;
	void *address;

	(void)state;
	assert_int_equal(cudaLibraryGetGlobal(&address, &size, library, "table"), cudaSuccess);
	assert_int_equal(size, sizeof values);
	assert_int_equal(cudaMemcpy(values, address, size, cudaMemcpyDeviceToHost), cudaSuccess);
	assert_int_equal(values[3], 4);
	assert_int_equal(cudaLibraryGetGlobal(&address, &size, library, "none"), cudaErrorSymbolNotFound);
	assert_int_equal(cudaLibraryUnload(library), cudaSuccess);
}

static void test_modules_say_the_same(void **state)
{
	CUfunctionLoadingState loading;
	CUfunction functions[3];
	unsigned count = 0;
	CUmodule module;

	(void)state;
	assert_int_equal(cuModuleLoadData(&module, text), CUDA_SUCCESS);
	assert_int_equal(cuModuleGetFunctionCount(&count, module), CUDA_SUCCESS);
	assert_int_equal(count, 2);
	assert_int_equal(cuModuleEnumerateFunctions(functions, count, module), CUDA_SUCCESS);
	assert_int_equal(cuFuncLoad(functions[1]), CUDA_SUCCESS);
	assert_int_equal(cuFuncIsLoaded(&loading, functions[1]), CUDA_SUCCESS);
	assert_int_equal(loading, CU_FUNCTION_LOADING_STATE_LOADED);
	assert_int_equal(cuModuleUnload(module), CUDA_SUCCESS);
	assert_int_equal(cuFuncLoad(functions[1]), CUDA_ERROR_INVALID_HANDLE);
}

/* A cluster is one block here. */
static void test_clusters_are_blocks(void **state)
{
	cudaLaunchAttribute pair = {.id = cudaLaunchAttributeClusterDimension, .val.clusterDim = {2, 1, 1}};
	cudaLaunchConfig_t launch = {.gridDim = {8, 1, 1}, .blockDim = {256, 1, 1}};
	cudaLibrary_t library = load();
	int blocks, clusters, multiprocessors;
	cudaKernel_t kernel;

	(void)state;
	assert_int_equal(cudaLibraryGetKernel(&kernel, library, "second"), cudaSuccess);
	assert_int_equal(cudaOccupancyMaxPotentialClusterSize(&blocks, kernel, &launch), cudaSuccess);
	assert_int_equal(blocks, 1);
	assert_int_equal(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 256, 0), cudaSuccess);
	assert_int_equal(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
	assert_int_equal(cudaOccupancyMaxActiveClusters(&clusters, kernel, &launch), cudaSuccess);
	assert_int_equal(clusters, blocks * multiprocessors);
	launch.attrs = &pair;
	launch.numAttrs = 1;
	assert_int_equal(cudaOccupancyMaxActiveClusters(&clusters, kernel, &launch), cudaErrorInvalidClusterSize);
	assert_int_equal(cudaLibraryUnload(library), cudaSuccess);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_kernels_are_listed_and_run),
	    cmocka_unit_test(test_variables_are_found),
	    cmocka_unit_test(test_modules_say_the_same),
	    cmocka_unit_test(test_clusters_are_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
