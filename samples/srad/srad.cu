/*
 * Speckle-reducing anisotropic diffusion of an image, with the shapes of Rodinia's srad. In each step a first kernel
 * computes each pixel's differences from its four neighbours, and a coefficient from these. A second kernel changes the
 * pixel by them. Blocks share the edges of what they read; each kernel reads what the other has written.
 *
 * `v2` moves tiles of 16 x 16 pixels through shared memory. All threads load the tile's surroundings: a warp reads half
 * a line in rows above and below, and a word of each row in columns beside the tile. `v1` gives each of 512 threads a
 * pixel of a line, and finds neighbours through arrays of indices; further kernels first sum up the whole image.
 *
 *   srad [v1|v2] [small|paper|ROWS [COLUMNS [STEPS]]], for v2 multiples of 16
 *
 * The default is v2. The paper's size is 4096 x 4096, the 65,536 blocks of SRAD in Table 4 of the SAC study. Its six
 * arrays are 402 MB, where the table has 753. Simulating a step takes some minutes; with 2048 x 2048 it takes a minute.
 */
#include "image.h"

enum { TILE = 16, THREADS = 512 };

/* Without the suffix f the constants are double, and so is a step's arithmetic, as in the benchmark. */
static __device__ float coefficient(float here, float n, float s, float w, float e, float q0)
{
	float slope = (n * n + s * s + w * w + e * e) / (here * here), bend = (n + s + w + e) / here;
	float above = 0.5 * slope - 1.0 / 16.0 * (bend * bend), below = 1 + 0.25 * bend;
	float q = above / (below * below), c = 1.0 / (1.0 + (q - q0) / (q0 * (1 + q0)));

	return c < 0 ? 0 : c > 1 ? 1 : c;
}

__global__ void differences_of_tiles(float *de, float *dw, float *dn, float *ds, float *image, float *coefficients,
				     int columns, float q0)
{
	__shared__ float tile[TILE][TILE], result[TILE][TILE];
	__shared__ float north[TILE][TILE], south[TILE][TILE], east[TILE][TILE], west[TILE][TILE];
	int x = threadIdx.x, y = threadIdx.y;
	int corner = columns * TILE * blockIdx.y + TILE * blockIdx.x, me = corner + columns * y + x;
	bool is_top = blockIdx.y == 0, is_left = blockIdx.x == 0;
	bool is_bottom = blockIdx.y == gridDim.y - 1, is_right = blockIdx.x == gridDim.x - 1;

	north[y][x] = image[corner + x - (is_top ? 0 : columns)];
	south[y][x] = image[corner + x + columns * (is_bottom ? TILE - 1 : TILE)];
	__syncthreads();
	west[y][x] = image[corner + columns * y - (is_left ? 0 : 1)];
	east[y][x] = image[corner + columns * y + (is_right ? TILE - 1 : TILE)];
	__syncthreads();
	tile[y][x] = image[me];
	__syncthreads();

	float here = tile[y][x];
	float n = (y == 0 ? north[y][x] : tile[y - 1][x]) - here;
	float s = (y == TILE - 1 ? south[y][x] : tile[y + 1][x]) - here;
	float w = (x == 0 ? west[y][x] : tile[y][x - 1]) - here;
	float e = (x == TILE - 1 ? east[y][x] : tile[y][x + 1]) - here;

	result[y][x] = coefficient(here, n, s, w, e, q0);
	__syncthreads();
	coefficients[me] = result[y][x];
	de[me] = e;
	dw[me] = w;
	ds[me] = s;
	dn[me] = n;
}

__global__ void diffuse_tiles(float *de, float *dw, float *dn, float *ds, float *image, float *coefficients,
			      int columns, float rate)
{
	__shared__ float south[TILE][TILE], east[TILE][TILE], tile[TILE][TILE], result[TILE][TILE];
	__shared__ float pixels[TILE][TILE];
	int x = threadIdx.x, y = threadIdx.y;
	int corner = columns * TILE * blockIdx.y + TILE * blockIdx.x, me = corner + columns * y + x;
	bool is_bottom = blockIdx.y == gridDim.y - 1, is_right = blockIdx.x == gridDim.x - 1;

	pixels[y][x] = image[me];
	__syncthreads();
	south[y][x] = coefficients[corner + x + columns * (is_bottom ? TILE - 1 : TILE)];
	__syncthreads();
	east[y][x] = coefficients[corner + columns * y + (is_right ? TILE - 1 : TILE)];
	__syncthreads();
	tile[y][x] = coefficients[me];
	__syncthreads();

	float here = tile[y][x];
	float s = y == TILE - 1 ? south[y][x] : tile[y + 1][x];
	float e = x == TILE - 1 ? east[y][x] : tile[y][x + 1];

	result[y][x] = pixels[y][x] + 0.25 * rate * (here * dn[me] + s * ds[me] + here * dw[me] + e * de[me]);
	__syncthreads();
	image[me] = result[y][x];
}

