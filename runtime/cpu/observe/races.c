/*
 * The check of races (ROMARK_CHECK=race). The engine runs a warp until it waits, so a race always has the same outcome
 * here. On hardware the outcome may differ rarely.
 *
 * Each word of memory remembers its last writer, its last two readers, and the times. Time counts the operations that
 * order warps: barriers, fences, atomic operations and volatile accesses. Two warps of a CTA are in order if each has
 * passed such an operation since the first of two accesses. Two CTAs are in order if some warp of each has, not
 * counting barriers. The check does not test whether these operations belong together. So some races are not reported,
 * but each report is a race.
 *
 * Words are in lines, and a line knows who accessed it last, and when. That settles most accesses for all words that a
 * warp takes of a line at once: nobody else was there, or a barrier came after it.
 *
 * An atomic operation is in a race with plain stores, which may undo it. Plain loads beside atomic operations are
 * usual.
 *
 * Lanes of one warp are in lane_races.c. Not looked at: what is volatile or marked read-only; stores of what is there
 * already; textures, matrices and asynchronous copies.
 */
#include "runtime/cpu/engine/checks.h"
#include "runtime/cpu/engine/engine_op.h"
#include "runtime/cpu/observe/lane_races.h"
#include "runtime/cpu/observe/observe.h"
#include "runtime/cpu/observe/runs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Lines, CTAs and spans that are remembered; those that fall together with others are forgotten. */
enum { LINES = 1 << 14, CTAS = 1 << 16, SPANS = 1 << 16 };
enum { WORD_BYTES = 4, ALL_BYTES = 15, LINE_WORDS = 32, LINE_BYTES = LINE_WORDS * WORD_BYTES };

/*
 * An access of a warp to some bytes of a word: from the top the time, the instruction's place (1 + its row in the
 * program's table), the warp in its CTA, and a bit for each byte.
 */
typedef uint64_t use_t;
enum { WARP_SHIFT = 4, PLACE_SHIFT = 9, TIME_SHIFT = 32, MAX_PLACE = (1 << (TIME_SHIFT - PLACE_SHIFT)) - 1 };
_Static_assert(MAX_WARPS <= 1 << (PLACE_SHIFT - WARP_SHIFT), "warps have five bits");

struct line {
	uint64_t number;
	uint32_t owner; /* the CTA that has it in its shared memory */
	uint32_t epoch;
	uint32_t read, written, updated;             /* bits of the words whose readers, writer and updater are known */
	uint32_t last_read, last_write, last_update; /* times */
	uint32_t cta, warp;                          /* who was there */
	bool ctas, warps;                            /* others were, too */
	use_t writer[LINE_WORDS], reader[LINE_WORDS];
	use_t updater[LINE_WORDS]; /* by an atomic operation */
	use_t other[LINE_WORDS];   /* the last reader of another warp than `reader`; 0: none */
};

struct race_checker {
	struct line *lines;
	struct lane_races *lanes;
	struct {
		uint32_t cta, epoch, time;
	} synchronized[CTAS]; /* last times when one of its warps was ordered with other CTAs */
	/* A span is a time in which a single warp runs, and nothing orders it with others. */
	struct {
		uint32_t start, cta, epoch;
	} spans[SPANS];
	const struct warp *warp; /* of the present span */
	uint32_t span, time, epoch;
};

