/*
 * A DRAM scheduler decides which of the transactions that wait in a channel may go next. One scheduler is one file here
 * and one row in schedulers.def, which the knob `dram.scheduler` is made of too. It sees one queue at a time: the
 * channel has one for reads and one for writes, and chooses between them by its watermarks. The channel keeps the
 * timings, and with a closed-page policy it closes a row that nobody waits for.
 *
 * Each memory clock the channel may issue one column and one row command. It asks for the transactions that take part,
 * and gives each command to the oldest of them for which the timings allow it.
 */
#ifndef ROMARK_SIM_DRAM_POLICY_H
#define ROMARK_SIM_DRAM_POLICY_H

#include "sim-backend/dram/queue.h"

struct dram_scheduler_ops {
	const char *name, *summary, *source;
	/* Of the hits, those that may have their column command. Asked only when there is a hit. */
	uint64_t (*columns)(const struct dram_queue *q);
	/*
	 * Of the misses, those whose bank may be worked on for them: its row is closed, then theirs is opened. At most
	 * one for a bank. Asked only when there is a miss.
	 */
	uint64_t (*rows)(const struct dram_queue *q);
};

/* Ends with NULL. */
extern const struct dram_scheduler_ops *const dram_scheduler_table[];

#endif
