/* How random kernels are made: statements of many kinds, loops as programmers and compilers write them. */
#include "tests/ptx-analyzer/ranges/random_program.h"

#include "common/xalloc.h"

#include <stdlib.h>

enum { MOST_DEPTH = 3, MOST_STATEMENTS = 60 };

static uint64_t state = 1;

void program_seed(uint64_t seed)
{
	state = seed * 0x9E3779B97F4A7C15 + 0x1234567;
}

uint64_t program_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x2545F4914F6CDD1D >> 7;
}

static unsigned below(unsigned n)
{
	return (unsigned)(program_random() % n);
}

static bool one_in(unsigned n)
{
	return below(n) == 0;
}

/* A program under construction: which registers hold something, and which of them loops count with. */
struct maker {
	struct program *program;
	unsigned depth, statements, loops;
	bool counts_narrow[NARROWS], counts_wide[WIDES];
};

static struct statement *add(struct maker *m, block *b, enum statement_kind kind)
{
	struct statement *s = xcalloc(1, sizeof *s);

	s->kind = kind;
	vec_push(&m->program->all, s);
	vec_push(b, s);
	m->statements++;
	return s;
}

/* --- Values --- */

static struct value number(int64_t n)
{
	return (struct value){.constant = true, .number = (uint64_t)n};
}

static struct value in(unsigned reg)
{
	return (struct value){.reg = reg};
}

static int64_t small_number(void)
{
	static const int64_t numbers[] = {0, 1, 2, 3, 4, 5, 7, 8, 12, 16, 31, 32, 63, 100, 255, 1024, -1, -2, -4, -8};

	return numbers[below(sizeof numbers / sizeof *numbers)];
}

/* Loop variables and what a kernel begins with are frequent. */
static struct value narrow_value(const struct maker *m)
{
	unsigned reg = below(NARROWS);

	if (one_in(4))
		return number(small_number());
	for (unsigned i = 0; i < NARROWS && one_in(2); i++)
		if (m->counts_narrow[i])
			return in(i);
	return in(one_in(2) ? below(R_FREE) : reg);
}

static struct value wide_value(const struct maker *m)
{
	for (unsigned i = 0; i < WIDES && one_in(2); i++)
		if (m->counts_wide[i])
			return in(i);
	return one_in(4) ? number(small_number()) : in(D_WIDE + below(WIDES - D_WIDE));
}

static struct value any_value(const struct maker *m, bool wide)
{
	return wide ? wide_value(m) : narrow_value(m);
}

/* What loops count with is seldom written otherwise. */
static unsigned narrow_target(const struct maker *m)
{
	unsigned reg = R_FREE + below(NARROWS - R_FREE);

	return m->counts_narrow[reg] && !one_in(12) ? R_FREE : reg;
}

static unsigned wide_target(const struct maker *m)
{
	unsigned reg = D_FREE + below(WIDES - D_FREE);

	return m->counts_wide[reg] && !one_in(12) ? D_FREE : reg;
}

/* --- Conditions --- */

static struct condition condition(const struct maker *m)
{
	struct condition c = {
	    .count = one_in(3) ? 1 + below(MOST_COMPARISONS) : 1, .any = one_in(2), .negated = one_in(2)};

	for (unsigned i = 0; i < c.count; i++) {
		bool wide = one_in(5);

		c.all[i] = (struct comparison){(enum relation)below(6), one_in(2), wide, any_value(m, wide),
					       any_value(m, wide)};
	}
	return c;
}

static struct condition one_comparison(enum relation how, bool by_sign, bool wide, struct value a, struct value b)
{
	return (struct condition){.count = 1, .all = {{how, by_sign, wide, a, b}}};
}

/* --- Numbers --- */

static void set(struct maker *m, block *b, enum number_op op, bool wide, unsigned to, struct value x, struct value y)
{
	struct statement *s = add(m, b, S_NUMBER);

	s->op = op;
	s->wide = wide;
	s->by_sign = one_in(2);
	s->to = to;
	s->a = x;
	s->b = y;
	s->c = number(0);
}

