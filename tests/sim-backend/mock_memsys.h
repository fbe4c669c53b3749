/*
 * A memory system for tests of the core side: every request that wants a reply gets it `latency` cycles later, in
 * order, at most one per SM and `interval` cycles. It counts, and can refuse requests.
 */
#ifndef ROMARK_TESTS_MOCK_MEMSYS_H
#define ROMARK_TESTS_MOCK_MEMSYS_H

#include "sim-backend/memory/memsys_stats.h"

struct mock_settings {
	uint64_t latency, interval;
	bool closed;         /* memsys_can_send says no */
	bool forgetful;      /* replies never come */
	uint8_t reply_flags; /* what the LLC adds to each */
	uint64_t unsettled;  /* the LLC's policy settles after so many requests that want a reply */
};

/* Read by memsys_create. */
extern struct mock_settings mock;
/* The requests of the run so far, in the order of sending. */
enum { MOCK_LOG = 1 << 16 };
extern struct mem_request mock_log[MOCK_LOG];
extern uint32_t mock_log_len;

#endif
