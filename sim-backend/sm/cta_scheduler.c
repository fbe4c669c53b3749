/* Walks over the SMs in a fixed order. The policy decides that order, and how many CTAs in a row one SM gets. */
#include "sim-backend/sm/cta_scheduler.h"

#include "common/xalloc.h"

#include <stdlib.h>

enum { ANY_NUMBER = 1 << 30 };

void cta_scheduler_init(struct cta_scheduler *c, const struct cta_config *config, struct sm **sms, uint32_t nsms,
			uint32_t chips, uint32_t routers, struct sm_context *context)
{
	uint32_t per_router = nsms / routers, per_chip = nsms / chips, chip_routers = routers / chips;

	*c = (struct cta_scheduler){.config = config, .sms = sms, .nsms = nsms, .context = context, .ended = true};
	c->order = xcalloc(nsms, sizeof *c->order);
	for (uint32_t i = 0; i < nsms; i++)
		c->order[i] = config->policy == CTA_RR ? i : i % routers * per_router + i / routers;
	if (config->policy != CTA_DISTRIBUTED)
		return;
	c->chips = chips;
	c->positions = xcalloc(chips, sizeof *c->positions);
	cta_ranges_init(&c->ranges, chips, config->chunk);
	for (uint32_t i = 0; i < nsms; i++) {
		uint32_t chip = i / per_chip, k = i % per_chip;

		c->order[i] = chip * per_chip + k % chip_routers * per_router + k / chip_routers;
	}
}

void cta_scheduler_release(struct cta_scheduler *c)
{
	if (c->has_next)
		trace_cta_release(&c->next);
	if (c->chips)
		cta_ranges_release(&c->ranges);
	xfree(c->positions);
	xfree(c->order);
}

static void read_next(struct cta_scheduler *c)
{
	int status = c->source->next(c->source, &c->next, &c->failure);

	c->has_next = status > 0;
	c->ended = status <= 0;
}

void cta_scheduler_begin(struct cta_scheduler *c, struct cta_source *source, uint64_t total)
{
	c->source = source;
	c->position = 0;
	c->block_left = 0;
	c->placed = 0;
	c->total = total;
	c->running = 0;
	c->free_slots = c->nsms * c->context->cta_slots;
	c->ended = false;
	c->asked = !c->beside;
	if (c->beside)
		c->free_slots = ANY_NUMBER;
	if (c->chips) {
		cta_ranges_begin(&c->ranges, source, total);
		c->has_next = true;
		return;
	}
	read_next(c);
}

static void reap(struct cta_scheduler *c, uint64_t cycle)
{
	c->asked = !c->beside;
	for (uint32_t i = 0; i < c->nsms; i++) {
		uint32_t reaped = sm_reap(c->sms[i], cycle);

		c->free_slots += reaped;
		c->running -= reaped;
	}
}

/* Whether one more CTA may be placed in this cycle, in which `count` were. */
static bool has_turn(const struct cta_scheduler *c, uint32_t count, uint64_t cycle)
{
	return count < c->config->per_cycle && c->next_turn < (double)cycle + 1;
}

/* A CTA was placed. With an interval of 1.5, CTAs that wait only for their turn are placed in cycles 0, 1, 3, 4, 6. */
static void take_turn(struct cta_scheduler *c, uint64_t cycle)
{
	if (c->config->interval == 0)
		return;
	if (c->next_turn < (double)cycle)
		c->next_turn = (double)cycle;
	c->next_turn += c->config->interval;
}

/* Free slots that an SM must have to begin a block. */
static uint32_t slots_wanted(const struct cta_scheduler *c)
{
	uint64_t left = c->total > c->placed ? c->total - c->placed : 1;
	uint64_t block = c->config->policy == CTA_BCS ? c->config->block : 1;

	block = block < c->context->cta_slots ? block : c->context->cta_slots;
	return (uint32_t)(left < block ? left : block);
}

/* The next SM in order that takes the CTA, or NULL. */
static struct sm *pick_sm(struct cta_scheduler *c)
{
	uint32_t wanted = slots_wanted(c);

	if (c->block_left)
		return c->sms[c->order[c->position]];
	for (uint32_t i = 0; i < c->nsms; i++) {
		uint32_t at = (c->position + i) % c->nsms;
		struct sm *sm = c->sms[c->order[at]];

		if (c->beside ? sm_has_room(sm) : sm->nctas + wanted <= c->context->cta_slots) {
			c->position = at;
			c->block_left = wanted;
			return sm;
		}
	}
	return NULL;
}

