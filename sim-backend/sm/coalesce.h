/* Turns the lanes' addresses into the requests that the L1 sees, and into bank conflicts of the shared memory. */
#ifndef ROMARK_SIM_COALESCE_H
#define ROMARK_SIM_COALESCE_H

#include "sim-backend/sm/local_memory.h"
#include "sim-backend/sm/sm_config.h"

#include <stdint.h>

enum {
	LINE_BYTES = 128,
	LINE_SHIFT = 7,
	SECTOR_BYTES = 32,
	SECTOR_SHIFT = 5,
	SECTORS_PER_LINE = 4,
	/* 32 lanes x 4 words of a 16-byte local access, or x 2 lines of an unaligned one */
	COALESCE_MAX = 128
};

struct line_access {
	uint64_t line;   /* address of its first byte */
	uint8_t sectors; /* bit 0 = lowest 32 B */
};

/*
 * Requests in the order of the first lane that needs each. `out` holds COALESCE_MAX. COALESCE_SECTORS: a request per
 * 128 B line, with the 32 B sectors that its lanes touch. COALESCE_SEGMENTS (compute capability 2.x): segments of 32,
 * 64 or 128 B for accesses of 1, 2 or more bytes, shrunk to the half or the quarter that lanes touch; `uncached`
 * segments have 32 B each.
 */
unsigned coalesce(enum coalesce_rule rule, bool uncached, uint32_t mask, const uint64_t addresses[TRACE_WARP_LANES],
		  unsigned access_bytes, struct line_access *out);

/*
 * As coalesce() with COALESCE_SECTORS, for a whole warp in an affine pattern. Returns 0, and leaves `out` alone, when
 * the lanes are not close enough: when the stride in a row is below 0 or above a sector.
 */
unsigned coalesce_rows(const struct trace_lanes *lanes, unsigned access_bytes, struct line_access *out);

/* Local memory: `offsets` are offsets in a thread's own local memory. */
unsigned coalesce_local(uint32_t mask, const uint64_t offsets[TRACE_WARP_LANES], unsigned access_bytes,
			const struct local_window *window, struct line_access *out);

enum shared_access { SHARED_LOAD, SHARED_STORE, SHARED_ATOMIC };

/*
 * Cycles that a shared-memory access holds the banks. Lanes take turns in groups that can ask for 128 B at most: all 32
 * lanes with up to 4 bytes each, 16 with 8, 8 with 16. Lanes of a group that want the same element share it, except in
 * atomics. Loads return up to 128 B a cycle as well, and a value that two lanes share is returned once. So groups of a
 * load are twice as large if all active lanes have the same addresses as their neighbours (lane XOR 1), or all as the
 * lanes at distance two (lane XOR 2). A lane without an active partner agrees. Source: NVIDIA on compute capability 7.0
 * to 7.5 (developer forum, thread 77228): LDS.128 takes 2 requests instead of 4.
 */
unsigned shared_conflict_cycles(uint32_t mask, const uint64_t offsets[TRACE_WARP_LANES], unsigned access_bytes,
				unsigned banks, enum shared_access kind);

/* Distinct 4-byte words among the lanes: a constant access takes one cycle each. */
unsigned distinct_words(uint32_t mask, const uint64_t offsets[TRACE_WARP_LANES]);

#endif
