/*
 * A run of the compiler driver: its options, the toolchain that it found, the files that it has made so far; and
 * services for its steps: temporary files, names of outputs, commands.
 *
 *   struct cc_job job = CC_JOB_INIT;
 *   cc_options_parse(&job.options, argc, argv, &job.arena);
 *   if (cc_job_open(&job) == 0) { ... the steps of cc/steps.h ... }
 *   cc_job_close(&job);
 *   if (diag_is_set(&job.diag)) diag_print(&job.diag, stderr);
 *   cc_job_release(&job);
 *
 * All strings live in the job's arena. A step that fails has either set `diag`, or it is a command that failed and has
 * said on stderr why.
 */
#ifndef ROMARK_CC_JOB_H
#define ROMARK_CC_JOB_H

#include "cc/installation.h"
#include "cc/marks.h"
#include "cc/cc_options.h"
#include "cc/scratch.h"
#include "cc/toolchain.h"
#include "common/arena.h"
#include "common/diag.h"
#include "common/process.h"
#include "common/vec.h"

struct cc_job {
	struct cc_options options;
	struct installation files;
	struct toolchain tools;
	struct arena arena;
	struct scratch scratch; /* for temporary files; removed at the end */
	unsigned ntemporary;
	VEC(const char *) objects; /* of the sources, in their order */
	const char *cuda_path;     /* the toolkit whose headers are used instead of romark's, or NULL */
	const char *cudart;        /* the runtime that these headers are for */
	const char *overlay;       /* what Clang reads in another form of this source, or NULL */
	struct cc_marks marks;
	struct diag diag;
};

#define CC_JOB_INIT {.arena = ARENA_INIT, .marks = CC_MARKS_INIT, .diag = DIAG_INIT}

/* Finds romark's files and Clang, and makes the folder for temporary files (with -### only its name). 0 or DIAG_ERROR.
 */
int cc_job_open(struct cc_job *job);
/* Removes the temporary files; also after a cc_job_open that failed. */
void cc_job_close(struct cc_job *job);
/* Frees all that the job holds, the options' words with it. */
void cc_job_release(struct cc_job *job);

/* A new name in the folder for temporary files; no file is made. */
const char *cc_temporary_file(struct cc_job *job, const char *ending);
/* The name of -o, or the name of `source` with another ending, in the folder of -odir. */
const char *cc_output_of(struct cc_job *job, const char *source, const char *ending);
/*
 * Runs (or, with -###, prints) and releases `c`, whose result is the file `output` (may be NULL), which a failure
 * removes. 0, the command's exit code, or DIAG_ERROR where it cannot be started.
 */
int cc_run(struct cc_job *job, struct command *c, const char *output);
/* Removes a file, never a device or a pipe. */
void cc_remove_output(const char *path);

#endif
