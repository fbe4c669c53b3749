/*
 * A router that switches flits: each flit asks for the switch by itself, with one credit, so flits of several packets
 * share an input, an output and a link in turn. A packet keeps its VC downstream until its tail has left.
 *
 * With a speedup of 2 the switch runs twice a cycle. Flits that come to an output faster than the link takes them wait
 * in the output's queue. The model keeps of this queue only the cycle in which the link is free again.
 */
#include "sim-backend/noc/router_stages.h"

/* The flits of this cycle are in their buffers. */
INLINE void add_flits(struct router *r, uint64_t now, unsigned words)
{
	uint64_t *flits = slot_flits(r, router_slot(r, now));
	unsigned k;

	for (unsigned w = 0; w < words; w++) {
		BITS_FOR_EACH(k, flits[w], w * 64)
			r->flows[k].present++;
		r->sets[w].open |= flits[w];
		flits[w] = 0;
	}
}

/* Returns a unit of room to the sender at this input. */
INLINE void return_credit(const struct router_input *in, unsigned vc, uint64_t now)
{
	if (in->source)
		source_credit(in->source, vc, 1, now);
	else
		router_credit_flit(in->router, in->port, vc, now + 1 + in->link_cycles);
}

/* Cycle in which a flit that crosses the switch to output j now leaves on the link. */
INLINE uint64_t take_link(struct router *r, unsigned j, uint64_t now)
{
	struct router_channel *c = &r->channels[j];
	uint64_t start = now * LINK_CYCLE > c->free ? now * LINK_CYCLE : c->free;

	c->free = start + c->interval;
	return start / LINK_CYCLE;
}

INLINE void end_packet(struct router *r, struct router_output *out, unsigned j, unsigned k, uint64_t now,
		       unsigned words)
{
	struct router_vc *v = &r->vcs_in[k];

	r->packets--;
	release_vc(r, out, j, k, v->out_vc, words);
	v->room = 0;
	if (--v->count)
		bring_next_to_front(r, v, k, now);
}

/* The next flit of VC k crosses the switch to output j. */
INLINE void forward_flit(struct router *r, unsigned k, unsigned j, uint64_t now, unsigned words)
{
	struct router_vc *v = &r->vcs_in[k];
	struct router_flow *flow = &r->flows[k];
	struct router_output *out = router_output(r, j);
	uint64_t arrival = take_link(r, j, now) + 2 + out->link_cycles;
	bool head = flow->left == v->flits, tail = !--flow->left;

	out->passed++;
	if (!--flow->present)
		r->sets[word_of(k, words)].open &= ~bit_of(k);
	return_credit(&r->in[v->in_port], v->in_vc, now);
	if (!output_is_to_sink(out)) {
		if (head)
			router_receive(out->router, out->port, v->out_vc, v->packet, v->flits, arrival);
		router_receive_flit(out->router, out->port, v->out_vc, arrival);
		if (!--out->credits[v->out_vc])
			r->sets[word_of(k, words)].credited &= ~bit_of(k);
	} else if (tail) {
		out->reserved--;
		port_push(&out->sink->arrived, arrival, v->packet);
	}
	if (tail)
		end_packet(r, out, j, k, now, words);
}

/* Outputs that can take a flit: the link is free, or there is room in front of it. */
INLINE uint64_t open_outputs(const struct router *r, uint64_t now)
{
	uint64_t end = (now + r->output_queue) * LINK_CYCLE, open = 0;
	unsigned j;

	BITS_FOR_EACH(j, r->active_outputs, 0)
		open |= (uint64_t)(r->channels[j].free < end) << j;
	return open;
}

INLINE void tick(struct router *r, uint64_t now, const struct router_route *route, unsigned words)
{
	add_flits(r, now, words);
	route_arrivals(r, now, route, words, true);
	end_vc_stage(r, words);
	allocate_all_vcs(r, now, route, kind_of(r), words);
	for (unsigned pass = 0; pass < r->speedup && r->active_outputs; pass++)
		allocate_switch(r, open_outputs(r, now), kind_of(r), forward_flit, now, words);
}

void router_tick_flits(struct router *r, uint64_t now, const struct router_route *route)
{
	if (r->credits_coming)
		add_credits(r, now, true);
	if (!r->packets)
		return;
	if (r->words == 1)
		tick(r, now, route, 1);
	else
		tick(r, now, route, r->words);
}
