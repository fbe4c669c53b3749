/*
 * Lines of constants and instructions that an SM fetches through the network (sm.misses_to_llc): what is on its way,
 * and which warps wait for it. The LSU's port takes a request a cycle, from here before the LSU's own.
 */
#ifndef ROMARK_SIM_FETCHES_H
#define ROMARK_SIM_FETCHES_H

#include "common/vec.h"
#include "sim-backend/sm/sm_config.h"

struct fetch {
	uint64_t line; /* of the cache */
	bool instruction, used;
};

/* A load of constants whose lines are on their way. */
struct const_wait {
	uint32_t inst;
	uint16_t left; /* lines; 0: not in use */
	uint8_t warp, words;
};

/* `wait` is an index of waits, or FETCH_FOR_WARP + a warp that waits for instructions. */
enum { FETCH_FOR_WARP = 1 << 30 };
struct fetch_link {
	uint32_t fetch, wait;
};

struct fetches {
	VEC(struct fetch) fetches; /* indexed by the request's cookie */
	VEC(uint32_t) unsent;      /* oldest first */
	VEC(struct fetch_link) links;
	VEC(struct const_wait) waits;
	uint64_t waiting; /* mask of warps that wait for instructions */
	uint16_t left[SM_MAX_WARPS];
	uint32_t earliest[SM_MAX_WARPS]; /* they may issue, when all lines are there */
};

#endif
