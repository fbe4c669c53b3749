/* One cycle of a router: credits and flits arrive, VC allocation, switch allocation, traversal. */
#include "sim-backend/noc/router.h"

#include "sim-backend/noc/network.h"

#include <string.h>

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
	r->words = (uint8_t)bits_words(in_vcs);
	r->out_words = (uint8_t)bits_words(out_vcs);
	r->route_cycles = (uint8_t)((stages > 3 ? stages - 3 : 0) + extra_cycles);
	r->vc_cycles = stages > 2;
	r->vcs_in = xcalloc(in_vcs, sizeof(*r->vcs_in));
	for (unsigned k = 0; k < in_vcs; k++) {
		r->vcs_in[k].in_port = (uint8_t)(k / vcs);
		r->vcs_in[k].in_vc = (uint8_t)(k % vcs);
	}
	r->buffer = xcalloc((size_t)in_vcs * depth, sizeof(*r->buffer));
	r->ready = xcalloc(r->words, sizeof(uint64_t));
	r->credited = xcalloc(r->words, sizeof(uint64_t));
	r->waiting = xcalloc((size_t)outputs * r->words, sizeof(uint64_t));
	r->active = xcalloc((size_t)outputs * r->words, sizeof(uint64_t));
	r->arrivals = xcalloc((size_t)ROUTER_WHEEL * r->words, sizeof(uint64_t));
	r->credits = xmalloc(out_vcs);
	memset(r->credits, (int)depth, out_vcs);
	r->owner = xmalloc(out_vcs * sizeof(*r->owner));
	memset(r->owner, 0xff, out_vcs * sizeof(*r->owner));
	r->free_vcs = xmalloc(outputs);
	memset(r->free_vcs, (int)((1u << vcs) - 1), outputs);
	r->returns = xcalloc((size_t)ROUTER_WHEEL * r->out_words, sizeof(uint64_t));
	r->vc_grant = xcalloc(out_vcs, sizeof(*r->vc_grant));
	r->vc_accept = xcalloc(in_vcs, 1);
	r->switch_grant = xcalloc(outputs, sizeof(*r->switch_grant));
	r->switch_accept = xcalloc(inputs, 1);
	r->out = xcalloc(outputs, sizeof(*r->out));
	r->in = xcalloc(inputs, sizeof(*r->in));
}

void router_release(struct router *r)
{
	void *const parts[] = {r->vcs_in,    r->buffer,       r->ready,         r->credited, r->waiting, r->active,
			       r->arrivals,  r->credits,      r->owner,         r->free_vcs, r->returns, r->vc_grant,
			       r->vc_accept, r->switch_grant, r->switch_accept, r->out,      r->in};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		free(parts[i]);
}

/*
 * The functions of a tick take the words of a set of input VCs as `words`, so that router_tick can have them compiled
 * for the usual single word.
 */
#define INLINE static inline __attribute__((always_inline))

/* VC k has something to do in cycle `when`. */
INLINE void wake(struct router *r, unsigned k, uint64_t when, unsigned words)
{
	bits_set(&r->arrivals[(when % ROUTER_WHEEL) * words], k);
}

void router_receive(struct router *r, unsigned input, unsigned vc, uint32_t packet, unsigned flits, uint64_t arrival)
{
	unsigned k = input * r->vcs + vc;
	struct router_vc *v = &r->vcs_in[k];
	unsigned slot = v->head + v->count;
	uint64_t ready = arrival + r->route_cycles;

	slot = slot >= r->depth ? slot - r->depth : slot;
	r->buffer[k * r->depth + slot] = (struct router_flit){packet, (uint8_t)flits, (uint32_t)ready};
	if (!v->count++)
		wake(r, k, ready, r->words);
	r->flits++;
}

static void collect_credits(struct router *r, uint64_t now)
{
	uint64_t *returns = &r->returns[(now % ROUTER_WHEEL) * r->out_words];
	unsigned o;

	for (unsigned w = 0; w < r->out_words; w++) {
		BITS_FOR_EACH(o, returns[w], w * 64)
		{
			if (!r->credits[o]++ && r->owner[o] != ROUTER_NO_OWNER)
				bits_set(r->credited, r->owner[o]);
			r->credits_coming--;
		}
		returns[w] = 0;
	}
}

