/* Statistics, conservation and the deadlock dump of the memory system. */
#include "sim-backend/memory/memsys_internal.h"

#include "sim-backend/knobs/stat.h"
#include "sim-backend/memory/sharing.h"
#include "sim-backend/memory/values.h"

#include <inttypes.h>
#include <string.h>

static unsigned channel_count(const struct memsys *ms)
{
	return ms->count * ms->shared.config.noc.mc_routers * ms->shared.config.dram.channels_per_mc;
}

static struct controller *controller_at(const struct memsys *ms, unsigned i)
{
	unsigned mcs = ms->shared.config.noc.mc_routers;

	return &ms->chips[i / mcs].controllers[i % mcs];
}

static struct dram_channel *channel_of(const struct memsys *ms, unsigned i)
{
	unsigned per_mc = ms->shared.config.dram.channels_per_mc;

	return &controller_at(ms, i / per_mc)->channels[i % per_mc];
}

static const struct llc_slice *slice_of(const struct memsys *ms, unsigned i)
{
	const struct chip *first = ms->chips;

	return &ms->chips[i / first->nslices].slices[i % first->nslices];
}

/* Networks of one kind, of all chips. */
enum network_kind { REQUESTS, INCOMING, REPLIES, RETURNING, NETWORKS };

static const char *const network_names[] = {"request network", "network of incoming requests", "reply network",
					    "network of returning replies"};

static const struct network *network_of(const struct chip *c, enum network_kind kind)
{
	const struct network *const networks[] = {&c->requests, &c->incoming, &c->replies, &c->returning};

	return networks[kind];
}

static void add_counts(struct network_counts *to, const struct network_counts *c)
{
	to->packets += c->packets;
	to->flits_in += c->flits_in;
	to->flits_out += c->flits_out;
	to->router_flits += c->router_flits;
	to->link_flits += c->link_flits;
	to->short_flits += c->short_flits;
	to->switch_ports += c->switch_ports;
}

static void add_network(struct network_counts *to, const struct network *n)
{
	struct network_counts c = network_count(n);

	add_counts(to, &c);
}

static struct network_counts count_networks(const struct memsys *ms, enum network_kind kind)
{
	struct network_counts sum = {0};

	for (unsigned i = 0; i < ms->count; i++)
		add_network(&sum, network_of(&ms->chips[i], kind));
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
		n[kind] = count_networks(ms, kind);
		add_counts(&all, &n[kind]);
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

static struct link_stats link_totals(const struct memsys *ms)
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
		s.slice_fetches += slice_of(ms, i)->fetches_asked;
		s.slice_fetch_hits += slice_of(ms, i)->asked_hits;
		s.slice_fetch_waits += slice_of(ms, i)->asked_waits;
		s.slice_fetch_passes += slice_of(ms, i)->asked_passes;
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

static struct response_stats response_totals(const struct memsys *ms)
{
	struct response_stats sum = {0};

