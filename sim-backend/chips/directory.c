/* Entries, the effect of each kind of message on an entry, and the queues of waiting requests. */
#include "sim-backend/chips/directory.h"

#include "common/diag.h"
#include "common/xalloc.h"

#include <stdlib.h>
#include <string.h>

/* --- Entries --- */

enum { FIRST_PLACES = 1024 };
#define NO_LINE UINT64_MAX

static struct directory_entry *new_entries(uint64_t count)
{
	struct directory_entry *entries = xmalloc(count * sizeof *entries);

	for (uint64_t i = 0; i < count; i++)
		entries[i] = (struct directory_entry){.line = NO_LINE, .writer = NO_WRITER};
	return entries;
}

static uint64_t hash_of(const struct directory *d, uint64_t line)
{
	return (line >> d->line_shift) * UINT64_C(0x9e3779b97f4a7c15) >> 24;
}

static unsigned bucket_of(const struct directory *d, uint64_t line)
{
	return (unsigned)((d->ways ? hash_of(d, line) % d->sets : hash_of(d, line)) % DIRECTORY_BUCKETS);
}

/* Without a limit: the line's place, or the free place where it belongs. */
static struct directory_entry *probe(const struct directory *d, uint64_t line)
{
	uint64_t i = hash_of(d, line) & (d->sets - 1);

	while (d->entries[i].line != line && d->entries[i].line != NO_LINE)
		i = (i + 1) & (d->sets - 1);
	return &d->entries[i];
}

static struct directory_entry *set_of(const struct directory *d, uint64_t line)
{
	return &d->entries[hash_of(d, line) % d->sets * d->ways];
}

/* NULL: no chip has a copy. */
static struct directory_entry *find(const struct directory *d, uint64_t line)
{
	struct directory_entry *e = d->ways ? set_of(d, line) : probe(d, line);

	for (uint64_t i = 0; i < (d->ways ? d->ways : 1); i++)
		if (e[i].line == line && e[i].sharers)
			return &e[i];
	return NULL;
}

static void grow(struct directory *d)
{
	struct directory_entry *old = d->entries;
	uint64_t count = d->sets;

	d->sets *= 2;
	d->used_places = 0;
	d->entries = new_entries(d->sets);
	for (uint64_t i = 0; i < count; i++)
		if (old[i].sharers) {
			*probe(d, old[i].line) = old[i];
			d->used_places++;
		}
	xfree(old);
}

/* --- Notes to slices --- */

static void send(struct directory *d, unsigned chip, uint64_t line, enum dram_note what, uint64_t now)
{
	struct map_place place = address_map_place(d->map, line);
	unsigned gate = chip == d->chip ? d->layout->gates : link_gate(d->layout, d->chip, chip, line >> d->line_shift);

	note_queue_push(
	    &d->out[gate], now + 1,
	    (struct dram_request){.line = line, .note = what, .chip = chip & 3, .far_slice = place.slice & 63});
	d->out_count++;
}

static void invalidate(struct directory *d, uint64_t line, uint8_t chips, uint64_t now)
{
	unsigned chip;

	BITS_FOR_EACH(chip, (uint64_t)chips, 0) {
		send(d, chip, line, NOTE_INVALIDATE, now);
		d->stats.invalidations++;
	}
}

/* Asks the writer for the data that it wrote. With `recalls` the writer also gives up its place. */
static void ask_writer(struct directory *d, struct directory_entry *e, bool recalls, uint64_t now)
{
	e->waits = true;
	e->recalls = recalls;
	send(d, (unsigned)e->writer, e->line, recalls ? NOTE_RECALL : NOTE_DOWNGRADE, now);
	++*(recalls ? &d->stats.recalls : &d->stats.downgrades);
}

/* --- A place for a line --- */

/*
 * A free entry of its set, or the entry used longest ago. If a chip has written that line, its data is fetched first.
 * NULL: not now.
 */
static struct directory_entry *make_room(struct directory *d, uint64_t line, uint64_t now)
{
	struct directory_entry *set = set_of(d, line), *oldest = NULL;

