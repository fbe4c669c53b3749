/* The load/store unit: memory instructions wait in order, and the first one makes one access per cycle. */
#include "sim-backend/sm/sm.h"

/* What a reply belongs to: the two top bits of its tag. */
enum { TAG_FILL = 0, TAG_LOAD = 1u << 30, TAG_STORE = 2u << 30, TAG_KIND = 3u << 30 };

/* Local memory of a warp slot: windows of 2^24 bytes (512 KB a thread) above every device address. */
enum { LOCAL_WINDOW_SHIFT = 24 };
#define LOCAL_BASE ((uint64_t)1 << 47)

static struct structure_stats *structure(const struct sm *sm, const struct lsu_op *op)
{
	return &sm->context->structures[op->structure];
}

/* --- From the scheduler into the queue --------------------------------------------------------------------------- */

static bool is_kept(const struct sm *sm, const struct trace_op *op, bool read_only)
{
	if (op->space == TRACE_LOCAL)
		return true;
	if (op->inst->flags & (TRACE_VOLATILE | TRACE_NO_L1))
		return false;
	return sm->context->l1_config->caches == L1_ALL_LOADS ||
	       (sm->context->l1_config->caches == L1_READ_ONLY_LOADS && read_only);
}

static enum lsu_kind lsu_kind_of(const struct sm *sm, const struct trace_op *op, bool read_only)
{
	if (op->space == TRACE_SHARED)
		return LSU_SHARED;
	if (op->inst->cls == TRACE_STORE)
		return LSU_STORE;
	if (op->inst->cls == TRACE_ATOMIC)
		return LSU_ATOMIC;
	return is_kept(sm, op, read_only) ? LSU_LOAD : LSU_BYPASS;
}

static void set_registers(struct sm *sm, unsigned warp, const struct trace_inst *inst, uint32_t ready)
{
	uint32_t *ready_at = sm->ready_at + (size_t)warp * sm->registers;

	for (unsigned i = 0; i < inst->ndst; i++)
		if (inst->dst[i] != TRACE_NO_REGISTER)
			ready_at[inst->dst[i]] = ready;
}

static void open_load(struct sm *sm, struct lsu_op *entry, const struct trace_op *op, unsigned warp, uint64_t cycle)
{
	entry->load = sm->free_loads[--sm->nfree_loads];
	sm->loads[entry->load] = (struct load){
	    .inst = op->inst, .issued = sm_now(sm, cycle), .left = (uint16_t)entry->count, .warp = (uint8_t)warp};
	sm->outstanding[warp]++;
	sm->stats.load_instructions++;
}

static void coalesce_op(const struct sm *sm, struct lsu_op *entry, const struct trace_op *op, unsigned warp)
{
	const struct sm_config *config = sm->context->config;
	unsigned bytes = op->inst->access_bytes;

	if (op->space == TRACE_LOCAL) {
		uint64_t window = (uint64_t)sm->id * SM_MAX_WARPS + warp;

		entry->count = coalesce_local(op->access_mask, op->address, bytes,
					      LOCAL_BASE + (window << LOCAL_WINDOW_SHIFT), entry->access);
	} else {
		entry->count = coalesce((enum coalesce_rule)config->coalescing, entry->kind != LSU_LOAD,
					op->access_mask, op->address, bytes, entry->access);
	}
}

static void accept_shared(struct sm *sm, struct lsu_op *entry, const struct trace_op *op)
{
	entry->count = shared_conflict_cycles(op->access_mask, op->address, op->inst->access_bytes,
					      sm->context->config->shared_banks, op->inst->cls == TRACE_ATOMIC);
	sm->stats.shared_instructions++;
	sm->stats.shared_cycles += entry->count;
}

