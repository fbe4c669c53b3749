/* Questions about a parsed module: by name, by role, by size. */
#include "ptx-analyzer/language/module/ptx_private.h"

#include "common/integer.h"

#include <stdlib.h>
#include <string.h>

void ptx_module_free(struct ptx_module *m)
{
	if (!m)
		return;
	free(ptx_private(m)->opcodes.slots);
	arena_release(&m->arena);
	free(m);
}

struct ptx_function *ptx_find_function(const struct ptx_module *m, const char *name)
{
	struct ptx_function *declaration = NULL;

	for (uint32_t i = 0; i < m->nfunctions; i++) {
		struct ptx_function *f = &m->functions[i];

		if (strcmp(f->name, name) != 0)
			continue;
		if (!f->is_declaration)
			return f;
		declaration = f;
	}
	return declaration;
}

const struct ptx_symbol *ptx_find_symbol(const struct ptx_module *m, const char *name)
{
	for (uint32_t i = 0; i < m->nsymbols; i++) {
		const struct ptx_symbol *s = &m->symbols[i];

		if (s->function == PTX_NONE && (s->kind == PTX_SYMBOL_VARIABLE || s->kind == PTX_SYMBOL_FUNCTION) &&
		    !strcmp(s->name, name))
			return s;
	}
	return NULL;
}

const char *ptx_find_pragma(const struct ptx_function *f, const char *begin)
{
	const char *found = NULL;

	for (uint32_t i = 0; i < f->ndecorations; i++) {
		const struct ptx_decoration *d = &f->decorations[i];
		const char *text = d->kind == DECOR_PRAGMA ? ptx_private(f->module)->strings[d->id] : "";

		if (strncmp(text, begin, strlen(begin)) != 0)
			continue;
		if (found)
			return NULL;
		found = text;
	}
	return found;
}

const char *ptx_reg_name(const struct ptx_function *f, uint32_t reg)
{
	struct ptx_reg *r = &f->regs[reg];
	const struct ptx_reg_decl *d = &f->reg_decls[r->decl];

	if (!r->name) {
		r->name = d->count ? arena_printf(&f->module->arena, "%s%u", d->name, r->index) : d->name;
		if (d->vec > 1)
			r->name = arena_printf(&f->module->arena, "%s.%c", r->name, "xyzw"[(reg - d->first) % d->vec]);
	}
	return r->name;
}

const struct ptx_opcode *ptx_intern_opcode(struct ptx_module *m, const char *text)
{
	char why[256];
	size_t at;
	const struct opcode *op = opcode_intern(&ptx_private(m)->opcodes, text, strlen(text), why, sizeof(why), &at);

	return op ? &op->pub : NULL;
}

static enum ptx_role role_of_letter(char letter, const struct ptx_operand *op)
{
	switch (letter) {
	case 'd': return op->kind == PTX_OPERAND_SINK ? PTX_ROLE_NONE : PTX_ROLE_DST;
	case 's': return PTX_ROLE_SRC;
	case 'x': return PTX_ROLE_DSTSRC;
	case 'l': return PTX_ROLE_LOAD;
	case 'w': return PTX_ROLE_STORE;
	case 'a': return PTX_ROLE_ATOMIC;
	case 'p': return PTX_ROLE_ADDRESS;
	case 'm': return op->kind == PTX_OPERAND_MEM ? PTX_ROLE_ATOMIC : PTX_ROLE_SRC;
	case 'v': return op->kind == PTX_OPERAND_MEM ? PTX_ROLE_ADDRESS : PTX_ROLE_SRC;
	case 'b': return PTX_ROLE_LABEL;
	case 'c': return PTX_ROLE_CALLEE;
	default: return PTX_ROLE_NONE;
	}
}

/* call (results), callee, (arguments), prototype */
static enum ptx_role call_role(const struct ptx_inst *inst, unsigned index)
{
	unsigned callee = inst->operands[0].kind == PTX_OPERAND_LIST;

	if (index < callee)
		return PTX_ROLE_DST;
	if (index == callee)
		return PTX_ROLE_CALLEE;
	return inst->operands[index].kind == PTX_OPERAND_LIST ? PTX_ROLE_SRC : PTX_ROLE_LABEL;
}

enum ptx_role ptx_operand_role(const struct ptx_inst *inst, unsigned index)
{
	const struct opcode *opcode = (const struct opcode *)inst->opcode;
	const struct operand_rule *rule;

	if (index >= inst->noperands)
		return PTX_ROLE_NONE;
	if (opcode->pub.op == PTX_OP_call)
		return call_role(inst, index);
	rule = opcode_rule(opcode, index, inst->noperands);
	return rule ? role_of_letter((char)rule->role, &inst->operands[index]) : PTX_ROLE_NONE;
}

unsigned ptx_access_bytes(const struct ptx_inst *inst)
{
	const struct ptx_opcode *op = inst->opcode;
	unsigned bits = op->ntypes ? ptx_type_bits(op->type[0]) : 0;

	return (unsigned)divide_up(bits, 8) * op->vec;
}
