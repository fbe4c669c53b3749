/*
 * Copies of functions: what belongs to a function is copied, down to the operands that name its own variables; opcodes,
 * positions and texts are shared.
 */
#include "ptx-analyzer/language/module/ptx_clone.h"

#include "ptx-analyzer/language/module/ptx_private.h"

#include "common/xalloc.h"

#include <stdlib.h>
#include <string.h>

bool ptx_can_clone(const struct ptx_module *m, uint32_t function)
{
	const struct ptx_function *f = &m->functions[function];

	for (uint32_t i = 0; i < f->nvariables; i++) {
		enum ptx_space space = m->symbols[f->variables[i]].space;

		if (space != PTX_SPACE_LOCAL && space != PTX_SPACE_PARAM && space != PTX_SPACE_REG)
			return false;
	}
	return !f->is_kernel && !f->is_declaration;
}

/* --- Symbols --- */

/* A copy being made: for each symbol of the original, the symbol that replaces it; 0 = the symbol itself. */
struct copying {
	struct ptx_module *m;
	uint32_t *stands_for;
};

static uint32_t add_symbol(struct ptx_module *m, struct ptx_symbol s)
{
	struct ptx_symbol *all = arena_array(&m->arena, struct ptx_symbol, m->nsymbols + 1);

	memcpy(all, m->symbols, m->nsymbols * sizeof *all);
	all[m->nsymbols] = s;
	m->symbols = all;
	return m->nsymbols++;
}

static uint32_t *copy_symbols(const struct copying *c, const uint32_t *ids, uint32_t count, uint32_t owner)
{
	uint32_t *copies = arena_array(&c->m->arena, uint32_t, count);

	for (uint32_t i = 0; i < count; i++) {
		struct ptx_symbol s = c->m->symbols[ids[i]];

		s.function = owner;
		copies[i] = add_symbol(c->m, s);
		c->stands_for[ids[i]] = copies[i];
	}
	return copies;
}

/* --- Bodies --- */

static struct ptx_operand copy_operand(const struct copying *c, struct ptx_operand o)
{
	struct ptx_operand *elems;

	if (o.kind == PTX_OPERAND_SYMBOL && c->stands_for[o.id])
		o.id = c->stands_for[o.id];
	if (!o.count || (o.flags & PTX_FLAG_COMPONENT))
		return o;
	elems = arena_array(&c->m->arena, struct ptx_operand, o.count);
	for (unsigned i = 0; i < o.count; i++)
		elems[i] = copy_operand(c, o.elems[i]);
	o.elems = elems;
	return o;
}

static struct ptx_inst *copy_insts(const struct copying *c, const struct ptx_function *f)
{
	struct ptx_inst *insts = arena_memdup(&c->m->arena, f->insts, f->ninsts * sizeof *insts);

	for (uint32_t i = 0; i < f->ninsts; i++) {
		struct ptx_operand *operands = arena_array(&c->m->arena, struct ptx_operand, insts[i].noperands);

		for (unsigned o = 0; o < insts[i].noperands; o++)
			operands[o] = copy_operand(c, insts[i].operands[o]);
		insts[i].operands = operands;
	}
	return insts;
}

static bool *find_targets(const struct ptx_function *f)
{
	bool *is_target = xcalloc(f->nlabels + 1, sizeof *is_target);

	for (uint32_t i = 0; i < f->ninsts; i++)
		for (unsigned o = 0; o < f->insts[i].noperands; o++)
			if (f->insts[i].operands[o].kind == PTX_OPERAND_LABEL)
				is_target[f->insts[i].operands[o].id] = true;
	for (uint32_t i = 0; i < f->ndecorations; i++) {
		const struct ptx_symbol *s;

		if (f->decorations[i].kind != DECOR_TARGETS)
			continue;
		s = &f->module->symbols[f->decorations[i].id];
		for (uint32_t t = 0; s->targets_are_labels && t < s->ntargets; t++)
			is_target[s->targets[t]] = true;
	}
	return is_target;
}

