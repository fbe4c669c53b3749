/* Chooses the CUDA headers of a compilation: romark's, or with --cuda-path a toolkit's, if this Clang can read them. */
#include "cc/steps.h"

#include "common/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_CUDA = 11000 };

/* CUDA_VERSION of the toolkit's cuda.h, 1000 * major + 10 * minor; 0 if there is none. */
static unsigned toolkit_version(struct cc_job *job, const char *folder)
{
	struct diag ignored = DIAG_INIT;
	struct file_data header;
	const char *line;
	unsigned version = 0;

	if (file_read(arena_printf(&job->arena, "%s/include/cuda.h", folder), &header, &ignored) < 0)
		return 0;
	line = strstr(header.data, "#define CUDA_VERSION ");
	if (line)
		version = (unsigned)strtoul(line + strlen("#define CUDA_VERSION "), NULL, 10);
	file_data_release(&header);
	return version;
}

/* A program with these headers calls the functions of their release of the runtime: ours under that name. */
static const char *runtime_of(struct cc_job *job, unsigned version)
{
	const char *name =
	    version / 1000 == 11 ? ":libcudart.so.11.0" : arena_printf(&job->arena, ":libcudart.so.%u", version / 1000);

	return access(arena_printf(&job->arena, "%s/%s", job->files.cudart, name + 1), R_OK) == 0 ? name : NULL;
}

/* Clang's releases each know some releases of CUDA; whether a pair works shows when an empty source is compiled. */
static int try_headers(struct cc_job *job)
{
	struct command c = COMMAND_INIT;
	int code;

	command_add(&c, job->tools.clangxx);
	command_add(&c, "-w");
	command_add(&c, "-fsyntax-only");
	command_addf(&c, "--cuda-path=%s", job->options.cuda_path);
	command_addf(&c, "--cuda-gpu-arch=sm_%u", job->options.arch);
	command_add(&c, "-x");
	command_add(&c, "cuda");
	command_add(&c, "/dev/null");
	code = command_try(&c, &job->diag);
	command_release(&c);
	return code;
}

int cc_choose_headers(struct cc_job *job)
{
	const char *folder = job->options.cuda_path, *runtime;
	unsigned version;
	int code;

	if (!folder)
		return 0;
	version = toolkit_version(job, folder);
	if (version < FIRST_CUDA)
		return diag_file(&job->diag, folder, "no CUDA toolkit of release 11 or later: %s",
				 version ? "include/cuda.h is an older one's"
					 : "include/cuda.h does not tell CUDA_VERSION");
	runtime = runtime_of(job, version);
	code = runtime ? try_headers(job) : 1;
	if (code < 0)
		return DIAG_ERROR;
	if (code)
		fprintf(stderr, "romark: warning: %s: %s cannot use the headers of CUDA %u.%u; romark's own are used\n",
			folder, runtime ? job->tools.clangxx : "the runtime", version / 1000, version % 1000 / 10);
	else
		job->cuda_path = folder;
	job->cudart = runtime;
	return 0;
}
