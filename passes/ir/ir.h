/*
 * A module in the form that the analysis uses: for each function a dense list of operations on numbered values, read
 * from the IR once. An operation is in the list if it can carry or move an address, touch memory, or decide which
 * thread sees which address.
 */
#ifndef ROMARK_PASSES_IR_H
#define ROMARK_PASSES_IR_H

#include "common/vec.h"
#include "passes/ir/effects.h"
#include "passes/sets/map.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

enum op_kind {
	OP_MOVE, /* result = operands 0..nset-1, mixed by `mix`; operand 0 is moved by `bytes`, or all go to OFFSET_ANY
		  */
	OP_ALLOCA,        /* result = a fresh local object of `bytes` */
	OP_MALLOC,        /* result = a fresh heap object */
	OP_NULL,          /* result = a null address; no access goes there */
	OP_OPAQUE,        /* result = an address from anywhere */
	OP_WORKSPACE,     /* result = address of the counter of the grid's barrier, or a part of it */
	OP_LOAD,          /* result = *operand 0; `bytes` wide */
	OP_STORE,         /* *operand 0 = operand 1; `bytes` wide */
	OP_ATOMIC,        /* *operand 0 read and written, with operands 1.. */
	OP_READ,          /* memory at operand 0 is read by an instruction whose result carries no address */
	OP_WRITE,         /* memory at operand 0 is written with what cannot be seen */
	OP_COPY,          /* *operand 0 = *operand 1, `bytes` or OFFSET_ANY */
	OP_ESCAPE,        /* operand 0 may be kept by code that cannot be seen */
	OP_UNKNOWN_WRITE, /* memory is written through addresses that cannot be seen */
	OP_GRID_WAIT,     /* until here the previous grid may have been writing */
	OP_LISTEN,        /* others may have written, and told the kernel so (see `listens`) */
	OP_KEEP,          /* the operands' bits stay in registers that no operand names, for OP_STATE moves */
	OP_CALL,          /* operand 0 = callee, then its arguments */
	OP_RETURN,        /* operand 0, if any, is the function's result */
};

enum op_flag {
	OP_SIMPLE = 1,  /* load, copy: neither volatile nor atomic */
	OP_PRIVATE = 2, /* the address, or the result of a move, is in shared, local, constant or parameter space by its
			   type or its instruction */
	OP_INVARIANT = 4, /* load: the program itself marks the memory as unchanging */
	OP_POINTER = 8,   /* load, store, move: an address by its type, not a number that may be an address */
	OP_FILL = 16,     /* write: of copies of a byte, operand 1 */
	OP_UNSEEN = 32,   /* unknown write: the code may read anything too */
	OP_FETCH = 64,    /* read: from the texture that operand 0 is the handle of */
	OP_SURFACE = 128, /* read, write, atomic: of the surface that operand 0 is the handle of */
	OP_PIECE = 256,   /* move: the result may also be a part of an address */
	OP_WHOLE = 512,   /* move, store: the value is put together from parts of an address */
	OP_EITHER = 1024, /* move: the result is one of the operands */
	OP_PACKED = 2048, /* load, store, copy: not aligned as addresses are */
	OP_PARTS = 4096,  /* load, store, move: of numbers that are narrower than an address */
	OP_NUMBER = 8192, /* load: of what is declared a number, in a structure or an array */
	OP_STATE = 16384, /* move: the result may have bits that an OP_KEEP left */
};

/* How a move changes an address for which a launch looks up a word of memory or of the parameters. */
enum op_recoding {
	OP_RECODED = 1, /* bits are changed, so that an address from memory becomes another number */
	OP_ENCODED = 2, /* with OP_RECODED: by a constant, so that a parameter does too */
	OP_JOINED = 4,  /* with OP_RECODED: bit by bit with another value, which may be a key or a pointer */
};

/* How a move's result contains the bits of the operands; docs/soundness.md explains why. */
enum op_mix {
	MIX_COPY,       /* as they were */
	MIX_SUM,        /* of two */
	MIX_DIFFERENCE, /* of two */
	MIX_JOIN,       /* of two, bit by bit */
	MIX_COMPARE,    /* of two; the result is a number */
	MIX_ROUND,      /* unchanged but for some low bits */
	MIX_PARTS,      /* as parts, multiples or anything else */
};

/* Operand: a local value, or a constant of the program. */
#define OPERAND_CONSTANT (1u << 31) /* | index in program->constants */
#define OPERAND_NONE UINT32_MAX
#define NO_RESULT UINT32_MAX
#define NO_FUNCTION UINT32_MAX

struct op {
	uint8_t kind, dep;
	uint16_t flags;
	uint32_t nset;         /* MOVE: operands whose origins flow to the result */
	uint16_t nbits;        /* MOVE: operands behind the first `nset` that give bits alone */
	uint8_t mix;           /* MOVE: enum op_mix */
	uint8_t recoding;      /* MOVE: enum op_recoding */
	uint32_t result;       /* local value, or NO_RESULT */
	uint32_t first, count; /* operands: program->operands[first..first+count) */
	int64_t bytes;
	LLVMValueRef inst;
};

struct function_code {
	LLVMValueRef value;
	const char *name;
	bool has_body, is_kernel, address_taken;
	uint32_t first_op, nops; /* program->ops */
	uint32_t nargs;          /* the first local values */
	uint32_t nvalues;
};

struct ir {
	LLVMModuleRef module;
	LLVMTargetDataRef layout;
	bool foreign;     /* marks are for another code generator, so only loads that it accepts get a mark */
	bool relocatable; /* other modules may call this module's functions, and it may call theirs */
	VEC(struct function_code) functions;
	VEC(struct op) ops;
	VEC(uint32_t) operands;
	VEC(LLVMValueRef) constants; /* those that contain the address of a variable or a function */
	struct map function_ids;     /* LLVMValueRef -> functions */
	struct map constant_ids;     /* LLVMValueRef -> constants */
};

/* The module outlives the program. Release with ir_release. */
void ir_read(struct ir *p, LLVMModuleRef module, bool relocatable, bool foreign);
void ir_release(struct ir *p);

/* Function id, through aliases, or NO_FUNCTION. */
uint32_t ir_function(const struct ir *p, LLVMValueRef value);
/* Byte offset that a GEP instruction or constant adds to its base, or OFFSET_ANY. */
int64_t ir_gep_offset(const struct ir *p, LLVMValueRef gep);

/* True for calls of inline assembly. Their text spells the loads. */
bool is_assembly(LLVMValueRef inst);

/* True for address 0 of shared memory, where a variable may lie. */
bool ir_is_shared_zero(LLVMValueRef value);

/* Type facts. */
bool type_is_pointer(LLVMTypeRef type);
/* Address spaces of NVPTX. */
enum {
	AS_GENERIC = 0,
	AS_GLOBAL = 1,
	AS_SHARED = 3,
	AS_CONST = 4,
	AS_LOCAL = 5,
	AS_TENSOR = 6,
	AS_SHARED_CLUSTER = 7,
	AS_PARAM = 101,
};

#endif
