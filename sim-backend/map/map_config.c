/* The rows of section `map`. */
#include "sim-backend/map/map_config.h"

#include "common/diag.h"
#include "common/integer.h"

const struct knob map_knobs[] = {
#define KNOB(...) KNOB_ROW(struct map_config, __VA_ARGS__)
#include "sim-backend/map/map_knobs.def"
    KNOB_END,
};

/* Address bits above the offset in a line that name controller, slice, channel, bank and column. */
static unsigned place_bits(const struct shape *m)
{
	unsigned channels = m->channels_per_mc, slices = m->slices_per_mc;
	unsigned columns = log2_floor(m->row_bytes / m->line_bytes), shared = 0;

	/* Slice bits below the channel's count as column bits. */
	if (slices > channels)
		shared = log2_floor(slices / channels);
	columns -= columns < shared ? columns : shared;
	return (unsigned)__builtin_ctz(m->mcs) + log2_floor(m->banks) + columns +
	       log2_floor(slices > channels ? slices : channels);
}

int map_config_check(const struct map_config *c, const struct shape *shape, struct diag *d)
{
	unsigned bits = log2_floor(shape->line_bytes) + place_bits(shape);

	if (bits > c->address_bits)
		return diag_file(d, NULL, "map.address_bits is %u; %u bits name line offset, slice, bank and column",
				 c->address_bits, bits);
	if (c->page_bytes < shape->line_bytes || log2_floor(c->page_bytes) + log2_floor(shape->mcs) > c->address_bits)
		return diag_file(d, NULL,
				 "map.page_bytes is %u; it must be at least llc.line_bytes = %u, and the bits above it "
				 "must name a controller within map.address_bits = %u",
				 c->page_bytes, shape->line_bytes, c->address_bits);
	return 0;
}
