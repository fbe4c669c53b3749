/*
 * libcuda.so.1 for programs of the driver API. Each function jumps to the same function of the romark runtime that the
 * process uses, so driver and runtime API share their state.
 */
#include "runtime/include/cuda.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#define JUMP(name) "\tjmp *romark_slot_" #name "(%rip)\n"
#elif defined(__aarch64__)
#define JUMP(name) "\tadrp x16, romark_slot_" #name "\n\tldr x16, [x16, :lo12:romark_slot_" #name "]\n\tbr x16\n"
#endif

/*
 * A slot and a function of a few bytes that jumps through it. It need not know arguments and result, since a jump
 * leaves them alone.
 */
#define FORWARD(name, function)                                                                                        \
	extern void *romark_slot_##name __attribute__((visibility("hidden")));                                         \
	void *romark_slot_##name;                                                                                      \
	__asm__(".text\n\t.globl " #name "\n\t.type " #name ", %function\n" #name                                      \
		":\n" JUMP(name) "\t.size " #name ", . - " #name "\n");
#include "runtime/api/driver/libcuda/libcuda_names.def"
#undef FORWARD

static const struct {
	const char *name, *function;
	void **slot;
} forwards[] = {
#define FORWARD(name, function) {#name, #function, &romark_slot_##name},
#include "runtime/api/driver/libcuda/libcuda_names.def"
#undef FORWARD
};

/* The GPU device looks for this name, to tell this library from NVIDIA's driver. */
extern const char romark_driver_stand_in[];
const char romark_driver_stand_in[] = "romark";

static CUresult unavailable(void)
{
	return CUDA_ERROR_STUB_LIBRARY;
}

static CUresult unsupported(void)
{
	return CUDA_ERROR_NOT_SUPPORTED;
}

/* --- Finding the runtime --- */

/* Romark's runtimes have the driver's functions, NVIDIA's have not. */
static void *if_romark(void *library)
{
	if (library && !dlsym(library, "cuLaunchKernel")) {
		dlclose(library);
		library = NULL;
	}
	return library;
}

/* The runtime that libromark_preload.so puts in place of NVIDIA's; NULL without a preload. */
static void *preloaded_runtime(void)
{
	void *(*ask)(void) = (void *(*)(void))dlsym(RTLD_DEFAULT, "romark_preload_runtime");

	return ask ? ask() : NULL;
}

/* The runtime that the program is linked with. */
static void *loaded_runtime(void)
{
	static const char *const names[] = {"libromark_cudart.so", "libcudart.so.13", "libcudart.so.12",
					    "libcudart.so.11.0"};
	void *library = NULL;

	for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++)
		library = if_romark(dlopen(names[i], RTLD_NOW | RTLD_NOLOAD));
	return library;
}

/* Two folders up from this library, in the build tree and installed. */
static void *runtime_beside(void)
{
	static const char name[] = "/../../libromark_cudart.so";
	char path[4096], *real;
	void *library = NULL;
	Dl_info self;

	if (!dladdr(romark_driver_stand_in, &self))
		return NULL;
	real = realpath(self.dli_fname, NULL);
	if (real && strrchr(real, '/') && strlen(real) + sizeof name < sizeof path) {
		*strrchr(real, '/') = '\0';
		snprintf(path, sizeof path, "%s%s", real, name);
		library = if_romark(dlopen(path, RTLD_NOW | RTLD_LOCAL));
	}
	free(real);
	return library;
}

__attribute__((constructor)) static void connect(void)
{
	void *library = preloaded_runtime();
	CUresult (*missing)(void);

	if (!library)
		library = loaded_runtime();
	if (!library)
		library = runtime_beside();
	if (!library)
		fputs("romark: libcuda.so.1: cannot find libromark_cudart.so beside it\n", stderr);
	missing = library ? unsupported : unavailable;
	for (size_t i = 0; i < sizeof forwards / sizeof *forwards; i++) {
		void *function = library ? dlsym(library, forwards[i].function) : NULL;

		if (function)
			*forwards[i].slot = function;
		else
			memcpy(forwards[i].slot, &missing, sizeof missing);
	}
}

/* --- Functions whose arguments changed from release to release --- */

extern CUresult cuCtxCreate_v3(CUcontext *context, void *affinity, int count, unsigned flags, CUdevice device);
#undef cuGetProcAddress
extern CUresult cuGetProcAddress(const char *name, void **function, int version, cuuint64_t flags);

/* Affinity, and sharing with graphics, are not there. */
CUresult cuCtxCreate_v3(CUcontext *context, void *affinity, int count, unsigned flags, CUdevice device)
{
	(void)affinity;
	return count ? CUDA_ERROR_NOT_SUPPORTED : cuCtxCreate(context, flags, device);
}

