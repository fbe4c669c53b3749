/* The GPU device against the mock driver: what is loaded, which version a launch picks, memory, failures, times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "common/file.h"
#include "runtime/gpu/gpu.h"
#include "runtime/gpu/gpu_device.h"
#include "tests/runtime/gpu/mock_libcuda.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define HEADER ".version 8.0\n.target sm_75\n.address_size 64\n"

/* Adds 0 to a pointer, which byte ranges do not see: guards by allocations are meant here. */
#define SOMEWHERE(pointer)                                                                                             \
	"mov.u32 %r2, %clock; sub.u32 %r2, %r2, %r2; cvt.s64.s32 %rd7, %r2; add.u64 " pointer ", " pointer ", %rd7;\n"

/* copy: *b = *a; pass: the same, seen. */
static const char copy_ptx[] = HEADER
    ".visible .entry copy(.param .u64 a, .param .u64 b)\n{\n"
    ".reg .b32 %r<3>; .reg .b64 %rd<8>;\n"
    "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b];\n"
    "cvta.to.global.u64 %rd3, %rd1; cvta.to.global.u64 %rd4, %rd2;\n" SOMEWHERE(
	"%rd4") "ld.global.u32 %r1, [%rd3]; st.global.u32 [%rd4], %r1; ret;\n}\n"
		".visible .entry pass(.param .u64 a, .param .u64 b)\n{\n"
		".reg .b32 %r<3>; .reg .b64 %rd<5>;\n"
		"ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b];\n"
		"cvta.to.global.u64 %rd3, %rd1; cvta.to.global.u64 %rd4, %rd2;\n"
		"ld.global.u32 %r1, [%rd3]; st.global.u32 [%rd4], %r1; ret;\n}\n"
		/* gather: *out = *table[0]; poke: table[0] = p. */
		".visible .entry gather(.param .u64 table, .param .u64 out)\n{\n"
		".reg .b32 %r<3>; .reg .b64 %rd<8>;\n"
		"ld.param.u64 %rd1, [table]; ld.param.u64 %rd2, [out];\n"
		"cvta.to.global.u64 %rd3, %rd1; cvta.to.global.u64 %rd4, %rd2;\n" SOMEWHERE(
		    "%rd4") "ld.global.u64 %rd5, [%rd3]; cvta.to.global.u64 %rd6, %rd5;\n"
			    "ld.global.u32 %r1, [%rd6]; st.global.u32 [%rd4], %r1; ret;\n}\n"
			    ".visible .entry poke(.param .u64 table, .param .u64 p)\n{\n"
			    ".reg .b64 %rd<5>;\n"
			    "ld.param.u64 %rd1, [table]; ld.param.u64 %rd2, [p]; cvta.to.global.u64 %rd3, %rd1;\n"
			    "st.global.u64 [%rd3], %rd2; ret;\n}\n"
			    /* listen: waits for *flag, then *out = *data. */
			    ".visible .entry listen(.param .u64 flag, .param .u64 data, .param .u64 out)\n{\n"
			    ".reg .b32 %r<4>; .reg .b64 %rd<8>; .reg .pred %p<2>;\n"
			    "ld.param.u64 %rd1, [flag]; ld.param.u64 %rd2, [data]; ld.param.u64 %rd3, [out];\n"
			    "cvta.to.global.u64 %rd4, %rd1; cvta.to.global.u64 %rd5, %rd2; cvta.to.global.u64 %rd6, %rd3;\n"
			    "again: ld.acquire.sys.global.u32 %r1, [%rd4]; setp.eq.u32 %p1, %r1, 0; @%p1 bra again;\n"
			    "ld.global.u32 %r2, [%rd5]; st.global.u32 [%rd6], %r2; ret;\n}\n"
			    /* lookup: *out = lut[0]. */
			    ".visible .global .align 4 .b32 lut[4] = {11, 12, 13, 14};\n"
			    ".visible .entry lookup(.param .u64 out)\n{\n"
			    ".reg .b32 %r<3>; .reg .b64 %rd<4>;\n"
			    "ld.param.u64 %rd1, [out]; cvta.to.global.u64 %rd2, %rd1;\n"
			    "ld.global.u32 %r1, [lut]; st.global.u32 [%rd2], %r1; ret;\n}\n";

static const struct device_ops *const ops = &gpu_device_ops;

