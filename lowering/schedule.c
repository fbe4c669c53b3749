/*
 * The order in which instructions of a block or region are issued: a list schedule, the longest way to the end first,
 * so that loads come early. Instructions of control stay where they are, and nothing passes them.
 */
#include "lowering/lower.h"

#include <string.h>

enum { WINDOW = 192, MOST_EDGES = 64 }; /* instructions that are looked at; predecessors that are kept of each */

struct node {
	uint32_t before[MOST_EDGES]; /* that have to be issued first */
	uint8_t wait[MOST_EDGES], nbefore;
	bool done, read;       /* read: a load whose result somebody read */
	uint32_t rank, issued; /* cycles to the end of the part; the cycle it was issued in */
};

static bool is_pinned(const struct machine_inst *in)
{
	return in->pipe == MACHINE_BRANCH;
}

/* Barriers, fences and their kin: arithmetic passes them, memory accesses and messages to other lanes do not. */
static bool is_sync(const struct machine_inst *in)
{
	return in->pipe == MACHINE_SYNC && in->op != MACHINE_S2R;
}

static bool is_kept_by_sync(const struct machine_inst *in)
{
	return is_sync(in) || in->naccess || in->pipe == MACHINE_LSU || in->pipe == MACHINE_TEX ||
	       in->pipe == MACHINE_TENSOR || in->op == MACHINE_VOTE || in->op == MACHINE_CS2R;
}

static bool is_load(const struct machine_inst *in)
{
	return in->op == MACHINE_LDG || in->op == MACHINE_LDS || in->op == MACHINE_LDL || in->op == MACHINE_LD ||
	       in->op == MACHINE_LDC || in->op == MACHINE_LDSM || in->pipe == MACHINE_TEX;
}

static bool is_memory(const struct machine_inst *in)
{
	return in->naccess || is_load(in) || in->op == MACHINE_LDGSTS;
}

/* Memory of one kind: shared, or what may be global. Generic instructions may be either. */
static bool may_touch_same(const struct machine_inst *a, const struct machine_inst *b)
{
	bool shared_a = a->op == MACHINE_LDS || a->op == MACHINE_STS || a->op == MACHINE_ATOMS || a->op == MACHINE_LDSM;
	bool shared_b = b->op == MACHINE_LDS || b->op == MACHINE_STS || b->op == MACHINE_ATOMS || b->op == MACHINE_LDSM;
	bool local_a = a->op == MACHINE_LDL || a->op == MACHINE_STL,
	     local_b = b->op == MACHINE_LDL || b->op == MACHINE_STL;
	bool global_a = a->op == MACHINE_LDG || a->op == MACHINE_STG,
	     global_b = b->op == MACHINE_LDG || b->op == MACHINE_STG;

	return !(shared_a && (local_b || global_b)) && !(shared_b && (local_a || global_a)) && !(local_a && global_b) &&
	       !(local_b && global_a);
}

static bool is_guarded(const struct machine_inst *a, const struct machine_inst *b)
{
	for (unsigned i = 0; b->flags & MACHINE_PREDICATED && i < a->ndst; i++)
		if (a->dst[i] == b->guard)
			return true;
	return false;
}

static bool overlaps(const uint16_t *a, unsigned na, const uint16_t *b, unsigned nb)
{
	for (unsigned i = 0; i < na; i++)
		for (unsigned k = 0; k < nb; k++)
			if (a[i] == b[k])
				return true;
	return false;
}

/* Cycles that `b` has to be behind `a`, or -1 if it may be before it. */
static int distance(const struct lower *l, const struct machine_inst *a, const struct machine_inst *b)
{
	if (overlaps(a->dst, a->ndst, b->src, b->nsrc)) {
		enum machine_pipe pipe = (enum machine_pipe)a->pipe;
		unsigned fixed = is_guarded(a, b) ? machine_guard_latency(l->generation, pipe)
						  : machine_latency(l->generation, pipe, (enum machine_pipe)b->pipe);

		return (int)(fixed ? fixed : machine_variable_latency(l->generation, pipe));
	}
	if (overlaps(a->src, a->nsrc, b->dst, b->ndst) || overlaps(a->dst, a->ndst, b->dst, b->ndst))
		return 1;
	if ((is_sync(a) && is_kept_by_sync(b)) || (is_sync(b) && is_kept_by_sync(a)))
		return 1;
	if (is_memory(a) && is_memory(b) && !(is_load(a) && is_load(b)) && may_touch_same(a, b))
		return 1;
	return -1;
}

/* Edges from the WINDOW instructions before; what is further away cannot be passed, see pick. */
static void find_edges(const struct lower *l, const struct machine_inst *code, struct node *nodes, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = i; k-- > 0 && i - k < WINDOW && nodes[i].nbefore < MOST_EDGES;) {
			int wait = distance(l, &code[k], &code[i]);

			if (wait < 0)
				continue;
			nodes[i].before[nodes[i].nbefore] = k;
			nodes[i].wait[nodes[i].nbefore++] = (uint8_t)wait;
		}
	for (uint32_t i = n; i--;)
		for (unsigned e = 0; e < nodes[i].nbefore; e++) {
			struct node *from = &nodes[nodes[i].before[e]];
			uint32_t rank = nodes[i].rank + nodes[i].wait[e];

			from->rank = rank > from->rank ? rank : from->rank;
		}
}