/* Only debug information names a label that no branch goes to. It must stay unique, so the copy leaves it out. */
static void copy_decorations(const struct copying *c, const struct ptx_function *f, struct ptx_function *copy)
{
	bool *is_target = find_targets(f);

	copy->decorations = arena_array(&c->m->arena, struct ptx_decoration, f->ndecorations);
	copy->ndecorations = 0;
	for (uint32_t i = 0; i < f->ndecorations; i++) {
		struct ptx_decoration d = f->decorations[i];

		if (d.kind == DECOR_LABEL && !is_target[d.id])
			continue;
		if (d.kind == DECOR_VARIABLE && c->stands_for[d.id])
			d.id = c->stands_for[d.id];
		copy->decorations[copy->ndecorations++] = d;
	}
	free(is_target);
}

/* --- Functions --- */

/* Puts the copy's item before the original's. */
static void add_item(struct ptx_module *m, uint32_t original, uint32_t copy)
{
	struct ptx_private *priv = ptx_private(m);
	struct item *items = arena_array(&m->arena, struct item, priv->nitems + 1);
	uint32_t n = 0;

	for (uint32_t i = 0; i < priv->nitems; i++) {
		if (priv->items[i].kind == ITEM_FUNCTION && priv->items[i].id == original)
			items[n++] = (struct item){ITEM_FUNCTION, copy, 0, NULL};
		items[n++] = priv->items[i];
	}
	priv->items = items;
	priv->nitems = n;
}

/* A declaration or the definition. */
static uint32_t copy_function(struct ptx_module *m, uint32_t original, uint32_t symbol)
{
	struct ptx_function *all = arena_array(&m->arena, struct ptx_function, m->nfunctions + 1);
	struct copying c = {m, xcalloc(m->nsymbols, sizeof *c.stands_for)};
	uint32_t index = m->nfunctions;
	const struct ptx_function *f;
	struct ptx_function *copy = &all[index];

	memcpy(all, m->functions, m->nfunctions * sizeof *all);
	m->functions = all;
	m->nfunctions++;
	f = &m->functions[original];
	*copy = *f;
	copy->name = m->symbols[symbol].name;
	copy->symbol = symbol;
	copy->linkage = PTX_LINK_NONE;
	copy->blocks = NULL;
	copy->nblocks = 0;
	copy->params = copy_symbols(&c, f->params, f->nparams, index);
	copy->returns = copy_symbols(&c, f->returns, f->nreturns, index);
	copy->variables = copy_symbols(&c, f->variables, f->nvariables, index);
	copy->insts = copy_insts(&c, f);
	copy_decorations(&c, f, copy);
	add_item(m, original, index);
	free(c.stands_for);
	return index;
}

uint32_t ptx_clone_function(struct ptx_module *m, uint32_t function, const char *name)
{
	struct ptx_symbol s = m->symbols[m->functions[function].symbol];
	uint32_t original = m->functions[function].symbol, n = m->nfunctions, symbol, copy = PTX_NONE;

	s.name = arena_strdup(&m->arena, name);
	s.linkage = PTX_LINK_NONE;
	symbol = add_symbol(m, s);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t index;

		if (m->functions[i].symbol != original)
			continue;
		index = copy_function(m, i, symbol);
		if (i == function)
			copy = index;
	}
	m->symbols[symbol].callee = copy;
	return copy;
}

void ptx_redirect_calls(struct ptx_module *m, uint32_t caller, uint32_t from, uint32_t to)
{
	struct ptx_function *f = &m->functions[caller];

	for (uint32_t i = 0; i < f->ninsts; i++)
		for (unsigned o = 0; f->insts[i].opcode->op == PTX_OP_call && o < f->insts[i].noperands; o++) {
			struct ptx_operand *operand = &f->insts[i].operands[o];

			if (operand->kind == PTX_OPERAND_SYMBOL && operand->id == m->functions[from].symbol &&
			    ptx_operand_role(&f->insts[i], o) == PTX_ROLE_CALLEE)
				operand->id = m->functions[to].symbol;
		}
}
