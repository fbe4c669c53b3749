/*
 * The words of PTX: opcodes, types, modifiers, state spaces and special registers. Each list is a table in a .def file.
 * Also the parts of an instruction's spelling.
 */
#ifndef ROMARK_PTX_VOCABULARY_H
#define ROMARK_PTX_VOCABULARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Base opcodes: PTX_OP_add, PTX_OP_ld, PTX_OP_wmma_load, ... (dots in the name become underscores). */
enum ptx_op {
	PTX_OP_invalid,
#define OP(id, ...) PTX_OP_##id,
#include "ptx-analyzer/language/table/ptx_ops.def"
#undef OP
	PTX_OP_COUNT
};

/* Types: PTX_s32, PTX_f16x2, PTX_pred, ... */
enum ptx_type {
	PTX_untyped,
#define TYPE(id, text, bits, kind) PTX_##id,
#include "ptx-analyzer/language/table/ptx_types.def"
#undef TYPE
	PTX_TYPE_COUNT
};

enum ptx_type_kind {
	PTX_KIND_NONE,
	PTX_KIND_BITS,
	PTX_KIND_UNSIGNED,
	PTX_KIND_SIGNED,
	PTX_KIND_FLOAT,
	PTX_KIND_PRED,
	PTX_KIND_OPAQUE
};

/* Modifiers that are neither types nor spaces: PTX_MOD_sat, PTX_MOD_ftz, PTX_MOD_rn, PTX_MOD_lo, PTX_MOD_eq, ... */
enum ptx_mod {
	PTX_MOD_NONE,
#define MOD(id, text, group) PTX_MOD_##id,
#include "ptx-analyzer/language/table/ptx_mods.def"
#undef MOD
	PTX_MOD_COUNT
};

/* The subject of a modifier. As a rule an opcode has at most one modifier of a group, so it keeps one per group. */
enum ptx_mod_group {
	PTX_GROUP_OTHER,
	PTX_GROUP_COMPARE,   /* .eq .ne .lt ... .num .nan */
	PTX_GROUP_OPERATION, /* what atom, setp, vote, shfl, prmt ... do: .add .and .ballot .bfly .rc16 ... */
	PTX_GROUP_ROUND,     /* .rn .rz .rm .rp .rni .rzi .rmi .rpi .approx .full */
	PTX_GROUP_SCOPE,     /* .cta .cluster .gpu .sys */
	PTX_GROUP_ORDER,     /* .weak .relaxed .acquire .release .acq_rel .volatile .mmio .sc */
	PTX_GROUP_CACHE,     /* .ca .cg .cs .lu .cv .wb .wt */
	PTX_GROUP_MARK,      /* .nc .ro: beside a cache operator */
	PTX_GROUP_HINT,      /* .L1:: and .L2:: hints; an opcode may have several, so use ptx_has_mod */
	PTX_GROUP_HALF,      /* .hi .lo .wide */
	PTX_GROUP_VEC,       /* .v2 .v4 .v8 */
	PTX_GROUP_SHAPE,     /* .m16n16k16 .x1 .x2 .1d ... */
	PTX_GROUP_COUNT
};

enum ptx_space {
	PTX_SPACE_GENERIC, /* none written */
	PTX_SPACE_REG,
	PTX_SPACE_CONST,
	PTX_SPACE_GLOBAL,
	PTX_SPACE_LOCAL,
	PTX_SPACE_PARAM,
	PTX_SPACE_SHARED,
	PTX_SPACE_TEX,
	PTX_SPACE_COUNT
};

/* Special registers: PTX_SREG_tid_x, PTX_SREG_laneid, ... */
enum ptx_sreg {
	PTX_SREG_NONE,
#define SREG(id, text, type) PTX_SREG_##id,
#include "ptx-analyzer/language/table/ptx_sregs.def"
#undef SREG
	PTX_SREG_COUNT
};

/* --- The rows of ptx_ops.def --- */

/* The role of an opcode's operand; a letter for each in a row's signature (see ptx_ops.def). */
enum ptx_role {
	PTX_ROLE_NONE,
	PTX_ROLE_DST,     /* written */
	PTX_ROLE_SRC,     /* read */
	PTX_ROLE_DSTSRC,  /* read and written */
	PTX_ROLE_LOAD,    /* address, memory there is read */
	PTX_ROLE_STORE,   /* address, memory there is written */
	PTX_ROLE_ATOMIC,  /* address, memory there is read and written at once */
	PTX_ROLE_ADDRESS, /* address that no memory access follows (prefetch, cvta of a symbol) */
	PTX_ROLE_LABEL,
	PTX_ROLE_CALLEE,
};

/* The functional unit that an instruction occupies in the machine model. */
/* clang-format off */
enum ptx_class {
	PTX_CLASS_INT, PTX_CLASS_FP32, PTX_CLASS_FP64, PTX_CLASS_FP16, PTX_CLASS_SFU, PTX_CLASS_TENSOR,
	PTX_CLASS_MOVE, PTX_CLASS_CONVERT, PTX_CLASS_LOAD, PTX_CLASS_STORE, PTX_CLASS_ATOMIC, PTX_CLASS_ASYNC,
	PTX_CLASS_TEXTURE, PTX_CLASS_BARRIER, PTX_CLASS_FENCE, PTX_CLASS_BRANCH, PTX_CLASS_CALL, PTX_CLASS_RETURN,
	PTX_CLASS_EXIT, PTX_CLASS_WARP, PTX_CLASS_OTHER
};
/* clang-format on */

/* One row, the same for every spelling of a base opcode. */
struct ptx_op_info {
	const char *name;      /* "wmma.load" */
	const char *signature; /* roles of the operands, see ptx_ops.def */
	enum ptx_class cls;    /* for integer forms; ptx_opcode.cls has the type folded in */
	const char *types;     /* number of type suffixes */
	const char *operands;  /* the rule for each operand */
	const char *mods;      /* modifiers that it may have */
	const char *facts;     /* what marks depend on, a letter for each; "" for most */
};
extern const struct ptx_op_info ptx_op_table[PTX_OP_COUNT];

/* --- Spellings --- */

/*
 * One distinct spelling, "ld.global.v4.f32", shared by every instruction of the module that is spelled so.
 * Modifiers keep their order in `text`; the decoded fields do not depend on it.
 */
struct ptx_opcode {
	enum ptx_op op;
	const char *text;
	uint8_t ntypes, type[6];                  /* in the order written: cvt.f32.s32 = {f32, s32} */
	uint8_t space, space2;                    /* first and second state space written (cp.async.shared.global) */
	uint8_t vec;                              /* 1, 2, 4, 8 */
	uint8_t cls;                              /* enum ptx_class with the type taken into account */
	uint16_t group[PTX_GROUP_COUNT];          /* the last modifier of each group, or PTX_MOD_NONE */
	uint64_t mods[(PTX_MOD_COUNT + 63) / 64]; /* set of all modifiers */
};

static inline bool ptx_has_mod(const struct ptx_opcode *opcode, enum ptx_mod mod)
{
	return opcode->mods[mod / 64] >> (mod % 64) & 1;
}

/* --- Names and properties --- */

const char *ptx_type_name(enum ptx_type type);
unsigned ptx_type_bits(enum ptx_type type);
enum ptx_type_kind ptx_type_kind(enum ptx_type type);
/* PTX_untyped if there is no such type. */
enum ptx_type ptx_type_by_name(const char *text, size_t len);
const char *ptx_mod_name(enum ptx_mod mod);
const char *ptx_space_name(enum ptx_space space);
const char *ptx_sreg_name(enum ptx_sreg sreg);

#endif
