/* The rows of the section `l1`, and which of its values do not fit together. */
#include "sim-backend/l1/l1.h"

#include "common/diag.h"

/* "|lines" */
#define ORGANISATION(name, ops) "|" name
static const char organisations[] =
#include "sim-backend/l1/organisations.def"
    ;
#undef ORGANISATION

const struct knob l1_knobs[] = {
    KNOB_UINT(struct l1_config, size_bytes, "bytes", 128, 1 << 24, 49152, "capacity; lines are 128 B",
	      "SelRep Table I"),
    KNOB_UINT(struct l1_config, ways, "ways", 1, L1_MAX_WAYS, 6, "associativity", "SelRep Table I"),
    KNOB_CHOICE(struct l1_config, organisation, &organisations[1], 0, "what a tag stands for; lines: 128 B lines",
		"SelRep Table I"),
    KNOB_BOOL(struct l1_config, sectored, false, "a miss fetches the missing 32 B sectors of its line, not the line",
	      "SelRep Table I has plain lines; Pascal and Volta fetch sectors"),
    KNOB_CHOICE(struct l1_config, alloc, "miss|fill|stream", L1_ALLOC_FILL,
		"when a line gets its way; stream: at its fill; an MSHR for each fetch that fits, any number of merges",
		KNOB_OPEN),
    KNOB_UINT(struct l1_config, mshrs, "entries", 1, L1_MAX_MSHRS, 128,
	      "fetches that can be on their way; not for alloc=stream",
	      "GPGPU-Sim's early Pascal L1 of this size; not confirmed against the paper"),
    KNOB_UINT(struct l1_config, merges, "loads", 1, L1_MAX_MERGES, 32,
	      "loads that one MSHR can serve; not for alloc=stream",
	      "as many as needed: the streaming L1 of Pascal and Volta; not confirmed against the paper"),
    KNOB_UINT(struct l1_config, hit_latency, "cycles", 1, 1000, 28, "from the L1 access to the dependent instruction",
	      KNOB_OPEN),
    KNOB_UINT(struct l1_config, fill_latency, "cycles", 1, 1000, 4, "from the reply to the dependent instruction",
	      KNOB_OPEN),
    KNOB_CHOICE(struct l1_config, caches, "all|read_only|none", L1_ALL_LOADS, "global loads that the L1 keeps",
		"SelRep section III-E: Volta keeps all"),
    KNOB_CHOICE(struct l1_config, write_hit, "update|invalidate", L1_UPDATE,
		"what a store does to what is present of its sectors or line; the store goes on in both cases",
		KNOB_OPEN),
    KNOB_CHOICE(struct l1_config, index, "linear|xor|fermi", L1_INDEX_LINEAR,
		"set index: low line bits; XORed with the bits above; GTX 480's hash", KNOB_OPEN),
    KNOB_BOOL(struct l1_config, bound, false,
	      "whether the run counts the fetches that the best choices of lines would leave; changes no cycle",
	      "none: a bound, not hardware"),
    KNOB_BOOL(struct l1_config, reuse, false,
	      "whether the run counts how many loads find a line until it leaves; changes no cycle; for lines",
	      "G-Cache Fig. 2"),
    KNOB_END,
};

uint32_t l1_sets(const struct l1_config *config)
{
	return config->size_bytes / (config->ways << L1_LINE_SHIFT);
}

int l1_config_check(const struct l1_config *config, struct diag *d)
{
	uint32_t way_bytes = config->ways << L1_LINE_SHIFT, sets = l1_sets(config);

	if (config->size_bytes % way_bytes)
		return diag_file(d, NULL, "l1.size_bytes is %u; it must be a multiple of l1.ways x 128 B (%u)",
				 config->size_bytes, way_bytes);
	if (config->index == L1_INDEX_FERMI && sets != 32 && sets != 64)
		return diag_file(
		    d, NULL, "l1.index is fermi, which is for 32 or 64 sets; l1.size_bytes and l1.ways make %u", sets);
	return 0;
}
