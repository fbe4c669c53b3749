/* One cycle of a slice: a fill, a reply, a look-up, and a request from the network into the pipeline. */
#include "sim-backend/llc/slice_parts.h"

#include "sim-backend/memory/versions.h"
#include "sim-backend/base/units.h"

static uint32_t beats_of(const struct llc_slice *s, const struct mem_request *r)
{
	const struct llc_config *config = s->common->config;

	return units_of(r->bytes, config->port_bytes) * (r->kind == MEM_ATOMIC ? config->atomic_cycles : 1);
}

/* Lanes of an atomic that name the same address take turns at the data port. */
static uint32_t turns_of(const struct llc_slice *s, const struct mem_request *r)
{
	uint32_t beats = beats_of(s, r);
	uint32_t turns = r->kind == MEM_ATOMIC ? s->common->config->atomic_alike << r->alike_log2 : 0;

	return turns > beats ? turns : beats;
}

/* --- Places --- */

/* Whether the line may have another place: another slice of its chip, or a slice of another chip. */
static bool is_copy(const struct llc_slice *s, const struct transaction *x)
{
	return x->place.slice != s->slice || x->home != s->common->chip;
}

/* A way among the ways that the policy gives to lines of this chip's memory, or to lines of other chips' memory. */
static int victim_for(const struct llc_slice *s, const struct transaction *x)
{
	unsigned ways = s->common->geometry.ways, first = ways - s->common->remote_ways;

	if (!s->common->parts_ways)
		return llc_tags_victim(&s->tags, &x->request, 0, ways);
	if (x->home != s->common->chip)
		return llc_tags_victim(&s->tags, &x->request, first, ways);
	return llc_tags_victim(&s->tags, &x->request, 0, first);
}

/*
 * Makes room for the request's line, whose new index it returns. -1: no way is free, or to_dram has no room for a
 * write-back and `more` requests besides.
 */
static int allocate(struct llc_slice *s, const struct transaction *x, uint32_t more)
{
	int index = victim_for(s, x);
	uint8_t flags = 0;

	if (index < 0)
		return -1;
	if (slice_room_below(s) < more + (s->tags.lines[index].dirty != 0))
		return -1;
	if (s->tags.lines[index].dirty)
		slice_write_back(s, index, NOTE_NONE);
	if (s->tags.addresses[index] != LLC_NO_LINE)
		slice_count_line(s, &s->tags.lines[index], -1);
	if (x->request.flags & MEM_READ_ONLY)
		flags |= LLC_LINE_READ_ONLY;
	if (x->home != s->common->chip)
		flags |= LLC_LINE_FAR;
	if (is_copy(s, x)) {
		flags |= LLC_LINE_REPLICA;
		s->has_copies = true;
	}
	slice_count_line(s, llc_tags_place(&s->tags, index, &x->request, flags), 1);
	return index;
}

/* --- Replies --- */

static void put_into_box(struct llc_reply_box *box, unsigned source, uint32_t packet)
{
	box->room[source]--;
	box->replies[box->count++] = (struct llc_boxed_reply){packet, (uint16_t)source};
}

/*
 * Flits of the request's packet, over all networks on its way. A request of another chip goes through a network there,
 * too.
 */
static uint32_t flits_in_all(const struct llc_slice *s, const struct transaction *x)
{
	return x->from == s->common->chip ? x->flits : 2u * x->flits;
}

/*
 * A look-up that fetches from memory counts as a response of memory. A look-up that merges with this fetch counts as a
 * response of the LLC.
 */
static void count_response(struct llc_slice *s, const struct transaction *x)
{
	struct response_stats *r = &s->common->responses[x->from];

	if (x->source == REPLY_FROM_FAR_LLC)
		r->remote_llc++;
	else if (x->source == REPLY_FROM_MEMORY)
		++*(x->home == x->from ? &r->local_memory : &r->remote_memory);
	else
		++*(s->common->chip == x->from ? &r->local_llc : &r->remote_llc);
}

