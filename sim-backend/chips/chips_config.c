/* The rows of section `chips`. */
#include "sim-backend/chips/chips_config.h"

#include "common/diag.h"

const struct knob chips_knobs[] = {
#define KNOB(...) KNOB_ROW(struct chips_config, __VA_ARGS__)
#include "sim-backend/chips/chips_knobs.def"
    KNOB_END,
};

int chips_config_check(const struct chips_config *c, const struct shape *shape, struct diag *d)
{
	if (shape->gates + shape->slices_per_mc > 64 ||
	    shape_gate_places(shape, shape->sm_routers) + shape->sms / shape->sm_routers > 64)
		return diag_file(
		    d, NULL,
		    "chips.links is %u; a router or a controller has 64 ports at most, for the SMs or slices behind it and "
		    "the %u links that leave a chip",
		    c->links, shape->gates);
	if (c->directory_entries % (shape->mcs * c->directory_ways))
		return diag_file(d, NULL,
				 "chips.directory_entries is %u; it must be a multiple of %u: noc.mc_routers * "
				 "chips.directory_ways; or 0 for no limit",
				 c->directory_entries, shape->mcs * c->directory_ways);
	return 0;
}
