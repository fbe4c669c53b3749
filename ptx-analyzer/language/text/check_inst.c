/* Operands against the row of their opcode: how many, what kind, which types; the rules of the PTX ISA's tables. */
#include "ptx-analyzer/language/text/parser.h"

#include "common/c_locale.h"

#include <stdarg.h>
#include <stdio.h>

struct check {
	struct parser *ps;
	const struct opcode *opcode;
	const struct ptx_inst *inst;
	unsigned index; /* operand at hand */
};

static void fail(const struct check *c, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));

static void fail(const struct check *c, const char *format, ...)
{
	char what[400];
	va_list args;

	va_start(args, format);
	c_vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	parser_fail(c->ps, c->ps->operand_at[c->index < MAX_ROLES ? c->index : MAX_ROLES - 1], "operand %u of '%s' %s",
		    c->index + 1, c->inst->opcode->text, what);
}

static bool is_int(unsigned kind)
{
	return kind == PTX_KIND_SIGNED || kind == PTX_KIND_UNSIGNED;
}

/* Whether a register of `type` has the bits and the kind that the rule wants. */
static bool fits(const struct operand_rule *rule, enum ptx_type type)
{
	unsigned bits = ptx_type_bits(type), kind = ptx_type_kind(type);
	bool same_size = bits == rule->bits;

	if (kind == PTX_KIND_PRED || kind == PTX_KIND_OPAQUE)
		return false;
	if (rule->check == CHECK_EXACT && !same_size)
		return false;
	if (bits < rule->bits)
		return false;
	if (rule->kind == PTX_KIND_FLOAT)
		return kind == PTX_KIND_BITS || (kind == PTX_KIND_FLOAT && same_size);
	if (is_int(rule->kind))
		return kind == PTX_KIND_BITS || is_int(kind);
	return true;
}

static void check_type(const struct check *c, const struct operand_rule *rule, enum ptx_type type)
{
	if (rule->check == CHECK_PREDICATE) {
		if (type != PTX_pred)
			fail(c, "is .%s, but a predicate is wanted", ptx_type_name(type));
	} else if (rule->check != CHECK_NOTHING && !fits(rule, type)) {
		fail(c, "is .%s, but %s%u bits of %s are wanted", ptx_type_name(type),
		     rule->check == CHECK_AT_LEAST ? "at least " : "", rule->bits,
		     rule->kind == PTX_KIND_FLOAT ? "floating-point"
		     : is_int(rule->kind)         ? "integer"
						  : "any kind");
	}
}

static bool is_written(const struct operand_rule *rule)
{
	return rule->role == 'd' || rule->role == 'x';
}

static void check_reg(const struct check *c, const struct operand_rule *rule, const struct ptx_operand *op)
{
	const struct ptx_reg *reg = &c->ps->regs.data[op->id];

	if (op->flags & PTX_FLAG_COMPONENT && (c->inst->opcode->op < PTX_OP_vadd || c->inst->opcode->op > PTX_OP_vset4))
		fail(c, "is a part of a register, which only video instructions take");
	if (op->flags & PTX_FLAG_NOT && reg->type != PTX_pred)
		fail(c, "has '!', which only a predicate may have");
	if (op->flags & PTX_FLAG_NOT && is_written(rule))
		fail(c, "is written, so it cannot have '!'");
	if (op->flags & PTX_FLAG_NEGATIVE && c->inst->opcode->op != PTX_OP_vmad)
		fail(c, "has '-', which only vmad allows on a register");
	check_type(c, rule, reg->type);
}

/* Rounds a literal of the wrong precision in place, and refuses a literal of the wrong kind. */
static void check_float(const struct check *c, const struct operand_rule *rule, struct ptx_operand *op)
{
	double d;
	float f;
	uint32_t bits;

	if (is_int(rule->kind) || rule->check == CHECK_PREDICATE)
		fail(c, "is a floating-point number, but an integer is wanted");
	if (rule->check == CHECK_NOTHING || rule->bits == (op->kind == PTX_OPERAND_F32 ? 32 : 64))
		return;
	if (rule->kind != PTX_KIND_FLOAT || rule->bits < 32)
		fail(c, "is a floating-point number of another size than %u bits", rule->bits);
	if (op->kind == PTX_OPERAND_F32)
		return;
	memcpy(&d, &op->imm, sizeof(d));
	f = (float)d;
	memcpy(&bits, &f, sizeof(bits));
	op->kind = PTX_OPERAND_F32;
	op->imm = bits;
}

static void check_int(const struct check *c, const struct operand_rule *rule)
{
	if (rule->kind == PTX_KIND_FLOAT && rule->check != CHECK_NOTHING)
		fail(c, "is an integer, but a floating-point number is wanted (as in 0f3F800000)");
}

