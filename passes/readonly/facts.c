/*
 * The facts of a module: each kernel is solved, its accesses are collected and judged; then the loads, over all. Where
 * that gives kernels copies of functions, all is done anew, with the copies.
 */
#include "passes/readonly/facts.h"

#include "passes/readonly/ir_access.h"
#include "passes/readonly/kernel_clones.h"
#include "passes/readonly/ir_judge.h"
#include "passes/solve/solution_dump.h"

#include <stdlib.h>

static void analyse(struct facts *facts, LLVMModuleRef module, const struct pass_options *options, bool foreign)
{
	*facts = (struct facts){.arena = ARENA_INIT, .alias = options->alias};
	ir_read(&facts->program, module, options->relocatable, foreign);
	facts->originals = facts->program.functions.len;
	for (uint32_t f = 0; f < facts->program.functions.len; f++) {
		struct solution solution;

		if (!facts->program.functions.data[f].is_kernel)
			continue;
		vec_grow(&facts->kernels);
		solve_kernel(&solution, &facts->program, f);
		collect_accesses(&vec_last(&facts->kernels), &solution, &facts->arena);
		if (options->dump)
			solution_dump(&solution, &facts->dump);
		solution_release(&solution);
		judge_kernel(facts, &vec_last(&facts->kernels));
	}
	judge_loads(facts);
}

void facts_make(struct facts *facts, LLVMModuleRef module, const struct pass_options *options, bool foreign)
{
	size_t originals;

	analyse(facts, module, options, foreign);
	if ((options->load == LOAD_KEEP && !options->copies) || !facts_clone_functions(facts))
		return;
	originals = facts->originals;
	facts_release(facts);
	analyse(facts, module, options, foreign);
	facts->originals = originals;
}

void facts_release(struct facts *facts)
{
	for (size_t i = 0; i < facts->kernels.len; i++) {
		vec_release(&facts->kernels.data[i].structures);
		free(facts->kernels.data[i].evidence);
		vec_release(&facts->kernels.data[i].accesses);
		vec_release(&facts->kernels.data[i].guards);
		vec_release(&facts->kernels.data[i].private_loads);
	}
	vec_release(&facts->kernels);
	arena_release(&facts->arena);
	ir_release(&facts->program);
	free(facts->op_proof);
	free(facts->op_denier);
	strbuf_release(&facts->dump);
}
