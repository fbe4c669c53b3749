/* One instruction: its spelling and its operands, which grow on a stack and move to the arena when complete. */
#include "ptx-analyzer/language/text/fragment.h"
#include "ptx-analyzer/language/text/parser.h"

#include <inttypes.h>

enum { DEEPEST_OPERAND = 3 };

static struct ptx_operand parse_operand(struct parser *ps, int depth);

/* --- Names --- */

static struct ptx_operand reg_operand(uint32_t id)
{
	return (struct ptx_operand){.kind = PTX_OPERAND_REG, .id = id};
}

/* The number that digits [from, len) spell as a register of a range: %r<10> has %r7, but no %r07. */
static bool register_number(struct text t, uint32_t from, uint32_t *number)
{
	uint32_t n = 0;

	if (t.len - from > 8 || (t.data[from] == '0' && t.len - from > 1))
		return false;
	for (uint32_t i = from; i < t.len; i++)
		n = n * 10 + (uint32_t)(t.data[i] - '0');
	*number = n;
	return true;
}

/* Register t[len..] of the range t[0..len), or PTX_NONE. */
static uint32_t in_range(const struct parser *ps, struct text t, uint32_t len, uint32_t *depth)
{
	uint32_t index = names_find(&ps->names, t.data, len), number;
	const struct ptx_reg_decl *decl;
	const struct name *n;

	if (index == PTX_NONE)
		return PTX_NONE;
	n = &ps->names.all.data[index];
	if (n->range == PTX_NONE || !register_number(t, len, &number))
		return PTX_NONE;
	decl = &ps->reg_decls.data[n->range];
	*depth = n->numbered ? n->range_depth : UINT32_MAX;
	return number < decl->count ? decl->first + number * decl->vec : PTX_NONE;
}

/* The register that `t` names in some range. "%r12" may be register 12 of %r<100>, or register 2 of %r1<100>. */
static uint32_t find_in_ranges(const struct parser *ps, struct text t, uint32_t *depth)
{
	uint32_t first = t.len, reg = PTX_NONE;

	while (first > 1 && is_char(t.data[first - 1], CHAR_DIGIT))
		first--;
	for (uint32_t len = first; len < t.len && reg == PTX_NONE; len++)
		reg = in_range(ps, t, len, depth);
	return reg;
}

static bool find_sreg(struct text t, uint32_t *id)
{
	for (int s = PTX_SREG_NONE + 1; s < PTX_SREG_COUNT; s++)
		if (text_is(t, ptx_sreg_name(s))) {
			*id = (uint32_t)s;
			return true;
		}
	return false;
}

/* "%tid" with ".x" behind it, when that is a special register. */
static struct ptx_operand special_or_label(struct parser *ps, struct text t)
{
	struct text whole = t;
	uint32_t id;

	if (*ps->lx.p == '.') {
		while (is_char(t.data[whole.len], CHAR_IDENT) || whole.len == t.len)
			whole.len++;
		if (find_sreg(whole, &id)) {
			ps->lx.p = t.data + whole.len;
			return (struct ptx_operand){.kind = PTX_OPERAND_SREG, .id = id};
		}
	}
	if (find_sreg(t, &id))
		return (struct ptx_operand){.kind = PTX_OPERAND_SREG, .id = id};
	if (ps->is_fragment && !ps->takes_label)
		return (struct ptx_operand){.kind = PTX_OPERAND_SYMBOL, .id = PTX_FRAGMENT_ELSEWHERE};
	if (t.data[0] == '%' && !ps->is_fragment)
		parser_fail(ps, t.data, "register '%.*s' is not declared", (int)t.len, t.data);
	return (struct ptx_operand){.kind = PTX_OPERAND_LABEL, .imm = t.len, .elems = (void *)t.data};
}

static struct ptx_operand lookup(struct parser *ps, struct text t)
{
	uint32_t depth = 0, reg = PTX_NONE, index;
	const struct name *n;

