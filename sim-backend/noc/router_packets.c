/* A router that switches packets: who has the switch keeps input and output until its tail has passed. */
#include "sim-backend/noc/router_stages.h"

/* The VCs of an input become open, or not open when they were. */
INLINE void flip_open(struct router *r, unsigned input, unsigned words)
{
	uint64_t ones = (UINT64_C(1) << r->vcs) - 1;
	unsigned first = input * r->vcs, shift = first & 63;

	r->sets[word_of(first, words)].open ^= ones << shift;
	if (words > 1 && shift + r->vcs > 64)
		r->sets[(first >> 6) + 1].open ^= ones >> (64 - shift);
}

/* Ports whose packet has passed can take another. */
INLINE void free_ports(struct router *r, uint64_t now, unsigned words)
{
	struct router_slot *slot = router_slot(r, now);
	unsigned i;

	BITS_FOR_EACH(i, slot->free_inputs, 0)
		flip_open(r, i, words);
	r->sending_inputs &= ~slot->free_inputs;
	r->sending_outputs &= ~slot->free_outputs;
	slot->free_inputs = slot->free_outputs = 0;
}

/* Returns the room of a packet that is leaving to the sender at this input. */
INLINE void return_credits(const struct router_input *in, unsigned vc, unsigned flits, uint64_t now)
{
	if (in->source)
		source_credit(in->source, vc, flits, now);
	else
		router_credit(in->router, in->port, vc, flits, now + 1 + in->link_cycles);
}

/* The packet keeps input and output until its tail has passed. */
INLINE void hold_ports(struct router *r, const struct router_vc *v, unsigned j, uint64_t now, unsigned words)
{
	struct router_slot *slot = router_slot(r, now + v->flits);
	uint64_t input = UINT64_C(1) << v->in_port, output = UINT64_C(1) << j;

	r->sending_inputs |= input;
	r->sending_outputs |= output;
	slot->free_inputs |= input;
	slot->free_outputs |= output;
	flip_open(r, v->in_port, words);
}

/* The packet in front of VC k crosses the switch to output j, its head now. */
INLINE void traverse(struct router *r, unsigned k, unsigned j, uint64_t now, unsigned words)
{
	struct router_vc *v = &r->vcs_in[k];
	struct router_output *out = router_output(r, j);

	/* Whoever gets the packet looks at it, some cycles from now. */
	__builtin_prefetch(&r->pool->items[v->packet]);
	r->packets--;
	out->passed += v->flits;
	return_credits(&r->in[v->in_port], v->in_vc, v->room, now);
	if (v->flits > 1)
		hold_ports(r, v, j, now, words);
	if (output_is_to_sink(out)) {
		out->reserved--;
		port_push(&out->sink->arrived, now + 2 + out->link_cycles + v->flits - 1, v->packet);
	} else {
		out->credits[v->out_vc] -= v->room;
		router_receive(out->router, out->port, v->out_vc, v->packet, v->flits, now + 2 + out->link_cycles);
	}
	release_vc(r, out, j, k, v->out_vc, words);
	v->room = 0;
	if (--v->count)
		bring_next_to_front(r, v, k, now);
}

INLINE void tick(struct router *r, uint64_t now, const struct router_route *route, struct router_kind kind,
		 unsigned words)
{
	if (r->sending_inputs)
		free_ports(r, now, words);
	if (!r->packets)
		return;
	route_arrivals(r, now, route, words, false);
	end_vc_stage(r, words);
	allocate_all_vcs(r, now, route, kind, words);
	if (r->active_outputs)
		allocate_switch(r, r->active_outputs & ~r->sending_outputs, kind, traverse, now, words);
}

/* A function of its own, so that the compiler can specialise the tick of usual routers. */
static __attribute__((noinline)) void tick_unusual(struct router *r, uint64_t now, const struct router_route *route)
{
	tick(r, now, route, kind_of(r), r->words);
}

void router_tick_packets(struct router *r, uint64_t now, const struct router_route *route)
{
	if (r->credits_coming)
		add_credits(r, now, false);
	if (r->plain)
		tick(r, now, route, (struct router_kind){.iterations = 1, .by_input = true}, 1);
	else
		tick_unusual(r, now, route);
}
