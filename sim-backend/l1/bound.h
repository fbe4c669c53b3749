/*
 * The fewest fetches with which an L1 of whole lines can serve its stream of loads: Belady's choices, with bypass.
 * These choices need the future, so the stream is recorded while a kernel runs and evaluated when it is over.
 *
 *   l1_bound_load     a load that the L1 answered: it hit, or fetched something
 *   l1_bound_drop     a store or an atomic takes the line away
 *   l1_bound_settle   empties the L1. Returns the fewest fetches of the recorded stream, and forgets the stream
 *
 * A load that joins a fetch on its way is not recorded: it waits whatever the L1 keeps. In this model a fetch arrives
 * at once.
 */
#ifndef ROMARK_SIM_L1_BOUND_H
#define ROMARK_SIM_L1_BOUND_H

#include <stdint.h>

struct l1_bound;
struct l1_config;

struct l1_bound *l1_bound_create(const struct l1_config *config);
void l1_bound_free(struct l1_bound *b);
void l1_bound_load(struct l1_bound *b, uint64_t line);
void l1_bound_drop(struct l1_bound *b, uint64_t line);
uint64_t l1_bound_settle(struct l1_bound *b);

#endif