/* The flit at the front of a VC is through the first stages: a head flit asks for a VC, others for the switch. */
INLINE void collect_arrivals(struct router *r, uint64_t now, const struct router_route *route, unsigned words)
{
	uint64_t *arrivals = &r->arrivals[(now % ROUTER_WHEEL) * words];
	unsigned k;

	for (unsigned w = 0; w < words; w++) {
		BITS_FOR_EACH(k, arrivals[w], w * 64)
		{
			struct router_vc *v = &r->vcs_in[k];
			struct router_flit head;

			if (v->remaining) {
				bits_set(r->ready, k);
				continue;
			}
			head = r->buffer[k * r->depth + v->head];
			v->remaining = v->flits = head.flits;
			v->out_port = (uint8_t)route->output(route->context, r, head.packet);
			bits_set(&r->waiting[v->out_port * words], k);
			r->waiting_outputs |= UINT64_C(1) << v->out_port;
		}
		arrivals[w] = 0;
	}
}

INLINE void take_vc(struct router *r, unsigned j, unsigned k, unsigned vc, uint64_t now, unsigned words)
{
	struct router_output *out = &r->out[j];
	uint64_t *waiting = &r->waiting[j * words];
	unsigned o = j * r->vcs + vc;

	r->vcs_in[k].out_vc = (uint8_t)vc;
	r->owner[o] = (uint16_t)k;
	r->free_vcs[j] &= (uint8_t) ~(1u << vc);
	bits_clear(waiting, k);
	if (!bits_any(waiting, words))
		r->waiting_outputs &= ~(UINT64_C(1) << j);
	bits_set(&r->active[j * words], k);
	r->active_outputs |= UINT64_C(1) << j;
	if (out->sink)
		out->sink->reserved++;
	if (out->sink || r->credits[o])
		bits_set(r->credited, k);
	else
		bits_clear(r->credited, k);
	if (r->vc_cycles)
		wake(r, k, now + r->vc_cycles, words);
	else
		bits_set(r->ready, k);
}

/* Every free VC of output j grants one waiting input VC; an input VC accepts one. */
INLINE void allocate_vcs(struct router *r, unsigned j, uint64_t now, unsigned words)
{
	const uint64_t *waiting = &r->waiting[j * words];
	struct sink *sink = r->out[j].sink;
	uint32_t room = sink ? fifo_room(&sink->arrived, now) - sink->reserved : UINT32_MAX;
	unsigned granted_to[8], vc, grants = 0;
	uint8_t granted = 0;

	BITS_FOR_EACH(vc, r->free_vcs[j], 0)
	{
		if (grants++ == room)
			break;
		granted_to[vc] =
		    (unsigned)bits_first_of_three(waiting, waiting, waiting, words, r->vc_grant[j * r->vcs + vc]);
		granted |= (uint8_t)(1u << vc);
	}
	while (granted) {
		unsigned k = granted_to[__builtin_ctz(granted)], mine = 0;

		BITS_FOR_EACH(vc, granted, 0)
		mine |= granted_to[vc] == k ? 1u << vc : 0;
		granted &= (uint8_t)~mine;
		vc = bits_first_from(mine, r->vc_accept[k]);
		r->vc_grant[j * r->vcs + vc] = (uint16_t)(k + 1 == r->vcs_count ? 0 : k + 1);
		r->vc_accept[k] = (uint8_t)(vc + 1 == r->vcs ? 0 : vc + 1);
		take_vc(r, j, k, vc, now, words);
	}
}

/* Gives the place of a flit that has left back to whoever sends to this input. */
INLINE void return_credit(const struct router_input *in, unsigned vc, uint64_t now)
{
	if (in->source) {
		source_credit(in->source, vc, now);
	} else {
		struct router *up = in->router;
		uint64_t slot = (now + 1 + in->link_cycles) % ROUTER_WHEEL;

		bits_set(&up->returns[slot * up->out_words], in->port * up->vcs + vc);
		up->credits_coming++;
	}
}

