/*
 * Pointers in disguise, for random programs in LLVM IR: each way makes of two pointers `p` and `q` the pointer q, by
 * arithmetic and memory that take p for its base. Some ways are right only where p and q are within 2 GiB of each
 * other, or below 2^47. Where one went wrong the pointer is p, so that no access through it is illegal.
 */
#ifndef ROMARK_TEST_RANDOM_DISGUISES_H
#define ROMARK_TEST_RANDOM_DISGUISES_H

#include "tests/passes/ir_text.h"
#include "tests/passes/random_program.h"

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

/* Behind the last text of the module: the variables and functions that its disguises use, and intrinsics. */
void random_disguises_define(struct strbuf *out);

#endif
