/*
 * Blocks that are issued as one, since ptxas schedules them together: a block, the predicated arms behind it, and the
 * block where they meet, as often as they follow one another and nobody else comes in. A loop that is unrolled whole is
 * like a block.
 */
#include "lowering/lower.h"

#include "common/xalloc.h"

struct chains {
	struct selection *s;
	struct lower_block **of; /* of a block of the graph, where it is one block of the result; else NULL */
	bool *inside;            /* blocks of the graph that a region before them holds */
};

enum { MOST_INSTRUCTIONS = 1024 };

static void match_blocks(struct chains *c, uint32_t first, uint32_t count)
{
	for (uint32_t i = first; i < first + count; i++) {
		struct lower_block *b = &c->s->l->blocks[i];
		uint32_t id = b->count ? c->s->f->insts[b->first].block : PTX_NONE;

		if (id != PTX_NONE && c->s->f->blocks[id].count == b->count)
			c->of[id] = b;
	}
}

static uint32_t graph_block(const struct chains *c, const struct lower_block *b)
{
	return c->s->f->insts[b->first].block;
}

struct lower_region *lower_add_region(struct lower *l)
{
	struct lower_region *r = arena_alloc(&l->arena, sizeof *r);

	*r = (struct lower_region){.next = l->regions};
	l->regions = r;
	return r;
}

void lower_add_part(struct lower_region *r, const struct lower *l, const struct lower_block *b, bool optional)
{
	r->parts[r->nparts++] = (struct machine_part){.block = (uint32_t)(b - l->blocks), .optional = optional};
}

/* `first`: the part that the instructions' parts count from. */
static void append(struct lower_region *r, const struct machine_inst *code, size_t n, uint32_t first)
{
	for (size_t i = 0; i < n; i++) {
		vec_push(&r->code, code[i]);
		vec_last(&r->code).part = (uint8_t)(first + code[i].part);
	}
}

static void add(struct chains *c, struct lower_region *r, const struct lower_block *b, bool optional)
{
	lower_add_part(r, c->s->l, b, optional);
	append(r, b->code.data, b->code.len, r->nparts - 1);
}

static void add_copies(struct chains *c, struct lower_region *r, const struct lower_block *loop)
{
	uint32_t first = r->nparts;

	for (uint32_t i = 0; i < loop->region->nparts; i++)
		lower_add_part(r, c->s->l, loop, false);
	append(r, loop->region->code.data, loop->region->code.len, first);
}

static unsigned arms_of(const struct lower_block *b)
{
	return b->arm[0] == MACHINE_NO_BLOCK ? 0 : b->arm[1] == MACHINE_NO_BLOCK ? 1 : 2;
}

/* Where a block goes in each case, through its arms or past them; PTX_NONE if that is not one place. */
static uint32_t place_behind(const struct chains *c, const struct lower_block *b)
{
	const struct ptx_block *p = &c->s->f->blocks[graph_block(c, b)];

	if (b->whole)
		return p->succ[p->succ[0] == graph_block(c, b)];
	if (arms_of(b))
		p = &c->s->f->blocks[graph_block(c, &c->s->l->blocks[b->arm[0]])];
	return p->nsucc == 1 ? p->succ[0] : PTX_NONE;
}

static bool comes_from(const struct chains *c, uint32_t pred, const struct lower_block *b)
{
	bool found = pred == graph_block(c, b);

	for (unsigned k = 0; k < arms_of(b); k++)
		found |= pred == graph_block(c, &c->s->l->blocks[b->arm[k]]);
	return found;
}

/* The block that is issued behind `b` in each case and never otherwise, or NULL. */
static struct lower_block *block_behind(const struct chains *c, const struct lower_block *b)
{
	uint32_t id = place_behind(c, b);

	if (id == PTX_NONE || id == 0 || !c->of[id] || (c->of[id]->region && !c->of[id]->whole))
		return NULL;
	for (uint32_t i = 0; i < c->s->f->blocks[id].npred; i++) {
		uint32_t pred = c->s->f->blocks[id].pred[i];

		if (!comes_from(c, pred, b) && !(c->of[id]->whole && pred == id))
			return NULL;
	}
	return c->of[id];
}

static bool has_room(const struct lower_region *r, const struct lower_block *b)
{
	uint32_t parts = b->whole ? b->region->nparts : 1 + arms_of(b);
	size_t size = b->whole ? b->region->code.len : b->code.len;

	return r->nparts + parts <= MACHINE_MAX_PARTS && r->code.len + size <= MOST_INSTRUCTIONS;
}

static void add_with_arms(struct chains *c, struct lower_region *r, const struct lower_block *b)
{
	if (b->whole) {
		add_copies(c, r, b);
		return;
	}
	add(c, r, b, false);
	for (unsigned k = 0; k < arms_of(b); k++)
		add(c, r, &c->s->l->blocks[b->arm[k]], true);
}

static void begin_region(struct chains *c, struct lower_block *head)
{
	struct lower_block *b = head, *next;
	struct lower_region *r;

	next = block_behind(c, b);
	if (!arms_of(head) && !next)
		return;
	r = head->region = lower_add_region(c->s->l);
	add_with_arms(c, r, b);
	for (; next && next != head && has_room(r, next); next = block_behind(c, b)) {
		b = next;
		c->inside[graph_block(c, b)] = true;
		add_with_arms(c, r, b);
	}
}

void find_regions(struct selection *s, uint32_t first, uint32_t count)
{
	uint32_t n = s->f->nblocks;
	struct chains c = {.s = s, .of = xcalloc(n + 1, sizeof *c.of), .inside = xcalloc(n + 1, sizeof *c.inside)};

	match_blocks(&c, first, count);
	for (uint32_t id = 0; id < n; id++)
		if (c.of[id] && !c.inside[id] && !c.of[id]->region && s->f->blocks[id].reachable)
			begin_region(&c, c.of[id]);
	xfree(c.of);
	xfree(c.inside);
}
