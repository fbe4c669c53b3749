/* Sums of products: arithmetic that is exact or gives up, their numbers at a launch, and their text. */
#include "ptx-analyzer/ranges/sums.h"

#include "ptx-analyzer/language/table/vocabulary.h"

#include <inttypes.h>
#include <string.h>

/* --- Making --- */

struct sum sum_none(void)
{
	return (struct sum){.known = false};
}

struct sum sum_of(int64_t number)
{
	struct sum s = {.known = true};

	if (number)
		s.terms[s.count++].number = number;
	return s;
}

static struct sum of_atom_number(size_t index)
{
	struct sum s = {.known = true, .count = 1, .terms = {{.number = 1}}};

	s.terms[0].atoms[0] = (uint16_t)(index + 1);
	return s;
}

struct sum sum_of_atom(atom_list *atoms, const struct atom *atom)
{
	size_t i = 0;

	for (; i < atoms->len; i++) {
		const struct atom *known = &atoms->data[i];

		if (known->kind == atom->kind && known->number == atom->number && known->width == atom->width &&
		    sum_equal(&known->a, &atom->a) && sum_equal(&known->b, &atom->b))
			break;
	}
	if (i == UINT16_MAX - 1)
		return sum_none();
	if (i == atoms->len)
		vec_push(atoms, *atom);
	return of_atom_number(i);
}

/* The depth of operations in a sum. */
static unsigned depth_of(const atom_list *atoms, const struct sum *s)
{
	unsigned depth = 0;

	for (unsigned i = 0; i < s->count; i++)
		for (unsigned f = 0; f < MOST_FACTORS && s->terms[i].atoms[f]; f++) {
			const struct atom *a = &atoms->data[s->terms[i].atoms[f] - 1];
			unsigned of_a, of_b;

			if (a->kind < ATOM_MIN)
				continue;
			of_a = depth_of(atoms, &a->a);
			of_b = depth_of(atoms, &a->b);
			of_a = 1 + (of_a > of_b ? of_a : of_b);
			depth = of_a > depth ? of_a : depth;
		}
	return depth;
}

/* Nobody reads operations that are deeper in each other. */
enum { MOST_DEPTH = 2 };

struct sum sum_of_operation(atom_list *atoms, enum atom_kind kind, struct sum a, struct sum b)
{
	struct atom atom = {.kind = kind, .a = a, .b = b};

	if (!a.known || !b.known || depth_of(atoms, &a) >= MOST_DEPTH || depth_of(atoms, &b) >= MOST_DEPTH)
		return sum_none();
	return sum_of_atom(atoms, &atom);
}

/* --- Arithmetic --- */

bool sum_is_number(const struct sum *s, int64_t *number)
{
	*number = s->count ? s->terms[0].number : 0;
	return s->known && (s->count == 0 || (s->count == 1 && s->terms[0].atoms[0] == 0));
}

static int compare_atoms(const struct term *a, const struct term *b)
{
	for (unsigned i = 0; i < MOST_FACTORS; i++)
		if (a->atoms[i] != b->atoms[i])
			return a->atoms[i] > b->atoms[i] ? -1 : 1;
	return 0;
}

bool sum_equal(const struct sum *a, const struct sum *b)
{
	if (a->known != b->known || a->count != b->count)
		return false;
	for (unsigned i = 0; i < a->count; i++)
		if (a->terms[i].number != b->terms[i].number || compare_atoms(&a->terms[i], &b->terms[i]) != 0)
			return false;
	return true;
}

/* Adds the term in its place. */
static bool add_term(struct sum *s, struct term t)
{
	unsigned i = 0;

	while (i < s->count && compare_atoms(&s->terms[i], &t) < 0)
		i++;
	if (i < s->count && compare_atoms(&s->terms[i], &t) == 0) {
		if (__builtin_add_overflow(s->terms[i].number, t.number, &s->terms[i].number))
			return false;
		if (s->terms[i].number == 0) {
			memmove(&s->terms[i], &s->terms[i + 1], (s->count - i - 1u) * sizeof t);
			s->count--;
		}
		return true;
	}
	if (s->count == MOST_TERMS)
		return false;
	memmove(&s->terms[i + 1], &s->terms[i], (s->count - i) * sizeof t);
	s->terms[i] = t;
	s->count++;
	return true;
}

struct sum sum_add(struct sum a, struct sum b)
{
	if (!a.known || !b.known)
		return sum_none();
	for (unsigned i = 0; i < b.count; i++)
		if (!add_term(&a, b.terms[i]))
			return sum_none();
	return a;
}

