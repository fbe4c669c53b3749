/*
 * Tracking of the points of a moving wall by correlation, with the shape of Rodinia's heartwall. Each frame is a
 * launch, with a block of 256 threads for each of 51 points. The first frame gives each point a square template. In
 * each later frame a block copies a window of the frame, convolves it with the template, normalizes that by sums of the
 * window under the template, and looks for the best place near the point's last place. All arrays are stored column by
 * column, so most loads are coalesced; sums down the columns touch a line for each lane. Where windows overlap, several
 * blocks read the same part of the frame. All other arrays belong to a block. Templates stay the same; the original
 * renews them every tenth frame.
 *
 *   heartwall [small|study|suite [FRAMES]]
 *
 * The suite's windows are 81 pixels on a side and its templates 51. The size `study` has templates of 15, which need a
 * sixth of the loads, and two frames. The frames show noise that moves a row down and two columns to the left.
 */
#include "../common/arrays.h"
#include "../common/size.h"

#include <algorithm>
#include <string>

enum { POINTS = 51, BLOCK = 256, MOST_TEMPLATE = 51, MOST_FULL = 131, MASK = 10, FRAME = 400 };

/* Sides of squares, in pixels. */
struct sizes {
	int search, half; /* the window's and the template's reach around a point */

	__host__ __device__ int window() const
	{
		return 2 * search + 1;
	}
	__host__ __device__ int templ() const
	{
		return 2 * half + 1;
	}
	/* All places where the template touches the window. */
	__host__ __device__ int full() const
	{
		return window() + templ() - 1;
	}
	__host__ __device__ int padded() const
	{
		return window() + 2 * templ();
	}
};

/* A block's own arrays. All but the template are for the course of a launch. */
struct point {
	float *templ, *window, *score;              /* the last: full */
	float *padded, *kept, *strips, *kept_again; /* for the sums under the template */
	float *sums, *squares, *square_sums;        /* full, window, full */
	float *templ_squares, *mask, *masked;
};

__constant__ point points[POINTS];

__device__ float square(float value)
{
	return value * value;
}

/* A square of the frame around a point. */
__device__ void copy_from_frame(float *to, int side, const float *frame, int row, int column)
{
	for (int i = threadIdx.x; i < side * side; i += BLOCK)
		to[i] = frame[(column - side / 2 + i / side) * FRAME + row - side / 2 + i % side];
}

__device__ void rotate(float *to, const float *templ, int side)
{
	for (int i = threadIdx.x; i < side * side; i += BLOCK) {
		int row = i % side, column = i / side;

		to[i] = templ[(side - 1 - column) * side + side - 1 - row];
	}
}

__device__ void convolve(float *out, const float *rotated, const float *window, sizes z)
{
	int full = z.full(), side = z.templ(), window_side = z.window();

	for (int i = threadIdx.x; i < full * full; i += BLOCK) {
		int row = i % full, column = i / full;
		int first_row = max(0, row - window_side + 1), last_row = min(side - 1, row);
		int first_column = max(0, column - window_side + 1), last_column = min(side - 1, column);
		float sum = 0;

		for (int a = first_column; a <= last_column; a++)
			for (int b = first_row; b <= last_row; b++)
				sum += rotated[side * a + b] * window[window_side * (column - a) + row - b];
		out[i] = sum;
	}
}

/* Puts the window into the middle of zeros. */
__device__ void pad(float *to, const float *window, sizes z)
{
	int padded = z.padded(), side = z.window(), margin = z.templ();

	for (int i = threadIdx.x; i < padded * padded; i += BLOCK) {
		int row = i % padded - margin, column = i / padded - margin;
		bool is_inside = row >= 0 && row < side && column >= 0 && column < side;

		to[i] = is_inside ? window[column * side + row] : 0;
	}
}

/* Running sums of `lines` lines. `next` is the distance to the next line, `step` the distance along a line. */
__device__ void run_sums(float *data, int lines, int next, int length, int step)
{
	for (int line = threadIdx.x; line < lines; line += BLOCK) {
		float sum = 0;

		for (int at = line * next; at < line * next + length * step; at += step) {
			data[at] = data[at] + sum;
			sum = data[at];
		}
	}
}

/* Part of an array whose columns have `from_rows` elements. */
__device__ void copy_part(float *to, int rows, int columns, const float *from, int from_rows, int row, int column)
{
	for (int i = threadIdx.x; i < rows * columns; i += BLOCK)
		to[i] = from[(column + i / rows) * from_rows + row + i % rows];
}

