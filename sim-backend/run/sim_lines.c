/* A line is a line of the source where the trace knows it, else of the PTX. */
#include "sim-backend/run/sim_lines.h"

#include "common/xalloc.h"

#include <string.h>

void lines_begin(struct sim_lines *l, struct sm_context *context, uint32_t kernel)
{
	uint32_t first = context->first_inst, end = first + context->ninsts;

	if (!l->wanted)
		return;
	if (first == 0)
		l->launches.len = 0;
	/* It never shrinks: threads add what they have counted, which is nothing, to all rows of the launch before. */
	if (end + 1 > l->room) {
		l->room = end + 1;
		l->stats = xrealloc(l->stats, l->room * sizeof *l->stats);
	}
	memset(l->stats + first, 0, (context->ninsts + 1) * sizeof *l->stats);
	context->lines = l->stats;
	vec_push(&l->launches, (struct counted_launch){first, kernel, context->kernel, context->code});
}

/* --- Lines of a kernel --- */

/* The result's line of an instruction; the kernel's lines begin at `from`. */
static uint32_t line_row(struct sim_result *r, size_t from, const char *kernel, const struct trace_inst *inst)
{
	for (size_t i = from; i < r->lines.len; i++) {
		const struct line_result *row = &r->lines.data[i];

		if (inst->source_line ? row->source_line == inst->source_line
				      : !row->source_line && row->ptx_line == inst->ptx_line)
			return (uint32_t)i;
	}
	vec_push(&r->lines,
		 (struct line_result){.kernel = kernel, .source_line = inst->source_line, .ptx_line = inst->ptx_line});
	return (uint32_t)r->lines.len - 1;
}

static const uint32_t *rows_of(struct sim_lines *l, struct sim_result *r, const struct counted_launch *launch)
{
	const struct trace_kernel *kernel = launch->table;
	size_t from = r->lines.len;
	const char *name;
	uint32_t *rows;

	while (l->rows.len <= launch->kernel)
		vec_push(&l->rows, NULL);
	if (l->rows.data[launch->kernel])
		return l->rows.data[launch->kernel];
	rows = l->rows.data[launch->kernel] = xcalloc(kernel->ninsts + 1, sizeof *rows);
	name = arena_strdup(&r->arena, kernel->name);
	for (uint32_t i = 0; i < kernel->ninsts; i++)
		if (kernel->insts[i].flags & TRACE_HAS_ACCESS)
			rows[i] = line_row(r, from, name, &kernel->insts[i]);
	return rows;
}

/* --- Sums --- */

static void add(struct sim_result *r, uint32_t row, const struct line_stats *stats)
{
	stats_add(line_stat_rows, &r->lines.data[row].stats, stats);
}

/* Accesses that machine code makes as one are those of the row with the lowest addresses. */
static void add_code(struct sim_result *r, const struct counted_launch *launch, const uint32_t *rows,
		     const struct line_stats *stats)
{
	const struct machine_code *code = launch->code;

	for (uint32_t i = 0; i < code->ninsts; i++) {
		const struct code_inst *inst = &code->insts[i];

		if (inst->joined)
			add(r, rows[launch->table->blocks[inst->block].first + inst->access], &stats[i]);
	}
}

static void add_rows(struct sim_result *r, const struct counted_launch *launch, const uint32_t *rows,
		     const struct line_stats *stats)
{
	for (uint32_t i = 0; i < launch->table->ninsts; i++)
		if (launch->table->insts[i].flags & TRACE_HAS_ACCESS)
			add(r, rows[i], &stats[i]);
}

void lines_end(struct sim_lines *l, struct sim_result *r)
{
	for (size_t i = 0; i < l->launches.len; i++) {
		const struct counted_launch *launch = &l->launches.data[i];
		const uint32_t *rows = rows_of(l, r, launch);

		(launch->code ? add_code : add_rows)(r, launch, rows, l->stats + launch->first);
	}
	l->launches.len = 0;
}

void lines_release(struct sim_lines *l)
{
	for (size_t i = 0; i < l->rows.len; i++)
		xfree(l->rows.data[i]);
	vec_release(&l->rows);
	vec_release(&l->launches);
	xfree(l->stats);
}
