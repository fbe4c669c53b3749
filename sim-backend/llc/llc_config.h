/*
 * Parameters of the LLC: section llc of a GPU configuration. They describe one chip. Units, ranges, defaults and
 * sources are in llc_knobs.def.
 */
#ifndef ROMARK_SIM_LLC_CONFIG_H
#define ROMARK_SIM_LLC_CONFIG_H

#include "sim-backend/base/shape.h"
#include "sim-backend/knobs/knob.h"
#include "sim-backend/llc/llc_replacement.h"

enum llc_partial_write { LLC_PARTIAL_MASK, LLC_PARTIAL_FILL };

struct llc_config {
#define KNOB KNOB_FIELD
#include "sim-backend/llc/llc_knobs.def"
	/* SMs that share a victim bit (tag_array.h); 0: no such bits. No knob: the L1s' policy sets it. */
	uint32_t victim_sms;
	/* The policy that `replacement` names, with its knobs; NULL: the default. sim_config_check sets them. */
	const struct llc_replacement_ops *replacement_ops;
	const void *replacement_knobs;
};

extern const struct knob llc_knobs[];

struct diag;

/* Whether the capacity makes whole sets. 0, or DIAG_ERROR. */
int llc_config_check(const struct llc_config *config, const struct shape *shape, struct diag *d);

#endif
