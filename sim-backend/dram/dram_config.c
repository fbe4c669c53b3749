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
    KNOB_UINT(struct dram_config, channels_per_mc, "channels", 1, 64, 8, "channels behind each memory controller",
	      TABLE1),
    KNOB_REAL(struct dram_config, gigabytes_per_second, "GB/s", 1, 100000, 600,
	      "peak of all channels together; sets the memory clock where dram.clock_mhz is 0", TABLE1),
    KNOB_REAL(struct dram_config, clock_mhz, "MHz", 0, 10000, 0,
	      "memory clock, which all timings count in; 0 = what gigabytes_per_second asks for",
	      "of the memory's type"),
    KNOB_UINT(struct dram_config, burst_bytes, "bytes", 8, 256, 32, "one burst: 128 bits, two transfers per clock",
	      "our reading of 600 GB/s and tCCD = 1"),
    KNOB_UINT(struct dram_config, burst_clocks, "clocks", 1, 64, 1, "data bus clocks of one burst",
	      "our reading of 600 GB/s and tCCD = 1"),
    KNOB_UINT(struct dram_config, banks, "banks", 1, 64, 16, "banks per channel", TABLE1),
    KNOB_UINT(struct dram_config, bank_groups, "groups", 1, 64, 4, "bank groups per channel", KNOB_OPEN),
    KNOB_UINT(struct dram_config, row_bytes, "bytes", 256, 65536, 2048, "row buffer of a bank", KNOB_OPEN),
    KNOB_CHOICE(struct dram_config, scheduler, &schedulers[1], 0, "which of the transactions that wait go next",
		"SelRep Table I: FR-FCFS"),
    KNOB_UINT(struct dram_config, read_queue, "requests", 1, 64, 32, "reads the FR-FCFS scheduler chooses from",
	      KNOB_OPEN),
    KNOB_UINT(struct dram_config, write_queue, "requests", 1, 64, 32, "writes held back", KNOB_OPEN),
    KNOB_UINT(struct dram_config, write_high, "requests", 1, 64, 24, "writes drain when so many wait", KNOB_OPEN),
    KNOB_UINT(struct dram_config, write_low, "requests", 0, 63, 8, "until so many are left", KNOB_OPEN),
    KNOB_UINT(struct dram_config, return_queue, "requests", 1, 64, 8,
	      "reads on the bus or waiting to return; at least as many as keep the bus busy", KNOB_OPEN),
    KNOB_UINT(struct dram_config, age_cap, "clocks", 0, 1000000, 0,
	      "fr-fcfs: a miss that has waited longer goes before hits of its bank; 0 = no limit", KNOB_OPEN),
    KNOB_CHOICE(struct dram_config, page_policy, "open|closed", 0, "whether a row stays open when nobody asks for it",
		TABLE1),
    TIMING(tRC, 24, "activate to activate, one bank", TABLE1),
    TIMING(tRCD, 7, "activate to column command", TABLE1),
    TIMING(tRP, 7, "precharge to activate", TABLE1),
    TIMING(tCL, 7, "read command to data", TABLE1),
    TIMING(tWL, 2, "write command to data", TABLE1),
    TIMING(tRAS, 17, "activate to precharge", TABLE1),
    TIMING(tRRDl, 5, "activate to activate, same bank group", TABLE1),
    TIMING(tRRDs, 4, "activate to activate, other bank group", TABLE1),
    TIMING(tFAW, 20, "window of at most four activates", TABLE1),
    TIMING(tRTP, 7, "read command to precharge", TABLE1),
    TIMING(tCCDl, 1, "column command to column command, same bank group", TABLE1),
    TIMING(tCCDs, 1, "column command to column command, other bank group", TABLE1),
    TIMING(tWTR, 4, "last write data to read command", KNOB_OPEN),
    TIMING(tRTW, 8, "last read command to write command", "tCL + 1 burst + 2 - tWL; " KNOB_OPEN),
    TIMING(tWR, 8, "last write data to precharge", KNOB_OPEN),
    KNOB_BOOL(struct dram_config, refresh, false, "refresh all banks of a channel every tREFI", KNOB_OPEN),
    KNOB_UINT(struct dram_config, tREFI, "clocks", 100, 1000000, 2285, "between refreshes (3.9 us)", KNOB_OPEN),
    TIMING(tRFC, 152, "a refresh (260 ns)", KNOB_OPEN),
    KNOB_END,
};

static int check_refresh(const struct dram_config *c, struct diag *d)
{
	if (c->refresh && c->tRFC + c->tRC + c->tRCD >= c->tREFI)
		return diag_file(
		    d, NULL,
		    "dram.tREFI is %u; it must be above %u: tRFC + tRC + tRCD, or there is no time between two "
		    "refreshes to read a row",
		    c->tREFI, c->tRFC + c->tRC + c->tRCD);
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
