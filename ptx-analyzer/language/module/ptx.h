/*
 * PTX as data: the module, function, block and instruction structures that the parser fills, the analysis reads,
 * the rewriter edits and the CPU device executes. language/text/ptx_text.h makes a module of text, and text of it.
 *
 *   struct ptx_function *f = ptx_find_function(m, "saxpy");
 *
 * Everything a module points to lives in its arena and ends with it. Ids (registers, symbols, blocks, instructions)
 * are dense indices into the arrays named beside them, so that passes keep their facts in plain arrays.
 */
#ifndef ROMARK_PTX_H
#define ROMARK_PTX_H

#include "common/arena.h"
#include "common/diag.h"
#include "common/strbuf.h"
#include "ptx-analyzer/language/table/vocabulary.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PTX_NONE UINT32_MAX /* "no register, symbol, block, ..." */

/* --- Instructions --- */

enum ptx_operand_kind {
	PTX_OPERAND_NONE,
	PTX_OPERAND_REG,    /* id = register */
	PTX_OPERAND_SREG,   /* id = enum ptx_sreg */
	PTX_OPERAND_INT,    /* imm */
	PTX_OPERAND_F32,    /* imm = bits of the float */
	PTX_OPERAND_F64,    /* imm = bits of the double */
	PTX_OPERAND_SYMBOL, /* id = symbol; imm = byte offset: address of a variable, a function, or a .param by name */
	PTX_OPERAND_LABEL,  /* id = label */
	PTX_OPERAND_MEM,    /* [base + imm]: elems[0] is the base (REG, SYMBOL or INT), imm the byte offset;
			     * [sym + %r]: count = 2 and elems[1] is the register */
	PTX_OPERAND_VEC,    /* {a, b, ...}: count elements in elems */
	PTX_OPERAND_PAIR,   /* p|q: elems[0], elems[1] */
	PTX_OPERAND_TEX,    /* [tex, {coordinates}] or [tex, sampler, {..}]: count elements in elems */
	PTX_OPERAND_LIST,   /* (a, b, ...) of a call: count elements in elems */
	PTX_OPERAND_SINK,   /* _ */
};

enum ptx_operand_flag {
	PTX_FLAG_NOT = 1,       /* !p */
	PTX_FLAG_NEGATIVE = 2,  /* -%r1 */
	PTX_FLAG_COMPONENT = 4, /* %r1.b0: part of a register; `elems` is the suffix "b0" as char * */
};

struct ptx_operand {
	uint8_t kind, flags;
	uint16_t count;
	uint32_t id;
	int64_t imm;
	struct ptx_operand *elems;
};

struct ptx_inst {
	const struct ptx_opcode *opcode;
	struct ptx_operand *operands; /* in the order written */
	uint16_t noperands;
	bool predicate_not;    /* @!p */
	uint32_t predicate;    /* predicate register, or PTX_NONE */
	uint32_t line, column; /* in the PTX text, 1-based */
	uint32_t loc;          /* index in module->locs of the .loc in force, or PTX_NONE */
	uint32_t block;        /* filled by ptx_build_cfg (ptx-analyzer/flow/cfg.h) */
};

/* Source position given by .loc; `inlined_at` chains to the call site, or PTX_NONE. */
struct ptx_loc {
	uint32_t file, line, column, inlined_at;
};

/* --- Symbols and registers --- */

enum ptx_symbol_kind {
	PTX_SYMBOL_VARIABLE,
	PTX_SYMBOL_FUNCTION,
	PTX_SYMBOL_PARAM,
	PTX_SYMBOL_RETURN,
	PTX_SYMBOL_PROTOTYPE,
	PTX_SYMBOL_TARGETS
};

enum ptx_linkage { PTX_LINK_NONE, PTX_LINK_VISIBLE, PTX_LINK_EXTERN, PTX_LINK_WEAK, PTX_LINK_COMMON };

/* A pointer or function address inside an initialiser: bytes [offset, offset + 8) = address of `symbol` + `addend`. */
struct ptx_reloc {
	uint64_t offset;
	uint32_t symbol;
	bool generic; /* generic(sym) rather than sym */
	uint8_t size; /* bytes written: 8, or fewer where an element or `mask` has fewer */
	int64_t addend;
	uint64_t mask; /* of a lone `0xFF00(sym)`: (address & mask) shifted down to bit 0; 0 = the whole address. Eight
			* masked bytes in a row that make up an address are one reloc without a mask. */
};

/* The signature that .callprototype gives to functions called through a register. */
struct ptx_prototype {
	uint32_t *params, nparams;   /* symbol ids */
	uint32_t *returns, nreturns; /* symbol ids */
	bool noreturn;
	uint32_t abi_preserve, abi_preserve_control; /* 1 + the number written, 0 = not written */
};