/*
 * NVIDIA's runtime calls this for tables of functions that only NVIDIA's driver has. `romark run` replaces NVIDIA's
 * runtimes that it finds when a program starts. So the caller is a runtime that was opened later, or that `romark run`
 * did not find.
 */
CUresult cuGetExportTable(const void **table, const CUuuid *id)
{
	static atomic_flag said = ATOMIC_FLAG_INIT;
	Dl_info caller;

	(void)id;
	if (table)
		*table = NULL;
	if (!atomic_flag_test_and_set(&said))
		fprintf(
		    stderr,
		    "romark: %s: NVIDIA's CUDA runtime is in use, which needs NVIDIA's driver: link with nvcc -cudart "
		    "shared, and start the program with 'romark run'\n",
		    dladdr(__builtin_return_address(0), &caller) ? caller.dli_fname : "libcuda.so.1");
	return CUDA_ERROR_NOT_SUPPORTED;
}

/*
 * Names whose arguments changed, by the release that a program was made for; the first row that is old enough counts.
 */
static const struct {
	const char *name;
	int since;
	void *function;
} changed[] = {
    /* clang-format off */
    {"cuCtxCreate", 11040, cuCtxCreate_v3},
    {"cuCtxCreate_v3", 0, cuCtxCreate_v3},
    {"cuGetExportTable", 0, cuGetExportTable},
    {"cuGetProcAddress", 12000, cuGetProcAddress_v2},
    {"cuGetProcAddress", 0, cuGetProcAddress},
    {"cuGetProcAddress_v2", 0, cuGetProcAddress_v2},
    /* clang-format on */
};

/* From release `since` on, `name` means the function `newer`. The first row that is old enough counts. */
static const struct {
	const char *name;
	int since;
	const char *newer;
} renamed[] = {
    /* clang-format off */
    {"cuCtxCreate", 12050, "cuCtxCreate_v4"},
    {"cuGraphAddDependencies", 12030, "cuGraphAddDependencies_v2"},
    {"cuGraphAddNode", 12030, "cuGraphAddNode_v2"},
    {"cuGraphExecUpdate", 12000, "cuGraphExecUpdate_v2"},
    {"cuGraphGetEdges", 12030, "cuGraphGetEdges_v2"},
    {"cuGraphNodeGetDependencies", 12030, "cuGraphNodeGetDependencies_v2"},
    {"cuGraphNodeGetDependentNodes", 12030, "cuGraphNodeGetDependentNodes_v2"},
    {"cuGraphRemoveDependencies", 12030, "cuGraphRemoveDependencies_v2"},
    {"cuMemAdvise", 12020, "cuMemAdvise_v2"},
    {"cuMemPrefetchAsync", 12020, "cuMemPrefetchAsync_v2"},
    {"cuMemcpy3DBatchAsync", 13000, "cuMemcpy3DBatchAsync_v2"},
    {"cuMemcpyBatchAsync", 13000, "cuMemcpyBatchAsync_v2"},
    {"cuStreamGetCaptureInfo", 12030, "cuStreamGetCaptureInfo_v3"},
    {"cuStreamGetCaptureInfo", 11030, "cuStreamGetCaptureInfo_v2"},
    {"cuStreamUpdateCaptureDependencies", 12030, "cuStreamUpdateCaptureDependencies_v2"},
    /* clang-format on */
};

static const char *newest(const char *name, int version)
{
	for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
		if (strcmp(renamed[i].name, name) == 0 && version >= renamed[i].since)
			return renamed[i].newer;
	return name;
}

/* All other names mean their newest function, and the runtime has only newest functions. */
CUresult cuGetProcAddress_v2(const char *name, void **function, int version, cuuint64_t flags,
			     CUdriverProcAddressQueryResult *status)
{
	(void)flags;
	if (!name || !function)
		return CUDA_ERROR_INVALID_VALUE;
	*function = NULL;
	name = newest(name, version);
	for (size_t i = 0; i < sizeof changed / sizeof *changed && !*function; i++)
		if (strcmp(changed[i].name, name) == 0 && version >= changed[i].since)
			*function = changed[i].function;
	for (size_t i = 0; i < sizeof forwards / sizeof *forwards && !*function; i++)
		if (strcmp(forwards[i].name, name) == 0)
			*function = *forwards[i].slot;
	if (status)
		*status = *function ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
	return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuGetProcAddress(const char *name, void **function, int version, cuuint64_t flags)
{
	return cuGetProcAddress_v2(name, function, version, flags, NULL);
}
