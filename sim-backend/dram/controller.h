/*
 * A memory controller: its DRAM channels, and the two crossbars (one for either direction) that give every slice behind
 * the MC-router access to all of them. A crossbar port passes port_bytes per cycle; arbiters are round robin.
 *
 *   slice -> from_slices --crossbar--> channel's `in`, its banks, `out` --crossbar--> to_slices -> slice
 */
#ifndef ROMARK_SIM_DRAM_CONTROLLER_H
#define ROMARK_SIM_DRAM_CONTROLLER_H

#include "sim-backend/dram/channel.h"

struct controller {
	const struct dram_config *config;
	struct dram_ends ends;
	unsigned nchannels;
	unsigned ports;                /* slices, and the links behind them */
	struct dram_port *from_slices; /* [ports] */
	struct dram_port *
	    *to_slices; /* [ports]: slices' own ports, for the data of reads; the chip's ports for reads of links */
	struct dram_channel *channels;
	uint64_t requesting;                      /* ports with something in from_slices */
	uint64_t returning;                       /* channels with something in out */
	uint64_t busy;                            /* channels that are not empty */
	uint64_t *slice_out_free, *slice_in_free; /* cycle from which a port is free */
	uint64_t *channel_in_free, *channel_out_free;
	uint8_t *next_slice, *next_channel; /* round robin: per channel, per slice */
	uint64_t requests, returns;         /* passed through the crossbars */
};

/* Until each slice has said by controller_connect where data goes, nothing may be pushed into from_slices. */
void controller_init(struct controller *c, const struct dram_config *config, const struct dram_ends *ends,
		     const struct shape *shape, const struct dram_clock *clock);
/* Whose array is charged for the rows that requests open. */
void controller_charge(struct controller *c, struct structure_memory *structures);
void controller_connect(struct controller *c, unsigned slice, struct dram_port *fills);
void controller_release(struct controller *c);
/* `before`, `clock`: memory clocks, see dram_channel_tick. */
void controller_tick(struct controller *c, uint64_t now, uint64_t before, uint64_t clock, bool reverse);

static inline bool controller_is_empty(const struct controller *c)
{
	return !(c->requesting | c->busy);
}

uint64_t controller_next(const struct controller *c, uint64_t now);

#endif
