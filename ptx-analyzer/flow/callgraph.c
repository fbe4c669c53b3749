/* The call graph: what each call may reach, and an order of functions with callees before callers. */
#include "ptx-analyzer/flow/flow.h"

/* An indirect call with more candidates than this counts as doing anything. */
enum { MANY_CANDIDATES = 32 };

enum extern_effect { EXTERN_NOTHING, EXTERN_HEAP, EXTERN_FREES, EXTERN_ANYTHING };

static const struct {
	const char *name;
	enum extern_effect effect;
} externs[] = {
#define EXTERN(name, effect) {#name, EXTERN_##effect},
#include "ptx-analyzer/language/table/externs.def"
#undef EXTERN
};

static enum extern_effect extern_effect(const char *name)
{
	for (size_t i = 0; i < sizeof externs / sizeof *externs; i++)
		if (strcmp(externs[i].name, name) == 0)
			return externs[i].effect;
	return EXTERN_ANYTHING;
}

static void take(struct flow_module *fm, uint32_t symbol)
{
	const struct ptx_symbol *s = &fm->module->symbols[symbol];

	if (s->kind != PTX_SYMBOL_FUNCTION || s->callee >= fm->module->nfunctions || fm->flows[s->callee].taken)
		return;
	fm->flows[s->callee].taken = true;
	vec_push(&fm->taken, (struct taken){0, s->callee});
}

/* Notes the functions whose address the operand is or holds, in whatever instruction. */
static void take_operand(struct flow_module *fm, const struct ptx_operand *o)
{
	if (o->kind == PTX_OPERAND_SYMBOL)
		take(fm, o->id);
	else if (o->kind == PTX_OPERAND_MEM || o->kind == PTX_OPERAND_VEC || o->kind == PTX_OPERAND_PAIR ||
		 o->kind == PTX_OPERAND_TEX || o->kind == PTX_OPERAND_LIST)
		for (unsigned i = 0; i < o->count; i++)
			take_operand(fm, &o->elems[i]);
}

/* Looks at all operands but the function that a call names. */
static void take_operands(struct flow_module *fm, const struct ptx_inst *inst)
{
	const struct ptx_operand *callee = inst->opcode->op == PTX_OP_call ? call_parts(inst).callee : NULL;

	for (unsigned i = 0; i < inst->noperands; i++)
		if (&inst->operands[i] != callee)
			take_operand(fm, &inst->operands[i]);
}

/* One pass over the instructions: functions whose address is used, and where the calls are that may be executed. */
static void scan_function(struct flow_module *fm, uint32_t function)
{
	const struct ptx_function *f = &fm->module->functions[function];
	const bool *dead = flow_find_dead(fm, function);

	fm->flows[function].dead = dead;
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ptx_inst *inst = &f->insts[i];

		if (inst->opcode->op == PTX_OP_call && !(dead && dead[i]))
			vec_push(&fm->flows[function].calls, (struct flow_call){.inst = i});
		take_operands(fm, inst);
	}
}

static void scan_module(struct flow_module *fm)
{
	const struct ptx_module *m = fm->module;

	for (uint32_t s = 0; s < m->nsymbols; s++)
		for (size_t i = 0; i < m->symbols[s].nrelocs; i++)
			take(fm, m->symbols[s].relocs[i].symbol);
	for (uint32_t f = 0; f < m->nfunctions; f++)
		scan_function(fm, f);
}

/* --- Indirect calls: candidates by signature --- */

static uint64_t mix_size(uint64_t hash, uint64_t size)
{
	return (hash ^ size) * 0x9e3779b97f4a7c15u;
}

static uint64_t function_signature(const struct ptx_module *m, const struct ptx_function *f)
{
	uint64_t hash = mix_size(f->nparams, f->nreturns + 1);

	for (uint32_t i = 0; i < f->nparams; i++)
		hash = mix_size(hash, m->symbols[f->params[i]].size);
	for (uint32_t i = 0; i < f->nreturns; i++)
		hash = mix_size(hash, m->symbols[f->returns[i]].size);
	return hash;
}

/* Returns false when a value is passed in a register, since the register's size need not be the parameter's. */
static bool call_signature(const struct ptx_module *m, const struct call_parts *p, uint64_t *signature)
{
	uint64_t hash = mix_size(p->nargs, p->nreturns + 1);

	for (unsigned i = 0; i < p->nargs + p->nreturns; i++) {
		const struct ptx_operand *o = i < p->nargs ? &p->args[i] : &p->returns[i - p->nargs];

		if (o->kind != PTX_OPERAND_SYMBOL)
			return false;
		hash = mix_size(hash, m->symbols[o->id].size);
	}
	*signature = hash;
	return true;
}

static int compare_taken(const void *a, const void *b)
{
	const struct taken *x = a, *y = b;

	if (x->signature != y->signature)
		return x->signature < y->signature ? -1 : 1;
	return (x->function > y->function) - (x->function < y->function);
}

static bool has_unsized_parameter(const struct ptx_module *m, const struct ptx_function *f)
{
	for (uint32_t i = 0; i < f->nparams; i++)
		if (m->symbols[f->params[i]].size == 0)
			return true;
	return false;
}

static void sort_taken(struct flow_module *fm)
{
	for (size_t i = 0; i < fm->taken.len; i++) {
		const struct ptx_function *f = &fm->module->functions[fm->taken.data[i].function];

		fm->taken.data[i].signature = function_signature(fm->module, f);
		fm->takes_any_size |= has_unsized_parameter(fm->module, f);
	}
	if (fm->taken.len)
		qsort(fm->taken.data, fm->taken.len, sizeof *fm->taken.data, compare_taken);
}

