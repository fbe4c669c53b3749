/* The text of inline assembly as the IR has it, and the same assembly with another text. */
#ifndef ROMARK_PASSES_ASSEMBLY_TEXT_H
#define ROMARK_PASSES_ASSEMBLY_TEXT_H

#include <llvm-c/Core.h>

/* Text and constraints of an inline assembly value, to be freed. */
char *assembly_text(LLVMValueRef assembly, char **constraints);
/* Gives a call of inline assembly another text. */
void assembly_set_text(LLVMValueRef call, const char *text);

#endif
