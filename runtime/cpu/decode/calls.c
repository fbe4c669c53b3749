/* Calls: arguments and results are bytes of the caller's and the callee's local memory; a call says which go where. */
#include "runtime/cpu/decode/decode.h"

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

/* The caller's side of each argument or result. */
static struct call_copy *list_copies(struct decode *d, const struct ptx_operand *list, bool results, uint32_t *count)
{
	uint32_t n = list ? list->count : 0;
	struct call_copy *copies = arena_array(&d->program->arena, struct call_copy, n ? n : 1);

	*count = n;
	for (uint32_t i = 0; i < n; i++) {
		const struct ptx_operand *op = &list->elems[i];
		const struct local_variable *v = op->kind == PTX_OPERAND_SYMBOL ? code_local(d->code, op->id) : NULL;

		if (!v) {
			decode_fail(d, "arguments and results of calls are .param variables");
			return copies;
		}
		copies[i].bytes = v->bytes;
		*(results ? &copies[i].to : &copies[i].from) = v->offset;
	}
	return copies;
}

/* The callee's side. */
static void match_formals(struct decode *d, const struct code *callee, struct call_copy *copies, uint32_t count,
			  const uint32_t *symbols, uint32_t nsymbols, bool results)
{
	if (count != nsymbols) {
		decode_fail(d, "function '%s' has %u %s, the call %u", callee->function->name, nsymbols,
			    results ? "results" : "parameters", count);
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct local_variable *v = code_local(callee, symbols[i]);

		if (!v) {
			decode_fail(d, "parameters in registers are not supported by the CPU device");
			return;
		}
		copies[i].bytes = copies[i].bytes < v->bytes ? copies[i].bytes : v->bytes;
		*(results ? &copies[i].from : &copies[i].to) = v->offset;
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
			    f->name);
		return;
	}
	if (site->nparams != f->nparams || site->nreturns != f->nreturns) {
		decode_fail(d, "function '%s' is not declared with these parameters", f->name);
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

void decode_call(struct decode *d)
{
	const struct call_operands parts = operands_of(d->inst);
	struct call_site *site = arena_new(&d->program->arena, struct call_site);
	struct exec_key key = {.op = PTX_OP_call};
	struct control *c = arena_new(&d->program->arena, struct control);
	struct inst in = decode_no_operands();

	*c = (struct control){.self = d->block, .rest = d->block + 1, .site = site};
	site->back = c->rest;
	site->params = list_copies(d, parts.arguments, false, &site->nparams);
	site->returns = list_copies(d, parts.results, true, &site->nreturns);
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
		match_formals(d, site->callee, site->params, site->nparams, f->params, f->nparams, false);
		match_formals(d, site->callee, site->returns, site->nreturns, f->returns, f->nreturns, true);
	} else {
		in.a = operand_source(d, parts.callee, 64);
		key.type[0] = PTX_b64;
	}
	decode_finish_control(d, &key, &in);
}
