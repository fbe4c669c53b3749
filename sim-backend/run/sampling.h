/*
 * The arithmetic of sampled runs: which CTAs of a launch are simulated, and how sure an estimate is.
 *
 *   struct sampling_plan plan;
 *   if (sampling_parse("ctas:2048,kernels", &plan, &diag) < 0) ...   // or "cycles:200000,kernels"
 *   struct cta_choice c = cta_choice_of(ctas, resident, plan.ctas);
 *   if (cta_choice_has(&c, index)) ...                  // simulated
 *
 * A wave is as many CTAs as are resident at once. The first waves of a launch, a quarter of the simulated waves,
 * represent only themselves: they begin with an empty machine and cold caches. The last wave, with what follows it,
 * also represents only itself: it ends with an empty machine. Between these, some waves at equal distances are
 * simulated, and represent all waves there. Waves are left out whole, so the machine stays full.
 *
 * A launch of few, long CTAs has no waves to leave out. With "cycles:N", windows of a fifth of N cycles are simulated.
 * After each window all warps pass over a part of their streams, in proportion to how far each came in the window. The
 * window's second half represents that part: by then the caches hold the data of the new place.
 */
#ifndef ROMARK_SIM_SAMPLING_H
#define ROMARK_SIM_SAMPLING_H

#include "common/diag.h"
#include "sim-backend/knobs/stat.h"

#include <stdbool.h>

struct sampling_plan {
	uint64_t ctas;   /* of each launch; 0 = all */
	uint64_t cycles; /* of each launch; 0 = all. Not with `ctas`. */
	bool kernels;    /* launches that look alike are not all simulated */
};

/* "ctas:N", "cycles:N", "kernels", "ctas:N,kernels" or "cycles:N,kernels". 0 or DIAG_ERROR. */
int sampling_parse(const char *text, struct sampling_plan *plan, struct diag *d);
bool sampling_wanted(const struct sampling_plan *plan);
/* As sampling_parse takes it. */
void sampling_format(const struct sampling_plan *plan, char *text, size_t size);

struct cta_choice {
	uint64_t total, wave;  /* CTAs of the launch; of a wave */
	uint64_t warm;         /* waves in front */
	uint64_t middle, kept; /* whole waves between those and the last; how many of them are simulated */
	uint64_t simulated;    /* CTAs */
};

/* At least `wanted` CTAs; all when that leaves out no wave, or `wanted` is 0. */
struct cta_choice cta_choice_of(uint64_t total, uint64_t wave, uint64_t wanted);
bool cta_choice_has(const struct cta_choice *c, uint64_t index);
/* How many waves each simulated wave in the middle represents. */
double cta_choice_weight(const struct cta_choice *c);
/*
 * When so many of the simulated CTAs are placed, the time of the middle waves begins (i = 0), or the i-th simulated
 * middle wave is over (i up to `kept`). That is in the middle of a wave's placement, so that a few CTAs that end early
 * do not matter.
 */
uint64_t cta_choice_border(const struct cta_choice *c, uint64_t i);

/* --- Time --- */

/* The first windows are not followed by anything that is passed over: the launch begins with cold caches. */
enum { TIME_WINDOWS = 5, FIRST_WINDOWS = 1 };

/* Cycles from the launch's beginning to the i-th border: the middle of a window (even i), or its end. */
uint64_t time_border(uint64_t cycles, uint64_t i);
/*
 * How many times a window's instructions are passed over after it, so that a launch takes about `cycles`. `elapsed` of
 * these are over, and the rest of the launch would take `left`.
 */
double time_ratio(uint64_t cycles, uint64_t elapsed, double left);

/* --- Statistics --- */

/* Mean and variance of values that come one after the other. */
struct spread {
	uint64_t count;
	double mean, squares; /* squares: sum of squared distances from the mean */
};

void spread_add(struct spread *s, double value);
double spread_variance(const struct spread *s); /* 0 for less than two */

/* A sum of independent estimates. */
struct uncertainty {
	double variance, weighted; /* weighted: sum of variance^2 / degrees of freedom (Welch, Satterthwaite) */
	bool unknown;              /* some part was never sampled */
};

/* An estimated sum of `all` values, `sampled` of which were measured, chosen at random. */
void uncertainty_add(struct uncertainty *u, const struct spread *sampled, uint64_t all);
/* Half the width of the 95 % confidence interval (Student's t). */
double uncertainty_margin(const struct uncertainty *u);

/* The results' entries for a sampled run, and for a launch in it. cycles_low and cycles_high are 0 if not known. */
struct sampling_stats {
#define STAT STAT_FIELD
#include "sim-backend/run/sampling_stats.def"
};

/* Nothing was left out, so `cycles`, the cycles of the result, are exact. */
bool sampling_is_whole(const struct sampling_stats *s, uint64_t cycles);

extern const struct stat_row sampling_stat_rows[];

#endif
