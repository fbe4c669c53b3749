/*
 * What LLVM's passes leave to be done so that a GPU executes few instructions. Nothing here changes what a program
 * computes.
 */
#ifndef ROMARK_PASSES_SHAPE_H
#define ROMARK_PASSES_SHAPE_H

#include <llvm-c/Types.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Whether the loop with this header gets shorter when its 32-bit counters become 64-bit ones: what an address needs of
 * a counter, LLVM then steps in place of computing it anew in each iteration.
 */
bool widening_pays(LLVMBasicBlockRef header);

/* Says of loads from a kernel's structures by value that their memory does not change. Returns whether it said so. */
bool settle_parameters(LLVMValueRef function);

/*
 * Moves loads from a kernel's structures by value to its first block: only there is the parameter's name the address in
 * NVPTX's code, and its back end moves them on to where they are needed. Returns whether any was moved.
 */
bool gather_parameters(LLVMValueRef function);

/* Orders the blocks of a function so that loops stay together, and what follows a loop comes behind it. */
void order_blocks(LLVMValueRef function);

/*
 * Turns branches around so that they are taken away from the block that follows. NVPTX prints a second branch behind
 * one whose condition it would have to negate. Returns whether a branch was turned. `module`: device code, before code
 * generation.
 */
bool turn_branches(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif

#endif
