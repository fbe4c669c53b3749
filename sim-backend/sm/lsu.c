/* The load/store unit: memory instructions wait in order, and the first of them makes an access per cycle. */
#include "sim-backend/memory/request_log.h"
#include "sim-backend/sm/sm.h"

/* The kind of a reply: the two top bits of its cookie. */
enum {
	COOKIE_FILL = 0,
	COOKIE_LOAD = 1u << 30,
	COOKIE_STORE = 2u << 30,
	COOKIE_FETCH = 3u << 30,
	COOKIE_KIND = 3u << 30
};

/*
 * A waiter for a fill: the number of a load, and whether its look-up has read tags from shared memory. The L1 may have
 * other tags when the fill comes. sm.loads_in_flight is far less than the mask.
 */
enum { WAITER_LOAD = (1 << 15) - 1, WAITER_READ_TAGS = 1 << 15 };

static struct structure_stats *structure(const struct sm *sm, const struct lsu_op *op)
{
	return &sm->context->structures[op->structure];
}

/* --- What lines of the program do, if somebody asked --- */

static struct line_stats *line_of(const struct sm *sm, uint32_t inst)
{
	return sm->context->lines ? &sm->context->lines[inst] : NULL;
}

static void count_line_accepted(const struct sm *sm, const struct lsu_op *op)
{
	struct line_stats *line = line_of(sm, op->inst);

	if (!line)
		return;
	line->executions++;
	line->shared_cycles += op->kind == OP_SHARED ? op->count : 0;
}

static void count_line_access(const struct sm *sm, const struct lsu_op *op, uint8_t sectors, uint64_t *outcome)
{
	struct line_stats *line = line_of(sm, op->inst);

	line->accesses++;
	line->sectors += (unsigned)__builtin_popcount(sectors);
	++*outcome;
}

static void count_line_blocked(const struct sm *sm, const struct lsu_op *op)
{
	struct line_stats *line = line_of(sm, op->inst);

	if (line)
		line->blocked_cycles++;
}

/*
 * The warp's registers of `inst` can be read from kernel cycle `ready` on. A warp that waits for another load, too,
 * goes on waiting, and all its time is that of the load which comes last.
 */
static void recheck_and_count(struct sm *sm, unsigned warp, uint32_t ready, struct line_stats *line, uint64_t cycle)
{
	uint64_t bit = (uint64_t)1 << warp, since = sm->waits_since[warp];
	bool waited = sm->on_memory & bit;
	uint32_t now = sm_now(sm, cycle);

	warp_recheck(sm, warp, cycle);
	if (sm->on_memory & bit)
		sm->waits_since[warp] = since;
	else if (waited)
		line->wait_cycles += cycle - since + (ready > now ? ready - now : 0);
}

static void recheck(struct sm *sm, unsigned warp, uint32_t inst, uint32_t ready, uint64_t cycle)
{
	struct line_stats *line = line_of(sm, inst);

	if (line)
		recheck_and_count(sm, warp, ready, line, cycle);
	else
		warp_recheck(sm, warp, cycle);
}

/* --- From the scheduler into the queue --- */

/* Requires place < 2 * the queue's length. */
static unsigned queue_slot(const struct sm *sm, unsigned place)
{
	unsigned length = sm->context->config->lsu_queue;

	return place < length ? place : place - length;
}

static void open_load(struct sm *sm, struct lsu_op *entry, bool copy, uint64_t cycle)
{
	entry->load = sm->free_loads[--sm->nfree_loads];
	sm->loads[entry->load] = (struct load){.inst = entry->inst,
					       .issued = sm_now(sm, cycle),
					       .left = entry->count,
					       .warp = entry->warp,
					       .group = copy ? copy_begins(sm, entry->warp) : NO_GROUP};
	sm->warps[entry->warp].outstanding++;
	sm->context->stats.load_instructions++;
}

static void take_accesses(struct sm *sm, struct lsu_op *entry)
{
	struct sm_warp *w = &sm->warps[entry->warp];
	const packed_access *accesses = sm_accesses(sm, entry->warp) + w->access;

	for (unsigned i = 0; i < entry->count; i++)
		entry->access[i] = accesses[i];
	w->access = (uint16_t)(w->access + entry->count);
}

