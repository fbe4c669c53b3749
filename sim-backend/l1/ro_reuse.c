/* At the end of each period the structure's hits and losses are compared with its lines, and counting begins anew. */
#include "sim-backend/l1/ro_reuse.h"

#include "sim-backend/l1/l1.h"

#include "common/xalloc.h"

void ro_reuse_init(struct ro_reuse *r, const struct ro_reuse_knobs *knobs)
{
	r->knobs = knobs;
	r->entries = xcalloc(knobs->entries, sizeof *r->entries);
}

void ro_reuse_clear(struct ro_reuse *r)
{
	xfree(r->entries);
}

static struct ro_entry *entry_of(const struct ro_reuse *r, uint32_t structure)
{
	return &r->entries[structure % r->knobs->entries];
}

static bool is_below(uint32_t uses, uint32_t percent, uint32_t lines)
{
	return uses * UINT64_C(100) < (uint64_t)percent * lines;
}

static enum reuse judge(const struct ro_reuse_knobs *k, const struct ro_entry *e)
{
	if (is_below(e->hits + e->lost, k->streamed, e->lines))
		return REUSE_STREAMED;
	return is_below(e->hits, k->reused, e->lines) ? REUSE_OPEN : REUSE_KEPT;
}

void ro_reuse_line(struct ro_reuse *r, uint32_t structure, bool lost)
{
	struct ro_entry *e = entry_of(r, structure);

	e->lost += lost;
	if (++e->lines == r->knobs->period)
		*e = (struct ro_entry){.reuse = (uint8_t)judge(r->knobs, e)};
}

void ro_reuse_hit(struct ro_reuse *r, uint32_t structure)
{
	entry_of(r, structure)->hits++;
}

enum reuse ro_reuse_of(const struct ro_reuse *r, uint32_t structure)
{
	return entry_of(r, structure)->reuse;
}

/* Hits may be more than the lines; counters of twice the lines' width hold them. */
uint64_t ro_reuse_bits(const struct ro_reuse_knobs *knobs)
{
	uint32_t width = l1_bits_for(knobs->period + 1);

	return (uint64_t)knobs->entries * (width + width + 2 * width + 2);
}