/* The product of two terms; false where it has too many factors. */
static bool multiply_terms(const struct term *a, const struct term *b, struct term *product)
{
	unsigned i = 0, j = 0, n = 0;

	*product = (struct term){.number = 0};
	if (__builtin_mul_overflow(a->number, b->number, &product->number))
		return false;
	while ((i < MOST_FACTORS && a->atoms[i]) || (j < MOST_FACTORS && b->atoms[j])) {
		uint16_t x = i < MOST_FACTORS ? a->atoms[i] : 0, y = j < MOST_FACTORS ? b->atoms[j] : 0;

		if (n == MOST_FACTORS)
			return false;
		product->atoms[n++] = x >= y ? x : y;
		if (x >= y)
			i++;
		else
			j++;
	}
	return true;
}

struct sum sum_product(struct sum a, struct sum b)
{
	struct sum s = sum_of(0);

	if (!a.known || !b.known)
		return sum_none();
	for (unsigned i = 0; i < a.count; i++)
		for (unsigned j = 0; j < b.count; j++) {
			struct term t;

			if (!multiply_terms(&a.terms[i], &b.terms[j], &t) || !add_term(&s, t))
				return sum_none();
		}
	return s;
}

struct sum sum_times(struct sum a, int64_t number)
{
	return sum_product(a, sum_of(number));
}

struct sum sum_sub(struct sum a, struct sum b)
{
	return sum_add(a, sum_times(b, -1));
}

/* --- Order --- */

/* Dimensions are at least 1, so a sum of their products is at least the sum of its numbers. */
bool sum_is_natural(const atom_list *atoms, const struct sum *s)
{
	int64_t least = 0;

	if (!s->known)
		return false;
	for (unsigned i = 0; i < s->count; i++) {
		for (unsigned f = 0; f < MOST_FACTORS && s->terms[i].atoms[f]; f++)
			if (atoms->data[s->terms[i].atoms[f] - 1].kind != ATOM_DIMENSION || s->terms[i].number < 0)
				return false;
		if (__builtin_add_overflow(least, s->terms[i].number, &least))
			return false;
	}
	return least >= 0;
}

struct sum sum_min(atom_list *atoms, struct sum a, struct sum b)
{
	struct sum more = sum_sub(a, b), less = sum_sub(b, a);

	if (sum_is_natural(atoms, &more))
		return b;
	return sum_is_natural(atoms, &less) ? a : sum_of_operation(atoms, ATOM_MIN, a, b);
}

struct sum sum_max(atom_list *atoms, struct sum a, struct sum b)
{
	struct sum more = sum_sub(a, b), less = sum_sub(b, a);

	if (sum_is_natural(atoms, &more))
		return a;
	return sum_is_natural(atoms, &less) ? b : sum_of_operation(atoms, ATOM_MAX, a, b);
}

struct sum sum_quotient(atom_list *atoms, struct sum a, int64_t by)
{
	struct sum whole = a;
	bool divides = a.known;

	for (unsigned i = 0; i < a.count && divides; i++) {
		divides = a.terms[i].number % by == 0;
		whole.terms[i].number /= by;
	}
	return divides ? whole : sum_of_operation(atoms, ATOM_QUOTIENT, a, sum_of(by));
}

/* --- At a launch --- */

static bool leaf(const struct atom *a, const struct range_launch *l, int64_t *number)
{
	uint64_t bits = 0;

	switch (a->kind) {
	case ATOM_PARAM:
		if (a->number > l->param_bytes || a->width / 8 > l->param_bytes - a->number)
			return false;
		for (unsigned i = a->width / 8; i-- > 0;)
			bits = bits << 8 | ((const uint8_t *)l->params)[a->number + i];
		*number = (int64_t)(bits << (64 - a->width)) >> (64 - a->width);
		return true;
	case ATOM_DIMENSION:
		*number = a->number >= PTX_SREG_nctaid_x ? l->grid[a->number - PTX_SREG_nctaid_x]
							 : l->block[a->number - PTX_SREG_ntid_x];
		return true;
	default:
		if (!l->variable || !l->variable(l->data, (uint32_t)a->number, &bits))
			return false;
		*number = (int64_t)bits;
		return true;
	}
}

