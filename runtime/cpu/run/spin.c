/*
 * Finds loops that wait by comparing a loop with its earlier rounds. If a warp branches backward unusually often, a
 * look begins: an anchor keeps the registers at a branch, and the first contents of all memory that the warp touches
 * from there on. If the warp returns to the branch with the same registers and the same contents, it will repeat this
 * for ever unless others write to what it reads. So the warp is put aside until that memory differs.
 *
 * A loop that also counts, reads a clock or passes a barrier does not repeat itself exactly. If it finds the same
 * contents at the same addresses many times, it is put aside too, but as restless: it gets further turns before the
 * launch fails as a deadlock.
 *
 * Putting a loop aside is never wrong, only early or late. So a cheap and rough rule may start a look: each branch
 * backward has a patience, which grows after a look in vain and shrinks after a look that found a wait.
 */
#include "runtime/cpu/run/spin.h"
#include "runtime/cpu/engine/engine_op.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	MAX_STEPS = 8,         /* branches backward that a look takes before it gives up */
	RESTLESS_REPEATS = 16, /* the same memory so often: a loop that waits */
	MAX_TOUCHED = 192,     /* pieces of memory; loops that wait touch few */
	SHORT_PATIENCE = 4,    /* of a branch that has waited before */
	MOST_PATIENCE = 1 << 20,
	MOST_BYTES = 32,
	MBARRIER_BYTES = 8,
};

/* A piece of memory that a lane touched, and what it held. */
struct touched {
	uint8_t *at;
	uint64_t address;
	const struct inst *inst;
	const struct code *code;
	uint8_t lane, bytes, value[MOST_BYTES];
};

struct spin {
	VEC(struct touched) touched; /* since the anchor */
	VEC(struct touched) awaited; /* by the splits that are put aside */
	bool restless, takes_lock;   /* a split that was put aside is restless, or tries to take a lock */
	bool unseen;                 /* the loop of such a split does what the look does not see */
	/* The anchor. */
	const struct inst *branch;
	struct call_frame *frame;
	uint32_t mask, carry;
	uint8_t *registers;
	size_t room;
	/* The look. */
	uint32_t steps, repeats;
	size_t touched_before; /* at the last repeat */
	uint16_t beginner;     /* the branch that began it */
	bool woken;            /* it began because a wait was over */
	bool asked;            /* something was read that others may write */
	bool locked;           /* a lock was tried */
	bool blind;            /* something happened that the look does not see, as passing a barrier */
};

void spin_reset(struct warp *w)
{
	w->visits = 0;
	w->looked_at = false;
	if (!w->spin)
		return;
	w->spin->touched.len = w->spin->awaited.len = 0;
	w->spin->restless = w->spin->takes_lock = w->spin->unseen = w->spin->woken = false;
}

void spin_free(struct warp *w)
{
	if (!w->spin)
		return;
	vec_release(&w->spin->touched);
	vec_release(&w->spin->awaited);
	free(w->spin->registers);
	free(w->spin);
	w->spin = NULL;
}

/* --- Memory that a loop touches --- */

static void note_lane(struct warp *w, const struct inst *in, unsigned lane, uint64_t address, unsigned bytes)
{
	struct spin *s = w->spin;
	uint8_t *at = lane_pointer(w, (enum ptx_space)in->space, lane, address, bytes);
	struct touched t = {at, address, in, w->frame->code, (uint8_t)lane, (uint8_t)bytes, {0}};

	/* An invalid address: the instruction itself will report it. */
	if (!at)
		return;
	for (size_t i = 0; i < s->touched.len; i++)
		if (s->touched.data[i].at == at && s->touched.data[i].bytes == bytes)
			return;
	if (s->touched.len == MAX_TOUCHED) {
		s->blind = true;
		return;
	}
	memcpy(t.value, at, bytes);
	vec_push(&s->touched, t);
}

