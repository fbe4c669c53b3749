/* One thread of a random kernel, by the host's arithmetic. */
#include "tests/ptx-analyzer/ranges/random_program.h"

#include <string.h>

enum { FUEL = 3000 };

enum outcome { GOES_ON, BREAKS, CONTINUES, ENDS };

static uint64_t cut(uint64_t number, bool wide)
{
	return wide ? number : (uint32_t)number;
}

static int64_t signed_of(uint64_t number, bool wide)
{
	return wide ? (int64_t)number : (int32_t)(uint32_t)number;
}

static uint64_t read(const struct run *r, struct value v, bool wide)
{
	return cut(v.constant ? v.number : wide ? r->wides[v.reg] : r->narrow[v.reg], wide);
}

static void write(struct run *r, const struct statement *s, bool wide, uint64_t number)
{
	if (wide)
		r->wides[s->to] = number;
	else
		r->narrow[s->to] = (uint32_t)number;
}

/* --- Conditions --- */

static bool compares(const struct run *r, const struct comparison *c)
{
	uint64_t a = read(r, c->a, c->wide), b = read(r, c->b, c->wide);
	int64_t x = signed_of(a, c->wide), y = signed_of(b, c->wide);
	bool less = c->by_sign ? x < y : a < b;

	switch (c->how) {
	case REL_EQ: return a == b;
	case REL_NE: return a != b;
	case REL_LT: return less;
	case REL_LE: return less || a == b;
	case REL_GT: return !less && a != b;
	default: return !less;
	}
}

static bool holds(const struct run *r, const struct condition *c)
{
	bool all = true, any = false;

	for (unsigned i = 0; i < c->count; i++) {
		bool is = compares(r, &c->all[i]);

		all = all && is;
		any = any || is;
	}
	return (c->any ? any : all) != c->negated;
}

/* --- Numbers --- */

static uint64_t quotient(const struct statement *s, uint64_t a, uint64_t b, bool rest)
{
	int64_t x = signed_of(a, s->wide), y = signed_of(b, s->wide);

	/* Hardware gives something. */
	if (cut(b, s->wide) == 0 || (s->by_sign && y == -1 && x == (s->wide ? INT64_MIN : INT32_MIN)))
		return program_random();
	if (s->by_sign)
		return (uint64_t)(rest ? x % y : x / y);
	return rest ? a % b : a / b;
}

static uint64_t shifted(const struct statement *s, uint64_t a, uint64_t by)
{
	unsigned width = s->wide ? 64 : 32;
	uint32_t amount = (uint32_t)by > width ? width : (uint32_t)by;

	if (s->op == OP_SHL)
		return amount == width ? 0 : a << amount;
	if (!s->by_sign)
		return amount == width ? 0 : a >> amount;
	return (uint64_t)(signed_of(a, s->wide) >> (amount == width ? width - 1 : amount));
}

static uint64_t upper_half(const struct statement *s, uint64_t a, uint64_t b)
{
	if (s->by_sign)
		return (uint64_t)(signed_of(a, false) * signed_of(b, false)) >> 32;
	return a * b >> 32;
}

static unsigned ones_in(uint64_t number)
{
	unsigned n = 0;

	for (; number; number &= number - 1)
		n++;
	return n;
}

static uint64_t number_of(const struct run *r, const struct statement *s)
{
	bool shifts = s->op == OP_SHL || s->op == OP_SHR; /* by an amount of 32 bits */
	uint64_t a = read(r, s->a, s->wide), b = read(r, s->b, s->wide && !shifts), c = read(r, s->c, s->wide);
	int64_t x = signed_of(a, s->wide), y = signed_of(b, s->wide);

	switch (s->op) {
	case OP_ADD: return a + b;
	case OP_SUB: return a - b;
	case OP_MUL: return a * b;
	case OP_MULHI: return upper_half(s, a, b);
	case OP_DIV: return quotient(s, a, b, false);
	case OP_REM: return quotient(s, a, b, true);
	case OP_MIN: return s->by_sign ? (x < y ? a : b) : a < b ? a : b;
	case OP_MAX: return s->by_sign ? (x > y ? a : b) : a > b ? a : b;
	case OP_AND: return a & b;
	case OP_OR: return a | b;
	case OP_XOR: return a ^ b;
	case OP_SHL:
	case OP_SHR: return shifted(s, a, b);
	case OP_NEG: return 0 - a;
	case OP_NOT: return ~a;
	case OP_ABS: return x < 0 ? 0 - a : a;
	case OP_MOVE: return a;
	case OP_MAD: return a * b + c;
	case OP_FIELD: return a >> s->bits & ((1u << s->bytes) - 1);
	case OP_BITS: return ones_in(a);
	case OP_TID: return r->tid;
	default: return 0;
	}
}

