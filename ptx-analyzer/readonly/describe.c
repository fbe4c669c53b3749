/*
 * Details of an analysis for reports beside its facts: the places of accesses, and the lines of each function in the
 * text.
 */
#include "ptx-analyzer/readonly/describe.h"

#include "ptx-analyzer/language/module/ptx_access.h"
#include "ptx-analyzer/language/module/ptx_places.h"
#include "ptx-analyzer/language/debug/dwarf.h"
#include "ptx-analyzer/readonly/ptx_kernel.h"

#include <inttypes.h>

static struct report_access describe_access(struct ptx_analysis *owner, const struct access *a)
{
	const struct ptx_inst *inst = &owner->module->functions[a->function].insts[a->inst];
	struct place_chain places = ptx_places(owner->module, inst, &owner->arena);

	return (struct report_access){
	    .access = a,
	    .line = inst->line,
	    .instruction = inst->opcode->text,
	    .source = places.count ? places.places[0].file : NULL,
	    .source_line = places.count ? places.places[0].line : 0,
	    .places = places,
	};
}

/* --- Loads that are not of global memory --- */

typedef VEC(struct report_access) access_list;

static bool touches_global(const struct kernel *k, uint32_t function, uint32_t inst)
{
	struct access place = {.function = function, .inst = inst};

	return k->naccesses && bsearch(&place, k->accesses, k->naccesses, sizeof *k->accesses, access_compare) != NULL;
}

/* The space of its first address that it loads from, or NULL if it loads nothing. */
static const char *loaded_space(const struct ptx_inst *inst)
{
	for (struct ptx_address a = {0}; ptx_next_address(inst, &a);) {
		if (a.role != PTX_ROLE_LOAD)
			continue;
		if (a.space == PTX_SPACE_GENERIC)
			return "local, shared, parameter or constant";
		return a.space == PTX_SPACE_GLOBAL ? NULL : ptx_space_name(a.space);
	}
	return NULL;
}

static void add_others(struct kernel *k, uint32_t function, access_list *list)
{
	const struct ptx_module *m = k->owner->module;
	const struct ptx_function *f = &m->functions[function];

	for (uint32_t i = 0; i < f->ninsts; i++) {
		const char *space = loaded_space(&f->insts[i]);
		struct access *access;

		if (!space || f->insts[i].opcode->cls == PTX_CLASS_TEXTURE || touches_global(k, function, i))
			continue;
		access = arena_new(&k->owner->arena, struct access);
		*access = (struct access){.function = function, .inst = i, .is_load = true};
		vec_push(list, describe_access(k->owner, access));
		vec_last(list).space = space;
	}
}

static void describe_others(struct kernel *k, struct report_kernel *out)
{
	access_list list = VEC_INIT;

	for (size_t i = 0; i < k->functions.len; i++)
		add_others(k, k->functions.data[i], &list);
	if (list.len)
		out->others = arena_memdup(&k->owner->arena, list.data, list.len * sizeof *list.data);
	out->nothers = list.len;
	vec_release(&list);
}

/* --- Names --- */

static const char *name_of_param(const struct kernel *k, const struct dwarf *d, const struct structure *s)
{
	const struct ptx_function *f = kernel_function(k);
	uint64_t offset = s->param_offset - f->module->symbols[f->params[s->param]].param_offset;
	struct arena *arena = &k->owner->arena;
	const char *name = structure_name(arena, dwarf_param(d, k->facts.function, s->param)), *member;

	if (!name || s->kind == STRUCTURE_PARAM || s->param_bytes != sizeof(uint64_t))
		return name;
	member = dwarf_member(d, k->facts.function, s->param, offset, arena);
	return member ? structure_name(arena, member) : arena_printf(arena, "%s+%" PRIu64, name, offset);
}

static void name_structures(struct kernel *k, const struct dwarf *d)
{
	for (uint32_t i = 0; i < k->facts.nstructures; i++) {
		struct structure *s = &k->facts.structures[i];

		if (s->kind == STRUCTURE_PARAM || s->kind == STRUCTURE_FIELD)
			s->name = name_of_param(k, d, s);
		else if (s->kind == STRUCTURE_VARIABLE)
			s->name = structure_name_of_variable(&k->owner->arena, s->id);
	}
	structure_name_pointees(&k->owner->arena, k->facts.structures, k->facts.nstructures);
}

/* --- The module --- */

/* `ranges`: names for the bytes of its accesses; NULL: these are not asked for. */
static void describe_kernel(struct kernel *k, const struct dwarf *ranges, struct report_kernel *out)
{
	struct report_access *list = arena_array(&k->owner->arena, struct report_access, k->naccesses);

	for (size_t i = 0; i < k->naccesses; i++)
		list[i] = describe_access(k->owner, &k->accesses[i]);
	if (ranges)
		describe_ranges(k, ranges, list, k->naccesses);
	*out = (struct report_kernel){.facts = &k->facts, .accesses = list, .naccesses = k->naccesses};
	describe_others(k, out);
}

/* The last line of its instructions, and the source positions where they change. */
static void describe_function(struct arena *arena, const struct ptx_function *f, struct report_function *out)
{
	VEC(uint32_t) positions = VEC_INIT;
	uint32_t loc = PTX_NONE;

	*out = (struct report_function){.name = f->name, .line = f->line, .last_line = f->line};
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ptx_inst *inst = &f->insts[i];

		if (inst->line > out->last_line)
			out->last_line = inst->line;
		if (inst->loc == loc || inst->loc >= f->module->nlocs)
			continue;
		loc = inst->loc;
		vec_push(&positions, inst->line);
		vec_push(&positions, f->module->locs[loc].file);
		vec_push(&positions, f->module->locs[loc].line);
		out->npositions++;
	}
	if (positions.len)
		out->positions = arena_memdup(arena, positions.data, positions.len * sizeof *positions.data);
	vec_release(&positions);
}

void ptx_describe(struct ptx_analysis *a, struct report_module *out)
{
	const struct ptx_module *m = a->module;
	struct report_kernel *kernels = arena_array(&a->arena, struct report_kernel, a->nkernels);
	struct dwarf *d = dwarf_read(m);
	struct report_function *functions = arena_array(&a->arena, struct report_function, m->nfunctions);

	for (size_t i = 0; i < a->nkernels; i++) {
		describe_kernel(&a->kernels[i], out->ranges ? d : NULL, &kernels[i]);
		name_structures(&a->kernels[i], d);
	}
	dwarf_free(d);
	for (uint32_t i = 0; i < m->nfunctions; i++)
		describe_function(&a->arena, &m->functions[i], &functions[i]);
	out->kernels = kernels;
	out->nkernels = a->nkernels;
	out->functions = functions;
	out->nfunctions = m->nfunctions;
	out->files = m->files;
	out->nfiles = m->nfiles;
}