/* `warp`'s next instruction enters the queue, which has room. Its registers are pending from now on. */
void lsu_accept(struct sm *sm, unsigned warp, uint64_t cycle)
{
	const struct warp_op *op = sm_next_op(sm, warp);
	const struct launch_inst *inst = &sm->context->insts[op->inst];
	struct lsu_op *entry = &sm->lsu[queue_slot(sm, sm->lsu_head + sm->lsu_count++)];
	bool acks = sm->context->config->write_acks;
	uint16_t *outstanding = &sm->warps[warp].outstanding;

	entry->inst = op->inst;
	entry->kind = op->kind;
	entry->warp = (uint8_t)warp;
	entry->structure = inst->structure;
	entry->count = op->count;
	entry->next = 0;
	entry->looked_up = 0;
	entry->worst = L1_HIT;
	entry->found = false;
	entry->flags = 0;
	entry->answered = sm->needs_load >> warp & 1;
	count_line_accepted(sm, entry);
	if (entry->kind == OP_SHARED) {
		registers_written(sm, warp, inst, PENDING, SLOT_SHARED);
		sm->context->stats.shared_instructions++;
		sm->context->stats.shared_cycles += entry->count;
		++*outstanding;
		return;
	}
	registers_written(sm, warp, inst, PENDING, SLOT_MEMORY);
	take_accesses(sm, entry);
	if (entry->answered) {
		entry->flags = entry->kind == OP_ATOMIC ? 0 : inst->mem_flags;
		open_load(sm, entry, inst->cls == TRACE_ASYNC_COPY, cycle);
	} else {
		entry->flags = acks ? 0 : MEM_NO_REPLY;
		/* The instruction itself counts as outstanding until its last request is sent. */
		*outstanding = (uint16_t)(*outstanding + 1 + (acks ? entry->count : 0));
	}
}

/* --- Answers --- */

static void finish_load(struct sm *sm, uint16_t index, uint64_t cycle)
{
	struct load *load = &sm->loads[index];
	struct line_stats *line = line_of(sm, load->inst);

	registers_arrived(sm, load->warp, &sm->context->insts[load->inst], load->ready);
	sm->context->stats.load_cycles += load->ready - load->issued;
	sm->free_loads[sm->nfree_loads++] = index;
	if (line)
		line->load_cycles += load->ready - load->issued;
	recheck(sm, load->warp, load->inst, load->ready, cycle);
	if (load->group != NO_GROUP)
		copy_arrived(sm, load->warp, load->group, cycle);
	warp_answered(sm, load->warp, cycle);
}

/* One part of a load has its data at kernel cycle `ready`. */
static void part_of_load(struct sm *sm, uint16_t index, uint32_t ready, uint64_t cycle)
{
	struct load *load = &sm->loads[index];

	if (ready > load->ready)
		load->ready = ready;
	if (--load->left == 0)
		finish_load(sm, index, cycle);
}

static struct load *load_of(const struct sm *sm, uint16_t waiter)
{
	return &sm->loads[waiter & WAITER_LOAD];
}

/* A fill comes in the next cycle. */
static void prefetch_waiters(const struct sm *sm, const struct l1_mshr *mshr)
{
	const struct l1_waiter *waiters = sm->l1->mshrs.waiters;

	sm_prefetch_warp(sm, load_of(sm, mshr->load)->warp);
	for (uint32_t w = mshr->first; w != L1_NO_MSHR; w = waiters[w].next)
		__builtin_prefetch(load_of(sm, waiters[w].load));
}

/*
 * A reply comes in `wait` cycles. The host memory that it will touch was last touched when its loads were sent, and has
 * left the host's cache since. So this prefetches while the reply is on the last part of its way: in each cycle the
 * next pointer of the chain.
 */
