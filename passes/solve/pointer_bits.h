/*
 * The bits of pointers that a value holds, beside its origins.
 *
 * A value has origins (where it points, if it is an address) and bits: the objects whose addresses went into it in any
 * other way, as a part, a multiple, an offset, a comparison. Bits are sets of objects, stored as origins with
 * OFFSET_ANY. Three members are not memory: MIXED_OBJECT, bits of a pointer without a name; UNKNOWN_OBJECT, a number
 * that memory held before the kernel wrote it; PART_OBJECT, the low bits of an address were cut off.
 */
#ifndef ROMARK_PASSES_POINTER_BITS_H
#define ROMARK_PASSES_POINTER_BITS_H

#include "passes/solve/objects.h"

/* The objects whose bits an address with these origins has. */
set_id bits_of(struct objects *o, set_id set);
/* All bits of a value, including its origins'. */
set_id bits_all(struct objects *o, struct ir_value v);

/*
 * The bits of results. These functions also find numbers that turn out to be addresses: a number that is subtracted
 * from an address to give another, and a number that is joined with an address bit by bit.
 */
set_id bits_of_sum(struct objects *o, struct ir_value a, struct ir_value b, bool is_narrow);
set_id bits_of_difference(struct objects *o, struct ir_value a, struct ir_value b);
set_id bits_of_join(struct objects *o, struct ir_value a, struct ir_value b);

/* An address is made a number: words of memory among its origins are pointers, whatever becomes of their bits. */
void bits_take_words(struct objects *o, set_id set);

/* Addresses were compared: words of memory among them are pointers, which are not named so that numbers beside them
 * stay numbers. */
set_id bits_of_compared(struct objects *o, set_id bits);

/*
 * True if the difference of two addresses is a plain number: both point into the same object, and hold no other bits.
 */
bool bits_are_of_one_object(struct objects *o, struct ir_value a, struct ir_value b);
/* Bits of that number: of the offsets alone. */
set_id bits_of_numbers(struct objects *o, struct ir_value a, struct ir_value b);
/* The low bits of an address were cut off. */
set_id bits_of_rounding(struct objects *o);
/* The bits that a value loaded from such an address may hold, as from a table of numbers. */
set_id bits_looked_up(struct objects *o, set_id beside);

/*
 * The objects that an address reaches: its origins, or anything if it holds bits of a pointer that is not its only
 * base.
 */
set_id bits_reach(struct objects *o, struct ir_value address);
/* Something is accessed through an address: where that may be anything, what its bits lead to escapes. */
void bits_use(struct objects *o, struct ir_value address);
/* True if an object in shared or local memory is among the origins. */
bool has_private(const struct objects *o, set_id set);
/* The same for an address in shared or local memory. Without an object there, it may be the address of any. */
void bits_use_private(struct objects *o, set_id reached);

/* The bits of an address constant beside its origins. */
set_id constant_bits(struct objects *o, LLVMValueRef value);

#endif
