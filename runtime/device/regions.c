/* Two sorted lists: allocations that have regions, and the regions of each. */
#include "runtime/device/regions.h"

#include "common/xalloc.h"
#include "verdict/pointer_tags.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Index of the first of `count` sorted items that starts above `address`. Each is `size` bytes, its address first. */
static size_t first_above(const void *items, size_t count, size_t size, uint64_t address)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		uint64_t start;

		memcpy(&start, (const char *)items + middle * size, sizeof start);
		if (start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

_Static_assert(!offsetof(struct region, address) && !offsetof(struct region_holder, base), "first_above reads these");

static size_t holder_above(const struct regions *r, uint64_t address)
{
	return first_above(r->holders.data, r->holders.len, sizeof *r->holders.data, address);
}

static size_t part_above(const struct region_holder *h, uint64_t address)
{
	return first_above(h->parts.data, h->parts.len, sizeof *h->parts.data, address);
}

/* With or without regions at the time. */
static struct region_holder *holder_of(const struct regions *r, uint64_t address)
{
	size_t i = r ? holder_above(r, address) : 0;
	struct region_holder *h = i ? &r->holders.data[i - 1] : NULL;

	return h && address - h->base < h->size ? h : NULL;
}

static const struct region *part_of(const struct region_holder *h, uint64_t address)
{
	size_t i = h ? part_above(h, address) : 0;
	const struct region *part = i ? &h->parts.data[i - 1] : NULL;

	return part && address - part->address < part->size ? part : NULL;
}

const struct region *regions_find(const struct regions *r, uint64_t address)
{
	return part_of(holder_of(r, address), address);
}

const struct region_holder *regions_holder(const struct regions *r, uint64_t address)
{
	const struct region_holder *h = holder_of(r, address);

	return h && h->parts.len ? h : NULL;
}

void regions_narrow(const struct regions *r, uint64_t seen, uint64_t address, uint64_t *base, size_t *size)
{
	const struct region_holder *h = holder_of(r, address);
	const struct region *part = part_of(h, address);

	if (!part || h->changed > seen)
		return;
	*base = part->address;
	*size = part->size;
}

/* --- Changes --- */

static int check(const struct region_holder *whole, uint64_t address, uint64_t size, struct diag *d)
{
	if (address % GUARD_ALIGN)
		return diag_file(
		    d, NULL, "romark_region: 0x%" PRIx64 ": regions start at multiples of %d bytes, as allocations do",
		    address, GUARD_ALIGN);
	if (!size)
		return diag_file(d, NULL, "romark_region: 0 bytes at 0x%" PRIx64, address);
	if (address - whole->base >= whole->size || size > whole->size - (address - whole->base))
		return diag_file(d, NULL,
				 "romark_region: %" PRIu64 " bytes at 0x%" PRIx64 " leave %s (%" PRIu64
				 " bytes at 0x%" PRIx64 ")",
				 size, address, whole->name, whole->size, whole->base);
	return 0;
}

static int check_overlap(const struct region_holder *h, size_t at, uint64_t address, uint64_t size, struct diag *d)
{
	const struct region *before = at ? &h->parts.data[at - 1] : NULL,
			    *behind = at < h->parts.len ? &h->parts.data[at] : NULL, *met = NULL;

	if (before && address - before->address < before->size)
		met = before;
	else if (behind && behind->address - address < size)
		met = behind;
	if (!met)
		return 0;
	return diag_file(d, NULL,
			 "romark_region: %" PRIu64 " bytes at 0x%" PRIx64 " overlap %s (%" PRIu64 " bytes at 0x%" PRIx64
			 "), which has not ended",
			 size, address, met->name, met->size, met->address);
}

/* An allocation that had no region before. */
static struct region_holder *add_holder(struct regions *r, const struct region_holder *whole)
{
	size_t at = holder_above(r, whole->base);
	struct region_holder added = {.base = whole->base, .size = whole->size, .name = xstrdup(whole->name)};

	vec_push(&r->holders, added);
	memmove(&r->holders.data[at + 1], &r->holders.data[at], (r->holders.len - 1 - at) * sizeof added);
	r->holders.data[at] = added;
	return &r->holders.data[at];
}

int regions_add(struct regions *r, const struct region_holder *whole, uint64_t address, uint64_t size, const char *name,
		struct diag *d)
{
	struct region_holder *h;
	struct region added = {.address = address, .size = size};
	size_t at;

	if (check(whole, address, size, d) < 0)
		return DIAG_ERROR;
	h = holder_of(r, address);
	if (h && check_overlap(h, part_above(h, address), address, size, d) < 0)
		return DIAG_ERROR;
	h = h ? h : add_holder(r, whole);
	at = part_above(h, address);
	added.name = xstrdup(name);
	vec_push(&h->parts, added);
	memmove(&h->parts.data[at + 1], &h->parts.data[at], (h->parts.len - 1 - at) * sizeof added);
	h->parts.data[at] = added;
	h->changed = ++r->changes;
	return 0;
}

bool regions_end(struct regions *r, uint64_t address)
{
	struct region_holder *h = holder_of(r, address);
	size_t at = h ? part_above(h, address) : 0;

	if (!at || h->parts.data[at - 1].address != address)
		return false;
	free(h->parts.data[at - 1].name);
	memmove(&h->parts.data[at - 1], &h->parts.data[at], (h->parts.len - at) * sizeof h->parts.data[0]);
	h->parts.len--;
	h->changed = ++r->changes;
	return true;
}

static void release_holder(struct region_holder *h)
{
	for (size_t i = 0; i < h->parts.len; i++)
		free(h->parts.data[i].name);
	vec_release(&h->parts);
	free((char *)h->name);
}

void regions_forget(struct regions *r, uint64_t base)
{
	size_t at = holder_above(r, base);

	if (!at || r->holders.data[at - 1].base != base)
		return;
	release_holder(&r->holders.data[at - 1]);
	memmove(&r->holders.data[at - 1], &r->holders.data[at], (r->holders.len - at) * sizeof r->holders.data[0]);
	r->holders.len--;
	r->changes++;
}

void regions_release(struct regions *r)
{
	for (size_t i = 0; i < r->holders.len; i++)
		release_holder(&r->holders.data[i]);
	vec_release(&r->holders);
	*r = (struct regions){0};
}
