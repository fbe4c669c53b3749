/*
 * Memory instructions, one by one: the memory that an address operand means, loads that may carry the read-only mark,
 * and the mark's place in the spelling. Both analysers use this.
 */
#ifndef ROMARK_PTX_ACCESS_H
#define ROMARK_PTX_ACCESS_H

#include "ptx-analyzer/language/module/ptx.h"
#include "verdict/verdict.h"

/*
 * The space of an instruction's n-th address, counted from 0. The first two have the spaces as written; a further
 * address is a barrier in shared memory. If the instruction reaches only shared memory, the space is shared even where
 * none is written.
 */
enum ptx_space ptx_address_space(const struct ptx_opcode *opcode, unsigned nth);

/*
 * The addresses of an instruction that memory is accessed at, in the order written.
 *
 *   for (struct ptx_address a = {0}; ptx_next_address(inst, &a);) ... inst->operands[a.operand], a.role, a.space
 */
struct ptx_address {
	unsigned operand, next; /* the operand behind it */
	unsigned count;         /* of addresses so far */
	enum ptx_role role;
	enum ptx_space space;
};
bool ptx_next_address(const struct ptx_inst *inst, struct ptx_address *a);

/*
 * Does the instruction reach memory in `space` which its operand does not name: a tensor, whose place only its map
 * holds, or multicast memory, which other addresses reach as well?
 */
bool ptx_hides_memory(enum ptx_op op, enum ptx_space space);

/*
 * Does the instruction take part in synchronisation beyond the CTA: a fence, an acquiring atomic, a load that is not
 * weak? After it, the kernel may read data that others wrote while it ran.
 */
bool ptx_listens(const struct ptx_opcode *opcode);

/*
 * ld.global.nc: compiler or programmer have promised that the memory is not written. (ld.global.ro is no promise: an
 * earlier run of the analysis may have made it, under guards that the text does not hold.)
 */
bool ptx_is_promised(const struct ptx_opcode *opcode);

/* NULL if a load so spelled may be marked, else why not: "a volatile load is never marked". */
const char *ptx_mark_obstacle(const struct ptx_opcode *opcode);

/*
 * Appends the spelling of a global load, `text` of `len` bytes, with the mark or, for LOAD_KEEP, without any:
 * "ld.weak.global.cg.v2.f32" -> "ld.global.cg.ro.v2.f32". false, and nothing appended, where ptx_mark_obstacle would
 * object to the modifiers; LOAD_KEEP always succeeds.
 */
bool ptx_spell_load(const char *text, size_t len, enum load_mark mark, struct strbuf *out);

#endif
