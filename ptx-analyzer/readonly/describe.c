/* What reports show of an analysis beside its facts: where accesses stand, and which lines of the text are a
 * function's. */
#include "ptx-analyzer/readonly/describe.h"

#include "ptx-analyzer/readonly/kernel.h"

static struct report_access describe_access(const struct ptx_module *m, const struct access *a)
{
	const struct ptx_inst *inst = &m->functions[a->function].insts[a->inst];
	const struct ptx_loc *loc = inst->loc < m->nlocs ? &m->locs[inst->loc] : NULL;

	return (struct report_access){
	    .access = a,
	    .line = inst->line,
	    .instruction = inst->opcode->text,
	    .source = loc && loc->file < m->nfiles ? m->files[loc->file] : NULL,
	    .source_line = loc ? loc->line : 0,
	};
}

static void describe_kernel(struct kernel *k, struct report_kernel *out)
{
	struct report_access *list = arena_array(&k->owner->arena, struct report_access, k->naccesses);

	for (size_t i = 0; i < k->naccesses; i++)
		list[i] = describe_access(k->owner->module, &k->accesses[i]);
	*out = (struct report_kernel){&k->facts, list, k->naccesses};
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
	struct report_function *functions = arena_array(&a->arena, struct report_function, m->nfunctions);

	for (size_t i = 0; i < a->nkernels; i++)
		describe_kernel(&a->kernels[i], &kernels[i]);
	for (uint32_t i = 0; i < m->nfunctions; i++)
		describe_function(&a->arena, &m->functions[i], &functions[i]);
	out->kernels = kernels;
	out->nkernels = a->nkernels;
	out->functions = functions;
	out->nfunctions = m->nfunctions;
	out->files = m->files;
	out->nfiles = m->nfiles;
}
