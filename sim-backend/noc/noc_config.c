/* The rows of section `noc`. */
#include "sim-backend/noc/noc_config.h"

/* "|hierarchical|.." */
#define TOPOLOGY(name, ops) "|" name
static const char topologies[] =
#include "sim-backend/noc/topologies.def"
    ;
#undef TOPOLOGY

const struct knob noc_knobs[] = {
#define KNOB(...) KNOB_ROW(struct noc_config, __VA_ARGS__)
#include "sim-backend/noc/noc_knobs.def"
    KNOB_END,
};
