/*
 * From PTX to code, inside: a struct decode goes through one function and appends what it means to `insts`.
 *
 *   program.c          which functions, shared and local memory   \
 *   decode.c           one function: registers, blocks            |  each calls only those below
 *   engine_ops.c       what form each opcode has                  |
 *   forms*.c           forms: what the operands mean              |
 *   decode_operands.c  registers, constants, addresses            |
 *   emit_inst.c        an instruction is appended to the code     |
 *   select.c           the exec row of a key                      /
 */
#ifndef ROMARK_CPU_DECODE_H
#define ROMARK_CPU_DECODE_H

#include "common/integer.h"
#include "runtime/cpu/decode/select.h"
#include "runtime/cpu/engine/cpu_module.h"

/* A constant in the pool: `bytes` 4 or 8 per lane, 16, or 1 for a predicate; `ramp` for values that differ by lane. */
struct constant {
	uint64_t value;
	uint32_t offset, next;
	uint8_t bytes, ramp;
};

/* A constant vector that depends on the lane: %laneid and the masks. */
enum ramp { RAMP_NONE, RAMP_LANE, RAMP_EQ, RAMP_LE, RAMP_LT, RAMP_GE, RAMP_GT };

enum { CONSTANT_BUCKETS = 256 };

struct decode {
	struct program *program;
	struct device_module *module;
	const struct exec_set *set;
	struct code *code;
	const struct ptx_function *function;
	const struct ptx_inst *inst;     /* being decoded */
	const uint32_t *register_offset; /* the code's */
	uint32_t frame_bytes, pool_bytes;
	uint32_t scratch_used, scratch[24]; /* scratch registers of the current instruction, 256 bytes each */
	VEC(struct inst) insts;
	VEC(struct inst) after; /* to follow the current instruction: extensions of narrow results */
	VEC(struct constant) constants;
	uint32_t buckets[CONSTANT_BUCKETS];
	uint32_t *block_of;  /* per PTX instruction: our block; one more for the end of the function */
	struct block *block; /* being decoded */
	struct diag *diag;
	bool failed;
};

static inline uint32_t aligned(uint64_t offset, uint32_t align)
{
	return (uint32_t)round_up(offset, align);
}

static inline bool is_signed_type(enum ptx_type type)
{
	return ptx_type_kind(type) == PTX_KIND_SIGNED;
}

/* From one lane to the next in a register of this type. */
static inline unsigned register_lane_bytes(enum ptx_type type)
{
	unsigned bits = ptx_type_bits(type);

	return bits == 1 ? LANE_IS_BIT : bits <= 32 ? 4 : bits / 8;
}

/* --- decode.c --- */

/* Fills the code's register_offset, and frame_bytes with what they take. */
void code_place_registers(struct code *code);
/* Decodes the whole of d->code. Negative when an instruction cannot be decoded: the reason is in d->diag. */
int decode_function(struct decode *d);

/* --- emit_inst.c --- */

