/* Texture and surface references: bound to linear memory, pitched memory and arrays, bound again, and unbound. */
#include "expect.h"

#include <cstdio>
#include <cstring>

#define OK(call) EXPECT((call) == cudaSuccess)

enum { WIDTH = 16, HEIGHT = 8, COUNT = WIDTH * HEIGHT };

texture<float> numbers;
texture<int2, cudaTextureType1D, cudaReadModeElementType> doubles;
texture<float, cudaTextureType2D> plane;
texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> colours;
texture<float, cudaTextureType3D> block;
static texture<unsigned, 1> counts(0, cudaFilterModePoint, cudaAddressModeBorder);
surface<void, cudaSurfaceType2D> target;

/* How programs read double precision through a texture. */
static __inline__ __device__ double fetch_double(texture<int2, 1> t, int i)
{
	int2 v = tex1Dfetch(t, i);

	return __hiloint2double(v.y, v.x);
}

__global__ void read_lines(float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	out[i] = tex1Dfetch(numbers, i) + (float)fetch_double(doubles, i) + tex1Dfetch(counts, i);
}

__global__ void read_planes(float *out)
{
	int x = threadIdx.x, y = threadIdx.y;
	float4 c = tex2D(colours, x + 0.5f, y + 0.5f);

	out[WIDTH * y + x] = tex2D(plane, x + 1.0f, y + 0.5f) + c.x * 255 + c.w + tex3D(block, x + 0.5f, y + 0.5f, 0.5f);
}

__global__ void write_target(int add)
{
	int x = threadIdx.x, y = threadIdx.y;
	uchar4 c;

	surf2Dread(&c, target, x * (int)sizeof c, y);
	c.x += add;
	surf2Dwrite(c, target, x * (int)sizeof c, y);
}

static float got[COUNT];

static void result(float *out)
{
	OK(cudaDeviceSynchronize());
	OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
}

static void lines(float *out)
{
	float f[COUNT], *df, *other;
	double d[COUNT], *dd;
	unsigned u[COUNT], *du;
	const textureReference *reference;
	size_t offset = 1;

	for (int i = 0; i < COUNT; i++) {
		f[i] = 2 * i;
		d[i] = 0.25 * i;
		u[i] = i % 3;
	}
	OK(cudaMalloc(&df, sizeof f));
	OK(cudaMalloc(&other, sizeof f));
	OK(cudaMalloc(&dd, sizeof d));
	OK(cudaMalloc(&du, sizeof u));
	OK(cudaMemcpy(df, f, sizeof f, cudaMemcpyHostToDevice));
	OK(cudaMemset(other, 0, sizeof f));
	OK(cudaMemcpy(dd, d, sizeof d, cudaMemcpyHostToDevice));
	OK(cudaMemcpy(du, u, sizeof u, cudaMemcpyHostToDevice));
	OK(cudaBindTexture(&offset, numbers, df, sizeof f));
	EXPECT(offset == 0);
	OK(cudaBindTexture(NULL, doubles, dd));
	OK(cudaGetTextureReference(&reference, &counts));
	EXPECT(reference == &counts);
	OK(cudaBindTexture(NULL, reference, du, &counts.channelDesc, sizeof u / 2));
	OK(cudaGetTextureAlignmentOffset(&offset, counts));
	read_lines<<<COUNT / 32, 32>>>(out);
	result(out);
	for (int i = 0; i < COUNT; i++)
		EXPECT(got[i] == f[i] + d[i] + (i < COUNT / 2 ? u[i] : 0));
	OK(cudaBindTexture(NULL, numbers, other, sizeof f));
	read_lines<<<COUNT / 32, 32>>>(out);
	result(out);
	EXPECT(got[4] == d[4] + u[4]);
	OK(cudaUnbindTexture(numbers));
	OK(cudaUnbindTexture(numbers));
	EXPECT(cudaGetTextureAlignmentOffset(&offset, numbers) == cudaErrorInvalidTextureBinding);
	OK(cudaFree(df));
	OK(cudaFree(other));
	OK(cudaFree(dd));
	OK(cudaFree(du));
}

static void planes(float *out)
{
	float f[HEIGHT][WIDTH], *memory;
	uchar4 c[HEIGHT][WIDTH];
	cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
	cudaChannelFormatDesc single = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
	cudaMemcpy3DParms copy = {};
	cudaArray *array, *cube;
	size_t pitch;

	for (int i = 0; i < COUNT; i++) {
		f[i / WIDTH][i % WIDTH] = i;
		c[i / WIDTH][i % WIDTH] = make_uchar4(i, 0, 0, 255);
	}
	OK(cudaMallocPitch(&memory, &pitch, sizeof f[0], HEIGHT));
	OK(cudaMemcpy2D(memory, pitch, f, sizeof f[0], sizeof f[0], HEIGHT, cudaMemcpyHostToDevice));
	plane.filterMode = cudaFilterModeLinear;
	plane.addressMode[0] = plane.addressMode[1] = cudaAddressModeClamp;
	plane.normalized = false;
	OK(cudaBindTexture2D(NULL, plane, memory, WIDTH, HEIGHT, pitch));
	OK(cudaMallocArray(&array, &format, WIDTH, HEIGHT, cudaArraySurfaceLoadStore));
	OK(cudaMemcpyToArray(array, 0, 0, c, sizeof c, cudaMemcpyHostToDevice));
	OK(cudaBindTextureToArray(colours, array));
	OK(cudaBindSurfaceToArray(target, array));
	OK(cudaMalloc3DArray(&cube, &single, make_cudaExtent(WIDTH, HEIGHT, 1)));
	copy.srcPtr = make_cudaPitchedPtr(f, sizeof f[0], WIDTH, HEIGHT);
	copy.dstArray = cube;
	copy.extent = make_cudaExtent(WIDTH, HEIGHT, 1);
	copy.kind = cudaMemcpyHostToDevice;
	OK(cudaMemcpy3D(&copy));
	OK(cudaBindTextureToArray(block, cube, single));
	write_target<<<1, dim3(WIDTH, HEIGHT)>>>(3);
	read_planes<<<1, dim3(WIDTH, HEIGHT)>>>(out);
	result(out);
	for (int y = 0; y < HEIGHT; y++)
		for (int x = 0; x < WIDTH; x++) {
			float between = x < WIDTH - 1 ? f[y][x] + 0.5f : f[y][x];

			EXPECT(got[WIDTH * y + x] == between + (c[y][x].x + 3) / 255.0f * 255 + 1 + f[y][x]);
		}
	OK(cudaUnbindTexture(plane));
	OK(cudaFree(memory));
	OK(cudaFreeArray(array));
	OK(cudaFreeArray(cube));
}

int main()
{
	float *out;

	OK(cudaMalloc(&out, sizeof got));
	lines(out);
	planes(out);
	read_lines<<<1, 32>>>(out); /* nothing is bound to `numbers` */
	EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
	if (!wrong)
		puts("ok");
	return wrong != 0;
}
