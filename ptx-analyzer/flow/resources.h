/*
 * The resources of an SM that a kernel needs: the functions it may call, the places of their shared variables, and an
 * estimate of its registers.
 *
 *   struct ptx_reach r;
 *   ptx_reach(module, kernel, &r);      // r.order[0] is the kernel
 *   ... ptx_shared_bytes(&r, NULL, NULL) ...
 *   ptx_reach_release(&r);
 */
#ifndef ROMARK_PTX_RESOURCES_H
#define ROMARK_PTX_RESOURCES_H

#include "ptx-analyzer/language/module/ptx.h"

#include "common/vec.h"

struct ptx_reach {
	const struct ptx_module *ptx;
	bool *seen;          /* by function */
	VEC(uint32_t) order; /* indices of functions, in the order in which they were met */
	bool indirect;       /* some call goes through a pointer */
};

/* `kernel` and all functions that it may call. */
void ptx_reach(const struct ptx_module *ptx, uint32_t kernel, struct ptx_reach *r);
void ptx_reach_release(struct ptx_reach *r);

/*
 * Lays out the shared variables that the functions use, in the order of the text, and returns their bytes. Variables
 * without a size (dynamic shared memory) all begin behind the last one.
 * `offset` (or NULL) gets each variable's place by symbol, and PTX_NONE for variables that no function uses. When the
 * sum is more than UINT32_MAX, the places above it are not set.
 * `align` (or NULL) gets the alignment of dynamic shared memory: PTX_DYNAMIC_ALIGN or more, or 0 if nothing uses it.
 */
enum { PTX_DYNAMIC_ALIGN = 16 };
uint64_t ptx_shared_bytes(const struct ptx_reach *r, uint32_t *offset, uint32_t *align);

/*
 * The number of barriers that the functions use, counted from number 0: `bar.sync 2` alone gives 3. If a number is in a
 * register: 16, all of them.
 */
uint32_t ptx_barriers(const struct ptx_reach *r);

/*
 * Bytes of the variables in local memory of one function, and of the deepest chain of calls from it. `bounded` becomes
 * false where there is recursion or a call through a pointer.
 */
uint64_t ptx_frame_bytes(const struct ptx_function *f);
uint64_t ptx_stack_bytes(const struct ptx_function *f, bool *bounded);

/*
 * 32-bit registers that a compiler would need for the function, whose graph is built, at its busiest instruction; no
 * more than .maxntid, .reqntid, .minnctapersm and .maxnreg leave a thread.
 */
uint32_t ptx_registers(const struct ptx_function *f);
/* The most that the directives leave a thread. */
uint32_t ptx_register_limit(const struct ptx_function *f);

#endif