static const uint8_t special_types[PTX_SREG_COUNT] = {
#define SREG(id, text, type) [PTX_SREG_##id] = PTX_##type,
#include "ptx-analyzer/language/table/ptx_sregs.def"
#undef SREG
};

/* Special registers are read by mov (and cvt) in their own size, or in half of 32 bits; WARP_SZ is a number. */
static void check_special(const struct check *c, const struct operand_rule *rule, const struct ptx_operand *op)
{
	enum ptx_op base = c->inst->opcode->op;
	unsigned bits = ptx_type_bits(special_types[op->id]);

	if (op->id == PTX_SREG_WARP_SZ)
		return;
	if (base != PTX_OP_mov && base != PTX_OP_cvt)
		fail(c, "is a special register, which only mov reads");
	if (op->id >= PTX_SREG_tid && op->id <= PTX_SREG_cluster_nctaid && c->inst->opcode->vec == 1)
		fail(c, "is a vector; name an element of it, as in %%tid.x");
	if (base == PTX_OP_mov && rule->bits != bits && (bits != 32 || rule->bits != 16))
		fail(c, "is a special register of %u bits, but %u are wanted", bits, rule->bits);
}

static void check_element(const struct check *c, const struct operand_rule *rule, struct ptx_operand *op)
{
	switch (op->kind) {
	case PTX_OPERAND_REG: check_reg(c, rule, op); break;
	case PTX_OPERAND_F32:
	case PTX_OPERAND_F64: check_float(c, rule, op); break;
	case PTX_OPERAND_INT: check_int(c, rule); break;
	case PTX_OPERAND_SREG: check_special(c, rule, op); break;
	case PTX_OPERAND_SINK:
		if (!is_written(rule))
			fail(c, "is '_', which is only for results that are not used");
		break;
	case PTX_OPERAND_SYMBOL: break;
	default: fail(c, "holds something that is neither a register nor a number");
	}
	if (is_written(rule) && op->kind != PTX_OPERAND_REG && op->kind != PTX_OPERAND_SINK)
		fail(c, "is written, so it must be a register");
}

/* {a, b} of mov.b64: the parts together have the size of the whole. */
static void check_packed(const struct check *c, const struct operand_rule *rule, const struct ptx_operand *op)
{
	unsigned bits = 0;

	for (unsigned i = 0; i < op->count; i++) {
		if (op->elems[i].kind != PTX_OPERAND_REG)
			return;
		bits += ptx_type_bits(c->ps->regs.data[op->elems[i].id].type);
	}
	if (bits != rule->bits)
		fail(c, "has %u bits in %u parts, but %u are wanted", bits, op->count, rule->bits);
}

static void check_vector(const struct check *c, const struct operand_rule *rule, struct ptx_operand *op)
{
	const struct ptx_opcode *pub = c->inst->opcode;
	struct operand_rule loose = *rule;

	if (pub->op == PTX_OP_mov && pub->vec == 1) {
		check_packed(c, rule, op);
		loose.check = CHECK_NOTHING;
		loose.kind = PTX_KIND_BITS;
	} else if (rule->check != CHECK_NOTHING && pub->vec != op->count && pub->op != PTX_OP_cvt) {
		fail(c, "has %u elements, but %u %s wanted", op->count, pub->vec, pub->vec == 1 ? "is" : "are");
	}
	for (unsigned i = 0; i < op->count; i++)
		check_element(c, &loose, &op->elems[i]);
}

/* The base of an address is a variable, a number, or a register of an address's size. */
static void check_address(const struct check *c, const struct ptx_operand *op)
{
	for (unsigned i = 0; i < op->count && op->kind == PTX_OPERAND_MEM; i++) {
		const struct ptx_operand *base = &op->elems[i];
		enum ptx_type type = base->kind == PTX_OPERAND_REG ? c->ps->regs.data[base->id].type : PTX_untyped;

		if (base->kind != PTX_OPERAND_REG && base->kind != PTX_OPERAND_SYMBOL && base->kind != PTX_OPERAND_INT)
			fail(c, "has no register, variable or number as its address");
		if (type != PTX_untyped &&
		    (ptx_type_kind(type) == PTX_KIND_FLOAT || ptx_type_kind(type) == PTX_KIND_PRED ||
		     (ptx_type_bits(type) != 32 && ptx_type_bits(type) != 64)))
			fail(c, "has an address in a register of type .%s; an address has 32 or 64 bits",
			     ptx_type_name(type));
	}
}

static bool is_address_role(uint8_t role)
{
	return role == 'l' || role == 'w' || role == 'a';
}

