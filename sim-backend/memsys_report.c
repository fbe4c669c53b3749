/* Statistics, conservation and the deadlock dump of the memory system. */
#include "sim-backend/memsys_internal.h"

#include "sim-backend/values.h"

#include <inttypes.h>

static unsigned channel_count(const struct memsys *ms)
{
	return ms->config.noc.mc_routers * ms->config.dram.channels_per_mc;
}

static const struct dram_channel *channel_of(const struct memsys *ms, unsigned i)
{
	unsigned per_mc = ms->config.dram.channels_per_mc;

	return &ms->controllers[i / per_mc].channels[i % per_mc];
}

/* Adds every counter of `from`, as the rows list them. */
static void add_counters(const struct stat_row *rows, void *to, const void *from)
{
	for (; rows->name; rows++)
		*(uint64_t *)((char *)to + rows->offset) += *(const uint64_t *)((const char *)from + rows->offset);
}

static void find_loads(struct memsys *ms)
{
	for (enum noc_stage stage = NOC_IN; stage < NOC_STAGES; stage++) {
		ms->stats.request_load[stage] = network_load(&ms->requests, stage);
		ms->stats.reply_load[stage] = network_load(&ms->replies, stage);
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
	struct network_counts requests = network_count(&ms->requests), replies = network_count(&ms->replies);

	return (struct noc_stats){
	    .request_packets = requests.packets,
	    .request_flits = requests.flits_in,
	    .reply_packets = replies.packets,
	    .reply_flits = replies.flits_in,
	    .router_flits = requests.router_flits + replies.router_flits,
	    .link_flits = requests.link_flits + replies.link_flits,
	    .round_trips = ms->finished,
	    .round_trip_cycles = ms->round_trip_cycles,
	    .round_trip_max = ms->round_trip_max,
	    .request_in_busy = mean_busy(&request[NOC_IN]),
	    .request_links_busy = mean_busy(&request[NOC_LINKS]),
	    .request_out_busy = mean_busy(&request[NOC_OUT]),
	    .reply_in_busy = mean_busy(&reply[NOC_IN]),
	    .reply_links_busy = mean_busy(&reply[NOC_LINKS]),
	    .reply_out_busy = mean_busy(&reply[NOC_OUT]),
	};
}

const struct memsys_stats *memsys_statistics(struct memsys *ms)
{
	const struct llc_policy_ops *policy = ms->common.policy;

	find_loads(ms);
	ms->stats.noc = noc_totals(ms);
	ms->stats.llc = (struct llc_stats){.flushes = ms->flushes, .flush_cycles = ms->flush_cycles};
	ms->stats.dram = (struct dram_stats){0};
	for (unsigned i = 0; i < ms->nslices; i++) {
		add_counters(llc_stat_rows, &ms->stats.llc, &ms->slices[i].stats);
		ms->slice_accesses[i] = ms->slices[i].stats.accesses;
	}
	for (unsigned i = 0; i < channel_count(ms); i++)
		add_counters(dram_stat_rows, &ms->stats.dram, &channel_of(ms, i)->stats);
	ms->stats.policy_rows = policy->stats;
	ms->stats.policy_values = policy->statistics ? policy->statistics(ms->common.policy_state) : NULL;
	return &ms->stats;
}

uint64_t memsys_progress(const struct memsys *ms)
{
	uint64_t progress = ms->sent + ms->finished + ms->flush_cycles;

	progress += network_count(&ms->requests).router_flits + network_count(&ms->replies).router_flits;
	for (unsigned i = 0; i < ms->nslices; i++)
		progress +=
		    ms->slices[i].stats.accesses + ms->slices[i].stats.replies + (uint64_t)ms->slices[i].work_at;
	for (unsigned i = 0; i < ms->config.noc.mc_routers; i++)
		progress += ms->controllers[i].requests + ms->controllers[i].returns;
	for (unsigned i = 0; i < channel_count(ms); i++) {
		const struct dram_stats *s = &channel_of(ms, i)->stats;

		progress += s->reads + s->writes + s->activates + s->precharges;
	}
	return progress;
}

/* Where all ways are equally long. */
static bool has_passed_its_routers(const struct network *n)
{
	struct network_counts c = network_count(n);

	return !n->topology.path_routers || c.router_flits == n->topology.path_routers * c.flits_in;
}

const char *memsys_check(const struct memsys *ms)
{
	struct network_counts requests = network_count(&ms->requests), replies = network_count(&ms->replies);
	struct llc_stats llc = {0};
	struct dram_stats dram = {0};
	uint64_t passed = 0, returned = 0, silent;

	for (unsigned i = 0; i < ms->nslices; i++)
		add_counters(llc_stat_rows, &llc, &ms->slices[i].stats);
	for (unsigned i = 0; i < channel_count(ms); i++)
		add_counters(dram_stat_rows, &dram, &channel_of(ms, i)->stats);
	for (unsigned i = 0; i < ms->config.noc.mc_routers; i++) {
		passed += ms->controllers[i].requests;
		returned += ms->controllers[i].returns;
	}
	silent = ms->sent - ms->finished;

	const struct {
		bool broken;
		const char *what;
	} laws[] = {
	    {ms->pool.used != 0, "requests have neither been answered nor ended"},
	    {requests.packets != ms->sent, "not every request sent by an SM has entered the request network"},
	    {requests.flits_in != requests.flits_out, "flits are lost or doubled in the request network"},
	    {replies.flits_in != replies.flits_out, "flits are lost or doubled in the reply network"},
	    {!has_passed_its_routers(&ms->requests), "a request flit did not pass the routers on its way"},
	    {!has_passed_its_routers(&ms->replies), "a reply flit did not pass the routers on its way"},
	    {llc.accesses != ms->sent, "not every request was looked up in a slice once"},
	    {llc.accesses != llc.hits + llc.merges + llc.misses, "look-ups do not add up to hits, merges and misses"},
	    {llc.replies != ms->finished, "replies sent by the slices and received by the SMs differ"},
	    {llc.replies + silent != llc.accesses, "requests that want no reply do not make up the rest"},
	    {passed != llc.fills + llc.write_backs + llc.write_throughs, "requests from slices to memory differ"},
	    {passed != dram.reads + dram.writes, "requests to memory and column commands differ"},
	    {returned != dram.reads || dram.reads != llc.fills, "reads of memory and fills of slices differ"},
	    {dram.read_bursts != llc.fills * ms->common.line_bursts, "bursts read are not whole lines"},
	};

	for (unsigned i = 0; i < sizeof laws / sizeof laws[0]; i++)
		if (laws[i].broken)
			return laws[i].what;
	return ms->common.values ? values_violation(ms->common.values) : NULL;
}

static void dump_slice(const struct llc_slice *s, FILE *out)
{
	if (!s->pipeline.count && !s->reads_out && !s->to_dram->count && s->work == LLC_WORK_NONE)
		return;
	fprintf(out,
		"llc mc %u slice %u: %u requests in the pipeline, %" PRIu64
		" fills awaited, %u requests wait for memory, "
		"replies %s, MSHRs %s%s\n",
		s->mc, s->slice, s->pipeline.count, s->reads_out, s->to_dram->count,
		s->replies_first == NO_TRANSACTION ? "none" : "waiting",
		s->free_mshr == NO_TRANSACTION ? "full" : "free", s->work == LLC_WORK_NONE ? "" : ", flushing");
}

void memsys_dump(const struct memsys *ms, FILE *out)
{
	static const char *const boundaries[] = {"none", "waiting for requests in flight", "flushing"};

	fprintf(out, "memory system: %" PRIu32 " requests inside, boundary: %s\n", ms->pool.used,
		boundaries[ms->boundary]);
	network_dump(&ms->requests, "request network", out);
	for (unsigned i = 0; i < ms->nslices; i++)
		dump_slice(&ms->slices[i], out);
	for (unsigned i = 0; i < channel_count(ms); i++) {
		const struct dram_channel *c = channel_of(ms, i);

		if (!dram_channel_is_empty(c))
			fprintf(out,
				"dram channel %u: %u arriving, %u reads, %u writes%s, %u on the bus, %u to return\n", i,
				c->in.count, c->reads.count, c->writes.count, c->draining ? " (draining)" : "",
				c->on_bus.count, c->out.count);
	}
	network_dump(&ms->replies, "reply network", out);
}