__device__ void subtract_from(float *to, const float *from, int count)
{
	for (int i = threadIdx.x; i < count; i += BLOCK)
		to[i] = from[i] - to[i];
}

/* The sum of what of the window lies under the template, for each of its places: differences of running sums. */
__device__ void sum_under_template(float *out, const float *window, const point &p, sizes z)
{
	int full = z.full(), padded = z.padded(), side = z.templ();

	pad(p.padded, window, z);
	__syncthreads();
	run_sums(p.padded, padded, padded, padded, 1);
	__syncthreads();
	copy_part(p.kept, full, padded, p.padded, padded, side, 0);
	__syncthreads();
	copy_part(p.strips, full, padded, p.padded, padded, 0, 0);
	__syncthreads();
	subtract_from(p.strips, p.kept, full * padded);
	__syncthreads();
	run_sums(p.strips, full, 1, padded, full);
	__syncthreads();
	copy_part(p.kept_again, full, full, p.strips, full, 0, side);
	__syncthreads();
	copy_part(out, full, full, p.strips, full, 0, 0);
	__syncthreads();
	subtract_from(out, p.kept_again, full * full);
	__syncthreads();
}

/* The template's sum, and what its contrast contributes to the scores' denominators. */
__device__ void measure_template(const point &p, int side, float *sum, float *contrast)
{
	__shared__ float of_columns[MOST_TEMPLATE], of_rows[MOST_TEMPLATE];
	int count = side * side;

	for (int i = threadIdx.x; i < count; i += BLOCK)
		p.templ_squares[i] = square(p.templ[i]);
	__syncthreads();
	for (int line = threadIdx.x; line < side; line += BLOCK) {
		float column = 0, row = 0;

		for (int i = 0; i < side; i++)
			column += p.templ[line * side + i];
		for (int i = 0; i < side; i++)
			row += p.templ_squares[i * side + line];
		of_columns[line] = column;
		of_rows[line] = row;
	}
	__syncthreads();
	if (threadIdx.x == 0) {
		float total = 0, squares = 0;

		for (int i = 0; i < side; i++) {
			total += of_columns[i];
			squares += of_rows[i];
		}
		*sum = total;
		*contrast = sqrtf((float)(count - 1)) * sqrtf(squares / count - square(total / count));
	}
	__syncthreads();
}

/* From convolution and sums to the coefficient of correlation. */
__device__ void normalize(const point &p, sizes z)
{
	__shared__ float sum, contrast;
	int count = z.full() * z.full(), of_template = z.templ() * z.templ();

	for (int i = threadIdx.x; i < count; i += BLOCK) {
		float rest = p.square_sums[i] - square(p.sums[i]) / of_template;

		p.square_sums[i] = sqrtf(rest < 0 ? 0 : rest);
	}
	__syncthreads();
	measure_template(p, z.templ(), &sum, &contrast);
	for (int i = threadIdx.x; i < count; i += BLOCK)
		p.square_sums[i] = p.square_sums[i] * contrast;
	__syncthreads();
	for (int i = threadIdx.x; i < count; i += BLOCK)
		p.score[i] = p.score[i] - p.sums[i] * sum / of_template;
	__syncthreads();
	for (int i = threadIdx.x; i < count; i += BLOCK)
		p.square_sums[i] = p.score[i] / p.square_sums[i];
	__syncthreads();
}

/* Keeps the scores near the last place and makes the others zero. `mask` is 1 at the last place and 0 elsewhere. */
__device__ void keep_near(const point &p, int full, int last_row, int last_column)
{
	for (int i = threadIdx.x; i < full * full; i += BLOCK)
		p.mask[i] = i == last_column * full + last_row ? 1 : 0;
	__syncthreads();
	for (int i = threadIdx.x; i < full * full; i += BLOCK) {
		int row = i % full, column = i / full;
		int first_row = max(0, row - MASK / 2 + 1), end_row = min(full, row + MASK / 2 + 1);
		int first_column = max(0, column - MASK / 2 + 1), end_column = min(full, column + MASK / 2 + 1);
		float sum = 0;

		for (int a = first_column; a < end_column; a++)
			for (int b = first_row; b < end_row; b++)
				sum += p.mask[full * a + b];
		p.masked[i] = p.square_sums[i] * sum;
	}
	__syncthreads();
}

