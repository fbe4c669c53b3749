/* Private to opcode decoding: whether a form of an instruction exists. */
#ifndef ROMARK_PTX_FORMS_H
#define ROMARK_PTX_FORMS_H

#include "ptx-analyzer/language/language.h"

/* false with a sentence in `why`. */
bool check_form(const struct ptx_opcode *op, char *why, size_t size);
/* Whether the opcode has a modifier: by name, or any of `@group`. */
bool opcode_has_word(const struct ptx_opcode *op, const char *word);

#endif
