/*
 * Divergence: a warp is a set of splits, each with its lanes, its block and the join where it ends.
 *
 * When lanes part at a branch, a join is made at the branch's immediate post-dominator; it expects all of them. A
 * split that comes to its join's block arrives and ends; when all expected lanes have arrived they go on as one split
 * of the outer join. A function's frame is a join too, at which lanes arrive by `ret`. Lanes that exit or return are
 * no longer expected by the joins that they leave. So at any time every lane is in one split or has arrived at one
 * join, the joins nest, and splits may run in any order: the youngest runs first, which is the order of a
 * reconvergence stack, but a split that waits at a barrier, or spins for another, does not keep the others from
 * running.
 */
#include "runtime/cpu/observe/observe.h"

#include "common/integer.h"
#include "common/kernel_names.h"
#include "runtime/cpu/run/spin.h"

#include <stdlib.h>
#include <string.h>

/* Time slices after which lanes no longer wait for others that compute, or that try to take locks all the time. */
enum { STALLED_SLICES = 64, POLLS_OF_A_SPIN = TIME_SLICE / 64 };

static struct join *join_new(struct warp *w, const struct block *at, uint32_t expected)
{
	struct join *j = w->launch->free_joins;

	if (j)
		w->launch->free_joins = j->outer;
	else
		j = arena_new(&w->launch->arena, struct join);
	*j = (struct join){w->join, at, w->frame, expected, 0};
	return j;
}

static void join_free(struct warp *w, struct join *j)
{
	j->outer = w->launch->free_joins;
	w->launch->free_joins = j;
}

static struct call_frame *frame_new(struct code *code)
{
	struct call_frame *f = code->free_frames;
	const uint32_t always = ALL_LANES;

	if (f) {
		code->free_frames = f->caller;
	} else {
		f = xcalloc(1, sizeof *f);
		f->regs = aligned_alloc(64, code->frame_bytes);
		if (!f->regs)
			BUG("no memory for %u bytes of registers", code->frame_bytes);
		f->next = code->frames;
		code->frames = f;
		memset(f->regs, 0, code->frame_bytes);
		memcpy(f->regs, &always, sizeof always);
	}
	f->code = code;
	f->local_dynamic = 0;
	return f;
}

static void frame_free(struct call_frame *f)
{
	f->caller = f->code->free_frames;
	f->code->free_frames = f;
}

static void enter_frame(struct warp *w, struct call_frame *f)
{
	w->frame = f;
	w->base[BASE_FRAME] = f->regs;
	w->base[BASE_POOL] = f->code->pool;
}

static void enter_join(struct warp *w, struct join *j)
{
	w->join = j;
	w->reconverge = j->at;
}

static void push(struct warp *w, struct split split)
{
	vec_push(&w->splits, split);
}

static struct split here(const struct warp *w, const struct block *at, uint32_t mask)
{
	return (struct split){.at = at, .frame = w->frame, .join = w->join, .mask = mask, .state = SPLIT_READY};
}

void warp_start(struct warp *w, struct code *kernel, uint32_t lanes)
{
	struct call_frame *f = frame_new(kernel);

	w->live = w->active = lanes;
	w->join = NULL;
	w->splits.len = 0;
	w->stalled = 0;
	w->slice = TIME_SLICE;
	w->carry = 0;
	w->synchronized = 0;
	if (w->launch->observer)
		memset(w->lane_synchronized, 0, sizeof w->lane_synchronized);
	spin_reset(w);
	memset(w->barrier_partial, 0, sizeof w->barrier_partial);
	enter_frame(w, f);
	f->caller = NULL;
	f->site = NULL;
	f->local_base = 0;
	enter_join(w, join_new(w, NULL, lanes));
	f->join = w->join;
	w->next = &kernel->blocks[0];
	w->running = true;
}

/* The lanes that arrived go on behind the join, in the caller if it was the end of a function. */
static struct split beyond(const struct join *j)
{
	struct split s = {.at = j->at, .frame = j->frame, .join = j->outer, .mask = j->arrived, .state = SPLIT_READY};

	if (!j->at) {
		s.at = j->frame->site->back;
		s.frame = j->frame->caller;
	}
	return s;
}

static void join_end(struct warp *w, struct join *j)
{
	if (!j->at)
		frame_free(j->frame);
	join_free(w, j);
}

