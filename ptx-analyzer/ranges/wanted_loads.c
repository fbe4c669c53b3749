/*
 * Loads that addresses depend on: an address is computed from their number, or it is compared with what addresses are
 * computed from, as the end of a row in a sparse matrix. Others bring data, and nobody looks for theirs.
 */
#include "ptx-analyzer/ranges/nodes.h"
#include "ptx-analyzer/ranges/ranges.h"

struct wanted {
	const struct kernel_ranges *k;
	bool *seen; /* per node */
	VEC(node_id) work;
};

static void want(struct wanted *w, node_id id)
{
	if (id == NO_NODE || w->seen[id])
		return;
	w->seen[id] = true;
	vec_push(&w->work, id);
}

/* What a loop's variable is depends on the number of rounds. */
static void want_tests(struct wanted *w, const struct range_node *phi)
{
	const struct kernel_ranges *k = w->k;
	uint32_t loop = phi->induction ? k->loop_of[phi->block] : PTX_NONE;

	if (loop == PTX_NONE)
		return;
	for (uint32_t i = 0; i < k->loops.data[loop].ntests; i++) {
		const struct fact *f = &k->facts.data[k->tests.data[k->loops.data[loop].test + i].fact];

		want(w, f->subject);
		want(w, f->other);
	}
}

static void want_operands(struct wanted *w, const struct range_node *n)
{
	const struct kernel_ranges *k = w->k;

	for (uint32_t i = 0; i < n->nbounds; i++)
		want(w, k->facts.data[k->bounds.data[n->bounds + i].fact].other);
	for (uint32_t i = n->alternatives; i < n->alternatives + n->nalternatives; i++)
		want(w, k->alternatives.data[i].is);
	if (n->op == NODE_PHI) {
		for (uint32_t i = 0; i < k->function->blocks[n->block].npred; i++)
			want(w, n->args[i]);
		want_tests(w, n);
	} else if (n->op > NODE_PHI) {
		want(w, n->op == NODE_SELECT ? NO_NODE : n->a);
		want(w, n->b);
		want(w, n->c);
	}
}

void find_wanted_loads(struct kernel_ranges *k)
{
	struct wanted w = {.k = k, .seen = xcalloc(k->nodes.len + 1, sizeof *w.seen)};

	for (size_t i = 0; i < k->accesses.len; i++)
		want(&w, k->accesses.data[i].address);
	while (w.work.len)
		want_operands(&w, &k->nodes.data[vec_pop(&w.work)]);
	for (size_t i = 0; i < k->loads.len; i++)
		k->loads.data[i].wanted = w.seen[k->loads.data[i].node];
	vec_release(&w.work);
	free(w.seen);
}

static int compare_insts(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

void ptx_ranges_depend_on(const struct kernel_ranges *k, uint32_t inst, inst_list *loads)
{
	struct wanted w = {.k = k, .seen = xcalloc(k->nodes.len + 1, sizeof *w.seen)};
	uint32_t access = k->known ? k->access_of[inst] : PTX_NONE;
	size_t n = 0;

	if (access != PTX_NONE)
		want(&w, k->accesses.data[access].address);
	while (w.work.len)
		want_operands(&w, &k->nodes.data[vec_pop(&w.work)]);
	for (size_t i = 0; i < k->loads.len; i++)
		if (w.seen[k->loads.data[i].node])
			vec_push(loads, k->accesses.data[k->loads.data[i].access].inst);
	vec_release(&w.work);
	free(w.seen);
	if (loads->len)
		qsort(loads->data, loads->len, sizeof *loads->data, compare_insts);
	for (size_t i = 0; i < loads->len; i++)
		if (n == 0 || loads->data[n - 1] != loads->data[i])
			loads->data[n++] = loads->data[i];
	loads->len = n;
}
