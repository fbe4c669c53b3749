/*
 * A DRAM scheduler decides which of the transactions that wait in a channel may go next. A scheduler is one file here
 * and one row in schedulers.def. The values of the knob `dram.scheduler` come from these rows, too. It sees one queue
 * at a time: the channel has one for reads and one for writes, and chooses between them by its watermarks. The channel
 * keeps the timings, and with a closed-page policy it closes a row that nobody waits for.
 *
 * Each memory clock the channel may issue one column and one row command. It asks the scheduler for the transactions
 * that take part, and gives each command to the oldest of them for which the timings allow it.
 */
#ifndef ROMARK_SIM_DRAM_POLICY_H
#define ROMARK_SIM_DRAM_POLICY_H

#include "sim-backend/dram/queue.h"

struct dram_scheduler_ops {
	const char *name, *summary, *source;
	/* The hits that may get their column command. Called only when there is a hit. */
	uint64_t (*columns)(const struct dram_queue *q);
	/*
	 * The misses that may use their bank: the channel closes the bank's row, then opens the row of the miss. At
	 * most one miss for a bank. Called only when there is a miss.
	 */
	uint64_t (*rows)(const struct dram_queue *q);
};

/* Ends with NULL. */
extern const struct dram_scheduler_ops *const dram_scheduler_table[];

#endif
