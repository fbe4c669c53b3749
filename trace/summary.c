/* One pass over the trace: every operation is counted for its kernel, its structure and the lines that it touches. */
#include "trace/summary.h"

#include "common/vec.h"
#include "trace/linemap.h"

#include <string.h>

static const uint32_t WHOLE_TRACE =
    UINT32_MAX; /* owner of lines that are counted once, whatever structure they belong to */

struct first_structure { /* of a kernel in `structures` */
	uint32_t kernel, row;
};

struct counting {
	struct trace_summary *summary;
	struct linemap lines;
	VEC(struct kernel_summary) kernels;
	VEC(struct structure_summary) structures;
	VEC(struct first_structure) first_structures;
	const struct trace_launch *launch;
	uint32_t launch_number, first_structure, line_log2;
	struct kernel_summary *of_kernel;
};

uint64_t trace_bucket_first(unsigned bucket)
{
	return bucket < 2 ? bucket + 1 : (1ull << (bucket - 1)) + 1;
}

uint64_t trace_bucket_last(unsigned bucket)
{
	return bucket == TRACE_SHARER_BUCKETS - 1 ? UINT64_MAX : 1ull << bucket;
}

static unsigned bucket_of(uint64_t sharers)
{
	unsigned bucket = 0;

	while (sharers > trace_bucket_last(bucket))
		bucket++;
	return bucket;
}

static struct kernel_summary *kernel_row(struct counting *c, const struct trace_kernel *kernel,
					 const struct trace_launch *launch)
{
	struct kernel_summary *row;

	for (size_t i = 0; i < c->kernels.len; i++) {
		row = &c->kernels.data[i];
		if (row->kernel == launch->kernel && !memcmp(row->grid, launch->grid, sizeof row->grid) &&
		    !memcmp(row->block, launch->block, sizeof row->block))
			return row;
	}
	vec_grow(&c->kernels);
	row = &vec_last(&c->kernels);
	row->name = kernel->name;
	row->kernel = launch->kernel;
	memcpy(row->grid, launch->grid, sizeof row->grid);
	memcpy(row->block, launch->block, sizeof row->block);
	return row;
}

/* Rows of a kernel's structures, followed by one for accesses that belong to none of them. */
static uint32_t structure_rows(struct counting *c, uint32_t id, const struct trace_kernel *kernel)
{
	uint32_t row = (uint32_t)c->structures.len;

	for (size_t i = 0; i < c->first_structures.len; i++)
		if (c->first_structures.data[i].kernel == id)
			return c->first_structures.data[i].row;
	vec_push(&c->first_structures, (struct first_structure){id, row});
	for (uint32_t i = 0; i <= kernel->nstructures; i++) {
		vec_grow(&c->structures);
		vec_last(&c->structures).kernel = kernel->name;
		vec_last(&c->structures).id = i < kernel->nstructures ? kernel->structures[i] : "(none)";
	}
	return row;
}

static void begin_launch(struct counting *c, const struct trace_kernel *kernel, const struct trace_launch *launch)
{
	c->launch = launch;
	c->launch_number++;
	trace_marks_add(&c->summary->marks, launch->marks);
	c->of_kernel = kernel_row(c, kernel, launch);
	c->of_kernel->has_ptx = kernel->ptx && *kernel->ptx;
	c->of_kernel->launches++;
	c->of_kernel->launches_unmarked += !launch->marks_in_force;
	c->first_structure = structure_rows(c, launch->kernel, kernel);
	for (uint32_t i = 0; i < kernel->nstructures; i++) {
		struct structure_summary *row = &c->structures.data[c->first_structure + i];

		row->verdict = launch->structures[i].verdict;
		row->marked = launch->structures[i].marked;
	}
}

/* Counts every line that the lanes touch, each once. */
static void touch_lines(struct counting *c, const struct trace_op *op, uint32_t owner, uint32_t cta, enum line_use use)
{
	uint64_t done = UINT64_MAX;
	uint32_t bytes = op->inst->access_bytes ? op->inst->access_bytes : 1;

	for (uint32_t rest = op->access_mask; rest; rest &= rest - 1) {
		uint64_t address = op->address[__builtin_ctz(rest)];
		uint64_t last = (address + bytes - 1) >> c->line_log2;

		for (uint64_t line = address >> c->line_log2; line <= last; line++) {
			if (line == done)
				continue;
			linemap_touch(&c->lines, line, owner, c->launch_number, cta, use);
			linemap_touch(&c->lines, line, WHOLE_TRACE, c->launch_number, cta, use);
			done = line;
		}
	}
}

static void count_global(struct counting *c, const struct trace_kernel *kernel, const struct trace_op *op, uint32_t cta)
{
	const struct trace_inst *inst = op->inst;
	uint32_t owner =
	    c->first_structure + (inst->structure == TRACE_NO_STRUCTURE ? kernel->nstructures : inst->structure);
	struct structure_summary *row = &c->structures.data[owner];
	bool marked = trace_is_marked(c->launch, inst, op->inst_index);
	enum line_use use = LINE_WRITTEN;

	switch (inst->cls) {
	case TRACE_STORE:
		row->stores++;
		c->of_kernel->global_stores++;
		break;
	case TRACE_ATOMIC:
		row->atomics++;
		c->of_kernel->global_atomics++;
		break;
	default:
		use = marked ? LINE_READ_MARKED : LINE_READ;
		row->loads++;
		row->read_only_loads += marked;
		c->of_kernel->global_loads++;
		c->of_kernel->read_only_loads += marked;
	}
	touch_lines(c, op, owner, cta, use);
}

