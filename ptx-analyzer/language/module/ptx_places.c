/* A position's call sites are a chain in the module. The file that a link names may be unknown. */
#include "ptx-analyzer/language/module/ptx_places.h"

/* Deeper chains are cut off here. So a chain that leads back to itself ends, too. */
enum { DEEPEST_CHAIN = 64 };

struct place_chain ptx_places(const struct ptx_module *m, const struct ptx_inst *inst, struct arena *arena)
{
	struct source_place places[DEEPEST_CHAIN];
	uint32_t count = 0;

	for (uint32_t loc = inst->loc; loc < m->nlocs && count < DEEPEST_CHAIN; loc = m->locs[loc].inlined_at) {
		const struct ptx_loc *l = &m->locs[loc];

		if (l->file < m->nfiles && m->files[l->file])
			places[count++] = (struct source_place){m->files[l->file], l->line, l->column};
	}
	return place_chain_make(arena, places, count);
}