static void add_number(struct maker *m, block *b)
{
	static const enum number_op frequent[] = {OP_ADD, OP_SUB, OP_MUL, OP_MOVE, OP_ADD, OP_SHL};
	enum number_op op = one_in(2) ? frequent[below(6)] : (enum number_op)below(NUMBER_OPS);
	bool wide = one_in(4) && op != OP_MULHI && op != OP_FIELD && op != OP_BITS && op != OP_TID;
	struct value x = any_value(m, wide), y = any_value(m, wide);
	struct statement *s;

	if (op == OP_MUL || op == OP_SHL || op == OP_SHR || op == OP_DIV || op == OP_REM)
		y = one_in(4) ? y : number(small_number());
	if (op == OP_SHL || op == OP_SHR)
		y = y.constant ? number((int64_t)below(8)) : narrow_value(m);
	set(m, b, op, wide, wide ? wide_target(m) : narrow_target(m), x, y);
	s = vec_last(b);
	s->by_sign = s->by_sign || op == OP_ABS || op == OP_NEG;
	s->c = any_value(m, wide);
	s->bits = below(24);
	s->bytes = 1 + below(8);
	s->guarded = one_in(6);
	s->condition = condition(m);
}

/* x - x % n, x / n * n, and clamps, as two instructions. */
static void add_idiom(struct maker *m, block *b)
{
	struct value x = narrow_value(m), n = one_in(2) ? number(1 + (int64_t)below(9)) : in(R_PARAM + below(PARAMS));
	unsigned to = narrow_target(m), with = R_FREE + 1;
	bool by_sign = one_in(2);

	switch (below(3)) {
	case 0:
		set(m, b, OP_REM, false, with, x, n);
		vec_last(b)->by_sign = by_sign;
		set(m, b, OP_SUB, false, to, x, in(with));
		break;
	case 1:
		set(m, b, OP_DIV, false, with, x, n);
		vec_last(b)->by_sign = by_sign;
		set(m, b, OP_MUL, false, to, in(with), n);
		break;
	default:
		set(m, b, OP_MAX, false, with, x, number(0));
		vec_last(b)->by_sign = by_sign;
		set(m, b, OP_MIN, false, to, in(with), n);
		vec_last(b)->by_sign = by_sign;
		break;
	}
}

static void add_choice(struct maker *m, block *b)
{
	struct statement *s = add(m, b, S_CHOOSE);

	s->wide = one_in(4);
	s->to = s->wide ? wide_target(m) : narrow_target(m);
	s->a = any_value(m, s->wide);
	s->b = any_value(m, s->wide);
	s->condition = condition(m);
}

static void add_conversion(struct maker *m, block *b)
{
	static const enum statement_kind kinds[] = {S_WIDEN, S_WIDE_PRODUCT, S_NARROW, S_CAST, S_LOADED};
	struct statement *s = add(m, b, kinds[below(5)]);

	s->by_sign = one_in(2);
	s->bits = one_in(2) ? 8 : 16;
	s->wide = s->kind == S_LOADED && one_in(4);
	s->to = s->kind == S_WIDEN || s->kind == S_WIDE_PRODUCT || s->wide ? wide_target(m) : narrow_target(m);
	s->a = s->kind == S_NARROW ? wide_value(m) : narrow_value(m);
	if (s->kind == S_CAST && s->a.constant)
		s->a = in(R_TID);
	s->b = one_in(2) ? number(small_number()) : narrow_value(m);
	s->guarded = one_in(6);
	s->condition = condition(m);
}

/* Of the table, at an index that is often within it. */
static void add_found(struct maker *m, block *b)
{
	static const unsigned bytes[] = {1, 2, 4, 8, 4};
	struct value index = narrow_value(m);
	struct statement *s;

	if (one_in(2)) {
		unsigned to = narrow_target(m);

		set(m, b, OP_AND, false, to, index, number(63));
		index = in(to);
	}
	s = add(m, b, S_FOUND);
	s->bytes = bytes[below(5)];
	s->wide = s->bytes == 8 || one_in(4);
	s->by_sign = one_in(2);
	s->a = index;
	s->to = s->wide ? wide_target(m) : narrow_target(m);
	s->guarded = one_in(6);
	s->condition = condition(m);
}

/* --- Accesses --- */

/* %rd11 is the address: what an index leads to behind a base. */
static void make_address(struct maker *m, block *b)
{
	unsigned at = WIDES - 1;
	struct statement *s = add(m, b, one_in(2) ? S_WIDEN : S_WIDE_PRODUCT);

	s->by_sign = !one_in(3);
	s->to = at;
	s->a = narrow_value(m);
	s->b = number((int64_t)1 << below(4));
	if (s->kind == S_WIDEN)
		set(m, b, one_in(2) ? OP_SHL : OP_MUL, true, at, in(at), number(1 + (int64_t)below(4)));
	set(m, b, OP_ADD, true, at, in(D_BASE + below(BASES)), in(at));
}

