/*
 * The stages that routers of both kinds go through: credits, route computation, VC allocation, iSLIP. router_packets.c
 * and router_flits.c move packets or flits over the switch.
 *
 * The functions take the words of a set of input VCs as `words`, and are inlined, so that the tick has them compiled
 * for the usual single word. Measured with bench_memsys: a quarter of the router's instructions, and an eighth of the
 * memory system's time when it is saturated with hits.
 */
#ifndef ROMARK_SIM_ROUTER_STAGES_H
#define ROMARK_SIM_ROUTER_STAGES_H

#include "sim-backend/noc/router.h"

#define INLINE static inline __attribute__((always_inline))

INLINE unsigned word_of(unsigned k, unsigned words)
{
	return words == 1 ? 0 : k >> 6;
}

/* The kind of router that a tick is compiled for. */
struct router_kind {
	unsigned iterations;
	bool by_input, classes;
};

static inline struct router_kind kind_of(const struct router *r)
{
	return (struct router_kind){r->iterations, r->by_input, r->classes};
}

static inline uint64_t bit_of(unsigned index)
{
	return UINT64_C(1) << (index & 63);
}

/*
 * Turns this cycle's credits into room, and wakes senders that have enough of it. Flit by flit, a VC may get two
 * credits in a cycle, which add up in the slot.
 */
INLINE void add_credits(struct router *r, uint64_t now, bool flit_wise)
{
	struct router_slot *slot = router_slot(r, now);
	uint64_t *credits = slot_credits(r, slot);
	uint8_t *flits = slot_credit_flits(r, slot);
	unsigned o;

	for (unsigned w = 0; w < r->out_words; w++) {
		BITS_FOR_EACH(o, credits[w], w * 64) {
			struct router_output *out = router_output(r, o / r->vcs);
			unsigned vc = o % r->vcs, owner = out->owner[vc];

			out->credits[vc] += flits[o];
			if (flit_wise)
				flits[o] = 0;
			r->credits_coming--;
			if (owner != ROUTER_NO_OWNER && out->credits[vc] >= r->vcs_in[owner].room)
				r->sets[owner >> 6].credited |= bit_of(owner);
		}
		credits[w] = 0;
	}
}

/* Where the packet goes from this router, and on which VCs. */
INLINE const struct topology_hop *hop_of(const struct router *r, const struct router_vc *v,
					 const struct router_route *route)
{
	return &r->hops[route->pool->items[v->packet].group];
}

/* The packets that are through route computation in this cycle wait for a VC of their output. */
INLINE void route_arrivals(struct router *r, uint64_t now, const struct router_route *route, unsigned words,
			   bool flit_wise)
{
	uint64_t *arrivals = slot_arrivals(router_slot(r, now));
	unsigned k;

	for (unsigned w = 0; w < words; w++) {
		BITS_FOR_EACH(k, arrivals[w], w * 64) {
			struct router_vc *v = &r->vcs_in[k];
			const struct topology_hop *hop = hop_of(r, v, route);
			unsigned port = hop->port;

			if (hop->last)
				port += route->member(route->context, v->packet);
			v->out_port = (uint8_t)port;
			if (flit_wise) {
				v->room = 1;
				r->flows[k].left = v->flits;
			} else {
				v->room = v->flits < r->depth ? v->flits : r->depth;
			}
			output_waiting(router_output(r, port))[w] |= bit_of(k);
			r->waiting_outputs |= UINT64_C(1) << port;
		}
		arrivals[w] = 0;
	}
}

/* An input that got a VC in the previous cycle may use the switch. */
INLINE void end_vc_stage(struct router *r, unsigned words)
{
	for (unsigned w = 0; w < words; w++) {
		r->sets[w].ready |= r->sets[w].ready_next;
		r->sets[w].ready_next = 0;
	}
}

/* VC `vc` of output j goes to input VC k. */
INLINE void give_vc(struct router *r, struct router_output *out, unsigned j, unsigned k, unsigned vc, unsigned words)
{
	struct router_vc *v = &r->vcs_in[k];
	struct router_sets *sets = &r->sets[word_of(k, words)];
	uint64_t *waiting = output_waiting(out), *active = output_active(out, words);

	v->out_vc = (uint8_t)vc;
	out->owner[vc] = (uint16_t)k;
	out->free_vcs &= (uint8_t)~(1u << vc);
	if (!out->free_vcs)
		r->offering_outputs &= ~(UINT64_C(1) << j);
	waiting[word_of(k, words)] &= ~bit_of(k);
	if (!bits_any(waiting, words))
		r->waiting_outputs &= ~(UINT64_C(1) << j);
	active[word_of(k, words)] |= bit_of(k);
	r->active_outputs |= UINT64_C(1) << j;
	if (output_is_to_sink(out))
		out->reserved++;
	if (output_is_to_sink(out) || out->credits[vc] >= v->room)
		sets->credited |= bit_of(k);
	*(r->vc_cycles ? &sets->ready_next : &sets->ready) |= bit_of(k);
}

