/* Finding the CUDA driver at run time. */
#include "runtime/cuda/libcuda.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int find_functions(struct libcuda *lib, const char *path, struct diag *d)
{
#define X(name, parameters)                                                                                            \
	{                                                                                                              \
		void *address = dlsym(lib->handle, #name);                                                             \
		if (!address)                                                                                          \
			return diag_file(d, path, "the CUDA driver lacks %s: install a newer one", #name);             \
		memcpy(&lib->name, &address, sizeof address);                                                          \
	}
	LIBCUDA_FUNCTIONS(X)
#undef X
	return 0;
}

int libcuda_open(struct libcuda *lib, struct diag *d)
{
	const char *path = getenv("ROMARK_LIBCUDA");

	path = path ? path : "libcuda.so.1";
	*lib = (struct libcuda){.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
	if (!lib->handle)
		return diag_file(d, NULL, "no CUDA driver here (%s); use --device=cpu", dlerror());
	if (find_functions(lib, path, d) < 0) {
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
	static _Thread_local char number[32];
	const char *name = NULL;

	if (lib->cuGetErrorName(result, &name) == CUDA_SUCCESS && name)
		return name;
	snprintf(number, sizeof number, "CUDA error %d", result);
	return number;
}
