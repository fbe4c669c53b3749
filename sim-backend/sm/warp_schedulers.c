/* The warp schedulers that `sm.scheduler` accepts. */
#include "sim-backend/sm/warp_scheduler.h"

#include <stddef.h>

extern const struct warp_scheduler_ops warp_scheduler_gto, warp_scheduler_lrr;

const struct warp_scheduler_ops *const warp_scheduler_table[] = {&warp_scheduler_gto, &warp_scheduler_lrr, NULL};
