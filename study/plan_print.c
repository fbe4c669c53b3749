/* States and estimates come from the database; a point whose trace is not made yet has neither. */
#include "study/plan_print.h"

#include "common/c_locale.h"
#include "study/database/ledger.h"

static const char *state_of(const struct plan *p, const struct plan_point *point)
{
	return point->run == SIZE_MAX ? "to be traced" : run_state_names[p->runs.data[point->run].state];
}

static void print_point(const struct plan *p, const struct plan_point *point, FILE *out)
{
	double seconds = point->run == SIZE_MAX ? 0 : p->runs.data[point->run].seconds;

	for (enum dimension i = 0; i < DIM_COUNT; i++) {
		const char *value = plan_value(p, point, i);

		fprintf(out, "%-12s ", *value ? value : "-");
	}
	fprintf(out, "%-12s", state_of(p, point));
	if (seconds > 0)
		c_fprintf(out, " %8.1f s", seconds);
	putc('\n', out);
}

/* Points that share a run are counted once. */
static void print_sum(const struct plan *p, FILE *out)
{
	size_t counts[RUN_STATES] = {0}, untraced = 0;
	double seconds = 0;

	for (size_t i = 0; i < p->runs.len; i++) {
		const struct plan_run *run = &p->runs.data[i];

		counts[run->state]++;
		if (run->state == RUN_PLANNED)
			seconds += run->seconds;
	}
	for (size_t i = 0; i < p->points.len; i++)
		untraced += p->points.data[i].run == SIZE_MAX;
	fprintf(out, "%zu points: %zu runs done, %zu failed, %zu running, %zu to be run", p->points.len,
		counts[RUN_DONE], counts[RUN_FAILED], counts[RUN_RUNNING], counts[RUN_PLANNED] + untraced);
	if (seconds > 0)
		c_fprintf(out, "; those with an estimate take %.0f s of one core", seconds);
	putc('\n', out);
}

int plan_print(struct plan *p, struct database *db, FILE *out, struct diag *d)
{
	if (db && (ledger_states(db, p, d) < 0 || ledger_estimate(db, p, d) < 0))
		return DIAG_ERROR;
	for (enum dimension i = 0; i < DIM_COUNT; i++)
		fprintf(out, "%-12s ", dimension_names[i]);
	fputs("state\n", out);
	for (size_t i = 0; i < p->points.len; i++)
		print_point(p, &p->points.data[i], out);
	print_sum(p, out);
	return 0;
}