/* After a flit has left VC k: what its next flit does, and when. */
INLINE void advance(struct router *r, unsigned k, bool tail, uint64_t now, unsigned words)
{
	const struct router_vc *v = &r->vcs_in[k];
	uint32_t ready = r->buffer[k * r->depth + v->head].ready;
	bool passed = (int32_t)(ready - (uint32_t)(now + 1)) <= 0;

	if (!tail && v->count && passed)
		return;
	bits_clear(r->ready, k);
	if (v->count)
		wake(r, k, now + (passed ? 1 : ready - (uint32_t)now), words);
}

INLINE void release_vc(struct router *r, unsigned j, unsigned k, unsigned vc, unsigned words)
{
	uint64_t *active = &r->active[j * words];

	bits_clear(active, k);
	if (!bits_any(active, words))
		r->active_outputs &= ~(UINT64_C(1) << j);
	r->free_vcs[j] |= (uint8_t)(1u << vc);
	r->owner[j * r->vcs + vc] = ROUTER_NO_OWNER;
}

INLINE void arrive(struct sink *sink, uint32_t packet, uint64_t when)
{
	sink->reserved--;
	fifo_push(&sink->arrived, when, packet);
	*sink->waiting |= sink->bit;
	--*sink->in_flight;
}

/* The flit at the front of VC k crosses the switch to output j. */
INLINE void traverse(struct router *r, unsigned k, unsigned j, uint64_t now, unsigned words)
{
	struct router_vc *v = &r->vcs_in[k];
	struct router_output *out = &r->out[j];
	uint32_t packet = r->buffer[k * r->depth + v->head].packet;
	bool tail = !--v->remaining;

	v->head = v->head + 1 == r->depth ? 0 : v->head + 1;
	v->count--;
	r->flits--;
	r->switched++;
	return_credit(&r->in[v->in_port], v->in_vc, now);
	if (out->sink) {
		out->sink->flits++;
		if (tail)
			arrive(out->sink, packet, now + 2 + out->link_cycles);
	} else {
		if (!--r->credits[j * r->vcs + v->out_vc])
			bits_clear(r->credited, k);
		router_receive(out->router, out->port, v->out_vc, packet, v->flits, now + 2 + out->link_cycles);
	}
	if (tail)
		release_vc(r, j, k, v->out_vc, words);
	advance(r, k, tail, now, words);
}

/* Every output grants one input VC; every input accepts one output. Pointers move for accepted grants only. */
INLINE void allocate_switch(struct router *r, uint64_t now, unsigned words)
{
	uint64_t granted[ROUTER_MAX_PORTS], inputs = 0;
	uint16_t winner[ROUTER_MAX_PORTS];
	unsigned i, j;

	BITS_FOR_EACH(j, r->active_outputs, 0)
	{
		int k = bits_first_of_three(&r->active[j * words], r->ready, r->credited, words, r->switch_grant[j]);
		uint64_t input;

		if (k < 0)
			continue;
		winner[j] = (uint16_t)k;
		i = r->vcs_in[k].in_port;
		input = UINT64_C(1) << i;
		granted[i] = (inputs & input ? granted[i] : 0) | UINT64_C(1) << j;
		inputs |= input;
	}
	BITS_FOR_EACH(i, inputs, 0)
	{
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
	BITS_FOR_EACH(j, r->waiting_outputs, 0)
	if (r->free_vcs[j])
		allocate_vcs(r, j, now, words);
	if (r->active_outputs)
		allocate_switch(r, now, words);
}

void router_tick(struct router *r, uint64_t now, const struct router_route *route)
{
	if (r->credits_coming)
		collect_credits(r, now);
	if (!r->flits)
		return;
	if (r->words == 1)
		tick(r, now, route, 1);
	else
		tick(r, now, route, r->words);
}