static void prefetch_fill(const struct sm *sm, const struct mem_request *reply, uint64_t wait)
{
	const struct l1_mshr *mshr;

	if (wait > 3) {
		__builtin_prefetch(reply);
		return;
	}
	if ((reply->cookie & COOKIE_KIND) != COOKIE_FILL)
		return;
	mshr = &sm->l1->mshrs.entries[reply->cookie];
	switch (wait) {
	case 3: __builtin_prefetch(mshr); break;
	case 2:
		__builtin_prefetch(load_of(sm, mshr->load));
		if (mshr->first != L1_NO_MSHR)
			__builtin_prefetch(&sm->l1->mshrs.waiters[mshr->first]);
		break;
	default: prefetch_waiters(sm, mshr);
	}
}

static void prefetch_reply(const struct sm *sm, uint64_t cycle)
{
	uint64_t wait;
	const struct mem_request *reply = memsys_foresee(sm->context->memsys, sm->id, cycle, &wait);

	if (reply)
		prefetch_fill(sm, reply, wait);
}

static uint16_t waiter_of(const struct sm *sm, const struct lsu_op *op)
{
	return op->load | (l1_tags_are_shared(sm->l1) ? WAITER_READ_TAGS : 0);
}

/*
 * The extra time of a look-up whose tags are in shared memory. The LSU adds it when the data come, so the fetch leaves,
 * and the MSHR is free, as early as without it.
 */
static uint32_t tag_latency(const struct sm *sm, uint16_t waiter)
{
	return waiter & WAITER_READ_TAGS ? sm->context->config->shared_latency : 0;
}

/* Takes a reply if there is one. Returns whether it did. */
bool lsu_receive(struct sm *sm, uint64_t cycle)
{
	uint32_t ready = sm_now(sm, cycle) + sm->context->l1_config->fill_latency;
	struct mem_request reply;
	const uint16_t *waiters;

	if (!memsys_receive(sm->context->memsys, sm->id, cycle, &reply)) {
		prefetch_reply(sm, cycle);
		return false;
	}
	sm->expected--;
	sm->context->l1_stats.replies++;
	switch (reply.cookie & COOKIE_KIND) {
	case COOKIE_FILL: {
		bool kept;
		uint32_t count = l1_fill(sm->l1, reply.cookie, reply.flags, reply.structure, &waiters, &kept);

		sm->lsu_stall = 0;
		sm->context->l1_stats.fills++;
		sm->context->l1_stats.fills_dropped += !kept;
		sm->context->structures[reply.structure].l1_fills += kept;
		for (uint32_t i = 0; i < count; i++)
			sm_prefetch_warp(sm, load_of(sm, waiters[i])->warp);
		for (uint32_t i = 0; i < count; i++)
			part_of_load(sm, waiters[i] & WAITER_LOAD, ready + tag_latency(sm, waiters[i]), cycle);
		break;
	}
	case COOKIE_LOAD: part_of_load(sm, (uint16_t)(reply.cookie & ~COOKIE_KIND), ready, cycle); break;
	case COOKIE_FETCH: fetch_arrived(sm, reply.cookie & ~COOKIE_KIND, cycle); break;
	default: warp_answered(sm, reply.cookie & ~COOKIE_KIND, cycle); break;
	}
	prefetch_reply(sm, cycle);
	return true;
}

/* --- The first instruction of the queue --- */

static uint64_t next_line(const struct lsu_op *op)
{
	return op->access[op->next] & ~(packed_access)(LINE_BYTES - 1);
}

