/* Texture objects: every geometry, resource and way to read, and the errors for wrong descriptions. */
#include "expect.h"

#include <cstdio>
#include <cstring>

#define OK(call) EXPECT((call) == cudaSuccess)

/* One number per thread and geometry; integers and vectors are summed so that each channel counts. */
__global__ void fetch(cudaTextureObject_t t, int what, float *out)
{
	int x = threadIdx.x, y = threadIdx.y;
	float fx = x + 0.5f, fy = y + 0.5f, v = 0;
	float4 v4;
	uchar4 u4;

	switch (what) {
	case 0: v = tex1Dfetch<float>(t, x - 1); break;
	case 1: v = tex1D<float>(t, fx); break;
	case 2: v = tex2D<float>(t, fx, fy); break;
	case 3: v = tex2D<float>(t, x + 1.0f, y + 0.75f); break;
	case 4: v = tex3D<float>(t, fx, 0.5f, fy); break;
	case 5: v = tex1DLayered<float>(t, fx, y); break;
	case 6: v = tex2DLayered<float>(t, fx, 1.5f, y); break;
	case 7: v = texCubemap<float>(t, 1, 1 - (2 * y + 1) / 2.0f, 1 - (2 * x + 1) / 2.0f); break;
	case 8:
		v4 = tex2D<float4>(t, fx, fy);
		v = v4.x + 10 * v4.y + 100 * v4.z + 1000 * v4.w;
		break;
	case 9:
		tex2D(&u4, t, fx, fy);
		v = u4.x + 10 * u4.y + 100 * u4.z + 1000 * u4.w;
		break;
	case 10: v = tex2D<short>(t, fx, fy); break;
	case 11:
		v4 = tex2Dgather<float4>(t, 1.0f, 1.0f);
		v = v4.x + 10 * v4.y + 100 * v4.z + 1000 * v4.w;
		break;
	case 12: v = tex2DLod<float>(t, (x + 0.5f) / 2, (y + 0.5f) / 2, 1.0f); break;
	case 13: v = tex2DGrad<float>(t, (x + 0.5f) / 2, (y + 0.5f) / 2, make_float2(0.5f, 0), make_float2(0, 0.25f)); break;
	case 14: v = tex2D<float>(t, (x - 3.5f) / 4, (y + 4.5f) / 4); break;
	case 15: v = tex1Dfetch<uint2>(t, x).y; break;
	}
	out[4 * y + x] = v;
}

static float got[16];

static void run(cudaTextureObject_t t, int what)
{
	float *out;

	OK(cudaMalloc(&out, sizeof got));
	fetch<<<1, dim3(4, 4)>>>(t, what, out);
	OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
	OK(cudaFree(out));
}

static cudaTextureDesc description()
{
	cudaTextureDesc d;

	memset(&d, 0, sizeof d);
	for (int i = 0; i < 3; i++)
		d.addressMode[i] = cudaAddressModeClamp;
	d.maxMipmapLevelClamp = 100;
	return d;
}

static cudaTextureObject_t make(const cudaResourceDesc &r, const cudaTextureDesc &d)
{
	cudaTextureObject_t t = 0;

	OK(cudaCreateTextureObject(&t, &r, &d, NULL));
	return t;
}

static cudaTextureObject_t of_array(cudaArray_t array, const cudaTextureDesc &d)
{
	cudaResourceDesc r;

	memset(&r, 0, sizeof r);
	r.resType = cudaResourceTypeArray;
	r.res.array.array = array;
	return make(r, d);
}

template <class T>
static cudaArray_t array_of(const T *data, cudaExtent extent, unsigned flags = 0)
{
	cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
	cudaMemcpy3DParms copy = {};
	cudaArray_t array;

	OK(cudaMalloc3DArray(&array, &format, extent, flags));
	copy.extent = make_cudaExtent(extent.width, extent.height ? extent.height : 1, extent.depth ? extent.depth : 1);
	copy.srcPtr = make_cudaPitchedPtr((void *)data, extent.width * sizeof(T), extent.width, copy.extent.height);
	copy.dstArray = array;
	copy.kind = cudaMemcpyHostToDevice;
	OK(cudaMemcpy3D(&copy));
	return array;
}

