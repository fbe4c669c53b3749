/*
 * SAC's predictions from its profile: hit rates, slice uniformity and effective available bandwidth (EAB) of both
 * organisations. The model is Table 1 of the paper, or ours (eab.h).
 *
 *   struct sac_sums sums = sac_profile_sums(profiles, chips);
 *   struct sac_prediction sm_side = sac_predict(MODEL_PAPER, LINKS_BOTH_WAYS, &geometry, &sums, SM_SIDE);
 */
#ifndef ROMARK_SIM_SAC_MODEL_H
#define ROMARK_SIM_SAC_MODEL_H

#include "sim-backend/llc/sac_profile.h"

/* The model that compares the two organisations. */
enum sac_model { MODEL_PAPER, MODEL_BOTTLENECK };

/* Which links between chips the paper's B_inter covers. */
enum sac_links { LINKS_BOTH_WAYS, LINKS_ONE_WAY };

struct sac_prediction {
	double hit, uniformity, eab, eab_local, eab_remote; /* EAB in bytes per cycle, of all chips */
};

struct sac_prediction sac_predict(enum sac_model model, enum sac_links links, const struct llc_geometry *geometry,
				  const struct sac_sums *sums, enum sac_organisation organisation);
/* The share of requests to lines of their own chip's memory; 1 without requests. */
double sac_local(const struct sac_sums *sums);

#endif
