/* The static part of a traced kernel: instruction rows, blocks, structure names. */
#include "runtime/cpu/engine/engine_op.h"
#include "runtime/cpu/engine/cpu_module.h"
#include "runtime/cpu/observe/observe.h"
#include "runtime/cpu/images/texture.h"
#include "ptx-analyzer/language/text/ptx_text.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t trace_classes[] = {
    [PTX_CLASS_INT] = TRACE_INT,         [PTX_CLASS_FP32] = TRACE_FP32,       [PTX_CLASS_FP64] = TRACE_FP64,
    [PTX_CLASS_FP16] = TRACE_FP16,       [PTX_CLASS_SFU] = TRACE_SFU,         [PTX_CLASS_TENSOR] = TRACE_TENSOR,
    [PTX_CLASS_MOVE] = TRACE_MOVE,       [PTX_CLASS_CONVERT] = TRACE_CONVERT, [PTX_CLASS_LOAD] = TRACE_LOAD,
    [PTX_CLASS_STORE] = TRACE_STORE,     [PTX_CLASS_ATOMIC] = TRACE_ATOMIC,   [PTX_CLASS_ASYNC] = TRACE_ASYNC_COPY,
    [PTX_CLASS_TEXTURE] = TRACE_TEXTURE, [PTX_CLASS_BARRIER] = TRACE_BARRIER, [PTX_CLASS_FENCE] = TRACE_FENCE,
    [PTX_CLASS_BRANCH] = TRACE_BRANCH,   [PTX_CLASS_CALL] = TRACE_CALL,       [PTX_CLASS_RETURN] = TRACE_BRANCH,
    [PTX_CLASS_EXIT] = TRACE_EXIT,       [PTX_CLASS_WARP] = TRACE_WARP,       [PTX_CLASS_OTHER] = TRACE_OTHER,
};

static uint8_t trace_space(enum ptx_space space)
{
	switch (space) {
	case PTX_SPACE_SHARED: return TRACE_SHARED;
	case PTX_SPACE_LOCAL: return TRACE_LOCAL;
	case PTX_SPACE_CONST: return TRACE_CONST;
	case PTX_SPACE_PARAM: return TRACE_PARAM;
	default: return TRACE_GLOBAL;
	}
}

/* --- Registers: numbered over the whole program, so that the scoreboard sees called functions' as their own --- */

struct registers {
	const struct code *code;
	struct trace_inst *row;
};

static uint16_t number_of(const struct code *code, uint32_t reg)
{
	/* Numbers above the format's range wrap: a false dependence once in 65,535 registers. */
	return (uint16_t)((code->first_trace_register + reg) % TRACE_NO_REGISTER);
}

static void add_source(struct registers *r, uint32_t reg)
{
	if (reg != PTX_NONE && r->row->nsrc < TRACE_MAX_SOURCES)
		r->row->src[r->row->nsrc++] = number_of(r->code, reg);
}

static void add_destination(struct registers *r, uint32_t reg)
{
	if (r->row->ndst < TRACE_MAX_DESTINATIONS)
		r->row->dst[r->row->ndst++] = number_of(r->code, reg);
}

static void add_operand(struct registers *r, const struct ptx_operand *op, enum ptx_role role)
{
	switch (op->kind) {
	case PTX_OPERAND_REG:
		if (role == PTX_ROLE_DST || role == PTX_ROLE_DSTSRC)
			add_destination(r, op->id);
		if (role != PTX_ROLE_DST)
			add_source(r, op->id);
		break;
	case PTX_OPERAND_MEM:
	case PTX_OPERAND_TEX:
		for (unsigned i = 0; i < op->count; i++)
			add_operand(r, &op->elems[i], PTX_ROLE_SRC);
		break;
	case PTX_OPERAND_VEC:
	case PTX_OPERAND_PAIR:
		for (unsigned i = 0; i < op->count; i++)
			add_operand(r, &op->elems[i], role);
		break;
	default: break;
	}
}

/* --- Rows --- */

static uint8_t memory_flags(const struct inst *in)
{
	const struct ptx_opcode *o = in->ptx->opcode;
	uint16_t order = o->group[PTX_GROUP_ORDER], cache = o->group[PTX_GROUP_CACHE];
	uint8_t flags = TRACE_HAS_ACCESS;

	if (in->flags & INST_MARKED)
		flags |= TRACE_READ_ONLY;
	if (order != PTX_MOD_NONE && order != PTX_MOD_weak)
		flags |= TRACE_VOLATILE;
	if (cache == PTX_MOD_cg || cache == PTX_MOD_cv || ptx_has_mod(o, PTX_MOD_L1_no_allocate))
		flags |= TRACE_NO_L1;
	if (op_is(in->ptx, OP_NO_RESULT))
		flags |= TRACE_NO_RETURN;
	return flags;
}

/* --- Barriers --- */

