/* Hash map from 64-bit keys to 32-bit ids, for facts about LLVM values and for interning; open addressing. */
#ifndef ROMARK_PASSES_MAP_H
#define ROMARK_PASSES_MAP_H

#include <stddef.h>
#include <stdint.h>

#define MAP_NONE UINT32_MAX

struct map_slot {
	uint64_t key;
	uint32_t value; /* MAP_NONE = the slot is free */
};

struct map {
	struct map_slot *slots;
	size_t used, cap; /* cap: power of two */
};

#define MAP_INIT {NULL, 0, 0}

/* The value under `key`, or MAP_NONE. */
uint32_t map_get(const struct map *map, uint64_t key);
/* `value` must not be MAP_NONE. Replaces an older value. */
void map_put(struct map *map, uint64_t key, uint32_t value);
void map_release(struct map *map);

static inline uint64_t map_pointer_key(const void *p)
{
	return (uint64_t)(uintptr_t)p;
}

static inline uint64_t map_mix(uint64_t key)
{
	key ^= key >> 32;
	key *= 0x9e3779b97f4a7c15u;
	key ^= key >> 29;
	key *= 0xbf58476d1ce4e5b9u;
	return key ^ (key >> 32);
}

#endif
