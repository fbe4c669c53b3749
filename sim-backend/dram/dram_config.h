/*
 * Parameters of the memory channels: section dram of a GPU configuration. They describe one chip. Units, ranges,
 * defaults and sources are in dram_config.c.
 */
#ifndef ROMARK_SIM_DRAM_CONFIG_H
#define ROMARK_SIM_DRAM_CONFIG_H

#include "sim-backend/base/shape.h"
#include "sim-backend/knobs/knob.h"

enum dram_page_policy { DRAM_OPEN_PAGE, DRAM_CLOSED_PAGE };

struct dram_config {
	uint32_t channels_per_mc;
	double gigabytes_per_second, clock_mhz;
	uint32_t burst_bytes, burst_clocks;
	uint32_t banks, bank_groups, row_bytes;
	uint32_t scheduler; /* row of dram_scheduler_table */
	uint32_t read_queue, write_queue, write_high, write_low, return_queue;
	uint32_t age_cap;
	uint32_t page_policy; /* enum dram_page_policy */
	uint32_t tRC, tRCD, tRP, tCL, tWL, tRAS, tRRDl, tRRDs, tFAW, tRTP, tCCDl, tCCDs, tWTR, tRTW, tWR;
	bool refresh;
	uint32_t tREFI, tRFC;
};

extern const struct knob dram_knobs[];

struct diag;

/* Whether rows, bursts, bank groups, watermarks and refreshes fit together. 0, or DIAG_ERROR. */
int dram_config_check(const struct dram_config *config, const struct shape *shape, struct diag *d);
/* GB/s of `channels` channels at their peak. */
double dram_peak_gbs(const struct dram_config *config, unsigned channels);

#endif
