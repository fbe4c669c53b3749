/*
 * contact FILE.ptx...: the first contact with a GPU, call by call. Says of each call what came back, with the driver's
 * own words, so that the cause of a failure is in the output; then lets the driver compile every module, doubled as the
 * GPU device does it, and prints the compiler's log. Exits with 0, with 1 if anything failed, with 77 without driver or
 * GPU.
 */
#include "common/file.h"
#include "common/progress.h"
#include "ptx-analyzer/language/text/ptx_text.h"
#include "runtime/gpu/gpu_device.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { NOTHING_TO_TEST = 77, BYTES = 1 << 20 };

static struct libcuda lib;
static int failures, version;

/* Prints the call's name and result; true if it worked. */
static bool check(CUresult result, const char *call)
{
	if (result == CUDA_SUCCESS) {
		printf("ok      %s\n", call);
		return true;
	}
	printf("FAILED  %s: %s\n", call, libcuda_error(&lib, result));
	failures++;
	return false;
}

#define CHECK(call) check(lib.call, #call)

/* --- The GPU --- */

/* clang-format off */
static const struct {
	const char *name;
	int number;
} attributes[] = {
	{"multiprocessors", 16},        {"clock, kHz", 13},           {"memory clock, kHz", 36},
	{"bus width", 37},              {"L2, bytes", 38},            {"shared memory, opt-in", 97},
	{"unified addressing", 41},     {"managed memory", 83},       {"concurrent managed access", 89},
	{"cooperative launch", 95},     {"pageable memory access", 88}, {"cluster launch", 120},
	{"texture alignment", 14},      {"texture pitch alignment", 51}, {"compute mode", 20},
	{"watchdog for kernels", 17},   {"memory pools", 115},        {"virtual memory management", 102},
};
/* clang-format on */

static void describe(CUdevice device)
{
	int major = 0, minor = 0, value;
	char name[128] = "";

	if (check(lib.cuDeviceGetName(name, sizeof name, device), "cuDeviceGetName"))
		printf("        %s\n", name);
	check(lib.cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device),
	      "capability, major");
	check(lib.cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device),
	      "capability, minor");
	printf("        sm_%d%d\n", major, minor);
	for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
		if (lib.cuDeviceGetAttribute(&value, attributes[i].number, device) == CUDA_SUCCESS)
			printf("        %s: %d\n", attributes[i].name, value);
		else
			printf("        %s: not known\n", attributes[i].name);
}

static void ask_limits(void)
{
	static const char *const names[] = {"stack", "printf buffer", "heap"};
	size_t value;

	for (int i = 0; i < 3; i++)
		if (check(lib.cuCtxGetLimit(&value, i), "cuCtxGetLimit"))
			printf("        %s: %zu bytes\n", names[i], value);
}

/* --- Memory --- */

static void try_copies(CUdeviceptr memory)
{
	unsigned char *host = malloc(BYTES);
	bool same = true;

	for (size_t i = 0; i < BYTES; i++)
		host[i] = (unsigned char)(i * 7);
	CHECK(cuMemcpy(memory, (uintptr_t)host, BYTES));
	CHECK(cuMemsetD8_v2(memory, 1, 3));
	CHECK(cuMemsetD32_v2(memory + 8, 0x02020202, 1));
	memset(host, 0, BYTES);
	CHECK(cuMemcpy((uintptr_t)host, memory, BYTES));
	for (size_t i = 0; i < BYTES; i++)
		same = same && host[i] == (i < 3 ? 1 : i >= 8 && i < 12 ? 2 : (unsigned char)(i * 7));
	check(same ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE, "the bytes are what they should be");
	free(host);
}

static void try_memory(void)
{
	size_t free_bytes = 0, total = 0;
	CUdeviceptr memory;
	void *host;

	if (CHECK(cuMemGetInfo_v2(&free_bytes, &total)))
		printf("        %zu of %zu MiB are free\n", free_bytes >> 20, total >> 20);
	if (CHECK(cuMemAlloc_v2(&memory, BYTES + 1))) {
		printf("        at %#llx\n", (unsigned long long)memory);
		try_copies(memory);
		CHECK(cuMemFree_v2(memory));
	}
	if (CHECK(cuMemHostAlloc(&host, BYTES + 1, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP)))
		CHECK(cuMemFreeHost(host));
	if (CHECK(cuMemAllocManaged(&memory, BYTES + 1, CU_MEM_ATTACH_GLOBAL)))
		CHECK(cuMemFree_v2(memory));
}

