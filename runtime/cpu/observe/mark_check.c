/*
 * The check of read-only marks (ROMARK_VERIFY). A shadow of memory records all that a launch writes and all that its
 * marked loads read. The check only needs to know which loads are marked, and uses nothing else of the analysis.
 *
 * A kernel's child launches run inside it, so a child's store is a store of its parent too. A child's marked loads may
 * read what its parent wrote before. So each depth of nesting has a shadow: a marked load goes into its own depth's
 * shadow, a store into all shadows up to its depth.
 */
#include "runtime/cpu/engine/engine_op.h"
#include "runtime/cpu/observe/apart.h"
#include "runtime/cpu/observe/observe.h"
#include "runtime/cpu/observe/shadow.h"
#include "runtime/cpu/observe/touched.h"

#include <stdlib.h>

/* A program of the launch and of what it launched; the places of its instructions follow each other. */
struct known_program {
	const struct program *program;
	uint32_t first_place;
};

struct mark_checker {
	struct shadow shadows[MAX_NESTING + 1];
	bool in_use[MAX_NESTING + 1]; /* by the launch that runs at this depth */
	VEC(struct known_program) programs;
	uint32_t next_place;
};

struct mark_checker *mark_checker_new(void)
{
	return xcalloc(1, sizeof(struct mark_checker));
}

void mark_checker_free(struct mark_checker *c)
{
	if (!c)
		return;
	for (unsigned i = 0; i <= MAX_NESTING; i++)
		if (c->shadows[i].words)
			shadow_close(&c->shadows[i]);
	vec_release(&c->programs);
	free(c);
}

/* --- Instructions that take part --- */

bool inst_concerns_marks(const struct inst *in)
{
	enum ptx_space space = (enum ptx_space)in->space;

	if (!(in->flags & INST_REAL))
		return false;
	if (in->flags & INST_MARKED)
		return true;
	if (op_is(in->ptx, OP_COPIES))
		space = (enum ptx_space)in->list[COPY_TO_SPACE];
	return inst_has_role(in, WRITING_ROLES) && (space == PTX_SPACE_GLOBAL || space == PTX_SPACE_GENERIC);
}

/* --- Launches --- */

/* The place of the program's first instruction. */
static uint32_t places_of(struct mark_checker *c, const struct program *p)
{
	for (size_t i = 0; i < c->programs.len; i++)
		if (c->programs.data[i].program == p)
			return c->programs.data[i].first_place;
	if (p->ninsts > MAX_SHADOW_PLACE - c->next_place)
		BUG("kernel '%s': more instructions than there are places", p->kernel->name);
	vec_push(&c->programs, ((struct known_program){p, c->next_place}));
	c->next_place += p->ninsts;
	return c->next_place - p->ninsts;
}

void mark_checker_begin(struct mark_checker *c, const struct launch *launch, bool in_force, struct observer *o)
{
	uint32_t depth = launch->nested.depth;
	struct shadow *s = &c->shadows[depth];

	if (depth == 0) {
		c->programs.len = 0;
		c->next_place = 1;
	}
	c->in_use[depth] = in_force && launch->program->marked;
	if (c->in_use[depth] && !s->words)
		shadow_open(s);
	if (c->in_use[depth])
		shadow_forget(s);
	o->loads = c->in_use[depth] ? s : NULL;
	o->nstores = 0;
	for (uint32_t i = 0; i <= depth; i++)
		if (c->in_use[i])
			o->stores[o->nstores++] = &c->shadows[i];
	o->first_place = o->nstores ? places_of(c, launch->program) : 0;
	o->checker = c;
}

/* --- Reports --- */

static bool find_place(const struct mark_checker *c, uint32_t place, struct fault_place *found)
{
	for (size_t i = c->programs.len; i-- > 0;) {
		const struct program *p = c->programs.data[i].program;
		uint32_t row = place - c->programs.data[i].first_place;

		for (uint32_t k = 0; k < p->ncodes && place >= c->programs.data[i].first_place; k++)
			for (uint32_t n = 0; n < p->codes[k].ninsts; n++)
				if (p->codes[k].insts[n].flags & INST_REAL && p->codes[k].insts[n].trace == row) {
					*found = (struct fault_place){&p->codes[k].insts[n], &p->codes[k]};
					return true;
				}
	}
	return false;
}

