/* Asks the runtime that it is linked with who it is. Linked as `library`, it asks as soon as it is initialised. */
#include <stdio.h>

int cudaGetDeviceCount(int *count);
int cudaGetDriverEntryPointNobodyHas(int *value);
int cudaRuntimeGetVersion(int *version);
int cudaOwnHelper(void);

/* The program's own, whatever it is called. */
int cudaOwnHelper(void)
{
	return 42;
}

static void ask(void)
{
	int count = -1, version = -1, value = -1, error;

	cudaGetDeviceCount(&count);
	cudaRuntimeGetVersion(&version);
	error = cudaGetDriverEntryPointNobodyHas(&value);
	printf("devices %d, version %d, unknown function %d, helper %d\n", count, version, error, cudaOwnHelper());
}

#ifdef LIBRARY
__attribute__((constructor)) static void initialise(void)
{
	ask();
}
#else
int main(void)
{
	ask();
	return 0;
}
#endif
