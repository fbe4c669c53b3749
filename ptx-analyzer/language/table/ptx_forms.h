/* Private to opcode decoding: whether a form of an instruction exists, and how many operands it has. */
#ifndef ROMARK_PTX_FORMS_H
#define ROMARK_PTX_FORMS_H

#include "ptx-analyzer/language/table/opcode.h"

/* false with a sentence in `why`. */
bool check_form(const struct ptx_opcode *op, char *why, size_t size);
/*
 * Fills least, most and pair if they depend on the form. Returns false, with a sentence in `why`, if the form does not
 * exist.
 */
bool count_operands(struct opcode *op, char *why, size_t size);
/* Whether the opcode has a modifier: by name, or any of `@group`. */
bool opcode_has_word(const struct ptx_opcode *op, const char *word);

#endif