	for (uint64_t i = 0; i < d->ways; i++) {
		if (!set[i].sharers)
			return &set[i];
		if (!set[i].waits && (!oldest || set[i].used < oldest->used))
			oldest = &set[i];
	}
	if (!oldest)
		return NULL;
	d->stats.evictions++;
	if (oldest->writer == NO_WRITER) {
		invalidate(d, oldest->line, oldest->sharers, now);
		return oldest;
	}
	invalidate(d, oldest->line, oldest->sharers & (uint8_t)~(1u << oldest->writer), now);
	oldest->sharers = (uint8_t)(1u << oldest->writer);
	ask_writer(d, oldest, true, now);
	return NULL;
}

/* The line's entry, or a new entry. NULL: there is no room now. */
static struct directory_entry *entry_for(struct directory *d, uint64_t line, uint64_t now)
{
	struct directory_entry *e = find(d, line);

	if (!e && d->ways) {
		e = make_room(d, line, now);
	} else if (!e) {
		if (2 * (d->used_places + 1) > d->sets)
			grow(d);
		e = probe(d, line);
		d->used_places += e->line == NO_LINE;
	}
	if (!e)
		return NULL;
	if (e->line != line || !e->sharers)
		*e = (struct directory_entry){.line = line, .writer = NO_WRITER};
	e->used = ++d->clock;
	return e;
}

/* --- Messages --- */

enum outcome { DONE, WAITS, NO_ROOM };

/* All requests for a line go through one port, so that they stay in order. */
static struct dram_port *port_for(const struct directory *d, uint64_t line)
{
	return &d->controller->from_slices[address_map_place(d->map, line).slice];
}

static void pass_on(struct directory *d, const struct dram_request *r, uint64_t now)
{
	struct dram_request passed = *r;

	passed.note = NOTE_NONE;
	port_push(port_for(d, r->line), now + 1, passed);
}

static bool is_of_another(const struct directory_entry *e, const struct dram_request *r)
{
	return e && e->writer != NO_WRITER && e->writer != r->chip;
}

static enum outcome take_read(struct directory *d, const struct dram_request *r, uint64_t now)
{
	struct directory_entry *e = find(d, r->line);

	if (is_of_another(e, r)) {
		ask_writer(d, e, false, now);
		return WAITS;
	}
	if (!port_room(port_for(d, r->line), now))
		return NO_ROOM;
	e = entry_for(d, r->line, now);
	if (!e)
		return WAITS;
	e->sharers |= (uint8_t)(1u << r->chip);
	pass_on(d, r, now);
	return DONE;
}

static enum outcome take_claim(struct directory *d, const struct dram_request *r, uint64_t now)
{
	struct directory_entry *e = find(d, r->line);
	uint8_t own = (uint8_t)(1u << r->chip);

	if (is_of_another(e, r)) {
		ask_writer(d, e, true, now);
		return WAITS;
	}
	e = entry_for(d, r->line, now);
	if (!e)
		return WAITS;
	invalidate(d, r->line, e->sharers & (uint8_t)~own, now);
	e->sharers = own;
	e->writer = r->chip;
	d->stats.claims++;
	return DONE;
}

static enum outcome take_write(struct directory *d, const struct dram_request *r, uint64_t now)
{
	struct directory_entry *e = find(d, r->line);

	if (!port_room(port_for(d, r->line), now))
		return NO_ROOM;
	if (e && !e->waits) {
		e->sharers &= (uint8_t)~(1u << r->chip);
		e->writer = e->writer == r->chip ? NO_WRITER : e->writer;
	}
	pass_on(d, r, now);
	return DONE;
}

static enum outcome take_answer(struct directory *d, const struct dram_request *r, uint64_t now)
{
	struct directory_entry *e = find(d, r->line);

	if (!e || !e->waits)
		BUG("an answer about a line that nobody asked for");
	if (r->write && !port_room(port_for(d, r->line), now))
		return NO_ROOM;
	if (r->write)
		pass_on(d, r, now);
	d->stats.answers++;
	d->stats.answers_with_data += r->write;
	e->waits = false;
	e->writer = NO_WRITER;
	if (e->recalls)
		e->sharers &= (uint8_t)~(1u << r->chip);
	d->retry |= UINT64_C(1) << bucket_of(d, r->line);
	return DONE;
}

/* Whether the message must wait for an answer about its line. */
static bool is_held(const struct directory *d, const struct dram_request *r)
{
	const struct directory_entry *e = find(d, r->line);

	return e && e->waits && !(r->write && e->writer == r->chip);
}

