/*
 * Byte ranges for people: what an access may touch, as a sum of the kernel's parameters and the launch's dimensions.
 *
 *   struct range_texts *t = ptx_range_texts(ranges);
 *   ptx_range_text(t, inst, &base, 1, &names, &out);      // "p0[0 .. 4*n)", or "unknown: a loaded number is in its
 * address" ptx_range_texts_free(t);
 *
 * It is of integers that do not go round. So a text says nothing of a launch where the kernel's own numbers would, nor
 * of one where a parameter that is a factor is negative: docs/read-only-analysis.md. Marks do not rest on it.
 */
#ifndef ROMARK_PTX_RANGE_TEXT_H
#define ROMARK_PTX_RANGE_TEXT_H

#include "ptx-analyzer/ranges/sums.h"

struct range_texts;

/* A pointer that may be the base of an access: a parameter or a variable, and what it is called. */
struct range_base {
	bool is_variable;
	uint64_t number; /* byte of the parameters, or symbol */
	const char *name;
};

/* `k` must stay. Release with ptx_range_texts_free. */
struct range_texts *ptx_range_texts(const struct kernel_ranges *k);
void ptx_range_texts_free(struct range_texts *t);

/* Appends the text of an instruction of the kernel itself; true if a bound of it is known. */
bool ptx_range_text(const struct range_texts *t, uint32_t inst, const struct range_base *bases, size_t count,
		    const struct sum_names *names, struct strbuf *out);
/* The numbers of the text at a launch; unknown where it has not both bounds, or says nothing of such a launch. */
struct byte_range ptx_range_text_evaluate(const struct range_texts *t, uint32_t inst,
					  const struct range_launch *launch);

#endif
