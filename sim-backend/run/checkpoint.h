/*
 * Long runs: the whole state of a simulation goes to a file now and then and when a signal asks the run to end, and a
 * later process goes on from there as if nothing had happened.
 *
 *   struct checkpoint *c = checkpoint_begin(&plan, &d);           // before configuration and trace are opened
 *   if (checkpoint_enter(c, &config, &trace, &d) < 0) ...         // both opened; a resumed run gets its own
 *   options.checkpoint = c;
 *   status = sim_run(config, trace, &options, &result, &d);       // may be SIM_STOPPED
 *   ... free the result, trace and configuration, commit the outputs
 *   checkpoint_end(c, status == 0);                               // removes the file of a run that has ended well
 *
 * All memory of a run that can be resumed lies in the heap of common/heap.h. A resumed process makes the rest anew
 * (streams, regular expressions, contexts of zstd). There is one such run in a process.
 */
#ifndef ROMARK_SIM_CHECKPOINT_H
#define ROMARK_SIM_CHECKPOINT_H

#include "sim-backend/config/config.h"
#include "trace/trace.h"

struct sim;

struct checkpoint_plan {
	const char *file;     /* to write; no such file may be there, unless it is `resume` */
	const char *resume;   /* to go on from; NULL: the run begins */
	unsigned every;       /* seconds between two of them; 0: as often as can be */
	uint64_t at_cycle;    /* stop there with a checkpoint; 0: run to the end */
	const char *settings; /* lines that a resumed run must have too, beside the configuration */
};

/* The plan stays the caller's, and in place. */
struct checkpoint *checkpoint_begin(const struct checkpoint_plan *plan, struct diag *d);
/* If a run goes on, this closes the opened `*config` and `*trace` and replaces them by the run's own. */
int checkpoint_enter(struct checkpoint *c, struct sim_config **config, struct trace_reader **trace, struct diag *d);
/* Does nothing for NULL. Frees everything in the heap. */
void checkpoint_end(struct checkpoint *c, bool complete);

/* For sim_run: the simulation that goes on with these outputs, NULL in *sim when one begins. */
int checkpoint_resumed(struct checkpoint *c, FILE *const *outputs, struct sim **sim, struct diag *d);
/* Before cycle `cycle`, between two ticks. */
bool checkpoint_is_due(struct checkpoint *c, uint64_t cycle);
/* 0: go on; SIM_STOPPED: the run is to end here; DIAG_ERROR: it was to end, but the file could not be written. */
int checkpoint_save(struct checkpoint *c, struct sim *sim, uint64_t cycle, struct diag *d);
/* The position of the latest checkpoint that was written or resumed. */
uint64_t checkpoint_cycle(const struct checkpoint *c);

#endif
