/*
 * Finds a degree by trying: from time to time a neighbour of the present degree rules for two epochs, the first of
 * which fills its copies, and it stays when more requests were answered in the second one.
 *
 *   trials_begin(&t, column, columns);
 *   at each epoch's end: column = trials_next(&t, requests, gain);
 */
#ifndef ROMARK_SIM_TRIALS_H
#define ROMARK_SIM_TRIALS_H

#include <stdbool.h>
#include <stdint.h>

enum { TRIALS_BITS = 24 + 2 * 5 + 2 * 3 + 2 + 1 }; /* of hardware: the fields below but `columns` */

struct trials {
	uint32_t base_requests; /* of the latest epoch under `base` */
	unsigned wait, pause;   /* epochs until the next trial; epochs to wait after a failed trial, up to 16 */
	unsigned base, tried;   /* columns: the best so far, and the column on trial */
	enum { TRIALS_REST, TRIALS_FILL, TRIALS_MEASURE } phase;
	bool up; /* direction of the next trial */
	unsigned columns;
};

void trials_begin(struct trials *t, unsigned column, unsigned columns);
/*
 * An epoch with so many requests has ended. Returns the column of the next epoch. `gain`: the gain that a trial must
 * bring.
 */
unsigned trials_next(struct trials *t, uint64_t requests, double gain);

#endif
