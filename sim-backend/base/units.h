/* How many units of a link or a memory an amount of bytes takes. */
#ifndef ROMARK_SIM_UNITS_H
#define ROMARK_SIM_UNITS_H

#include "common/integer.h"

#include <stdint.h>

/* Transfers of `width` bytes that `bytes` take: at least one. */
static inline uint32_t units_of(uint32_t bytes, uint32_t width)
{
	uint32_t n = (uint32_t)divide_up(bytes, width);

	return n ? n : 1;
}

#endif
