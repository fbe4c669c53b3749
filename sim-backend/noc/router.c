/* One cycle of a router: credits and packets arrive, VC allocation, switch allocation, traversal. */
#include "sim-backend/noc/router.h"

#include <string.h>

/* The next `size` bytes of the router's memory; before there is any, they are only counted. */
static void *next_array(const struct router *r, size_t *used, size_t size)
{
	void *piece = r->memory ? r->memory + *used : NULL;

	*used += (size + 7) / 8 * 8;
	return piece;
}

/* Places the arrays one behind the other, so that small ones share cache lines; returns the bytes that they take. */
static size_t place_arrays(struct router *r)
{
	size_t in_vcs = r->vcs_count, used = 0;

	r->out = next_array(r, &used, (size_t)r->outputs * r->output_bytes);
	r->wheel = next_array(r, &used, (r->wheel_mask + 1u) * (size_t)r->slot_bytes);
	r->vcs_in = next_array(r, &used, in_vcs * sizeof *r->vcs_in);
	r->in = next_array(r, &used, r->inputs * sizeof *r->in);
	r->buffer = next_array(r, &used, (in_vcs << r->ring_shift) * sizeof *r->buffer);
	return used;
}

/* Slots of the wheel: more than the cycles to the farthest event. */
static unsigned wheel_slots(const struct router *r, const struct router_shape *s)
{
	unsigned farthest = 2 + s->link_cycles + r->route_cycles, slots = 1;

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
	r->wheel_mask = (uint8_t)(wheel_slots(r, s) - 1);
	slot_bytes = sizeof(struct router_slot) + (r->words + r->out_words) * sizeof(uint64_t) + out_vcs;
	output_bytes = sizeof(struct router_output) + 2 * r->words * sizeof(uint64_t);
	r->slot_bytes = (uint16_t)((slot_bytes + 7) / 8 * 8);
	r->output_bytes = (uint16_t)((output_bytes + 63) / 64 * 64);
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
		r->sets[k >> 6].open |= UINT64_C(1) << (k & 63);
	}
	for (unsigned j = 0; j < r->outputs; j++) {
		struct router_output *out = router_output(r, j);

		memset(out->owner, 0xff, sizeof out->owner);
		out->free_vcs = (uint8_t)((1u << r->vcs) - 1);
		r->offering_outputs |= UINT64_C(1) << j;
	}
}

void router_release(struct router *r)
{
	free(r->memory);
}

/*
 * The functions of a tick take the words of a set of input VCs as `words`, and are inlined, so that router_tick has
 * them compiled for the usual single word. Measured with bench_memsys: a quarter of the router's instructions, and an
 * eighth of the memory system's time when it is saturated with hits.
 */
#define INLINE static inline __attribute__((always_inline))

INLINE unsigned word_of(unsigned k, unsigned words)
{
	return words == 1 ? 0 : k >> 6;
}

static uint64_t bit_of(unsigned index)
{
	return UINT64_C(1) << (index & 63);
}

/* The VCs of an input become open, or not open when they were. */
INLINE void flip_open(struct router *r, unsigned input, unsigned words)
{
	uint64_t ones = (UINT64_C(1) << r->vcs) - 1;
	unsigned first = input * r->vcs, shift = first & 63;

	r->sets[word_of(first, words)].open ^= ones << shift;
	if (words > 1 && shift + r->vcs > 64)
		r->sets[(first >> 6) + 1].open ^= ones >> (64 - shift);
}

/* The credits of this cycle become room; whoever waits for that much may send. */
static void add_credits(struct router *r, uint64_t now)
{
	struct router_slot *slot = router_slot(r, now);
	uint64_t *credits = slot_credits(r, slot);
	const uint8_t *flits = slot_credit_flits(r, slot);
	unsigned o;

	for (unsigned w = 0; w < r->out_words; w++) {
		BITS_FOR_EACH(o, credits[w], w * 64) {
			struct router_output *out = router_output(r, o / r->vcs);
			unsigned vc = o % r->vcs, owner = out->owner[vc];

			out->credits[vc] += flits[o];
			r->credits_coming--;
			if (owner != ROUTER_NO_OWNER && out->credits[vc] >= r->vcs_in[owner].room)
				r->sets[owner >> 6].credited |= bit_of(owner);
		}
		credits[w] = 0;
	}
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

/* The packets that are through route computation in this cycle wait for a VC of their output. */
INLINE void route_arrivals(struct router *r, uint64_t now, const struct router_route *route, unsigned words)
{
	uint64_t *arrivals = slot_arrivals(router_slot(r, now));
	unsigned k;

	for (unsigned w = 0; w < words; w++) {
		BITS_FOR_EACH(k, arrivals[w], w * 64) {
			struct router_vc *v = &r->vcs_in[k];

			v->room = v->flits < r->depth ? v->flits : r->depth;
			v->out_port = (uint8_t)route->output(route->context, r, v->packet);
			output_waiting(router_output(r, v->out_port))[w] |= bit_of(k);
			r->waiting_outputs |= UINT64_C(1) << v->out_port;
		}
		arrivals[w] = 0;
	}
}

/* Who got a VC in the cycle before may use the switch. */
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
	if (out->sink)
		out->reserved++;
	if (out->sink || out->credits[vc] >= v->room)
		sets->credited |= bit_of(k);
	*(r->vc_cycles ? &sets->ready_next : &sets->ready) |= bit_of(k);
}

