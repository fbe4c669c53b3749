/*
 * Blocks in an order in which loops stay together, each behind its entry, and what follows a loop comes behind it. It
 * is Bourdoncle's weak topological order, in which only the jumps back to a loop's beginning lead backwards.
 */
#include "passes/shape/shape_passes.h"

#include "common/xalloc.h"
#include "passes/sets/map.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Deeper recursion than this could end the stack. */
enum { MOST_BLOCKS = 10000 };

enum { UNSEEN };
#define PLACED UINT32_MAX

struct walk {
	struct map index; /* of blocks, in the function's order */
	LLVMBasicBlockRef *blocks;
	uint32_t *number; /* in order of the visit, UNSEEN or PLACED */
	uint32_t *stack, depth, visits;
	LLVMBasicBlockRef *order; /* filled from its end */
	uint32_t first;
};

static uint32_t index_of(const struct walk *w, LLVMBasicBlockRef block)
{
	return map_get(&w->index, map_pointer_key(block));
}

static uint32_t visit(struct walk *w, uint32_t v);

/* The next successor of `v` before `bound` in the function's order, or MAP_NONE: whoever is visited last comes first.
 */
static uint32_t previous_successor(const struct walk *w, uint32_t v, uint32_t bound)
{
	LLVMValueRef last = LLVMGetBasicBlockTerminator(w->blocks[v]);
	unsigned count = last ? LLVMGetNumSuccessors(last) : 0;
	uint32_t best = MAP_NONE;

	for (unsigned i = 0; i < count; i++) {
		uint32_t successor = index_of(w, LLVMGetSuccessor(last, i));

		if (successor < bound && (best == MAP_NONE || successor > best))
			best = successor;
	}
	return best;
}

static void place(struct walk *w, uint32_t v)
{
	w->order[--w->first] = w->blocks[v];
}

/* The blocks of the loop that begins with `v`, and of those in it. */
static void visit_loop(struct walk *w, uint32_t v)
{
	for (uint32_t s = MAP_NONE; (s = previous_successor(w, v, s)) != MAP_NONE;)
		if (w->number[s] == UNSEEN)
			visit(w, s);
}

/* The number of the earliest block that `v` leads back to; its own if it is the beginning of a loop, or in none. */
static uint32_t visit(struct walk *w, uint32_t v)
{
	uint32_t earliest = w->number[v] = ++w->visits;
	bool in_loop = false;

	w->stack[w->depth++] = v;
	for (uint32_t s = MAP_NONE; (s = previous_successor(w, v, s)) != MAP_NONE;) {
		uint32_t reached = w->number[s] == UNSEEN ? visit(w, s) : w->number[s];

		if (reached <= earliest) {
			earliest = reached;
			in_loop = true;
		}
	}
	if (earliest != w->number[v])
		return earliest;
	while (w->stack[--w->depth] != v)
		w->number[w->stack[w->depth]] = UNSEEN;
	w->number[v] = PLACED;
	if (in_loop)
		visit_loop(w, v);
	place(w, v);
	return earliest;
}

static void walk_start(struct walk *w, LLVMValueRef function, uint32_t count)
{
	w->blocks = xcalloc(count, sizeof *w->blocks);
	w->order = xcalloc(count, sizeof *w->order);
	w->number = xcalloc(count, sizeof *w->number);
	w->stack = xcalloc(count, sizeof *w->stack);
	w->first = count;
	LLVMGetBasicBlocks(function, w->blocks);
	for (uint32_t i = 0; i < count; i++)
		map_put(&w->index, map_pointer_key(w->blocks[i]), i);
}

static void walk_release(struct walk *w)
{
	xfree(w->blocks);
	xfree(w->order);
	xfree(w->number);
	xfree(w->stack);
	map_release(&w->index);
}

void order_blocks(LLVMValueRef function)
{
	uint32_t count = LLVMCountBasicBlocks(function);
	struct walk w = {.index = MAP_INIT};

	if (count < 3 || count > MOST_BLOCKS)
		return;
	walk_start(&w, function, count);
	visit(&w, 0);
	/* Unreachable blocks stay behind. */
	for (uint32_t i = w.first + 1; i < count; i++)
		LLVMMoveBasicBlockAfter(w.order[i], w.order[i - 1]);
	walk_release(&w);
}
