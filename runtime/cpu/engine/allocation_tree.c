/*
 * A treap: a tree by address, and a heap by a number that is computed from the address. So its shape is a random
 * tree's, yet the same in every run.
 */
#include "runtime/cpu/engine/allocation_tree.h"

#include "common/integer.h"

static uint64_t priority(const struct allocation *a)
{
	uint64_t z = a->address * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 32) * UINT64_C(0xd6e8feb86659fd93);
	return z ^ z >> 32;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Recomputes first, end and gap of `a` from its two children. */
static struct allocation *update(struct allocation *a)
{
	uint64_t end = allocation_end(a);

	a->first = a->address;
	a->end = end;
	a->gap = 0;
	if (a->left) {
		a->first = a->left->first;
		a->gap = larger(a->left->gap, a->address - a->left->end);
	}
	if (a->right) {
		a->end = a->right->end;
		a->gap = larger(a->gap, larger(a->right->gap, a->right->first - end));
	}
	return a;
}

/* Splits a tree into the allocations below `address` and the others. */
static void split(struct tree *t, struct allocation *a, uint64_t address, struct allocation **below,
		  struct allocation **above)
{
	if (!a) {
		*below = *above = NULL;
		return;
	}
	t->steps++;
	if (a->address < address) {
		split(t, a->right, address, &a->right, above);
		*below = update(a);
	} else {
		split(t, a->left, address, below, &a->left);
		*above = update(a);
	}
}

static struct allocation *merge(struct tree *t, struct allocation *below, struct allocation *above)
{
	if (!below || !above)
		return below ? below : above;
	t->steps++;
	if (priority(below) > priority(above)) {
		below->right = merge(t, below->right, above);
		return update(below);
	}
	above->left = merge(t, below, above->left);
	return update(above);
}

static struct allocation *add(struct tree *t, struct allocation *at, struct allocation *a)
{
	t->steps++;
	if (!at || priority(a) > priority(at)) {
		split(t, at, a->address, &a->left, &a->right);
		return update(a);
	}
	if (a->address < at->address)
		at->left = add(t, at->left, a);
	else
		at->right = add(t, at->right, a);
	return update(at);
}

void tree_add(struct tree *t, struct allocation *a)
{
	t->root = add(t, t->root, a);
	t->count++;
}

static struct allocation *take(struct tree *t, struct allocation *at, uint64_t address, struct allocation **taken)
{
	if (!at)
		return NULL;
	t->steps++;
	if (at->address == address) {
		*taken = at;
		return merge(t, at->left, at->right);
	}
	if (address < at->address)
		at->left = take(t, at->left, address, taken);
	else
		at->right = take(t, at->right, address, taken);
	return update(at);
}

struct allocation *tree_remove(struct tree *t, uint64_t address)
{
	struct allocation *taken = NULL;

	t->root = take(t, t->root, address, &taken);
	t->count -= taken != NULL;
	return taken;
}

struct allocation *tree_below(const struct tree *t, uint64_t address)
{
	struct allocation *found = NULL;

	for (struct allocation *a = t->root; a; a = a->address <= address ? a->right : a->left)
		if (a->address <= address)
			found = a;
	return found;
}

struct allocation *tree_above(const struct tree *t, uint64_t address)
{
	struct allocation *found = NULL;

	for (struct allocation *a = t->root; a; a = a->address > address ? a->left : a->right)
		if (a->address > address)
			found = a;
	return found;
}

/* Finds room between `low`, where the allocation before the gap ends, and `high`, where the next one begins. */
static bool fits(uint64_t low, uint64_t high, const struct gap_request *r, uint64_t *address)
{
	uint64_t start = round_up(larger(low, r->from), r->align);

	high = high < r->end ? high : r->end;
	if (start >= high || high - start < r->size)
		return false;
	*address = start;
	return true;
}

/* Looks through the gaps of a part of the tree, between `low` and `high`, in order; most parts have none that fits. */
static bool search(struct tree *t, const struct allocation *a, uint64_t low, uint64_t high, const struct gap_request *r,
		   uint64_t *address)
{
	if (!a)
		return fits(low, high, r, address);
	t->steps++;
	if (high <= r->from || larger(a->gap, larger(a->first - low, high - a->end)) < r->size)
		return false;
	return search(t, a->left, low, a->address, r, address) ||
	       search(t, a->right, allocation_end(a), high, r, address);
}

bool tree_gap(struct tree *t, const struct gap_request *request, uint64_t *address)
{
	return search(t, t->root, 0, request->end, request, address);
}
