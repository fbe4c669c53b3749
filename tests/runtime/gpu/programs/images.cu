/*
 * Textures and surfaces of every kind, managed variables, and clusters asked for at the launch, on whatever device runs
 * them. Only what every GPU computes exactly is expected: single texels, and the middle between two.
 */
#include "../../../../samples/common/check.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

enum { W = 32, H = 8, D = 4 };

__managed__ int visits = 7;
__managed__ float table[H] = {0.5f};

static texture<float, 2, cudaReadModeElementType> reference;

static int wrong;

static void expect(const char *what, const float *device, float (*value)(int x, int y), int rows)
{
	float got[H * W];
	int bad = 0;

	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy(got, device, rows * W * sizeof(float), cudaMemcpyDeviceToHost));
	for (int y = 0; y < rows; y++)
		for (int x = 0; x < W; x++)
			bad += got[y * W + x] != value(x, y);
	printf("%-24s %d wrong\n", what, bad);
	wrong += bad;
}

static float texel(int x, int y)
{
	return (float)(100 * y + x);
}

static float middle(int x, int y)
{
	return texel(x, y) + (x < W - 1 ? 0.5f : 0);
}

static float layer_two(int x, int y)
{
	return texel(x, y) + 2000;
}

static float half_size(int x, int y)
{
	return texel(x / 2, y / 2) + 5000;
}

static float doubled(int x, int y)
{
	return 2 * texel(x, y);
}

static float plus_byte(int x, int y)
{
	return (float)((x + y) % 256);
}

/* --- Kernels: a thread a texel -------------------------------------------------------------------------------------
 */

__global__ void fetch_linear(cudaTextureObject_t t, float *out)
{
	int i = blockIdx.x * W + threadIdx.x;

	out[i] = tex1Dfetch<float>(t, i);
}

__global__ void fetch_2d(cudaTextureObject_t t, float *out, float dx)
{
	out[blockIdx.x * W + threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f + dx, blockIdx.x + 0.5f);
}

__global__ void fetch_bytes(cudaTextureObject_t t, float *out)
{
	out[blockIdx.x * W + threadIdx.x] = tex2D<unsigned char>(t, threadIdx.x + 0.5f, blockIdx.x + 0.5f);
}

__global__ void fetch_3d(cudaTextureObject_t t, float *out)
{
	out[blockIdx.x * W + threadIdx.x] = tex3D<float>(t, threadIdx.x + 0.5f, blockIdx.x + 0.5f, 2.5f);
}

__global__ void fetch_layer(cudaTextureObject_t t, float *out)
{
	out[blockIdx.x * W + threadIdx.x] = tex2DLayered<float>(t, threadIdx.x + 0.5f, blockIdx.x + 0.5f, 2);
}

__global__ void fetch_level(cudaTextureObject_t t, float *out)
{
	out[blockIdx.x * W + threadIdx.x] = tex2DLod<float>(t, (threadIdx.x + 0.5f) / W, (blockIdx.x + 0.5f) / H, 1.0f);
}

__global__ void fetch_reference(float *out)
{
	out[blockIdx.x * W + threadIdx.x] = tex2D(reference, threadIdx.x + 0.5f, blockIdx.x + 0.5f);
}

__global__ void double_surface(cudaSurfaceObject_t s)
{
	float v = surf2Dread<float>(s, threadIdx.x * sizeof(float), blockIdx.x);

	surf2Dwrite(2 * v, s, threadIdx.x * sizeof(float), blockIdx.x);
}

__global__ void visit(float add)
{
	atomicAdd(&visits, 1);
	if (threadIdx.x < H)
		table[threadIdx.x] += add;
}

__global__ void plus_one(const float *in, float *out)
{
	out[blockIdx.x * W + threadIdx.x] = in[blockIdx.x * W + threadIdx.x] + 1;
}

/* --- Cases ---------------------------------------------------------------------------------------------------------
 */

static float host[D][H][W];
static float *out;

static cudaTextureObject_t make(const cudaResourceDesc *resource, bool filter, bool normalized)
{
	cudaTextureDesc how;
	cudaTextureObject_t t;

	memset(&how, 0, sizeof how);
	how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = cudaAddressModeClamp;
	how.filterMode = filter ? cudaFilterModeLinear : cudaFilterModePoint;
	how.readMode = cudaReadModeElementType;
	how.normalizedCoords = normalized;
	how.maxMipmapLevelClamp = 10;
	CHECK(cudaCreateTextureObject(&t, resource, &how, NULL));
	return t;
}

