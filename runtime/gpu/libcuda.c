/* Finding libcuda at run time. */
#include "runtime/gpu/libcuda.h"

#include "common/strbuf.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * romark's own libcuda.so.1 exports this name (runtime/api/driver/libcuda/stand_in.c). That library must never be taken
 * for NVIDIA's.
 */
static const char stand_in[] = "romark_driver_stand_in";

/* Systems keep libcuda in these folders. They are searched when the linker's own search finds the stand-in first. */
static const char *const usual_folders[] = {
    "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64",        "/usr/lib",
    "/usr/lib/wsl/lib",          "/usr/local/nvidia/lib64",    "/usr/lib64/nvidia", "/run/opengl-driver/lib",
};

static void *open_driver(const char *path)
{
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (handle && dlsym(handle, stand_in)) {
		dlclose(handle);
		handle = NULL;
	}
	return handle;
}

static void *open_in_folder(const char *folder, size_t length)
{
	struct strbuf path = STRBUF_INIT;
	void *handle;

	strbuf_add(&path, folder, length);
	strbuf_adds(&path, "/libcuda.so.1");
	handle = open_driver(path.data);
	strbuf_release(&path);
	return handle;
}

/* A name with a slash is opened as a file, also where a library of the same name is loaded already. */
static void *open_behind_stand_in(void)
{
	const char *at = getenv("LD_LIBRARY_PATH");
	void *handle = NULL;

	while (at && *at && !handle) {
		size_t length = strcspn(at, ":");

		handle = length ? open_in_folder(at, length) : NULL;
		at += length + (at[length] == ':');
	}
	for (size_t i = 0; !handle && i < sizeof usual_folders / sizeof *usual_folders; i++)
		handle = open_in_folder(usual_folders[i], strlen(usual_folders[i]));
	return handle;
}

static int find_functions(struct libcuda *lib, struct diag *d)
{
#define X(name, parameters)                                                                                            \
	{                                                                                                              \
		void *address = dlsym(lib->handle, #name);                                                             \
		if (!address)                                                                                          \
			return diag_file(d, NULL,                                                                      \
					 "the CUDA driver here lacks %s: romark needs CUDA 11.0 or newer "             \
					 "(or use --device=cpu)",                                                      \
					 #name);                                                                       \
		memcpy(&lib->name, &address, sizeof address);                                                          \
	}
	LIBCUDA_FUNCTIONS(X)
#undef X
#define X(name, parameters)                                                                                            \
	{                                                                                                              \
		void *address = dlsym(lib->handle, #name);                                                             \
		memcpy(&lib->name, &address, sizeof address);                                                          \
	}
	LIBCUDA_LATER_FUNCTIONS(X)
#undef X
	return 0;
}

int libcuda_open(struct libcuda *lib, const char *path, struct diag *d)
{
	const char *error;
	char why[256] = "only romark's stand-in is";

	*lib = (struct libcuda){.handle = open_driver(path ? path : "libcuda.so.1")};
	error = lib->handle ? NULL : dlerror();
	if (error)
		snprintf(why, sizeof why, "%s", error);
	if (!lib->handle && !path)
		lib->handle = open_behind_stand_in();
	if (!lib->handle)
		return diag_file(d, NULL, "no CUDA driver here (%s); use --device=cpu", why);
	if (find_functions(lib, d) < 0) {
		libcuda_close(lib);
		return DIAG_ERROR;
	}
	return 0;
}

void libcuda_close(struct libcuda *lib)
{
	if (lib->handle)
		dlclose(lib->handle);
	*lib = (struct libcuda){0};
}

const char *libcuda_error(const struct libcuda *lib, CUresult result)
{
	static _Thread_local char message[160];
	const char *name = NULL, *text = NULL;

	if (lib->cuGetErrorName(result, &name) != CUDA_SUCCESS || !name)
		snprintf(message, sizeof message, "CUDA error %d", (int)result);
	else if (lib->cuGetErrorString(result, &text) != CUDA_SUCCESS || !text)
		snprintf(message, sizeof message, "%s", name);
	else
		snprintf(message, sizeof message, "%s (%s)", name, text);
	return message;
}