static void note_access(struct warp *w, const struct inst *in, uint32_t mask, unsigned bytes)
{
	uint64_t address[LANES];

	if (in->space == PTX_SPACE_PARAM || in->space == PTX_SPACE_CONST)
		return;
	if (bytes > MOST_BYTES) {
		w->spin->blind = true;
		return;
	}
	lane_addresses(w, in, address);
	for (; mask; mask &= mask - 1) {
		unsigned lane = (unsigned)__builtin_ctz(mask);

		note_lane(w, in, lane, address[lane], bytes);
	}
}

static bool is_mbarrier(const struct inst *in)
{
	for (unsigned i = 0; i < in->ptx->noperands; i++)
		if (in->ptx->operands[i].kind == PTX_OPERAND_MEM)
			return true;
	return false;
}

void spin_note(struct warp *w, const struct inst *in, uint32_t mask)
{
	struct spin *s = w->spin;
	uint16_t which;

	if (!(in->flags & INST_REAL))
		return;
	s->asked |= inst_asks(in->ptx);
	switch (in->ptx->opcode->cls) {
	case PTX_CLASS_ATOMIC:
		which = in->ptx->opcode->group[PTX_GROUP_OPERATION];
		s->locked |= which == PTX_MOD_cas || which == PTX_MOD_exch;
		/* fall through */
	case PTX_CLASS_LOAD:
	case PTX_CLASS_STORE: note_access(w, in, mask, (unsigned)in->bytes * in->vec); break;
	case PTX_CLASS_BARRIER:
		if (is_mbarrier(in))
			note_access(w, in, mask, MBARRIER_BYTES);
		else
			s->blind = true;
		break;
	case PTX_CLASS_WARP: s->blind |= in->control && w->active != w->live; break;
	case PTX_CLASS_CALL: s->blind |= !in->control; break;
	case PTX_CLASS_ASYNC:
	case PTX_CLASS_TENSOR:
	case PTX_CLASS_TEXTURE: s->blind = true; break;
	default: break;
	}
}

/* --- Looking --- */

static void set_anchor(struct warp *w, const struct inst *in)
{
	struct spin *s = w->spin;
	size_t bytes = w->frame->code->frame_bytes;

	if (bytes > s->room) {
		s->registers = xrealloc(s->registers, bytes);
		s->room = bytes;
	}
	memcpy(s->registers, w->frame->regs, bytes);
	s->branch = in;
	s->frame = w->frame;
	s->mask = w->active;
	s->carry = w->carry;
	s->touched.len = s->touched_before = 0;
	s->repeats = 0;
	s->asked = s->locked = s->blind = false;
}

static int begin_look(struct warp *w, const struct inst *in)
{
	if (!w->spin)
		w->spin = xcalloc(1, sizeof *w->spin);
	w->spin->beginner = in->variant;
	w->spin->steps = 0;
	w->looked_at = true;
	w->visits = SPIN_SOON;
	set_anchor(w, in);
	return STOP_LOOK;
}

/* Ends a look in vain. Right after a wait, a look in vain says nothing about the branch where it began. */
static int end_look(struct warp *w)
{
	uint32_t *patience = &w->launch->patience[w->spin->beginner];

	if (!w->spin->woken && *patience < MOST_PATIENCE)
		*patience *= 2;
	w->spin->woken = false;
	w->looked_at = false;
	w->visits = 0;
	return STOP_LOOK;
}

static bool all_hold(const struct touched *t, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (memcmp(t[i].at, t[i].value, t[i].bytes) != 0)
			return false;
	return true;
}

/* The current split waits for what it touched to change. */
static int put_aside(struct warp *w, const struct inst *in, bool restless)
{
	struct spin *s = w->spin;

	for (size_t i = 0; i < s->touched.len; i++)
		vec_push(&s->awaited, s->touched.data[i]);
	s->restless |= restless;
	s->takes_lock |= s->locked;
	s->unseen |= s->blind;
	s->woken = true;
	w->launch->patience[in->variant] = SHORT_PATIENCE;
	w->looked_at = false;
	w->visits = SPIN_SOON;
	return split_park(w, in);
}

