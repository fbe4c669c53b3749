/*
 * Programs: a kernel with all functions that it may call, decoded once. Everything that depends on the kernel is
 * settled here: which functions, where shared variables lie, how deep local memory gets, numbers for the trace.
 */
#include "runtime/cpu/decode/decode.h"
#include "runtime/cpu/observe/observe.h"
#include "runtime/cpu/images/texture.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void decode_fail(struct decoder *d, const char *format, ...)
{
	struct strbuf text = STRBUF_INIT;
	char what[512];
	va_list args;

	if (d->failed)
		return;
	d->failed = true;
	va_start(args, format);
	vsnprintf(what, sizeof what, format, args);
	va_end(args);
	ptx_print_inst(d->function, d->inst, &text);
	diag_set(d->diag, d->module->name, d->inst->line, d->inst->column, "'%s' in '%s': %s",
		 text.data ? text.data : "", d->function->name, what);
	strbuf_release(&text);
}

const struct exec_row *decode_find(struct decoder *d, const struct exec_key *key)
{
	const struct exec_row *row = exec_find(d->set, key);

	if (!row)
		decode_fail(d, "this instruction is not supported by the CPU device");
	return row;
}

struct inst decode_no_operands(void)
{
	return (struct inst){
	    .d = OPERAND_NONE, .a = OPERAND_NONE, .b = OPERAND_NONE, .c = OPERAND_NONE, .e = OPERAND_NONE, .vec = 1};
}

struct inst *decode_emit(struct decoder *d, const struct exec_row *row)
{
	struct inst in = decode_no_operands();

	in.exec = row->exec;
	in.variant = row->variant;
	in.flags = INST_REAL;
	in.ptx = d->inst;
	in.trace = d->program->ninsts;
	d->program->ninsts += texture_parts(d->inst);
	d->block->count++;
	if (d->inst->guard != PTX_NONE) {
		in.guard = d->register_offset[d->inst->guard];
		in.guard_flip = d->inst->guard_not ? ALL_LANES : 0;
	}
	vec_push(&d->insts, in);
	return &vec_last(&d->insts);
}

struct inst *decode_emit_extra(struct decoder *d, const struct exec_key *key)
{
	const struct exec_row *row = decode_find(d, key);
	struct inst in = decode_no_operands();

	if (row) {
		in.exec = row->exec;
		in.variant = row->variant;
	}
	in.ptx = d->inst;
	vec_push(&d->insts, in);
	return &vec_last(&d->insts);
}

/* --- Which functions --- */

struct reach {
	const struct ptx_module *ptx;
	bool *seen;
	VEC(uint32_t) order; /* function indices */
	bool indirect;
};

/* A kernel whose address is taken is launched, not called: it becomes a program of its own. */
static void reach_function(struct reach *r, uint32_t function)
{
	if (function == PTX_NONE || r->seen[function] || r->ptx->functions[function].is_declaration)
		return;
	if (r->order.len && r->ptx->functions[function].is_kernel)
		return;
	r->seen[function] = true;
	vec_push(&r->order, function);
}

static void reach_operand(struct reach *r, const struct ptx_operand *op)
{
	switch (op->kind) {
	case PTX_OPERAND_SYMBOL:
		if (r->ptx->symbols[op->id].kind == PTX_SYMBOL_FUNCTION)
			reach_function(r, r->ptx->symbols[op->id].callee);
		break;
	case PTX_OPERAND_MEM:
	case PTX_OPERAND_VEC:
	case PTX_OPERAND_PAIR:
	case PTX_OPERAND_TEX:
	case PTX_OPERAND_LIST:
		for (unsigned i = 0; i < op->count; i++)
			reach_operand(r, &op->elems[i]);
		break;
	default: break;
	}
}

static void reach_inst(struct reach *r, const struct ptx_inst *inst)
{
	bool direct = false;

	for (unsigned i = 0; i < inst->noperands; i++) {
		const struct ptx_operand *op = &inst->operands[i];

		reach_operand(r, op);
		direct |= op->kind == PTX_OPERAND_SYMBOL && r->ptx->symbols[op->id].kind == PTX_SYMBOL_FUNCTION;
	}
	r->indirect |= inst->opcode->op == PTX_OP_call && !direct;
}

/* Functions whose addresses stand in tables of the module. */
static void reach_tables(struct reach *r)
{
	for (uint32_t i = 0; i < r->ptx->nsymbols; i++)
		for (size_t k = 0; k < r->ptx->symbols[i].nrelocs; k++) {
			const struct ptx_symbol *s = &r->ptx->symbols[r->ptx->symbols[i].relocs[k].symbol];

			if (s->kind == PTX_SYMBOL_FUNCTION)
				reach_function(r, s->callee);
		}
}