/* First member of a set at or after `start`, else the set's first member. The set must not be empty. */
INLINE unsigned first_member(const uint64_t *set, unsigned words, unsigned start)
{
	unsigned w = start >> 6;
	uint64_t word;

	if (words == 1)
		return bits_first_from(set[0], start);
	word = set[w] & ~UINT64_C(0) << (start & 63);
	while (!word) {
		w = w + 1 == words ? 0 : w + 1;
		word = set[w];
	}
	return w * 64 + (unsigned)__builtin_ctzll(word);
}

/*
 * Gives the free VCs of output j to the input VCs that wait for one, from the pointer on. The VCs are all alike, so
 * unlike in the switch the inputs have no choice.
 */
INLINE void allocate_vcs(struct router *r, unsigned j, uint64_t now, unsigned words)
{
	struct router_output *out = router_output(r, j);
	uint32_t room = output_is_to_sink(out) ? port_room(&out->sink->arrived, now) - out->reserved : UINT32_MAX;

	for (; room && out->free_vcs && r->waiting_outputs >> j & 1; room--) {
		unsigned k = first_member(output_waiting(out), words, out->vc_grant);
		unsigned vc = bits_first_from(out->free_vcs, out->next_vc);

		out->vc_grant = (uint16_t)(k + 1 == r->vcs_count ? 0 : k + 1);
		out->next_vc = (uint8_t)(vc + 1);
		give_vc(r, out, j, k, vc, words);
	}
}

/*
 * The same where a packet may not take every VC, for the packets in `rest` that wait. A packet whose VCs are all taken
 * lets the next packet go before it.
 */
INLINE void allocate_some_vcs(struct router *r, unsigned j, uint64_t *rest, uint64_t now,
			      const struct router_route *route, unsigned words)
{
	struct router_output *out = router_output(r, j);
	uint32_t room = output_is_to_sink(out) ? port_room(&out->sink->arrived, now) - out->reserved : UINT32_MAX;

	while (room && out->free_vcs && bits_any(rest, words)) {
		unsigned k = first_member(rest, words, out->vc_grant), vc;
		unsigned vcs = out->free_vcs & hop_of(r, &r->vcs_in[k], route)->vcs;

		rest[word_of(k, words)] &= ~bit_of(k);
		if (!vcs)
			continue;
		vc = bits_first_from(vcs, out->next_vc);
		out->vc_grant = (uint16_t)(k + 1 == r->vcs_count ? 0 : k + 1);
		out->next_vc = (uint8_t)(vc + 1);
		give_vc(r, out, j, k, vc, words);
		room--;
	}
}

/* Packets that are on their way go before those that come from a source here, so that an overload cannot stop them. */
INLINE void allocate_by_rank(struct router *r, unsigned j, uint64_t now, const struct router_route *route,
			     unsigned words)
{
	uint64_t rest[ROUTER_MAX_WORDS];

	for (int from_links = 1; from_links >= 0; from_links--) {
		for (unsigned w = 0; w < words; w++)
			rest[w] = output_waiting(router_output(r, j))[w] &
				  (from_links ? r->from_links[w] : ~r->from_links[w]);
		allocate_some_vcs(r, j, rest, now, route, words);
	}
}

INLINE void allocate_all_vcs(struct router *r, uint64_t now, const struct router_route *route, struct router_kind kind,
			     unsigned words)
{
	unsigned j;

	BITS_FOR_EACH(j, r->waiting_outputs & r->offering_outputs, 0)
		if (kind.classes)
			allocate_by_rank(r, j, now, route, words);
		else
			allocate_vcs(r, j, now, words);
}

/* Input VC k needs its VC of output j no more. */
INLINE void release_vc(struct router *r, struct router_output *out, unsigned j, unsigned k, unsigned vc, unsigned words)
{
	struct router_sets *sets = &r->sets[word_of(k, words)];
	uint64_t *active = output_active(out, words);

	sets->ready &= ~bit_of(k);
	sets->credited &= ~bit_of(k);
	active[word_of(k, words)] &= ~bit_of(k);
	if (!bits_any(active, words))
		r->active_outputs &= ~(UINT64_C(1) << j);
	out->free_vcs |= (uint8_t)(1u << vc);
	r->offering_outputs |= UINT64_C(1) << j;
	out->owner[vc] = ROUTER_NO_OWNER;
}

/* The next packet of VC k comes to the front. */
INLINE void bring_next_to_front(struct router *r, struct router_vc *v, unsigned k, uint64_t now)
{
	struct router_entry next = r->buffer[router_ring_slot(r, v, k, 0)];
	int32_t wait = (int32_t)(next.ready - (uint32_t)now);

	v->packet = next.packet;
	v->flits = next.flits;
	v->head++;
	router_ask_vc(r, k, now + (uint64_t)(wait > 1 ? wait : 1));
}