static enum outcome take(struct directory *d, const struct dram_request *r, uint64_t now)
{
	if (r->note == NOTE_ANSWER)
		return take_answer(d, r, now);
	if (is_held(d, r))
		return WAITS;
	if (r->note == NOTE_CLAIM)
		return take_claim(d, r, now);
	return r->write ? take_write(d, r, now) : take_read(d, r, now);
}

/* --- Waiting requests --- */

static bool waits_for_line(const struct note_queue *q, uint64_t line)
{
	for (uint32_t i = 0; i < q->count; i++)
		if (q->notes[(q->head + i) % q->size].line == line)
			return true;
	return false;
}

static void wait(struct directory *d, const struct dram_request *r)
{
	note_queue_push(&d->waiting[bucket_of(d, r->line)], 0, *r);
	d->waiting_count++;
}

/* Each of the bucket's messages once, in order; what cannot go on waits on, in the same order. */
static void retry_bucket(struct directory *d, unsigned bucket, uint64_t now)
{
	struct note_queue *q = &d->waiting[bucket];
	bool full = false;

	d->retry &= ~(UINT64_C(1) << bucket);
	for (uint32_t left = q->count; left > 0; left--) {
		struct dram_request r = q->notes[q->head];
		enum outcome outcome = full ? WAITS : take(d, &r, now);

		note_queue_pop(q);
		full |= outcome == NO_ROOM;
		if (outcome == DONE)
			d->waiting_count--;
		else
			note_queue_push(q, 0, r);
	}
	if (full)
		d->retry |= UINT64_C(1) << bucket;
}

/*
 * A request waits behind earlier requests for the same line. Two kinds do not: an answer, and a write by the chip that
 * the directory asked for the line.
 */
static bool queues_up(const struct directory *d, const struct dram_request *r)
{
	const struct note_queue *q = &d->waiting[bucket_of(d, r->line)];
	const struct directory_entry *e;

	if (!q->count || r->note == NOTE_ANSWER || !waits_for_line(q, r->line))
		return false;
	e = find(d, r->line);
	return !(e && e->waits && r->write && e->writer == r->chip);
}

static void tick_port(struct directory *d, unsigned i, uint64_t now)
{
	struct dram_port *port = &d->in[i];
	const struct dram_request *front = port_peek(port, now);
	enum outcome outcome;

	if (!front)
		return;
	outcome = queues_up(d, front) ? WAITS : take(d, front, now);
	if (outcome == NO_ROOM)
		return;
	if (outcome == WAITS) {
		wait(d, front);
		d->stats.waits++;
	}
	port_pop(port, now);
	if (!port->count)
		put_to_sleep(&port->receiver);
}

void directory_tick(struct directory *d, uint64_t now)
{
	unsigned bucket;

	BITS_FOR_EACH(bucket, d->retry, 0)
		retry_bucket(d, bucket, now);
	for (unsigned i = 0; d->asking && i < d->ports; i++)
		tick_port(d, (unsigned)((i + now) % d->ports), now);
}

/* --- Creation --- */

void directory_init(struct directory *d, const struct chips_config *config, const struct shape *shape,
		    const struct address_map *map, const struct link_layout *layout, struct controller *controller,
		    unsigned chip)
{
	memset(d, 0, sizeof *d);
	d->map = map;
	d->layout = layout;
	d->chip = chip;
	d->controller = controller;
	d->ports = controller->ports;
	d->line_shift = (unsigned)__builtin_ctz(shape->line_bytes);
	d->in = xcalloc(d->ports, sizeof *d->in);
	for (unsigned i = 0; i < d->ports; i++)
		port_init(&d->in[i], controller->ends.queue, wakeup_in(&d->asking, i));
	d->ways = config->directory_entries ? config->directory_ways : 0;
	d->sets = d->ways ? config->directory_entries / (shape->mcs * d->ways) : FIRST_PLACES;
	d->entries = new_entries(d->sets * (d->ways ? d->ways : 1));
	d->out = xcalloc(layout->gates + 1, sizeof *d->out);
}

void directory_release(struct directory *d)
{
	for (unsigned i = 0; i < d->ports; i++)
		port_release(&d->in[i]);
	for (unsigned i = 0; i <= d->layout->gates; i++)
		note_queue_release(&d->out[i]);
	for (unsigned i = 0; i < DIRECTORY_BUCKETS; i++)
		note_queue_release(&d->waiting[i]);
	xfree(d->in);
	xfree(d->entries);
	xfree(d->out);
}
