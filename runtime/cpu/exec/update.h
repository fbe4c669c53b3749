/*
 * The new value of an element, for instructions that read, change and write memory: functions of the old value and one
 * or two operands. Atomics and surface reductions use them, and redux folds the lanes with some of them. Elements of
 * less than 64 bits come zero-extended, and only their bits of the result count, so a function of uint64_t may serve
 * all widths. Where the order of numbers matters, each width has its own function.
 */
#ifndef ROMARK_CPU_UPDATE_H
#define ROMARK_CPU_UPDATE_H

#include <stdint.h>

typedef uint64_t (*update_fn)(uint64_t old, uint64_t b, uint64_t c);

/* `expr` is computed with values of `type`. */
#define UPDATE(name, type, expr)                                                                                       \
	static inline uint64_t name(uint64_t old_, uint64_t b_, uint64_t c_)                                           \
	{                                                                                                              \
		type old = (type)old_, b = (type)b_, c = (type)c_;                                                     \
                                                                                                                       \
		(void)old, (void)b, (void)c;                                                                           \
		return (uint64_t)(expr);                                                                               \
	}

UPDATE(update_add, uint64_t, old + b)
UPDATE(update_and, uint64_t, old &b)
UPDATE(update_or, uint64_t, old | b)
UPDATE(update_xor, uint64_t, old ^ b)
#define ORDERED_UPDATES(bits)                                                                                          \
	UPDATE(update_min_u##bits, uint##bits##_t, b < old ? b : old)                                                  \
	UPDATE(update_max_u##bits, uint##bits##_t, b > old ? b : old)                                                  \
	UPDATE(update_min_s##bits, int##bits##_t, b < old ? b : old)                                                   \
	UPDATE(update_max_s##bits, int##bits##_t, b > old ? b : old)                                                   \
	UPDATE(update_inc_u##bits, uint##bits##_t, old >= b ? 0 : old + 1)                                             \
	UPDATE(update_dec_u##bits, uint##bits##_t, old == 0 || old > b ? b : old - 1)
ORDERED_UPDATES(32)
ORDERED_UPDATES(64)

#endif
