/*
 * What moved between two results of one program: each difference with its weight, the largest first.
 *
 *   struct moved m;
 *   moved_between(&m, &before, &after);
 *   m.rows.data[0].text, .a, .b, .weight
 *   moved_release(&m);
 */
#ifndef ROMARK_CLI_EXPLAIN_MOVED_H
#define ROMARK_CLI_EXPLAIN_MOVED_H

#include "cli/explain_numbers.h"

struct difference {
	char *subject;    /* a kernel, a structure of a kernel, or NULL: the run; malloc'ed */
	const char *what; /* "cycles", "DRAM bursts", ... */
	const char *unit;
	double a, b;
	double share;  /* of the whole of its kind in the larger result: of all cycles, all bursts, a request's time */
	double weight; /* the share, and for traffic the share times how full the part is that carries it */
};

struct moved {
	VEC(struct difference) rows;
};

void moved_between(struct moved *m, const struct explained *a, const struct explained *b);
void moved_release(struct moved *m);

#endif
