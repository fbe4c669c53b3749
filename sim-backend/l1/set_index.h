/* The set of a line: its low bits, these XORed with the bits above, or GTX 480's hash. */
#ifndef ROMARK_SIM_SET_INDEX_H
#define ROMARK_SIM_SET_INDEX_H

#include "common/integer.h"
#include "sim-backend/l1/l1.h"

struct set_index {
	uint32_t sets, sets_log2;
	uint32_t kind; /* enum l1_index */
	bool plain;    /* the low bits of the line */
};

static inline struct set_index set_index_of(const struct l1_config *config)
{
	uint32_t sets = l1_sets(config);

	return (struct set_index){.sets = sets,
				  .sets_log2 = 31 - (uint32_t)__builtin_clz(sets | 1),
				  .kind = config->index,
				  .plain = config->index == L1_INDEX_LINEAR && is_power_of_two(sets)};
}

/*
 * GTX 480's index of 32 or 64 sets (Nugteren et al., HPCA 2014): address bits 7 to 11 XORed with 13, 14, 15, 17 and 19;
 * of 64 sets, bit 12 is the top bit.
 */
static inline uint32_t set_index_fermi(uint64_t line, uint32_t sets)
{
	uint32_t upper = (uint32_t)((line >> 6 & 7) | (line >> 10 & 1) << 3 | (line >> 12 & 1) << 4);

	return (((uint32_t)line & 31) ^ upper) | ((uint32_t)line & (sets - 1) & 32);
}

static inline uint32_t set_index_hashed(const struct set_index *i, uint64_t line)
{
	if (i->kind == L1_INDEX_FERMI)
		return set_index_fermi(line, i->sets);
	if (i->kind == L1_INDEX_XOR && i->sets > 1)
		line ^= line >> i->sets_log2 ^ line >> 2 * i->sets_log2;
	return (uint32_t)(line % i->sets);
}

static inline uint32_t set_index(const struct set_index *i, uint64_t line)
{
	return i->plain ? (uint32_t)line & (i->sets - 1) : set_index_hashed(i, line);
}

#endif
