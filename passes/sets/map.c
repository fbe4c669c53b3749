/* Linear probing at most two thirds full; keys are never removed. */
#include "passes/sets/map.h"

#include "common/xalloc.h"

#include <stdlib.h>

static struct map_slot *find_slot(const struct map *map, uint64_t key)
{
	size_t at = map_mix(key) & (map->cap - 1);

	while (map->slots[at].value != MAP_NONE && map->slots[at].key != key)
		at = (at + 1) & (map->cap - 1);
	return &map->slots[at];
}

uint32_t map_get(const struct map *map, uint64_t key)
{
	return map->cap ? find_slot(map, key)->value : MAP_NONE;
}

static void grow(struct map *map)
{
	struct map old = *map;

	map->cap = old.cap ? old.cap * 2 : 64;
	map->slots = xmalloc(map->cap * sizeof *map->slots);
	for (size_t i = 0; i < map->cap; i++)
		map->slots[i] = (struct map_slot){0, MAP_NONE};
	for (size_t i = 0; i < old.cap; i++)
		if (old.slots[i].value != MAP_NONE)
			*find_slot(map, old.slots[i].key) = old.slots[i];
	free(old.slots);
}

void map_put(struct map *map, uint64_t key, uint32_t value)
{
	struct map_slot *slot;

	if (map->used * 3 >= map->cap * 2)
		grow(map);
	slot = find_slot(map, key);
	if (slot->value == MAP_NONE)
		map->used++;
	*slot = (struct map_slot){key, value};
}

void map_release(struct map *map)
{
	free(map->slots);
	*map = (struct map)MAP_INIT;
}