static bool atom_evaluate(const atom_list *atoms, const struct atom *atom, const struct range_launch *l,
			  int64_t *number)
{
	int64_t a, b;

	if (atom->kind < ATOM_MIN)
		return leaf(atom, l, number);
	if (!sum_evaluate(atoms, &atom->a, l, &a) || !sum_evaluate(atoms, &atom->b, l, &b))
		return false;
	switch (atom->kind) {
	case ATOM_MIN: *number = a < b ? a : b; return true;
	case ATOM_MAX: *number = a > b ? a : b; return true;
	case ATOM_AND: *number = a & b; return true;
	default:
		if (b == 0 || (b == -1 && a == INT64_MIN))
			return false;
		*number = atom->kind == ATOM_QUOTIENT ? a / b : a % b;
		return true;
	}
}

bool sum_evaluate(const atom_list *atoms, const struct sum *s, const struct range_launch *launch, int64_t *number)
{
	*number = 0;
	for (unsigned i = 0; i < s->count; i++) {
		int64_t product = s->terms[i].number, factor;

		for (unsigned f = 0; f < MOST_FACTORS && s->terms[i].atoms[f]; f++)
			if (!atom_evaluate(atoms, &atoms->data[s->terms[i].atoms[f] - 1], launch, &factor) ||
			    __builtin_mul_overflow(product, factor, &product))
				return false;
		if (__builtin_add_overflow(*number, product, number))
			return false;
	}
	return s->known;
}

/* --- Text --- */

static void operand_text(const atom_list *atoms, const struct sum *s, const struct sum_names *names, struct strbuf *out)
{
	bool brackets = s->count > 1 || (s->count && s->terms[0].number != 1 && s->terms[0].atoms[0]);

	strbuf_adds(out, brackets ? "(" : "");
	sum_text(atoms, s, names, out);
	strbuf_adds(out, brackets ? ")" : "");
}

static void infix_text(const atom_list *atoms, const struct atom *a, const char *sign, const struct sum_names *names,
		       struct strbuf *out)
{
	strbuf_addc(out, '(');
	operand_text(atoms, &a->a, names, out);
	strbuf_adds(out, sign);
	operand_text(atoms, &a->b, names, out);
	strbuf_addc(out, ')');
}

static void atom_text(const atom_list *atoms, const struct atom *a, const struct sum_names *names, struct strbuf *out)
{
	static const char *const signs[] = {[ATOM_QUOTIENT] = " / ", [ATOM_REST] = " % ", [ATOM_AND] = " & "};

	switch (a->kind) {
	case ATOM_PARAM: names->param(names->data, a->number, out); break;
	case ATOM_DIMENSION: strbuf_adds(out, ptx_sreg_name((enum ptx_sreg)a->number) + 1); break;
	case ATOM_VARIABLE: names->variable(names->data, (uint32_t)a->number, out); break;
	case ATOM_MIN:
	case ATOM_MAX:
		strbuf_adds(out, a->kind == ATOM_MIN ? "min(" : "max(");
		sum_text(atoms, &a->a, names, out);
		strbuf_adds(out, ", ");
		sum_text(atoms, &a->b, names, out);
		strbuf_addc(out, ')');
		break;
	default: infix_text(atoms, a, signs[a->kind], names, out); break;
	}
}

static void term_text(const atom_list *atoms, const struct term *t, const struct sum_names *names, struct strbuf *out)
{
	uint64_t size = t->number < 0 ? 0 - (uint64_t)t->number : (uint64_t)t->number;

	if (size != 1 || !t->atoms[0])
		strbuf_addf(out, "%" PRIu64 "%s", size, t->atoms[0] ? "*" : "");
	for (unsigned f = 0; f < MOST_FACTORS && t->atoms[f]; f++) {
		strbuf_adds(out, f ? "*" : "");
		atom_text(atoms, &atoms->data[t->atoms[f] - 1], names, out);
	}
}

void sum_text(const atom_list *atoms, const struct sum *s, const struct sum_names *names, struct strbuf *out)
{
	unsigned first = 0;

	if (s->count == 0)
		strbuf_addc(out, '0');
	/* What is taken away stands behind something, if there is something. */
	while (first < s->count && s->terms[first].number < 0)
		first++;
	first = first == s->count ? 0 : first;
	for (unsigned i = 0; i < s->count; i++) {
		const struct term *t = &s->terms[i == 0 ? first : i <= first ? i - 1 : i];

		if (i)
			strbuf_adds(out, t->number < 0 ? " - " : " + ");
		else if (t->number < 0)
			strbuf_addc(out, '-');
		term_text(atoms, t, names, out);
	}
}
