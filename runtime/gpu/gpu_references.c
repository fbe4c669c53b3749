/*
 * Texture and surface references on a GPU. Libcuda binds them by calls of their own, long deprecated; here each
 * becomes a variable of 8 bytes that holds the handle of an object, as on the CPU device, and code that names one loads
 * it.
 */
#include "runtime/gpu/gpu_device.h"

#include "common/arena.h"

static bool is_reference(const struct ptx_module *m, const struct ptx_operand *operand)
{
	return operand->kind == PTX_OPERAND_SYMBOL && m->symbols[operand->id].kind == PTX_SYMBOL_VARIABLE &&
	       ptx_type_kind(m->symbols[operand->id].type) == PTX_KIND_OPAQUE;
}

/* Does an operand within others name a reference, as in [texture, {x, y}]? */
static bool names_one_inside(const struct ptx_module *m, const struct ptx_operand *operand)
{
	bool found = false;

	if (operand->kind != PTX_OPERAND_TEX && operand->kind != PTX_OPERAND_MEM)
		return false;
	for (unsigned i = 0; i < operand->count && !found; i++)
		found = is_reference(m, &operand->elems[i]);
	return found;
}

/* mov.u64 %rd, texture -> ld.global.u64 %rd, [texture] */
static void load_handle(struct ptx_module *m, struct ptx_inst *inst)
{
	struct ptx_operand *address = &inst->operands[1];
	struct ptx_operand *base = arena_alloc(&m->arena, sizeof *base);

	*base = *address;
	*address = (struct ptx_operand){.kind = PTX_OPERAND_MEM, .count = 1, .elems = base};
	inst->opcode = ptx_intern_opcode(m, "ld.global.u64");
}

static int rewrite(struct ptx_module *m, struct ptx_inst *inst, struct diag *d)
{
	bool inside = false;

	for (unsigned i = 0; i < inst->noperands && !inside; i++)
		inside = names_one_inside(m, &inst->operands[i]);
	if (inside)
		return diag_set(
		    d, m->file, inst->line, inst->column,
		    "a texture or surface is named in the instruction itself: on a GPU only objects, and the "
		    "references of romark cc, are supported");
	if (inst->opcode->op == PTX_OP_mov && inst->noperands == 2 && is_reference(m, &inst->operands[1]))
		load_handle(m, inst);
	return 0;
}

int gpu_references_load(struct ptx_module *m, struct diag *d)
{
	for (uint32_t f = 0; f < m->nfunctions; f++)
		for (uint32_t i = 0; i < m->functions[f].ninsts; i++)
			if (rewrite(m, &m->functions[f].insts[i], d) < 0)
				return DIAG_ERROR;
	return 0;
}

uint8_t *gpu_references_declare(struct ptx_module *m)
{
	uint8_t *types = xmalloc(m->nsymbols + 1);

	for (uint32_t s = 0; s < m->nsymbols; s++) {
		types[s] = m->symbols[s].type;
		if (m->symbols[s].kind == PTX_SYMBOL_VARIABLE && ptx_type_kind(types[s]) == PTX_KIND_OPAQUE)
			m->symbols[s].type = PTX_u64;
	}
	return types;
}

void gpu_references_restore(struct ptx_module *m, uint8_t *types)
{
	for (uint32_t s = 0; s < m->nsymbols; s++)
		m->symbols[s].type = types[s];
	free(types);
}
