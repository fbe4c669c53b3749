/* One memory clock of a channel: refresh, a column command, a row command. */
#include "sim-backend/dram/channel.h"

#include "sim-backend/dram/dram_policy.h"
#include "sim-backend/base/units.h"

#include <math.h>
#include <string.h>

uint64_t dram_hertz(const struct dram_config *config, unsigned channels)
{
	double per_burst;

	if (config->clock_mhz > 0)
		return (uint64_t)llround(config->clock_mhz * 1e6);
	per_burst = config->gigabytes_per_second * 1e9 / channels / config->burst_bytes;

	return (uint64_t)llround(per_burst * config->burst_clocks);
}

double dram_row_clocks(const struct dram_config *config)
{
	double window = config->tFAW / 4.0, bank = (double)config->tRC / config->banks;

	return fmax(config->bank_groups > 1 ? config->tRRDs : config->tRRDl, fmax(window, bank));
}

enum { UNTIL_TAKEN = 3 };

struct dram_rooms dram_rooms_of(const struct dram_config *t, const struct dram_ends *ends)
{
	uint32_t bursts = ends->line_bytes ? units_of(ends->line_bytes, t->burst_bytes) : 1;
	uint32_t clocks = bursts * (t->burst_clocks > t->tCCDs ? t->burst_clocks : t->tCCDs);
	uint32_t returning = units_of(t->tCL + t->extra_clocks + clocks, clocks) + UNTIL_TAKEN;

	return (struct dram_rooms){.in = port_room_over(ends->xbar_cycles),
				   .returning = returning > t->return_queue ? returning : t->return_queue};
}

void dram_channel_init(struct dram_channel *c, const struct dram_config *config, struct dram_rooms rooms,
		       const struct dram_clock *clock, struct wakeup self, struct wakeup taker)
{
	memset(c, 0, sizeof *c);
	c->config = config;
	c->clock = clock;
	c->scheduler = dram_scheduler_table[config->scheduler];
	port_init(&c->in, rooms.in, self);
	port_init(&c->out, rooms.returning, taker);
	fifo_init(&c->on_bus, rooms.returning);
	c->reads.capacity = config->read_queue;
	c->writes.capacity = config->write_queue;
	for (unsigned b = 0; b < config->banks; b++)
		c->banks[b].row = DRAM_CLOSED;
	c->next_refresh = dram_refresh_interval(config);
}

