/* Makes a router: sizes, and where its arrays lie. */
#include "sim-backend/noc/router.h"

#include "common/integer.h"

#include <string.h>

/* The next `size` bytes of the router's memory; before there is any, they are only counted. */
static void *next_array(const struct router *r, size_t *used, size_t size)
{
	void *piece = r->memory ? r->memory + *used : NULL;

	*used += round_up(size, 8);
	return piece;
}

/* Places the arrays one behind the other, so that small arrays share cache lines; returns the bytes that they take. */
static size_t place_arrays(struct router *r)
{
	size_t in_vcs = r->vcs_count, used = 0;

	r->out = next_array(r, &used, (size_t)r->outputs * r->output_bytes);
	r->wheel = next_array(r, &used, (r->wheel_mask + 1u) * (size_t)r->slot_bytes);
	r->vcs_in = next_array(r, &used, in_vcs * sizeof *r->vcs_in);
	r->in = next_array(r, &used, r->inputs * sizeof *r->in);
	if (r->flit_wise) {
		r->flows = next_array(r, &used, in_vcs * sizeof *r->flows);
		r->channels = next_array(r, &used, r->outputs * sizeof *r->channels);
	}
	r->buffer = next_array(r, &used, (in_vcs << r->ring_shift) * sizeof *r->buffer);
	return used;
}

/* Slots of the wheel: more than the cycles to the farthest event. */
static unsigned wheel_slots(const struct router *r, const struct router_shape *s)
{
	unsigned farthest = 2 + s->link_cycles + r->route_cycles + r->output_queue, slots = 1;

	farthest = farthest > s->most_flits ? farthest : s->most_flits;
	while (slots <= farthest)
		slots *= 2;
	return slots;
}

static void set_sizes(struct router *r, const struct router_shape *s)
{
	unsigned in_vcs = s->inputs * s->vcs, out_vcs = s->outputs * s->vcs;
	size_t slot_bytes, output_bytes;

	r->inputs = (uint8_t)s->inputs;
	r->outputs = (uint8_t)s->outputs;
	r->vcs = (uint8_t)s->vcs;
	r->depth = (uint8_t)s->depth;
	r->vcs_count = (uint16_t)in_vcs;
	r->words = (uint8_t)bits_words(in_vcs);
	r->out_words = (uint8_t)bits_words(out_vcs);
	r->ring_shift = (uint8_t)(s->depth > 1 ? 32 - __builtin_clz(s->depth - 1) : 0);
	r->route_cycles = (uint8_t)((s->stages > 3 ? s->stages - 3 : 0) + s->extra_cycles);
	r->vc_cycles = s->stages > 2;
	r->flit_wise = s->flit_wise;
	r->iterations = (uint8_t)s->iterations;
	r->speedup = (uint8_t)s->speedup;
	r->output_queue = (uint8_t)(s->speedup > 1 ? s->output_queue : 1);
	r->classes = s->classes;
	r->by_input = s->by_input;
	r->plain = r->words == 1 && r->iterations == 1 && !r->classes && r->by_input;
	r->wheel_mask = (uint16_t)(wheel_slots(r, s) - 1);
	slot_bytes = sizeof(struct router_slot) + (r->words + r->out_words) * sizeof(uint64_t);
	slot_bytes += r->flit_wise ? r->words * sizeof(uint64_t) : 0;
	r->credit_flits_at = (uint16_t)slot_bytes;
	slot_bytes += out_vcs;
	output_bytes = sizeof(struct router_output) + 2 * r->words * sizeof(uint64_t);
	r->slot_bytes = (uint16_t)(round_up(slot_bytes, 8));
	r->output_bytes = (uint16_t)(round_up(output_bytes, 64));
}

void router_init(struct router *r, const struct router_shape *shape)
{
	memset(r, 0, sizeof *r);
	set_sizes(r, shape);
	r->memory = xcalloc_lines(place_arrays(r), 1);
	place_arrays(r);
	for (unsigned k = 0; k < r->vcs_count; k++) {
		r->vcs_in[k].in_port = (uint8_t)(k / r->vcs);
		r->vcs_in[k].in_vc = (uint8_t)(k % r->vcs);
		if (!r->flit_wise)
			r->sets[k >> 6].open |= UINT64_C(1) << (k & 63);
	}
	for (unsigned j = 0; j < r->outputs; j++) {
		struct router_output *out = router_output(r, j);

		memset(out->owner, 0xff, sizeof out->owner);
		out->free_vcs = (uint8_t)((1u << r->vcs) - 1);
		r->offering_outputs |= UINT64_C(1) << j;
		if (r->flit_wise)
			r->channels[j].interval = LINK_CYCLE;
	}
}

void router_release(struct router *r)
{
	xfree(r->memory);
}
