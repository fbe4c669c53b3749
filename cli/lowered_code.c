/*
 * From the lowering's machine instructions to the simulator's tables. Results that come after a fixed time become
 * stalls between a block's instructions, as ptxas sets them; the others keep their registers.
 */
#include "cli/lowered_code.h"

#include "common/heap.h"
#include "common/xalloc.h"
#include "lowering/machine_kernel.h"

#include <string.h>

enum { REGISTERS = 1 << 16, MOST_STALL = 255 };

struct filling {
	const struct trace_kernel *kernel;
	const struct machine_kernel *from;
	enum machine_generation generation;
	struct machine_code *to;
	uint32_t next;     /* instruction of `to` */
	uint16_t *numbers; /* of registers that come after a time that varies; TRACE_NO_REGISTER */
	uint32_t *written; /* of registers that come after a fixed time: 1 + when, in this block; 0 = elsewhere */
	uint8_t *writer;   /* .. and by which pipe */
	const struct code_block *block;
};

/* --- Classes --- */

static const uint8_t pipe_class[MACHINE_PIPE_COUNT] = {
    [MACHINE_ALU] = TRACE_INT,       [MACHINE_FMA] = TRACE_FP32,    [MACHINE_WIDE] = TRACE_INT,
    [MACHINE_HALF] = TRACE_FP16,     [MACHINE_FP64] = TRACE_FP64,   [MACHINE_XU] = TRACE_SFU,
    [MACHINE_TENSOR] = TRACE_TENSOR, [MACHINE_LSU] = TRACE_OTHER,   [MACHINE_TEX] = TRACE_TEXTURE,
    [MACHINE_CONST] = TRACE_MOVE,    [MACHINE_UNIFORM] = TRACE_INT, [MACHINE_BRANCH] = TRACE_OTHER,
    [MACHINE_SYNC] = TRACE_OTHER,
};
_Static_assert((int)MACHINE_PIPE_COUNT <= (int)LAUNCH_UNITS, "a unit for each pipe");

/* Opcodes with the class of the row that they stand for. */
static bool takes_class(const struct machine_inst *in)
{
	switch (in->op) {
	case MACHINE_BRA:
	case MACHINE_CALL:
	case MACHINE_RET:
	case MACHINE_EXIT:
	case MACHINE_BAR:
	case MACHINE_MEMBAR:
	case MACHINE_DEPBAR:
	case MACHINE_SHFL: return true;
	default: return in->naccess > 0;
	}
}

static const struct trace_inst *row_of(const struct filling *f, const struct trace_block *rows, uint32_t row)
{
	return row < rows->count ? &f->kernel->insts[rows->first + row] : NULL;
}

static uint8_t class_of(const struct filling *f, const struct trace_block *rows, const struct machine_inst *in)
{
	const struct trace_inst *row = row_of(f, rows, in->naccess ? in->access[0] : in->row);

	return row && takes_class(in) ? row->cls : pipe_class[in->pipe];
}

/* --- Times --- */

static bool is_fixed(const struct filling *f, const struct machine_inst *in)
{
	return in->naccess == 0 &&
	       machine_latency(f->generation, (enum machine_pipe)in->pipe, (enum machine_pipe)in->pipe) != 0;
}

