/*
 * Wavelet transform of an image in two dimensions: the reversible 5/3 filter, three levels. A block takes a strip of
 * 192 columns (128 or 64 in smaller images) and moves down it by eight rows a step. It keeps the rows that it needs in
 * a ring in shared memory. Blocks share only the pixels along the strips' edges. The shape follows a public benchmark.
 *
 *   dwt2d [small|paper|SIDE]
 *
 * The image is square, and its side a multiple of 16. It has bytes of interleaved colours.
 */
#include "../common/size.h"

#include <utility>
#include <vector>

enum { COLOURS = 3, LEVELS = 3, PIXELS = 256 }; /* pixels of a block that splits colours */

/* Rows of a step and of the ring. A step needs two rows above its own and one below. */
enum { STEP = 8, RING = STEP + 3 };

/* Colours as planes of numbers around 0. */
__global__ void split_colours(const unsigned char *image, int *planes, int pixels)
{
	__shared__ unsigned char bytes[COLOURS * PIXELS];
	int first = blockIdx.x * PIXELS, pixel = first + threadIdx.x;

	for (int i = threadIdx.x; i < COLOURS * PIXELS && first * COLOURS + i < pixels * COLOURS; i += PIXELS)
		bytes[i] = image[first * COLOURS + i];
	__syncthreads();
	for (int colour = 0; colour < COLOURS && pixel < pixels; colour++)
		planes[colour * pixels + pixel] = bytes[threadIdx.x * COLOURS + colour] - 128;
}

/* A row of a strip, with its even and odd columns apart. Column -2 is even[0], and column -1 is odd[0]. */
template <int WIDTH>
struct strip_row {
	int even[WIDTH / 2 + 2], odd[WIDTH / 2 + 2];
};

/* Beyond its edges the image is reflected at its last pixels. */
__host__ __device__ static int mirrored(int at, int size)
{
	return at < 0 ? -at : at >= size ? 2 * (size - 1) - at : at;
}

template <int WIDTH>
__device__ void load_row(strip_row<WIDTH> &row, const int *line, int left, int width)
{
	for (int c = (int)threadIdx.x - 2; c <= WIDTH && left + c <= width; c += WIDTH)
		(c & 1 ? row.odd : row.even)[(c + 2) / 2] = line[mirrored(left + c, width)];
}

/* Odd columns become differences from their neighbours; even columns become averages with these. */
template <int WIDTH>
__device__ void lift_rows(strip_row<WIDTH> *ring, int first_slot, int rows)
{
	const int half = WIDTH / 2;

	for (int i = threadIdx.x; i < rows * (half + 1); i += WIDTH) {
		strip_row<WIDTH> &row = ring[(first_slot + i / (half + 1)) % RING];
		int k = i % (half + 1);

		row.odd[k] -= (row.even[k] + row.even[k + 1]) >> 1;
	}
	__syncthreads();
	for (int i = threadIdx.x; i < rows * half; i += WIDTH) {
		strip_row<WIDTH> &row = ring[(first_slot + i / half) % RING];
		int k = i % half + 1;

		row.even[k] += (row.odd[k - 1] + row.odd[k] + 2) >> 2;
	}
}

/* The same along a column of the ring's rows. Rows 2 to 9 are results. */
template <int WIDTH>
__device__ void lift_column(const strip_row<WIDTH> *ring, int first_slot, bool odd, int k, int x[RING])
{
	for (int i = 0; i < RING; i++) {
		const strip_row<WIDTH> &row = ring[(first_slot + i) % RING];

		x[i] = odd ? row.odd[k] : row.even[k];
	}
	for (int i = 1; i < RING; i += 2)
		x[i] -= (x[i - 1] + x[i + 1]) >> 1;
	for (int i = 2; i < RING - 1; i += 2)
		x[i] += (x[i - 1] + x[i + 1] + 2) >> 2;
}

/*
 * A level of the transform. The output has four bands, one behind another: averages, then differences along rows, along
 * columns, and along both. The first half of a block's threads writes even columns, the second half odd columns.
 */
template <int WIDTH>
__global__ void transform(const int *in, int *out, int width, int height, int steps)
{
	__shared__ strip_row<WIDTH> ring[RING];
	int left = blockIdx.x * WIDTH, top = blockIdx.y * steps * STEP, bottom = min(height, top + steps * STEP);
	bool odd = threadIdx.x >= WIDTH / 2;
	int k = threadIdx.x % (WIDTH / 2), column = left / 2 + k;
	int x[RING];

	/* The first turn, above the strip's top, only loads three rows: from two above the top to the top. */
	for (int row = top - STEP; row < bottom; row += STEP) {
		int known = row < top ? STEP - 3 : 0, slot = row + 1 + known - (top - 2);

		__syncthreads();
		for (int i = known; i < STEP && row + 1 + i <= height; i++)
			load_row(ring[(slot + i - known) % RING], in + mirrored(row + 1 + i, height) * width, left,
				 width);
		__syncthreads();
		lift_rows(ring, slot, STEP - known);
		__syncthreads();
		if (row < top || column >= width / 2)
			continue;
		lift_column(ring, row - top, odd, k + 1, x);
		for (int i = 0; i < STEP && row + i < height; i++) {
			int band = i % 2 * 2 + odd;

			out[(band * (height / 2) + (row + i) / 2) * (width / 2) + column] = x[2 + i];
		}
	}
}