/* The place of the largest score; only the first thread gets it. */
__device__ int best_place(const float *scores, int full)
{
	__shared__ float best_of_column[MOST_FULL];
	__shared__ int place_in_column[MOST_FULL];
	float best = 0;
	int place = 0;

	for (int column = threadIdx.x; column < full; column += BLOCK) {
		float largest = 0;
		int at = 0;

		for (int i = column * full; i < (column + 1) * full; i++)
			if (fabsf(scores[i]) > largest) {
				largest = fabsf(scores[i]);
				at = i;
			}
		best_of_column[column] = largest;
		place_in_column[column] = at;
	}
	__syncthreads();
	if (threadIdx.x == 0)
		for (int column = 0; column < full; column++)
			if (best_of_column[column] > best) {
				best = best_of_column[column];
				place = place_in_column[column];
			}
	return place;
}

/* `rows` and `columns` hold each point's place in each frame; the first frame's is the start. */
__global__ void track(const float *frame, int *rows, int *columns, int number, int frames, sizes z)
{
	__shared__ float rotated[MOST_TEMPLATE * MOST_TEMPLATE];
	point p = points[blockIdx.x];
	int start = blockIdx.x * frames, row = rows[start], column = columns[start], middle = z.search + z.half, best;

	if (number == 0) {
		copy_from_frame(p.templ, z.templ(), frame, row, column);
		return;
	}
	copy_from_frame(p.window, z.window(), frame, row, column);
	__syncthreads();
	rotate(rotated, p.templ, z.templ());
	__syncthreads();
	convolve(p.score, rotated, p.window, z);
	__syncthreads();
	sum_under_template(p.sums, p.window, p, z);
	for (int i = threadIdx.x; i < z.window() * z.window(); i += BLOCK)
		p.squares[i] = square(p.window[i]);
	__syncthreads();
	sum_under_template(p.square_sums, p.squares, p, z);
	normalize(p, z);
	keep_near(p, z.full(), middle + rows[start + number - 1] - row, middle + columns[start + number - 1] - column);
	best = best_place(p.masked, z.full());
	if (threadIdx.x == 0) {
		rows[start + number] = row + best % z.full() - middle;
		columns[start + number] = column + best / z.full() - middle;
	}
}

struct film {
	int frames;
	array<float> first, shown;
	array<int> rows, columns; /* [point][frame] */

	explicit film(int count)
	    : frames(count), first(FRAME * FRAME), shown(FRAME * FRAME), rows((size_t)POINTS * count),
	      columns(rows.host.size())
	{
		fill(first, 1, 0.5);
		for (int i = 0; i < POINTS; i++) { /* on two rings, as the heart's inner and outer wall */
			double angle = 2 * M_PI * i / POINTS, radius = i % 5 < 2 ? 70 : 110;

			rows.host[(size_t)i * frames] = (int)(FRAME / 2 + radius * std::sin(angle));
			columns.host[(size_t)i * frames] = (int)(FRAME / 2 + radius * std::cos(angle));
		}
		rows.upload();
		columns.upload();
	}
	void show(int number)
	{
		for (int column = 0; column < FRAME; column++)
			for (int row = 0; row < FRAME; row++)
				shown.host[column * FRAME + row] =
				    first.host[(column + 2 * number) % FRAME * FRAME + (row - number + FRAME) % FRAME];
		shown.upload();
	}
};

/* The correlation between the template from the first frame and this frame's window at a place. */
static double score_on_cpu(const film &f, sizes z, int row, int column, int down, int right)
{
	std::vector<double> a, b;
	double mean_a = 0, mean_b = 0, both = 0, alone_a = 0, alone_b = 0;

	for (int i = -z.half; i <= z.half; i++)
		for (int j = -z.half; j <= z.half; j++) {
			bool is_inside = std::max(std::abs(i + right), std::abs(j + down)) <= z.search;
			int at = (column + i + right) * FRAME + row + j + down;

			a.push_back(f.first.host[(column + i) * FRAME + row + j]);
			b.push_back(is_inside ? f.shown.host[at] : 0);
			mean_a += a.back();
			mean_b += b.back();
		}
	for (size_t i = 0; i < a.size(); i++) {
		double x = a[i] - mean_a / (double)a.size(), y = b[i] - mean_b / (double)a.size();

		both += x * y;
		alone_a += x * x;
		alone_b += y * y;
	}
	/* The kernel counts a pixel less in its contrasts, so its scores are larger by this factor. */
	return both / std::sqrt(alone_a * alone_b) * std::sqrt((double)a.size() / ((double)a.size() - 1));
}

