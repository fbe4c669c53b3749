/* One cycle of a router: credits and packets arrive, VC allocation, switch allocation, traversal. */
#include "sim-backend/noc/router.h"

#include "sim-backend/noc/network.h"

#include <string.h>

/* The next `size` bytes of the router's memory; before there is any, they are only counted. */
static void *cut(const struct router *r, size_t *used, size_t size)
{
	void *piece = r->memory ? r->memory + *used : NULL;

	*used += (size + 7) / 8 * 8;
	return piece;
}

/* Places the arrays one behind the other, so that small ones share cache lines; returns the bytes that they take. */
static size_t lay_out(struct router *r)
{
	size_t words = r->words * sizeof(uint64_t), in_vcs = r->vcs_count, out_vcs = r->out_vcs_count, used = 0;

	r->wheel = cut(r, &used, (size_t)ROUTER_WHEEL * r->slot_bytes);
	r->ready = cut(r, &used, words);
	r->ready_next = cut(r, &used, words);
	r->credited = cut(r, &used, words);
	r->open = cut(r, &used, words);
	r->waiting = cut(r, &used, r->outputs * words);
	r->active = cut(r, &used, r->outputs * words);
	r->credits = cut(r, &used, out_vcs);
	r->free_vcs = cut(r, &used, r->outputs);
	r->next_vc = cut(r, &used, r->outputs);
	r->switch_accept = cut(r, &used, r->inputs);
	r->vc_grant = cut(r, &used, r->outputs * sizeof(*r->vc_grant));
	r->switch_grant = cut(r, &used, r->outputs * sizeof(*r->switch_grant));
	r->owner = cut(r, &used, out_vcs * sizeof(*r->owner));
	r->vcs_in = cut(r, &used, in_vcs * sizeof(*r->vcs_in));
	r->out = cut(r, &used, r->outputs * sizeof(*r->out));
	r->in = cut(r, &used, r->inputs * sizeof(*r->in));
	r->buffer = cut(r, &used, (in_vcs << r->ring_shift) * sizeof(*r->buffer));
	return used;
}

void router_init(struct router *r, unsigned inputs, unsigned outputs, unsigned vcs, unsigned depth, unsigned stages,
		 unsigned extra_cycles)
{
	unsigned in_vcs = inputs * vcs, out_vcs = outputs * vcs;

	memset(r, 0, sizeof(*r));
	r->inputs = (uint8_t)inputs;
	r->outputs = (uint8_t)outputs;
	r->vcs = (uint8_t)vcs;
	r->depth = (uint8_t)depth;
	r->vcs_count = (uint16_t)in_vcs;
	r->out_vcs_count = (uint16_t)out_vcs;
	r->words = (uint8_t)bits_words(in_vcs);
	r->out_words = (uint8_t)bits_words(out_vcs);
	r->slot_bytes =
	    (uint16_t)((sizeof(struct router_slot) + (r->words + r->out_words) * sizeof(uint64_t) + out_vcs + 7) / 8 *
		       8);
	r->ring_shift = (uint8_t)(depth > 1 ? 32 - __builtin_clz(depth - 1) : 0);
	r->route_cycles = (uint8_t)((stages > 3 ? stages - 3 : 0) + extra_cycles);
	r->vc_cycles = stages > 2;
	r->memory = xcalloc_lines(lay_out(r), 1);
	lay_out(r);
	for (unsigned k = 0; k < in_vcs; k++) {
		r->vcs_in[k].in_port = (uint8_t)(k / vcs);
		r->vcs_in[k].in_vc = (uint8_t)(k % vcs);
		bits_set(r->open, k);
	}
	memset(r->credits, (int)depth, out_vcs);
	memset(r->owner, 0xff, out_vcs * sizeof(*r->owner));
	memset(r->free_vcs, (int)((1u << vcs) - 1), outputs);
}

void router_release(struct router *r)
{
	free(r->memory);
}

/*
 * The functions of a tick take the words of a set of input VCs as `words`, so that router_tick can have them compiled
 * for the usual single word.
 */
#define INLINE static inline __attribute__((always_inline))

static void collect_credits(struct router *r, uint64_t now)
{
	uint64_t *returns = router_slot(r, now)->sets + r->words;
	const uint8_t *returned = (const uint8_t *)(returns + r->out_words);
	unsigned o;

	for (unsigned w = 0; w < r->out_words; w++) {
		BITS_FOR_EACH (o, returns[w], w * 64) {
			r->credits[o] += returned[o];
			r->credits_coming--;
			if (r->owner[o] != ROUTER_NO_OWNER && r->credits[o] >= r->vcs_in[r->owner[o]].room)
				bits_set(r->credited, r->owner[o]);
		}
		returns[w] = 0;
	}
}