static uint32_t later(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static unsigned latency_to(const struct filling *f, const struct machine_inst *in, uint16_t reg)
{
	enum machine_pipe writer = (enum machine_pipe)f->writer[reg];

	if (in->flags & MACHINE_PREDICATED && in->guard == reg)
		return machine_guard_latency(f->generation, writer);
	return machine_latency(f->generation, writer, (enum machine_pipe)in->pipe);
}

/* When the instruction can issue, if the one before it issues at `before`: times count from the block's beginning. */
static uint32_t issue_time(const struct filling *f, const struct machine_inst *in, uint32_t before, bool first)
{
	uint32_t at = first ? 0 : before + 1;

	for (unsigned i = 0; i < in->nsrc; i++)
		if (f->written[in->src[i]])
			at = later(at, f->written[in->src[i]] - 1 + latency_to(f, in, in->src[i]));
	return at;
}

static void note_results(const struct filling *f, const struct machine_inst *in, uint32_t at)
{
	for (unsigned i = 0; i < in->ndst; i++) {
		f->written[in->dst[i]] = is_fixed(f, in) ? at + 1 : 0;
		f->writer[in->dst[i]] = in->pipe;
	}
}

/* When all of the block's results with a fixed time are there, for whichever block follows; forgets them. */
static uint32_t end_time(const struct filling *f, const struct machine_block *b, uint32_t last)
{
	uint32_t end = last + 1;

	for (uint32_t i = 0; i < b->ninsts; i++)
		for (unsigned k = 0; k < b->insts[i].ndst; k++) {
			uint16_t reg = b->insts[i].dst[k];
			enum machine_pipe pipe = (enum machine_pipe)f->writer[reg];

			if (f->written[reg])
				end = later(end, f->written[reg] - 1 + machine_latency(f->generation, pipe, pipe));
			f->written[reg] = 0;
		}
	return end;
}

static uint8_t stall_of(uint32_t cycles)
{
	return (uint8_t)(cycles < MOST_STALL ? cycles : MOST_STALL);
}

/* `insts`: where the block's instructions are in the table. */
static void set_stalls(const struct filling *f, const struct machine_block *b, const uint32_t *insts)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < b->ninsts; i++) {
		uint32_t before = at;

		at = issue_time(f, &b->insts[i], before, i == 0);
		if (i)
			f->to->insts[insts[i - 1]].stall = stall_of(at - before);
		note_results(f, &b->insts[i], at);
	}
	if (b->ninsts)
		f->to->insts[insts[b->ninsts - 1]].stall = stall_of(end_time(f, b, at) - at);
}

/* --- Registers --- */

static void number_registers(struct filling *f)
{
	memset(f->numbers, 0xff, REGISTERS * sizeof *f->numbers);
	for (uint32_t b = 0; b < f->from->nblocks; b++)
		for (uint32_t i = 0; i < f->from->blocks[b].ninsts; i++) {
			const struct machine_inst *in = &f->from->blocks[b].insts[i];

			for (unsigned k = 0; k < in->ndst && !is_fixed(f, in); k++)
				if (f->numbers[in->dst[k]] == TRACE_NO_REGISTER)
					f->numbers[in->dst[k]] = (uint16_t)f->to->nregisters++;
		}
}

static uint8_t put_registers(const struct filling *f, uint16_t *to, const uint16_t *from, unsigned count, unsigned most)
{
	unsigned n = 0;

	for (unsigned i = 0; i < count && n < most; i++)
		if (f->numbers[from[i]] != TRACE_NO_REGISTER)
			to[n++] = f->numbers[from[i]];
	return (uint8_t)n;
}

/* --- Instructions --- */

static struct code_inst *put_inst(struct filling *f, const struct trace_block *rows, const struct machine_inst *in)
{
	struct code_inst *to = &f->to->insts[f->next++];

	*to = (struct code_inst){
	    .cls = class_of(f, rows, in),
	    .unit = in->pipe,
	    .joined = in->naccess,
	    .bytes = (uint8_t)in->bytes,
	    .stall = 1,
	    .as_row = in->op == MACHINE_BAR || in->op == MACHINE_MEMBAR || in->op == MACHINE_DEPBAR,
	    .latency = (uint16_t)(is_fixed(f, in)
				      ? 0
				      : later(1, machine_variable_latency(f->generation, (enum machine_pipe)in->pipe))),
	    .interval = (uint16_t)machine_interval(f->generation, (enum machine_pipe)in->pipe),
	    .row = in->row,
	    .access = in->naccess ? in->access[0] : 0};
	to->ndst = put_registers(f, to->dst, in->dst, in->ndst, TRACE_MAX_DESTINATIONS);
	to->nsrc = put_registers(f, to->src, in->src, in->nsrc, TRACE_MAX_SOURCES);
	return to;
}