/* The chip's next SM in order that has a slot, or NULL. */
static struct sm *pick_sm_of(struct cta_scheduler *c, uint32_t chip)
{
	uint32_t per_chip = c->nsms / c->chips;

	for (uint32_t i = 0; i < per_chip; i++) {
		uint32_t at = (c->positions[chip] + i) % per_chip;
		struct sm *sm = c->sms[c->order[chip * per_chip + at]];

		if (sm->nctas < c->context->cta_slots) {
			c->positions[chip] = at;
			return sm;
		}
	}
	return NULL;
}

/* Places a CTA on the next chip that has both room and something left. */
static bool place_in_turn(struct cta_scheduler *c, uint64_t cycle)
{
	for (uint32_t i = 0; i < c->chips; i++) {
		uint32_t chip = (c->turn + i) % c->chips;
		struct sm *sm = pick_sm_of(c, chip);
		struct trace_cta *cta = sm ? cta_ranges_front(&c->ranges, chip, &c->failure) : NULL;

		if (!cta)
			continue;
		sm_take_cta(sm, cta, cycle);
		take_turn(c, cycle);
		cta_ranges_pop(&c->ranges, chip);
		c->positions[chip] = (c->positions[chip] + 1) % (c->nsms / c->chips);
		c->turn = (chip + 1) % c->chips;
		c->free_slots--;
		c->running++;
		return true;
	}
	return false;
}

/* has_next: there may be something to place before a CTA ends. */
static void tick_ranges(struct cta_scheduler *c, uint64_t cycle)
{
	c->has_next = true;
	for (uint32_t i = 0; has_turn(c, i, cycle) && c->has_next; i++)
		c->has_next = place_in_turn(c, cycle);
	c->ended = cta_ranges_over(&c->ranges);
}

static void place(struct cta_scheduler *c, struct sm *sm, uint64_t cycle)
{
	sm_take_cta(sm, &c->next, cycle);
	take_turn(c, cycle);
	c->free_slots--;
	c->running++;
	c->placed++;
	if (--c->block_left == 0)
		c->position = (c->position + 1) % c->nsms;
	read_next(c);
}

/* Whether there is a CTA to place: of the launch, or of a launch that may begin beside it. */
static bool find_next(struct cta_scheduler *c, uint64_t cycle)
{
	while (!c->has_next && !c->asked && !diag_is_set(&c->failure)) {
		c->asked = !c->beside(c->beside_arg, cycle);
		if (!c->asked)
			read_next(c);
	}
	return c->has_next;
}

static void tick_launches(struct cta_scheduler *c, uint64_t cycle)
{
	for (uint32_t i = 0; has_turn(c, i, cycle) && c->free_slots && find_next(c, cycle); i++) {
		struct sm *sm = pick_sm(c);

		if (sm) {
			c->context->launches[c->context->launch].ctas++;
			c->context->launches[c->context->launch].running++;
			place(c, sm, cycle);
		} else {
			c->free_slots = 0;
		}
	}
}

void cta_scheduler_tick(struct cta_scheduler *c, uint64_t cycle)
{
	bool reaped = c->context->finished;

	if (reaped)
		reap(c, cycle);
	if (c->chips) {
		if (reaped || c->has_next)
			tick_ranges(c, cycle);
		return;
	}
	if (c->beside) {
		tick_launches(c, cycle);
		return;
	}
	for (uint32_t i = 0; has_turn(c, i, cycle) && c->has_next && c->free_slots; i++) {
		struct sm *sm = pick_sm(c);

		if (!sm)
			return;
		place(c, sm, cycle);
	}
}

bool cta_scheduler_done(const struct cta_scheduler *c)
{
	return c->ended && c->running == 0;
}

/* Some CTA has ended. */
static uint64_t next_reap(const struct cta_scheduler *c, uint64_t cycle)
{
	uint64_t next = UINT64_MAX;

	if (c->config->end_cycles == 0)
		return cycle + 1;
	for (uint32_t i = 0; i < c->nsms && next > cycle + 1; i++) {
		uint64_t due = sm_next_reap(c->sms[i]);

		next = due < next ? due : next;
	}
	return next > cycle ? next : cycle + 1;
}

uint64_t cta_scheduler_next(const struct cta_scheduler *c, uint64_t cycle)
{
	bool more = c->has_next || (c->beside && !c->asked);
	uint64_t next = UINT64_MAX;

	if (more && c->free_slots)
		next = c->next_turn < (double)cycle + 2 ? cycle + 1 : (uint64_t)c->next_turn;
	if (c->context->finished)
		next = next_reap(c, cycle) < next ? next_reap(c, cycle) : next;
	return next;
}
