/*
 * First ready, first come, first served: a transaction whose row is open goes before older ones whose row is not. Each
 * bank works for its oldest miss, but keeps its row while hits for it wait. There is no bound on how long a miss waits:
 * it is as long as hits for the open row keep coming.
 */
#include "sim-backend/dram/policy.h"

static uint64_t fr_fcfs_columns(const struct dram_queue *q)
{
	return q->hits;
}

static uint64_t fr_fcfs_rows(const struct dram_queue *q)
{
	uint64_t rows = 0;
	unsigned i;

	BITS_FOR_EACH(i, q->oldest_of_bank & ~q->hits, 0)
		if (!q->hits_in_bank[q->entries[i].request.bank])
			rows |= UINT64_C(1) << i;
	return rows;
}

const struct dram_scheduler_ops dram_fr_fcfs = {
    .name = "fr-fcfs",
    .summary = "first ready, first come, first served: the oldest whose row is open, else the oldest",
    .source = "Rixner et al., ISCA 2000; SelRep Table I",
    .columns = fr_fcfs_columns,
    .rows = fr_fcfs_rows,
};