/*
 * v1 stores its image by columns, so the neighbours north and south are next to a pixel in memory. A thread takes a
 * pixel.
 */
static __device__ int pixel_of_thread()
{
	return blockIdx.x * THREADS + threadIdx.x;
}

__global__ void extract(int pixels, float *image)
{
	int me = pixel_of_thread();

	if (me < pixels)
		image[me] = exp(image[me] / 255);
}

__global__ void compress(int pixels, float *image)
{
	int me = pixel_of_thread();

	if (me < pixels)
		image[me] = log(image[me]) * 255;
}

__global__ void prepare(int pixels, float *image, float *sums, float *squares)
{
	int me = pixel_of_thread();

	if (me < pixels) {
		sums[me] = image[me];
		squares[me] = image[me] * image[me];
	}
}

/* Every block sums up to THREADS of `count` values, which lie `apart`, and puts the sum where its first value was. */
__global__ void reduce(int count, int apart, float *sums, float *squares)
{
	__shared__ float sum[THREADS], square[THREADS];
	int x = threadIdx.x, me = pixel_of_thread(), mine = min(THREADS, count - (int)blockIdx.x * THREADS);

	sum[x] = x < mine ? sums[me * apart] : 0;
	square[x] = x < mine ? squares[me * apart] : 0;
	__syncthreads();
	for (int pair = 2; pair <= THREADS; pair *= 2) {
		if ((x + 1) % pair == 0) {
			sum[x] += sum[x - pair / 2];
			square[x] += square[x - pair / 2];
		}
		__syncthreads();
	}
	if (x == THREADS - 1) {
		sums[blockIdx.x * THREADS * apart] = sum[x];
		squares[blockIdx.x * THREADS * apart] = square[x];
	}
}

/* Indices of the neighbouring rows of each row, and of the neighbouring columns of each column. */
struct neighbours {
	int *north, *south, *west, *east;
};

/* The place in its column of the thread's pixel, and that column. */
static __device__ void place_of(int me, int rows, int &row, int &column)
{
	row = (me + 1) % rows - 1;
	column = (me + 1) / rows;
	if ((me + 1) % rows == 0) {
		row = rows - 1;
		column = column - 1;
	}
}

__global__ void differences_of_pixels(int rows, int pixels, neighbours at, float *dn, float *ds, float *de, float *dw,
				      float q0, float *coefficients, float *image)
{
	int me = pixel_of_thread(), row, column;

	place_of(me, rows, row, column);
	if (me >= pixels)
		return;
	float here = image[me];
	float n = image[at.north[row] + rows * column] - here, s = image[at.south[row] + rows * column] - here;
	float w = image[row + rows * at.west[column]] - here, e = image[row + rows * at.east[column]] - here;
	float c = coefficient(here, n, s, w, e, q0);

	dn[me] = n;
	ds[me] = s;
	dw[me] = w;
	de[me] = e;
	coefficients[me] = c;
}

__global__ void diffuse_pixels(float rate, int rows, int pixels, neighbours at, float *dn, float *ds, float *de,
			       float *dw, float *coefficients, float *image)
{
	int me = pixel_of_thread(), row, column;

	place_of(me, rows, row, column);
	if (me >= pixels)
		return;
	float here = coefficients[me], south = coefficients[at.south[row] + rows * column];
	float east = coefficients[row + rows * at.east[column]];
	float divergence = here * dn[me] + south * ds[me] + here * dw[me] + east * de[me];

	image[me] = image[me] + 0.25 * rate * divergence;
}

/* A step's arrays besides the image. */
struct work {
	array<float> north, south, west, east, coefficients;

	explicit work(size_t pixels) : north(pixels), south(pixels), west(pixels), east(pixels), coefficients(pixels)
	{
	}
};

