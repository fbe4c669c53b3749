/*
 * First come, first served: only the oldest transaction goes on. It waits only for the transactions before it. The
 * banks of the others stay as they are meanwhile.
 */
#include "sim-backend/dram/dram_policy.h"

enum { OLDEST = 1 };

static uint64_t fcfs_columns(const struct dram_queue *q)
{
	return q->hits & OLDEST;
}

static uint64_t fcfs_rows(const struct dram_queue *q)
{
	return dram_queue_misses(q) & OLDEST;
}

const struct dram_scheduler_ops dram_fcfs = {
    .name = "fcfs",
    .summary = "first come, first served: reads in order, writes in order",
    .source = "the baseline of Rixner et al., ISCA 2000",
    .columns = fcfs_columns,
    .rows = fcfs_rows,
};
