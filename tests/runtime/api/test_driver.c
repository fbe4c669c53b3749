/* The driver API: modules from text, functions by name, parameters in both forms, errors by its own names. */
#include "tests/runtime/api/program.h"

#include "runtime/include/cuda.h"

#include <string.h>

static const char text[] = ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry twice()\n{\nret;\n}\n";

static void test_loads_and_launches(void **state)
{
	struct {
		uint64_t data;
		float factor;
		char letter;
	} packed = {0x2000, 1.5f, 'y'};
	size_t size = sizeof packed;
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
			 CU_LAUNCH_PARAM_END};
	CUmodule module;
	CUfunction function;

	(void)state;
	assert_int_equal(cuInit(0), CUDA_SUCCESS);
	assert_int_equal(cuModuleLoadData(&module, text), CUDA_SUCCESS);
	assert_int_equal(cuModuleGetFunction(&function, module, "thrice"), CUDA_ERROR_NOT_FOUND);
	assert_int_equal(cuModuleGetFunction(&function, module, "twice"), CUDA_SUCCESS);
	assert_int_equal(cuLaunchKernel(function, 6, 1, 1, 32, 1, 1, 0, NULL, scale_arguments(), NULL), CUDA_SUCCESS);
	assert_int_equal(mock.last.grid[0], 6);
	assert_int_equal(mock.params[12], 'x');
	assert_int_equal(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, extra), CUDA_SUCCESS);
	assert_int_equal(mock.params[12], 'y');
	size = 12; /* all but the letter */
	assert_int_equal(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, extra), CUDA_ERROR_INVALID_VALUE);
	assert_int_equal(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
	assert_int_equal(cuModuleUnload(module), CUDA_SUCCESS);
	assert_int_equal(mock.unloads, 1);
	assert_int_equal(cuModuleLoadData(&module, "syntax error"), CUDA_ERROR_NO_BINARY_FOR_GPU);
	assert_int_equal(cuModuleLoad(&module, "/nonexistent.ptx"), CUDA_ERROR_FILE_NOT_FOUND);
}

static void test_old_launches_work(void **state)
{
	CUmodule module;
	CUfunction function;

	(void)state;
	assert_int_equal(cuModuleLoadData(&module, text), CUDA_SUCCESS);
	assert_int_equal(cuModuleGetFunction(&function, module, "twice"), CUDA_SUCCESS);
	assert_int_equal(cuFuncSetBlockShape(function, 16, 2, 1), CUDA_SUCCESS);
	assert_int_equal(cuParamSetSize(function, 16), CUDA_SUCCESS);
	assert_int_equal(cuParamSeti(function, 8, 77), CUDA_SUCCESS);
	assert_int_equal(cuParamSeti(function, 4095, 1), CUDA_ERROR_INVALID_VALUE);
	assert_int_equal(cuLaunchGrid(function, 3, 2), CUDA_SUCCESS);
	assert_int_equal(mock.last.grid[1], 2);
	assert_int_equal(mock.last.block[0], 16);
	assert_int_equal(mock.params[8], 77);
	assert_int_equal(cuModuleUnload(module), CUDA_SUCCESS);
}

