/* The helpers behind the engine's tests. */
#include "tests/runtime/cpu/harness.h"

#include "common/file.h"
#include "common/strbuf.h"
#include "settings/settings.h"

#include <stdio.h>
#include <unistd.h>

struct diag harness_diag;
static struct device *device;
static uint64_t random_state = UINT64_C(0x9e3779b97f4a7c15);

void harness_open(void)
{
	struct diag d = DIAG_INIT;
	struct settings settings;

	harness_close();
	settings_read(&settings, NULL);
	device = cpu_device_ops.open(&settings, &d);
	if (!device)
		fail_msg("%s", d.message);
}

void harness_close(void)
{
	if (device)
		cpu_device_ops.close(device);
	device = NULL;
}

void harness_open_with(const char *name, const char *value)
{
	setenv(name, value, 1);
	harness_open();
	unsetenv(name);
}

static FILE *heard;
static int kept_stderr;

void harness_listen(void)
{
	heard = tmpfile();
	fflush(stderr);
	kept_stderr = dup(STDERR_FILENO);
	dup2(fileno(heard), STDERR_FILENO);
}

const char *harness_heard(void)
{
	static char text[1 << 16];
	size_t length;

	fflush(stderr);
	dup2(kept_stderr, STDERR_FILENO);
	close(kept_stderr);
	rewind(heard);
	length = fread(text, 1, sizeof text - 1, heard);
	text[length] = 0;
	fclose(heard);
	return text;
}

int harness_setup(void **state)
{
	(void)state;
	harness_open();
	return 0;
}

int harness_teardown(void **state)
{
	(void)state;
	harness_close();
	return 0;
}

struct device *harness_device(void)
{
	return device;
}

struct device_module *harness_load(const char *ptx)
{
	struct device_module *module = NULL;
	struct strbuf text = STRBUF_INIT;
	struct diag d = DIAG_INIT;

	if (!strstr(ptx, ".version"))
		strbuf_adds(&text, ".version 8.6\n.target sm_100\n.address_size 64\n");
	strbuf_adds(&text, ptx);
	if (cpu_device_ops.load(device, text.data, text.len, "test.ptx", &module, &d) != DEVICE_OK) {
		fprintf(stderr, "%s\n", text.data);
		fail_msg("%s:%u:%u: %s", d.file, d.line, d.column, d.message);
	}
	strbuf_release(&text);
	return module;
}

struct device_module *harness_load_file(const char *name)
{
	struct device_module *module;
	struct diag d = DIAG_INIT;
	struct file_data text;
	char path[512];

	snprintf(path, sizeof path, "%s/%s", ENGINE_TESTS, name);
	if (file_read(path, &text, &d) < 0)
		fail_msg("%s: %s", path, d.message);
	module = harness_load(text.data);
	file_data_release(&text);
	return module;
}

void harness_unload(struct device_module *module)
{
	cpu_device_ops.unload(device, module);
}

void *harness_alloc(size_t bytes, const char *name)
{
	uint64_t address = 0;

	assert_int_equal(cpu_device_ops.alloc(device, bytes, name, &address), DEVICE_OK);
	memset((void *)(uintptr_t)address, 0, bytes);
	return (void *)(uintptr_t)address;
}

void harness_free(void *memory)
{
	assert_int_equal(cpu_device_ops.release(device, DEVICE_POINTER(memory)), DEVICE_OK);
}

enum device_status harness_run(struct device_module *module, const char *kernel, const struct harness_launch *launch,
			       const uint64_t *params, size_t nparams)
{
	struct device_kernel *k = NULL;
	struct launch_params p = {.dynamic_shared = launch->shared,
				  .params = params,
				  .param_bytes = nparams * 8,
				  .cooperative = launch->cooperative};

	for (int i = 0; i < 3; i++) {
		p.grid[i] = launch->grid[i] ? launch->grid[i] : 1;
		p.block[i] = launch->block[i] ? launch->block[i] : 1;
	}
	harness_diag = (struct diag)DIAG_INIT;
	assert_int_equal(cpu_device_ops.kernel(device, module, kernel, &k), DEVICE_OK);
	return cpu_device_ops.launch(device, k, &p, &harness_diag);
}

void harness_run_ok(struct device_module *module, const char *kernel, const struct harness_launch *launch,
		    const uint64_t *params, size_t nparams)
{
	if (harness_run(module, kernel, launch, params, nparams) != DEVICE_OK)
		fail_msg("%s:%u: %s", harness_diag.file, harness_diag.line, harness_diag.message);
}

uint64_t harness_random(void)
{
	uint64_t z = (random_state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

struct harness_traced harness_read_trace(const char *path,
					 void (*each)(void *data, const struct trace_launch *launch,
						      const struct trace_kernel *kernel),
					 void *data)
{
	struct harness_traced traced = {0};
	struct diag d = DIAG_INIT;
	struct trace_reader *r = trace_open(path, &d);
	struct trace_launch launch;

	assert_non_null(r);
	trace_accept_cut(r);
	while (trace_next_launch(r, &launch, &d) > 0) {
		traced.launches++;
		traced.in_force = launch.marks_in_force;
		traced.marks = launch.marks;
		each(data, &launch, trace_kernel_of(r, launch.kernel));
	}
	assert_false(diag_is_set(&d));
	traced.failed = trace_has_failed_launch(r);
	trace_close(r);
	return traced;
}
