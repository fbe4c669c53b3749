/* Shared by the memory system's tests: the paper's machine, random numbers, and a driver in the SMs' place. */
#ifndef ROMARK_TESTS_SIM_MEM_SUPPORT_H
#define ROMARK_TESTS_SIM_MEM_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sim-backend/llc/llc_policy.h"
#include "sim-backend/memory/memsys_stats.h"

/* Every knob at its default: selrep64. */
struct memsys_config paper_machine(void);
/* The geometry that policies see on that machine. */
struct llc_geometry paper_geometry(void);
/* A memory system with the policy's default knobs. */
struct memsys *memsys_with(const struct memsys_config *config, const char *policy);
uint64_t random_below(uint64_t *state, uint64_t bound);

/* One of the two networks that such a machine's chip has, for packets of up to `most_flits`. */
void create_network(struct network *n, const struct memsys_config *config, bool to_memory, unsigned most_flits,
		    unsigned (*member)(void *context, uint32_t packet), struct transaction_pool *pool);

struct mem_request read_of(uint64_t line, bool read_only);
/* A read of some sectors. */
struct mem_request part_of(uint64_t line, uint8_t sectors);
struct mem_request write_of(uint64_t line, uint32_t bytes, uint8_t sectors);
struct mem_request atomic_of(uint64_t line);

/* Sends one request at `cycle` and ticks until its reply; returns the cycle in which it was received. */
uint64_t round_trip(struct memsys *ms, unsigned sm, uint64_t cycle, struct mem_request request);
/* Ticks from `cycle` until the memory system is empty, taking replies; returns the cycle. Fails after a million. */
uint64_t drain(struct memsys *ms, unsigned sms, uint64_t cycle);

#endif
