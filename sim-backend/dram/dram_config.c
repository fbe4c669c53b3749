/* The rows of section `dram`. Timings are in memory clocks. */
#include "sim-backend/dram/dram_config.h"

#include "common/diag.h"

/* "|fr-fcfs|fcfs" */
#define SCHEDULER(name, ops) "|" name
static const char schedulers[] =
#include "sim-backend/dram/schedulers.def"
    ;
#undef SCHEDULER

#define TABLE1 "SelRep Table I"
#define TIMING(field, initial, help, source)                                                                           \
	KNOB_UINT(struct dram_config, field, "clocks", 0, 1000, initial, help, source)

const struct knob dram_knobs[] = {
#define KNOB(...) KNOB_ROW(struct dram_config, __VA_ARGS__)
#include "sim-backend/dram/dram_knobs.def"
    KNOB_END,
};

static int check_refresh(const struct dram_config *c, struct diag *d)
{
	const char *name = c->tRFCb ? "tRFCb" : "tRFC";
	uint32_t least = (c->tRFCb ? c->tRFCb : c->tRFC) + c->tRC + c->tRCD;

	if (c->refresh && least >= c->tREFI)
		return diag_file(d, NULL,
				 "dram.tREFI is %u; it must be above %u: %s + tRC + tRCD, or there is no time between "
				 "two refreshes to read a row",
				 c->tREFI, least, name);
	return 0;
}

int dram_config_check(const struct dram_config *c, const struct shape *shape, struct diag *d)
{
	if (c->row_bytes < shape->line_bytes)
		return diag_file(d, NULL, "dram.row_bytes is %u; a row must hold a line (llc.line_bytes = %u)",
				 c->row_bytes, shape->line_bytes);
	if (shape->line_bytes % c->burst_bytes)
		return diag_file(d, NULL, "dram.burst_bytes is %u; it must divide llc.line_bytes = %u", c->burst_bytes,
				 shape->line_bytes);
	if (c->banks % c->bank_groups)
		return diag_file(d, NULL, "dram.bank_groups is %u; it must divide dram.banks = %u", c->bank_groups,
				 c->banks);
	if (c->write_low >= c->write_high || c->write_high > c->write_queue)
		return diag_file(d, NULL,
				 "dram.write_high is %u; it must be above dram.write_low (%u), and dram.write_queue "
				 "(%u) at most",
				 c->write_high, c->write_low, c->write_queue);
	return check_refresh(c, d);
}

double dram_peak_gbs(const struct dram_config *c, unsigned channels)
{
	if (c->clock_mhz > 0)
		return c->clock_mhz * 1e-3 * c->burst_bytes / c->burst_clocks * channels;
	return c->gigabytes_per_second;
}
