/*
 * The code between chips and links: each link takes waiting packets in turn, and puts arrived packets into its chip's
 * networks.
 */
#include "sim-backend/memory/memsys_internal.h"

/* Packets that may wait for a link: of each kind, packets of its own chip and packets that go on. */
enum { LINK_WAITING = 2 * LINK_CLASSES };

static struct link *link_at(struct memsys *ms, unsigned chip, unsigned gate)
{
	return &ms->links[chip * ms->shared.layout.gates + gate];
}

/* The link on whose far end packets wait that go on over `l`: it comes from the other neighbour, in the same lane. */
static struct link *link_behind(struct memsys *ms, const struct link *l)
{
	const struct link_layout *layout = &ms->shared.layout;
	unsigned direction = l->gate / layout->lanes;

	return link_at(ms, link_neighbour(layout, l->from, layout->neighbours - 1 - direction), l->gate);
}

static struct network *network_of(struct chip *c, enum link_class kind, unsigned gate, unsigned *sink)
{
	*sink = kind == LINK_REQUEST ? chip_request_gate(c, gate) : chip_reply_gate(c, gate);
	return kind == LINK_REQUEST ? &c->requests : &c->replies;
}

static unsigned gate_of_line(const struct chip *c, unsigned to, uint64_t line)
{
	return link_gate(&c->shared->layout, c->number, to, line >> c->common.geometry.line_shift);
}

/* Bytes on a link: a header, and what a write or a reply carries. */
static uint32_t bytes_of(const struct memsys *ms, const struct link_packet *p, enum link_class kind)
{
	const struct memsys_config *config = &ms->shared.config;
	uint32_t data = 0;

	if (kind == LINK_REQUEST || kind == LINK_REPLY) {
		const struct mem_request *r = &ms->shared.pool.items[p->packet].request;

		if (kind == LINK_REQUEST ? r->kind != MEM_READ : r->kind != MEM_WRITE)
			data = r->bytes;
	} else if (kind == LINK_FILL || p->memory.write) {
		data = p->memory.bursts * config->dram.burst_bytes;
	}
	return config->chips.header_bytes + data;
}

/* --- Departure --- */

/* Starts the packet if the link can take it. */
static bool start(struct memsys *ms, struct link *l, const struct link_packet *p, enum link_class kind, uint64_t now)
{
	if (!link_can_send(l, p, kind, now))
		return false;
	link_send(l, p, kind, bytes_of(ms, p, kind), now);
	return true;
}

/* A request or a reply of this chip. */
static bool send_from_network(struct memsys *ms, struct link *l, enum link_class kind, uint64_t now)
{
	unsigned sink;
	struct network *n = network_of(&ms->chips[l->from], kind, l->gate, &sink);
	uint64_t clock = domain_clock(&ms->shared.noc, now);
	const uint32_t *front = network_front(n, sink, clock);
	const struct transaction *x;
	struct link_packet p;

	if (!front)
		return false;
	x = &ms->shared.pool.items[*front];
	p = (struct link_packet){.packet = *front, .to = kind == LINK_REQUEST ? x->to : x->from};
	if (!start(ms, l, &p, kind, now))
		return false;
	network_take(n, sink, clock);
	return true;
}

static void pop_far(struct dram_port *port, uint64_t now)
{
	port_pop(port, now);
	if (!port->count)
		put_to_sleep(&port->receiver);
}

/* Sends a request of a slice of this chip to another chip's memory. Slices take turns; a slice sends at most one in a
 * cycle, over all links.
 */
static bool send_fetch(struct memsys *ms, struct link *l, uint64_t now)
{
	struct chip *c = &ms->chips[l->from];

	if (!wakeups_any(&c->far_asking))
		return false;
	for (unsigned i = 0; i < c->nslices; i++) {
		unsigned slice = (l->next_slice + i) % c->nslices;
		const struct dram_request *r = port_peek(&c->far_out[slice], now);
		struct link_packet p;

		if (!r || c->far_out_at[slice] == now)
			continue;
		p = (struct link_packet){.memory = *r, .to = (uint8_t)page_table_chip(&ms->shared.pages, r->line)};
		if (gate_of_line(c, p.to, r->line) != l->gate || !start(ms, l, &p, LINK_FETCH, now))
			continue;
		pop_far(&c->far_out[slice], now);
		c->far_out_at[slice] = now;
		l->next_slice = (uint16_t)(slice + 1);
		return true;
	}
	return false;
}

