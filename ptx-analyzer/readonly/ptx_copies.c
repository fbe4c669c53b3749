/*
 * Copies of functions for kernels that others keep marks out of. Kernels that want the same copies share them; whoever
 * is left shares the originals. All is decided before the first copy is made, since copies move the module's arrays.
 */
#include "ptx-analyzer/readonly/ptx_kernel.h"

#include "ptx-analyzer/language/module/ptx_access.h"
#include "ptx-analyzer/language/module/ptx_clone.h"

/* So many groups of kernels get copies, and with all copies a text that is not short is at most twice as long. */
enum { MANY_GROUPS = 16, SHORT_TEXT = 4096 };

/* Kernels that call the same copies. */
struct group {
	size_t first;
	bool *members; /* per kernel */
	bool *wanted;  /* per function */
};

struct copier {
	struct ptx_analysis *a;
	uint32_t nfunctions;
	uint8_t ***allowed; /* per kernel: what it allows by itself, as in ptx_analysis.marks */
	uint8_t **marks;    /* what the kernels that call the originals allow together */
	bool *settled;      /* per kernel: it is in a group */
	uint64_t budget;    /* instructions that may still be added */
	VEC(struct group) groups;
};

static const struct ptx_function *function_at(const struct copier *c, uint32_t function)
{
	return &c->a->module->functions[function];
}

static void judge_originals(struct copier *c)
{
	c->marks = arena_array(&c->a->arena, uint8_t *, c->nfunctions);
	for (size_t k = 0; k < c->a->nkernels; k++)
		if (!c->settled[k])
			kernel_allow(&c->a->kernels[k], c->marks);
	deny_open_functions(c->a, c->marks);
}

/* Does the kernel gain a mark in its own copy of the function? */
static bool gains(const struct copier *c, size_t kernel, uint32_t function)
{
	const uint8_t *mine = c->allowed[kernel][function], *all = c->marks[function];
	const struct ptx_function *f = function_at(c, function);

	if (!mine || !ptx_can_clone(c->a->module, function))
		return false;
	for (uint32_t i = 0; i < f->ninsts; i++)
		if (mine[i] == MARK_ALLOWED && all[i] == MARK_DENIED && f->insts[i].opcode->op == PTX_OP_ld &&
		    !ptx_is_promised(f->insts[i].opcode))
			return true;
	return false;
}

/* The function that a call names, or PTX_NONE. */
static uint32_t direct_callee(const struct flow *fl, const struct flow_call *call)
{
	bool named = call_parts(&fl->function->insts[call->inst]).callee->kind == PTX_OPERAND_SYMBOL;

	return named && call->ncallees == 1 ? call->callees[0] : PTX_NONE;
}

/* Does the function call one of `set`? With `reached`, notes which. */
static bool calls_some(const struct flow *fl, const bool *set, bool *reached)
{
	bool some = false;

	for (size_t i = 0; i < fl->calls.len; i++) {
		uint32_t callee = direct_callee(fl, &fl->calls.data[i]);

		if (callee == PTX_NONE || !set[callee])
			continue;
		some |= !reached || !reached[callee];
		if (reached)
			reached[callee] = true;
	}
	return some;
}

/* Adds the functions that lead to a wanted function. */
static void add_callers(const struct copier *c, const struct kernel *k, bool *wanted)
{
	bool more = true;

	while (more) {
		more = false;
		for (size_t i = 1; i < k->functions.len; i++) {
			uint32_t f = k->functions.data[i];

			if (wanted[f] || !ptx_can_clone(c->a->module, f) ||
			    !calls_some(&c->a->flow->flows[f], wanted, NULL))
				continue;
			wanted[f] = more = true;
		}
	}
}

/* The wanted functions that a path of copies reaches from the kernel. */
static bool *keep_reached(const struct copier *c, const struct kernel *k, const bool *wanted)
{
	bool *reached = arena_array(&c->a->arena, bool, c->nfunctions), more;

	more = calls_some(&c->a->flow->flows[k->facts.function], wanted, reached);
	while (more) {
		more = false;
		for (size_t i = 1; i < k->functions.len; i++)
			if (reached[k->functions.data[i]])
				more |= calls_some(&c->a->flow->flows[k->functions.data[i]], wanted, reached);
	}
	return reached;
}

/*
 * The functions that the kernel needs copies of: functions in which it gains marks, and functions on the way there.
 * NULL if there are none.
 */
static bool *find_wanted(const struct copier *c, size_t kernel)
{
	const struct kernel *k = &c->a->kernels[kernel];
	bool some = false, *wanted = NULL;

	for (size_t i = 1; i < k->functions.len; i++) {
		uint32_t f = k->functions.data[i];

		if (!gains(c, kernel, f))
			continue;
		if (!wanted)
			wanted = arena_array(&c->a->arena, bool, c->nfunctions);
		wanted[f] = true;
	}
	if (!wanted)
		return NULL;
	add_callers(c, k, wanted);
	wanted = keep_reached(c, k, wanted);
	for (size_t i = 1; i < k->functions.len; i++)
		some |= wanted[k->functions.data[i]] && gains(c, kernel, k->functions.data[i]);
	return some ? wanted : NULL;
}

