/*
 * The events of requests on their way, a line each: looked up in an L1, sent, in a network, at a slice, at memory, and
 * delivered. For people who follow one request, and for tests; nothing of it decides anything.
 *
 *   struct request_log_choice choice = REQUEST_LOG_ALL;
 *   struct request_log *log = request_log_create(&setup, &choice);
 *   memsys_log_requests(ms, log);
 *
 * A request is followed from its first event to its last, or not at all: the choice is made when it is sent. Requests
 * are numbered from 1 in the order in which they are sent, whether they are followed or not. Everything is in cycles of
 * the SMs, and is written in the order in which it happens. One thread at a time may call these.
 */
#ifndef ROMARK_SIM_REQUEST_LOG_H
#define ROMARK_SIM_REQUEST_LOG_H

#include "sim-backend/memory/memsys.h"

enum request_event {
	REQUEST_L1_HIT,
	REQUEST_L1_MERGE, /* waits for a request that is on its way */
	REQUEST_L1_MISS,
	REQUEST_SENT,      /* the SM gives it to its port */
	REQUEST_NET_IN,    /* begins to enter the request network */
	REQUEST_SLICE_IN,  /* its slice takes it into the pipeline */
	REQUEST_LLC_HIT,   /* .. looks it up */
	REQUEST_LLC_MERGE, /* .. and it waits for a line that is on its way */
	REQUEST_LLC_MISS,
	REQUEST_DRAM_ASK,   /* the slice asks memory for it */
	REQUEST_DRAM_QUEUE, /* it is in the channel's queue */
	REQUEST_DRAM_ROW,   /* its row is opened */
	REQUEST_DRAM_ISSUE, /* its column command goes out */
	REQUEST_DRAM_DATA,  /* its data has come, and leaves the channel */
	REQUEST_FILL,       /* the slice takes the data */
	REQUEST_REPLY,      /* .. and sends the reply */
	REQUEST_REPLY_IN,   /* the reply begins to enter the reply network */
	REQUEST_DELIVERED,  /* the SM takes it */
	REQUEST_DONE,       /* what wants no reply is done in its slice */
	REQUEST_EVENTS
};

struct request_log_choice {
	int sm;       /* -1: any */
	bool of_line; /* only of `line`, an address in it */
	uint64_t line;
	uint64_t from, until; /* cycles in which a request is sent or looked up: from <= cycle <= until */
	const char
	    *kernels; /* expression for the names of kernels, which who calls request_log_kernel heeds, or NULL */
};
#define REQUEST_LOG_ALL {.sm = -1, .until = UINT64_MAX}
/*
 * Narrows the choice by "sm:3", "line:0x1000", "cycles:100-200" or "kernel:REGEX", of which the text must stay. 0, or
 * DIAG_ERROR.
 */
int request_log_choose(struct request_log_choice *choice, const char *text, struct diag *d);

struct request_log_setup {
	FILE *out;
	unsigned sms, chips, mcs, slices_per_mc, mshrs; /* slices of a controller, MSHRs of a slice */
	unsigned line_bytes;
	/* The id of a data structure, in whose name a request is made. */
	const char *(*structure)(const void *context, unsigned structure);
	const void *context;
};

struct request_log;

struct request_log *request_log_create(const struct request_log_setup *setup, const struct request_log_choice *choice);
void request_log_free(struct request_log *log);

/* A kernel begins; `wanted`: its requests are followed. */
void request_log_kernel(struct request_log *log, uint64_t cycle, unsigned launch, const char *name, bool wanted);
void request_log_kernel_end(struct request_log *log, uint64_t cycle, unsigned launch, const char *name);
/* A choice of a policy: `text` is the rest of the line. */
void request_log_decision(struct request_log *log, uint64_t cycle, const char *text);

/* --- Before and after a request has a packet --- */

/* A look-up in an L1. A miss is sent next. */
void request_log_l1(struct request_log *log, uint64_t cycle, enum request_event event, unsigned sm, uint64_t line);
/* `packet`: of the transaction from now on. */
void request_log_sent(struct request_log *log, uint32_t packet, const struct mem_request *request);
/* The last event of a packet that the SM takes, or that needs no reply. */
void request_log_end(struct request_log *log, uint64_t cycle, enum request_event event, uint32_t packet);

/* --- On its way --- */

void request_log_event(struct request_log *log, uint64_t cycle, enum request_event event, uint32_t packet);
/* The slice has it: `queued` cycles after it arrived. */
void request_log_slice(struct request_log *log, uint64_t cycle, uint32_t packet, unsigned slice, unsigned queued);
/* From here on what MSHR `entry` of the slice has memory do is for this packet. */
void request_log_fetch(struct request_log *log, uint64_t cycle, uint32_t packet, unsigned slice, unsigned entry);
/* An event of the request in memory. `channel` counts over the whole machine. */
void request_log_memory(struct request_log *log, uint64_t cycle, enum request_event event, unsigned slice,
			unsigned entry, unsigned channel, uint64_t line);
/* The same for a write, which is for no request. */
void request_log_write(struct request_log *log, uint64_t cycle, enum request_event event, unsigned slice,
		       unsigned channel, uint64_t line);
/* The data of a fetch is in its slice. */
void request_log_filled(struct request_log *log, uint64_t cycle, unsigned slice, unsigned entry);

/* "l1-hit": as the lines have it. */
const char *request_event_name(enum request_event event);

#endif
