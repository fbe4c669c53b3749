/*
 * Hints about races, with the check of marks (ROMARK_VERIFY). The engine runs a warp until it waits, so a race that
 * hardware hides most of the time has one outcome here, every time; this says that there is one.
 *
 * Each word of memory remembers who wrote it last, and the last two who read it, and when: the time counts what puts
 * warps in order. Warps of a CTA are in order where both have been at a barrier, a fence, an atomic operation or a
 * volatile access since the first of two accesses; CTAs, where some warp of each has done so, barriers aside. That is
 * not asked of the right ones with the right address, so what is reported is a race, and not every race is.
 *
 * Not looked at: lanes of one warp; what is atomic, volatile or marked read-only; stores of what is there already;
 * textures, matrices and asynchronous copies.
 */
#include "runtime/cpu/engine/device.h"
#include "runtime/cpu/engine/engine_ops.h"
#include "runtime/cpu/observe/observe.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Words and CTAs that are remembered; those that fall together with others are forgotten. */
enum { WORDS = 1 << 19, CTAS = 1 << 16, MAX_HINTS = 64, WORD_BYTES = 4, READERS = 2 };

/* An access of a warp to some bytes of a word. */
struct use {
	uint32_t place; /* 1 + the instruction's row in the program's table; 0: none */
	uint32_t time, cta;
	uint8_t warp, bytes; /* in its CTA; a bit each */
};

struct word {
	uint64_t address;
	uint32_t owner; /* the CTA that has it in its shared memory */
	uint32_t epoch;
	struct use writer, readers[READERS];
};

/* Places of two accesses that a hint was given about. */
struct race_pair {
	uint32_t now, before;
};

struct race_checker {
	struct word *words;
	struct {
		uint32_t cta, epoch, time;
	} synchronized[CTAS]; /* when warps of it last were, with those of others */
	uint32_t time, epoch;
};

