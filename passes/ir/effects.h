/* Effects on memory of a call without a visible body: functions by name or attributes, inline assembly by its text. */
#ifndef ROMARK_PASSES_EFFECTS_H
#define ROMARK_PASSES_EFFECTS_H

#include "verdict/verdict.h"

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

/* A value's dependences: bits of enum dependence. The thread's three coordinates are not told apart. */
enum dep {
	DEP_NONE = 0,
	DEP_THREAD = DEPENDS_TID,
	DEP_CTA_X = DEPENDS_CTAID_X,
	DEP_CTA_Y = DEPENDS_CTAID_Y,
	DEP_CTA_Z = DEPENDS_CTAID_Z,
	DEP_CTA = DEPENDS_CTAID,
	DEP_MEMORY = DEPENDS_MEMORY,
	DEP_UNKNOWN = DEPENDS_LAST * 2,
};

enum {
	EFFECT_READ = 1,           /* memory that the argument points to is read */
	EFFECT_WRITE = 2,          /* written */
	EFFECT_RESULT = 4,         /* the result may be the argument */
	EFFECT_ESCAPE = 8,         /* the callee may keep the argument */
	EFFECT_PRIVATE_WRITE = 16, /* written, and it is shared or local memory */
	EFFECT_ATOMIC = 32,        /* read and written at once */
	EFFECT_PRIVATE_READ = 64,  /* read, and it is shared or local memory */
	EFFECT_IMAGE = 128,     /* the argument is the handle of a texture or a surface, and that is read or written */
	EFFECT_FETCH = 256,     /* the access is a texture fetch */
	EFFECT_PLACE = 512,     /* the argument is a coordinate in an image */
	EFFECT_PROMISED = 1024, /* read only by loads that promise that the memory does not change */
	EFFECT_COPY = 2048,     /* with RESULT: the result is the unchanged argument */
};

enum { EFFECT_ARGS = 64 }; /* further arguments have the last one's effect */

struct call_effects {
	uint16_t arg[EFFECT_ARGS];
	uint8_t dep;         /* enum dep: what the result depends on beside the arguments */
	bool unknown_write;  /* may write memory that no argument points to */
	bool unknown_result; /* may return a pointer from nowhere that the analysis can see */
	bool loads;          /* the result comes from the memory that arguments with a read effect point to */
	bool allocates;      /* returns fresh memory */
	bool waits_for_grid; /* waits for the previous grid, which may have been writing until now */
	bool listens;        /* takes part in synchronisation beyond the CTA */
	bool lone_load;      /* assembly: one load of global memory that can carry the mark, and no other access */
	bool workspace;      /* the result is made of the address of the counter of the grid's barrier */
	bool leaves_state; /* assembly: leaves bits of its arguments where other assembly finds them without an operand
			    */
	bool matrices;     /* assembly: touches shared or tensor memory at places that no operand says */
	bool takes_state;  /* assembly: the result may have such bits */
	bool mixes;        /* writes through an address that was computed of several arguments */
};

/* Effects of a call with `nargs` arguments of `function`, which has no body. */
struct call_effects effects_of_declaration(LLVMValueRef function, unsigned nargs);
/* Effects of inline assembly, with its texts as in the IR: $0 for operands, constraints separated by commas. */
struct call_effects effects_of_assembly(const char *text, const char *constraints, unsigned nargs);

#endif