struct race_checker *race_checker_new(void)
{
	struct race_checker *c = xcalloc(1, sizeof *c);
	void *at = mmap(NULL, LINES * sizeof *c->lines, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (at == MAP_FAILED)
		BUG("no addresses for %zu MiB of accesses", LINES * sizeof *c->lines >> 20);
	c->lines = at;
	c->lanes = lane_races_new();
	return c;
}

void race_checker_free(struct race_checker *c)
{
	if (!c)
		return;
	munmap(c->lines, LINES * sizeof *c->lines);
	lane_races_free(c->lanes);
	free(c);
}

void race_checker_begin(struct race_checker *c, const struct launch *launch, struct observer *o)
{
	o->races = c;
	o->race_epoch = ++c->epoch;
	c->warp = NULL;
	if (launch->nested.depth == 0)
		c->time = 0;
}

/* --- Instructions that take part --- */

/* True for instructions that order their warp with others, as far as this check sees. */
static bool synchronizes(const struct inst *in)
{
	switch (in->ptx->opcode->cls) {
	case PTX_CLASS_ATOMIC:
	case PTX_CLASS_FENCE:
	case PTX_CLASS_ASYNC: return true;
	case PTX_CLASS_BARRIER: return inst_has_role(in, 1u << PTX_ROLE_LOAD | WRITING_ROLES); /* mbarriers */
	case PTX_CLASS_CALL: return !in->control;                                              /* malloc, free, ... */
	case PTX_CLASS_LOAD:
	case PTX_CLASS_STORE: return opcode_is_strong(in->ptx->opcode);
	default: return false;
	}
}

bool inst_concerns_races(const struct inst *in)
{
	uint8_t cls;

	if (!(in->flags & INST_REAL))
		return false;
	if (in->ptx->opcode->op == PTX_OP_bar_warp_sync)
		return true;
	cls = (uint8_t)in->ptx->opcode->cls;
	if (cls != PTX_CLASS_LOAD && cls != PTX_CLASS_STORE)
		return synchronizes(in);
	return !(in->flags & INST_MARKED) && in->trace < MAX_PLACE &&
	       (in->space == PTX_SPACE_GLOBAL || in->space == PTX_SPACE_SHARED || in->space == PTX_SPACE_GENERIC);
}

/* --- Order --- */

/* When the clock is full, the rest of the launch is not checked. */
static uint32_t tick(struct observer *o)
{
	struct race_checker *c = o->races;

	if (c->time < UINT32_MAX)
		c->time++;
	else
		o->races = NULL;
	return c->time;
}

static void synchronize(struct warp *w)
{
	struct observer *o = w->launch->observer;
	struct race_checker *c = o->races;
	size_t slot = (uint32_t)w->cta->index % CTAS;

	w->synchronized = tick(o);
	c->synchronized[slot].cta = (uint32_t)w->cta->index;
	c->synchronized[slot].epoch = o->race_epoch;
	c->synchronized[slot].time = w->synchronized;
}

void observe_barrier(struct cta *cta)
{
	struct observer *o = cta->launch->observer;

	if (o && o->races)
		cta->synchronized = tick(o);
}

/* The time at which the warp's present span began. */
static uint32_t span_of(const struct warp *w)
{
	struct observer *o = w->launch->observer;
	struct race_checker *c = o->races;

	if (c->warp == w && c->span == c->time)
		return c->span;
	c->warp = w;
	c->span = tick(o);
	c->spans[c->span % SPANS].start = c->span;
	c->spans[c->span % SPANS].cta = (uint32_t)w->cta->index;
	c->spans[c->span % SPANS].epoch = o->race_epoch;
	return c->span;
}

/* The record of an access, without bytes. */
static use_t use_of(const struct warp *w, const struct inst *in)
{
	return (use_t)span_of(w) << TIME_SHIFT | (use_t)(in->trace + 1) << PLACE_SHIFT | (use_t)w->index << WARP_SHIFT;
}

static uint32_t time_of(use_t u)
{
	return (uint32_t)(u >> TIME_SHIFT);
}

static uint32_t place_of(use_t u)
{
	return (uint32_t)u >> PLACE_SHIFT;
}

static uint32_t warp_of(use_t u)
{
	return (uint32_t)u >> WARP_SHIFT & (MAX_WARPS - 1);
}

/* The CTA of an access; false where its span is forgotten or was one of another launch. */
static bool cta_of(const struct observer *o, use_t u, uint32_t *cta)
{
	const struct race_checker *c = o->races;
	size_t slot = time_of(u) % SPANS;

	*cta = c->spans[slot].cta;
	return c->spans[slot].start == time_of(u) && c->spans[slot].epoch == o->race_epoch;
}

static bool warp_since(const struct cta *cta, uint32_t warp, uint32_t time)
{
	const struct warp *w = &cta->warps[warp];

	return cta->synchronized > time || w->synchronized > time || !w->live;
}

/* True if the CTA may have been ordered with others since `time`. That is true if its slot now holds another CTA. */
static bool cta_since(const struct observer *o, uint32_t cta, uint32_t time)
{
	const struct race_checker *c = o->races;
	size_t slot = cta % CTAS;

	if (c->synchronized[slot].epoch != o->race_epoch)
		return false;
	return c->synchronized[slot].cta != cta || c->synchronized[slot].time > time;
}

/* True if the earlier access and the warp's present one are by different warps, and nothing orders these. */
static bool is_race(const struct warp *w, use_t before, use_t own)
{
	const struct observer *o = w->launch->observer;
	uint32_t cta = (uint32_t)w->cta->index, other, time = time_of(before);

	if (!(before & own & ALL_BYTES) || !cta_of(o, before, &other) || (other == cta && warp_of(before) == w->index))
		return false;
	if (other == cta)
		return !warp_since(w->cta, warp_of(before), time) || !warp_since(w->cta, w->index, time);
	return !cta_since(o, other, time) || !cta_since(o, cta, time);
}

/* --- Hints --- */

static struct fault_place find_place(const struct program *p, uint32_t place)
{
	for (uint32_t c = 0; c < p->ncodes; c++)
		for (uint32_t i = 0; i < p->codes[c].ninsts; i++)
			if (p->codes[c].insts[i].flags & INST_REAL && p->codes[c].insts[i].trace + 1 == place)
				return (struct fault_place){&p->codes[c].insts[i], &p->codes[c]};
	BUG("no instruction has place %u", place);
}

/* WAW, RAW or WAR, in the order in which the accesses were made here. */
static const char *hazard_of(bool stores, bool stored)
{
	return !stores ? "RAW" : stored ? "WAW" : "WAR";
}

/* `between`: of whom the two accesses are; `more`: what is missing. Reports a race, after which the launch goes on. */
static void report_race(struct warp *w, const struct inst *in, unsigned lane, uint64_t address, uint32_t before,
			const char *between, const char *more)
{
	struct launch *l = w->launch;
	struct fault_place other = find_place(l->program, before);
	bool stores = in->ptx->opcode->cls != PTX_CLASS_LOAD, stored = other.inst->ptx->opcode->cls != PTX_CLASS_LOAD;
	bool shared = resolve_space(PTX_SPACE_GENERIC, address, NULL) == PTX_SPACE_SHARED;

	fault_contradiction(w, in, lane, address, other,
			    "Race reported between %s access and %s access: %s hazard on %s memory, between %s",
			    stores ? "Write" : "Read", stored ? "Write" : "Read", hazard_of(stores, stored),
			    shared ? "__shared__" : "__global__", between);
	report(l, &l->fault, "line %u %s what another %s, and %s", in->ptx->line, stores ? "writes" : "reads",
	       stored ? "wrote" : "read", more);
	l->fault = (struct fault){0};
}

static void hint(struct warp *w, const struct inst *in, unsigned lane, uint64_t address, use_t before)
{
	uint32_t cta;
	bool inside = cta_of(w->launch->observer, before, &cta) && cta == (uint32_t)w->cta->index;

	if (!pair_is_new(w->launch->program, in->trace + 1, place_of(before)))
		return;
	report_race(w, in, lane, address, place_of(before), inside ? "warps of a block" : "blocks",
		    inside ? "no barrier is between them" : "nothing puts the blocks in order");
}

/* --- Words --- */

/* A run in memory that warps share. */
struct stretch {
	const struct inst *in;
	const struct accesses *accesses;
	struct lane_run run;
	uint64_t address; /* of the run's first byte, in numbers that are the same for all warps */
	const uint8_t *at;
	bool shared;
};

/* Words of a line from `first` on, `count` of them, of which `own` is the access. */
struct words {
	struct line *line;
	unsigned first, count;
	use_t own;
};

static struct line *line_at(const struct warp *w, uint64_t number, uint32_t owner)
{
	const struct observer *o = w->launch->observer;
	struct line *line =
	    &o->races->lines[(number ^ (number / LINES + owner) * UINT64_C(0x9e3779b97f4a7c15) >> 32) % LINES];