struct race_checker *race_checker_new(void)
{
	struct race_checker *c = xcalloc(1, sizeof *c);
	void *at = mmap(NULL, WORDS * sizeof *c->words, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (at == MAP_FAILED)
		BUG("no addresses for %zu MiB of accesses", WORDS * sizeof *c->words >> 20);
	c->words = at;
	return c;
}

void race_checker_free(struct race_checker *c)
{
	if (!c)
		return;
	munmap(c->words, WORDS * sizeof *c->words);
	free(c);
}

void race_checker_begin(struct race_checker *c, const struct launch *launch, struct observer *o)
{
	o->races = launch->device->settings.quiet ? NULL : c;
	o->race_epoch = ++c->epoch;
}

/* --- Which instructions --- */

static bool is_strong(const struct ptx_opcode *o)
{
	uint16_t order = o->group[PTX_GROUP_ORDER], cache = o->group[PTX_GROUP_CACHE];

	return (order != PTX_MOD_NONE && order != PTX_MOD_weak) || cache == PTX_MOD_cg || cache == PTX_MOD_cv;
}

/* Puts its warp in order with others, as far as is looked at here. */
static bool synchronizes(const struct inst *in)
{
	switch (in->ptx->opcode->cls) {
	case PTX_CLASS_ATOMIC:
	case PTX_CLASS_FENCE:
	case PTX_CLASS_ASYNC: return true;
	case PTX_CLASS_BARRIER: return inst_has_role(in, 1u << PTX_ROLE_LOAD | WRITING_ROLES); /* mbarriers */
	case PTX_CLASS_CALL: return !in->control;                                              /* malloc, free, ... */
	case PTX_CLASS_LOAD:
	case PTX_CLASS_STORE: return is_strong(in->ptx->opcode);
	default: return false;
	}
}

bool inst_concerns_races(const struct inst *in)
{
	uint8_t cls;

	if (!(in->flags & INST_REAL))
		return false;
	cls = (uint8_t)in->ptx->opcode->cls;
	if (cls != PTX_CLASS_LOAD && cls != PTX_CLASS_STORE)
		return synchronizes(in);
	return !(in->flags & INST_MARKED) &&
	       (in->space == PTX_SPACE_GLOBAL || in->space == PTX_SPACE_SHARED || in->space == PTX_SPACE_GENERIC);
}

/* --- Order --- */

static void synchronize(struct warp *w)
{
	struct observer *o = w->launch->observer;
	size_t slot = (uint32_t)w->cta->index % CTAS;

	w->synchronized = ++o->races->time;
	o->races->synchronized[slot].cta = (uint32_t)w->cta->index;
	o->races->synchronized[slot].epoch = o->race_epoch;
	o->races->synchronized[slot].time = w->synchronized;
}

void observe_barrier(struct cta *cta)
{
	struct observer *o = cta->launch->observer;

	if (o && o->races)
		cta->synchronized = ++o->races->time;
}

static bool warp_since(const struct cta *cta, uint32_t warp, uint32_t time)
{
	const struct warp *w = &cta->warps[warp];

	return cta->synchronized > time || w->synchronized > time || !w->live;
}

/* A CTA of which nothing is known may have been. */
static bool cta_since(const struct observer *o, uint32_t cta, uint32_t time)
{
	const struct race_checker *c = o->races;
	size_t slot = cta % CTAS;

	if (c->synchronized[slot].epoch != o->race_epoch)
		return false;
	return c->synchronized[slot].cta != cta || c->synchronized[slot].time > time;
}

/* The access before and the warp's present one are of different warps, and nothing puts these in order. */
static bool is_race(const struct warp *w, const struct use *before, unsigned bytes)
{
	const struct observer *o = w->launch->observer;
	uint32_t cta = (uint32_t)w->cta->index;

	if (!before->place || !(before->bytes & bytes) || (before->cta == cta && before->warp == w->index))
		return false;
	if (before->cta == cta)
		return !warp_since(w->cta, before->warp, before->time) || !warp_since(w->cta, w->index, before->time);
	return !cta_since(o, before->cta, before->time) || !cta_since(o, cta, before->time);
}

/* --- Hints --- */

static bool is_new(struct program *p, uint32_t now, uint32_t before)
{
	if (!p->races)
		p->races = arena_array(&p->arena, struct race_pair, MAX_HINTS);
	for (uint32_t i = 0; i < p->nraces; i++)
		if (p->races[i].now == now && p->races[i].before == before)
			return false;
	if (p->nraces == MAX_HINTS)
		return false;
	p->races[p->nraces++] = (struct race_pair){now, before};
	return true;
}

static struct fault_place find_place(const struct program *p, uint32_t place)
{
	for (uint32_t c = 0; c < p->ncodes; c++)
		for (uint32_t i = 0; i < p->codes[c].ninsts; i++)
			if (p->codes[c].insts[i].flags & INST_REAL && p->codes[c].insts[i].trace + 1 == place)
				return (struct fault_place){&p->codes[c].insts[i], &p->codes[c]};
	BUG("no instruction has place %u", place);
}

/* Written like a fault, after which the launch goes on. */
static void hint(struct warp *w, const struct inst *in, unsigned lane, uint64_t address, const struct use *before)
{
	static const char *const does[] = {"reads", "writes"}, *const did[] = {"read", "wrote"};
	bool stores = in->ptx->opcode->cls == PTX_CLASS_STORE, stored, inside = before->cta == (uint32_t)w->cta->index;
	struct fault_place other;
	struct diag d = DIAG_INIT;

	if (!is_new(w->launch->program, in->trace + 1, before->place))
		return;
	other = find_place(w->launch->program, before->place);
	stored = other.inst->ptx->opcode->cls == PTX_CLASS_STORE;
	fault_contradiction(w, in, lane, address, other,
			    "hint: race, line %u %s what another %s %s, and %s:", in->ptx->line, does[stores],
			    inside ? "warp of the CTA" : "CTA", did[stored],
			    inside ? "no barrier is between them" : "nothing puts the CTAs in order");
	fault_describe(w->launch, &d);
	w->launch->fault = (struct fault){0};
	diag_print(&d, stderr);
}

/* --- Accesses --- */

static struct word *word_at(struct observer *o, uint64_t address, uint32_t owner)
{
	uint64_t number = address / WORD_BYTES;
	struct word *word =
	    &o->races->words[(number ^ (number / WORDS + owner) * UINT64_C(0x9e3779b97f4a7c15) >> 32) % WORDS];