/* Ports whose packet has passed can take another. */
static void free_ports(struct router *r, uint64_t now)
{
	struct router_slot *slot = router_slot(r, now);
	unsigned i;

	BITS_FOR_EACH (i, slot->free_inputs, 0)
		bits_change_range(r->open, i * r->vcs, r->vcs);
	r->sending_inputs &= ~slot->free_inputs;
	r->sending_outputs &= ~slot->free_outputs;
	slot->free_inputs = slot->free_outputs = 0;
}

/* The packet in front of a VC is through route computation and asks for a VC. */
INLINE void collect_arrivals(struct router *r, uint64_t now, const struct router_route *route, unsigned words)
{
	uint64_t *arrivals = router_slot(r, now)->sets;
	unsigned k;

	for (unsigned w = 0; w < words; w++) {
		BITS_FOR_EACH (k, arrivals[w], w * 64) {
			struct router_vc *v = &r->vcs_in[k];
			struct router_entry front = r->buffer[(k << r->ring_shift) + v->head];

			v->flits = front.flits;
			v->room = front.flits < r->depth ? front.flits : r->depth;
			v->out_port = (uint8_t)route->output(route->context, r, front.packet);
			bits_set(&r->waiting[v->out_port * words], k);
			r->waiting_outputs |= UINT64_C(1) << v->out_port;
		}
		arrivals[w] = 0;
		r->ready[w] |= r->ready_next[w];
		r->ready_next[w] = 0;
	}
}

INLINE void take_vc(struct router *r, unsigned j, unsigned k, unsigned vc, unsigned words)
{
	struct router_vc *v = &r->vcs_in[k];
	struct sink *sink = r->out[j].sink;
	uint64_t *waiting = &r->waiting[j * words];
	unsigned o = j * r->vcs + vc;

	v->out_vc = (uint8_t)vc;
	r->owner[o] = (uint16_t)k;
	r->free_vcs[j] &= (uint8_t) ~(1u << vc);
	bits_clear(waiting, k);
	if (!bits_any(waiting, words))
		r->waiting_outputs &= ~(UINT64_C(1) << j);
	bits_set(&r->active[j * words], k);
	r->active_outputs |= UINT64_C(1) << j;
	if (sink)
		sink->reserved++;
	if (sink || r->credits[o] >= v->room)
		bits_set(r->credited, k);
	bits_set(r->vc_cycles ? r->ready_next : r->ready, k);
}

/*
 * The free VCs of output j go to the input VCs that wait for one, from the pointer on. They are alike, so unlike in the
 * switch there is nothing for the inputs to choose from.
 */
INLINE void allocate_vcs(struct router *r, unsigned j, uint64_t now, unsigned words)
{
	const uint64_t *waiting = &r->waiting[j * words];
	struct sink *sink = r->out[j].sink;
	uint32_t room = sink ? fifo_room(&sink->arrived, now) - sink->reserved : UINT32_MAX;

	for (; room && r->free_vcs[j] && r->waiting_outputs >> j & 1; room--) {
		unsigned k = (unsigned)bits_first_of(waiting, waiting, waiting, waiting, words, r->vc_grant[j]);
		unsigned vc = bits_first_from(r->free_vcs[j], r->next_vc[j]);

		r->vc_grant[j] = (uint16_t)(k + 1 == r->vcs_count ? 0 : k + 1);
		r->next_vc[j] = (uint8_t)(vc + 1);
		take_vc(r, j, k, vc, words);
	}
}

/* Gives the room of a packet that is leaving back to whoever sends to this input. */
INLINE void return_credits(const struct router_input *in, unsigned vc, unsigned flits, uint64_t now)
{
	if (in->source) {
		source_credit(in->source, vc, flits, now);
	} else {
		struct router *up = in->router;
		uint64_t *returns = router_slot(up, now + 1 + in->link_cycles)->sets + up->words;
		unsigned o = in->port * up->vcs + vc;

		bits_set(returns, o);
		((uint8_t *)(returns + up->out_words))[o] = (uint8_t)flits;
		up->credits_coming++;
	}
}

