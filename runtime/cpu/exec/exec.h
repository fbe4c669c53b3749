/*
 * Tables of instruction behaviour. Each exec_*.c file is compiled once per instruction set of the host and exports a
 * table. A row gives the spelling of an opcode and the function that executes it:
 *
 *   {PTX_OP_add, {PTX_f32}, PTX_MOD_NONE, M_FTZ | M_SAT, add_f32_ftz_sat}
 *
 * An instruction is supported if and only if a row has its opcode, types, operation and meaningful modifiers. Its
 * opcode's row in engine_ops.def simplifies these first: a type whose width alone matters becomes .b8 .. .b128, and .rn
 * is dropped, since it is the default.
 */
#ifndef ROMARK_CPU_EXEC_H
#define ROMARK_CPU_EXEC_H

#include "runtime/cpu/engine/engine.h"

/* Modifiers that change what an instruction computes: M(bit, PTX modifier). */
/* clang-format off */
#define EXEC_MODS(M)                                                                                                   \
	M(FTZ, ftz) M(SAT, sat) M(RZ, rz) M(RM, rm) M(RP, rp) M(RNA, rna) M(RNI, rni) M(RZI, rzi) M(RMI, rmi)          \
	M(RPI, rpi) M(APPROX, approx) M(FULL, full) M(HI, hi) M(LO, lo) M(WIDE, wide) M(CC, cc) M(CLAMP, clamp)        \
	M(WRAP, wrap) M(SHIFTAMT, shiftamt) M(NAN_, NaN) M(XORSIGN, xorsign) M(ABS, abs) M(RELU, relu)                 \
	M(SATFINITE, satfinite) M(NOFTZ, noftz) M(PO, po) M(SHR7, shr7) M(SHR15, shr15) M(TRANS, trans)                \
	M(PARITY, parity) M(NOCOMPLETE, noComplete) M(EXPECT_TX, expect_tx) M(NOINC, noinc)                            \
	M(OOB, oob) M(SCALED, scaled) M(RS, rs) M(SP, sp) M(A, a) M(B, b) M(C, c) M(D, d) M(TO, to) M(BLOCK_SCALE, block_scale)
/* clang-format on */

enum exec_mod_bit {
#define M(bit, mod) EXEC_BIT_##bit,
	EXEC_MODS(M)
#undef M
	/* Added by select.c: the state space of a memory instruction, and setp with a second predicate. */
	EXEC_BIT_COMBINED,
	EXEC_BIT_SPACE,
};

#define M_BIT(bit) (UINT64_C(1) << EXEC_BIT_##bit)
#define M_SPACE(space) (UINT64_C(1) << (EXEC_BIT_SPACE + (space)))

struct exec_row {
	uint16_t op;     /* enum ptx_op; 0 ends a table */
	uint8_t type[2]; /* PTX_untyped where the opcode has none */
	uint16_t which;  /* operation: the modifier of PTX_GROUP_COMPARE or PTX_GROUP_OPERATION, or PTX_MOD_NONE */
	uint64_t mods;   /* M_BIT(..) and M_SPACE(..) */
	exec_fn exec;
	uint16_t variant; /* becomes inst->variant */
};

/*
 * Forms of mov by their operands, in place of a second type: vectors in and out (_2: of two), vectors into vectors,
 * local addresses, clocks.
 */
enum {
	PTX_MOV_PACK = PTX_TYPE_COUNT,
	PTX_MOV_PACK_2,
	PTX_MOV_UNPACK,
	PTX_MOV_UNPACK_2,
	PTX_MOV_VECTOR,
	PTX_MOV_LOCAL,
	PTX_MOV_CLOCK
};

/* The tables, one for each exec_*.c file: T(NAME, name). */
/* clang-format off */
#define EXEC_TABLES(T) T(INTEGER, integer) T(BITS, bits) T(FLOAT, float) T(DIRECTED, directed) T(APPROX, approx)       \
	T(HALF, half) T(CONVERT, convert) T(COMPARE, compare) T(MOVE, move) T(MEMORY, memory) T(ATOMIC, atomic)        \
	T(CONTROL, control) T(WARP, warp) T(MATRIX, matrix) T(ASYNC, async) T(VIDEO, video) T(TEXTURE, texture)
/* clang-format on */

enum exec_table {
#define T(NAME, name) TABLE_##NAME,
	EXEC_TABLES(T)
#undef T
	    EXEC_TABLE_COUNT
};

/* Sets of them, for the last column of engine_ops.def. */
enum exec_table_bit {
#define T(NAME, name) IN_##NAME = 1 << TABLE_##NAME,
	EXEC_TABLES(T)
#undef T
};

/* The tables for one instruction set of the host, by enum exec_table. */
struct exec_set {
	const char *name;
	const struct exec_row *const *tables;
};

#endif
