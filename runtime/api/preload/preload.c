/*
 * `romark run` loads this library into programs first. Where a program brings NVIDIA's runtime along, linked into it or
 * in a folder that its run path names, every function of that is led to romark's of the same name.
 *
 * It is initialised before any other library, the C library among them, so that no call is missed; romark's runtime is
 * loaded by the first call.
 */
#include "runtime/api/preload/functions.h"
#include "runtime/api/preload/jump.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/*
 * romark's runtime. The first NVIDIA runtime that is found decides its release. All calls go to this one runtime, so
 * there is one state.
 */
static struct {
	char path[PATH_MAX];
	struct elf_functions functions;
	pthread_once_t once;
	void *loaded; /* NULL before the first call, and if it cannot be */
} ours = {.once = PTHREAD_ONCE_INIT};

/* A runtime of NVIDIA's: where it lies, and the range that its functions start in. */
struct found {
	const struct elf_functions *functions;
	uintptr_t base; /* add to the symbols' addresses */
	Elf64_Addr first, last;
};

/* --- Where a call goes --- */

static void load(void)
{
	ours.loaded = dlopen(ours.path, RTLD_NOW | RTLD_LOCAL);
	if (!ours.loaded)
		fprintf(stderr, "romark: cannot load the CUDA runtime: %s\n", dlerror());
}

static int unsupported(void)
{
	enum { NOT_SUPPORTED = 801 }; /* cudaErrorNotSupported */

	return NOT_SUPPORTED;
}

/* Programs compiled for a default stream per thread call names of their own; all streams run in the calls' order. */
static void plain_name(char *plain, size_t size, const char *name)
{
	size_t length = strlen(name);

	if (length > 5 && (strcmp(name + length - 5, "_ptds") == 0 || strcmp(name + length - 5, "_ptsz") == 0))
		length -= 5;
	snprintf(plain, size, "%.*s", (int)length, name);
}

void *way_find(struct way *way)
{
	int (*none)(void) = unsupported;
	char plain[128];
	void *target = NULL;

	pthread_once(&ours.once, load);
	plain_name(plain, sizeof plain, way->name);
	if (ours.loaded)
		target = dlsym(ours.loaded, plain);
	if (!target) {
		fprintf(stderr, "romark: %s: romark's CUDA runtime does not have this function\n", way->name);
		memcpy(&target, &none, sizeof target);
	}
	__atomic_store_n(&way->target, target, __ATOMIC_RELEASE);
	return target;
}

/*
 * The stand-in of libcuda calls this, so that both share one state. The handle of romark's runtime; NULL if none was
 * chosen.
 */
__attribute__((visibility("default"))) void *romark_preload_runtime(void);

void *romark_preload_runtime(void)
{
	if (*ours.path)
		pthread_once(&ours.once, load);
	return ours.loaded;
}

/* --- Functions behind romark.h --- */

/* NVIDIA's runtime has no such function, so the calls come here; in a program of romark's own the next library has it.
 */
static void *beyond_cuda(const char *name)
{
	void *runtime = romark_preload_runtime();

	return runtime ? dlsym(runtime, name) : dlsym(RTLD_NEXT, name);
}

__attribute__((visibility("default"))) int romark_runtime_region(void *ptr, size_t size, void *stream);
__attribute__((visibility("default"))) int romark_runtime_region_end(void *ptr, void *stream);

int romark_runtime_region(void *ptr, size_t size, void *stream)
{
	int (*call)(void *, size_t, void *);
	void *found = beyond_cuda("romark_runtime_region");

	memcpy(&call, &found, sizeof call);
	return found ? call(ptr, size, stream) : 0;
}

int romark_runtime_region_end(void *ptr, void *stream)
{
	int (*call)(void *, void *);
	void *found = beyond_cuda("romark_runtime_region_end");

	memcpy(&call, &found, sizeof call);
	return found ? call(ptr, stream) : 0;
}

/* --- Which runtime the program has --- */

static bool is_nvidias(const struct elf_functions *f)
{
	return functions_find(f, "__cudaRegisterFatBinary") && functions_find(f, "cudaRuntimeGetVersion") &&
	       !functions_find(f, "cuLaunchKernel");
}

/* Releases 11 and 12 share what is the same in both. */
static const char *library_for(const struct elf_functions *f)
{
	if (functions_find(f, "cudaGetDeviceProperties_v2"))
		return "libcudart.so.12";
	return functions_find(f, "cudaGetKernel") ? "libcudart.so.13" : "libcudart.so.11.0";
}

/* Beside this library. */
static bool choose_ours(const struct elf_functions *nvidias)
{
	const char *slash;
	Dl_info self;

	if (*ours.path)
		return true;
	if (!dladdr((const void *)library_for, &self))
		return false;
	slash = strrchr(self.dli_fname, '/');
	if (!slash)
		return false;
	snprintf(ours.path, sizeof ours.path, "%.*s/%s", (int)(slash - self.dli_fname), self.dli_fname,
		 library_for(nvidias));
	return functions_open(ours.path, &ours.functions);
}

