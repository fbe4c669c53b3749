/* Statistics of the memory system: the sums of what its parts have counted. */
#include "sim-backend/memory/memsys_parts.h"

#include "sim-backend/knobs/stat.h"
#include "sim-backend/memory/sharing.h"

#include <string.h>

void memsys_add_network_counts(struct network_counts *to, const struct network_counts *c)
{
	to->packets += c->packets;
	to->flits_in += c->flits_in;
	to->flits_out += c->flits_out;
	to->router_flits += c->router_flits;
	to->link_flits += c->link_flits;
	to->short_flits += c->short_flits;
	to->switch_ports += c->switch_ports;
}

struct network_counts memsys_network_counts(const struct memsys *ms, enum network_kind kind)
{
	struct network_counts sum = {0};

	for (unsigned i = 0; i < ms->count; i++) {
		struct network_counts c = network_count(network_of(&ms->chips[i], kind));

		memsys_add_network_counts(&sum, &c);
	}
	return sum;
}

void memsys_measure(struct memsys *ms)
{
	for (unsigned i = 0; i < ms->count; i++)
		for (unsigned kind = 0; kind < NETWORKS; kind++) {
			const struct network *n = network_of(&ms->chips[i], kind);

			ms->stats.router_ports += network_ports(n);
			ms->stats.long_links += network_long_links(n);
		}
}

static void add_load(struct noc_load *to, const struct network *n, enum noc_stage stage)
{
	struct noc_load load = network_load(n, stage);

	to->channels += load.channels;
	to->busy += load.busy;
	to->busiest = load.busiest > to->busiest ? load.busiest : to->busiest;
}

static void find_loads(struct memsys *ms)
{
	for (enum noc_stage stage = NOC_IN; stage < NOC_STAGES; stage++) {
		struct noc_load *request = &ms->stats.request_load[stage], *reply = &ms->stats.reply_load[stage];

		*request = *reply = (struct noc_load){0};
		for (unsigned i = 0; i < ms->count; i++) {
			add_load(request, &ms->chips[i].requests, stage);
			add_load(request, &ms->chips[i].incoming, stage);
			add_load(reply, &ms->chips[i].replies, stage);
			add_load(reply, &ms->chips[i].returning, stage);
		}
	}
}

static double mean_busy(const struct noc_load *load)
{
	return load->channels ? load->busy / load->channels : 0;
}

/* Requires find_loads. */
static struct noc_stats noc_totals(const struct memsys *ms)
{
	const struct noc_load *request = ms->stats.request_load, *reply = ms->stats.reply_load;
	struct network_counts n[NETWORKS], all = {0};

	for (unsigned kind = 0; kind < NETWORKS; kind++) {
		n[kind] = memsys_network_counts(ms, kind);
		memsys_add_network_counts(&all, &n[kind]);
	}
	return (struct noc_stats){
	    .request_packets = n[REQUESTS].packets + n[INCOMING].packets,
	    .request_flits = n[REQUESTS].flits_in + n[INCOMING].flits_in,
	    .reply_packets = n[REPLIES].packets + n[RETURNING].packets,
	    .reply_flits = n[REPLIES].flits_in + n[RETURNING].flits_in,
	    .router_flits = all.router_flits,
	    .link_flits = all.link_flits,
	    .short_flits = all.short_flits,
	    .switch_ports = all.switch_ports,
	    .round_trips = ms->received.finished,
	    .round_trip_cycles = ms->received.round_trip_cycles,
	    .round_trip_max = ms->received.round_trip_max,
	    .request_in_busy = mean_busy(&request[NOC_IN]),
	    .request_links_busy = mean_busy(&request[NOC_LINKS]),
	    .request_out_busy = mean_busy(&request[NOC_OUT]),
	    .reply_in_busy = mean_busy(&reply[NOC_IN]),
	    .reply_links_busy = mean_busy(&reply[NOC_LINKS]),
	    .reply_out_busy = mean_busy(&reply[NOC_OUT]),
	};
}

struct link_stats memsys_link_totals(const struct memsys *ms)
{
	struct link_stats s = {0};

	for (unsigned i = 0; i < ms->nlinks; i++) {
		s.packets += ms->links[i].packets;
		s.bytes += ms->links[i].bytes;
	}
	for (unsigned i = 0; i < ms->count; i++) {
		s.local_requests += ms->chips[i].local_requests;
		s.remote_requests += ms->chips[i].remote_requests;
	}
	for (unsigned i = 0; i < ms->nslices; i++) {
		s.slice_fetches += slice_at(ms, i)->fetches_asked;
		s.slice_fetch_hits += slice_at(ms, i)->asked_hits;
		s.slice_fetch_waits += slice_at(ms, i)->asked_waits;
		s.slice_fetch_passes += slice_at(ms, i)->asked_passes;
	}
	return s;
}

/* The counters of the policy; with several chips, the sum of their policies'. */
static const void *policy_totals(struct memsys *ms)
{
	const struct llc_policy_ops *policy = ms->shared.policy;

	if (!policy->statistics)
		return NULL;
	if (ms->count == 1)
		return policy->statistics(ms->chips[0].common.policy_state);
	xfree(ms->policy_totals);
	ms->policy_totals = xcalloc(1, stats_extent(policy->stats));
	for (unsigned i = 0; i < ms->count; i++)
		stats_add(policy->stats, ms->policy_totals, policy->statistics(ms->chips[i].common.policy_state));
	return ms->policy_totals;
}

