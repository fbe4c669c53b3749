/*
 * A program of the driver API's lesser known parts, for any C compiler: libraries, launches with attributes, virtual
 * memory, graphs whose parameters change, texture references, mipmaps, functions by name and release.
 */
#include <cuda.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call)                                                                                                    \
	do {                                                                                                           \
		CUresult result_ = (call);                                                                             \
		if (result_ != CUDA_SUCCESS) {                                                                         \
			const char *name_ = NULL;                                                                      \
			cuGetErrorName(result_, &name_);                                                               \
			fprintf(stderr, "line %d: %s: %s\n", __LINE__, #call, name_ ? name_ : "?");                    \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)

/* step: out[i] = in[i] + bias, then again[i] = in[i + 1] as it is then; 64 threads. */
static const char ptx[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .global .align 4 .u32 bias = 5;\n"
    ".visible .entry step(.param .u64 in, .param .u64 out, .param .u64 again)\n{\n"
    ".reg .b32 %r<9>; .reg .b64 %rd<14>;\n"
    "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; ld.param.u64 %rd3, [again];\n"
    "cvta.to.global.u64 %rd4, %rd1; cvta.to.global.u64 %rd5, %rd2; cvta.to.global.u64 %rd6, %rd3;\n"
    "mov.u32 %r1, %tid.x; mul.wide.u32 %rd7, %r1, 4;\n"
    "add.s64 %rd8, %rd4, %rd7; add.s64 %rd9, %rd5, %rd7; add.s64 %rd10, %rd6, %rd7;\n"
    "ld.global.u32 %r2, [%rd8]; ld.global.u32 %r3, [bias]; add.u32 %r4, %r2, %r3;\n"
    "st.global.u32 [%rd9], %r4; bar.sync 0;\n"
    "add.u32 %r5, %r1, 1; and.b32 %r6, %r5, 63; mul.wide.u32 %rd11, %r6, 4;\n"
    "add.s64 %rd12, %rd4, %rd11; ld.global.u32 %r7, [%rd12]; st.global.u32 [%rd10], %r7; ret;\n}\n";

enum { N = 64 };

static int wrong;
static CUkernel step;
static CUdeviceptr again;

static void fill(CUdeviceptr memory, int start)
{
	int host[N];

	for (int i = 0; i < N; i++)
		host[i] = start + i * i;
	CHECK(cuMemcpyHtoD(memory, host, sizeof host));
}

static void verify(const char *what, CUdeviceptr out, int start, int bias, int aliased)
{
	int got[N], second[N], bad = 0;

	CHECK(cuMemcpyDtoH(got, out, sizeof got));
	CHECK(cuMemcpyDtoH(second, again, sizeof second));
	for (int i = 0; i < N; i++) {
		int next = (i + 1) % N;

		bad += got[i] != start + i * i + bias;
		bad += second[i] != start + next * next + (aliased ? bias : 0);
	}
	printf("%s: %d bad\n", what, bad);
	wrong += bad;
}

static void launch(CUdeviceptr in, CUdeviceptr out)
{
	void *args[] = {&in, &out, &again};
	CUlaunchAttribute attribute;
	CUlaunchConfig config;

	memset(&config, 0, sizeof config);
	memset(&attribute, 0, sizeof attribute);
	attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
	attribute.value.clusterDim.x = attribute.value.clusterDim.y = attribute.value.clusterDim.z = 1;
	config.gridDimX = config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
	config.blockDimX = N;
	config.attrs = &attribute;
	config.numAttrs = 1;
	CHECK(cuLaunchKernelEx(&config, (CUfunction)step, args, NULL));
}

static void libraries(CUlibrary *library, CUdeviceptr a, CUdeviceptr b)
{
	CUdeviceptr bias;
	const char *name;
	CUkernel none;
	size_t size;
	int value, nine = 9;

	CHECK(cuLibraryLoadData(library, ptx, NULL, NULL, 0, NULL, NULL, 0));
	CHECK(cuLibraryGetKernel(&step, *library, "step"));
	CHECK(cuKernelGetName(&name, step));
	CHECK(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, step, 0));
	wrong += strcmp(name, "step") != 0 || value < N;
	wrong += cuLibraryGetKernel(&none, *library, "none") != CUDA_ERROR_NOT_FOUND;
	CHECK(cuLibraryGetGlobal(&bias, &size, *library, "bias"));
	CHECK(cuMemcpyHtoD(bias, &nine, sizeof nine));
	fill(a, 100);
	launch(a, b);
	verify("library", b, 100, 9, 0);
	launch(a, a);
	verify("library, in place", a, 100, 9, 1);
}

/* A handle's contents follow it from map to map. */
static void virtual_memory(void)
{
	CUmemGenericAllocationHandle handles[2];
	CUmemAllocationProp prop;
	CUmemAccessDesc access;
	CUdeviceptr range, other;
	size_t size;

	memset(&prop, 0, sizeof prop);
	prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
	prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
	CHECK(cuMemGetAllocationGranularity(&size, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
	CHECK(cuMemAddressReserve(&range, 2 * size, 0, 0, 0));
	CHECK(cuMemAddressReserve(&other, size, 0, 0, 0));
	access.location = prop.location;
	access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
	wrong += cuMemSetAccess(range, size, &access, 1) == CUDA_SUCCESS;
	for (int i = 0; i < 2; i++) {
		CHECK(cuMemCreate(&handles[i], size, &prop, 0));
		CHECK(cuMemMap(range + i * size, size, 0, handles[i], 0));
	}
	CHECK(cuMemSetAccess(range, 2 * size, &access, 1));
	wrong += cuMemMap(range, size, 0, handles[0], 0) == CUDA_SUCCESS;
	wrong += cuMemMap(other, size, 0, handles[0], 0) == CUDA_SUCCESS; /* one handle at two places */
	fill(range, 200);
	launch(range, range + size);
	verify("virtual memory", range + size, 200, 9, 0);
	launch(range, range);
	verify("virtual memory, in place", range, 200, 9, 1);
	CHECK(cuMemUnmap(range, 2 * size));
	CHECK(cuMemMap(other, size, 0, handles[0], 0));
	CHECK(cuMemSetAccess(other, size, &access, 1));
	verify("mapped elsewhere", other, 200, 9, 1);
	wrong += cuMemAddressFree(other, size) == CUDA_SUCCESS;
	CHECK(cuMemUnmap(other, size));
	CHECK(cuMemRelease(handles[0]));
	CHECK(cuMemRelease(handles[1]));
	wrong += cuMemRelease(handles[1]) == CUDA_SUCCESS;
	CHECK(cuMemAddressFree(range, 2 * size));
	CHECK(cuMemAddressFree(other, size));
}

static void graphs(CUdeviceptr a, CUdeviceptr b)
{
	CUDA_KERNEL_NODE_PARAMS params;
	void *apart[] = {&a, &b, &again}, *same[] = {&a, &a, &again};
	CUgraphExec exec;
	CUgraphNode node;
	CUgraph graph;

	memset(&params, 0, sizeof params);
	CHECK(cuKernelGetFunction(&params.func, step));
	params.gridDimX = params.gridDimY = params.gridDimZ = params.blockDimY = params.blockDimZ = 1;
	params.blockDimX = N;
	params.kernelParams = apart;
	CHECK(cuGraphCreate(&graph, 0));
	CHECK(cuGraphAddKernelNode(&node, graph, NULL, 0, &params));
	CHECK(cuGraphInstantiateWithFlags(&exec, graph, 0));
	fill(a, 300);
	CHECK(cuGraphLaunch(exec, NULL));
	verify("graph", b, 300, 9, 0);
	params.kernelParams = same;
	CHECK(cuGraphExecKernelNodeSetParams(exec, node, &params));
	CHECK(cuGraphLaunch(exec, NULL));
	verify("graph, updated, in place", a, 300, 9, 1);
	CHECK(cuGraphExecDestroy(exec));
	CHECK(cuGraphDestroy(graph));
}

/* look: out[y * W + x] = the texel (x, y) of the reference `image`; twice as wide threads as high. */
static const char look_ptx[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .global .texref image;\n"
    ".visible .entry look(.param .u64 out)\n{\n"
    ".reg .b32 %r<6>; .reg .f32 %f<8>; .reg .b64 %rd<6>;\n"
    "ld.param.u64 %rd1, [out]; cvta.to.global.u64 %rd2, %rd1; mov.u64 %rd3, image;\n"
    "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mad.lo.s32 %r3, %r2, 8, %r1;\n"
    "cvt.rn.f32.u32 %f1, %r1; cvt.rn.f32.u32 %f2, %r2;\n"
    "add.f32 %f1, %f1, 0f3F000000; add.f32 %f2, %f2, 0f3F000000;\n"
    "tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd3, {%f1, %f2}];\n"
    "mul.wide.u32 %rd4, %r3, 4; add.s64 %rd5, %rd2, %rd4; st.global.f32 [%rd5], %f3; ret;\n}\n";

static void look(CUfunction function, CUdeviceptr out, float start, const char *what)
{
	void *args[] = {&out};
	float got[4][8];
	int bad = 0;

	CHECK(cuLaunchKernel(function, 1, 1, 1, 8, 4, 1, 0, NULL, args, NULL));
	CHECK(cuMemcpyDtoH(got, out, sizeof got));
	for (int y = 0; y < 4; y++)
		for (int x = 0; x < 8; x++)
			bad += got[y][x] != start + 10 * y + x;
	printf("%s: %d bad\n", what, bad);
	wrong += bad;
}

static void references(CUdeviceptr out)
{
	CUDA_ARRAY3D_DESCRIPTOR whole;
	CUDA_ARRAY_DESCRIPTOR shape;
	CUmipmappedArray mipmap;
	CUDA_MEMCPY3D copy;
	float host[4][8];
	CUfunction function;
	CUdeviceptr rows;
	CUtexref reference;
	CUmodule module;
	CUarray array;
	size_t pitch;

	for (int y = 0; y < 4; y++)
		for (int x = 0; x < 8; x++)
			host[y][x] = (float)(10 * y + x);
	CHECK(cuModuleLoadData(&module, look_ptx));
	CHECK(cuModuleGetFunction(&function, module, "look"));
	CHECK(cuModuleGetTexRef(&reference, module, "image"));
	wrong += cuModuleGetTexRef(&reference, module, "none") != CUDA_ERROR_NOT_FOUND;
	memset(&whole, 0, sizeof whole);
	whole.Width = 16;
	whole.Height = 8;
	whole.Format = CU_AD_FORMAT_FLOAT;
	whole.NumChannels = 1;
	CHECK(cuMipmappedArrayCreate(&mipmap, &whole, 2));
	CHECK(cuMipmappedArrayGetLevel(&array, mipmap, 1));
	memset(&copy, 0, sizeof copy);
	copy.srcMemoryType = CU_MEMORYTYPE_HOST;
	copy.srcHost = host;
	copy.srcPitch = sizeof host[0];
	copy.srcHeight = 4;
	copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
	copy.dstArray = array;
	copy.WidthInBytes = sizeof host[0];
	copy.Height = 4;
	copy.Depth = 1;
	CHECK(cuMemcpy3D(&copy));
	CHECK(cuTexRefSetArray(reference, array, CU_TRSA_OVERRIDE_FORMAT));
	CHECK(cuTexRefSetFilterMode(reference, CU_TR_FILTER_MODE_POINT));
	CHECK(cuTexRefSetAddressMode(reference, 0, CU_TR_ADDRESS_MODE_CLAMP));
	look(function, out, 0, "reference to a level");
	for (int y = 0; y < 4; y++)
		for (int x = 0; x < 8; x++)
			host[y][x] += 500;
	CHECK(cuMemAllocPitch(&rows, &pitch, sizeof host[0], 4, 4));
	copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
	copy.dstDevice = rows;
	copy.dstPitch = pitch;
	copy.dstHeight = 4;
	CHECK(cuMemcpy3D(&copy));
	shape.Width = 8;
	shape.Height = 4;
	shape.Format = CU_AD_FORMAT_FLOAT;
	shape.NumChannels = 1;
	CHECK(cuTexRefSetAddress2D(reference, &shape, rows, pitch));
	look(function, out, 500, "reference to rows");
	CHECK(cuMipmappedArrayDestroy(mipmap));
	CHECK(cuMemFree(rows));
	CHECK(cuModuleUnload(module));
}

static void names(void)
{
	static const struct {
		const char *name;
		int version, found;
	} asked[] = {{"cuMemAlloc", 12000, 1}, {"cuMemAlloc_v2", 12000, 1}, {"cuLaunchKernel", 13000, 1},
		     {"cuCtxCreate", 3020, 1}, {"cuCtxCreate", 13000, 1},   {"cuNothing", 13000, 0}};

	for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
		void *function = NULL;

		cuGetProcAddress(asked[i].name, &function, asked[i].version, 0, NULL);
		wrong += (function != NULL) != asked[i].found;
	}
}

int main(void)
{
	CUdeviceptr a, b;
	CUlibrary library;
	CUcontext context;
	CUdevice device;

	CHECK(cuInit(0));
	CHECK(cuDeviceGet(&device, 0));
	CHECK(cuDevicePrimaryCtxRetain(&context, device));
	CHECK(cuCtxSetCurrent(context));
	CHECK(cuMemAlloc(&a, N * sizeof(int)));
	CHECK(cuMemAlloc(&b, N * sizeof(int)));
	CHECK(cuMemAlloc(&again, N * sizeof(int)));
	libraries(&library, a, b);
	virtual_memory();
	graphs(a, b);
	references(b);
	names();
	CHECK(cuMemFree(a));
	CHECK(cuMemFree(b));
	CHECK(cuMemFree(again));
	CHECK(cuLibraryUnload(library));
	CHECK(cuDevicePrimaryCtxRelease(device));
	printf("all: %d wrong\n", wrong);
	return wrong != 0;
}
