/* A ring that doubles when it is full. */
#include "sim-backend/dram/note_queue.h"

#include "common/xalloc.h"

void note_queue_push(struct note_queue *q, uint64_t ready, struct dram_request note)
{
	uint32_t place;

	if (q->count == q->size) {
		struct note_queue old = *q;

		q->size = old.size ? 2 * old.size : 16;
		q->notes = xmalloc(q->size * sizeof *q->notes);
		q->ready = xmalloc(q->size * sizeof *q->ready);
		for (uint32_t i = 0; i < old.count; i++) {
			q->notes[i] = old.notes[(old.head + i) % old.size];
			q->ready[i] = old.ready[(old.head + i) % old.size];
		}
		q->head = 0;
		note_queue_release(&old);
	}
	place = (q->head + q->count++) % q->size;
	q->notes[place] = note;
	q->ready[place] = ready;
}

const struct dram_request *note_queue_peek(const struct note_queue *q, uint64_t now)
{
	return q->count && q->ready[q->head] <= now ? &q->notes[q->head] : NULL;
}

void note_queue_pop(struct note_queue *q)
{
	q->head = (q->head + 1) % q->size;
	q->count--;
}

void note_queue_release(struct note_queue *q)
{
	xfree(q->notes);
	xfree(q->ready);
}
