/* Shuffles and votes without a mask work among the threads that come to them together, here 24 of a warp. */
#include "expect.h"

enum { LANES = 24 };

struct answers {
	int from_pair[LANES], from_below[LANES], from_above[LANES], from_partner[LANES];
	float floats[LANES];
	double doubles[LANES];
	long long longs[LANES];
	int any[LANES], all[LANES];
	unsigned ballot[LANES];
};

__global__ void ask(struct answers *a)
{
	int lane = threadIdx.x;

	if (lane >= LANES)
		return;
	a->from_pair[lane] = __shfl(lane * 3, lane ^ 1);
	a->from_below[lane] = __shfl_up(lane * 3, 1);
	a->from_above[lane] = __shfl_down(lane * 3, 2, 8);
	a->from_partner[lane] = __shfl_xor(lane * 3, 5);
	a->floats[lane] = __shfl_xor(lane * 0.5f, 4);
	a->doubles[lane] = __shfl(lane * 0.25, 7);
	a->longs[lane] = __shfl_down((long long)lane << 33, 1, 4);
	a->any[lane] = __any(lane == 3);
	a->all[lane] = __all(lane > 0);
	a->ballot[lane] = __ballot(lane & 1);
}

int main()
{
	struct answers *a;

	EXPECT(!cudaMallocManaged(&a, sizeof *a));
	ask<<<1, 32>>>(a);
	EXPECT(!cudaDeviceSynchronize());
	for (int lane = 0; lane < LANES; lane++) {
		EXPECT(a->from_pair[lane] == (lane ^ 1) * 3);
		EXPECT(a->from_below[lane] == (lane ? lane - 1 : 0) * 3);
		EXPECT(a->from_above[lane] == (lane % 8 < 6 ? lane + 2 : lane) * 3);
		EXPECT(a->from_partner[lane] == (lane ^ 5) * 3);
		EXPECT(a->floats[lane] == (lane ^ 4) * 0.5f);
		EXPECT(a->doubles[lane] == 7 * 0.25);
		EXPECT(a->longs[lane] == (long long)(lane % 4 < 3 ? lane + 1 : lane) << 33);
		EXPECT(a->any[lane] && !a->all[lane] && a->ballot[lane] == 0xaaaaaau);
	}
	if (!wrong)
		puts("ok");
	return wrong != 0;
}
