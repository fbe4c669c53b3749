/* Whether the sections of a memory system fit together: what concerns several rooms, then each room's own check. */
#include "sim-backend/memory/memsys_config.h"

#include "common/diag.h"
#include "common/integer.h"

static int check_powers(const struct memsys_config *c, struct diag *d)
{
	const struct {
		const char *name;
		uint32_t value;
	} powers[] = {{"llc.slices_per_mc", c->llc.slices_per_mc},
		      {"llc.line_bytes", c->llc.line_bytes},
		      {"dram.channels_per_mc", c->dram.channels_per_mc},
		      {"dram.banks", c->dram.banks},
		      {"dram.row_bytes", c->dram.row_bytes},
		      {"map.page_bytes", c->map.page_bytes},
		      {"chips.count", c->chips.count}};

	for (unsigned i = 0; i < sizeof powers / sizeof powers[0]; i++)
		if (!is_power_of_two(powers[i].value))
			return diag_file(d, NULL, "%s is %u; addresses are split by bits, so it must be a power of two",
					 powers[i].name, powers[i].value);
	return 0;
}

static int check_spread(const struct memsys_config *c, struct diag *d)
{
	uint32_t sms = c->sms / c->chips.count, routers = c->noc.sm_routers;

	if (c->sms % c->chips.count || !sms || sms % routers || sms / routers > 64)
		return diag_file(
		    d, NULL,
		    "gpu.sms is %u; so many cannot be spread evenly over %u SM-routers (noc.sm_routers%s), "
		    "1 to 64 each",
		    c->sms, c->chips.count * routers, c->chips.count > 1 ? " times chips.count" : "");
	return 0;
}

/* Every message begins with the key that it is about. */
int memsys_config_check(const struct memsys_config *c, struct diag *d)
{
	struct shape shape;

	if (check_powers(c, d) < 0 || check_spread(c, d) < 0)
		return DIAG_ERROR;
	shape = memsys_shape(c);
	if (chips_config_check(&c->chips, &shape, d) < 0 || llc_config_check(&c->llc, &shape, d) < 0 ||
	    dram_config_check(&c->dram, &shape, d) < 0 || map_config_check(&c->map, &shape, d) < 0 ||
	    tlb_config_check(&c->tlb, d) < 0)
		return DIAG_ERROR;
	return noc_config_check(&c->noc, &shape, d);
}
