/*
 * Statements of PTX outside any module: what inline assembly holds.
 *
 *   struct ptx_module *m = ptx_parse_fragment("ld.global.u32 $0, [$1+4];", size, 2, &diag);
 *   const struct ptx_function *f = &m->functions[0];    // one function, with the statements as its body
 *   ...                                                 // operand $N is its register N
 *   ptx_module_free(m);
 *
 * The analysis reads a fragment only for its effects; nobody prints or runs it. So the parser does not hold types and
 * operands to the opcode's rules, and accepts what it refuses in a module:
 * - An instruction that is not known, or has a number of operands that its row does not allow, has PTX_OP_invalid as
 * its opcode and its operands as written.
 * - A name that is not declared in the fragment is the symbol PTX_FRAGMENT_ELSEWHERE; labels may be missing.
 * - Scopes may end that have not begun, and begin without an end.
 */
#ifndef ROMARK_PTX_FRAGMENT_H
#define ROMARK_PTX_FRAGMENT_H

#include "ptx-analyzer/language/module/ptx.h"

enum { PTX_FRAGMENT_ELSEWHERE }; /* the first symbol of each fragment */

/*
 * `text` as LLVM has it: `$0`, `${0}` and `${0:x}` for operand 0 of `noperands`, `$$` for a dollar. NULL with `d`
 * filled when it has no such form, or statements cannot be told apart in it.
 */
struct ptx_module *ptx_parse_fragment(const char *text, size_t size, unsigned noperands, struct diag *d);

#endif
