/*
 * The end of decoding an instruction: finds its exec row, and appends it to the code, under its predicate. Nothing here
 * depends on the form.
 */
#include "common/c_locale.h"
#include "ptx-analyzer/language/text/ptx_text.h"
#include "runtime/cpu/decode/decode.h"
#include "runtime/cpu/images/texture.h"

#include <stdarg.h>

void decode_fail(struct decode *d, const char *format, ...)
{
	struct strbuf text = STRBUF_INIT;
	char what[512];
	va_list args;

	if (d->failed)
		return;
	d->failed = true;
	va_start(args, format);
	c_vsnprintf(what, sizeof what, format, args);
	va_end(args);
	ptx_print_inst(d->function, d->inst, &text);
	diag_set(d->diag, d->module->ptx->file, d->inst->line, d->inst->column, "'%s' in '%s': %s",
		 text.data ? text.data : "", d->function->name, what);
	strbuf_release(&text);
}

void decode_unsupported(struct decode *d)
{
	decode_fail(d, "this instruction is not supported by the CPU device");
}

const struct exec_row *decode_find(struct decode *d, const struct exec_key *key)
{
	const struct exec_row *row = exec_find(d->set, key);

	if (!row)
		decode_unsupported(d);
	return row;
}

struct inst decode_no_operands(void)
{
	return (struct inst){
	    .d = OPERAND_NONE, .a = OPERAND_NONE, .b = OPERAND_NONE, .c = OPERAND_NONE, .e = OPERAND_NONE, .vec = 1};
}

struct inst *decode_emit(struct decode *d, const struct exec_row *row)
{
	struct inst in = decode_no_operands();

	in.exec = row->exec;
	in.variant = row->variant;
	in.flags = INST_REAL;
	in.ptx = d->inst;
	in.trace = d->program->ninsts;
	d->program->ninsts += bulk_rows(d->inst) ? bulk_rows(d->inst) : texture_parts(d->inst);
	d->block->count++;
	if (d->inst->predicate != PTX_NONE) {
		in.predicate = d->register_offset[d->inst->predicate];
		in.predicate_flip = d->inst->predicate_not ? ALL_LANES : 0;
	}
	vec_push(&d->insts, in);
	return &vec_last(&d->insts);
}

struct inst *decode_emit_extra(struct decode *d, const struct exec_key *key)
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
/* Appends the instruction as the row has it, under its predicate, and what widens its results. */
void decode_finish_row(struct decode *d, const struct exec_row *row, struct inst *in)
{
	struct inst *out;

	if (!row || d->failed)
		return;
	in->variant = in->variant ? in->variant : row->variant;
	out = decode_emit(d, row);
	in->exec = out->exec;
	in->predicate = out->predicate;
	in->predicate_flip = out->predicate_flip;
	in->ptx = out->ptx;
	in->trace = out->trace;
	in->flags |= out->flags;
	*out = *in;
	for (size_t i = 0; i < d->after.len; i++) {
		d->after.data[i].predicate = in->predicate;
		d->after.data[i].predicate_flip = in->predicate_flip;
		vec_push(&d->insts, d->after.data[i]);
	}
}

void decode_finish(struct decode *d, const struct exec_key *key, struct inst *in)
{
	decode_finish_row(d, decode_find(d, key), in);
}

/* --- Control instructions --- */

struct control *decode_new_control(struct decode *d)
{
	struct control *c = arena_new(&d->program->arena, struct control);

	c->self = d->block;
	c->rest = d->block + 1;
	c->join = d->block->join;
	return c;
}

void decode_finish_control(struct decode *d, const struct exec_key *key, struct inst *in)
{
	const struct ptx_inst *ptx = d->inst;

	if (ptx->predicate != PTX_NONE) {
		in->flags |= INST_PREDICATED | (ptx->predicate_not ? INST_PREDICATE_NOT : 0);
		in->e = d->register_offset[ptx->predicate];
	}
	decode_finish(d, key, in);
	if (!d->failed) {
		vec_last(&d->insts).predicate = 0;
		vec_last(&d->insts).predicate_flip = 0;
	}
}

void decode_block_end(struct decode *d)
{
	struct inst *in = decode_emit_extra(d, &(struct exec_key){.op = PTX_OP_bra, .type = {PTX_b8, PTX_untyped}});
	struct control *c = arena_new(&d->program->arena, struct control);

	c->self = d->block;
	c->rest = d->block + 1;
	in->control = c;
}
