/*
 * A guard holds only if both of its structures are known to lie in different memory. If anything is unknown, it fails.
 */
#include "verdict/guards.h"

#include "common/integer.h"
#include "verdict/guard_reach.h"
#include "verdict/guard_words.h"

#include <string.h>

/* The most bytes that one access takes, and so those of an element of a plain array. */
enum { LARGEST_ELEMENT = 16 };

static uint64_t pointer_param(const struct structure *s, const void *params, size_t param_bytes)
{
	uint64_t pointer = 0;

	if (s->param_offset + sizeof pointer <= param_bytes)
		memcpy(&pointer, (const char *)params + s->param_offset, sizeof pointer);
	return pointer;
}

static void resolve_any_field(const struct structure *s, const void *params, size_t param_bytes,
			      struct guard_target *target)
{
	if (s->is_image || s->param_offset + s->param_bytes > param_bytes)
		return;
	target->pointers = (const unsigned char *)params + s->param_offset;
	target->pointer_bytes = s->param_bytes;
	target->pointer_step = 1;
}

/*
 * In an allocation that an allocator has divided, an address that it has not handed out leads to the whole allocation.
 * Beside a region that is a gap, as there is between allocations.
 */
static bool is_rest_around(const struct guard_target *region, uint64_t base, size_t size)
{
	return size > region->size && base <= region->base && region->base + region->size <= base + size;
}

/*
 * Includes the allocation at a distance from the pointer, if there is one, and all memory in between. An index that
 * offsets the distance, as in x[i - 1], may mean that there is no such allocation.
 */
static void extend(struct guard_target *target, int64_t distance)
{
	const struct guard_context *context = target->context;
	uint64_t base, end = target->base + target->size;
	size_t size;

	if (!distance || !context->find(context->device, target->pointer + (uint64_t)distance, &base, &size) ||
	    is_rest_around(target, base, size))
		return;
	end = base + size > end ? base + size : end;
	target->base = base < target->base ? base : target->base;
	target->size = end - target->base;
}

/*
 * A pointer one element before an array counts the array's elements from 1. It lies in what is before the array, and
 * belongs to the array as well. The pointer to an allocation's begin is no such pointer.
 */
static void extend_to_one_based(struct guard_target *target)
{
	if (target->pointer > target->base)
		extend(target, LARGEST_ELEMENT);
}

static void resolve_pointer(const struct structure *s, struct guard_target *target)
{
	size_t size;

	if (!target->pointer || !target->context->find(target->context->device, target->pointer, &target->base, &size))
		return;
	target->size = size;
	extend_to_one_based(target);
	extend(target, s->bias_low);
	extend(target, s->bias_high);
}

static void resolve_one(const struct structure *s, const struct guard_context *context, const void *params,
			size_t param_bytes, struct guard_target *target)
{
	size_t size = 0;

	*target = (struct guard_target){.bias_low = s->bias_low, .bias_high = s->bias_high, .context = context};
	switch (s->kind) {
	case STRUCTURE_PARAM:
	case STRUCTURE_FIELD:
		if (s->param_bytes > sizeof target->pointer) {
			resolve_any_field(s, params, param_bytes, target);
			break;
		}
		target->pointer = pointer_param(s, params, param_bytes);
		resolve_pointer(s, target);
		break;
	case STRUCTURE_VARIABLE:
		if (context->variable(context->device, s->symbol, &target->pointer, &size)) {
			target->base = target->pointer;
			target->size = size;
		}
		break;
	case STRUCTURE_POINTEE:
	case STRUCTURE_HEAP:
	case STRUCTURE_UNKNOWN: break;
	}
}

/* --- Null pointers --- */

static bool is_single_pointer(const struct structure *s)
{
	return (s->kind == STRUCTURE_PARAM || s->kind == STRUCTURE_FIELD) && s->param_bytes <= sizeof(uint64_t);
}

/* No allocation begins below. */
#define LOWEST_MEMORY (UINT64_C(1) << 40)

