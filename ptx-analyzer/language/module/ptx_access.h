/*
 * Memory instructions, one by one: which memory an address operand means, which loads may carry the read-only mark, and
 * where in the spelling it stands. Both analysers ask here.
 */
#ifndef ROMARK_PTX_ACCESS_H
#define ROMARK_PTX_ACCESS_H

#include "ptx-analyzer/language/module/ptx.h"
#include "verdict/verdict.h"

/*
 * The space of the n-th address of an instruction, from 0: as written for the first two, then a barrier in shared.
 * Where the instruction reaches shared memory only, that is said although nothing is written.
 */
enum ptx_space ptx_address_space(const struct ptx_opcode *opcode, unsigned nth);

/*
 * Does the instruction reach memory in `space` which its operand does not name: a tensor, which only its map knows, or
 * multicast memory, which other addresses reach as well?
 */
bool ptx_hides_memory(enum ptx_op op, enum ptx_space space);

/*
 * Does the instruction take part in synchronisation beyond the CTA: a fence, an acquiring atomic, a load that is not
 * weak? What the kernel reads afterwards others may have written while it ran.
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