static void of_memory(void)
{
	cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
	cudaResourceDesc r;
	cudaTextureObject_t t;
	size_t pitch;
	char *memory;

	CHECK(cudaMallocPitch((void **)&memory, &pitch, W * sizeof(float), H));
	CHECK(cudaMemcpy(memory, host[0], sizeof host[0], cudaMemcpyHostToDevice));
	memset(&r, 0, sizeof r);
	r.resType = cudaResourceTypeLinear;
	r.res.linear.devPtr = memory;
	r.res.linear.desc = floats;
	r.res.linear.sizeInBytes = sizeof host[0];
	t = make(&r, false, false);
	fetch_linear<<<H, W>>>(t, out);
	expect("linear memory", out, texel, H);
	CHECK(cudaDestroyTextureObject(t));
	CHECK(cudaMemcpy2D(memory, pitch, host[0], W * sizeof(float), W * sizeof(float), H, cudaMemcpyHostToDevice));
	memset(&r, 0, sizeof r);
	r.resType = cudaResourceTypePitch2D;
	r.res.pitch2D.devPtr = memory;
	r.res.pitch2D.desc = floats;
	r.res.pitch2D.width = W;
	r.res.pitch2D.height = H;
	r.res.pitch2D.pitchInBytes = pitch;
	t = make(&r, true, false);
	fetch_2d<<<H, W>>>(t, out, 0);
	expect("pitched memory", out, texel, H);
	fetch_2d<<<H, W>>>(t, out, 0.5f);
	expect("pitched memory, filtered", out, middle, H);
	CHECK(cudaDestroyTextureObject(t));
	CHECK(cudaFree(memory));
}

static void of_arrays(void)
{
	cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>(), bytes = cudaCreateChannelDesc<unsigned char>();
	unsigned char small[H][W];
	cudaResourceDesc r;
	cudaTextureObject_t t;
	cudaSurfaceObject_t s;
	cudaArray_t array;

	memset(&r, 0, sizeof r);
	r.resType = cudaResourceTypeArray;
	CHECK(cudaMallocArray(&array, &floats, W, H, cudaArraySurfaceLoadStore));
	CHECK(
	    cudaMemcpy2DToArray(array, 0, 0, host[0], W * sizeof(float), W * sizeof(float), H, cudaMemcpyHostToDevice));
	r.res.array.array = array;
	t = make(&r, true, false);
	fetch_2d<<<H, W>>>(t, out, 0.5f);
	expect("array, filtered", out, middle, H);
	CHECK(cudaCreateSurfaceObject(&s, &r));
	double_surface<<<H, W>>>(s);
	fetch_2d<<<H, W>>>(t, out, 0);
	expect("surface, then texture", out, doubled, H);
	CHECK(cudaMemcpy2DFromArray(host[1], W * sizeof(float), array, 0, 0, W * sizeof(float), H,
				    cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(out, host[1], sizeof host[1], cudaMemcpyHostToDevice));
	expect("array, read back", out, doubled, H);
	CHECK(cudaDestroySurfaceObject(s));
	CHECK(cudaDestroyTextureObject(t));
	CHECK(cudaFreeArray(array));
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++)
			small[y][x] = (unsigned char)(x + y);
	CHECK(cudaMallocArray(&array, &bytes, W, H, 0));
	CHECK(cudaMemcpy2DToArray(array, 0, 0, small, W, W, H, cudaMemcpyHostToDevice));
	r.res.array.array = array;
	t = make(&r, false, false);
	fetch_bytes<<<H, W>>>(t, out);
	expect("array of bytes", out, plus_byte, H);
	CHECK(cudaDestroyTextureObject(t));
	CHECK(cudaFreeArray(array));
}

static void of_volumes(unsigned flags)
{
	cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
	cudaMemcpy3DParms copy;
	cudaResourceDesc r;
	cudaTextureObject_t t;
	cudaArray_t array;

	for (int z = 0; z < D; z++)
		for (int y = 0; y < H; y++)
			for (int x = 0; x < W; x++)
				host[z][y][x] = texel(x, y) + 1000 * z;
	CHECK(cudaMalloc3DArray(&array, &floats, make_cudaExtent(W, H, D), flags));
	memset(&copy, 0, sizeof copy);
	copy.srcPtr = make_cudaPitchedPtr(host, W * sizeof(float), W, H);
	copy.dstArray = array;
	copy.extent = make_cudaExtent(W, H, D);
	copy.kind = cudaMemcpyHostToDevice;
	CHECK(cudaMemcpy3D(&copy));
	memset(&r, 0, sizeof r);
	r.resType = cudaResourceTypeArray;
	r.res.array.array = array;
	t = make(&r, false, false);
	if (flags)
		fetch_layer<<<H, W>>>(t, out);
	else
		fetch_3d<<<H, W>>>(t, out);
	expect(flags ? "layers" : "volume", out, layer_two, H);
	CHECK(cudaDestroyTextureObject(t));
	CHECK(cudaFreeArray(array));
}

