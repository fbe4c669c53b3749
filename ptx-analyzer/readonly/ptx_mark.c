/* Marking: each load that all kernels allow it for is given its marked spelling. */
#include "ptx-analyzer/language/module/ptx_access.h"
#include "ptx-analyzer/readonly/ptx_kernel.h"

static const struct ptx_opcode *spelled(struct ptx_module *m, const struct ptx_opcode *opcode, enum load_mark mark)
{
	struct strbuf text = STRBUF_INIT;
	const struct ptx_opcode *found;

	if (!ptx_spell_load(opcode->text, strlen(opcode->text), mark, &text))
		BUG("'%s' cannot carry a mark", opcode->text);
	found = ptx_intern_opcode(m, text.data);
	strbuf_release(&text);
	return found;
}

/* The new spelling of a load: with the mark, or without a `.ro` that it must not have. NULL = unchanged. */
static const struct ptx_opcode *respelled(struct ptx_analysis *a, const struct ptx_opcode *opcode,
					  enum mark_state state, enum load_mark mark)
{
	if (state == MARK_ALLOWED)
		return spelled(a->module, opcode, mark);
	return ptx_has_mod(opcode, PTX_MOD_ro) ? spelled(a->module, opcode, LOAD_KEEP) : NULL;
}

static size_t mark_function(struct ptx_analysis *a, uint32_t index, enum load_mark mark)
{
	struct ptx_function *f = &a->module->functions[index];
	const struct ptx_opcode *last = NULL, *spelling = NULL;
	enum mark_state last_state = MARK_UNSEEN;
	size_t changed = 0;

	for (uint32_t i = 0; i < f->ninsts; i++) {
		enum mark_state state = a->marks[index] ? a->marks[index][i] : MARK_UNSEEN;
		const struct ptx_opcode *opcode = f->insts[i].opcode;

		if (opcode->op != PTX_OP_ld)
			continue;
		if (opcode != last || state != last_state)
			spelling = respelled(a, opcode, state, mark);
		last = opcode;
		last_state = state;
		if (!spelling || spelling == opcode)
			continue;
		f->insts[i].opcode = spelling;
		changed++;
	}
	return changed;
}

bool ptx_is_marked(const struct ptx_analysis *a, uint32_t function, uint32_t inst)
{
	return a->marks[function] && a->marks[function][inst] == MARK_ALLOWED;
}

size_t ptx_mark_loads(struct ptx_analysis *a, enum load_mark mark)
{
	size_t changed = 0;

	if (mark == LOAD_KEEP)
		return 0;
	for (uint32_t f = 0; f < a->module->nfunctions; f++)
		changed += mark_function(a, f, mark);
	return changed;
}
