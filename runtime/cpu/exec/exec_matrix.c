/*
 * Matrix instructions. mma and ldmatrix have the register layouts of the PTX manual; wmma fragments are opaque there,
 * so they have the simple one of fragment_place.
 *
 * Products are exact; sums are made in double precision, where integers are exact too, and rounded once at the end.
 */
#include "runtime/cpu/engine/half.h"
#include "runtime/cpu/exec/lanes.h"
#include "runtime/cpu/exec/matrix.h"

/* --- Elements in registers --- */

/* Element `i` of what lane `lane` holds in the registers `regs`, as a double or an integer in *bits. */
static uint64_t element_bits(const struct warp *w, const uint32_t *regs, const struct element_type *t, unsigned lane,
			     unsigned i)
{
	unsigned per_register = t->bits >= 32 ? 1 : 32 / t->bits;
	const uint8_t *r = source(w, regs[i / per_register]);
	uint64_t word = 0;

	memcpy(&word, r + (size_t)lane * (t->bits == 64 ? 8 : 4), t->bits == 64 ? 8 : 4);
	word >>= i % per_register * t->bits;
	return t->bits == 64 ? word : word & ((UINT64_C(1) << t->bits) - 1);
}

static double element_value(uint64_t bits, const struct element_type *t)
{
	switch (t->kind) {
	case ELEMENT_F16: return f16_to_f32((uint16_t)bits);
	case ELEMENT_BF16: return bf16_to_f32((uint16_t)bits);
	/* The low 13 bits of a TF32 operand are ignored. */
	case ELEMENT_TF32: return bits_float((uint32_t)bits & 0xffffe000);
	case ELEMENT_F32: return bits_float((uint32_t)bits);
	case ELEMENT_F64: return bits_double(bits);
	case ELEMENT_UNSIGNED: return (double)bits;
	default: return (double)((int64_t)(bits << (64 - t->bits)) >> (64 - t->bits));
	}
}

static uint64_t value_bits(double value, const struct element_type *t, bool saturate)
{
	switch (t->kind) {
	case ELEMENT_F16: return f64_to_f16(value, ROUND_NEAREST);
	case ELEMENT_F32: return float_bits(canonical((float)value));
	case ELEMENT_F64: return double_bits(value);
	default: break;
	}
	/* 32-bit integer sums are below 2^53: they wrap exactly. */
	if (saturate)
		value = value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : value;
	return (uint32_t)(int64_t)value;
}

static void put_element(const struct warp *w, const uint32_t *regs, const struct element_type *t, unsigned lane,
			unsigned i, uint64_t bits)
{
	unsigned per_register = t->bits >= 32 ? 1 : 32 / t->bits, shift = i % per_register * t->bits;
	uint32_t *word;

	if (t->bits == 64) {
		((uint64_t *)destination(w, regs[i]))[lane] = bits;
		return;
	}
	word = (uint32_t *)destination(w, regs[i / per_register]) + lane;
	if (t->bits == 32)
		*word = (uint32_t)bits;
	else
		*word = (*word & ~(((1u << t->bits) - 1) << shift)) | (uint32_t)bits << shift;
}

/* --- Places of elements --- */

/* mma: groups of four lanes share a row of A and C and a column of B. */
static struct place mma_a(const struct element_type *t, unsigned lane, unsigned i)
{
	unsigned per = t->bits >= 32 ? 1 : 32 / t->bits, reg = i / per;

	return (struct place){lane / 4 + 8 * (reg & 1), lane % 4 * per + i % per + reg / 2 * 4 * per};
}

static struct place mma_b(const struct element_type *t, unsigned lane, unsigned i)
{
	unsigned per = t->bits >= 32 ? 1 : 32 / t->bits;

	return (struct place){lane % 4 * per + i % per + i / per * 4 * per, lane / 4};
}

static struct place mma_c(unsigned lane, unsigned i)
{
	return (struct place){lane / 4 + 8 * (i / 2), lane % 4 * 2 + i % 2};
}

typedef double matrix[32][32];

static struct place place_of(const struct fragment *f, bool wmma, unsigned lane, unsigned i)
{
	if (wmma)
		return fragment_place(f, lane, i);
	return f->role == FRAGMENT_A   ? mma_a(&f->type, lane, i)
	       : f->role == FRAGMENT_B ? mma_b(&f->type, lane, i)
				       : mma_c(lane, i);
}

static void gather(const struct warp *w, const struct fragment *f, bool wmma, matrix m)
{
	for (unsigned lane = 0; lane < LANES; lane++)
		for (unsigned i = 0; i < f->count; i++) {
			struct place p = place_of(f, wmma, lane, i);

			m[p.row][p.col] = element_value(element_bits(w, f->regs, &f->type, lane, i), &f->type);
		}
}

/* d = a b + c for all lanes together; in->matrix has types, shapes and registers. */
EXEC_FUNCTION(multiply)
{
	const struct matrix_op *op = in->matrix;
	matrix a, b, c;

	(void)mask;
	gather(w, &op->a, op->wmma, a);
	gather(w, &op->b, op->wmma, b);
	gather(w, &op->c, op->wmma, c);
	for (unsigned lane = 0; lane < LANES; lane++)
		for (unsigned i = 0; i < op->d.count; i++) {
			struct place p = place_of(&op->d, op->wmma, lane, i);
			double sum = c[p.row][p.col];

			for (unsigned k = 0; k < op->a.cols; k++)
				sum += a[p.row][k] * b[k][p.col];
			put_element(w, op->d.regs, &op->d.type, lane, i, value_bits(sum, &op->d.type, op->saturate));
		}
	return STOP_NOT;
}

