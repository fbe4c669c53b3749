/* Fetches of a whole warp from one plain image, compiled once per instruction set like the exec_*.c files. */
#ifndef ROMARK_CPU_FETCH_H
#define ROMARK_CPU_FETCH_H

#include "runtime/cpu/exec/lanes.h"

struct device_image;

/* Writes the results of the lanes of `mask`, all of which name `image`. False: nothing is done, see exec_fetch.c. */
bool EXEC_TABLE(fetch_warp)(struct warp *w, const struct inst *in, uint32_t mask, const struct device_image *image);

#endif