static void linear_memory()
{
	cudaResourceDesc r, back;
	cudaTextureDesc d = description();
	float data[4] = {3, 1, 4, 1.5f};
	uint2 pairs[4] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
	void *memory;
	cudaTextureObject_t t;

	memset(&r, 0, sizeof r);
	OK(cudaMalloc(&memory, sizeof pairs));
	OK(cudaMemcpy(memory, data, sizeof data, cudaMemcpyHostToDevice));
	r.resType = cudaResourceTypeLinear;
	r.res.linear.devPtr = memory;
	r.res.linear.desc = cudaCreateChannelDesc<float>();
	r.res.linear.sizeInBytes = 2 * sizeof(float);
	t = make(r, d);
	run(t, 0);
	EXPECT(got[0] == 0 && got[1] == 3 && got[2] == 1 && got[3] == 0);
	OK(cudaGetTextureObjectResourceDesc(&back, t));
	EXPECT(back.res.linear.devPtr == memory && back.res.linear.sizeInBytes == 8);
	OK(cudaDestroyTextureObject(t));
	EXPECT(cudaDestroyTextureObject(t) == cudaErrorInvalidValue);
	OK(cudaMemcpy(memory, pairs, sizeof pairs, cudaMemcpyHostToDevice));
	r.res.linear.desc = cudaCreateChannelDesc<uint2>();
	r.res.linear.sizeInBytes = sizeof pairs;
	t = make(r, d);
	run(t, 15);
	EXPECT(got[0] == 2 && got[3] == 8);
	OK(cudaDestroyTextureObject(t));
	OK(cudaFree(memory));
}

static void pitched_memory()
{
	cudaResourceDesc r;
	cudaTextureDesc d = description();
	float data[4][4], *memory;
	cudaTextureObject_t t;
	size_t pitch;

	memset(&r, 0, sizeof r);
	for (int i = 0; i < 16; i++)
		data[i / 4][i % 4] = i;
	OK(cudaMallocPitch(&memory, &pitch, 16, 4));
	OK(cudaMemcpy2D(memory, pitch, data, 16, 16, 4, cudaMemcpyHostToDevice));
	r.resType = cudaResourceTypePitch2D;
	r.res.pitch2D.devPtr = memory;
	r.res.pitch2D.desc = cudaCreateChannelDesc<float>();
	r.res.pitch2D.width = r.res.pitch2D.height = 4;
	r.res.pitch2D.pitchInBytes = pitch;
	d.filterMode = cudaFilterModeLinear;
	t = make(r, d);
	run(t, 3); /* half way to the right, a quarter down; the last column and row are clamped */
	for (int y = 0; y < 4; y++)
		for (int x = 0; x < 4; x++)
			EXPECT(got[4 * y + x] == (x < 3 ? x + 0.5f : 3) + 4 * (y < 3 ? y + 0.25f : 3));
	OK(cudaDestroyTextureObject(t));
	d.filterMode = cudaFilterModePoint;
	d.normalizedCoords = 1;
	d.addressMode[0] = cudaAddressModeWrap;
	d.addressMode[1] = cudaAddressModeMirror;
	t = make(r, d);
	run(t, 14); /* column x - 4, row y + 4 */
	for (int y = 0; y < 4; y++)
		for (int x = 0; x < 4; x++)
			EXPECT(got[4 * y + x] == data[3 - y][x]);
	OK(cudaDestroyTextureObject(t));
	d.addressMode[0] = d.addressMode[1] = cudaAddressModeBorder;
	t = make(r, d);
	run(t, 14);
	EXPECT(got[0] == 0 && got[15] == 0);
	OK(cudaDestroyTextureObject(t));
	OK(cudaFree(memory));
}

static void arrays()
{
	cudaTextureDesc d = description();
	float data[64];
	uchar4 bytes[16];
	short shorts[16];
	cudaArray_t array;
	cudaTextureObject_t t;

	for (int i = 0; i < 64; i++)
		data[i] = i;
	for (int i = 0; i < 16; i++) {
		bytes[i] = make_uchar4(i, 1, 2, 51);
		shorts[i] = -100 * i;
	}
	array = array_of(data, make_cudaExtent(4, 0, 0));
	t = of_array(array, d);
	run(t, 1);
	EXPECT(got[0] == 0 && got[3] == 3 && got[15] == 3);
	OK(cudaDestroyTextureObject(t));
	OK(cudaFreeArray(array));

	array = array_of(data, make_cudaExtent(4, 4, 0));
	t = of_array(array, d);
	run(t, 2);
	EXPECT(memcmp(got, data, sizeof got) == 0);
	run(t, 11); /* (0,1), (1,1), (1,0), (0,0) */
	EXPECT(got[0] == 4 + 10 * 5 + 100 * 1 + 1000 * 0);
	OK(cudaDestroyTextureObject(t));
	OK(cudaFreeArray(array));

	array = array_of(data, make_cudaExtent(4, 4, 4));
	t = of_array(array, d);
	run(t, 4);
	EXPECT(got[0] == 0 && got[1] == 1 && got[4] == 16 && got[15] == 51);
	OK(cudaDestroyTextureObject(t));
	OK(cudaFreeArray(array));

	array = array_of(data, make_cudaExtent(4, 0, 3), cudaArrayLayered);
	t = of_array(array, d);
	run(t, 5);
	EXPECT(got[0] == 0 && got[4] == 4 && got[11] == 11 && got[15] == 11);
	OK(cudaDestroyTextureObject(t));
	OK(cudaFreeArray(array));

	array = array_of(data, make_cudaExtent(4, 4, 4), cudaArrayLayered);
	t = of_array(array, d);
	run(t, 6);
	EXPECT(got[0] == 4 && got[4] == 20 && got[15] == 55);
	OK(cudaDestroyTextureObject(t));
	OK(cudaFreeArray(array));

	array = array_of(data, make_cudaExtent(2, 2, 6), cudaArrayCubemap);
	t = of_array(array, d);
	run(t, 7); /* the face +x */
	EXPECT(got[0] == 0 && got[1] == 1 && got[4] == 2 && got[5] == 3);
	OK(cudaDestroyTextureObject(t));
	OK(cudaFreeArray(array));

	array = array_of(bytes, make_cudaExtent(4, 4, 0));
	t = of_array(array, d);
	run(t, 9);
	EXPECT(got[0] == 51210 && got[15] == 51225);
	OK(cudaDestroyTextureObject(t));
	d.readMode = cudaReadModeNormalizedFloat;
	t = of_array(array, d);
	run(t, 8);
	EXPECT(got[15] == 15 / 255.0f + 10 * (1 / 255.0f) + 100 * (2 / 255.0f) + 1000 * 0.2f);
	OK(cudaDestroyTextureObject(t));
	OK(cudaFreeArray(array));

	array = array_of(shorts, make_cudaExtent(4, 4, 0));
	d.readMode = cudaReadModeElementType;
	t = of_array(array, d);
	run(t, 10);
	EXPECT(got[0] == 0 && got[15] == -1500);
	OK(cudaDestroyTextureObject(t));
	OK(cudaFreeArray(array));
}

