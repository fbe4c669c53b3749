/* Parameters of address translation: section tlb of a GPU configuration. Units and sources are in tlb_knobs.def. */
#ifndef ROMARK_SIM_TLB_CONFIG_H
#define ROMARK_SIM_TLB_CONFIG_H

#include "sim-backend/knobs/knob.h"

struct tlb_config {
#define KNOB KNOB_FIELD
#include "sim-backend/tlb/tlb_knobs.def"
};

extern const struct knob tlb_knobs[];

struct diag;

/* 0, or DIAG_ERROR. */
int tlb_config_check(const struct tlb_config *config, struct diag *d);

#endif
