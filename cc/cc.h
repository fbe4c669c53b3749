/* Private to `romark cc`: one run of the driver, and the steps that it is made of. */
#ifndef ROMARK_CC_H
#define ROMARK_CC_H

#include "cc/marks.h"
#include "cc/options.h"
#include "common/process.h"
#include "cc/toolchain.h"

struct cc_job {
	struct cc_options options;
	struct toolchain tools;
	struct arena arena;
	const char *temporary; /* folder that is removed at the end */
	unsigned ntemporary;
	VEC(const char *) objects; /* of the sources, in their order */
	const char *cuda_path;     /* the toolkit whose headers are used instead of romark's, or NULL */
	const char *cudart;        /* the runtime that these headers are for */
	const char *overlay;       /* what Clang reads in another form of this source, or NULL */
	struct cc_marks marks;
	struct diag diag;
};

/* cmd_cc.c. Names live in the arena. */
const char *cc_temporary_file(struct cc_job *job, const char *ending);
/* -o's name, or that of `source` with another ending in the folder of -odir. */
const char *cc_output_of(struct cc_job *job, const char *source, const char *ending);
/*
 * Runs (or, with -###, prints) and releases `c`, whose result is the file `output` (may be NULL), which a failure
 * removes. The exit code; Clang has said on stderr what is wrong when this is not 0.
 */
int cc_run(struct cc_job *job, struct command *c, const char *output);
/* Removes a file, never a device or a pipe. */
void cc_remove_output(const char *path);

/* cc_headers.c: whose headers are used. 0, or DIAG_ERROR when --cuda-path names no toolkit. */
int cc_choose_headers(struct cc_job *job);

/* cc_overlay.c: sets job->overlay for a CUDA source. 0 or DIAG_ERROR. */
int cc_overlay(struct cc_job *job, const char *source);

/* cc_passes.c: one source through Clang. Exit codes, as all below. */
/* `result`: the file that the PTX ends up in when there is no host pass; else NULL. */
int cc_device_pass(struct cc_job *job, const char *source, const char *ptx, const char *result);
/* `image`: the fat binary to embed, or NULL for a source without device code; `result` may be NULL for stdout. */
int cc_host_pass(struct cc_job *job, const struct cc_input *input, const char *image, const char *result);

/* cc_join.c: what is made of the objects. */
int cc_device_link(struct cc_job *job);
int cc_archive(struct cc_job *job);
int cc_link_program(struct cc_job *job);

#endif
