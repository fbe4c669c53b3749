/* Each way has a line, the cycle in which it arrives, and when it was asked for last. */
#include "sim-backend/sm/small_cache.h"

#include "common/xalloc.h"

#define NO_LINE UINT64_MAX

struct small_line {
	uint64_t line, there, asked;
};

struct small_cache {
	uint32_t sets, ways;
	uint64_t asks;
	struct small_line *lines; /* [set][way] */
};

struct small_cache *small_cache_create(uint32_t bytes, uint32_t line_bytes)
{
	uint32_t count = bytes >= line_bytes ? bytes / line_bytes : bytes != 0;
	struct small_cache *c;

	if (count == 0)
		return NULL;
	c = xcalloc(1, sizeof *c);
	c->ways = count < SMALL_CACHE_WAYS ? count : SMALL_CACHE_WAYS;
	c->sets = count / c->ways;
	c->lines = xcalloc((size_t)c->sets * c->ways, sizeof *c->lines);
	small_cache_flush(c);
	return c;
}

void small_cache_free(struct small_cache *c)
{
	if (c)
		xfree(c->lines);
	xfree(c);
}

void small_cache_flush(struct small_cache *c)
{
	for (uint32_t i = 0; c && i < c->sets * c->ways; i++)
		c->lines[i].line = NO_LINE;
}

static struct small_line *find(struct small_line *set, uint32_t ways, uint64_t line)
{
	struct small_line *oldest = set;

	for (uint32_t w = 0; w < ways; w++) {
		if (set[w].line == line)
			return &set[w];
		if (set[w].line == NO_LINE || (oldest->line != NO_LINE && set[w].asked < oldest->asked))
			oldest = &set[w];
	}
	return oldest;
}

uint64_t small_cache_ask(struct small_cache *c, uint64_t line, uint64_t cycle, uint32_t miss, uint64_t *misses)
{
	struct small_line *l = find(c->lines + line % c->sets * c->ways, c->ways, line);

	l->asked = ++c->asks;
	if (l->line != line) {
		l->line = line;
		l->there = miss == SMALL_CACHE_COMING ? SMALL_CACHE_LATER : cycle + miss;
		++*misses;
	}
	return l->there > cycle ? l->there : cycle;
}

/* Another line may have taken its place. */
void small_cache_arrived(struct small_cache *c, uint64_t line, uint64_t cycle)
{
	struct small_line *l = find(c->lines + line % c->sets * c->ways, c->ways, line);

	if (l->line == line)
		l->there = cycle;
}
