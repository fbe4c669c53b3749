/* Which row of the exec_*.c tables an instruction means, and which compilation of them this processor runs. */
#include "runtime/cpu/exec/exec.h"

#include <stdlib.h>
#include <string.h>

/* --- Instruction sets of the host --- */

/* clang-format off */
#define TABLES(T) T(integer) T(bits) T(float) T(directed) T(approx) T(half) T(convert) T(compare) T(move) T(memory) \
	T(atomic) T(control) T(warp) T(matrix) T(async) T(video) T(texture)
/* clang-format on */

#define DECLARE(set)                                                                                                   \
	TABLES(DECLARE_##set)                                                                                          \
	static const struct exec_row *const set##_tables[] = {TABLES(LIST_##set) NULL};

#define DECLARE_baseline(name) extern const struct exec_row exec_##name##_baseline[];
#define LIST_baseline(name) exec_##name##_baseline,
DECLARE(baseline)
#ifdef ROMARK_HAVE_avx2
#define DECLARE_avx2(name) extern const struct exec_row exec_##name##_avx2[];
#define LIST_avx2(name) exec_##name##_avx2,
DECLARE(avx2)
#endif
#ifdef ROMARK_HAVE_avx512
#define DECLARE_avx512(name) extern const struct exec_row exec_##name##_avx512[];
#define LIST_avx512(name) exec_##name##_avx512,
DECLARE(avx512)
#endif

#ifdef ROMARK_HAVE_avx2
static bool runs_avx2(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2") &&
	       __builtin_cpu_supports("lzcnt") && __builtin_cpu_supports("f16c");
}
#endif

#ifdef ROMARK_HAVE_avx512
static bool runs_avx512(void)
{
	return runs_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
	       __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
	       __builtin_cpu_supports("avx512cd");
}
#endif

static bool runs_anywhere(void)
{
	return true;
}

/* Best first. */
static const struct {
	struct exec_set set;
	bool (*runs)(void);
} sets[] = {
#ifdef ROMARK_HAVE_avx512
    {{"avx512", avx512_tables}, runs_avx512},
#endif
#ifdef ROMARK_HAVE_avx2
    {{"avx2", avx2_tables}, runs_avx2},
#endif
    {{"baseline", baseline_tables}, runs_anywhere},
};

const struct exec_set *exec_best_set(void)
{
	const char *wanted = getenv("ROMARK_ISA");
	const size_t nsets = sizeof sets / sizeof sets[0];

	for (size_t i = 0; i < nsets; i++)
		if (wanted && strcmp(wanted, sets[i].set.name) == 0 && sets[i].runs())
			return &sets[i].set;
	for (size_t i = 0; i < nsets; i++)
		if (sets[i].runs())
			return &sets[i].set;
	return &sets[nsets - 1].set;
}

const struct exec_row *exec_find(const struct exec_set *set, const struct exec_key *key)
{
	for (const struct exec_row *const *table = set->tables; *table; table++)
		for (const struct exec_row *row = *table; row->op; row++)
			if (row->op == key->op && row->mods == key->mods && row->which == key->which &&
			    row->type[0] == key->type[0] && row->type[1] == key->type[1])
				return row;
	return NULL;
}

/* --- Keys --- */

/* How an opcode's types and modifiers become a key, where it is not by the letter. */
enum key_flag {
	KEY_WIDTH = 1,  /* of the first type only the width matters: .b8 .. .b128 */
	KEY_MEMORY = 2, /* width and, below 32 bits, sign; the state space counts */
	KEY_WHICH = 4,  /* the modifier of PTX_GROUP_COMPARE or PTX_GROUP_OPERATION says the operation */
	KEY_NO_TYPE = 8,
	KEY_NO_MODS = 16,
	KEY_SECOND = 32, /* the second type is what the first is for others */
};

/* clang-format off */
static const struct {
	uint16_t op, flags;
} key_rules[] = {
	{PTX_OP_mov, KEY_WIDTH | KEY_NO_MODS}, {PTX_OP_selp, KEY_WIDTH}, {PTX_OP_slct, KEY_WIDTH}, {PTX_OP_and, KEY_WIDTH},
	{PTX_OP_or, KEY_WIDTH}, {PTX_OP_xor, KEY_WIDTH}, {PTX_OP_not, KEY_WIDTH}, {PTX_OP_cnot, KEY_WIDTH},
	{PTX_OP_shl, KEY_WIDTH}, {PTX_OP_popc, KEY_WIDTH}, {PTX_OP_clz, KEY_WIDTH}, {PTX_OP_brev, KEY_WIDTH},
	{PTX_OP_bfi, KEY_WIDTH}, {PTX_OP_ld, KEY_MEMORY | KEY_NO_MODS}, {PTX_OP_ldu, KEY_MEMORY | KEY_NO_MODS},
	{PTX_OP_st, KEY_MEMORY | KEY_NO_MODS}, {PTX_OP_lop3, KEY_WHICH | KEY_WIDTH}, {PTX_OP_shf, KEY_WHICH},
	{PTX_OP_prmt, KEY_WHICH | KEY_WIDTH}, {PTX_OP_testp, KEY_WHICH}, {PTX_OP_setp, KEY_WHICH},
	{PTX_OP_set, KEY_WHICH | KEY_SECOND}, {PTX_OP_shfl, KEY_WHICH | KEY_WIDTH}, {PTX_OP_vote, KEY_WHICH},
	{PTX_OP_match, KEY_WHICH | KEY_WIDTH}, {PTX_OP_redux, KEY_WHICH}, {PTX_OP_atom, KEY_WHICH},
	{PTX_OP_cvta, KEY_NO_MODS}, {PTX_OP_isspacep, KEY_NO_MODS}, {PTX_OP_activemask, KEY_WIDTH},
	{PTX_OP_prefetch, KEY_NO_MODS}, {PTX_OP_prefetchu, KEY_NO_MODS}, {PTX_OP_fence, KEY_NO_MODS | KEY_NO_TYPE},
	{PTX_OP_membar, KEY_NO_MODS | KEY_NO_TYPE}, {PTX_OP_setmaxnreg, KEY_NO_TYPE | KEY_NO_MODS},
	{PTX_OP_pmevent, KEY_NO_MODS}, {PTX_OP_griddepcontrol, KEY_NO_MODS}, {PTX_OP_bmsk, KEY_WIDTH},
	{PTX_OP_fns, KEY_WIDTH}, {PTX_OP_cp_async_bulk_wait_group, KEY_NO_MODS},
};
/* clang-format on */

static unsigned rules_of(enum ptx_op op)
{
	for (size_t i = 0; i < sizeof key_rules / sizeof key_rules[0]; i++)
		if (key_rules[i].op == op)
			return key_rules[i].flags;
	return 0;
}

static uint8_t width_type(uint8_t type)
{
	switch (ptx_type_bits(type)) {
	case 1: return PTX_pred;
	case 8: return PTX_b8;
	case 16: return PTX_b16;
	case 32: return PTX_b32;
	case 64: return PTX_b64;
	case 128: return PTX_b128;
	default: return type;
	}
}

/* The sign matters to loads. */
static uint8_t memory_type(uint8_t type, enum ptx_op op)
{
	bool is_signed = ptx_type_kind(type) == PTX_KIND_SIGNED && op != PTX_OP_st;

	switch (ptx_type_bits(type)) {
	case 8: return is_signed ? PTX_s8 : PTX_u8;
	case 16: return is_signed ? PTX_s16 : PTX_u16;
	case 32: return PTX_u32;
	case 64: return PTX_u64;
	case 128: return PTX_b128;
	default: return type;
	}
}

static const struct {
	uint16_t mod, bit;
} mod_bits[] = {
#define M(bit, mod) {PTX_MOD_##mod, EXEC_BIT_##bit},
    EXEC_MODS(M)
#undef M
};

static uint64_t meaningful_mods(const struct ptx_opcode *opcode)
{
	uint64_t mods = 0;

	for (size_t i = 0; i < sizeof mod_bits / sizeof mod_bits[0]; i++)
		if (ptx_has_mod(opcode, mod_bits[i].mod))
			mods |= UINT64_C(1) << mod_bits[i].bit;
	return mods;
}

/* The atomic operations on bits come with any type of their width. */
static bool is_bitwise(uint16_t which)
{
	return which == PTX_MOD_and || which == PTX_MOD_or || which == PTX_MOD_xor || which == PTX_MOD_exch ||
	       which == PTX_MOD_cas;
}

struct exec_key exec_key_of(const struct ptx_opcode *opcode)
{
	enum ptx_op op = opcode->op == PTX_OP_red ? PTX_OP_atom : opcode->op == PTX_OP_ldu ? PTX_OP_ld : opcode->op;
	unsigned rules = rules_of(op);
	struct exec_key key = {.op = (uint16_t)op, .type = {opcode->type[0], opcode->type[1]}};

	if (opcode->ntypes < 2)
		key.type[1] = PTX_untyped;
	if (opcode->ntypes < 1 || rules & KEY_NO_TYPE)
		key.type[0] = key.type[1] = PTX_untyped;
	if (rules & KEY_SECOND) {
		key.type[0] = opcode->type[1];
		key.type[1] = PTX_untyped;
	}
	if (rules & KEY_WIDTH)
		key.type[0] = width_type(key.type[0]);
	if (!(rules & KEY_NO_MODS))
		key.mods = meaningful_mods(opcode);
	if (rules & KEY_MEMORY) {
		key.type[0] = memory_type(key.type[0], op);
		key.mods = M_SPACE(opcode->space);
	}
	if (rules & KEY_WHICH) {
		key.which = opcode->group[PTX_GROUP_COMPARE];
		if (op == PTX_OP_setp || op == PTX_OP_set) /* .lo and .hi are comparisons there */
			key.mods &= ~(M_BIT(HI) | M_BIT(LO));
		if (key.which == PTX_MOD_NONE)
			key.which = opcode->group[PTX_GROUP_OPERATION];
	}
	if (op == PTX_OP_atom && (is_bitwise(key.which)))
		key.type[0] = width_type(key.type[0]);
	if (op == PTX_OP_redux && is_bitwise(key.which))
		key.type[0] = width_type(key.type[0]);
	return key;
}
