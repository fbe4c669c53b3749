/* Private to ptx_kernel.c and beside.c: one kernel while its accesses are collected. */
#ifndef ROMARK_PTX_COLLECT_H
#define ROMARK_PTX_COLLECT_H

#include "ptx-analyzer/readonly/ptx_kernel.h"

/* Per function reached: structures of its roots, and the meaning of its DEP_ bits. */
struct bound {
	set_id *roots;
	set_id *bits;   /* per root: the kernel's own roots whose bits it may hold, as a set of their numbers */
	set_id *beside; /* those among them that it holds beside a whole pointer */
	uint32_t nroots;
	uint64_t deps[DEP_PARAM_LAST + 1];
	uint32_t *structure; /* kernel's own roots: index of their structure + 1 */
};

struct collector {
	struct kernel *k;
	struct flow_module *fm;
	struct set_table *sets;
	struct bound *bounds;   /* by position in k->functions */
	set_id *roots;          /* of all of them, and their `bits` and `beside` */
	uint32_t *position;     /* function -> position + 1 */
	uint32_t unknown, heap; /* structure index + 1 */
	bool windows;           /* a generic address of shared, local or parameter memory is made somewhere */
};

/*
 * In sets of the kernel's roots whose bits a value holds: an address of shared, local or parameter memory. No root that
 * has bits has this number.
 */
enum { BITS_OF_WINDOW = ROOT_ID_INTEGER };

/* The index of structure "unknown", which is made if it is not there. (ptx_kernel.c) */
uint32_t collect_unknown(struct collector *c);
/* A variable in constant memory. (ptx_kernel.c) */
bool collect_is_constant(const struct collector *c, const struct root *r);
/* The kernel's own root for a variable, the heap or the workspace of any function, made if absent. (ptx_kernel.c) */
uint32_t collect_kernel_root(struct collector *c, const struct root *r);

/*
 * `set` belongs to the function at `position`. Returns the kernel's own roots whose bits its elements may hold. With
 * `whole` false a whole pointer counts only for the bits that were joined to it, such as a tag. (beside.c)
 */
set_id collect_bits(struct collector *c, uint32_t position, set_id set, bool whole);
/* Tells `callee` what `b` binds in the function at `position`; true if that is new. (beside.c) */
bool collect_bind_bits(struct collector *c, uint32_t position, struct bound *callee, const struct flow_binding *b);
/*
 * An address may hold bits of a second pointer beside its base. Adds "unknown" to each access with such an address. If
 * those bits are of a shared or local address, or may be of a pointer without a name, adds what they may point to.
 * (beside.c)
 */
void collect_widen_accesses(struct collector *c);

#endif
