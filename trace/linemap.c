/*
 * Open addressing with linear probing: a touch costs one cache line, and touches are nearly the whole cost of a
 * summary.
 */
#include "trace/linemap.h"

#include "common/xalloc.h"

#include <stdlib.h>

static size_t place_of(const struct linemap *map, uint64_t number, uint32_t owner)
{
	uint64_t hash = (number ^ (uint64_t)owner << 40) * 0x9e3779b97f4a7c15ull;

	return (size_t)(hash ^ hash >> 32) & (map->capacity - 1);
}

/* The line's entry, or the free entry where it belongs. */
static struct line *find(const struct linemap *map, uint64_t number, uint32_t owner)
{
	size_t at = place_of(map, number, owner);

	while (map->lines[at].launch && (map->lines[at].number != number || map->lines[at].owner != owner))
		at = (at + 1) & (map->capacity - 1);
	return &map->lines[at];
}

static void grow(struct linemap *map)
{
	struct linemap larger = {.capacity = map->capacity ? map->capacity * 2 : 1024, .len = map->len};

	larger.lines = xcalloc(larger.capacity, sizeof *larger.lines);
	for (size_t i = 0; i < map->capacity; i++)
		if (map->lines[i].launch)
			*find(&larger, map->lines[i].number, map->lines[i].owner) = map->lines[i];
	xfree(map->lines);
	*map = larger;
}

static void settle(struct line *line)
{
	if (line->sharers > line->most_sharers)
		line->most_sharers = line->sharers;
	if (line->sharers > 1)
		line->ever |= line->use == LINE_READ_MARKED ? LINE_SHARED : LINE_SHARED | LINE_SHARED_MIXED;
	line->sharers = 0;
	line->use = 0;
}

void linemap_touch(struct linemap *map, uint64_t number, uint32_t owner, uint32_t launch, uint32_t cta,
		   enum line_use use)
{
	struct line *line;

	if (map->len * 2 >= map->capacity)
		grow(map);
	line = find(map, number, owner);
	if (!line->launch) {
		*line = (struct line){.number = number, .owner = owner};
		map->len++;
	}
	if (line->launch != launch) {
		settle(line);
		line->launch = launch;
	}
	if (!line->sharers || line->cta != cta) {
		line->cta = cta;
		line->sharers++;
	}
	line->use |= (uint8_t)use;
}

void linemap_settle(struct linemap *map)
{
	for (size_t i = 0; i < map->capacity; i++)
		if (map->lines[i].launch)
			settle(&map->lines[i]);
}

void linemap_release(struct linemap *map)
{
	xfree(map->lines);
	*map = (struct linemap){NULL, 0, 0};
}
