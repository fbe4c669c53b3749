/* One cycle of a slice: a fill, a reply, a look-up, and a request from the network into the pipeline. */
#include "sim-backend/llc/slice.h"

#include "sim-backend/values.h"
#include "sim-backend/units.h"

#include <string.h>

void llc_slice_init(struct llc_slice *s, struct llc_common *common, unsigned mc, unsigned slice,
		    struct dram_port *to_dram)
{
	const struct llc_config *config = &common->config->llc;

	memset(s, 0, sizeof *s);
	s->common = common;
	s->mc = mc;
	s->slice = slice;
	s->number = mc * common->geometry.slices + slice;
	s->to_dram = to_dram;
	llc_tags_init(&s->tags, &common->geometry);
	fifo_init(&s->pipeline, config->latency + 1);
	port_init(&s->fills, config->fill_queue, wakeup_of(&common->wakeups, s->number));
	s->mshrs = xcalloc(config->mshr_entries, sizeof *s->mshrs);
	for (uint32_t i = 0; i < config->mshr_entries; i++)
		s->mshrs[i].first = i + 1 < config->mshr_entries ? i + 1 : NO_TRANSACTION;
	s->replies_first = s->replies_last = NO_TRANSACTION;
}

void llc_slice_release(struct llc_slice *s)
{
	llc_tags_release(&s->tags);
	fifo_release(&s->pipeline);
	port_release(&s->fills);
	free(s->mshrs);
}

static struct transaction *transaction_of(const struct llc_slice *s, uint32_t packet)
{
	return &s->common->pool->items[packet];
}

static uint32_t beats_of(const struct llc_slice *s, const struct mem_request *r)
{
	const struct llc_config *config = &s->common->config->llc;

	return units_of(r->bytes, config->port_bytes) * (r->kind == MEM_ATOMIC ? config->atomic_cycles : 1);
}

static void hold_data_port(struct llc_slice *s, uint32_t beats, uint64_t now)
{
	s->data_port_free = (s->data_port_free > now ? s->data_port_free : now) + beats;
	s->stats.data_beats += beats;
}

/* --- Memory side --- */

static void send_to_dram(struct llc_slice *s, uint64_t line, uint32_t bytes, struct dram_request r, uint64_t now)
{
	struct map_place place = address_map_place(s->common->map, line);

	r.line = line;
	r.row = place.row;
	r.channel = place.channel;
	r.slice = (uint8_t)s->slice;
	r.bank = place.bank;
	r.bursts = (uint8_t)units_of(bytes, s->common->config->dram.burst_bytes);
	port_push(s->to_dram, now + 1, r);
}

static void send_fetch(struct llc_slice *s, uint64_t line, uint16_t mshr, uint64_t now)
{
	send_to_dram(s, line, s->common->config->llc.line_bytes, (struct dram_request){.mshr = mshr}, now);
}

static void send_write(struct llc_slice *s, uint64_t line, uint32_t bytes, uint8_t sectors, uint64_t now)
{
	struct dram_request r = {.mshr = LLC_NOT_PENDING, .write = true};

	if (s->common->values)
		r.values = values_sent(s->common->values, s->number, line, sectors);
	send_to_dram(s, line, bytes, r, now);
}

static void write_back(struct llc_slice *s, int index, uint64_t now)
{
	struct llc_line *line = &s->tags.lines[index];
	unsigned sectors = (unsigned)__builtin_popcount(line->dirty);

	send_write(s, s->tags.addresses[index], sectors * MEM_SECTOR_BYTES, line->dirty, now);
	s->stats.write_backs++;
	line->dirty = 0;
}

/*
 * Makes room for the request's line, whose new index it returns. -1: no way is free, or to_dram has no room for a
 * write-back and `more` requests besides.
 */
static int allocate(struct llc_slice *s, const struct transaction *x, uint32_t more, uint64_t now)
{
	int index = llc_tags_victim(&s->tags, x->request.line);
	uint8_t flags = 0;

	if (index < 0)
		return -1;
	if (port_room(s->to_dram, now) < more + (s->tags.lines[index].dirty != 0))
		return -1;
	if (s->tags.lines[index].dirty)
		write_back(s, index, now);
	if (x->request.flags & MEM_READ_ONLY)
		flags |= LLC_LINE_READ_ONLY;
	if (x->place.slice != s->slice) {
		flags |= LLC_LINE_REPLICA;
		s->has_copies = true;
	}
	llc_tags_place(&s->tags, index, x->request.line, flags);
	return index;
}

/* --- Replies --- */

