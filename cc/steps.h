/*
 * The steps of a compilation, in the order in which cc/compile.c takes them. Each returns 0, DIAG_ERROR with the reason
 * in job->diag, or the exit code of a command that failed. With -### they print their commands and make no files.
 */
#ifndef ROMARK_CC_STEPS_H
#define ROMARK_CC_STEPS_H

#include "cc/cc_job.h"

/* headers.c: whose CUDA headers are used; sets job->cuda_path and job->cudart. */
int cc_choose_headers(struct cc_job *job);

/* overlay.c: writes what Clang is to read in another form of a CUDA source; sets job->overlay. */
int cc_make_overlay(struct cc_job *job, const char *source);

/*
 * clang_passes.c: one source through Clang, to PTX or, with -emit-llvm, to LLVM IR in `output`. `result` is the final
 * file if there is no host pass, else NULL.
 */
int cc_device_pass(struct cc_job *job, const char *source, const char *output, const char *result);
/* `image`: the fat binary to embed, or NULL for a source without device code; `result` may be NULL for stdout. */
int cc_host_pass(struct cc_job *job, const struct cc_input *input, const char *image, const char *result);

/* The preprocessor alone, whose messages go to the file `messages`; returns an exit code, or DIAG_ERROR. */
int cc_list_messages(struct cc_job *job, const struct cc_input *input, const char *messages);

/* absent.c: `input` could not be compiled. If it misses a header that absent.c knows, says on stderr where to get it.
 */
void cc_explain_failure(struct cc_job *job, const struct cc_input *input);

/* device_code.c: from the device pass's PTX to the result `image`: marked PTX, or a fat binary with it. */
int cc_pack_device_code(struct cc_job *job, const char *source, const char *ptx, const char *image);
/* Whether the result of a CUDA source is its device code, so that there is no host pass. */
bool cc_makes_device_code(const struct cc_options *options);

/* join.c: makes the object of the device link, a library or a program from job->objects and the link words. */
int cc_device_link(struct cc_job *job);
int cc_archive(struct cc_job *job);
int cc_link_program(struct cc_job *job);

#endif
