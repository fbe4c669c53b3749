/* romark probe gpu: micro-benchmarks of a whole GPU model, beside measured values where a file has them. */
#ifndef ROMARK_CLI_PROBE_BENCHES_H
#define ROMARK_CLI_PROBE_BENCHES_H

#include "sim-backend/config/config.h"

struct probe_benches {
	const char *json;      /* "-": JSON in place of the table; NULL: none */
	const char *truth;     /* file of measured values, or NULL */
	const char *truth_gpu; /* whose; NULL: the GPU that has the model's name */
	const char *only;      /* benchmarks whose name has this in it; NULL: all */
	unsigned points;       /* at most so many of each benchmark; 0: all */
};

/* An exit code. */
int probe_benches(const struct probe_benches *o, const struct sim_config *config);

#endif
