/*
 * A sampled run: hands out those CTAs of a launch that are simulated, says which launches look like earlier ones, and
 * makes the results of what was simulated stand for all.
 *
 *   sampler_init(&s, plan, result, trace);
 *   switch (sampler_begin(&s, &launch, resident, &row, &diag)) {
 *   case 1:                                                      // not simulated, nothing to do
 *   case 0:                                                      // simulate s.choice.simulated CTAs of &s.source
 *           sampler_start(&s, cycle);
 *           .. each time when sampler_is_due: fill *sampler_moment(&s), sampler_border(&s), which may say: end it here
 *           sampler_end(&s, &row, &counts);                      // `counts` speak of the whole launch now
 *   }
 *   sampler_finish(&s);                                          // and the result's totals of all launches
 *
 * Without a plan it gives all CTAs as they come, and changes nothing.
 */
#ifndef ROMARK_SIM_SAMPLER_H
#define ROMARK_SIM_SAMPLER_H

#include "sim-backend/result.h"
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
	uint64_t at;                /* CTAs of the launch that the trace has given, or passed over */
	VEC(struct trace_cta) kept; /* CTAs that were read to look at the launch; from `next_kept` on to be given */
	size_t next_kept;
	struct trace_profile *profile; /* of the launch; NULL: launches are not compared */
	VEC(struct launch_group *) groups;
	struct launch_group *group; /* of the launch; NULL: a new one */
	/* Middle waves, or parts of the time. */
	uint64_t next_border; /* CTAs placed; UINT64_MAX: there is none */
	uint64_t start, next_cycle;
	uint64_t borders, border_cycle;
	uint64_t cycles_at[TIME_PARTS + 1], insts_at[TIME_PARTS + 1];
	struct spread wave_cycles;
	struct moment waves, now; /* at the first border, or since then; at the present one */
	struct moment extra;      /* what stands for CTAs and launches that are not simulated */
	struct sampling_stats stats;
	struct uncertainty uncertainty;
};

void sampler_init(struct sampler *s, const struct sampling_plan *plan, struct sim_result *result,
		  struct trace_reader *trace);
void sampler_release(struct sampler *s);
/*
 * `wave`: CTAs of the launch that are resident at once. 1: the launch is like an earlier one, and is in the results. 0:
 * it is to be simulated. DIAG_ERROR: the trace is damaged. `row` has all but occupancy and structures.
 */
int sampler_begin(struct sampler *s, const struct trace_launch *launch, uint64_t wave, const struct kernel_result *row,
		  struct diag *d);
/* The launch begins in this cycle. */
void sampler_start(struct sampler *s, uint64_t cycle);
static inline bool sampler_is_due(const struct sampler *s, uint64_t placed, uint64_t cycle)
{
	return placed >= s->next_border || cycle >= s->next_cycle;
}

/* To be filled with the counters before sampler_border. */
struct moment *sampler_moment(struct sampler *s);
/* true: no more of the launch is simulated. */
bool sampler_border(struct sampler *s);
/* The launch was simulated to its end, or as far as it is. DIAG_ERROR: the trace is damaged. */
int sampler_end(struct sampler *s, struct kernel_result *row, struct moment *counts, struct diag *d);
/* The result's end has all that was simulated; it gets what the rest is estimated to be. */
void sampler_finish(struct sampler *s);

#endif
