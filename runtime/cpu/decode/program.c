/*
 * Programs: a kernel with all functions that it may call, decoded once. This file works out all that depends on the
 * kernel: how deep local memory gets, and numbers for the trace. ptx-analyzer/flow/resources.h finds the functions, and
 * places shared variables.
 */
#include "runtime/cpu/decode/program.h"

#include "common/kernel_names.h"
#include "runtime/cpu/decode/decode.h"
#include "ptx-analyzer/flow/cfg.h"
#include "ptx-analyzer/flow/resources.h"
#include "runtime/cpu/engine/engine_op.h"

#include <stdlib.h>
#include <string.h>

/* --- Shared memory --- */

static int place_shared(struct program *p, const struct ptx_reach *r, struct diag *d)
{
	uint64_t bytes;

	p->shared_offset = arena_alloc(&p->arena, p->module->ptx->nsymbols * sizeof *p->shared_offset);
	bytes = ptx_shared_bytes(r, p->shared_offset, &p->dynamic_align);
	if (!p->dynamic_align)
		p->dynamic_align = PTX_DYNAMIC_ALIGN;
	if (bytes > MAX_SHARED_BYTES)
		return diag_set(d, p->module->ptx->file, p->kernel->line, 0,
				"kernel '%s' has more than the %d bytes of shared memory of a CTA",
				short_title(p->kernel->name).text, MAX_SHARED_BYTES);
	p->static_shared = (uint32_t)bytes;
	return 0;
}

/* --- Local memory --- */

static void add_local(struct program *p, struct code *code, uint32_t symbol)
{
	const struct ptx_symbol *s = &p->module->ptx->symbols[symbol];

	if (s->space == PTX_SPACE_REG)
		code->locals[code->nlocals++] =
		    (struct local_variable){symbol, code->register_offset[s->reg], ptx_type_bits(s->type) / 8,
					    (uint8_t)register_lane_bytes(s->type), s->vec};
	if (s->space != PTX_SPACE_LOCAL && s->space != PTX_SPACE_PARAM)
		return;
	code->local_bytes = aligned(code->local_bytes, s->align);
	code->locals[code->nlocals++] = (struct local_variable){symbol, code->local_bytes, (uint32_t)s->size, 0, 1};
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
		return diag_set(d, p->module->ptx->file, f->line, 0,
				"function '%s' has more than the %d bytes of local memory of a thread",
				short_title(f->name).text, MAX_LOCAL_BYTES);
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

/* Bytes of local memory on the deepest chain of calls from `code`, each once; sets `recursive` when it has no bound. */
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

		p->recursive |= code->insts[i].ptx && op_is(code->insts[i].ptx, OP_GROWS_FRAME);
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

	p->local_bytes = (uint32_t)(bytes > MAX_LOCAL_BYTES ? MAX_LOCAL_BYTES : bytes);
	free(state);
	free(known);
}

/* --- Programs --- */

/* True if the program may wait for what others write. Only then do branches backward look for loops that wait. */
static bool asks(const struct program *p)
{
	for (uint32_t c = 0; c < p->ncodes; c++)
		for (uint32_t i = 0; i < p->codes[c].function->ninsts; i++)
			if (inst_asks(&p->codes[c].function->insts[i]))
				return true;
	return false;
}

static int decode_all(struct program *p, const struct exec_set *set, struct diag *diag)
{
	for (uint32_t i = 0; i < p->ncodes; i++) {
		struct decode d = {.program = p, .module = p->module, .set = set, .code = &p->codes[i], .diag = diag};

		if (decode_function(&d) < 0)
			return DIAG_ERROR;
	}
	return 0;
}

static void add_codes(struct program *p, const struct ptx_reach *r)
{
	p->ncodes = (uint32_t)r->order.len;
	p->codes = arena_array(&p->arena, struct code, p->ncodes);
	for (uint32_t i = 0; i < p->ncodes; i++)
		p->codes[i] = (struct code){.function = &r->ptx->functions[r->order.data[i]], .program = p};
}

static int build(struct program *p, const struct exec_set *set, struct diag *d)
{
	struct ptx_reach r;
	int status = 0;

	ptx_reach(p->module->ptx, (uint32_t)(p->kernel - p->module->ptx->functions), &r);
	add_codes(p, &r);
	for (uint32_t i = 0; i < p->ncodes && status == 0; i++) {
		status = ptx_build_cfg((struct ptx_function *)(uintptr_t)p->codes[i].function, d);
		code_place_registers(&p->codes[i]);
		if (status == 0)
			status = place_locals(p, &p->codes[i], d);
	}
	if (status == 0)
		status = place_shared(p, &r, d);
	ptx_reach_release(&r);
	p->asks = asks(p);
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
	p->registers = ptx_registers(kernel);
	return p;
}

void program_free(struct program *p)
{
	for (uint32_t i = 0; i < p->ncodes; i++)
		for (struct call_frame *f = p->codes[i].frames; f;) {
			struct call_frame *next = f->next;

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
		for (struct call_frame *f = p->codes[i].frames; f; f = f->next)
			f->caller = f->next;
	}
}
