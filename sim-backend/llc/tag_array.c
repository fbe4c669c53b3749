/* Look-up, placement, victim bits. */
#include "sim-backend/llc/tag_array.h"

#include "common/xalloc.h"

#include <stdlib.h>
#include <string.h>

void llc_tags_init(struct llc_tags *t, const struct llc_geometry *geometry, unsigned mshrs, unsigned slice,
		   const struct llc_replacement_ops *replacement, const void *knobs)
{
	size_t count = (size_t)geometry->sets * geometry->ways;

	t->geometry = geometry;
	t->victims.bits = NULL;
	t->addresses = xmalloc(count * sizeof *t->addresses);
	memset(t->addresses, 0xff, count * sizeof *t->addresses);
	t->lines = xcalloc(count + mshrs, sizeof *t->lines);
	t->replacement = replacement;
	t->replacement_state = replacement->create(
	    &(struct llc_replacement_geometry){.sets = geometry->sets,
					       .ways = geometry->ways,
					       .slice = slice,
					       .slices = geometry->chips * geometry->mcs * geometry->slices},
	    knobs);
}

void llc_tags_remember(struct llc_tags *t, uint32_t sms, uint32_t sms_per_bit)
{
	struct llc_victims *v = &t->victims;

	v->sms_per_bit = sms_per_bit;
	v->words = ((sms - 1) / sms_per_bit + 64) / 64;
	v->bits = xcalloc((size_t)t->geometry->sets * t->geometry->ways * v->words, sizeof *v->bits);
}

bool llc_tags_served(struct llc_tags *t, int index, uint32_t sm)
{
	const struct llc_victims *v = &t->victims;
	uint32_t bit = sm / v->sms_per_bit;
	uint64_t *word = &v->bits[(size_t)index * v->words + bit / 64], mask = UINT64_C(1) << bit % 64;
	bool before = *word & mask;

	*word |= mask;
	return before;
}

static void forget_served(struct llc_tags *t, int index)
{
	const struct llc_victims *v = &t->victims;

	if (v->bits)
		memset(v->bits + (size_t)index * v->words, 0, v->words * sizeof *v->bits);
}

void llc_tags_release(struct llc_tags *t)
{
	t->replacement->destroy(t->replacement_state);
	xfree(t->victims.bits);
	xfree(t->addresses);
	xfree(t->lines);
}

static unsigned first_way(const struct llc_tags *t, uint64_t address)
{
	return llc_set_of(t->geometry, address) * t->geometry->ways;
}

int llc_tags_find(const struct llc_tags *t, uint64_t address)
{
	unsigned first = first_way(t, address);

	for (unsigned way = 0; way < t->geometry->ways; way++)
		if (t->addresses[first + way] == address)
			return (int)(first + way);
	return -1;
}

void llc_tags_prefetch(const struct llc_tags *t, uint64_t address)
{
	const uint64_t *addresses = t->addresses + first_way(t, address);

	for (unsigned way = 0; way < t->geometry->ways; way += 64 / sizeof *addresses)
		__builtin_prefetch(addresses + way);
}

int llc_tags_victim(const struct llc_tags *t, const struct mem_request *request, unsigned from, unsigned to)
{
	unsigned first = first_way(t, request->line);
	uint64_t ways = 0;

	for (unsigned way = from; way < to; way++) {
		if (t->addresses[first + way] == LLC_NO_LINE)
			return (int)(first + way);
		ways |= (uint64_t)(t->lines[first + way].mshr == LLC_NOT_PENDING) << way;
	}
	return ways ? (int)(first + t->replacement->victim(t->replacement_state, first, ways, request)) : -1;
}

struct llc_line *llc_tags_place(struct llc_tags *t, int index, const struct mem_request *request, uint8_t flags)
{
	t->addresses[index] = request->line;
	t->lines[index] = (struct llc_line){.mshr = LLC_NOT_PENDING, .flags = flags};
	forget_served(t, index);
	t->replacement->fill(t->replacement_state, (uint32_t)index, request);
	return &t->lines[index];
}

bool llc_tags_keeps(const struct llc_tags *t, const struct mem_request *request)
{
	if (!t->replacement->keeps || request->kind != MEM_READ)
		return true;
	return t->replacement->keeps(t->replacement_state, first_way(t, request->line), request);
}

int llc_tags_pass(struct llc_tags *t, unsigned entry, const struct mem_request *request)
{
	unsigned index = t->geometry->sets * t->geometry->ways + entry;

	t->lines[index] = (struct llc_line){.mshr = LLC_NOT_PENDING};
	if (t->replacement->passed)
		t->replacement->passed(t->replacement_state, first_way(t, request->line), request);
	return (int)index;
}

void llc_tags_invalidate(struct llc_tags *t, int index)
{
	t->addresses[index] = LLC_NO_LINE;
	t->lines[index] = (struct llc_line){.mshr = LLC_NOT_PENDING};
	if (t->replacement->drop)
		t->replacement->drop(t->replacement_state, (uint32_t)index);
}