/* The device's scores of a point; those that the mask hides are zero, or none where they had no contrast. */
static std::vector<float> scores_of(const point &p, sizes z)
{
	std::vector<float> scores(z.full() * z.full());

	CHECK(cudaMemcpy(scores.data(), p.masked, scores.size() * sizeof(float), cudaMemcpyDeviceToHost));
	return scores;
}

/*
 * True if a score near a point's last place is wrong, if a score elsewhere is not hidden, or if the new place is not
 * the best.
 */
static bool is_wrong(const film &f, sizes z, const point &p, int number, int which)
{
	const int *rows = &f.rows.host[(size_t)which * f.frames], *columns = &f.columns.host[(size_t)which * f.frames];
	int last_down = rows[number - 1] - rows[0], last_right = columns[number - 1] - columns[0];
	int middle = z.search + z.half;
	std::vector<float> scores = scores_of(p, z);
	double best = 0, found = -1;
	bool is_off = false;

	for (int i = -MASK / 2; i < MASK / 2; i++)
		for (int j = -MASK / 2; j < MASK / 2; j++) {
			double score = score_on_cpu(f, z, rows[0], columns[0], last_down + j, last_right + i);
			float *device = &scores[(middle + last_right + i) * z.full() + middle + last_down + j];

			is_off |= !(std::fabs(score - *device) < 1e-3);
			*device = 0;
			best = std::fmax(best, std::fabs(score));
			if (rows[number] == rows[number - 1] + j && columns[number] == columns[number - 1] + i)
				found = std::fabs(score);
		}
	for (float hidden : scores)
		is_off |= hidden != 0 && !std::isnan(hidden);
	return is_off || found < best - 1e-3;
}

/* Divides an allocation into the blocks' arrays. */
static std::vector<point> share_out(array<float> &memory, sizes z)
{
	size_t window = z.window() * z.window(), templ = z.templ() * z.templ(), full = z.full() * z.full();
	size_t padded = z.padded() * z.padded(), strips = z.full() * z.padded(), used = 0;
	std::vector<point> all(POINTS);
	auto take = [&](float **part, size_t count) {
		*part = memory.device + used;
		used += (count + 63) / 64 * 64;
	};

	for (point &p : all) {
		take(&p.templ, templ);
		take(&p.window, window);
		take(&p.score, full);
		take(&p.padded, padded);
		take(&p.kept, strips);
		take(&p.strips, strips);
		take(&p.kept_again, full);
		take(&p.sums, full);
		take(&p.squares, window);
		take(&p.square_sums, full);
		take(&p.templ_squares, templ);
		take(&p.mask, full);
		take(&p.masked, full);
	}
	CHECK(cudaMemcpyToSymbol(points, all.data(), all.size() * sizeof(point)));
	return all;
}

static int run(film &f, sizes z)
{
	array<float> memory((size_t)POINTS * 10 * z.padded() * z.padded());
	std::vector<point> all = share_out(memory, z);
	int wrong = 0;

	for (int number = 0; number < f.frames; number++) {
		f.show(number);
		track<<<POINTS, BLOCK>>>(f.shown.device, f.rows.device, f.columns.device, number, f.frames, z);
		CHECK(cudaGetLastError());
		f.rows.host = f.rows.download();
		f.columns.host = f.columns.download();
		for (int i = 0; number > 0 && i < POINTS; i++)
			wrong += is_wrong(f, z, all[i], number, i);
	}
	return wrong;
}

int main(int argc, char **argv)
{
	static const char usage[] = "heartwall [small|study|suite [FRAMES]]";
	std::string size = argc > 1 ? argv[1] : "small";
	int frames = argc > 2 ? positive(argv[2], usage) : size == "small" ? 3 : 2, wrong;
	sizes z = size == "small" ? sizes{8, 3} : size == "study" ? sizes{40, 7} : sizes{40, 25};

	if ((size != "small" && size != "study" && size != "suite") || frames < 2 || frames > 10) {
		fprintf(stderr, "usage: %s\n", usage);
		return 2;
	}
	film f(frames);

	wrong = run(f, z);
	printf("heartwall: %d points, %d frames, %d wrong\n", POINTS, frames, wrong);
	return wrong != 0;
}