/* Ends the joins from `j` outward for which no lane is under way. */
static void settle(struct warp *w, struct join *j)
{
	while (j && j->arrived == j->expected) {
		struct join *outer = j->outer;
		uint32_t arrived = j->arrived;

		if (arrived)
			push(w, beyond(j));
		join_end(w, j);
		if (arrived)
			return;
		j = outer;
	}
}

static void resume(struct warp *w, const struct split *s)
{
	w->active = s->mask;
	enter_frame(w, s->frame);
	enter_join(w, s->join);
	w->next = s->at;
	w->running = true;
}

static void release_warp_sync(struct warp *w)
{
	uint32_t waiting = 0;

	for (size_t i = 0; i < w->splits.len; i++)
		if (w->splits.data[i].state == SPLIT_AT_WARP_SYNC)
			waiting |= w->splits.data[i].mask;
	for (size_t i = 0; i < w->splits.len; i++) {
		struct split *s = &w->splits.data[i];

		if (s->state == SPLIT_AT_WARP_SYNC && (s->members & w->live & ~waiting) == 0)
			s->state = SPLIT_READY;
	}
}

static size_t youngest_ready(const struct warp *w)
{
	size_t i = w->splits.len;

	while (i > 0 && w->splits.data[i - 1].state != SPLIT_READY)
		i--;
	return i;
}

/* Makes the youngest split that can run the current split. */
static bool next_split(struct warp *w)
{
	size_t at = youngest_ready(w);
	struct split s;

	if (at == 0 && w->splits.len) {
		release_warp_sync(w);
		at = youngest_ready(w);
	}
	w->running = at != 0;
	if (!w->running) {
		w->active = 0;
		return false;
	}
	s = w->splits.data[at - 1];
	memmove(&w->splits.data[at - 1], &w->splits.data[at], (w->splits.len - at) * sizeof s);
	w->splits.len--;
	resume(w, &s);
	return true;
}

bool warp_ready(struct warp *w)
{
	if (w->running || youngest_ready(w))
		return true;
	release_warp_sync(w);
	return youngest_ready(w) != 0;
}

/* The current split has come to its join. */
static bool arrive(struct warp *w)
{
	struct join *j = w->join;

	w->stalled = 0;
	j->arrived |= w->active;
	if (j->arrived != j->expected)
		return next_split(w);
	w->active = j->arrived;
	enter_join(w, j->outer);
	w->next = j->at;
	join_end(w, j);
	return true;
}

int split_parts(struct warp *w, const struct split_part *parts, unsigned nparts, const struct block *join)
{
	bool own = join && join != w->reconverge;
	struct join *j = own ? join_new(w, join, w->active) : w->join;
	bool first = true;

	if (own)
		enter_join(w, j);
	/* The last part runs first, the others are pushed above it in order: the first part is the oldest split. */
	for (unsigned i = 0; i < nparts; i++) {
		if (join && parts[i].at == join) {
			j->arrived |= parts[i].mask;
			continue;
		}
		if (!first)
			push(w, here(w, w->next, w->active));
		first = false;
		w->next = parts[i].at;
		w->active = parts[i].mask;
	}
	return STOP_JUMP;
}

static void copy_lanes(const struct warp *w, uint32_t mask, const struct call_copy *c, unsigned part,
		       const struct call_frame *to)
{
	const uint8_t *from_regs =
	    c->from_lane ? (const uint8_t *)source(w, c->from) + part * LANES * c->from_lane : NULL;
	uint8_t *to_regs = to->regs + c->to + part * LANES * c->to_lane;

	for (unsigned lane = 0; lane < LANES; lane++) {
		uint8_t *local = lane_local(w, lane);

		if (mask >> lane & 1)
			memcpy(c->to_lane ? to_regs + lane * c->to_lane : local + to->local_base + c->to,
			       c->from_lane ? from_regs + lane * c->from_lane : local + w->frame->local_base + c->from,
			       c->bytes);
	}
}

/* From the current frame to the frame `to`. */
static void copy_between(const struct warp *w, uint32_t mask, const struct call_copy *copies, uint32_t count,
			 const struct call_frame *to)
{
	for (const struct call_copy *c = copies; c < copies + count; c++)
		if (c->from_lane == LANE_IS_BIT && c->to_lane == LANE_IS_BIT) {
			uint32_t *p = (uint32_t *)(void *)(to->regs + c->to);

			*p = (*p & ~mask) | (*(const uint32_t *)source(w, c->from) & mask);
		} else {
			for (unsigned part = 0; part < c->parts && c->bytes; part++)
				copy_lanes(w, mask, c, part, to);
		}
}

