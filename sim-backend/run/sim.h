/*
 * The simulator: replays a trace on a configured GPU.
 *
 *   struct sim_options options = {.json = stream};
 *   struct sim_result *result;
 *   if (sim_run(config, reader, &options, &result, &diag) < 0) ...     // the trace is bad, or the model is stuck
 *   sim_result_free(result);
 *
 * The reader may read a pipe: it reads a CTA when an SM has room for it, and keeps only resident CTAs. Launches run one
 * after the other in the order of the trace. The same trace and configuration give the same result, byte for byte, with
 * any number of threads, except for the JSON's "host".
 */
#ifndef ROMARK_SIM_H
#define ROMARK_SIM_H

#include "common/diag.h"
#include "sim-backend/config/config.h"
#include "sim-backend/memory/request_log.h"
#include "sim-backend/sm/issue_slots.h"
#include "sim-backend/sm/line_stats.h"
#include "sim-backend/sm/machine_code.h"
#include "sim-backend/run/sampling.h"
#include "trace/trace.h"

struct sim_progress {
	uint64_t cycles, warp_instructions;
	uint64_t trace_bytes; /* that were replayed, of trace_stream_bytes_total */
	uint32_t launch;
	const char *kernel;
};

struct sim_options {
	const char *kernels; /* extended regular expression: other launches are skipped; NULL = all */
	/* Simulate a part, and estimate the rest from it. Counts are then estimates; nothing set = everything. */
	struct sampling_plan sample;
	uint64_t max_cycles;      /* end early after so many; 0 = no limit */
	uint64_t deadlock_cycles; /* give up after so many without progress; 0 = 200,000 */
	bool reverse;             /* tick the modules in reverse order; the result is the same */
	unsigned threads;         /* that share a simulation; the result is the same. 0 = 1 */
	unsigned share_each;      /* 0 = they share a cycle where that pays; for tests: each so many-th cycle */
	bool verify;              /* follow versions; a request that gets an older value is an error */
	/*
	 * Stream for the document that docs/simulator.md describes. Each kernel is written when it ends; NULL = no
	 * document. It is complete when sim_run returns 0.
	 */
	FILE *json;
	bool detail; /* with counts per slice, channel and bank for each kernel, and of lines that SMs share */
	bool lines;  /* with counts per line of the program; not of a sample */
	/* Stream for a row of each window of series_cycles, as CSV with a heading; NULL = no series. */
	FILE *series;
	/* The events of the requests of this choice go here (memory/request_log.h); one thread, no checkpoints. */
	FILE *events;
	struct request_log_choice events_of;
	FILE *timeline;         /* the same windows, kernels and boundaries as a Chrome trace; NULL = no such trace */
	uint64_t series_cycles; /* 0 = the policy's epoch, or 20,000 where it has none */
	FILE *report;           /* who waits for whom, when stuck; may be NULL */
	void (*progress)(void *arg, const struct sim_progress *p); /* now and then; may be NULL */
	void *progress_arg;
	/*
	 * The machine code of a kernel, in memory that machine_code_free gives back: for sm.code other than ptx, at the
	 * first launch of a kernel that has PTX. NULL with `d` filled on an error.
	 */
	struct machine_code *(*lower)(const struct trace_kernel *kernel, enum sm_code code, struct diag *d);
	struct checkpoint *checkpoint; /* checkpoint.h; NULL = no checkpoints */
};

/* Each is a share of 1. */
struct sim_energy_shares {
	double sms, networks, caches, memory, at_rest; /* at_rest: static power of all of them */
};

/* The numbers of the short summary; everything is in the document. */
struct sim_summary {
	const char *gpu, *llc_policy, *l1_policy;
	uint64_t launches, cycles, warp_instructions, thread_instructions;
	double ipc; /* warp instructions per cycle */
	double l1_miss_rate, llc_miss_rate, replies_per_cycle, bandwidth_gbs;
	double energy_j, watts;
	struct sim_energy_shares shares; /* of the energy */
	bool complete; /* false: max_cycles was reached, or the trace is cut and its reader accepts that */
	double wall_seconds, cycles_per_second, warp_instructions_per_second; /* of the simulated part */
	struct sampling_plan plan;
	struct sampling_stats sampling; /* of a sampled run */
	uint64_t loads, loads_marked;   /* accesses of loads to the L1s */
	uint64_t launches_unmarked;     /* whose marks were out of force */
	const char *marks;              /* what the marks rest on, as in the trace; NULL without launches */
	bool lives_on_marks;            /* the LLC policy */
	double slots[SLOT_COUNT];       /* share of each in all issue slots */
	double bandwidth_use;           /* share of the memory's peak */
};

struct sim_energy_split {
	double elsewhere_j, static_j;
};

/* Share of the cycles in which parts of one kind were busy, of 1: the mean of all of them and the busiest. */
struct sim_use {
	const char *name;
	double mean, busiest;
};

enum { SIM_USES = 7 };

/* Launches of the same kernel, grid and block. */
struct sim_kernel {
	const char *name;
	const uint32_t *grid, *block; /* [3] */
	uint64_t launches, cycles;
	bool counted; /* false: the rates are not known, since it ran beside others or was not simulated */
	double ipc, l1_miss_rate, llc_miss_rate, bandwidth_gbs, energy_j;
	uint64_t warp_instructions, ptx_instructions; /* the latter: that machine code was issued for, 0 without */
};

struct sim_structure {
	const char *kernel, *id, *verdict; /* kernel "": accesses to no known structure */
	bool marked;
	uint64_t l1_accesses, l1_hits, writes, llc_accesses, llc_hits; /* writes: atomics too */
	double energy_j; /* of events for it, without static power and instructions */
};

/* A line of a kernel with memory instructions, as options.lines counts them. */
struct sim_line {
	const char *kernel;
	uint32_t source_line, ptx_line; /* source_line 0: not known */
	const struct line_stats *stats;
};

struct sim_result;

/* A checkpoint was written, and the run has ended before its time, without a result. */
enum { SIM_STOPPED = DIAG_ERROR - 1 };

/* Returns 0, DIAG_ERROR or SIM_STOPPED. `config` must have passed sim_config_check, and is not needed after the call.
 */
int sim_run(const struct sim_config *config, struct trace_reader *trace, const struct sim_options *options,
	    struct sim_result **result, struct diag *d);
struct sim_summary sim_result_summary(const struct sim_result *r);
/* A word or two for the use of an issue slot. */
const char *sim_slot_word(enum issue_slot slot);
/* The energy that no structure is charged with. */
struct sim_energy_split sim_result_energy(const struct sim_result *r);
void sim_result_uses(const struct sim_result *r, struct sim_use uses[SIM_USES]);
/* The `index`-th row, in the order of first launches; false past the last. Names are the result's. */
bool sim_result_kernel(const struct sim_result *r, size_t index, struct sim_kernel *row);
/* The same of structures that were accessed. */
bool sim_result_structure(const struct sim_result *r, size_t index, struct sim_structure *row);
/* The same of lines. */
bool sim_result_line(const struct sim_result *r, size_t index, struct sim_line *row);
void sim_result_free(struct sim_result *r);

#endif
