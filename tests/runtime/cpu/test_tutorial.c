/*
 * Start here: PTX text becomes a module, device memory is the host's own, a launch runs the kernel, and its results can
 * be read at once. The kernel adds two arrays, c[i] = a[i] + b[i], one element a thread. All goes through
 * cpu_device_ops, the table of functions in runtime/device/device.h that the CUDA API calls; harness.h shortens it.
 */
#include "tests/runtime/cpu/harness.h"

enum { THREADS = 64 };

/* Without .version and .target, which harness_load adds. */
static const char add_arrays[] = ".visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c)\n{\n"
				 ".reg .u64 %a, %b, %c, %offset;\n.reg .u32 %i, %x, %y;\n"
				 "ld.param.u64 %a, [a];\nld.param.u64 %b, [b];\nld.param.u64 %c, [c];\n"
				 "cvta.to.global.u64 %a, %a;\ncvta.to.global.u64 %b, %b;\ncvta.to.global.u64 %c, %c;\n"
				 "mov.u32 %i, %tid.x;\nmul.wide.u32 %offset, %i, 4;\n"
				 "add.u64 %a, %a, %offset;\nadd.u64 %b, %b, %offset;\nadd.u64 %c, %c, %offset;\n"
				 "ld.global.u32 %x, [%a];\nld.global.u32 %y, [%b];\nadd.u32 %x, %x, %y;\n"
				 "st.global.u32 [%c], %x;\nret;\n}\n";

static void test_a_kernel_adds_two_arrays(void **state)
{
	struct device_module *module = harness_load(add_arrays);
	uint32_t *a = harness_alloc(THREADS * 4, "a"), *b = harness_alloc(THREADS * 4, "b");
	uint32_t *c = harness_alloc(THREADS * 4, "c");
	const uint64_t arguments[] = {DEVICE_POINTER(a), DEVICE_POINTER(b), DEVICE_POINTER(c)};
	const struct harness_launch launch = {.grid = {1, 1, 1}, .block = {THREADS, 1, 1}}; /* one CTA, two warps */

	(void)state;
	for (uint32_t i = 0; i < THREADS; i++) {
		a[i] = i;
		b[i] = 1000 * i;
	}
	harness_run_ok(module, "add", &launch, arguments, 3);
	for (uint32_t i = 0; i < THREADS; i++)
		assert_int_equal(c[i], 1001 * i);
	harness_free(a);
	harness_free(b);
	harness_free(c);
	harness_unload(module);
}

/* Memory is checked at each access: what no allocation holds is an error of the launch, as on a GPU. */
static void test_a_wrong_address_ends_the_launch(void **state)
{
	struct device_module *module = harness_load(add_arrays);
	uint32_t *a = harness_alloc(THREADS * 4, "a");
	const uint64_t arguments[] = {DEVICE_POINTER(a), DEVICE_POINTER(a), 0};
	const struct harness_launch launch = {.grid = {1, 1, 1}, .block = {THREADS, 1, 1}};

	(void)state;
	assert_int_equal(harness_run(module, "add", &launch, arguments, 3), DEVICE_ILLEGAL_ADDRESS);
	assert_true(diag_is_set(&harness_diag));
	harness_free(a);
	harness_unload(module);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_a_kernel_adds_two_arrays, harness_setup, harness_teardown),
	    cmocka_unit_test_setup_teardown(test_a_wrong_address_ends_the_launch, harness_setup, harness_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