/* --- The functions of that runtime --- */

/* The name of a symbol that may be the runtime's, or NULL. */
static const char *runtime_name(const struct elf_functions *f, size_t i)
{
	const char *name = function_name(f, &f->symbols[i]);

	return name && (strncmp(name, "cuda", 4) == 0 || strncmp(name, "__cuda", 6) == 0) ? name : NULL;
}

/*
 * The functions of a static runtime are beside each other in the program. So a function between two functions that
 * romark has too is NVIDIA's, and no other function with a name like cudaSomething.
 */
static size_t find_range(struct found *nvidia)
{
	size_t n = 0;

	nvidia->first = UINT64_MAX;
	for (size_t i = 0; i < nvidia->functions->nsymbols; i++) {
		const char *name = runtime_name(nvidia->functions, i);
		Elf64_Addr at = nvidia->functions->symbols[i].st_value;

		n += name != NULL;
		if (!name || !functions_find(&ours.functions, name))
			continue;
		if (at < nvidia->first)
			nvidia->first = at;
		if (at > nvidia->last)
			nvidia->last = at;
	}
	return n;
}

/* A jump may be longer than the function. Then it runs into the bytes between this function and the next. */
static bool has_room(const struct elf_functions *f, const Elf64_Sym *symbol)
{
	if (symbol->st_size >= JUMP_BYTES)
		return true;
	for (size_t i = 0; i < f->nsymbols; i++)
		if (function_name(f, &f->symbols[i]) && f->symbols[i].st_value > symbol->st_value &&
		    f->symbols[i].st_value - symbol->st_value < JUMP_BYTES)
			return false;
	return true;
}

/* `leads` and `ways` have room for all of them. */
static void lead_over(const struct found *nvidia, char *leads, struct way *ways)
{
	for (size_t i = 0; i < nvidia->functions->nsymbols; i++) {
		const Elf64_Sym *symbol = &nvidia->functions->symbols[i];
		const char *name = runtime_name(nvidia->functions, i);

		if (!name || symbol->st_value < nvidia->first || symbol->st_value > nvidia->last ||
		    !has_room(nvidia->functions, symbol))
			continue;
		ways->name = name;
		lead_write(leads, ways++);
		jump_write((void *)(nvidia->base + symbol->st_value), leads);
		leads += LEAD_BYTES;
	}
}

/* The file stays mapped: the ways have their names from there. */
static bool take_over(const struct elf_functions *f, uintptr_t base)
{
	struct found nvidia = {.functions = f, .base = base};
	void *leads, *start;
	struct way *ways;
	size_t n, size;

	if (!choose_ours(f))
		return false;
	n = find_range(&nvidia);
	if (!n)
		return false;
	start = (void *)(base + nvidia.first);
	size = nvidia.last - nvidia.first + JUMP_BYTES;
	ways = calloc(n, sizeof *ways);
	leads = mmap(NULL, n * LEAD_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (ways && leads != MAP_FAILED && code_open(start, size)) {
		lead_over(&nvidia, leads, ways);
		/* The leads point at the ways. NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
		return code_close(leads, n * LEAD_BYTES) && code_close(start, size);
	}
	free(ways);
	if (leads != MAP_FAILED)
		munmap(leads, n * LEAD_BYTES);
	return false;
}

/* --- The program and its libraries --- */

/* Device code without a name of the runtime: that is linked into the file, and a strip took its names. */
static bool is_stripped(const struct elf_functions *f)
{
	static const char name[] = "__cudaRegisterFatBinary";

	return f->has_device_code && !f->has_symbol_table && f->names &&
	       !memmem(f->names, f->names_size, name, sizeof name);
}

static int look_at(struct dl_phdr_info *object, size_t size, void *unused)
{
	const char *file = object->dlpi_name && *object->dlpi_name ? object->dlpi_name : "/proc/self/exe";
	struct elf_functions f;
	char path[PATH_MAX];

	(void)size, (void)unused;
	if (!functions_open(file, &f))
		return 0;
	if (!realpath(file, path))
		snprintf(path, sizeof path, "%s", file);
	if (is_nvidias(&f)) {
		if (take_over(&f, object->dlpi_addr))
			return 0;
		fprintf(
		    stderr,
		    "romark: %s: NVIDIA's runtime in it cannot be replaced here: link it with nvcc -cudart shared\n",
		    path);
	} else if (is_stripped(&f)) {
		fprintf(stderr,
			"romark: %s: NVIDIA's static runtime is in it, but not the names of its functions, by which "
			"romark replaces them: do not strip it, or link it with nvcc -cudart shared\n",
			path);
	}
	functions_close(&f);
	return 0;
}

__attribute__((constructor)) static void start(void)
{
	dl_iterate_phdr(look_at, NULL);
}
