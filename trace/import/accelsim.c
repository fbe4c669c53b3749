/*
 * Reads each kernel twice: the first pass finds the static instructions and where blocks must begin, the second writes.
 * A block begins at a row if, in any warp, the row before it ran something else, or the mask changed.
 */
#include "trace/import/accelsim.h"

#include "common/arena.h"
#include "common/vec.h"
#include "trace/import/sass.h"
#include "trace/import/unknown.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint32_t NOWHERE = UINT32_MAX;

/* The entry of a static instruction in the kernel's table. */
struct row {
	const struct traceg_code *code;
	uint32_t before, behind; /* row that ran before and after it, NOWHERE at a warp's begin and end */
	bool begins_block, ends_block;
	bool leaves_ranges;    /* an access lay outside the ranges that are read-only */
	uint32_t place, block; /* index in the kernel's table, once sorted */
	struct trace_inst inst;
};

struct kernel_import {
	struct arena arena;
	VEC(struct row *) rows;   /* by the code's id */
	VEC(struct row *) sorted; /* by place */
	VEC(struct trace_inst) insts;
	VEC(struct trace_block) blocks;
	struct row *last; /* that the open warp ran; NULL at its begin */
	uint32_t last_mask;
	const struct accelsim_options *options;
};

static struct row *add_row(struct kernel_import *k, const struct traceg_code *code)
{
	struct row *row = arena_new(&k->arena, struct row);

	row->code = code;
	sass_describe(code, &row->inst);
	vec_push(&k->rows, row);
	return row;
}

/* Notes that `row` runs after `k->last`, and whether the two can be in the same block. */
static void connect(struct kernel_import *k, struct row *row, bool is_new, uint32_t mask)
{
	uint32_t before = k->last ? k->last->code->id : NOWHERE;

	if (is_new) {
		row->before = before;
		row->behind = NOWHERE;
	}
	if (before != row->before || !k->last || mask != k->last_mask)
		row->begins_block = true;
	if (k->last) {
		if (k->last->behind == NOWHERE)
			k->last->behind = row->code->id;
		else if (k->last->behind != row->code->id)
			k->last->ends_block = true;
	}
	k->last = row;
	k->last_mask = mask;
}

static void end_warp(struct kernel_import *k)
{
	if (k->last)
		k->last->ends_block = true;
	k->last = NULL;
}

/* Whether the instruction moves data: cache control has addresses, but moves none. */
static bool moves_data(unsigned cls)
{
	return cls == TRACE_LOAD || cls == TRACE_STORE || cls == TRACE_ATOMIC || cls == TRACE_ASYNC_COPY ||
	       cls == TRACE_TEXTURE;
}

static bool in_ranges(const struct accelsim_options *o, uint64_t address, unsigned width)
{
	for (size_t i = 0; i < o->nranges; i++)
		if (address >= o->ranges[i].begin && address < o->ranges[i].end && width <= o->ranges[i].end - address)
			return true;
	return false;
}

static void note_ranges(struct kernel_import *k, const struct traceg_inst *inst, struct row *row)
{
	for (uint32_t rest = inst->mask; rest && !row->leaves_ranges; rest &= rest - 1)
		row->leaves_ranges = !in_ranges(k->options, inst->address[__builtin_ctz(rest)], inst->width);
}

/* Loads that stayed in the ranges carry the mark. */
static void mark_rows(struct kernel_import *k)
{
	for (size_t i = 0; i < k->rows.len && k->options->nranges; i++) {
		struct row *row = k->rows.data[i];

		if (row->inst.cls == TRACE_LOAD && row->inst.space == TRACE_GLOBAL && !row->leaves_ranges &&
		    (row->inst.flags & TRACE_HAS_ACCESS) && !(row->inst.flags & TRACE_VOLATILE))
			row->inst.flags |= TRACE_READ_ONLY;
	}
}

static void note_inst(struct kernel_import *k, const struct traceg *t, struct unknown_opcodes *unknown)
{
	const struct traceg_inst *inst = &t->inst;
	bool is_new = inst->code->id >= k->rows.len;
	struct row *row = is_new ? add_row(k, inst->code) : k->rows.data[inst->code->id];

	connect(k, row, is_new, inst->mask);
	unknown_count(unknown, inst, &row->inst);
	if (!inst->width || !moves_data(row->inst.cls))
		return;
	row->inst.flags |= TRACE_HAS_ACCESS;
	if (k->options->nranges)
		note_ranges(k, inst, row);
	if (inst->width > row->inst.access_bytes)
		row->inst.access_bytes = (uint8_t)inst->width;
}

static int scan(struct kernel_import *k, struct traceg *t, struct unknown_opcodes *unknown, struct diag *d)
{
	int event;

	while ((event = traceg_next(t, d)) > TRACEG_END) {
		if (event != TRACEG_INST)
			end_warp(k);
		else
			note_inst(k, t, unknown);
	}
	return event;
}

