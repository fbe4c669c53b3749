/*
 * DyCache: chunks of 32, 64 or 128 B, chosen by the latest loads. After every period of loads it decides: when too many
 * missed, small loads lead to small chunks, and large loads to whole lines. Otherwise the size stays.
 */
#include "sim-backend/l1/chunks.h"

#include "common/xalloc.h"

#include <stdlib.h>

struct dycache_knobs {
	struct chunks_knobs chunks;
	uint32_t threshold, period;
};

static const struct knob dycache_knobs[] = {
    CHUNKS_TAG_BITS(struct dycache_knobs, chunks.tag_bits),
    CHUNKS_ACCESS(struct dycache_knobs, chunks.access),
    CHUNKS_TAGS(struct dycache_knobs, chunks.tags,
		"DyCache section V-A: chunks cost the same in Elastic-Cache and in DyCache; our reading"),
    CHUNKS_FALLBACK(struct dycache_knobs, chunks.fallback),
    {"retain", KNOB_TYPE_BOOL, offsetof(struct dycache_knobs, chunks.retain), "", 0, 1, 0, NULL,
     "whole lines outlast a change to whole lines, which else empties the L1",
     "DyCache section V-A: one solution, not measured there"},
    KNOB_UINT(struct dycache_knobs, threshold, "%", 0, 100, 50,
	      "more misses than this are many; a larger share of loads of 32 and 64 B is fine-grained",
	      "DyCache section V-A: 25, 50, 75"),
    KNOB_UINT(struct dycache_knobs, period, "loads", 1, 1 << 24, 1000, "loads of an L1 from one decision to the next",
	      "DyCache section V-B: 1,000, 5,000, 10,000"),
    KNOB_END,
};

struct dycache_stats {
	uint64_t fallbacks, decisions, to_32, to_64, to_128, loads_at_32, loads_at_64, loads_at_128;
};

static const struct stat_row dycache_stat_rows[] = {
    STAT_COUNT(struct dycache_stats, fallbacks, "kernels", "kernels with whole lines, summed over the L1s"),
    STAT_COUNT(struct dycache_stats, decisions, "decisions", "ends of a sampling period"),
    STAT_COUNT(struct dycache_stats, to_32, "changes", "changes to chunks of 32 B"),
    STAT_COUNT(struct dycache_stats, to_64, "changes", "changes to chunks of 64 B"),
    STAT_COUNT(struct dycache_stats, to_128, "changes", "changes to whole lines"),
    STAT_COUNT(struct dycache_stats, loads_at_32, "loads", "loads while chunks were of 32 B"),
    STAT_COUNT(struct dycache_stats, loads_at_64, "loads", "loads while chunks were of 64 B"),
    STAT_COUNT(struct dycache_stats, loads_at_128, "loads", "loads while lines were whole"),
    STAT_END,
};

struct dycache {
	const struct dycache_knobs *knobs;
	struct l1_geometry geometry;
	bool falls_back;
	uint32_t chunk;                       /* when it does not */
	uint32_t loads, misses, of_32, of_64; /* of this period */
	struct dycache_stats stats;
};

static void *dycache_create(const struct l1_geometry *geometry, const void *knobs)
{
	struct dycache *y = xcalloc(1, sizeof *y);

	y->knobs = knobs;
	y->geometry = *geometry;
	y->chunk = L1_SECTORS;
	return y;
}

static void dycache_destroy(void *state)
{
	xfree(state);
}

static uint32_t next_chunk(const struct dycache *y)
{
	uint64_t most = (uint64_t)y->loads * y->knobs->threshold;
	bool poor = y->misses * UINT64_C(100) > most;
	bool fine = (y->of_32 + y->of_64) * UINT64_C(100) > most;

	if (!poor || fine == (y->chunk < L1_SECTORS))
		return y->chunk;
	if (!fine)
		return L1_SECTORS;
	return y->of_32 > y->of_64 ? 1 : 2;
}

static void decide(struct dycache *y)
{
	uint32_t chunk = next_chunk(y);

	y->stats.decisions++;
	if (chunk != y->chunk) {
		y->stats.to_32 += chunk == 1;
		y->stats.to_64 += chunk == 2;
		y->stats.to_128 += chunk == L1_SECTORS;
	}
	y->chunk = chunk;
	y->loads = y->misses = y->of_32 = y->of_64 = 0;
}

/* `sectors` is 0 when nothing was loaded so far. */
static uint32_t dycache_chunk(void *state, uint32_t sectors, bool hit)
{
	struct dycache *y = state;

	if (y->falls_back) {
		y->stats.loads_at_128 += sectors != 0;
		return L1_SECTORS;
	}
	if (!sectors)
		return y->chunk;
	y->stats.loads_at_32 += y->chunk == 1;
	y->stats.loads_at_64 += y->chunk == 2;
	y->stats.loads_at_128 += y->chunk == L1_SECTORS;
	y->misses += !hit;
	y->of_32 += sectors == 1;
	y->of_64 += sectors == 2;
	if (++y->loads == y->knobs->period)
		decide(y);
	return y->chunk;
}

static void dycache_kernel(void *state, uint32_t spare_shared)
{
	struct dycache *y = state;

	y->falls_back = !chunks_have_room(&y->knobs->chunks, &y->geometry, 1, spare_shared);
	y->stats.fallbacks += y->falls_back;
}

/* The L1 is empty; what its loads were like is still true. */
static void dycache_flush(void *state)
{
	(void)state;
}

static const void *dycache_statistics(const void *state)
{
	const struct dycache *y = state;

	return &y->stats;
}

/* Besides the chunks': four counters of a period, and which of three sizes. */
static uint64_t dycache_bits(const struct l1_config *config, const void *knobs)
{
	const struct dycache_knobs *k = knobs;

	return chunks_bits(config, k->chunks.tag_bits, 1) + 4 * l1_bits_for(k->period + 1) + 2;
}

const struct l1_policy_ops l1_dycache = {
    .name = "dycache",
    .summary = "chunks of 32, 64 or 128 B, by the misses and sizes of the latest loads",
    .source = "DyCache, IEEE Access 2018",
    .knobs = dycache_knobs,
    .knobs_size = sizeof(struct dycache_knobs),
    .stats = dycache_stat_rows,
    .stats_size = sizeof(struct dycache_stats),
    .organisation = &l1_chunks,
    .least_chunk = 1,
    .check = chunks_check,
    .storage_bits = dycache_bits,
    .create = dycache_create,
    .destroy = dycache_destroy,
    .chunk = dycache_chunk,
    .flush = dycache_flush,
    .kernel = dycache_kernel,
    .statistics = dycache_statistics,
};
