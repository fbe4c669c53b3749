/*
 * Equations 1 and 2 over a directory's counters: the bandwidth that each degree would supply, and the degree that
 * supplies the most.
 */
#ifndef ROMARK_SIM_DEGREE_MODEL_H
#define ROMARK_SIM_DEGREE_MODEL_H

#include "sim-backend/llc/rdd.h"
#include "sim-backend/llc/selrep_knobs.h"

struct degree_prediction {
	double parallelism, hit_rate;
	double bytes_per_cycle; /* of one controller's slices */
};

/* The directory that the knobs describe. */
struct rdd_config degree_model_directory(const struct selrep_knobs *knobs, const struct llc_geometry *geometry,
					 unsigned slots);
/* The bandwidth when slot k has degree 1 << columns[k]. False when too little was sampled to say. */
bool degree_model_predict(const struct selrep_knobs *knobs, const struct rdd *rdd, const unsigned *columns,
			  struct degree_prediction *p);
/*
 * Moves each slot's column to where the most is supplied while the other slots keep theirs: to the smaller of equals,
 * and only when the gain over the present column is more than the threshold. False when too little was sampled to say.
 */
bool degree_model_choose(const struct selrep_knobs *knobs, const struct rdd *rdd, unsigned *columns);

#endif
