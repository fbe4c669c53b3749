/* The rows of section `llc`. */
#include "sim-backend/llc/llc_config.h"

#include "common/diag.h"

const struct knob llc_knobs[] = {
#define KNOB(...) KNOB_ROW(struct llc_config, __VA_ARGS__)
#include "sim-backend/llc/llc_knobs.def"
    KNOB_END,
};

int llc_config_check(const struct llc_config *c, const struct shape *shape, struct diag *d)
{
	uint32_t per_set = shape_slices(shape) * c->ways * c->line_bytes;

	if (c->clock_mhz > shape->core_mhz)
		return diag_file(d, NULL, "llc.clock_mhz is %u; it must not be above gpu.clock_mhz, which is %u",
				 c->clock_mhz, shape->core_mhz);
	if ((uint64_t)c->kilobytes * 1024 % per_set)
		return diag_file(d, NULL,
				 "llc.kilobytes is %u; it must be a multiple of %g: slices * ways * line_bytes",
				 c->kilobytes, per_set / 1024.0);
	return 0;
}