/* With the environment as it is now. */
static struct device *open_device(struct diag *d)
{
	struct settings settings;

	settings_read(&settings, NULL);
	return ops->open(&settings, d);
}

struct fixture {
	struct device *dev;
	struct device_module *module;
	uint64_t a, b;
};

/* --- The mock's own functions --- */

static struct {
	const char *(*last_launched)(void);
	const char *(*last_module)(void);
	size_t (*bytes_to_host)(void);
	size_t (*limit)(int which);
	int (*opened_device)(void);
	void (*restart)(void);
	CUresult (*get)(CUcontext *context);
	CUresult (*set)(CUcontext context);
	CUresult (*retain)(CUcontext *context, CUdevice device);
} mock;

static void find_in_mock(void *handle, const char *name, void *function)
{
	void *found = dlsym(handle, name);

	assert_non_null(found);
	memcpy(function, &found, sizeof found);
}

static int find_mock(void **state)
{
	void *handle = dlopen(getenv("ROMARK_LIBCUDA"), RTLD_NOW);

	(void)state;
	assert_non_null(handle);
	find_in_mock(handle, "mock_last_launched", &mock.last_launched);
	find_in_mock(handle, "mock_last_module", &mock.last_module);
	find_in_mock(handle, "mock_bytes_to_host", &mock.bytes_to_host);
	find_in_mock(handle, "mock_limit", &mock.limit);
	find_in_mock(handle, "mock_opened_device", &mock.opened_device);
	find_in_mock(handle, "mock_restart", &mock.restart);
	find_in_mock(handle, "cuCtxGetCurrent", &mock.get);
	find_in_mock(handle, "cuCtxSetCurrent", &mock.set);
	find_in_mock(handle, "cuDevicePrimaryCtxRetain", &mock.retain);
	return 0;
}

/* --- Set-up --- */

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);
	struct diag d = DIAG_INIT;

	mock.restart();
	f->dev = open_device(&d);
	assert_non_null(f->dev);
	assert_int_equal(ops->load(f->dev, copy_ptx, strlen(copy_ptx), "copy.ptx", &f->module, &d), DEVICE_OK);
	assert_int_equal(ops->alloc(f->dev, 256, "a", &f->a), DEVICE_OK);
	assert_int_equal(ops->alloc(f->dev, 256, "b", &f->b), DEVICE_OK);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	ops->close(f->dev);
	free(f);
	return 0;
}

static enum device_status launch(struct fixture *f, const char *name, uint64_t p0, uint64_t p1, uint64_t p2)
{
	const uint64_t params[3] = {p0, p1, p2};
	struct launch_params p = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .params = params};
	struct device_kernel *kernel;
	struct kernel_attributes attributes;
	struct diag d = DIAG_INIT;

	assert_int_equal(ops->kernel(f->dev, f->module, name, &kernel), DEVICE_OK);
	ops->attributes(f->dev, kernel, &attributes);
	p.param_bytes = attributes.param_bytes;
	return ops->launch(f->dev, kernel, &p, &d);
}

/* The launch works, and it is this version that ran. */
static void expect(struct fixture *f, const char *version, const char *name, uint64_t p0, uint64_t p1, uint64_t p2)
{
	assert_int_equal(launch(f, name, p0, p1, p2), DEVICE_OK);
	assert_string_equal(mock.last_launched(), version);
}

static void put(struct fixture *f, uint64_t at, uint64_t value)
{
	assert_int_equal(ops->copy(f->dev, at, (uintptr_t)&value, sizeof value), DEVICE_OK);
}

static uint32_t get(struct fixture *f, uint64_t at)
{
	uint32_t value = 0;

	assert_int_equal(ops->copy(f->dev, (uintptr_t)&value, at, sizeof value), DEVICE_OK);
	return value;
}

/* --- Which version runs --- */

static void test_both_versions_are_loaded(void **state)
{
	const char *text = mock.last_module(), *plain = strstr(text, "copy$plain(");

	(void)state;
	assert_non_null(strstr(text, ".entry copy("));
	assert_non_null(plain);
	assert_non_null(strstr(text, "ld.global.nc.u32"));
	assert_non_null(strstr(text, "ld.global.u32"));
}

