/* Declarations that the files of a slice share: slice.c is its cycle, slice_down.c its way to memory, slice_work.c a
 * boundary's work. */
#ifndef ROMARK_SIM_LLC_SLICE_PARTS_H
#define ROMARK_SIM_LLC_SLICE_PARTS_H

#include "sim-backend/llc/slice.h"
#include "sim-backend/base/units.h"
#include "sim-backend/memory/request_log.h"

/* Requests that may go down now, whichever memory they are for. */
static inline uint32_t slice_room_below(const struct llc_slice *s)
{
	uint64_t now = s->common->cycle;
	uint32_t near = port_room(s->to_dram, now), far;

	if (!s->to_far)
		return near;
	far = port_room(s->to_far, now);
	return near < far ? near : far;
}

static inline struct transaction *transaction_of(const struct llc_slice *s, uint32_t packet)
{
	return &s->common->pool->items[packet];
}

/* End of a request that wants no reply. */
static inline void slice_end(struct llc_slice *s, uint32_t packet)
{
	if (s->common->log)
		request_log_end(s->common->log, s->common->cycle, REQUEST_DONE, packet);
	s->ended++;
	s->ended_cycles += s->common->cycle;
	transaction_free(s->common->pool, packet);
}

static inline void slice_log(const struct llc_slice *s, enum request_event event, uint32_t packet)
{
	if (s->common->log)
		request_log_event(s->common->log, s->common->cycle, event, packet);
}

static inline uint32_t slice_bytes_of(uint8_t sectors)
{
	return (uint32_t)__builtin_popcount(sectors) * MEM_SECTOR_BYTES;
}

static inline uint32_t beats_of_sectors(const struct llc_slice *s, uint8_t sectors)
{
	return units_of(slice_bytes_of(sectors), s->common->config->port_bytes);
}

static inline void hold_data_port(struct llc_slice *s, uint32_t beats, uint64_t now)
{
	s->data_port_free = (s->data_port_free > now ? s->data_port_free : now) + beats;
	s->stats.data_beats += beats;
}

/* Holds a port of the slice for a packet to or from another chip, when SMs' packets use the same one. */
static inline void slice_hold_port(const struct llc_slice *s, uint64_t *free, uint32_t data_bytes)
{
	uint64_t clock = s->common->noc_clock;

	if (s->common->one_network)
		*free = (*free > clock ? *free : clock + 1) + 1 + units_of(data_bytes, s->common->channel_bytes);
}

static inline void slice_count_read(struct llc_slice *s, unsigned structure, uint8_t sectors)
{
	struct structure_memory *m = &s->common->structures[structure];
	unsigned count = (unsigned)__builtin_popcount(sectors);

	s->stats.array_reads++;
	s->stats.sectors_read += count;
	m->array_reads++;
	m->sectors_read += count;
}

static inline void slice_count_write(struct llc_slice *s, unsigned structure, uint8_t sectors)
{
	struct structure_memory *m = &s->common->structures[structure];
	unsigned count = (unsigned)__builtin_popcount(sectors);

	s->stats.array_writes++;
	s->stats.sectors_written += count;
	m->array_writes++;
	m->sectors_written += count;
}

/* A line is placed (1), or its place is given up (-1). */
static inline void slice_count_line(struct llc_slice *s, const struct llc_line *line, int change)
{
	unsigned far = (line->flags & LLC_LINE_FAR) != 0;

	s->contents.lines[far] += (uint64_t)change;
	s->contents.changes[far] += (uint64_t)change * s->common->cycle;
}

/* Fetches the line, or with llc.sectored the missing sectors that no fetch is bringing yet. Requires room. */
void slice_fetch(struct llc_slice *s, const struct mem_request *request, uint16_t entry, uint8_t missing);
void slice_write(struct llc_slice *s, uint64_t line, uint32_t bytes, uint8_t sectors, uint16_t structure);
/* Writes the dirty sectors of the line at `index` to memory; `note`: NOTE_NONE, or NOTE_ANSWER. */
void slice_write_back(struct llc_slice *s, int index, enum dram_note note);
/* To the directory of the line, without data. Requires room. */
void slice_tell(struct llc_slice *s, uint64_t line, enum dram_note note);

/* A request of another chip's slice goes on to this chip's memory, past this slice. Requires room in to_dram. */
void slice_pass_on(struct llc_slice *s, const struct dram_request *r);
/* Sends the data, from memory or from here, to the slice that asked. Requires room in to_askers. */
void slice_answer(struct llc_slice *s, const struct dram_request *r);

/* The request waits for memory: for the line at `index`, or for a new place when that is -1. False: there is no room.
 */
bool slice_wait_for_memory(struct llc_slice *s, uint32_t packet, int index);

/* --- slice_asked.c: requests of other chips' slices --- */

/* Looks up the oldest such request, if that is possible now. */
void slice_take_asked(struct llc_slice *s, uint64_t now);
/* Sends what a transaction for such a slice has waited for; false: the links have no room. */
bool slice_answer_asker(struct llc_slice *s, uint32_t packet);

/* --- slice_coherence.c: with directories --- */

/* Sectors of the line at `index` are written here: claims it if it has not been claimed. */
void slice_claim(struct llc_slice *s, int index, uint8_t sectors);
/* Whether a write that may have to claim its line can wait no longer. */
bool slice_claims_full(const struct llc_slice *s);
/* Does what the oldest note of a directory wants, and sends the oldest claim. */
void slice_keep_coherent(struct llc_slice *s);
/* All fetched sectors of the line at `index` have come. */
void slice_settle(struct llc_slice *s, int index);

/* Works on one set, if there is work; stops at a dirty line for which there is no room in to_dram. */
void slice_work_on_set(struct llc_slice *s);

#endif
