/* Few lines are on their way at a time, so all lists are searched from the begin. */
#include "sim-backend/sm/fetches.h"

#include "sim-backend/base/units.h"
#include "sim-backend/sm/sm.h"

/* Where constants and code lie; traces have no addresses for them, and no other data lie there. */
static const uint64_t CONSTANTS = UINT64_C(1) << 45, CODE = UINT64_C(1) << 46, SPACE = UINT64_C(1) << 44;
enum { LINE = 128 };

struct fetches *fetches_create(const struct sm_config *config)
{
	return config->misses_to_llc ? xcalloc(1, sizeof(struct fetches)) : NULL;
}

void fetches_free(struct fetches *f)
{
	if (!f)
		return;
	vec_release(&f->fetches);
	vec_release(&f->unsent);
	vec_release(&f->links);
	vec_release(&f->waits);
	xfree(f);
}

static uint32_t fetch_of(struct sm *sm, uint64_t line, bool instruction)
{
	struct fetches *f = sm->fetches;
	uint32_t unused = (uint32_t)f->fetches.len;

	for (uint32_t i = 0; i < f->fetches.len; i++) {
		const struct fetch *each = &f->fetches.data[i];

		if (!each->used)
			unused = i;
		else if (each->line == line && each->instruction == instruction)
			return i;
	}
	if (unused == f->fetches.len)
		vec_push(&f->fetches, (struct fetch){0});
	f->fetches.data[unused] = (struct fetch){line, instruction, true};
	vec_push(&f->unsent, unused);
	return unused;
}

uint32_t fetch_constants(struct sm *sm, unsigned warp, uint32_t inst, unsigned words)
{
	struct fetches *f = sm->fetches;
	uint32_t i = 0;

	while (i < f->waits.len && f->waits.data[i].left)
		i++;
	if (i == f->waits.len)
		vec_push(&f->waits, (struct const_wait){0});
	f->waits.data[i] = (struct const_wait){inst, 0, (uint8_t)warp, (uint8_t)words};
	sm->warps[warp].outstanding++;
	return i;
}

void fetch_constant(struct sm *sm, uint32_t wait, uint64_t line)
{
	struct fetch_link link = {fetch_of(sm, line, false), wait};

	sm->fetches->waits.data[wait].left++;
	vec_push(&sm->fetches->links, link);
}

void fetch_instruction(struct sm *sm, unsigned warp, uint64_t line)
{
	struct fetch_link link = {fetch_of(sm, line, true), FETCH_FOR_WARP + warp};

	sm->fetches->left[warp]++;
	vec_push(&sm->fetches->links, link);
}

void fetch_holds(struct sm *sm, unsigned warp, uint32_t earliest)
{
	sm->fetches->waiting |= (uint64_t)1 << warp;
	sm->fetches->earliest[warp] = earliest;
}

bool fetches_send(struct sm *sm, uint64_t cycle)
{
	struct fetches *f = sm->fetches;
	const struct sm_config *config = sm->context->config;
	const struct fetch *fetch;
	uint64_t address;
	uint32_t bytes, first;
	uint8_t sectors;

	if (f->unsent.len == 0)
		return false;
	if (!memsys_can_send(sm->context->memsys, sm->id, cycle)) {
		sm->context->stats.port_stalls++;
		return false;
	}
	fetch = &f->fetches.data[f->unsent.data[0]];
	bytes = fetch->instruction ? config->inst_line : config->const_line;
	address = (fetch->instruction ? CODE : CONSTANTS) + fetch->line * bytes % SPACE;
	first = address % LINE / MEM_SECTOR_BYTES;
	sectors = (uint8_t)(((1u << units_of(bytes < LINE ? bytes : LINE, MEM_SECTOR_BYTES)) - 1) << first & 15);
	lsu_send_fetch(sm, &(struct mem_request){.line = address / LINE * LINE,
						 .bytes = (uint32_t)__builtin_popcount(sectors) * MEM_SECTOR_BYTES,
						 .sectors = sectors,
						 .kind = MEM_READ,
						 .sm = sm->id,
						 .cookie = f->unsent.data[0],
						 .issued = cycle});
	for (size_t i = 1; i < f->unsent.len; i++)
		f->unsent.data[i - 1] = f->unsent.data[i];
	f->unsent.len--;
	return true;
}

/* A line of those that `wait` waits for is there. */
static void line_there(struct sm *sm, uint32_t wait, uint64_t cycle)
{
	struct fetches *f = sm->fetches;
	unsigned warp = wait - FETCH_FOR_WARP;
	struct const_wait *w;

	if (wait >= FETCH_FOR_WARP) {
		if (--f->left[warp] > 0)
			return;
		f->waiting &= ~((uint64_t)1 << warp);
		warp_fetched(sm, warp, f->earliest[warp], cycle);
		return;
	}
	w = &f->waits.data[wait];
	if (--w->left > 0)
		return;
	registers_arrived(sm, w->warp, &sm->context->insts[w->inst], const_port(sm, w->words, cycle));
	warp = w->warp;
	warp_recheck(sm, warp, cycle);
	warp_answered(sm, warp, cycle);
}

void fetch_arrived(struct sm *sm, uint32_t index, uint64_t cycle)
{
	struct fetches *f = sm->fetches;
	struct fetch *fetch = &f->fetches.data[index];
	size_t kept = 0;

	small_cache_arrived(fetch->instruction ? sm->instructions : sm->constants, fetch->line, cycle);
	fetch->used = false;
	for (size_t i = 0; i < f->links.len; i++)
		if (f->links.data[i].fetch == index)
			line_there(sm, f->links.data[i].wait, cycle);
		else
			f->links.data[kept++] = f->links.data[i];
	f->links.len = kept;
}
