/* A function's control flow as text. This file computes dominators itself, since only this text shows them. */
#include "ptx-analyzer/flow/flow_dump.h"
#include "ptx-analyzer/language/text/ptx_text.h"

#include <inttypes.h>
#include <stdlib.h>

void dump_function_name(const struct ptx_function *f, struct strbuf *out)
{
	strbuf_addf(out, "%s %s, line %" PRIu32, f->is_kernel ? ".entry" : ".func", f->name, f->line);
}

void dump_inst(const struct ptx_function *f, uint32_t inst, struct strbuf *out)
{
	strbuf_addf(out, "%8" PRIu32 "  ", f->insts[inst].line);
	ptx_print_inst(f, &f->insts[inst], out);
}

/* --- Dominators --- */

/* The block that dominates both and is nearest; every step goes to an earlier block in reverse post-order. */
static uint32_t common_dominator(const struct ptx_function *f, const uint32_t *idom, uint32_t a, uint32_t b)
{
	while (a != b) {
		while (f->blocks[a].rpo > f->blocks[b].rpo)
			a = idom[a];
		while (f->blocks[b].rpo > f->blocks[a].rpo)
			b = idom[b];
	}
	return a;
}

static uint32_t dominator_of(const struct ptx_function *f, const uint32_t *idom, const struct ptx_block *b)
{
	uint32_t found = PTX_NONE;

	for (uint32_t i = 0; i < b->npred; i++) {
		uint32_t from = b->pred[i];

		if (!f->blocks[from].reachable || idom[from] == PTX_NONE)
			continue;
		found = found == PTX_NONE ? from : common_dominator(f, idom, found, from);
	}
	return found;
}

/* Immediate dominators; PTX_NONE for unreachable blocks. The entry's is the entry itself. */
static uint32_t *find_dominators(const struct ptx_function *f)
{
	uint32_t *idom = xmalloc((f->nblocks + 1) * sizeof *idom), *order = xmalloc((f->nblocks + 1) * sizeof *order);
	uint32_t reached = 0;
	bool again = true;

	for (uint32_t i = 0; i < f->nblocks; i++) {
		idom[i] = PTX_NONE;
		if (f->blocks[i].reachable)
			order[f->blocks[i].rpo] = i;
		reached += f->blocks[i].reachable;
	}
	idom[0] = 0;
	while (again) {
		again = false;
		for (uint32_t i = 1; i < reached; i++) {
			uint32_t now = dominator_of(f, idom, &f->blocks[order[i]]);

			again |= idom[order[i]] != now;
			idom[order[i]] = now;
		}
	}
	free(order);
	return idom;
}

/* --- Text --- */

static void add_blocks(struct strbuf *out, const uint32_t *blocks, uint32_t count, const char *none)
{
	if (!count)
		strbuf_addf(out, " %s", none);
	for (uint32_t i = 0; i < count; i++)
		strbuf_addf(out, "%s %" PRIu32, i ? "," : "", blocks[i]);
}

static void add_block(struct strbuf *out, uint32_t block)
{
	if (block == PTX_NONE)
		strbuf_adds(out, "the end");
	else
		strbuf_addf(out, "%" PRIu32, block);
}

static void add_labels(struct strbuf *out, const struct ptx_function *f, uint32_t inst)
{
	for (uint32_t i = 0; i < f->nlabels; i++)
		if (f->labels[i] == inst)
			strbuf_addf(out, " %s", f->label_names[i]);
}

static void add_edges(struct strbuf *out, const struct ptx_function *f, uint32_t index, uint32_t dominator)
{
	const struct ptx_block *b = &f->blocks[index];

	if (!b->reachable) {
		strbuf_adds(out, ": not reached");
		return;
	}
	strbuf_adds(out, ": from");
	add_blocks(out, b->pred, b->npred, "the start");
	strbuf_adds(out, "; to");
	add_blocks(out, b->succ, b->nsucc, "the end");
	if (index)
		strbuf_addf(out, "; dominator %" PRIu32, dominator);
	strbuf_adds(out, "; post-dominator ");
	add_block(out, b->ipdom);
	if (b->nsucc > 1) {
		strbuf_adds(out, "; lanes meet at ");
		add_block(out, b->meet);
	}
}

void dump_cfg(const struct ptx_function *f, struct strbuf *out)
{
	uint32_t *idom = find_dominators(f);

	dump_function_name(f, out);
	strbuf_addf(out, ": %" PRIu32 " instructions in %" PRIu32 " block%s\n", f->ninsts, f->nblocks,
		    f->nblocks == 1 ? "" : "s");
	for (uint32_t i = 0; i < f->nblocks; i++) {
		const struct ptx_block *b = &f->blocks[i];

		strbuf_addf(out, "  block %" PRIu32, i);
		add_labels(out, f, b->first);
		add_edges(out, f, i, idom[i]);
		strbuf_addc(out, '\n');
		for (uint32_t k = 0; k < b->count; k++) {
			dump_inst(f, b->first + k, out);
			strbuf_addc(out, '\n');
		}
	}
	free(idom);
}