/* Data that slices of this chip had for a slice of another; each gives at most one a cycle over all links. */
static bool send_answer(struct memsys *ms, struct link *l, uint64_t now)
{
	struct chip *c = &ms->chips[l->from];

	if (!c->home_out || !wakeups_any(&c->home_answering))
		return false;
	for (unsigned i = 0; i < c->nslices; i++) {
		unsigned slice = (l->next_answer + i) % c->nslices;
		const struct dram_request *r = port_peek(&c->home_out[slice], now);
		struct link_packet p;

		if (!r || c->home_out_at[slice] == now || gate_of_line(c, r->chip, r->line) != l->gate)
			continue;
		p = (struct link_packet){.memory = *r, .to = r->chip};
		if (!start(ms, l, &p, LINK_FILL, now))
			continue;
		pop_far(&c->home_out[slice], now);
		c->home_out_at[slice] = now;
		l->next_answer = (uint16_t)(slice + 1);
		l->answered = true;
		return true;
	}
	return false;
}

/* Data of this chip's memory for a slice of another; the controllers take turns. */
static bool send_memory_data(struct memsys *ms, struct link *l, uint64_t now)
{
	struct chip *c = &ms->chips[l->from];
	unsigned mcs = ms->shared.config.noc.mc_routers;

	if (!wakeups_any(&c->far_answering))
		return false;
	for (unsigned i = 0; i < mcs; i++) {
		unsigned mc = (l->next_mc + i) % mcs;
		struct dram_port *from = &c->far_data[mc * ms->shared.layout.gates + l->gate];
		const struct dram_request *r = port_peek(from, now);
		struct link_packet p;

		if (!r)
			continue;
		p = (struct link_packet){.memory = *r, .to = r->chip};
		if (!start(ms, l, &p, LINK_FILL, now))
			continue;
		pop_far(from, now);
		l->next_mc = (uint16_t)(mc + 1);
		return true;
	}
	return false;
}

/* Sends a note of a directory of this chip to a slice of another chip; the directories take turns. */
static bool send_note(struct memsys *ms, struct link *l, uint64_t now)
{
	struct chip *c = &ms->chips[l->from];
	unsigned mcs = ms->shared.config.noc.mc_routers;

	for (unsigned i = 0; c->directories && i < mcs; i++) {
		struct directory *d = &c->directories[(l->next_directory + i) % mcs];
		const struct dram_request *r = d->out_count ? note_queue_peek(directory_out(d, l->gate), now) : NULL;
		struct link_packet p;

		if (!r)
			continue;
		p = (struct link_packet){.memory = *r, .to = r->chip};
		if (!start(ms, l, &p, LINK_NOTE, now))
			continue;
		directory_taken(d, l->gate);
		l->next_directory = (uint16_t)((l->next_directory + i + 1) % mcs);
		return true;
	}
	return false;
}

/* Data from slices and data from memory take turns. */
static bool send_fill(struct memsys *ms, struct link *l, uint64_t now)
{
	bool memory_first = l->answered;

	l->answered = false;
	return memory_first ? send_memory_data(ms, l, now) || send_answer(ms, l, now)
			    : send_answer(ms, l, now) || send_memory_data(ms, l, now);
}

static bool send_own(struct memsys *ms, struct link *l, enum link_class kind, uint64_t now)
{
	switch (kind) {
	case LINK_FETCH: return send_fetch(ms, l, now);
	case LINK_FILL: return send_fill(ms, l, now);
	case LINK_NOTE: return send_note(ms, l, now);
	default: return send_from_network(ms, l, kind, now);
	}
}

