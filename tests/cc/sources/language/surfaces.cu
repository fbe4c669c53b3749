/* Surfaces: loads and stores of every size and geometry, and places outside under the three rules. */
#include "expect.h"

#include <cstdio>
#include <cstring>

#define OK(call) EXPECT((call) == cudaSuccess)

enum { SIDE = 4 };

template <class T>
__global__ void write_plane(cudaSurfaceObject_t s, T *values)
{
	int x = threadIdx.x, y = threadIdx.y;

	surf2Dwrite(values[SIDE * y + x], s, x * (int)sizeof(T), y);
}

template <class T>
__global__ void read_plane(cudaSurfaceObject_t s, T *values)
{
	int x = threadIdx.x, y = threadIdx.y;

	values[SIDE * y + x] = surf2Dread<T>(s, x * (int)sizeof(T), y);
}

/* Beyond all four sides; the plane is what is inside. */
__global__ void read_beyond(cudaSurfaceObject_t s, int *zero, int *clamp)
{
	int x = (int)threadIdx.x - 1, y = (int)threadIdx.y - 1, at = threadIdx.y * (SIDE + 2) + threadIdx.x;

	zero[at] = surf2Dread<int>(s, x * 4, y, cudaBoundaryModeZero);
	surf2Dread(&clamp[at], s, x * 4, y, cudaBoundaryModeClamp);
	if (x == -1)
		surf2Dwrite(99, s, x * 4, y, cudaBoundaryModeZero); /* is dropped */
}

__global__ void other_geometries(cudaSurfaceObject_t line, cudaSurfaceObject_t block, cudaSurfaceObject_t layers, int *out)
{
	int x = threadIdx.x, y = threadIdx.y, i = SIDE * y + x;

	if (y == 0)
		surf1Dwrite(10 * x, line, x * 4);
	surf3Dwrite(i, block, x * 4, 1, y);
	surf2DLayeredwrite(100 + i, layers, x * 4, y, 1);
	out[i] = surf1Dread<int>(line, x * 4) + surf3Dread<int>(block, x * 4, 1, y) +
		 surf2DLayeredread<int>(layers, x * 4, y, 1);
}

__global__ void read_outside(cudaSurfaceObject_t s, int *out)
{
	*out = surf2Dread<int>(s, 4 * SIDE, 0);
}

static cudaArray_t new_array(cudaChannelFormatDesc format, cudaExtent extent, unsigned flags = 0)
{
	cudaArray_t array;

	OK(cudaMalloc3DArray(&array, &format, extent, flags | cudaArraySurfaceLoadStore));
	return array;
}

static cudaSurfaceObject_t surface_of(cudaArray_t array)
{
	cudaSurfaceObject_t s = 0;
	cudaResourceDesc r;

	memset(&r, 0, sizeof r);
	r.resType = cudaResourceTypeArray;
	r.res.array.array = array;
	OK(cudaCreateSurfaceObject(&s, &r));
	return s;
}

template <class T>
static void one_type(const char *name)
{
	cudaArray_t array = new_array(cudaCreateChannelDesc<T>(), make_cudaExtent(SIDE, SIDE, 0));
	cudaSurfaceObject_t s = surface_of(array);
	unsigned char in[SIDE * SIDE * sizeof(T)], out[sizeof in], whole[sizeof in];
	T *values;

	for (size_t i = 0; i < sizeof in; i++)
		in[i] = (unsigned char)(7 * i + 1);
	OK(cudaMalloc(&values, sizeof in));
	OK(cudaMemcpy(values, in, sizeof in, cudaMemcpyHostToDevice));
	write_plane<<<1, dim3(SIDE, SIDE)>>>(s, values);
	OK(cudaMemset(values, 0, sizeof in));
	read_plane<<<1, dim3(SIDE, SIDE)>>>(s, values);
	OK(cudaMemcpy(out, values, sizeof out, cudaMemcpyDeviceToHost));
	OK(cudaMemcpy2DFromArray(whole, SIDE * sizeof(T), array, 0, 0, SIDE * sizeof(T), SIDE, cudaMemcpyDeviceToHost));
	if (memcmp(in, out, sizeof in) || memcmp(in, whole, sizeof in)) {
		printf("%s: other bytes came back\n", name);
		wrong++;
	}
	OK(cudaDestroySurfaceObject(s));
	OK(cudaFreeArray(array));
	OK(cudaFree(values));
}

static void beyond()
{
	enum { WIDE = SIDE + 2 };
	cudaArray_t array = new_array(cudaCreateChannelDesc<int>(), make_cudaExtent(SIDE, SIDE, 0));
	cudaSurfaceObject_t s = surface_of(array);
	int plane[SIDE][SIDE], (*zero)[WIDE], (*clamp)[WIDE];

	for (int i = 0; i < SIDE * SIDE; i++)
		plane[i / SIDE][i % SIDE] = i + 1;
	OK(cudaMemcpy2DToArray(array, 0, 0, plane, sizeof plane[0], sizeof plane[0], SIDE, cudaMemcpyHostToDevice));
	OK(cudaMallocManaged(&zero, WIDE * sizeof *zero));
	OK(cudaMallocManaged(&clamp, WIDE * sizeof *clamp));
	read_beyond<<<1, dim3(WIDE, WIDE)>>>(s, zero[0], clamp[0]);
	OK(cudaDeviceSynchronize());
	for (int y = -1; y <= SIDE; y++)
		for (int x = -1; x <= SIDE; x++) {
			bool inside = x >= 0 && x < SIDE && y >= 0 && y < SIDE;
			int cx = x < 0 ? 0 : x < SIDE ? x : SIDE - 1, cy = y < 0 ? 0 : y < SIDE ? y : SIDE - 1;

			EXPECT(zero[y + 1][x + 1] == (inside ? plane[y][x] : 0));
			EXPECT(clamp[y + 1][x + 1] == plane[cy][cx]);
		}
	OK(cudaDestroySurfaceObject(s));
	OK(cudaFreeArray(array));
}

static void geometries()
{
	cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
	cudaSurfaceObject_t line = surface_of(new_array(format, make_cudaExtent(SIDE, 0, 0)));
	cudaSurfaceObject_t block = surface_of(new_array(format, make_cudaExtent(SIDE, 2, SIDE)));
	cudaSurfaceObject_t layers = surface_of(new_array(format, make_cudaExtent(SIDE, SIDE, 2), cudaArrayLayered));
	int *out;

	OK(cudaMallocManaged(&out, SIDE * SIDE * sizeof *out));
	other_geometries<<<1, dim3(SIDE, SIDE)>>>(line, block, layers, out);
	OK(cudaDeviceSynchronize());
	for (int i = 0; i < SIDE * SIDE; i++)
		EXPECT(out[i] == 10 * (i % SIDE) + i + 100 + i);
	read_outside<<<1, 1>>>(layers, out);
	EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
}

int main()
{
	one_type<unsigned char>("uchar");
	one_type<short>("short");
	one_type<uchar4>("uchar4");
	one_type<float>("float");
	one_type<float2>("float2");
	one_type<int4>("int4");
	beyond();
	geometries();
	if (!wrong)
		puts("ok");
	return wrong != 0;
}
