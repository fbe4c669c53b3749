/* A random kernel as PTX, in the spellings that compilers choose between. */
#include "tests/ptx-analyzer/ranges/random_program.h"

#include <stdio.h>

struct printer {
	struct strbuf body;
	unsigned predicates, labels;
	const char *breaks, *continues;
};

static const char *const op_names[NUMBER_OPS] = {
    [OP_ADD] = "add", [OP_SUB] = "sub",  [OP_MUL] = "mul.lo", [OP_MULHI] = "mul.hi", [OP_DIV] = "div",
    [OP_REM] = "rem", [OP_MIN] = "min",  [OP_MAX] = "max",    [OP_AND] = "and",      [OP_OR] = "or",
    [OP_XOR] = "xor", [OP_SHL] = "shl",  [OP_SHR] = "shr",    [OP_NEG] = "neg",      [OP_NOT] = "not",
    [OP_ABS] = "abs", [OP_MOVE] = "mov", [OP_MAD] = "mad.lo",
};

static void operand(struct strbuf *s, struct value v, bool wide)
{
	if (v.constant)
		strbuf_addf(s, "%lld", (long long)(wide ? (int64_t)v.number : (int32_t)v.number));
	else
		strbuf_addf(s, "%%%s%u", wide ? "rd" : "r", v.reg);
}

static bool has_bits_only(enum number_op op)
{
	return op == OP_AND || op == OP_OR || op == OP_XOR || op == OP_SHL || op == OP_NOT || op == OP_MOVE;
}

static const char *type(bool bits, bool by_sign, bool wide)
{
	if (bits)
		return wide ? "b64" : "b32";
	return by_sign ? wide ? "s64" : "s32" : wide ? "u64" : "u32";
}

/* --- Conditions --- */

static void compare(struct printer *p, const struct comparison *c, unsigned to)
{
	static const char *const names[] = {"eq", "ne", "lt", "le", "gt", "ge"};
	struct strbuf *s = &p->body;

	strbuf_addf(s, "\tsetp.%s.%s %%p%u, ", names[c->how], type(false, c->by_sign, c->wide), to);
	operand(s, c->a, c->wide);
	strbuf_adds(s, ", ");
	operand(s, c->b, c->wide);
	strbuf_adds(s, ";\n");
}

/* The predicate that holds if all, or any, of the comparisons do; that is negated is left to who uses it. */
static unsigned predicate(struct printer *p, const struct condition *c)
{
	unsigned all = p->predicates++;

	compare(p, &c->all[0], all);
	for (unsigned i = 1; i < c->count; i++) {
		unsigned next = p->predicates++, both = p->predicates++;

		compare(p, &c->all[i], next);
		strbuf_addf(&p->body, "\t%s.pred %%p%u, %%p%u, %%p%u;\n", c->any ? "or" : "and", both, all, next);
		all = both;
	}
	return all;
}

static void jump_unless(struct printer *p, const struct condition *c, const char *to)
{
	unsigned at = predicate(p, c);

	strbuf_addf(&p->body, "\t@%s%%p%u bra %s;\n", c->negated ? "" : "!", at, to);
}

static void jump_if(struct printer *p, const struct condition *c, const char *to)
{
	unsigned at = predicate(p, c);

	strbuf_addf(&p->body, "\t@%s%%p%u bra %s;\n", c->negated ? "!" : "", at, to);
}

static void label(struct printer *p, char name[16])
{
	snprintf(name, 16, "L%u", p->labels++);
}

/* --- Instructions --- */

static void number(struct printer *p, const struct statement *s)
{
	struct strbuf *o = &p->body;
	const char *reg = s->wide ? "rd" : "r";

	if (s->op == OP_FIELD || s->op == OP_BITS || s->op == OP_TID) {
		strbuf_adds(o, s->op == OP_FIELD ? "bfe.u32 " : s->op == OP_BITS ? "popc.b32 " : "mov.u32 ");
		strbuf_addf(o, "%%r%u, ", s->to);
		if (s->op == OP_TID)
			strbuf_adds(o, "%tid.x");
		else
			operand(o, s->a, false);
		if (s->op == OP_FIELD)
			strbuf_addf(o, ", %u, %u", s->bits, s->bytes);
		strbuf_adds(o, ";\n");
		return;
	}
	strbuf_addf(o, "%s.%s %%%s%u, ", op_names[s->op], type(has_bits_only(s->op), s->by_sign, s->wide), reg, s->to);
	operand(o, s->a, s->wide);
	if (s->op != OP_NEG && s->op != OP_NOT && s->op != OP_ABS && s->op != OP_MOVE) {
		strbuf_adds(o, ", ");
		operand(o, s->b, s->wide && s->op != OP_SHL && s->op != OP_SHR);
	}
	if (s->op == OP_MAD) {
		strbuf_adds(o, ", ");
		operand(o, s->c, s->wide);
	}
	strbuf_adds(o, ";\n");
}