static int by_pc(const void *left, const void *right)
{
	const struct row *a = *(struct row *const *)left, *b = *(struct row *const *)right;

	if (a->code->pc != b->code->pc)
		return a->code->pc < b->code->pc ? -1 : 1;
	return a->code->id < b->code->id ? -1 : 1;
}

/* Rows in order of address, cut into blocks. */
static void lay_out(struct kernel_import *k)
{
	const struct row *previous = NULL;

	for (size_t i = 0; i < k->rows.len; i++)
		vec_push(&k->sorted, k->rows.data[i]);
	if (k->sorted.len)
		qsort(k->sorted.data, k->sorted.len, sizeof *k->sorted.data, by_pc);
	for (size_t i = 0; i < k->sorted.len; i++) {
		struct row *row = k->sorted.data[i];

		if (!previous || row->begins_block || row->before != previous->code->id || previous->ends_block) {
			row->begins_block = true;
			vec_push(&k->blocks, (struct trace_block){(uint32_t)i, 0});
		}
		vec_last(&k->blocks).count++;
		row->place = (uint32_t)i;
		row->block = (uint32_t)k->blocks.len - 1;
		vec_push(&k->insts, row->inst);
		previous = row;
	}
}

static uint32_t register_count(const struct kernel_import *k)
{
	uint32_t count = 0;

	for (size_t i = 0; i < k->insts.len; i++) {
		const struct trace_inst *inst = &k->insts.data[i];

		for (unsigned j = 0; j < inst->ndst + inst->nsrc; j++) {
			uint16_t number = j < inst->ndst ? inst->dst[j] : inst->src[j - inst->ndst];

			if (number != TRACE_NO_REGISTER && number >= count)
				count = number + 1u;
		}
	}
	return count;
}

static uint32_t add_kernel(const struct kernel_import *k, const struct traceg *t, struct trace_writer *w)
{
	return trace_add_kernel(w, &(struct trace_kernel){.name = t->name,
							  .module = t->in.path,
							  .insts = k->insts.data,
							  .ninsts = (uint32_t)k->insts.len,
							  .blocks = k->blocks.data,
							  .nblocks = (uint32_t)k->blocks.len,
							  .registers_per_thread = t->registers,
							  .nregisters = register_count(k)});
}

/* Shared and local memory lie in windows of 16 MiB of the generic address space. */
enum { WINDOW_SHIFT = 24 };

static enum trace_space space_of(const struct traceg *t, const struct trace_inst *row)
{
	uint64_t window;

	if (row->space != TRACE_SPACE_NONE || !t->inst.mask)
		return row->space ? (enum trace_space)row->space : TRACE_GLOBAL;
	window = t->inst.address[__builtin_ctz(t->inst.mask)] >> WINDOW_SHIFT;
	if (t->shared_base && window == t->shared_base >> WINDOW_SHIFT)
		return TRACE_SHARED;
	return t->local_base && window == t->local_base >> WINDOW_SHIFT ? TRACE_LOCAL : TRACE_GLOBAL;
}

/* Shared and local addresses are offsets in their window; the tracer may give them with it. */
static void write_access(const struct traceg *t, struct trace_writer *w, enum trace_space space)
{
	const uint64_t window = UINT64_C(1) << WINDOW_SHIFT;
	uint64_t offsets[TRACE_WARP_LANES];

	if (space != TRACE_SHARED && space != TRACE_LOCAL) {
		trace_access(w, t->warp, space, t->inst.width ? t->inst.mask : 0, t->inst.address);
		return;
	}
	for (unsigned lane = 0; lane < TRACE_WARP_LANES; lane++)
		offsets[lane] = t->inst.address[lane] % window;
	trace_access(w, t->warp, space, t->inst.width ? t->inst.mask : 0, offsets);
}

static void write_inst(const struct kernel_import *k, const struct traceg *t, struct trace_writer *w)
{
	const struct row *row = k->rows.data[t->inst.code->id];

	if (row->begins_block)
		trace_block(w, t->warp, row->block, t->inst.mask);
	if (row->inst.flags & TRACE_HAS_ACCESS)
		write_access(t, w, space_of(t, &row->inst));
}

/* Writes the CTAs. The first pass read all but the addresses. */
static int write_ctas(const struct kernel_import *k, struct traceg *t, struct trace_writer *w,
		      const struct accelsim_options *options, uint64_t *ctas, struct diag *d)
{
	const uint32_t warps = traceg_warps(t);
	bool open = false;
	int event;

	while ((event = traceg_next(t, d)) > TRACEG_END) {
		if (event == TRACEG_CTA) {
			if (open)
				return diag_set(d, t->in.path, t->in.line_number, 0, "a CTA inside a CTA");
			trace_begin_cta(w, t->cta[0], t->cta[1], t->cta[2], warps);
			open = true;
		} else if (!open) {
			return diag_set(d, t->in.path, t->in.line_number, 0, "no 'thread block' line in this CTA");
		} else if (event == TRACEG_INST) {
			if (t->inst.code->id >= k->rows.len)
				return diag_file(d, t->in.path, "the file changed while it was read");
			write_inst(k, t, w);
		} else if (event == TRACEG_CTA_END) {
			trace_end_cta(w);
			open = false;
			if (options->progress)
				options->progress(options->context, ++*ctas);
		}
	}
	return event;
}

