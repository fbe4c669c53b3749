/*
 * A sparse matrix times a vector, with the shape of Parboil's spmv: jagged diagonals. The rows are sorted by length,
 * and a warp's 32 rows are padded to the longest of them. A thread sums a row. A warp's loads of values and columns are
 * coalesced, but it reads the vector wherever the columns say. The lengths and the diagonals' starts are in constant
 * memory. All but the result is only read.
 *
 *   spmv [small|study|ROWS]
 *
 * The rows represent points of a plane, each tied to seven clumps of others around it: 13 to 37 elements, 25 on
 * average, as in the suite's large matrix. The size `study` is that matrix's 146,689 rows. Rows of nine lengths
 * alternate, so a warp's rows are spread over some nine lines of the vector. The product is computed twice.
 */
#include "../common/arrays.h"
#include "../common/size.h"

#include <algorithm>
#include <numeric>

enum { WARP = 32, MOST_WARPS = 5000, MOST_LENGTH = 64, LAUNCHES = 2, SMS = 16, SM_THREADS = 1536, CLUMPS = 7 };

__constant__ int starts[MOST_LENGTH]; /* of each diagonal */
__constant__ int lengths[MOST_WARPS]; /* of a warp's rows */

__global__ void multiply(float *result, const float *values, const int *columns, const int *order, const float *vector,
			 int rows)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x, length;
	float sum = 0;

	if (row >= rows)
		return;
	length = lengths[row / WARP];
	for (int k = 0; k < length; k++) {
		int at = starts[k] + row;

		sum += values[at] * vector[columns[at]];
	}
	result[order[row]] = sum;
}

struct element {
	int column;
	float value;
};

/* A matrix row by row. */
struct rows {
	std::vector<std::vector<element>> row;

	/* A row's clumps are around the row itself, and one, two and three widths of the plane before and behind it. */
	explicit rows(int count) : row(count)
	{
		unsigned state = 1;
		int width = (int)std::sqrt((double)count);

		for (int i = 0; i < count; i++) {
			int length = 13 + 3 * (int)(next_random(&state) * 9);

			for (int clump = 0; clump < CLUMPS; clump++)
				for (int k = clump; k < length; k += CLUMPS) {
					int column = i + (clump - CLUMPS / 2) * width + k / CLUMPS;
					float value = next_random(&state) - 0.5f;

					if (column >= 0 && column < count)
						row[i].push_back({column, value});
				}
		}
	}
	size_t elements() const
	{
		size_t sum = 0;

		for (const std::vector<element> &r : row)
			sum += r.size();
		return sum;
	}
};

/* The same in jagged diagonals. */
struct diagonals {
	std::vector<int> order; /* the rows by length */
	std::vector<int> starts, lengths, columns;
	std::vector<float> values;

	explicit diagonals(const rows &m) : order(m.row.size())
	{
		std::iota(order.begin(), order.end(), 0);
		std::sort(order.begin(), order.end(), [&](int a, int b) {
			return m.row[a].size() != m.row[b].size() ? m.row[a].size() > m.row[b].size() : a < b;
		});
		for (size_t first = 0; first < order.size(); first += WARP)
			lengths.push_back((int)m.row[order[first]].size());
		for (int k = 0; k < lengths[0]; k++)
			add(m, k);
	}

private:
	/* Diagonal k goes as far as the warps whose rows have so many elements. */
	void add(const rows &m, int k)
	{
		starts.push_back((int)values.size());
		for (size_t i = 0; i < lengths.size() * WARP && lengths[i / WARP] > k; i++) {
			bool is_there = i < order.size() && k < (int)m.row[order[i]].size();
			element e = is_there ? m.row[order[i]][k] : element{0, 0};

			columns.push_back(e.column);
			values.push_back(e.value);
		}
	}
};

template <typename T>
static void put(array<T> &to, const std::vector<T> &from)
{
	to.host = from;
	to.upload();
}

static void multiply_on_cpu(const rows &m, const array<float> &vector, array<float> &result)
{
	for (size_t i = 0; i < m.row.size(); i++) {
		double sum = 0;

		for (const element &e : m.row[i])
			sum += (double)e.value * vector.host[e.column];
		result.host[i] = (float)sum;
	}
}

/* Blocks have six warps, or a single warp if six would leave SMs without work. */
static int block_for(int rows)
{
	return rows > SMS * SM_THREADS ? SM_THREADS / 8 : WARP;
}

int main(int argc, char **argv)
{
	static const char usage[] = "spmv [small|study|ROWS], at most 160000 rows";
	int count = small_or_study(argc, argv, 3000, 146689, usage), block = block_for(count), wrong;

	if (count > MOST_WARPS * WARP) {
		fprintf(stderr, "usage: %s\n", usage);
		return 2;
	}
	rows m(count);
	diagonals jagged(m);
	array<float> vector(count), result(count), values(jagged.values.size());
	array<int> columns(jagged.columns.size()), order(count);

	fill(vector, 2, 1);
	put(values, jagged.values);
	put(columns, jagged.columns);
	put(order, jagged.order);
	CHECK(cudaMemcpyToSymbol(starts, jagged.starts.data(), jagged.starts.size() * sizeof(int)));
	CHECK(cudaMemcpyToSymbol(lengths, jagged.lengths.data(), jagged.lengths.size() * sizeof(int)));
	for (int launch = 0; launch < LAUNCHES; launch++)
		multiply<<<(count + block - 1) / block, block>>>(result.device, values.device, columns.device,
								 order.device, vector.device, count);
	CHECK(cudaGetLastError());
	multiply_on_cpu(m, vector, result);
	wrong = differences(result, 1e-4);
	printf("spmv: %d rows, %zu elements, %d wrong\n", count, m.elements(), wrong);
	return wrong != 0;
}
