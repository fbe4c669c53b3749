/*
 * Elastic-Cache (Li et al., IPDPS 2017): chunks of 32 B, or of 64 B, always; but whole lines in kernels whose CTAs
 * leave no shared memory for the chunk tags.
 */
#include "sim-backend/l1/chunks.h"

#include "common/xalloc.h"

#include <stdlib.h>

static const struct knob elastic_knobs[] = {
    CHUNKS_TAG_BITS(struct chunks_knobs, tag_bits),
    CHUNKS_ACCESS(struct chunks_knobs, access),
    CHUNKS_TAGS(struct chunks_knobs, tags,
		"Li et al., IPDPS 2017, in the abstract: in unused shared memory; that it costs a read: our reading"),
    CHUNKS_FALLBACK(struct chunks_knobs, fallback),
    KNOB_END,
};

struct elastic_stats {
	uint64_t fallbacks;
};

static const struct stat_row elastic_stat_rows[] = {
    STAT_COUNT(struct elastic_stats, fallbacks, "kernels", "kernels with whole lines, summed over the L1s"),
    STAT_END,
};

struct elastic {
	const struct chunks_knobs *knobs;
	struct l1_geometry geometry;
	uint32_t sectors; /* of a chunk */
	bool falls_back;
	struct elastic_stats stats;
};

static void *elastic_create(const struct l1_geometry *geometry, const void *knobs, uint32_t sectors)
{
	struct elastic *e = xcalloc(1, sizeof *e);

	e->knobs = knobs;
	e->geometry = *geometry;
	e->sectors = sectors;
	return e;
}

static void *elastic32_create(const struct l1_geometry *geometry, const void *knobs)
{
	return elastic_create(geometry, knobs, 1);
}

static void *elastic64_create(const struct l1_geometry *geometry, const void *knobs)
{
	return elastic_create(geometry, knobs, 2);
}

static void elastic_destroy(void *state)
{
	xfree(state);
}

static uint32_t elastic_chunk(void *state, uint32_t sectors, bool hit)
{
	const struct elastic *e = state;

	(void)sectors;
	(void)hit;
	return e->falls_back ? L1_SECTORS : e->sectors;
}

static void elastic_kernel(void *state, uint32_t spare_shared)
{
	struct elastic *e = state;

	e->falls_back = !chunks_have_room(e->knobs, &e->geometry, e->sectors, spare_shared);
	e->stats.fallbacks += e->falls_back;
}

static void elastic_flush(void *state)
{
	(void)state;
}

static const void *elastic_statistics(const void *state)
{
	return &((const struct elastic *)state)->stats;
}

static uint64_t elastic32_bits(const struct l1_config *config, const void *knobs)
{
	return chunks_bits(config, ((const struct chunks_knobs *)knobs)->tag_bits, 1);
}

static uint64_t elastic64_bits(const struct l1_config *config, const void *knobs)
{
	return chunks_bits(config, ((const struct chunks_knobs *)knobs)->tag_bits, 2);
}

#define ELASTIC_OPS                                                                                                    \
	.source = "Li et al., IPDPS 2017, as DyCache describes it", .knobs = elastic_knobs,                            \
	.knobs_size = sizeof(struct chunks_knobs), .stats = elastic_stat_rows,                                         \
	.stats_size = sizeof(struct elastic_stats), .organisation = &l1_chunks, .check = chunks_check,                 \
	.destroy = elastic_destroy, .chunk = elastic_chunk, .flush = elastic_flush, .kernel = elastic_kernel,          \
	.statistics = elastic_statistics

const struct l1_policy_ops l1_elastic32 = {
    .name = "elastic32",
    .summary = "lines of 32 B chunks from different lines of memory",
    .least_chunk = 1,
    .create = elastic32_create,
    .storage_bits = elastic32_bits,
    ELASTIC_OPS,
};

const struct l1_policy_ops l1_elastic64 = {
    .name = "elastic64",
    .summary = "lines of 64 B chunks from different lines of memory",
    .least_chunk = 2,
    .create = elastic64_create,
    .storage_bits = elastic64_bits,
    ELASTIC_OPS,
};
