/*
 * Finds where threads that part at a branch meet again. That is the branch's immediate post-dominator, unless some path
 * from the branch leaves the function before the others have met: a return, an exit or a trap in one arm would keep all
 * threads apart until the end. No thread waits for threads that leave, so such paths do not count.
 *
 *	if (odd) {                 ways: odd, return; odd, meet, end; even, meet, end
 *		if (bad)           post-dominator of the branch at `odd`: none
 *			return;    without the first way: `meet`
 *	} else { .. }
 *	meet: ..
 *
 * Which ways are the early ones has no answer in general. Each block is of the part of one of the exits that it can
 * reach, and only ways inside the part count. The exits take their turns by how many blocks lead to them alone, on ways
 * that do not go back; of as many, the last one in the text is first. Traps come last. A block with nothing but `ret`
 * or `exit` is the exit itself, to which compilers lead all returns.
 *
 * Threads that part in a loop meet in the same round, or behind the loop: ways that come round to the branch again do
 * not make two arms meet at the start of one of them.
 */
#include "ptx-analyzer/flow/meet.h"
#include "common/xalloc.h"

#include <stdlib.h>
#include <string.h>

struct exit {
	uint32_t block, alone; /* blocks that lead to it alone */
	bool traps;
};

struct search {
	const struct ptx_function *f;
	uint32_t *only; /* block -> 1 + the only exit that it reaches going forward, or a value below */
	struct exit *exits;
	uint32_t nexits;
	uint32_t *part; /* block -> the exit that it belongs to */
	uint32_t *loop; /* block -> the first block of the innermost loop around it, or PTX_NONE; see find_loops */
};
enum { REACHES_NOTHING = 0, REACHES_SEVERAL = UINT32_MAX, DEEPEST_LOOP = 64 };

static bool is_forward(const struct ptx_function *f, uint32_t from, uint32_t to)
{
	return f->blocks[from].rpo < f->blocks[to].rpo;
}

static const struct ptx_inst *last_of(const struct ptx_function *f, uint32_t block)
{
	const struct ptx_block *b = &f->blocks[block];

	return b->count ? &f->insts[b->first + b->count - 1] : NULL;
}

static bool is_mere_exit(const struct ptx_function *f, uint32_t block)
{
	const struct ptx_inst *last = last_of(f, block);

	return f->blocks[block].count == 1 && last->predicate == PTX_NONE &&
	       (last->opcode->cls == PTX_CLASS_RETURN || last->opcode->cls == PTX_CLASS_EXIT);
}

static bool leads_out(const struct ptx_function *f, uint32_t block)
{
	if (leaves_function(f, block))
		return true;
	for (uint32_t s = 0; s < f->blocks[block].nsucc; s++)
		if (is_mere_exit(f, f->blocks[block].succ[s]))
			return true;
	return false;
}

static void find_exits(struct search *s)
{
	for (uint32_t b = 0; b < s->f->nblocks; b++) {
		const struct ptx_inst *last = last_of(s->f, b);

		if (s->f->blocks[b].reachable && !is_mere_exit(s->f, b) && leads_out(s->f, b))
			s->exits[s->nexits++] = (struct exit){b, 0, last && last->opcode->op == PTX_OP_trap};
	}
}

/* Passes on to a block's predecessors which exit the block reaches, at most twice for each block. */
static void spread(struct search *s, uint32_t *stack, uint32_t depth)
{
	while (depth) {
		uint32_t b = stack[--depth], what = s->only[b];

		for (uint32_t p = 0; p < s->f->blocks[b].npred; p++) {
			uint32_t pred = s->f->blocks[b].pred[p], old = s->only[pred];

			if (!s->f->blocks[pred].reachable || old == what || old == REACHES_SEVERAL ||
			    !is_forward(s->f, pred, b))
				continue;
			s->only[pred] = old == REACHES_NOTHING ? what : REACHES_SEVERAL;
			stack[depth++] = pred;
		}
	}
}

