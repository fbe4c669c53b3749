/* Intervals through instructions. What may wrap, and what is not known, gives all numbers of the type. */
#include "ptx-analyzer/flow/interval_math.h"

#include "ptx-analyzer/flow/flow.h"

enum { MOST_THREADS = 1024, WARP_LANES = 32 };

struct interval interval_full(unsigned bits)
{
	if (bits >= 64)
		return (struct interval){INT64_MIN, INT64_MAX};
	return (struct interval){-((int64_t)1 << (bits - 1)), ((int64_t)1 << (bits - 1)) - 1};
}

struct interval interval_hull(struct interval a, struct interval b)
{
	return (struct interval){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

struct interval interval_meet(struct interval a, struct interval b)
{
	return (struct interval){a.low > b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
}

struct interval interval_fit(struct interval v, unsigned bits)
{
	struct interval full = interval_full(bits);

	return v.low >= full.low && v.high <= full.high ? v : full;
}

static bool is_signed(enum ptx_type type)
{
	return ptx_type_kind(type) == PTX_KIND_SIGNED;
}

/* All numbers of the type; those of 64 bits without a sign do not fit and are read with one. */
struct interval interval_of_type(enum ptx_type type)
{
	unsigned bits = ptx_type_bits(type);

	if (is_signed(type) || bits >= 64)
		return interval_full(bits);
	return (struct interval){0, ((int64_t)1 << bits) - 1};
}

struct interval interval_as(struct interval v, enum ptx_type type)
{
	struct interval all = interval_of_type(type);

	return v.low >= all.low && v.high <= all.high ? v : all;
}

struct interval interval_of_sreg(enum ptx_sreg sreg)
{
	switch (sreg) {
	case PTX_SREG_tid_x:
	case PTX_SREG_tid_y:
	case PTX_SREG_tid_z: return (struct interval){0, MOST_THREADS - 1};
	case PTX_SREG_ntid_x:
	case PTX_SREG_ntid_y:
	case PTX_SREG_ntid_z: return (struct interval){1, MOST_THREADS};
	case PTX_SREG_laneid: return (struct interval){0, WARP_LANES - 1};
	case PTX_SREG_ctaid_x:
	case PTX_SREG_ctaid_y:
	case PTX_SREG_ctaid_z: return (struct interval){0, INT32_MAX - 1};
	case PTX_SREG_nctaid_x:
	case PTX_SREG_nctaid_y:
	case PTX_SREG_nctaid_z: return (struct interval){1, INT32_MAX};
	default: return interval_full(64);
	}
}

/* --- Arithmetic --- */

/* What cannot be computed is everything, which the caller fits to the register. */
static const struct interval everything = {INT64_MIN, INT64_MAX};

static bool is_natural(struct interval v)
{
	return v.low >= 0;
}

static struct interval add(struct interval a, struct interval b)
{
	struct interval sum;

	if (__builtin_add_overflow(a.low, b.low, &sum.low) || __builtin_add_overflow(a.high, b.high, &sum.high))
		return everything;
	return sum;
}

static struct interval subtract(struct interval a, struct interval b)
{
	struct interval v;

	if (__builtin_sub_overflow(a.low, b.high, &v.low) || __builtin_sub_overflow(a.high, b.low, &v.high))
		return everything;
	return v;
}

static struct interval multiply(struct interval a, struct interval b)
{
	const int64_t x[] = {a.low, a.low, a.high, a.high}, y[] = {b.low, b.high, b.low, b.high};
	struct interval v = {INT64_MAX, INT64_MIN};

	for (unsigned i = 0; i < 4; i++) {
		int64_t product;

		if (__builtin_mul_overflow(x[i], y[i], &product))
			return everything;
		v = interval_hull(v, (struct interval){product, product});
	}
	return v;
}

static struct interval divide(struct interval a, struct interval b)
{
	if (b.low != b.high || b.low <= 0)
		return everything;
	return (struct interval){a.low / b.low, a.high / b.low};
}

/* A remainder has the dividend's sign and is less than the divisor. */
static struct interval remainder_of(struct interval a, struct interval b)
{
	struct interval v;

	if (b.low <= 0)
		return everything;
	v = (struct interval){a.low < 0 ? 1 - b.high : 0, a.high > 0 ? b.high - 1 : 0};
	return is_natural(a) && a.high < v.high ? (struct interval){0, a.high} : v;
}

static struct interval shift_left(struct interval a, struct interval by, unsigned bits)
{
	if (by.low != by.high || by.low < 0 || by.low >= bits || by.low > 62)
		return everything;
	return multiply(a, (struct interval){(int64_t)1 << by.low, (int64_t)1 << by.low});
}

/* `shr` with a sign rounds down, which is how the compiler's `>>` rounds, too. */
static struct interval shift_right(struct interval a, struct interval by, unsigned bits)
{
	if (by.low != by.high || by.low < 0 || by.low >= bits)
		return is_natural(a) && is_natural(by) ? (struct interval){0, a.high} : everything;
	return (struct interval){a.low >> by.low, a.high >> by.low};
}

static struct interval mask(struct interval a, struct interval b)
{
	int64_t high = INT64_MAX;

	if (is_natural(a))
		high = a.high;
	if (is_natural(b) && b.high < high)
		high = b.high;
	return is_natural(a) || is_natural(b) ? (struct interval){0, high} : everything;
}

/* Neither `or` nor `xor` sets a bit above the highest one of either. */
static struct interval join_bits(struct interval a, struct interval b)
{
	int64_t high = 1;

	if (!is_natural(a) || !is_natural(b))
		return everything;
	while (high <= a.high || high <= b.high) {
		if (high > INT64_MAX / 2)
			return (struct interval){0, INT64_MAX};
		high *= 2;
	}
	return (struct interval){0, high - 1};
}

static struct interval least(struct interval a, struct interval b)
{
	return (struct interval){a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
}

static struct interval greatest(struct interval a, struct interval b)
{
	return (struct interval){a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

/* The conversion cuts what does not fit, and the register gets the number of the type that is left. */
static struct interval convert(const struct ptx_inst *inst, struct interval v)
{
	enum ptx_type to = inst->opcode->type[0], from = inst->opcode->type[1];

	if (ptx_type_kind(from) == PTX_KIND_FLOAT)
		return interval_of_type(to);
	v = interval_as(v, from);
	if (ptx_type_bits(from) == 64 && !is_signed(from) && ptx_type_bits(to) < 64 && v.low < 0)
		return interval_of_type(to);
	return interval_as(v, to);
}

/* 64-bit numbers without a sign that reach beyond the largest with one are read as negative ones: nothing is known. */
static bool is_ambiguous(const struct ptx_inst *inst, struct interval v)
{
	return !is_signed(inst->opcode->type[0]) && ptx_type_bits(inst->opcode->type[0]) == 64 && v.low < 0;
}

struct interval interval_compute(const struct ptx_inst *inst, const struct interval *s)
{
	enum ptx_type type = inst->opcode->type[0];
	unsigned bits = ptx_type_bits(type);
	bool wide = ptx_has_mod(inst->opcode, PTX_MOD_wide), high = ptx_has_mod(inst->opcode, PTX_MOD_hi);
	struct interval a = interval_as(s[0], type), b = interval_as(s[1], type);
	bool ambiguous = is_ambiguous(inst, s[0]) || is_ambiguous(inst, s[1]);

	if (high || ptx_has_mod(inst->opcode, PTX_MOD_sat) || flow_is_packed(type))
		return everything;
	switch (inst->opcode->op) {
	case PTX_OP_mov: return s[0];
	case PTX_OP_cvt: return convert(inst, s[0]);
	case PTX_OP_add: return add(s[0], s[1]);
	case PTX_OP_sub: return subtract(s[0], s[1]);
	case PTX_OP_neg: return subtract((struct interval){0, 0}, s[0]);
	case PTX_OP_mul: return wide ? multiply(a, b) : multiply(s[0], s[1]);
	case PTX_OP_mad: return add(wide ? multiply(a, b) : interval_fit(multiply(s[0], s[1]), bits), s[2]);
	case PTX_OP_shl: return shift_left(s[0], s[1], bits);
	case PTX_OP_shr: return ambiguous ? everything : shift_right(a, s[1], bits);
	case PTX_OP_div: return ambiguous ? everything : divide(a, b);
	case PTX_OP_rem: return ambiguous ? everything : remainder_of(a, b);
	case PTX_OP_and: return mask(s[0], s[1]);
	case PTX_OP_or:
	case PTX_OP_xor: return join_bits(s[0], s[1]);
	case PTX_OP_min: return ambiguous ? everything : least(a, b);
	case PTX_OP_max: return ambiguous ? everything : greatest(a, b);
	case PTX_OP_selp: return interval_hull(s[0], s[1]);
	case PTX_OP_popc:
	case PTX_OP_clz: return (struct interval){0, 64};
	default: return everything;
	}
}
