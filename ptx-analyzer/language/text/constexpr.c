/* Constant expressions: C's integer operators by precedence climbing, nested up to a limit. */
#include "ptx-analyzer/language/text/parser.h"

enum { DEEPEST = 200 };

struct value {
	uint64_t bits;
	bool is_unsigned;
};

static struct value climb(struct parser *ps, int least, int depth);

/* Longer operators first. */
static const struct {
	const char *text;
	int precedence;
} operators[] = {
    {"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<=", 7}, {">=", 7}, {"<<", 8}, {">>", 8}, {"|", 3},
    {"^", 4},  {"&", 5},  {"<", 7},  {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10},
};
enum { NOPERATORS = sizeof(operators) / sizeof(operators[0]) };

static int next_operator(struct parser *ps)
{
	lex_skip(&ps->lx);
	for (int i = 0; i < NOPERATORS; i++)
		if (!strncmp(ps->lx.p, operators[i].text, strlen(operators[i].text)))
			return i;
	return -1;
}

static bool compare(char first, bool or_equal, struct value a, struct value b, bool is_unsigned)
{
	bool less = is_unsigned ? a.bits < b.bits : (int64_t)a.bits < (int64_t)b.bits;

	if (a.bits == b.bits)
		return or_equal;
	return first == '<' ? less : !less;
}

static uint64_t divide(struct parser *ps, const char *at, char what, struct value a, struct value b, bool is_unsigned)
{
	if (!b.bits)
		parser_fail(ps, at, "division by zero in a constant expression");
	if (is_unsigned)
		return what == '/' ? a.bits / b.bits : a.bits % b.bits;
	if ((int64_t)b.bits == -1)
		return what == '/' ? -a.bits : 0;
	return (uint64_t)(what == '/' ? (int64_t)a.bits / (int64_t)b.bits : (int64_t)a.bits % (int64_t)b.bits);
}

static struct value apply(struct parser *ps, const char *at, struct value a, struct value b)
{
	bool is_unsigned = a.is_unsigned || b.is_unsigned, doubled = at[1] == at[0] || at[1] == '=';
	unsigned shift = b.bits & 63;
	struct value r = {0, is_unsigned};

	switch (at[0]) {
	case '|': r.bits = doubled ? a.bits || b.bits : a.bits | b.bits; break;
	case '&': r.bits = doubled ? a.bits && b.bits : a.bits & b.bits; break;
	case '^': r.bits = a.bits ^ b.bits; break;
	case '=': r.bits = a.bits == b.bits; break;
	case '!': r.bits = a.bits != b.bits; break;
	case '+': r.bits = a.bits + b.bits; break;
	case '-': r.bits = a.bits - b.bits; break;
	case '*': r.bits = a.bits * b.bits; break;
	case '/':
	case '%': r.bits = divide(ps, at, at[0], a, b, is_unsigned); break;
	case '<':
	case '>':
		if (at[1] != at[0])
			r.bits = compare(at[0], at[1] == '=', a, b, is_unsigned);
		else if (at[0] == '<')
			r = (struct value){a.bits << shift, a.is_unsigned};
		else
			r = (struct value){a.is_unsigned ? a.bits >> shift : (uint64_t)((int64_t)a.bits >> shift),
					   a.is_unsigned};
		break;
	default: BUG("no operator: %c", at[0]);
	}
	return r;
}

/* Takes `(.s64)` or `(.u64)` in front of a value; false if the parenthesis opens an expression. */
static bool take_cast(struct parser *ps, bool *to_unsigned)
{
	const char *p = ps->lx.p;

	if (strncmp(p, "(.s64)", 6) != 0 && strncmp(p, "(.u64)", 6) != 0)
		return false;
	*to_unsigned = p[2] == 'u';
	ps->lx.p += 6;
	return true;
}

static struct value number(struct parser *ps)
{
	const char *at = ps->lx.p;
	struct number n;

	if (!strncmp(at, "WARP_SZ", 7) && !is_char(at[7], CHAR_IDENT)) {
		ps->lx.p += 7;
		return (struct value){32, false};
	}
	n = lex_number(&ps->lx);
	if (n.kind != PTX_OPERAND_INT)
		parser_fail(ps, at, "expected an integer");
	return (struct value){n.bits, n.is_unsigned};
}

static struct value primary(struct parser *ps, int depth)
{
	const char *at;
	struct value v;
	bool to_unsigned;

	lex_skip(&ps->lx);
	at = ps->lx.p;
	if (depth > DEEPEST)
		parser_fail(ps, at, "constant expression nested more than %d deep", DEEPEST);
	if (*at == '-' || *at == '+' || *at == '~' || *at == '!') {
		ps->lx.p++;
		v = primary(ps, depth + 1);
		if (*at == '!')
			return (struct value){!v.bits, false};
		v.bits = *at == '-' ? -v.bits : *at == '~' ? ~v.bits : v.bits;
		return v;
	}
	if (*at != '(')
		return number(ps);
	if (take_cast(ps, &to_unsigned))
		return (struct value){primary(ps, depth + 1).bits, to_unsigned};
	ps->lx.p++;
	v = climb(ps, 0, depth + 1);
	lex_expect(&ps->lx, ')', "behind the expression");
	return v;
}

static struct value climb(struct parser *ps, int least, int depth)
{
	struct value v = primary(ps, depth), b, c;
	int op;

	while ((op = next_operator(ps)) >= 0 && operators[op].precedence > least) {
		const char *at = ps->lx.p;

		ps->lx.p += strlen(operators[op].text);
		b = climb(ps, operators[op].precedence, depth + 1);
		v = apply(ps, at, v, b);
	}
	if (least == 0 && lex_take(&ps->lx, '?')) {
		b = climb(ps, 0, depth + 1);
		lex_expect(&ps->lx, ':', "of '? :'");
		c = climb(ps, 0, depth + 1);
		return v.bits ? b : c;
	}
	return v;
}

int64_t parse_constant(struct parser *ps)
{
	return (int64_t)climb(ps, 0, 0).bits;
}
