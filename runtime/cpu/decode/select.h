/* The row of the exec_*.c tables that an instruction means, and the compilation of them that this processor runs. */
#ifndef ROMARK_CPU_SELECT_H
#define ROMARK_CPU_SELECT_H

#include "runtime/cpu/exec/exec.h"

/* The set `wanted` ("baseline", "avx2", "avx512") where this processor runs it; else, and for NULL, the best. */
const struct exec_set *exec_best_set(const char *wanted);

/* The key that finds an opcode's row. */
struct exec_key {
	uint16_t op, which;
	uint8_t type[2];
	uint64_t mods;
};

/* NULL when no row fits. */
const struct exec_row *exec_find(const struct exec_set *set, const struct exec_key *key);
/*
 * A row whose function is `exec`; NULL if no table has such a row. If several do, the row that fits an instruction of
 * this opcode and variant best.
 */
const struct exec_row *exec_row_of(const struct exec_set *set, exec_fn exec, const struct ptx_opcode *opcode,
				   uint16_t variant);
/*
 * The key from an opcode's modifiers as written, without .rn and without the modifiers that only steer caches, scopes
 * and ordering.
 */
struct exec_key exec_key_of(const struct ptx_opcode *opcode);

#endif