	if (is_char(t.data[t.len - 1], CHAR_DIGIT)) {
		reg = find_in_ranges(ps, t, &depth);
		if (reg != PTX_NONE && depth == UINT32_MAX)
			return reg_operand(reg);
	}
	index = names_find(&ps->names, t.data, t.len);
	n = index == PTX_NONE ? NULL : &ps->names.all.data[index];
	if (reg != PTX_NONE && (!n || n->kind == BIND_NONE || n->depth < depth))
		return reg_operand(reg);
	if (n && n->kind == BIND_REG)
		return reg_operand(n->id);
	if (n && n->kind == BIND_SYMBOL)
		return (struct ptx_operand){.kind = PTX_OPERAND_SYMBOL, .id = n->id};
	return special_or_label(ps, t);
}

/* `.x` or `.r` of a vector of `vec` registers: the component's number, or `vec` if there is no such component. */
static unsigned component(struct text t, unsigned vec)
{
	static const char *const letters[] = {"xr", "yg", "zb", "wa"};

	for (unsigned i = 0; i < vec && i < 4; i++)
		if (t.len == 1 && strchr(letters[i], *t.data))
			return i;
	return vec;
}

/* A vector of registers: one of them by its component, or all. */
static struct ptx_operand vector_operand(struct parser *ps, uint32_t first, unsigned vec)
{
	struct ptx_operand op = {.kind = PTX_OPERAND_VEC, .count = (uint16_t)vec};
	struct text t;
	unsigned at;

	if (*ps->lx.p == '.') {
		t = lex_dotted(&ps->lx);
		at = component(t, vec);
		if (at == vec)
			parser_fail(ps, t.data, "a vector of %u registers has no component '.%.*s'", vec, (int)t.len,
				    t.data);
		return reg_operand(first + at);
	}
	op.elems = arena_array(&ps->m->arena, struct ptx_operand, vec);
	for (unsigned i = 0; i < vec; i++)
		op.elems[i] = reg_operand(first + i);
	return op;
}

/* `.b0`, `.h1`, `.b3210` behind a register. */
static void take_component(struct parser *ps, struct ptx_operand *op)
{
	struct text t = lex_dotted(&ps->lx);

	if (t.len < 2 || !strchr("bh", *t.data))
		parser_fail(ps, t.data, "a register has no part '.%.*s'", (int)t.len, t.data);
	op->flags |= PTX_FLAG_COMPONENT;
	op->elems = (void *)arena_strndup(&ps->m->arena, t.data, t.len);
}

static struct ptx_operand parse_name(struct parser *ps)
{
	struct text t = {ps->lx.p, 0};
	struct ptx_operand op;

	for (ps->lx.p++; is_char(*ps->lx.p, CHAR_IDENT);)
		ps->lx.p++;
	t.len = (uint32_t)(ps->lx.p - t.data);
	if (t.len == 1 && *t.data == '_')
		return (struct ptx_operand){.kind = PTX_OPERAND_SINK};
	op = lookup(ps, t);
	if (op.kind == PTX_OPERAND_REG) {
		unsigned vec = ps->reg_decls.data[ps->regs.data[op.id].decl].vec;

		if (vec > 1)
			return vector_operand(ps, op.id, vec);
		if (*ps->lx.p == '.')
			take_component(ps, &op);
	}
	return op;
}

/* --- Numbers --- */

static bool starts_operator(const char *p)
{
	return *p && strchr("+-*/%&^<>=!?", *p) && !(p[0] == '/' && (p[1] == '/' || p[1] == '*'));
}

static struct ptx_operand parse_number(struct parser *ps)
{
	const char *start = ps->lx.p;
	bool negative = *start == '-';
	struct number n;

