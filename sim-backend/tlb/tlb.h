/*
 * Translation of addresses between the SMs and the request network: a TLB for each SM, one that the SMs of a chip
 * share, and page walks. An L1 has virtual addresses, so its hits need none. A request whose page is in the SM's TLB
 * goes on a cycle after it was sent. Another waits for its page, and later requests pass it.
 *
 *   request --port--> SM's TLB --------------------------------> network
 *                        \--miss--> waits; shared TLB --miss--> walk
 *
 * When a page comes is known when it is asked for: shared_latency later, and after a walk, which begins when a walker
 * is free. Who asks for a page on its way gets it at the same time.
 */
#ifndef ROMARK_SIM_TLB_H
#define ROMARK_SIM_TLB_H

#include "sim-backend/knobs/stat.h"
#include "sim-backend/memory/memsys.h"
#include "sim-backend/tlb/tlb_config.h"

struct tlb_stats {
#define STAT STAT_FIELD
#include "sim-backend/tlb/tlb_stats.def"
};

extern const struct stat_row tlb_stat_rows[];

struct tlbs;

/* NULL if addresses are not translated. */
struct tlbs *tlbs_create(const struct tlb_config *config, unsigned sms, unsigned chips);
void tlbs_free(struct tlbs *t);
/* Looks the page of a request of the SM up; the cycle from which it may go on. */
uint64_t tlb_translate(struct tlbs *t, unsigned sm, uint64_t address, uint64_t cycle);
/* The SM's side: room for a request now? It is seen from the next cycle on. */
bool tlb_can_take(const struct tlbs *t, unsigned sm, uint64_t cycle);
void tlb_take(struct tlbs *t, unsigned sm, uint64_t cycle, const struct mem_request *request);
/* The SM's TLB works for a cycle in which the network has room: true if *request goes on. Once a cycle at most. */
bool tlb_tick(struct tlbs *t, unsigned sm, uint64_t cycle, struct mem_request *request);
/* The next cycle > `cycle` in which a request may go on; UINT64_MAX when there is none. */
uint64_t tlbs_next(const struct tlbs *t, uint64_t cycle);
bool tlbs_are_empty(const struct tlbs *t);
const struct tlb_stats *tlbs_statistics(const struct tlbs *t);

#endif