static void test_a_launch_picks_by_its_guards(void **state)
{
	struct fixture *f = *state;

	put(f, f->a, 42);
	expect(f, "copy", "copy", f->a, f->b, 0);
	assert_int_equal(get(f, f->b), 42);
	expect(f, "copy$plain", "copy", f->a, f->a + 128, 0);
	assert_int_equal(get(f, f->a + 128), 42);
	expect(f, "copy", "copy", f->b, f->a, 0);
}

/* Parts of one allocation, by the bytes that are accessed. */
static void test_a_launch_picks_by_byte_ranges(void **state)
{
	struct fixture *f = *state;

	put(f, f->a, 43);
	expect(f, "pass", "pass", f->a, f->a + 4, 0);
	assert_int_equal(get(f, f->a + 4), 43);
	expect(f, "pass$plain", "pass", f->a, f->a + 3, 0);
	expect(f, "pass$plain", "pass", f->a, f->a, 0);
	expect(f, "pass$plain", "pass", 0x10, f->a, 0);
}

static void test_an_unknown_pointer_runs_unmarked(void **state)
{
	struct fixture *f = *state;

	expect(f, "copy$plain", "copy", 0x10, f->b, 0);
	expect(f, "copy$plain", "copy", f->a, 0x10, 0);
}

/* A pointer to an allocation's end belongs to that allocation, even where the next allocation could begin there. */
static void test_the_end_of_an_allocation_belongs_to_it(void **state)
{
	struct fixture *f = *state;
	uint64_t page, next;

	assert_int_equal(ops->alloc(f->dev, 4096, "page", &page), DEVICE_OK);
	assert_int_equal(ops->alloc(f->dev, 4096, "next", &next), DEVICE_OK);
	assert_int_not_equal(next, page + 4096);
	expect(f, "copy$plain", "copy", page + 4096, page, 0);
	expect(f, "copy", "copy", page + 4096, next, 0);
}

static void test_freed_memory_is_not_known(void **state)
{
	struct fixture *f = *state;
	uint64_t gone;

	assert_int_equal(ops->alloc(f->dev, 64, "gone", &gone), DEVICE_OK);
	expect(f, "copy", "copy", gone, f->b, 0);
	assert_int_equal(ops->release(f->dev, gone), DEVICE_OK);
	expect(f, "copy$plain", "copy", gone, f->b, 0);
}

static void test_variables(void **state)
{
	struct fixture *f = *state;
	uint64_t lut;
	size_t size;

	assert_int_equal(ops->variable(f->dev, f->module, "lut", &lut, &size), DEVICE_OK);
	assert_int_equal(size, 16);
	expect(f, "lookup", "lookup", f->b, 0, 0);
	assert_int_equal(get(f, f->b), 11);
	expect(f, "lookup$plain", "lookup", lut + 4, 0, 0);
}

/* A program that `romark cc --load=nc` doubled has both versions; ROMARK_LOAD=keep chooses the plain version. */
static void test_keep_runs_plain(void **state)
{
	struct fixture *f = *state, other = {0};
	char *doubled = strdup(mock.last_module());
	struct diag d = DIAG_INIT;

	(void)f;
	setenv("ROMARK_LOAD", "keep", 1);
	other.dev = open_device(&d);
	unsetenv("ROMARK_LOAD");
	assert_non_null(other.dev);
	assert_int_equal(ops->load(other.dev, doubled, strlen(doubled), "doubled", &other.module, &d), DEVICE_OK);
	assert_int_equal(ops->alloc(other.dev, 256, "a", &other.a), DEVICE_OK);
	assert_int_equal(ops->alloc(other.dev, 256, "b", &other.b), DEVICE_OK);
	expect(&other, "copy$plain", "copy", other.a, other.b, 0);
	ops->close(other.dev);
	free(doubled);
}

/* --- Pointers in memory --- */

static void test_pointers_in_memory_are_looked_up(void **state)
{
	struct fixture *f = *state;
	uint64_t data;

	assert_int_equal(ops->alloc(f->dev, 256, "data", &data), DEVICE_OK);
	put(f, data, 7);
	put(f, f->a, data);
	expect(f, "gather", "gather", f->a, f->b, 0);
	assert_int_equal(get(f, f->b), 7);
	expect(f, "gather$plain", "gather", f->a, data + 64, 0);
	assert_int_equal(get(f, data + 64), 7);
}

