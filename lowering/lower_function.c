/* One function: facts of its registers, the choice of instructions, then block by block. */
#include "lowering/lower.h"

#include "ptx-analyzer/flow/resources.h"

#include <stdlib.h>

/*
 * ptxas takes some more than are live: a stack pointer, and what the alignment of pairs and quads leaves unused. Of the
 * kernels that the rules were made on the median is so many.
 */
enum { MORE_REGISTERS = 4, LEAST_REGISTERS = 16 };

static uint32_t count_registers(const struct selection *s, uint32_t first, uint32_t count)
{
	uint32_t needed = lower_pressure(s, first, count) + MORE_REGISTERS, most = ptx_register_limit(s->f);

	needed = needed > LEAST_REGISTERS ? needed : LEAST_REGISTERS;
	return needed < most ? needed : most;
}

static void schedule_all(const struct lower *l, uint32_t first, uint32_t count)
{
	for (uint32_t b = first; b < first + count; b++) {
		struct lower_block *block = &l->blocks[b];

		schedule_code(l, block->code.data, block->code.len);
		if (block->region)
			schedule_code(l, block->region->code.data, block->region->code.len);
	}
}

void lower_function(struct lower *l, struct ptx_function *f, uint32_t first, uint32_t count)
{
	struct selection s = {.l = l,
			      .f = f,
			      .base = l->nregisters,
			      .facts = xcalloc(f->nregs + 1, sizeof *s.facts),
			      .plans = xcalloc(f->ninsts + 1, sizeof *s.plans)};

	l->nregisters += 2 * f->nregs;
	if (f->is_kernel)
		l->registers_per_thread = ptx_registers(f);
	fold_numbers(l->module, f);
	join_values(&s, f);
	find_facts(&s);
	select_code(&s);
	find_zeros(&s);
	for (uint32_t b = first; b < first + count; b++) {
		emit_block(&s, &l->blocks[b]);
		join_accesses(&s, &l->blocks[b]);
	}
	find_divergence(&s);
	unroll_loops(&s, first, count);
	shape_control(&s, first, count);
	find_regions(&s, first, count);
	schedule_all(l, first, count);
	if (f->is_kernel)
		l->registers_per_thread = count_registers(&s, first, count);
	free(s.facts);
	free(s.plans);
}
