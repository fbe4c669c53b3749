/* The functions that a kernel reaches, and their resources: shared variables, frames, barriers. */
#include "ptx-analyzer/flow/resources.h"

#include "common/integer.h"
#include "common/xalloc.h"

#include <stdlib.h>
#include <string.h>

/* --- Functions of a kernel --- */

/* A kernel whose address is taken is launched, not called: it becomes a separate program. */
static void reach_function(struct ptx_reach *r, uint32_t function)
{
	if (function == PTX_NONE || r->seen[function] || r->ptx->functions[function].is_declaration)
		return;
	if (r->order.len && r->ptx->functions[function].is_kernel)
		return;
	r->seen[function] = true;
	vec_push(&r->order, function);
}

static void reach_operand(struct ptx_reach *r, const struct ptx_operand *op)
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

static void reach_inst(struct ptx_reach *r, const struct ptx_inst *inst)
{
	bool direct = false;

	for (unsigned i = 0; i < inst->noperands; i++) {
		const struct ptx_operand *op = &inst->operands[i];

		reach_operand(r, op);
		direct |= op->kind == PTX_OPERAND_SYMBOL && r->ptx->symbols[op->id].kind == PTX_SYMBOL_FUNCTION;
	}
	r->indirect |= inst->opcode->op == PTX_OP_call && !direct;
}

/* Functions whose addresses are in tables of the module. */
static void reach_tables(struct ptx_reach *r)
{
	for (uint32_t i = 0; i < r->ptx->nsymbols; i++)
		for (size_t k = 0; k < r->ptx->symbols[i].nrelocs; k++) {
			const struct ptx_symbol *s = &r->ptx->symbols[r->ptx->symbols[i].relocs[k].symbol];

			if (s->kind == PTX_SYMBOL_FUNCTION)
				reach_function(r, s->callee);
		}
}

void ptx_reach(const struct ptx_module *ptx, uint32_t kernel, struct ptx_reach *r)
{
	bool tables = false;

	*r = (struct ptx_reach){.ptx = ptx, .seen = xcalloc(ptx->nfunctions, sizeof *r->seen)};
	reach_function(r, kernel);
	for (size_t at = 0; at < r->order.len; at++) {
		const struct ptx_function *f = &ptx->functions[r->order.data[at]];

		for (uint32_t i = 0; i < f->ninsts; i++)
			reach_inst(r, &f->insts[i]);
		if (r->indirect && !tables) {
			tables = true;
			reach_tables(r);
		}
	}
}

void ptx_reach_release(struct ptx_reach *r)
{
	free(r->seen);
	vec_release(&r->order);
}

/* --- Shared memory --- */

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static void mark_shared(const struct ptx_module *ptx, const struct ptx_operand *op, bool *named)
{
	if (op->kind == PTX_OPERAND_SYMBOL && ptx->symbols[op->id].space == PTX_SPACE_SHARED)
		named[op->id] = true;
	if (op->kind == PTX_OPERAND_MEM || op->kind == PTX_OPERAND_VEC || op->kind == PTX_OPERAND_LIST ||
	    op->kind == PTX_OPERAND_TEX)
		for (unsigned i = 0; i < op->count; i++)
			mark_shared(ptx, &op->elems[i], named);
}

static bool *named_variables(const struct ptx_reach *r)
{
	bool *named = xcalloc(r->ptx->nsymbols + 1, sizeof *named);

	for (size_t n = 0; n < r->order.len; n++) {
		const struct ptx_function *f = &r->ptx->functions[r->order.data[n]];

		for (uint32_t i = 0; i < f->ninsts; i++)
			for (unsigned k = 0; k < f->insts[i].noperands; k++)
				mark_shared(r->ptx, &f->insts[i].operands[k], named);
	}
	return named;
}

uint64_t ptx_shared_bytes(const struct ptx_reach *r, uint32_t *offset, uint32_t *align)
{
	const struct ptx_symbol *symbols = r->ptx->symbols;
	uint32_t dynamic_align = 0;
	bool *named = named_variables(r);
	uint64_t end = 0;

	for (uint32_t i = 0; i < r->ptx->nsymbols && end <= UINT32_MAX; i++) {
		uint64_t start = named[i] ? round_up(end, symbols[i].align) : 0;

		if (offset)
			offset[i] = named[i] ? (uint32_t)start : PTX_NONE;
		if (named[i] && !symbols[i].size)
			dynamic_align = larger(dynamic_align, larger(symbols[i].align, PTX_DYNAMIC_ALIGN));
		if (named[i] && symbols[i].size)
			end = symbols[i].size > UINT32_MAX ? UINT64_MAX : start + symbols[i].size;
	}
	for (uint32_t i = 0; offset && i < r->ptx->nsymbols && end <= UINT32_MAX; i++)
		if (named[i] && !symbols[i].size)
			offset[i] = (uint32_t)round_up(end, dynamic_align);
	if (align)
		*align = dynamic_align;
	free(named);
	return end;
}

