/*
 * A CTA: its warps take turns of a time slice each, in order, and meet at barriers. Barriers count threads: a warp
 * counts as 32 when all its lanes that have not exited are there, so partial warps and early exits count as on
 * hardware.
 */
#include "runtime/cpu/run/cta.h"
#include "common/c_locale.h"
#include "common/integer.h"
#include "runtime/cpu/engine/checks.h"
#include "runtime/cpu/engine/engine_op.h"
#include "runtime/cpu/observe/observe.h"
#include "runtime/cpu/run/interrupt.h"
#include "runtime/cpu/run/spin.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Times that loops with a barrier are gone on with before the CTA waits for others. */
enum { MAX_TRIES = 16 };

static bool warp_finished(const struct warp *w)
{
	return w->live == 0;
}

static uint32_t lanes_of_warp(uint32_t threads, uint32_t warp)
{
	uint32_t left = threads - warp * LANES;

	return left >= LANES ? ALL_LANES : (1u << left) - 1;
}

static size_t local_bytes(const struct launch *launch)
{
	return (size_t)launch->nwarps * LANES * launch->local_stride + 64;
}

/* Zero, so that what a kernel reads before it writes is the same in every run; pages appear when they are touched. */
static uint8_t *map_local(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static void fill(uint32_t special[LANES], uint32_t value)
{
	for (unsigned i = 0; i < LANES; i++)
		special[i] = value;
}

/* Values that are the same for all CTAs of the launch. */
static void fill_launch_specials(struct cta *cta)
{
	const struct launch *l = cta->launch;

	for (unsigned k = 0; k < 3; k++) {
		fill(cta->special[CTA_NTID_X + k], l->shape->block[k]);
		fill(cta->special[CTA_NCTAID_X + k], l->shape->grid[k]);
	}
	fill(cta->special[CTA_NWARPS], l->nwarps);
	fill(cta->special[CTA_DYNAMIC_SHARED], l->shape->dynamic_shared);
	fill(cta->special[CTA_TOTAL_SHARED], l->shared_bytes);
	fill(cta->special[CTA_ENVREG1], (uint32_t)(l->workspace >> 32));
	fill(cta->special[CTA_ENVREG2], (uint32_t)l->workspace);
}

static void init_warp(struct cta *cta, uint32_t index)
{
	struct warp *w = &cta->warps[index];
	const uint32_t *block = cta->launch->shape->block;

	w->cta = cta;
	w->launch = cta->launch;
	w->index = index;
	w->base[BASE_WARP] = (const uint8_t *)w->special;
	w->base[BASE_CTA] = (const uint8_t *)cta->special;
	for (uint32_t lane = 0; lane < LANES; lane++) {
		uint32_t thread = index * LANES + lane;

		w->special[WARP_TID_X][lane] = thread % block[0];
		w->special[WARP_TID_Y][lane] = thread / block[0] % block[1];
		w->special[WARP_TID_Z][lane] = thread / block[0] / block[1];
		w->special[WARP_INDEX][lane] = index;
	}
}

struct cta *cta_new(struct launch *launch)
{
	struct cta *cta = xcalloc(1, sizeof *cta);

	cta->launch = launch;
	cta->nwarps = launch->nwarps;
	cta->warps = aligned_alloc(64, round_up(cta->nwarps * sizeof *cta->warps, 64));
	cta->shared = aligned_alloc(64, ((size_t)launch->shared_bytes + 127) / 64 * 64);
	cta->local = map_local(local_bytes(launch));
	if (!cta->warps || !cta->shared || !cta->local)
		BUG("no memory for a CTA of %u warps with %u bytes of local memory per thread", launch->nwarps,
		    launch->local_stride);
	memset(cta->warps, 0, cta->nwarps * sizeof *cta->warps);
	memset(cta->shared, 0, launch->shared_bytes);
	if (check_is_on(launch->device, CHECK_INIT))
		cta->undefined = xcalloc(1, launch->shared_bytes / 8 + 1);
	fill_launch_specials(cta);
	for (uint32_t i = 0; i < cta->nwarps; i++)
		init_warp(cta, i);
	return cta;
}

void cta_free(struct cta *cta)
{
	for (uint32_t i = 0; i < cta->nwarps; i++) {
		spin_free(&cta->warps[i]);
		vec_release(&cta->warps[i].splits);
	}
	free(cta->warps);
	free(cta->shared);
	free(cta->undefined);
	munmap(cta->local, local_bytes(cta->launch));
	free(cta);
}

void cta_start(struct cta *cta, uint64_t index)
{
	const uint32_t *grid = cta->launch->shape->grid;

	cta->index = index;
	cta->id[0] = (uint32_t)(index % grid[0]);
	cta->id[1] = (uint32_t)(index / grid[0] % grid[1]);
	cta->id[2] = (uint32_t)(index / grid[0] / grid[1]);
	cta->unfinished = cta->nwarps;
	cta->synchronized = 0;
	observe_barrier(cta);
	cta->waits = false;
	cta->tries = 0;
	if (cta->undefined)
		bits_put(cta->undefined, 0, cta->launch->shared_bytes, true);
	memset(cta->barriers, 0, sizeof cta->barriers);
	for (unsigned k = 0; k < 3; k++)
		fill(cta->special[CTA_X + k], cta->id[k]);
	for (uint32_t i = 0; i < cta->nwarps; i++)
		warp_start(&cta->warps[i], &cta->launch->program->codes[0], lanes_of_warp(cta->launch->threads, i));
}

/* --- Barriers --- */

static uint32_t expected_threads(const struct cta *cta, const struct barrier *b)
{
	return b->expected ? b->expected : cta->unfinished * LANES;
}

static uint32_t *result_register(const struct split *s)
{
	return (uint32_t *)(void *)(s->frame->regs + s->inst->d);
}

/* bar.red: the result of all threads for the lanes that waited. */
static void write_reduction(const struct split *s, const struct barrier *b)
{
	uint16_t which = s->inst->ptx->opcode->group[PTX_GROUP_OPERATION];
	uint32_t *d, value;

	if (!op_is(s->inst->ptx, OP_VOTES))
		return;
	d = result_register(s);
	if (which == PTX_MOD_popc) {
		for (unsigned lane = 0; lane < LANES; lane++)
			if (s->mask >> lane & 1)
				d[lane] = b->holds;
		return;
	}
	value = which == PTX_MOD_and ? b->holds == b->voters : b->holds != 0;
	*d = (*d & ~s->mask) | (value ? s->mask : 0);
}

static void release_barrier(struct cta *cta, uint32_t id)
{
	struct barrier *b = &cta->barriers[id];

	if (cta->launch->observer)
		observe_release(cta, id);
	for (uint32_t i = 0; i < cta->nwarps; i++) {
		struct warp *w = &cta->warps[i];

		for (size_t k = 0; k < w->splits.len; k++) {
			struct split *s = &w->splits.data[k];

			if (s->state == SPLIT_AT_BARRIER && s->barrier == id) {
				write_reduction(s, b);
				s->state = SPLIT_READY;
			}
		}
	}
	*b = (struct barrier){0};
	observe_barrier(cta);
}

static bool complete_barrier(struct cta *cta, uint32_t id)
{
	struct barrier *b = &cta->barriers[id];

	if (b->arrived == 0 || b->arrived < expected_threads(cta, b))
		return false;
	release_barrier(cta, id);
	return true;
}

/* Adds lanes of a warp; a warp whose lanes are all there counts whole. */
static void count_lanes(struct barrier *b, struct warp *w, uint32_t id, uint32_t mask)
{
	uint32_t *partial = &w->barrier_partial[id], before = (uint32_t)__builtin_popcount(*partial);

	*partial |= mask;
	if ((w->live & ~*partial) == 0) {
		b->arrived += LANES - before;
		*partial = 0;
	} else {
		b->arrived += (uint32_t)__builtin_popcount(*partial) - before;
	}
}

static void count_votes(struct barrier *b, const struct warp *w, const struct inst *in, uint32_t mask)
{
	uint32_t p;

	if (in->c == OPERAND_NONE)
		return;
	p = *(const uint32_t *)source(w, in->c);
	p = mask & (in->flags & INST_NEGATE ? ~p : p);
	b->voters += (uint32_t)__builtin_popcount(mask);
	b->holds += (uint32_t)__builtin_popcount(p);
}

int barrier_arrive(struct warp *w, const struct inst *in, uint32_t mask, uint32_t id, uint32_t threads, bool waits,
		   const struct block *next)
{
	struct barrier *b = &w->cta->barriers[id];
	int stop = STOP_JUMP;

	if (b->arrived && b->expected != threads)
		return fault_at(w, in, mask, DEVICE_TRAP, "barrier %u is used with %u and with %u threads at once", id,
				b->expected, threads);
	b->expected = threads;
	count_votes(b, w, in, mask);
	count_lanes(b, w, id, mask);
	if (waits)
		stop = split_wait(w, in, mask, next, SPLIT_AT_BARRIER, id);
	else
		w->next = next;
	complete_barrier(w->cta, id);
	return stop;
}

/* Lanes exited: barriers that waited for them alone may be complete. */
static bool recheck_barriers(struct cta *cta)
{
	bool any = false;

	for (uint32_t i = 0; i < cta->nwarps; i++)
		for (uint32_t id = 0; id < MAX_BARRIERS; id++)
			if (cta->warps[i].barrier_partial[id])
				count_lanes(&cta->barriers[id], &cta->warps[i], id, 0);
	for (uint32_t id = 0; id < MAX_BARRIERS; id++)
		any |= complete_barrier(cta, id);
	return any;
}

/* --- Turns --- */

static void describe_wait(const struct cta *cta, struct strbuf *out)
{
	unsigned shown = 0;

	for (uint32_t i = 0; i < cta->nwarps; i++)
		for (size_t k = 0; k < cta->warps[i].splits.len && shown < 4; k++, shown++) {
			const struct split *s = &cta->warps[i].splits.data[k];

			strbuf_addf(out, "%s warp %u (lanes %08x) at line %u for %s", shown ? ";" : "", i, s->mask,
				    s->inst && s->inst->ptx ? s->inst->ptx->line : 0,
				    s->state == SPLIT_AT_BARRIER ? "barrier " : "lanes of its warp");
			if (s->state == SPLIT_AT_BARRIER) {
				const struct barrier *b = &cta->barriers[s->barrier];

				strbuf_addf(out, "%u, where %u of %u threads are", s->barrier, b->arrived,
					    expected_threads(cta, b));
			}
		}
}

static bool deadlock(struct cta *cta)
{
	struct strbuf text = STRBUF_INIT;
	struct warp *w = NULL;

	for (uint32_t i = 0; i < cta->nwarps && !w; i++)
		if (!warp_finished(&cta->warps[i]))
			w = &cta->warps[i];
	if (!w)
		BUG("a CTA waits whose warps have all ended");
	describe_wait(cta, &text);
	fault_at(w, w->splits.len ? w->splits.data[0].inst : NULL, w->splits.len ? w->splits.data[0].mask : 1,
		 DEVICE_HANG, "deadlock, no warp can go on:%s", text.data ? text.data : "");
	strbuf_release(&text);
	return false;
}

/* The instruction that the warp runs next, or one that it waits at; NULL: not known. */
static const struct inst *present_inst(const struct warp *w)
{
	const struct block *at = w->running ? w->next : w->splits.len ? vec_last(&w->splits).at : NULL;
	const struct inst *in = at ? at->first : NULL;

	while (in && !in->ptx)
		in++;
	return in;
}

/* Ends the launch where the warp is. */
__attribute__((format(printf, 2, 3))) static bool stop_here(struct warp *w, const char *format, ...)
{
	char what[160];
	va_list args;

	va_start(args, format);
	c_vsnprintf(what, sizeof what, format, args);
	va_end(args);
	fault_at(w, present_inst(w), w->running ? w->active : 1, DEVICE_HANG, "%s", what);
	return false;
}

static bool run_turn(struct warp *w)
{
	bool ok;

	w->budget = w->launch->turn;
	ok = warp_run(w);
	w->launch->instructions += (uint64_t)(w->launch->turn - w->budget);
	if (ok && warp_finished(w)) {
		w->cta->unfinished--;
		w->base[BASE_FRAME] = NULL;
	}
	if (ok && w->launch->instructions > w->launch->max_instructions)
		return stop_here(w, "%llu warp instructions executed, more than the %llu of --max-instructions",
				 (unsigned long long)w->launch->instructions,
				 (unsigned long long)w->launch->max_instructions);
	if (ok && interrupt_pending)
		return stop_here(w, "interrupted after %llu warp instructions",
				 (unsigned long long)w->launch->instructions);
	return ok;
}

bool cta_release_joins(struct cta *cta)
{
	bool any = false;

	for (uint32_t i = 0; i < cta->nwarps; i++)
		any |= !warp_finished(&cta->warps[i]) && warp_release_joins(&cta->warps[i]);
	return any;
}

static bool some_warp(const struct cta *cta, bool (*holds)(const struct warp *w))
{
	bool any = false;

	for (uint32_t i = 0; i < cta->nwarps; i++)
		any |= !warp_finished(&cta->warps[i]) && holds(&cta->warps[i]);
	return any;
}

static bool every_warp_wakes(struct cta *cta, bool (*wakes)(struct warp *w))
{
	bool any = false;

	for (uint32_t i = 0; i < cta->nwarps; i++)
		any |= !warp_finished(&cta->warps[i]) && wakes(&cta->warps[i]);
	return any;
}

bool cta_wakes(struct cta *cta)
{
	return every_warp_wakes(cta, spin_wakes);
}

bool cta_wakes_restless(struct cta *cta)
{
	return every_warp_wakes(cta, spin_wakes_restless);
}

/* Loops wait, and all else waits for them: whether something can be done about it in this CTA. */
static bool goes_on_alone(struct cta *cta)
{
	if (some_warp(cta, spin_takes_lock) && cta_release_joins(cta))
		return true;
	return cta->tries++ < MAX_TRIES && every_warp_wakes(cta, spin_wakes_unseen);
}

/*
 * Gives every warp a turn. True if something ran. False after a fault, or if no warp can run, or if all that can are
 * waiting.
 */
static bool run_round(struct cta *cta)
{
	bool ran = false;

	for (uint32_t i = 0; i < cta->nwarps; i++) {
		struct warp *w = &cta->warps[i];

		if (warp_finished(w) || (!spin_wakes(w) && !warp_ready(w)))
			continue;
		ran = true;
		if (!run_turn(w))
			return false;
		if (w->running)
			cta->tries = 0;
	}
	if (ran || recheck_barriers(cta))
		return true;
	return some_warp(cta, spin_waits) ? goes_on_alone(cta) : cta_release_joins(cta);
}

bool cta_run(struct cta *cta, unsigned rounds)
{
	cta->waits = false;
	for (; cta->unfinished && rounds && !cta->waits; rounds--) {
		if (run_round(cta))
			continue;
		if (cta->launch->fault.status != DEVICE_OK)
			return false;
		if (!some_warp(cta, spin_waits))
			return deadlock(cta);
		cta->waits = true;
	}
	return true;
}

void cta_fault(struct cta *cta, const char *what)
{
	for (uint32_t i = 0; i < cta->nwarps; i++)
		if (!warp_finished(&cta->warps[i]) && spin_waits(&cta->warps[i])) {
			spin_fault(&cta->warps[i], what);
			return;
		}
}