void dram_channel_release(struct dram_channel *c)
{
	port_release(&c->in);
	port_release(&c->out);
	fifo_release(&c->on_bus);
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void at_least(uint64_t *time, uint64_t to)
{
	*time = later(*time, to);
}

static unsigned group_of(const struct dram_channel *c, unsigned bank)
{
	return bank % c->config->bank_groups;
}

static void set_row(struct dram_channel *c, unsigned bank, uint32_t row)
{
	c->banks[bank].row = row;
	dram_queue_mark_hits(&c->reads, bank, row);
	dram_queue_mark_hits(&c->writes, bank, row);
}

/* Logs an event of a request: a write, or a read for an MSHR of a slice. */
static void log_event(const struct dram_channel *c, uint64_t now, enum request_event event,
		      const struct dram_request *r)
{
	unsigned slice = r->chip * c->slices_per_chip + c->first_slice + r->far_slice;

	if (r->write)
		request_log_write(c->log, now, event, slice, c->number, r->line);
	else
		request_log_memory(c->log, now, event, slice, r->mshr, c->number, r->line);
}

static void take_requests(struct dram_channel *c, uint64_t now, uint64_t clock)
{
	const struct dram_request *request;

	bool followed = c->read_follows_write;

	c->read_follows_write = false;
	while ((request = port_peek(&c->in, now))) {
		struct dram_queue *q = request->write ? &c->writes : &c->reads;

		c->read_follows_write = !request->write && dram_queue_has_line(&c->writes, request);
		if (c->read_follows_write || q->count == q->capacity)
			break;
		if (c->log)
			log_event(c, now, REQUEST_DRAM_QUEUE, request);
		dram_queue_add(q, request, c->banks[request->bank].row, clock);
		c->asleep_until = 0;
		port_pop(&c->in, now);
	}
	if (c->read_follows_write != followed)
		c->asleep_until = 0;
}

/* Earliest clock for a column command to this bank. */
static uint64_t column_time(const struct dram_channel *c, unsigned bank, bool write)
{
	unsigned group = group_of(c, bank);
	uint64_t time = later(c->any_column, write ? c->next_write : later(c->next_read, c->group_read[group]));

	return later(later(time, c->banks[bank].next_column), c->group_column[group]);
}

static void precharge(struct dram_channel *c, unsigned bank, uint64_t clock)
{
	at_least(&c->banks[bank].next_activate, clock + c->config->tRP);
	c->stats.precharges++;
	set_row(c, bank, DRAM_CLOSED);
}

/* The last burst of a write is sent: when its bank may close, and when reads may follow. */
static void follow_write(struct dram_channel *c, const struct dram_request *r, uint64_t last)
{
	const struct dram_config *t = c->config;
	uint64_t end = last + t->tWL + t->burst_clocks;

	at_least(&c->banks[r->bank].next_precharge, end + t->tWR);
	at_least(&c->next_read, end + (t->tWTRs ? t->tWTRs : t->tWTR));
	at_least(&c->group_read[group_of(c, r->bank)], end + t->tWTR);
}

static void finish_write(struct dram_channel *c, const struct dram_request *r)
{
	c->stats.writes++;
	c->bank_stats[r->bank].writes++;
	if (c->versions)
		versions_in_memory(c->versions, r->line, r->versions);
}

static void finish_read(struct dram_channel *c, struct dram_request *r, uint64_t arrival, uint64_t last, uint64_t now)
{
	const struct dram_config *t = c->config;
	uint64_t done = last + t->tCL + t->burst_clocks + t->extra_clocks;

	if (c->versions)
		r->versions = versions_read(c->versions, r->line);
	fifo_push(&c->on_bus, now, (struct dram_data){*r, done});
	c->stats.reads++;
	c->bank_stats[r->bank].reads++;
	c->stats.read_clocks += done - arrival;
}

/* All bursts of the entry are sent, the last of them at `last`. */
static void finish_entry(struct dram_channel *c, struct dram_queue *q, unsigned index, uint64_t last, uint64_t now)
{
	struct dram_entry e = q->entries[index];
	unsigned b = e.request.bank;

	if (e.request.write)
		finish_write(c, &e.request);
	else
		finish_read(c, &e.request, e.arrival, last, now);
	c->stats.row_hits += !e.opened;
	c->bank_stats[b].row_hits += !e.opened;
	dram_queue_remove(q, index);
	/* Closed-page policy: the last command for a row that nobody waits for precharges by itself. */
	if (c->config->page_policy == DRAM_CLOSED_PAGE && !c->reads.hits_in_bank[b] && !c->writes.hits_in_bank[b])
		precharge(c, b, c->banks[b].next_precharge);
}

/* Sends all bursts of an entry, or one with dram.interleave. */
static void issue_column(struct dram_channel *c, struct dram_queue *q, unsigned index, uint64_t now, uint64_t clock)
{
	const struct dram_config *t = c->config;
	struct dram_entry *e = &q->entries[index];
	const struct dram_request *r = &e->request;
	unsigned same = t->burst_clocks > t->tCCDl ? t->burst_clocks : t->tCCDl;
	unsigned other = t->burst_clocks > t->tCCDs ? t->burst_clocks : t->tCCDs;
	unsigned bursts = t->interleave ? 1 : r->bursts;
	uint64_t last = clock + (uint64_t)(bursts - 1) * same;

	if (c->log && !e->sent)
		log_event(c, now, REQUEST_DRAM_ISSUE, r);
	c->any_column = last + other;
	c->group_column[group_of(c, r->bank)] = last + same;
	if (r->write) {
		follow_write(c, r, last);
		c->stats.write_bursts += bursts;
	} else {
		at_least(&c->banks[r->bank].next_precharge, last + t->tRTP);
		at_least(&c->next_write, last + t->tRTW);
		c->stats.read_bursts += bursts;
	}
	e->sent = (uint8_t)(e->sent + bursts);
	if (e->sent == r->bursts)
		finish_entry(c, q, index, last, now);
}

/* Issues the oldest hit that takes part and may go; else returns the clock when the first may, UINT64_MAX = none. */
static uint64_t try_column(struct dram_channel *c, struct dram_queue *q, uint64_t now, uint64_t clock)
{
	uint64_t candidates = q->hits ? c->scheduler->columns(q) : 0, first = UINT64_MAX;
	bool write = q == &c->writes;

	if (!write && candidates && c->on_bus.count >= port_room(&c->out, now))
		return clock + 1;
	for (uint64_t rest = candidates; rest; rest &= rest - 1) {
		unsigned index = (unsigned)__builtin_ctzll(rest);
		uint64_t time = column_time(c, q->entries[index].request.bank, write);

		if (time <= clock) {
			issue_column(c, q, index, now, clock);
			return clock;
		}
		first = sooner(time, first);
	}
	return first;
}

static uint64_t activate_time(const struct dram_channel *c, unsigned bank)
{
	uint64_t window = c->activates[c->oldest_activate];
	uint64_t time = later(c->banks[bank].next_activate, window ? window - 1 + c->config->tFAW : 0);

	return later(time, later(c->any_activate, c->group_activate[group_of(c, bank)]));
}

static void activate(struct dram_channel *c, unsigned bank, uint32_t row, uint64_t clock)
{
	const struct dram_config *t = c->config;
	struct dram_bank *b = &c->banks[bank];

	b->next_column = clock + t->tRCD;
	at_least(&b->next_precharge, clock + t->tRAS);
	b->next_activate = clock + t->tRC;
	c->any_activate = clock + t->tRRDs;
	c->group_activate[group_of(c, bank)] = clock + t->tRRDl;
	c->activates[c->oldest_activate] = clock + 1;
	c->oldest_activate = (c->oldest_activate + 1) % 4;
	c->stats.activates++;
	c->bank_stats[bank].activates++;
	set_row(c, bank, row);
}

/* Closes the row of the bank of entry e, or opens the row that e needs. Returns like try_column. */
static uint64_t try_bank(struct dram_channel *c, struct dram_entry *e, uint64_t now, uint64_t clock)
{
	unsigned bank = e->request.bank;
	bool closed = c->banks[bank].row == DRAM_CLOSED;
	uint64_t time = closed ? activate_time(c, bank) : c->banks[bank].next_precharge;

	if (time > clock)
		return time;
	if (closed) {
		e->opened = true;
		if (c->log)
			log_event(c, now, REQUEST_DRAM_ROW, &e->request);
		activate(c, bank, e->request.row, clock);
		if (c->structures)
			c->structures[e->request.structure].activates++;
	} else {
		precharge(c, bank, clock);
	}
	return clock;
}

/* A row command for the oldest miss that takes part and can use one. */
static uint64_t try_row(struct dram_channel *c, struct dram_queue *q, uint64_t now, uint64_t clock)
{
	uint64_t candidates = dram_queue_misses(q) ? c->scheduler->rows(q) : 0, first = UINT64_MAX;
	unsigned i;

	BITS_FOR_EACH(i, candidates, 0) {
		uint64_t time = try_bank(c, &q->entries[i], now, clock);

		if (time == clock)
			return clock;
		first = sooner(time, first);
	}
	return first;
}

/* From the clock from which the bank could open a row, its row is closed, and stays so for `clocks`. */
static uint64_t close_bank(struct dram_channel *c, unsigned bank, uint64_t due)
{
	if (c->banks[bank].row != DRAM_CLOSED)
		precharge(c, bank, later(due, c->banks[bank].next_precharge));
	return later(due, c->banks[bank].next_activate);
}

/* A refresh of all banks that is due at clock `due`: once all are closed they stay so for tRFC. */
static void refresh_all(struct dram_channel *c, uint64_t due)
{
	uint64_t start = due;

	for (unsigned b = 0; b < c->config->banks; b++)
		start = later(start, close_bank(c, b, due));
	for (unsigned b = 0; b < c->config->banks; b++)
		at_least(&c->banks[b].next_activate, start + c->config->tRFC);
}

/* The banks take turns; the others go on. */
static void refresh_bank(struct dram_channel *c, uint64_t due)
{
	unsigned bank = (unsigned)(due / dram_refresh_interval(c->config) % c->config->banks);
	uint64_t start = close_bank(c, bank, due);

	at_least(&c->banks[bank].next_activate, start + c->config->tRFCb);
}

uint64_t dram_refresh_interval(const struct dram_config *config)
{
	return config->tRFCb ? config->tREFI / config->banks : config->tREFI;
}

/*
 * Refreshes that were due while nothing waited count as done when they were due, although the channel did not tick
 * then. The first of them closes the rows of its banks. Only the latest of a bank can still be in progress.
 */
void dram_channel_refresh(struct dram_channel *c, uint64_t clock)
{
	uint64_t interval = dram_refresh_interval(c->config), count, round = c->config->tRFCb ? c->config->banks : 1;

	if (!c->config->refresh || c->next_refresh > clock)
		return;
	count = (clock - c->next_refresh) / interval + 1;
	for (uint64_t i = 0; i < count; i++) {
		if (i == round && count > 2 * round)
			i = count - round;
		(c->config->tRFCb ? refresh_bank : refresh_all)(c, c->next_refresh + i * interval);
	}
	c->stats.refreshes += count;
	c->next_refresh += count * interval;
}

static struct dram_queue *choose_queue(struct dram_channel *c)
{
	const struct dram_config *t = c->config;

	if (c->read_follows_write)
		return &c->writes;
	if (c->writes.count >= t->write_high || c->writes.count == c->writes.capacity)
		c->draining = true;
	else if (c->writes.count <= t->write_low)
		c->draining = false;
	return c->draining || !c->reads.count ? &c->writes : &c->reads;
}

/* Finds the overdue entries; returns the clock when the next one will be. Entries are in order of arrival. */
static uint64_t mark_overdue(struct dram_queue *q, uint32_t age_cap, uint64_t clock)
{
	unsigned n = 0;

	if (!age_cap)
		return UINT64_MAX;
	while (n < q->count && q->entries[n].arrival + age_cap < clock)
		n++;
	q->overdue = (UINT64_C(1) << n % 64) - 1;
	if (n == 64)
		q->overdue = UINT64_MAX;
	return n < q->count ? q->entries[n].arrival + age_cap + 1 : UINT64_MAX;
}

static void issue_commands(struct dram_channel *c, uint64_t now, uint64_t clock)
{
	struct dram_queue *q;
	uint64_t next, overdue;

	dram_channel_refresh(c, clock);
	q = choose_queue(c);
	overdue = mark_overdue(q, c->config->age_cap, clock);
	next = try_column(c, q, now, clock);
	mark_overdue(q, c->config->age_cap, clock);
	next = sooner(next, try_row(c, q, now, clock));
	next = sooner(next, overdue);
	if (c->config->refresh && q->count)
		next = sooner(next, c->next_refresh);
	c->asleep_until = next == clock ? clock + 1 : next;
}

static void return_reads(struct dram_channel *c, uint64_t now, uint64_t clock)
{
	const struct dram_data *data;

	while ((data = fifo_peek(&c->on_bus, now)) && data->done <= clock) {
		if (c->log)
			log_event(c, now, REQUEST_DRAM_DATA, &data->request);
		port_push(&c->out, now + 1, data->request);
		fifo_pop(&c->on_bus, now);
	}
}

void dram_channel_tick(struct dram_channel *c, uint64_t now, uint64_t before, uint64_t clock)
{
	/*
	 * A request that arrives in a cycle is served from the first clock of that cycle on. A cycle may have several
	 * clocks, or none.
	 */
	take_requests(c, now, sooner(before + 1, clock));
	for (uint64_t k = later(before + 1, c->asleep_until); k <= clock && (c->reads.count || c->writes.count);
	     k = later(k + 1, c->asleep_until))
		issue_commands(c, now, k);
	return_reads(c, now, clock);
}

bool dram_channel_is_empty(const struct dram_channel *c)
{
	return !c->in.count && !c->out.count && !c->on_bus.count && !c->reads.count && !c->writes.count;
}

uint64_t dram_channel_next(const struct dram_channel *c, uint64_t now)
{
	uint64_t clock = UINT64_MAX;

	if (c->in.count || c->out.count)
		return now + 1;
	if (c->reads.count || c->writes.count)
		clock = later(c->asleep_until, dram_clock_at(c->clock, now) + 1);
	if (c->on_bus.count && c->on_bus.entries[c->on_bus.head].value.done < clock)
		clock = c->on_bus.entries[c->on_bus.head].value.done;
	return clock == UINT64_MAX ? UINT64_MAX : later(dram_clock_cycle(c->clock, clock), now + 1);
}
