/* An excerpt of a module: some of its functions, with declarations of all that they name. */
#include "ptx-analyzer/language/text/print.h"
#include "ptx-analyzer/language/text/ptx_text.h"

#include "common/xalloc.h"

struct excerpt {
	const struct ptx_module *m;
	bool *named; /* by symbol of the module */
};

/* --- What is named --- */

static void name_symbol(const struct excerpt *e, uint32_t symbol)
{
	if (symbol < e->m->nsymbols)
		e->named[symbol] = true;
}

static void name_operand(const struct excerpt *e, const struct ptx_operand *op)
{
	if (op->kind == PTX_OPERAND_SYMBOL)
		name_symbol(e, op->id);
	if (op->kind < PTX_OPERAND_MEM || op->kind > PTX_OPERAND_LIST)
		return;
	for (unsigned i = 0; i < op->count; i++)
		name_operand(e, &op->elems[i]);
}

static void name_targets(const struct excerpt *e, const struct ptx_symbol *s)
{
	for (uint32_t i = 0; i < s->ntargets && !s->targets_are_labels; i++)
		name_symbol(e, s->targets[i]);
}

/* Variables inside a function keep their initialisers, which may have addresses in them. */
static void name_addresses(const struct excerpt *e, const struct ptx_symbol *s)
{
	for (size_t i = 0; i < s->nrelocs; i++)
		name_symbol(e, s->relocs[i].symbol);
}

static void name_of_function(const struct excerpt *e, const struct ptx_function *f)
{
	for (uint32_t i = 0; i < f->ninsts; i++)
		for (unsigned k = 0; k < f->insts[i].noperands; k++)
			name_operand(e, &f->insts[i].operands[k]);
	for (uint32_t i = 0; i < f->ndecorations; i++)
		if (f->decorations[i].kind == DECOR_TARGETS)
			name_targets(e, &e->m->symbols[f->decorations[i].id]);
	for (uint32_t i = 0; i < f->nvariables; i++)
		name_addresses(e, &e->m->symbols[f->variables[i]]);
}

/* --- Printing --- */

/* Shared variables are laid out by whoever reads the excerpt, so they stay definitions. */
static void print_variables(const struct excerpt *e, struct strbuf *out)
{
	for (uint32_t i = 0; i < e->m->nsymbols; i++) {
		const struct ptx_symbol *s = &e->m->symbols[i];

		if (e->named[i] && s->kind == PTX_SYMBOL_VARIABLE && s->function == PTX_NONE)
			print_variable(out, e->m, s, s->space != PTX_SPACE_SHARED && s->linkage != PTX_LINK_COMMON);
	}
}

/* Of each function that is named: once, whether its body follows or not. */
static void print_declarations(const struct excerpt *e, struct strbuf *out)
{
	for (uint32_t i = 0; i < e->m->nfunctions; i++) {
		const struct ptx_function *f = &e->m->functions[i];

		if (f->symbol >= e->m->nsymbols || !e->named[f->symbol])
			continue;
		e->named[f->symbol] = false;
		print_declaration(out, f, f->linkage);
	}
}

/* The item of the alias stands behind both functions' declarations. */
static void print_aliases(const struct excerpt *e, const bool *named, struct strbuf *out)
{
	const struct ptx_private *priv = ptx_private(e->m);

	for (uint32_t i = 0; i < priv->nitems; i++)
		if (priv->items[i].kind == ITEM_ALIAS && named[priv->items[i].id])
			print_item(out, e->m, &priv->items[i]);
}

void ptx_print_excerpt(const struct ptx_module *m, const uint32_t *order, size_t count, struct strbuf *out)
{
	const struct ptx_private *priv = ptx_private(m);
	bool *named = xcalloc(m->nsymbols + 1, sizeof *named);
	struct excerpt e = {m, xcalloc(m->nsymbols + 1, sizeof *e.named)};

	for (size_t i = 0; i < count; i++)
		name_of_function(&e, &m->functions[order[i]]);
	for (uint32_t i = 0; i < priv->nitems; i++)
		if (priv->items[i].kind == ITEM_ALIAS && e.named[priv->items[i].id])
			e.named[priv->items[i].id2] = true;
	memcpy(named, e.named, m->nsymbols * sizeof *named);
	print_module_header(out, m);
	print_variables(&e, out);
	print_declarations(&e, out);
	for (size_t i = 0; i < count; i++)
		print_plain_function(out, &m->functions[order[i]]);
	print_aliases(&e, named, out);
	strbuf_reserve(out, 1);
	out->data[out->len] = '\0';
	xfree(named);
	xfree(e.named);
}