/* `warp`'s decoded instruction enters the queue, which has room. Its registers are pending from now on. */
void lsu_accept(struct sm *sm, unsigned warp, uint64_t cycle)
{
	const struct trace_op *op = &sm->ops[warp];
	const struct launch_inst *launch = &sm->context->insts[op->inst_index];
	struct lsu_op *entry = &sm->lsu[(sm->lsu_head + sm->lsu_count++) % sm->context->config->lsu_queue];
	bool acks = sm->context->config->write_acks;

	entry->kind = lsu_kind_of(sm, op, launch->mem_flags & MEM_READ_ONLY);
	entry->warp = (uint8_t)warp;
	entry->structure = launch->structure;
	entry->next = 0;
	entry->flags = 0;
	entry->answered = sm->needs_load >> warp & 1;
	entry->inst = op->inst;
	set_registers(sm, warp, op->inst, PENDING);
	if (entry->kind == LSU_SHARED) {
		accept_shared(sm, entry, op);
		sm->outstanding[warp]++;
		return;
	}
	coalesce_op(sm, entry, op, warp);
	if (entry->answered) {
		entry->flags = entry->kind == LSU_ATOMIC ? 0 : launch->mem_flags;
		open_load(sm, entry, op, warp, cycle);
	} else {
		entry->flags = acks ? 0 : MEM_NO_REPLY;
		/* The instruction itself counts as one until its last request is sent. */
		sm->outstanding[warp] = (uint16_t)(sm->outstanding[warp] + 1 + (acks ? entry->count : 0));
	}
}

/* --- Answers ------------------------------------------------------------------------------------------------------ */

