/*
 * The two-dimensional mesh: a router per node, links to up to four neighbours, x before y. A packet never turns from y
 * to x, so links cannot wait for each other in a circle.
 */
#include "sim-backend/noc/topology.h"

#include "common/diag.h"

enum { TO_WEST, TO_EAST, TO_NORTH, TO_SOUTH, DIRECTIONS };

struct mesh {
	unsigned columns, rows;
	unsigned *node_of[2]; /* of the groups of sources, of sinks */
	unsigned (*ports)[DIRECTIONS];
};

/* --- Places of the memory controllers --- */

/*
 * The place of the i-th of `count` parts in a row of `places`, as far apart as possible: 2 parts among 8 places get
 * places 2 and 6.
 */
static unsigned spread(unsigned i, unsigned count, unsigned places)
{
	return (2 * i + 1) * places / (2 * count);
}

static unsigned memory_node(const struct noc_config *knobs, unsigned i)
{
	unsigned columns = knobs->mesh_columns, memories = knobs->mc_routers;
	bool below = i & 1;

	if (knobs->mesh_memory == NOC_MESH_SPREAD)
		return spread(i, memories, columns * knobs->mesh_rows);
	return spread(i / 2, (memories + !below) / 2, columns) + (below ? (knobs->mesh_rows - 1) * columns : 0);
}

/* Places the memory controllers first, then the SM-routers over the free nodes in order. */
static void place_groups(const struct noc_config *knobs, unsigned *memories, unsigned *clusters)
{
	unsigned nodes = knobs->mesh_columns * knobs->mesh_rows, node = 0;
	bool *taken = xcalloc(nodes, sizeof *taken);

	for (unsigned i = 0; i < knobs->mc_routers; i++)
		taken[memories[i] = memory_node(knobs, i)] = true;
	for (unsigned i = 0; i < knobs->sm_routers; i++, node++) {
		while (taken[node])
			node++;
		clusters[i] = node;
	}
	xfree(taken);
}

static int check(const struct noc_config *c, struct diag *d)
{
	if (c->mesh_columns * c->mesh_rows < c->sm_routers + c->mc_routers)
		return diag_file(d, NULL,
				 "a mesh of %u x %u nodes (noc.mesh_columns, noc.mesh_rows) is too small for "
				 "noc.sm_routers + noc.mc_routers = %u; give it at least as many nodes",
				 c->mesh_columns, c->mesh_rows, c->sm_routers + c->mc_routers);
	if (c->mesh_memory == NOC_MESH_EDGES && (c->mesh_rows < 2 || (c->mc_routers + 1) / 2 > c->mesh_columns))
		return diag_file(d, NULL,
				 "noc.mesh_memory=edges needs two rows with room for noc.mc_routers = %u; "
				 "the mesh is %u x %u: widen it or take spread",
				 c->mc_routers, c->mesh_columns, c->mesh_rows);
	return 0;
}

/* --- Links and ways --- */

static void add_links(struct topology *t, struct mesh *m)
{
	static const int dx[DIRECTIONS] = {-1, 1, 0, 0}, dy[DIRECTIONS] = {0, 0, -1, 1};
	struct topology_wire wire = topology_long_wire(t->plan.knobs);

	for (unsigned node = 0; node < m->columns * m->rows; node++)
		for (unsigned way = 0; way < DIRECTIONS; way++) {
			unsigned x = node % m->columns + (unsigned)dx[way], y = node / m->columns + (unsigned)dy[way];

			if (x < m->columns && y < m->rows)
				m->ports[node][way] = topology_add_link(t, node, y * m->columns + x, &wire);
		}
}

static unsigned way_to(const struct mesh *m, unsigned from, unsigned to)
{
	unsigned x = from % m->columns, wanted = to % m->columns;

	if (x != wanted)
		return wanted < x ? TO_WEST : TO_EAST;
	return to < from ? TO_NORTH : TO_SOUTH;
}

static void set_ways(struct topology *t, const struct mesh *m)
{
	for (unsigned node = 0; node < m->columns * m->rows; node++)
		for (unsigned g = 0; g < t->plan.sinks.groups; g++) {
			unsigned to = m->node_of[1][g];

			if (to != node)
				topology_set_hop(t, node, g, m->ports[node][way_to(m, node, to)], TOPOLOGY_ALL_VCS);
		}
}

static void add_endpoints(struct topology *t, const struct mesh *m)
{
	struct topology_wire here = topology_short_wire();

	for (unsigned g = 0; g < t->plan.sources.groups; g++)
		topology_add_sources(t, g, m->node_of[0][g]);
	for (unsigned g = 0; g < t->plan.sinks.groups; g++)
		topology_add_sinks(t, g, m->node_of[1][g], &here);
}

static void build(struct topology *t)
{
	const struct noc_config *knobs = t->plan.knobs;
	bool to_memory = t->plan.to_memory;
	unsigned nodes = knobs->mesh_columns * knobs->mesh_rows;
	struct mesh m = {.columns = knobs->mesh_columns, .rows = knobs->mesh_rows};

	m.node_of[0] = xcalloc(t->plan.sources.groups, sizeof *m.node_of[0]);
	m.node_of[1] = xcalloc(t->plan.sinks.groups, sizeof *m.node_of[1]);
	m.ports = xcalloc(nodes, sizeof *m.ports);
	place_groups(knobs, m.node_of[to_memory], m.node_of[!to_memory]);
	for (unsigned i = 0; i < nodes; i++)
		topology_add_router(t, knobs->router_stages, 0);
	for (unsigned i = 0; to_memory && i < knobs->mc_routers; i++)
		t->routers.data[m.node_of[1][i]].extra_cycles = knobs->mc_router_delay;
	add_links(t, &m);
	add_endpoints(t, &m);
	set_ways(t, &m);
	xfree(m.node_of[0]);
	xfree(m.node_of[1]);
	xfree(m.ports);
}

const struct topology_ops topology_mesh = {
    .name = "mesh",
    .check = check,
    .build = build,
};
