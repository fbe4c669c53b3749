/* Headers that a source may miss, and the packages or tools that have them. */
#include "cc/steps.h"

#include "common/file.h"

#include <stdio.h>
#include <string.h>

#define NOT_HERE "is not part of romark, and its results cannot be had without it"

/* By how the header's name begins. */
static const struct {
	const char *prefix, *name, *advice;
} libraries[] = {
    {"omp.h", "OpenMP", "is in Debian's package libomp-19-dev; compile with -Xcompiler -fopenmp"},
    {"thrust/", "Thrust", "is in Debian's package libthrust-dev (bookworm)"},
    {"cub/", "CUB", "is in Debian's package libcub-dev (bookworm)"},
    {"cuda/std/", "libcu++", "is in Debian's package libcu++-dev (bookworm)"},
    {"cublas", "cuBLAS", NOT_HERE},
    {"cufft", "cuFFT", NOT_HERE},
    {"cusparse", "cuSPARSE", NOT_HERE},
    {"cusolver", "cuSOLVER", NOT_HERE},
    {"cudnn", "cuDNN", NOT_HERE},
    {"cutensor", "cuTENSOR", NOT_HERE},
    {"nccl", "NCCL", NOT_HERE},
    {"npp", "NPP", NOT_HERE},
    {"nvml", "NVML", "is not part of romark: there is no GPU to manage"},
    {"cupti", "CUPTI", "is not part of romark: see 'romark trace' and 'romark sim'"},
    {"nvrtc", "NVRTC", "is not part of romark: compile with 'romark cc -ptx' beforehand"},
    {"mpi.h", "MPI", "is in Debian's package libopenmpi-dev; name its folders with -I and -L"},
};

/* "FILE:LINE:COLUMN: fatal error: 'NAME' file not found": the name, or NULL. */
static const char *missing_header(struct arena *arena, const char *messages)
{
	static const char head[] = "fatal error: '", tail[] = "' file not found";
	const char *name = strstr(messages, head), *end;

	if (!name)
		return NULL;
	name += strlen(head);
	end = strstr(name, tail);
	return end && !memchr(name, '\n', (size_t)(end - name)) ? arena_strndup(arena, name, (size_t)(end - name))
								: NULL;
}

static void say_where(const char *header)
{
	for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
		if (strncmp(header, libraries[i].prefix, strlen(libraries[i].prefix)) == 0) {
			fprintf(stderr, "romark: cc: %s: %s %s\n", header, libraries[i].name, libraries[i].advice);
			return;
		}
}

void cc_explain_failure(struct cc_job *job, const struct cc_input *input)
{
	const char *messages = cc_temporary_file(job, ".txt"), *header;
	struct diag ignored = DIAG_INIT;
	struct file_data text;

	if (job->options.show || process_pending_signal() || cc_list_messages(job, input, messages) <= 0 ||
	    file_read(messages, &text, &ignored) < 0)
		return;
	header = missing_header(&job->arena, text.data);
	if (header)
		say_where(header);
	file_data_release(&text);
}