static int report(struct warp *w, const struct inst *in, unsigned lane, uint64_t byte, uint32_t place)
{
	struct fault_place other = {NULL, NULL};

	if (!find_place(w->launch->observer->checker, place, &other))
		BUG("no instruction has place %u", place);
	return fault_contradiction(w, in, lane, byte, other,
				   in->flags & INST_MARKED
				       ? "read-only mark violated: the marked load of line %u takes what a store of "
					 "this launch writes:"
				       : "read-only mark violated: the store of line %u writes what a marked load of "
					 "this launch takes:",
				   in->ptx->line);
}

/* A marked load of other memory than the device's; addresses of no memory at all are for the access itself to find. */
static int report_window(struct warp *w, const struct inst *in, unsigned lane, uint64_t address)
{
	static const char *const names[PTX_SPACE_COUNT] = {
	    [PTX_SPACE_SHARED] = "shared", [PTX_SPACE_LOCAL] = "local", [PTX_SPACE_PARAM] = "parameter"};
	const char *name = names[resolve_space(PTX_SPACE_GENERIC, address, NULL)];

	if (!name)
		return STOP_NOT;
	return fault_contradiction(
	    w, in, lane, address, (struct fault_place){NULL, NULL},
	    "read-only mark violated: the marked load of line %u is of %s memory:", in->ptx->line, name);
}

/* --- Accesses --- */

/*
 * Records `count` bytes of device memory. Returns 0, or the place of an access of the other kind that met them, and in
 * *byte the first such byte.
 */
static uint32_t touch_memory(const struct observer *o, const struct inst *in, uint64_t address, uint64_t count,
			     uint64_t *byte)
{
	uint32_t own = o->first_place + in->trace, met = 0;

	if (in->flags & INST_MARKED)
		return shadow_touch(o->loads, SHADOW_LOAD, address, count, own, byte);
	for (unsigned i = 0; i < o->nstores && !met; i++)
		met = shadow_touch(o->stores[i], SHADOW_STORE, address, count, own, byte);
	return met;
}

static unsigned lane_of(const struct accesses *a, uint64_t byte)
{
	uint32_t rest = a->mask;

	while (byte - a->address[__builtin_ctz(rest)] >= a->bytes)
		rest &= rest - 1;
	return (unsigned)__builtin_ctz(rest);
}

static int touch(struct warp *w, const struct inst *in, const struct accesses *a, unsigned lane, uint64_t address,
		 uint64_t count)
{
	uint64_t byte = 0;
	uint32_t met;

	if (!memory_contains(w->launch->memory, address, count))
		return in->flags & INST_MARKED ? report_window(w, in, lane, address) : STOP_NOT;
	met = touch_memory(w->launch->observer, in, address, count, &byte);
	return met ? report(w, in, a ? lane_of(a, byte) : lane, byte, met) : STOP_NOT;
}

int check_marks(struct warp *w, const struct inst *in, uint32_t mask)
{
	const struct observer *o = w->launch->observer;

	if (in->flags & INST_MARKED ? !o->loads : !o->nstores)
		return STOP_NOT;
	return each_touched_range(w, in, mask, touch);
}

int check_write(struct warp *w, const struct inst *in, unsigned lane, uint64_t address, uint64_t bytes)
{
	const struct observer *o = w->launch->observer;

	if (!o)
		return STOP_NOT;
	if (w->launch->memory->undefined && memory_contains(w->launch->memory, address, bytes))
		undefined_clear(w->launch->memory->undefined, address, bytes);
	if (o->apart && memory_contains(w->launch->memory, address, bytes))
		apart_note_written(o->apart, address, bytes);
	return touch(w, in, NULL, lane, address, bytes);
}