/* --- Barriers --- */

enum { BARRIERS = 16 };

static bool is_numbered_barrier(const struct ptx_inst *inst)
{
	switch (inst->opcode->op) {
	case PTX_OP_bar_sync:
	case PTX_OP_bar_arrive:
	case PTX_OP_bar_red:
	case PTX_OP_barrier_sync:
	case PTX_OP_barrier_arrive:
	case PTX_OP_barrier_red: return true;
	default: return false;
	}
}

static uint32_t barriers_of(const struct ptx_inst *inst)
{
	bool has_result = inst->opcode->op == PTX_OP_bar_red || inst->opcode->op == PTX_OP_barrier_red;
	const struct ptx_operand *number;

	if (!is_numbered_barrier(inst) || inst->noperands <= has_result)
		return 0;
	number = &inst->operands[has_result];
	return number->kind == PTX_OPERAND_INT && number->imm >= 0 && number->imm < BARRIERS ? (uint32_t)number->imm + 1
											     : BARRIERS;
}

uint32_t ptx_barriers(const struct ptx_reach *r)
{
	uint32_t most = 0;

	for (size_t n = 0; n < r->order.len; n++) {
		const struct ptx_function *f = &r->ptx->functions[r->order.data[n]];

		for (uint32_t i = 0; i < f->ninsts; i++)
			if (barriers_of(&f->insts[i]) > most)
				most = barriers_of(&f->insts[i]);
	}
	return most;
}

/* --- Frames --- */

uint64_t ptx_frame_bytes(const struct ptx_function *f)
{
	const struct ptx_symbol *symbols = f->module->symbols;
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < f->nvariables; i++) {
		const struct ptx_symbol *s = &symbols[f->variables[i]];

		if (s->space == PTX_SPACE_LOCAL)
			bytes = round_up(bytes, s->align) + s->size;
	}
	return round_up(bytes, 8);
}

/* The function that a call names, or PTX_NONE. */
static uint32_t callee_of(const struct ptx_module *m, const struct ptx_inst *inst)
{
	for (unsigned i = 0; i < inst->noperands; i++) {
		const struct ptx_operand *op = &inst->operands[i];

		if (op->kind == PTX_OPERAND_SYMBOL && m->symbols[op->id].kind == PTX_SYMBOL_FUNCTION)
			return m->symbols[op->id].callee;
	}
	return PTX_NONE;
}

enum visit { UNSEEN, OPEN, KNOWN };

struct depths {
	const struct ptx_module *ptx;
	uint8_t *state; /* by function: enum visit */
	uint64_t *bytes;
	bool bounded;
};

static uint64_t deepest(struct depths *d, uint32_t function)
{
	const struct ptx_function *f = &d->ptx->functions[function];
	uint64_t below = 0;

	if (d->state[function] == OPEN)
		d->bounded = false;
	if (d->state[function] != UNSEEN)
		return d->bytes[function];
	d->state[function] = OPEN;
	for (uint32_t i = 0; i < f->ninsts; i++) {
		uint64_t bytes;
		uint32_t callee;

		if (f->insts[i].opcode->op != PTX_OP_call)
			continue;
		callee = callee_of(d->ptx, &f->insts[i]);
		d->bounded &= callee != PTX_NONE;
		bytes = callee == PTX_NONE ? 0 : deepest(d, callee);
		below = bytes > below ? bytes : below;
	}
	d->state[function] = KNOWN;
	return d->bytes[function] = ptx_frame_bytes(f) + below;
}

uint64_t ptx_stack_bytes(const struct ptx_function *f, bool *bounded)
{
	struct depths d = {.ptx = f->module, .bounded = true};
	uint64_t bytes;

	d.state = xcalloc(d.ptx->nfunctions, sizeof *d.state);
	d.bytes = xcalloc(d.ptx->nfunctions, sizeof *d.bytes);
	bytes = deepest(&d, (uint32_t)(f - d.ptx->functions));
	*bounded = d.bounded;
	free(d.state);
	free(d.bytes);
	return bytes;
}
