/* Access for tests to the inside of a memory system. */
#ifndef ROMARK_TESTS_SIM_INSIDE_H
#define ROMARK_TESTS_SIM_INSIDE_H

#include "sim-backend/memory/chip.h"

/* A chip; what the chips have in common is behind it. */
struct chip *inside_chip(const struct memsys *ms, unsigned chip);
/* The LLC slices of all chips, chip by chip; NULL behind the last slice. */
struct llc_slice *inside_slice(const struct memsys *ms, unsigned slice);
/* Which chip's memory holds a line that has been touched. */
unsigned inside_home(const struct memsys *ms, uint64_t line);
/* Whether one of the chip's slices holds the line. */
bool inside_holds(const struct memsys *ms, unsigned chip, uint64_t line);

#endif
