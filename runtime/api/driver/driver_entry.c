/* The driver's functions by name, for programs of the runtime API that are not linked with the driver. */
#include "runtime/api/driver/driver.h"

#include <dlfcn.h>
#include <string.h>

cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **funcPtr, unsigned long long flags,
				    enum cudaDriverEntryPointQueryResult *driverStatus)
{
	return cudaGetDriverEntryPointByVersion(symbol, funcPtr, CUDART_VERSION, flags, driverStatus);
}

/* Without a version a name means the newest function, and this library has only newest functions. */
cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned int version,
					     unsigned long long flags, enum cudaDriverEntryPointQueryResult *result)
{
	void *self = NULL;
	Dl_info place;

	(void)version, (void)flags;
	if (!name || !function)
		return runtime_remember(cudaErrorInvalidValue);
	*function = NULL;
	if (strncmp(name, "cuda", 4) != 0 && dladdr((void *)(uintptr_t)cuInit, &place))
		self = dlopen(place.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
	if (self) {
		*function = dlsym(self, name);
		dlclose(self);
	}
	if (result)
		*result = *function ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
	return runtime_remember(*function || result ? cudaSuccess : cudaErrorSymbolNotFound);
}
