/* For the engine's tests: one CPU device, PTX text in, buffers of device memory in and out. */
#ifndef ROMARK_TEST_ENGINE_HARNESS_H
#define ROMARK_TEST_ENGINE_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/cpu/cpu.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

/* Opens the device with the present environment, after closing an older device. */
void harness_open(void);
void harness_close(void);
/* Opens it with one variable of the environment set. */
void harness_open_with(const char *name, const char *value);
/* For cmocka, in tests that need no more than the device. */
int harness_setup(void **state);
int harness_teardown(void **state);
struct device *harness_device(void);

/* Loads PTX text; fails the test when that does not work. The header (.version ..) is added when it is missing. */
struct device_module *harness_load(const char *ptx);
/* The same of a .ptx file beside the tests. */
struct device_module *harness_load_file(const char *name);
void harness_unload(struct device_module *module);
/* Device memory, zeroed. */
void *harness_alloc(size_t bytes, const char *name);
void harness_free(void *memory);

struct harness_launch {
	uint32_t grid[3], block[3], shared;
	bool cooperative;
};
/* Launches a kernel whose parameters are `nparams` 64-bit values. The diagnostic of a failure is in harness_diag. */
enum device_status harness_run(struct device_module *module, const char *kernel, const struct harness_launch *launch,
			       const uint64_t *params, size_t nparams);
extern struct diag harness_diag;

/* Fails the test with the diagnostic unless the launch succeeded. */
void harness_run_ok(struct device_module *module, const char *kernel, const struct harness_launch *launch,
		    const uint64_t *params, size_t nparams);

/* Puts aside what is said on stderr from now on, until the second gives it back. */
void harness_listen(void);
const char *harness_heard(void);

/* The launches of a trace file, which may be cut, and the marks of the last one. */
struct harness_traced {
	unsigned launches;
	bool in_force, failed;
	uint8_t marks;
};
/* `each`: called for each launch. */
struct harness_traced harness_read_trace(const char *path,
					 void (*each)(void *data, const struct trace_launch *launch,
						      const struct trace_kernel *kernel),
					 void *data);

/* 64-bit pseudo-random numbers, the same in every run. */
uint64_t harness_random(void);

#define DEVICE_POINTER(p) ((uint64_t)(uintptr_t)(p))

#endif
