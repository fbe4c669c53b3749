/*
 * A run ends at a lane whose address is neither in it nor right behind it. Warps whose lanes all have the same address,
 * or consecutive addresses, are tested half by half instead of lane by lane: in a CTA 16 threads wide a warp has two
 * rows.
 */
#include "runtime/cpu/observe/runs.h"

enum { HALF = LANES / 2 };

/*
 * The bytes of the run that lanes [first, first + HALF) form, with the same address or consecutive addresses; 0 if
 * neither.
 */
static inline uint64_t half_length(const struct accesses *a, unsigned first)
{
	const uint64_t *address = a->address + first;
	uint64_t start = address[0], step = address[1] - start, apart = 0;

	if (step != 0 && step != a->bytes)
		return 0;
	for (unsigned i = 2; i < HALF; i++)
		apart |= address[i] ^ (start + i * step);
	return apart ? 0 : step ? HALF * a->bytes : a->bytes;
}

/* The runs of all lanes if each half forms a run; else 0. */
static unsigned halves(const struct accesses *a, struct lane_run out[LANES])
{
	uint64_t low = half_length(a, 0), high = low ? half_length(a, HALF) : 0;

	if (!high)
		return 0;
	out[0] = (struct lane_run){ALL_LANES, 0, low};
	if (a->address[HALF] == a->address[0] && low == high)
		return 1;
	if (a->address[HALF] == a->address[0] + low) {
		out[0].bytes += high;
		return 1;
	}
	out[0].lanes >>= HALF;
	out[1] = (struct lane_run){ALL_LANES << HALF, HALF, high};
	return 2;
}

unsigned runs_of(const struct accesses *a, struct lane_run out[LANES])
{
	unsigned n = a->mask == ALL_LANES ? halves(a, out) : 0;

	if (n)
		return n;
	for (uint32_t rest = a->mask; rest; n++) {
		struct lane_run r = {rest & -rest, (unsigned)__builtin_ctz(rest), a->bytes};
		uint64_t start = a->address[r.lane];

		for (rest &= rest - 1; rest; rest &= rest - 1) {
			uint64_t offset = a->address[__builtin_ctz(rest)] - start;

			if (offset > r.bytes)
				break;
			r.lanes |= rest & -rest;
			r.bytes = offset + a->bytes > r.bytes ? offset + a->bytes : r.bytes;
		}
		out[n] = r;
	}
	return n;
}
