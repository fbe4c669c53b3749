// Objects that device code makes by new and takes away by delete, in a source that includes nothing for that.
struct shape {
	__device__ virtual ~shape()
	{
	}
	__device__ virtual int area() const = 0;
};

struct square : shape {
	int side;
	__device__ square(int side) : side(side)
	{
	}
	__device__ int area() const override
	{
		return side * side;
	}
};

struct alignas(64) line {
	int values[16];
};

__global__ void make(shape **shapes)
{
	shapes[threadIdx.x] = new square(threadIdx.x);
}

__global__ void sum(shape **shapes, int *out)
{
	line *lines = new line[3], *one = new line;
	int *counts = new int[4]();

	counts[3] = shapes[threadIdx.x]->area();
	if (((unsigned long long)lines | (unsigned long long)one) % alignof(line) == 0)
		atomicAdd(out, counts[0] + counts[3]);
	delete[] counts;
	delete[] lines;
	delete one;
}

__global__ void destroy(shape **shapes)
{
	delete shapes[threadIdx.x];
}

extern "C" int puts(const char *);

int main()
{
	shape **shapes;
	int *out;

	cudaMalloc(&shapes, 4 * sizeof *shapes);
	cudaMallocManaged(&out, sizeof *out);
	*out = 0;
	make<<<1, 4>>>(shapes);
	sum<<<1, 4>>>(shapes, out);
	destroy<<<1, 4>>>(shapes);
	puts(cudaDeviceSynchronize() == cudaSuccess && *out == 14 ? "ok" : "wrong");
	return 0;
}