static void send_reply(struct llc_slice *s, uint32_t packet)
{
	struct transaction *x = transaction_of(s, packet);
	bool data = x->request.kind != MEM_WRITE;

	x->flits = (uint8_t)(data ? units_of(x->request.bytes, s->common->channel_bytes) + s->common->reply_header : 1);
	s->stages.memory_cycles += (uint32_t)s->common->cycle - x->stamp;
	x->stamp = (uint32_t)s->common->cycle;
	slice_log(s, REQUEST_REPLY, packet);
	s->stats.replies++;
	s->stats.data_replies += data;
	if (s->common->responses)
		count_response(s, x);
	s->common->structures[x->request.structure].reply_flits += flits_in_all(s, x);
	if (s->common->box)
		put_into_box(s->common->box, s->source, packet);
	else
		network_send(s->common->replies, s->source, s->common->noc_clock, packet,
			     x->from == s->common->chip ? x->cluster : NETWORK_GROUP_LATER);
}

static bool wants_reply(const struct transaction *x)
{
	return x->request.kind == MEM_READ || !(x->request.flags & MEM_NO_REPLY);
}

static bool reply_room(const struct llc_slice *s)
{
	if (s->port_out_free > s->common->noc_clock)
		return false;
	if (s->common->box)
		return s->common->box->room[s->source] > 0;
	return network_can_send(s->common->replies, s->source, s->common->noc_clock);
}

/* Requires reply_room when it wants one. */
static void finish(struct llc_slice *s, uint32_t packet)
{
	if (wants_reply(transaction_of(s, packet)))
		send_reply(s, packet);
	else
		slice_end(s, packet);
}

/* --- Look-up --- */

/* A read or an atomic gets its sectors. Where policies copy written data too, any slice may hold a copy. */
static void follow_served(struct llc_slice *s, const struct transaction *x)
{
	bool copy = s->common->write_through || x->bypass || is_copy(s, x);

	if (s->common->versions)
		versions_served(s->common->versions, s->number, x->request.line, x->request.sectors, copy);
}

/* An L1 gets the line at `index`, and learns with it whether it had the line before. */
static void note_served(struct llc_slice *s, int index, struct mem_request *r)
{
	if (s->tags.victims.bits && r->kind == MEM_READ && !(r->flags & MEM_BYPASS) &&
	    llc_tags_served(&s->tags, index, r->sm))
		r->flags |= MEM_VICTIM;
}

enum outcome { STALL, HIT, MERGE, MISS };

static uint8_t fully_written(const struct mem_request *r)
{
	unsigned sectors = (unsigned)__builtin_popcount(r->sectors);

	return r->bytes >= sectors * MEM_SECTOR_BYTES ? r->sectors : 0;
}

/* Sectors that must be there before the request is served. A write needs only the sectors that it covers in part. */
static uint8_t needed_sectors(const struct mem_request *r)
{
	return r->kind == MEM_WRITE ? r->sectors & (uint8_t)~fully_written(r) : r->sectors;
}

/* A request that brought its line in is no use of it besides. */
enum use { USE_HIT, USE_WAITED, USE_NONE };

static void note_use(struct llc_slice *s, int index, const struct mem_request *r, enum use use)
{
	if (use != USE_NONE)
		llc_tags_touch(&s->tags, index, r, use == USE_WAITED);
}

/*
 * With llc.dirty_ways: where too many lines of the set are dirty, the next of them behind the one that was written is
 * written back and stays. While memory takes nothing, or its fill is on the way, more are dirty.
 */
static void limit_dirty(struct llc_slice *s, int index)
{
	const struct llc_geometry *g = &s->common->geometry;
	int ways = (int)g->ways, first = index / ways * ways, next = -1;
	uint32_t dirty = 1;

	for (int i = 1; i < ways; i++) {
		int other = first + (index - first + i) % ways;
		const struct llc_line *line = &s->tags.lines[other];

		dirty += line->dirty != 0;
		if (next < 0 && line->dirty && line->mshr == LLC_NOT_PENDING)
			next = other;
	}
	if (dirty > s->common->config->dirty_ways && next >= 0 && slice_room_below(s))
		slice_write_back(s, next, NOTE_NONE);
}