/* Sets the error, "what" about the current instruction, once. */
void decode_fail(struct decode *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
void decode_unsupported(struct decode *d);
/* Row for a key, or an error that names the instruction. */
const struct exec_row *decode_find(struct decode *d, const struct exec_key *key);
/* An instruction without operands. */
struct inst decode_no_operands(void);
/* decode_emit appends an instruction of the text, decode_emit_extra one that decoding adds. */
struct inst *decode_emit(struct decode *d, const struct exec_row *row);
struct inst *decode_emit_extra(struct decode *d, const struct exec_key *key);
/* Appends the instruction that `key` means, or `row` is, under its predicate, and what widens its results. */
void decode_finish(struct decode *d, const struct exec_key *key, struct inst *in);
void decode_finish_row(struct decode *d, const struct exec_row *row, struct inst *in);
struct control *decode_new_control(struct decode *d);
/* Appends a control instruction; its predicate becomes an operand, so that it also runs where that does not hold. */
void decode_finish_control(struct decode *d, const struct exec_key *key, struct inst *in);
/* Goes on with the next block. */
void decode_block_end(struct decode *d);

/* --- decode_operands.c --- */

/* Bits of the value that operand `index` of the current instruction holds, from its row; 0 = as the operand is. */
unsigned operand_bits(const struct decode *d, unsigned index);
/* Reference to a value of `bits` bits; appends a conversion when a register is wider. */
uint32_t operand_source(struct decode *d, const struct ptx_operand *op, unsigned bits);
/*
 * Reference to where a value of `bits` bits is written; OPERAND_NONE for `_`. `is_signed`: how a wider register is
 * filled.
 */
uint32_t operand_destination(struct decode *d, const struct ptx_operand *op, unsigned bits, bool is_signed);
/* Predicate; INST_NEGATE is set in *flags for !p. */
uint32_t operand_predicate(struct decode *d, const struct ptx_operand *op, uint16_t *flags);
uint32_t operand_constant(struct decode *d, uint64_t value, unsigned bytes);
/* A register for this instruction only. */
uint32_t operand_scratch(struct decode *d);
/* The meaning of [address]: it goes into `a`, `imm`, `address` and `space` of an instruction. */
struct address {
	uint32_t a;
	int64_t imm;
	enum address_kind kind;
	enum ptx_space space; /* the space as written, or the named variable's */
};
struct address operand_address(struct decode *d, const struct ptx_operand *op, enum ptx_space space);
void inst_set_address(struct inst *in, const struct address *address);
/* Makes the pool. */
void constants_place(struct decode *d);

/* Operand `index` of the current instruction, or one of kind PTX_OPERAND_NONE. */
const struct ptx_operand *operand_at(const struct decode *d, unsigned index);
/*
 * The same as a source or destination with the width in its row of ptx_ops.def. `_` is not allowed as a destination
 * here.
 */
uint32_t operand_plain_source(struct decode *d, unsigned index);
uint32_t operand_plain_destination(struct decode *d, unsigned index);
/* The same as `d|p`: the halves go into d and e of `in`, as OPERAND_NONE where they are absent. */
void operand_pair_destination(struct decode *d, unsigned index, unsigned bits, struct inst *in);
/* Room for operands that `list` of an instruction points to. */
uint32_t *operand_list(struct decode *d, size_t count);

/*
 * --- Forms: the second column of engine_ops.def. Each reads the operands of d->inst and appends what it means, or
 * calls decode_fail() ---
 */

/* forms.c: values */
void decode_plain(struct decode *d);
void decode_bare(struct decode *d);
void decode_extreme(struct decode *d);
void decode_comparison(struct decode *d);
void decode_select(struct decode *d);
void decode_lop3(struct decode *d);
void decode_pair(struct decode *d);
void decode_vote(struct decode *d);
/* forms_memory.c */
void decode_mov(struct decode *d);
void decode_cvta(struct decode *d);
void decode_isspacep(struct decode *d);
void decode_alloca(struct decode *d);
void decode_mapa(struct decode *d);
void decode_getctarank(struct decode *d);
void decode_policy(struct decode *d);
void decode_load(struct decode *d);
void decode_store(struct decode *d);
void decode_atomic(struct decode *d);
/* forms_control.c, decode_calls.c */
void decode_bra(struct decode *d);
void decode_brx(struct decode *d);
void decode_leave(struct decode *d);
void decode_barrier(struct decode *d);
void decode_warp_sync(struct decode *d);
void decode_call(struct decode *d);
/* forms_video.c */
void decode_video(struct decode *d);
void decode_scalar_video(struct decode *d);
/* forms_matrix.c */
void decode_multiply(struct decode *d);
void decode_wmma_move(struct decode *d);
void decode_matrix_rows(struct decode *d);
void decode_movmatrix(struct decode *d);
/* forms_async.c */
void decode_async_copy(struct decode *d);
void decode_bulk_copy(struct decode *d);
void decode_mbarrier(struct decode *d);
/* forms_texture.c */
void decode_texture(struct decode *d);
void decode_image_query(struct decode *d);
void decode_surface(struct decode *d);

#endif
