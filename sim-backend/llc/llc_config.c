/* The rows of section `llc`. */
#include "sim-backend/llc/llc_config.h"

#include "common/diag.h"

#define TABLE1 "SelRep Table I"

const struct knob llc_knobs[] = {
    KNOB_UINT(struct llc_config, clock_mhz, "MHz", 0, 10000, 0,
	      "clock of the slices; 0 = gpu.clock_mhz, and no faster than that", "not confirmed against the paper"),
    KNOB_UINT(struct llc_config, slices_per_mc, "slices", 1, 64, 16, "slices behind each MC-router",
	      "SelRep section IV"),
    KNOB_UINT(struct llc_config, kilobytes, "KB", 1, 1 << 20, 4096, "capacity of all slices together", TABLE1),
    KNOB_UINT(struct llc_config, ways, "ways", 1, 64, 16, "associativity", TABLE1),
    KNOB_UINT(struct llc_config, line_bytes, "bytes", 32, 256, 128, "line size", TABLE1),
    KNOB_UINT(struct llc_config, latency, "cycles", 1, 1024, 120, "from a request's arrival to its look-up", TABLE1),
    KNOB_UINT(struct llc_config, port_bytes, "bytes", 4, 256, 32, "width of a slice's data port",
	      "SelRep sections IV and V-C: 2.9 TB/s"),
    KNOB_UINT(struct llc_config, input_queue, "requests", 1, 64, 8, "requests waiting in front of a slice", KNOB_OPEN),
    KNOB_UINT(struct llc_config, dram_queue, "requests", 2, 64, 8, "requests waiting from a slice to the channels",
	      KNOB_OPEN),
    KNOB_UINT(struct llc_config, fill_queue, "lines", 1, 64, 4,
	      "lines on their way from the channels to a slice; at least as many as keep its port busy", KNOB_OPEN),
    KNOB_UINT(struct llc_config, mshr_entries, "lines", 1, 1024, 32, "lines a slice may wait for", KNOB_OPEN),
    KNOB_UINT(struct llc_config, mshr_merges, "requests", 1, 1024, 8, "requests that may wait for one line", KNOB_OPEN),
    KNOB_CHOICE(struct llc_config, partial_write, "mask|fill", 0,
		"a write miss that covers a sector in part: keep a byte mask, or fetch the line first", KNOB_OPEN),
    KNOB_BOOL(struct llc_config, sectored, false, "a miss fetches the sectors of 32 B that it lacks, not the line",
	      "option of SAC section V"),
    KNOB_UINT(struct llc_config, atomic_cycles, "cycles", 1, 64, 2, "data port per port-wide piece of an atomic",
	      KNOB_OPEN),
    KNOB_UINT(struct llc_config, xbar_cycles, "cycles", 1, 64, 2, "crossbar between the slices and channels of an MC",
	      KNOB_OPEN),
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
