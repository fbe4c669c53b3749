/* The origin analysis of a module: function by function, callees first, groups of recursion until they settle. */
#include "ptx-analyzer/flow/flow.h"

static void flow_init(struct flow_module *fm, uint32_t index)
{
	struct flow *fl = &fm->flows[index];

	fl->owner = fm;
	fl->function = &fm->module->functions[index];
	fl->index = index;
	if (fl->function->is_declaration)
		return;
	fl->asks = flow_find_questions(fl->function);
	flow_root(fl, ROOT_INTEGER, 0, 0);
	flow_root(fl, ROOT_UNKNOWN, 0, 0);
}

/* Does the function keep variables in memory, or a kernel compute places in its parameters? */
static bool computes_places(const struct ptx_function *f)
{
	for (uint32_t i = 0; i < f->nvariables; i++)
		if (f->module->symbols[f->variables[i]].space == PTX_SPACE_LOCAL)
			return true;
	if (!f->is_kernel)
		return false;
	for (uint32_t i = 0; i < f->ninsts; i++)
		for (unsigned o = 0; o < f->insts[i].noperands; o++) {
			const struct ptx_operand *operand = &f->insts[i].operands[o];

			if (operand->kind == PTX_OPERAND_SYMBOL &&
			    f->module->symbols[operand->id].kind == PTX_SYMBOL_PARAM)
				return true;
		}
	return false;
}

static void find_objects(struct flow *fl)
{
	struct stack_frame frame;

	if (!frame_objects_are_told(fl->function))
		return;
	stack_frame_find_places(&frame, fl->function);
	fl->objects = frame.objects;
	frame.objects = (frame_object_list)VEC_INIT;
	stack_frame_release(&frame);
}

/* Bounds of numbers matter where code computes places in memory that is analysed place by place. */
static void find_known(struct flow_module *fm, struct flow *fl)
{
	if (computes_places(fl->function))
		fl->known = intervals_find(fm->module, fl->index, flow_call_keeps, fl);
	find_objects(fl);
}

/* One group: functions order[first..end) that call each other. */
static void analyze_group(struct flow_module *fm, uint32_t first, uint32_t end)
{
	bool again = true;

	for (uint32_t i = first; i < end; i++) {
		struct flow *fl = &fm->flows[fm->order[i]];

		fl->regs = xcalloc(fl->function->nregs + 1, sizeof *fl->regs);
		find_known(fm, fl);
	}
	while (again) {
		again = false;
		for (uint32_t i = first; i < end; i++) {
			struct flow *fl = &fm->flows[fm->order[i]];

			fl->grown = false;
			flow_function(fl);
			again |= fl->grown && (end - first > 1 || fl->recursive);
		}
	}
	for (uint32_t i = first; i < end; i++)
		flow_keep_bindings(&fm->flows[fm->order[i]]);
	for (uint32_t i = first; i < end; i++) {
		free(fm->flows[fm->order[i]].regs);
		free(fm->flows[fm->order[i]].known);
		fm->flows[fm->order[i]].regs = NULL;
		fm->flows[fm->order[i]].known = NULL;
	}
}

static uint32_t find_dynamic_shared(const struct ptx_module *m)
{
	uint32_t s = 0;

	while (s < m->nsymbols && (m->symbols[s].space != PTX_SPACE_SHARED || m->symbols[s].linkage != PTX_LINK_EXTERN))
		s++;
	return s;
}

struct flow_module *flow_analyze(struct ptx_module *m, bool may_assume)
{
	struct flow_module *fm = xcalloc(1, sizeof *fm);
	uint32_t end;

	fm->module = m;
	fm->may_assume = may_assume;
	fm->sets = set_table_new();
	fm->integer = set_single(fm->sets, ELEM_INTEGER);
	fm->unknown = set_single(fm->sets, ELEM_UNKNOWN);
	fm->dynamic_shared = find_dynamic_shared(m);
	fm->nflows = m->nfunctions;
	fm->flows = xcalloc(m->nfunctions + 1, sizeof *fm->flows);
	for (uint32_t f = 0; f < m->nfunctions; f++)
		flow_init(fm, f);
	flow_build_calls(fm);
	for (uint32_t first = 0; first < fm->norder; first = end) {
		for (end = first + 1; end < fm->norder; end++)
			if (fm->flows[fm->order[end]].group != fm->flows[fm->order[first]].group)
				break;
		analyze_group(fm, first, end);
	}
	return fm;
}

void flow_module_free(struct flow_module *fm)
{
	if (!fm)
		return;
	for (uint32_t f = 0; f < fm->nflows; f++) {
		struct flow *fl = &fm->flows[f];

		vec_release(&fl->roots);
		vec_release(&fl->slots);
		vec_release(&fl->accesses);
		vec_release(&fl->calls);
		vec_release(&fl->kin);
		vec_release(&fl->objects);
		free(fl->root_index);
		free(fl->slot_index);
	}
	free(fm->flows);
	vec_release(&fm->taken);
	vec_release(&fm->scratch);
	set_table_free(fm->sets);
	arena_release(&fm->arena);
	free(fm);
}
