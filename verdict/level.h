/*
 * The rule of the alias levels: which structures a kernel may mark, and what a launch must check for that. Both
 * analysers put their findings into `struct evidence`, one for each structure of a kernel, and call these functions.
 *
 *   level_unsettle(all, count, level);                             // first, once
 *   if (level_conflict(all, count, i, level, &writer) != CONFLICT_ALWAYS && !all[i].written) ...   // i is read-only
 *   level_guards(all, count, level, marked, add, context);         // guards for the marks of `marked`
 *
 * Structures are names, and names are not memory: two of them may be one allocation. A write may hit what another name
 * reads. The rule assumes that it does, unless the evidence, the level or a launch excludes it.
 */
#ifndef ROMARK_VERDICT_LEVEL_H
#define ROMARK_VERDICT_LEVEL_H

#include "verdict/structure.h"

struct evidence {
	uint8_t kind;    /* enum structure_kind */
	bool written;    /* some access writes it by this name */
	bool constant;   /* no kernel can write it */
	bool noalias;    /* its memory is reached only by addresses derived from it, images apart */
	bool escaped;    /* with noalias: an address of unknown origin may be derived from it */
	bool by_pointer; /* loads, stores or atomics reach it */
	bool by_texture; /* texture fetches do: of a CUDA array or of any memory */
	bool by_surface; /* surface instructions do: of a CUDA array */
	bool unsettled;  /* POINTEE: its holder may change, so that it may be any memory; set by level_unsettle */
	bool exact;      /* POINTEE: addresses with bits of other pointers are counted as unknown, not as it */
	bool closed;     /* POINTEE: pointers in it lead to it again, so that it is a holder of itself */
	uint32_t holder; /* POINTEE: the structure that holds the pointers */
	bool at_word;    /* POINTEE: only the pointer at byte `word` of the holder leads to it */
	uint64_t word;
	uint32_t position; /* of its first write: among equal conflicts the earliest is named */
};

/* The verdict on a structure of which only its own accesses count. */
enum verdict verdict_of_accesses(bool is_read, bool is_written);

/* The effect of the kernel's writes on reads of a structure. */
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
 * Calls `add`, in ascending order, for each guard that the marks of the structures in `marked` need. A structure behind
 * pointers in memory, read or written, also depends on the memory that holds the pointers. So the holders are guarded
 * too, and added to `marked`.
 */
void level_guards(const struct evidence *all, uint32_t count, enum alias_level level, bool *marked,
		  void (*add)(void *context, struct guard guard), void *context);

/* True if the code alone shows that no write hits the memory read as `read`, or the pointers to it. */
bool level_is_proven(const struct evidence *all, uint32_t count, uint32_t read);

/*
 * The fact, beyond accesses, without which some write would conflict with reads of `read`: "constant", "noalias" or
 * NULL.
 */
const char *level_rests_on(const struct evidence *all, uint32_t count, uint32_t read);

#endif
