/*
 * Races between the threads of a warp. They run together here, but need not on hardware: what one thread writes and
 * another takes has to be put in order by __syncwarp or a stronger operation.
 *
 *   lanes = lane_races_new();
 *   lane_races_start(lanes, epoch);                      (an instruction of a launch begins)
 *   if (lane_races_note(lanes, &access, &conflict)) ...  (for each lane, in order)
 */
#ifndef ROMARK_CPU_LANE_RACES_H
#define ROMARK_CPU_LANE_RACES_H

#include "runtime/cpu/engine/engine.h"

struct lane_races;

struct lane_access {
	const struct warp *warp;
	const struct inst *inst; /* a load or a store */
	unsigned lane;
	uint64_t address; /* of the access's first byte, in numbers that are the same for all lanes */
	uint32_t time;    /* of races.c's clock */
};

struct lane_conflict {
	uint32_t place; /* of the other instruction: 1 + its row in the program's table */
	bool wrote;     /* the other one wrote; else it read */
	bool at_once;   /* it is the same execution of the same instruction */
	uint64_t address;
};

struct lane_races *lane_races_new(void);
void lane_races_free(struct lane_races *l);
void lane_races_start(struct lane_races *l, uint32_t epoch);
/* Records the access. True if another lane's access to one of its words is not in order with it. */
bool lane_races_note(struct lane_races *l, const struct lane_access *a, struct lane_conflict *out);

#endif