static struct mem_request request_for(const struct sm *sm, const struct lsu_op *op, uint8_t sectors, uint8_t kind,
				      uint32_t cookie, uint64_t cycle)
{
	static const uint8_t sectors_in[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

	return (struct mem_request){
	    .line = next_line(op),
	    .bytes = sectors_in[sectors] * SECTOR_BYTES,
	    .sectors = sectors,
	    .kind = kind,
	    .flags = op->flags,
	    .sm = sm->id,
	    .structure = op->structure,
	    .cookie = cookie,
	    .issued = cycle,
	};
}

static void send(struct sm *sm, const struct mem_request *request)
{
	memsys_send(sm->context->memsys, sm->id, request->issued, request);
	sm->context->l1_stats.requests++;
	if (!(request->flags & MEM_NO_REPLY))
		sm->expected++;
}

void lsu_send_fetch(struct sm *sm, const struct mem_request *request)
{
	struct mem_request fetch = *request;

	fetch.cookie |= COOKIE_FETCH;
	send(sm, &fetch);
}

static uint8_t next_sectors(const struct lsu_op *op)
{
	return op->access[op->next] & L1_ALL_SECTORS;
}

static void count_load(struct sm *sm, const struct lsu_op *op, uint8_t sectors)
{
	/* 1, 2: the sectors of the smallest aligned block around these; 0: all four */
	static const uint8_t small[16] = {[1] = 1, [2] = 1, [4] = 1, [8] = 1, [3] = 2, [12] = 2};
	uint8_t block = small[sectors];

	sm->context->l1_stats.accesses++;
	sm->context->l1_stats.of_32 += block == 1;
	sm->context->l1_stats.of_64 += block == 2;
	sm->context->l1_stats.read_only += op->flags & MEM_READ_ONLY;
	structure(sm, op)->l1_accesses++;
}

static void log_look_up(const struct sm *sm, const struct lsu_op *op, enum request_event event, uint64_t cycle)
{
	if (sm->context->log)
		request_log_l1(sm->context->log, cycle, event, sm->id, next_line(op));
}

/* Sends the request for the missing sectors. */
static bool send_fetch(struct sm *sm, const struct lsu_op *op, uint16_t waiter, uint8_t sectors, uint64_t cycle)
{
	struct mem_request request = request_for(sm, op, sectors, MEM_READ, 0, cycle);

	if (!memsys_can_send(sm->context->memsys, sm->id, cycle)) {
		sm->context->stats.port_stalls++;
		count_line_blocked(sm, op);
		return false;
	}
	log_look_up(sm, op, REQUEST_L1_MISS, cycle);
	request.cookie = COOKIE_FILL | l1_open(sm->l1, request.line, op->flags, waiter);
	send(sm, &request);
	return true;
}

/* All look-ups of the next access are final. It was a hit if they all were. */
static void count_outcome(struct sm *sm, struct lsu_op *op)
{
	struct l1_stats *stats = &sm->context->l1_stats;
	bool hit = op->worst == L1_HIT;
	struct line_stats *line = line_of(sm, op->inst);

	if (line)
		count_line_access(sm, op, op->looked_up, hit ? &line->hits : &line->misses);
	stats->hits += hit;
	structure(sm, op)->l1_hits += hit;
	stats->misses += !hit;
	stats->merges += op->worst == L1_MERGED;
	stats->partial_hits += op->worst == L1_PARTIAL || (op->worst == L1_MISS && op->found);
	l1_loaded(sm->l1, op->looked_up, hit);
	count_load(sm, op, op->looked_up);
	op->looked_up = 0;
	op->worst = L1_HIT;
	op->found = false;
}

/* A look-up is final, and its data come in so many parts. Returns whether it was the access's last. */
static bool end_look_up(struct sm *sm, struct lsu_op *op, uint8_t sectors, enum l1_outcome outcome, unsigned parts)
{
	bool last = sectors == next_sectors(op);

	op->looked_up |= sectors;
	op->worst = outcome > op->worst ? outcome : op->worst;
	op->found |= outcome == L1_HIT;
	op->access[op->next] &= ~(packed_access)sectors;
	/* The access was counted as one part. */
	sm->loads[op->load].left = (uint16_t)(sm->loads[op->load].left + parts - last);
	if (last)
		count_outcome(sm, op);
	return last;
}

static void count_stall(struct sm_stats *stats, enum l1_outcome outcome)
{
	stats->mshr_stalls += outcome == L1_STALL_MSHR;
	stats->merge_stalls += outcome == L1_STALL_MERGE;
	stats->way_stalls += outcome == L1_STALL_WAY;
}

static bool load_access(struct sm *sm, struct lsu_op *op, uint64_t cycle)
{
	struct l1_fetch fetch = {.parts = 1};
	uint8_t sectors = l1_part(sm->l1, next_sectors(op));
	uint16_t waiter = waiter_of(sm, op); /* as of now: the load may be the last before the L1 changes its chunks */
	enum l1_outcome outcome = l1_load(sm->l1, next_line(op), sectors, waiter, &fetch);
	bool last;

	switch (outcome) {
	case L1_STALL_MSHR:
	case L1_STALL_MERGE:
	case L1_STALL_WAY:
		count_stall(&sm->context->stats, outcome);
		count_line_blocked(sm, op);
		sm->lsu_stall = (uint8_t)outcome;
		return false;
	case L1_HIT: log_look_up(sm, op, REQUEST_L1_HIT, cycle); break;
	case L1_MERGED: log_look_up(sm, op, REQUEST_L1_MERGE, cycle); break;
	case L1_PARTIAL:
	case L1_MISS:
		if (!send_fetch(sm, op, waiter, fetch.sectors, cycle))
			return false;
		break;
	}
	sm->context->l1_stats.look_ups++;
	sm->context->l1_stats.fetches += outcome >= L1_PARTIAL;
	last = end_look_up(sm, op, sectors, outcome, fetch.parts);
	if (outcome == L1_HIT)
		part_of_load(sm, op->load,
			     sm_now(sm, cycle) + sm->context->l1_config->hit_latency + tag_latency(sm, waiter), cycle);
	return last;
}

/* Requests that go past the L1: uncached loads, atomics, stores. */
static bool direct_access(struct sm *sm, struct lsu_op *op, uint64_t cycle)
{
	static const uint8_t kinds[] = {
	    [OP_BYPASS] = MEM_READ, [OP_STORE] = MEM_WRITE, [OP_ATOMIC] = MEM_ATOMIC, [OP_REDUCTION] = MEM_ATOMIC};
	uint8_t sectors = next_sectors(op);
	struct mem_request request = request_for(
	    sm, op, sectors, kinds[op->kind], op->answered ? COOKIE_LOAD | op->load : COOKIE_STORE | op->warp, cycle);
	struct line_stats *line = line_of(sm, op->inst);
	bool hit;

	if (op->kind == OP_BYPASS)
		request.flags |= MEM_BYPASS;
	request.alike_log2 = op->access[op->next] >> ACCESS_ALIKE_SHIFT & ACCESS_ALIKE;
	if (!memsys_can_send(sm->context->memsys, sm->id, cycle)) {
		sm->context->stats.port_stalls++;
		count_line_blocked(sm, op);
		return false;
	}
	send(sm, &request);
	if (line)
		count_line_access(sm, op, sectors, &line->direct);
	if (op->kind == OP_BYPASS) {
		sm->context->l1_stats.bypasses++;
		structure(sm, op)->l1_bypasses++;
		count_load(sm, op, sectors);
	} else if (op->kind == OP_STORE) {
		sm->context->l1_stats.writes++;
		hit = l1_store(sm->l1, request.line, sectors);
		sm->context->l1_stats.write_hits += hit;
		structure(sm, op)->write_hits += hit;
		structure(sm, op)->writes++;
	} else {
		l1_invalidate(sm->l1, request.line, sectors);
		sm->context->l1_stats.atomics++;
		structure(sm, op)->atomics++;
	}
	return true;
}

/* The bank accesses are done: a load's registers follow after the latency. */
static void finish_shared(struct sm *sm, const struct lsu_op *op, uint64_t cycle)
{
	uint32_t ready = sm_now(sm, cycle) + sm->context->config->shared_latency;

	registers_arrived(sm, op->warp, &sm->context->insts[op->inst], ready);
	recheck(sm, op->warp, op->inst, ready, cycle);
	warp_answered(sm, op->warp, cycle);
}

void lsu_tick(struct sm *sm, uint64_t cycle)
{
	struct lsu_op *op = &sm->lsu[sm->lsu_head];
	bool done = true;

	if (sm->lsu_stall) {
		count_stall(&sm->context->stats, (enum l1_outcome)sm->lsu_stall);
		count_line_blocked(sm, op);
		return;
	}
	if (op->kind == OP_LOAD)
		done = load_access(sm, op, cycle);
	else if (op->kind != OP_SHARED)
		done = direct_access(sm, op, cycle);
	if (!done || ++op->next < op->count)
		return;
	sm->lsu_head = (uint8_t)queue_slot(sm, sm->lsu_head + 1u);
	sm->lsu_count--;
	if (op->kind == OP_SHARED)
		finish_shared(sm, op, cycle);
	else if (!op->answered)
		warp_answered(sm, op->warp, cycle);
}
