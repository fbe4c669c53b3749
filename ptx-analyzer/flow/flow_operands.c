/* Operands: the value that an instruction reads, and where it writes its result. */
#include "ptx-analyzer/flow/flow.h"

static uint64_t sreg_deps(enum ptx_sreg sreg)
{
	switch (sreg) {
	case PTX_SREG_tid_x:
	case PTX_SREG_tid_y:
	case PTX_SREG_tid_z: return (uint64_t)DEP_TID << (sreg - PTX_SREG_tid_x);
	case PTX_SREG_ctaid_x:
	case PTX_SREG_ctaid_y:
	case PTX_SREG_ctaid_z: return (uint64_t)DEP_CTAID << (sreg - PTX_SREG_ctaid_x);
	case PTX_SREG_clusterid_x:
	case PTX_SREG_clusterid_y:
	case PTX_SREG_clusterid_z: return (uint64_t)DEP_CTAID << (sreg - PTX_SREG_clusterid_x);
	case PTX_SREG_cluster_ctaid_x:
	case PTX_SREG_cluster_ctaid_y:
	case PTX_SREG_cluster_ctaid_z: return (uint64_t)DEP_CTAID << (sreg - PTX_SREG_cluster_ctaid_x);
	case PTX_SREG_tid:
	case PTX_SREG_laneid:
	case PTX_SREG_warpid:
	case PTX_SREG_lanemask_eq:
	case PTX_SREG_lanemask_le:
	case PTX_SREG_lanemask_lt:
	case PTX_SREG_lanemask_ge:
	case PTX_SREG_lanemask_gt: return DEP_TID_ALL;
	case PTX_SREG_ctaid:
	case PTX_SREG_clusterid:
	case PTX_SREG_cluster_ctaid:
	case PTX_SREG_cluster_ctarank:
	case PTX_SREG_smid: return DEP_CTAID_ALL;
	case PTX_SREG_clock:
	case PTX_SREG_clock_hi:
	case PTX_SREG_clock64:
	case PTX_SREG_globaltimer:
	case PTX_SREG_globaltimer_lo:
	case PTX_SREG_globaltimer_hi: return DEP_TID_ALL | DEP_CTAID_ALL;
	default: return 0;
	}
}

/*
 * The name of a shared variable. All .extern .shared variables have the same address, in memory whose size the launch
 * gives. So they share a name.
 */
static uint32_t shared_name(const struct flow_module *fm, uint32_t symbol)
{
	const struct ptx_symbol *s = &fm->module->symbols[symbol];

	return s->space == PTX_SPACE_SHARED && s->linkage == PTX_LINK_EXTERN ? fm->dynamic_shared : symbol;
}

static struct value symbol_value(struct flow *fl, const struct ptx_operand *operand)
{
	const struct ptx_symbol *s = &fl->owner->module->symbols[operand->id];
	struct value v;

	switch (s->kind) {
	case PTX_SYMBOL_PARAM: v = value_root(fl, flow_root(fl, ROOT_PARAM_SPACE, s->param_index, 0)); break;
	case PTX_SYMBOL_RETURN: v = value_root(fl, flow_root(fl, ROOT_RETURN, s->param_index, 0)); break;
	case PTX_SYMBOL_FUNCTION: v = value_root(fl, flow_root(fl, ROOT_FUNCTION, s->callee, 0)); break;
	case PTX_SYMBOL_VARIABLE:
		v = value_root(fl, flow_root(fl,
					     s->space == PTX_SPACE_GLOBAL || s->space == PTX_SPACE_CONST ? ROOT_VARIABLE
													 : ROOT_LOCAL,
					     shared_name(fl->owner, operand->id), 0));
		break;
	default: return value_integer(fl->owner, OFFSET_ANY);
	}
	v.offset = operand->imm;
	return v;
}

static struct value elements_value(struct flow *fl, const struct ptx_operand *operand)
{
	struct value v = {.offset = OFFSET_ANY};
	set_id beside = SET_EMPTY;
	uint64_t deps = 0;

	for (unsigned i = 0; i < operand->count; i++) {
		struct value e = flow_operand(fl, &operand->elems[i]);

		beside = set_union(fl->owner->sets, beside, e.beside);
		deps |= e.deps;
		value_gather(fl, &v, e);
	}
	v = value_unplaced(v);
	v.beside = beside;
	v.deps = deps;
	return v;
}

/* %envreg1 and %envreg2 are the halves of an address: where the driver keeps the barrier of a cooperative grid. */
static struct value sreg_value(struct flow *fl, enum ptx_sreg sreg)
{
	struct value v = value_integer(fl->owner, OFFSET_ANY);

	if (sreg == PTX_SREG_envreg1 || sreg == PTX_SREG_envreg2)
		v.set =
		    set_change(fl->owner->sets, value_root(fl, flow_root(fl, ROOT_WORKSPACE, 0, 0)).set, CHANGE_NARROW);
	v.deps = sreg_deps(sreg);
	fl->reads |= v.deps;
	return v;
}

struct value flow_operand(struct flow *fl, const struct ptx_operand *operand)
{
	struct value v;

	switch (operand->kind) {
	case PTX_OPERAND_REG: return fl->regs[operand->id];
	case PTX_OPERAND_SYMBOL: return symbol_value(fl, operand);
	case PTX_OPERAND_SREG: return sreg_value(fl, operand->id);
	case PTX_OPERAND_MEM:
		v = flow_operand(fl, &operand->elems[0]);
		if (operand->count > 1)
			v = flow_add(fl, v, flow_operand(fl, &operand->elems[1]));
		v.bias = (int64_t)((uint64_t)value_bias(v) + (uint64_t)operand->imm);
		if (v.span)
			v = range_sum(fl, v, value_integer(fl->owner, operand->imm), v);
		v = steps_moved(v, operand->imm);
		if (v.offset != OFFSET_ANY && __builtin_add_overflow(v.offset, operand->imm, &v.offset))
			v.offset = OFFSET_ANY;
		return v;
	case PTX_OPERAND_VEC:
	case PTX_OPERAND_TEX:
	case PTX_OPERAND_LIST: return elements_value(fl, operand);
	case PTX_OPERAND_PAIR: return flow_operand(fl, &operand->elems[0]);
	default: return value_integer(fl->owner, operand->kind == PTX_OPERAND_INT ? operand->imm : OFFSET_ANY);
	}
}

void flow_define(struct flow *fl, const struct ptx_operand *operand, struct value v)
{
	struct value flag = value_integer(fl->owner, OFFSET_ANY);

	switch (operand->kind) {
	case PTX_OPERAND_REG:
		v.wide = fl->wide == WIDE_KEPT ? v.wide : fl->wide;
		v.beside = set_union(fl->owner->sets, v.beside, fl->guard);
		if (fl->known)
			v = range_known(fl, v, fl->known[operand->id],
					ptx_type_bits(fl->function->regs[operand->id].type));
		value_join(fl, &fl->regs[operand->id], v);
		break;
	case PTX_OPERAND_PAIR:
		flag.deps = v.deps;
		flag.beside = value_bits(fl->owner, v);
		flow_define(fl, &operand->elems[0], v);
		flow_define(fl, &operand->elems[1], flag);
		break;
	case PTX_OPERAND_VEC:
		v = value_unplaced(v);
		for (unsigned i = 0; i < operand->count; i++)
			flow_define(fl, &operand->elems[i], v);
		break;
	default: break;
	}
}
