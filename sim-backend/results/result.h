/*
 * The result of a run. sim.c fills it; result.c writes it as one JSON document. It writes a kernel's part when the
 * kernel ends, so that memory does not grow with the number of launches.
 */
#ifndef ROMARK_SIM_RESULT_H
#define ROMARK_SIM_RESULT_H

#include "common/arena.h"
#include "common/vec.h"
#include "sim-backend/energy/energy.h"
#include "sim-backend/results/by_kernel.h"
#include "sim-backend/results/json_out.h"
#include "sim-backend/results/sections.h"
#include "sim-backend/run/sampling.h"
#include "sim-backend/run/sim.h"
#include "sim-backend/sm/sm_occupancy.h"

/* Rows of the run's structure table. Structures beyond it, and accesses to no known structure, are charged to row 0. */
enum { MAX_STRUCTURES = 4096 };

/* All counters at one time, or between two times. */
struct moment {
	struct counters counters;
	struct structure_counters *structures; /* [nstructures] */
	size_t nstructures;
	/* Of all chips, all L1s, all slices; NULL when the policy has no counters. */
	void *llc_policy, *l1_policy, *replacement;
	struct llc_stats *slices;      /* [run.slices] */
	struct dram_stats *channels;   /* [run.channels] */
	struct dram_bank_stats *banks; /* [run.channels][banks] */
	struct chip_stats *chips;      /* [chips] */
};

struct kernel_result {
	const char *name;
	uint32_t launch, grid[3], block[3];
	bool marks_in_force;
	uint8_t marks; /* enum trace_marks */
	struct occupancy occupancy;
	uint32_t registers, estimated_registers; /* of a thread: that count, and as the trace estimates them from PTX */
	uint32_t first_structure, nstructures;   /* rows of the structure table */
	struct sampling_stats sampling;          /* of a sampled run */
	struct own_counts own;                   /* if others ran beside it */
};

/* Launches that look alike. */
struct group_result {
	uint32_t first; /* launch */
	uint64_t launches, simulated;
	double cycles; /* of a launch that is not simulated */
};

struct structure_result {
	const char *kernel, *id;
	uint8_t verdict; /* enum trace_verdict at the last launch */
	bool marked;
	uint32_t launches;
	double energy_j; /* when the run has ended */
};

/* A line of a kernel that has memory instructions. */
struct line_result {
	const char *kernel;
	uint32_t source_line, ptx_line; /* source_line 0: not known; ptx_line: of its first memory instruction */
	struct line_stats stats;
};

struct sim_result {
	struct arena arena;
	const struct sim_config *config; /* during the run */
	const char *gpu, *llc_policy, *l1_policy;
	bool lives_on_marks;       /* the LLC policy */
	uint64_t cycles, launches; /* launches: those that were simulated */
	uint64_t launches_unmarked;
	const char *marks; /* what the marks rest on, or "mixed"; NULL without launches */
	bool complete, detail, counts_lines;
	struct counters total;
	struct moment end;
	unsigned nslices, nchannels, nbanks, nchips;
	unsigned router_ports, long_links;       /* of all networks */
	VEC(struct structure_result) structures; /* row 0: none */
	VEC(struct line_result) lines;           /* of options.lines */
	struct kernel_totals by_kernel;
	double peak_gbs;                         /* of all memory channels */
	struct structure_stats *structure_stats; /* MAX_STRUCTURES; the SMs count here */
	struct noc_load noc_load[2][NOC_STAGES]; /* request, reply network; of the whole run */
	struct energy energy;
	struct sampling_plan plan;
	struct sampling_stats sampling; /* of a sampled run */
	struct counters simulated;      /* of `total`, which is an estimate in a sampled run */
	VEC(struct group_result) groups;
	double wall_seconds;
	uint64_t trace_bytes;
	struct json_out json; /* stream NULL: no document is wanted */
};

/* Slices and channels of all chips. */
unsigned result_slices(const struct sim_config *config);
unsigned result_channels(const struct sim_config *config);

/* With room for so many structures. */
void moment_init(struct moment *m, const struct sim_config *config, size_t nstructures);
void moment_release(struct moment *m);
/* now -= before, for the structures in use. */
void moment_since(const struct sim_result *r, struct moment *now, const struct moment *before);

/* a += factor * b, for the structures in use that both have room for. */
void moment_add_times(const struct sim_result *r, struct moment *a, const struct moment *b, double factor);

/* Energy of the counted events; `charged` as in energy_of. */
struct energy result_energy(const struct sim_result *r, const struct counters *c,
			    const struct structure_counters *charged);
/* Fills in the energy of the run, of its kernels and structures. */
void result_end_energies(struct sim_result *r);
struct energy result_energy_of_structure(const struct sim_result *r, const struct counters *c,
					 const struct structure_counters *s);
/* Rows of the structure table: the first of the kernels' own from `row` on; of all, where `kernels` is NULL. */
size_t result_next_row(const struct sim_result *r, const struct kernel_result *kernels, size_t count, size_t row);
/* The sum of the structures' counters of these rows. */
struct structure_counters result_charged(const struct sim_result *r, const struct moment *counts,
					 const struct kernel_result *kernels, size_t count);

/* The document's parts in their order: the machine, each kernel when it ends, the totals. */
void result_begin(struct sim_result *r);
/* `counts`: counters of the kernel alone. */
void result_kernel(struct sim_result *r, const struct kernel_result *k, const struct moment *counts);
/* Launches that ran at once: each launch's own numbers, then `counts`, the counters of all of them together. */
void result_at_once(struct sim_result *r, const struct kernel_result *kernels, size_t count,
		    const struct moment *counts);
/* A launch that is not simulated, since it looks like the launches of the group. */
void result_alike(struct sim_result *r, const struct kernel_result *k, const struct group_result *group);
void result_end(struct sim_result *r);

#endif