static void conversion(struct printer *p, const struct statement *s)
{
	struct strbuf *o = &p->body;

	switch (s->kind) {
	case S_WIDEN:
	case S_NARROW:
		if (s->a.constant) {
			strbuf_addf(o, "mov.b%u %%%s%u, %lld;\n", s->kind == S_WIDEN ? 64 : 32,
				    s->kind == S_WIDEN ? "rd" : "r", s->to,
				    s->by_sign || s->kind == S_NARROW ? (long long)(int32_t)s->a.number
								      : (long long)(uint32_t)s->a.number);
			return;
		}
		strbuf_addf(o, "cvt.%s %%%s%u, ",
			    s->kind == S_NARROW ? "u32.u64"
			    : s->bits == 8      ? (s->by_sign ? "s64.s32" : "u64.u32")
						: (s->by_sign ? "u64.s32" : "s64.u32"),
			    s->kind == S_WIDEN ? "rd" : "r", s->to);
		operand(o, s->a, s->kind == S_NARROW);
		break;
	case S_CAST:
		strbuf_addf(o, "cvt.%c32.%c%u %%r%u, ", s->by_sign ? 's' : 'u', s->by_sign ? 's' : 'u', s->bits, s->to);
		operand(o, s->a, false);
		break;
	default:
		strbuf_addf(o, "mul.wide.%s %%rd%u, ", s->by_sign ? "s32" : "u32", s->to);
		operand(o, s->a, false);
		strbuf_adds(o, ", ");
		operand(o, s->b, false);
		break;
	}
	strbuf_adds(o, ";\n");
}

static void access(struct printer *p, const struct statement *s)
{
	static const char *const value[] = {[1] = "%rs0", [2] = "%rs0", [4] = "%r16", [8] = "%rd12"};
	struct strbuf *o = &p->body;

	if (s->store)
		strbuf_addf(o, "st.global.b%u [%%rd%u+%lld], %s;\n", s->bytes * 8, s->a.reg, (long long)s->offset,
			    value[s->bytes]);
	else
		strbuf_addf(o, "ld.global.b%u %s, [%%rd%u+%lld];\n", s->bytes * 8, value[s->bytes], s->a.reg,
			    (long long)s->offset);
}

static void choice(struct printer *p, const struct statement *s)
{
	unsigned at = predicate(p, &s->condition);
	struct value yes = s->condition.negated ? s->b : s->a, no = s->condition.negated ? s->a : s->b;

	strbuf_addf(&p->body, "\tselp.b%u %%%s%u, ", s->wide ? 64 : 32, s->wide ? "rd" : "r", s->to);
	operand(&p->body, yes, s->wide);
	strbuf_adds(&p->body, ", ");
	operand(&p->body, no, s->wide);
	strbuf_addf(&p->body, ", %%p%u;\n", at);
}

static void instruction(struct printer *p, const struct statement *s)
{
	strbuf_adds(&p->body, "\t");
	if (s->guarded)
		strbuf_addf(&p->body, "@%s%%p%u ", s->condition.negated ? "!" : "", p->predicates - 1);
	switch (s->kind) {
	case S_NUMBER: number(p, s); break;
	case S_LOADED:
		strbuf_addf(&p->body, "ld.volatile.global.b%u %%%s%u, [%%rd0];\n", s->wide ? 64 : 32,
			    s->wide ? "rd" : "r", s->to);
		break;
	case S_FOUND:
		strbuf_addf(&p->body, "ld.global.nc.%c%u %%%s%u, [%%rd13];\n", s->by_sign ? 's' : 'u', s->bytes * 8,
			    s->wide ? "rd" : "r", s->to);
		break;
	case S_ACCESS: access(p, s); break;
	default: conversion(p, s); break;
	}
}

/* --- Control --- */

static void print_block(struct printer *p, const block *b);

static void branch(struct printer *p, const struct statement *s)
{
	char other[16], end[16];

	label(p, other);
	label(p, end);
	jump_unless(p, &s->condition, other);
	print_block(p, &s->body);
	if (s->other.len)
		strbuf_addf(&p->body, "\tbra %s;\n", end);
	strbuf_addf(&p->body, "%s:\n", other);
	print_block(p, &s->other);
	strbuf_addf(&p->body, "%s:\n", end);
}

