/*
 * A DRAM channel: queues, a scheduler (dram_policy.h) and banks with row buffers.
 *
 * A transaction is up to a line in one row, `bursts` column commands back to back. Each memory clock the channel may
 * issue one column command and one row command (HBM has a bus for each). The scheduler says which transactions take
 * part, the timings when they may. Writes are held back and drained between two watermarks, or when there is nothing to
 * read. A read of a line whose write still waits makes the channel drain until that write is done: it must not get the
 * older value, and a write holds the sectors that were written only, so it cannot answer for the line.
 *
 * Memory clocks and core cycles: see clock.h. Queues to the outside are in core cycles, everything inside in clocks.
 */
#ifndef ROMARK_SIM_DRAM_CHANNEL_H
#define ROMARK_SIM_DRAM_CHANNEL_H

#include "sim-backend/base/clock.h"
#include "sim-backend/dram/queue.h"
#include "sim-backend/dram/dram_config.h"
#include "sim-backend/dram/dram_stats.h"
#include "sim-backend/memory/charges.h"
#include "sim-backend/memory/request_log.h"
#include "sim-backend/memory/versions.h"

enum { DRAM_CLOSED = UINT32_MAX };

struct dram_bank {
	uint32_t row; /* DRAM_CLOSED */
	uint64_t next_activate, next_precharge, next_column;
};

struct dram_data {
	struct dram_request request;
	uint64_t done; /* clock */
};

struct dram_channel {
	const struct dram_config *config;
	const struct dram_clock *clock;
	const struct dram_scheduler_ops *scheduler;
	struct dram_port in;
	struct dram_port out; /* reads whose data has come; the receiver is who takes it */
	FIFO(struct dram_data) on_bus;
	struct dram_queue reads, writes;
	bool draining;
	bool read_follows_write;   /* the oldest request outside is a read of a line that waits to be written */
	struct versions *versions; /* NULL unless versions are followed */
	struct request_log *log;   /* NULL without a log; the log needs the next three */
	unsigned number;           /* of all of the machine's */
	unsigned first_slice, slices_per_chip; /* slices before those of its controller, in each chip */
	struct structure_memory *structures;   /* charged for rows that are opened; may be NULL */
	struct dram_bank banks[DRAM_MAX_BANKS];
	uint64_t group_activate[DRAM_MAX_BANKS], group_column[DRAM_MAX_BANKS], group_read[DRAM_MAX_BANKS];
	uint64_t any_activate, any_column, next_read, next_write;
	uint64_t activates[4]; /* the latest four, for tFAW; clock + 1 */
	unsigned oldest_activate;
	uint64_t asleep_until; /* nothing can be issued before this clock */
	uint64_t next_refresh;
	struct dram_stats stats;
	struct dram_bank_stats bank_stats[DRAM_MAX_BANKS];
};

/* The crossbars between a controller's slices and its channels, and what slices ask through them. */
struct dram_ends {
	uint32_t queue;       /* requests in a slice's port */
	uint32_t port_bytes;  /* a port passes in a cycle */
	uint32_t xbar_cycles; /* from port to port */
	uint32_t line_bytes;  /* of each read; 0: some are as short as a burst */
};

/* Requests in `in`, on their way to it or there; and reads on the bus or waiting in `out`. */
struct dram_rooms {
	uint32_t in, returning;
};

/*
 * Enough places that the latency of the crossbar and of the data bus costs no bandwidth: as many reads as are on the
 * way when the bus is never idle and reads are as short as possible; at least return_queue.
 */
struct dram_rooms dram_rooms_of(const struct dram_config *config, const struct dram_ends *ends);
/* Wakes itself by `self` when a request comes in, and wakes the reader of the data by `taker`. */
void dram_channel_init(struct dram_channel *c, const struct dram_config *config, struct dram_rooms rooms,
		       const struct dram_clock *clock, struct wakeup self, struct wakeup taker);
void dram_channel_release(struct dram_channel *c);
/* Works on the clocks after `before` = dram_clock_at(now - 1) up to `clock` = dram_clock_at(now). */
void dram_channel_tick(struct dram_channel *c, uint64_t now, uint64_t before, uint64_t clock);
/*
 * Does the refreshes that were due up to `clock`, to bring the counters up to date before they are read. The channel
 * must have been ticked before `clock` as long as it was not empty. A tick does the same while requests wait, so this
 * changes no time.
 */
void dram_channel_refresh(struct dram_channel *c, uint64_t clock);
bool dram_channel_is_empty(const struct dram_channel *c);
/* Next core cycle after `now` in which the channel can do something. */
uint64_t dram_channel_next(const struct dram_channel *c, uint64_t now);

/* Clocks from a refresh to the next: of all banks, or with dram.tRFCb of another bank. */
uint64_t dram_refresh_interval(const struct dram_config *config);

/* Clocks from a row that is opened to the next, when each is in another bank and nothing else is in the way. */
double dram_row_clocks(const struct dram_config *config);

/* Memory clock that gives the configured bandwidth; see dram_knobs. */
uint64_t dram_hertz(const struct dram_config *config, unsigned channels);

#endif