static void reach_all(struct reach *r, uint32_t kernel)
{
	bool tables = false;

	reach_function(r, kernel);
	for (size_t at = 0; at < r->order.len; at++) {
		const struct ptx_function *f = &r->ptx->functions[r->order.data[at]];

		for (uint32_t i = 0; i < f->ninsts; i++)
			reach_inst(r, &f->insts[i]);
		if (r->indirect && !tables) {
			tables = true;
			reach_tables(r);
		}
	}
}

/* --- Shared memory --- */

static void mark_shared(const struct ptx_module *ptx, const struct ptx_operand *op, uint32_t *offset)
{
	if (op->kind == PTX_OPERAND_SYMBOL && ptx->symbols[op->id].space == PTX_SPACE_SHARED)
		offset[op->id] = 0;
	if (op->kind == PTX_OPERAND_MEM || op->kind == PTX_OPERAND_VEC || op->kind == PTX_OPERAND_LIST ||
	    op->kind == PTX_OPERAND_TEX)
		for (unsigned i = 0; i < op->count; i++)
			mark_shared(ptx, &op->elems[i], offset);
}

static uint32_t aligned(uint64_t offset, uint32_t align)
{
	align = align ? align : 1;
	return (uint32_t)((offset + align - 1) / align * align);
}

/* Variables that the program names, in the order of the text; those without a size share what is behind them. */
static int place_shared(struct program *p, struct diag *d)
{
	const struct ptx_module *ptx = p->module->ptx;
	uint64_t end = 0;

	p->shared_offset = arena_alloc(&p->arena, ptx->nsymbols * sizeof *p->shared_offset);
	memset(p->shared_offset, 0xff, ptx->nsymbols * sizeof *p->shared_offset);
	for (uint32_t c = 0; c < p->ncodes; c++)
		for (uint32_t i = 0; i < p->codes[c].function->ninsts; i++)
			for (unsigned k = 0; k < p->codes[c].function->insts[i].noperands; k++)
				mark_shared(ptx, &p->codes[c].function->insts[i].operands[k], p->shared_offset);
	p->dynamic_align = 16;
	for (uint32_t i = 0; i < ptx->nsymbols; i++) {
		const struct ptx_symbol *s = &ptx->symbols[i];

		if (p->shared_offset[i] == PTX_NONE)
			continue;
		if (s->size == 0) {
			p->dynamic_align = s->align > p->dynamic_align ? s->align : p->dynamic_align;
			continue;
		}
		p->shared_offset[i] = aligned(end, s->align);
		end = p->shared_offset[i] + s->size;
		if (end > MAX_SHARED_BYTES)
			return diag_set(d, p->module->name, s->line, 0,
					"kernel '%s' has more than the %d bytes of shared memory of a CTA",
					p->kernel->name, MAX_SHARED_BYTES);
	}
	p->static_shared = (uint32_t)end;
	for (uint32_t i = 0; i < ptx->nsymbols; i++)
		if (p->shared_offset[i] != PTX_NONE && ptx->symbols[i].size == 0)
			p->shared_offset[i] = aligned(end, p->dynamic_align);
	return 0;
}

/* --- Local memory --- */

static void add_local(struct program *p, struct code *code, uint32_t symbol)
{
	const struct ptx_symbol *s = &p->module->ptx->symbols[symbol];

	if (s->space != PTX_SPACE_LOCAL && s->space != PTX_SPACE_PARAM)
		return;
	code->local_bytes = aligned(code->local_bytes, s->align);
	code->locals[code->nlocals++] = (struct local_variable){symbol, code->local_bytes, (uint32_t)s->size};
	code->local_bytes += (uint32_t)s->size;
}

/* Results, parameters (of functions; a kernel's are in its buffer), then variables: see match_locals. */
static int place_locals(struct program *p, struct code *code, struct diag *d)
{
	const struct ptx_function *f = code->function;
	uint64_t total = 0;

	code->locals = arena_array(&p->arena, struct local_variable, f->nreturns + f->nparams + f->nvariables + 1);
	for (uint32_t i = 0; i < f->nvariables; i++)
		total += p->module->ptx->symbols[f->variables[i]].size;
	if (total > MAX_LOCAL_BYTES)
		return diag_set(d, p->module->name, f->line, 0,
				"function '%s' has more than the %d bytes of local memory of a thread", f->name,
				MAX_LOCAL_BYTES);
	for (uint32_t i = 0; i < f->nreturns; i++)
		add_local(p, code, f->returns[i]);
	for (uint32_t i = 0; i < f->nparams && !f->is_kernel; i++)
		add_local(p, code, f->params[i]);
	for (uint32_t i = 0; i < f->nvariables; i++)
		add_local(p, code, f->variables[i]);
	code->local_bytes = aligned(code->local_bytes, 16);
	return 0;
}

