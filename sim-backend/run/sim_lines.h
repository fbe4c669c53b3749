/*
 * Counters of the program's lines, with options.lines: the SMs count per instruction of the launches that run, and here
 * these counts are added to the lines that the instructions come from.
 *
 *   lines_begin(&s->lines, &s->context, launch->kernel);   // its instructions are in the context
 *   lines_end(&s->lines, s->result);                       // all launches that run are over
 */
#ifndef ROMARK_SIM_LINES_H
#define ROMARK_SIM_LINES_H

#include "common/vec.h"
#include "sim-backend/results/result.h"
#include "sim-backend/sm/sm.h"

/* Instructions of a launch in the context's tables. */
struct counted_launch {
	uint32_t first, kernel; /* kernel: its number in the trace */
	const struct trace_kernel *table;
	const struct machine_code *code;
};

struct sim_lines {
	bool wanted;
	struct line_stats *stats; /* of each instruction of these launches */
	uint32_t room;            /* in `stats` */
	VEC(struct counted_launch) launches;
	VEC(uint32_t *) rows; /* by kernel of the trace: of each row of its table, the result's line; NULL: not seen */
};

/* The context's latest launch is a kernel of the trace, whose number is `kernel`. */
void lines_begin(struct sim_lines *l, struct sm_context *context, uint32_t kernel);
void lines_end(struct sim_lines *l, struct sim_result *r);
void lines_release(struct sim_lines *l);

#endif
