/*
 * The memory that one kernel can name, as objects, and what may be stored in it.
 *
 * Private objects (locals, shared variables, the heap, by-value parameters) remember what was stored where; an object
 * of global memory is described by one further object: what the pointers in it point to.
 */
#ifndef ROMARK_PASSES_OBJECTS_H
#define ROMARK_PASSES_OBJECTS_H

#include "passes/ir.h"
#include "passes/sets.h"

enum object_kind {
	OBJECT_UNKNOWN,  /* what an address without a known origin reaches; always object 0 */
	OBJECT_PARAM,    /* what pointer parameter `param` points to */
	OBJECT_FIELD,    /* what the pointer at byte `offset` of by-value parameter `param` points to */
	OBJECT_VARIABLE, /* a module variable in global memory */
	OBJECT_POINTEE,  /* what the pointers stored in `holder` point to */
	OBJECT_HEAP,     /* device malloc */
	OBJECT_BYVAL,    /* by-value parameter `param` itself */
	OBJECT_LOCAL,
	OBJECT_SHARED,
	OBJECT_CONSTANT, /* a module variable in constant memory */
	OBJECT_FUNCTION,
};

struct cell {
	int64_t offset, bytes; /* OFFSET_ANY = anywhere */
	set_id set;
	uint8_t dep;
};

/* Bytes [to, to + bytes) were copied from byte `from` of `source`. */
struct copied {
	int64_t to, bytes, from;
	uint32_t source;
};

struct object {
	uint8_t kind;
	bool is_number; /* only ever seen as a number that might be an address */
	bool noalias;   /* PARAM: nothing but this parameter reaches what it points to, if that is written */
	bool escaped;   /* its address stands in memory, or code that cannot be seen has it */
	uint32_t param, holder;
	int64_t offset;     /* FIELD: of the pointer; BYVAL: size of the parameter */
	LLVMTypeRef type;   /* BYVAL */
	LLVMValueRef value; /* VARIABLE, SHARED, CONSTANT */
	VEC(struct cell) cells;
	VEC(struct copied) copies;
};

struct objects {
	const struct ir *program;
	struct sets *sets;
	VEC(struct object) all;
	struct map by_key;
	bool changed;          /* something was added since the owner cleared it */
	unsigned lookups_left; /* of the question being answered; at 0 the answer is unknown */
};

void objects_init(struct objects *o, const struct ir *program, struct sets *sets);
void objects_release(struct objects *o);

/* Each returns the object's index, the same one for the same arguments. */
uint32_t object_param(struct objects *o, uint32_t param, bool noalias, bool is_number);
uint32_t object_byval(struct objects *o, uint32_t param, LLVMTypeRef type);
uint32_t object_private(struct objects *o, enum object_kind kind, uint32_t instance, uint32_t op, int64_t bytes);

/* Where the address constant `value` points. */
set_id constant_origins(struct objects *o, LLVMValueRef value);

/* What may stand in bytes [offset, offset + bytes) of `object`; adds to *dep who would read something else. */
set_id object_content(struct objects *o, uint32_t object, int64_t offset, int64_t bytes, bool as_pointer, uint8_t *dep);
void object_store(struct objects *o, uint32_t object, int64_t offset, int64_t bytes, set_id set, uint8_t dep);
void object_copy(struct objects *o, uint32_t to, int64_t to_offset, uint32_t from, int64_t from_offset, int64_t bytes);
/* The addresses in `set` are where code that is not seen may find them. */
void objects_escape(struct objects *o, set_id set);
/* What escaped objects hold escapes with them. */
void objects_close_escapes(struct objects *o);

/* Global memory, that verdicts are about. */
static inline bool object_is_global(const struct object *object)
{
	return object->kind <= OBJECT_HEAP;
}

#endif
