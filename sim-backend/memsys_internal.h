/* What memsys.c and memsys_report.c share: the parts of the memory system. */
#ifndef ROMARK_SIM_MEMSYS_INTERNAL_H
#define ROMARK_SIM_MEMSYS_INTERNAL_H

#include "sim-backend/dram/controller.h"
#include "sim-backend/llc/slice.h"
#include "sim-backend/memsys_config.h"
#include "sim-backend/noc/networks.h"

/*
 * A boundary (kernel end, reorganisation): new requests are held back until all that are in flight are done, then the
 * slices work on their contents, then requests flow again.
 */
enum boundary { BOUNDARY_NONE, BOUNDARY_DRAIN, BOUNDARY_WORK };

struct memsys {
	struct memsys_config config;
	struct address_map map;
	struct dram_clock clock;
	struct transaction_pool pool;
	struct network requests, replies;
	struct llc_common common;
	struct llc_slice *slices;
	struct controller *controllers;
	unsigned nslices, sms_per_router;
	void *policy_knobs;
	uint64_t policy_next; /* the policy's next tick */

	enum boundary boundary;
	struct llc_orders orders;
	uint64_t boundary_from;
	uint64_t hold_from, hold_until; /* cycles in which the SMs may not send */

	uint64_t sent, finished, round_trip_cycles, round_trip_max;
	uint64_t flushes, flush_cycles;
	struct memsys_stats stats;
	uint64_t *slice_accesses;
};

/* Everything is done but for replies that an SM has not taken. */
bool memsys_is_drained(const struct memsys *ms);

#endif
