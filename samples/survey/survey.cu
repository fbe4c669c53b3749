/*
 * Survey propagation on a random 3-SAT formula, with the shape of LonestarGPU's SP: as many blocks of 384 threads as
 * the GPU holds stride over the edges between clauses and variables, and over the variables. Index arrays lead to the
 * edges, so a warp's load touches up to 32 lines, anywhere. Sweeps of `messages` and `surveys` repeat until the surveys
 * hardly change. Then `biases` and `decimate` fix the surest hundredth of the variables.
 *
 *   survey [small|paper|VARIABLES [SWEEPS [ROUNDS [BLOCKS]]]]
 *
 * There are 4.2 clauses for a variable. The paper's size is 40,000 variables: 33 bytes for each of 504,000 edges, 5 for
 * a clause and 10 for a variable are 17.0 MiB, for the 17.0 MB of shared data in Table III of the SelRep study. SWEEPS
 * and ROUNDS are upper limits: 1000 each at the paper's size, as in the suite. Simulating that takes far too long. All
 * sweeps of a round do the same, so take `survey 40000 4 1`.
 */
#include "formula.h"
#include "../common/size.h"

enum { THREADS = 384 };

#define STILL 0.01f      /* surveys have settled when none changes more */
#define PARAMAGNET 0.01f /* the mean bias of a formula that is easy by now */

/*
 * Each variable's message over an edge: the probabilities that its other clauses want it as this clause does, want it
 * the other way, or want neither.
 */
__global__ void messages(side clauses, side variables, edges e)
{
	for (int edge = blockIdx.x * blockDim.x + threadIdx.x; edge < e.count; edge += blockDim.x * gridDim.x) {
		int clause = e.clause[edge], variable = e.variable[edge];
		int first = variables.first[variable], degree = variables.first[variable + 1] - first;
		float none = 1, same = 1, other = 1;

		if (clauses.done[clause] || variables.done[variable])
			continue;
		for (int i = 0; i < degree; i++) {
			int from = variables.list[first + i];
			int sender = e.clause[from];

			if (clauses.done[sender] || sender == clause)
				continue;
			none *= 1 - e.eta[from];
			if (e.negated[from] == e.negated[edge])
				same *= 1 - e.eta[from];
			else
				other *= 1 - e.eta[from];
		}
		e.pi_0[edge] = none;
		e.pi_other[edge] = (1 - other) * same;
		e.pi_same[edge] = (1 - same) * other;
	}
}

/* The clause's survey: the probability that all its other variables are wanted the other way. */
__global__ void surveys(side clauses, side variables, edges e, float *largest_change)
{
	float largest = 0;

	for (int edge = blockIdx.x * blockDim.x + threadIdx.x; edge < e.count; edge += blockDim.x * gridDim.x) {
		int clause = e.clause[edge], variable = e.variable[edge];
		int first = clauses.first[clause], degree = clauses.first[clause + 1] - first;
		float eta = 1;

		if (clauses.done[clause] || variables.done[variable])
			continue;
		for (int i = 0; i < degree; i++) {
			int from = clauses.list[first + i], sender = e.variable[from];

			if (sender == variable || variables.done[sender])
				continue;
			float sum = e.pi_0[from] + e.pi_same[from] + e.pi_other[from];

			if (sum == 0) {
				eta = 0;
				break;
			}
			eta *= e.pi_other[from] / sum;
		}
		largest = fmaxf(largest, fabsf(eta - e.eta[edge]));
		e.eta[edge] = eta;
	}
	if (largest != 0) /* positive floats are in the order of their bits */
		atomicMax((int *)largest_change, __float_as_int(largest));
}

/*
 * How sure each free variable is of its value. Lists them, in any order, and sums the larger of each variable's two
 * sides.
 */
__global__ void biases(side clauses, side variables, edges e, int *listed, int *count, float *sum)
{
	__shared__ float sums[THREADS / 32];
	float mine = 0;

	for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < variables.count; v += blockDim.x * gridDim.x) {
		int first = variables.first[v], degree = variables.first[v + 1] - first;
		float none = 1, no = 1, yes = 1;

		if (variables.done[v])
			continue;
		for (int i = 0; i < degree; i++) {
			int from = variables.list[first + i];

			if (clauses.done[e.clause[from]])
				continue;
			none *= 1 - e.eta[from];
			if (e.negated[from])
				no *= 1 - e.eta[from];
			else
				yes *= 1 - e.eta[from];
		}
		float for_yes = (1 - yes) * no, for_no = (1 - no) * yes, all = none + for_yes + for_no;

		for_yes = all == 0 ? 0 : for_yes / all;
		for_no = all == 0 ? 0 : for_no / all;
		variables.bias[v] = fabsf(for_yes - for_no);
		variables.value[v] = for_yes > for_no;
		mine += fmaxf(for_yes, for_no);
		listed[atomicAdd(count, 1)] = v;
	}
	for (int apart = 16; apart > 0; apart /= 2)
		mine += __shfl_down_sync(~0u, mine, apart);
	if (threadIdx.x % 32 == 0)
		sums[threadIdx.x / 32] = mine;
	__syncthreads();
	if (threadIdx.x == 0) {
		for (int warp = 1; warp < THREADS / 32; warp++)
			mine += sums[warp];
		atomicAdd(sum, mine);
	}
}

