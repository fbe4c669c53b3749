/* Modules as canonical text: top-level items, headers, and bodies with their decorations put back in place. */
#include "ptx-analyzer/language/text/print.h"
#include "ptx-analyzer/language/text/ptx_text.h"

#include "common/integer.h"

static const char *const linkage_words[] = {"", ".visible ", ".extern ", ".weak ", ".common "};

/* --- Variables --- */

static void print_elements(struct strbuf *out, const struct ptx_symbol *s)
{
	uint64_t element = divide_up(ptx_type_bits(s->type), 8) * s->vec;

	if (!s->is_array)
		return;
	out_char(out, '[');
	if (s->size)
		out_unsigned(out, s->size / element);
	out_char(out, ']');
}

/* ".global .align 4 .b8 name[16]" */
static void print_declarator(struct strbuf *out, const struct ptx_symbol *s)
{
	out_char(out, '.');
	out_text(out, ptx_space_name(s->space));
	if (s->attribute)
		strbuf_addf(out, " .attribute(%s)", s->attribute);
	if (s->is_array || s->align * 8 > ptx_type_bits(s->type) * s->vec)
		strbuf_addf(out, " .align %u", s->align);
	if (s->vec > 1)
		strbuf_addf(out, " .v%u", s->vec);
	out_text(out, " .");
	out_text(out, ptx_type_name(s->type));
	if (s->is_pointer) {
		out_text(out, " .ptr");
		if (s->pointer_space)
			strbuf_addf(out, " .%s", ptx_space_name(s->pointer_space));
		if (s->pointer_align)
			strbuf_addf(out, " .align %u", s->pointer_align);
	}
	out_char(out, ' ');
	out_text(out, s->name);
	print_elements(out, s);
}

static uint64_t element_at(const uint8_t *bytes, unsigned size)
{
	uint64_t value = 0;

	memcpy(&value, bytes, size < 8 ? size : 8);
	return value;
}

static void print_address(struct strbuf *out, const struct ptx_module *m, const struct ptx_reloc *r, uint64_t mask)
{
	if (mask)
		strbuf_addf(out, "0x%llX(", (unsigned long long)mask);
	strbuf_addf(out, r->generic ? "generic(%s)" : "%s", m->symbols[r->symbol].name);
	if (r->addend)
		strbuf_addf(out, "%+lld", (long long)r->addend);
	if (mask)
		out_char(out, ')');
}

/* The relocation at element `offset`: whole, or byte by byte where the elements are bytes. */
static void print_relocated(struct strbuf *out, const struct ptx_module *m, const struct ptx_reloc *r, uint64_t offset,
			    unsigned element)
{
	bool bytewise = r->size > element;

	print_address(out, m, r, bytewise ? (uint64_t)0xFF << 8 * (offset - r->offset) : r->mask);
}

static void print_value(struct strbuf *out, const struct ptx_symbol *s, uint64_t offset, unsigned element)
{
	uint64_t value = element_at(s->init + offset, element);

	if (s->type == PTX_f32)
		strbuf_addf(out, "0f%08llX", (unsigned long long)value);
	else if (s->type == PTX_f64)
		strbuf_addf(out, "0d%016llX", (unsigned long long)value);
	else
		out_unsigned(out, value);
}

/* Bytes up to the last byte that is not zero or that a relocation fills, in whole elements; at least one element. */
static uint64_t used_bytes(const struct ptx_symbol *s, unsigned element)
{
	uint64_t end = s->size;

	while (end && !s->init[end - 1])
		end--;
	for (size_t i = 0; i < s->nrelocs; i++)
		if (s->relocs[i].offset + s->relocs[i].size > end)
			end = s->relocs[i].offset + s->relocs[i].size;
	end = round_up(end, element);
	return end ? end : element;
}

static void print_initialiser(struct strbuf *out, const struct ptx_module *m, const struct ptx_symbol *s)
{
	unsigned element = (unsigned)divide_up(ptx_type_bits(s->type), 8);
	uint64_t end = s->size ? used_bytes(s, element) : 0;
	bool braces = s->is_array || s->vec > 1;
	size_t next = 0;

	out_text(out, braces ? " = {" : " = ");
	for (uint64_t offset = 0; offset < end; offset += element) {
		if (offset)
			out_text(out, ", ");
		while (next < s->nrelocs && s->relocs[next].offset + s->relocs[next].size <= offset)
			next++;
		if (next < s->nrelocs && s->relocs[next].offset <= offset)
			print_relocated(out, m, &s->relocs[next], offset, element);
		else
			print_value(out, s, offset, element);
	}
	if (braces)
		out_char(out, '}');
}

void print_variable(struct strbuf *out, const struct ptx_module *m, const struct ptx_symbol *s, bool as_extern)
{
	out_text(out, linkage_words[as_extern ? PTX_LINK_EXTERN : s->linkage]);
	print_declarator(out, s);
	if (s->fields && !as_extern)
		strbuf_addf(out, " = %s", s->fields);
	else if (s->init && !as_extern)
		print_initialiser(out, m, s);
	out_text(out, ";\n");
}

