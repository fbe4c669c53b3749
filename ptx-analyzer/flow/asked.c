/*
 * Finds loads that run only if their address is global, because the code tests it: `isspacep.global p, x` comes first,
 * then the load under `@p`, or a branch on p that every path to the load takes.
 */
#include "ptx-analyzer/flow/cfg.h"
#include "ptx-analyzer/flow/flow.h"

#include "ptx-analyzer/language/module/ptx_access.h"

static bool defines(const struct ptx_inst *inst, uint32_t reg)
{
	for (unsigned i = 0; i < inst->noperands; i++) {
		const struct ptx_operand *o = &inst->operands[i];
		enum ptx_role role = ptx_operand_role(inst, i);

		if (role != PTX_ROLE_DST && role != PTX_ROLE_DSTSRC)
			continue;
		if (o->kind == PTX_OPERAND_REG && o->id == reg)
			return true;
		for (unsigned e = 0; e < o->count && !(o->flags & PTX_FLAG_COMPONENT); e++)
			if (o->elems[e].kind == PTX_OPERAND_REG && o->elems[e].id == reg)
				return true;
	}
	return false;
}

static bool asks_for_global(const struct ptx_inst *inst)
{
	return inst->opcode->op == PTX_OP_isspacep && inst->opcode->space == PTX_SPACE_GLOBAL &&
	       inst->predicate == PTX_NONE && inst->operands[0].kind == PTX_OPERAND_REG &&
	       inst->operands[1].kind == PTX_OPERAND_REG;
}

bool flow_find_questions(const struct ptx_function *f)
{
	for (uint32_t i = 0; i < f->ninsts; i++)
		if (asks_for_global(&f->insts[i]))
			return true;
	return false;
}

/* True if the load is under `@p`, in the same block as the test, and nothing in between changes either register. */
static bool is_predicated(const struct ptx_function *f, uint32_t load, uint32_t address)
{
	const struct ptx_inst *inst = &f->insts[load];

	if (inst->predicate == PTX_NONE || inst->predicate_not)
		return false;
	for (uint32_t i = load; i-- > f->blocks[inst->block].first;) {
		const struct ptx_inst *before = &f->insts[i];

		if (defines(before, inst->predicate))
			return asks_for_global(before) && before->operands[1].id == address;
		if (defines(before, address))
			return false;
	}
	return false;
}

/* --- Branches --- */

/* Is there a way from the entry to `goal` that does not go from block `from` to `to`; PTX_NONE = from any block? */
static bool is_reached(const struct ptx_function *f, uint32_t goal, uint32_t from, uint32_t to)
{
	bool *seen = xcalloc(f->nblocks + 1, sizeof *seen), found;
	VEC(uint32_t) todo = VEC_INIT;

	if (from != PTX_NONE || to != 0) {
		seen[0] = true;
		vec_push(&todo, 0);
	}
	while (todo.len) {
		uint32_t b = vec_pop(&todo);

		for (uint32_t i = 0; i < f->blocks[b].nsucc; i++) {
			uint32_t next = f->blocks[b].succ[i];

			if (seen[next] || (next == to && (from == PTX_NONE || from == b)))
				continue;
			seen[next] = true;
			vec_push(&todo, next);
		}
	}
	found = seen[goal];
	vec_release(&todo);
	free(seen);
	return found;
}

/* Has every thread that executes instruction `second` executed `first` before? */
static bool precedes(const struct ptx_function *f, uint32_t first, uint32_t second)
{
	uint32_t a = f->insts[first].block, b = f->insts[second].block;

	return a == b ? first < second : !is_reached(f, b, PTX_NONE, a);
}

/* The only instruction that writes the register, or PTX_NONE. */
static uint32_t only_definition(const struct ptx_function *f, uint32_t reg)
{
	uint32_t found = PTX_NONE;

	for (uint32_t i = 0; i < f->ninsts; i++)
		if (defines(&f->insts[i], reg)) {
			if (found != PTX_NONE)
				return PTX_NONE;
			found = i;
		}
	return found;
}

/*
 * Do all ways to block `goal` take the branch on the answer to `question`? Both registers are written once: the address
 * ahead of the question, and the answer ahead of the branch. So at the load they have the values that they had at the
 * question.
 */
static bool is_behind_branch(const struct ptx_function *f, uint32_t goal, uint32_t question)
{
	uint32_t answer = f->insts[question].operands[0].id;

	for (uint32_t b = 0; b < f->nblocks; b++) {
		const struct ptx_block *block = &f->blocks[b];
		uint32_t last = block->first + block->count - 1;
		const struct ptx_inst *branch = &f->insts[last];

		if (!block->reachable || block->nsucc != 2 || block->succ[0] == block->succ[1] ||
		    branch->opcode->op != PTX_OP_bra || branch->predicate != answer || !precedes(f, question, last))
			continue;
		if (!is_reached(f, goal, b, block->succ[branch->predicate_not]))
			return true;
	}
	return false;
}

static bool is_branched_to(const struct ptx_function *f, uint32_t load, uint32_t address)
{
	uint32_t definition = only_definition(f, address);

	for (uint32_t i = 0; definition != PTX_NONE && i < f->ninsts; i++)
		if (asks_for_global(&f->insts[i]) && f->insts[i].operands[1].id == address &&
		    only_definition(f, f->insts[i].operands[0].id) == i && precedes(f, definition, i) &&
		    is_behind_branch(f, f->insts[load].block, i))
			return true;
	return false;
}

bool flow_is_asked_global(struct flow *fl, const struct ptx_inst *inst)
{
	struct ptx_function *f = &fl->owner->module->functions[fl->index];
	const struct ptx_operand *base = &inst->operands[1].elems[0];
	uint32_t load = (uint32_t)(inst - f->insts);

	if (!fl->asks || inst->operands[1].kind != PTX_OPERAND_MEM || inst->operands[1].count != 1 ||
	    base->kind != PTX_OPERAND_REG || ptx_build_cfg(f, NULL) < 0)
		return false;
	return is_predicated(f, load, base->id) || is_branched_to(f, load, base->id);
}
