/*
 * One launch: the least that can be shown of each node is found by going up, and then made less by going down.
 *
 * Up: region by region, sweeps over its blocks until one of them changes nothing; what grows too often is widened. In
 * that last sweep everything was computed from the same values, also what was kept of it along the way, and what lies
 * ahead of a region does not change any more. So every node has a value that holds what an instruction makes of values
 * so found: by induction over the steps of a thread, each number that it computes lies in the value of its node. Down:
 * each further sweep intersects what is known with what follows from it. Nothing is taken from one to the other
 * between threads: loads bring any number, or one that was found in memory that the launch does not write (scans.c).
 */
#include "ptx-analyzer/ranges/evaluation.h"

enum {
	GROWS_FREELY = 3,  /* so often a PHI grows by what is added */
	GROWS_TO_ENDS = 8, /* so often to the next end of numbers; then it is any number */
	MOST_SWEEPS = 400,
	SWEEPS_DOWN = 2,
	LEAST_KNOWN = 64,
	MOST_KNOWN = 4096,
};

/* Nobody waits longer at a launch: nodes that are computed, over all sweeps. Kernels of CUB take some ten thousand. */
static const uint64_t MOST_WORK = (uint64_t)1 << 22;

/* A wider range than any memory says nothing. */
static const uint64_t MOST_SPAN = (uint64_t)1 << 48;

/* --- PHIs --- */

bool edge_is_alive(struct evaluation *e, uint32_t block, uint32_t place)
{
	const struct ptx_block *blocks = e->k->function->blocks;

	return blocks[blocks[block].pred[place]].reachable && e->reached[blocks[block].pred[place]] &&
	       is_alive(e, e->k->edge_context[block][place], 0);
}

struct strided phi_join(struct evaluation *e, node_id phi, enum edges which)
{
	const struct range_node *n = &e->k->nodes.data[phi];
	const struct ptx_block *b = &e->k->function->blocks[n->block];
	struct strided v = strided_empty(n->width);

	for (uint32_t i = 0; i < b->npred; i++)
		if (edge_is_alive(e, n->block, i) && !(which == EDGES_IN && ssa_dominates(e->k, n->block, b->pred[i])))
			v = strided_join(v, value_in(e, n->args[i], e->k->edge_context[n->block][i], 0));
	return v;
}

/* Up to `limit`, or from there on, in steps. */
static struct strided up_to(struct strided v, uint64_t distance)
{
	return strided_make(v.low, distance, v.step, v.width);
}

static struct strided down_to(struct strided v, uint64_t distance)
{
	uint64_t steps = v.step ? distance - distance % v.step : 0;

	return strided_make(v.low - steps, v.span + steps, v.step, v.width);
}

/* What has grown from `was` to `v` grows on to the next end of numbers on that side. */
static struct strided widened(struct strided was, struct strided v, unsigned times)
{
	uint64_t mask = width_mask(v.width), sign = (uint64_t)1 << (v.width - 1);

	if (times <= GROWS_FREELY)
		return v;
	if (times > GROWS_TO_ENDS || v.step == 0)
		return strided_any(v.low, v.step, v.width);
	if (v.low == was.low) {
		if (!strided_wraps_signed(v))
			return up_to(v, (sign - 1 - v.low) & mask);
		return strided_wraps_unsigned(v) ? strided_any(v.low, v.step, v.width) : up_to(v, mask - v.low);
	}
	if (((v.low + v.span) & mask) == ((was.low + was.span) & mask)) {
		if (!strided_wraps_unsigned(v))
			return down_to(v, v.low);
		return strided_wraps_signed(v) ? strided_any(v.low, v.step, v.width)
					       : down_to(v, (v.low - sign) & mask);
	}
	return v;
}

static struct strided phi_up(struct evaluation *e, node_id id)
{
	struct strided was = e->value[id], v;

	if (!induction_value(e, id, &v))
		v = phi_join(e, id, EDGES_ALL);
	v = strided_join(was, v);
	if (strided_equal(was, v))
		return was;
	if (!was.empty)
		v = strided_join(v, widened(was, v, ++e->widened[id]));
	return v;
}

static struct strided phi_down(struct evaluation *e, node_id id)
{
	struct strided was = e->value[id], v = strided_meet(was, phi_join(e, id, EDGES_ALL)), of_rounds;

	return induction_value(e, id, &of_rounds) ? strided_meet(v, of_rounds) : v;
}

static struct strided phi_value(struct evaluation *e, node_id id)
{
	const struct range_node *n = &e->k->nodes.data[id];
	struct strided v;

	if (!n->comes_back)
		v = phi_join(e, id, EDGES_ALL);
	else
		v = e->descends ? phi_down(e, id) : phi_up(e, id);
	return with_alternatives(e, id, v, e->k->block_context[n->block], 0);
}

/* --- Sweeps --- */

static bool is_reached(struct evaluation *e, uint32_t block)
{
	bool reached = block == 0;

	for (uint32_t i = 0; i < e->k->function->blocks[block].npred && !reached; i++)
		reached = edge_is_alive(e, block, i);
	return reached && is_alive(e, e->k->block_context[block], 0);
}

static struct strided value_now(struct evaluation *e, node_id id, uint32_t block)
{
	const struct range_node *n = &e->k->nodes.data[id];

	if (!e->reached[block])
		return strided_empty(n->width);
	return n->op == NODE_PHI ? phi_value(e, id) : value_of(e, id, e->k->block_context[block], 0);
}