	if (line->number == number && line->owner == owner && line->epoch == o->race_epoch)
		return line;
	line->number = number;
	line->owner = owner;
	line->epoch = o->race_epoch;
	line->read = line->written = line->updated = 0;
	line->last_read = line->last_write = line->last_update = 0;
	line->cta = (uint32_t)w->cta->index;
	line->warp = w->index;
	line->ctas = line->warps = false;
	return line;
}

/* Nothing that was done to the line up to `last` is in a race with what the warp does now. */
static bool is_settled(const struct warp *w, const struct line *line, uint32_t last)
{
	if (line->ctas || line->cta != (uint32_t)w->cta->index)
		return false;
	return (!line->warps && line->warp == w->index) || last < w->cta->synchronized;
}

static void note_presence(const struct warp *w, struct line *line)
{
	line->ctas |= line->cta != (uint32_t)w->cta->index;
	line->warps |= line->ctas || line->warp != w->index;
}

/* The first lane that touches the word at `address`. */
static unsigned lane_of(const struct stretch *s, uint64_t address)
{
	const struct accesses *a = s->accesses;

	for (uint32_t rest = s->run.lanes; rest; rest &= rest - 1) {
		unsigned lane = (unsigned)__builtin_ctz(rest);
		uint64_t start = s->address + (a->address[lane] - a->address[s->run.lane]);

		if (start < address + WORD_BYTES && address < start + a->bytes)
			return lane;
	}
	return s->run.lane;
}

/* Neighbouring words mostly have the same record, which is tested only once. */
static void compare(struct warp *w, const struct stretch *s, const struct words *p, const use_t *uses, uint32_t known)
{
	use_t last = 0;

	for (unsigned i = p->first; i < p->first + p->count; i++) {
		uint64_t address = p->line->number * LINE_BYTES + (uint64_t)i * WORD_BYTES;

		if (!(known >> i & 1) || uses[i] == last)
			continue;
		last = uses[i];
		if (is_race(w, last, p->own))
			hint(w, s->in, lane_of(s, address), address, last);
	}
}

static bool is_of_warp(const struct warp *w, const struct line *line, use_t u)
{
	uint32_t cta;

	return warp_of(u) == w->index &&
	       (!line->ctas || (cta_of(w->launch->observer, u, &cta) && cta == (uint32_t)w->cta->index));
}

/* All words have the same reader. */
static bool have_one_reader(const struct words *p)
{
	const use_t *reader = p->line->reader + p->first;
	use_t differ = 0;

	for (unsigned i = 1; i < p->count; i++)
		differ |= reader[i] ^ reader[0];
	return differ == 0;
}

static void fill(use_t *uses, const struct words *p, use_t u)
{
	for (unsigned i = p->first; i < p->first + p->count; i++)
		uses[i] = u;
}

static void add_reader_to_word(const struct warp *w, const struct words *p, unsigned i)
{
	struct line *line = p->line;
	use_t before = line->reader[i];

	if (!is_of_warp(w, line, before))
		line->other[i] = before;
	line->reader[i] = p->own | ((before ^ p->own) >> WARP_SHIFT == 0 ? before : 0);
}

/* Adds a reader to words that already have readers. */
static void add_reader(const struct warp *w, const struct words *p)
{
	struct line *line = p->line;

	if (p->count == 1 || !have_one_reader(p)) {
		for (unsigned i = p->first; i < p->first + p->count; i++)
			add_reader_to_word(w, p, i);
		return;
	}
	if (!is_of_warp(w, line, line->reader[p->first]))
		fill(line->other, p, line->reader[p->first]);
	fill(line->reader, p,
	     p->own | ((line->reader[p->first] ^ p->own) >> WARP_SHIFT == 0 ? line->reader[p->first] : 0));
}

/* This warp becomes a reader of the words `p`; those that have had no reader get their first. */
static void start_readers(const struct warp *w, const struct words *p)
{
	struct line *line = p->line;

	for (unsigned i = p->first; i < p->first + p->count; i++)
		if (line->read >> i & 1) {
			add_reader_to_word(w, p, i);
		} else {
			line->reader[i] = p->own;
			line->other[i] = 0;
		}
}

static uint32_t words_of(const struct words *p)
{
	return (p->count == LINE_WORDS ? UINT32_MAX : (1u << p->count) - 1) << p->first;
}

static void note_read(struct warp *w, const struct stretch *s, const struct words *p)
{
	struct line *line = p->line;
	uint32_t words = words_of(p);

	if (line->written & words && !is_settled(w, line, line->last_write))
		compare(w, s, p, line->writer, line->written);
	note_presence(w, line);
	if ((line->read & words) == words)
		add_reader(w, p);
	else
		start_readers(w, p);
	line->read |= words;
	line->last_read = time_of(p->own);
}

static uint32_t later(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static void note_write(struct warp *w, const struct stretch *s, const struct words *p)
{
	struct line *line = p->line;
	uint32_t words = words_of(p), last = later(later(line->last_read, line->last_write), line->last_update);

	if ((line->read | line->written | line->updated) & words && !is_settled(w, line, last)) {
		compare(w, s, p, line->writer, line->written);
		compare(w, s, p, line->updater, line->updated);
		compare(w, s, p, line->reader, line->read);
		compare(w, s, p, line->other, line->read);
	}
	note_presence(w, line);
	fill(line->writer, p, p->own);
	line->written |= words;
	line->last_write = time_of(p->own);
}

static void note_update(struct warp *w, const struct stretch *s, const struct words *p)
{
	struct line *line = p->line;
	uint32_t words = words_of(p);

	if (line->written & words && !is_settled(w, line, line->last_write))
		compare(w, s, p, line->writer, line->written);
	note_presence(w, line);
	fill(line->updater, p, p->own);
	line->updated |= words;
	line->last_update = time_of(p->own);
}

/* --- Accesses --- */

static void note_lanes(struct warp *w, const struct stretch *s)
{
	struct lane_access a = {w, s->in, 0, 0, span_of(w)};
	struct lane_conflict c;

	for (uint32_t rest = s->run.lanes; rest; rest &= rest - 1) {
		a.lane = (unsigned)__builtin_ctz(rest);
		a.address = s->address + (s->accesses->address[a.lane] - s->accesses->address[s->run.lane]);
		if (lane_races_note(w->launch->observer->races->lanes, &a, &c) &&
		    pair_is_new(w->launch->program, s->in->trace + 1, c.place | PAIR_LANES))
			report_race(w, s->in, a.lane, c.address, c.place, "threads of a warp",
				    c.at_once ? "the instruction does both at once" : "no __syncwarp is between them");
	}
}

/* False for an address that is invalid: the access itself will report that. */
static bool find_stretch(const struct warp *w, const struct inst *in, const struct accesses *a,
			 const struct lane_run *run, struct stretch *s)
{
	uint64_t offset = a->address[run->lane];
	enum ptx_space space = (enum ptx_space)in->space;

	if (space == PTX_SPACE_GENERIC)
		space = resolve_space(space, offset, &offset);
	s->in = in;
	s->accesses = a;
	s->run = *run;
	s->shared = space == PTX_SPACE_SHARED;
	if (s->shared) {
		s->at = w->cta->shared + offset;
		s->address = offset + SHARED_WINDOW;
		return offset <= w->launch->shared_bytes && run->bytes <= w->launch->shared_bytes - offset;
	}
	s->address = offset;
	s->at = memory_host(offset);
	return space == PTX_SPACE_GLOBAL && memory_contains(w->launch->memory, offset, run->bytes);
}

static void note_stretch(struct warp *w, const struct stretch *s)
{
	uint8_t cls = (uint8_t)s->in->ptx->opcode->cls;
	void (*note)(struct warp *, const struct stretch *, const struct words *) = cls == PTX_CLASS_LOAD ? note_read
										    : cls == PTX_CLASS_STORE
											? note_write
											: note_update;
	uint32_t owner = s->shared ? (uint32_t)w->cta->index : 0;
	use_t own = use_of(w, s->in);

	for (uint64_t at = s->address, end = at + s->run.bytes; at < end;) {
		unsigned start = at % WORD_BYTES, bytes = (unsigned)(end - at < LINE_BYTES ? end - at : LINE_BYTES);
		struct words p = {
		    .line = line_at(w, at / LINE_BYTES, owner), .first = at % LINE_BYTES / WORD_BYTES, .count = 1};

		if (start || bytes < WORD_BYTES) {
			bytes = bytes < WORD_BYTES - start ? bytes : WORD_BYTES - start;
			p.own = own | ((1u << bytes) - 1) << start;
		} else {
			p.count = bytes / WORD_BYTES < LINE_WORDS - p.first ? bytes / WORD_BYTES : LINE_WORDS - p.first;
			p.own = own | ALL_BYTES;
			bytes = p.count * WORD_BYTES;
		}
		note(w, s, &p);
		at += bytes;
	}
}

/* True if the lane stores the value that is there already. */
static bool changes_nothing(const struct warp *w, const struct inst *in, unsigned lane, const uint8_t *at)
{
	const size_t stride = in->bytes < 4 ? 4 : in->bytes;

	for (unsigned k = 0; k < in->vec; k++) {
		const uint8_t *from = source(w, in->vec == 1 ? in->b : in->list[k]) + lane * stride;

		at += k ? in->bytes : 0;
		if (in->bytes == 4 ? memcmp(at, from, 4) != 0 : memcmp(at, from, in->bytes) != 0)
			return false;
	}
	return true;
}

/* The lanes whose stores change something. */
static uint32_t changing_lanes(const struct warp *w, const struct stretch *s)
{
	const uint64_t *address = s->accesses->address;
	uint32_t lanes = 0;

	for (uint32_t rest = s->run.lanes; rest; rest &= rest - 1) {
		unsigned lane = (unsigned)__builtin_ctz(rest);

		if (!changes_nothing(w, s->in, lane, s->at + (address[lane] - address[s->run.lane])))
			lanes |= 1u << lane;
	}
	return lanes;
}

static void note_accesses(struct warp *w, const struct inst *in, const struct accesses *a)
{
	struct lane_run runs[LANES];
	struct stretch s;
	unsigned n = runs_of(a, runs);

	lane_races_start(w->launch->observer->races->lanes, w->launch->observer->race_epoch);
	for (unsigned i = 0; i < n; i++) {
		if (!w->launch->observer->races || !find_stretch(w, in, a, &runs[i], &s))
			continue;
		note_stretch(w, &s);
		if (in->ptx->opcode->cls != PTX_CLASS_ATOMIC && w->launch->observer->races)
			note_lanes(w, &s);
	}
}

static void note_stores(struct warp *w, const struct inst *in, struct accesses a)
{
	struct lane_run runs[LANES];
	struct stretch s;
	uint32_t changing = 0;
	unsigned n = runs_of(&a, runs);

	for (unsigned i = 0; i < n; i++)
		if (find_stretch(w, in, &a, &runs[i], &s))
			changing |= changing_lanes(w, &s);
	a.mask = changing;
	note_accesses(w, in, &a);
}

static void synchronize_lanes(struct warp *w, uint32_t mask)
{
	uint32_t now = tick(w->launch->observer);

	for (uint32_t rest = mask; rest; rest &= rest - 1)
		w->lane_synchronized[__builtin_ctz(rest)] = now;
}

void note_races(struct warp *w, const struct inst *in, uint32_t mask)
{
	uint64_t address[LANES];
	struct accesses a = {address, (uint64_t)in->bytes * in->vec, mask};

	if (!w->launch->observer || !w->launch->observer->races || !mask)
		return;
	if (in->ptx->opcode->op == PTX_OP_bar_warp_sync) {
		synchronize_lanes(w, carried_out(w, in, mask));
		return;
	}
	if (in->ptx->opcode->cls == PTX_CLASS_ATOMIC && in->trace < MAX_PLACE) {
		lane_addresses(w, in, address);
		note_accesses(w, in, &a);
	}
	if (synchronizes(in)) {
		synchronize(w);
		return;
	}
	lane_addresses(w, in, address);
	if (in->ptx->opcode->cls == PTX_CLASS_STORE)
		note_stores(w, in, a);
	else
		note_accesses(w, in, &a);
}
