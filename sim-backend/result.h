/* What a run leaves behind: counters per launch, per data structure and in all. Filled by sim.c, printed by result.c.
 */
#ifndef ROMARK_SIM_RESULT_H
#define ROMARK_SIM_RESULT_H

#include "common/arena.h"
#include "common/vec.h"
#include "sim-backend/sim.h"
#include "sim-backend/sm/occupancy.h"

/* Rows of the run's structure table. Structures beyond it, and accesses to no known structure, are charged to row 0. */
enum { MAX_STRUCTURES = 4096 };

struct counters {
	struct sm_stats sm;
	struct l1_stats l1;
	struct noc_stats noc;
	struct link_stats links;
	struct llc_stats llc;
	struct dram_stats dram;
};

struct kernel_result {
	const char *name;
	uint32_t launch, grid[3], block[3];
	uint64_t cycles;
	bool marks_in_force;
	struct occupancy occupancy;
	struct counters counters;
};

struct structure_result {
	const char *kernel, *id;
	uint8_t verdict; /* enum trace_verdict at the last launch */
	bool marked;
	uint32_t launches;
};

struct sim_result {
	struct arena arena;
	const char *gpu, *llc_policy, *l1_policy;
	uint64_t cycles;
	bool complete;
	struct counters total;
	VEC(struct kernel_result) kernels;
	VEC(struct structure_result) structures; /* row 0: none */
	struct structure_stats *structure_stats; /* MAX_STRUCTURES */
	uint64_t *llc_structures[3];             /* accesses, hits, merges: [structures.len] */
	uint64_t *slice_accesses;
	unsigned nslices;
	struct noc_load noc_load[2][NOC_STAGES]; /* request, reply network */
	struct energy energy;
	uint32_t clock_mhz, chips;
	void *policy_stats, *config; /* json_t */
	double wall_seconds;
	uint64_t trace_bytes;
};

/* Takes copies of what the JSON needs from the configuration and the policies' statistics. */
void result_keep_config(struct sim_result *r, const struct sim_config *config);
void result_add_policy(struct sim_result *r, const char *section, const struct stat_row *rows, const void *values);

#endif
