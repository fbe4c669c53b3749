/* Streams say what may run together: stream 0 with none, a stream with the others. */
#include "sim-backend/run/batch.h"

void batch_begin(struct batch *b)
{
	b->rows.len = b->streams.len = b->launches.len = 0;
	b->has_atomics = false;
}

void batch_release(struct batch *b)
{
	vec_release(&b->rows);
	vec_release(&b->streams);
	vec_release(&b->launches);
}

uint32_t batch_add(struct batch *b, const struct kernel_result *row, uint32_t stream, const struct cta_needs *needs,
		   uint64_t cycle)
{
	vec_push(&b->rows, *row);
	vec_push(&b->streams, stream);
	vec_push(&b->launches, (struct resident_launch){.needs = *needs, .begin = cycle, .end = cycle});
	return (uint32_t)b->rows.len - 1;
}

/*
 * A second launch of a stream waits until the machine is empty, since it may read data that the first wrote. L1s and
 * copies in the LLC are only dropped then.
 */
bool batch_allows(const struct batch *b, const struct trace_launch *launch, bool has_atomics, uint32_t limit)
{
	uint32_t running = 0;

	if (launch->stream == 0 || (has_atomics && !b->has_atomics))
		return false;
	for (size_t i = 0; i < b->streams.len; i++)
		if (b->streams.data[i] == 0 || b->streams.data[i] == launch->stream)
			return false;
	for (size_t i = 0; i < b->launches.len; i++)
		running += b->launches.data[i].running > 0;
	return running < limit;
}

void batch_finish(struct batch *b)
{
	for (size_t i = 0; i < b->rows.len; i++) {
		const struct resident_launch *launch = &b->launches.data[i];

		b->rows.data[i].own = (struct own_counts){.begin = launch->begin,
							  .end = launch->end,
							  .stream = b->streams.data[i],
							  .ctas = launch->ctas,
							  .warp_instructions = launch->warp_instructions,
							  .thread_instructions = launch->thread_instructions};
	}
}

void batch_check(const struct batch *b, const struct counters *counts)
{
	uint64_t instructions = 0, ctas = 0;

	for (size_t i = 0; i < b->launches.len; i++) {
		instructions += b->launches.data[i].warp_instructions;
		ctas += b->launches.data[i].ctas;
	}
	if (instructions != counts->sm.warp_instructions || ctas != counts->sm.ctas)
		BUG("%zu launches at once: not every instruction or CTA belongs to one of them", b->launches.len);
}