const struct local_variable *code_local(const struct code *code, uint32_t symbol)
{
	for (uint32_t i = 0; i < code->nlocals; i++)
		if (code->locals[i].symbol == symbol)
			return &code->locals[i];
	return NULL;
}

struct code *program_function(const struct program *program, uint64_t address)
{
	for (uint32_t i = 0; i < program->ncodes; i++)
		if (function_address((uint32_t)(program->codes[i].function - program->module->ptx->functions)) ==
		    address)
			return &program->codes[i];
	return NULL;
}

/* Bytes of local memory on the deepest chain of calls from `code`; sets `recursive` when it has no bound. */
static uint64_t deepest(struct program *p, const struct code *code, uint8_t *state, uint64_t *known)
{
	uint32_t self = (uint32_t)(code - p->codes);
	uint64_t below = 0;

	if (state[self] == 1) {
		p->recursive = true;
		return 0;
	}
	if (state[self] == 2)
		return known[self];
	state[self] = 1;
	for (uint32_t i = 0; i < code->ninsts; i++) {
		const struct control *c = code->insts[i].control;

		p->recursive |= code->insts[i].ptx && code->insts[i].ptx->opcode->op == PTX_OP_alloca;
		if (!c || !c->site || !(code->insts[i].flags & INST_REAL))
			continue;
		if (!c->site->callee) {
			p->recursive = true;
			continue;
		}
		uint64_t callee = deepest(p, c->site->callee, state, known);
		below = callee > below ? callee : below;
	}
	state[self] = 2;
	return known[self] = code->local_bytes + below;
}

static void measure_locals(struct program *p)
{
	uint8_t *state = xcalloc(p->ncodes, 1);
	uint64_t *known = xcalloc(p->ncodes, sizeof *known);
	uint64_t bytes = deepest(p, &p->codes[0], state, known);

	if (p->recursive)
		bytes += RECURSION_LOCAL_BYTES;
	p->local_bytes = (uint32_t)(bytes > MAX_LOCAL_BYTES ? MAX_LOCAL_BYTES : bytes);
	free(state);
	free(known);
}

/* --- One function --- */

/* Predicates first, a word each behind the one that is always true, then the others, aligned for vector loads. */
static void place_registers(struct decoder *d)
{
	const struct ptx_function *f = d->function;
	uint32_t at = 4;

	d->register_offset = xcalloc(f->nregs + 1, sizeof *d->register_offset);
	for (uint32_t i = 0; i < f->nregs; i++)
		if (f->regs[i].type == PTX_pred) {
			d->register_offset[i] = at;
			at += 4;
		}
	at = aligned(at, 64);
	for (uint32_t i = 0; i < f->nregs; i++) {
		unsigned bits = ptx_type_bits(f->regs[i].type);

		if (f->regs[i].type == PTX_pred)
			continue;
		d->register_offset[i] = at;
		at += LANES * (bits <= 32 ? 4 : bits / 8);
	}
	d->frame_bytes = at < 512 ? 512 : at;
}

/* Splits the function's blocks further where an instruction of ours ends one, and one more: the end of the function. */
static void place_blocks(struct decoder *d)
{
	const struct ptx_function *f = d->function;
	uint8_t *leader = xcalloc(f->ninsts + 1, 1);
	uint32_t n = 0;

	for (uint32_t b = 0; b < f->nblocks; b++)
		if (f->blocks[b].count)
			leader[f->blocks[b].first] = 1;
	for (uint32_t i = 0; i < f->ninsts; i++) {
		leader[i] |= decode_starts_block(&f->insts[i]);
		leader[i + 1] |= decode_ends_block(&f->insts[i]);
	}
	d->block_of = xcalloc(f->ninsts + 1, sizeof *d->block_of);
	for (uint32_t i = 0; i < f->ninsts; i++) {
		n += leader[i] && i;
		d->block_of[i] = n;
	}
	n += f->ninsts != 0;
	d->block_of[f->ninsts] = n;
	d->code->nblocks = n + 1;
	d->code->blocks = arena_array(&d->program->arena, struct block, n + 1);
	free(leader);
}

static const struct block *join_of(const struct decoder *d, const struct ptx_inst *inst)
{
	const struct ptx_function *f = d->function;
	uint32_t ipdom = f->blocks[inst->block].ipdom;

	return ipdom == PTX_NONE ? NULL : &d->code->blocks[d->block_of[f->blocks[ipdom].first]];
}

/* Falling off the end of a function returns. */
static void decode_end(struct decoder *d)
{
	struct control *c = arena_new(&d->program->arena, struct control);
	struct inst *in = decode_emit_extra(d, &(struct exec_key){.op = PTX_OP_ret});

	c->self = d->block;
	in->control = c;
}

