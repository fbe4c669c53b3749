/*
 * The memory that a kernel can name, as objects, and what may be stored in it.
 *
 * Private objects (locals, shared variables, the heap, by-value parameters) remember what was stored where. For an
 * object of global memory there is a further object: the target of the pointers in it.
 */
#ifndef ROMARK_PASSES_OBJECTS_H
#define ROMARK_PASSES_OBJECTS_H

#include "passes/ir/ir.h"
#include "passes/sets/origin_sets.h"

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
	OBJECT_PART,      /* no memory: origin of a number that may be a part of an address; always object 1 */
	OBJECT_NULL,      /* no memory: what a null pointer handed to a function reaches; always object 2 */
	OBJECT_MIXED,     /* not memory: bits of a pointer without a name; always object 3 */
	OBJECT_WORKSPACE, /* where the driver counts arrivals at the grid's barrier: no launch can pass its address */
};

enum { UNKNOWN_OBJECT, PART_OBJECT, NULL_OBJECT, MIXED_OBJECT };

/* Origins of a value, and which pointers' bits went into it in other ways (pointer_bits.h). */
struct ir_value {
	set_id set, beside;
};

/* Bytes of an object that are read or written as one value. */
struct span {
	int64_t offset, bytes; /* OFFSET_ANY = anywhere */
	bool is_pointer;       /* the value is a pointer by its type */
	bool is_number;        /* it is declared a number, in a structure or an array */
	bool has_parts;        /* its elements are narrower than an address */
	bool is_packed;        /* it may lie across two aligned addresses */
};

struct cell {
	struct span at;
	struct ir_value value;
	uint8_t dep;
};

#define NO_ANSWER UINT32_MAX

/* Possible contents of the bytes `at` of an object, at a depth of so many copies from the question. */
struct answer {
	uint32_t depth;
	uint32_t next; /* the object's other answers, or NO_ANSWER */
	struct span at;
	struct ir_value value;
	uint8_t dep;
};

/* Bytes [to, to + bytes) were copied from byte `from` of `source`. */
struct copied {
	int64_t to, bytes, from;
	uint32_t source;
	bool is_packed;
};

struct object {
	uint8_t kind;
	bool is_number; /* so far always an integer and never used as an address; it may still be one */
	bool is_base;   /* PARAM, FIELD: memory is accessed through it */
	bool is_kin;    /* POINTEE: words of that memory were used as pointers, other than for accesses */
	bool noalias;   /* PARAM: if what it points to is written, all accesses go through this parameter */
	bool escaped;   /* its address was stored in memory, or given to code that cannot be seen */
	uint32_t param, holder;
	int64_t offset;   /* FIELD: of the pointer; BYVAL: size of the parameter; POINTEE: of the only pointer to it, or
			     OFFSET_ANY */
	LLVMTypeRef type; /* BYVAL */
	LLVMValueRef value; /* VARIABLE, SHARED, CONSTANT */
	VEC(struct cell) cells;
	VEC(struct copied) copies;
	uint64_t question;     /* number of the last question that reached it through copies */
	uint32_t first_answer; /* the first answer to that question, in `answers` */
};

struct objects {
	const struct ir *program;
	struct sets *sets;
	VEC(struct object) all;
	struct map by_key;
	struct map bits;            /* set of origins -> its bits */
	set_id kept;                /* bits in registers that no operand names: the carry flag and the like */
	uint8_t kept_dep;           /* what these depend on */
	set_id published;           /* bits of numbers that were stored where another name may find them */
	set_id parted;              /* pointers whose bits may be in a number that does not have them as an origin */
	bool private_lost;          /* an address that is no longer followed points to a local or shared variable */
	bool changed;               /* something was added since the owner cleared it */
	unsigned lookups_left;      /* left for the current question; at 0 the answer is unknown */
	uint64_t question;          /* number of the current question */
	VEC(struct answer) answers; /* to it, of what it has come to through copies */
};

void objects_init(struct objects *o, const struct ir *program, struct sets *sets);
void objects_release(struct objects *o);

