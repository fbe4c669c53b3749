/*
 * Calls: arguments and results are bytes of the caller's and the callee's local memory, registers or numbers; a call
 * says which go where.
 */
#include "runtime/cpu/decode/decode.h"

#include "common/kernel_names.h"

/* call (results), callee, (arguments), prototype: all but the callee may be absent. */
struct call_operands {
	const struct ptx_operand *results, *callee, *arguments, *prototype;
};

static struct call_operands operands_of(const struct ptx_inst *inst)
{
	struct call_operands p = {NULL, NULL, NULL, NULL};

	for (unsigned i = 0; i < inst->noperands; i++) {
		const struct ptx_operand *op = &inst->operands[i];

		if (op->kind == PTX_OPERAND_LIST)
			*(p.callee ? &p.arguments : &p.results) = op;
		else
			*(p.callee ? &p.prototype : &p.callee) = op;
	}
	return p;
}

/*
 * Bits of the parameter or result that argument `i` belongs to. 0 if the call does not know it, as through a pointer.
 */
static unsigned formal_bits(const struct decode *d, const uint32_t *symbols, uint32_t count, uint32_t i)
{
	const struct ptx_symbol *s = i < count ? &d->module->ptx->symbols[symbols[i]] : NULL;

	return !s ? 0 : s->space == PTX_SPACE_REG ? ptx_type_bits(s->type) : (unsigned)s->size * 8;
}

/* The register of an operand, or the first one of a vector of registers, and how many there are. */
static uint32_t first_register(const struct ptx_operand *op, uint8_t *parts)
{
	*parts = op->kind == PTX_OPERAND_VEC ? (uint8_t)op->count : 1;
	return op->kind == PTX_OPERAND_VEC ? op->elems[0].id : op->id;
}

/* An argument that is a register, a vector of them, or a number. */
static void value_argument(struct decode *d, const struct ptx_operand *op, unsigned bits, struct call_copy *copy)
{
	if (op->kind == PTX_OPERAND_REG || op->kind == PTX_OPERAND_VEC) {
		uint32_t reg = first_register(op, &copy->parts);
		enum ptx_type type = d->function->regs[reg].type;

		copy->from = d->register_offset[reg];
		copy->from_lane = (uint8_t)register_lane_bytes(type);
		copy->bytes = ptx_type_bits(type) / 8;
		return;
	}
	bits = bits > 32 || bits == 0 ? 64 : 32;
	copy->from = operand_source(d, op, bits);
	copy->from_lane = (uint8_t)(bits / 8);
	copy->bytes = bits / 8;
}

/* A result that goes to a register or a vector of them, or nowhere. */
static void value_result(struct decode *d, const struct ptx_operand *op, struct call_copy *copy)
{
	uint32_t reg;

	if (op->kind == PTX_OPERAND_SINK)
		return;
	reg = first_register(op, &copy->parts);
	copy->to = d->register_offset[reg];
	copy->to_lane = (uint8_t)register_lane_bytes(d->function->regs[reg].type);
	copy->bytes = ptx_type_bits(d->function->regs[reg].type) / 8;
}

/* A vector in a call must be a whole vector: its registers have consecutive numbers. */
static bool is_whole_vector(const struct ptx_operand *op)
{
	for (unsigned i = 0; i < op->count; i++)
		if (op->elems[i].kind != PTX_OPERAND_REG || op->elems[i].id != op->elems[0].id + i)
			return false;
	return op->count != 0;
}

static bool is_value(const struct ptx_operand *op, bool results)
{
	switch (op->kind) {
	case PTX_OPERAND_REG: return true;
	case PTX_OPERAND_VEC: return is_whole_vector(op);
	case PTX_OPERAND_SINK: return results;
	case PTX_OPERAND_INT:
	case PTX_OPERAND_F32:
	case PTX_OPERAND_F64: return !results;
	default: return false;
	}
}

/* The parameters or results of the called function, if the call knows them. */
struct formals {
	const uint32_t *symbols;
	uint32_t count;
};

/* The caller's side of each argument or result. */
static struct call_copy *list_copies(struct decode *d, const struct ptx_operand *list, bool results,
				     struct formals formals, uint32_t *count)
{
	uint32_t n = list ? list->count : 0;
	struct call_copy *copies = arena_array(&d->program->arena, struct call_copy, n ? n : 1);

	*count = n;
	for (uint32_t i = 0; i < n && !d->failed; i++) {
		const struct ptx_operand *op = &list->elems[i];
		const struct local_variable *v = op->kind == PTX_OPERAND_SYMBOL ? code_local(d->code, op->id) : NULL;

		copies[i].parts = 1;
		if (v) {
			copies[i].bytes = v->bytes;
			*(results ? &copies[i].to : &copies[i].from) = v->offset;
		} else if (!is_value(op, results)) {
			decode_fail(d, "arguments and results of calls are .param variables, registers or numbers");
		} else if (results) {
			value_result(d, op, &copies[i]);
		} else {
			value_argument(d, op, formal_bits(d, formals.symbols, formals.count, i), &copies[i]);
		}
	}
	return copies;
}

