/*
 * The functions of NVIDIA's runtime that a program sees, with answers that no runtime gives. A program that gets one
 * was not led to romark's runtime.
 */
#include <dlfcn.h>
#include <stddef.h>

int cudaGetDeviceCount(int *count);
int cudaGetDriverEntryPointNobodyHas(int *value);
int cudaGetKernel(void **kernel, const void *entry);
int cudaRuntimeGetVersion(int *version);
void **__cudaRegisterFatBinary(void *wrapper);

/* NVIDIA's starts the driver when it is first asked, and fails where that is not NVIDIA's. */
int cudaGetDeviceCount(int *count)
{
	void *driver = dlopen("libcuda.so.1", RTLD_NOW);
	int (*init)(unsigned) = driver ? (int (*)(unsigned))dlsym(driver, "cuInit") : NULL;
	int (*table)(const void **, const void *) =
	    driver ? (int (*)(const void **, const void *))dlsym(driver, "cuGetExportTable") : NULL;
	const void *nothing;

	*count = -7;
	if (init && table && init(0) == 0 && table(&nothing, "sixteen bytes...") != 0)
		*count = -8;
	return 0;
}

int cudaGetDriverEntryPointNobodyHas(int *value)
{
	*value = -7;
	return 0;
}

int cudaGetKernel(void **kernel, const void *entry)
{
	*kernel = (void *)entry;
	return 0;
}

void **__cudaRegisterFatBinary(void *wrapper)
{
	return wrapper;
}

int cudaRuntimeGetVersion(int *version)
{
	*version = -7;
	return 0;
}
