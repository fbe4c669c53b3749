/* All bytes that a launch may write, where each of its writes has a range. */
#include "ptx-analyzer/flow/flow.h"
#include "ptx-analyzer/flow/resources.h"
#include "ptx-analyzer/language/module/ptx_access.h"
#include "ptx-analyzer/ranges/ranges.h"

#include <stdlib.h>
#include <string.h>

/* Functions without a body that write no memory which a kernel's pointers reach. */
static bool writes_nothing(const char *name)
{
	enum { NOTHING, HEAP, FREES, ANYTHING };
	static const struct {
		const char *name;
		int effect;
	} externs[] = {
#define EXTERN(name, effect) {#name, effect},
#include "ptx-analyzer/language/table/externs.def"
#undef EXTERN
	};

	for (size_t i = 0; i < sizeof externs / sizeof *externs; i++)
		if (strcmp(externs[i].name, name) == 0)
			return externs[i].effect == NOTHING;
	return false;
}

/* The callee's own code is looked at like the kernel's. */
static bool calls_known_code(const struct ptx_module *m, const struct ptx_inst *inst)
{
	const struct ptx_operand *callee = call_parts(inst).callee;
	const struct ptx_function *f;

	if (!callee || callee->kind != PTX_OPERAND_SYMBOL || m->symbols[callee->id].kind != PTX_SYMBOL_FUNCTION)
		return false;
	f = &m->functions[m->symbols[callee->id].callee];
	return !f->is_declaration || writes_nothing(f->name);
}

/* It writes memory other than the thread's or the CTA's own, as far as its spelling tells. */
static bool may_write(const struct ptx_inst *inst)
{
	for (struct ptx_address a = {0}; ptx_next_address(inst, &a);)
		if (a.role != PTX_ROLE_LOAD && a.space != PTX_SPACE_SHARED && a.space != PTX_SPACE_LOCAL &&
		    a.space != PTX_SPACE_PARAM)
			return true;
	return false;
}

/* Ranges are known of the kernel's own instructions alone. */
static bool add_function(const struct launch_ranges *l, const struct ptx_module *m, uint32_t function, uint32_t kernel,
			 range_list *out, range_writes *others)
{
	const struct ptx_function *f = &m->functions[function];

	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ptx_inst *inst = &f->insts[i];
		struct byte_range r = {RANGE_UNKNOWN, 0, 0};

		if (inst->opcode->op == PTX_OP_call && !calls_known_code(f->module, inst))
			return false;
		if (!may_write(inst))
			continue;
		if (function == kernel)
			r = ptx_ranges_of(l, i);
		if (r.kind == RANGE_UNKNOWN)
			vec_push(others, ((struct range_write){function, i}));
		if (r.kind == RANGE_KNOWN)
			vec_push(out, r);
	}
	return true;
}

static int compare_ranges(const void *a, const void *b)
{
	const struct byte_range *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

/* Ascending, and those that meet made one. */
static void join_ranges(range_list *w)
{
	size_t n = 0;

	if (w->len)
		qsort(w->data, w->len, sizeof *w->data, compare_ranges);
	for (size_t i = 0; i < w->len; i++) {
		if (n && w->data[i].first <= w->data[n - 1].last) {
			if (w->data[n - 1].last < w->data[i].last)
				w->data[n - 1].last = w->data[i].last;
		} else {
			w->data[n++] = w->data[i];
		}
	}
	w->len = n;
}

bool ptx_ranges_writes(const struct launch_ranges *l, const struct ptx_module *m, uint32_t kernel, range_list *out,
		       range_writes *others)
{
	struct ptx_reach reach;
	bool known;

	ptx_reach(m, kernel, &reach);
	known = !reach.indirect;
	for (size_t i = 0; i < reach.order.len && known; i++)
		known = add_function(l, m, reach.order.data[i], kernel, out, others);
	ptx_reach_release(&reach);
	join_ranges(out);
	return known;
}

bool ptx_ranges_written(const struct launch_ranges *l, const struct ptx_module *m, uint32_t kernel, range_list *out)
{
	range_writes others = VEC_INIT;
	bool known = ptx_ranges_writes(l, m, kernel, out, &others) && others.len == 0;

	vec_release(&others);
	return known;
}
