// Loads a PTX file and runs its kernel through the driver API.
#include <cuda.h>

#include <cstdio>

int main(int argc, char **argv)
{
	CUdevice device;
	CUcontext context;
	CUmodule module;
	CUfunction function;
	CUdeviceptr number;
	int value = 42, result = 0;
	void *parameters[] = {&number, &value};

	if (argc < 2 || cuInit(0) || cuDeviceGet(&device, 0) || cuCtxCreate(&context, 0, device) ||
	    cuModuleLoad(&module, argv[1]) || cuModuleGetFunction(&function, module, "set") ||
	    cuMemAlloc(&number, sizeof value) ||
	    cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr) ||
	    cuMemcpyDtoH(&result, number, sizeof result))
		return 1;
	printf("%d\n", result);
	return result != 42;
}
