/* Prints instructions as LLVM does. A printer serves a module: it numbers the unnamed values, function by function. */
#ifndef ROMARK_PASSES_IR_PRINT_H
#define ROMARK_PASSES_IR_PRINT_H

#include <llvm-c/Types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ir_printer;

/* The module must not change while the printer is in use. */
struct ir_printer *ir_printer_create(LLVMModuleRef module);
void ir_printer_free(struct ir_printer *printer);
/* "store float %x, ptr %p, align 4", on one line, without metadata, cut off behind many characters; malloc'ed. */
char *ir_print(struct ir_printer *printer, LLVMValueRef inst);

#ifdef __cplusplus
}
#endif

#endif
