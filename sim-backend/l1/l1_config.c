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
#define KNOB(...) KNOB_ROW(struct l1_config, __VA_ARGS__)
#include "sim-backend/l1/l1_knobs.def"
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