/* --- Functions --- */

/* `more`: text of parameters behind these, or NULL. */
static void print_parameters(struct strbuf *out, const struct ptx_module *m, const uint32_t *ids, uint32_t count,
			     const char *more)
{
	out_char(out, '(');
	for (uint32_t i = 0; i < count; i++) {
		out_text(out, i ? ",\n\t" : "\n\t");
		print_declarator(out, &m->symbols[ids[i]]);
	}
	if (more) {
		out_text(out, count ? ",\n\t" : "\n\t");
		out_text(out, more);
	}
	out_text(out, count || more ? "\n)" : ")");
}

static void print_short_parameters(struct strbuf *out, const struct ptx_module *m, const uint32_t *ids, uint32_t count)
{
	out_char(out, '(');
	for (uint32_t i = 0; i < count; i++) {
		if (i)
			out_text(out, ", ");
		print_declarator(out, &m->symbols[ids[i]]);
	}
	out_char(out, ')');
}

static void print_directives(struct strbuf *out, const struct ptx_function *f)
{
	for (uint32_t i = 0; i < f->ndirectives; i++) {
		const struct ptx_directive *d = &f->directives[i];

		out_text(out, d->name);
		if (d->text)
			strbuf_addf(out, " \"%s\";", d->text);
		for (uint32_t v = 0; v < d->nvalues; v++)
			strbuf_addf(out, v ? ", %u" : " %u", d->values[v]);
		out_char(out, '\n');
	}
}

/* Up to the parameters; what follows is directives and the body, or ';'. */
static void print_signature(struct strbuf *out, const struct ptx_function *f, const char *name, uint8_t linkage,
			    const char *more)
{
	const struct ptx_module *m = f->module;

	out_text(out, linkage_words[linkage]);
	out_text(out, f->is_kernel ? ".entry " : ".func ");
	if (f->attribute)
		strbuf_addf(out, ".attribute(%s) ", f->attribute);
	if (f->nreturns) {
		print_short_parameters(out, m, f->returns, f->nreturns);
		out_char(out, ' ');
	}
	out_text(out, name ? name : f->name);
	print_parameters(out, m, f->params, f->nparams, more);
}

void print_declaration(struct strbuf *out, const struct ptx_function *f, uint8_t linkage)
{
	print_signature(out, f, NULL, linkage, NULL);
	out_text(out, ";\n");
}

static void print_header(struct strbuf *out, const struct ptx_function *f, const char *name, const char *more)
{
	print_signature(out, f, name, f->linkage, more);
	out_char(out, '\n');
	print_directives(out, f);
}

static void print_prototype(struct strbuf *out, const struct ptx_module *m, const struct ptx_symbol *s)
{
	const struct ptx_prototype *p = s->prototype;

	strbuf_addf(out, "%s: .callprototype ", s->name);
	if (p->nreturns)
		print_short_parameters(out, m, p->returns, p->nreturns);
	out_text(out, " _ ");
	print_short_parameters(out, m, p->params, p->nparams);
	if (p->noreturn)
		out_text(out, " .noreturn");
	if (p->abi_preserve)
		strbuf_addf(out, " .abi_preserve %u", p->abi_preserve - 1);
	if (p->abi_preserve_control)
		strbuf_addf(out, " .abi_preserve_control %u", p->abi_preserve_control - 1);
	out_text(out, ";\n");
}

static void print_targets(struct strbuf *out, const struct ptx_function *f, const struct ptx_symbol *s)
{
	strbuf_addf(out, "%s: %s ", s->name, s->targets_are_labels ? ".branchtargets" : ".calltargets");
	for (uint32_t i = 0; i < s->ntargets; i++) {
		if (i)
			out_text(out, ", ");
		out_text(out, s->targets_are_labels ? f->label_names[s->targets[i]]
						    : f->module->symbols[s->targets[i]].name);
	}
	out_text(out, ";\n");
}

static void print_loc(struct strbuf *out, const struct ptx_module *m, uint32_t id)
{
	const struct ptx_loc *l = &m->locs[id];
	const struct loc_name *n = &ptx_private(m)->loc_names[id];

	out_text(out, "\t.loc ");
	out_unsigned(out, l->file);
	out_char(out, ' ');
	out_unsigned(out, l->line);
	out_char(out, ' ');
	out_unsigned(out, l->column);
	if (n->text) {
		out_text(out, ", function_name ");
		out_text(out, n->text);
		if (n->offset) {
			out_char(out, n->offset < 0 ? '-' : '+');
			out_unsigned(out, n->offset < 0 ? -(uint64_t)n->offset : (uint64_t)n->offset);
		}
	}
	if (l->inlined_at != PTX_NONE)
		strbuf_addf(out, ", inlined_at %u %u %u", n->file, n->line, n->column);
	out_char(out, '\n');
}