/* Variable, parameter or function. Ids are indices in module->symbols, also for symbols of functions. */
struct ptx_symbol {
	const char *name;
	uint8_t kind, space, type, linkage;
	uint32_t function;         /* owner of a param or local variable: index in module->functions; else PTX_NONE */
	uint32_t align;            /* bytes; at least the type's own */
	uint64_t size;             /* bytes; 0 for `extern .shared x[]` */
	bool is_array, is_pointer; /* is_pointer: `.ptr` was written */
	bool managed;              /* .attribute(.managed) */
	uint8_t pointer_space;     /* of `.ptr .global` */
	uint32_t pointer_align;
	uint32_t param_index;  /* 0-based, for PARAM and RETURN */
	uint64_t param_offset; /* byte offset in the kernel's parameter buffer */
	uint32_t callee;       /* FUNCTION: index in module->functions */
	const uint8_t *init;   /* size bytes, or NULL for zero */
	struct ptx_reloc *relocs;
	size_t nrelocs;
	uint8_t vec;                 /* 1, or 2, 4 of `.v4 .f32` */
	uint32_t reg;                /* PARAM, RETURN in space REG: the register it is */
	uint32_t *targets, ntargets; /* TARGETS: label ids of .branchtargets, or function symbols of .calltargets */
	bool targets_are_labels;
	struct ptx_prototype *prototype; /* PROTOTYPE */
	const char *attribute;           /* text inside .attribute( ), or NULL */
	const char *fields; /* text of a `{ filter_mode = linear, ...}` initialiser of a sampler, or NULL */
	uint32_t line;
};

struct ptx_reg {
	/* "%r12"; NULL until someone asks for a register of a `%r<100>` declaration by ptx_reg_name */
	const char *name;
	uint8_t type;
	uint32_t decl;  /* declaration it comes from: index in function->reg_decls */
	uint32_t index; /* number in a `%r<100>` declaration; components of a vector have the same one */
};

/*
 * `.reg .b32 %r<100>;` (count = 100) or `.reg .pred p;` (count = 0). A vector is as many registers as it has
 * components, one behind the other: of `.reg .v2 .u32 v<3>`, v1.y is register first + 3. If the text names the whole
 * vector, the operand is a PTX_OPERAND_VEC of its components.
 */
struct ptx_reg_decl {
	const char *name;
	uint32_t first, count; /* registers [first, first + max(count, 1) * vec) */
	uint8_t type, vec;
};

/* --- Functions --- */

struct ptx_block {
	uint32_t first, count; /* instructions [first, first + count) */
	uint32_t *succ;        /* successors; for a predicated branch succ[0] = taken, succ[1] = fall through */
	uint32_t nsucc;
	uint32_t *pred;
	uint32_t npred;
	uint32_t ipdom; /* immediate post-dominator: block id, or PTX_NONE = function exit */
	uint32_t meet;  /* where threads that part at its end meet: ipdom, or a block before it, see flow/meet.c */
	uint32_t rpo;   /* position in reverse post-order */
	bool reachable;
};

struct ptx_directive;  /* .maxntid, .noreturn, ... for the printer */
struct ptx_decoration; /* what the printer needs beside instructions: labels, scopes, declarations, .loc */

struct ptx_function {
	const char *name;
	struct ptx_module *module;
	uint32_t symbol;
	bool is_kernel, is_declaration;
	uint8_t linkage;
	uint32_t *params, nparams;                              /* symbol ids */
	uint32_t *returns, nreturns;                            /* symbol ids */
	uint64_t param_bytes;                                   /* size of the kernel's parameter buffer */
	uint32_t maxntid[3], reqntid[3], minnctapersm, maxnreg; /* 0 = not written */
	bool noreturn;
	const char *attribute; /* text inside .attribute( ), or NULL */

	struct ptx_inst *insts;
	uint32_t ninsts;
	struct ptx_reg *regs;
	uint32_t nregs;
	struct ptx_reg_decl *reg_decls;
	uint32_t nreg_decls;
	uint32_t *labels; /* label id -> index of the instruction that it precedes (ninsts = at the end) */
	const char **label_names;
	uint32_t nlabels;
	uint32_t *variables; /* symbol ids of .local/.shared/.param variables declared inside */
	uint32_t nvariables;
	struct ptx_decoration *decorations;
	uint32_t ndecorations;
	struct ptx_directive *directives;
	uint32_t ndirectives;

	struct ptx_block *blocks; /* by ptx_build_cfg; blocks[0] is the entry */
	uint32_t nblocks;
	uint32_t line;
};

struct ptx_module {
	struct arena arena;
	const char *file;
	unsigned version_major, version_minor, address_size;
	const char *target; /* "sm_75" or the list as written */
	struct ptx_function *functions;
	uint32_t nfunctions;
	struct ptx_symbol *symbols;
	uint32_t nsymbols;
	struct ptx_loc *locs;
	uint32_t nlocs;
	const char **files; /* .file number -> name, NULL where absent */
	uint32_t nfiles;
	void *private_; /* parser and printer state: interned opcodes, order of top-level items */
};

/* --- Calls --- */

void ptx_module_free(struct ptx_module *m);

struct ptx_function *ptx_find_function(const struct ptx_module *m, const char *name);
const struct ptx_symbol *ptx_find_symbol(const struct ptx_module *m, const char *name); /* module level */
/* The only pragma in the function's body whose text begins so; NULL if there is none, or another. */
const char *ptx_find_pragma(const struct ptx_function *f, const char *begin);
/* Kept in the module's arena; not for several threads at once. */
const char *ptx_reg_name(const struct ptx_function *f, uint32_t reg);
/* The opcode spelled `text`, interned in the module; NULL when it is not valid PTX. For rewriting. */
const struct ptx_opcode *ptx_intern_opcode(struct ptx_module *m, const char *text);

/* Role of operand `index` of an instruction, from its row. */
enum ptx_role ptx_operand_role(const struct ptx_inst *inst, unsigned index);
/* Bytes that one lane moves: type size times vector length, of a load, store or atomic. */
unsigned ptx_access_bytes(const struct ptx_inst *inst);

#endif