/* The further texels of a fetch. */
static void put_parts(struct filling *f, const struct trace_block *rows, const struct code_inst *fetch)
{
	for (uint32_t row = fetch->access + 1; row < rows->count; row++) {
		struct code_inst *part = &f->to->insts[f->next];

		if (!(f->kernel->insts[rows->first + row].flags & TRACE_PART))
			return;
		*part = *fetch;
		part->part = true;
		part->nsrc = 0;
		part->access = row;
		f->next++;
	}
}

static uint32_t count_rows(const struct filling *f, const struct trace_block *rows)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < rows->count; i++)
		count += !(f->kernel->insts[rows->first + i].flags & TRACE_PART);
	return count;
}

static void put_block(struct filling *f, uint32_t block)
{
	const struct machine_block *b = &f->from->blocks[block];
	const struct trace_block *rows = &f->kernel->blocks[block];
	uint32_t *insts = xcalloc((size_t)b->ninsts + 1, sizeof *insts), first = f->next;

	for (uint32_t i = 0; i < b->ninsts; i++) {
		insts[i] = f->next;
		put_inst(f, rows, &b->insts[i]);
		if (b->insts[i].naccess)
			put_parts(f, rows, &f->to->insts[insts[i]]);
	}
	set_stalls(f, b, insts);
	f->to->blocks[block] = (struct code_block){
	    .first = first, .count = f->next - first, .arm = {b->arm[0], b->arm[1]}, .rows = count_rows(f, rows)};
	xfree(insts);
}

/* No more than the rows of texture fetches in addition to the instructions. */
static uint32_t most_instructions(const struct trace_kernel *kernel, const struct machine_kernel *m)
{
	uint32_t count = 0;

	for (uint32_t b = 0; b < m->nblocks; b++)
		count += m->blocks[b].ninsts;
	for (uint32_t i = 0; i < kernel->ninsts; i++)
		count += (kernel->insts[i].flags & TRACE_PART) != 0;
	return count;
}

static struct machine_code *fill(const struct trace_kernel *kernel, const struct machine_kernel *from,
				 enum machine_generation generation)
{
	struct filling f = {.kernel = kernel,
			    .from = from,
			    .generation = generation,
			    .to = machine_code_create(from->nblocks, most_instructions(kernel, from)),
			    .numbers = xcalloc(REGISTERS, sizeof *f.numbers),
			    .written = xcalloc(REGISTERS, sizeof *f.written),
			    .writer = xcalloc(REGISTERS, sizeof *f.writer)};

	f.to->registers_per_thread = from->registers_per_thread;
	number_registers(&f);
	for (uint32_t b = 0; b < from->nblocks; b++)
		put_block(&f, b);
	f.to->ninsts = f.next;
	xfree(f.numbers);
	xfree(f.written);
	xfree(f.writer);
	return f.to;
}

/* What is made on the way does not belong to the simulation, of which a checkpoint is an image. */
static struct machine_kernel *lower(const struct trace_kernel *kernel, enum machine_generation generation,
				    struct diag *d)
{
	const struct lowering_request request = {.ptx = kernel->ptx,
						 .size = strlen(kernel->ptx),
						 .kernel = kernel->name,
						 .generation = generation,
						 .table = kernel};

	return machine_kernel_create(&request, d);
}

struct machine_code *lowered_code(const struct trace_kernel *kernel, enum sm_code code, struct diag *d)
{
	static const enum machine_generation generations[] = {
	    [CODE_VOLTA] = MACHINE_VOLTA, [CODE_AMPERE] = MACHINE_AMPERE, [CODE_HOPPER] = MACHINE_HOPPER};
	bool in_heap = heap_is_used();
	struct machine_kernel *from;
	struct machine_code *to = NULL;

	heap_use(false);
	from = lower(kernel, generations[code], d);
	heap_use(in_heap);
	if (from)
		to = fill(kernel, from, generations[code]);
	heap_use(false);
	machine_kernel_free(from);
	heap_use(in_heap);
	return to;
}
