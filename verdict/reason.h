/* Why a structure is read-only, in the words of both analysers. */
#ifndef ROMARK_VERDICT_REASON_H
#define ROMARK_VERDICT_REASON_H

#include "verdict/structure.h"

/*
 * The grounds of a structure's verdict read-only, as a sentence in `arena`: "no store, atomic or unknown code reaches
 * it; 2 guards: p1, p2 must be other memory at the launch". Call it when the facts have their guards.
 */
const char *reason_of_read_only(struct arena *arena, const struct kernel_facts *facts, uint32_t structure);

/* Why data that the kernel does not write has no mark at `strict` if the kernel synchronises with others. */
extern const char reason_of_listening[];

/* Why a load that others reach, too, has no mark. `window`: another kernel gives it memory that is not global. */
const char *reason_of_denial(struct arena *arena, const struct denial *by, bool window);

#endif
