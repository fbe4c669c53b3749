/* The warp schedulers that `sm.scheduler` accepts. */
#include "sim-backend/sm/warp_scheduler.h"

#include <stddef.h>

#define SCHEDULER(name, ops) extern const struct warp_scheduler_ops ops;
#include "sim-backend/sm/warp_schedulers.def"
#undef SCHEDULER

const struct warp_scheduler_ops *const warp_scheduler_table[] = {
#define SCHEDULER(name, ops) &ops,
#include "sim-backend/sm/warp_schedulers.def"
#undef SCHEDULER
    NULL,
};
