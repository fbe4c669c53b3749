/* A decoded program as text for people: what the CPU device runs for each instruction of the PTX. */
#ifndef ROMARK_CPU_PROGRAM_DUMP_H
#define ROMARK_CPU_PROGRAM_DUMP_H

#include "common/strbuf.h"
#include "runtime/cpu/engine/engine.h"

struct exec_set;

/*
 * Appends the kernel and its functions, block by block. Below the PTX of an instruction come the rows of the exec_*.c
 * tables that run for it, their operands, and where they lead. `set` is the set that the program was made with; all
 * sets give the same text.
 */
void program_dump(const struct program *p, const struct exec_set *set, struct strbuf *out);

#endif
