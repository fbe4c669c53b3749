/*
 * Finds the row of the exec_*.c tables for an instruction, and chooses the compilation of the tables for this
 * processor.
 */
#include "runtime/cpu/decode/select.h"
#include "runtime/cpu/engine/engine_op.h"

#include <stdlib.h>
#include <string.h>

/* --- Instruction sets of the host --- */

#define DECLARE(set)                                                                                                   \
	EXEC_TABLES(DECLARE_##set)                                                                                     \
	static const struct exec_row *const set##_tables[] = {EXEC_TABLES(LIST_##set)};

#define DECLARE_baseline(NAME, name) extern const struct exec_row exec_##name##_baseline[];
#define LIST_baseline(NAME, name) exec_##name##_baseline,
DECLARE(baseline)
#ifdef ROMARK_HAVE_avx2
#define DECLARE_avx2(NAME, name) extern const struct exec_row exec_##name##_avx2[];
#define LIST_avx2(NAME, name) exec_##name##_avx2,
DECLARE(avx2)
#endif
#ifdef ROMARK_HAVE_avx512
#define DECLARE_avx512(NAME, name) extern const struct exec_row exec_##name##_avx512[];
#define LIST_avx512(NAME, name) exec_##name##_avx512,
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

const struct exec_set *exec_best_set(const char *wanted)
{
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
	for (uint32_t left = engine_ops[key->op].tables; left; left &= left - 1)
		for (const struct exec_row *row = set->tables[__builtin_ctz(left)]; row->op; row++)
			if (row->op == key->op && row->mods == key->mods && row->which == key->which &&
			    row->type[0] == key->type[0] && row->type[1] == key->type[1])
				return row;
	return NULL;
}

/* Several rows may have an instruction's function; the row with the highest fitness names it in the dump. */
static unsigned fitness(const struct exec_row *row, const struct ptx_opcode *opcode, uint16_t variant)
{
	bool same_width =
	    row->type[0] < PTX_TYPE_COUNT && ptx_type_bits(row->type[0]) == ptx_type_bits(opcode->type[0]);

	return 8u * (row->op == engine_ops[opcode->op].rows_of) + 4u * (row->variant == variant) +
	       2u * (row->type[0] == opcode->type[0]) + same_width;
}

const struct exec_row *exec_row_of(const struct exec_set *set, exec_fn exec, const struct ptx_opcode *opcode,
				   uint16_t variant)
{
	const struct exec_row *found = NULL;

	for (unsigned t = 0; t < EXEC_TABLE_COUNT; t++)
		for (const struct exec_row *row = set->tables[t]; row->op; row++)
			if (row->exec == exec &&
			    (!found || fitness(row, opcode, variant) > fitness(found, opcode, variant)))
				found = row;
	return found;
}

/* --- Keys --- */

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

/* The sign matters to loads of less than a register. */
static uint8_t memory_type(uint8_t type, bool loads)
{
	bool is_signed = loads && ptx_type_kind(type) == PTX_KIND_SIGNED;

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

/* These come with any type of their width. */
static bool is_bitwise(uint16_t which)
{
	return which == PTX_MOD_and || which == PTX_MOD_or || which == PTX_MOD_xor || which == PTX_MOD_exch ||
	       which == PTX_MOD_cas;
}

static uint16_t operation_of(const struct ptx_opcode *opcode)
{
	uint16_t compare = opcode->group[PTX_GROUP_COMPARE];

	return compare != PTX_MOD_NONE ? compare : opcode->group[PTX_GROUP_OPERATION];
}

struct exec_key exec_key_of(const struct ptx_opcode *opcode)
{
	const struct engine_op *op = &engine_ops[opcode->op];
	struct exec_key key = {.op = op->rows_of, .type = {opcode->type[0], opcode->type[1]}};

	if (op->key & KEY_OF_FORM)
		BUG("the key of '%s' is made by its form", opcode->text);
	if (opcode->ntypes < 2)
		key.type[1] = PTX_untyped;
	if (opcode->ntypes < 1 || op->key & KEY_NO_TYPE)
		key.type[0] = key.type[1] = PTX_untyped;
	if (op->key & KEY_SECOND) {
		key.type[0] = opcode->type[1];
		key.type[1] = PTX_untyped;
	}
	if (op->key & KEY_WIDTH)
		key.type[0] = width_type(key.type[0]);
	if (!(op->key & KEY_NO_MODS))
		key.mods = meaningful_mods(opcode);
	if (op->key & (KEY_LOAD | KEY_STORE)) {
		key.type[0] = memory_type(key.type[0], op->key & KEY_LOAD);
		key.mods = M_SPACE(opcode->space);
	}
	if (op->key & (KEY_OPERATION | KEY_COMPARISON))
		key.which = operation_of(opcode);
	if (op->key & KEY_COMPARISON)
		key.mods &= ~(M_BIT(HI) | M_BIT(LO));
	if (op->key & KEY_BITWISE && is_bitwise(key.which))
		key.type[0] = width_type(key.type[0]);
	return key;
}
