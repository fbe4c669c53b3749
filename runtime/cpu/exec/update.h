/*
 * What an instruction that reads, changes and writes memory makes of an element: functions of the value there and one
 * or two operands, for atomics and surface reductions; redux folds the lanes with some of them. Elements of less than
 * 64 bits come zero-extended, and of the result their bits count; so one function serves all widths where the sign does
 * not matter.
 */
#ifndef ROMARK_CPU_UPDATE_H
#define ROMARK_CPU_UPDATE_H

#include <stdint.h>

typedef uint64_t (*update_fn)(uint64_t old, uint64_t b, uint64_t c);

#define UPDATE(name, expr)                                                                                             \
	static inline uint64_t name(uint64_t old, uint64_t b, uint64_t c)                                              \
	{                                                                                                              \
		(void)old, (void)b, (void)c;                                                                           \
		return expr;                                                                                           \
	}

UPDATE(update_add, old + b)
UPDATE(update_min, b < old ? b : old)
UPDATE(update_max, b > old ? b : old)
UPDATE(update_min_s32, (int32_t)b < (int32_t)old ? b : old)
UPDATE(update_max_s32, (int32_t)b > (int32_t)old ? b : old)
UPDATE(update_and, old &b)
UPDATE(update_or, old | b)
UPDATE(update_xor, old ^ b)

#endif