/* The value of a register that is written once, by a move of a constant. */
static bool constant_in_register(const struct ptx_function *f, uint32_t reg, int64_t *value)
{
	unsigned writes = 0;

	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ptx_inst *inst = &f->insts[i];

		for (unsigned k = 0; k < inst->noperands; k++) {
			if (inst->operands[k].kind != PTX_OPERAND_REG || inst->operands[k].id != reg ||
			    ptx_operand_role(inst, k) == PTX_ROLE_SRC)
				continue;
			if (writes++ || inst->opcode->op != PTX_OP_mov || inst->predicate != PTX_NONE ||
			    inst->operands[1].kind != PTX_OPERAND_INT)
				return false;
			*value = inst->operands[1].imm;
		}
	}
	return writes == 1;
}

static bool constant_operand(const struct code *code, const struct ptx_operand *op, int64_t *value)
{
	if (op->kind == PTX_OPERAND_REG)
		return constant_in_register(code->function, op->id, value);
	*value = op->imm;
	return op->kind == PTX_OPERAND_INT;
}

/* bar.red's operands: result, the barrier's number, its number of threads, then the predicate. */
static void fill_barrier(const struct code *code, const struct ptx_inst *ptx, struct trace_inst *row)
{
	unsigned first = op_is(ptx, OP_VOTES) ? 1 : 0, count = ptx->noperands - 2 * first;
	int64_t number = 0, threads = 0;

	row->barrier = TRACE_ANY_BARRIER;
	if (ptx->opcode->op == PTX_OP_bar_arrive || ptx->opcode->op == PTX_OP_barrier_arrive)
		row->flags |= TRACE_ARRIVES;
	if (count > 0 && !constant_operand(code, &ptx->operands[first], &number))
		return;
	if (count > 1 && !constant_operand(code, &ptx->operands[first + 1], &threads))
		return;
	if (number < 0 || number >= TRACE_BARRIERS || threads < 0 || threads > TRACE_MAX_CTA_WARPS * TRACE_WARP_LANES)
		return; /* the launch fails if it comes here */
	row->barrier = (uint8_t)number;
	row->barrier_warps = (uint8_t)(threads / TRACE_WARP_LANES);
}

/* Groups of cp.async. A number that is not constant waits for all groups. */
static void fill_groups(const struct code *code, const struct ptx_inst *ptx, struct trace_inst *row)
{
	int64_t left = 0;

	switch (ptx->opcode->op) {
	case PTX_OP_cp_async_commit_group:
	case PTX_OP_cp_async_bulk_commit_group: row->flags |= TRACE_ARRIVES; break;
	case PTX_OP_cp_async_wait_all:
		row->flags |= TRACE_ARRIVES;
		row->access_bytes = 1;
		break;
	case PTX_OP_cp_async_wait_group:
	case PTX_OP_cp_async_bulk_wait_group:
		if (!constant_operand(code, &ptx->operands[0], &left) || left < 0)
			left = 0;
		row->access_bytes = (uint8_t)(left < UINT8_MAX ? left + 1 : UINT8_MAX);
		break;
	default: break;
	}
}

static void fill_row(const struct code *code, const struct inst *in, struct trace_inst *row)
{
	const struct ptx_inst *ptx = in->ptx;
	const struct ptx_module *m = code->function->module;
	struct registers r = {code, row};

	row->cls = trace_classes[ptx->opcode->cls];
	row->structure = TRACE_NO_STRUCTURE;
	row->ptx_line = ptx->line;
	row->source_line = ptx->loc < m->nlocs ? m->locs[ptx->loc].line : 0;
	if (bulk_rows(ptx)) {
		row->cls = ptx->opcode->space == PTX_SPACE_GLOBAL ? TRACE_STORE : TRACE_ASYNC_COPY;
		row->space = TRACE_GLOBAL;
		row->access_bytes = BULK_LINE;
		row->flags = TRACE_HAS_ACCESS | TRACE_NO_L1;
	} else if (inst_has_access(in)) {
		row->space = trace_space((enum ptx_space)in->space);
		row->access_bytes = (uint8_t)(in->bytes * in->vec);
		row->flags = memory_flags(in);
	} else if (ptx->opcode->space == PTX_SPACE_PARAM && in->bytes) {
		row->space = TRACE_PARAM;
		row->cls = TRACE_MOVE;
	}
	if (trace_is_barrier(row))
		fill_barrier(code, ptx, row);
	fill_groups(code, ptx, row);
	if (ptx->predicate != PTX_NONE) {
		row->flags |= TRACE_PREDICATED;
		add_source(&r, ptx->predicate);
	}
	for (unsigned i = 0; i < ptx->noperands; i++)
		add_operand(&r, &ptx->operands[i], ptx_operand_role(ptx, i));
}

/* The index of the kernel in the analysis, which counts kernels only. */
static size_t analysis_index(const struct program *p)
{
	size_t n = ptx_analysis_kernels(p->module->analysis);

	for (size_t i = 0; i < n; i++)
		if (&p->module->ptx->functions[ptx_analysis_kernel(p->module->analysis, i)->function] == p->kernel)
			return i;
	return n;
}

