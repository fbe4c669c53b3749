/*
 * The counters of a result of `romark sim --json` that an explanation rests on: of the run, and of each kernel over all
 * of its launches that were simulated.
 *
 *   struct explained e;
 *   if (explained_read(&e, result, &diag) < 0) ...
 *   e.run.at[N_CYCLES], e.kernels.data[0].at[N_LOOK_UPS]
 *   explained_release(&e);
 */
#ifndef ROMARK_CLI_EXPLAIN_NUMBERS_H
#define ROMARK_CLI_EXPLAIN_NUMBERS_H

#include "cli/compare_results.h"

enum explain_number {
#define NUMBER(name, section, key) N_##name,
#include "cli/explain_numbers.def"
	N_COUNT
};

struct kernel_numbers {
	const char *kernel; /* its symbol; NULL: the whole run. The result's. */
	char *title;        /* for people; malloc'ed, NULL for the run */
	size_t launches;
	double at[N_COUNT];
};

/* The machine's sizes. */
struct explained_machine {
	double schedulers, slices, port_bytes, burst_bytes, clock_mhz, memory_gbs;
	double request_network, pipeline, memory, reply_network; /* cycles of a request in an empty machine */
	double intervals[N_INST_OTHER - N_INST_INT + 1];         /* of units, in the order of their instructions */
};

struct explained {
	const struct result *result;
	struct explained_machine machine;
	struct kernel_numbers run;
	VEC(struct kernel_numbers) kernels; /* in the order of their first launches */
};

/* DIAG_ERROR: the result comes from a version that did not write what is needed, or was cut before any counter. */
int explained_read(struct explained *e, const struct result *result, struct diag *d);
void explained_release(struct explained *e);
/* The kernel with this symbol; NULL: no launch of it was simulated. */
const struct kernel_numbers *explained_kernel(const struct explained *e, const char *kernel);

/* a / b, and 0 where b is none. */
double share_of(double a, double b);
/* Issue slots of the whole machine: the sum of its uses and losses. */
double numbers_slots(const struct kernel_numbers *n);

#endif
