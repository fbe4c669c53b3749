/*
 * From the lowering's machine instructions to the simulator's tables. Results that come after a fixed time become
 * stalls between a block's instructions, as ptxas sets them; the others keep their registers.
 */
#include "library/lowered_code.h"

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
	uint32_t next; /* instruction of `to` */
	uint32_t next_part;
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

struct code {
	const struct machine_inst *insts;
	uint32_t ninsts;
};

/* When all of the code's results with a fixed time are there, for whichever block follows; forgets them. */
static uint32_t end_time(const struct filling *f, const struct code *c, uint32_t last)
{
	uint32_t end = last + 1;

	for (uint32_t i = 0; i < c->ninsts; i++)
		for (unsigned k = 0; k < c->insts[i].ndst; k++) {
			uint16_t reg = c->insts[i].dst[k];
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

/* `places`: where the code's instructions are in the table. */
static void set_stalls(const struct filling *f, const struct code *c, const uint32_t *places)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < c->ninsts; i++) {
		uint32_t before = at;

		at = issue_time(f, &c->insts[i], before, i == 0);
		if (i)
			f->to->insts[places[i - 1]].stall = stall_of(at - before);
		note_results(f, &c->insts[i], at);
	}
	if (c->ninsts)
		f->to->insts[places[c->ninsts - 1]].stall = stall_of(end_time(f, c, at) - at);
}

/* --- Registers --- */

static struct code block_code(const struct machine_block *b)
{
	return (struct code){b->insts, b->ninsts};
}

static struct code region_code(const struct machine_block *b)
{
	return b->region ? (struct code){b->region->insts, b->region->ninsts} : (struct code){NULL, 0};
}

static void number_results(struct filling *f, struct code c)
{
	for (uint32_t i = 0; i < c.ninsts; i++)
		for (unsigned k = 0; k < c.insts[i].ndst && !is_fixed(f, &c.insts[i]); k++)
			if (f->numbers[c.insts[i].dst[k]] == TRACE_NO_REGISTER)
				f->numbers[c.insts[i].dst[k]] = (uint16_t)f->to->nregisters++;
}

static void number_registers(struct filling *f)
{
	memset(f->numbers, 0xff, REGISTERS * sizeof *f->numbers);
	for (uint32_t b = 0; b < f->from->nblocks; b++) {
		number_results(f, block_code(&f->from->blocks[b]));
		number_results(f, region_code(&f->from->blocks[b]));
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

static struct code_inst *put_inst(struct filling *f, uint32_t block, const struct machine_inst *in)
{
	const struct trace_block *rows = &f->kernel->blocks[block];
	struct code_inst *to = &f->to->insts[f->next++];

	*to = (struct code_inst){
	    .cls = class_of(f, rows, in),
	    .unit = (uint8_t)machine_unit(f->generation, (enum machine_op)in->op),
	    .joined = in->naccess,
	    .bytes = (uint8_t)in->bytes,
	    .stall = 1,
	    .as_row = in->op == MACHINE_BAR || in->op == MACHINE_MEMBAR || in->op == MACHINE_DEPBAR,
	    .latency = (uint16_t)(is_fixed(f, in)
				      ? 0
				      : later(1, machine_variable_latency(f->generation, (enum machine_pipe)in->pipe))),
	    .interval = (uint16_t)machine_inst_interval(f->generation, in),
	    .part = in->part,
	    .block = block,
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
		part->texel = true;
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

/* `region`: what the code is of, or NULL for that of a block. */
static void put_code(struct filling *f, uint32_t block, struct code c, const struct machine_region *region)
{
	uint32_t *places = xcalloc((size_t)c.ninsts + 1, sizeof *places);

	for (uint32_t i = 0; i < c.ninsts; i++) {
		uint32_t of = region ? region->parts[c.insts[i].part].block : block;

		places[i] = f->next;
		put_inst(f, of, &c.insts[i]);
		if (c.insts[i].naccess)
			put_parts(f, &f->kernel->blocks[of], &f->to->insts[places[i]]);
	}
	set_stalls(f, &c, places);
	xfree(places);
}

static void put_region(struct filling *f, uint32_t block, const struct machine_region *region)
{
	struct code_block *to = &f->to->blocks[block];

	to->region_first = f->next;
	put_code(f, block, (struct code){region->insts, region->ninsts}, region);
	to->region_count = f->next - to->region_first;
	to->first_part = f->next_part;
	to->nparts = region->nparts;
	for (uint32_t i = 0; i < region->nparts; i++)
		f->to->parts[f->next_part++] =
		    (struct code_part){.block = region->parts[i].block, .optional = region->parts[i].optional};
}
_Static_assert((int)MACHINE_MAX_PARTS <= (int)CODE_MOST_PARTS, "the simulator takes each region");

static void put_block(struct filling *f, uint32_t block)
{
	const struct machine_block *b = &f->from->blocks[block];
	uint32_t first = f->next;

	put_code(f, block, block_code(b), NULL);
	f->to->blocks[block] = (struct code_block){.first = first,
						   .count = f->next - first,
						   .arm = {b->arm[0], b->arm[1]},
						   .rows = count_rows(f, &f->kernel->blocks[block])};
	if (b->region)
		put_region(f, block, b->region);
}

/* An instruction that fetches from a texture has a further one for each of its other texels. */
static uint32_t count_code(const struct trace_kernel *kernel, struct code c)
{
	uint32_t count = c.ninsts;

	for (uint32_t i = 0; i < c.ninsts; i++)
		count += c.insts[i].naccess ? launch_most_parts(kernel) : 0;
	return count;
}

static struct machine_code *create(const struct trace_kernel *kernel, const struct machine_kernel *m)
{
	uint32_t insts = 0, parts = 0;

	for (uint32_t b = 0; b < m->nblocks; b++) {
		insts += count_code(kernel, block_code(&m->blocks[b])) + count_code(kernel, region_code(&m->blocks[b]));
		parts += m->blocks[b].region ? m->blocks[b].region->nparts : 0;
	}
	return machine_code_create(m->nblocks, insts, parts);
}

static struct machine_code *fill(const struct trace_kernel *kernel, const struct machine_kernel *from,
				 enum machine_generation generation)
{
	struct filling f = {.kernel = kernel,
			    .from = from,
			    .generation = generation,
			    .to = create(kernel, from),
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