static uint64_t add_capped(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

/* The largest of the launch's numbers, without their signs, that go into addresses. */
static uint64_t largest_number(const struct kernel_facts *facts, const void *params, size_t param_bytes)
{
	uint64_t largest = 0;

	for (uint32_t i = 0; i < facts->nnumbers; i++) {
		int64_t number = 0;
		uint64_t size;

		if (facts->numbers[i] + sizeof number > param_bytes)
			return UINT64_MAX;
		memcpy(&number, (const char *)params + facts->numbers[i], sizeof number);
		size = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
		largest = size > largest ? size : largest;
	}
	return largest;
}

/* Above all addresses that a null pointer plus what is added to it can be. A large number may be multiplied by any. */
static uint64_t end_of_null(const struct offset_size *added, uint64_t number)
{
	if (added->any || number > UINT32_MAX)
		return UINT64_MAX;
	if (added->words)
		number = UINT32_MAX;
	return add_capped((number << added->wide) + 1, added->constant);
}

/* A null pointer plus a small offset is not an address, but a null pointer plus an address is. */
static void resolve_nulls(const struct kernel_facts *facts, const void *params, size_t param_bytes,
			  struct guard_target *targets)
{
	uint64_t number = largest_number(facts, params, param_bytes);

	for (uint32_t i = 0; i < facts->nstructures; i++) {
		const struct structure *s = &facts->structures[i];

		targets[i].null_end = end_of_null(&s->added, number);
		if (is_single_pointer(s) && !targets[i].pointer && !s->is_image)
			targets[i].nowhere = targets[i].null_end <= LOWEST_MEMORY;
	}
}

void guard_resolve(const struct kernel_facts *facts, const struct guard_context *context, const void *params,
		   size_t param_bytes, struct guard_target *targets)
{
	for (uint32_t i = 0; i < facts->nstructures; i++)
		resolve_one(&facts->structures[i], context, params, param_bytes, &targets[i]);
	resolve_nulls(facts, params, param_bytes, targets);
}

/* --- Pointers in memory --- */

/* More bytes of pointers than this are not looked through at a launch. */
enum { MANY_POINTER_BYTES = 4 << 20 };

/* The only word that leads to the structure, in `bytes` of its holder's memory; NULL if that has no such word. */
static const unsigned char *word_in(const struct structure *s, const struct guard_target *holder,
				    const unsigned char *bytes)
{
	uint64_t at = holder->pointer - holder->base + s->word;

	return at <= holder->size && holder->size - at >= sizeof(uint64_t) ? bytes + at : NULL;
}

/* The pointers of "*p2" are the words of p2's allocation. */
static void look_at_pointers(const struct structure *s, const struct guard_target *holder, struct guard_target *target)
{
	const struct guard_context *context = target->context;
	size_t before = guard_bytes_before_words(holder->base);
	const unsigned char *bytes;

	target->looked = true;
	if (!context->view || !holder->size || holder->size > MANY_POINTER_BYTES)
		return;
	bytes = context->view(context->device, holder->base, holder->size);
	if (!bytes)
		return;
	if (s->at_word) {
		target->pointers = word_in(s, holder, bytes);
		target->pointer_bytes = target->pointers ? sizeof(uint64_t) : 0;
		target->pointer_step = sizeof(uint64_t);
		return;
	}
	target->pointers = bytes + before;
	target->pointer_bytes = holder->size > before ? holder->size - before : 0;
	target->pointer_step = sizeof(uint64_t);
	target->of = s;
	target->first = (int64_t)(holder->base + before - holder->pointer);
}

/* Does none of the pointers lead into the memory of `b`, or one element before? Bytes that lead elsewhere are other
 * pointers, or numbers. */
static bool all_apart(const struct guard_target *a, const struct guard_target *b)
{
	uint64_t end = round_up(b->base + b->size, GUARD_ALIGN);
	uint64_t high = a->bias_high > 0 ? (uint64_t)a->bias_high : 0,
		 low = a->bias_low < 0 ? -(uint64_t)a->bias_low : 0;
	uint64_t first = b->base - high - LARGEST_ELEMENT, bytes = end - first + low;

	for (size_t i = 0; b->size && i + sizeof(uint64_t) <= a->pointer_bytes; i += a->pointer_step) {
		uint64_t pointer;

		if (a->of && !guard_is_word(a->of, a->first + (int64_t)i))
			continue;
		memcpy(&pointer, a->pointers + i, sizeof pointer);
		if (!(pointer << GUARD_TAG_BITS) && a->null_end > LOWEST_MEMORY)
			return false;
		if ((pointer - first) << GUARD_TAG_BITS >> GUARD_TAG_BITS < bytes)
			return false;
	}
	return b->size > 0;
}

static bool are_apart(const struct guard_target *a, const struct guard_target *b)
{
	if (a->pointers)
		return all_apart(a, b);
	if (b->pointers)
		return all_apart(b, a);
	return a->size && b->size && (a->base + a->size <= b->base || b->base + b->size <= a->base);
}

static bool is_pointee(const struct kernel_facts *facts, uint32_t structure)
{
	return facts->structures[structure].kind == STRUCTURE_POINTEE;
}

static struct guard_target *looked_at(const struct kernel_facts *facts, struct guard_target *targets,
				      uint32_t structure)
{
	struct guard_target *target = &targets[structure];

	/* Handles in memory are not pointers, and their memory is unknown. */
	if (is_pointee(facts, structure) && !facts->structures[structure].is_image && !target->looked)
		look_at_pointers(&facts->structures[structure], &targets[facts->structures[structure].holder], target);
	return target;
}

/* --- Several pointers on both sides, and chains of them --- */

/* The words of one allocation that lead to the structure. */
static void reach_words_of(const struct structure *s, const struct guard_target *holder, struct guard_reach *reach)
{
	struct guard_target words = {.context = holder->context};
	bool bias = s->bias_low || s->bias_high;

	look_at_pointers(s, holder, &words);
	for (size_t i = 0; i + sizeof(uint64_t) <= words.pointer_bytes; i += words.pointer_step)
		if (!words.of || guard_is_word(words.of, words.first + (int64_t)i))
			guard_reach_words(reach, words.context, words.pointers + i, sizeof(uint64_t),
					  words.pointer_step);
	reach->known = words.pointers && !bias;
}

/* All allocations of a structure. A bias of several pointers is not followed. */
static struct guard_reach reach_of(const struct kernel_facts *facts, const struct guard_target *targets,
				   uint32_t structure)
{
	const struct structure *s = &facts->structures[structure];
	const struct guard_target *t = &targets[structure];
	struct guard_reach reach = GUARD_REACH_INIT;

	if (t->nowhere)
		return reach;
	if (s->is_image)
		reach.known = false;
	else if (s->kind == STRUCTURE_POINTEE && (s->at_word || s->nwords))
		reach_words_of(s, &targets[s->holder], &reach);
	else if (s->kind == STRUCTURE_POINTEE) {
		struct guard_reach from = reach_of(facts, targets, s->holder);

		guard_reach_step(&reach, t->context, &from);
		if (is_pointee(facts, s->holder))
			guard_reach_follow(&reach, t->context);
		reach.known = reach.known && !s->bias_low && !s->bias_high;
		guard_reach_release(&from);
	} else if (t->pointers) {
		guard_reach_words(&reach, t->context, t->pointers, t->pointer_bytes, t->pointer_step);
		reach.known = !s->bias_low && !s->bias_high;
	} else if (t->size) {
		guard_reach_add(&reach, t->base, t->size);
	} else {
		reach.known = false;
	}
	reach.known = reach.known && !(reach.null && t->null_end > LOWEST_MEMORY);
	return reach;
}

static bool reach_apart(const struct kernel_facts *facts, const struct guard_target *targets, const struct guard *guard)
{
	struct guard_reach reads = reach_of(facts, targets, guard->reads),
			   writes = reach_of(facts, targets, guard->writes);
	bool apart = reads.known && writes.known && !guard_reach_meets(&reads, &writes);

	guard_reach_release(&reads);
	guard_reach_release(&writes);
	return apart;
}

static bool is_chain(const struct kernel_facts *facts, uint32_t structure)
{
	return is_pointee(facts, structure) &&
	       (is_pointee(facts, facts->structures[structure].holder) ||
		facts->structures[facts->structures[structure].holder].param_bytes > sizeof(uint64_t));
}

static bool leads_to_several(const struct kernel_facts *facts, const struct guard_target *targets, uint32_t structure)
{
	return is_pointee(facts, structure) || targets[structure].pointers;
}

/* Whether a null pointer leads nowhere, not even with what is added to it: memory of the other side lies higher. */
static bool is_below(const struct guard_target *null, const struct guard_target *other)
{
	return null->nowhere && (!other->size || null->null_end <= other->base);
}

static bool holds(const struct kernel_facts *facts, struct guard_target *targets, const struct guard *guard)
{
	uint32_t reads = guard->reads, writes = guard->writes;

	if (is_below(&targets[reads], &targets[writes]) || is_below(&targets[writes], &targets[reads]))
		return true;
	if (is_chain(facts, reads) || is_chain(facts, writes) ||
	    (leads_to_several(facts, targets, reads) && leads_to_several(facts, targets, writes)))
		return reach_apart(facts, targets, guard);
	return are_apart(looked_at(facts, targets, reads), looked_at(facts, targets, writes));
}

/* Addresses alone do not tell memory apart that the program has mapped twice; that of its allocations it has not. */
static bool lie_in_allocations(const struct guard_target *targets, const struct guard *guard)
{
	return targets[guard->reads].size && targets[guard->writes].size;
}

int guard_check(const struct kernel_facts *facts, struct guard_target *targets,
		bool (*apart)(void *data, const struct guard *guard), void *data)
{
	for (int memory = 0; memory <= 1; memory++)
		for (uint32_t i = 0; i < facts->nguards; i++) {
			const struct guard *guard = &facts->guards[i];
			bool needs = is_pointee(facts, guard->reads) || is_pointee(facts, guard->writes);

			if (needs == memory && !holds(facts, targets, guard) &&
			    !(apart && lie_in_allocations(targets, guard) && apart(data, guard)))
				return (int)i;
		}
	return -1;
}
