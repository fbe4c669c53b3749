/*
 * One run as a folder, so that any machine that sees the folder can execute it.
 *
 *   job_write(&spec, &diag)            command, gpu.yaml
 *   job_run(folder, &diag)             result.json, series.csv, log, and last of all end.json
 *   job_read_end(folder, &end)         false: there is no end.json
 *   job_remove(folder)
 */
#ifndef ROMARK_STUDY_JOB_H
#define ROMARK_STUDY_JOB_H

#include "common/diag.h"
#include "common/process.h"
#include "study/plan.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct job_spec {
	const char *folder;            /* made by job_write */
	const char *romark;            /* path of the program */
	const char *config;            /* text of a GPU file */
	const char *trace;             /* path, absolute */
	const char *const *options;    /* further words for `romark sim`, ended by NULL */
	bool series;                   /* --series=, too */
	const struct plan_file *files; /* PLAN_FILES that the configuration names, to be copied into the folder */
};

/* How a run ended. */
struct job_end {
	int code, signal; /* signal 0: it ended with the code */
	double started;   /* seconds since 1970 */
	double wall_seconds, cpu_seconds;
	uint64_t peak_rss_bytes;
	char host[256];
};

int job_write(const struct job_spec *spec, struct diag *d);
/* The same for any command, which is executed in the folder. */
int job_write_words(const char *folder, const struct command *words, struct diag *d);
/* Starts the job of a folder as a child, which ends with this process. Its process id, or DIAG_ERROR. */
pid_t job_start(const char *folder, struct diag *d);
/* Writes wait4's results for the child into the folder's end.json. */
struct rusage;
int job_finish(const char *folder, double started, int status, const struct rusage *usage, struct diag *d);
/* The run failed where nothing could write its end: the reason becomes the first line of its log. */
int job_fail(const char *folder, const char *message, struct diag *d);
/* All of it; 0 also when the run failed, which end.json says. Signals of this process are the run's. */
int job_run(const char *folder, struct diag *d);
bool job_read_end(const char *folder, struct job_end *end);
/*
 * The message of a failed job: the first line of its log that is an error of romark or of a compiler, else the last
 * line.
 */
void job_message(const char *folder, char *text, size_t size);
/* The last line of its log that is not romark's but its compiler's or program's; "" without such a line. */
void job_others_message(const char *folder, char *text, size_t size);
/* The last lines of its log, malloc'ed. */
char *job_last_lines(const char *folder);
void job_remove(const char *folder);

#endif