/* Two texts that need each other become a module; errors go to the caller's log. */
static void test_texts_are_linked(void **state)
{
	static char uses[] = ".version 7.0\n.target sm_75\n.address_size 64\n.extern .func f();\n"
			     ".visible .entry twice()\n{\ncall f;\nret;\n}\n";
	static char defines[] = ".version 7.0\n.target sm_75\n.address_size 64\n.visible .func f()\n{\nret;\n}\n";
	char log[256] = "";
	CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
	void *values[] = {log, (void *)sizeof log}, *image = NULL;
	CUlinkState link;
	CUmodule module;
	CUfunction function;
	size_t size = 0;

	(void)state;
	assert_int_equal(cuLinkCreate(2, options, values, &link), CUDA_SUCCESS);
	assert_int_equal(cuLinkComplete(link, &image, &size), CUDA_ERROR_INVALID_VALUE);
	assert_int_equal(cuLinkAddData(link, CU_JIT_INPUT_PTX, uses, sizeof uses, "uses", 0, NULL, NULL), CUDA_SUCCESS);
	assert_int_equal(cuLinkComplete(link, &image, &size), CUDA_ERROR_INVALID_IMAGE);
	assert_string_equal(
	    log, "uses: function 'f' is used here and defined nowhere; link the object or library that has it");
	assert_int_equal(cuLinkDestroy(link), CUDA_SUCCESS);
	assert_int_equal(cuLinkCreate(2, options, values, &link), CUDA_SUCCESS);
	assert_int_equal(cuLinkAddData(link, CU_JIT_INPUT_PTX, "x", 1, "broken", 0, NULL, NULL),
			 CUDA_ERROR_INVALID_PTX);
	assert_int_equal(cuLinkAddData(link, CU_JIT_INPUT_PTX, uses, sizeof uses, "uses", 0, NULL, NULL), CUDA_SUCCESS);
	assert_int_equal(cuLinkAddData(link, CU_JIT_INPUT_PTX, defines, sizeof defines, NULL, 0, NULL, NULL),
			 CUDA_SUCCESS);
	assert_int_equal(cuLinkComplete(link, &image, &size), CUDA_SUCCESS);
	assert_int_equal(size, strlen(image) + 1);
	assert_int_equal(cuModuleLoadData(&module, image), CUDA_SUCCESS);
	assert_int_equal(cuModuleGetFunction(&function, module, "twice"), CUDA_SUCCESS);
	assert_int_equal(cuLinkDestroy(link), CUDA_SUCCESS);
	assert_int_equal(cuModuleUnload(module), CUDA_SUCCESS);
	assert_int_equal(cuLinkAddFile(NULL, CU_JIT_INPUT_PTX, "/nonexistent.ptx", 0, NULL, NULL),
			 CUDA_ERROR_FILE_NOT_FOUND);
}

static void test_memory_by_address(void **state)
{
	CUdeviceptr address, base;
	unsigned char back[8] = {0};
	unsigned kind;
	size_t size;

	(void)state;
	assert_int_equal(cuMemAlloc(&address, 100), CUDA_SUCCESS);
	assert_int_equal(cuMemsetD8(address, 0x11, 8), CUDA_SUCCESS);
	assert_int_equal(cuMemsetD16(address + 2, 0x2233, 1), CUDA_SUCCESS);
	assert_int_equal(cuMemcpyDtoH(back, address, sizeof back), CUDA_SUCCESS);
	assert_memory_equal(back, "\x11\x11\x33\x22\x11\x11\x11\x11", 8);
	assert_int_equal(cuMemGetAddressRange(&base, &size, address + 50), CUDA_SUCCESS);
	assert_int_equal(base, address);
	assert_int_equal(size, 100);
	assert_int_equal(cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address), CUDA_SUCCESS);
	assert_int_equal(kind, CU_MEMORYTYPE_DEVICE);
	assert_int_equal(cuMemFree(address), CUDA_SUCCESS);
	assert_int_equal(cuMemFree(address), CUDA_ERROR_INVALID_VALUE);
	assert_int_equal(cuMemAlloc(&address, 0), CUDA_ERROR_INVALID_VALUE);
}

static void test_contexts_stack(void **state)
{
	CUcontext context, current;
	CUdevice device;

	(void)state;
	assert_int_equal(cuCtxSetCurrent(NULL), CUDA_SUCCESS);
	assert_int_equal(cuCtxGetDevice(&device), CUDA_ERROR_INVALID_CONTEXT);
	assert_int_equal(cuCtxCreate(&context, 0, 0), CUDA_SUCCESS);
	assert_int_equal(cuCtxGetCurrent(&current), CUDA_SUCCESS);
	assert_ptr_equal(current, context);
	assert_int_equal(cuCtxPopCurrent(&current), CUDA_SUCCESS);
	assert_int_equal(cuCtxPopCurrent(&current), CUDA_ERROR_INVALID_CONTEXT);
	assert_int_equal(cuDeviceGet(&device, 1), CUDA_ERROR_INVALID_DEVICE);
}

static void test_errors_have_the_drivers_names(void **state)
{
	const char *name;

	(void)state;
	assert_int_equal(cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &name), CUDA_SUCCESS);
	assert_string_equal(name, "CUDA_ERROR_ILLEGAL_ADDRESS");
	assert_int_equal(cuGetErrorName((CUresult)12345, &name), CUDA_ERROR_INVALID_VALUE);
	assert_null(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_loads_and_launches, program_setup),
	    cmocka_unit_test_setup(test_old_launches_work, program_setup),
	    cmocka_unit_test_setup(test_texts_are_linked, program_setup),
	    cmocka_unit_test_setup(test_memory_by_address, program_setup),
	    cmocka_unit_test_setup(test_contexts_stack, program_setup),
	    cmocka_unit_test_setup(test_errors_have_the_drivers_names, program_setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