	ps->lx.p += negative;
	lex_skip(&ps->lx);
	if (is_char(*ps->lx.p, CHAR_DIGIT)) {
		n = lex_number(&ps->lx);
		lex_skip(&ps->lx);
		if (n.kind != PTX_OPERAND_INT)
			return (struct ptx_operand){
			    .kind = (uint8_t)n.kind,
			    .imm = (int64_t)(n.bits ^ (negative ? n.kind == PTX_OPERAND_F32 ? (uint64_t)1 << 31
											    : (uint64_t)1 << 63
								: 0))};
		if (!starts_operator(ps->lx.p))
			return (struct ptx_operand){.kind = PTX_OPERAND_INT,
						    .imm = (int64_t)(negative ? -n.bits : n.bits)};
	}
	ps->lx.p = start;
	return (struct ptx_operand){.kind = PTX_OPERAND_INT, .imm = parse_constant(ps)};
}

/* --- Compound operands --- */

/* The operands above `base` on the stack become the elements of `op`. */
static void take_elements(struct parser *ps, struct ptx_operand *op, size_t base, const char *at)
{
	size_t n = ps->stack.len - base;

	if (n > UINT16_MAX)
		parser_fail(ps, at, "more than %d operands", UINT16_MAX);
	op->count = (uint16_t)n;
	op->elems = n ? arena_memdup(&ps->m->arena, ps->stack.data + base, n * sizeof(struct ptx_operand)) : NULL;
	ps->stack.len = base;
}

static struct ptx_operand parse_elements(struct parser *ps, enum ptx_operand_kind kind, char close, int depth)
{
	struct ptx_operand op = {.kind = (uint8_t)kind};
	const char *open = ps->lx.p++;
	size_t base = ps->stack.len;

	if (!lex_take(&ps->lx, close)) {
		do {
			struct ptx_operand element = parse_operand(ps, depth + 1);

			vec_push(&ps->stack, element);
		} while (lex_take(&ps->lx, ','));
		if (!lex_take(&ps->lx, close))
			parser_fail(ps, ps->lx.p, "expected ',' or '%c' to close the '%c' in column %u", close, *open,
				    (unsigned)(open - ps->lx.line_start) + 1);
	}
	take_elements(ps, &op, base, open);
	return op;
}

/* `+4`, `+-4`, `-4` behind a base; `+%r` of `[sym+%r]` goes on the stack. */
static int64_t parse_offset(struct parser *ps)
{
	const char *p = ps->lx.p + 1;
	int64_t value = 0;

	/* Inline assembly may have a constant here: its placeholder is a register's name, too. */
	while (ps->is_fragment && is_char(*p, CHAR_SPACE))
		p++;
	if ((*ps->lx.p == '+' || ps->is_fragment) && *p == '%') {
		ps->lx.p = p;
		vec_push(&ps->stack, parse_name(ps));
		return 0;
	}
	p = ps->lx.p + 1;
	while (is_char(*p, CHAR_DIGIT) && value < INT32_MAX)
		value = value * 10 + (*p++ - '0');
	if (*p != ']' || p == ps->lx.p + 1 || (ps->lx.p[1] == '0' && p > ps->lx.p + 2))
		return parse_constant(ps);
	value = *ps->lx.p == '-' ? -value : value;
	ps->lx.p = p;
	return value;
}

/* [base], [base+4], [sym+%r], [tex, {x, y}]. */
static struct ptx_operand parse_memory(struct parser *ps, int depth)
{
	struct ptx_operand op = {.kind = PTX_OPERAND_MEM};
	const char *open = ps->lx.p++;
	size_t base = ps->stack.len;
	struct ptx_operand first = parse_operand(ps, depth + 1);

	vec_push(&ps->stack, first);
	lex_skip(&ps->lx);
	if (*ps->lx.p == '+' || *ps->lx.p == '-')
		op.imm = parse_offset(ps);
	while (lex_take(&ps->lx, ',')) {
		struct ptx_operand element = parse_operand(ps, depth + 1);

		op.kind = PTX_OPERAND_TEX;
		vec_push(&ps->stack, element);
	}
	if (!lex_take(&ps->lx, ']'))
		parser_fail(ps, ps->lx.p, "expected ']' behind the address");
	take_elements(ps, &op, base, open);
	return op;
}