/* The guards see what a kernel that has not run yet will write, not the present contents. */
static void test_pointers_written_by_earlier_work(void **state)
{
	struct fixture *f = *state;
	uint64_t data;

	assert_int_equal(ops->alloc(f->dev, 256, "data", &data), DEVICE_OK);
	put(f, data, 7);
	put(f, f->a, data);
	expect(f, "poke", "poke", f->a, f->b, 0);
	expect(f, "gather$plain", "gather", f->a, f->b + 64, 0);
	expect(f, "poke", "poke", f->a, data, 0);
	expect(f, "gather", "gather", f->a, f->b, 0);
	assert_int_equal(get(f, f->b), 7);
}

/* A word that an address depends on is scanned; a table of pointers is copied if all other guards hold. */
static void test_memory_is_looked_at_only_if_it_matters(void **state)
{
	struct fixture *f = *state;
	size_t before = mock.bytes_to_host();
	uint64_t big;

	put(f, f->a, f->b);
	expect(f, "copy", "copy", f->a, f->b, 0);
	expect(f, "gather$plain", "gather", f->a, f->a + 8, 0);
	assert_int_equal(ops->alloc(f->dev, 1 << 20, "big", &big), DEVICE_OK);
	put(f, big, f->a);
	expect(f, "gather$plain", "gather", big, f->b, 0);
	assert_int_equal(mock.bytes_to_host(), before + 8);
	put(f, f->a, f->a);
	expect(f, "gather", "gather", f->a, f->b, 0);
	assert_int_equal(mock.bytes_to_host(), before + 8 + 257);
}

/* --- Memory that the host shares --- */

static void test_shared_memory(void **state)
{
	struct fixture *f = *state;
	uint64_t managed, pinned;

	assert_int_equal(ops->alloc_shared(f->dev, 64, true, &managed, NULL), DEVICE_OK);
	assert_int_equal(ops->alloc_shared(f->dev, 64, false, &pinned, NULL), DEVICE_OK);
	*(uint32_t *)(uintptr_t)managed = 5;
	expect(f, "copy", "copy", managed, pinned, 0);
	assert_int_equal(ops->synchronize(f->dev, NULL), DEVICE_OK);
	assert_int_equal(*(uint32_t *)(uintptr_t)pinned, 5);
	expect(f, "copy$plain", "copy", managed, managed + 8, 0);
	assert_int_equal(ops->release(f->dev, managed), DEVICE_OK);
	assert_int_equal(ops->release(f->dev, pinned), DEVICE_OK);
}

static void test_managed_memory_fits(void **state)
{
	struct fixture *f = *state;
	struct diag d = DIAG_INIT;
	uint64_t managed;

	setenv("MOCK_CUDA_FREE", "16", 1);
	assert_int_equal(ops->alloc_shared(f->dev, 17 << 20, true, &managed, &d), DEVICE_OUT_OF_MEMORY);
	assert_non_null(strstr(d.message, "17 MiB of managed memory are more than the GPU has free (15 MiB)"));
	assert_int_equal(ops->alloc_shared(f->dev, SIZE_MAX, true, &managed, NULL), DEVICE_OUT_OF_MEMORY);
	assert_int_equal(ops->alloc_shared(f->dev, 8 << 20, true, &managed, NULL), DEVICE_OK);
	unsetenv("MOCK_CUDA_FREE");
}

/* The host may give data to a kernel that waits for it, but not in memory that it cannot reach. */
static void test_a_listening_kernel_reads_no_shared_memory_marked(void **state)
{
	struct fixture *f = *state;
	uint64_t flag, data;

	assert_int_equal(ops->alloc_shared(f->dev, 64, true, &flag, NULL), DEVICE_OK);
	assert_int_equal(ops->alloc_shared(f->dev, 64, false, &data, NULL), DEVICE_OK);
	expect(f, "listen$plain", "listen", flag, data, f->b);
	*(uint32_t *)(uintptr_t)data = 9;
	*(uint32_t *)(uintptr_t)flag = 1;
	assert_int_equal(get(f, f->b), 9);
	expect(f, "listen", "listen", flag, f->a, f->b);
}

/* --- Memory --- */

