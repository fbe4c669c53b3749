/* The schedulers that `dram.scheduler` accepts. */
#include "sim-backend/dram/dram_policy.h"

#include <stddef.h>

#define SCHEDULER(name, ops) extern const struct dram_scheduler_ops ops;
#include "sim-backend/dram/schedulers.def"
#undef SCHEDULER

const struct dram_scheduler_ops *const dram_scheduler_table[] = {
#define SCHEDULER(name, ops) &ops,
#include "sim-backend/dram/schedulers.def"
#undef SCHEDULER
    NULL,
};
