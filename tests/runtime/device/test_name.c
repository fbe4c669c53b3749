/* Names of devices: valid names, and the message for others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "runtime/device/name.h"

#include <limits.h>

static void expect(const char *text, enum device_kind kind, int number)
{
	struct device_name name;
	struct diag d = DIAG_INIT;

	assert_int_equal(device_name_parse(text, "--device", &name, &d), 0);
	assert_int_equal(name.kind, kind);
	assert_int_equal(name.number, number);
}

static void test_names(void **state)
{
	(void)state;
	expect("cpu", DEVICE_CPU, 0);
	expect("cuda", DEVICE_CUDA, 0);
	expect("cuda:0", DEVICE_CUDA, 0);
	expect("cuda:12", DEVICE_CUDA, 12);
	expect("cuda:99999999999999999999", DEVICE_CUDA, INT_MAX);
}

static void test_others(void **state)
{
	static const char *const texts[] = {"", "cp", "cpus", "cpu:0", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "CUDA"};
	struct device_name name;

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct diag d = DIAG_INIT;

		if (device_name_parse(texts[i], "--device", &name, &d) != DIAG_ERROR)
			fail_msg("'%s' is taken for a device", texts[i]);
	}
}

static void test_message(void **state)
{
	struct diag d = DIAG_INIT;
	struct device_name name;

	(void)state;
	assert_int_equal(device_name_parse("gpu", "ROMARK_DEVICE", &name, &d), DIAG_ERROR);
	assert_string_equal(d.message, "ROMARK_DEVICE=gpu: no such device; there are cpu, cuda and cuda:N");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_names),
	    cmocka_unit_test(test_others),
	    cmocka_unit_test(test_message),
	};

	return cmocka_run_group_tests_name("name", tests, NULL, NULL);
}
