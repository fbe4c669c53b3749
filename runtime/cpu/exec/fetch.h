/* Fetches of a whole warp from a plain image, compiled once per instruction set like the exec_*.c files. */
#ifndef ROMARK_CPU_FETCH_H
#define ROMARK_CPU_FETCH_H

#include "runtime/cpu/exec/lanes.h"

struct device_image;

/*
 * Writes the results of the lanes of `mask`, all of which name `image`. False if it cannot do the fetch, see
 * exec_fetch.c; then it has done nothing.
 */
bool EXEC_TABLE(fetch_warp)(struct warp *w, const struct inst *in, uint32_t mask, const struct device_image *image);

#endif