static void test_memory(void **state)
{
	struct fixture *f = *state;
	uint32_t word = 0x01020304;
	uint64_t base, wide = 0x1122334455667788;
	size_t size;

	assert_int_equal(ops->fill(f->dev, f->a, &word, 4, 4), DEVICE_OK);
	assert_int_equal(get(f, f->a + 12), word);
	assert_int_equal(ops->fill(f->dev, f->a, &word, 2, 2), DEVICE_OK);
	assert_int_equal(get(f, f->a), 0x03040304);
	assert_int_equal(ops->fill(f->dev, f->a, &wide, 8, 2), DEVICE_OK);
	assert_int_equal(get(f, f->a + 12), 0x11223344);
	assert_true(ops->find(f->dev, f->a + 255, &base, &size));
	assert_int_equal(base, f->a);
	assert_int_equal(size, 256);
	assert_false(ops->find(f->dev, f->a + 256, &base, &size));
	assert_int_equal(ops->release(f->dev, f->a + 1), DEVICE_NOT_FOUND);
	assert_int_equal(ops->release(f->dev, f->a), DEVICE_OK);
	assert_false(ops->find(f->dev, f->a, &base, &size));
	assert_int_equal(ops->alloc(f->dev, (size_t)1 << 40, "huge", &base), DEVICE_OUT_OF_MEMORY);
	assert_int_equal(ops->alloc(f->dev, SIZE_MAX, "huge", &base), DEVICE_OUT_OF_MEMORY);
	assert_int_equal(ops->copy(f->dev, f->b + (1 << 24), f->b, 8), DEVICE_BAD_VALUE);
}

/* --- Failures --- */

static void test_bad_ptx_is_refused(void **state)
{
	struct fixture *f = *state;
	struct device_module *module;
	struct diag d = DIAG_INIT;

	assert_int_equal(ops->load(f->dev, "nonsense", 8, "x.ptx", &module, &d), DEVICE_BAD_PTX);
	assert_true(diag_is_set(&d));
}

static enum device_status load_text(struct fixture *f, const char *text, struct diag *d)
{
	struct device_module *module;

	*d = (struct diag)DIAG_INIT;
	return ops->load(f->dev, text, strlen(text), "x.ptx", &module, d);
}

#define EMPTY_KERNEL ".address_size 64\n.visible .entry k()\n{\nret;\n}\n"

static void test_driver_refuses(void **state)
{
	struct fixture *f = *state;
	struct diag d;

	assert_int_equal(load_text(f, ".version 8.0\n.target sm_103\n" EMPTY_KERNEL, &d), DEVICE_BAD_PTX);
	assert_non_null(strstr(d.message, "compiled for sm_103, but the GPU is sm_90"));
	assert_int_equal(load_text(f, ".version 8.0\n.target sm_80a\n" EMPTY_KERNEL, &d), DEVICE_BAD_PTX);
	assert_non_null(strstr(d.message, "compiled for sm_80a, but the GPU is sm_90"));
	assert_int_equal(load_text(f, ".version 8.0\n.target sm_90a\n" EMPTY_KERNEL, &d), DEVICE_OK);
	setenv("MOCK_CUDA_FAIL", "cuModuleLoadDataEx=218", 1);
	assert_int_equal(load_text(f, ".version 8.0\n.target sm_80\n" EMPTY_KERNEL, &d), DEVICE_BAD_PTX);
	assert_non_null(strstr(d.message, "CUDA_ERROR_INVALID_PTX"));
	setenv("MOCK_CUDA_FAIL", "cuModuleLoadDataEx=303", 1);
	assert_int_equal(load_text(f, ".version 8.0\n.target sm_80\n" EMPTY_KERNEL, &d), DEVICE_OUT_OF_MEMORY);
	unsetenv("MOCK_CUDA_FAIL");
}

/* Text newer than the driver is offered to it under the version that it knows; the driver's message is passed on. */
static void test_an_older_driver(void **state)
{
	struct fixture *f = *state;
	struct diag d = DIAG_INIT;

	ops->close(f->dev);
	setenv("MOCK_CUDA_DRIVER", "11040", 1);
	f->dev = open_device(&d);
	assert_non_null(f->dev);
	assert_int_equal(load_text(f, ".version 8.8\n.target sm_80\n" EMPTY_KERNEL, &d), DEVICE_OK);
	assert_non_null(strstr(mock.last_module(), ".version 7.4\n"));
	setenv("MOCK_CUDA_FAIL", "cuModuleLoadDataEx=218", 1);
	assert_int_equal(load_text(f, ".version 8.8\n.target sm_80\n" EMPTY_KERNEL, &d), DEVICE_BAD_PTX);
	assert_non_null(strstr(d.message, "written for PTX 8.8; the driver knows 7.4"));
	unsetenv("MOCK_CUDA_FAIL");
	unsetenv("MOCK_CUDA_DRIVER");
}

