/*
 * Copies functions for kernels whose marks others forbid. Kernels that need the same copies share them. The other
 * kernels share the originals, as do calls through pointers and code that is linked later. All is decided before the
 * first copy is made, since the facts describe the unchanged module.
 */
#include "passes/readonly/kernel_clones.h"

#include "passes/ir/clone.h"
#include "passes/readonly/ir_judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* So many groups of kernels get copies, and with all copies a module that is not small is at most twice as large. */
enum { MANY_GROUPS = 16, SMALL_MODULE = 4096 };

/* A load that a kernel can reach, and whether the kernel alone would allow its mark. */
struct load_state {
	uint32_t op;
	bool is_allowed, is_promised;
};

struct candidate {
	VEC(struct load_state) loads; /* ascending by `op` */
	bool *reached;                /* per function: direct calls lead there, over functions that may be copied */
	bool is_settled;              /* it is in a group */
};

/* Kernels that call the same copies. */
struct group {
	size_t first;
	bool *members; /* per kernel */
	bool *wanted;  /* per function; to be freed */
};

/* The functions that a function calls by name. */
struct callees {
	uint32_t *ids;
	uint32_t count;
};

struct cloner {
	struct facts *facts;
	struct callees *callees; /* per function */
	bool *may_clone;         /* per function */
	struct candidate *kernels;
	bool *denied;    /* per operation: a kernel that calls the original, or other code that may, denies the mark */
	uint64_t budget; /* instructions that may still be added */
	VEC(struct group) groups;
};

static size_t count_functions(const struct cloner *c)
{
	return c->facts->program.functions.len;
}

static const struct function_code *function_at(const struct cloner *c, uint32_t function)
{
	return &c->facts->program.functions.data[function];
}

/* --- Calls --- */

/* The function that an instruction calls by name, or NO_FUNCTION. */
static uint32_t direct_callee(const struct ir *p, LLVMValueRef inst)
{
	LLVMValueRef callee = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;

	return callee && LLVMIsAFunction(callee) ? ir_function(p, callee) : NO_FUNCTION;
}

static struct callees find_callees(struct facts *facts, const struct function_code *f)
{
	const struct ir *p = &facts->program;
	struct callees found;

	found.ids = arena_array(&facts->arena, uint32_t, f->nops);
	found.count = 0;
	for (uint32_t i = 0; i < f->nops; i++) {
		const struct op *op = &p->ops.data[f->first_op + i];
		uint32_t callee = op->kind == OP_CALL ? direct_callee(p, op->inst) : NO_FUNCTION;

		if (callee != NO_FUNCTION)
			found.ids[found.count++] = callee;
	}
	return found;
}

/* Marks in `reached` what calls by name lead to from `function`, over functions of `through` (NULL: all). */
static void reach(const struct callees *callees, const bool *through, uint32_t function, bool *reached)
{
	VEC(uint32_t) open = VEC_INIT;

	vec_push(&open, function);
	while (open.len) {
		uint32_t f = vec_pop(&open);

		for (uint32_t i = 0; i < callees[f].count; i++) {
			uint32_t callee = callees[f].ids[i];

			if (reached[callee] || (through && !through[callee]))
				continue;
			reached[callee] = true;
			vec_push(&open, callee);
		}
	}
	vec_release(&open);
}

/* A function with a body that cannot be replaced, and without labels whose addresses are taken. */
static bool can_clone(const struct function_code *f)
{
	if (!f->has_body || f->is_kernel)
		return false;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->value); b; b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
		LLVMOpcode opcode = last ? LLVMGetInstructionOpcode(last) : LLVMUnreachable;

		if (opcode == LLVMIndirectBr || opcode == LLVMCallBr)
			return false;
	}
	return true;
}

static uint64_t size_of_function(LLVMValueRef function)
{
	uint64_t size = 0;

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			size++;
	return size;
}

/* --- Kernels that need copies --- */

static int by_op(const void *a, const void *b)
{
	const struct load_state *x = a, *y = b;

	return (x->op > y->op) - (x->op < y->op);
}

static void list_loads(const struct ir_kernel *k, struct candidate *to)
{
	for (size_t i = 0; i < k->accesses.len; i++) {
		const struct ir_access *a = &k->accesses.data[i];

		if (a->is_load)
			vec_push(&to->loads,
				 (struct load_state){a->op, access_proof(k, a) != PROOF_NONE, a->is_marked_input});
	}
	for (size_t i = 0; i < k->private_loads.len; i++)
		vec_push(&to->loads, (struct load_state){k->private_loads.data[i], false, false});
	if (to->loads.len)
		qsort(to->loads.data, to->loads.len, sizeof *to->loads.data, by_op);
}

/* The first of the kernel's loads in the function, and how many. */
static const struct load_state *loads_in(const struct candidate *k, const struct function_code *f, size_t *count)
{
	size_t low = 0, high = k->loads.len, end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (k->loads.data[middle].op < f->first_op)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < k->loads.len && k->loads.data[end].op < f->first_op + f->nops; end++)
		;
	*count = end - low;
	return &k->loads.data[low];
}