static uint64_t cast(const struct run *r, const struct statement *s)
{
	uint64_t low = read(r, s->a, false) & ((1u << s->bits) - 1), sign = 1u << (s->bits - 1);

	return s->by_sign ? (low ^ sign) - sign : low;
}

static uint64_t wide_product(const struct run *r, const struct statement *s)
{
	uint64_t a = read(r, s->a, false), b = read(r, s->b, false);

	return s->by_sign ? (uint64_t)(signed_of(a, false) * signed_of(b, false)) : a * b;
}

static uint64_t widened(const struct run *r, const struct statement *s)
{
	uint64_t a = read(r, s->a, false);

	return s->by_sign ? (uint64_t)signed_of(a, false) : a;
}

/* The index counts numbers from the table's start. */
static uint64_t found(const struct run *r, const struct statement *s)
{
	uint64_t number = program_random() >> program_random() % 64, place;

	place = read(r, s->a, false) * s->bytes;
	if (place + s->bytes <= TABLE_BYTES) {
		number = 0;
		memcpy(&number, r->table + place, s->bytes);
	}
	if (s->bytes < 8)
		number &= ((uint64_t)1 << s->bytes * 8) - 1;
	if (s->by_sign && s->bytes < 8 && number >> (s->bytes * 8 - 1))
		number |= ~(uint64_t)0 << s->bytes * 8;
	return number;
}

static void compute(struct run *r, const struct statement *s)
{
	switch (s->kind) {
	case S_NUMBER: write(r, s, s->wide, number_of(r, s)); break;
	case S_CHOOSE: write(r, s, s->wide, read(r, holds(r, &s->condition) ? s->a : s->b, s->wide)); break;
	case S_WIDEN: write(r, s, true, widened(r, s)); break;
	case S_NARROW: write(r, s, false, read(r, s->a, true)); break;
	case S_CAST: write(r, s, false, cast(r, s)); break;
	case S_WIDE_PRODUCT: write(r, s, true, wide_product(r, s)); break;
	case S_LOADED: write(r, s, s->wide, program_random() >> program_random() % 64); break;
	case S_FOUND: write(r, s, s->wide, found(r, s)); break;
	case S_ACCESS: r->access(r->data, s->nth, read(r, s->a, true) + (uint64_t)s->offset, s->bytes); break;
	default: break;
	}
}

/* --- Control --- */

static enum outcome run_block(struct run *r, const block *b);

static enum outcome run_loop(struct run *r, const struct statement *s)
{
	bool follows = !s->tests_first || holds(r, &s->condition);

	while (follows) {
		enum outcome o = run_block(r, &s->body);

		if (o == ENDS || r->fuel == 0)
			return ENDS;
		if (o == BREAKS)
			break;
		if (o == CONTINUES && s->restarts)
			continue;
		o = run_block(r, &s->other);
		if (o == ENDS)
			return o;
		follows = holds(r, &s->condition);
	}
	return GOES_ON;
}

static enum outcome run_statement(struct run *r, const struct statement *s)
{
	static const enum outcome leaves[] = {
	    [LEAVE_BREAK] = BREAKS, [LEAVE_CONTINUE] = CONTINUES, [LEAVE_RETURN] = ENDS};

	if (s->kind == S_IF)
		return run_block(r, holds(r, &s->condition) ? &s->body : &s->other);
	if (s->kind == S_LOOP)
		return run_loop(r, s);
	if (s->kind == S_LEAVE)
		return holds(r, &s->condition) ? leaves[s->leave] : GOES_ON;
	if (!s->guarded || holds(r, &s->condition))
		compute(r, s);
	return GOES_ON;
}

static enum outcome run_block(struct run *r, const block *b)
{
	enum outcome o = GOES_ON;

	for (size_t i = 0; i < b->len && o == GOES_ON; i++) {
		if (r->fuel == 0)
			return ENDS;
		r->fuel--;
		o = run_statement(r, b->data[i]);
	}
	return o;
}

void run_thread(struct run *r)
{
	r->narrow[R_TID] = r->tid;
	r->narrow[R_CTAID] = r->ctaid;
	r->narrow[R_NTID] = r->ntid;
	r->narrow[R_INDEX] = r->ctaid * r->ntid + r->tid;
	for (unsigned i = 0; i < PARAMS; i++)
		r->narrow[R_PARAM + i] = r->params[i];
	for (unsigned i = 0; i < BASES; i++)
		r->wides[D_BASE + i] = r->bases[i];
	r->wides[D_WIDE] = r->wide;
	for (unsigned i = R_FREE; i < NARROWS; i++)
		r->narrow[i] = r->narrow[i % R_FREE];
	for (unsigned i = D_FREE; i < WIDES; i++)
		r->wides[i] = r->wides[i % D_FREE];
	r->fuel = FUEL;
	run_block(r, &r->program->body);
}
