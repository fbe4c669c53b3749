/*
 * Placement of a launch's CTAs on SMs, in launch order, as slots become free. The scheduler reads a single CTA ahead
 * from the trace, so beside it only resident CTAs are in memory.
 */
#ifndef ROMARK_SIM_CTA_SCHEDULER_H
#define ROMARK_SIM_CTA_SCHEDULER_H

#include "sim-backend/sm/cta_ranges.h"
#include "sim-backend/sm/sm.h"

struct cta_scheduler {
	const struct cta_config *config;
	struct sm **sms;
	uint32_t nsms;
	uint32_t *order;   /* the order in which SMs are visited */
	uint32_t position; /* in `order` */
	uint32_t block_left;
	struct sm_context *context;
	struct cta_source *source;
	struct trace_cta next;
	bool has_next, ended;
	/*
	 * With several launches at once: opens the next launch if it may begin now, and sets the context to it. NULL:
	 * one launch at a time. `asked`: it returned false, and no CTA has ended since.
	 */
	bool (*beside)(void *arg, uint64_t cycle);
	void *beside_arg;
	bool asked;
	uint32_t free_slots, running; /* free_slots: with several launches, 0 or not; 0 until a CTA ends */
	uint64_t placed, total;       /* CTAs of the launch */
	double next_turn;             /* cta.interval: cycle from which the next CTA may be placed */
	struct diag failure;          /* reading failed */
	/*
	 * Policy `distributed`: each chip's SMs, nsms / chips in `order` one after the other, take CTAs from a range.
	 */
	uint32_t chips, turn; /* chip that is next */
	uint32_t *positions;  /* [chips], within a chip's part of `order` */
	struct cta_ranges ranges;
};

/* `routers`: SM-routers of all chips, each with nsms / routers SMs of consecutive numbers. */
void cta_scheduler_init(struct cta_scheduler *c, const struct cta_config *config, struct sm **sms, uint32_t nsms,
			uint32_t chips, uint32_t routers, struct sm_context *context);
void cta_scheduler_release(struct cta_scheduler *c);
/* Begins a launch of which `source` gives `total` CTAs. The SMs' context is set. */
void cta_scheduler_begin(struct cta_scheduler *c, struct cta_source *source, uint64_t total);
void cta_scheduler_tick(struct cta_scheduler *c, uint64_t cycle);
/* Whether all CTAs were placed and have ended. */
bool cta_scheduler_done(const struct cta_scheduler *c);
/* The next cycle in which there is something to place or to reap, or UINT64_MAX. */
uint64_t cta_scheduler_next(const struct cta_scheduler *c, uint64_t cycle);

#endif
