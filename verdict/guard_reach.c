/* From words to allocations, by asking the device of each word. */
#include "verdict/guard_reach.h"

#include <string.h>

/* More bytes of allocations than these are not looked through at a launch. */
enum { MANY_BYTES = 1 << 20 };

/* An allocation and its first region begin at the same address. */
static bool has(const struct guard_reach *r, uint64_t base, size_t size)
{
	for (size_t i = 0; i < r->spans.len; i++)
		if (r->spans.data[i].base == base && r->spans.data[i].size >= size)
			return true;
	return false;
}

void guard_reach_add(struct guard_reach *r, uint64_t base, size_t size)
{
	if (!has(r, base, size))
		vec_push(&r->spans, (struct guard_span){base, size});
}

/*
 * The allocation that a word leads to, with or without a tag in its low bits. Variables of a module may be closer
 * together than allocations, so this tries each length of a tag.
 */
static bool find_word(const struct guard_context *context, uint64_t word, struct guard_span *found)
{
	for (uint64_t tag = 0; tag < GUARD_ALIGN; tag = tag * 2 + 1)
		if (context->find(context->device, word & ~tag, &found->base, &found->size))
			return true;
	return false;
}

/* Most words lead to a few allocations, for which `find` need not be called again. */
static bool is_in_first(const struct guard_reach *r, uint64_t word)
{
	enum { FIRST = 8 };

	for (size_t i = 0; i < r->spans.len && i < FIRST; i++)
		if (word - r->spans.data[i].base < r->spans.data[i].size)
			return true;
	return false;
}

void guard_reach_words(struct guard_reach *r, const struct guard_context *context, const void *bytes, size_t size,
		       size_t step)
{
	struct guard_span last = {0, 0};

	for (size_t i = 0; i + sizeof(uint64_t) <= size; i += step) {
		uint64_t word;

		memcpy(&word, (const char *)bytes + i, sizeof word);
		word = word << GUARD_TAG_BITS >> GUARD_TAG_BITS;
		r->null |= !word;
		if (!word || word - last.base < last.size || is_in_first(r, word))
			continue;
		if (find_word(context, word, &last))
			guard_reach_add(r, last.base, last.size);
		else
			last.size = 0;
	}
}

/* The words of allocation `span`, unless `*budget` bytes are used up. */
static void look_into(struct guard_reach *r, const struct guard_context *context, struct guard_span span,
		      size_t *budget)
{
	const char *bytes = NULL;
	size_t before = guard_bytes_before_words(span.base);

	if (context->view && span.size <= *budget)
		bytes = context->view(context->device, span.base, span.size);
	if (!bytes) {
		r->known = false;
		return;
	}
	*budget -= span.size;
	if (span.size > before)
		guard_reach_words(r, context, bytes + before, span.size - before, sizeof(uint64_t));
}

void guard_reach_step(struct guard_reach *r, const struct guard_context *context, const struct guard_reach *from)
{
	size_t budget = MANY_BYTES;

	r->known = r->known && from->known;
	for (size_t i = 0; i < from->spans.len && r->known; i++)
		look_into(r, context, from->spans.data[i], &budget);
}

void guard_reach_follow(struct guard_reach *r, const struct guard_context *context)
{
	size_t budget = MANY_BYTES;

	for (size_t i = 0; i < r->spans.len && r->known; i++)
		look_into(r, context, r->spans.data[i], &budget);
}

bool guard_reach_meets(const struct guard_reach *a, const struct guard_reach *b)
{
	for (size_t i = 0; i < a->spans.len; i++)
		for (size_t j = 0; j < b->spans.len; j++) {
			const struct guard_span *x = &a->spans.data[i], *y = &b->spans.data[j];

			if (x->base < y->base + y->size && y->base < x->base + x->size)
				return true;
		}
	return false;
}

void guard_reach_release(struct guard_reach *r)
{
	vec_release(&r->spans);
}
