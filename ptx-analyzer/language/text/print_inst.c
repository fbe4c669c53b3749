/* One instruction as text. */
#include "ptx-analyzer/language/text/print.h"
#include "ptx-analyzer/language/text/ptx_text.h"

static void print_operand(struct strbuf *out, const struct ptx_function *f, const struct ptx_operand *op);

static void print_reg(struct strbuf *out, const struct ptx_function *f, uint32_t id)
{
	const struct ptx_reg *r = &f->regs[id];
	const struct ptx_reg_decl *d = &f->reg_decls[r->decl];

	out_text(out, d->name);
	if (d->count)
		out_unsigned(out, r->index);
}

static void print_component(struct strbuf *out, const struct ptx_function *f, uint32_t id)
{
	const struct ptx_reg_decl *d = &f->reg_decls[f->regs[id].decl];

	print_reg(out, f, id);
	if (d->vec > 1) {
		out_char(out, '.');
		out_char(out, "xyzw"[(id - d->first) % d->vec]);
	}
}

/* Whether the elements are a whole vector of registers, which has a name. */
static bool is_vector(const struct ptx_function *f, const struct ptx_operand *op)
{
	const struct ptx_operand *first = op->elems;
	const struct ptx_reg_decl *d;

	if (!op->count || first->kind != PTX_OPERAND_REG)
		return false;
	d = &f->reg_decls[f->regs[first->id].decl];
	if (d->vec < 2 || d->vec != op->count || (first->id - d->first) % d->vec)
		return false;
	for (unsigned i = 0; i < op->count; i++)
		if (op->elems[i].kind != PTX_OPERAND_REG || op->elems[i].id != first->id + i)
			return false;
	return true;
}

static void print_signed(struct strbuf *out, int64_t value)
{
	if (value < 0)
		out_char(out, '-');
	out_unsigned(out, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

static void print_offset(struct strbuf *out, int64_t offset)
{
	if (!offset)
		return;
	out_char(out, '+');
	print_signed(out, offset);
}

static void print_hex(struct strbuf *out, const char *prefix, uint64_t bits, unsigned digits)
{
	char *p;

	out_text(out, prefix);
	p = out_room(out, digits);
	for (unsigned i = 0; i < digits; i++)
		p[i] = "0123456789ABCDEF"[bits >> 4 * (digits - 1 - i) & 15];
	out->len += digits;
}

/* `imm` is the offset of the first element, for [tex+4, ...]. */
static void print_elements(struct strbuf *out, const struct ptx_function *f, const struct ptx_operand *op, char open,
			   char close)
{
	out_char(out, open);
	for (unsigned i = 0; i < op->count; i++) {
		if (i)
			out_bytes(out, ", ", 2);
		print_operand(out, f, &op->elems[i]);
		if (i == 0)
			print_offset(out, op->imm);
	}
	out_char(out, close);
}

static void print_memory(struct strbuf *out, const struct ptx_function *f, const struct ptx_operand *op)
{
	out_char(out, '[');
	print_operand(out, f, &op->elems[0]);
	if (op->count > 1) {
		out_char(out, '+');
		print_operand(out, f, &op->elems[1]);
	}
	print_offset(out, op->imm);
	out_char(out, ']');
}

static void print_operand(struct strbuf *out, const struct ptx_function *f, const struct ptx_operand *op)
{
	switch ((enum ptx_operand_kind)op->kind) {
	case PTX_OPERAND_REG:
		if (op->flags & PTX_FLAG_NOT)
			out_char(out, '!');
		if (op->flags & PTX_FLAG_NEGATIVE)
			out_char(out, '-');
		print_component(out, f, op->id);
		if (op->flags & PTX_FLAG_COMPONENT) {
			out_char(out, '.');
			out_text(out, (const char *)op->elems);
		}
		break;
	case PTX_OPERAND_SREG: out_text(out, ptx_sreg_name(op->id)); break;
	case PTX_OPERAND_INT: print_signed(out, op->imm); break;
	case PTX_OPERAND_F32: print_hex(out, "0f", (uint64_t)op->imm, 8); break;
	case PTX_OPERAND_F64: print_hex(out, "0d", (uint64_t)op->imm, 16); break;
	case PTX_OPERAND_SYMBOL:
		out_text(out, f->module->symbols[op->id].name);
		print_offset(out, op->imm);
		break;
	case PTX_OPERAND_LABEL: out_text(out, f->label_names[op->id]); break;
	case PTX_OPERAND_MEM: print_memory(out, f, op); break;
	case PTX_OPERAND_VEC:
		if (is_vector(f, op))
			print_reg(out, f, op->elems[0].id);
		else
			print_elements(out, f, op, '{', '}');
		break;
	case PTX_OPERAND_TEX: print_elements(out, f, op, '[', ']'); break;
	case PTX_OPERAND_LIST: print_elements(out, f, op, '(', ')'); break;
	case PTX_OPERAND_PAIR:
		print_operand(out, f, &op->elems[0]);
		out_char(out, '|');
		print_operand(out, f, &op->elems[1]);
		break;
	case PTX_OPERAND_SINK: out_char(out, '_'); break;
	case PTX_OPERAND_NONE: break;
	}
}

void print_inst(struct strbuf *out, const struct ptx_function *f, const struct ptx_inst *inst)
{
	const struct opcode *opcode = (const struct opcode *)inst->opcode;

	if (inst->predicate != PTX_NONE) {
		out_bytes(out, "@!", inst->predicate_not ? 2 : 1);
		print_reg(out, f, inst->predicate);
		out_char(out, ' ');
	}
	out_bytes(out, opcode->pub.text, opcode->length);
	for (unsigned i = 0; i < inst->noperands; i++) {
		out_bytes(out, i ? ", " : " ", i ? 2 : 1);
		print_operand(out, f, &inst->operands[i]);
	}
	out_char(out, ';');
}

void ptx_print_inst(const struct ptx_function *f, const struct ptx_inst *inst, struct strbuf *out)
{
	print_inst(out, f, inst);
	*out_room(out, 1) = '\0';
}