/* Takes the oldest packet from a buffer at the far end of `l`. */
static void take(struct memsys *ms, struct link *l, struct link_buffer *b, enum link_class kind, uint64_t now)
{
	l->taken++;
	l->taken_bytes += bytes_of(ms, fifo_peek(&b->packets, now), kind);
	fifo_pop(&b->packets, now);
}

/* A packet that goes on. */
static bool send_on(struct memsys *ms, struct link *l, enum link_class kind, uint64_t now)
{
	struct link *behind = link_behind(ms, l);
	const struct link_packet *front = fifo_peek(&behind->through[kind].packets, now);

	if (!front || !start(ms, l, front, kind, now))
		return false;
	take(ms, behind, &behind->through[kind], kind, now);
	return true;
}

/* At most one packet a cycle; more only if the link could take several within it. */
static void tick_departure(struct memsys *ms, struct link *l, uint64_t now)
{
	for (unsigned tried = 0; tried < LINK_WAITING && l->free < (now + 1) * l->bytes_up;) {
		enum link_class kind = l->next % LINK_CLASSES;
		bool sent = l->next < LINK_CLASSES ? send_own(ms, l, kind, now) : send_on(ms, l, kind, now);

		l->next = (uint8_t)((l->next + 1) % LINK_WAITING);
		tried = sent ? 0 : tried + 1;
	}
}

/* --- Arrival --- */

/* A request goes to its controller's slices, a reply to its SM's cluster. */
static void land_in_network(struct memsys *ms, struct link *l, enum link_class kind, uint64_t now)
{
	struct chip *c = &ms->chips[l->to];
	bool request = kind == LINK_REQUEST;
	struct network *n = request ? &c->incoming : &c->returning;
	unsigned source = request ? chip_incoming_source(c, l->gate) : chip_returning_source(c, l->gate);
	uint64_t clock = domain_clock(&ms->shared.noc, now);
	const struct link_packet *front = fifo_peek(&l->final[kind].packets, now);

	const struct transaction *x;

	if (!front || !network_can_send(n, source, clock))
		return;
	x = &ms->shared.pool.items[front->packet];
	network_send(n, source, clock, front->packet, request ? x->place.mc : x->cluster);
	take(ms, l, &l->final[kind], kind, now);
}

/* Whether it goes to a slice of the chip first. */
static bool asks_slice(const struct chip *c, const struct dram_request *r)
{
	return c->common.asks_home && !r->write;
}

/* Into the link's port of the line's controller; the data will leave by the gate towards the slice that asked. */
static void land_fetch(struct memsys *ms, struct link *l, uint64_t now)
{
	struct chip *c = &ms->chips[l->to];
	const struct link_packet *front = fifo_peek(&l->final[LINK_FETCH].packets, now);
	unsigned per_mc = ms->shared.config.llc.slices_per_mc;
	struct dram_request r;
	struct dram_port *to;

	if (!front || asks_slice(c, &front->memory))
		return;
	r = front->memory;
	to = &chip_memory_ports(c, address_map_place(&ms->shared.map, r.line).mc)[per_mc + l->gate];
	if (!port_room(to, now))
		return;
	r.slice = (uint8_t)(per_mc + gate_of_line(c, r.chip, r.line));
	if (ms->shared.policy->chips && ms->shared.policy->chips->memory_asked && r.bursts)
		ms->shared.policy->chips->memory_asked(c->common.policy_state, LLC_FOR_ANOTHER,
						       r.bursts * ms->shared.config.dram.burst_bytes);
	port_push(to, now + 1, r);
	take(ms, l, &l->final[LINK_FETCH], LINK_FETCH, now);
}

static void land_fill(struct memsys *ms, struct link *l, uint64_t now)
{
	struct chip *c = &ms->chips[l->to];
	const struct link_packet *front = fifo_peek(&l->final[LINK_FILL].packets, now);
	unsigned slice;

	if (!front)
		return;
	slice = address_map_place(&ms->shared.map, front->memory.line).mc * ms->shared.config.llc.slices_per_mc +
		front->memory.far_slice;
	if (c->far_fill_at[slice] == now || !port_room(&c->slices[slice].far_fills, now))
		return;
	port_push(&c->slices[slice].far_fills, now + 1, front->memory);
	c->far_fill_at[slice] = now;
	take(ms, l, &l->final[LINK_FILL], LINK_FILL, now);
}

