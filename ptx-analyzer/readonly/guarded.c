/*
 * Doubling: functions that contain marked loads, and all that call them, are printed twice. The plain copies are
 * printed first, before the marks are made, with the doubled functions renamed so that plain code calls plain code.
 */
#include "ptx-analyzer/readonly/guarded.h"

#include "common/vec.h"
#include "ptx-analyzer/language/text/ptx_text.h"

#include <string.h>

struct doubling {
	struct ptx_module *m;
	bool *doubled; /* per function: a plain copy is printed */
	bool *pinned;  /* per function: not doubled, because code that cannot be doubled calls it */
	char **copies; /* per function: text of the plain copy, and of the checked one */
	bool checks;   /* there are checked copies */
};

static char *suffixed(const char *name, const char *suffix)
{
	size_t len = strlen(name);
	char *longer = xmalloc(len + strlen(suffix) + 1);

	memcpy(longer, name, len);
	strcpy(longer + len, suffix);
	return longer;
}

static char *plain_name(const char *name)
{
	return suffixed(name, PTX_PLAIN_SUFFIX);
}

static bool is_plain(const char *name)
{
	size_t len = strlen(name), suffix = sizeof PTX_PLAIN_SUFFIX - 1;

	return len > suffix && strcmp(name + len - suffix, PTX_PLAIN_SUFFIX) == 0;
}

static bool has_plain_copy(const struct ptx_function *f)
{
	char *plain = plain_name(f->name);
	bool found = ptx_find_function(f->module, plain) != NULL;

	free(plain);
	return found;
}

/* --- References between functions --- */

/* Calls `visit` for every function that an operand names, nested ones included. */
static void visit_operand(const struct ptx_module *m, const struct ptx_operand *operand,
			  void (*visit)(void *, uint32_t), void *data)
{
	if (operand->kind == PTX_OPERAND_SYMBOL && m->symbols[operand->id].kind == PTX_SYMBOL_FUNCTION)
		visit(data, m->symbols[operand->id].callee);
	if (operand->kind != PTX_OPERAND_LIST && operand->kind != PTX_OPERAND_VEC)
		return;
	for (uint32_t i = 0; i < operand->count; i++)
		visit_operand(m, &operand->elems[i], visit, data);
}

static void visit_function(const struct ptx_function *f, void (*visit)(void *, uint32_t), void *data)
{
	for (uint32_t i = 0; i < f->ninsts; i++)
		for (unsigned o = 0; o < f->insts[i].noperands; o++)
			visit_operand(f->module, &f->insts[i].operands[o], visit, data);
}

struct closure {
	bool *set;
	VEC(uint32_t) work;
};

static void close_over(void *data, uint32_t function)
{
	struct closure *c = data;

	if (c->set[function])
		return;
	c->set[function] = true;
	vec_push(&c->work, function);
}

/* Functions whose address an instruction takes: all that it names but the target of a call. */
static void pin_addresses(struct closure *c, const struct ptx_function *f)
{
	for (uint32_t i = 0; i < f->ninsts; i++)
		for (unsigned o = 0; o < f->insts[i].noperands; o++)
			if (ptx_operand_role(&f->insts[i], o) != PTX_ROLE_CALLEE)
				visit_operand(f->module, &f->insts[i].operands[o], close_over, c);
}

/*
 * Pins functions whose address is taken, by an instruction or in a variable's initial value. Any code may reach such a
 * function: the address can be kept in memory and called by a kernel whose own guards failed. A kernel's address can be
 * launched from the device, where nothing checks guards. Kernels that are doubled already are pinned, too, and so are
 * all functions that a pinned function refers to.
 */
