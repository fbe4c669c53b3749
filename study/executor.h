/*
 * Where runs are executed: on this machine (executor/local.c) or in a cluster (executor/slurm.c). The sweep plans,
 * claims and stores. An executor takes jobs and tells when they have ended; it knows nothing of the database.
 *
 *   struct executor *e = ops->open(&options, &diag);
 *   ops->submit(e, &job, 1, &diag);
 *   n = ops->poll(e, 1.0, ended, 16, &diag);     // ids of jobs that have ended; what they left is in their folders
 *   ops->cancel(e);                              // all of them end, as soon as can be
 *   ops->close(e);
 *
 * A job is a folder that job_write (job.h) has filled. On every machine a job is one call of job_run (job.h), made by
 * `romark sweep --task=FOLDER`. It writes the results and messages of the simulation and, last of all, end.json, which
 * tells how it ended.
 */
#ifndef ROMARK_STUDY_EXECUTOR_H
#define ROMARK_STUDY_EXECUTOR_H

#include "study/study.h"

struct executor;

struct executor_options {
	const char *romark;                        /* path of the program to run jobs with */
	unsigned jobs;                             /* at most so many at a time; 0 = the executor's own choice */
	uint64_t memory;                           /* bytes for all of them; 0 = the executor's own choice */
	const struct study_slurm *slurm;           /* settings of a cluster, from the study or the command line */
	const char *folder;                        /* where the executor may keep files of its own */
	void (*said)(void *arg, const char *what); /* a line for the user; NULL: not asked for */
	void *said_arg;
};

struct job {
	int64_t id; /* of the run, in the database */
	const char *folder;
	double seconds; /* estimates; 0 = not known */
	uint64_t bytes;
	/* Set by submit: the executor's name for the job, with which a later process can `adopt` it. */
	char handle[64];
};

struct executor_ops {
	const char *name; /* of --executor= */
	/* NULL, with the reason, when this machine has no such executor. */
	struct executor *(*open)(const struct executor_options *options, struct diag *d);
	/* How many jobs like this one it takes now; 0: ask again after a poll. An executor with a queue returns a
	 * number near UINT_MAX.
	 */
	unsigned (*room)(struct executor *e, const struct job *next);
	/* Whether a job of so many bytes can ever run. NULL: any can. */
	bool (*fits)(struct executor *e, uint64_t bytes);
	/* Jobs that could not be submitted keep an empty handle. */
	int (*submit)(struct executor *e, struct job *jobs, size_t count, struct diag *d);
	/*
	 * Waits until a job ends, a signal arrives or `seconds` have passed. Puts ids of ended jobs into `ended`, and
	 * returns how many. A job whose folder has no end.json then was lost, and its run begins anew.
	 */
	size_t (*poll)(struct executor *e, double seconds, int64_t *ended, size_t room, struct diag *d);
	/*
	 * Takes over a job that an earlier process submitted: true if it waits or runs, and will be in polls from now
	 * on. NULL: jobs end with the process that submitted them.
	 */
	bool (*adopt)(struct executor *e, const struct job *job);
	/* Ends all jobs that this process may end; `leave`: where jobs outlive the process, they stay. */
	void (*cancel)(struct executor *e, bool leave);
	void (*close)(struct executor *e);
};

/* The row of this name, or NULL. */
const struct executor_ops *executor_find(const char *name);
/* "local|slurm", for usage. */
extern const char executor_names[];

extern const struct executor_ops executor_local, executor_slurm;

#endif