/* A name that is still unknown may be declared further down, as a label or as a list of targets. */
static void check_target(const struct check *c, const struct ptx_operand *op)
{
	const struct ptx_symbol *s = op->kind == PTX_OPERAND_SYMBOL ? &c->ps->symbols.data[op->id] : NULL;

	if (op->kind == PTX_OPERAND_LABEL)
		return;
	if (c->inst->opcode->op == PTX_OP_bra)
		fail(c, "is not a label");
	if (!s || s->kind != PTX_SYMBOL_TARGETS || !s->targets_are_labels)
		fail(c, "is not a list of .branchtargets");
}

static void check_operand(const struct check *c, const struct operand_rule *rule, struct ptx_operand *op)
{
	struct operand_rule predicate = {'d', CHECK_PREDICATE, PTX_KIND_PRED, 1};
	bool address = op->kind == PTX_OPERAND_MEM || op->kind == PTX_OPERAND_TEX;

	if (rule->check == CHECK_NUMBER && op->kind != PTX_OPERAND_INT)
		fail(c, "must be a number");
	if (c->index == 0 && c->opcode->pair == PAIR_MUST && op->kind != PTX_OPERAND_PAIR)
		fail(c, "must be a pair of a register and a predicate, d|p");

	if (rule->role == 'b') {
		check_target(c, op);
		return;
	}
	if (is_address_role(rule->role) && !address)
		fail(c, "must be an address in [ ]");
	if (address) {
		if (!is_address_role(rule->role) && rule->role != 'p' && rule->role != 'm' && rule->role != 'v')
			fail(c, "cannot be an address in [ ]");
		check_address(c, op);
		return;
	}
	switch (op->kind) {
	case PTX_OPERAND_LABEL:
		parser_fail(c->ps, (const char *)op->elems,
			    "'%.*s' is not declared: no register or variable has this name", (int)op->imm,
			    (const char *)op->elems);
	case PTX_OPERAND_PAIR:
		if (!is_written(rule))
			fail(c, "is a pair 'a|b', which only a result can be");
		if (c->opcode->pair == PAIR_NO)
			fail(c, "is a pair 'a|b', which this instruction does not have");
		if (op->elems[0].kind == PTX_OPERAND_VEC)
			check_vector(c, rule, &op->elems[0]);
		else
			check_element(c, rule, &op->elems[0]);
		check_element(c, &predicate, &op->elems[1]);
		break;
	case PTX_OPERAND_VEC: check_vector(c, rule, op); break;
	case PTX_OPERAND_LIST: fail(c, "is a list in ( ), which only a call has");
	default:
		if (c->inst->opcode->vec > 1 && rule->check == CHECK_AT_LEAST && op->kind != PTX_OPERAND_REG)
			fail(c, "must be a vector in { }");
		check_element(c, rule, op);
	}
}

/* LLVM writes 0 for the alignment that any stack has. */
static void check_alignment(const struct check *c, const struct ptx_operand *op)
{
	if (op->imm < 0 || op->imm & (op->imm - 1))
		fail(c, "is an alignment, so it must be a power of two");
}

static void check_count(const struct check *c, const char *at)
{
	const struct opcode *op = c->opcode;
	unsigned n = c->inst->noperands;

	if (opcode_takes(op, n))
		return;
	if (op->least == op->most)
		parser_fail(c->ps, at, "'%s' takes %u operand%s, not %u", op->pub.text, op->least,
			    op->least == 1 ? "" : "s", n);
	if (n < op->least)
		parser_fail(c->ps, at, "'%s' takes at least %u operand%s, not %u", op->pub.text, op->least,
			    op->least == 1 ? "" : "s", n);
	parser_fail(c->ps, at, "'%s' takes at most %u operands, not %u", op->pub.text, op->most, n);
}

/* --- Calls --- */

/* Checks an argument or result of a call against the callee's parameter or result. */
static void check_argument(const struct check *c, const struct ptx_operand *op, const struct ptx_symbol *formal,
			   const char *what, unsigned number)
{
	bool in_register = formal->space == PTX_SPACE_REG, is_result = what[0] == 'r';
	unsigned bits = in_register ? ptx_type_bits(formal->type) : (unsigned)formal->size * 8;
	struct operand_rule rule = {'s', CHECK_EXACT, in_register ? ptx_type_kind(formal->type) : PTX_KIND_BITS,
				    (uint16_t)bits};
	enum ptx_type type = op->kind == PTX_OPERAND_REG ? c->ps->regs.data[op->id].type : PTX_untyped;
	bool ok;

	switch (op->kind) {
	case PTX_OPERAND_SYMBOL: ok = c->ps->symbols.data[op->id].space == PTX_SPACE_PARAM && !op->imm; break;
	case PTX_OPERAND_REG:
		ok = !op->flags && (formal->type == PTX_pred ? type == PTX_pred
				    : bits < 32 && !in_register
					? type != PTX_pred && ptx_type_bits(type) >= bits && ptx_type_bits(type) <= 32
					: bits <= 128 && fits(&rule, type));
		break;
	case PTX_OPERAND_VEC: ok = in_register && formal->vec == op->count; break;
	case PTX_OPERAND_SINK: ok = is_result; break;
	case PTX_OPERAND_INT:
		ok = !is_result && rule.kind != PTX_KIND_FLOAT && rule.kind != PTX_KIND_PRED && bits <= 64;
		break;
	case PTX_OPERAND_F32:
	case PTX_OPERAND_F64: ok = !is_result && !is_int(rule.kind) && (bits == 32 || bits == 64); break;
	default: ok = op->kind == PTX_OPERAND_LABEL; break;
	}
	if (!ok)
		fail(c,
		     "has a %s %u that its declaration, %u bits%s%s, does not take: a .param variable, a register%s "
		     "of this type fits",
		     what, number, bits, formal->type == PTX_untyped ? "" : " of .",
		     formal->type == PTX_untyped ? "" : ptx_type_name(formal->type), is_result ? "" : " or a number");
}