static void find_pinned(struct doubling *d)
{
	struct closure c = {d->pinned, VEC_INIT};
	const struct ptx_module *m = d->m;

	for (uint32_t f = 0; f < m->nfunctions; f++)
		pin_addresses(&c, &m->functions[f]);
	for (uint32_t s = 0; s < m->nsymbols; s++)
		for (size_t r = 0; r < m->symbols[s].nrelocs; r++) {
			const struct ptx_symbol *target = &m->symbols[m->symbols[s].relocs[r].symbol];

			if (target->kind == PTX_SYMBOL_FUNCTION)
				close_over(&c, target->callee);
		}
	for (uint32_t f = 0; f < m->nfunctions; f++)
		if (is_plain(m->functions[f].name) || has_plain_copy(&m->functions[f]))
			close_over(&c, f);
	while (c.work.len)
		visit_function(&m->functions[vec_pop(&c.work)], close_over, &c);
	vec_release(&c.work);
}

struct search {
	const bool *doubled;
	bool found;
};

static void is_doubled(void *data, uint32_t function)
{
	struct search *s = data;

	s->found = s->found || s->doubled[function];
}

/* A texture fetch is the same instruction with and without its mark. */
static bool is_respelled(const struct ptx_module *m, const struct access *access)
{
	return m->functions[access->function].insts[access->inst].opcode->op == PTX_OP_ld;
}

/* Doubles the functions with marked loads, then all that refer to one, until nothing changes. */
static void find_doubled(struct doubling *d, const struct ptx_analysis *a)
{
	bool changed = true;

	for (size_t k = 0; k < ptx_analysis_kernels(a); k++) {
		size_t count;
		const struct access *access = ptx_kernel_accesses(a, k, &count);

		for (size_t i = 0; i < count; i++)
			if (access[i].marked && !d->pinned[access[i].function] && is_respelled(d->m, &access[i]))
				d->doubled[access[i].function] = true;
	}
	while (changed) {
		changed = false;
		for (uint32_t f = 0; f < d->m->nfunctions; f++) {
			struct search s = {d->doubled, false};

			if (d->doubled[f] || d->pinned[f])
				continue;
			visit_function(&d->m->functions[f], is_doubled, &s);
			changed = changed || s.found;
			d->doubled[f] = s.found;
		}
	}
}

/* A function's declaration is doubled along with its definition. */
static void double_declarations(struct doubling *d)
{
	const struct ptx_module *m = d->m;

	for (uint32_t f = 0; f < m->nfunctions; f++) {
		uint32_t definition = m->symbols[m->functions[f].symbol].callee;

		if (m->functions[f].is_declaration && definition < m->nfunctions)
			d->doubled[f] = d->doubled[definition];
	}
}

/* --- Printing --- */

/* A `.ro` from an earlier run has no meaning to hardware, and a plain copy must not have it. */
static void strip_ro(struct ptx_module *m)
{
	for (uint32_t f = 0; f < m->nfunctions; f++)
		for (uint32_t i = 0; i < m->functions[f].ninsts; i++) {
			struct ptx_inst *inst = &m->functions[f].insts[i];
			const char *text = inst->opcode->text, *ro;

			if (inst->opcode->op != PTX_OP_ld || !ptx_has_mod(inst->opcode, PTX_MOD_ro))
				continue;
			ro = strstr(text, ".ro");
			inst->opcode =
			    ptx_intern_opcode(m, arena_printf(&m->arena, "%.*s%s", (int)(ro - text), text, ro + 3));
		}
}

/* The function that represents all functions of this name. */
static bool is_named(const struct doubling *d, uint32_t f)
{
	return d->doubled[f] && d->m->symbols[d->m->functions[f].symbol].callee == f;
}

/* A checked kernel calls plain functions. */
static void print_checked_copy(const struct ptx_analysis *a, uint32_t f, const char *name, struct strbuf *text)
{
	char *checked = suffixed(name, PTX_CHECKED_SUFFIX);

	ptx_print_checked(a, f, checked, text);
	strbuf_addc(text, '\n');
	free(checked);
}

