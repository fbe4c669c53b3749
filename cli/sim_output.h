/*
 * One file that a simulation writes while it runs. It gets its name at the end; text for a pipe or standard output is
 * also written at the end.
 */
#ifndef ROMARK_CLI_SIM_OUTPUT_H
#define ROMARK_CLI_SIM_OUTPUT_H

#include "common/file.h"

struct sim_output {
	FILE *stream; /* to write to; NULL: no such output */
	struct outfile out;
	bool is_aside; /* `stream` is a file without a name, and `out` a pipe */
};

/* `path` NULL: no such output. 0, or DIAG_ERROR. */
int sim_output_open(struct sim_output *o, const char *path, struct diag *d);
int sim_output_commit(struct sim_output *o, struct diag *d);
void sim_output_abort(struct sim_output *o);

#endif