static void run_tiles(array<float> &image, int rows, int columns, int steps)
{
	dim3 grid(columns / TILE, rows / TILE), block(TILE, TILE);
	work w(image.host.size());

	exponential(image.host);
	for (int step = 0; step < steps; step++) {
		float q0 = corner_speckle(image.host, columns, std::min(rows, 128), std::min(columns, 128));

		image.upload();
		differences_of_tiles<<<grid, block>>>(w.east.device, w.west.device, w.north.device, w.south.device,
						      image.device, w.coefficients.device, columns, q0);
		diffuse_tiles<<<grid, block>>>(w.east.device, w.west.device, w.north.device, w.south.device,
					       image.device, w.coefficients.device, columns, RATE);
		CHECK(cudaGetLastError());
		step_on_cpu(image.host, rows, columns, q0);
		if (step < steps - 1)
			image.host = image.download();
	}
}

static void fill_neighbours(array<int> &before, array<int> &after)
{
	int count = (int)before.host.size();

	for (int i = 0; i < count; i++) {
		before.host[i] = i == 0 ? 0 : i - 1;
		after.host[i] = i == count - 1 ? i : i + 1;
	}
	before.upload();
	after.upload();
}

/* Sums of the image and of its squares, 512 pixels a block and launch by launch; what it returns is speckle. */
static float reduce_image(int pixels, const array<float> &image, const array<float> &sums, const array<float> &squares)
{
	float sum, square;
	int blocks = (pixels + THREADS - 1) / THREADS;

	prepare<<<blocks, THREADS>>>(pixels, image.device, sums.device, squares.device);
	for (int count = pixels, apart = 1; count > 1; count = blocks, apart *= THREADS) {
		blocks = (count + THREADS - 1) / THREADS;
		reduce<<<blocks, THREADS>>>(count, apart, sums.device, squares.device);
	}
	CHECK(cudaMemcpy(&sum, sums.device, sizeof sum, cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(&square, squares.device, sizeof square, cudaMemcpyDeviceToHost));
	return speckle(sum, square, pixels);
}

static void run_pixels(array<float> &image, int rows, int columns, int steps)
{
	int pixels = rows * columns, blocks = (pixels + THREADS - 1) / THREADS;
	array<int> north(rows), south(rows), west(columns), east(columns);
	array<float> sums(pixels), squares(pixels);
	work w(pixels);
	neighbours at = {north.device, south.device, west.device, east.device};

	fill_neighbours(north, south);
	fill_neighbours(west, east);
	extract<<<blocks, THREADS>>>(pixels, image.device);
	for (float &value : image.host)
		value = std::exp(value / 255);
	for (int step = 0; step < steps; step++) {
		float q0 = reduce_image(pixels, image, sums, squares);

		differences_of_pixels<<<blocks, THREADS>>>(rows, pixels, at, w.north.device, w.south.device,
							   w.east.device, w.west.device, q0, w.coefficients.device,
							   image.device);
		diffuse_pixels<<<blocks, THREADS>>>(RATE, rows, pixels, at, w.north.device, w.south.device,
						    w.east.device, w.west.device, w.coefficients.device, image.device);
		step_on_cpu(image.host, columns, rows, corner_speckle(image.host, rows, columns, rows));
	}
	compress<<<blocks, THREADS>>>(pixels, image.device);
	CHECK(cudaGetLastError());
	for (float &value : image.host)
		value = std::log(value) * 255;
}

int main(int argc, char **argv)
{
	static const char usage[] = "srad [v1|v2] [small|paper|ROWS [COLUMNS [STEPS]]], of v2 multiples of 16";
	bool is_v1 = argc > 1 && strcmp(argv[1], "v1") == 0;

	if (is_v1 || (argc > 1 && strcmp(argv[1], "v2") == 0))
		argc--, argv++;
	int rows = chosen_size(argc, argv, 96, 4096, usage);
	int columns = argc > 2 ? positive(argv[2], usage) : rows;
	int steps = argc > 3 ? positive(argv[3], usage) : 1, wrong;

	if ((!is_v1 && (rows % TILE || columns % TILE)) || (double)rows * columns >= 1 << 30) {
		fprintf(stderr, "usage: %s\n", usage);
		return 2;
	}
	array<float> image((size_t)rows * columns);

	fill(image, 7, 1);
	for (float &value : image.host) /* from 0 to 1, in v1 to 255 */
		value = (value + 1) / 2 * (is_v1 ? 255 : 1);
	image.upload();
	(is_v1 ? run_pixels : run_tiles)(image, rows, columns, steps);
	wrong = differences(image, 1e-4);
	printf("srad: %d x %d pixels, %d steps, %d wrong\n", rows, columns, steps, wrong);
	return wrong != 0;
}
