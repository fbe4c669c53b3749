/* Short arms of branches become predicated; other branches that lanes may part at hold them together with BSSY. */
#include "lowering/lower.h"

#include <stdlib.h>
#include <string.h>

/* --- Registers in which lanes may differ --- */

static bool is_seed(const struct ptx_inst *inst)
{
	const struct ptx_operand *from = inst->noperands > 1 ? &inst->operands[1] : NULL;

	switch (inst->opcode->cls) {
	case PTX_CLASS_LOAD: return inst->opcode->space != PTX_SPACE_PARAM;
	case PTX_CLASS_ATOMIC:
	case PTX_CLASS_TEXTURE:
	case PTX_CLASS_CALL: return true;
	case PTX_CLASS_MOVE:
		return from && from->kind == PTX_OPERAND_SREG &&
		       ((from->id >= PTX_SREG_tid_x && from->id <= PTX_SREG_tid_z) || from->id == PTX_SREG_laneid);
	default: return false;
	}
}

static bool differs_in(const struct selection *s, const struct ptx_operand *op)
{
	if (op->kind == PTX_OPERAND_REG)
		return s->facts[op->id].divergent;
	if (op->kind == PTX_OPERAND_MEM || op->kind == PTX_OPERAND_VEC || op->kind == PTX_OPERAND_PAIR)
		for (unsigned i = 0; i < op->count; i++)
			if (differs_in(s, &op->elems[i]))
				return true;
	return false;
}

static bool spread(struct selection *s, const struct ptx_operand *op)
{
	bool changed = false;

	if (op->kind == PTX_OPERAND_REG && !s->facts[op->id].divergent)
		return s->facts[op->id].divergent = true;
	if (op->kind == PTX_OPERAND_VEC || op->kind == PTX_OPERAND_PAIR || op->kind == PTX_OPERAND_LIST)
		for (unsigned i = 0; i < op->count; i++)
			changed |= spread(s, &op->elems[i]);
	return changed;
}

static bool spread_inst(struct selection *s, const struct ptx_inst *inst)
{
	bool differs = is_seed(inst), changed = false;

	differs |= inst->predicate != PTX_NONE && s->facts[inst->predicate].divergent;
	for (unsigned k = 0; k < inst->noperands && !differs; k++)
		differs = ptx_operand_role(inst, k) != PTX_ROLE_DST && differs_in(s, &inst->operands[k]);
	for (unsigned k = 0; k < inst->noperands && differs; k++) {
		enum ptx_role role = ptx_operand_role(inst, k);

		if (role == PTX_ROLE_DST || role == PTX_ROLE_DSTSRC)
			changed |= spread(s, &inst->operands[k]);
	}
	return changed;
}

/* A few rounds are enough for code of compilers; what a chain of loops needs beyond is left out. */
void find_divergence(struct selection *s)
{
	bool changed = true;

	for (unsigned round = 0; round < 8 && changed; round++) {
		changed = false;
		for (uint32_t i = 0; i < s->f->ninsts; i++)
			changed |= spread_inst(s, &s->f->insts[i]);
	}
}

/* --- Blocks of the graph and of the result --- */

struct shape {
	struct selection *s;
	struct lower_block **of; /* of a block of the graph, where it is one block of the result; else NULL */
	bool *held;              /* blocks where lanes meet that were held together */
};

static void match_blocks(struct shape *sh, uint32_t first, uint32_t count)
{
	for (uint32_t i = first; i < first + count; i++) {
		struct lower_block *b = &sh->s->l->blocks[i];
		uint32_t id = b->count ? sh->s->f->insts[b->first].block : PTX_NONE;

		if (id != PTX_NONE && sh->s->f->blocks[id].count == b->count)
			sh->of[id] = b;
	}
}

static const struct ptx_inst *branch_of(const struct shape *sh, uint32_t id)
{
	const struct ptx_block *b = &sh->s->f->blocks[id];
	const struct ptx_inst *last = b->count ? &sh->s->f->insts[b->first + b->count - 1] : NULL;

	return last && last->opcode->op == PTX_OP_bra && last->predicate != PTX_NONE && b->nsucc == 2 ? last : NULL;
}

/* --- Arms --- */

enum { LONGEST_ARM = 8 };

static bool can_be_predicated(enum machine_op op)
{
	enum machine_pipe pipe = machine_op_pipe(op);

	return pipe != MACHINE_BRANCH && pipe != MACHINE_SYNC && pipe != MACHINE_TENSOR && op != MACHINE_SHFL &&
	       op != MACHINE_VOTE && op != MACHINE_SYNCS;
}

static size_t without_jump(const struct lower_block *b)
{
	size_t n = b->code.len;

	return n && b->code.data[n - 1].op == MACHINE_BRA && b->code.data[n - 1].nsrc == 0 ? n - 1 : n;
}

static bool is_arm(const struct shape *sh, uint32_t id, uint32_t above, uint32_t meet)
{
	const struct ptx_block *p = &sh->s->f->blocks[id];
	const struct lower_block *b = sh->of[id];
	size_t n;

	if (!b || p->npred != 1 || p->pred[0] != above || p->nsucc != 1 || p->succ[0] != meet ||
	    b->arm[0] != MACHINE_NO_BLOCK)
		return false;
	n = without_jump(b);
	for (size_t i = 0; i < n; i++)
		if (!can_be_predicated((enum machine_op)b->code.data[i].op))
			return false;
	return n <= LONGEST_ARM;
}

