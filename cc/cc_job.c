/* Services for the steps of a compilation: temporary files, names of outputs, commands. */
#include "cc/cc_job.h"

#include "cc/cc.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- Temporary files --- */

static int open_temporary_folder(struct cc_job *job)
{
	if (job->options.show)
		job->scratch.path = scratch_name(&job->arena);
	else if (scratch_open(&job->scratch, &job->arena) < 0)
		return diag_file(&job->diag, NULL, "cannot make a temporary folder in %s (TMPDIR): %s", scratch_place(),
				 strerror(errno));
	return 0;
}

const char *cc_temporary_file(struct cc_job *job, const char *ending)
{
	return arena_printf(&job->arena, "%s/%u%s", job->scratch.path, job->ntemporary++, ending);
}

/* --- Names of outputs --- */

/* "dir/name.cu" with the ending changed, in the folder for results. */
static const char *beside(struct cc_job *job, const char *source, const char *ending)
{
	const char *folder = job->options.output_folder;
	const char *slash = strrchr(source, '/');
	const char *name = slash ? slash + 1 : source;
	const char *dot = strrchr(name, '.');

	return arena_printf(&job->arena, "%s%s%.*s%s", folder ? folder : "", folder ? "/" : "",
			    dot ? (int)(dot - name) : (int)strlen(name), name, ending);
}

const char *cc_output_of(struct cc_job *job, const char *source, const char *ending)
{
	return job->options.output && job->options.stage > CC_ARCHIVE ? job->options.output
								      : beside(job, source, ending);
}

/* --- Commands --- */

void cc_remove_output(const char *path)
{
	struct stat status;

	if (lstat(path, &status) == 0 && S_ISREG(status.st_mode))
		unlink(path);
}

int cc_run(struct cc_job *job, struct command *c, const char *output)
{
	int code = 0;

	if (job->options.show || job->options.verbose) {
		if (job->options.as_nvcc)
			fputs("#$ ", stderr);
		command_print(c, stderr);
	}
	if (!job->options.show)
		code = process_pending_signal() ? CC_FAILED : command_run(c, &job->diag);
	if (code && output)
		cc_remove_output(output);
	command_release(c);
	return code;
}

/* --- The job --- */

int cc_job_open(struct cc_job *job)
{
	installation_find(&job->files, &job->arena);
	if (toolchain_find(&job->tools, job->options.clang, &job->arena, &job->diag) < 0)
		return DIAG_ERROR;
	return open_temporary_folder(job);
}

void cc_job_close(struct cc_job *job)
{
	if (!job->options.show)
		scratch_close(&job->scratch);
}

void cc_job_release(struct cc_job *job)
{
	vec_release(&job->objects);
	cc_marks_release(&job->marks);
	cc_options_release(&job->options);
	arena_release(&job->arena);
}