/* Do both kernels want these copies, and allow the same loads in them? */
static bool is_like(const struct copier *c, size_t one, size_t other, const bool *wanted)
{
	const bool *others = find_wanted(c, other);

	if (!others || memcmp(wanted, others, c->nfunctions * sizeof *wanted))
		return false;
	for (uint32_t f = 0; f < c->nfunctions; f++) {
		const uint8_t *x = c->allowed[one][f], *y = c->allowed[other][f];

		if (wanted[f] && x != y && (!x || !y || memcmp(x, y, function_at(c, f)->ninsts)))
			return false;
	}
	return true;
}

/* Makes a group of the kernel and those like it. False if it gains nothing, or exceeds the budget. */
static bool add_group(struct copier *c, size_t kernel)
{
	struct group g = {.first = kernel, .wanted = find_wanted(c, kernel)};
	uint64_t size = 0;

	for (uint32_t f = 0; g.wanted && f < c->nfunctions; f++)
		size += g.wanted[f] ? function_at(c, f)->ninsts : 0;
	if (!g.wanted || size > c->budget)
		return false;
	c->budget -= size;
	g.members = arena_array(&c->a->arena, bool, c->a->nkernels);
	for (size_t k = kernel; k < c->a->nkernels; k++)
		g.members[k] = k == kernel || (!c->settled[k] && is_like(c, kernel, k, g.wanted));
	for (size_t k = kernel; k < c->a->nkernels; k++)
		c->settled[k] |= g.members[k];
	vec_push(&c->groups, g);
	return true;
}

/* --- Making them --- */

static const char *copy_name(struct ptx_module *m, const char *function, const char *kernel)
{
	const char *name = arena_printf(&m->arena, "%s$%s", function, kernel);

	while (ptx_find_symbol(m, name))
		name = arena_printf(&m->arena, "%s$", name);
	return name;
}

static void redirect(const struct copier *c, const struct group *g, uint32_t caller, const uint32_t *copies)
{
	for (uint32_t f = 0; f < c->nfunctions; f++)
		if (g->wanted[f])
			ptx_redirect_calls(c->a->module, caller, f, copies[f]);
}

static void make_copies(const struct copier *c, const struct group *g)
{
	uint32_t *copies = xcalloc(c->nfunctions, sizeof *copies);
	const char *kernel = c->a->kernels[g->first].facts.name;

	for (uint32_t f = 0; f < c->nfunctions; f++)
		if (g->wanted[f])
			copies[f] = ptx_clone_function(c->a->module, f,
						       copy_name(c->a->module, function_at(c, f)->name, kernel));
	for (uint32_t f = 0; f < c->nfunctions; f++)
		if (g->wanted[f])
			redirect(c, g, copies[f], copies);
	for (size_t k = 0; k < c->a->nkernels; k++)
		if (g->members[k])
			redirect(c, g, c->a->kernels[k].facts.function, copies);
	free(copies);
}

/* Are there functions that several kernels may call, with loads that one of them forbids to mark? */
static bool has_denied_loads(const struct ptx_analysis *a)
{
	for (uint32_t f = 0; f < a->module->nfunctions; f++)
		if (!a->module->functions[f].is_kernel && a->marks[f] &&
		    memchr(a->marks[f], MARK_DENIED, a->module->functions[f].ninsts))
			return true;
	return false;
}

bool copy_functions(struct ptx_analysis *a)
{
	struct copier c = {.a = a, .nfunctions = a->module->nfunctions, .groups = VEC_INIT};
	size_t ngroups;

	if (!has_denied_loads(a))
		return false;
	c.allowed = arena_array(&a->arena, uint8_t **, a->nkernels);
	c.settled = arena_array(&a->arena, bool, a->nkernels);
	for (uint32_t f = 0; f < c.nfunctions; f++)
		c.budget += a->module->functions[f].ninsts;
	if (c.budget < SHORT_TEXT)
		c.budget = SHORT_TEXT;
	for (size_t k = 0; k < a->nkernels; k++) {
		c.allowed[k] = arena_array(&a->arena, uint8_t *, c.nfunctions);
		kernel_allow(&a->kernels[k], c.allowed[k]);
	}
	judge_originals(&c);
	for (size_t k = 0; k < a->nkernels && c.groups.len < MANY_GROUPS; k++)
		if (!c.settled[k] && add_group(&c, k))
			judge_originals(&c);
	for (size_t i = 0; i < c.groups.len; i++)
		make_copies(&c, &c.groups.data[i]);
	ngroups = c.groups.len;
	vec_release(&c.groups);
	return ngroups > 0;
}

void list_copies(struct kernel *k)
{
	const struct ptx_analysis *a = k->owner;

	k->facts.copies = arena_array(&k->owner->arena, const char *, k->functions.len);
	for (size_t i = 0; i < k->functions.len; i++)
		if (k->functions.data[i] >= a->originals)
			k->facts.copies[k->facts.ncopies++] = a->module->functions[k->functions.data[i]].name;
}
