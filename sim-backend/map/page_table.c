/* Pages and their owners, in a hash table with linear probing. */
#include "sim-backend/map/page_table.h"

#include "common/diag.h"
#include "common/xalloc.h"

#include <inttypes.h>
#include <stdlib.h>

enum { FIRST_SLOTS = 1024 };
#define NO_PAGE UINT64_MAX

static struct page *new_slots(uint64_t count)
{
	struct page *pages = xmalloc(count * sizeof *pages);

	for (uint64_t i = 0; i < count; i++)
		pages[i] = (struct page){.number = NO_PAGE};
	return pages;
}

void page_table_init(struct page_table *t, unsigned chips, uint32_t page_bytes, enum page_owner owner)
{
	*t = (struct page_table){
	    .chips = chips, .shift = (unsigned)__builtin_ctz(page_bytes), .owner = owner, .slots = FIRST_SLOTS};
	t->pages = new_slots(t->slots);
}

void page_table_release(struct page_table *t)
{
	xfree(t->pages);
}

/* The page's slot, or the free slot where it belongs. */
static struct page *find(const struct page_table *t, uint64_t number)
{
	uint64_t mask = t->slots - 1, i = (number * UINT64_C(0x9e3779b97f4a7c15)) >> 20 & mask;

	while (t->pages[i].number != number && t->pages[i].number != NO_PAGE)
		i = (i + 1) & mask;
	return &t->pages[i];
}

static void grow(struct page_table *t)
{
	struct page *old = t->pages;
	uint64_t count = t->slots;

	t->slots *= 2;
	t->pages = new_slots(t->slots);
	for (uint64_t i = 0; i < count; i++)
		if (old[i].number != NO_PAGE)
			*find(t, old[i].number) = old[i];
	xfree(old);
}

/* Smaller is preferred; the number rotates the order, so that no chip wins all ties. */
static unsigned rank(const struct page_table *t, uint64_t number, unsigned chip)
{
	return (unsigned)((chip + t->chips - number % t->chips) % t->chips);
}

void page_table_touch(struct page_table *t, uint64_t line, unsigned chip, uint64_t now)
{
	uint64_t number = line >> t->shift;
	struct page *p;

	if (t->owner != PAGE_OF_FIRST_TOUCH)
		return;
	p = find(t, number);
	if (p->number == NO_PAGE) {
		*p = (struct page){number, now, (uint8_t)chip};
		if (++t->used * 2 > t->slots)
			grow(t);
	} else if (p->touched == now && rank(t, number, chip) < rank(t, number, p->chip)) {
		p->chip = (uint8_t)chip;
	}
}

static unsigned digits_together(const struct page_table *t, uint64_t number)
{
	unsigned bits = (unsigned)__builtin_ctz(t->chips);
	uint64_t sum = 0;

	for (; bits && number; number >>= bits)
		sum ^= number;
	return (unsigned)(sum & (t->chips - 1));
}

unsigned page_table_chip(const struct page_table *t, uint64_t line)
{
	uint64_t number = line >> t->shift;
	const struct page *p;

	if (t->owner != PAGE_OF_FIRST_TOUCH)
		return t->owner == PAGE_OF_NUMBER ? (unsigned)(number % t->chips) : digits_together(t, number);
	p = find(t, number);
	if (p->number == NO_PAGE)
		BUG("page 0x%" PRIx64 " has no owner: it was never touched", number);
	return p->chip;
}