/* A block from which every edge goes back: there a round of a loop ends. */
static bool ends_round(const struct ptx_function *f, uint32_t block)
{
	const struct ptx_block *b = &f->blocks[block];

	for (uint32_t i = 0; i < b->nsucc; i++)
		if (is_forward(f, block, b->succ[i]))
			return false;
	return b->reachable && b->nsucc;
}

static void label(struct search *s, uint32_t *stack, uint32_t block, uint32_t what)
{
	s->only[block] = s->only[block] == REACHES_NOTHING ? what : REACHES_SEVERAL;
	stack[0] = block;
	spread(s, stack, 1);
}

static void count_alone(struct search *s)
{
	uint32_t *stack = xmalloc(((size_t)s->f->nblocks * 2 + 1) * sizeof *stack);

	for (uint32_t e = 0; e < s->nexits; e++)
		label(s, stack, s->exits[e].block, e + 1);
	for (uint32_t b = 0; b < s->f->nblocks; b++)
		if (ends_round(s->f, b))
			label(s, stack, b, s->nexits + 1);
	for (uint32_t b = 0; b < s->f->nblocks; b++)
		if (s->only[b] != REACHES_NOTHING && s->only[b] <= s->nexits)
			s->exits[s->only[b] - 1].alone++;
	free(stack);
}

static int compare_exits(const void *a, const void *b)
{
	const struct exit *x = a, *y = b;

	if (x->traps != y->traps)
		return x->traps ? 1 : -1;
	if (x->alone != y->alone)
		return x->alone > y->alone ? -1 : 1;
	return x->block > y->block ? -1 : 1;
}

/* Finds the exit that each block belongs to: the first exit that it reaches. */
static void find_parts(struct search *s)
{
	const struct ptx_function *f = s->f;
	uint32_t *stack = xmalloc(f->nblocks * sizeof *stack);

	memset(s->part, 0xff, f->nblocks * sizeof *s->part);
	for (uint32_t e = 0; e < s->nexits; e++) {
		uint32_t depth = 0, exit = s->exits[e].block;

		if (s->part[exit] == PTX_NONE) {
			s->part[exit] = exit;
			stack[depth++] = exit;
		}
		while (depth) {
			const struct ptx_block *b = &f->blocks[stack[--depth]];

			for (uint32_t p = 0; p < b->npred; p++)
				if (f->blocks[b->pred[p]].reachable && s->part[b->pred[p]] == PTX_NONE) {
					s->part[b->pred[p]] = exit;
					stack[depth++] = b->pred[p];
				}
		}
	}
	free(stack);
}

/* --- Loops, innermost first: each counts as a block of the loop around it --- */

static uint32_t whole(uint32_t *in, uint32_t block)
{
	while (in[block] != block) {
		in[block] = in[in[block]];
		block = in[block];
	}
	return block;
}

/*
 * Gathers the blocks that lead back to `first` on ways that stay behind it. `in`: the loop that contains a block so
 * far.
 */
static void gather_loop(struct search *s, uint32_t first, uint32_t *in, uint32_t *stack)
{
	const struct ptx_function *f = s->f;
	uint32_t depth = 0;

	for (uint32_t p = 0; p < f->blocks[first].npred; p++) {
		uint32_t end = f->blocks[first].pred[p];

		if (f->blocks[end].reachable && !is_forward(f, end, first) && whole(in, end) != first) {
			uint32_t at = whole(in, end);

			s->loop[at] = in[at] = first;
			stack[depth++] = at;
		}
	}
	while (depth) {
		const struct ptx_block *b = &f->blocks[stack[--depth]];

		for (uint32_t p = 0; p < b->npred; p++) {
			uint32_t at = f->blocks[b->pred[p]].reachable ? whole(in, b->pred[p]) : first;

			if (at == first || f->blocks[at].rpo < f->blocks[first].rpo)
				continue;
			s->loop[at] = in[at] = first;
			stack[depth++] = at;
		}
	}
}

static bool is_loop(const struct ptx_function *f, uint32_t block)
{
	for (uint32_t p = 0; p < f->blocks[block].npred; p++)
		if (f->blocks[f->blocks[block].pred[p]].reachable && !is_forward(f, f->blocks[block].pred[p], block))
			return true;
	return false;
}