static void mipmaps()
{
	cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
	cudaTextureDesc d = description();
	float base[16], half[4] = {5, 6, 7, 8};
	cudaMipmappedArray_t mipmap;
	cudaResourceDesc r;
	cudaExtent extent;
	cudaArray_t level;
	cudaTextureObject_t t;

	for (int i = 0; i < 16; i++)
		base[i] = i;
	memset(&r, 0, sizeof r);
	OK(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(4, 4, 0), 9));
	OK(cudaGetMipmappedArrayLevel(&level, mipmap, 0));
	OK(cudaMemcpy2DToArray(level, 0, 0, base, 16, 16, 4, cudaMemcpyHostToDevice));
	OK(cudaGetMipmappedArrayLevel(&level, mipmap, 1));
	OK(cudaMemcpy2DToArray(level, 0, 0, half, 8, 8, 2, cudaMemcpyHostToDevice));
	OK(cudaGetMipmappedArrayLevel(&level, mipmap, 2));
	OK(cudaArrayGetInfo(NULL, &extent, NULL, level));
	EXPECT(extent.width == 1 && extent.height == 1);
	EXPECT(cudaGetMipmappedArrayLevel(&level, mipmap, 3) == cudaErrorInvalidValue);
	r.resType = cudaResourceTypeMipmappedArray;
	r.res.mipmap.mipmap = mipmap;
	d.normalizedCoords = 1;
	t = make(r, d);
	run(t, 12);
	EXPECT(got[0] == 5 && got[1] == 6 && got[4] == 7 && got[5] == 8);
	run(t, 13); /* two texels from pixel to pixel: level 1 */
	EXPECT(got[0] == 5 && got[5] == 8);
	OK(cudaDestroyTextureObject(t));
	OK(cudaFreeMipmappedArray(mipmap));
}

static void errors()
{
	cudaTextureDesc d = description();
	cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
	cudaResourceDesc r;
	cudaTextureObject_t t;
	cudaArray_t array;

	memset(&r, 0, sizeof r);
	EXPECT(cudaCreateTextureObject(&t, &r, &d, NULL) == cudaErrorInvalidResourceHandle);
	OK(cudaMallocArray(&array, &format, 4, 4));
	r.res.array.array = array;
	EXPECT(cudaCreateTextureObject(&t, &r, NULL, NULL) == cudaErrorInvalidValue);
	d.filterMode = cudaFilterModeLinear;
	EXPECT(cudaCreateTextureObject(&t, &r, &d, NULL) == cudaErrorInvalidFilterSetting);
	d.filterMode = cudaFilterModePoint;
	d.readMode = cudaReadModeNormalizedFloat;
	EXPECT(cudaCreateTextureObject(&t, &r, &d, NULL) == cudaErrorInvalidNormSetting);
	format.y = 8;
	r.resType = cudaResourceTypeLinear;
	r.res.linear.devPtr = array;
	r.res.linear.desc = format;
	r.res.linear.sizeInBytes = 64;
	EXPECT(cudaCreateTextureObject(&t, &r, &d, NULL) == cudaErrorInvalidChannelDescriptor);
	OK(cudaFreeArray(array));
	cudaGetLastError();
	fetch<<<1, 1>>>(12345, 2, NULL);
	EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
	OK(cudaDeviceReset());
}

int main()
{
	linear_memory();
	pitched_memory();
	arrays();
	mipmaps();
	errors();
	if (!wrong)
		puts("ok");
	return wrong != 0;
}