/* The access of instruction `inst` of `function`, or NULL; they are sorted. */
static const struct access *find_access(const struct access *accesses, size_t count, uint32_t function, uint32_t inst)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct access *a = &accesses[middle];

		if (a->function < function || (a->function == function && a->inst < inst))
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && accesses[low].function == function && accesses[low].inst == inst ? &accesses[low] : NULL;
}

void program_accesses(const struct program *p, const struct access **rows)
{
	size_t kernel = analysis_index(p), count = 0;
	const struct access *accesses;

	if (kernel == ptx_analysis_kernels(p->module->analysis))
		return;
	accesses = ptx_kernel_accesses(p->module->analysis, kernel, &count);
	for (uint32_t c = 0; c < p->ncodes; c++)
		for (uint32_t i = 0; i < p->codes[c].ninsts; i++) {
			const struct inst *in = &p->codes[c].insts[i];
			const struct ptx_function *f = p->codes[c].function;

			if (in->flags & INST_REAL)
				rows[in->trace] =
				    find_access(accesses, count, (uint32_t)(f - p->module->ptx->functions),
						(uint32_t)(in->ptx - f->insts));
		}
}

/* Fills in the structure of each access that belongs to a single structure. */
static void fill_structures(const struct program *p, struct trace_inst *rows)
{
	const struct access **accesses = xcalloc(p->ninsts + 1, sizeof *accesses);

	program_accesses(p, accesses);
	for (uint32_t i = 0; i < p->ninsts; i++)
		if (rows[i].flags & TRACE_HAS_ACCESS && accesses[i] && accesses[i]->nstructures)
			rows[i].structure = (uint16_t)accesses[i]->structures[0];
	free(accesses);
}

/* The further texels of a fetch, or lines of a bulk copy. Only the memory system sees them; no instruction depends on
 * them. */
static void fill_parts(const struct program *p, struct trace_inst *rows)
{
	for (uint32_t c = 0; c < p->ncodes; c++)
		for (uint32_t i = 0; i < p->codes[c].ninsts; i++) {
			const struct inst *in = &p->codes[c].insts[i];
			unsigned parts = in->flags & INST_REAL ? texture_parts(in->ptx) : 1;

			if (in->flags & INST_REAL && bulk_rows(in->ptx))
				parts = bulk_rows(in->ptx);
			for (unsigned k = 1; k < parts; k++) {
				struct trace_inst *part = &rows[in->trace + k];

				*part = rows[in->trace];
				part->flags |= TRACE_PART;
				part->ndst = part->nsrc = 0;
			}
		}
}

/* The program's functions in the order of their rows. */
static void print_program(const struct program *p, struct strbuf *out)
{
	uint32_t *order = xcalloc(p->ncodes, sizeof *order);

	for (uint32_t c = 0; c < p->ncodes; c++)
		order[c] = (uint32_t)(p->codes[c].function - p->module->ptx->functions);
	ptx_print_excerpt(p->module->ptx, order, p->ncodes, out);
	free(order);
}

uint32_t trace_program(struct trace_writer *writer, const struct program *p)
{
	const struct kernel_facts *facts = ptx_kernel_facts(p->module->analysis, p->kernel->name);
	struct trace_inst *rows = xcalloc(p->ninsts + 1, sizeof *rows);
	struct trace_block *blocks = xcalloc(p->nblocks + 1, sizeof *blocks);
	const char **structures = xcalloc(facts ? facts->nstructures + 1 : 1, sizeof *structures);
	struct strbuf ptx = STRBUF_INIT;
	uint32_t id;

	print_program(p, &ptx);
	for (uint32_t c = 0; c < p->ncodes; c++) {
		uint32_t next = p->codes[c].first_trace_inst;

		for (uint32_t i = 0; i < p->codes[c].ninsts; i++)
			if (p->codes[c].insts[i].flags & INST_REAL)
				fill_row(&p->codes[c], &p->codes[c].insts[i], &rows[p->codes[c].insts[i].trace]);
		for (uint32_t b = 0; b + 1 < p->codes[c].nblocks; b++) {
			const struct block *block = &p->codes[c].blocks[b];

			blocks[block->trace] = (struct trace_block){next, block->rows};
			next += block->rows;
		}
	}
	fill_structures(p, rows);
	fill_parts(p, rows);
	for (uint32_t i = 0; facts && i < facts->nstructures; i++)
		structures[i] = facts->structures[i].id;
	id = trace_add_kernel(writer, &(struct trace_kernel){.name = p->kernel->name,
							     .module = p->module->name,
							     .insts = rows,
							     .ninsts = p->ninsts,
							     .blocks = blocks,
							     .nblocks = p->nblocks,
							     .structures = structures,
							     .nstructures = facts ? facts->nstructures : 0,
							     .ptx = ptx.data,
							     .registers_per_thread = p->registers,
							     .nregisters = p->nregisters < TRACE_NO_REGISTER
									       ? p->nregisters
									       : TRACE_NO_REGISTER});
	strbuf_release(&ptx);
	free(rows);
	free(blocks);
	free(structures);
	return id;
}