/* First member of a set at or after `start`, else the first one; the set must not be empty. */
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
 * The free VCs of output j go to the input VCs that wait for one, from the pointer on. They are alike, so unlike in the
 * switch there is nothing for the inputs to choose from.
 */
INLINE void allocate_vcs(struct router *r, unsigned j, uint64_t now, unsigned words)
{
	struct router_output *out = router_output(r, j);
	uint32_t room = out->sink ? port_room(&out->sink->arrived, now) - out->reserved : UINT32_MAX;

	for (; room && out->free_vcs && r->waiting_outputs >> j & 1; room--) {
		unsigned k = first_member(output_waiting(out), words, out->vc_grant);
		unsigned vc = bits_first_from(out->free_vcs, out->next_vc);

		out->vc_grant = (uint16_t)(k + 1 == r->vcs_count ? 0 : k + 1);
		out->next_vc = (uint8_t)(vc + 1);
		give_vc(r, out, j, k, vc, words);
	}
}

/* Gives the room of a packet that is leaving back to whoever sends to this input. */
INLINE void return_credits(const struct router_input *in, unsigned vc, unsigned flits, uint64_t now)
{
	if (in->source)
		source_credit(in->source, vc, flits, now);
	else
		router_credit(in->router, in->port, vc, flits, now + 1 + in->link_cycles);
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

/* Input and output are taken until the tail has passed. */
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

/* The packet in front of VC k crosses the switch to output j, its head now. */
INLINE void traverse(struct router *r, unsigned k, unsigned j, uint64_t now, unsigned words)
{
	struct router_vc *v = &r->vcs_in[k];
	struct router_output *out = router_output(r, j);

	r->packets--;
	r->switched += v->flits;
	return_credits(&r->in[v->in_port], v->in_vc, v->room, now);
	if (v->flits > 1)
		hold_ports(r, v, j, now, words);
	if (out->sink) {
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

/* The input VC that output j grants: of its active ones that can send, the first from its pointer on; -1 = none. */
INLINE int grant_of(struct router_output *out, const uint64_t *able, unsigned words)
{
	const uint64_t *active = output_active(out, words);
	uint64_t set[ROUTER_MAX_WORDS], any = 0;

	for (unsigned w = 0; w < words; w++)
		any |= set[w] = active[w] & able[w];
	return any ? (int)first_member(set, words, out->switch_grant) : -1;
}

/* Every output grants one input VC; every input accepts one output. Pointers move for accepted grants only. */
INLINE void allocate_switch(struct router *r, uint64_t now, unsigned words)
{
	uint64_t granted[ROUTER_MAX_PORTS], able[ROUTER_MAX_WORDS], inputs = 0;
	uint16_t winner[ROUTER_MAX_PORTS];
	unsigned i, j;

	for (unsigned w = 0; w < words; w++)
		able[w] = r->sets[w].ready & r->sets[w].credited & r->sets[w].open;
	if (!bits_any(able, words))
		return;
	BITS_FOR_EACH(j, r->active_outputs & ~r->sending_outputs, 0) {
		int k = grant_of(router_output(r, j), able, words);
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
		unsigned next;

		j = bits_first_from(granted[i], r->in[i].accept);
		next = winner[j] + 1u;
		router_output(r, j)->switch_grant = (uint16_t)(next == r->vcs_count ? 0 : next);
		r->in[i].accept = (uint8_t)(j + 1 == r->outputs ? 0 : j + 1);
		traverse(r, winner[j], j, now, words);
	}
}

INLINE void tick(struct router *r, uint64_t now, const struct router_route *route, unsigned words)
{
	unsigned j;

	if (r->sending_inputs)
		free_ports(r, now, words);
	if (!r->packets)
		return;
	route_arrivals(r, now, route, words);
	end_vc_stage(r, words);
	BITS_FOR_EACH(j, r->waiting_outputs & r->offering_outputs, 0)
		allocate_vcs(r, j, now, words);
	if (r->active_outputs)
		allocate_switch(r, now, words);
}

void router_tick(struct router *r, uint64_t now, const struct router_route *route)
{
	if (r->credits_coming)
		add_credits(r, now);
	if (r->words == 1)
		tick(r, now, route, 1);
	else
		tick(r, now, route, r->words);
}