static void print_copies(struct doubling *d, const struct ptx_analysis *a)
{
	struct ptx_module *m = d->m;
	const char **names = xcalloc(m->nfunctions, sizeof *names);

	for (uint32_t f = 0; f < m->nfunctions; f++) {
		struct ptx_symbol *symbol = &m->symbols[m->functions[f].symbol];

		if (!is_named(d, f))
			continue;
		names[f] = symbol->name;
		symbol->name = plain_name(symbol->name);
	}
	for (uint32_t f = 0; f < m->nfunctions; f++) {
		struct strbuf text = STRBUF_INIT;

		if (!d->doubled[f])
			continue;
		ptx_print_function(&m->functions[f], m->symbols[m->functions[f].symbol].name, &text);
		strbuf_addc(&text, '\n');
		if (d->checks && !d->m->functions[f].is_declaration && ptx_can_check(a, f))
			print_checked_copy(a, f, names[f], &text);
		d->copies[f] = strbuf_detach(&text);
	}
	for (uint32_t f = 0; f < m->nfunctions; f++) {
		struct ptx_symbol *symbol = &m->symbols[m->functions[f].symbol];

		if (!is_named(d, f))
			continue;
		free((char *)symbol->name);
		symbol->name = names[f];
	}
	free(names);
}

static void print_both(const struct ptx_function *f, struct strbuf *out, void *data)
{
	const struct doubling *d = data;
	size_t index = (size_t)(f - d->m->functions);

	if (d->copies[index])
		strbuf_adds(out, d->copies[index]);
	ptx_print_function(f, NULL, out);
}

/* Marks, then takes the marks of the pinned functions back. */
static size_t mark_unpinned(struct doubling *d, struct ptx_analysis *a, enum load_mark mark)
{
	VEC(const struct ptx_opcode *) kept = VEC_INIT;
	size_t marked, at = 0;

	for (uint32_t f = 0; f < d->m->nfunctions; f++)
		for (uint32_t i = 0; d->pinned[f] && i < d->m->functions[f].ninsts; i++)
			vec_push(&kept, d->m->functions[f].insts[i].opcode);
	marked = ptx_mark_loads(a, mark);
	for (uint32_t f = 0; f < d->m->nfunctions; f++)
		for (uint32_t i = 0; d->pinned[f] && i < d->m->functions[f].ninsts; i++) {
			struct ptx_inst *inst = &d->m->functions[f].insts[i];

			marked -= inst->opcode != kept.data[at];
			inst->opcode = kept.data[at++];
		}
	vec_release(&kept);
	return marked;
}

static size_t print_versions(struct ptx_analysis *a, struct ptx_module *m, enum load_mark mark, bool checks,
			     struct strbuf *out)
{
	struct doubling d = {m, xcalloc(m->nfunctions, 1), xcalloc(m->nfunctions, 1),
			     xcalloc(m->nfunctions, sizeof *d.copies), checks};
	struct ptx_print_options options = {.function = print_both, .data = &d};
	size_t marked;

	strip_ro(m);
	find_pinned(&d);
	if (mark != LOAD_KEEP)
		find_doubled(&d, a);
	double_declarations(&d);
	print_copies(&d, a);
	marked = mark == LOAD_KEEP ? 0 : mark_unpinned(&d, a, mark);
	ptx_print_with(m, &options, out);
	for (uint32_t f = 0; f < m->nfunctions; f++)
		free(d.copies[f]);
	free(d.copies);
	free(d.doubled);
	free(d.pinned);
	return marked;
}

size_t ptx_print_guarded(struct ptx_analysis *a, struct ptx_module *m, enum load_mark mark, struct strbuf *out)
{
	return print_versions(a, m, mark, false, out);
}

size_t ptx_print_guarded_checked(struct ptx_analysis *a, struct ptx_module *m, enum load_mark mark, struct strbuf *out)
{
	return print_versions(a, m, mark, true, out);
}

const struct kernel_facts *ptx_guarded_facts(const struct ptx_analysis *a, const char *kernel)
{
	char *plain = plain_name(kernel);
	const struct kernel_facts *facts = ptx_kernel_facts(a, plain);

	free(plain);
	return facts ? facts : ptx_kernel_facts(a, kernel);
}