static void try_events(void)
{
	CUevent start, end;
	float milliseconds = 0;

	if (!CHECK(cuEventCreate(&start, 0)) || !CHECK(cuEventCreate(&end, 0)))
		return;
	CHECK(cuEventRecord(start, NULL));
	CHECK(cuEventRecord(end, NULL));
	CHECK(cuEventSynchronize(end));
	if (CHECK(cuEventElapsedTime(&milliseconds, start, end)))
		printf("        %.6f ms between two events\n", (double)milliseconds);
	CHECK(cuEventDestroy_v2(start));
	CHECK(cuEventDestroy_v2(end));
}

/* --- Modules --- */

static void print_log(const char *log)
{
	for (const char *at = log; *at;) {
		size_t length = strcspn(at, "\n");

		if (length)
			printf("        %.*s\n", (int)length, at);
		at += length + (at[length] == '\n');
	}
}

static void compile(const char *path, const char *text)
{
	static char info[64 << 10], error[16 << 10];
	CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER,
				  CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_LOG_VERBOSE};
	void *values[] = {info, (void *)sizeof info, error, (void *)sizeof error, (void *)1};
	double start = monotonic_seconds();
	CUmodule module;
	bool works;

	*info = *error = '\0';
	works = check(lib.cuModuleLoadDataEx(&module, text, 5, options, values), path);
	printf("        compiled in %.3f s, from %zu bytes\n", monotonic_seconds() - start, strlen(text));
	info[sizeof info - 1] = error[sizeof error - 1] = '\0';
	print_log(info);
	print_log(error);
	if (works)
		CHECK(cuModuleUnload(module));
}

/* As the GPU device does it. */
static void try_module(const char *path)
{
	struct diag d = DIAG_INIT;
	struct strbuf out = STRBUF_INIT;
	struct ptx_module *m = NULL;
	struct ptx_analysis *a;
	struct file_data file;

	if (file_read(path, &file, &d) == 0) {
		m = ptx_parse(path, file.data, file.size, &d);
		file_data_release(&file);
	}
	if (!m) {
		printf("FAILED  %s: %s\n", path, d.message);
		failures++;
		return;
	}
	a = ptx_analyze(m, ALIAS_GUARDED);
	gpu_lower_version(m, gpu_newest_ptx(version));
	if (gpu_print(a, m, LOAD_NC, false, &out, &d) == 0) {
		compile(path, out.data);
	} else {
		printf("FAILED  %s: %s\n", path, d.message);
		failures++;
	}
	strbuf_release(&out);
	ptx_analysis_free(a);
	ptx_module_free(m);
}

/* --- All of it --- */

static int start(void)
{
	int count = 0;
	CUresult result;
	Dl_info from;
	void *address;

	memcpy(&address, &lib.cuInit, sizeof address);
	printf("driver  %s\n", dladdr(address, &from) ? from.dli_fname : "from nowhere");
	if (check(lib.cuDriverGetVersion(&version), "cuDriverGetVersion"))
		printf("        CUDA %d.%d\n", version / 1000, version % 1000 / 10);
	result = lib.cuInit(0);
	check(result, "cuInit");
	if (result == CUDA_ERROR_NO_DEVICE || result == CUDA_ERROR_STUB_LIBRARY)
		return NOTHING_TO_TEST;
	if (result != CUDA_SUCCESS || !CHECK(cuDeviceGetCount(&count)))
		return 1;
	printf("        %d GPUs\n", count);
	return count ? 0 : NOTHING_TO_TEST;
}

static int number_of(const char *device)
{
	return device && strchr(device, ':') ? atoi(strchr(device, ':') + 1) : 0;
}

int main(int argc, char **argv)
{
	struct diag d = DIAG_INIT;
	struct settings settings;
	CUdevice device;
	CUcontext context;
	int code;

	setvbuf(stdout, NULL, _IOLBF, 0);
	settings_read(&settings, NULL);
	if (libcuda_open(&lib, settings.libcuda, &d) < 0) {
		printf("FAILED  %s\n", d.message);
		return strstr(d.message, "lacks") ? 1 : NOTHING_TO_TEST;
	}
	code = start();
	if (code)
		return code;
	if (!check(lib.cuDeviceGet(&device, number_of(settings.device)), "cuDeviceGet"))
		return 1;
	describe(device);
	if (!CHECK(cuDevicePrimaryCtxRetain(&context, device)) || !CHECK(cuCtxSetCurrent(context)))
		return 1;
	ask_limits();
	try_memory();
	try_events();
	for (int i = 1; i < argc; i++)
		try_module(argv[i]);
	CHECK(cuCtxSynchronize());
	CHECK(cuDevicePrimaryCtxRelease_v2(device));
	printf("%d failed\n", failures);
	return failures != 0;
}