/* The first function of this signature or a later one. */
static size_t first_taken(const struct flow_module *fm, uint64_t signature)
{
	size_t low = 0, high = fm->taken.len;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (fm->taken.data[middle].signature < signature)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void resolve_indirect(struct flow_module *fm, const struct call_parts *p, struct flow_call *call)
{
	uint32_t callees[MANY_CANDIDATES];
	uint64_t signature = 0;

	call->unknown = !call_signature(fm->module, p, &signature) || fm->takes_any_size;
	for (size_t i = first_taken(fm, signature); i < fm->taken.len && !call->unknown; i++) {
		uint32_t function = fm->taken.data[i].function;

		if (fm->taken.data[i].signature != signature)
			break;
		if (fm->module->functions[function].is_declaration || call->ncallees == MANY_CANDIDATES)
			call->unknown = true;
		else
			callees[call->ncallees++] = function;
	}
	call->callees = arena_memdup(&fm->arena, callees, call->ncallees * sizeof *callees);
	call->unknown |= call->ncallees == 0;
}

/* --- Direct calls --- */

static void resolve_direct(struct flow_module *fm, uint32_t function, struct flow_call *call)
{
	const struct ptx_function *f = &fm->module->functions[function];
	uint32_t *callee;

	if (!f->is_declaration) {
		callee = arena_new(&fm->arena, uint32_t);
		*callee = function;
		call->callees = callee;
		call->ncallees = 1;
		return;
	}
	call->unknown = extern_effect(f->name) == EXTERN_ANYTHING;
	call->heap = extern_effect(f->name) == EXTERN_HEAP;
	call->frees = extern_effect(f->name) == EXTERN_FREES;
}

/* The function of a symbol; PTX_NONE for a pointer to one. */
static uint32_t function_of(const struct ptx_module *m, uint32_t symbol)
{
	const struct ptx_symbol *s = &m->symbols[symbol];

	return s->kind == PTX_SYMBOL_FUNCTION && s->callee < m->nfunctions ? s->callee : PTX_NONE;
}

static void resolve_calls(struct flow *fl)
{
	const struct ptx_module *m = fl->owner->module;

	for (size_t i = 0; i < fl->calls.len; i++) {
		struct flow_call *call = &fl->calls.data[i];
		struct call_parts p = call_parts(&fl->function->insts[call->inst]);
		uint32_t function = p.callee->kind == PTX_OPERAND_SYMBOL ? function_of(m, p.callee->id) : PTX_NONE;

		if (function != PTX_NONE)
			resolve_direct(fl->owner, function, call);
		else
			resolve_indirect(fl->owner, &p, call);
	}
}

/* --- Order --- */

/*
 * Tarjan's strongly connected components, with an explicit stack. A component is complete after everything that it
 * calls.
 */
struct step {
	uint32_t function;
	size_t call, callee; /* the next edge to follow */
};

struct tarjan {
	uint32_t *number, *low, *stack, nstack, next;
	bool *on_stack;
	VEC(struct step) path;
};

static void enter(struct tarjan *tj, uint32_t function)
{
	tj->number[function] = tj->low[function] = ++tj->next;
	tj->stack[tj->nstack++] = function;
	tj->on_stack[function] = true;
	vec_grow(&tj->path);
	vec_last(&tj->path).function = function;
}

static void lower(struct tarjan *tj, uint32_t function, uint32_t to)
{
	if (to < tj->low[function])
		tj->low[function] = to;
}

static void leave(struct tarjan *tj, struct flow_module *fm)
{
	uint32_t function = vec_pop(&tj->path).function, member;

	if (tj->path.len)
		lower(tj, vec_last(&tj->path).function, tj->low[function]);
	if (tj->low[function] != tj->number[function])
		return;
	do {
		member = tj->stack[--tj->nstack];
		tj->on_stack[member] = false;
		fm->flows[member].group = fm->ngroups;
		fm->order[fm->norder++] = member;
	} while (member != function);
	fm->ngroups++;
}

static void visit(struct tarjan *tj, struct flow_module *fm, uint32_t start)
{
	enter(tj, start);
	while (tj->path.len) {
		uint32_t f = vec_last(&tj->path).function, callee;
		size_t call = vec_last(&tj->path).call;

		if (call == fm->flows[f].calls.len) {
			leave(tj, fm);
			continue;
		}
		if (vec_last(&tj->path).callee == fm->flows[f].calls.data[call].ncallees) {
			vec_last(&tj->path).call++;
			vec_last(&tj->path).callee = 0;
			continue;
		}
		callee = fm->flows[f].calls.data[call].callees[vec_last(&tj->path).callee++];
		fm->flows[f].recursive |= callee == f;
		if (!tj->number[callee])
			enter(tj, callee);
		else if (tj->on_stack[callee])
			lower(tj, f, tj->number[callee]);
	}
}

void flow_build_calls(struct flow_module *fm)
{
	uint32_t n = fm->module->nfunctions;
	struct tarjan tj = {.number = xcalloc(n, sizeof(uint32_t)),
			    .low = xcalloc(n, sizeof(uint32_t)),
			    .stack = xcalloc(n, sizeof(uint32_t)),
			    .on_stack = xcalloc(n, sizeof(bool))};

	fm->order = arena_array(&fm->arena, uint32_t, n);
	scan_module(fm);
	sort_taken(fm);
	for (uint32_t f = 0; f < n; f++)
		resolve_calls(&fm->flows[f]);
	for (uint32_t f = 0; f < n; f++)
		if (!fm->module->functions[f].is_declaration && !tj.number[f])
			visit(&tj, fm, f);
	free(tj.number);
	free(tj.low);
	free(tj.stack);
	free(tj.on_stack);
	vec_release(&tj.path);
}
