/*
 * Variables of the source in a frame, where the compiler tells them: romark cc lists, without optimisation, those that
 * a function computes addresses in or hands to others (docs/ptx.md).
 *
 *	.pragma "romark.frame [%SP+16] 128 [%SP+160] 16";
 *
 * An address that is computed from a place in a variable stays in that variable. The place behind its last byte may
 * belong to it, too, and is often the first of another one.
 */
#ifndef ROMARK_PTX_FRAME_OBJECTS_H
#define ROMARK_PTX_FRAME_OBJECTS_H

#include "ptx-analyzer/language/module/ptx.h"

#include "common/vec.h"

/* Bytes `begin` up to `end` of a local variable of PTX. */
struct frame_object {
	uint32_t symbol;
	int64_t begin, end;
};
typedef VEC(struct frame_object) frame_object_list; /* ascending, apart from each other */

struct stack_frame;

/* Whether the function has such a list. */
bool frame_objects_are_told(const struct ptx_function *f);
/* Fills frame->objects; none if the function tells nothing, or what it tells cannot be. Needs frame->places. */
void frame_objects_find(struct stack_frame *frame);
/*
 * The bytes in which an address stays that is computed from place `from` of the variable; with `forward` it is not
 * below that place. False if that is not known.
 */
bool frame_object_at(const frame_object_list *objects, uint32_t symbol, int64_t from, bool forward,
		     struct frame_object *found);

#endif
