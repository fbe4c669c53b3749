/*
 * Launches in device code for Clang before 22, which has none: the sources are given to it with
 *   kernel<<<grid, block>>>(a, b)   as   ::romark_launch<decltype(&kernel), &kernel>(grid, block)(a, b)
 * in the bodies of __global__ and __device__ functions (runtime/include/romark_device_launch.h). Line numbers stay.
 */
#ifndef ROMARK_CC_NESTED_H
#define ROMARK_CC_NESTED_H

#include "common/strbuf.h"

#include <stdbool.h>

/*
 * Appends `text` (NUL-terminated) in that form to `out`. False, and nothing is appended, when there is nothing to
 * change.
 */
bool cc_nested_rewrite(const char *text, struct strbuf *out);

#endif