/* The loop touched what it touched before. */
static bool repeats(struct spin *s)
{
	bool same = s->touched.len == s->touched_before;

	s->touched_before = s->touched.len;
	s->repeats = same && s->asked ? s->repeats + 1 : 0;
	return s->repeats >= RESTLESS_REPEATS;
}

int spin_visit(struct warp *w, const struct inst *in)
{
	struct spin *s = w->spin;
	bool at_anchor;

	if (!w->looked_at)
		return begin_look(w, in);
	s->steps++;
	at_anchor = s->branch == in && s->frame == w->frame && s->mask == w->active &&
		    all_hold(s->touched.data, s->touched.len);
	if (at_anchor && !s->blind && s->carry == w->carry &&
	    memcmp(s->registers, w->frame->regs, w->frame->code->frame_bytes) == 0)
		return put_aside(w, in, false);
	if (at_anchor && repeats(s))
		return put_aside(w, in, true);
	if (s->repeats && s->steps < MAX_STEPS + 2 * RESTLESS_REPEATS)
		return STOP_JUMP;
	if (s->steps >= MAX_STEPS)
		return end_look(w);
	/* Anchors at powers of two: a round of several branches is found after at most three times its length. */
	if ((s->steps & (s->steps - 1)) == 0)
		set_anchor(w, in);
	return STOP_JUMP;
}

/* --- Waiting --- */

bool spin_waits(const struct warp *w)
{
	for (size_t i = 0; i < w->splits.len; i++)
		if (w->splits.data[i].state == SPLIT_SPINNING)
			return true;
	return false;
}

static void wake(struct warp *w)
{
	for (size_t i = 0; i < w->splits.len; i++)
		if (w->splits.data[i].state == SPLIT_SPINNING)
			w->splits.data[i].state = SPLIT_READY;
	w->spin->awaited.len = 0;
	w->spin->restless = w->spin->takes_lock = w->spin->unseen = false;
}

bool spin_wakes(struct warp *w)
{
	if (!w->spin || all_hold(w->spin->awaited.data, w->spin->awaited.len))
		return false;
	wake(w);
	return true;
}

bool spin_wakes_restless(struct warp *w)
{
	if (!w->spin || !w->spin->restless)
		return false;
	wake(w);
	return true;
}

bool spin_wakes_unseen(struct warp *w)
{
	return w->spin && w->spin->unseen && spin_wakes_restless(w);
}

bool spin_takes_lock(const struct warp *w)
{
	return w->spin && w->spin->takes_lock;
}

/* The memory that the loop waits for, among all that it touches. */
static const struct touched *asked_for(const struct spin *s)
{
	for (size_t i = 0; i < s->awaited.len; i++)
		if (inst_asks(s->awaited.data[i].inst->ptx))
			return &s->awaited.data[i];
	return s->awaited.len ? &s->awaited.data[0] : NULL;
}

void spin_fault(struct warp *w, const char *what)
{
	const struct touched *t = asked_for(w->spin);
	uint64_t value = 0, address;

	if (!t) {
		fault_at(w, NULL, w->live, DEVICE_HANG, "%s", what);
		return;
	}
	memcpy(&value, t->at, t->bytes < sizeof value ? t->bytes : sizeof value);
	address = t->address + (t->inst->space == PTX_SPACE_SHARED ? SHARED_WINDOW : 0);
	fault_contradiction(w, t->inst, t->lane, address, (struct fault_place){NULL, NULL},
			    "%s; line %u waits for another value than 0x%" PRIx64 " of", what, t->inst->ptx->line,
			    value);
	w->launch->fault.status = DEVICE_HANG;
	w->launch->fault.code = t->code;
}