/* Fixes the variables that are listed, and so satisfies clauses. */
__global__ void decimate(side clauses, side variables, edges e, int *listed, int count)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) {
		int v = listed[i], first = variables.first[v], degree = variables.first[v + 1] - first;

		variables.done[v] = 1;
		for (int k = 0; k < degree; k++) {
			int edge = variables.list[first + k], clause = e.clause[edge];

			if (!clauses.done[clause] && e.negated[edge] != variables.value[v])
				clauses.done[clause] = 1;
		}
	}
}

struct solver {
	formula &f;
	int blocks, sweeps, rounds, wrong;
	array<float> number; /* that a kernel makes for the host */
	array<int> listed, count;

	/* The CPU goes on with the device's values, so that differences do not add up. */
	template <typename T>
	void compare(array<T> &a)
	{
		wrong += differences(a, 1e-4);
		a.host = a.download();
	}
	void clear(float value)
	{
		number.host[0] = value;
		number.upload();
	}
	void compare_number(double expected)
	{
		number.host[0] = (float)expected;
		compare(number);
	}

	/* Runs sweeps until the surveys hardly change. */
	void converge(int most)
	{
		for (int sweep = 0; sweep < most; sweep++) {
			messages<<<blocks, THREADS>>>(f.clauses.on_device(), f.variables.on_device(), f.on_device());
			CHECK(cudaGetLastError());
			messages_on_cpu(f);
			for (array<float> *pi : {&f.pi_0, &f.pi_same, &f.pi_other})
				compare(*pi);
			clear(0);
			surveys<<<blocks, THREADS>>>(f.clauses.on_device(), f.variables.on_device(), f.on_device(),
						     number.device);
			CHECK(cudaGetLastError());
			compare_number(surveys_on_cpu(f));
			compare(f.eta);
			sweeps++;
			if (number.host[0] <= STILL)
				break;
		}
	}

	/* The free variables, the surest first; none in a formula that is easy by now. */
	std::vector<int> free_variables()
	{
		std::vector<int> free;

		clear(0);
		count.upload();
		biases<<<blocks, THREADS>>>(f.clauses.on_device(), f.variables.on_device(), f.on_device(),
					    listed.device, count.device, number.device);
		CHECK(cudaGetLastError());
		compare_number(biases_on_cpu(f));
		compare(f.variables.bias);
		std::vector<flag> values = f.variables.value.download();
		for (int v = 0; v < (int)values.size(); v++)
			if (!f.variables.done.host[v]) {
				free.push_back(v);
				wrong += f.variables.bias.host[v] > 1e-3f && values[v] != f.variables.value.host[v];
			}
		f.variables.value.host = values; /* what has hardly a bias may go either way */
		std::vector<int> found = listed.download();
		std::sort(found.begin(), found.begin() + (ptrdiff_t)free.size());
		wrong +=
		    count.download()[0] != (int)free.size() || !std::equal(free.begin(), free.end(), found.begin());
		if (number.host[0] < PARAMAGNET * (float)free.size())
			return {};
		std::sort(free.begin(), free.end(), [&](int a, int b) {
			float surer = f.variables.bias.host[a] - f.variables.bias.host[b];

			return surer != 0 ? surer > 0 : a < b;
		});
		return free;
	}

	void solve(int most_sweeps, int most_rounds)
	{
		size_t at_once = std::max<size_t>(1, f.variables.done.host.size() / 100);

		while (rounds < most_rounds) {
			converge(most_sweeps);
			std::vector<int> fixed = free_variables();
			if (fixed.empty())
				break;
			fixed.resize(std::min(at_once, fixed.size()));
			std::copy(fixed.begin(), fixed.end(), listed.host.begin());
			listed.upload();
			decimate<<<blocks, THREADS>>>(f.clauses.on_device(), f.variables.on_device(), f.on_device(),
						      listed.device, (int)fixed.size());
			CHECK(cudaGetLastError());
			decimate_on_cpu(f, fixed);
			compare(f.variables.done);
			compare(f.clauses.done);
			rounds++;
		}
	}
};

int main(int argc, char **argv)
{
	static const char usage[] = "survey [small|paper|VARIABLES [SWEEPS [ROUNDS [BLOCKS]]]], at least 3 variables";
	int variables = chosen_size(argc, argv, 400, 40000, usage);
	bool is_small = variables == 400;
	int sweeps = argc > 2 ? positive(argv[2], usage) : is_small ? 5 : 1000;
	int rounds = argc > 3 ? positive(argv[3], usage) : is_small ? 2 : 1000;
	int blocks = argc > 4 ? positive(argv[4], usage) : 320; /* 5 on each of 64 SMs */

	if (variables < LITERALS || variables > 10000000) {
		fprintf(stderr, "usage: %s\n", usage);
		return 2;
	}
	int clauses = (int)(4.2 * variables);
	formula f(clauses, variables, clauses * LITERALS);
	solver s = {f, blocks, 0, 0, 0, array<float>(1), array<int>(variables), array<int>(1)};

	s.solve(sweeps, rounds);
	printf("survey: %d clauses of %d variables, %d sweeps, %d rounds, %d wrong\n", clauses, variables, s.sweeps,
	       s.rounds, s.wrong);
	return s.wrong != 0;
}
