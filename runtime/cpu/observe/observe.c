/* The wrapper around observed memory instructions, and traces in CTA order whatever the order of execution. */
#include "runtime/cpu/engine/engine_op.h"
#include "runtime/cpu/engine/checks.h"
#include "runtime/cpu/observe/apart.h"
#include "runtime/cpu/observe/observe.h"
#include "runtime/cpu/observe/write_bounds.h"
#include "runtime/cpu/images/texture.h"

#include "common/kernel_names.h"

#include <stdlib.h>
#include <string.h>

/* --- Instructions to observe --- */

bool inst_has_role(const struct inst *in, uint32_t roles)
{
	for (unsigned i = 0; i < in->ptx->noperands; i++)
		if (roles >> ptx_operand_role(in->ptx, i) & 1)
			return true;
	return false;
}

/* Parameters do not count: a kernel's are constants, a function's are registers on hardware. */
bool inst_has_access(const struct inst *in)
{
	if (!(in->flags & INST_REAL) || in->bytes == 0 || !inst_has_role(in, 1u << PTX_ROLE_LOAD | WRITING_ROLES))
		return false;
	return in->ptx->opcode->space != PTX_SPACE_PARAM && in->space != PTX_SPACE_PARAM;
}

bool kernel_is_traced(const struct cpu_device *dev, const char *kernel)
{
	return dev->trace && (!dev->selects || kernel_matches(&dev->kernels, kernel));
}

static int observe_access(struct warp *w, const struct inst *in, uint32_t mask);
static int observe_fetch(struct warp *w, const struct inst *in, uint32_t mask);
static int observe_bulk(struct warp *w, const struct inst *in, uint32_t mask);
static int observe_checked(struct warp *w, const struct inst *in, uint32_t mask);

/* A trace has what no lane does, too. */
static void observe_inst(struct inst *in, exec_fn exec, uint16_t flags)
{
	in->plain = in->exec;
	in->exec = exec;
	in->flags |= flags;
}

void program_observe(struct program *p, const struct cpu_device *dev)
{
	bool all = kernel_is_traced(dev, p->kernel->name) || check_is_on(dev, CHECK_MEMORY);

	for (uint32_t c = 0; c < p->ncodes; c++)
		for (uint32_t i = 0; i < p->codes[c].ninsts; i++) {
			struct inst *in = &p->codes[c].insts[i];
			uint16_t checked = (dev->marks && inst_concerns_marks(in) ? INST_CHECKED : 0) |
					   (dev->marks && inst_concerns_regions(in) ? INST_REGIONS : 0) |
					   (dev->races && inst_concerns_races(in) ? INST_RACES : 0) |
					   (check_is_on(dev, CHECK_INIT) && inst_concerns_init(in) ? INST_INIT : 0) |
					   (check_is_on(dev, CHECK_SYNC) && inst_concerns_sync(in) ? INST_SYNC : 0) |
					   (dev->apart && apart_concerns(in) ? INST_APART : 0);

			p->marked |= in->flags & INST_MARKED;
			if (all && in->flags & INST_REAL && bulk_rows(in->ptx))
				observe_inst(in, observe_bulk, INST_OBSERVED | checked);
			else if (all && inst_has_access(in))
				observe_inst(in, op_is(in->ptx, OP_FETCHES) ? observe_fetch : observe_access,
					     INST_OBSERVED | checked);
			else if (checked)
				observe_inst(in, observe_checked, checked);
		}
	for (uint32_t c = 0; c < p->ncodes && check_is_on(dev, CHECK_INIT); c++)
		mark_copying_loads(&p->codes[c]);
	p->observed = true;
}

/* --- Reports --- */

enum { MAX_REPORTS = 64 };

/* Places of two accesses that a report was made about. */
struct race_pair {
	uint32_t now, before;
};