/* Lanes that do not call wait at the block behind the call. */
static void part_for_call(struct warp *w, const struct block *back, uint32_t mask)
{
	struct join *j;

	if (mask == w->active)
		return;
	j = join_new(w, back, w->active);
	j->arrived = w->active & ~mask;
	enter_join(w, j);
	w->active = mask;
}

/*
 * Calls through pointers: in a function's local memory results come first, then parameters. So functions with the same
 * parameters have them at the same places.
 */
static bool match_locals(const struct code *callee, struct call_copy *copies, uint32_t count, const uint32_t *symbols,
			 uint32_t nsymbols, bool into_callee)
{
	if (count != nsymbols)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		const struct local_variable *v = code_local(callee, symbols[i]);

		if (!v || (v->bytes != copies[i].bytes && copies[i].bytes) ||
		    !call_copy_fits(&copies[i], v, into_callee))
			return false;
		call_copy_formal(&copies[i], v, into_callee);
	}
	return true;
}

static bool match_call(const struct call_site *site, const struct code *callee)
{
	const struct ptx_function *f = callee->function;

	return site->callee || (match_locals(callee, site->params, site->nparams, f->params, f->nparams, true) &&
				match_locals(callee, site->returns, site->nreturns, f->returns, f->nreturns, false));
}

int split_call(struct warp *w, const struct inst *in, uint32_t mask, struct code *callee)
{
	const struct call_site *site = in->control->site;
	const struct call_frame *caller = w->frame;
	uint32_t base = caller->local_base + caller->code->local_bytes + caller->local_dynamic;
	struct call_frame *f;

	base = (uint32_t)round_up(base, 16);
	if ((uint64_t)base + callee->local_bytes > w->launch->local_stride)
		return fault_at(w, in, mask, DEVICE_ILLEGAL_ADDRESS,
				"calls nest too deep: the local memory of a thread (%u bytes) is used up; "
				"cudaDeviceSetLimit(cudaLimitStackSize, bytes) gives it more",
				w->launch->local_stride);
	if (!match_call(site, callee))
		return fault_at(w, in, mask, DEVICE_ILLEGAL_ADDRESS,
				"function '%s' is called through a pointer with other parameters than it has",
				short_title(callee->function->name).text);
	part_for_call(w, site->back, mask);
	f = frame_new(callee);
	f->caller = w->frame;
	f->site = site;
	f->local_base = base;
	copy_between(w, mask, site->params, site->nparams, f);
	enter_frame(w, f);
	enter_join(w, join_new(w, NULL, mask));
	f->join = w->join;
	w->next = &callee->blocks[0];
	return STOP_JUMP;
}

int split_call_some(struct warp *w, const struct inst *in, uint32_t mask, uint32_t some, struct code *callee)
{
	if (mask != some) {
		struct join *j = join_new(w, in->control->site->back, w->active);

		j->arrived = w->active & ~mask;
		enter_join(w, j);
		push(w, here(w, in->control->self, mask & ~some));
		w->active = some;
	}
	return split_call(w, in, some, callee);
}

/* The remaining lanes of the current split go on at `rest`. */
static int go_on(struct warp *w, const struct block *rest)
{
	if (w->active) {
		w->next = rest;
		return STOP_JUMP;
	}
	return STOP_SWITCH;
}

int split_return(struct warp *w, uint32_t mask, const struct block *rest)
{
	struct call_frame *f = w->frame;
	struct join *inner = w->join;

	if (!f->caller)
		return split_exit(w, mask, rest);
	copy_between(w, mask, f->site->returns, f->site->nreturns, f->caller);
	for (struct join *j = inner; j != f->join; j = j->outer)
		j->expected &= ~mask;
	f->join->arrived |= mask;
	w->active &= ~mask;
	settle(w, inner);
	return go_on(w, rest);
}

int split_exit(struct warp *w, uint32_t mask, const struct block *rest)
{
	for (struct join *j = w->join; j; j = j->outer)
		j->expected &= ~mask;
	w->active &= ~mask;
	w->live &= ~mask;
	settle(w, w->join);
	return go_on(w, rest);
}

