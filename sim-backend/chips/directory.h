/*
 * Hardware coherence between the LLCs of several chips, for policies that keep a line in more than one of them. At each
 * memory controller a directory knows, for lines of its memory, which chips may have copies, and which one has written
 * its own copy since (SAC section 5.6). A write changes the copy of its chip only and claims the line; then all other
 * copies are invalidated. Within a kernel a chip may read an old copy until the invalidation has come; nothing waits
 * for it.
 *
 *   slices, links --in--> directory --> controller
 *                            \--out--> links, slices of the own chip: notes about copies
 *
 * All that goes to memory passes here, in a cycle.
 *
 *   a read                     of a line that another chip has written: asks the writer for what it wrote, and waits
 *                              until it has been written to memory
 *   a claim                    asks the writer for what it wrote and for its place, and waits; invalidates all copies
 *   a write                    the slice has given up the line
 *   an answer, with a write    to what was asked; what waits for the line goes on in its order
 *
 * While a line waits for an answer nothing about it passes but the writes and the answer of the chip that was asked. So
 * the writes of a line go to memory in the order of its writers. What waits, and notes that links cannot take yet, have
 * all the room that they need: slices can always send, so nothing waits in a circle.
 *
 * The directory has `chips.directory_entries` for a chip's memory, in sets, or as many as there are lines. When a set
 * is full, the copies of its line that was used longest ago are invalidated.
 */
#ifndef ROMARK_SIM_DIRECTORY_H
#define ROMARK_SIM_DIRECTORY_H

#include "sim-backend/chips/chips_stats.h"
#include "sim-backend/chips/link.h"
#include "sim-backend/dram/controller.h"
#include "sim-backend/dram/note_queue.h"
#include "sim-backend/map/address_map.h"

enum { DIRECTORY_BUCKETS = 64 };

struct directory_entry {
	uint64_t line; /* UINT64_MAX: free, and has never been used */
	uint64_t used;
	uint8_t sharers; /* chips; 0: free */
	int8_t writer;   /* NO_WRITER, or the chip whose copy is newer than memory's */
	bool waits;      /* for the writer's answer */
	bool recalls;    /* that answer: the writer has no copy any more */
};

enum { NO_WRITER = -1 };

struct directory {
	const struct address_map *map;
	const struct link_layout *layout;
	unsigned chip, ports, line_shift;
	struct dram_port *in; /* [ports]: slices, and the links behind them */
	uint64_t asking;      /* ports with something in them */
	struct controller *controller;
	struct directory_entry *entries;
	uint64_t sets, ways;    /* ways 0: no limit, and `sets` places with linear probing */
	uint64_t used_places;   /* without a limit: places that have been used */
	uint64_t clock;         /* for LRU */
	struct note_queue *out; /* [gates + 1]: for each link, and for slices of the own chip */
	struct note_queue waiting[DIRECTORY_BUCKETS];
	uint64_t retry; /* buckets to look at again */
	uint64_t waiting_count, out_count;
	struct coherence_stats stats;
};

/* `controller` is the memory controller behind the directory; it is set up already. */
void directory_init(struct directory *d, const struct chips_config *config, const struct shape *shape,
		    const struct address_map *map, const struct link_layout *layout, struct controller *controller,
		    unsigned chip);
void directory_release(struct directory *d);
void directory_tick(struct directory *d, uint64_t now);

/* Nothing to do but notes that wait for links. */
static inline bool directory_is_idle(const struct directory *d)
{
	return !(d->asking | d->waiting_count);
}

/* Notes for a link, by its gate, or for the own chip's slices. */
static inline struct note_queue *directory_out(struct directory *d, unsigned gate)
{
	return &d->out[gate];
}

/* The owner has taken the front of such a queue. */
static inline void directory_taken(struct directory *d, unsigned gate)
{
	note_queue_pop(&d->out[gate]);
	d->out_count--;
}

#endif