static void finish_load(struct sm *sm, uint16_t index, uint64_t cycle)
{
	struct load *load = &sm->loads[index];

	set_registers(sm, load->warp, load->inst, load->ready);
	sm->stats.load_cycles += load->ready - load->issued;
	sm->free_loads[sm->nfree_loads++] = index;
	warp_recheck(sm, load->warp, cycle);
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

/* Takes one reply if there is one. */
bool lsu_receive(struct sm *sm, uint64_t cycle)
{
	uint32_t ready = sm_now(sm, cycle) + sm->context->l1_config->fill_latency;
	struct mem_request reply;
	const uint16_t *waiters;

	if (!memsys_receive(sm->context->memsys, sm->id, cycle, &reply))
		return false;
	sm->expected--;
	sm->l1_stats.replies++;
	switch (reply.tag & TAG_KIND) {
	case TAG_FILL: {
		bool kept;
		uint32_t count = l1_fill(sm->l1, reply.tag, &waiters, &kept);

		sm->l1_stats.fills++;
		sm->l1_stats.fills_dropped += !kept;
		for (uint32_t i = 0; i < count; i++)
			part_of_load(sm, waiters[i], ready, cycle);
		break;
	}
	case TAG_LOAD:
		part_of_load(sm, (uint16_t)(reply.tag & ~TAG_KIND), ready, cycle);
		break;
	default:
		warp_answered(sm, reply.tag & ~TAG_KIND, cycle);
		break;
	}
	return true;
}

/* --- The first instruction of the queue --------------------------------------------------------------------------- */

static struct mem_request request_for(const struct sm *sm, const struct lsu_op *op, uint8_t kind, uint32_t tag,
				      uint64_t cycle)
{
	const struct line_access *access = &op->access[op->next];

	return (struct mem_request){
	    .line = access->line,
	    .bytes = (uint32_t)__builtin_popcount(access->sectors) * SECTOR_BYTES,
	    .sectors = access->sectors,
	    .kind = kind,
	    .flags = op->flags,
	    .sm = (uint16_t)sm->id,
	    .structure = op->structure,
	    .tag = tag,
	    .issued = cycle,
	};
}

static void send(struct sm *sm, const struct mem_request *request)
{
	memsys_send(sm->context->memsys, sm->id, request->issued, request);
	sm->l1_stats.requests++;
	if (!(request->flags & MEM_NO_REPLY))
		sm->expected++;
}

/* A fill brings the whole line, whatever sectors were asked for. */
static struct mem_request fill_request(const struct sm *sm, const struct lsu_op *op, uint64_t cycle)
{
	struct mem_request request = request_for(sm, op, MEM_READ, 0, cycle);

	request.bytes = LINE_BYTES;
	request.sectors = 0xf;
	return request;
}

static void count_load(struct sm *sm, const struct lsu_op *op)
{
	sm->l1_stats.accesses++;
	sm->l1_stats.read_only += op->flags & MEM_READ_ONLY;
	structure(sm, op)->l1_accesses++;
}

static bool send_fill(struct sm *sm, const struct lsu_op *op, uint64_t cycle)
{
	struct mem_request request = fill_request(sm, op, cycle);

	if (!memsys_can_send(sm->context->memsys, sm->id, cycle, &request)) {
		sm->stats.port_stalls++;
		return false;
	}
	request.tag = TAG_FILL | l1_open(sm->l1, request.line, op->load);
	send(sm, &request);
	return true;
}

static bool load_access(struct sm *sm, struct lsu_op *op, uint64_t cycle)
{
	switch (l1_load(sm->l1, op->access[op->next].line, op->load)) {
	case L1_STALL_MSHR:
		sm->stats.mshr_stalls++;
		return false;
	case L1_STALL_MERGE:
		sm->stats.merge_stalls++;
		return false;
	case L1_HIT:
		sm->l1_stats.hits++;
		structure(sm, op)->l1_hits++;
		part_of_load(sm, op->load, sm_now(sm, cycle) + sm->context->l1_config->hit_latency, cycle);
		break;
	case L1_MERGED:
		sm->l1_stats.misses++;
		sm->l1_stats.merges++;
		break;
	case L1_MISS:
		if (!send_fill(sm, op, cycle))
			return false;
		sm->l1_stats.misses++;
		break;
	}
	count_load(sm, op);
	return true;
}

/* Requests that go past the L1: uncached loads, atomics, stores. */
static bool direct_access(struct sm *sm, struct lsu_op *op, uint64_t cycle)
{
	static const uint8_t kinds[] = {[LSU_BYPASS] = MEM_READ, [LSU_STORE] = MEM_WRITE, [LSU_ATOMIC] = MEM_ATOMIC};
	struct mem_request request =
	    request_for(sm, op, kinds[op->kind], op->answered ? TAG_LOAD | op->load : TAG_STORE | op->warp, cycle);

	if (!memsys_can_send(sm->context->memsys, sm->id, cycle, &request)) {
		sm->stats.port_stalls++;
		return false;
	}
	send(sm, &request);
	if (op->kind == LSU_BYPASS) {
		sm->l1_stats.bypasses++;
		structure(sm, op)->l1_bypasses++;
		count_load(sm, op);
	} else if (op->kind == LSU_STORE) {
		sm->l1_stats.writes++;
		sm->l1_stats.write_hits += l1_store(sm->l1, request.line);
		structure(sm, op)->writes++;
	} else {
		l1_invalidate(sm->l1, request.line);
		sm->l1_stats.atomics++;
		structure(sm, op)->atomics++;
	}
	return true;
}

/* The bank accesses are done: a load's registers follow after the latency. */
static void finish_shared(struct sm *sm, const struct lsu_op *op, uint64_t cycle)
{
	set_registers(sm, op->warp, op->inst, sm_now(sm, cycle) + sm->context->config->shared_latency);
	warp_recheck(sm, op->warp, cycle);
	warp_answered(sm, op->warp, cycle);
}

void lsu_tick(struct sm *sm, uint64_t cycle)
{
	struct lsu_op *op = &sm->lsu[sm->lsu_head];
	bool done = true;

	if (op->kind == LSU_LOAD)
		done = load_access(sm, op, cycle);
	else if (op->kind != LSU_SHARED)
		done = direct_access(sm, op, cycle);
	if (!done || ++op->next < op->count)
		return;
	sm->lsu_head = (sm->lsu_head + 1) % sm->context->config->lsu_queue;
	sm->lsu_count--;
	if (op->kind == LSU_SHARED)
		finish_shared(sm, op, cycle);
	else if (!op->answered)
		warp_answered(sm, op->warp, cycle);
}