bool pair_is_new(struct program *p, uint32_t now, uint32_t before)
{
	if (!p->races)
		p->races = arena_array(&p->arena, struct race_pair, MAX_REPORTS);
	for (uint32_t i = 0; i < p->nraces; i++)
		if (p->races[i].now == now && p->races[i].before == before)
			return false;
	if (p->nraces == MAX_REPORTS)
		return false;
	p->races[p->nraces++] = (struct race_pair){now, before};
	return true;
}

/* --- Checks --- */

uint32_t carried_out(const struct warp *w, const struct inst *in, uint32_t mask)
{
	uint32_t p;

	if (!(in->flags & INST_PREDICATED))
		return mask;
	p = *(const uint32_t *)source(w, in->e);
	return mask & (in->flags & INST_PREDICATE_NOT ? ~p : p);
}

/* The lanes of `mask` that leave their allocations. */
static uint32_t lanes_outside(const struct warp *w, uint32_t mask, const uint64_t address[LANES], uint32_t bytes)
{
	const struct allocation *a = NULL;
	uint32_t outside = 0;

	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		unsigned i = (unsigned)__builtin_ctz(rest);

		if (!a || address[i] - a->address >= a->size)
			a = memory_find(w->launch->memory, address[i]);
		if (!a || bytes > a->size - (address[i] - a->address))
			outside |= 1u << i;
	}
	return outside;
}

static int check_bounds(struct warp *w, const struct inst *in, uint32_t mask, const uint64_t address[LANES],
			uint32_t bytes)
{
	uint32_t outside = lanes_outside(w, mask, address, bytes);
	unsigned first = outside ? (unsigned)__builtin_ctz(outside) : 0;

	if (!outside)
		return STOP_NOT;
	fault_address(w, in, first, DEVICE_ILLEGAL_ADDRESS, address[first]);
	w->launch->fault.others = (uint32_t)__builtin_popcount(outside) - 1;
	return STOP_FAULT;
}

/* --- The trace --- */

/* A recorded event: header, then for an access the addresses of the lanes in its mask. */
enum event { EVENT_BLOCK, EVENT_ACCESS };
#define EVENT(kind, warp, what, mask)                                                                                  \
	((uint64_t)(kind) << 62 | (uint64_t)(warp) << 56 | (uint64_t)(what) << 32 | (mask))

void observe_block(struct warp *w, const struct block *block)
{
	struct observer *o = w->launch->observer;

	if (!o->trace || block->count == 0)
		return;
	if (w->cta->recording)
		vec_push(&w->cta->recording->words, EVENT(EVENT_BLOCK, w->index, block->trace, w->active));
	else
		trace_block(o->trace, w->index, block->trace, w->active);
}

static enum trace_space trace_space_of(enum ptx_space space, uint64_t address)
{
	switch (resolve_space(space, address, NULL)) {
	case PTX_SPACE_SHARED: return TRACE_SHARED;
	case PTX_SPACE_LOCAL: return TRACE_LOCAL;
	case PTX_SPACE_CONST: return TRACE_CONST;
	case PTX_SPACE_PARAM: return TRACE_PARAM;
	default: return TRACE_GLOBAL;
	}
}

/* The lanes of `mask` whose generic addresses are in `space`, and where in it. */
static uint32_t generic_lanes(uint32_t mask, const uint64_t address[LANES], enum trace_space space,
			      uint64_t offset[LANES])
{
	uint32_t there = 0;

	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		unsigned i = (unsigned)__builtin_ctz(rest);

		if (trace_space_of(PTX_SPACE_GENERIC, address[i]) != space)
			continue;
		resolve_space(PTX_SPACE_GENERIC, address[i], &offset[i]);
		there |= 1u << i;
	}
	return there;
}

/* A record of the trace: now, or when its CTA's turn comes. */
static void trace_row(struct warp *w, enum trace_space space, uint32_t mask, const uint64_t offset[LANES])
{
	struct recording *r = w->cta->recording;

	if (!r) {
		trace_access(w->launch->observer->trace, w->index, space, mask, offset);
		return;
	}
	vec_push(&r->words, EVENT(EVENT_ACCESS, w->index, space, mask));
	for (unsigned i = 0; i < LANES; i++)
		if (mask >> i & 1)
			vec_push(&r->words, offset[i]);
}

