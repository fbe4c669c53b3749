/*
 * A queue of requests and notes that grows, because a bounded queue could make slices and directories wait for each
 * other. An entry can be taken from its ready cycle on, as in a port.
 */
#ifndef ROMARK_SIM_DRAM_NOTE_QUEUE_H
#define ROMARK_SIM_DRAM_NOTE_QUEUE_H

#include "sim-backend/dram/request.h"

/* All zeros: an empty queue. */
struct note_queue {
	struct dram_request *notes;
	uint64_t *ready;
	uint32_t head, count, size;
};

void note_queue_push(struct note_queue *q, uint64_t ready, struct dram_request note);
/* The oldest entry. NULL if it is not ready, or the queue is empty. */
const struct dram_request *note_queue_peek(const struct note_queue *q, uint64_t now);
void note_queue_pop(struct note_queue *q);
void note_queue_release(struct note_queue *q);

#endif
