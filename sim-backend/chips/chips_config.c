/* The rows of section `chips`. */
#include "sim-backend/chips/chips_config.h"

#include "common/diag.h"

const struct knob chips_knobs[] = {
    KNOB_UINT(struct chips_config, count, "chips", 1, CHIPS_MAX, 1,
	      "chips of the GPU: 1, 2 or 4; sections noc, llc and dram describe one of them", "SAC section IV: 4"),
    KNOB_CHOICE(
	struct chips_config, topology, "ring|full", CHIPS_RING,
	"chips are joined with their neighbours in a ring, or each with each; two chips are neighbours either way",
	"SAC section IV: ring"),
    KNOB_UINT(struct chips_config, links, "links", 1, 8, 3, "links side by side between two neighbours",
	      "SAC section IV: 6 per chip, 3 to each neighbour"),
    KNOB_REAL(struct chips_config, link_gigabytes_per_second, "GB/s", 0.1, 10000, 64,
	      "bandwidth of a link in each direction",
	      "SAC Table 3: 64 GB/s each; both directions together, by section 5.6, so that GPU sac4 has 32"),
    KNOB_UINT(struct chips_config, hop_latency, "cycles", 1, 4096, 32, "from a packet's last byte to the next chip",
	      "MCM-GPU, ISCA 2017: 32 cycles per hop"),
    KNOB_UINT(struct chips_config, header_bytes, "bytes", 1, 64, 16, "of each packet on a link, beside its data",
	      KNOB_OPEN),
    KNOB_UINT(struct chips_config, link_queue, "packets", 1, 1024, 16,
	      "packets of a kind that may wait at the end of a link", KNOB_OPEN),
    KNOB_CHOICE(struct chips_config, pages, "first_touch|interleave", PAGES_FIRST_TOUCH,
		"the chip whose memory holds a page (map.page_bytes): that of the first SM to use it, or by its number",
		"SAC section IV: first touch"),
    KNOB_CHOICE(
	struct chips_config, coherence, "software|hardware", COHERENCE_SOFTWARE,
	"of LLCs that keep copies of other chips' lines: written back and invalidated at kernels' ends, or kept the "
	"same by a directory at each line's memory",
	"SAC section 5.6"),
    KNOB_CHOICE(
	struct chips_config, networks, "two|one", NETWORKS_TWO,
	"how slices reach other chips' memory: over a network of its own, or with their ports into the networks "
	"that SMs use",
	"SAC Figure 3: two for its SM-side LLC, one for SAC"),
    KNOB_UINT(struct chips_config, directory_entries, "entries", 0, 16777216, 0,
	      "of the directory of a chip's memory, with hardware coherence; 0: no limit",
	      "SAC does not say; HMG (HPCA 2020) has 12 K, of 4 lines each"),
    KNOB_UINT(struct chips_config, directory_ways, "ways", 1, 64, 16, "of that directory, if it has a limit",
	      KNOB_OPEN),
    KNOB_BOOL(struct chips_config, working_set, false,
	      "counts the lines of windows of 1,000 to 100,000 cycles and of the run by the chips that share them "
	      "(section working_set of the results); changes nothing else, and costs time",
	      "SAC Figure 11"),
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
