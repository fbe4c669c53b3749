/* What is done once for a kernel: its nodes, what its branches say, its loops, and which of all that is needed. */
#include "ptx-analyzer/flow/cfg.h"
#include "ptx-analyzer/ranges/nodes.h"
#include "ptx-analyzer/ranges/ranges.h"

typedef VEC(node_id) node_list;

static void need(struct kernel_ranges *k, node_list *work, node_id id)
{
	if (id == NO_NODE || k->nodes.data[id].needed)
		return;
	k->nodes.data[id].needed = true;
	vec_push(work, id);
}

static bool has_operands(enum node_op op)
{
	return op > NODE_PHI;
}

static void need_operands(struct kernel_ranges *k, node_list *work)
{
	while (work->len) {
		const struct range_node n = k->nodes.data[vec_pop(work)];

		for (uint32_t i = 0; n.op == NODE_PHI && i < k->function->blocks[n.block].npred; i++)
			need(k, work, n.args[i]);
		if (!has_operands(n.op))
			continue;
		need(k, work, n.op == NODE_SELECT ? NO_NODE : n.a);
		need(k, work, n.b);
		need(k, work, n.c);
	}
}

void need_node(struct kernel_ranges *k, node_id id)
{
	node_list work = VEC_INIT;

	need(k, &work, id);
	need_operands(k, &work);
	vec_release(&work);
}

/* Addresses, what branches compare, and what these are computed from. */
static void find_needed(struct kernel_ranges *k)
{
	node_list work = VEC_INIT;

	for (size_t i = 0; i < k->accesses.len; i++)
		need(k, &work, k->accesses.data[i].address);
	for (size_t i = 0; i < k->facts.len; i++) {
		need(k, &work, k->facts.data[i].subject);
		need(k, &work, k->facts.data[i].other);
	}
	need_operands(k, &work);
	vec_release(&work);
}

/* Needed nodes by block, in the order in which they were made: PHIs first, each after its operands in the block. */
static void list_by_block(struct kernel_ranges *k)
{
	const struct ptx_block *blocks = k->function->blocks;
	uint32_t *next;

	k->first_node = arena_array(&k->arena, uint32_t, k->norder + 1);
	k->by_block = arena_array(&k->arena, node_id, k->nodes.len);
	for (size_t i = 0; i < k->nodes.len; i++)
		if (k->nodes.data[i].needed && blocks[k->nodes.data[i].block].reachable)
			k->first_node[blocks[k->nodes.data[i].block].rpo + 1]++;
	for (uint32_t i = 0; i < k->norder; i++)
		k->first_node[i + 1] += k->first_node[i];
	next = arena_memdup(&k->arena, k->first_node, (k->norder + 1) * sizeof *next);
	for (size_t i = 0; i < k->nodes.len; i++)
		if (k->nodes.data[i].needed && blocks[k->nodes.data[i].block].reachable)
			k->by_block[next[blocks[k->nodes.data[i].block].rpo]++] = (node_id)i;
}

/* One more than the furthest place from which an edge comes back to this one; 0 where none does. */
static uint32_t comes_back_from(const struct kernel_ranges *k, uint32_t place)
{
	const struct ptx_block *blocks = k->function->blocks, *b = &blocks[k->order[place]];
	uint32_t from = 0;

	for (uint32_t i = 0; i < b->npred; i++)
		if (blocks[b->pred[i]].reachable && blocks[b->pred[i]].rpo >= place && blocks[b->pred[i]].rpo >= from)
			from = blocks[b->pred[i]].rpo + 1;
	return from;
}

/* Loops that overlap are one region, and so is all between two of these. */
static void find_regions(struct kernel_ranges *k)
{
	for (uint32_t place = 0; place < k->norder;) {
		struct range_region r = {.first = place, .end = comes_back_from(k, place)};

		r.loops = r.end != 0;
		for (place++; place < (r.loops ? r.end : k->norder); place++) {
			uint32_t from = comes_back_from(k, place);

			if (from && !r.loops)
				break;
			r.end = from > r.end ? from : r.end;
		}
		r.end = place;
		vec_push(&k->regions, r);
	}
}

static void index_accesses(struct kernel_ranges *k)
{
	bool *several = xcalloc(k->function->ninsts + 1, sizeof *several);

	k->access_of = arena_alloc(&k->arena, (k->function->ninsts + 1) * sizeof *k->access_of);
	memset(k->access_of, 0xFF, (k->function->ninsts + 1) * sizeof *k->access_of);
	for (size_t i = 0; i < k->accesses.len; i++) {
		uint32_t inst = k->accesses.data[i].inst;

		several[inst] |= k->access_of[inst] != PTX_NONE;
		k->access_of[inst] = several[inst] ? PTX_NONE : (uint32_t)i;
	}
	free(several);
}

struct kernel_ranges *ptx_ranges_prepare(struct ptx_function *kernel)
{
	struct kernel_ranges *k = xcalloc(1, sizeof *k);

	k->function = kernel;
	if (!kernel->ninsts || ptx_build_cfg(kernel, NULL) != 0 || !ssa_build(k))
		return k;
	contexts_build(k);
	decide_choices(k);
	contexts_index_bounds(k);
	find_needed(k);
	loops_build(k);
	find_lockstep(k);
	find_wanted_loads(k);
	list_by_block(k);
	find_regions(k);
	index_accesses(k);
	k->known = true;
	return k;
}

void ptx_ranges_free(struct kernel_ranges *k)
{
	if (!k)
		return;
	vec_release(&k->nodes);
	vec_release(&k->contexts);
	vec_release(&k->facts);
	vec_release(&k->bounds);
	vec_release(&k->alternatives);
	vec_release(&k->accesses);
	vec_release(&k->loads);
	vec_release(&k->loops);
	vec_release(&k->tests);
	vec_release(&k->regions);
	arena_release(&k->arena);
	free(k);
}
