/*
 * Pointers in disguise, for random programs in LLVM IR: each way makes of two pointers `p` and `q` the pointer q, by
 * arithmetic and memory that take p for its base. All objects of a launch lie within 2 GiB of each other, and below
 * 2^47.
 */
#ifndef ROMARK_TEST_RANDOM_DISGUISES_H
#define ROMARK_TEST_RANDOM_DISGUISES_H

#include "tests/passes/ir_text.h"
#include "tests/passes/random_program.h"

/* Variables and functions that the ways use, and declarations of intrinsics. */
void random_disguises_declare(struct strbuf *out);
struct disguise {
	struct random *random;
	struct ir_text *text;
	unsigned p, q;   /* values: the pointers */
	unsigned object; /* value: a pointer to an object whose first numbers may be written */
	unsigned other;  /* value: another such pointer, which may be the same */
	unsigned block;  /* the block that the text is in, in and out */
};

/* Appends one of the ways, which may use 64 bytes of local memory at %scratch. Returns the number of the pointer. */
unsigned random_disguise(struct disguise *x);

#endif
