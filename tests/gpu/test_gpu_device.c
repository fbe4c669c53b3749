/* The GPU device against a mock driver: what is loaded, which version a launch picks, and memory bookkeeping. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "runtime/cuda/gpu_device.h"
#include "tests/gpu/mock_libcuda.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static const char copy_ptx[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
			       ".visible .entry copy(.param .u64 a, .param .u64 b)\n{\n"
			       "\t.reg .b32 %r<2>;\n\t.reg .b64 %rd<5>;\n"
			       "\tld.param.u64 %rd1, [a];\n\tld.param.u64 %rd2, [b];\n"
			       "\tcvta.to.global.u64 %rd3, %rd1;\n\tcvta.to.global.u64 %rd4, %rd2;\n"
			       "\tld.global.u32 %r1, [%rd3];\n\tst.global.u32 [%rd4], %r1;\n\tret;\n}\n";

static const struct device_ops *const ops = &gpu_device_ops;

struct fixture {
	struct device *dev;
	struct device_module *module;
	struct device_kernel *kernel;
	uint64_t a, b;
	const char *(*last_launched)(void);
	uint64_t (*first_param)(void);
	const char *(*last_module)(void);
};

static void find_mock(struct fixture *f)
{
	void *handle = dlopen(getenv("ROMARK_LIBCUDA"), RTLD_NOW);
	void *found[3];

	assert_non_null(handle);
	found[0] = dlsym(handle, "mock_last_launched");
	found[1] = dlsym(handle, "mock_first_param");
	found[2] = dlsym(handle, "mock_last_module");
	memcpy(&f->last_launched, &found[0], sizeof(void *));
	memcpy(&f->first_param, &found[1], sizeof(void *));
	memcpy(&f->last_module, &found[2], sizeof(void *));
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);
	struct diag d = DIAG_INIT;

	f->dev = ops->open(&d);
	assert_non_null(f->dev);
	find_mock(f);
	assert_int_equal(ops->load(f->dev, copy_ptx, strlen(copy_ptx), "copy.ptx", &f->module, &d), DEVICE_OK);
	assert_int_equal(ops->kernel(f->dev, f->module, "copy", &f->kernel), DEVICE_OK);
	assert_int_equal(ops->alloc(f->dev, 256, "a", &f->a), DEVICE_OK);
	assert_int_equal(ops->alloc(f->dev, 256, "b", &f->b), DEVICE_OK);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	ops->release(f->dev, f->a);
	ops->release(f->dev, f->b);
	ops->close(f->dev);
	free(f);
	return 0;
}

static enum device_status launch(struct fixture *f, uint64_t a, uint64_t b)
{
	uint64_t params[2] = {a, b};
	struct launch_params p = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .params = params, .param_bytes = sizeof params};
	struct diag d = DIAG_INIT;

	return ops->launch(f->dev, f->kernel, &p, &d);
}

static void test_both_versions_are_loaded(void **state)
{
	struct fixture *f = *state;
	const char *text = f->last_module(), *plain = strstr(text, "copy$plain(");
	const char *marked = strstr(text, "ld.global.nc.u32"), *unmarked = strstr(text, "ld.global.u32");

	assert_non_null(strstr(text, ".entry copy("));
	assert_non_null(plain);
	assert_non_null(marked);
	assert_non_null(unmarked);
	assert_null(strstr(marked + 1, "ld.global.nc.u32"));
}

static void test_a_launch_picks_by_its_guards(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(launch(f, f->a, f->b), DEVICE_OK);
	assert_string_equal(f->last_launched(), "copy");
	assert_int_equal(f->first_param(), f->a);
	assert_int_equal(launch(f, f->a, f->a + 128), DEVICE_OK);
	assert_string_equal(f->last_launched(), "copy$plain");
	assert_int_equal(launch(f, f->b, f->a), DEVICE_OK);
	assert_string_equal(f->last_launched(), "copy");
}

static void test_an_unknown_pointer_runs_unmarked(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(launch(f, 0x10, f->b), DEVICE_OK);
	assert_string_equal(f->last_launched(), "copy$plain");
}

static void test_memory(void **state)
{
	struct fixture *f = *state;
	uint32_t word = 0x01020304, back[4] = {0};
	uint64_t base;
	size_t size;

	assert_int_equal(ops->fill(f->dev, f->a, &word, 4, 4), DEVICE_OK);
	assert_int_equal(ops->copy(f->dev, (uintptr_t)back, f->a, sizeof back), DEVICE_OK);
	assert_int_equal(back[3], word);
	assert_true(ops->find(f->dev, f->a + 255, &base, &size));
	assert_int_equal(base, f->a);
	assert_int_equal(size, 256);
	assert_int_equal(ops->release(f->dev, f->a + 1), DEVICE_NOT_FOUND);
	assert_int_equal(ops->release(f->dev, f->a), DEVICE_OK);
	assert_false(ops->find(f->dev, f->a, &base, &size));
	assert_int_equal(ops->alloc(f->dev, (size_t)1 << 40, "huge", &base), DEVICE_OUT_OF_MEMORY);
}

static void test_bad_ptx_is_refused(void **state)
{
	struct fixture *f = *state;
	struct device_module *module;
	struct diag d = DIAG_INIT;

	assert_int_equal(ops->load(f->dev, "nonsense", 8, "x.ptx", &module, &d), DEVICE_BAD_PTX);
	assert_true(diag_is_set(&d));
}

static void test_no_driver_is_a_clear_error(void **state)
{
	char *saved = strdup(getenv("ROMARK_LIBCUDA"));
	struct diag d = DIAG_INIT;

	(void)state;
	setenv("ROMARK_LIBCUDA", "/nonexistent/libcuda.so.1", 1);
	assert_null(ops->open(&d));
	assert_non_null(strstr(d.message, "--device=cpu"));
	setenv("ROMARK_LIBCUDA", saved, 1);
	free(saved);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_both_versions_are_loaded, setup, teardown),
		cmocka_unit_test_setup_teardown(test_a_launch_picks_by_its_guards, setup, teardown),
		cmocka_unit_test_setup_teardown(test_an_unknown_pointer_runs_unmarked, setup, teardown),
		cmocka_unit_test_setup_teardown(test_memory, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bad_ptx_is_refused, setup, teardown),
		cmocka_unit_test(test_no_driver_is_a_clear_error),
	};

	setenv("ROMARK_QUIET", "1", 1);
	return cmocka_run_group_tests_name("gpu device", tests, NULL, NULL);
}