static int count_warp(struct counting *c, const struct trace_kernel *kernel, const struct trace_cta *cta, uint32_t warp)
{
	struct trace_summary *s = c->summary;
	struct trace_warp_cursor cursor;
	struct trace_op op;

	trace_warp_start(&cursor, kernel, cta, warp);
	while (trace_warp_next(&cursor, &op)) {
		if (!(op.inst->flags & TRACE_PART)) {
			c->of_kernel->warp_instructions++;
			c->of_kernel->thread_instructions += (uint64_t)__builtin_popcount(op.mask);
			s->of_class[op.inst->cls]++;
		}
		if (!op.access_mask)
			continue;
		s->accesses_to[op.space]++;
		if (op.space == TRACE_GLOBAL)
			count_global(c, kernel, &op, (uint32_t)cta->index);
	}
	return cursor.bad ? DIAG_ERROR : 0;
}

static int count_cta(struct counting *c, const struct trace_kernel *kernel, const struct trace_cta *cta)
{
	for (uint32_t warp = 0; warp < cta->nwarps; warp++)
		if (count_warp(c, kernel, cta, warp) < 0)
			return DIAG_ERROR;
	c->of_kernel->ctas++;
	return 0;
}

static void add_line(struct line_counts *counts, const struct line *line)
{
	counts->lines++;
	counts->shared_lines += (line->ever & LINE_SHARED) != 0;
	counts->shared_read_only_lines += (line->ever & (LINE_SHARED | LINE_SHARED_MIXED)) == LINE_SHARED;
}

static void add_lines(struct counting *c)
{
	linemap_settle(&c->lines);
	for (size_t i = 0; i < c->lines.capacity; i++) {
		const struct line *line = &c->lines.lines[i];

		if (!line->launch)
			continue;
		if (line->owner != WHOLE_TRACE) {
			add_line(&c->structures.data[line->owner].counts, line);
			continue;
		}
		add_line(&c->summary->counts, line);
		c->summary->sharers[bucket_of(line->most_sharers)]++;
	}
}

/* Leaves out structures and "(none)" rows that no access touched, and about which nothing is known. */
static void keep_structures(struct counting *c)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->structures.len; i++) {
		const struct structure_summary *row = &c->structures.data[i];

		if (strcmp(row->id, "(none)") != 0 || row->counts.lines)
			c->structures.data[kept++] = *row;
	}
	c->structures.len = kept;
}

static void finish(struct counting *c)
{
	struct trace_summary *s = c->summary;

	add_lines(c);
	keep_structures(c);
	for (size_t i = 0; i < c->kernels.len; i++) {
		const struct kernel_summary *row = &c->kernels.data[i];

		s->launches += row->launches;
		s->ctas += row->ctas;
		s->warp_instructions += row->warp_instructions;
		s->thread_instructions += row->thread_instructions;
		s->global_loads += row->global_loads;
		s->read_only_loads += row->read_only_loads;
	}
	s->kernels = c->kernels.data;
	s->nkernels = c->kernels.len;
	s->structures = c->structures.data;
	s->nstructures = c->structures.len;
}

static int count_launch(struct counting *c, struct trace_reader *r, const struct trace_launch *launch,
			void (*progress)(void *context, uint64_t bytes), void *context, struct diag *d)
{
	const struct trace_kernel *kernel = trace_kernel_of(r, launch->kernel);
	struct trace_cta cta;
	int status;

	begin_launch(c, kernel, launch);
	while ((status = trace_next_cta(r, &cta, d)) > 0) {
		if (count_cta(c, kernel, &cta) < 0)
			status = diag_file(d, trace_name(r), "launch %u, CTA %llu: damaged warp stream",
					   c->launch_number, (unsigned long long)cta.index);
		trace_cta_release(&cta);
		if (status < 0)
			return status;
		if (progress)
			progress(context, trace_bytes_read(r));
	}
	return status;
}

struct trace_summary *trace_summarise(struct trace_reader *r, uint32_t line_bytes,
				      void (*progress)(void *context, uint64_t bytes), void *context, struct diag *d)
{
	struct counting c = {.line_log2 = (uint32_t)__builtin_ctz(line_bytes)};
	struct trace_launch launch;
	int status;

	c.summary = xcalloc(1, sizeof *c.summary);
	c.summary->line_bytes = line_bytes;
	while ((status = trace_next_launch(r, &launch, d)) > 0)
		if (count_launch(&c, r, &launch, progress, context, d) < 0) {
			status = DIAG_ERROR;
			break;
		}
	finish(&c);
	c.summary->file_bytes = trace_bytes_read(r);
	linemap_release(&c.lines);
	vec_release(&c.first_structures);
	if (status == 0)
		return c.summary;
	trace_summary_free(c.summary);
	return NULL;
}

void trace_summary_free(struct trace_summary *s)
{
	if (!s)
		return;
	xfree(s->kernels);
	xfree(s->structures);
	xfree(s);
}
