/* One function to its fixpoint: rounds over its instructions until no fact changes. */
#include "ptx-analyzer/flow/flow.h"
#include "ptx-analyzer/flow/cfg.h"

/* Parameters and return values that the function declares as registers (.func (.reg .b64 r) f(.reg .b64 a)). */
static void bind_registers(struct flow *fl)
{
	const struct ptx_symbol *symbols = fl->owner->module->symbols;
	const struct ptx_function *f = fl->function;

	for (uint32_t i = 0; i < f->nparams; i++) {
		const struct ptx_symbol *s = &symbols[f->params[i]];
		struct value space;

		if (s->space != PTX_SPACE_REG)
			continue;
		space = value_root(fl, flow_root(fl, ROOT_PARAM_SPACE, i, 0));
		value_join(fl, &fl->regs[s->reg], flow_load(fl, space, 0, s->size < 8 ? 4 : 8, PTX_SPACE_PARAM));
	}
	for (uint32_t i = 0; i < f->nreturns; i++) {
		const struct ptx_symbol *s = &symbols[f->returns[i]];

		if (s->space == PTX_SPACE_REG)
			flow_store(fl, value_root(fl, flow_root(fl, ROOT_RETURN, i, 0)), 0, 8, fl->regs[s->reg],
				   PTX_SPACE_PARAM);
	}
}

static void round_over_text(struct flow *fl)
{
	uint32_t ncalls = 0;

	bind_registers(fl);
	fl->accesses.len = 0;
	fl->kin.len = 0;
	for (uint32_t i = 0; i < fl->function->ninsts; i++)
		if (!fl->dead || !fl->dead[i])
			flow_step(fl, &fl->function->insts[i], &ncalls);
	flow_close_escapes(fl);
}

/* Reachable blocks in reverse post-order; NULL when the function has no control flow graph. */
static uint32_t *blocks_in_rpo(const struct flow *fl)
{
	struct ptx_function *f = &fl->owner->module->functions[fl->index];
	uint32_t *order;

	if (ptx_build_cfg(f, NULL) < 0)
		return NULL;
	order = xmalloc((f->nblocks + 1) * sizeof *order);
	for (uint32_t i = 0; i < f->nblocks; i++)
		order[i] = PTX_NONE;
	for (uint32_t i = 0; i < f->nblocks; i++)
		if (f->blocks[i].reachable && f->blocks[i].rpo < f->nblocks)
			order[f->blocks[i].rpo] = i;
	return order;
}

static uint32_t first_call(const struct flow *fl, uint32_t inst)
{
	uint32_t low = 0, high = (uint32_t)fl->calls.len;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (fl->calls.data[middle].inst < inst)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void round_over_blocks(struct flow *fl, const uint32_t *order)
{
	bind_registers(fl);
	for (uint32_t i = 0; i < fl->function->nblocks; i++) {
		const struct ptx_block *b;
		uint32_t ncalls;

		if (order[i] == PTX_NONE)
			continue;
		b = &fl->function->blocks[order[i]];
		ncalls = first_call(fl, b->first);
		for (uint32_t j = b->first; j < b->first + b->count; j++)
			if (!fl->dead || !fl->dead[j])
				flow_step(fl, &fl->function->insts[j], &ncalls);
	}
	fl->accesses.len = 0;
	fl->kin.len = 0;
	flow_close_escapes(fl);
}

/*
 * Compilers emit code that settles in a few rounds in the order of the text. Where it does not, the rounds go over the
 * blocks in reverse post-order.
 */
enum { TEXT_ROUNDS = 6 };

static void run_to_fixpoint(struct flow *fl)
{
	uint32_t *order = NULL;

	for (unsigned rounds = 0; rounds == 0 || fl->changed; rounds++) {
		if (rounds == TEXT_ROUNDS)
			order = blocks_in_rpo(fl);
		do {
			fl->changed = false;
			if (order)
				round_over_blocks(fl, order);
		} while (fl->changed);
		round_over_text(fl);
	}
	free(order);
}

/*
 * A parameter that is the only possible base of some address is a pointer. Then what is added to it is an offset, and
 * facts computed before are too wide. Returns true if there is such a parameter and the facts are worth computing
 * again.
 */
static bool find_pointers(struct flow *fl)
{
	bool found = false;

	for (size_t i = 0; i < fl->accesses.len; i++) {
		const struct set *v = set_get(fl->owner->sets, fl->accesses.data[i].set);
		struct root *root = &fl->roots.data[v->count == 1 ? ELEM_ROOT(v->elems[0]) : 0];

		if (root->kind != ROOT_PARAM || root->definite)
			continue;
		found = root->definite = true;
	}
	return found && fl->ambiguous;
}

/*
 * The parameter that is the base of an access if one of several is: the only one that sums have first and none second.
 * NULL if one is certainly a pointer, or if it cannot be told.
 */
static struct root *likely_base(struct flow *fl, const struct flow_access *a)
{
	const struct set *v = set_get(fl->owner->sets, a->set);
	struct root *base = NULL;

	for (uint32_t i = 0; i < v->count; i++) {
		struct root *r = &fl->roots.data[ELEM_ROOT(v->elems[i])];

		if (r->definite)
			return NULL;
		if (r->kind != ROOT_PARAM || !r->first || r->second)
			continue;
		if (base)
			return NULL;
		base = r;
	}
	return base;
}

/*
 * Without optimisation PTX does not tell pointers from numbers: in `base + offset`, both 64-bit parameters, either may
 * be the base. A kernel assumes what is likely. Guards fail at a launch that does not know an assumed pointer.
 */
static bool assume_pointers(struct flow *fl)
{
	bool found = false;

	for (size_t i = 0; fl->function->is_kernel && fl->owner->may_assume && i < fl->accesses.len; i++) {
		struct root *base = likely_base(fl, &fl->accesses.data[i]);

		if (base)
			found = base->definite = base->assumed = true;
	}
	return found;
}

static void reset_facts(struct flow *fl)
{
	const struct value none = {.set = SET_EMPTY};

	memset(fl->regs, 0, fl->function->nregs * sizeof *fl->regs);
	for (size_t i = 0; i < fl->roots.len; i++) {
		fl->roots.data[i].any = fl->roots.data[i].all = none;
		fl->roots.data[i].nslots = 0;
	}
	fl->slots.len = 0;
	if (fl->slot_cap)
		memset(fl->slot_index, 0, fl->slot_cap * sizeof *fl->slot_index);
	fl->published = fl->unplaced = fl->carry = none;
	fl->ambiguous = false;
	fl->kin.len = 0;
}

void flow_function(struct flow *fl)
{
	run_to_fixpoint(fl);
	if (find_pointers(fl)) {
		reset_facts(fl);
		run_to_fixpoint(fl);
	}
	if (fl->ambiguous && assume_pointers(fl)) {
		reset_facts(fl);
		run_to_fixpoint(fl);
	}
}