static void send_reply(struct llc_slice *s, uint32_t packet, uint64_t now)
{
	const struct noc_config *noc = &s->common->config->noc;
	struct transaction *x = transaction_of(s, packet);
	bool data = x->request.kind != MEM_WRITE;

	x->flits = (uint8_t)(data ? units_of(x->request.bytes, noc->channel_bytes) + noc->reply_header : 1);
	s->stats.replies++;
	s->stats.data_replies += data;
	network_send(s->common->replies, s->number, now, packet, x->cluster);
}

static bool wants_reply(const struct transaction *x)
{
	return x->request.kind == MEM_READ || !(x->request.flags & MEM_NO_REPLY);
}

static bool reply_room(const struct llc_slice *s, uint64_t now)
{
	return network_can_send(s->common->replies, s->number, now);
}

/* Requires reply_room when it wants one. */
static void finish(struct llc_slice *s, uint32_t packet, uint64_t now)
{
	if (wants_reply(transaction_of(s, packet)))
		send_reply(s, packet, now);
	else
		transaction_free(s->common->pool, packet);
}

/* --- Look-up --- */

/* A read or an atomic gets its sectors. Where policies copy written data too, any slice may hold a copy. */
static void follow_served(struct llc_slice *s, const struct transaction *x)
{
	bool copy = s->common->write_through || x->place.slice != s->slice;

	if (s->common->values)
		values_served(s->common->values, s->number, x->request.line, x->request.sectors, copy);
}

enum outcome { STALL, HIT, MERGE, MISS };

static uint8_t fully_written(const struct mem_request *r)
{
	unsigned sectors = (unsigned)__builtin_popcount(r->sectors);

	return r->bytes >= sectors * MEM_SECTOR_BYTES ? r->sectors : 0;
}

/* Puts a write's or an atomic's data into the line. */
static void store(struct llc_slice *s, int index, const struct mem_request *r, bool through)
{
	struct llc_line *line = &s->tags.lines[index];

	if (r->kind == MEM_WRITE)
		line->valid |= fully_written(r);
	if (!through) {
		line->dirty |= r->sectors;
		s->has_dirty = true;
	}
	if (s->common->values)
		values_written(s->common->values, s->number, r->line, r->sectors);
	llc_tags_touch(&s->tags, index);
}

static void wait_for_fill(struct llc_slice *s, struct llc_mshr *mshr, uint32_t packet)
{
	transaction_of(s, packet)->next = NO_TRANSACTION;
	if (mshr->count++)
		transaction_of(s, mshr->last)->next = packet;
	else
		mshr->first = packet;
	mshr->last = packet;
}

/* Asks memory for the line at `index`, or for a new place when index is -1. */
static enum outcome fetch(struct llc_slice *s, uint32_t packet, int index, uint64_t now)
{
	const struct transaction *x = transaction_of(s, packet);
	uint32_t entry = s->free_mshr;
	struct llc_mshr *mshr = &s->mshrs[entry];

	if (entry == NO_TRANSACTION || !port_room(s->to_dram, now))
		return STALL;
	if (index < 0)
		index = allocate(s, x, 1, now);
	if (index < 0)
		return STALL;
	s->free_mshr = mshr->first;
	*mshr = (struct llc_mshr){.line = index};
	s->tags.lines[index].mshr = (uint16_t)entry;
	wait_for_fill(s, mshr, packet);
	send_fetch(s, x->request.line, (uint16_t)entry, now);
	s->reads_out++;
	s->stats.fills++;
	s->stats.replica_fills += x->place.slice != s->slice;
	return MISS;
}

static enum outcome merge(struct llc_slice *s, uint32_t packet, int index)
{
	struct llc_mshr *mshr = &s->mshrs[s->tags.lines[index].mshr];

	if (mshr->count == s->common->config->llc.mshr_merges)
		return STALL;
	wait_for_fill(s, mshr, packet);
	return MERGE;
}

/* Reads and atomics need all their sectors. */
static enum outcome look_up_read(struct llc_slice *s, uint32_t packet, uint64_t now)
{
	const struct transaction *x = transaction_of(s, packet);
	int index = llc_tags_find(&s->tags, x->request.line);

	if (index < 0)
		return fetch(s, packet, -1, now);
	if (!(x->request.sectors & ~s->tags.lines[index].valid)) {
		if (wants_reply(x) && !reply_room(s, now)) {
			s->reply_blocked = true;
			return STALL;
		}
		follow_served(s, x);
		if (x->request.kind == MEM_ATOMIC)
			store(s, index, &x->request, false);
		else
			llc_tags_touch(&s->tags, index);
		hold_data_port(s, beats_of(s, &x->request), now);
		finish(s, packet, now);
		return HIT;
	}
	if (s->tags.lines[index].mshr != LLC_NOT_PENDING)
		return merge(s, packet, index);
	return fetch(s, packet, index, now);
}