/* The cycle in which the instruction can be issued; UINT32_MAX while one that it waits for has not been. */
static uint32_t ready_at(const struct node *nodes, const struct node *v)
{
	uint32_t at = 0;

	if (v->nbefore == MOST_EDGES) /* some edges are not known: all before it come first */
		for (const struct node *u = nodes; u < v; u++)
			if (!u->done)
				return UINT32_MAX;
	for (unsigned e = 0; e < v->nbefore; e++) {
		const struct node *from = &nodes[v->before[e]];

		if (!from->done)
			return UINT32_MAX;
		if (from->issued + v->wait[e] > at)
			at = from->issued + v->wait[e];
	}
	return at;
}

static bool is_shared_load(const struct machine_inst *in)
{
	return in->op == MACHINE_LDS || in->op == MACHINE_LDSM;
}

/*
 * Registers that are loaded and not read by an issued instruction yet. Shared memory is near: ptxas does not load from
 * it further ahead than its latency asks for. From global memory it loads as early as registers allow.
 */
enum { MOST_SHARED = 24 };

struct schedule {
	const struct lower *l;
	const struct machine_inst *code;
	struct node *nodes;
	uint32_t n, first, now;
	uint32_t in_flight, shared; /* such registers, and those of shared memory among them */
};

static bool is_crowded(const struct schedule *s)
{
	unsigned limit = s->l->request->registers ? s->l->request->registers : 255, used = s->l->registers_per_thread;
	unsigned room = limit > used + 8 ? limit - used : 8;

	return s->in_flight >= room;
}

/* The next one: of those that are ready the one with the longest way, else the one that is ready first. */
static uint32_t pick(const struct schedule *s, bool shared_loads)
{
	uint32_t best = UINT32_MAX, best_at = UINT32_MAX;

	for (uint32_t i = s->first; i < s->n && i - s->first < WINDOW; i++) {
		uint32_t at = s->nodes[i].done || (!shared_loads && is_shared_load(&s->code[i]))
				  ? UINT32_MAX
				  : ready_at(s->nodes, &s->nodes[i]);

		if (at == UINT32_MAX)
			continue;
		at = at > s->now ? at : s->now;
		if (at < best_at || (at == best_at && s->nodes[i].rank > s->nodes[best].rank)) {
			best = i;
			best_at = at;
		}
	}
	return best;
}

static uint32_t next_of(const struct schedule *s)
{
	uint32_t next;

	if (is_crowded(s))
		return s->first;
	next = pick(s, s->shared < MOST_SHARED);
	if (next == UINT32_MAX)
		next = pick(s, true);
	return next == UINT32_MAX ? s->first : next;
}

/* The loads that the instruction is the first to read. */
static void note_reads(struct schedule *s, uint32_t i)
{
	for (unsigned e = 0; e < s->nodes[i].nbefore; e++) {
		uint32_t from = s->nodes[i].before[e];
		const struct machine_inst *load = &s->code[from];

		if (!is_load(load) || s->nodes[from].read ||
		    !overlaps(load->dst, load->ndst, s->code[i].src, s->code[i].nsrc))
			continue;
		s->nodes[from].read = true;
		s->in_flight -= load->ndst;
		s->shared -= is_shared_load(load) ? load->ndst : 0;
	}
}

static void issue(struct schedule *s, uint32_t i)
{
	struct node *v = &s->nodes[i];
	uint32_t ready = ready_at(s->nodes, v);

	if (ready > s->now && ready != UINT32_MAX)
		s->now = ready;
	v->done = true;
	v->issued = s->now++;
	note_reads(s, i);
	if (is_load(&s->code[i])) {
		s->in_flight += s->code[i].ndst;
		s->shared += is_shared_load(&s->code[i]) ? s->code[i].ndst : 0;
	}
}

static void schedule_part(const struct lower *l, struct machine_inst *code, uint32_t n)
{
	struct machine_inst *in_order = xmalloc(n * sizeof *in_order);
	struct schedule s = {.l = l, .code = code, .nodes = xcalloc(n, sizeof *s.nodes), .n = n};

	find_edges(l, code, s.nodes, n);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t next;

		while (s.nodes[s.first].done)
			s.first++;
		next = next_of(&s);
		issue(&s, next);
		in_order[k] = code[next];
	}
	memcpy(code, in_order, n * sizeof *code);
	xfree(s.nodes);
	xfree(in_order);
}

void schedule_code(const struct lower *l, struct machine_inst *code, size_t n)
{
	uint32_t from = 0;

	for (uint32_t i = 0; i <= n; i++) {
		if (i < n && !is_pinned(&code[i]))
			continue;
		if (i - from > 1)
			schedule_part(l, code + from, i - from);
		from = i + 1;
	}
}