INLINE void release_vc(struct router *r, unsigned j, unsigned k, unsigned vc, unsigned words)
{
	uint64_t *active = &r->active[j * words];

	bits_clear(r->ready, k);
	bits_clear(r->credited, k);
	bits_clear(active, k);
	if (!bits_any(active, words))
		r->active_outputs &= ~(UINT64_C(1) << j);
	r->free_vcs[j] |= (uint8_t)(1u << vc);
	r->owner[j * r->vcs + vc] = ROUTER_NO_OWNER;
}

INLINE void arrive(struct sink *sink, uint32_t packet, unsigned flits, uint64_t when)
{
	sink->reserved--;
	sink->flits += flits;
	fifo_push(&sink->arrived, when, packet);
	*sink->waiting |= sink->bit;
	--*sink->in_flight;
}

/* Input and output are taken until the tail has passed. */
INLINE void occupy(struct router *r, const struct router_vc *v, unsigned j, uint64_t now)
{
	struct router_slot *slot = router_slot(r, now + v->flits);
	uint64_t input = UINT64_C(1) << v->in_port, output = UINT64_C(1) << j;

	r->sending_inputs |= input;
	r->sending_outputs |= output;
	slot->free_inputs |= input;
	slot->free_outputs |= output;
	bits_change_range(r->open, v->in_port * r->vcs, r->vcs);
}

/* The packet in front of VC k crosses the switch to output j, its head now. */
INLINE void traverse(struct router *r, unsigned k, unsigned j, uint64_t now, unsigned words)
{
	struct router_vc *v = &r->vcs_in[k];
	struct router_output *out = &r->out[j];
	const struct router_entry *ring = &r->buffer[k << r->ring_shift];
	uint32_t packet = ring[v->head].packet;

	r->packets--;
	r->switched += v->flits;
	return_credits(&r->in[v->in_port], v->in_vc, v->room, now);
	if (v->flits > 1)
		occupy(r, v, j, now);
	if (out->sink) {
		arrive(out->sink, packet, v->flits, now + 2 + out->link_cycles + v->flits - 1);
	} else {
		r->credits[j * r->vcs + v->out_vc] -= v->room;
		router_receive(out->router, out->port, v->out_vc, packet, v->flits, now + 2 + out->link_cycles);
	}
	release_vc(r, j, k, v->out_vc, words);
	v->head = (uint8_t)((v->head + 1) & ((1u << r->ring_shift) - 1));
	v->flits = 0;
	if (--v->count) {
		int32_t wait = (int32_t)(ring[v->head].ready - (uint32_t)now);

		router_wake(r, k, now + (uint64_t)(wait > 1 ? wait : 1));
	}
}

/* Every output grants one input VC; every input accepts one output. Pointers move for accepted grants only. */
INLINE void allocate_switch(struct router *r, uint64_t now, unsigned words)
{
	uint64_t granted[ROUTER_MAX_PORTS], inputs = 0;
	uint16_t winner[ROUTER_MAX_PORTS];
	unsigned i, j;

	BITS_FOR_EACH (j, r->active_outputs & ~r->sending_outputs, 0) {
		int k = bits_first_of(&r->active[j * words], r->ready, r->credited, r->open, words, r->switch_grant[j]);
		uint64_t input;

		if (k < 0)
			continue;
		winner[j] = (uint16_t)k;
		i = r->vcs_in[k].in_port;
		input = UINT64_C(1) << i;
		granted[i] = (inputs & input ? granted[i] : 0) | UINT64_C(1) << j;
		inputs |= input;
	}
	BITS_FOR_EACH (i, inputs, 0) {
		unsigned next;

		j = bits_first_from(granted[i], r->switch_accept[i]);
		next = winner[j] + 1u;
		r->switch_grant[j] = (uint16_t)(next == r->vcs_count ? 0 : next);
		r->switch_accept[i] = (uint8_t)(j + 1 == r->outputs ? 0 : j + 1);
		traverse(r, winner[j], j, now, words);
	}
}

INLINE void tick(struct router *r, uint64_t now, const struct router_route *route, unsigned words)
{
	unsigned j;

	collect_arrivals(r, now, route, words);
	BITS_FOR_EACH (j, r->waiting_outputs, 0)
		if (r->free_vcs[j])
			allocate_vcs(r, j, now, words);
	if (r->active_outputs)
		allocate_switch(r, now, words);
}

void router_tick(struct router *r, uint64_t now, const struct router_route *route)
{
	if (r->credits_coming)
		collect_credits(r, now);
	if (r->sending_inputs)
		free_ports(r, now);
	if (!r->packets)
		return;
	if (r->words == 1)
		tick(r, now, route, 1);
	else
		tick(r, now, route, r->words);
}
