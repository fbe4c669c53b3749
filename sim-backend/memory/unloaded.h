/*
 * How long reads of a line take in an empty machine, from its knobs: the mean over all pairs of SM and slice.
 *
 *   struct llc_unloaded cycles = unloaded_of(&config);
 */
#ifndef ROMARK_SIM_UNLOADED_H
#define ROMARK_SIM_UNLOADED_H

#include "sim-backend/llc/llc_policy.h"
#include "sim-backend/memory/memsys_config.h"

/* The same by the stages of struct stage_stats; `memory` is what a line takes longer that the LLC does not have. */
struct unloaded_stages {
	double request_network, pipeline, reply_network, memory;
};

/* `config` must have passed memsys_config_check. */
struct llc_unloaded unloaded_of(const struct memsys_config *config);
struct unloaded_stages unloaded_stages_of(const struct memsys_config *config);

#endif