/*
 * The lanes' addresses in the space that the first lane is in; lanes elsewhere, which no compiler makes, are left
 * out. Only generic addresses need a look at each lane.
 */
static void trace_lanes(struct warp *w, const struct inst *in, uint32_t mask, const uint64_t address[LANES])
{
	const struct device_module *m = w->launch->program->module;
	enum trace_space space = trace_space_of((enum ptx_space)in->space, mask ? address[__builtin_ctz(mask)] : 0);
	uint64_t offset[LANES] = {0};

	if (in->space == PTX_SPACE_GENERIC)
		mask = generic_lanes(mask, address, space, offset);
	else
		memcpy(offset, address, sizeof offset);
	for (unsigned i = 0; i < LANES && space == TRACE_CONST; i++)
		offset[i] -= m->const_base;
	trace_row(w, space, mask, offset);
}

static void replay(struct trace_writer *trace, const struct recording *r)
{
	for (size_t at = 0; at < r->words.len;) {
		uint64_t word = r->words.data[at++];
		uint32_t warp = word >> 56 & 63, what = word >> 32 & 0xffffff, mask = (uint32_t)word;
		uint64_t address[LANES] = {0};

		if (word >> 62 == EVENT_BLOCK) {
			trace_block(trace, warp, what, mask);
			continue;
		}
		for (unsigned i = 0; i < LANES; i++)
			if (mask >> i & 1)
				address[i] = r->words.data[at++];
		trace_access(trace, warp, (enum trace_space)what, mask, address);
	}
}

void observe_cta_start(struct cta *cta, bool oldest)
{
	if (!cta->launch->observer || !cta->launch->observer->trace)
		return;
	if (oldest)
		trace_begin_cta(cta->launch->observer->trace, cta->id[0], cta->id[1], cta->id[2], cta->nwarps);
	else
		cta->recording = xcalloc(1, sizeof *cta->recording);
}

void observe_cta_oldest(struct cta *cta)
{
	if (!cta->recording)
		return;
	trace_begin_cta(cta->launch->observer->trace, cta->id[0], cta->id[1], cta->id[2], cta->nwarps);
	replay(cta->launch->observer->trace, cta->recording);
	vec_release(&cta->recording->words);
	free(cta->recording);
	cta->recording = NULL;
}

void observe_cta_end(struct cta *cta)
{
	if (cta->launch->observer && cta->launch->observer->trace)
		trace_end_cta(cta->launch->observer->trace);
}

/* All texels that the lanes' fetches read, each kind of neighbour as a record of its own. */
static int observe_fetch(struct warp *w, const struct inst *in, uint32_t mask)
{
	const struct observer *o = w->launch->observer;
	struct texture_reads reads;
	unsigned parts = texture_parts(in->ptx);
	int stop = in->flags & INST_CHECKED && !o->bounds ? check_marks(w, in, mask) : STOP_NOT;

	texture_footprint(w, in, mask, &reads);
	for (unsigned part = 0; part < parts && o->memcheck; part++)
		for (unsigned i = 0; i < LANES && stop == STOP_NOT; i++)
			if (reads.lanes[part] >> i & 1)
				stop = check_bounds(w, in, 1u << i, reads.address[part], reads.bytes[i]);
	if (stop != STOP_NOT)
		return stop;
	if (in->flags & INST_APART)
		note_apart(w, in, mask);
	for (unsigned part = 0; part < parts && o->trace; part++)
		trace_lanes(w, in, reads.lanes[part], reads.address[part]);
	return mask ? in->plain(w, in, mask) : STOP_NOT;
}

/* Lines of a bulk copy, put into rows of the trace. */
struct bulk_lines {
	unsigned rows, count; /* rows that are written; lines of the next */
	uint64_t line[LANES];
};

static void end_bulk_row(struct warp *w, struct bulk_lines *b)
{
	trace_row(w, TRACE_GLOBAL, b->count < LANES ? (1u << b->count) - 1 : ALL_LANES, b->line);
	b->rows++;
	b->count = 0;
}

