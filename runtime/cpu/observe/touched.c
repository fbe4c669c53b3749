/* Each kind of instruction has its own way to say where its lanes touch memory. */
#include "runtime/cpu/observe/touched.h"

#include "runtime/cpu/engine/engine_op.h"
#include "runtime/cpu/images/texture.h"

static int touch_lanes(struct warp *w, const struct inst *in, const struct accesses *a, touch_fn touch)
{
	struct lane_run runs[LANES];
	unsigned n = runs_of(a, runs);
	int stop = STOP_NOT;

	for (unsigned i = 0; i < n && stop == STOP_NOT; i++)
		stop = touch(w, in, a, runs[i].lane, a->address[runs[i].lane], runs[i].bytes);
	return stop;
}

static int touch_fragments(struct warp *w, const struct inst *in, uint32_t mask, touch_fn touch)
{
	int stop = STOP_NOT;

	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		unsigned lane = (unsigned)__builtin_ctz(rest);

		for (unsigned i = 0; i < in->vec && stop == STOP_NOT; i++)
			stop = touch(w, in, NULL, lane, fragment_address(w, in, lane, i), in->bytes);
	}
	return stop;
}

/* cp.async has a size of its own; of a bulk copy it is an operand. */
static int touch_copies(struct warp *w, const struct inst *in, uint32_t mask, touch_fn touch)
{
	int stop = STOP_NOT;

	for (uint32_t rest = mask; rest && stop == STOP_NOT; rest &= rest - 1) {
		unsigned lane = (unsigned)__builtin_ctz(rest);
		uint64_t bytes = in->bytes ? in->bytes : ((const uint32_t *)source(w, in->b))[lane];

		stop = touch(w, in, NULL, lane, copy_destination(w, in, lane), bytes);
	}
	return stop;
}

static int touch_texels(struct warp *w, const struct inst *in, uint32_t mask, touch_fn touch)
{
	struct texture_reads reads;
	unsigned parts = texture_parts(in->ptx);
	int stop = STOP_NOT;

	texture_footprint(w, in, mask, &reads);
	for (unsigned part = 0; part < parts; part++)
		for (unsigned i = 0; i < LANES && stop == STOP_NOT; i++)
			if (reads.lanes[part] >> i & 1)
				stop = touch(w, in, NULL, i, reads.address[part][i], reads.bytes[i]);
	return stop;
}

int each_touched_range(struct warp *w, const struct inst *in, uint32_t mask, touch_fn touch)
{
	uint64_t address[LANES];

	if (op_is(in->ptx, OP_COPIES))
		return touch_copies(w, in, mask, touch);
	if (op_is(in->ptx, OP_MOVES_FRAGMENT))
		return touch_fragments(w, in, mask, touch);
	if (op_is(in->ptx, OP_FETCHES))
		return touch_texels(w, in, mask, touch);
	mask = accessed(w, in, mask, address);
	return touch_lanes(w, in, &(struct accesses){address, (uint64_t)in->bytes * in->vec, mask}, touch);
}
