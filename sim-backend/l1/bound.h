/*
 * The fewest fetches that an L1 of whole lines could have done with on its stream: Belady's choices, with bypass. They
 * need the future, so the stream is noted while it runs and gone through when a kernel is over.
 *
 *   l1_bound_load     a load that the L1 answered: it hit, or fetched something
 *   l1_bound_drop     a store or an atomic takes the line away
 *   l1_bound_settle   nothing is kept any more: the fewest fetches of what was noted, which is forgotten
 *
 * A load that joins a fetch on its way is not noted. It waits whatever the L1 keeps. A fetch arrives at once here.
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
