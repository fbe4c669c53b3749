/*
 * The rule of the alias levels: which structures a kernel may mark, and what a launch must check for that. Both
 * analysers put what they found into `struct evidence`, one for each structure of a kernel, and ask here.
 *
 *   level_unsettle(all, count, level);                             // first, once
 *   if (level_conflict(all, count, i, level, &writer) != CONFLICT_ALWAYS && !all[i].written) ...   // i is read-only
 *   level_guards(all, count, level, marked, add, context);         // what the marks of `marked` rest on
 *
 * Structures are names, and names are not memory: two of them may be one allocation. Where the evidence does not show
 * that a write misses what is read, and neither the level nor a launch can say so, the rule takes it as a hit.
 */
#ifndef ROMARK_VERDICT_LEVEL_H
#define ROMARK_VERDICT_LEVEL_H

#include "verdict/structure.h"

struct evidence {
	uint8_t kind;      /* enum structure_kind */
	bool written;      /* some access writes it by this name */
	bool constant;     /* no kernel can write it */
	bool noalias;      /* only addresses derived from this one reach its memory, images apart */
	bool escaped;      /* with noalias: an address of unknown origin may be derived from it */
	bool by_pointer;   /* loads, stores or atomics reach it */
	bool by_texture;   /* texture fetches do: of a CUDA array or of any memory */
	bool by_surface;   /* surface instructions do: of a CUDA array */
	bool unsettled;    /* POINTEE: its holder may change, so that it may be any memory; set by level_unsettle */
	bool exact;        /* POINTEE: addresses with bits of other pointers are counted as unknown, not as it */
	bool closed;       /* POINTEE: pointers in it lead to it again, so that it is a holder of itself */
	uint32_t holder;   /* POINTEE: the structure that holds the pointers */
	uint32_t position; /* of its first write: among equal conflicts the earliest is named */
};

/* The verdict on a structure of which only its own accesses count. */
enum verdict verdict_of_accesses(bool is_read, bool is_written);

/* What the kernel's writes mean for reads of one structure. */
enum conflict {
	CONFLICT_NONE,   /* different memory: shown by the code, or taken as such under the level */
	CONFLICT_LAUNCH, /* taken as different memory; a launch can tell */
	CONFLICT_ALWAYS, /* may be the same */
};

/*
 * Marks as unsettled what is reached by pointers from memory that may be written. One more such structure may unsettle
 * others: repeats until it is quiet.
 */
void level_unsettle(struct evidence *all, uint32_t count, enum alias_level level);

/* The strongest conflict of structure `read` with any write; *writer: the structure whose write is the first such. */
enum conflict level_conflict(const struct evidence *all, uint32_t count, uint32_t read, enum alias_level level,
			     uint32_t *writer);

/*
 * Calls `add` for each guard that marks of the structures in `marked` rest on, in ascending order. What a pointer from
 * memory leads to, read or written, is as good as the memory that holds it, so holders are guarded too: `marked` gets
 * them.
 */
void level_guards(const struct evidence *all, uint32_t count, enum alias_level level, bool *marked,
		  void (*add)(void *context, struct guard guard), void *context);

/* Does the code alone show that nothing written is what is read as `read`, or holds the pointers to that? */
bool level_is_proven(const struct evidence *all, uint32_t count, uint32_t read);

/*
 * What the code says beyond accesses, if without it some write would conflict with reads of `read`: "constant",
 * "noalias" or NULL.
 */
const char *level_rests_on(const struct evidence *all, uint32_t count, uint32_t read);

#endif
