/* From a request to the machine code of its kernel: parse, find the blocks, lower function by function. */
#include "lowering/machine_kernel.h"

#include "lowering/lower.h"
#include "ptx-analyzer/flow/cfg.h"
#include "ptx-analyzer/flow/resources.h"
#include "ptx-analyzer/language/text/ptx_text.h"

#include <stdlib.h>
#include <string.h>

static const char *const file_name = "(PTX of the trace)";

/* --- The blocks --- */

static void add_block(struct lower *l, const struct ptx_function *f, uint32_t first, uint32_t count)
{
	l->blocks[l->nblocks++] = (struct lower_block){
	    .function = f, .first = first, .count = count, .arm = {MACHINE_NO_BLOCK, MACHINE_NO_BLOCK}};
}

/* Instructions that the rows of a block stand for: a row with TRACE_PART stands for none. */
static uint32_t count_rows(const struct trace_kernel *t, const struct trace_block *b)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < b->count; i++)
		n += !(t->insts[b->first + i].flags & TRACE_PART);
	return n;
}

/* The rows of the table are in the order of the functions and of their text, so that counting finds each. */
static bool take_table(struct lower *l, const struct ptx_function *f, uint32_t *next)
{
	const struct trace_kernel *t = l->request->table;
	uint32_t at = 0;

	while (at < f->ninsts && *next < t->nblocks) {
		uint32_t rows = count_rows(t, &t->blocks[(*next)++]);

		if (rows > f->ninsts - at)
			return false;
		add_block(l, f, at, rows);
		at += rows;
	}
	return at == f->ninsts;
}

static bool take_blocks(struct lower *l, const struct ptx_function *f, uint32_t *next)
{
	if (l->request->table)
		return take_table(l, f, next);
	for (uint32_t b = 0; b < f->nblocks; b++)
		add_block(l, f, f->blocks[b].first, f->blocks[b].count);
	return true;
}

static uint32_t most_blocks(const struct lower *l, const struct ptx_reach *r)
{
	uint32_t n = 1;

	if (l->request->table)
		return l->request->table->nblocks + 1;
	for (size_t i = 0; i < r->order.len; i++)
		n += l->module->functions[r->order.data[i]].nblocks;
	return n;
}

static int differs(const struct lower *l, struct diag *d)
{
	return diag_file(d, file_name, "the PTX of kernel '%s' has other instructions than the trace's table",
			 l->request->kernel);
}

static int lower_all(struct lower *l, const struct ptx_reach *r, struct diag *d)
{
	uint32_t next = 0;

	for (size_t i = 0; i < r->order.len; i++)
		if (ptx_build_cfg(&l->module->functions[r->order.data[i]], d) < 0)
			return DIAG_ERROR;
	l->shared_offset = xmalloc((l->module->nsymbols + 1) * sizeof *l->shared_offset);
	ptx_shared_bytes(r, l->shared_offset, NULL);
	l->blocks = xcalloc(most_blocks(l, r), sizeof *l->blocks);
	for (size_t i = 0; i < r->order.len; i++) {
		struct ptx_function *f = &l->module->functions[r->order.data[i]];
		uint32_t first = l->nblocks;

		if (!take_blocks(l, f, &next))
			return differs(l, d);
		lower_function(l, f, first, l->nblocks - first);
	}
	return l->request->table && next != l->request->table->nblocks ? differs(l, d) : 0;
}

/* --- The result --- */

static const struct machine_region *finish_region(struct lower *l, const struct lower_region *from)
{
	struct machine_region *r;

	if (!from)
		return NULL;
	r = arena_alloc(&l->arena, sizeof *r);
	*r = (struct machine_region){
	    .insts = arena_memdup(&l->arena, from->code.data, from->code.len * sizeof *from->code.data),
	    .ninsts = (uint32_t)from->code.len,
	    .nparts = from->nparts,
	    .parts = from->parts};
	return r;
}

static struct machine_kernel *finish(struct lower *l)
{
	struct machine_kernel *m = xcalloc(1, sizeof *m);
	struct arena *storage = xmalloc(sizeof *storage);

	m->blocks = arena_array(&l->arena, struct machine_block, l->nblocks + 1);
	m->nblocks = l->nblocks;
	m->nregisters = l->nregisters;
	m->registers_per_thread = l->registers_per_thread;
	for (uint32_t b = 0; b < l->nblocks; b++) {
		const struct lower_block *from = &l->blocks[b];

		m->blocks[b] = (struct machine_block){
		    .insts = arena_memdup(&l->arena, from->code.data, from->code.len * sizeof *from->code.data),
		    .ninsts = (uint32_t)from->code.len,
		    .arm = {from->arm[0], from->arm[1]},
		    .region = finish_region(l, from->region),
		    .unrolled = from->unrolled,
		    .rest = from->rest};
	}
	*storage = l->arena;
	l->arena = (struct arena)ARENA_INIT;
	m->storage = storage;
	return m;
}

/*
 * The functions that the table has rows of, in its order: those with a body. Tables of functions are not a part of the
 * trace's excerpt, so what the kernel calls through pointers would not be found from the kernel.
 */
static void reach_excerpt(const struct ptx_module *m, struct ptx_reach *r)
{
	r->order.len = 0;
	for (uint32_t i = 0; i < m->nfunctions; i++)
		if (!m->functions[i].is_declaration)
			vec_push(&r->order, i);
}

static int lower_kernel(struct lower *l, struct diag *d)
{
	const struct ptx_function *kernel;
	struct ptx_reach r;
	int status;

	l->module = ptx_parse(file_name, l->request->ptx, l->request->size, d);
	if (!l->module)
		return DIAG_ERROR;
	kernel = ptx_find_function(l->module, l->request->kernel);
	if (!kernel || kernel->is_declaration)
		return diag_file(d, file_name, "no kernel '%s' in this PTX", l->request->kernel);
	ptx_reach(l->module, (uint32_t)(kernel - l->module->functions), &r);
	if (l->request->table)
		reach_excerpt(l->module, &r);
	status = lower_all(l, &r, d);
	ptx_reach_release(&r);
	return status;
}

struct machine_kernel *machine_kernel_create(const struct lowering_request *request, struct diag *d)
{
	struct lower l = {.request = request, .generation = request->generation, .arena = ARENA_INIT};
	struct machine_kernel *m = lower_kernel(&l, d) < 0 ? NULL : finish(&l);

	for (uint32_t b = 0; b < l.nblocks; b++)
		vec_release(&l.blocks[b].code);
	for (struct lower_region *r = l.regions; r; r = r->next)
		vec_release(&r->code);
	free(l.blocks);
	free(l.shared_offset);
	if (l.module)
		ptx_module_free(l.module);
	arena_release(&l.arena);
	return m;
}

void machine_kernel_free(struct machine_kernel *m)
{
	if (!m)
		return;
	arena_release(m->storage);
	free(m->storage);
	free(m);
}
