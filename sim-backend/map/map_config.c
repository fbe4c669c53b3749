/* The rows of section `map`. */
#include "sim-backend/memory/memsys_config.h"

const struct knob map_knobs[] = {
    KNOB_CHOICE(struct map_config, scheme, "linear|permutation|pae|fae|all|ipoly|page", MAP_PAE,
		"how address bits become memory controller, slice, channel, bank and row", "SelRep section IV: PAE"),
    KNOB_UINT(struct map_config, seed, "", 0, 1000000, 1, "first draw of the random schemes", "frozen here"),
    KNOB_UINT(struct map_config, address_bits, "bits", 20, 48, 30,
	      "address bits that take part; higher ones only extend the row", "SelRep section III-D"),
    KNOB_UINT(struct map_config, page_bytes, "bytes", 512, 1 << 21, 4096,
	      "what lies in one chip's memory before the next may follow; with scheme page, in one controller",
	      "SAC section IV: 4 KB pages"),
    KNOB_END,
};