int split_wait(struct warp *w, const struct inst *in, uint32_t mask, const struct block *next, enum split_state state,
	       uint32_t what)
{
	struct split s = here(w, next, mask);

	s.state = (uint8_t)state;
	s.inst = in;
	if (state == SPLIT_AT_BARRIER)
		s.barrier = (uint8_t)what;
	else
		s.members = what;
	push(w, s);
	w->active &= ~mask;
	return go_on(w, next);
}

int split_yield(struct warp *w, const struct block *next)
{
	w->launch->asleep += w->budget > 0 ? (uint64_t)w->budget : 0;
	w->budget = w->slice = 0;
	w->next = next;
	return STOP_JUMP;
}

int split_warp_sync(struct warp *w, const struct inst *in, uint32_t mask, uint32_t members, const struct block *next)
{
	if (mask == w->active && (members & w->live & ~mask) == 0) {
		w->next = next;
		return STOP_JUMP;
	}
	return split_wait(w, in, mask, next, SPLIT_AT_WARP_SYNC, members);
}

/* The oldest place: the others of the warp run first once all can. */
static void push_oldest(struct warp *w, struct split s)
{
	push(w, s);
	memmove(&w->splits.data[1], &w->splits.data[0], (w->splits.len - 1) * sizeof s);
	w->splits.data[0] = s;
}

int split_park(struct warp *w, const struct inst *in)
{
	struct split s = here(w, w->next, w->active);

	s.state = SPLIT_SPINNING;
	s.inst = in;
	push_oldest(w, s);
	w->active = 0;
	return STOP_SWITCH;
}

static bool release_chain(struct warp *w, struct join *j)
{
	for (; j; j = j->outer)
		if (j->arrived && j->at) {
			push(w, beyond(j));
			j->expected &= ~j->arrived;
			j->arrived = 0;
			return true;
		}
	return false;
}

bool warp_release_joins(struct warp *w)
{
	for (size_t i = 0; i < w->splits.len; i++)
		if (release_chain(w, w->splits.data[i].join))
			return true;
	return w->running && release_chain(w, w->join);
}

/* At the end of a time slice another split of the warp gets its turn. */
static void rotate(struct warp *w)
{
	struct split s = here(w, w->next, w->active);

	w->stalled = w->polls >= POLLS_OF_A_SPIN ? STALLED_SLICES : w->stalled + 1;
	w->polls = 0;
	if (w->stalled >= STALLED_SLICES) {
		w->stalled = 0;
		warp_release_joins(w);
	}
	if (!youngest_ready(w))
		return;
	next_split(w);
	push_oldest(w, s);
}

/* Turns may be shorter than time slices; splits of a warp change places with slices, whatever the turns are. */
static void end_turn(struct warp *w)
{
	w->slice -= w->launch->turn - w->budget;
	if (w->slice > 0)
		return;
	w->slice = TIME_SLICE;
	rotate(w);
}

/*
 * The run loop; `traced` and `looked_at` are constants where it is inlined. Returns STOP_SWITCH when the turn is over,
 * or STOP_LOOK or STOP_FAULT.
 */
static inline __attribute__((always_inline)) int run(struct warp *w, const bool traced, const bool looked_at)
{
	for (;;) {
		const struct block *block = w->next;
		const struct inst *in;
		int stop;

		if (block == w->reconverge) {
			if (!arrive(w))
				return STOP_SWITCH;
			continue;
		}
		if (w->budget <= 0) {
			end_turn(w);
			return STOP_SWITCH;
		}
		w->budget -= block->count;
		if (traced)
			observe_block(w, block);
		in = block->first;
		do {
			uint32_t predicate =
			    *(const uint32_t *)(w->base[BASE_FRAME] + in->predicate) ^ in->predicate_flip;
			uint32_t mask = w->active & predicate;

			if (looked_at && mask)
				spin_note(w, in, mask);
			stop = mask || (traced && in->flags & INST_OBSERVED) ? in->exec(w, in, mask) : STOP_NOT;
			in++;
		} while (stop == STOP_NOT);
		if (stop != STOP_JUMP && (stop != STOP_SWITCH || !next_split(w)))
			return stop;
	}
}

bool warp_run(struct warp *w)
{
	bool traced = w->launch->observer && w->launch->observer->trace;
	int stop = STOP_LOOK;

	if (!w->running && !next_split(w))
		return true;
	while (stop == STOP_LOOK)
		if (w->looked_at)
			stop = traced ? run(w, true, true) : run(w, false, true);
		else
			stop = traced ? run(w, true, false) : run(w, false, false);
	return stop != STOP_FAULT;
}
