/*
 * The model of the SAC paper, section 3.3: the effective available bandwidth (EAB) that several chips have under the
 * memory-side and the SM-side organisation of their LLCs. Bandwidths are of the whole GPU, all in the same unit.
 *
 *   struct eab memory = eab_memory_side(&machine, &(struct eab_inputs){local, hit, uniformity});
 */
#ifndef ROMARK_SIM_EAB_H
#define ROMARK_SIM_EAB_H

#include "sim-backend/llc/llc_policy.h"

#include <stdint.h>

struct eab_machine {
	double intra, inter; /* networks between SMs and slices, of all chips; links between chips */
	double llc, memory;  /* raw */
	double in_flight;    /* bytes that requests on their way want or carry; for eab_bottleneck alone */
};

struct eab_inputs {
	double local;      /* fraction of the requests to lines of their own chip's memory; the rest is remote */
	double hit;        /* LLC hit rate under the organisation */
	double uniformity; /* LSU under the organisation */
};

struct eab {
	double local, remote; /* for local and for remote requests; their sum is the whole */
};

struct eab eab_memory_side(const struct eab_machine *machine, const struct eab_inputs *in);
struct eab eab_sm_side(const struct eab_machine *machine, const struct eab_inputs *in);

/*
 * LLC slice uniformity: the mean number of requests to a slice divided by the largest. With slices that get 6, 3 and 3
 * requests it is 4 / 6. It is 1 when all slices get equally many, 1 / slices when one slice gets all, and 1 without
 * requests, since nothing says otherwise.
 */
double eab_uniformity(uint64_t requests, uint64_t most, unsigned slices);

/*
 * Ours, in place of Table 1: the asymptotic bounds of queueing theory. The machine serves all kinds of requests in the
 * proportion in which they come, so it is as fast as the part that they load most. By Little's law it is also no faster
 * than the requests on their way divided by the time that a request takes without load. A load is in bytes for each
 * byte that the requests want or carry.
 *
 *   eab_bottleneck(&machine, &(struct eab_load){.slices = ..., .memory = ..., .links = ..., .cycles = ...});
 */
struct eab_load {
	double slices; /* at the busiest slice, if all were like it */
	double memory; /* at the busiest chip's, the same */
	double links;  /* at the busiest chip's, in the direction with more; see eab_link_load */
	double cycles; /* of a request without load */
};

double eab_bottleneck(const struct eab_machine *machine, const struct eab_load *load);

/* Bytes from one chip to another, by number. */
struct eab_flows {
	double bytes[CHIPS_MAX][CHIPS_MAX];
};

/*
 * Bytes of all links of the GPU, in both directions, that the flows need at least: where one chip's links into one
 * direction are the narrowest, the links of all chips count as busy as these.
 */
double eab_link_load(const struct eab_flows *flows, unsigned chips, double mean_hops);

#endif
