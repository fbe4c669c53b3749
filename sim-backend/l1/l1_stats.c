/* The rows of the L1s' counters. */
#include "sim-backend/l1/l1_stats.h"

#define FOUND(index, word, help) STAT_NAMED(struct l1_stats, lines_found[index], "found_" #word, "lines", "lines " help)

const struct stat_row l1_stat_rows[] = {
    STAT_PROMISED(struct l1_stats, accesses, "requests", "load requests after coalescing"),
    STAT_PROMISED(struct l1_stats, hits, "requests", "found in the L1"),
    STAT_PROMISED(struct l1_stats, misses, "requests", "not found, merged ones included"),
    STAT_COUNT(struct l1_stats, merges, "requests", "misses that joined pending ones"),
    STAT_COUNT(struct l1_stats, partial_hits, "requests",
	       "misses that found their line, but not all sectors, and fetch the rest"),
    STAT_PROMISED(struct l1_stats, bypasses, "requests", "loads that do not look into the L1"),
    STAT_COUNT(struct l1_stats, look_ups, "look-ups", "of loads; some chunks are looked up one by one"),
    STAT_COUNT(struct l1_stats, fetches, "requests", "misses that sent for a line, or for parts of it"),
    STAT_COUNT(struct l1_stats, writes, "requests", "store requests after coalescing"),
    STAT_COUNT(struct l1_stats, write_hits, "requests", "of them with some of it present"),
    STAT_COUNT(struct l1_stats, atomics, "requests", "atomic requests"),
    STAT_COUNT(struct l1_stats, fills, "fills", "lines, or parts of lines, that arrived"),
    STAT_COUNT(struct l1_stats, fills_dropped, "fills", "of them not kept, by the policy or as the reply said"),
    STAT_COUNT(struct l1_stats, read_only, "requests", "accesses with the read-only mark"),
    STAT_COUNT(struct l1_stats, of_32, "requests", "accesses to one sector of 32 B"),
    STAT_COUNT(struct l1_stats, of_64, "requests", "accesses to two, which are half a line; the others want 128 B"),
    STAT_COUNT(struct l1_stats, requests, "requests", "requests sent into the network"),
    STAT_COUNT(struct l1_stats, replies, "replies", "replies taken from the network"),
    STAT_COUNT(struct l1_stats, bound_fetches, "requests",
	       "fetches that Belady's choices with bypass would leave; with l1.bound"),
    FOUND(0, never, "that no load found until they left; with l1.reuse"),
    FOUND(1, once, "that one load found"),
    FOUND(2, few, "that two or three loads found"),
    FOUND(3, often, "that more loads found"),
    STAT_END,
};
