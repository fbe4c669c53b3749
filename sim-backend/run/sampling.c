/*
 * Strata of a sampled run. A launch that was simulated whole adds no variance. A launch whose part was simulated adds
 * the variance of a sample of whole waves.
 */
#include "sim-backend/run/sampling.h"

#include "common/integer.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- The plan --- */

/* NAME:N with N from 1 on; DIAG_ERROR if it is something else. */
static int parse_number(const char *name, const char *text, size_t size, uint64_t *number)
{
	size_t prefix = strlen(name) + 1;
	char *end;

	if (size <= prefix || strncmp(text, name, prefix - 1) != 0 || text[prefix - 1] != ':' || text[prefix] < '0' ||
	    text[prefix] > '9')
		return DIAG_ERROR;
	errno = 0;
	*number = strtoull(text + prefix, &end, 10);
	return end == text + size && *number > 0 && errno == 0 ? 0 : DIAG_ERROR;
}

static int parse_part(const char *text, size_t size, struct sampling_plan *plan)
{
	static const char kernels[] = "kernels";

	if (size == sizeof kernels - 1 && strncmp(text, kernels, size) == 0) {
		plan->kernels = true;
		return 0;
	}
	return parse_number("ctas", text, size, &plan->ctas) == 0 ||
		       parse_number("cycles", text, size, &plan->cycles) == 0
		   ? 0
		   : DIAG_ERROR;
}

int sampling_parse(const char *text, struct sampling_plan *plan, struct diag *d)
{
	*plan = (struct sampling_plan){.ctas = 0};
	for (const char *at = text;; at++) {
		size_t size = strcspn(at, ",");

		if (parse_part(at, size, plan) < 0)
			return diag_file(
			    d, NULL,
			    "'%.*s' is not a way of sampling; give ctas:N or cycles:N with N from 1 on, kernels, or "
			    "both, as ctas:N,kernels",
			    (int)size, at);
		at += size;
		if (!*at)
			break;
	}
	if (plan->ctas && plan->cycles)
		return diag_file(d, NULL, "a launch cannot be sampled by ctas and by cycles; give only ctas or cycles");
	return 0;
}

bool sampling_wanted(const struct sampling_plan *plan)
{
	return plan->ctas || plan->cycles || plan->kernels;
}

void sampling_format(const struct sampling_plan *plan, char *text, size_t size)
{
	const char *kernels = plan->kernels ? ",kernels" : "";

	if (plan->ctas)
		snprintf(text, size, "ctas:%" PRIu64 "%s", plan->ctas, kernels);
	else if (plan->cycles)
		snprintf(text, size, "cycles:%" PRIu64 "%s", plan->cycles, kernels);
	else
		snprintf(text, size, "%s", plan->kernels ? "kernels" : "");
}

/* --- CTAs --- */

/* One of so many simulated waves is in front. */
enum { WARM_SHARE = 4 };

struct cta_choice cta_choice_of(uint64_t total, uint64_t wave, uint64_t wanted)
{
	uint64_t warm = wanted / wave / WARM_SHARE ? wanted / wave / WARM_SHARE : 1, waves = total / wave;
	uint64_t middle = waves > warm + 1 ? waves - warm - 1 : 0, ends = total - middle * wave, kept = 1;
	struct cta_choice c = {.total = total, .wave = wave, .simulated = total};

	if (wanted > ends)
		kept = divide_up(wanted - ends, wave);
	if (!wanted || kept >= middle)
		return c;
	c.warm = warm;
	c.middle = middle;
	c.kept = kept;
	c.simulated = ends + kept * wave;
	return c;
}

/* The wave in the middle of the i-th of `kept` equal parts of the middle waves. */
static uint64_t middle_of(const struct cta_choice *c, uint64_t part)
{
	return (2 * part + 1) * c->middle / (2 * c->kept);
}

static bool is_kept(const struct cta_choice *c, uint64_t middle)
{
	uint64_t part = middle * c->kept / c->middle;

	return middle_of(c, part) == middle || middle_of(c, part + 1) == middle;
}

bool cta_choice_has(const struct cta_choice *c, uint64_t index)
{
	uint64_t wave = index / c->wave;

	return wave < c->warm || wave >= c->warm + c->middle || is_kept(c, wave - c->warm);
}

double cta_choice_weight(const struct cta_choice *c)
{
	return c->kept ? (double)c->middle / (double)c->kept : 1;
}

uint64_t cta_choice_border(const struct cta_choice *c, uint64_t i)
{
	return c->wave * (c->warm + i) + c->wave / 2;
}

/* --- Time --- */

uint64_t time_border(uint64_t cycles, uint64_t i)
{
	return cycles * (i + 1) / (2 * TIME_WINDOWS);
}

double time_ratio(uint64_t cycles, uint64_t elapsed, double left)
{
	uint64_t least = cycles / 4, rest = cycles > elapsed + least ? cycles - elapsed : least;

	return left > (double)rest ? left / (double)rest - 1 : 0;
}

/* --- Statistics --- */

void spread_add(struct spread *s, double value)
{
	double distance = value - s->mean;

	s->count++;
	s->mean += distance / (double)s->count;
	s->squares += distance * (value - s->mean);
}

double spread_variance(const struct spread *s)
{
	return s->count > 1 ? s->squares / (double)(s->count - 1) : 0;
}

void uncertainty_add(struct uncertainty *u, const struct spread *sampled, uint64_t all)
{
	double n = (double)sampled->count, variance;

	if (sampled->count >= all)
		return;
	if (sampled->count < 2) {
		u->unknown = true;
		return;
	}
	variance = (double)all * (double)all * (1 - n / (double)all) * spread_variance(sampled) / n;
	u->variance += variance;
	u->weighted += variance * variance / (n - 1);
}

/*
 * The 97.5 % quantile of Student's t; from 30 degrees on the quantile of the normal distribution, with its first
 * correction.
 */
static double student(double degrees)
{
	static const double table[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
				       2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
				       2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045};
	const unsigned rows = sizeof table / sizeof *table;

	if (degrees < 1)
		return table[0];
	return degrees < rows + 1 ? table[(unsigned)degrees - 1] : 1.96 + 2.4 / degrees;
}

double uncertainty_margin(const struct uncertainty *u)
{
	return u->variance > 0 ? student(u->variance * u->variance / u->weighted) * sqrt(u->variance) : 0;
}

/* --- For the results --- */

bool sampling_is_whole(const struct sampling_stats *s, uint64_t cycles)
{
	return s->launches_simulated == s->launches && s->ctas_simulated == s->ctas && s->cycles_simulated == cycles;
}

const struct stat_row sampling_stat_rows[] = {
#define STAT(...) STAT_ROW(struct sampling_stats, __VA_ARGS__)
#include "sim-backend/run/sampling_stats.def"
    STAT_END,
};