template <int WIDTH>
static void launch(const int *in, int *out, int side)
{
	int steps = (side + 15 * STEP - 1) / (15 * STEP);
	dim3 grid((side + WIDTH - 1) / WIDTH, (side + steps * STEP - 1) / (steps * STEP));

	transform<WIDTH><<<grid, WIDTH>>>(in, out, side, side, steps);
	CHECK(cudaGetLastError());
}

/* Each level transforms the averages of the level before. `in` is overwritten. */
static void transform_plane(int *in, int *out, int side)
{
	for (int level = 0; level < LEVELS; level++, side /= 2) {
		if (level > 0)
			CHECK(cudaMemcpy(in, out, (size_t)side * side * sizeof(int), cudaMemcpyDeviceToDevice));
		if (side >= 960)
			launch<192>(in, out, side);
		else if (side >= 480)
			launch<128>(in, out, side);
		else
			launch<64>(in, out, side);
	}
}

/* `size` numbers `stride` apart, on the CPU: first the averages of the result, then the differences. */
static void lift_on_cpu(int *line, int size, int stride)
{
	std::vector<int> x(size);
	auto at = [&](int i) -> int & { return x[mirrored(i, size)]; };

	for (int i = 0; i < size; i++)
		x[i] = line[i * stride];
	for (int i = 1; i < size; i += 2)
		x[i] -= (at(i - 1) + at(i + 1)) >> 1;
	for (int i = 0; i < size; i += 2)
		x[i] += (at(i - 1) + at(i + 1) + 2) >> 2;
	for (int i = 0; i < size; i++)
		line[(i % 2 * (size / 2) + i / 2) * stride] = x[i];
}

static void transform_on_cpu(std::vector<int> &plane, int side)
{
	for (int level = 0; level < LEVELS; level++, side /= 2) {
		std::vector<int> map(plane.begin(), plane.begin() + (size_t)side * side);

		for (int row = 0; row < side; row++)
			lift_on_cpu(&map[row * side], side, 1);
		for (int column = 0; column < side; column++)
			lift_on_cpu(&map[column], side, side);
		for (int i = 0; i < side * side; i++) {
			int band = i / (side / 2 * side) * 2 + i % side / (side / 2);

			plane[(band * (side / 2) + i / side % (side / 2)) * (side / 2) + i % (side / 2)] = map[i];
		}
	}
}

int main(int argc, char **argv)
{
	static const char usage[] = "dwt2d [small|paper|SIDE], a multiple of 16 up to 8192";
	int side = chosen_size(argc, argv, 192, 1024, usage);

	if (side % 16 || side > 8192) {
		fprintf(stderr, "usage: %s\n", usage);
		return 2;
	}
	int pixels = side * side, wrong = 0, *planes, *out;
	std::vector<unsigned char> image((size_t)pixels * COLOURS);
	std::vector<int> plane(pixels), expected(pixels);
	unsigned char *dimage;
	unsigned state = 17;

	for (unsigned char &byte : image)
		byte = (unsigned char)(next_random(&state) * 256);
	CHECK(cudaMalloc(&dimage, image.size()));
	CHECK(cudaMalloc(&planes, image.size() * sizeof(int)));
	CHECK(cudaMalloc(&out, pixels * sizeof(int)));
	CHECK(cudaMemcpy(dimage, image.data(), image.size(), cudaMemcpyHostToDevice));
	split_colours<<<(pixels + PIXELS - 1) / PIXELS, PIXELS>>>(dimage, planes, pixels);
	CHECK(cudaGetLastError());
	for (int colour = 0; colour < COLOURS; colour++) {
		transform_plane(planes + (size_t)colour * pixels, out, side);
		CHECK(cudaMemcpy(plane.data(), out, pixels * sizeof(int), cudaMemcpyDeviceToHost));
		for (int i = 0; i < pixels; i++)
			expected[i] = image[(size_t)i * COLOURS + colour] - 128;
		transform_on_cpu(expected, side);
		for (int i = 0; i < pixels; i++)
			wrong += plane[i] != expected[i];
	}
	CHECK(cudaFree(dimage));
	CHECK(cudaFree(planes));
	CHECK(cudaFree(out));
	printf("dwt2d: %d x %d pixels, %d wrong\n", side, side, wrong);
	return wrong != 0;
}