static void add_access(struct maker *m, block *b)
{
	static const unsigned bytes[] = {1, 2, 4, 8, 4};
	struct statement *s;
	bool made = !one_in(4);

	if (made)
		make_address(m, b);
	s = add(m, b, S_ACCESS);
	s->a = made ? in(WIDES - 1) : wide_value(m);
	s->a = s->a.constant ? in(D_BASE) : s->a;
	s->offset = one_in(2) ? 0 : 4 * (int64_t)below(10) - 16;
	s->bytes = bytes[below(5)];
	s->store = one_in(2);
	s->nth = m->program->naccesses++;
	s->guarded = one_in(4);
	s->condition = condition(m);
}

/* --- Control --- */

static void fill(struct maker *m, block *b, unsigned count);

static void add_branch(struct maker *m, block *b)
{
	struct statement *s = add(m, b, S_IF);

	s->condition = condition(m);
	fill(m, &s->body, 1 + below(4));
	if (one_in(2))
		fill(m, &s->other, 1 + below(3));
}

static void add_leave(struct maker *m, block *b)
{
	struct statement *s = add(m, b, S_LEAVE);

	s->condition = condition(m);
	s->leave = m->loops ? (enum leave)below(3) : LEAVE_RETURN;
}

/* A bound of a loop of numbers: a parameter, one less, a constant, what was loaded. */
static struct value bound(struct maker *m, block *b)
{
	unsigned to = R_FREE + 2;

	switch (below(6)) {
	case 0: return number((int64_t)below(40));
	case 1:
	case 2: return in(R_PARAM + below(PARAMS));
	case 3: set(m, b, OP_SUB, false, to, in(R_PARAM + below(PARAMS)), number(1 + (int64_t)below(3))); return in(to);
	case 4: {
		struct statement *s = add(m, b, one_in(2) ? S_LOADED : S_FOUND);

		s->to = to;
		s->bytes = 4;
		s->a = in(below(R_FREE));
		return in(to);
	}
	default: return narrow_value(m);
	}
}

static struct value loop_step(const struct maker *m, bool wide, bool down)
{
	int64_t by = one_in(2) ? 1 : 1 + (int64_t)below(8);

	if (!wide && !down && one_in(5))
		return in(one_in(2) ? R_NTID : R_PARAM + below(PARAMS));
	(void)m;
	return number(down ? -by : by);
}

/* A loop whose counter has 64 bits is tested by the lower 32. */
static void test_lower_half(struct maker *m, struct statement *loop, unsigned counter, enum relation how, bool by_sign,
			    struct value end)
{
	struct statement *s = add(m, &loop->other, S_NARROW);

	s->to = R_FREE + 7;
	s->a = in(counter);
	loop->condition = one_comparison(how, by_sign, false, in(R_FREE + 7), end);
	loop->tests_first = false;
}

/* for (i = a; i < n; i += c), its kin that go down or end by !=, and do { } while. */
static void add_loop(struct maker *m, block *b)
{
	bool wide = one_in(4), down = one_in(3), by_sign = one_in(2);
	unsigned counter = wide ? D_FREE + 1 + below(3) : R_FREE + 3 + below(4);
	bool *counts = wide ? &m->counts_wide[counter] : &m->counts_narrow[counter], was = *counts;
	static const enum relation up[] = {REL_LT, REL_LE, REL_NE, REL_LT},
				   downwards[] = {REL_GT, REL_GE, REL_NE, REL_GT};
	enum relation how = one_in(12) ? (enum relation)below(6) : (down ? downwards : up)[below(4)];
	struct value from = one_in(2) ? number(0) : any_value(m, wide), end, half;
	struct statement *s;

	if (wide) {
		end = one_in(2) ? wide_value(m) : in(D_FREE);
		if (one_in(2)) {
			from = in(D_BASE + below(BASES));
			set(m, b, OP_ADD, true, D_FREE, from, in(D_WIDE));
			end = in(D_FREE);
		}
	} else {
		end = bound(m, b);
		if (down && one_in(2)) {
			struct value swapped = from;

			from = end;
			end = swapped;
		}
	}
	set(m, b, OP_MOVE, wide, counter, from, number(0));
	half = wide ? bound(m, b) : end;
	s = add(m, b, S_LOOP);
	s->tests_first = !one_in(3);
	s->restarts = one_in(5);
	s->condition = one_comparison(how, by_sign, wide, in(counter), end);
	if (one_in(8)) {
		s->condition.all[s->condition.count++] = condition(m).all[0];
		s->condition.any = one_in(3);
	}
	*counts = true;
	m->loops++;
	fill(m, &s->body, 1 + below(4));
	if (!end.constant && one_in(6)) {
		struct statement *anew = add(m, &s->body, S_LOADED);

		anew->wide = wide;
		anew->to = wide ? D_FREE : end.reg;
	}
	set(m, &s->other, OP_ADD, wide, counter, in(counter), loop_step(m, wide, down));
	if (one_in(3))
		set(m, &s->other, OP_ADD, true, D_FREE + 4, in(D_FREE + 4), number(small_number()));
	if (wide && one_in(2))
		test_lower_half(m, s, counter, how, by_sign, half);
	m->loops--;
	*counts = was;
}