/* A kernel fails after its launch has returned. */
static void fail_in_kernel(struct fixture *f)
{
	struct diag d = DIAG_INIT;
	uint64_t address;

	assert_int_equal(launch(f, "copy", f->a, 0x10, 0), DEVICE_OK);
	assert_int_equal(ops->synchronize(f->dev, &d), DEVICE_ILLEGAL_ADDRESS);
	assert_non_null(strstr(d.message, "kernel 'copy', or one before it: CUDA_ERROR_ILLEGAL_ADDRESS"));
	assert_int_equal(ops->copy(f->dev, f->a, f->b, 4), DEVICE_ILLEGAL_ADDRESS);
	assert_int_equal(ops->alloc(f->dev, 4, "x", &address), DEVICE_ILLEGAL_ADDRESS);
	ops->unload(f->dev, f->module);
}

/* NVIDIA's documents: the process must be terminated. */
static void test_a_failing_kernel(void **state)
{
	struct fixture *f = *state;
	uint64_t address;

	fail_in_kernel(f);
	assert_int_equal(ops->reset(f->dev), DEVICE_ILLEGAL_ADDRESS);
	assert_int_equal(ops->alloc(f->dev, 4, "x", &address), DEVICE_ILLEGAL_ADDRESS);
}

static void test_a_driver_that_recovers(void **state)
{
	struct fixture *f = *state;
	uint64_t address;

	setenv("MOCK_CUDA_RECOVERS", "1", 1);
	fail_in_kernel(f);
	assert_int_equal(ops->reset(f->dev), DEVICE_OK);
	unsetenv("MOCK_CUDA_RECOVERS");
	assert_int_equal(ops->alloc(f->dev, 4, "x", &address), DEVICE_OK);
	assert_int_equal(ops->synchronize(f->dev, NULL), DEVICE_OK);
}

static void test_launch_errors(void **state)
{
	struct fixture *f = *state;

	setenv("MOCK_CUDA_FAIL", "cuLaunchKernel=701", 1);
	assert_int_equal(launch(f, "copy", f->a, f->b, 0), DEVICE_BAD_LAUNCH);
	setenv("MOCK_CUDA_FAIL", "cuLaunchKernel=999", 1);
	assert_int_equal(launch(f, "copy", f->a, f->b, 0), DEVICE_FAILED);
	unsetenv("MOCK_CUDA_FAIL");
}

static void expect_no_device(const char *variable, const char *value, const char *message)
{
	char *saved = getenv(variable) ? strdup(getenv(variable)) : NULL;
	struct diag d = DIAG_INIT;

	setenv(variable, value, 1);
	assert_null(open_device(&d));
	if (!strstr(d.message, message))
		fail_msg("'%s' does not say '%s'", d.message, message);
	if (saved)
		setenv(variable, saved, 1);
	else
		unsetenv(variable);
	free(saved);
}

static void test_no_device_is_a_clear_error(void **state)
{
	(void)state;
	expect_no_device("ROMARK_LIBCUDA", "/nonexistent/libcuda.so.1", "--device=cpu");
	expect_no_device("ROMARK_LIBCUDA", "libm.so.6", "lacks cuInit");
	expect_no_device("MOCK_CUDA_DEVICES", "0", "sees no GPU");
	expect_no_device("MOCK_CUDA_DRIVER", "10020", "is of CUDA 10.2: romark needs CUDA 11.0 or newer");
	expect_no_device("MOCK_CUDA_FAIL", "cuInit=34", "stub");
	expect_no_device("MOCK_CUDA_FAIL", "cuInit=999", "CUDA error 999");
	expect_no_device("MOCK_CUDA_FAIL", "cuDevicePrimaryCtxRetain=2", "CUDA_ERROR_OUT_OF_MEMORY");
	expect_no_device("ROMARK_DEVICE", "cuda:1", "cuda:0 to cuda:0");
	expect_no_device("ROMARK_DEVICE", "cuda:9999999999", "cuda:0 to cuda:0");
	expect_no_device("ROMARK_DEVICE", "cuda:x", "no such device");
	expect_no_device("ROMARK_TRACE", "fd:3", "CPU device only");
}

