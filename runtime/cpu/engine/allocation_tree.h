/*
 * Live allocations as a balanced tree by address that keeps the sizes of its gaps. Every function takes O(log n).
 *
 *   struct tree t = {0};
 *   if (tree_gap(&t, &(struct gap_request){.from = low, .end = high, .size = 512, .align = 256}, &address))
 *       tree_add(&t, allocation);            // its address and size are set
 *   const struct allocation *a = tree_below(&t, pointer);
 *   free(tree_remove(&t, address));
 */
#ifndef ROMARK_CPU_ALLOCATION_TREE_H
#define ROMARK_CPU_ALLOCATION_TREE_H

#include "common/integer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Owner of memory: the program, a module's variable, or a kernel's malloc. */
enum memory_owner { MEMORY_PROGRAM, MEMORY_VARIABLE, MEMORY_HEAP };

struct allocation {
	uint64_t address, size;
	char *name;
	enum memory_owner owner;
	bool freed;        /* kept so that an access can be told as one of freed memory */
	char *made, *gone; /* where it was allocated and freed, in words; NULL: not known */
	/* allocation_tree.c's own. */
	struct allocation *left, *right;
	uint64_t first, end; /* of this allocation and all below it in the tree */
	uint64_t gap;        /* bytes of the largest gap between these */
};

struct tree {
	struct allocation *root;
	size_t count;
	uint64_t steps; /* allocations that adding, removing and looking for gaps have visited, ever */
};

/* The gap that the caller needs: `size` bytes in [from, end), at a multiple of `align`, a power of two. */
struct gap_request {
	uint64_t from, end, size, align;
};

/* An allocation takes a multiple of this; the next one begins behind that. */
enum { MEMORY_ALIGN = 256 };

static inline uint64_t allocation_end(const struct allocation *a)
{
	return a->address + round_up(a->size, MEMORY_ALIGN);
}

/* The allocation's bytes must be free. */
void tree_add(struct tree *t, struct allocation *a);
/* The allocation that starts at `address`, which is the caller's now, or NULL. */
struct allocation *tree_remove(struct tree *t, uint64_t address);
/* The last allocation that starts at or below `address`, or NULL. */
struct allocation *tree_below(const struct tree *t, uint64_t address);
/* The first allocation that starts above `address`, or NULL. */
struct allocation *tree_above(const struct tree *t, uint64_t address);
/* The lowest address that fits the request. False if no gap does. */
bool tree_gap(struct tree *t, const struct gap_request *request, uint64_t *address);

#endif
