/* Rests at a column, tries a neighbour, goes on in the direction that helped, and pauses longer after each failure. */
#include "sim-backend/llc/trials.h"

enum { LONGEST_PAUSE = 16 };

void trials_begin(struct trials *t, unsigned column, unsigned columns)
{
	*t = (struct trials){.wait = 1, .pause = 1, .base = column, .up = true, .columns = columns};
}

static unsigned try_neighbour(struct trials *t)
{
	if (t->base == 0 || t->base + 1 == t->columns)
		t->up = t->base == 0;
	t->tried = t->up ? t->base + 1 : t->base - 1;
	t->phase = TRIALS_FILL;
	return t->tried;
}

static unsigned end_trial(struct trials *t, uint64_t requests, double gain)
{
	t->phase = TRIALS_REST;
	if ((double)requests > t->base_requests * (1 + gain)) {
		t->base = t->tried;
		t->wait = t->pause = 1;
	} else {
		t->up = !t->up;
		t->pause = t->pause < LONGEST_PAUSE ? 2 * t->pause : LONGEST_PAUSE;
		t->wait = t->pause;
	}
	return t->base;
}

unsigned trials_next(struct trials *t, uint64_t requests, double gain)
{
	if (t->columns < 2)
		return t->base;
	if (t->phase == TRIALS_MEASURE)
		return end_trial(t, requests, gain);
	if (t->phase == TRIALS_FILL) {
		t->phase = TRIALS_MEASURE;
		return t->tried;
	}
	t->base_requests = (uint32_t)requests;
	return --t->wait ? t->base : try_neighbour(t);
}