/* Collects the marks that the originals' callers deny: the remaining kernels, and code that is not visible. */
static void judge_originals(struct cloner *c)
{
	const struct ir *p = &c->facts->program;

	memset(c->denied, 0, p->ops.len * sizeof *c->denied);
	for (size_t k = 0; k < c->facts->kernels.len; k++)
		for (size_t i = 0; !c->kernels[k].is_settled && i < c->kernels[k].loads.len; i++)
			c->denied[c->kernels[k].loads.data[i].op] |= !c->kernels[k].loads.data[i].is_allowed;
	for (uint32_t f = 0; f < p->functions.len; f++)
		if (reached_from_elsewhere(c->facts, &p->functions.data[f]))
			memset(&c->denied[p->functions.data[f].first_op], 1, p->functions.data[f].nops);
}

/* Does the kernel gain a mark in its own copy of the function? */
static bool gains(const struct cloner *c, const struct candidate *k, uint32_t function)
{
	size_t count;
	const struct load_state *loads;

	if (!k->reached[function])
		return false;
	loads = loads_in(k, function_at(c, function), &count);
	for (size_t i = 0; i < count; i++)
		if (loads[i].is_allowed && !loads[i].is_promised && c->denied[loads[i].op])
			return true;
	return false;
}

/* Does the function call one of `set` by name? */
static bool calls_some(const struct cloner *c, uint32_t function, const bool *set)
{
	for (uint32_t i = 0; i < c->callees[function].count; i++)
		if (set[c->callees[function].ids[i]])
			return true;
	return false;
}

/*
 * The functions that the kernel needs copies of: functions in which it gains marks, and functions on the way there.
 * NULL if there are none. The caller frees it.
 */
static bool *find_wanted(const struct cloner *c, const struct candidate *k)
{
	bool *wanted = xcalloc(count_functions(c), sizeof *wanted), more = false;

	for (uint32_t f = 0; f < count_functions(c); f++)
		more |= wanted[f] = gains(c, k, f);
	if (!more) {
		free(wanted);
		return NULL;
	}
	do {
		more = false;
		for (uint32_t f = 0; f < count_functions(c); f++)
			if (k->reached[f] && !wanted[f] && calls_some(c, f, wanted))
				wanted[f] = more = true;
	} while (more);
	return wanted;
}

/* True if both kernels allow the same marks in these functions. */
static bool agree(const struct cloner *c, const struct candidate *one, const struct candidate *other,
		  const bool *functions)
{
	for (uint32_t f = 0; f < count_functions(c); f++) {
		size_t n = 0, m = 0;
		const struct load_state *x, *y;

		if (!functions[f])
			continue;
		x = loads_in(one, function_at(c, f), &n);
		y = loads_in(other, function_at(c, f), &m);
		if (n != m)
			return false;
		for (size_t i = 0; i < n; i++)
			if (x[i].op != y[i].op || x[i].is_allowed != y[i].is_allowed)
				return false;
	}
	return true;
}

/* True if `other` needs the same copies as `one`. */
static bool is_like(const struct cloner *c, const struct candidate *one, const struct candidate *other,
		    const bool *wanted)
{
	bool *others = find_wanted(c, other), like;

	like =
	    others && memcmp(wanted, others, count_functions(c) * sizeof *wanted) == 0 && agree(c, one, other, wanted);
	free(others);
	return like;
}

/* Makes a group of the kernel and those like it. False if it gains nothing, or exceeds the budget. */
static bool add_group(struct cloner *c, size_t kernel)
{
	size_t nkernels = c->facts->kernels.len;
	struct group g = {.first = kernel, .wanted = find_wanted(c, &c->kernels[kernel])};
	uint64_t size = 0;

	for (uint32_t f = 0; g.wanted && f < count_functions(c); f++)
		size += g.wanted[f] ? size_of_function(function_at(c, f)->value) : 0;
	if (!g.wanted || size > c->budget) {
		free(g.wanted);
		return false;
	}
	c->budget -= size;
	g.members = arena_array(&c->facts->arena, bool, nkernels);
	for (size_t k = kernel; k < nkernels; k++)
		g.members[k] = k == kernel ||
			       (!c->kernels[k].is_settled && is_like(c, &c->kernels[kernel], &c->kernels[k], g.wanted));
	for (size_t k = kernel; k < nkernels; k++)
		c->kernels[k].is_settled |= g.members[k];
	vec_push(&c->groups, g);
	return true;
}

/* --- Making them --- */

static bool is_name_taken(LLVMModuleRef m, const char *name)
{
	return LLVMGetNamedFunction(m, name) || LLVMGetNamedGlobal(m, name) ||
	       LLVMGetNamedGlobalAlias(m, name, strlen(name)) || LLVMGetNamedGlobalIFunc(m, name, strlen(name));
}

static const char *clone_name(struct facts *facts, const char *function, const char *kernel)
{
	const char *name = arena_printf(&facts->arena, "%s$%s", function, kernel);

	while (is_name_taken(facts->program.module, name))
		name = arena_printf(&facts->arena, "%s$", name);
	return name;
}