static void add_directories(const struct memsys *ms, struct llc_stats *to)
{
	const struct llc_policy_ops *policy = ms->shared.policy;

	for (unsigned i = 0; policy->directory && i < ms->count; i++) {
		struct llc_directory_use use = policy->directory(ms->chips[i].common.policy_state);

		to->directory_searches += use.searches;
		to->directory_writes += use.writes;
	}
}

struct response_stats memsys_response_totals(const struct memsys *ms)
{
	struct response_stats sum = {0};

	for (unsigned i = 0; i < ms->count; i++)
		stats_add(responses_stat_rows, &sum, &ms->responses[i]);
	return sum;
}

struct coherence_stats memsys_coherence_totals(const struct memsys *ms)
{
	struct coherence_stats sum = {0};

	for (unsigned i = 0; i < ms->count && ms->chips[i].directories; i++) {
		for (unsigned mc = 0; mc < ms->shared.config.noc.mc_routers; mc++)
			stats_add(coherence_stat_rows, &sum, &ms->chips[i].directories[mc].stats);
		for (unsigned k = 0; k < ms->chips[i].nslices; k++)
			sum.found += ms->chips[i].slices[k].notes_found;
	}
	return sum;
}

void memsys_contents(const struct memsys *ms, uint64_t cycle, struct contents_stats *by_chip)
{
	for (unsigned i = 0; i < ms->count; i++) {
		by_chip[i] = (struct contents_stats){0};
		for (unsigned k = 0; k < ms->chips[i].nslices; k++) {
			struct contents_stats held = llc_slice_contents(&ms->chips[i].slices[k], cycle);

			by_chip[i].local += held.local;
			by_chip[i].remote += held.remote;
		}
	}
}

struct stage_stats memsys_stage_totals(const struct memsys *ms)
{
	struct stage_stats stages = {.reply_queue_cycles = ms->received.queue_cycles,
				     .reply_network_cycles = ms->received.network_cycles};

	for (unsigned i = 0; i < ms->nslices; i++)
		stats_add(stages_stat_rows, &stages, &slice_at(ms, i)->stages);
	return stages;
}

void memsys_settle(struct memsys *ms, uint64_t cycle)
{
	for (unsigned i = 0; cycle && i < channel_count(ms); i++)
		dram_channel_refresh(channel_at(ms, i), dram_clock_at(&ms->shared.clock, cycle - 1));
}

const struct memsys_stats *memsys_statistics(struct memsys *ms)
{
	unsigned banks = ms->shared.config.dram.banks;

	find_loads(ms);
	ms->stats.noc = noc_totals(ms);
	ms->stats.links = memsys_link_totals(ms);
	ms->stats.stages = memsys_stage_totals(ms);
	if (ms->tlbs)
		ms->stats.tlb = *tlbs_statistics(ms->tlbs);
	if (ms->sharing)
		ms->stats.sharing = sharing_statistics(ms->sharing);
	if (ms->working_set)
		ms->stats.working_set = working_set_statistics(ms->working_set);
	ms->stats.responses = memsys_response_totals(ms);
	ms->stats.coherence = memsys_coherence_totals(ms);
	ms->stats.llc = (struct llc_stats){
	    .flushes = ms->flushes, .flush_cycles = ms->flush_cycles, .drain_cycles = ms->drain_cycles};
	add_directories(ms, &ms->stats.llc);
	ms->stats.dram = (struct dram_stats){0};
	for (unsigned i = 0; i < ms->nslices; i++) {
		ms->slice_stats[i] = slice_at(ms, i)->stats;
		stats_add(llc_stat_rows, &ms->stats.llc, &ms->slice_stats[i]);
	}
	for (unsigned i = 0; i < channel_count(ms); i++) {
		const struct dram_channel *c = channel_at(ms, i);

		stats_add(dram_stat_rows, &ms->stats.dram, &c->stats);
		ms->channel_stats[i] = c->stats;
		memcpy(&ms->bank_stats[i * banks], c->bank_stats, banks * sizeof *ms->bank_stats);
	}
	ms->stats.policy_rows = ms->shared.policy->stats;
	ms->stats.policy_values = policy_totals(ms);
	return &ms->stats;
}

void memsys_replacement(const struct memsys *ms, void *values)
{
	const struct stat_row *rows = ms->shared.config.llc.replacement_ops->stats;

	memset(values, 0, stats_extent(rows));
	for (unsigned i = 0; i < ms->nslices; i++) {
		const struct llc_tags *tags = &slice_at(ms, i)->tags;

		stats_add(rows, values, tags->replacement->statistics(tags->replacement_state));
	}
}

/* With several chips, the values of the first chip's policy. */
void memsys_series(const struct memsys *ms, uint64_t cycle, void *values)
{
	ms->shared.policy->series(ms->chips[0].common.policy_state, cycle, values);
}

uint64_t memsys_epoch(const struct memsys *ms)
{
	const struct llc_policy_ops *policy = ms->shared.policy;

	return policy->epoch ? policy->epoch(ms->chips[0].common.policy_state) : 0;
}
