/* How often a loop of one block turns, where its counter begins at a number, goes by a number and ends at one. */
#include "lowering/lower.h"

enum { MOST_TRIPS = 1 << 16 };

struct counter {
	const struct ptx_inst *test, *step;
	bool stepped_first; /* the comparison reads the counter behind its step */
	int64_t begin, by, end;
};

static uint32_t writer_behind(const struct selection *s, uint32_t reg, uint32_t first, uint32_t end)
{
	for (uint32_t i = end; i-- > first;) {
		const struct ptx_inst *inst = &s->f->insts[i];

		if (inst->noperands && inst->operands[0].kind == PTX_OPERAND_REG && inst->operands[0].id == reg &&
		    ptx_operand_role(inst, 0) == PTX_ROLE_DST)
			return i;
	}
	return PTX_NONE;
}

uint32_t lower_writer(const struct selection *s, const struct lower_block *b, uint32_t reg)
{
	return writer_behind(s, reg, b->first, b->first + b->count);
}

/* The number that a register holds which has one other writer, outside the loop. */
static bool begins_at(const struct selection *s, const struct lower_block *b, uint32_t reg, int64_t *number)
{
	for (uint32_t i = 0; i < s->f->ninsts; i++) {
		const struct ptx_inst *inst = &s->f->insts[i];

		if ((i >= b->first && i < b->first + b->count) || !inst->noperands ||
		    inst->operands[0].kind != PTX_OPERAND_REG || inst->operands[0].id != reg ||
		    ptx_operand_role(inst, 0) != PTX_ROLE_DST)
			continue;
		if (inst->opcode->op != PTX_OP_mov || inst->operands[1].kind != PTX_OPERAND_INT)
			return false;
		*number = inst->operands[1].imm;
		return s->facts[reg].ndef == 2;
	}
	return false;
}

/* The counter of a loop whose branch is its last instruction. */
static bool find_counter(const struct selection *s, const struct lower_block *b, struct counter *c)
{
	const struct ptx_inst *last = &s->f->insts[b->first + b->count - 1];
	uint32_t test = lower_writer(s, b, last->predicate), step;

	if (test == PTX_NONE)
		return false;
	c->test = &s->f->insts[test];
	if (c->test->opcode->op != PTX_OP_setp || c->test->noperands != 3 ||
	    c->test->operands[1].kind != PTX_OPERAND_REG)
		return false;
	step = lower_writer(s, b, c->test->operands[1].id);
	if (step == PTX_NONE)
		return false;
	c->step = &s->f->insts[step];
	c->stepped_first = step < test;
	return (c->step->opcode->op == PTX_OP_add || c->step->opcode->op == PTX_OP_sub) &&
	       c->step->operands[1].kind == PTX_OPERAND_REG && c->step->operands[2].kind == PTX_OPERAND_INT &&
	       s->facts[c->step->operands[1].id].ndef > 1;
}

bool is_counted(const struct selection *s, const struct lower_block *b)
{
	struct counter c;

	return find_counter(s, b, &c);
}

static bool goes_on(const struct counter *c, int64_t at, bool negated)
{
	bool is;

	switch (c->test->opcode->group[PTX_GROUP_COMPARE]) {
	case PTX_MOD_eq: is = at == c->end; break;
	case PTX_MOD_ne: is = at != c->end; break;
	case PTX_MOD_lt: is = at < c->end; break;
	case PTX_MOD_le: is = at <= c->end; break;
	case PTX_MOD_gt: is = at > c->end; break;
	case PTX_MOD_ge: is = at >= c->end; break;
	default: return false;
	}
	return is != negated;
}

uint32_t count_trips(const struct selection *s, const struct lower_block *b)
{
	const struct ptx_inst *last = &s->f->insts[b->first + b->count - 1];
	struct counter c;
	int64_t at;
	uint32_t trips = 1;

	if (!find_counter(s, b, &c) || c.test->operands[2].kind != PTX_OPERAND_INT ||
	    !begins_at(s, b, c.step->operands[1].id, &c.begin))
		return 0;
	c.by = c.step->opcode->op == PTX_OP_sub ? -c.step->operands[2].imm : c.step->operands[2].imm;
	c.end = c.test->operands[2].imm;
	at = c.begin + (c.stepped_first ? c.by : 0);
	for (; goes_on(&c, at, last->predicate_not) && trips < MOST_TRIPS; at += c.by)
		trips++;
	return trips;
}
