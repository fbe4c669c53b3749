/*
 * Launches every kernel of truth/disguised.cu out of a file of PTX, and prints what each leaves in memory:
 *
 *   launch_disguised FILE.ptx SOURCE.cu [aliased]
 *
 * Kernels are those that SOURCE says the truth of. `aliased`: buffers are one, too, in every way there is, but for
 * kernels that promise that they are not (restrict_c...).
 */
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

enum { WORDS = 256, BUFFERS = 3 };

/* The bytes that all kernels have as parameters. */
struct parameters {
	CUdeviceptr buffer[BUFFERS];
	long n;
	long rest; // by_value_struct has a struct of three words in the first place
};

static void check(CUresult result, const char *what)
{
	const char *text = "";

	if (result == CUDA_SUCCESS)
		return;
	cuGetErrorString(result, &text);
	fprintf(stderr, "%s: %s\n", what, text);
	exit(1);
}

/* FNV-1a. */
static unsigned sum_of(const std::vector<int> &words)
{
	unsigned sum = 2166136261u;

	for (int word : words)
		sum = (sum ^ (unsigned)word) * 16777619u;
	return sum;
}

/* The memory after a launch, without addresses: pointer_swap_in stores one in the third buffer. */
static void launch(CUfunction kernel, const char *name, const CUdeviceptr *buffers, const unsigned *which, long n)
{
	parameters p = {{buffers[which[0]], buffers[which[1]], buffers[which[2]]}, n, 0};
	size_t size = sizeof p;
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &p, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
	std::vector<int> words(WORDS);

	for (unsigned b = 0; b < BUFFERS; b++) {
		for (unsigned i = 0; i < WORDS; i++)
			words[i] = i < 2 ? 0 : (int)(i * (b + 1) % 19);
		check(cuMemcpyHtoD(buffers[b], words.data(), WORDS * sizeof(int)), name);
	}
	check(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra), name);
	check(cuCtxSynchronize(), name);
	printf("%s %u%u%u %ld:", name, which[0], which[1], which[2], n);
	for (unsigned b = 0; b < BUFFERS; b++) {
		check(cuMemcpyDtoH(words.data(), buffers[b], WORDS * sizeof(int)), name);
		if (strcmp(name, "pointer_swap_in") == 0)
			words[0] = words[1] = 0;
		printf(" %08x", sum_of(words));
	}
	printf("\n");
}

static void launch_all(CUmodule module, const char *name, const CUdeviceptr *buffers, bool aliased)
{
	CUfunction kernel;

	check(cuModuleGetFunction(&kernel, module, name), name);
	for (long n = 2; n < 4; n++)
		for (unsigned w = 0; w < 27; w++) {
			const unsigned which[BUFFERS] = {w % 3, w / 3 % 3, w / 9};

			if (aliased || (which[0] == 0 && which[1] == 1 && which[2] == 2))
				launch(kernel, name, buffers, which, n);
		}
}

int main(int argc, char **argv)
{
	CUdeviceptr buffers[BUFFERS];
	CUcontext context;
	CUmodule module;
	CUdevice device;
	char line[256], name[64];
	FILE *source = argc > 2 ? fopen(argv[2], "r") : nullptr;

	if (!source) {
		fprintf(stderr, "usage: launch_disguised FILE.ptx SOURCE.cu [aliased]\n");
		return 2;
	}
	check(cuInit(0), "cuInit");
	check(cuDeviceGet(&device, 0), "cuDeviceGet");
	check(cuCtxCreate(&context, 0, device), "cuCtxCreate");
	check(cuModuleLoad(&module, argv[1]), argv[1]);
	for (CUdeviceptr &buffer : buffers)
		check(cuMemAlloc(&buffer, WORDS * sizeof(int)), "cuMemAlloc");
	while (fgets(line, sizeof line, source))
		if (sscanf(line, "// TRUTH %63s", name) == 1)
			launch_all(module, name, buffers, argc > 3 && strncmp(name, "restrict_c", 10) != 0);
	fclose(source);
	return 0;
}
