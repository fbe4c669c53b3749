/* State and helpers of lower.c and lower_call.c: the lowering of a function under way. */
#ifndef ROMARK_PASSES_LOWERING_H
#define ROMARK_PASSES_LOWERING_H

#include "passes/ir/ir.h"

struct lowering {
	struct ir *p;
	struct function_code *f;
	struct map locals; /* LLVMValueRef -> local value */
};

/* The operand for `value`; OPERAND_NONE if the value holds no address. */
uint32_t lowering_operand(struct lowering *l, LLVMValueRef value);
/* Adds an operation. The pointer is valid until the next call. */
struct op *lowering_emit(struct lowering *l, enum op_kind kind, LLVMValueRef inst);
/* Add an operand to, and make `inst` the result of, the operation emitted last. */
void lowering_add(struct lowering *l, uint32_t value);
void lowering_result(struct lowering *l, LLVMValueRef inst);
/* Bytes that a store of `type` writes. */
int64_t lowering_size(struct lowering *l, LLVMTypeRef type);
/* Flags of a load or store of `type` at `pointer`. */
uint16_t lowering_access(struct lowering *l, LLVMTypeRef type, LLVMValueRef pointer, unsigned alignment);
/* True if the pointer's address space excludes global memory. */
bool is_private_pointer(LLVMValueRef pointer);

void lower_call(struct lowering *l, LLVMValueRef inst);

#endif