static void print_reg_decl(struct strbuf *out, const struct ptx_reg_decl *d)
{
	out_text(out, "\t.reg .");
	if (d->vec > 1)
		strbuf_addf(out, "v%u .", d->vec);
	out_text(out, ptx_type_name(d->type));
	out_char(out, ' ');
	out_text(out, d->name);
	if (d->count) {
		out_char(out, '<');
		out_unsigned(out, d->count);
		out_char(out, '>');
	}
	out_text(out, ";\n");
}

static void print_decoration(struct strbuf *out, const struct ptx_function *f, const struct ptx_decoration *d)
{
	const struct ptx_module *m = f->module;

	switch ((enum decoration_kind)d->kind) {
	case DECOR_LABEL:
		out_text(out, f->label_names[d->id]);
		out_text(out, ":\n");
		break;
	case DECOR_OPEN: out_text(out, "\t{\n"); break;
	case DECOR_CLOSE: out_text(out, "\t}\n"); break;
	case DECOR_REG: print_reg_decl(out, &f->reg_decls[d->id]); break;
	case DECOR_VARIABLE:
		out_char(out, '\t');
		print_variable(out, m, &m->symbols[d->id], false);
		break;
	case DECOR_LOC: print_loc(out, m, d->id); break;
	case DECOR_PRAGMA: strbuf_addf(out, "\t.pragma \"%s\";\n", ptx_private(m)->strings[d->id]); break;
	case DECOR_PROTOTYPE: print_prototype(out, m, &m->symbols[d->id]); break;
	case DECOR_TARGETS: print_targets(out, f, &m->symbols[d->id]); break;
	}
}

/* `locs`: with source positions. `edits` may be NULL. */
static void print_body(struct strbuf *out, const struct ptx_function *f, bool locs,
		       const struct ptx_function_edits *edits)
{
	const struct ptx_decoration *d = f->decorations, *end = d + f->ndecorations;

	out_text(out, "{\n");
	if (edits)
		out_text(out, edits->entry);
	for (uint32_t i = 0; i <= f->ninsts; i++) {
		for (; d < end && (d->inst <= i || i == f->ninsts); d++)
			if (locs || d->kind != DECOR_LOC)
				print_decoration(out, f, d);
		if (i == f->ninsts)
			break;
		if (edits && edits->inst(f, i, out, edits->data))
			continue;
		out_char(out, '\t');
		print_inst(out, f, &f->insts[i]);
		out_char(out, '\n');
	}
	out_text(out, "}\n");
}

void print_plain_function(struct strbuf *out, const struct ptx_function *f)
{
	print_header(out, f, NULL, NULL);
	print_body(out, f, false, NULL);
}

void ptx_print_function(const struct ptx_function *f, const char *name, struct strbuf *out)
{
	print_header(out, f, name, NULL);
	if (f->is_declaration)
		out_text(out, ";\n");
	else
		print_body(out, f, true, NULL);
}

void ptx_print_edited(const struct ptx_function *f, const char *name, const struct ptx_function_edits *edits,
		      struct strbuf *out)
{
	print_header(out, f, name, edits->params);
	print_body(out, f, true, edits);
}

/* --- Modules --- */

void print_item(struct strbuf *out, const struct ptx_module *m, const struct item *item)
{
	switch (item->kind) {
	case ITEM_VARIABLE:
	case ITEM_EXTERN: print_variable(out, m, &m->symbols[item->id], item->kind == ITEM_EXTERN); break;
	case ITEM_FILE: strbuf_addf(out, ".file %u \"%s\"%s\n", item->id, m->files[item->id], item->text); break;
	case ITEM_VERBATIM:
		out_text(out, item->text);
		out_char(out, '\n');
		break;
	case ITEM_PRAGMA: strbuf_addf(out, ".pragma \"%s\";\n", item->text); break;
	case ITEM_ALIAS:
		strbuf_addf(out, ".alias %s, %s;\n", m->symbols[item->id].name, m->symbols[item->id2].name);
		break;
	case ITEM_FUNCTION: BUG("functions are printed by the caller");
	}
}

void print_module_header(struct strbuf *out, const struct ptx_module *m)
{
	strbuf_addf(out, ".version %u.%u\n", m->version_major, m->version_minor);
	if (*m->target)
		strbuf_addf(out, ".target %s\n", m->target);
	strbuf_addf(out, ".address_size %u\n", m->address_size);
}

void ptx_print_with(const struct ptx_module *m, const struct ptx_print_options *options, struct strbuf *out)
{
	const struct ptx_private *priv = ptx_private(m);

	print_module_header(out, m);
	for (uint32_t i = 0; i < priv->nitems; i++) {
		const struct item *item = &priv->items[i];

		if (item->kind != ITEM_FUNCTION) {
			print_item(out, m, item);
			continue;
		}
		out_char(out, '\n');
		if (options && options->function)
			options->function(&m->functions[item->id], out, options->data);
		else
			ptx_print_function(&m->functions[item->id], NULL, out);
	}
	strbuf_reserve(out, 1);
	out->data[out->len] = '\0';
}

void ptx_print(const struct ptx_module *m, struct strbuf *out)
{
	ptx_print_with(m, NULL, out);
}