static struct ptx_operand parse_negated(struct parser *ps, enum ptx_operand_flag flag, int depth)
{
	const char *at = ps->lx.p++;
	struct ptx_operand op = parse_operand(ps, depth + 1);

	if (op.kind != PTX_OPERAND_REG)
		parser_fail(ps, at, "expected a register behind '%c'", *at);
	op.flags |= flag;
	return op;
}

static struct ptx_operand parse_simple(struct parser *ps, int depth)
{
	const char *at;

	lex_skip(&ps->lx);
	at = ps->lx.p;
	if (depth > DEEPEST_OPERAND)
		parser_fail(ps, at, "operands nested this deep do not exist in PTX");
	if (is_char(*at, CHAR_START)) {
		struct ptx_operand op = parse_name(ps);

		if (op.kind == PTX_OPERAND_LABEL && depth)
			parser_fail(ps, at, "'%.*s' is not declared", (int)op.imm, (const char *)op.elems);
		return op;
	}
	switch (*at) {
	case '[': return parse_memory(ps, depth);
	case '{': return parse_elements(ps, PTX_OPERAND_VEC, '}', depth);
	case '(': return ps->is_call ? parse_elements(ps, PTX_OPERAND_LIST, ')', depth) : parse_number(ps);
	case '!':
		return is_char(at[1], CHAR_DIGIT) || at[1] == '(' ? parse_number(ps)
								  : parse_negated(ps, PTX_FLAG_NOT, depth);
	case '-':
		if (is_char(at[1], CHAR_START))
			return parse_negated(ps, PTX_FLAG_NEGATIVE, depth);
		return parse_number(ps);
	case '~':
	case '+': return parse_number(ps);
	default: break;
	}
	if (!is_char(*at, CHAR_DIGIT))
		parser_fail(ps, at, "expected an operand");
	return parse_number(ps);
}

/* An operand, with the `|q` of a pair and the `+4` of a symbol. */
static struct ptx_operand parse_operand(struct parser *ps, int depth)
{
	struct ptx_operand op = parse_simple(ps, depth);
	size_t base = ps->stack.len;

	lex_skip(&ps->lx);
	if (op.kind == PTX_OPERAND_SYMBOL && (*ps->lx.p == '+' || *ps->lx.p == '-') && ps->lx.p[1] != '%')
		op.imm = parse_constant(ps);
	if (op.kind == PTX_OPERAND_REG && depth == 0 && !ps->is_fragment && (*ps->lx.p == '+' || *ps->lx.p == '-'))
		parser_fail(ps, ps->lx.p,
			    "a register with an offset is only allowed in an address [ ]; add the offset before");
	if (*ps->lx.p == '|') {
		struct ptx_operand pair = {.kind = PTX_OPERAND_PAIR};

		ps->lx.p++;
		vec_push(&ps->stack, op);
		op = parse_simple(ps, depth + 1);
		vec_push(&ps->stack, op);
		take_elements(ps, &pair, base, ps->lx.p);
		return pair;
	}
	return op;
}

/* --- The instruction --- */

uint32_t parse_predicate(struct parser *ps, bool *negated)
{
	const char *at;
	struct ptx_operand op;

	ps->lx.p++;
	ps->takes_label = false;
	*negated = lex_take(&ps->lx, '!');
	lex_skip(&ps->lx);
	at = ps->lx.p;
	if (!is_char(*at, CHAR_START))
		parser_fail(ps, at, "expected a predicate behind '@'");
	op = parse_name(ps);
	if (ps->is_fragment)
		return op.kind == PTX_OPERAND_REG ? op.id : PTX_NONE;
	if (op.kind != PTX_OPERAND_REG || ps->regs.data[op.id].type != PTX_pred)
		parser_fail(ps, at, "a predicate is a register of type .pred");
	return op.id;
}

/* "ld .global .f32": the words joined, for the few who write blanks. */
static struct text join_words(struct parser *ps, struct text first)
{
	struct strbuf *sb = &ps->scratch;

