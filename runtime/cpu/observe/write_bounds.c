/*
 * Each marked load is held against the bytes that the launch may write. A trace has marks for each row and launch, and
 * none for each execution. So one execution that does not pass ends the mark of its row. A row that keeps its mark
 * would have been marked by a check in the code at each execution, too: nothing is decided in hindsight.
 */
#include "runtime/cpu/observe/write_bounds.h"

#include "common/integer.h"
#include "runtime/cpu/engine/cpu_device.h"
#include "runtime/cpu/engine/cpu_module.h"
#include "runtime/cpu/engine/engine_op.h"
#include "runtime/cpu/observe/observe.h"

struct write_bounds {
	const struct program *program;
	range_list written;
	uint8_t *rows;
};

/* Fetches are left out: a texture unit may read more than the texels that are asked for. */
static bool may_pass(const struct inst *in)
{
	return in->flags & INST_REAL && in->flags & INST_MARKED && !op_is(in->ptx, OP_FETCHES);
}

struct write_bounds *write_bounds_begin(struct launch *l, const struct launch_ranges *ranges)
{
	const struct program *p = l->program;
	const struct ptx_module *m = p->module->ptx;
	range_list written = VEC_INIT;
	struct write_bounds *b = NULL;

	if (ptx_ranges_written(ranges, m, (uint32_t)(p->kernel - m->functions), &written)) {
		b = arena_alloc(&l->arena, sizeof *b);
		*b = (struct write_bounds){.program = p,
					   .rows = arena_array(&l->arena, uint8_t, divide_up(p->ninsts, 8) + 1)};
		if (written.len)
			b->written.data = arena_memdup(&l->arena, written.data, written.len * sizeof *written.data);
		b->written.len = written.len;
		for (uint32_t c = 0; c < p->ncodes; c++)
			for (uint32_t i = 0; i < p->codes[c].ninsts; i++)
				if (may_pass(&p->codes[c].insts[i]))
					b->rows[p->codes[c].insts[i].trace / 8] |=
					    (uint8_t)(1u << p->codes[c].insts[i].trace % 8);
	}
	vec_release(&written);
	return b;
}

static bool is_written(const struct write_bounds *b, uint64_t address, uint64_t bytes)
{
	for (size_t i = 0; i < b->written.len; i++)
		if (address <= b->written.data[i].last && address + (bytes - 1) >= b->written.data[i].first)
			return true;
	return false;
}

bool write_bounds_pass(struct warp *w, const struct inst *in, uint32_t mask)
{
	struct write_bounds *b = w->launch->observer->bounds;
	uint64_t address[LANES], bytes = (uint64_t)in->bytes * in->vec;

	if (!may_pass(in))
		return false;
	for (uint32_t rest = accessed(w, in, mask, address); rest; rest &= rest - 1) {
		unsigned lane = (unsigned)__builtin_ctz(rest);

		if (memory_contains(w->launch->memory, address[lane], bytes) && !is_written(b, address[lane], bytes))
			continue;
		b->rows[in->trace / 8] &= (uint8_t)~(1u << in->trace % 8);
		return false;
	}
	return true;
}

static bool is_kept(const struct write_bounds *b, uint32_t row)
{
	return b->rows[row / 8] >> row % 8 & 1;
}

const uint8_t *write_bounds_rows(const struct write_bounds *b)
{
	for (uint32_t row = 0; row < b->program->ninsts; row++)
		if (is_kept(b, row))
			return b->rows;
	return NULL;
}

void write_bounds_structures(const struct write_bounds *b, const struct kernel_facts *facts, bool *marked)
{
	const struct program *p = b->program;
	const struct access **accesses = xcalloc(p->ninsts + 1, sizeof *accesses);

	program_accesses(p, accesses);
	for (uint32_t i = 0; i < facts->nstructures; i++)
		marked[i] = facts->structures[i].marked;
	for (uint32_t row = 0; row < p->ninsts; row++)
		for (uint32_t i = 0; accesses[row] && accesses[row]->marked && i < accesses[row]->nstructures; i++)
			marked[accesses[row]->structures[i]] &= is_kept(b, row);
	free(accesses);
}