static LLVMValueRef make_clone(struct facts *facts, const struct function_code *f, const char *kernel)
{
	const char *name = clone_name(facts, f->name, kernel);
	LLVMValueRef copy = clone_function(f->value);

	LLVMSetValueName2(copy, name, strlen(name));
	LLVMSetVisibility(copy, LLVMDefaultVisibility);
	LLVMSetLinkage(copy, LLVMInternalLinkage);
	return copy;
}

/* Makes the calls by name in `caller` calls of the copies. */
static void redirect(const struct cloner *c, LLVMValueRef caller, const LLVMValueRef *copies)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(caller); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			uint32_t callee = direct_callee(&c->facts->program, i);

			/* The callee is the last operand. */
			if (callee != NO_FUNCTION && copies[callee])
				LLVMSetOperand(i, (unsigned)LLVMGetNumOperands(i) - 1, copies[callee]);
		}
}

static void make_clones(const struct cloner *c, const struct group *g)
{
	LLVMValueRef *copies = xcalloc(count_functions(c), sizeof *copies);
	const char *kernel = function_at(c, c->facts->kernels.data[g->first].function)->name;

	for (uint32_t f = 0; f < count_functions(c); f++)
		if (g->wanted[f])
			copies[f] = make_clone(c->facts, function_at(c, f), kernel);
	for (uint32_t f = 0; f < count_functions(c); f++)
		if (copies[f])
			redirect(c, copies[f], copies);
	for (size_t k = 0; k < c->facts->kernels.len; k++)
		if (g->members[k])
			redirect(c, function_at(c, c->facts->kernels.data[k].function)->value, copies);
	free(copies);
}

/* --- All of it --- */

/* True if a function that is not a kernel has loads whose marks some caller denies. */
static bool has_denied_loads(const struct facts *facts)
{
	const struct ir *p = &facts->program;

	for (uint32_t f = 0; f < p->functions.len; f++)
		for (uint32_t i = 0; !p->functions.data[f].is_kernel && i < p->functions.data[f].nops; i++)
			if (facts->op_denier[p->functions.data[f].first_op + i])
				return true;
	return false;
}

static void prepare(struct cloner *c)
{
	struct arena *arena = &c->facts->arena;
	size_t nfunctions = count_functions(c), nkernels = c->facts->kernels.len;

	c->callees = arena_array(arena, struct callees, nfunctions);
	c->may_clone = arena_array(arena, bool, nfunctions);
	c->kernels = arena_array(arena, struct candidate, nkernels);
	c->denied = arena_array(arena, bool, c->facts->program.ops.len);
	for (uint32_t f = 0; f < nfunctions; f++) {
		c->callees[f] = find_callees(c->facts, function_at(c, f));
		c->may_clone[f] = can_clone(function_at(c, f));
		c->budget += size_of_function(function_at(c, f)->value);
	}
	if (c->budget < SMALL_MODULE)
		c->budget = SMALL_MODULE;
	for (size_t k = 0; k < nkernels; k++) {
		c->kernels[k].reached = arena_array(arena, bool, nfunctions);
		reach(c->callees, c->may_clone, c->facts->kernels.data[k].function, c->kernels[k].reached);
		list_loads(&c->facts->kernels.data[k], &c->kernels[k]);
	}
}

bool facts_clone_functions(struct facts *facts)
{
	struct cloner c = {.facts = facts, .groups = VEC_INIT};
	size_t ngroups;

	if (!has_denied_loads(facts))
		return false;
	prepare(&c);
	judge_originals(&c);
	for (size_t k = 0; k < facts->kernels.len && c.groups.len < MANY_GROUPS; k++)
		if (!c.kernels[k].is_settled && add_group(&c, k))
			judge_originals(&c);
	for (size_t i = 0; i < c.groups.len; i++)
		make_clones(&c, &c.groups.data[i]);
	ngroups = c.groups.len;
	for (size_t i = 0; i < ngroups; i++)
		free(c.groups.data[i].wanted);
	for (size_t k = 0; k < facts->kernels.len; k++)
		vec_release(&c.kernels[k].loads);
	vec_release(&c.groups);
	return ngroups > 0;
}

uint32_t facts_list_clones(struct facts *facts, uint32_t kernel_function, const char ***names)
{
	size_t nfunctions = facts->program.functions.len;
	bool *reached = xcalloc(nfunctions + 1, sizeof *reached);
	struct callees *callees = xcalloc(nfunctions + 1, sizeof *callees);
	uint32_t count = 0;

	*names = arena_array(&facts->arena, const char *, nfunctions - facts->originals);
	for (uint32_t f = 0; f < nfunctions && facts->originals < nfunctions; f++)
		callees[f] = find_callees(facts, &facts->program.functions.data[f]);
	reach(callees, NULL, kernel_function, reached);
	for (uint32_t f = facts->originals; f < nfunctions; f++)
		if (reached[f])
			(*names)[count++] = facts->program.functions.data[f].name;
	free(callees);
	free(reached);
	return count;
}
