/*
 * Slurm's commands: sbatch submits an array of tasks, and squeue and sacct tell its state.
 *
 *   slurm_submit(&limits, "romark-1", folders, 50, id, &diag);    // one array; task i works in folders[i]
 *   slurm_queue("romark-1,romark-2", &rows, &diag);               // what waits, runs, or has ended not long ago
 *   slurm_history("romark-1,romark-2", &rows, &diag);             // what has ended, where accounts are kept
 *
 * An array is known by its name, which is chosen before sbatch runs. So no array is lost when sbatch's answer is lost.
 */
#ifndef ROMARK_STUDY_EXECUTOR_SLURM_COMMANDS_H
#define ROMARK_STUDY_EXECUTOR_SLURM_COMMANDS_H

#include "common/diag.h"
#include "common/vec.h"
#include "study/study.h"

enum { SLURM_NAME = 48, SLURM_ID = 24, SLURM_STATE = 24, SLURM_STARTS = 5 };

struct slurm_limits {
	const char *romark;
	const struct study_slurm *study;
	uint64_t memory; /* bytes of each task; 0: as the study says */
};

/* A task of an array. */
struct slurm_row {
	char name[SLURM_NAME], id[SLURM_ID]; /* of the array */
	unsigned index;
	char state[SLURM_STATE];
	char reason[64]; /* why it waits */
};
typedef VEC(struct slurm_row) slurm_rows;

/* Whether this machine has Slurm, and it is set up. */
int slurm_is_here(struct diag *d);
/* A task is begun SLURM_STARTS times at most, however often Slurm puts it back into its queue. */
int slurm_submit(const struct slurm_limits *limits, const char *name, const char *const *folders, size_t count,
		 char id[SLURM_ID], struct diag *d);
/* Rows are added for arrays of these names, which commas separate. */
int slurm_queue(const char *names, slurm_rows *rows, struct diag *d);
int slurm_history(const char *names, slurm_rows *rows, struct diag *d);
/* Words as scancel takes them: "12" or "12_3". Its output is ignored. */
void slurm_cancel(const char *const *ids, size_t count);

#endif
