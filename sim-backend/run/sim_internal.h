/* The simulation, and the functions that the files of a run share. */
#ifndef ROMARK_SIM_INTERNAL_H
#define ROMARK_SIM_INTERNAL_H

#include "sim-backend/run/batch.h"
#include "sim-backend/results/result.h"
#include "sim-backend/results/series.h"
#include "sim-backend/run/sampler.h"
#include "sim-backend/run/sim.h"
#include "sim-backend/run/sim_lines.h"
#include "sim-backend/run/tick.h"

#include <regex.h>

/* The launch that is being simulated. No local variable knows more of it, so a resumed run goes on with it. */
struct launch_run {
	struct kernel_result row;
	uint64_t start, boundary; /* cycles; `boundary`: all CTAs are gone and the LLC policy has its turn */
	bool active, at_boundary;
};

/* In memory of its own, with all that it points to: a checkpoint is an image of it. */
struct sim {
	const struct sim_config *config;
	const struct sim_options *options;
	struct trace_reader *trace;
	struct diag *d;
	struct memsys *memory;
	struct sm **sms;
	struct sm_context context;
	struct l1_config l1; /* as the running kernel has it: with l1.carveout its size changes */
	struct cta_scheduler ctas;
	struct machine machine;
	uint64_t cycle;

	uint64_t next_watch, last_progress, progress_mark;
	uint64_t known_waits, waits_at_progress; /* cycles that were skipped since something was due later */
	uint32_t launches, launch;               /* launches seen; the latest launch that was simulated */
	uint32_t kernels;                        /* that launches have had */
	struct launch_run now;
	double started, elapsed; /* when this process began, seconds before; seconds of the run, at a checkpoint */
	struct sim_result *result;
	struct moment before; /* of the kernel */
	struct sampler sampler;
	struct batch batch;        /* with several kernels at once */
	struct trace_launch ahead; /* read, and not begun */
	bool has_ahead;
	uint32_t beside; /* launches after the running one that have begun, or are left out */
	uint32_t ninsts; /* rows of `insts` in use */
	const regex_t *filter;
	struct request_log *log; /* NULL: no events */
	regex_t logged_kernels;  /* of the options' choice, where that has an expression */
	struct series series;
	struct timeline timeline;
	struct launch_inst *insts;
	struct bank_conflicts *conflicts;
	struct sim_lines lines;
	uint32_t *structure_base; /* per kernel of the trace: its first row, or 0 */
	uint32_t nbases;
	struct machine_code **codes; /* per kernel of the trace: NULL without, or before its first launch */
	uint32_t ncodes;
};

static inline bool sim_is_concurrent(const struct sim *s)
{
	return s->config->gpu.concurrent_kernels > 1;
}

/* --- sim_moments.c: counters at a moment, windows of the series, laws --- */

/* The counters. sim_moment_read leaves out issue slots that no SM has charged yet; sim_moment_now charges them first.
 */
void sim_moment_read(const struct sim *s, struct moment *m);
void sim_moment_now(const struct sim *s, struct moment *m);
void sim_begin_windows(struct sim *s);
/* The windows that end before the present cycle is ticked. */
void sim_end_windows(struct sim *s);
/*
 * Ends the last window, which is as long as the rest of the run. A failed run may be stuck at cycle UINT64_MAX: it has
 * no last window.
 */
void sim_finish_windows(struct sim *s, bool failed);
/* From `start` up to now, on the timeline. */
void sim_show_bar(struct sim *s, enum timeline_row row, const char *name, uint64_t start);
/* Checks the laws that hold when a kernel is over and nothing is in flight; a violation is a bug of the model. */
void sim_check_conservation(const struct sim *s, const struct counters *c);

/* --- sim_events.c: events of requests --- */

/* 0, or DIAG_ERROR if the options exclude each other. */
int sim_check_events(const struct sim_config *config, const struct sim_options *options, struct diag *d);
/* The memory system and the SMs tell of requests from now on, if the options say so. */
void sim_log_events(struct sim *s);
void sim_end_events(struct sim *s);
void sim_log_kernel(struct sim *s, const char *name);
void sim_log_kernel_end(struct sim *s, const char *name);

/* --- sim_cycles.c: cycles go by --- */

/* 0, or DIAG_ERROR if a policy from outside has given an answer that cannot be. */
int sim_check_policies(const struct sim *s);
/* Ticks until `over`; 0, 1 when max_cycles is reached, SIM_STOPPED, or DIAG_ERROR. */
int sim_tick_until(struct sim *s, bool (*over)(const struct sim *s), const char *kernel);
void sim_start_threads(struct sim *s);
/* Call it between two ticks. Then the machine's context has the threads' counters. */
void sim_end_threads(struct sim *s);

/* --- sim_code.c: machine code --- */

/* *code gets the kernel's, or NULL where the trace's rows are issued. 0 or DIAG_ERROR. */
int sim_find_code(struct sim *s, uint32_t kernel, const struct machine_code **code, struct diag *d);
void sim_free_codes(struct sim *s);

/* --- sim_launch.c: one launch, or several at once --- */

/* Lets the machine begin launches beside the running one. */
void sim_allow_beside(struct sim *s);
bool sim_is_wanted(const struct sim *s, const struct trace_kernel *kernel);
/* The launch that was read ahead, or the trace's next launch; returns as trace_next_launch. */
int sim_next_launch(struct sim *s, struct trace_launch *launch);
/* From beginning to end, and into the results; 0, 1 when max_cycles is reached, SIM_STOPPED or DIAG_ERROR. */
int sim_run_launch(struct sim *s, const struct trace_launch *launch);
/* Goes on with the launch that was begun, be it in this process or in another. */
int sim_finish_launch(struct sim *s);

#endif
