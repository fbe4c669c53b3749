/* The options of `romark sim` for runs that are interrupted and go on. */
#ifndef ROMARK_CLI_SIM_CHECKPOINT_H
#define ROMARK_CLI_SIM_CHECKPOINT_H

#include "common/options.h"
#include "sim-backend/run/checkpoint.h"

struct sim_checkpoint {
	const char *file, *resume;
	unsigned every, at_cycle;
};

#define SIM_CHECKPOINT_INIT {.every = 600}

#define SIM_CHECKPOINT_ROWS(c)                                                                                         \
	{0, "checkpoint", OPT_STRING, &(c).file, "FILE", "keep the run's state here, now and then and at Ctrl-C"},     \
	    {0, "checkpoint-every", OPT_UINT, &(c).every, "SECONDS", "how often (default: 600)"},                      \
	    {0, "checkpoint-at-cycle", OPT_COUNT, &(c).at_cycle, "N", "stop at this cycle with a checkpoint"},         \
	    {0, "resume", OPT_STRING, &(c).resume, "FILE", "go on from this checkpoint; give all other options again"}

/* Whether the options fit together; prints what is wrong. */
bool sim_checkpoint_check(const struct sim_checkpoint *c);
/* A line for each option that decides the result and is not part of the configuration. Free with xfree. */
char *sim_checkpoint_settings(const struct option_row *rows);
/* Behind the end of a run with this exit code: how one goes on that was stopped. */
void sim_checkpoint_explain(const struct checkpoint *c, const struct checkpoint_plan *plan, int code);

#endif