/* --- Devices, contexts, attributes --- */

static void test_several_devices(void **state)
{
	struct diag d = DIAG_INIT;
	struct device *dev;
	char name[64];
	int value;

	(void)state;
	setenv("MOCK_CUDA_DEVICES", "3", 1);
	setenv("ROMARK_DEVICE", "cuda:2", 1);
	dev = open_device(&d);
	unsetenv("ROMARK_DEVICE");
	unsetenv("MOCK_CUDA_DEVICES");
	assert_non_null(dev);
	assert_int_equal(mock.opened_device(), 2);
	ops->device_name(dev, name, sizeof name);
	assert_string_equal(name, "Mock GPU 2");
	assert_true(ops->attribute(dev, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &value));
	assert_int_equal(value, 9);
	ops->close(dev);
}

static void *work_on_thread(void *data)
{
	struct fixture *f = data;

	put(f, f->a, 77);
	return get(f, f->a) == 77 ? data : NULL;
}

static void test_another_thread(void **state)
{
	pthread_t thread;
	void *result;

	pthread_create(&thread, NULL, work_on_thread, *state);
	pthread_join(thread, &result);
	assert_ptr_equal(result, *state);
}

/* A program's own context stays current on its thread. */
static void test_the_program_has_a_context(void **state)
{
	struct fixture *f = *state;
	CUcontext own = (CUcontext)&own, current;

	assert_int_equal(mock.set(own), CUDA_SUCCESS);
	put(f, f->a, 1);
	expect(f, "copy", "copy", f->a, f->b, 0);
	assert_int_equal(mock.get(&current), CUDA_SUCCESS);
	assert_ptr_equal(current, own);
	assert_int_equal(mock.set(NULL), CUDA_SUCCESS);
	put(f, f->a, 1);
	assert_int_equal(mock.get(&current), CUDA_SUCCESS);
	assert_non_null(current);
}

static void test_limits(void **state)
{
	struct fixture *f = *state;

	static const char uses_heap[] =
	    HEADER ".extern .func (.param .b64 p) malloc(.param .b64 size);\n"
		   ".visible .entry k()\n{\n.param .b64 in; .param .b64 out;\nst.param.b64 [in], 16;\n"
		   "call (out), malloc, (in);\nret;\n}\n";
	struct diag d = DIAG_INIT;
	size_t value = 0;

	assert_int_equal(ops->set_limit(f->dev, CU_LIMIT_MALLOC_HEAP_SIZE, 123456, &d), DEVICE_OK);
	assert_int_equal(mock.limit(CU_LIMIT_MALLOC_HEAP_SIZE), 123456);
	assert_true(ops->limit(f->dev, CU_LIMIT_MALLOC_HEAP_SIZE, &value));
	assert_int_equal(value, 123456);
	assert_int_equal(load_text(f, uses_heap, &d), DEVICE_OK);
	assert_int_equal(ops->set_limit(f->dev, CU_LIMIT_MALLOC_HEAP_SIZE, 1 << 20, &d), DEVICE_BAD_VALUE);
	assert_non_null(strstr(d.message, "the device's heap only before kernels that use it are loaded"));
	assert_int_equal(ops->set_limit(f->dev, 3, 4, NULL), DEVICE_UNSUPPORTED);
	assert_false(ops->limit(f->dev, 3, &value));
}

/* The driver cannot be used in a child, whose end must not wait for it either. */
static void test_a_child_made_by_fork(void **state)
{
	struct fixture *f = *state;
	uint64_t address;
	int status;
	pid_t child = fork();

	if (child == 0)
		exit(ops->alloc(f->dev, 4, "x", &address) == DEVICE_FAILED ? 0 : 1);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	put(f, f->a, 1);
}

static void test_attributes(void **state)
{
	struct fixture *f = *state;
	struct device_kernel *kernel;
	struct kernel_attributes a;

	assert_int_equal(ops->kernel(f->dev, f->module, "copy", &kernel), DEVICE_OK);
	ops->attributes(f->dev, kernel, &a);
	assert_int_equal(a.nparams, 2);
	assert_int_equal(a.param_bytes, 16);
	assert_int_equal(a.ptx_version, 75); /* the target, not the version of the language */
	assert_int_equal(a.max_threads, 1024);
	assert_true(a.registers > 0);
	assert_int_equal(ops->kernel(f->dev, f->module, "nothing", &kernel), DEVICE_NOT_FOUND);
}

