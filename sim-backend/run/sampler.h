/*
 * A sampled run: hands out those CTAs of a launch that are simulated, says which launches look like earlier ones, and
 * scales the results of the simulated part to the whole.
 *
 *   sampler_init(&s, plan, result, trace);
 *   switch (sampler_begin(&s, &launch, resident, &row, &diag)) {
 *   case 1:                                                      // not simulated, nothing to do
 *   case 0:                                                      // simulate s.choice.simulated CTAs of &s.source
 *           sampler_start(&s, cycle, &before);
 *           .. each time when sampler_is_due: fill *sampler_moment(&s)
 *              if (sampler_border(&s, settled))                   // warps are to pass over a part of their streams
 *                      sampler_passed(&s, instructions)           // that they passed over
 *           sampler_end(&s, &row, &counts, true, &diag);          // `counts` speak of the whole launch now
 *   }
 *   sampler_finish(&s, true);                                    // and the result's totals of all launches
 *
 * Without a plan it gives all CTAs as they come, and changes nothing.
 */
#ifndef ROMARK_SIM_SAMPLER_H
#define ROMARK_SIM_SAMPLER_H

#include "sim-backend/results/result.h"
#include "sim-backend/sm/cta_source.h"
#include "trace/profile.h"

struct launch_group;

struct sampler {
	struct cta_source source; /* first: the source's function finds the sampler by it */
	struct sim_result *result;
	struct trace_reader *trace;
	struct sampling_plan plan;
	struct trace_launch launch; /* the open one; its tables belong to the reader */
	struct cta_choice choice;
	uint64_t at; /* CTAs of the launch that the trace has given, or passed over */
	VEC(struct trace_cta)
	kept; /* CTAs that were read to compare the launch; those from `next_kept` on are still to be given */
	size_t next_kept;
	struct trace_profile *profile; /* of the launch; NULL: launches are not compared */
	VEC(struct launch_group *) groups;
	struct launch_group *group; /* of the launch; NULL: a new one */
	/* Middle waves, or windows of time. */
	uint64_t next_border; /* CTAs placed; UINT64_MAX: no border */
	uint64_t next_cycle;
	uint64_t borders, border_cycle;
	uint64_t unsettled; /* borders up to the latest one at which the LLC's policy had not settled */
	struct spread wave_cycles;
	struct moment waves, now; /* at the first border, or since then; at the present one */
	/* Windows. */
	uint64_t start;        /* cycle of the launch's beginning */
	uint64_t insts_before; /* executed before the launch */
	uint64_t passed, looked_at,
	    dropped;            /* instructions passed over; in the halves that represent them; CTAs left out */
	double ratio;           /* instructions that a warp passes over per instruction of the window */
	struct spread cpi;      /* of these halves */
	struct moment estimate; /* for the instructions passed over */
	struct diag failure;    /* CTAs that were dropped could not be read */
	struct moment extra;    /* estimates for CTAs and launches that are not simulated */
	struct sampling_stats stats;
	struct uncertainty uncertainty;
};

void sampler_init(struct sampler *s, const struct sampling_plan *plan, struct sim_result *result,
		  struct trace_reader *trace);
void sampler_release(struct sampler *s);
/*
 * `wave`: CTAs of the launch that are resident at once. Returns 1 if the launch is like an earlier one, and is in the
 * results; 0 if it is to be simulated; DIAG_ERROR if the trace is damaged. `row` has all but occupancy and structures.
 */
int sampler_begin(struct sampler *s, const struct trace_launch *launch, uint64_t wave, const struct kernel_result *row,
		  struct diag *d);
/* The launch begins in this cycle; `before` has the counters. */
void sampler_start(struct sampler *s, uint64_t cycle, const struct moment *before);
/* `cycle` is UINT64_MAX when a model is stuck. */
static inline bool sampler_is_due(const struct sampler *s, uint64_t placed, uint64_t cycle)
{
	return placed >= s->next_border || (cycle >= s->next_cycle && cycle < UINT64_MAX);
}

/* To be filled with the counters before sampler_border. */
struct moment *sampler_moment(struct sampler *s);
/*
 * Returns true if a window is over: each warp then passes over s->ratio times the instructions that it executed in the
 * window. The ratio may be 0. `settled`: the kernel goes on with the LLC as it is. A window that was not settled
 * represents nothing.
 */
bool sampler_border(struct sampler *s, bool settled);
void sampler_passed(struct sampler *s, uint64_t instructions);
/*
 * The launch was simulated; `complete`: to its end. The time of a launch that was cut is not known. DIAG_ERROR: the
 * trace is damaged.
 */
int sampler_end(struct sampler *s, struct kernel_result *row, struct moment *counts, bool complete, struct diag *d);
/* The result's end holds the simulated part. This adds the estimates for the rest. */
void sampler_finish(struct sampler *s, bool complete);

#endif
