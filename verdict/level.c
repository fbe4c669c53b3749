/* Compares each structure that is read with each that is written; docs/soundness.md has the argument. */
#include "verdict/level.h"

#include <stddef.h>

enum verdict verdict_of_accesses(bool is_read, bool is_written)
{
	if (is_written)
		return is_read ? VERDICT_READ_WRITE : VERDICT_WRITE_ONLY;
	return is_read ? VERDICT_READ_ONLY : VERDICT_UNUSED;
}

/* May be any memory. */
static bool is_unknown(const struct evidence *e)
{
	return e->kind == STRUCTURE_UNKNOWN || e->unsettled;
}

/* True if a name tells where the structure lies. Only then can a level or a launch decide about it. */
static bool has_name(const struct evidence *e)
{
	return !is_unknown(e) && e->kind != STRUCTURE_HEAP;
}

/* A texture or a surface, whose handle or reference is bound to any memory. */
static bool is_image(const struct evidence *e)
{
	return e->by_texture || e->by_surface;
}

/*
 * True if a launch can see the address: the launch passes it, or it is in memory that keeps it while the kernel runs,
 * and nothing else went into it. Handles in memory are not addresses.
 */
static bool is_visible(const struct evidence *e)
{
	if (e->kind == STRUCTURE_POINTEE)
		return e->exact && !e->unsettled && !is_image(e);
	return e->kind == STRUCTURE_PARAM || e->kind == STRUCTURE_FIELD || e->kind == STRUCTURE_VARIABLE;
}

/* A surface is a CUDA array, which no pointer addresses. */
static bool is_array_beside_pointer(const struct evidence *a, const struct evidence *b)
{
	return a->by_surface && !a->by_pointer && b->by_pointer && !b->by_surface;
}

/*
 * True if the kinds alone show that the two are different memory. An address of unknown origin may point to heap
 * memory, since threads may have passed it on in ways that the analysis does not follow.
 */
static bool are_different_kinds(const struct evidence *a, const struct evidence *b)
{
	if (is_unknown(a) || is_unknown(b))
		return false;
	if (a->kind == STRUCTURE_HEAP || b->kind == STRUCTURE_HEAP)
		return true;
	if (a->kind == STRUCTURE_VARIABLE && b->kind == STRUCTURE_VARIABLE && !is_image(a) && !is_image(b))
		return true;
	return is_array_beside_pointer(a, b) || is_array_beside_pointer(b, a);
}

/*
 * True if `e` is noalias and `other` is not derived from it. An address that escaped may come back: the kernel stores
 * it, and loads it from memory by another name. For images noalias means nothing.
 */
static bool excludes(const struct evidence *e, const struct evidence *other)
{
	bool from_memory = is_unknown(other) || other->kind == STRUCTURE_POINTEE;

	return e->noalias && !is_image(other) && !(from_memory && e->escaped);
}

/* True if the code alone shows that `read` is not the memory written as `write`. */
static bool are_proven_apart(const struct evidence *read, const struct evidence *write)
{
	return read->constant || are_different_kinds(read, write) || excludes(read, write) || excludes(write, read);
}

/* Two names of what the same pointer in memory leads to: any pointer of the holder, and the one at some byte. */
static bool share_pointers(const struct evidence *a, const struct evidence *b)
{
	return a->kind == STRUCTURE_POINTEE && b->kind == STRUCTURE_POINTEE && a->holder == b->holder &&
	       !(a->at_word && b->at_word && a->word != b->word);
}

static enum conflict conflict_of(const struct evidence *read, const struct evidence *write, enum alias_level level)
{
	if (read == write || share_pointers(read, write))
		return CONFLICT_ALWAYS;
	if (are_proven_apart(read, write))
		return CONFLICT_NONE;
	if (level == ALIAS_DISTINCT && has_name(read))
		return CONFLICT_NONE;
	if (level == ALIAS_GUARDED && has_name(read) && is_visible(write))
		return CONFLICT_LAUNCH;
	return CONFLICT_ALWAYS;
}

enum conflict level_conflict(const struct evidence *all, uint32_t count, uint32_t read, enum alias_level level,
			     uint32_t *writer)
{
	enum conflict worst = CONFLICT_NONE;

	for (uint32_t w = 0; w < count; w++) {
		enum conflict found;

		if (!all[w].written)
			continue;
		found = conflict_of(&all[read], &all[w], level);
		if (found > worst || (found == worst && found && all[w].position < all[*writer].position)) {
			worst = found;
			*writer = w;
		}
	}
	return worst;
}

static bool unsettle_some(struct evidence *all, uint32_t count, enum alias_level level)
{
	bool changed = false;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t writer;

		if (all[i].kind != STRUCTURE_POINTEE || all[i].unsettled ||
		    (level_conflict(all, count, all[i].holder, level, &writer) != CONFLICT_ALWAYS &&
		     !(all[i].closed && level_conflict(all, count, i, level, &writer) == CONFLICT_ALWAYS)))
			continue;
		all[i].unsettled = changed = true;
	}
	return changed;
}

void level_unsettle(struct evidence *all, uint32_t count, enum alias_level level)
{
	while (unsettle_some(all, count, level))
		;
}

/*
 * Structures that are marked or written must lie where the launch saw them. So the memory that holds the pointers to
 * them is guarded as well.
 */
static void add_holders(const struct evidence *all, uint32_t count, bool *marked)
{
	bool any = false;

	for (uint32_t i = 0; i < count; i++)
		any |= marked[i];
	for (uint32_t i = 0; any && i < count; i++)
		for (uint32_t s = i; (marked[s] || all[s].written) && all[s].kind == STRUCTURE_POINTEE;
		     s = all[s].holder)
			marked[all[s].holder] = true;
}

void level_guards(const struct evidence *all, uint32_t count, enum alias_level level, bool *marked,
		  void (*add)(void *context, struct guard guard), void *context)
{
	add_holders(all, count, marked);
	for (uint32_t r = 0; r < count; r++)
		for (uint32_t w = 0; marked[r] && w < count; w++)
			if (all[w].written && conflict_of(&all[r], &all[w], level) == CONFLICT_LAUNCH)
				add(context, (struct guard){r, w});
}

bool level_is_proven(const struct evidence *all, uint32_t count, uint32_t read)
{
	uint32_t writer;

	if (level_conflict(all, count, read, ALIAS_STRICT, &writer) != CONFLICT_NONE)
		return false;
	return all[read].kind != STRUCTURE_POINTEE || level_is_proven(all, count, all[read].holder);
}

const char *level_rests_on(const struct evidence *all, uint32_t count, uint32_t read)
{
	const struct evidence *e = &all[read];

	for (uint32_t w = 0; w < count; w++) {
		if (!all[w].written || are_different_kinds(e, &all[w]))
			continue;
		if (e->constant)
			return "constant";
		if (excludes(e, &all[w]) || excludes(&all[w], e))
			return "noalias";
	}
	return e->kind == STRUCTURE_POINTEE ? level_rests_on(all, count, e->holder) : NULL;
}