/* --- Loops as compilers unroll them --- */

/* What an unrolled loop is made of. Pointers move as the counter does. */
struct unrolled {
	unsigned counter, rest, distance, end, pointer, more; /* registers */
	unsigned times;                                       /* accesses of a round */
	int64_t size;                                         /* bytes from one to the next */
	struct value from, to;
	bool by_sign;
};

static void put_access(struct maker *m, block *b, unsigned at, int64_t offset)
{
	static const unsigned bytes[] = {1, 2, 4, 8, 4};
	struct statement *s = add(m, b, S_ACCESS);

	s->a = in(at);
	s->offset = offset;
	s->bytes = bytes[below(5)];
	s->store = one_in(3);
	s->nth = m->program->naccesses++;
}

/* Now and then a number is another one than the compiler's. */
static struct value mostly(int64_t n)
{
	return number(one_in(24) ? small_number() : n);
}

static block *when(struct maker *m, block *b, enum relation how, bool by_sign, struct value x, struct value y)
{
	struct statement *s;

	if (one_in(16))
		return b;
	s = add(m, b, S_IF);
	s->condition = one_comparison(how, by_sign, false, x, y);
	return &s->body;
}

/* The pointer at the counter. */
static void point(struct maker *m, block *b, const struct unrolled *u, int64_t offset)
{
	struct statement *s = add(m, b, one_in(2) ? S_WIDEN : S_WIDE_PRODUCT);

	s->by_sign = u->by_sign != one_in(16);
	s->to = u->more;
	s->a = in(u->counter);
	s->b = mostly(u->size);
	if (s->kind == S_WIDEN)
		set(m, b, OP_MUL, true, u->more, in(u->more), mostly(u->size));
	set(m, b, OP_ADD, true, u->pointer, in(D_BASE + below(BASES)), in(u->more));
	if (offset)
		set(m, b, OP_ADD, true, u->pointer, in(u->pointer), number(offset));
}

/* do { `times` accesses } while (condition), where what counts moves on. */
static void rounds(struct maker *m, block *b, const struct unrolled *u, unsigned times, int64_t offset,
		   struct condition condition)
{
	struct statement *s = add(m, b, S_LOOP);

	s->condition = condition;
	for (unsigned i = 0; i < times; i++)
		put_access(m, &s->body, u->pointer, offset + u->size * (int64_t)i);
	if (one_in(6))
		add_leave(m, &s->body);
	set(m, &s->other, OP_ADD, true, u->pointer, in(u->pointer), mostly(u->size * (int64_t)times));
	set(m, &s->other, OP_ADD, false, u->counter, in(u->counter), mostly((int64_t)times));
	if (times == 1)
		set(m, &s->other, OP_ADD, false, u->rest, in(u->rest), mostly(-1));
}

/* What is left over by whole rounds, by a count that goes down to 0. */
static void rest_rounds(struct maker *m, block *b, const struct unrolled *u)
{
	b = when(m, b, REL_NE, u->by_sign, in(u->rest), number(0));
	point(m, b, u, 0);
	rounds(m, b, u, 1, 0, one_comparison(REL_NE, u->by_sign, false, in(u->rest), number(0)));
}

