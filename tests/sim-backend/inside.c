/* The one file of the tests that looks into struct memsys. */
#include "tests/sim-backend/inside.h"

#include "sim-backend/memory/memsys_internal.h"

struct chip *inside_chip(const struct memsys *ms, unsigned chip)
{
	return &ms->chips[chip];
}

struct llc_slice *inside_slice(const struct memsys *ms, unsigned slice)
{
	unsigned per_chip = ms->chips[0].nslices;

	return slice < ms->nslices ? &ms->chips[slice / per_chip].slices[slice % per_chip] : NULL;
}

unsigned inside_home(const struct memsys *ms, uint64_t line)
{
	return page_table_chip(&ms->shared.pages, line);
}

bool inside_holds(const struct memsys *ms, unsigned chip, uint64_t line)
{
	const struct chip *c = &ms->chips[chip];

	for (unsigned i = 0; i < c->nslices; i++)
		if (llc_tags_find(&c->slices[i].tags, line) >= 0)
			return true;
	return false;
}