	for (unsigned i = 0; i < ms->count; i++)
		stats_add(responses_stat_rows, &sum, &ms->responses[i]);
	return sum;
}

static struct coherence_stats coherence_totals(const struct memsys *ms)
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

/* Everything that directories have wanted and slices have answered has arrived. */
static bool notes_conserve(const struct memsys *ms)
{
	struct coherence_stats sum = coherence_totals(ms);
	uint64_t taken = 0;

	for (unsigned i = 0; i < ms->nslices; i++)
		taken += slice_of(ms, i)->notes_taken;
	return taken == sum.invalidations + sum.recalls + sum.downgrades && sum.answers == sum.recalls + sum.downgrades;
}

static uint64_t responses_in_all(const struct memsys *ms)
{
	struct response_stats r = response_totals(ms);

	return r.local_llc + r.remote_llc + r.local_memory + r.remote_memory;
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

static struct stage_stats stage_totals(const struct memsys *ms)
{
	struct stage_stats stages = {.reply_queue_cycles = ms->received.queue_cycles,
				     .reply_network_cycles = ms->received.network_cycles};

	for (unsigned i = 0; i < ms->nslices; i++)
		stats_add(stages_stat_rows, &stages, &slice_of(ms, i)->stages);
	return stages;
}

static uint64_t cycles_of_stages(const struct memsys *ms)
{
	struct stage_stats s = stage_totals(ms);

	return s.injection_cycles + s.request_network_cycles + s.slice_queue_cycles + s.pipeline_cycles +
	       s.memory_cycles + s.reply_queue_cycles + s.reply_network_cycles;
}

void memsys_settle(struct memsys *ms, uint64_t cycle)
{
	for (unsigned i = 0; cycle && i < channel_count(ms); i++)
		dram_channel_refresh(channel_of(ms, i), dram_clock_at(&ms->shared.clock, cycle - 1));
}

const struct memsys_stats *memsys_statistics(struct memsys *ms)
{
	unsigned banks = ms->shared.config.dram.banks;

	find_loads(ms);
	ms->stats.noc = noc_totals(ms);
	ms->stats.links = link_totals(ms);
	ms->stats.stages = stage_totals(ms);
	if (ms->sharing)
		ms->stats.sharing = sharing_statistics(ms->sharing);
	if (ms->working_set)
		ms->stats.working_set = working_set_statistics(ms->working_set);
	ms->stats.responses = response_totals(ms);
	ms->stats.coherence = coherence_totals(ms);
	ms->stats.llc = (struct llc_stats){
	    .flushes = ms->flushes, .flush_cycles = ms->flush_cycles, .drain_cycles = ms->drain_cycles};
	add_directories(ms, &ms->stats.llc);
	ms->stats.dram = (struct dram_stats){0};
	for (unsigned i = 0; i < ms->nslices; i++) {
		ms->slice_stats[i] = slice_of(ms, i)->stats;
		stats_add(llc_stat_rows, &ms->stats.llc, &ms->slice_stats[i]);
	}
	for (unsigned i = 0; i < channel_count(ms); i++) {
		const struct dram_channel *c = channel_of(ms, i);

		stats_add(dram_stat_rows, &ms->stats.dram, &c->stats);
		ms->channel_stats[i] = c->stats;
		memcpy(&ms->bank_stats[i * banks], c->bank_stats, banks * sizeof *ms->bank_stats);
	}
	ms->stats.policy_rows = ms->shared.policy->stats;
	ms->stats.policy_values = policy_totals(ms);
	return &ms->stats;
}

/* With several chips, of the first one's policy. */
void memsys_series(const struct memsys *ms, uint64_t cycle, void *values)
{
	ms->shared.policy->series(ms->chips[0].common.policy_state, cycle, values);
}

uint64_t memsys_epoch(const struct memsys *ms)
{
	const struct llc_policy_ops *policy = ms->shared.policy;

	return policy->epoch ? policy->epoch(ms->chips[0].common.policy_state) : 0;
}

uint64_t memsys_progress(const struct memsys *ms)
{
	uint64_t progress = ms->sent + ms->received.finished + ms->flush_cycles;

	for (unsigned kind = 0; kind < NETWORKS; kind++)
		progress += count_networks(ms, kind).router_flits;
	for (unsigned i = 0; i < ms->nlinks; i++)
		progress += ms->links[i].packets + ms->links[i].taken;
	for (unsigned i = 0; i < ms->nslices; i++) {
		const struct llc_slice *s = slice_of(ms, i);

		progress += s->stats.accesses + s->stats.replies + (uint64_t)s->work_at + s->notes_taken;
	}
	for (unsigned i = 0; i < ms->count * ms->shared.config.noc.mc_routers; i++)
		progress += controller_at(ms, i)->requests + controller_at(ms, i)->returns;
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

static bool have_passed_their_routers(const struct memsys *ms, enum network_kind kind)
{
	for (unsigned i = 0; i < ms->count; i++)
		if (!has_passed_its_routers(network_of(&ms->chips[i], kind)))
			return false;
	return true;
}

static const char *check_links(const struct memsys *ms)
{
	for (unsigned i = 0; i < ms->nlinks; i++)
		if (ms->links[i].packets != ms->links[i].taken || ms->links[i].bytes != ms->links[i].taken_bytes)
			return "packets or bytes are lost or doubled on a link";
	return NULL;
}

/* What is charged to structures adds up to what happened. */
static const char *check_structures(const struct memsys *ms, const struct llc_stats *llc, const struct dram_stats *dram,
				    uint64_t request_flits, uint64_t reply_flits)
{
	struct structure_memory sum = {0};
	uint64_t *to = (uint64_t *)&sum;

	for (unsigned i = 0; i < ms->stats.nstructures; i++) {
		const uint64_t *from = (const uint64_t *)&ms->stats.structures[i];

		for (size_t k = 0; k < sizeof sum / sizeof *to; k++)
			to[k] += from[k];
	}
	if (sum.accesses != llc->accesses || sum.hits != llc->hits || sum.merges != llc->merges)
		return "LLC look-ups charged to structures are not all look-ups";
	if (sum.array_reads != llc->array_reads || sum.sectors_read != llc->sectors_read ||
	    sum.array_writes != llc->array_writes || sum.sectors_written != llc->sectors_written)
		return "LLC accesses charged to structures are not all accesses";
	if (sum.request_flits != request_flits || sum.reply_flits != reply_flits)
		return "flits charged to structures are not all flits";
	if (sum.memory_reads != dram->reads || sum.memory_writes != dram->writes ||
	    sum.read_bursts != dram->read_bursts || sum.write_bursts != dram->write_bursts ||
	    sum.activates != dram->activates)
		return "commands to memory charged to structures are not all commands";
	return NULL;
}

const char *memsys_check(const struct memsys *ms)
{
	struct network_counts sent = count_networks(ms, REQUESTS), requests = sent, replies;
	struct network_counts incoming = count_networks(ms, INCOMING), returning = count_networks(ms, RETURNING);
	struct link_stats links = link_totals(ms);
	struct llc_stats llc = {0};
	struct dram_stats dram = {0};
	uint64_t passed = 0, returned = 0, bursts_asked = 0, silent, memory_reads;

	replies = count_networks(ms, REPLIES);
	for (unsigned i = 0; i < ms->count; i++) {
		add_network(&requests, &ms->chips[i].incoming);
		add_network(&replies, &ms->chips[i].returning);
	}
	for (unsigned i = 0; i < ms->nslices; i++) {
		stats_add(llc_stat_rows, &llc, &slice_of(ms, i)->stats);
		bursts_asked += slice_of(ms, i)->bursts_asked;
	}
	for (unsigned i = 0; i < channel_count(ms); i++)
		stats_add(dram_stat_rows, &dram, &channel_of(ms, i)->stats);
	for (unsigned i = 0; i < ms->count * ms->shared.config.noc.mc_routers; i++) {
		passed += controller_at(ms, i)->requests;
		returned += controller_at(ms, i)->returns;
	}
	silent = ms->sent - ms->received.finished;
	memory_reads = llc.fills - links.slice_fetches + links.slice_fetch_passes;

	const struct {
		bool broken;
		const char *what;
	} laws[] = {
	    {ms->shared.pool.used != 0, "requests have neither been answered nor ended"},
	    {cycles_of_stages(ms) != ms->received.round_trip_cycles, "the stages of round trips do not add up to them"},
	    {sent.packets != ms->sent, "not every request sent by an SM has entered the request network"},
	    {requests.flits_in != requests.flits_out, "flits are lost or doubled in the request network"},
	    {replies.flits_in != replies.flits_out, "flits are lost or doubled in the reply network"},
	    {!have_passed_their_routers(ms, REQUESTS) || !have_passed_their_routers(ms, INCOMING),
	     "a request flit did not pass the routers on its way"},
	    {!have_passed_their_routers(ms, REPLIES) || !have_passed_their_routers(ms, RETURNING),
	     "a reply flit did not pass the routers on its way"},
	    {incoming.packets != links.remote_requests,
	     "requests to another chip and requests that came to one differ"},
	    {returning.packets > incoming.packets, "more replies than requests have come from other chips"},
	    {llc.accesses != ms->sent, "not every request was looked up in a slice once"},
	    {llc.accesses != llc.hits + llc.merges + llc.misses, "look-ups do not add up to hits, merges and misses"},
	    {llc.replies != ms->received.finished, "replies sent by the slices and received by the SMs differ"},
	    {ms->count > 1 && responses_in_all(ms) != llc.replies, "the origins of responses do not add up to them"},
	    {!notes_conserve(ms), "what directories wanted of slices, and what these did and answered, differ"},
	    {llc.replies + silent != llc.accesses, "requests that want no reply do not make up the rest"},
	    {links.slice_fetches != links.slice_fetch_hits + links.slice_fetch_waits + links.slice_fetch_passes,
	     "what slices asked of slices of other chips was not all answered"},
	    {passed != memory_reads + llc.write_backs + llc.write_throughs, "requests from slices to memory differ"},
	    {passed != dram.reads + dram.writes, "requests to memory and column commands differ"},
	    {returned != dram.reads || dram.reads != memory_reads, "reads of memory and fills of slices differ"},
	    {dram.read_bursts != bursts_asked, "bursts asked for and bursts read differ"},
	};

	for (unsigned i = 0; i < sizeof laws / sizeof laws[0]; i++)
		if (laws[i].broken)
			return laws[i].what;
	if (check_structures(ms, &llc, &dram, requests.flits_in, replies.flits_in))
		return check_structures(ms, &llc, &dram, requests.flits_in, replies.flits_in);
	if (check_links(ms))
		return check_links(ms);
	return ms->values ? values_violation(ms->values) : NULL;
}

static void dump_slice(const struct llc_slice *s, FILE *out)
{
	if (!s->pipeline.count && !s->reads_out && !s->to_dram->count && s->work == LLC_WORK_NONE)
		return;
	if (s->common->incoming)
		fprintf(out, "chip %u ", s->common->chip);
	fprintf(out,
		"llc mc %u slice %u: %u requests in the pipeline, %" PRIu64
		" fills awaited, %u requests wait for memory, "
		"replies %s, MSHRs %s%s\n",
		s->mc, s->slice, s->pipeline.count, s->reads_out, s->to_dram->count,
		s->replies_first == NO_TRANSACTION ? "none" : "waiting",
		s->free_mshr == NO_TRANSACTION ? "full" : "free", s->work == LLC_WORK_NONE ? "" : ", flushing");
}

/* The kinds of networks from `first` up to `end`. */
static void dump_networks(const struct memsys *ms, unsigned first, unsigned end, FILE *out)
{
	for (unsigned i = 0; i < ms->count; i++)
		for (unsigned kind = first; kind < end; kind++) {
			char name[64] = "";

			if (ms->count > 1)
				snprintf(name, sizeof name, "chip %u ", i);
			strcat(name, network_names[kind]);
			network_dump(network_of(&ms->chips[i], kind), name, out);
		}
}

static void dump_link(const struct link *l, FILE *out)
{
	static const char *const kinds[] = {"requests", "replies", "requests to memory", "lines from memory",
					    "notes of directories"};

	for (unsigned c = 0; c < LINK_CLASSES; c++)
		if (l->final[c].packets.count || l->through[c].packets.count)
			fprintf(out, "link chip %u to chip %u gate %u: %u %s on it or at its end, %u to go on\n",
				l->from, l->to, l->gate, l->final[c].packets.count, kinds[c],
				l->through[c].packets.count);
}

static void dump_directory(const struct chip *c, unsigned mc, FILE *out)
{
	const struct directory *d = &c->directories[mc];

	if (!directory_is_idle(d) || d->out_count)
		fprintf(out, "chip %u directory %u: %" PRIu64 " messages wait, %" PRIu64 " notes to be sent\n",
			c->number, mc, d->waiting_count, d->out_count);
}

void memsys_dump(const struct memsys *ms, FILE *out)
{
	static const char *const boundaries[] = {"none", "waiting for requests in flight", "flushing"};

	fprintf(out, "memory system: %" PRIu32 " requests inside, boundary: %s\n", ms->shared.pool.used,
		boundaries[ms->boundary]);
	dump_networks(ms, REQUESTS, REPLIES, out);
	for (unsigned i = 0; i < ms->nlinks; i++)
		dump_link(&ms->links[i], out);
	for (unsigned i = 0; i < ms->nslices; i++)
		dump_slice(slice_of(ms, i), out);
	for (unsigned i = 0; i < channel_count(ms); i++) {
		const struct dram_channel *c = channel_of(ms, i);

		if (!dram_channel_is_empty(c))
			fprintf(out,
				"dram channel %u: %u arriving, %u reads, %u writes%s, %u on the bus, %u to return\n", i,
				c->in.count, c->reads.count, c->writes.count, c->draining ? " (draining)" : "",
				c->on_bus.count, c->out.count);
	}
	for (unsigned i = 0; i < ms->count * ms->shared.config.noc.mc_routers && ms->chips[0].directories; i++)
		dump_directory(&ms->chips[i / ms->shared.config.noc.mc_routers], i % ms->shared.config.noc.mc_routers,
			       out);
	dump_networks(ms, REPLIES, NETWORKS, out);
}
