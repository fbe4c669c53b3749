/*
 * First ready, first come, first served: a transaction whose row is open goes before older transactions whose row is
 * not. Each bank works for its oldest miss, but keeps its row while hits for it wait. A miss waits as long as hits for
 * the open row keep coming, or until it is overdue (dram.age_cap): then younger hits let it pass.
 */
#include "sim-backend/dram/dram_policy.h"

/* The oldest entries of banks that are overdue and miss. */
static uint64_t overdue_misses(const struct dram_queue *q)
{
	return q->oldest_of_bank & ~q->hits & q->overdue;
}

static uint64_t fr_fcfs_columns(const struct dram_queue *q)
{
	uint64_t columns = q->hits, banks = 0;
	unsigned i;

	BITS_FOR_EACH(i, overdue_misses(q), 0)
		banks |= UINT64_C(1) << q->entries[i].request.bank;
	if (!banks)
		return columns;
	BITS_FOR_EACH(i, q->hits, 0)
		if (banks >> q->entries[i].request.bank & 1)
			columns &= ~(UINT64_C(1) << i);
	return columns;
}

static uint64_t fr_fcfs_rows(const struct dram_queue *q)
{
	uint64_t rows = overdue_misses(q);
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
