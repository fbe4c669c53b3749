/*
 * Launches in device code for Clang before 22, which does not know them. In the sources that it gets
 *   kernel<<<grid, block>>>(a, b)   becomes ::romark_launch<decltype(&kernel), &kernel>(grid, block)(a, b)
 * in the bodies of __global__ and __device__ functions (runtime/include/romark_device_launch.h). Line numbers stay.
 */
#ifndef ROMARK_CC_NESTED_LAUNCH_H
#define ROMARK_CC_NESTED_LAUNCH_H

#include "common/strbuf.h"

#include <stdbool.h>

/*
 * Appends `text` (NUL-terminated) in that form to `out`. False, and nothing is appended, when there is nothing to
 * change.
 */
bool cc_nested_rewrite(const char *text, struct strbuf *out);

#endif
