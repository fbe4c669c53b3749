/* Passes that follow LLVM's, so that a GPU executes fewer instructions. They do not change what a program computes. */
#ifndef ROMARK_PASSES_SHAPE_PASSES_H
#define ROMARK_PASSES_SHAPE_PASSES_H

#include <llvm-c/Types.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * True if the loop with this header gets shorter when its 32-bit counters become 64-bit ones. LLVM then steps a part of
 * an address along with the counter instead of computing it anew in each iteration.
 */
bool widening_pays(LLVMBasicBlockRef header);

/* Marks loads from a kernel's structures by value as invariant. Returns whether it marked any. */
bool settle_parameters(LLVMValueRef function);

/*
 * Moves loads from a kernel's structures by value to its first block: only there is the parameter's name the address in
 * NVPTX's code, and its back end moves them on to where they are needed. Returns whether any was moved.
 */
bool gather_parameters(LLVMValueRef function);

/* Orders the blocks of a function so that loops stay together, and what follows a loop comes behind it. */
void order_blocks(LLVMValueRef function);

/*
 * Turns branches around, so that a branch leads away from the block that follows in the text. For a condition that it
 * would have to negate NVPTX prints a second branch. Returns whether a branch was turned. `module`: device code, before
 * code generation.
 */
bool turn_branches(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif

#endif
