/*
 * A topology is data: lists of routers, of links between them and of the endpoints at their ports, and a table that
 * says where each router sends a packet for each group. network.c makes a network from it and knows no shape.
 *
 * Sources and sinks come in groups (the SMs of a cluster, the slices of a memory controller). All sinks of a group are
 * at one router, at consecutive ports. A packet names the group that it goes to. When the packet has come to the
 * group's router, the network's user names the sink.
 *
 * A topology is one file here: a `struct topology_ops`, and one row in topologies.def.
 *
 *   struct topology t;
 *   topology_init(&t, &plan);
 *   r = topology_add_router(&t, stages, extra_cycles);           // ports are numbered as they are added
 *   port = topology_add_link(&t, r, other, &link);
 *   topology_add_sources(&t, group, r); topology_add_sinks(&t, group, r, &link);
 *   topology_set_hop(&t, r, group, port, vcs);                   // for groups that are elsewhere
 */
#ifndef ROMARK_SIM_TOPOLOGY_H
#define ROMARK_SIM_TOPOLOGY_H

#include "sim-backend/noc/noc_config.h"

#include "common/vec.h"

struct diag;

/* Time on a link is counted in parts of a cycle. */
enum { LINK_CYCLE = 256, LINK_MAX_INTERVAL = 16 * LINK_CYCLE };
enum { TOPOLOGY_ALL_VCS = 0xff };

struct topology_router {
	unsigned inputs, outputs; /* ports given away so far */
	unsigned stages, extra_cycles;
};

/* Properties of a link. */
struct topology_wire {
	unsigned cycles;   /* traversal */
	unsigned interval; /* from a flit to the next, in parts of LINK_CYCLE; at least one cycle */
	bool is_long;      /* its flits count as flits over long links */
};

struct topology_link {
	unsigned from, output, to, input;
	struct topology_wire wire;
};

/* A source is at an input, a sink at an output. */
struct topology_end {
	unsigned router, port;
	struct topology_wire wire; /* of a sink */
};

/* At a router, for the packets to a group. */
struct topology_hop {
	uint8_t port; /* output; of the group's first sink when it is here */
	uint8_t vcs;  /* mask of the VCs that a packet may take there */
	bool last;    /* the group is here */
};

/* Sources or sinks: `each` of them in every group. */
struct topology_side {
	unsigned groups, each;
};

/* The ends of a network, and its direction. */
struct topology_plan {
	struct topology_side sources, sinks;
	bool to_memory; /* from the SMs to the slices; else back */
	const struct noc_config *knobs;
};

struct topology {
	struct topology_plan plan;
	VEC(struct topology_router) routers;
	VEC(struct topology_link) links;
	VEC(struct topology_end) sources, sinks; /* by number: group * each + place in the group */
	VEC(struct topology_hop) hops;           /* [routers * plan.sinks.groups] */
	unsigned path_routers;                   /* routers on every way; 0 = ways differ */
	unsigned longest_link;                   /* in cycles */
	VEC(uint8_t)
	entry_vcs;    /* [routers * plan.sinks.groups] masks: VCs on which a packet may enter a router from a source */
	bool classes; /* some hop or entry leaves out a VC */
};

struct topology_ops {
	const char *name;
	/* Whether the shape is possible, beyond what topology_fits checks for all. NULL = always. 0, or DIAG_ERROR. */
	int (*check)(const struct noc_config *config, struct diag *d);
	void (*build)(struct topology *t);
};

/* In the order of noc.topology; ends with NULL. */
extern const struct topology_ops *const topology_table[];

void topology_init(struct topology *t, const struct topology_plan *plan);
void topology_release(struct topology *t);
/*
 * The plan of one of a chip's two networks. With several chips its sinks are followed, in each group, by places for the
 * links that leave the chip.
 */
struct topology_plan topology_plan_of(const struct noc_config *config, const struct shape *shape, bool to_memory);
/* The same sinks, with the links that arrive as sources; they are dealt out over the groups of that plan's sources. */
struct topology_plan topology_plan_from_links(const struct noc_config *config, const struct shape *shape,
					      bool to_memory);
/* As the plan's knobs say. */
void topology_build(struct topology *t, const struct topology_plan *plan);
/* Whether the router ports suffice. 0, or DIAG_ERROR. */
int topology_fits(const struct topology *t, const char *name, struct diag *d);

unsigned topology_add_router(struct topology *t, unsigned stages, unsigned extra_cycles);
/* Returns the output port of `from`. */
unsigned topology_add_link(struct topology *t, unsigned from, unsigned to, const struct topology_wire *wire);
/* All of group `group`. Groups must come in rising order. */
void topology_add_sources(struct topology *t, unsigned group, unsigned router);
void topology_add_sinks(struct topology *t, unsigned group, unsigned router, const struct topology_wire *wire);
void topology_set_hop(struct topology *t, unsigned router, unsigned group, unsigned port, unsigned vcs);
/*
 * Every packet keeps to one of the VCs that its hop allows. The packet's output at the next router decides which, so
 * that packets to different outputs do not wait for each other where there are enough VCs. If that output may be any of
 * several sinks, it is not known yet, and any VC is allowed. Call it when all parts are added.
 */
void topology_choose_vcs_by_output(struct topology *t, unsigned vcs);

/* A short link, between neighbours on a chip, and the machine's long link. */
static inline struct topology_wire topology_short_wire(void)
{
	return (struct topology_wire){0, LINK_CYCLE, false};
}

static inline struct topology_wire topology_long_wire(const struct noc_config *knobs)
{
	return (struct topology_wire){knobs->link_cycles, LINK_CYCLE, true};
}

static inline struct topology_hop *topology_hop_at(const struct topology *t, unsigned router, unsigned group)
{
	return &t->hops.data[router * t->plan.sinks.groups + group];
}

#endif