/* Puts a write's or an atomic's data into the line. */
static void store(struct llc_slice *s, int index, const struct mem_request *r, bool through, enum use use)
{
	struct llc_line *line = &s->tags.lines[index];

	if (r->kind == MEM_WRITE)
		line->valid |= fully_written(r);
	if (!through) {
		line->dirty |= r->sectors;
		line->writer = r->structure;
		s->has_dirty = true;
		if (s->common->config->dirty_ways && !s->common->coherent && llc_tags_is_kept(&s->tags, index))
			limit_dirty(s, index);
	}
	if (s->common->coherent)
		slice_claim(s, index, r->sectors);
	if (s->common->versions)
		versions_written(s->common->versions, s->number, r->line, r->sectors);
	slice_count_write(s, r->structure, r->sectors);
	note_use(s, index, r, use);
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

static void log_fetch(const struct llc_slice *s, uint32_t packet, uint16_t entry)
{
	slice_log(s, REQUEST_LLC_MISS, packet);
	if (s->common->log)
		request_log_fetch(s->common->log, s->common->cycle, packet, s->number, entry);
}

/* Asks memory for the line at `index`. When that is -1 the line gets a place, or passes through. */
static enum outcome fetch(struct llc_slice *s, uint32_t packet, int index)
{
	const struct transaction *x = transaction_of(s, packet);
	uint32_t entry = s->free_mshr;
	struct llc_mshr *mshr = &s->mshrs[entry];

	if (entry == NO_TRANSACTION || !slice_room_below(s))
		return STALL;
	if (index < 0 && llc_tags_keeps(&s->tags, &x->request))
		index = allocate(s, x, 1);
	else if (index < 0)
		index = llc_tags_pass(&s->tags, entry, &x->request);
	if (index < 0)
		return STALL;
	s->free_mshr = mshr->first;
	*mshr = (struct llc_mshr){.line = index};
	s->tags.lines[index].mshr = (uint16_t)entry;
	wait_for_fill(s, mshr, packet);
	transaction_of(s, packet)->source = REPLY_FROM_MEMORY;
	log_fetch(s, packet, (uint16_t)entry);
	slice_fetch(s, &x->request, (uint16_t)entry,
		    needed_sectors(&x->request) & (uint8_t)~s->tags.lines[index].valid);
	s->stats.replica_fills += llc_tags_is_kept(&s->tags, index) && is_copy(s, x);
	return MISS;
}

/* Waits for the line's fill. If the fill does not bring all sectors, the slice fetches the rest, which is a miss. */
static inline enum outcome merge(struct llc_slice *s, uint32_t packet, int index)
{
	const struct mem_request *r = &transaction_of(s, packet)->request;
	uint16_t entry = s->tags.lines[index].mshr;
	struct llc_mshr *mshr = &s->mshrs[entry];
	uint8_t missing = needed_sectors(r) & (uint8_t)~(s->tags.lines[index].valid | mshr->sectors);

	if (mshr->count == s->common->config->mshr_merges || (missing && !slice_room_below(s)))
		return STALL;
	wait_for_fill(s, mshr, packet);
	if (!missing) {
		slice_log(s, REQUEST_LLC_MERGE, packet);
		return MERGE;
	}
	transaction_of(s, packet)->source = REPLY_FROM_MEMORY;
	log_fetch(s, packet, entry);
	slice_fetch(s, r, entry, missing);
	return MISS;
}

/* Reads and atomics need all their sectors. */
static enum outcome look_up_read(struct llc_slice *s, uint32_t packet, uint64_t now)
{
	const struct transaction *x = transaction_of(s, packet);
	int index = llc_tags_find(&s->tags, x->request.line);

	if (index < 0)
		return fetch(s, packet, -1);
	if (!(x->request.sectors & ~s->tags.lines[index].valid)) {
		if (wants_reply(x) && !reply_room(s)) {
			s->reply_blocked = true;
			return STALL;
		}
		follow_served(s, x);
		note_served(s, index, &transaction_of(s, packet)->request);
		slice_count_read(s, x->request.structure, x->request.sectors);
		if (x->request.kind == MEM_ATOMIC)
			store(s, index, &x->request, false, USE_HIT);
		else
			note_use(s, index, &x->request, USE_HIT);
		hold_data_port(s, turns_of(s, &x->request), now);
		slice_log(s, REQUEST_LLC_HIT, packet);
		finish(s, packet);
		return HIT;
	}
	if (s->tags.lines[index].mshr != LLC_NOT_PENDING)
		return merge(s, packet, index);
	return fetch(s, packet, index);
}

static enum outcome look_up_write(struct llc_slice *s, uint32_t packet, uint64_t now)
{
	const struct transaction *x = transaction_of(s, packet);
	const struct mem_request *r = &x->request;
	bool through = s->common->write_through;
	int index = llc_tags_find(&s->tags, r->line);
	uint8_t there = index < 0 ? 0 : s->tags.lines[index].valid;
	enum outcome outcome = index < 0 ? MISS : HIT;

	if (s->common->config->partial_write == LLC_PARTIAL_FILL && r->sectors & ~(there | fully_written(r))) {
		if (index >= 0 && s->tags.lines[index].mshr != LLC_NOT_PENDING)
			return merge(s, packet, index);
		return fetch(s, packet, index);
	}
	if ((wants_reply(x) && !reply_room(s)) || slice_room_below(s) < through)
		return STALL;
	if (index < 0)
		index = allocate(s, x, through);
	if (index < 0)
		return STALL;
	store(s, index, r, through, outcome == HIT ? USE_HIT : USE_NONE);
	if (through) {
		slice_write(s, r->line, r->bytes, r->sectors, r->structure);
		s->stats.write_throughs++;
	}
	hold_data_port(s, beats_of(s, r), now);
	slice_log(s, outcome == HIT ? REQUEST_LLC_HIT : REQUEST_LLC_MISS, packet);
	finish(s, packet);
	return outcome;
}

bool slice_wait_for_memory(struct llc_slice *s, uint32_t packet, int index)
{
	if (index >= 0 && s->tags.lines[index].mshr != LLC_NOT_PENDING)
		return merge(s, packet, index) != STALL;
	return fetch(s, packet, index) != STALL;
}

static void count_look_up(struct llc_slice *s, const struct mem_request *r, unsigned cluster, enum outcome outcome)
{
	struct llc_common *c = s->common;
	struct structure_memory *m = &c->structures[r->structure];

	s->stats.accesses++;
	s->stats.array_hits += outcome == HIT;
	s->stats.merges += outcome == MERGE;
	s->stats.misses += outcome == MISS;
	s->stats.reads += r->kind == MEM_READ;
	s->stats.writes += r->kind == MEM_WRITE;
	s->stats.atomics += r->kind == MEM_ATOMIC;
	s->stats.read_only += r->flags & MEM_READ_ONLY ? 1 : 0;
	m->accesses++;
	m->hits += outcome == HIT || outcome == MERGE;
	m->merges += outcome == MERGE;
	if (c->policy->looked_up)
		c->policy->looked_up(c->policy_state, s->mc, s->slice, cluster, r, outcome != MISS);
}

/*
 * Prefetches the host memory that the next look-ups will touch, a step further each time: the transaction, the tags,
 * the line. All were last touched long ago, and between two look-ups of a slice there is time.
 */
static void prefetch_look_ups(const struct llc_slice *s)
{
	const struct llc_looked_up *next = fifo_behind(&s->pipeline, 0), *second = fifo_behind(&s->pipeline, 1),
				   *third = fifo_behind(&s->pipeline, 2);
	int index;

	if (third)
		__builtin_prefetch(transaction_of(s, third->packet));
	if (second)
		llc_tags_prefetch(&s->tags, transaction_of(s, second->packet)->request.line);
	if (!next)
		return;
	index = llc_tags_find(&s->tags, transaction_of(s, next->packet)->request.line);
	if (index >= 0)
		__builtin_prefetch(&s->tags.lines[index]);
}

static void look_up(struct llc_slice *s, uint64_t now)
{
	const struct llc_looked_up *front = fifo_peek(&s->pipeline, now);
	struct mem_request request;
	unsigned cluster;
	enum outcome outcome;

	if (!front || s->data_port_free > now)
		return;
	if (s->reply_blocked && !reply_room(s)) {
		s->stats.stall_cycles++;
		return;
	}
	s->reply_blocked = false;
	request = transaction_of(s, front->packet)->request;
	if (s->common->coherent && request.kind != MEM_READ && slice_claims_full(s)) {
		s->stats.stall_cycles++;
		return;
	}
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
	prefetch_look_ups(s);
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

/* Sectors are here: everything that waited for no others is done in order of arrival, the rest waits on. */
static void serve_waiting(struct llc_slice *s, struct llc_mshr *mshr, bool from_slice, uint64_t now)
{
	uint32_t packet = mshr->count ? mshr->first : NO_TRANSACTION;

	mshr->count = 0;
	for (uint32_t next; packet != NO_TRANSACTION; packet = next) {
		struct transaction *x = transaction_of(s, packet);

		next = x->next;
		if (from_slice && x->source == REPLY_FROM_MEMORY)
			x->source = REPLY_FROM_FAR_LLC;
		if (needed_sectors(&x->request) & ~s->tags.lines[mshr->line].valid) {
			wait_for_fill(s, mshr, packet);
			continue;
		}
		if (x->for_slice) {
			reply_later(s, packet);
			continue;
		}
		if (x->request.kind != MEM_WRITE)
			follow_served(s, x);
		if (llc_tags_is_kept(&s->tags, mshr->line))
			note_served(s, mshr->line, &x->request);
		if (x->request.kind != MEM_READ) {
			store(s, mshr->line, &x->request, false, USE_WAITED);
			hold_data_port(s, turns_of(s, &x->request), now);
		}
		if (wants_reply(x))
			reply_later(s, packet);
		else
			slice_end(s, packet);
	}
}

/* The port whose oldest fill is next: this chip's memory and the others' take turns. */
static inline struct dram_port *next_fills(struct llc_slice *s, uint64_t now)
{
	const struct dram_request *near, *far;

	if (!s->to_far)
		return &s->fills;
	near = port_peek(&s->fills, now);
	far = port_peek(&s->far_fills, now);
	return far && (!near || !s->far_last) ? &s->far_fills : &s->fills;
}

/* Sectors that a fill must not overwrite, not even in part. */
static uint8_t kept_sectors(const struct llc_slice *s, const struct llc_line *line)
{
	return s->common->coherent ? line->valid | line->written : line->dirty;
}

static void take_fill(struct llc_slice *s, uint64_t now)
{
	struct dram_port *from = next_fills(s, s->common->cycle);
	const struct dram_request *fill = port_peek(from, s->common->cycle);
	struct llc_mshr *mshr;
	struct llc_line *line;
	uint32_t entry;

	if (!fill || s->data_port_free > now)
		return;
	entry = fill->mshr;
	mshr = &s->mshrs[entry];
	line = &s->tags.lines[mshr->line];
	if (s->common->versions)
		versions_filled(s->common->versions, s->number, fill->line, fill->versions,
				kept_sectors(s, line) | (uint8_t)~fill->sectors);
	if (s->common->log)
		request_log_filled(s->common->log, s->common->cycle, s->number, entry);
	line->valid |= fill->sectors;
	hold_data_port(s, beats_of_sectors(s, fill->sectors), now);
	if (llc_tags_is_kept(&s->tags, mshr->line))
		slice_count_write(s, fill->structure, fill->sectors);
	serve_waiting(s, mshr, fill->note == NOTE_FROM_SLICE, now);
	if (--mshr->fetches == 0) {
		int index = mshr->line;

		line->mshr = LLC_NOT_PENDING;
		mshr->first = s->free_mshr;
		s->free_mshr = entry;
		if (line->flags & LLC_LINE_STALE)
			slice_settle(s, index);
	}
	s->reads_out--;
	s->far_last = from == &s->far_fills;
	if (s->far_last)
		slice_hold_port(s, &s->port_in_free, slice_bytes_of(fill->sectors));
	port_pop(from, s->common->cycle);
}

static void send_waiting_reply(struct llc_slice *s)
{
	uint32_t packet = s->replies_first, next;

	if (packet == NO_TRANSACTION)
		return;
	next = transaction_of(s, packet)->next;
	if (transaction_of(s, packet)->for_slice ? !slice_answer_asker(s, packet) : !reply_room(s))
		return;
	s->replies_first = next;
	if (!transaction_of(s, packet)->for_slice)
		send_reply(s, packet);
	else
		transaction_free(s->common->pool, packet);
}

/* --- Entry --- */

/* The network whose oldest request is next: they take turns. NULL when neither has one. */
static inline struct network *next_network(const struct llc_slice *s)
{
	uint64_t clock = s->common->noc_clock;
	struct network *local = s->common->requests, *incoming = s->common->incoming;

	if (!incoming)
		return network_front(local, s->sink, clock) ? local : NULL;
	if (network_front(incoming, s->sink, clock) && (s->local_last || !network_front(local, s->sink, clock)))
		return incoming;
	return network_front(local, s->sink, clock) ? local : NULL;
}

/* Counts the stages up to the pipeline's end, for the request at the front of `from`, which the slice takes now. */
static void count_way_in(struct llc_slice *s, struct transaction *x, const struct network *from, uint64_t now)
{
	uint32_t cycle = (uint32_t)s->common->cycle;
	uint32_t arrived = (uint32_t)domain_cycle(s->common->noc, network_front_arrival(from, s->sink));
	uint32_t queued = cycle - arrived;

	if (s->common->log)
		request_log_slice(s->common->log, s->common->cycle, *network_front(from, s->sink, s->common->noc_clock),
				  s->number, queued);
	s->stats.queue_cycles += queued;
	x->stamp = (uint32_t)domain_cycle(s->common->llc, now + s->common->config->latency);
	if (!wants_reply(x))
		return;
	s->stages.requests++;
	s->stages.injection_cycles += x->entered - (uint32_t)x->request.issued;
	s->stages.request_network_cycles += arrived - x->entered;
	s->stages.slice_queue_cycles += queued;
	s->stages.pipeline_cycles += x->stamp - cycle;
}

static void take_request(struct llc_slice *s, uint64_t now)
{
	struct network *from = next_network(s);
	uint32_t latency = s->common->config->latency, beats;
	struct transaction *x;

	if (!from || !fifo_room(&s->pipeline, now) || s->port_in_free > s->common->noc_clock)
		return;
	x = transaction_of(s, *network_front(from, s->sink, s->common->noc_clock));
	beats = beats_of(s, &x->request);
	if (s->beats_inside && s->beats_inside + beats > latency)
		return;
	count_way_in(s, x, from, now);
	s->common->structures[x->request.structure].request_flits += flits_in_all(s, x);
	s->beats_inside += beats;
	fifo_push(&s->pipeline, now + latency,
		  (struct llc_looked_up){network_take(from, s->sink, s->common->noc_clock), beats});
	s->local_last = from == s->common->requests;
}

void llc_slice_tick(struct llc_slice *s, uint64_t now)
{
	if (s->work != LLC_WORK_NONE)
		slice_work_on_set(s);
	if (s->common->coherent)
		slice_keep_coherent(s);
	take_fill(s, now);
	send_waiting_reply(s);
	if (s->to_askers && now & 1)
		slice_take_asked(s, now);
	look_up(s, now);
	if (s->to_askers && !(now & 1))
		slice_take_asked(s, now);
	take_request(s, now);
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/*
 * The cycle in which the slice can take a request that comes in `cycle`. With a clock of its own, the slice looks at
 * each clock until then.
 */
static uint64_t clock_of(const struct llc_slice *s, uint64_t cycle, uint64_t now)
{
	return s->common->slower && cycle != UINT64_MAX ? now + 1 : cycle;
}

static uint64_t next_fill(const struct llc_slice *s, uint64_t now)
{
	uint64_t cycle = port_next(&s->fills);

	if (s->to_far)
		cycle = sooner(cycle, port_next(&s->far_fills));
	if (s->to_askers)
		cycle = sooner(cycle, port_next(&s->asked));
	return clock_of(s, cycle, now);
}

uint64_t llc_slice_next(const struct llc_slice *s, uint64_t now)
{
	uint64_t next = sooner(fifo_next(&s->pipeline), next_fill(s, now));

	if (s->replies_first != NO_TRANSACTION || s->work != LLC_WORK_NONE || s->claims.count)
		return now + 1;
	next = next < s->data_port_free ? s->data_port_free : next;
	if (s->common->coherent)
		next = sooner(next, clock_of(s, port_next(&s->notes), now));
	return next > now ? next : now + 1;
}
