/* A program of the driver API alone, for any C compiler: PTX from a string, a launch, and copies back. */
#include <cuda.h>

#include <stdio.h>
#include <string.h>

#define CHECK(call)                                                                                                    \
	do {                                                                                                           \
		CUresult result_ = (call);                                                                             \
		if (result_ != CUDA_SUCCESS) {                                                                         \
			const char *name_ = NULL;                                                                      \
			cuGetErrorName(result_, &name_);                                                               \
			fprintf(stderr, "line %d: %s: %s\n", __LINE__, #call, name_ ? name_ : "?");                    \
			return 1;                                                                                      \
		}                                                                                                      \
	} while (0)

static const char ptx[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
			  ".visible .global .align 4 .u32 bias = 5;\n"
			  ".visible .entry add(.param .u64 in, .param .u64 out)\n{\n"
			  ".reg .b32 %r<5>; .reg .b64 %rd<8>;\n"
			  "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];\n"
			  "cvta.to.global.u64 %rd3, %rd1; cvta.to.global.u64 %rd4, %rd2;\n"
			  "mov.u32 %r1, %tid.x; mul.wide.u32 %rd5, %r1, 4;\n"
			  "add.s64 %rd6, %rd3, %rd5; add.s64 %rd7, %rd4, %rd5;\n"
			  "ld.global.u32 %r2, [%rd6]; ld.global.u32 %r3, [bias]; add.u32 %r4, %r2, %r3;\n"
			  "st.global.u32 [%rd7], %r4; ret;\n}\n";

enum { N = 64 };

int main(void)
{
	int in[N], out[N], count = 0, major = 0, wrong = 0;
	CUdeviceptr a, b, bias;
	CUdevice device;
	CUcontext context;
	CUmodule module;
	CUfunction add;
	char name[100];
	size_t size;
	unsigned nine = 9;
	void *args[] = {&a, &b};

	CHECK(cuInit(0));
	CHECK(cuDeviceGetCount(&count));
	CHECK(cuDeviceGet(&device, 0));
	CHECK(cuDeviceGetName(name, sizeof name, device));
	CHECK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
#if CUDA_VERSION >= 13000
	CHECK(cuCtxCreate(&context, NULL, 0, device));
#else
	CHECK(cuCtxCreate(&context, 0, device));
#endif
	CHECK(cuModuleLoadData(&module, ptx));
	CHECK(cuModuleGetFunction(&add, module, "add"));
	CHECK(cuModuleGetGlobal(&bias, &size, module, "bias"));
	CHECK(cuMemAlloc(&a, sizeof in));
	CHECK(cuMemAlloc(&b, sizeof in));
	for (int i = 0; i < N; i++)
		in[i] = i * i;
	CHECK(cuMemcpyHtoD(a, in, sizeof in));
	CHECK(cuMemcpyHtoD(bias, &nine, sizeof nine));
	CHECK(cuLaunchKernel(add, 1, 1, 1, N, 1, 1, 0, NULL, args, NULL));
	CHECK(cuCtxSynchronize());
	CHECK(cuMemcpyDtoH(out, b, sizeof out));
	for (int i = 0; i < N; i++)
		wrong += out[i] != i * i + 9;
	args[1] = &a;
	CHECK(cuLaunchKernel(add, 1, 1, 1, N, 1, 1, 0, NULL, args, NULL));
	CHECK(cuMemcpyDtoH(out, a, sizeof out));
	for (int i = 0; i < N; i++)
		wrong += out[i] != i * i + 9;
	CHECK(cuMemFree(a));
	CHECK(cuMemFree(b));
	CHECK(cuModuleUnload(module));
	CHECK(cuCtxDestroy(context));
	printf("%d of %d devices used: '%s', major %d; %zu bytes of bias; %d wrong\n", 1, count, name, major, size,
	       wrong);
	return wrong != 0;
}
