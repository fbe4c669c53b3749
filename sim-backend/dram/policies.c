/* The schedulers that `dram.scheduler` accepts. */
#include "sim-backend/dram/policy.h"

extern const struct dram_scheduler_ops dram_fr_fcfs, dram_fcfs;

const struct dram_scheduler_ops *const dram_scheduler_table[] = {&dram_fr_fcfs, &dram_fcfs, NULL};