/* --- Events and times --- */

static void test_events(void **state)
{
	struct fixture *f = *state;
	struct device_event *start = NULL, *end = NULL;
	float milliseconds = -1;
	bool done = true;

	assert_int_equal(ops->event_record(f->dev, &start), DEVICE_OK);
	expect(f, "copy", "copy", f->a, f->b, 0);
	assert_int_equal(ops->event_record(f->dev, &end), DEVICE_OK);
	assert_int_equal(ops->event_reached(f->dev, end, false, &done, NULL), DEVICE_OK);
	assert_false(done);
	assert_int_equal(ops->event_reached(f->dev, end, true, &done, NULL), DEVICE_OK);
	assert_true(done);
	assert_int_equal(ops->event_elapsed(f->dev, start, end, &milliseconds), DEVICE_OK);
	assert_true(milliseconds >= 0);
	ops->event_free(f->dev, start);
	ops->event_free(f->dev, end);
}

static void test_times(void **state)
{
	char path[] = "/tmp/romark-times-XXXXXX";
	struct fixture *f = *state;
	struct file_data json;
	struct diag d = DIAG_INIT;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	f->dev->times_to = path;
	expect(f, "copy", "copy", f->a, f->b, 0);
	expect(f, "copy", "copy", f->b, f->a, 0);
	expect(f, "copy$plain", "copy", f->a, f->a + 8, 0);
	ops->unload(f->dev, f->module);
	ops->finish(f->dev);
	assert_int_equal(file_read(path, &json, &d), 0);
	assert_non_null(strstr(json.data, "\"gpu\": \"Mock GPU 0\", \"capability\": 90, \"driver\": 13000, "));
	assert_non_null(
	    strstr(json.data, "{\"name\": \"copy\", \"version\": \"marked\", \"launches\": 2, \"min_ms\": "));
	assert_non_null(
	    strstr(json.data, "{\"name\": \"copy\", \"version\": \"plain\", \"launches\": 1, \"min_ms\": "));
	file_data_release(&json);
	unlink(path);
}

#define DEVICE_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    DEVICE_TEST(test_both_versions_are_loaded),
	    DEVICE_TEST(test_a_launch_picks_by_its_guards),
	    DEVICE_TEST(test_a_launch_picks_by_byte_ranges),
	    DEVICE_TEST(test_an_unknown_pointer_runs_unmarked),
	    DEVICE_TEST(test_the_end_of_an_allocation_belongs_to_it),
	    DEVICE_TEST(test_freed_memory_is_not_known),
	    DEVICE_TEST(test_variables),
	    DEVICE_TEST(test_keep_runs_plain),
	    DEVICE_TEST(test_pointers_in_memory_are_looked_up),
	    DEVICE_TEST(test_pointers_written_by_earlier_work),
	    DEVICE_TEST(test_memory_is_looked_at_only_if_it_matters),
	    DEVICE_TEST(test_shared_memory),
	    DEVICE_TEST(test_managed_memory_fits),
	    DEVICE_TEST(test_a_listening_kernel_reads_no_shared_memory_marked),
	    DEVICE_TEST(test_memory),
	    DEVICE_TEST(test_bad_ptx_is_refused),
	    DEVICE_TEST(test_driver_refuses),
	    DEVICE_TEST(test_an_older_driver),
	    DEVICE_TEST(test_a_failing_kernel),
	    DEVICE_TEST(test_a_driver_that_recovers),
	    DEVICE_TEST(test_launch_errors),
	    cmocka_unit_test(test_no_device_is_a_clear_error),
	    cmocka_unit_test(test_several_devices),
	    DEVICE_TEST(test_another_thread),
	    DEVICE_TEST(test_the_program_has_a_context),
	    DEVICE_TEST(test_limits),
	    DEVICE_TEST(test_a_child_made_by_fork),
	    DEVICE_TEST(test_attributes),
	    DEVICE_TEST(test_events),
	    DEVICE_TEST(test_times),
	};

	setenv("ROMARK_QUIET", "1", 1);
	return cmocka_run_group_tests_name("gpu device", tests, find_mock, NULL);
}