/* Several links may bring data to one slice. They go in an order that turns with time, whatever the order of ticks. */
static void land_fills(struct memsys *ms, uint64_t now)
{
	for (unsigned i = 0; i < ms->nlinks; i++)
		land_fill(ms, &ms->links[(i + now) % ms->nlinks], now);
}

/* Whether the slice of the note took it; one a cycle. */
static bool give_note(struct memsys *ms, struct chip *c, const struct dram_request *note, uint64_t now)
{
	unsigned slice =
	    address_map_place(&ms->shared.map, note->line).mc * ms->shared.config.llc.slices_per_mc + note->far_slice;

	if (c->note_at[slice] == now || !port_room(&c->slices[slice].notes, now))
		return false;
	port_push(&c->slices[slice].notes, now + 1, *note);
	c->note_at[slice] = now;
	return true;
}

/* From the links, in an order that turns with time, then from the chips' own directories. */
static void land_notes(struct memsys *ms, uint64_t now)
{
	unsigned own = ms->shared.layout.gates;

	for (unsigned i = 0; i < ms->nlinks; i++) {
		struct link *l = &ms->links[(i + now) % ms->nlinks];
		const struct link_packet *front = fifo_peek(&l->final[LINK_NOTE].packets, now);

		if (front && give_note(ms, &ms->chips[l->to], &front->memory, now))
			take(ms, l, &l->final[LINK_NOTE], LINK_NOTE, now);
	}
	for (unsigned i = 0; i < ms->count; i++)
		for (unsigned mc = 0; mc < ms->shared.config.noc.mc_routers; mc++) {
			struct directory *d = &ms->chips[i].directories[mc];
			const struct dram_request *note = note_queue_peek(directory_out(d, own), now);

			if (note && give_note(ms, &ms->chips[i], note, now))
				directory_taken(d, own);
		}
}

/* A slice takes one a cycle, which it has looked up `latency` clocks later; the links go in an order that turns. */
static void land_asked(struct memsys *ms, uint64_t now)
{
	const struct domain *llc = &ms->shared.llc;
	uint64_t ready = domain_cycle(llc, domain_clock(llc, now) + ms->shared.config.llc.latency);

	for (unsigned i = 0; i < ms->nlinks; i++) {
		struct link *l = &ms->links[(i + now) % ms->nlinks];
		struct chip *c = &ms->chips[l->to];
		const struct link_packet *front = fifo_peek(&l->final[LINK_FETCH].packets, now);
		unsigned per_mc = ms->shared.config.llc.slices_per_mc, slice;
		struct dram_request r;

		if (!front || !asks_slice(c, &front->memory))
			continue;
		r = front->memory;
		slice = address_map_place(&ms->shared.map, r.line).mc * per_mc + r.far_slice;
		if (c->asked_at[slice] == now || !port_room(&c->slices[slice].asked, now))
			continue;
		r.slice = (uint8_t)(per_mc + gate_of_line(c, r.chip, r.line));
		port_push(&c->slices[slice].asked, ready > now ? ready : now + 1, r);
		c->asked_at[slice] = now;
		take(ms, l, &l->final[LINK_FETCH], LINK_FETCH, now);
	}
}

void memsys_tick_links(struct memsys *ms, uint64_t cycle, bool reverse)
{
	for (unsigned i = 0; i < ms->nlinks; i++) {
		struct link *l = &ms->links[reverse ? ms->nlinks - 1 - i : i];

		tick_departure(ms, l, cycle);
		land_in_network(ms, l, LINK_REQUEST, cycle);
		land_in_network(ms, l, LINK_REPLY, cycle);
		land_fetch(ms, l, cycle);
	}
	land_fills(ms, cycle);
	if (ms->chips[0].home_out)
		land_asked(ms, cycle);
	if (ms->chips[0].directories)
		land_notes(ms, cycle);
}
