/*
 * A memory controller: its DRAM channels, and the two crossbars (one for either direction) that give every slice behind
 * the MC-router access to all of them. A crossbar port passes port_bytes per cycle; arbiters are round robin.
 */
#ifndef ROMARK_SIM_DRAM_CONTROLLER_H
#define ROMARK_SIM_DRAM_CONTROLLER_H

#include "sim-backend/llc/slice.h"

struct controller {
	const struct memsys_config *config;
	struct llc_slice *slices; /* of this controller */
	struct dram_channel *channels;
	uint64_t requesting;                      /* slices with something in to_dram */
	uint64_t returning;                       /* channels with something in out */
	uint64_t busy;                            /* channels that are not empty */
	uint64_t *slice_out_free, *slice_in_free; /* cycle from which a port is free */
	uint64_t *channel_in_free, *channel_out_free;
	uint8_t *next_slice, *next_channel; /* round robin: per channel, per slice */
	uint64_t requests, returns;         /* passed through the crossbars */
};

void controller_init(struct controller *c, const struct memsys_config *config, struct llc_slice *slices,
		     const struct dram_clock *clock);
void controller_release(struct controller *c);
/* `before`, `clock`: memory clocks, see dram_channel_tick. */
void controller_tick(struct controller *c, uint64_t now, uint64_t before, uint64_t clock, bool reverse);

static inline bool controller_is_empty(const struct controller *c)
{
	return !(c->requesting | c->busy);
}

uint64_t controller_next(const struct controller *c, uint64_t now);

#endif
