/* For the deadlock watch: how much has moved in the memory system, and who waits for whom. */
#include "sim-backend/memory/memsys_parts.h"

#include <inttypes.h>
#include <string.h>

static const char *const network_names[] = {"request network", "network of incoming requests", "reply network",
					    "network of returning replies"};

uint64_t memsys_progress(const struct memsys *ms)
{
	uint64_t progress = ms->sent + ms->received.finished + ms->flush_cycles;

	if (ms->tlbs)
		progress += tlbs_statistics(ms->tlbs)->requests;
	for (unsigned kind = 0; kind < NETWORKS; kind++)
		progress += memsys_network_counts(ms, kind).router_flits;
	for (unsigned i = 0; i < ms->nlinks; i++)
		progress += ms->links[i].packets + ms->links[i].taken;
	for (unsigned i = 0; i < ms->nslices; i++) {
		const struct llc_slice *s = slice_at(ms, i);

		progress += s->stats.accesses + s->stats.replies + (uint64_t)s->work_at + s->notes_taken;
	}
	for (unsigned i = 0; i < controller_count(ms); i++)
		progress += controller_at(ms, i)->requests + controller_at(ms, i)->returns;
	for (unsigned i = 0; i < channel_count(ms); i++) {
		const struct dram_stats *s = &channel_at(ms, i)->stats;

		progress += s->reads + s->writes + s->activates + s->precharges;
	}
	return progress;
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
			char chip[32] = "", name[64];

			if (ms->count > 1)
				snprintf(chip, sizeof chip, "chip %u ", i);
			snprintf(name, sizeof name, "%s%s", chip, network_names[kind]);
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
	unsigned mcs = ms->shared.config.noc.mc_routers;

	fprintf(out, "memory system: %" PRIu32 " requests inside, boundary: %s\n", ms->shared.pool.used,
		boundaries[ms->boundary]);
	dump_networks(ms, REQUESTS, REPLIES, out);
	for (unsigned i = 0; i < ms->nlinks; i++)
		dump_link(&ms->links[i], out);
	for (unsigned i = 0; i < ms->nslices; i++)
		dump_slice(slice_at(ms, i), out);
	for (unsigned i = 0; i < channel_count(ms); i++) {
		const struct dram_channel *c = channel_at(ms, i);

		if (!dram_channel_is_empty(c))
			fprintf(out,
				"dram channel %u: %u arriving, %u reads, %u writes%s, %u on the bus, %u to return\n", i,
				c->in.count, c->reads.count, c->writes.count, c->draining ? " (draining)" : "",
				c->on_bus.count, c->out.count);
	}
	for (unsigned i = 0; i < controller_count(ms) && ms->chips[0].directories; i++)
		dump_directory(&ms->chips[i / mcs], i % mcs, out);
	dump_networks(ms, REPLIES, NETWORKS, out);
}