static enum outcome look_up_write(struct llc_slice *s, uint32_t packet, uint64_t now)
{
	const struct transaction *x = transaction_of(s, packet);
	const struct mem_request *r = &x->request;
	bool through = s->common->write_through;
	int index = llc_tags_find(&s->tags, r->line);
	uint8_t there = index < 0 ? 0 : s->tags.lines[index].valid;
	enum outcome outcome = index < 0 ? MISS : HIT;

	if (s->common->config->llc.partial_write == LLC_PARTIAL_FILL && r->sectors & ~(there | fully_written(r))) {
		if (index >= 0 && s->tags.lines[index].mshr != LLC_NOT_PENDING)
			return merge(s, packet, index);
		return fetch(s, packet, index, now);
	}
	if ((wants_reply(x) && !reply_room(s, now)) || port_room(s->to_dram, now) < through)
		return STALL;
	if (index < 0)
		index = allocate(s, x, through, now);
	if (index < 0)
		return STALL;
	store(s, index, r, through);
	if (through) {
		send_write(s, r->line, r->bytes, r->sectors, now);
		s->stats.write_throughs++;
	}
	hold_data_port(s, beats_of(s, r), now);
	finish(s, packet, now);
	return outcome;
}

static void count_look_up(struct llc_slice *s, const struct mem_request *r, unsigned cluster, enum outcome outcome)
{
	struct llc_common *c = s->common;

	s->stats.accesses++;
	s->stats.hits += outcome == HIT;
	s->stats.merges += outcome == MERGE;
	s->stats.misses += outcome == MISS;
	s->stats.reads += r->kind == MEM_READ;
	s->stats.writes += r->kind == MEM_WRITE;
	s->stats.atomics += r->kind == MEM_ATOMIC;
	s->stats.read_only += r->flags & MEM_READ_ONLY ? 1 : 0;
	c->structure_accesses[r->structure]++;
	c->structure_hits[r->structure] += outcome == HIT;
	c->structure_merges[r->structure] += outcome == MERGE;
	if (c->policy->looked_up)
		c->policy->looked_up(c->policy_state, s->mc, s->slice, cluster, r, outcome != MISS);
}

static void look_up(struct llc_slice *s, uint64_t now)
{
	const struct llc_looked_up *front = fifo_peek(&s->pipeline, now);
	struct mem_request request;
	unsigned cluster;
	enum outcome outcome;

	if (!front || s->data_port_free > now)
		return;
	if (s->reply_blocked && !reply_room(s, now)) {
		s->stats.stall_cycles++;
		return;
	}
	s->reply_blocked = false;
	request = transaction_of(s, front->packet)->request;
	cluster = transaction_of(s, front->packet)->cluster;
	outcome =
	    request.kind == MEM_WRITE ? look_up_write(s, front->packet, now) : look_up_read(s, front->packet, now);
	if (outcome == STALL) {
		s->stats.stall_cycles++;
		return;
	}
	count_look_up(s, &request, cluster, outcome);
	s->beats_inside -= front->beats;
	fifo_pop(&s->pipeline, now);
}

/* --- Fills --- */

static void reply_later(struct llc_slice *s, uint32_t packet)
{
	transaction_of(s, packet)->next = NO_TRANSACTION;
	if (s->replies_first == NO_TRANSACTION)
		s->replies_first = packet;
	else
		transaction_of(s, s->replies_last)->next = packet;
	s->replies_last = packet;
}

/* The line is here: everything that waited for it is done in order of arrival. */
static void serve_waiting(struct llc_slice *s, struct llc_mshr *mshr, uint64_t now)
{
	for (uint32_t packet = mshr->first, next; packet != NO_TRANSACTION; packet = next) {
		const struct transaction *x = transaction_of(s, packet);

		next = x->next;
		if (x->request.kind != MEM_WRITE)
			follow_served(s, x);
		if (x->request.kind != MEM_READ) {
			store(s, mshr->line, &x->request, false);
			hold_data_port(s, beats_of(s, &x->request), now);
		}
		if (wants_reply(x))
			reply_later(s, packet);
		else
			transaction_free(s->common->pool, packet);
	}
}

