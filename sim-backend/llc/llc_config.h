/*
 * Parameters of the LLC: section llc of a GPU configuration. They describe one chip. Units, ranges, defaults and
 * sources are in llc_config.c.
 */
#ifndef ROMARK_SIM_LLC_CONFIG_H
#define ROMARK_SIM_LLC_CONFIG_H

#include "sim-backend/base/shape.h"
#include "sim-backend/knobs/knob.h"

enum llc_partial_write { LLC_PARTIAL_MASK, LLC_PARTIAL_FILL };

struct llc_config {
	uint32_t clock_mhz; /* 0: the SMs' clock */
	uint32_t slices_per_mc;
	uint32_t kilobytes, ways, line_bytes;
	uint32_t latency, port_bytes;
	uint32_t input_queue, dram_queue, fill_queue;
	uint32_t mshr_entries, mshr_merges;
	uint32_t partial_write; /* enum llc_partial_write */
	bool sectored;
	uint32_t atomic_cycles;
	uint32_t xbar_cycles;
	/* SMs that share a victim bit (tag_array.h); 0: no such bits. No knob: the L1s' policy sets it. */
	uint32_t victim_sms;
};

extern const struct knob llc_knobs[];

struct diag;

/* Whether the capacity makes whole sets. 0, or DIAG_ERROR. */
int llc_config_check(const struct llc_config *config, const struct shape *shape, struct diag *d);

#endif