static void decode_blocks(struct decoder *d, size_t *first)
{
	const struct ptx_function *f = d->function;
	uint32_t at = 0;

	for (uint32_t b = 0; b + 1 < d->code->nblocks && !d->failed; b++) {
		const struct ptx_inst *last = NULL;
		uint32_t before = d->program->ninsts;

		d->block = &d->code->blocks[b];
		first[b] = d->insts.len;
		d->block->code = d->code;
		for (; at < f->ninsts && d->block_of[at] == b && !d->failed; at++) {
			last = &f->insts[at];
			d->block->join = join_of(d, last);
			decode_inst(d, last);
		}
		if (last && !decode_ends_block(last))
			decode_block_end(d);
		d->block->rows = d->program->ninsts - before;
		d->block->trace = d->program->nblocks++;
	}
	d->block = &d->code->blocks[d->code->nblocks - 1];
	d->block->code = d->code;
	first[d->code->nblocks - 1] = d->insts.len;
	decode_end(d);
}

static int decode_function(struct decoder *d)
{
	size_t *first;

	d->function = d->code->function;
	d->inst = d->function->ninsts ? &d->function->insts[0] : NULL;
	place_registers(d);
	place_blocks(d);
	first = xcalloc(d->code->nblocks, sizeof *first);
	d->code->first_trace_inst = d->program->ninsts;
	d->code->first_trace_block = d->program->nblocks;
	d->code->first_trace_register = d->program->nregisters;
	d->program->nregisters += d->function->nregs;
	decode_blocks(d, first);
	d->code->ninsts = (uint32_t)d->insts.len;
	d->code->insts = arena_memdup(&d->program->arena, d->insts.data, d->insts.len * sizeof *d->insts.data);
	for (uint32_t b = 0; b < d->code->nblocks && !d->failed; b++)
		d->code->blocks[b].first = &d->code->insts[first[b]];
	d->code->frame_bytes = aligned(d->frame_bytes, 64);
	constants_place(d);
	free(first);
	free(d->register_offset);
	free(d->block_of);
	vec_release(&d->insts);
	vec_release(&d->after);
	vec_release(&d->constants);
	return d->failed ? DIAG_ERROR : 0;
}

/* --- Programs --- */

static int decode_all(struct program *p, const struct exec_set *set, struct diag *diag)
{
	for (uint32_t i = 0; i < p->ncodes; i++) {
		struct decoder d = {.program = p, .module = p->module, .set = set, .code = &p->codes[i], .diag = diag};

		if (decode_function(&d) < 0)
			return DIAG_ERROR;
	}
	return 0;
}

static void add_codes(struct program *p, const struct reach *r)
{
	p->ncodes = (uint32_t)r->order.len;
	p->codes = arena_array(&p->arena, struct code, p->ncodes);
	for (uint32_t i = 0; i < p->ncodes; i++)
		p->codes[i] = (struct code){.function = &r->ptx->functions[r->order.data[i]], .program = p};
}

static int build(struct program *p, const struct exec_set *set, struct diag *d)
{
	struct reach r = {.ptx = p->module->ptx};
	int status = 0;

	r.seen = xcalloc(r.ptx->nfunctions, sizeof *r.seen);
	reach_all(&r, (uint32_t)(p->kernel - r.ptx->functions));
	add_codes(p, &r);
	free(r.seen);
	vec_release(&r.order);
	for (uint32_t i = 0; i < p->ncodes && status == 0; i++) {
		status = ptx_build_cfg((struct ptx_function *)(uintptr_t)p->codes[i].function, d);
		if (status == 0)
			status = place_locals(p, &p->codes[i], d);
	}
	if (status == 0)
		status = place_shared(p, d);
	if (status == 0)
		status = decode_all(p, set, d);
	if (status == 0)
		measure_locals(p);
	return status;
}

struct program *program_build(struct device_module *module, const struct ptx_function *kernel,
			      const struct exec_set *set, struct diag *d)
{
	struct program *p = xcalloc(1, sizeof *p);

	*p = (struct program){.arena = ARENA_INIT, .module = module, .kernel = kernel, .trace_kernel = PTX_NONE};
	if (build(p, set, d) < 0) {
		program_free(p);
		return NULL;
	}
	p->registers = estimate_registers(kernel);
	return p;
}

void program_free(struct program *p)
{
	for (uint32_t i = 0; i < p->ncodes; i++)
		for (struct frame *f = p->codes[i].frames; f;) {
			struct frame *next = f->next;

			free(f->regs);
			free(f);
			f = next;
		}
	arena_release(&p->arena);
	free(p);
}

void program_reset(struct program *p)
{
	for (uint32_t i = 0; i < p->ncodes; i++) {
		p->codes[i].free_frames = p->codes[i].frames;
		for (struct frame *f = p->codes[i].frames; f; f = f->next)
			f->caller = f->next;
	}
}
