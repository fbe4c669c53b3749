/* The result of decoding a matrix instruction: the type, shape and registers of each matrix. */
#ifndef ROMARK_CPU_MATRIX_H
#define ROMARK_CPU_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

enum element_kind {
	ELEMENT_F16,
	ELEMENT_BF16,
	ELEMENT_TF32,
	ELEMENT_F32,
	ELEMENT_F64,
	ELEMENT_UNSIGNED,
	ELEMENT_SIGNED
};

struct element_type {
	uint8_t kind, bits;
};

enum fragment_role { FRAGMENT_A, FRAGMENT_B, FRAGMENT_C };

/* A matrix spread over the lanes: each holds `count` elements in `regs`. */
struct fragment {
	uint8_t role;
	struct element_type type;
	unsigned rows, cols, count;
	bool by_column;       /* in memory: wmma.load, wmma.store */
	const uint32_t *regs; /* operand references */
};

struct matrix_op {
	struct fragment a, b, c, d;
	bool wmma, saturate;
};

struct place {
	unsigned row, col;
};

/*
 * Fragments of wmma: element e of a matrix in row-major order is in lane e / count at position e % count; where a
 * fragment holds every element several times, the first lanes hold the matrix once and the others repeat them.
 */
static inline struct place fragment_place(const struct fragment *f, unsigned lane, unsigned i)
{
	unsigned holders = f->rows * f->cols / f->count, e = lane % holders * f->count + i;

	return (struct place){e / f->cols, e % f->cols};
}

#endif
