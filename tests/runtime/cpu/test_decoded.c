/*
 * The text of a decoded program: ROMARK_DECODED names the file, and decoded.txt says what is in it for decoded.ptx. The
 * instruction set of the host makes no difference.
 */
#include "tests/runtime/cpu/harness.h"

#include "common/file.h"

#include <stdio.h>
#include <unistd.h>

static struct file_data read_test(const char *name)
{
	char path[4096];
	struct file_data data;
	struct diag d = DIAG_INIT;

	snprintf(path, sizeof path, "%s/%s", ENGINE_TESTS, name);
	assert_int_equal(file_read(path, &data, &d), 0);
	return data;
}

/* Asking for its attributes decodes a kernel, as a launch does. */
static void decode(const char *kernel)
{
	struct file_data text = read_test("decoded.ptx");
	struct device_module *module;
	struct device_kernel *k;
	struct kernel_attributes attributes;
	struct diag d = DIAG_INIT;
	struct device *device = harness_device();

	assert_int_equal(cpu_device_ops.load(device, text.data, text.size, "decoded.ptx", &module, &d), DEVICE_OK);
	assert_int_equal(cpu_device_ops.kernel(device, module, kernel, &k), DEVICE_OK);
	for (int i = 0; i < 2; i++)
		cpu_device_ops.attributes(device, k, &attributes);
	harness_unload(module);
	file_data_release(&text);
}

static void test_the_text_names_what_runs(void **state)
{
	char path[] = "/tmp/romark-decoded-XXXXXX";
	struct file_data expected = read_test("decoded.txt"), found;
	struct diag d = DIAG_INIT;

	(void)state;
	close(mkstemp(path));
	harness_open_with("ROMARK_DECODED", path);
	decode("pairs");
	assert_int_equal(file_read(path, &found, &d), 0);
	unlink(path);
	assert_string_equal(found.data, expected.data);
	file_data_release(&found);
	file_data_release(&expected);
	harness_close();
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_text_names_what_runs)};

	setenv("ROMARK_VERIFY", "0", 1); /* the checks of an instruction are in its text, too */

	return cmocka_run_group_tests(tests, NULL, NULL);
}