/* The callee's side. */
static void match_formals(struct decode *d, const struct code *callee, struct call_copy *copies, uint32_t count,
			  struct formals formals, bool results)
{
	if (count != formals.count) {
		decode_fail(d, "function '%s' has %u %s, the call %u", short_title(callee->function->name).text,
			    formals.count, results ? "results" : "parameters", count);
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct local_variable *v = code_local(callee, formals.symbols[i]);

		if (!v || !call_copy_fits(&copies[i], v, !results)) {
			decode_fail(d, "function '%s' is called with other %s than it has",
				    short_title(callee->function->name).text, results ? "results" : "parameters");
			return;
		}
		copies[i].bytes = copies[i].bytes < v->bytes ? copies[i].bytes : v->bytes;
		call_copy_formal(&copies[i], v, !results);
	}
}

/* A function that the device provides: the list has the offsets of the arguments, then of the results. */
static void call_intrinsic(struct decode *d, const struct ptx_function *f, const struct call_site *site)
{
	const struct exec_row row = {.op = PTX_OP_call, .exec = intrinsic_find(f->name)};
	uint32_t *list = arena_array(&d->program->arena, uint32_t, site->nparams + site->nreturns + 1);
	struct inst *in;

	if (!row.exec) {
		decode_fail(d, "function '%s' is called but has no body, and the CPU device does not provide it",
			    short_title(f->name).text);
		return;
	}
	for (uint32_t i = 0; i < site->nparams; i++)
		if (site->params[i].from_lane) {
			decode_fail(d, "arguments of the device's own functions are .param variables");
			return;
		}
	for (uint32_t i = 0; i < site->nreturns; i++)
		if (site->returns[i].to_lane || !site->returns[i].bytes) {
			decode_fail(d, "results of the device's own functions are .param variables");
			return;
		}
	if (site->nparams != f->nparams || site->nreturns != f->nreturns) {
		decode_fail(d, "function '%s' is not declared with these parameters", short_title(f->name).text);
		return;
	}
	for (uint32_t i = 0; i < site->nparams; i++)
		list[i] = site->params[i].from;
	for (uint32_t i = 0; i < site->nreturns; i++)
		list[site->nparams + i] = site->returns[i].to;
	in = decode_emit(d, &row);
	in->list = list;
	in->vec = (uint8_t)site->nparams;
	decode_block_end(d);
}

static struct code *code_of(const struct decode *d, uint32_t function)
{
	const struct ptx_function *f = &d->module->ptx->functions[function];

	for (uint32_t i = 0; i < d->program->ncodes; i++)
		if (d->program->codes[i].function == f)
			return &d->program->codes[i];
	return NULL;
}

/*
 * The parameters and results of the called function, from its declaration or from the prototype of a call through a
 * pointer.
 */
static void declared_formals(const struct decode *d, const struct call_operands *parts, struct formals *params,
			     struct formals *returns)
{
	const struct ptx_symbol *symbols = d->module->ptx->symbols, *s;

	*params = *returns = (struct formals){NULL, 0};
	if (parts->callee->kind == PTX_OPERAND_SYMBOL) {
		const struct ptx_function *f = &d->module->ptx->functions[symbols[parts->callee->id].callee];

		*params = (struct formals){f->params, f->nparams};
		*returns = (struct formals){f->returns, f->nreturns};
	} else if (parts->prototype && parts->prototype->kind == PTX_OPERAND_SYMBOL) {
		s = &symbols[parts->prototype->id];
		if (s->prototype) {
			*params = (struct formals){s->prototype->params, s->prototype->nparams};
			*returns = (struct formals){s->prototype->returns, s->prototype->nreturns};
		}
	}
}

void decode_call(struct decode *d)
{
	const struct call_operands parts = operands_of(d->inst);
	struct call_site *site = arena_new(&d->program->arena, struct call_site);
	struct exec_key key = {.op = PTX_OP_call};
	struct control *c = arena_new(&d->program->arena, struct control);
	struct inst in = decode_no_operands();
	struct formals params, returns;

	declared_formals(d, &parts, &params, &returns);
	*c = (struct control){.self = d->block, .rest = d->block + 1, .site = site};
	site->back = c->rest;
	site->params = list_copies(d, parts.arguments, false, params, &site->nparams);
	site->returns = list_copies(d, parts.results, true, returns, &site->nreturns);
	if (d->failed)
		return;
	in.control = c;
	if (parts.callee->kind == PTX_OPERAND_SYMBOL) {
		const struct ptx_symbol *s = &d->module->ptx->symbols[parts.callee->id];
		const struct ptx_function *f = &d->module->ptx->functions[s->callee];

		site->callee = code_of(d, s->callee);
		if (f->is_declaration || !site->callee) {
			call_intrinsic(d, f, site);
			return;
		}
		match_formals(d, site->callee, site->params, site->nparams, params, false);
		match_formals(d, site->callee, site->returns, site->nreturns, returns, true);
	} else {
		in.a = operand_source(d, parts.callee, 64);
		key.type[0] = PTX_b64;
	}
	decode_finish_control(d, &key, &in);
}