static void release(struct kernel_import *k)
{
	vec_release(&k->rows);
	vec_release(&k->sorted);
	vec_release(&k->insts);
	vec_release(&k->blocks);
	arena_release(&k->arena);
}

struct import {
	struct trace_writer *w;
	const struct accelsim_options *options;
	struct unknown_opcodes unknown;
	uint64_t ctas;
	uint64_t launches;
	struct arena arena;
	VEC(struct trace_allocation) copies;
};

static int import_kernel(struct import *im, const char *path, struct diag *d)
{
	struct kernel_import k = {.arena = ARENA_INIT, .options = im->options};
	struct stat file;
	struct traceg t;
	int status;

	if (stat(path, &file) == 0 && !S_ISREG(file.st_mode))
		return diag_file(d, path, "no regular file, and a kernel's is read twice");
	if (traceg_open(&t, path, d) < 0)
		return DIAG_ERROR;
	t.wants_addresses = im->options->nranges > 0;
	status = scan(&k, &t, &im->unknown, d);
	if (status == 0 && !im->options->skips_unknown)
		status = unknown_refuse(&im->unknown, t.in.path, d);
	if (status == 0) {
		struct trace_launch launch = {.shared_bytes = t.shared_bytes,
					      .stream = t.stream,
					      .allocations = im->copies.data,
					      .nallocations = (uint32_t)im->copies.len,
					      .marks_in_force = true,
					      .marks = TRACE_MARKS_OWN};

		memcpy(launch.grid, t.grid, sizeof launch.grid);
		memcpy(launch.block, t.block, sizeof launch.block);
		mark_rows(&k);
		lay_out(&k);
		launch.kernel = add_kernel(&k, &t, im->w);
		trace_begin_launch(im->w, &launch);
		t.wants_addresses = true;
		status = traceg_rewind(&t, d);
		if (status == 0)
			status = write_ctas(&k, &t, im->w, im->options, &im->ctas, d);
		if (status == 0)
			trace_end_launch(im->w);
		im->launches++;
	}
	traceg_close(&t);
	release(&k);
	return status;
}

/* A name in the list is relative to the list. */
static const char *beside(struct arena *arena, const char *list, const char *name)
{
	const char *slash = strrchr(list, '/');

	if (!slash || name[0] == '/')
		return name;
	return arena_printf(arena, "%.*s/%s", (int)(slash - list), list, name);
}

/* The list may name the plain file although the packed file exists, and the other way round. */
static const char *file_of(struct arena *arena, const char *path)
{
	size_t len = strlen(path);

	if (access(path, F_OK) == 0)
		return path;
	for (unsigned i = 0; i < nunpack_ops; i++) {
		size_t suffix = strlen(unpack_ops[i].suffix);
		const char *packed = arena_printf(arena, "%s%s", path, unpack_ops[i].suffix);

		if (access(packed, F_OK) == 0)
			return packed;
		if (len > suffix && strcmp(path + len - suffix, unpack_ops[i].suffix) == 0)
			return arena_strndup(arena, path, len - suffix);
	}
	return path;
}

static int take_list_line(struct import *im, const char *list, unsigned number, const char *line, struct diag *d)
{
	uint64_t address, size;

	if (sscanf(line, "MemcpyHtoD,%" SCNx64 ",%" SCNu64, &address, &size) == 2) {
		const char *name = arena_printf(&im->arena, "MemcpyHtoD#%zu", im->copies.len);

		vec_push(&im->copies, (struct trace_allocation){address, size, name});
		return 0;
	}
	if (strncmp(line, "MemcpyDtoH", 10) == 0)
		return 0;
	if (strncmp(line, "kernel", 6) == 0)
		return import_kernel(im, file_of(&im->arena, beside(&im->arena, list, line)), d);
	return diag_set(d, list, number, 0, "neither a kernel's file nor a copy: '%.60s'", line);
}

int accelsim_import(const char *list, struct trace_writer *w, const struct accelsim_options *options, struct diag *d)
{
	static const struct accelsim_options usual;
	struct import im = {.w = w, .options = options ? options : &usual, .arena = ARENA_INIT};
	struct input in;
	int status = input_open(&in, list, d);
	const char *line;

	while (status == 0 && (line = input_line(&in, d)) != NULL)
		if (*line)
			status = take_list_line(&im, list, in.line_number, line, d);
	if (in.failed)
		status = DIAG_ERROR;
	if (status == 0 && !im.launches)
		status = diag_file(
		    d, list, "no kernel in this list; it is the kernelslist.g of Accel-Sim's tracer that is wanted");
	input_close(&in);
	if (im.options->notes)
		unknown_print(&im.unknown, im.options->notes);
	unknown_release(&im.unknown);
	vec_release(&im.copies);
	arena_release(&im.arena);
	return status;
}