/* The member of `set` at the same input as k whose turn it is at that input. */
INLINE unsigned turn_of_input(const struct router *r, const uint64_t *set, unsigned k, unsigned words)
{
	unsigned input = r->vcs_in[k].in_port, vc = r->in[input].next_vc;

	if (words == 1) {
		unsigned first = input * r->vcs;

		return first + bits_first_from(set[0] >> first & ((UINT64_C(1) << r->vcs) - 1), vc);
	}
	while (!bits_has(set, input * r->vcs + vc))
		vc = vc + 1 == r->vcs ? 0 : vc + 1;
	return input * r->vcs + vc;
}

/* The pointers move past input VC k of input i, or, where outputs go round the inputs, past the input. */
INLINE void move_pointers(struct router *r, unsigned i, unsigned j, unsigned k, bool by_input)
{
	unsigned next = k + 1u;

	if (by_input) {
		next = (i + 1) * r->vcs;
		r->in[i].next_vc = (uint8_t)(k + 1 - i * r->vcs == r->vcs ? 0 : k + 1 - i * r->vcs);
	}
	router_output(r, j)->switch_grant = (uint16_t)(next == r->vcs_count ? 0 : next);
	r->in[i].accept = (uint8_t)(j + 1 == r->outputs ? 0 : j + 1);
}

/* The input VC that output j grants: the first from its pointer on that is active and can send; -1 = none. */
INLINE int grant_of(const struct router *r, struct router_output *out, const uint64_t *able, bool by_input,
		    unsigned words)
{
	const uint64_t *active = output_active(out, words);
	uint64_t set[ROUTER_MAX_WORDS], any = 0;
	unsigned k;

	for (unsigned w = 0; w < words; w++)
		any |= set[w] = active[w] & able[w];
	if (!any)
		return -1;
	k = first_member(set, words, out->switch_grant);
	return (int)(by_input ? turn_of_input(r, set, k, words) : k);
}

/* The input VCs of input i. */
INLINE void drop_input(uint64_t *set, const struct router *r, unsigned i, unsigned words)
{
	for (unsigned vc = 0; vc < r->vcs; vc++)
		set[word_of(i * r->vcs + vc, words)] &= ~bit_of(i * r->vcs + vc);
}

/* Moves the packet or flit in front of input VC k across the switch, to output j. */
typedef void (*crossing)(struct router *r, unsigned k, unsigned j, uint64_t now, unsigned words);

/*
 * One iteration of iSLIP: every output of `outputs` grants one of the input VCs in `able`, every input accepts one
 * output, and the accepted packets or flits cross. Returns the outputs that are left. If another iteration follows,
 * matched inputs leave `able`. Only the first iteration moves pointers, and only for accepted grants.
 */
INLINE uint64_t match_once(struct router *r, uint64_t *able, uint64_t outputs, bool first, struct router_kind kind,
			   crossing cross, uint64_t now, unsigned words)
{
	uint64_t granted[ROUTER_MAX_PORTS], inputs = 0;
	uint16_t winner[ROUTER_MAX_PORTS];
	unsigned i, j;

	BITS_FOR_EACH(j, outputs, 0) {
		int k = grant_of(r, router_output(r, j), able, kind.by_input, words);
		uint64_t input;

		if (k < 0)
			continue;
		winner[j] = (uint16_t)k;
		i = r->vcs_in[k].in_port;
		input = UINT64_C(1) << i;
		granted[i] = (inputs & input ? granted[i] : 0) | UINT64_C(1) << j;
		inputs |= input;
	}
	BITS_FOR_EACH(i, inputs, 0) {
		j = bits_first_from(granted[i], r->in[i].accept);
		if (first)
			move_pointers(r, i, j, winner[j], kind.by_input);
		if (kind.iterations > 1) {
			outputs &= ~(UINT64_C(1) << j);
			drop_input(able, r, i, words);
		}
		cross(r, winner[j], j, now, words);
	}
	return inputs ? outputs : 0;
}

/* As many iterations as the router does, or fewer when there is nothing left to match. */
INLINE void allocate_switch(struct router *r, uint64_t outputs, struct router_kind kind, crossing cross, uint64_t now,
			    unsigned words)
{
	uint64_t able[ROUTER_MAX_WORDS];

	for (unsigned w = 0; w < words; w++)
		able[w] = r->sets[w].ready & r->sets[w].credited & r->sets[w].open;
	if (!bits_any(able, words))
		return;
	outputs = match_once(r, able, outputs, true, kind, cross, now, words);
	for (unsigned i = 1; i < kind.iterations && outputs; i++)
		outputs = match_once(r, able, outputs, false, kind, cross, now, words);
}

#endif