static void loop(struct printer *p, const struct statement *s)
{
	const char *breaks = p->breaks, *continues = p->continues;
	char head[16], next[16], end[16];

	label(p, head);
	label(p, next);
	label(p, end);
	p->breaks = end;
	p->continues = s->restarts ? head : next;
	if (s->tests_first)
		jump_unless(p, &s->condition, end);
	strbuf_addf(&p->body, "%s:\n", head);
	print_block(p, &s->body);
	strbuf_addf(&p->body, "%s:\n", next);
	print_block(p, &s->other);
	jump_if(p, &s->condition, head);
	strbuf_addf(&p->body, "%s:\n", end);
	p->breaks = breaks;
	p->continues = continues;
}

static void leave(struct printer *p, const struct statement *s)
{
	if (s->leave == LEAVE_RETURN) {
		unsigned at = predicate(p, &s->condition);

		strbuf_addf(&p->body, "\t@%s%%p%u ret;\n", s->condition.negated ? "!" : "", at);
		return;
	}
	jump_if(p, &s->condition, s->leave == LEAVE_BREAK ? p->breaks : p->continues);
}

/* %rd13, as compilers write it. */
static void table_address(struct printer *p, const struct statement *s)
{
	strbuf_adds(&p->body, "\tmul.wide.u32 %rd13, ");
	operand(&p->body, s->a, false);
	strbuf_addf(&p->body, ", %u;\n\tadd.s64 %%rd13, %%rd%u, %%rd13;\n", s->bytes, D_TABLE);
}

static void statement(struct printer *p, const struct statement *s)
{
	switch (s->kind) {
	case S_IF: branch(p, s); break;
	case S_LOOP: loop(p, s); break;
	case S_LEAVE: leave(p, s); break;
	case S_CHOOSE: choice(p, s); break;
	default:
		if (s->kind == S_FOUND)
			table_address(p, s);
		if (s->guarded)
			predicate(p, &s->condition);
		instruction(p, s);
		break;
	}
}

static void print_block(struct printer *p, const block *b)
{
	for (size_t i = 0; i < b->len; i++)
		statement(p, b->data[i]);
}

/* --- The module --- */

static void prologue(struct strbuf *s)
{
	strbuf_addf(s, "\tmov.u32 %%r%u, %%tid.x;\n\tmov.u32 %%r%u, %%ctaid.x;\n\tmov.u32 %%r%u, %%ntid.x;\n", R_TID,
		    R_CTAID, R_NTID);
	strbuf_addf(s, "\tmad.lo.s32 %%r%u, %%r%u, %%r%u, %%r%u;\n", R_INDEX, R_CTAID, R_NTID, R_TID);
	for (unsigned i = 0; i < PARAMS; i++)
		strbuf_addf(s, "\tld.param.u32 %%r%u, [n%u];\n", R_PARAM + i, i);
	for (unsigned i = 0; i < BASES; i++)
		strbuf_addf(s, "\tld.param.u64 %%rd%u, [b%u];\n", D_BASE + i, i);
	strbuf_addf(s, "\tld.param.u64 %%rd%u, [w];\n\tld.param.u64 %%rd%u, [t];\n", D_WIDE, D_TABLE);
	for (unsigned i = R_FREE; i < NARROWS; i++)
		strbuf_addf(s, "\tmov.u32 %%r%u, %%r%u;\n", i, i % R_FREE);
	for (unsigned i = D_FREE; i < WIDES; i++)
		strbuf_addf(s, "\tmov.u64 %%rd%u, %%rd%u;\n", i, i % D_FREE);
}

void program_text(const struct program *program, struct strbuf *text)
{
	struct printer p = {.body = STRBUF_INIT};

	prologue(&p.body);
	print_block(&p, &program->body);
	strbuf_adds(text, ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(");
	for (unsigned i = 0; i < BASES; i++)
		strbuf_addf(text, ".param .u64 b%u, ", i);
	strbuf_adds(text, ".param .u64 w, .param .u64 t");
	for (unsigned i = 0; i < PARAMS; i++)
		strbuf_addf(text, ", .param .u32 n%u", i);
	strbuf_addf(text,
		    ")\n{\n\t.reg .pred %%p<%u>;\n\t.reg .b16 %%rs<1>;\n\t.reg .b32 %%r<%u>;\n\t.reg .b64 %%rd<%u>;\n",
		    p.predicates + 1, NARROWS + 1, D_TABLE + 1);
	strbuf_adds(text, p.body.data);
	strbuf_adds(text, "\tret;\n}\n");
	strbuf_release(&p.body);
}
