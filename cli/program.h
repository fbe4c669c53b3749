/* Running the user's CUDA program under romark's runtime: what `romark run` and `romark trace` share. */
#ifndef ROMARK_CLI_PROGRAM_H
#define ROMARK_CLI_PROGRAM_H

#include "common/process.h"
#include "common/options.h"

#include <stdbool.h>

struct program {
	int alias, load;     /* indices of the choices in PROGRAM_ROWS */
	const char *device;  /* "cpu", "cuda", "cuda:N"; NULL = cpu */
	const char *times;   /* JSON file for kernel times, "-" = only the table; NULL = not measured */
	const char *kernels; /* regular expression: trace only these; NULL = all */
	bool verify, quiet;
};

/* Rows of an option table for the fields of `p` (a struct program lvalue). */
#define PROGRAM_ROWS(p)                                                                                                \
	{0, "device", OPT_STRING, &(p).device, "cpu|cuda|cuda:N", "where kernels run (default cpu)"},                  \
	    {0,                                                                                                        \
	     "alias",                                                                                                  \
	     OPT_CHOICE,                                                                                               \
	     &(p).alias,                                                                                               \
	     "guarded|strict|distinct",                                                                                \
	     "what may be assumed of pointer parameters"},                                                             \
	    {0, "load", OPT_CHOICE, &(p).load, "ro|nc|keep", "how read-only loads are marked (default ro)"},           \
	    {0,          "times",       OPT_STRING,                                                                    \
	     &(p).times, "FILE.json|-", "GPU: times of marked and plain kernels, also as a table"},                    \
	    {0, "verify", OPT_FLAG, &(p).verify, NULL, "check at every store that no marked data is written"},         \
	    {'q', "quiet", OPT_FLAG, &(p).quiet, NULL, "no notices from the device"}

/* True if the options' values are valid (`kernels` an extended regular expression); else says on stderr what is not. */
bool program_check(const char *command, const struct program *p);

/*
 * Starts argv[0] with the settings in its environment. `trace_fd` >= 0: the descriptor that it writes its trace to,
 * which it inherits. Process id, or DIAG_ERROR (also when --device=cuda finds no GPU).
 */
pid_t program_start(const struct program *p, int argc, char **argv, int trace_fd, struct diag *d);

/*
 * What to tell the user when a program that has ended with `code` left no kernel in its trace: that it launched none,
 * is no CUDA program, or ended before its trace was complete.
 */
void program_explain_no_trace(const char *path, int code, bool empty, struct diag *d);

#endif