	sb->len = 0;
	strbuf_add(sb, first.data, first.len);
	for (lex_skip(&ps->lx); *ps->lx.p == '.'; lex_skip(&ps->lx)) {
		struct text word = lex_dotted(&ps->lx);

		strbuf_addc(sb, '.');
		strbuf_add(sb, word.data, word.len);
	}
	return (struct text){arena_strndup(&ps->m->arena, sb->data, sb->len), (uint32_t)sb->len};
}

static const struct opcode *intern(struct parser *ps, struct text spelling, const char *at)
{
	char why[256];
	size_t offset;
	const struct opcode *op =
	    opcode_intern(&ps->priv->opcodes, spelling.data, spelling.len, why, sizeof(why), &offset);

	if (!op && ps->is_fragment)
		return opcode_invalid(&ps->priv->opcodes, spelling.data, spelling.len);
	if (!op)
		parser_fail(ps,
			    spelling.data >= ps->lx.start && spelling.data < ps->lx.end ? spelling.data + offset : at,
			    "%s", why);
	return op;
}

/* Operands that name a label wait for it. Any other unknown name is an error. */
static void wait_for_labels(struct parser *ps, struct ptx_inst *inst)
{
	enum binding wanted = inst->opcode->op == PTX_OP_bra ? BIND_LABEL : BIND_SYMBOL;

	for (unsigned i = 0; i < inst->noperands; i++) {
		struct ptx_operand *op = &inst->operands[i];

		if (op->kind == PTX_OPERAND_LABEL) {
			struct text name = {(const char *)op->elems, (uint32_t)op->imm};

			op->elems = NULL;
			op->imm = 0;
			refer_to_label(ps, name, &op->id, &op->kind, wanted);
		}
	}
}

void parse_instruction(struct parser *ps, struct text spelling, const char *at, uint32_t predicate, bool predicate_not)
{
	uint32_t line = ps->lx.line, column = (uint32_t)(at - ps->lx.line_start) + 1;
	const struct opcode *opcode;
	struct ptx_inst inst = {
	    .predicate = predicate, .predicate_not = predicate_not, .loc = ps->loc, .line = line, .column = column};

	lex_skip(&ps->lx);
	if (*ps->lx.p == '.')
		spelling = join_words(ps, spelling);
	opcode = intern(ps, spelling, at);
	inst.opcode = &opcode->pub;
	ps->is_call = opcode->pub.op == PTX_OP_call;
	if (ps->is_fragment)
		ps->takes_label = opcode->pub.op == PTX_OP_bra || opcode->pub.op == PTX_OP_brx_idx;
	ps->stack.len = 0;
	if (*ps->lx.p != ';') {
		do {
			struct ptx_operand op;

			lex_skip(&ps->lx);
			ps->operand_at[ps->stack.len < MAX_ROLES ? ps->stack.len : MAX_ROLES - 1] = ps->lx.p;
			op = parse_operand(ps, 0);
			vec_push(&ps->stack, op);
		} while (lex_take(&ps->lx, ','));
		if (!lex_take(&ps->lx, ';'))
			parser_fail(ps, ps->lx.p, "expected ',' or ';' behind this operand");
	} else {
		ps->lx.p++;
	}
	if (ps->stack.len > UINT16_MAX)
		parser_fail(ps, at, "more than %d operands", UINT16_MAX);
	inst.noperands = (uint16_t)ps->stack.len;
	inst.operands = arena_memdup(&ps->m->arena, ps->stack.data, ps->stack.len * sizeof(struct ptx_operand));
	if (!ps->is_fragment)
		check_instruction(ps, opcode, &inst, at);
	else if (!ps->is_call && !opcode_takes(opcode, inst.noperands))
		inst.opcode = &opcode_invalid(&ps->priv->opcodes, spelling.data, spelling.len)->pub;
	wait_for_labels(ps, &inst);
	vec_push(&ps->insts, inst);
}
