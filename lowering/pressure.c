/*
 * Registers that the machine code needs at its busiest instruction: those that are written and still read later,
 * followed through the graph. Constants of the bank and predicates need none.
 */
#include "lowering/lower.h"

#include "common/xalloc.h"

#include <string.h>

struct pressure {
	const struct lower *l;
	const struct ptx_function *f;
	uint32_t first, count;                       /* blocks of the result */
	size_t words;                                /* of a set of registers */
	uint64_t *in;                                /* per block of the graph */
	uint64_t *now, *predicates, *once, *written; /* once: that one instruction writes */
	uint32_t live, most;
};

static bool writes_predicate(const struct machine_inst *in)
{
	return in->op == MACHINE_ISETP || in->op == MACHINE_FSETP || in->op == MACHINE_DSETP ||
	       in->op == MACHINE_PLOP3 || in->op == MACHINE_HSETP2 || in->op == MACHINE_FCHK;
}

static bool has(const uint64_t *set, uint32_t reg)
{
	return set[reg / 64] >> reg % 64 & 1;
}

static void drop(struct pressure *p, uint32_t reg)
{
	if (!has(p->now, reg))
		return;
	p->now[reg / 64] &= ~(UINT64_C(1) << reg % 64);
	p->live -= !has(p->predicates, reg);
}

static void add(struct pressure *p, uint32_t reg)
{
	if (has(p->now, reg))
		return;
	p->now[reg / 64] |= UINT64_C(1) << reg % 64;
	p->live += !has(p->predicates, reg);
	if (p->live > p->most)
		p->most = p->live;
}

/* A predicated instruction may leave the register's old value, unless nobody else writes one. */
static void step(struct pressure *p, const struct machine_inst *in)
{
	for (unsigned i = 0; i < in->ndst; i++)
		if (!(in->flags & MACHINE_PREDICATED) || has(p->once, in->dst[i]))
			drop(p, in->dst[i]);
	for (unsigned i = 0; i < in->nsrc; i++)
		add(p, in->src[i]);
}

static void take_successors(struct pressure *p, const struct ptx_block *b)
{
	memset(p->now, 0, p->words * sizeof *p->now);
	p->live = 0;
	for (uint32_t s = 0; s < b->nsucc; s++)
		for (size_t k = 0; k < p->words; k++)
			for (uint64_t fresh = p->in [b->succ[s] * p->words + k]; fresh; fresh &= fresh - 1)
				add(p, (uint32_t)(k * 64) + (uint32_t)__builtin_ctzll(fresh));
}

/* The block of the graph that the code of `id` ends with: the last of its region. */
static uint32_t last_of(const struct pressure *p, uint32_t id)
{
	for (uint32_t b = p->first; b < p->first + p->count; b++) {
		const struct lower_region *r = p->l->blocks[b].region;

		if (r && p->l->blocks[b].count && p->f->insts[p->l->blocks[b].first].block == id)
			return p->f->insts[p->l->blocks[r->parts[r->nparts - 1].block].first].block;
	}
	return id;
}

/* The blocks of the result that the block of the graph is made of, from the last. True when more is live before it. */
static bool update(struct pressure *p, uint32_t id)
{
	uint64_t *in = p->in + id * p->words;
	bool changed;

	take_successors(p, &p->f->blocks[last_of(p, id)]);
	for (uint32_t b = p->first + p->count; b-- > p->first;) {
		const struct lower_block *block = &p->l->blocks[b];

		if (!block->count || p->f->insts[block->first].block != id)
			continue;
		for (size_t i = block->code.len; i-- && !block->region;)
			step(p, &block->code.data[i]);
		for (size_t i = block->region ? block->region->code.len : 0; i--;)
			step(p, &block->region->code.data[i]);
	}
	changed = memcmp(in, p->now, p->words * sizeof *in) != 0;
	memcpy(in, p->now, p->words * sizeof *in);
	return changed;
}

static void note_result(struct pressure *p, const struct machine_inst *in, uint32_t reg)
{
	uint64_t bit = UINT64_C(1) << reg % 64;

	if (writes_predicate(in))
		p->predicates[reg / 64] |= bit;
	if (p->written[reg / 64] & bit)
		p->once[reg / 64] &= ~bit;
	else
		p->once[reg / 64] |= bit;
	p->written[reg / 64] |= bit;
}

static void note_results(struct pressure *p, const struct machine_inst *code, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (unsigned k = 0; k < code[i].ndst; k++)
			note_result(p, &code[i], code[i].dst[k]);
}

static void find_results(struct pressure *p, uint32_t base)
{
	for (uint32_t b = p->first; b < p->first + p->count; b++) {
		const struct lower_block *block = &p->l->blocks[b];

		note_results(p, block->code.data, block->code.len);
		if (block->unrolled)
			note_results(p, block->region->code.data, block->region->code.len);
	}
	for (uint32_t r = 0; r < p->f->nregs; r++)
		if (p->f->regs[r].type == PTX_pred)
			p->predicates[(base + 2 * r) / 64] |= UINT64_C(1) << (base + 2 * r) % 64;
}

uint32_t lower_pressure(const struct selection *s, uint32_t first, uint32_t count)
{
	const struct lower *l = s->l;
	const struct ptx_function *f = s->f;
	struct pressure p = {.l = l, .f = f, .first = first, .count = count, .words = l->nregisters / 64 + 1};
	bool changed = true;

	p.in = xcalloc(f->nblocks * p.words + 1, sizeof *p.in);
	p.now = xcalloc(p.words, sizeof *p.now);
	p.predicates = xcalloc(p.words, sizeof *p.predicates);
	p.once = xcalloc(p.words, sizeof *p.once);
	p.written = xcalloc(p.words, sizeof *p.written);
	find_results(&p, s->base);
	while (changed) {
		changed = false;
		for (uint32_t b = f->nblocks; b-- > 0;)
			changed |= update(&p, b);
	}
	xfree(p.in);
	xfree(p.now);
	xfree(p.predicates);
	xfree(p.once);
	xfree(p.written);
	return p.most;
}
