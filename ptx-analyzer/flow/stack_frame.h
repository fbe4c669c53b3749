/*
 * Frames: which registers are places in a local variable of their function, and which of its bytes are variables of the
 * source that no address is made of. Compilers keep all variables of a function in one such variable where they do not
 * optimise.
 *
 *	mov.u64 %SPL, __local_depot0;	exactly at byte 0
 *	add.u64 %rd1, %SPL, 48;		exactly at byte 48
 *	add.s64 %rd2, %rd1, %rd9;	moved: behind byte 48 by a number
 *	ld.u32 %r1, [%SPL+16];		a slot of 4 bytes at byte 16
 */
#ifndef ROMARK_PTX_STACK_FRAME_H
#define ROMARK_PTX_STACK_FRAME_H

#include "ptx-analyzer/flow/frame_objects.h"
#include "ptx-analyzer/language/module/ptx.h"

#include "common/vec.h"

enum place_kind { PLACE_NONE, PLACE_EXACT, PLACE_MOVED };

/* What a register is that is written once. */
struct frame_place {
	uint8_t kind; /* enum place_kind */
	uint32_t symbol;
	int64_t offset; /* EXACT: bytes from the variable's start; MOVED: from where the register leads */
	int64_t from;   /* MOVED: the exact place that the register was moved from */
};

/* Bytes of a variable that are only accessed as a whole, at their constant place, as one number. */
struct frame_slot {
	uint32_t symbol;
	int64_t offset;
	unsigned size; /* 4 or 8 */
	bool whole;    /* no access of these bytes is a vector or anything but a load or a store */
};

struct stack_frame {
	const struct ptx_function *f;
	struct frame_place *places;   /* per register */
	uint8_t *written;             /* per register: how many instructions write it, at most 2 */
	VEC(uint32_t) escaped;        /* variables whose address others may have */
	VEC(struct frame_slot) slots; /* ascending by symbol and offset */
	frame_object_list objects;    /* variables of the source, as far as the compiler tells */
};

/*
 * Whether the functions that call instruction `inst` may reach neither change what their argument number `argument`
 * leads to, nor keep that address.
 */
typedef bool (*frame_keeps)(void *context, uint32_t inst, unsigned argument);
/* Finds `places`, `written` and `objects` alone. */
void stack_frame_find_places(struct stack_frame *frame, const struct ptx_function *f);
void stack_frame_find(struct stack_frame *frame, const struct ptx_function *f, frame_keeps keeps, void *context);
void stack_frame_release(struct stack_frame *frame);
/* The place that a memory operand names, without what a moved register adds; PLACE_NONE for other memory. */
struct frame_place frame_place_of(const struct stack_frame *frame, const struct ptx_operand *operand);
/* The slot of exactly these bytes, or PTX_NONE. */
uint32_t frame_slot_at(const struct stack_frame *frame, struct frame_place place, unsigned size);
bool frame_is_escaped(const struct stack_frame *frame, uint32_t symbol);

#endif
