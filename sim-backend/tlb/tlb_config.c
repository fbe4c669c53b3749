/* The rows of section `tlb`. */
#include "sim-backend/tlb/tlb_config.h"

#include "common/diag.h"
#include "common/integer.h"

const struct knob tlb_knobs[] = {
#define KNOB(...) KNOB_ROW(struct tlb_config, __VA_ARGS__)
#include "sim-backend/tlb/tlb_knobs.def"
    KNOB_END,
};

int tlb_config_check(const struct tlb_config *c, struct diag *d)
{
	if (!is_power_of_two(c->page_kilobytes))
		return diag_file(d, NULL, "tlb.page_kilobytes is %u; it must be a power of two", c->page_kilobytes);
	if (c->shared_entries % c->shared_ways)
		return diag_file(d, NULL, "tlb.shared_entries is %u; it must be a multiple of tlb.shared_ways = %u",
				 c->shared_entries, c->shared_ways);
	return 0;
}
