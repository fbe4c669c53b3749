/* What a call without a visible body does to memory: functions by name or attributes, inline assembly by its text. */
#ifndef ROMARK_PASSES_EFFECTS_H
#define ROMARK_PASSES_EFFECTS_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

/* What a number depends on, and so who sees another address: a set of these. */
enum dep {
	DEP_NONE = 0,
	DEP_CTA_X = 1,
	DEP_CTA_Y = 2,
	DEP_CTA_Z = 4,
	DEP_CTA = DEP_CTA_X | DEP_CTA_Y | DEP_CTA_Z,
	DEP_THREAD = 8,
	DEP_MEMORY = 16,
	DEP_UNKNOWN = 32,
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
	EFFECT_FETCH = 256,     /* by a texture fetch */
	EFFECT_PLACE = 512,     /* the argument says where in an image */
	EFFECT_PROMISED = 1024, /* read by a load that says that the memory does not change, and by no other access */
};

enum { EFFECT_ARGS = 64 }; /* arguments beyond share the last one's effect */

struct call_effects {
	uint16_t arg[EFFECT_ARGS];
	uint8_t dep;         /* enum dep: what the result depends on beside the arguments */
	bool unknown_write;  /* may write memory that no argument points to */
	bool unknown_result; /* may return a pointer from nowhere that the analysis can see */
	bool loads;          /* the result comes from the memory that arguments with a read effect point to */
	bool allocates;      /* returns fresh memory */
	bool waits_for_grid; /* waits for the grid before this one, which may have been writing until now */
	bool listens;        /* takes part in synchronisation beyond the CTA */
};

/* `function` is a declaration; `nargs` of the call. */
struct call_effects effects_of_declaration(LLVMValueRef function, unsigned nargs);
/* Texts as in the IR: $0 for operands, constraints with commas. */
struct call_effects effects_of_assembly(const char *text, const char *constraints, unsigned nargs);

#endif