/* For the first block of a loop, `loop` is the surrounding loop. */
static void find_loops(struct search *s)
{
	const struct ptx_function *f = s->f;
	uint32_t *in = xmalloc(f->nblocks * sizeof *in), *stack = xmalloc(f->nblocks * sizeof *stack);
	uint32_t *by_rpo = xmalloc(f->nblocks * sizeof *by_rpo), n = 0;

	memset(s->loop, 0xff, f->nblocks * sizeof *s->loop);
	for (uint32_t b = 0; b < f->nblocks; b++) {
		in[b] = b;
		if (f->blocks[b].reachable) {
			by_rpo[f->blocks[b].rpo] = b;
			n++;
		}
	}
	while (n--)
		if (is_loop(f, by_rpo[n]))
			gather_loop(s, by_rpo[n], in, stack);
	free(in);
	free(stack);
	free(by_rpo);
}

/* Whether `block` is outside the innermost loop around the branch; false if the search does not find that soon. */
static bool is_behind_loop(const struct search *s, uint32_t branch, uint32_t block)
{
	uint32_t loop = is_loop(s->f, branch) ? branch : s->loop[branch];

	for (unsigned depth = 0; depth < DEEPEST_LOOP; depth++) {
		if (block == PTX_NONE)
			return loop != PTX_NONE;
		if (block == loop)
			return false;
		block = s->loop[block];
	}
	return false;
}

/* --- The place where they meet --- */

/* The ways from a block on which threads can meet: those that stay in its part. */
static unsigned ways(const struct search *s, uint32_t block, bool forward)
{
	const struct ptx_block *b = &s->f->blocks[block];
	unsigned n = 0;

	for (uint32_t i = 0; i < b->nsucc; i++)
		n += s->part[b->succ[i]] == s->part[block] && (!forward || is_forward(s->f, block, b->succ[i]));
	return n;
}

/* Marks the blocks where ways end: a part's exit, and with `forward` also a block where a round of a loop may end. */
static void find_ends(const struct search *s, bool forward, bool *ends)
{
	for (uint32_t b = 0; b < s->f->nblocks; b++)
		ends[b] = s->part[b] == b || (forward && ways(s, b, true) < ways(s, b, false));
}

static void meet_early(struct ptx_function *f, const struct search *s)
{
	uint32_t *in_round = xmalloc(f->nblocks * sizeof *in_round), *at_all = xmalloc(f->nblocks * sizeof *at_all);
	bool *ends = xmalloc(f->nblocks * sizeof *ends);
	struct dominance way = {.exits = ends, .part = s->part};

	find_ends(s, false, ends);
	post_dominators(f, &way, at_all);
	way.forward = true;
	find_ends(s, true, ends);
	post_dominators(f, &way, in_round);
	for (uint32_t b = 0; b < f->nblocks; b++) {
		uint32_t ipdom = f->blocks[b].ipdom;

		if (s->part[b] == PTX_NONE || (ipdom != PTX_NONE && !is_mere_exit(f, ipdom)))
			continue;
		if (in_round[b] != PTX_NONE && ways(s, b, true) > 1)
			f->blocks[b].meet = in_round[b];
		else if (at_all[b] != PTX_NONE && ways(s, b, false) > 1 && is_behind_loop(s, b, at_all[b]))
			f->blocks[b].meet = at_all[b];
	}
	free(in_round);
	free(at_all);
	free(ends);
}

void find_meets(struct ptx_function *f)
{
	uint32_t *memory = xcalloc((size_t)f->nblocks * 3, sizeof *memory);
	struct search s = {
	    .f = f, .only = memory, .part = memory + f->nblocks, .loop = memory + 2 * (size_t)f->nblocks};

	s.exits = xmalloc(f->nblocks * sizeof *s.exits);
	find_exits(&s);
	if (s.nexits > 1) {
		count_alone(&s);
		qsort(s.exits, s.nexits, sizeof *s.exits, compare_exits);
		find_parts(&s);
		find_loops(&s);
		meet_early(f, &s);
	}
	free(memory);
	free(s.exits);
}