static void take_fill(struct llc_slice *s, uint64_t now)
{
	const struct dram_request *fill = port_peek(&s->fills, now);
	struct llc_mshr *mshr;
	struct llc_line *line;
	uint32_t entry;

	if (!fill || s->data_port_free > now)
		return;
	entry = fill->mshr;
	mshr = &s->mshrs[entry];
	line = &s->tags.lines[mshr->line];
	if (s->common->values)
		values_filled(s->common->values, s->number, fill->line, fill->values, line->dirty);
	line->valid = s->common->all_sectors;
	line->mshr = LLC_NOT_PENDING;
	hold_data_port(s, units_of(s->common->config->llc.line_bytes, s->common->config->llc.port_bytes), now);
	serve_waiting(s, mshr, now);
	mshr->first = s->free_mshr;
	s->free_mshr = entry;
	s->reads_out--;
	port_pop(&s->fills, now);
}

static void send_waiting_reply(struct llc_slice *s, uint64_t now)
{
	uint32_t packet = s->replies_first;

	if (packet == NO_TRANSACTION || !reply_room(s, now))
		return;
	s->replies_first = transaction_of(s, packet)->next;
	send_reply(s, packet, now);
}

/* --- Entry --- */

static void take_request(struct llc_slice *s, uint64_t now)
{
	const uint32_t *front = network_front(s->common->requests, s->number, now);
	uint32_t latency = s->common->config->llc.latency, beats;

	if (!front || !fifo_room(&s->pipeline, now))
		return;
	beats = beats_of(s, &transaction_of(s, *front)->request);
	if (s->beats_inside && s->beats_inside + beats > latency)
		return;
	s->beats_inside += beats;
	fifo_push(&s->pipeline, now + latency,
		  (struct llc_looked_up){network_take(s->common->requests, s->number, now), beats});
}

/* --- Work on the contents --- */

static bool is_dropped(const struct llc_line *line, enum llc_work work)
{
	switch (work) {
	case LLC_CLEAN: return false;
	case LLC_DROP_REPLICAS: return line->flags & LLC_LINE_REPLICA;
	case LLC_DROP_READ_ONLY: return line->flags & LLC_LINE_READ_ONLY;
	default: return true;
	}
}

bool llc_slice_has_work(const struct llc_slice *s, enum llc_work work)
{
	switch (work) {
	case LLC_WORK_NONE: return false;
	case LLC_CLEAN: return s->has_dirty;
	case LLC_DROP_REPLICAS: return s->has_copies;
	default: return true;
	}
}

void llc_slice_start_work(struct llc_slice *s, enum llc_work work, uint64_t now)
{
	if (!llc_slice_has_work(s, work))
		return;
	if (work == LLC_CLEAN || work == LLC_DROP_ALL)
		s->has_dirty = false;
	if (work != LLC_CLEAN)
		s->has_copies = false;
	s->work = work;
	s->work_at = 0;
	wake(&s->fills.receiver, now);
}

/* One set a cycle; stops at a dirty line that the queue to memory has no room for. */
static void work_on_set(struct llc_slice *s, uint64_t now)
{
	const struct llc_geometry *g = &s->common->geometry;
	int end = (s->work_at / (int)g->ways + 1) * (int)g->ways;

	for (; s->work_at < end; s->work_at++) {
		struct llc_line *line = &s->tags.lines[s->work_at];
		bool dropped = is_dropped(line, s->work), dirty = line->dirty && (dropped || s->work == LLC_CLEAN);

		if (s->tags.addresses[s->work_at] == LLC_NO_LINE)
			continue;
		if (dirty && !port_room(s->to_dram, now))
			return;
		if (dirty)
			write_back(s, s->work_at, now);
		if (dropped)
			llc_tags_invalidate(&s->tags, s->work_at);
		s->stats.flushed_lines += dirty || dropped;
	}
	if (s->work_at == (int)(g->sets * g->ways))
		s->work = LLC_WORK_NONE;
}

void llc_slice_tick(struct llc_slice *s, uint64_t now)
{
	if (s->work != LLC_WORK_NONE)
		work_on_set(s, now);
	take_fill(s, now);
	send_waiting_reply(s, now);
	look_up(s, now);
	take_request(s, now);
}

uint64_t llc_slice_next(const struct llc_slice *s, uint64_t now)
{
	uint64_t request = fifo_next(&s->pipeline), fill = port_next(&s->fills), next = request < fill ? request : fill;

	if (s->replies_first != NO_TRANSACTION || s->work != LLC_WORK_NONE)
		return now + 1;
	next = next < s->data_port_free ? s->data_port_free : next;
	return next > now ? next : now + 1;
}
