/* The driver's arrays, copies of rows, texture and surface objects. */
#include "expect.h"

#include <cuda.h>

#include <cstdio>
#include <cstring>

#define OK(call) EXPECT((call) == CUDA_SUCCESS)

enum { WIDTH = 8, HEIGHT = 4 };

__global__ void fetch(CUtexObject t, CUsurfObject s, float *out)
{
	int x = threadIdx.x, y = threadIdx.y;

	out[WIDTH * y + x] = tex2D<float>(t, (x + 0.5f) / WIDTH, (y + 0.5f) / HEIGHT);
	surf2Dwrite((unsigned char)(10 * y + x), s, x, y);
}

int main()
{
	CUDA_ARRAY_DESCRIPTOR plain, back;
	CUDA_ARRAY3D_DESCRIPTOR full;
	CUDA_RESOURCE_DESC resource;
	CUDA_TEXTURE_DESC texture;
	CUDA_MEMCPY2D copy;
	unsigned char in[HEIGHT][WIDTH], out[HEIGHT][WIDTH];
	float got[HEIGHT][WIDTH], *results;
	CUarray array, target;
	CUtexObject t;
	CUsurfObject s;

	OK(cuInit(0));
	for (int i = 0; i < WIDTH * HEIGHT; i++)
		in[i / WIDTH][i % WIDTH] = 7 * i;
	memset(&plain, 0, sizeof plain);
	plain.Width = WIDTH;
	plain.Height = HEIGHT;
	plain.Format = CU_AD_FORMAT_UNSIGNED_INT8;
	plain.NumChannels = 1;
	OK(cuArrayCreate(&array, &plain));
	OK(cuArrayGetDescriptor(&back, array));
	EXPECT(memcmp(&plain, &back, sizeof plain) == 0);
	memset(&full, 0, sizeof full);
	full.Width = WIDTH;
	full.Height = HEIGHT;
	full.Format = CU_AD_FORMAT_UNSIGNED_INT8;
	full.NumChannels = 1;
	full.Flags = CUDA_ARRAY3D_SURFACE_LDST;
	OK(cuArray3DCreate(&target, &full));
	memset(&copy, 0, sizeof copy);
	copy.srcMemoryType = CU_MEMORYTYPE_HOST;
	copy.srcHost = in;
	copy.srcPitch = WIDTH;
	copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
	copy.dstArray = array;
	copy.WidthInBytes = WIDTH;
	copy.Height = HEIGHT;
	OK(cuMemcpy2D(&copy));

	memset(&resource, 0, sizeof resource);
	memset(&texture, 0, sizeof texture);
	resource.resType = CU_RESOURCE_TYPE_ARRAY;
	resource.res.array.hArray = array;
	texture.flags = CU_TRSF_NORMALIZED_COORDINATES;
	OK(cuTexObjectCreate(&t, &resource, &texture, NULL));
	resource.res.array.hArray = target;
	OK(cuSurfObjectCreate(&s, &resource));
	cudaMalloc(&results, sizeof got);
	fetch<<<1, dim3(WIDTH, HEIGHT)>>>(t, s, results);
	cudaMemcpy(got, results, sizeof got, cudaMemcpyDeviceToHost);

	memset(&copy, 0, sizeof copy);
	copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
	copy.srcArray = target;
	copy.srcXInBytes = 1;
	copy.srcY = 1;
	copy.dstMemoryType = CU_MEMORYTYPE_HOST;
	copy.dstHost = out;
	copy.dstPitch = WIDTH;
	copy.WidthInBytes = WIDTH - 1;
	copy.Height = HEIGHT - 1;
	OK(cuMemcpy2D(&copy));
	for (int y = 0; y < HEIGHT; y++)
		for (int x = 0; x < WIDTH; x++) {
			EXPECT(got[y][x] == in[y][x] / 255.0f);
			if (x && y)
				EXPECT(out[y - 1][x - 1] == 10 * y + x);
		}
	OK(cuTexObjectDestroy(t));
	OK(cuSurfObjectDestroy(s));
	EXPECT(cuTexObjectDestroy(t) == CUDA_ERROR_INVALID_VALUE);
	OK(cuArrayDestroy(array));
	OK(cuArrayDestroy(target));
	if (!wrong)
		puts("ok");
	return wrong != 0;
}
