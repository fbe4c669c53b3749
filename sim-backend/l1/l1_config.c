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

enum { MOST_STEPS = 10 };

/* By the value of l1.carveout: KB of storage, and the KB that shared memory may have of it, rising. */
static const struct {
	uint32_t unified, count;
	uint32_t steps[MOST_STEPS];
} carveouts[] = {{0},
		 {128, 6, {0, 8, 16, 32, 64, 96}},
		 {96, 2, {32, 64}},
		 {192, 8, {0, 8, 16, 32, 64, 100, 132, 164}},
		 {128, 6, {0, 8, 16, 32, 64, 100}},
		 {256, 10, {0, 8, 16, 32, 64, 100, 132, 164, 196, 228}}};

uint32_t l1_bytes_beside(const struct l1_config *config, uint64_t shared_bytes, uint32_t *step)
{
	uint32_t i = 0, way_bytes = config->ways << L1_LINE_SHIFT, left;

	*step = UINT32_MAX;
	if (!config->carveout)
		return config->size_bytes;
	while (i < carveouts[config->carveout].count && carveouts[config->carveout].steps[i] * 1024 < shared_bytes)
		i++;
	if (i == carveouts[config->carveout].count)
		return 0;
	*step = carveouts[config->carveout].steps[i] * 1024;
	left = carveouts[config->carveout].unified * 1024 - *step;
	return left / way_bytes * way_bytes;
}

/* The least that a carve-out leaves must be a set. */
static int check_carveout(const struct l1_config *config, struct diag *d)
{
	uint32_t way_bytes = config->ways << L1_LINE_SHIFT, last, left;

	if (!config->carveout)
		return 0;
	if (config->index == L1_INDEX_FERMI)
		return diag_file(d, NULL,
				 "l1.index is fermi, which is for 32 or 64 sets; with l1.carveout their "
				 "number changes from kernel to kernel");
	last = carveouts[config->carveout].steps[carveouts[config->carveout].count - 1];
	left = (carveouts[config->carveout].unified - last) * 1024;
	if (left < way_bytes)
		return diag_file(d, NULL,
				 "l1.ways is %u; with this l1.carveout the L1 may have %u bytes, and must have a set "
				 "of ways x 128 B at least",
				 config->ways, left);
	return 0;
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
	return check_carveout(config, d);
}
