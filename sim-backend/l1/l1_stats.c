/* The rows of the L1s' counters. */
#include "sim-backend/l1/l1_stats.h"

#define FOUND(index, word, help) STAT_NAMED(struct l1_stats, lines_found[index], "found_" #word, "lines", "lines " help)

const struct stat_row l1_stat_rows[] = {
#define STAT(...) STAT_ROW(struct l1_stats, __VA_ARGS__)
#include "sim-backend/l1/l1_stats.def"
    FOUND(0, never, "that no load found until they left; with l1.reuse"),
    FOUND(1, once, "that one load found"),
    FOUND(2, few, "that two or three loads found"),
    FOUND(3, often, "that more loads found"),
    STAT_END,
};