/* --- wmma.load, wmma.store --- */

/* Host address of element `i` of a lane, or NULL. */
static uint8_t *element_pointer(const struct warp *w, const struct inst *in, const struct fragment *f, unsigned lane,
				unsigned i)
{
	uint64_t at = fragment_address(w, in, lane, i);
	size_t bytes = f->type.bits / 8;

	return at & (bytes - 1) ? NULL : lane_pointer(w, (enum ptx_space)in->space, lane, at, bytes);
}

EXEC_FUNCTION(wmma_load)
{
	const struct fragment *f = &in->matrix->d;

	(void)mask;
	for (unsigned lane = 0; lane < LANES; lane++)
		for (unsigned i = 0; i < f->count; i++) {
			const uint8_t *from = element_pointer(w, in, f, lane, i);
			uint64_t bits = 0;

			if (!from)
				return fault_at(w, in, lane_bit[lane], DEVICE_ILLEGAL_ADDRESS,
						"the matrix lies outside memory or is misaligned");
			memcpy(&bits, from, f->type.bits / 8);
			put_element(w, f->regs, &f->type, lane, i, bits);
		}
	return STOP_NOT;
}

EXEC_FUNCTION(wmma_store)
{
	const struct fragment *f = &in->matrix->d;

	(void)mask;
	for (unsigned lane = 0; lane < LANES; lane++)
		for (unsigned i = 0; i < f->count; i++) {
			uint8_t *to = element_pointer(w, in, f, lane, i);
			uint64_t bits = element_bits(w, f->regs, &f->type, lane, i);

			if (!to)
				return fault_at(w, in, lane_bit[lane], DEVICE_ILLEGAL_ADDRESS,
						"the matrix lies outside memory or is misaligned");
			memcpy(to, &bits, f->type.bits / 8);
		}
	return STOP_NOT;
}

/* --- ldmatrix, stmatrix, movmatrix: 8 x 8 matrices of 16 bits; lanes 8 q to 8 q + 7 have the rows of matrix q --- */

static struct place small_place(unsigned lane, unsigned half, bool transposed)
{
	struct place p = {lane / 4, lane % 4 * 2 + half};

	return transposed ? (struct place){p.col, p.row} : p;
}

/* in->e: matrices; in->variant: 1 = transposed */
static int move_matrices(struct warp *w, const struct inst *in, bool load)
{
	uint64_t address[LANES];
	uint8_t *row[LANES];

	lane_addresses(w, in, address);
	for (unsigned lane = 0; lane < 8u * in->e; lane++) {
		row[lane] =
		    address[lane] & 15 ? NULL : lane_pointer(w, (enum ptx_space)in->space, lane, address[lane], 16);
		if (!row[lane])
			return fault_address(w, in, lane,
					     address[lane] & 15 ? DEVICE_MISALIGNED : DEVICE_ILLEGAL_ADDRESS,
					     address[lane]);
	}
	for (unsigned q = 0; q < in->e; q++)
		for (unsigned lane = 0; lane < LANES; lane++)
			for (unsigned half = 0; half < 2; half++) {
				struct place p = small_place(lane, half, in->variant);
				uint8_t *in_memory = row[8 * q + p.row] + 2 * p.col;
				uint8_t *in_register =
				    (uint8_t *)(uintptr_t)source(w, in->list[q]) + 4 * lane + 2 * half;

				memcpy(load ? in_register : in_memory, load ? in_memory : in_register, 2);
			}
	return STOP_NOT;
}

EXEC_FUNCTION(ldmatrix)
{
	(void)mask;
	return move_matrices(w, in, true);
}

EXEC_FUNCTION(stmatrix)
{
	(void)mask;
	return move_matrices(w, in, false);
}

EXEC_FUNCTION(movmatrix)
{
	uint16_t m[8][8];
	uint32_t *rd = destination(w, in->d);
	const uint32_t *ra = source(w, in->a);

	(void)mask;
	for (unsigned lane = 0; lane < LANES; lane++)
		for (unsigned half = 0; half < 2; half++)
			m[lane / 4][lane % 4 * 2 + half] = (uint16_t)(ra[lane] >> 16 * half);
	for (unsigned lane = 0; lane < LANES; lane++)
		rd[lane] = m[lane % 4 * 2][lane / 4] | (uint32_t)m[lane % 4 * 2 + 1][lane / 4] << 16;
	return STOP_NOT;
}

#define ROW(op, fn) {PTX_OP_##op, {PTX_untyped}, PTX_MOD_NONE, 0, fn, 0}

extern const struct exec_row EXEC_TABLE(exec_matrix)[];
const struct exec_row EXEC_TABLE(exec_matrix)[] = {
    ROW(mma, multiply),      ROW(wmma_mma, multiply), ROW(wmma_load, wmma_load), ROW(wmma_store, wmma_store),
    ROW(ldmatrix, ldmatrix), ROW(stmatrix, stmatrix), ROW(movmatrix, movmatrix), {0}};
