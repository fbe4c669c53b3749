/* The memory system's parts over all its chips, one kind at a time, and the sums of their counters. */
#ifndef ROMARK_SIM_MEMSYS_PARTS_H
#define ROMARK_SIM_MEMSYS_PARTS_H

#include "sim-backend/memory/memsys_internal.h"

/* Networks of one kind, of all chips. */
enum network_kind { REQUESTS, INCOMING, REPLIES, RETURNING, NETWORKS };

static inline const struct network *network_of(const struct chip *c, enum network_kind kind)
{
	const struct network *const networks[] = {&c->requests, &c->incoming, &c->replies, &c->returning};

	return networks[kind];
}

static inline unsigned controller_count(const struct memsys *ms)
{
	return ms->count * ms->shared.config.noc.mc_routers;
}

static inline struct controller *controller_at(const struct memsys *ms, unsigned i)
{
	unsigned mcs = ms->shared.config.noc.mc_routers;

	return &ms->chips[i / mcs].controllers[i % mcs];
}

static inline unsigned channel_count(const struct memsys *ms)
{
	return controller_count(ms) * ms->shared.config.dram.channels_per_mc;
}

static inline struct dram_channel *channel_at(const struct memsys *ms, unsigned i)
{
	unsigned per_mc = ms->shared.config.dram.channels_per_mc;

	return &controller_at(ms, i / per_mc)->channels[i % per_mc];
}

static inline const struct llc_slice *slice_at(const struct memsys *ms, unsigned i)
{
	const struct chip *first = ms->chips;

	return &ms->chips[i / first->nslices].slices[i % first->nslices];
}

/* --- memsys_report.c: sums over all chips --- */

struct network_counts memsys_network_counts(const struct memsys *ms, enum network_kind kind);
void memsys_add_network_counts(struct network_counts *to, const struct network_counts *c);
struct link_stats memsys_link_totals(const struct memsys *ms);
struct response_stats memsys_response_totals(const struct memsys *ms);
struct coherence_stats memsys_coherence_totals(const struct memsys *ms);
struct stage_stats memsys_stage_totals(const struct memsys *ms);

#endif