	if (word->address != address || word->owner != owner || word->epoch != o->race_epoch)
		*word = (struct word){.address = address, .owner = owner, .epoch = o->race_epoch};
	return word;
}

static void note_read(struct warp *w, const struct inst *in, unsigned lane, struct word *word, struct use own)
{
	struct use *last = &word->readers[0];

	if (is_race(w, &word->writer, own.bytes))
		hint(w, in, lane, word->address, &word->writer);
	if (last->place && (last->cta != own.cta || last->warp != own.warp))
		word->readers[1] = *last;
	else if (last->place == own.place && last->time == own.time)
		own.bytes |= last->bytes;
	*last = own;
}

static void note_write(struct warp *w, const struct inst *in, unsigned lane, struct word *word, struct use own)
{
	if (is_race(w, &word->writer, own.bytes))
		hint(w, in, lane, word->address, &word->writer);
	for (unsigned i = 0; i < READERS; i++)
		if (is_race(w, &word->readers[i], own.bytes))
			hint(w, in, lane, word->address, &word->readers[i]);
	word->writer = own;
}

/* What a lane stores is there already. */
static bool changes_nothing(const struct warp *w, const struct inst *in, unsigned lane, const uint8_t *at)
{
	const size_t stride = in->bytes < 4 ? 4 : in->bytes;

	for (unsigned k = 0; k < in->vec; k++) {
		const uint8_t *from = source(w, in->vec == 1 ? in->b : in->list[k]);

		if (memcmp(at + (size_t)k * in->bytes, from + lane * stride, in->bytes) != 0)
			return false;
	}
	return true;
}

static void note_lane(struct warp *w, const struct inst *in, unsigned lane, uint64_t address)
{
	struct observer *o = w->launch->observer;
	uint64_t offset, bytes = (uint64_t)in->bytes * in->vec;
	enum ptx_space space = resolve_space(w, (enum ptx_space)in->space, address, &offset);
	const uint8_t *at = lane_pointer(w, space, lane, offset, bytes);
	bool stores = in->ptx->opcode->cls == PTX_CLASS_STORE, shared = space == PTX_SPACE_SHARED;

	/* An address that is none is for the access itself to find. */
	if (!at || (!shared && space != PTX_SPACE_GLOBAL) || (stores && changes_nothing(w, in, lane, at)))
		return;
	offset += shared ? SHARED_WINDOW : 0;
	for (uint64_t end = offset + bytes; offset < end;) {
		uint64_t start = offset % WORD_BYTES, count = WORD_BYTES - start;
		struct use own = {in->trace + 1, o->races->time, (uint32_t)w->cta->index, (uint8_t)w->index, 0};
		struct word *word = word_at(o, offset - start, shared ? own.cta : 0);

		count = count < end - offset ? count : end - offset;
		own.bytes = (uint8_t)(((1u << count) - 1) << start);
		if (stores)
			note_write(w, in, lane, word, own);
		else
			note_read(w, in, lane, word, own);
		offset += count;
	}
}

void note_races(struct warp *w, const struct inst *in, uint32_t mask)
{
	uint64_t address[LANES], last = 0;

	if (!w->launch->observer || !w->launch->observer->races || !mask)
		return;
	if (synchronizes(in)) {
		synchronize(w);
		return;
	}
	lane_addresses(w, in, address);
	/* A CTA 16 threads wide has two rows in a warp, which often read the same. */
	if (in->ptx->opcode->cls == PTX_CLASS_LOAD && mask == ALL_LANES &&
	    memcmp(address, address + LANES / 2, sizeof address / 2) == 0)
		mask >>= LANES / 2;
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		unsigned lane = (unsigned)__builtin_ctz(rest);

		if (rest != mask && address[lane] == last)
			continue;
		last = address[lane];
		note_lane(w, in, lane, last);
	}
}
