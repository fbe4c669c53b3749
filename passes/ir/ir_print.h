/* Instructions as LLVM prints them. One printer serves a module, for it numbers unnamed values function by function. */
#ifndef ROMARK_PASSES_IR_PRINT_H
#define ROMARK_PASSES_IR_PRINT_H

#include <llvm-c/Types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ir_printer;

/* The module must stay as it is while the printer is used. */
struct ir_printer *ir_printer_create(LLVMModuleRef module);
void ir_printer_free(struct ir_printer *printer);
/* "store float %x, ptr %p, align 4", on one line, without metadata, cut off behind many characters; malloc'ed. */
char *ir_print(struct ir_printer *printer, LLVMValueRef inst);

#ifdef __cplusplus
}
#endif

#endif