static void of_levels(void)
{
	cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
	float level[H / 2][W / 2];
	cudaMipmappedArray_t mipmap;
	cudaArray_t array;
	cudaResourceDesc r;
	cudaTextureObject_t t;

	for (int y = 0; y < H / 2; y++)
		for (int x = 0; x < W / 2; x++)
			level[y][x] = texel(x, y) + 5000;
	CHECK(cudaMallocMipmappedArray(&mipmap, &floats, make_cudaExtent(W, H, 0), 3, 0));
	CHECK(cudaGetMipmappedArrayLevel(&array, mipmap, 1));
	CHECK(cudaMemcpy2DToArray(array, 0, 0, level, sizeof level[0], sizeof level[0], H / 2, cudaMemcpyHostToDevice));
	memset(&r, 0, sizeof r);
	r.resType = cudaResourceTypeMipmappedArray;
	r.res.mipmap.mipmap = mipmap;
	t = make(&r, false, true);
	fetch_level<<<H, W>>>(t, out);
	expect("mipmap, level 1", out, half_size, H);
	CHECK(cudaDestroyTextureObject(t));
	CHECK(cudaFreeMipmappedArray(mipmap));
}

static void by_reference(void)
{
	cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
	cudaArray_t array;

	CHECK(cudaMallocArray(&array, &floats, W, H, 0));
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++)
			host[0][y][x] = texel(x, y);
	CHECK(
	    cudaMemcpy2DToArray(array, 0, 0, host[0], W * sizeof(float), W * sizeof(float), H, cudaMemcpyHostToDevice));
	reference.addressMode[0] = reference.addressMode[1] = cudaAddressModeClamp;
	CHECK(cudaBindTextureToArray(reference, array, floats));
	fetch_reference<<<H, W>>>(out);
	expect("reference", out, texel, H);
	CHECK(cudaUnbindTexture(reference));
	CHECK(cudaFreeArray(array));
}

static void managed_variables(void)
{
	int bad = visits != 7 || table[0] != 0.5f || table[1] != 0;

	visits = 100;
	table[1] = 8;
	visit<<<2, W>>>(1);
	CHECK(cudaDeviceSynchronize());
	bad += visits != 100 + 2 * W || table[1] != 10 || table[2] != 2;
	visits = 0;
	visit<<<1, W>>>(1);
	CHECK(cudaDeviceSynchronize());
	bad += visits != W || table[1] != 11;
	printf("%-24s %d wrong\n", "managed variables", bad);
	wrong += bad;
}

static float texel_plus_one(int x, int y)
{
	return texel(x, y) + 1;
}

static void clusters(void)
{
	cudaLaunchConfig_t config;
	cudaLaunchAttribute attribute;
	const float *in;
	float *memory;
	void *args[] = {&in, &out};
	int major = 0;

	CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
	CHECK(cudaMalloc(&memory, sizeof host[0]));
	CHECK(cudaMemcpy(memory, host[0], sizeof host[0], cudaMemcpyHostToDevice));
	in = memory;
	memset(&config, 0, sizeof config);
	memset(&attribute, 0, sizeof attribute);
	config.gridDim = dim3(H);
	config.blockDim = dim3(W);
	config.attrs = &attribute;
	config.numAttrs = 1;
	attribute.id = cudaLaunchAttributeClusterDimension;
	attribute.val.clusterDim.x = 4;
	attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
	if (cudaLaunchKernelExC(&config, (const void *)plus_one, args) != cudaSuccess && major < 9) {
		printf("%-24s not on this GPU\n", "clusters");
		cudaGetLastError();
	} else {
		expect("clusters", out, texel_plus_one, H);
	}
	attribute.val.clusterDim.x = 3;
	wrong += cudaLaunchKernelExC(&config, (const void *)plus_one, args) != cudaErrorInvalidClusterSize;
	cudaGetLastError();
	CHECK(cudaFree(memory));
}

int main()
{
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++)
			host[0][y][x] = texel(x, y);
	CHECK(cudaMalloc(&out, sizeof host[0]));
	of_memory();
	of_arrays();
	of_volumes(0);
	of_volumes(cudaArrayLayered);
	of_levels();
	by_reference();
	managed_variables();
	clusters();
	CHECK(cudaFree(out));
	printf("%d wrong\n", wrong);
	return wrong != 0;
}
