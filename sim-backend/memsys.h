/*
 * The memory system below the L1s as the SMs see it: a network that takes requests, one port per SM, and gives
 * replies back. Behind it stand routers, LLC slices and DRAM channels.
 *
 * One cycle is the SM clock. All links inside are bounded queues whose content becomes visible one cycle after it
 * was pushed, so the order in which modules are ticked cannot change a result.
 */
#ifndef ROMARK_SIM_MEMSYS_H
#define ROMARK_SIM_MEMSYS_H

#include <stdbool.h>
#include <stdint.h>

enum mem_kind { MEM_READ, MEM_WRITE, MEM_ATOMIC, MEM_KIND_COUNT };

enum mem_flag {
	MEM_READ_ONLY = 1,  /* came from a load with the read-only mark */
	MEM_NO_REPLY = 2,   /* a write, or an atomic whose value nobody reads */
};

/* One request of an L1 (a line, or some sectors of it), and its reply: the same struct travels back. */
struct mem_request {
	uint64_t line;       /* address of the first byte of the line */
	uint32_t bytes;      /* payload: bytes wanted (read, atomic) or carried (write) */
	uint8_t sectors;     /* 32 B sectors of the line, bit 0 = lowest */
	uint8_t kind, flags;
	uint16_t sm;
	uint16_t structure;  /* data structure to charge: index in the run's structure table */
	uint32_t tag;        /* the L1's own: MSHR entry; comes back unchanged */
	uint64_t issued;     /* cycle of injection, for latency statistics */
};

#endif