/* Each returns the object's index. The same arguments give the same object. */
uint32_t object_param(struct objects *o, uint32_t param, bool noalias, bool is_number);
uint32_t object_byval(struct objects *o, uint32_t param, LLVMTypeRef type);
uint32_t object_workspace(struct objects *o);
uint32_t object_private(struct objects *o, enum object_kind kind, uint32_t instance, uint32_t op, int64_t bytes);

/* The pointer at byte `offset` of a by-value parameter. */
uint32_t object_field(struct objects *o, uint32_t byval, int64_t offset, bool as_pointer);
/*
 * The target of the pointers in `holder`, or of the one that a load of `at` brings where pointers are told apart. A
 * pointee's pointee also includes all further levels.
 */
uint32_t object_pointee_of(struct objects *o, uint32_t holder, struct span at);

/* The object of a parameter, a field or a pointee is used as an address, and no number. */
void object_take_as_address(struct objects *o, uint32_t object);
/* True if some origin is an address, not a number that may be one. */
bool has_address(const struct objects *o, set_id set);

set_id unknown_origins(struct objects *o);
/*
 * The origin of parts of addresses: of values loaded with fewer bytes than an address has. In a sum with a whole
 * address a part is an index. Alone, or together with other parts, it may be any address.
 */
set_id part_origins(struct objects *o);
/*
 * The origins of a value that is either `a` or `b`, as in `flag ? a : b`, or in a place in memory to which both were
 * stored. If one of them is an address, so is the other, even if it was an integer so far: in `flag ? pointer : number`
 * the number becomes an address. In `pointer + number` the number is an index.
 */
set_id either_origins(struct objects *o, set_id a, set_id b);
/* The origins of `set`, used as an address: without PART, or unknown if there is nothing else. */
set_id address_origins(struct objects *o, set_id set);
/* `set` after several values were put together: with a part among them, the result may be any address. */
set_id whole_origins(struct objects *o, set_id set);

/*
 * The origins after bits of the value were changed. At a launch a guard looks up pointers in memory by their stored
 * bits. So a value made from such a pointer becomes a part: it may be an index to a whole address, and used as an
 * address it may point anywhere. With OP_ENCODED in `flags`, pointers in parameters become parts, too. With OP_JOINED,
 * so do the values that were joined with such a part.
 */
set_id recoded_origins(struct objects *o, set_id set, unsigned flags);

/* The target of the address constant `value`. */
set_id constant_origins(struct objects *o, LLVMValueRef value);

/* The possible contents of the bytes. Adds the threads that may see another value there to *dep. */
struct ir_value object_content(struct objects *o, uint32_t object, struct span at, uint8_t *dep);
void object_store(struct objects *o, uint32_t object, struct cell cell);
void object_copy(struct objects *o, uint32_t to, struct copied copied);
/* The bits may be in what is loaded from any memory that other names reach. */
void objects_publish(struct objects *o, set_id bits);
/* Code that is not seen can now find the addresses in `set`. */
void objects_escape(struct objects *o, set_id set);
/* Locals, shared variables and by-value parameters lie beside each other: the addresses of all escape. */
void objects_escape_private(struct objects *o);
/* Address of shared or local memory that is made of a number. */
set_id private_origins(struct objects *o);
/* Whatever an escaped object holds escapes too. */
void objects_close_escapes(struct objects *o);

/* True for global memory. Only such objects get verdicts. */
static inline bool object_is_global(const struct object *object)
{
	return object->kind <= OBJECT_HEAP;
}

/* True if others write the object, and read what the kernel writes. Then its contents are unknown. */
static inline bool object_is_open(const struct object *object)
{
	return object->kind < OBJECT_HEAP || object->kind == OBJECT_WORKSPACE;
}

/* True for memory of the thread or of the CTA. */
static inline bool object_is_private(const struct object *object)
{
	return object->kind == OBJECT_BYVAL || object->kind == OBJECT_LOCAL || object->kind == OBJECT_SHARED;
}

#endif
