/*
 * Parameters of the networks: section noc of a GPU configuration. They describe one chip. Units, ranges, defaults and
 * sources are in noc_knobs.def.
 */
#ifndef ROMARK_SIM_NOC_CONFIG_H
#define ROMARK_SIM_NOC_CONFIG_H

#include "sim-backend/base/shape.h"
#include "sim-backend/knobs/knob.h"

enum noc_switching { NOC_PACKET, NOC_FLIT };
enum noc_vc_choice { NOC_VC_ANY, NOC_VC_OUTPUT };
enum noc_arbiter { NOC_ARBITER_VC, NOC_ARBITER_INPUT };
enum noc_mesh_memory { NOC_MESH_SPREAD, NOC_MESH_EDGES };

struct noc_config {
#define KNOB KNOB_FIELD
#include "sim-backend/noc/noc_knobs.def"
};

extern const struct knob noc_knobs[];

struct diag;

/* Whether the networks can be built: whether the topology is possible, and its routers' ports suffice. 0, or
 * DIAG_ERROR. */
int noc_config_check(const struct noc_config *config, const struct shape *shape, struct diag *d);

#endif
