/*
 * Parameters of the memory channels: section dram of a GPU configuration. They describe one chip. Units, ranges,
 * defaults and sources are in dram_knobs.def.
 */
#ifndef ROMARK_SIM_DRAM_CONFIG_H
#define ROMARK_SIM_DRAM_CONFIG_H

#include "sim-backend/base/shape.h"
#include "sim-backend/knobs/knob.h"

enum dram_page_policy { DRAM_OPEN_PAGE, DRAM_CLOSED_PAGE };

struct dram_config {
#define KNOB KNOB_FIELD
#include "sim-backend/dram/dram_knobs.def"
};

extern const struct knob dram_knobs[];

struct diag;

/* Whether rows, bursts, bank groups, watermarks and refreshes fit together. 0, or DIAG_ERROR. */
int dram_config_check(const struct dram_config *config, const struct shape *shape, struct diag *d);
/* GB/s of `channels` channels at their peak. */
double dram_peak_gbs(const struct dram_config *config, unsigned channels);

#endif
