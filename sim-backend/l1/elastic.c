/* Elastic-Cache (Li et al., IPDPS 2017): chunks of 32 B, or of 64 B, always. */
#include "sim-backend/l1/chunks.h"

static const struct knob elastic_knobs[] = {CHUNKS_TAG_BITS(struct chunks_knobs), KNOB_END};

/* There is no state: the policy's pointer is to the only number there is. */
static const uint32_t one_sector = 1, two_sectors = 2;

static void *elastic32_create(const struct l1_geometry *geometry, const void *knobs)
{
	(void)geometry;
	(void)knobs;
	return (void *)&one_sector;
}

static void *elastic64_create(const struct l1_geometry *geometry, const void *knobs)
{
	(void)geometry;
	(void)knobs;
	return (void *)&two_sectors;
}

static void elastic_nothing(void *state)
{
	(void)state;
}

static uint32_t elastic_chunk(void *state, uint32_t sectors, bool hit)
{
	(void)sectors;
	(void)hit;
	return *(const uint32_t *)state;
}

static uint64_t elastic_bits(const struct l1_config *config, const void *knobs)
{
	return chunks_bits(config, ((const struct chunks_knobs *)knobs)->tag_bits);
}

#define ELASTIC_OPS                                                                                                    \
	.source = "Li et al., IPDPS 2017, as DyCache describes it", .knobs = elastic_knobs,                            \
	.knobs_size = sizeof(struct chunks_knobs), .organisation = &l1_chunks, .check = chunks_check,                  \
	.storage_bits = elastic_bits, .destroy = elastic_nothing, .chunk = elastic_chunk, .flush = elastic_nothing

const struct l1_policy_ops l1_elastic32 = {
    .name = "elastic32",
    .summary = "lines of 32 B chunks from different lines of memory",
    .create = elastic32_create,
    ELASTIC_OPS,
};

const struct l1_policy_ops l1_elastic64 = {
    .name = "elastic64",
    .summary = "lines of 64 B chunks from different lines of memory",
    .create = elastic64_create,
    ELASTIC_OPS,
};
