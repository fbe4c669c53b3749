/* Conservation in the memory system: all that went in came out, and counters of the same events in two places agree. */
#include "sim-backend/memory/memsys_parts.h"

#include "sim-backend/knobs/stat.h"
#include "sim-backend/memory/versions.h"

static uint64_t cycles_of_stages(const struct memsys *ms)
{
	struct stage_stats s = memsys_stage_totals(ms);

	return s.injection_cycles + s.request_network_cycles + s.slice_queue_cycles + s.pipeline_cycles +
	       s.memory_cycles + s.reply_queue_cycles + s.reply_network_cycles;
}

static uint64_t responses_in_all(const struct memsys *ms)
{
	struct response_stats r = memsys_response_totals(ms);

	return r.local_llc + r.remote_llc + r.local_memory + r.remote_memory;
}

/* Everything that directories have wanted and slices have answered has arrived. */
static bool notes_conserve(const struct memsys *ms)
{
	struct coherence_stats sum = memsys_coherence_totals(ms);
	uint64_t taken = 0;

	for (unsigned i = 0; i < ms->nslices; i++)
		taken += slice_at(ms, i)->notes_taken;
	return taken == sum.invalidations + sum.recalls + sum.downgrades && sum.answers == sum.recalls + sum.downgrades;
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

/* The parts' counters, over all chips. */
struct totals {
	struct network_counts sent, incoming, returning; /* of these networks */
	struct network_counts requests, replies;         /* of those that take requests, and replies, in all */
	struct link_stats links;
	struct llc_stats llc;
	struct dram_stats dram;
	uint64_t passed, returned; /* by the memory controllers: requests, and what came of reads */
	uint64_t bursts_asked;
	uint64_t memory_reads; /* that slices have asked of memory */
};

static void add_slices_and_memory(const struct memsys *ms, struct totals *t)
{
	for (unsigned i = 0; i < ms->nslices; i++) {
		stats_add(llc_stat_rows, &t->llc, &slice_at(ms, i)->stats);
		t->bursts_asked += slice_at(ms, i)->bursts_asked;
	}
	for (unsigned i = 0; i < channel_count(ms); i++)
		stats_add(dram_stat_rows, &t->dram, &channel_at(ms, i)->stats);
	for (unsigned i = 0; i < controller_count(ms); i++) {
		t->passed += controller_at(ms, i)->requests;
		t->returned += controller_at(ms, i)->returns;
	}
}

static struct totals totals_of(const struct memsys *ms)
{
	struct totals t = {.sent = memsys_network_counts(ms, REQUESTS),
			   .incoming = memsys_network_counts(ms, INCOMING),
			   .returning = memsys_network_counts(ms, RETURNING),
			   .replies = memsys_network_counts(ms, REPLIES),
			   .links = memsys_link_totals(ms)};

	t.requests = t.sent;
	memsys_add_network_counts(&t.requests, &t.incoming);
	memsys_add_network_counts(&t.replies, &t.returning);
	add_slices_and_memory(ms, &t);
	t.memory_reads = t.llc.fills - t.links.slice_fetches + t.links.slice_fetch_passes;
	return t;
}

static const char *check_laws(const struct memsys *ms, const struct totals *t)
{
	const struct llc_stats *llc = &t->llc;
	const struct dram_stats *dram = &t->dram;
	const struct link_stats *links = &t->links;
	uint64_t silent = ms->sent - ms->received.finished;

	const struct {
		bool broken;
		const char *what;
	} laws[] = {
	    {ms->shared.pool.used != 0, "requests have neither been answered nor ended"},
	    {cycles_of_stages(ms) != ms->received.round_trip_cycles, "the stages of round trips do not add up to them"},
	    {t->sent.packets != ms->sent, "not every request sent by an SM has entered the request network"},
	    {t->requests.flits_in != t->requests.flits_out, "flits are lost or doubled in the request network"},
	    {t->replies.flits_in != t->replies.flits_out, "flits are lost or doubled in the reply network"},
	    {!have_passed_their_routers(ms, REQUESTS) || !have_passed_their_routers(ms, INCOMING),
	     "a request flit did not pass the routers on its way"},
	    {!have_passed_their_routers(ms, REPLIES) || !have_passed_their_routers(ms, RETURNING),
	     "a reply flit did not pass the routers on its way"},
	    {t->incoming.packets != links->remote_requests,
	     "requests to another chip and requests that came to one differ"},
	    {t->returning.packets > t->incoming.packets, "more replies than requests have come from other chips"},
	    {llc->accesses != ms->sent, "not every request was looked up in a slice once"},
	    {llc->accesses != llc->array_hits + llc->merges + llc->misses,
	     "look-ups do not add up to hits, merges and misses"},
	    {llc->replies != ms->received.finished, "replies sent by the slices and received by the SMs differ"},
	    {ms->count > 1 && responses_in_all(ms) != llc->replies, "the origins of responses do not add up to them"},
	    {!notes_conserve(ms), "orders of directories to slices differ from what slices did and answered"},
	    {llc->replies + silent != llc->accesses, "requests that want no reply do not make up the rest"},
	    {links->slice_fetches != links->slice_fetch_hits + links->slice_fetch_waits + links->slice_fetch_passes,
	     "some requests of slices to slices of other chips were not answered"},
	    {t->passed != t->memory_reads + llc->write_backs + llc->write_throughs,
	     "requests from slices to memory differ"},
	    {t->passed != dram->reads + dram->writes, "requests to memory and column commands differ"},
	    {t->returned != dram->reads || dram->reads != t->memory_reads,
	     "reads of memory and fills of slices differ"},
	    {dram->read_bursts != t->bursts_asked, "bursts asked for and bursts read differ"},
	};

	for (unsigned i = 0; i < sizeof laws / sizeof laws[0]; i++)
		if (laws[i].broken)
			return laws[i].what;
	return NULL;
}

static struct structure_memory sum_of_structures(const struct memsys *ms)
{
	struct structure_memory sum = {0};

	for (const struct structure_memory *s = ms->stats.structures; s < ms->stats.structures + ms->stats.nstructures;
	     s++) {
#define STRUCTURE_MEMORY(field, name, unit, help) sum.field += s->field;
#include "sim-backend/memory/structure_memory.def"
#undef STRUCTURE_MEMORY
	}
	return sum;
}

/* The structures' counters add up to the machine's. */
static const char *check_structures(const struct memsys *ms, const struct totals *t)
{
	const struct llc_stats *llc = &t->llc;
	const struct dram_stats *dram = &t->dram;
	struct structure_memory sum = sum_of_structures(ms);

	if (sum.accesses != llc->accesses || sum.hits != llc->array_hits + llc->merges || sum.merges != llc->merges)
		return "LLC look-ups charged to structures are not all look-ups";
	if (sum.array_reads != llc->array_reads || sum.sectors_read != llc->sectors_read ||
	    sum.array_writes != llc->array_writes || sum.sectors_written != llc->sectors_written)
		return "LLC accesses charged to structures are not all accesses";
	if (sum.request_flits != t->requests.flits_in || sum.reply_flits != t->replies.flits_in)
		return "flits charged to structures are not all flits";
	if (sum.memory_reads != dram->reads || sum.memory_writes != dram->writes ||
	    sum.read_bursts != dram->read_bursts || sum.write_bursts != dram->write_bursts ||
	    sum.activates != dram->activates)
		return "commands to memory charged to structures are not all commands";
	return NULL;
}

const char *memsys_old_value(const struct memsys *ms)
{
	return ms->versions ? versions_violation(ms->versions) : NULL;
}

const char *memsys_check(const struct memsys *ms)
{
	struct totals totals = totals_of(ms);
	const char *broken = check_laws(ms, &totals);

	if (!broken)
		broken = check_structures(ms, &totals);
	if (!broken)
		broken = check_links(ms);
	return broken ? broken : memsys_old_value(ms);
}