static void whole_rounds(struct maker *m, block *b, const struct unrolled *u, struct condition condition)
{
	int64_t offset = one_in(2) ? 0 : u->size * (int64_t)below(3);

	set(m, b, OP_NOT, false, u->end, u->from, number(0));
	set(m, b, OP_ADD, false, u->end, one_in(2) ? u->to : in(u->distance), in(u->end));
	b = when(m, b, REL_GE, false, in(u->end), mostly(u->times - 1));
	point(m, b, u, offset);
	rounds(m, b, u, u->times, -offset, condition);
}

/* for (i = from; i < to; i++) in rounds of several: the rest comes before or behind them. */
static void add_unrolled(struct maker *m, block *b)
{
	struct unrolled u = {.counter = R_FREE + 3,
			     .rest = R_FREE + 4,
			     .distance = R_FREE + 5,
			     .end = R_FREE + 6,
			     .pointer = D_FREE + 1,
			     .more = D_FREE + 2,
			     .times = 2u << below(3),
			     .size = (int64_t)1 << below(4),
			     .from = narrow_value(m),
			     .by_sign = !one_in(4)};
	unsigned counted[] = {u.counter, u.rest};
	bool was[2];

	for (unsigned i = 0; i < 2; i++) {
		was[i] = m->counts_narrow[counted[i]];
		m->counts_narrow[counted[i]] = true;
	}
	u.to = bound(m, b);
	b = when(m, b, REL_LT, u.by_sign, u.from, u.to);
	set(m, b, OP_MOVE, false, u.distance, u.to, number(0));
	if (one_in(2)) {
		set(m, b, OP_ADD, false, u.distance, u.from, mostly(1));
		set(m, b, OP_MAX, false, u.distance, u.to, in(u.distance));
		vec_last(b)->by_sign = u.by_sign;
	}
	set(m, b, OP_SUB, false, u.distance, in(u.distance), u.from);
	set(m, b, OP_AND, false, u.rest, in(u.distance), mostly(u.times - 1));
	set(m, b, OP_MOVE, false, u.counter, u.from, number(0));
	m->loops++;
	if (one_in(2)) {
		rest_rounds(m, b, &u);
		whole_rounds(m, b, &u, one_comparison(REL_LT, u.by_sign, false, in(u.counter), u.to));
	} else {
		set(m, b, OP_SUB, false, u.distance, u.to, in(u.rest));
		whole_rounds(m, b, &u, one_comparison(REL_NE, u.by_sign, false, in(u.counter), in(u.distance)));
		rest_rounds(m, b, &u);
	}
	m->loops--;
	for (unsigned i = 0; i < 2; i++)
		m->counts_narrow[counted[i]] = was[i];
}

static void fill(struct maker *m, block *b, unsigned count)
{
	m->depth++;
	for (unsigned i = 0; i < count && m->statements < MOST_STATEMENTS; i++) {
		unsigned what = below(16);

		if (what < 4)
			add_number(m, b);
		else if (what < 5)
			add_idiom(m, b);
		else if (what < 6)
			add_choice(m, b);
		else if (what < 7 && one_in(2))
			add_found(m, b);
		else if (what < 7)
			add_conversion(m, b);
		else if (what < 8 && (m->loops || one_in(3)))
			add_leave(m, b);
		else if (what < 12 || m->depth > MOST_DEPTH)
			add_access(m, b);
		else if (what < 14)
			one_in(3) ? add_unrolled(m, b) : add_loop(m, b);
		else
			add_branch(m, b);
	}
	m->depth--;
}

struct program *program_make(uint64_t seed)
{
	struct program *p = xcalloc(1, sizeof *p);
	struct maker m = {.program = p};

	program_seed(seed);
	for (unsigned i = below(4); i > 0; i--)
		add(&m, &p->body, S_LOADED)->to = R_FREE + below(NARROWS - R_FREE);
	for (unsigned i = below(3); i > 0; i--)
		add_found(&m, &p->body);
	fill(&m, &p->body, 4 + below(10));
	add_access(&m, &p->body);
	return p;
}

void program_free(struct program *p)
{
	for (size_t i = 0; i < p->all.len; i++) {
		vec_release(&p->all.data[i]->body);
		vec_release(&p->all.data[i]->other);
		free(p->all.data[i]);
	}
	vec_release(&p->all);
	vec_release(&p->body);
	free(p);
}
