/*
 * The hand-written declarations of the driver against a toolkit's cuda.h: types and numbers when this compiles,
 * exported names when it runs.
 */
#include <cuda.h>

#include "runtime/gpu/libcuda.h"
#include "tests/runtime/gpu/layouts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <dlfcn.h>

/* With cuda.h first, the pointers in struct libcuda are made of NVIDIA's types. */
#define X(name, parameters)                                                                                            \
	_Static_assert(__builtin_types_compatible_p(__typeof__(((struct libcuda *)0)->name), __typeof__(&name)),       \
		       #name " has another type");
LIBCUDA_FUNCTIONS(X)
LIBCUDA_LATER_FUNCTIONS(X)
#undef X

#define X(name, value) _Static_assert((name) == (value), #name " is another number");
LIBCUDA_NUMBERS(X)
#undef X

/* Declarations of libcuda.h for machines without cuda.h. */
_Static_assert(sizeof(CUresult) == sizeof(int) && sizeof(CUjit_option) == sizeof(int) &&
		   sizeof(CUdevice_attribute) == sizeof(int) && sizeof(CUfunction_attribute) == sizeof(int) &&
		   sizeof(CUlimit) == sizeof(int),
	       "an enumeration is no int");
_Static_assert(__builtin_types_compatible_p(CUdevice, int) &&
		   __builtin_types_compatible_p(CUdeviceptr, unsigned long long) &&
		   __builtin_types_compatible_p(CUcontext, struct CUctx_st *) &&
		   __builtin_types_compatible_p(CUmodule, struct CUmod_st *) &&
		   __builtin_types_compatible_p(CUfunction, struct CUfunc_st *) &&
		   __builtin_types_compatible_p(CUstream, struct CUstream_st *) &&
		   __builtin_types_compatible_p(CUevent, struct CUevent_st *),
	       "a handle is another type");

static void test_names_are_exported(void **state)
{
	void *stub = dlopen(TOOLKIT_STUB, RTLD_LAZY | RTLD_LOCAL);

	(void)state;
	if (!stub)
		skip();
#define X(name, parameters)                                                                                            \
	if (!dlsym(stub, #name))                                                                                       \
		fail_msg("the driver does not export %s", #name);
	LIBCUDA_FUNCTIONS(X)
#undef X
}

static void test_structures_have_the_same_layout(void **state)
{
	(void)state;
	assert_int_equal(own_layouts_count, toolkit_layouts_count);
	for (size_t i = 0; i < own_layouts_count; i++)
		if (own_layouts[i] != toolkit_layouts[i])
			fail_msg("number %zu of layouts.c is %zu, not %zu", i, own_layouts[i], toolkit_layouts[i]);
}

/* A program that finds the stub instead of a driver gets a message. */
static void test_the_stub_is_no_driver(void **state)
{
	struct diag d = DIAG_INIT;
	struct libcuda lib;

	(void)state;
	if (libcuda_open(&lib, TOOLKIT_STUB, &d) < 0)
		skip();
	assert_int_not_equal(lib.cuInit(0), CUDA_SUCCESS);
	libcuda_close(&lib);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_names_are_exported),
	    cmocka_unit_test(test_structures_have_the_same_layout),
	    cmocka_unit_test(test_the_stub_is_no_driver),
	};

	return cmocka_run_group_tests_name("toolkit", tests, NULL, NULL);
}
