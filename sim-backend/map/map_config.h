/*
 * Parameters of the address map: section map of a GPU configuration. Units, ranges, defaults and sources are in
 * map_knobs.def.
 */
#ifndef ROMARK_SIM_MAP_CONFIG_H
#define ROMARK_SIM_MAP_CONFIG_H

#include "sim-backend/base/shape.h"
#include "sim-backend/knobs/knob.h"

enum map_scheme { MAP_LINEAR, MAP_PERMUTATION, MAP_PAE, MAP_FAE, MAP_ALL, MAP_IPOLY, MAP_PAGE };

struct map_config {
#define KNOB KNOB_FIELD
#include "sim-backend/map/map_knobs.def"
};

extern const struct knob map_knobs[];

struct diag;

/* Whether addresses have bits enough for the machine's parts and for a page's owner. 0, or DIAG_ERROR. */
int map_config_check(const struct map_config *config, const struct shape *shape, struct diag *d);

#endif