static void evaluate_block(struct evaluation *e, uint32_t place)
{
	const struct kernel_ranges *k = e->k;
	uint32_t block = k->order[place];
	bool reached = is_reached(e, block);

	e->changed |= reached != e->reached[block];
	e->reached[block] = reached;
	for (uint32_t i = k->first_node[place]; i < k->first_node[place + 1]; i++) {
		node_id id = k->by_block[i];
		struct strided v = value_now(e, id, block);

		e->changed |= !strided_equal(v, e->value[id]);
		e->value[id] = v;
	}
}

static void sweep(struct evaluation *e, uint32_t first, uint32_t end)
{
	e->sweep++;
	e->work = 0;
	e->changed = false;
	for (uint32_t place = first; place < end; place++)
		evaluate_block(e, place);
}

/* Up in one region, whose values depend on those ahead of it alone; false: no end was found. */
static bool evaluate_region(struct evaluation *e, const struct range_region *r, uint64_t *done)
{
	do {
		sweep(e, r->first, r->end);
		*done += e->work + e->k->first_node[r->end] - e->k->first_node[r->first];
	} while (r->loops && e->changed && e->sweep < MOST_SWEEPS && *done < MOST_WORK);
	return !r->loops || !e->changed;
}

/* false: no end was found. */
static bool evaluate(struct evaluation *e)
{
	uint32_t first = 0;
	uint64_t done = 0;

	for (size_t i = 0; i < e->k->regions.len; i++)
		if (!evaluate_region(e, &e->k->regions.data[i], &done))
			return false;
	/* Down: where no loop is ahead, nothing becomes less. */
	if (e->k->regions.len && !e->k->regions.data[0].loops)
		first = e->k->regions.data[0].end;
	e->descends = true;
	for (unsigned i = 0; i < SWEEPS_DOWN && (i == 0 || e->changed); i++)
		sweep(e, first, e->k->norder);
	/* Once more what follows from the last of them, for the accesses. */
	e->sweep++;
	e->work = 0;
	return true;
}

/* --- Accesses --- */

static struct byte_range range_of(struct evaluation *e, const struct node_access *a, uint64_t *step)
{
	struct byte_range r = {RANGE_UNKNOWN, 0, 0};
	struct strided address;

	if (!e->reached[a->block] || !is_alive(e, a->context, 0))
		return (struct byte_range){RANGE_NEVER, 0, 0};
	address = value_in(e, a->address, a->context, 0);
	if (address.empty)
		return (struct byte_range){RANGE_NEVER, 0, 0};
	if (strided_wraps_unsigned(address) || address.span > MOST_SPAN || address.low > UINT64_MAX - 2 * MOST_SPAN)
		return r;
	*step = address.step;
	return (struct byte_range){RANGE_KNOWN, address.low, address.low + address.span + a->bytes - 1};
}

static void init_evaluation(struct evaluation *e, const struct kernel_ranges *k, const struct range_launch *launch)
{
	*e = (struct evaluation){.k = k, .launch = launch, .nknown = LEAST_KNOWN};
	while (e->nknown < k->first_node[k->norder] && e->nknown < MOST_KNOWN)
		e->nknown *= 2;
	e->value = xcalloc(k->nodes.len + 1, sizeof *e->value);
	for (size_t i = 0; i < k->nodes.len; i++)
		e->value[i] = k->nodes.data[i].needed ? strided_empty(k->nodes.data[i].width)
						      : strided_full(k->nodes.data[i].width);
	e->reached = xcalloc(k->function->nblocks + 1, sizeof *e->reached);
	e->widened = xcalloc(k->nodes.len + 1, sizeof *e->widened);
	e->alive = xcalloc(k->contexts.len + 1, sizeof *e->alive);
	e->known = xcalloc(e->nknown, sizeof *e->known);
	e->most_work = 64 * (uint64_t)k->first_node[k->norder] + (1 << 16);
}

static void release_evaluation(struct evaluation *e)
{
	free(e->value);
	free(e->reached);
	free(e->widened);
	free(e->alive);
	free(e->known);
}

struct launch_ranges *evaluate_launch(const struct kernel_ranges *k, const struct range_launch *launch,
				      const struct strided *loaded)
{
	struct launch_ranges *l = xcalloc(1, sizeof *l);
	struct evaluation e;

	l->k = k;
	l->ranges = xcalloc(k->accesses.len + 1, sizeof *l->ranges);
	l->steps = xcalloc(k->accesses.len + 1, sizeof *l->steps);
	if (!k->known)
		return l;
	init_evaluation(&e, k, launch);
	e.loaded = loaded;
	if (evaluate(&e))
		for (size_t i = 0; i < k->accesses.len; i++)
			l->ranges[i] = range_of(&e, &k->accesses.data[i], &l->steps[i]);
	release_evaluation(&e);
	return l;
}

struct launch_ranges *ptx_ranges_evaluate(const struct kernel_ranges *k, const struct range_launch *launch)
{
	return evaluate_launch(k, launch, NULL);
}

void ptx_ranges_release(struct launch_ranges *l)
{
	if (!l)
		return;
	free(l->ranges);
	free(l->steps);
	release_scans(l->scans);
	free(l);
}

struct byte_range ptx_ranges_of(const struct launch_ranges *l, uint32_t inst)
{
	uint32_t access = l->k->known ? l->k->access_of[inst] : PTX_NONE;

	return access == PTX_NONE ? (struct byte_range){RANGE_UNKNOWN, 0, 0} : l->ranges[access];
}