/* Copies of several lanes, or larger ones than the size said, may not fit into the rows: then the last lines are
 * missing.
 */
static void trace_bulk(struct warp *w, const struct inst *in, uint32_t mask)
{
	bool writes = in->ptx->opcode->space == PTX_SPACE_GLOBAL;
	unsigned rows = bulk_rows(in->ptx);
	struct bulk_lines b = {0};
	uint64_t from[LANES];

	lane_addresses(w, in, from);
	for (; mask && b.rows < rows; mask &= mask - 1) {
		unsigned lane = (unsigned)__builtin_ctz(mask);
		uint64_t first = writes ? copy_destination(w, in, lane) : from[lane];
		uint64_t end = first + ((const uint32_t *)source(w, in->b))[lane];

		for (uint64_t at = first / BULK_LINE * BULK_LINE; at < end && b.rows < rows; at += BULK_LINE) {
			b.line[b.count++] = at;
			if (b.count == LANES)
				end_bulk_row(w, &b);
		}
	}
	while (b.rows < rows)
		end_bulk_row(w, &b);
}

static uint32_t global_lanes(const struct inst *in, uint32_t mask, const uint64_t address[LANES])
{
	uint64_t offset[LANES];

	if (in->space == PTX_SPACE_GENERIC)
		return generic_lanes(mask, address, TRACE_GLOBAL, offset);
	return trace_space_of((enum ptx_space)in->space, 0) == TRACE_GLOBAL ? mask : 0;
}

/* Checks marks, regions and ranges. A load that is not marked at this execution claims nothing. */
static int check(struct warp *w, const struct inst *in, uint32_t mask)
{
	bool claims = !(in->flags & INST_MARKED) || !w->launch->observer->bounds || write_bounds_pass(w, in, mask);
	int stop = in->flags & INST_REGIONS && w->launch->observer->regions ? check_regions(w, in, mask) : STOP_NOT;

	if (stop == STOP_NOT && in->flags & INST_REGIONS && w->launch->observer->ranges)
		stop = check_ranges(w, in, mask);
	return stop == STOP_NOT && claims && in->flags & INST_CHECKED ? check_marks(w, in, mask) : stop;
}

static void note(struct warp *w, const struct inst *in, uint32_t mask)
{
	if (in->flags & INST_RACES)
		note_races(w, in, mask);
	if (in->flags & INST_APART)
		note_apart(w, in, mask);
	if (in->flags & INST_INIT)
		check_init(w, in, mask);
	if (in->flags & INST_SYNC)
		check_sync(w, in, mask);
}

static int observe_access(struct warp *w, const struct inst *in, uint32_t mask)
{
	const struct observer *o = w->launch->observer;
	uint32_t bytes = (uint32_t)in->bytes * in->vec, lanes;
	uint64_t address[LANES];
	int stop = STOP_NOT;

	lanes = accessed(w, in, mask, address);
	if (o->memcheck)
		stop = check_bounds(w, in, global_lanes(in, lanes, address), address, bytes);
	if (stop == STOP_NOT)
		stop = check(w, in, mask);
	if (stop != STOP_NOT)
		return stop;
	note(w, in, mask);
	if (o->trace)
		trace_lanes(w, in, lanes, address);
	return mask ? in->plain(w, in, mask) : STOP_NOT;
}

/* The bounds of bulk copies are not checked. */
static int observe_bulk(struct warp *w, const struct inst *in, uint32_t mask)
{
	int stop = check(w, in, mask);

	if (stop != STOP_NOT)
		return stop;
	note(w, in, mask);
	if (w->launch->observer->trace)
		trace_bulk(w, in, mask);
	return mask ? in->plain(w, in, mask) : STOP_NOT;
}

/* For launches without a trace and without the check of bounds. */
static int observe_checked(struct warp *w, const struct inst *in, uint32_t mask)
{
	int stop = check(w, in, mask);

	if (stop != STOP_NOT)
		return stop;
	note(w, in, mask);
	return in->plain(w, in, mask);
}
