/*
 * The ring: stops in a circle with a link to either neighbour, the shortest way round. Halfway round, every other
 * router and group goes the other way.
 *
 * In each direction the links would wait for each other in a circle. So there are two classes of VCs. The dateline is
 * between the last stop and the first. A packet that still has to cross it uses the upper VCs; all other packets use
 * the lower VCs. No packet crosses the dateline on a lower VC, so no circle closes.
 */
#include "sim-backend/noc/topology.h"

#include "common/diag.h"

/* Below four stops every way is one link long: there is no circle. */
enum { FEWEST_WITH_CLASSES = 4 };

static unsigned interval_of(const struct noc_config *knobs)
{
	if (!knobs->ring_bytes)
		return LINK_CYCLE;
	return knobs->channel_bytes * LINK_CYCLE / knobs->ring_bytes;
}

static int check(const struct noc_config *c, struct diag *d)
{
	unsigned interval = interval_of(c);

	if (c->ring_stops >= FEWEST_WITH_CLASSES && c->vcs < 2)
		return diag_file(d, NULL,
				 "noc.vcs is %u; a ring of %u stops (noc.ring_stops) needs 2 or it may deadlock",
				 c->vcs, c->ring_stops);
	if (interval < LINK_CYCLE || interval > LINK_MAX_INTERVAL)
		return diag_file(d, NULL,
				 "noc.ring_bytes is %u; a link passes from a sixteenth of noc.channel_bytes = %u to "
				 "all of it in a cycle",
				 c->ring_bytes, c->channel_bytes);
	if (interval > LINK_CYCLE && c->switching == NOC_PACKET)
		return diag_file(d, NULL,
				 "noc.ring_bytes = %u is below noc.channel_bytes = %u; links slower than the routers "
				 "need noc.switching=flit",
				 c->ring_bytes, c->channel_bytes);
	return 0;
}

static unsigned stop_of(const struct topology *t, unsigned group, unsigned groups)
{
	return group * t->plan.knobs->ring_stops / groups;
}

/* Place of a group among the groups of its stop. */
static unsigned place_at_stop(const struct topology *t, unsigned group)
{
	unsigned groups = t->plan.sinks.groups, first = group;

	while (first && stop_of(t, first - 1, groups) == stop_of(t, group, groups))
		first--;
	return group - first;
}

static bool goes_up(unsigned from, unsigned to, unsigned stops, unsigned tie)
{
	unsigned up = (to + stops - from) % stops;

	return 2 * up == stops ? (from + tie) % 2 == 0 : 2 * up < stops;
}

static void set_way(struct topology *t, unsigned stop, unsigned group, const unsigned *ports)
{
	const struct noc_config *knobs = t->plan.knobs;
	unsigned to = stop_of(t, group, t->plan.sinks.groups), low = (1u << (knobs->vcs + 1) / 2) - 1;
	bool up = goes_up(stop, to, knobs->ring_stops, place_at_stop(t, group));
	bool crosses = up ? to < stop : to > stop;
	unsigned vcs = crosses ? ((1u << knobs->vcs) - 1) & ~low : low;

	if (knobs->ring_stops < FEWEST_WITH_CLASSES)
		vcs = TOPOLOGY_ALL_VCS;
	topology_set_hop(t, stop, group, ports[!up], vcs);
}

static void build(struct topology *t)
{
	const struct noc_config *knobs = t->plan.knobs;
	struct topology_wire here = topology_short_wire(), wire = {knobs->link_cycles, interval_of(knobs), true};
	unsigned stops = knobs->ring_stops, extra = t->plan.to_memory ? knobs->mc_router_delay : 0;
	unsigned(*ports)[2] = xcalloc(stops, sizeof *ports);

	for (unsigned i = 0; i < stops; i++)
		topology_add_router(t, knobs->router_stages, extra);
	for (unsigned i = 0; i < stops; i++) {
		ports[i][0] = topology_add_link(t, i, (i + 1) % stops, &wire);
		ports[i][1] = topology_add_link(t, i, (i + stops - 1) % stops, &wire);
	}
	for (unsigned g = 0; g < t->plan.sources.groups; g++)
		topology_add_sources(t, g, stop_of(t, g, t->plan.sources.groups));
	for (unsigned g = 0; g < t->plan.sinks.groups; g++)
		topology_add_sinks(t, g, stop_of(t, g, t->plan.sinks.groups), &here);
	for (unsigned i = 0; i < stops; i++)
		for (unsigned g = 0; g < t->plan.sinks.groups; g++)
			if (stop_of(t, g, t->plan.sinks.groups) != i)
				set_way(t, i, g, ports[i]);
	xfree(ports);
}

const struct topology_ops topology_ring = {
    .name = "ring",
    .check = check,
    .build = build,
};
