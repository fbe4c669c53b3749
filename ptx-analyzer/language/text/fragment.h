/*
 * Statements of PTX outside any module, as in inline assembly.
 *
 *   struct ptx_module *m = ptx_parse_fragment("ld.global.u32 $0, [$1+4];", size, 2, &diag);
 *   const struct ptx_function *f = &m->functions[0];    // one function, with the statements as its body
 *   ...                                                 // operand $N is its register N
 *   ptx_module_free(m);
 *
 * The analysis reads a fragment only for its effects, and never prints or runs it. So the parser does not check types
 * and operands against the opcode's rules, and accepts some text that it refuses in a module:
 * - An unknown instruction, or one with too many or too few operands, gets the opcode PTX_OP_invalid and its operands
 * as written.
 * - A name that is not declared in the fragment is the symbol PTX_FRAGMENT_ELSEWHERE; labels may be missing.
 * - Scopes may end that have not begun, and begin without an end.
 */
#ifndef ROMARK_PTX_FRAGMENT_H
#define ROMARK_PTX_FRAGMENT_H

#include "ptx-analyzer/language/module/ptx.h"

enum { PTX_FRAGMENT_ELSEWHERE }; /* the first symbol of each fragment */

/*
 * `text` is in LLVM's form: `$0`, `${0}` and `${0:x}` for operand 0 of `noperands`, `$$` for a dollar. NULL, with `d`
 * filled, if it has another form, or if it cannot be divided into statements.
 */
struct ptx_module *ptx_parse_fragment(const char *text, size_t size, unsigned noperands, struct diag *d);

#endif
