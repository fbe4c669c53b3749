/*
 * Private to ranges: bounds as text can show them, sums of products of a launch's parameters and dimensions.
 *
 *   4*n*m - 4 is {4, {n, m}} and {-4, {}}.
 *
 * The factors of a product are atoms: a parameter, a dimension of the launch, a variable's address, or an operation
 * whose operands are sums and that is no sum itself (min, max, a quotient, bits). Arithmetic is that of integers:
 * nothing goes round. A sum that would take more room than this is not known.
 */
#ifndef ROMARK_PTX_SUMS_H
#define ROMARK_PTX_SUMS_H

#include "common/strbuf.h"
#include "common/vec.h"
#include "ptx-analyzer/ranges/ranges.h"

enum { MOST_TERMS = 8, MOST_FACTORS = 4 };

struct term {
	int64_t number;
	uint16_t atoms[MOST_FACTORS]; /* of the table, each + 1, ascending from the end; 0: no factor */
};

struct sum {
	bool known;
	uint8_t count;
	struct term terms[MOST_TERMS]; /* by their atoms, most factors first; none has the number 0 */
};

enum atom_kind {
	ATOM_PARAM,     /* at byte `number` of the parameters, of `width` bits, read as signed */
	ATOM_DIMENSION, /* enum ptx_sreg `number`: of ntid or nctaid */
	ATOM_VARIABLE,  /* address of symbol `number` */
	ATOM_MIN,       /* of a and b, and so on */
	ATOM_MAX,
	ATOM_QUOTIENT, /* rounded to 0 */
	ATOM_REST,
	ATOM_AND,
};

struct atom {
	enum atom_kind kind;
	uint64_t number;
	unsigned width;
	struct sum a, b;
};
typedef VEC(struct atom) atom_list;

struct sum sum_none(void);
struct sum sum_of(int64_t number);
/* The atom itself; it is added to the list where it is new. */
struct sum sum_of_atom(atom_list *atoms, const struct atom *atom);
struct sum sum_of_operation(atom_list *atoms, enum atom_kind kind, struct sum a, struct sum b);

bool sum_is_number(const struct sum *s, int64_t *number);
bool sum_equal(const struct sum *a, const struct sum *b);
struct sum sum_add(struct sum a, struct sum b);
struct sum sum_times(struct sum a, int64_t number);
struct sum sum_sub(struct sum a, struct sum b);
struct sum sum_product(struct sum a, struct sum b);
/* For every launch at least 0: numbers and products of dimensions alone, none of them negative. */
bool sum_is_natural(const atom_list *atoms, const struct sum *s);
struct sum sum_min(atom_list *atoms, struct sum a, struct sum b);
struct sum sum_max(atom_list *atoms, struct sum a, struct sum b);
/* a / by, as atoms where that has a rest; by > 0. */
struct sum sum_quotient(atom_list *atoms, struct sum a, int64_t by);

/* The number at a launch; false where a part of it is not known or does not fit 64 bits. */
bool sum_evaluate(const atom_list *atoms, const struct sum *s, const struct range_launch *launch, int64_t *number);

/* What a parameter or a variable is called: appends to `out`. */
struct sum_names {
	void (*param)(void *data, uint64_t place, struct strbuf *out);
	void (*variable)(void *data, uint32_t symbol, struct strbuf *out);
	void *data;
};
void sum_text(const atom_list *atoms, const struct sum *s, const struct sum_names *names, struct strbuf *out);

#endif