static void predicate(struct lower_block *b, uint16_t reg)
{
	b->code.len = without_jump(b);
	for (size_t i = 0; i < b->code.len; i++) {
		struct machine_inst *in = &b->code.data[i];

		in->flags |= MACHINE_PREDICATED;
		in->guard = reg;
		if (in->nsrc < MACHINE_MAX_SOURCES)
			in->src[in->nsrc++] = reg;
	}
}

static bool only_ends(const struct shape *sh, uint32_t id)
{
	const struct ptx_block *p = &sh->s->f->blocks[id];

	return p->count == 1 && sh->s->f->insts[p->first].opcode->cls != PTX_CLASS_BRANCH && !p->nsucc;
}

static bool fold_arms(struct shape *sh, uint32_t id)
{
	const struct ptx_block *p = &sh->s->f->blocks[id];
	uint32_t taken = p->succ[0], next = p->succ[1];
	struct lower_block *b = sh->of[id], *arm[2] = {NULL, NULL};
	struct machine_inst branch = vec_last(&b->code);

	if (only_ends(sh, taken)) /* ptxas ends the other lanes there: a predicated EXIT */
		return false;
	if (is_arm(sh, next, id, taken)) {
		arm[0] = sh->of[next];
	} else if (is_arm(sh, taken, id, next)) {
		arm[0] = sh->of[taken];
	} else if (sh->s->f->blocks[next].nsucc == 1 && is_arm(sh, next, id, sh->s->f->blocks[next].succ[0]) &&
		   is_arm(sh, taken, id, sh->s->f->blocks[next].succ[0])) {
		arm[0] = sh->of[next];
		arm[1] = sh->of[taken];
	}
	if (!arm[0] || branch.op != MACHINE_BRA || !branch.nsrc)
		return false;
	b->code.len--;
	for (unsigned k = 0; k < 2 && arm[k]; k++) {
		b->arm[k] = (uint32_t)(arm[k] - sh->s->l->blocks);
		predicate(arm[k], branch.src[branch.nsrc - 1]);
	}
	return true;
}

/* --- Where lanes meet --- */

static void insert(struct lower_block *b, size_t at, enum machine_op op)
{
	vec_push(&b->code, (struct machine_inst){0});
	memmove(&b->code.data[at + 1], &b->code.data[at], (b->code.len - 1 - at) * sizeof *b->code.data);
	b->code.data[at] =
	    (struct machine_inst){.op = (uint16_t)op, .pipe = (uint8_t)machine_op_pipe(op), .row = MACHINE_NO_BLOCK};
}

/* Before the block's branch, if it ends with one. */
static void insert_hold(struct shape *sh, struct lower_block *b)
{
	size_t at = b->code.len;

	if (at && b->code.data[at - 1].op == MACHINE_BRA)
		at--;
	insert(b, at, MACHINE_BSSY);
	if (sh->s->l->generation == MACHINE_VOLTA)
		insert(b, at, MACHINE_BMOV);
}

/* The block before a loop that `id` leaves or repeats; `id` itself outside loops. */
static uint32_t block_before(const struct shape *sh, uint32_t id)
{
	const struct ptx_function *f = sh->s->f;

	for (unsigned k = 0; k < f->blocks[id].nsucc; k++) {
		const struct ptx_block *head = &f->blocks[f->blocks[id].succ[k]];

		if (head->rpo > f->blocks[id].rpo)
			continue;
		for (uint32_t i = 0; i < head->npred; i++)
			if (f->blocks[head->pred[i]].rpo < head->rpo)
				return head->pred[i];
	}
	return id;
}

static void hold_lanes(struct shape *sh, uint32_t id, const struct ptx_inst *branch)
{
	uint32_t meet = sh->s->f->blocks[id].ipdom, before;

	if (meet == PTX_NONE || !sh->s->facts[branch->predicate].divergent || !sh->of[meet] || only_ends(sh, meet) ||
	    sh->held[meet])
		return;
	before = block_before(sh, id);
	if (!sh->of[before])
		return;
	sh->held[meet] = true;
	insert_hold(sh, sh->of[before]);
	insert(sh->of[meet], 0, MACHINE_BSYNC);
}

void shape_control(struct selection *s, uint32_t first, uint32_t count)
{
	uint32_t n = s->f->nblocks;
	struct shape sh = {.s = s, .of = xcalloc(n + 1, sizeof *sh.of), .held = xcalloc(n + 1, sizeof *sh.held)};

	match_blocks(&sh, first, count);
	for (uint32_t id = n; id--;) {
		const struct ptx_inst *branch = branch_of(&sh, id);

		if (branch && sh.of[id] && sh.of[id]->code.len && s->f->blocks[id].reachable && !sh.of[id]->unrolled &&
		    !fold_arms(&sh, id))
			hold_lanes(&sh, id, branch);
	}
	free(sh.of);
	free(sh.held);
}