static void check_arguments(const struct check *c, const struct ptx_operand *list, const uint32_t *formals,
			    uint32_t wanted, const char *what)
{
	unsigned n = list ? list->count : 0;

	if (n != wanted)
		fail(c, "is a function with %u %s%s, but there are %u here", wanted, what, wanted == 1 ? "" : "s", n);
	for (unsigned i = 0; i < n; i++)
		check_argument(c, &list->elems[i], &c->ps->symbols.data[formals[i]], what, i + 1);
}

static void check_direct_call(struct check *c, const struct ptx_operand *results, const struct ptx_operand *callee,
			      const struct ptx_operand *arguments)
{
	const struct ptx_symbol *s = &c->ps->symbols.data[callee->id];
	const struct ptx_function *f;

	if (s->kind != PTX_SYMBOL_FUNCTION)
		fail(c, "is '%s', which is not a function", s->name);
	f = &c->ps->functions.data[s->callee == PTX_NONE ? c->ps->function : s->callee];
	check_arguments(c, results, f->returns, f->nreturns, "result");
	check_arguments(c, arguments, f->params, f->nparams, "parameter");
}

static bool is_prototype(const struct parser *ps, const struct ptx_operand *op)
{
	const struct ptx_symbol *s = op->kind == PTX_OPERAND_SYMBOL ? &ps->symbols.data[op->id] : NULL;

	return op->kind == PTX_OPERAND_LABEL ||
	       (s && (s->kind == PTX_SYMBOL_PROTOTYPE || (s->kind == PTX_SYMBOL_TARGETS && !s->targets_are_labels)));
}

/* call (results), callee, (arguments), prototype: all but the callee may be absent. */
static void check_call(struct check *c, const char *at)
{
	const struct ptx_operand *ops = c->inst->operands, *results = NULL, *arguments = NULL;
	unsigned n = c->inst->noperands, i = 0;

	if (n && ops[0].kind == PTX_OPERAND_LIST)
		results = &ops[i++];
	if (i == n)
		parser_fail(c->ps, at, "this call has no function");
	c->index = i;
	if (i + 1 < n && ops[i + 1].kind == PTX_OPERAND_LIST)
		arguments = &ops[i + 1];
	if (ops[i].kind == PTX_OPERAND_SYMBOL)
		check_direct_call(c, results, &ops[i], arguments);
	else if (ops[i].kind == PTX_OPERAND_LABEL)
		parser_fail(c->ps, (const char *)ops[i].elems, "function '%.*s' is not declared", (int)ops[i].imm,
			    (const char *)ops[i].elems);
	else if (ops[i].kind != PTX_OPERAND_REG)
		fail(c, "is neither a function nor a register");
	i += arguments ? 2 : 1;
	if (n > i + 1 || (n == i + 1 && !is_prototype(c->ps, &ops[i])))
		parser_fail(c->ps, at, "a call reads 'call (results), function, (arguments), prototype'");
}

void check_instruction(struct parser *ps, const struct opcode *opcode, const struct ptx_inst *inst, const char *at)
{
	struct check c = {ps, opcode, inst, 0};

	if (opcode->pub.op == PTX_OP_call) {
		check_call(&c, at);
		return;
	}
	check_count(&c, at);
	if (opcode->pub.op == PTX_OP_alloca && inst->noperands > 2) {
		c.index = 2;
		if (inst->operands[2].kind == PTX_OPERAND_INT)
			check_alignment(&c, &inst->operands[2]);
		c.index = 0;
	}
	if (inst->noperands == opcode->nrules && !opcode->repeats) {
		for (; c.index < inst->noperands; c.index++)
			check_operand(&c, &opcode->rules[c.index], &inst->operands[c.index]);
		return;
	}
	for (; c.index < inst->noperands; c.index++)
		check_operand(&c, opcode_rule(opcode, c.index, inst->noperands), &inst->operands[c.index]);
}
