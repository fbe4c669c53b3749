/*
 * Parameters of several chips and of the links between them: section chips of a GPU configuration. Units, ranges,
 * defaults and sources are in chips_knobs.def.
 */
#ifndef ROMARK_SIM_CHIPS_CONFIG_H
#define ROMARK_SIM_CHIPS_CONFIG_H

#include "sim-backend/base/shape.h"
#include "sim-backend/knobs/knob.h"

enum chips_topology { CHIPS_RING, CHIPS_FULL };
enum chips_pages { PAGES_FIRST_TOUCH, PAGES_INTERLEAVE, PAGES_HASH };

enum chips_coherence { COHERENCE_SOFTWARE, COHERENCE_HARDWARE };
enum chips_networks { NETWORKS_TWO, NETWORKS_ONE };

struct chips_config {
#define KNOB KNOB_FIELD
#include "sim-backend/chips/chips_knobs.def"
};

extern const struct knob chips_knobs[];

/* Chips that one chip has links to. */
static inline unsigned chips_neighbours(const struct chips_config *c)
{
	return c->topology == CHIPS_RING && c->count > 2 ? 2 : c->count - 1;
}

/* Links that leave a chip. */
static inline unsigned chips_gates(const struct chips_config *c)
{
	return chips_neighbours(c) * c->links;
}

struct diag;

/* Whether routers and controllers have ports for the links, and directories whole sets. 0, or DIAG_ERROR. */
int chips_config_check(const struct chips_config *config, const struct shape *shape, struct diag *d);

#endif
