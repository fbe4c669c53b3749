/*
 * A cache of lines that are only read, for constants and for instructions: which lines an SM has, and when a line that
 * it asked for is there. A miss takes a fixed time and no bandwidth. Sets of SMALL_CACHE_WAYS ways, LRU.
 *
 *   struct small_cache *c = small_cache_create(2048, 64);
 *   uint64_t there = small_cache_ask(c, address / 64, cycle, 100, &misses);      // cycle, or up to 100 cycles later
 */
#ifndef ROMARK_SIM_SMALL_CACHE_H
#define ROMARK_SIM_SMALL_CACHE_H

#include <stdint.h>

enum { SMALL_CACHE_WAYS = 4 };

struct small_cache;

/* NULL if `bytes` is 0. Fewer lines than ways make one set of them. */
struct small_cache *small_cache_create(uint32_t bytes, uint32_t line_bytes);
void small_cache_free(struct small_cache *c);
void small_cache_flush(struct small_cache *c);
/*
 * A miss that takes SMALL_CACHE_COMING cycles comes when small_cache_arrived says so, and until then small_cache_ask
 * returns SMALL_CACHE_LATER for its line.
 */
enum { SMALL_CACHE_COMING = UINT32_MAX };
#define SMALL_CACHE_LATER UINT64_MAX
void small_cache_arrived(struct small_cache *c, uint64_t line, uint64_t cycle);
/*
 * The cycle from which the line can be read: `cycle` if it is there, later if it is on its way or comes now, which adds
 * to *misses and takes `miss` cycles.
 */
uint64_t small_cache_ask(struct small_cache *c, uint64_t line, uint64_t cycle, uint32_t miss, uint64_t *misses);

#endif
