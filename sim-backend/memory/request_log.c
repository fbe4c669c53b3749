/* Writes lines of events, and keeps the data for them: the owners of packets, and of a slice's MSHRs. */
#include "sim-backend/memory/request_log.h"

#include "common/diag.h"
#include "common/vec.h"
#include "common/xalloc.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* id 0: it is not followed. */
struct followed {
	uint64_t id, line;
	uint16_t sm;
};

struct request_log {
	struct request_log_setup setup;
	struct request_log_choice choice;
	bool kernel_wanted;
	uint64_t sent;
	VEC(struct followed) packets;   /* by packet */
	VEC(struct followed) * flights; /* by SM: on their way, oldest first */
	struct followed *fetches;       /* [slices][mshrs] */
};

static const char *const names[REQUEST_EVENTS] = {
    [REQUEST_L1_HIT] = "l1-hit",
    [REQUEST_L1_MERGE] = "l1-merge",
    [REQUEST_L1_MISS] = "l1-miss",
    [REQUEST_SENT] = "sent",
    [REQUEST_NET_IN] = "net-in",
    [REQUEST_SLICE_IN] = "slice-in",
    [REQUEST_LLC_HIT] = "llc-hit",
    [REQUEST_LLC_MERGE] = "llc-merge",
    [REQUEST_LLC_MISS] = "llc-miss",
    [REQUEST_DRAM_ASK] = "dram-ask",
    [REQUEST_DRAM_QUEUE] = "dram-queue",
    [REQUEST_DRAM_ROW] = "dram-row",
    [REQUEST_DRAM_ISSUE] = "dram-issue",
    [REQUEST_DRAM_DATA] = "dram-data",
    [REQUEST_FILL] = "fill",
    [REQUEST_REPLY] = "reply",
    [REQUEST_REPLY_IN] = "reply-in",
    [REQUEST_DELIVERED] = "delivered",
    [REQUEST_DONE] = "done",
};

const char *request_event_name(enum request_event event)
{
	return names[event];
}

/* --- The choice --- */

/* Reads a number, decimal or 0x..., and returns the place after it; NULL: no number is there, or it is too large. */
static const char *read_number(const char *text, uint64_t *number)
{
	char *end;

	if (*text < '0' || *text > '9')
		return NULL;
	errno = 0;
	*number = strtoull(text, &end, text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10);
	return errno ? NULL : end;
}

static bool choose_sm(struct request_log_choice *c, const char *text)
{
	uint64_t sm;
	const char *end = read_number(text, &sm);

	c->sm = end && sm < UINT16_MAX ? (int)sm : -1;
	return end && !*end && c->sm >= 0;
}

static bool choose_line(struct request_log_choice *c, const char *text)
{
	const char *end = read_number(text, &c->line);

	c->of_line = true;
	return end && !*end;
}

static bool choose_cycles(struct request_log_choice *c, const char *text)
{
	const char *end = read_number(text, &c->from);

	if (!end || *end != '-')
		return false;
	end = read_number(end + 1, &c->until);
	return end && !*end && c->from <= c->until;
}

static bool choose_kernel(struct request_log_choice *c, const char *text)
{
	c->kernels = text;
	return *text;
}

int request_log_choose(struct request_log_choice *choice, const char *text, struct diag *d)
{
	static const struct {
		const char *start;
		bool (*read)(struct request_log_choice *c, const char *text);
	} forms[] = {
	    {"sm:", choose_sm}, {"line:", choose_line}, {"cycles:", choose_cycles}, {"kernel:", choose_kernel}};

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		size_t len = strlen(forms[i].start);

		if (strncmp(text, forms[i].start, len) == 0 && forms[i].read(choice, text + len))
			return 0;
	}
	return diag_file(d, "--events-of", "'%s' is not sm:N, line:0xADDRESS, cycles:FROM-UNTIL or kernel:REGEX", text);
}

/* --- Lines --- */

enum { NOWHERE = UINT32_MAX };

/* A column for each of what an event may have. */
static void begin_line(struct request_log *log, uint64_t cycle, const char *event, uint64_t id, unsigned sm,
		       uint64_t line)
{
	fprintf(log->setup.out, "%10" PRIu64 "  %-10s ", cycle, event);
	if (id)
		fprintf(log->setup.out, "%9" PRIu64 " ", id);
	else
		fprintf(log->setup.out, "%9s ", "-");
	if (sm == NOWHERE)
		fprintf(log->setup.out, "%4s ", "-");
	else
		fprintf(log->setup.out, "%4u ", sm);
	fprintf(log->setup.out, "0x%012" PRIx64, line);
}

static void begin_followed(struct request_log *log, uint64_t cycle, enum request_event event, const struct followed *f)
{
	begin_line(log, cycle, names[event], f->id, f->sm, f->line);
}

/* "2.1": slice 1 of controller 2; with several chips the chip before that. */
static void add_slice(struct request_log *log, unsigned slice)
{
	unsigned mc = slice / log->setup.slices_per_mc;

	fputs("  slice ", log->setup.out);
	if (log->setup.chips > 1)
		fprintf(log->setup.out, "%u.", mc / log->setup.mcs);
	fprintf(log->setup.out, "%u.%u", mc % log->setup.mcs, slice % log->setup.slices_per_mc);
}

static void end_line(struct request_log *log)
{
	putc('\n', log->setup.out);
}

/* --- Creation --- */

struct request_log *request_log_create(const struct request_log_setup *setup, const struct request_log_choice *choice)
{
	struct request_log *log = xcalloc(1, sizeof *log);
	size_t slices = (size_t)setup->chips * setup->mcs * setup->slices_per_mc;

	log->setup = *setup;
	log->choice = *choice;
	log->kernel_wanted = true;
	log->flights = xcalloc(setup->sms, sizeof *log->flights);
	log->fetches = xcalloc(slices * setup->mshrs, sizeof *log->fetches);
	fputs("#    cycle  event        request   sm line            where, what\n", setup->out);
	return log;
}

void request_log_free(struct request_log *log)
{
	if (!log)
		return;
	for (unsigned sm = 0; sm < log->setup.sms; sm++)
		vec_release(&log->flights[sm]);
	vec_release(&log->packets);
	xfree(log->flights);
	xfree(log->fetches);
	xfree(log);
}

/* --- Requests to follow --- */

static bool wants_place(const struct request_log *log, uint64_t cycle, uint64_t line)
{
	const struct request_log_choice *c = &log->choice;

	return log->kernel_wanted && cycle >= c->from && cycle <= c->until &&
	       (!c->of_line || line / log->setup.line_bytes == c->line / log->setup.line_bytes);
}

static bool wants(const struct request_log *log, uint64_t cycle, unsigned sm, uint64_t line)
{
	return (log->choice.sm < 0 || (unsigned)log->choice.sm == sm) && wants_place(log, cycle, line);
}

static const struct followed *packet_of(const struct request_log *log, uint32_t packet)
{
	return packet < log->packets.len && log->packets.data[packet].id ? &log->packets.data[packet] : NULL;
}

static struct followed *fetch_of(struct request_log *log, unsigned slice, unsigned entry)
{
	return &log->fetches[(size_t)slice * log->setup.mshrs + entry];
}

/* The latest request for the line that the SM waits for; 0: it does not wait for the line. */
static uint64_t flight_of(const struct request_log *log, unsigned sm, uint64_t line)
{
	for (size_t i = log->flights[sm].len; i-- > 0;)
		if (log->flights[sm].data[i].line == line)
			return log->flights[sm].data[i].id;
	return 0;
}

static void land(struct request_log *log, const struct followed *f)
{
	for (size_t i = 0; i < log->flights[f->sm].len; i++) {
		struct followed *all = log->flights[f->sm].data;

		if (all[i].id != f->id)
			continue;
		memmove(&all[i], &all[i + 1], (log->flights[f->sm].len - i - 1) * sizeof *all);
		log->flights[f->sm].len--;
		return;
	}
}

/* --- Kernels and decisions --- */

void request_log_kernel(struct request_log *log, uint64_t cycle, unsigned launch, const char *name, bool wanted)
{
	log->kernel_wanted = wanted;
	if (wanted)
		fprintf(log->setup.out, "%10" PRIu64 "  kernel     launch %u begins: %s\n", cycle, launch, name);
}

void request_log_kernel_end(struct request_log *log, uint64_t cycle, unsigned launch, const char *name)
{
	if (log->kernel_wanted)
		fprintf(log->setup.out, "%10" PRIu64 "  kernel     launch %u ends: %s\n", cycle, launch, name);
}

void request_log_decision(struct request_log *log, uint64_t cycle, const char *text)
{
	if (log->kernel_wanted && cycle >= log->choice.from && cycle <= log->choice.until)
		fprintf(log->setup.out, "%10" PRIu64 "  policy     %s\n", cycle, text);
}

/* --- Events --- */

void request_log_l1(struct request_log *log, uint64_t cycle, enum request_event event, unsigned sm, uint64_t line)
{
	uint64_t id = 0;

	if (!wants(log, cycle, sm, line))
		return;
	if (event == REQUEST_L1_MISS)
		id = log->sent + 1;
	else if (event == REQUEST_L1_MERGE)
		id = flight_of(log, sm, line);
	begin_line(log, cycle, names[event], id, sm, line);
	end_line(log);
}

static void describe(const struct request_log *log, const struct mem_request *r)
{
	static const char *const kinds[MEM_KIND_COUNT] = {"read", "write", "atomic"};

	fprintf(log->setup.out, "  %s of %u bytes%s%s, structure %s", kinds[r->kind], r->bytes,
		r->flags & MEM_READ_ONLY ? ", marked" : "", r->flags & MEM_BYPASS ? ", past the L1" : "",
		log->setup.structure ? log->setup.structure(log->setup.context, r->structure) : "not named");
}

void request_log_sent(struct request_log *log, uint32_t packet, const struct mem_request *r)
{
	struct followed f = {.id = ++log->sent, .line = r->line, .sm = r->sm};

	while (log->packets.len <= packet)
		vec_push(&log->packets, (struct followed){.id = 0});
	if (!wants(log, r->issued, r->sm, r->line))
		f.id = 0;
	log->packets.data[packet] = f;
	if (!f.id)
		return;
	if (!(r->flags & MEM_NO_REPLY))
		vec_push(&log->flights[r->sm], f);
	begin_followed(log, r->issued, REQUEST_SENT, &f);
	describe(log, r);
	end_line(log);
}

void request_log_event(struct request_log *log, uint64_t cycle, enum request_event event, uint32_t packet)
{
	const struct followed *f = packet_of(log, packet);

	if (!f)
		return;
	begin_followed(log, cycle, event, f);
	end_line(log);
}

void request_log_end(struct request_log *log, uint64_t cycle, enum request_event event, uint32_t packet)
{
	struct followed f;

	if (!packet_of(log, packet))
		return;
	f = *packet_of(log, packet);
	request_log_event(log, cycle, event, packet);
	land(log, &f);
	log->packets.data[packet].id = 0;
}

void request_log_slice(struct request_log *log, uint64_t cycle, uint32_t packet, unsigned slice, unsigned queued)
{
	const struct followed *f = packet_of(log, packet);

	if (!f)
		return;
	begin_followed(log, cycle, REQUEST_SLICE_IN, f);
	add_slice(log, slice);
	if (queued)
		fprintf(log->setup.out, ", %u cycles after it arrived", queued);
	end_line(log);
}

void request_log_fetch(struct request_log *log, uint64_t cycle, uint32_t packet, unsigned slice, unsigned entry)
{
	const struct followed *f = packet_of(log, packet);

	*fetch_of(log, slice, entry) = f ? *f : (struct followed){.id = 0};
	if (!f)
		return;
	begin_followed(log, cycle, REQUEST_DRAM_ASK, f);
	add_slice(log, slice);
	end_line(log);
}

void request_log_memory(struct request_log *log, uint64_t cycle, enum request_event event, unsigned slice,
			unsigned entry, unsigned channel, uint64_t line)
{
	const struct followed *f = fetch_of(log, slice, entry);

	if (!f->id || f->line != line)
		return;
	begin_followed(log, cycle, event, f);
	add_slice(log, slice);
	fprintf(log->setup.out, ", channel %u", channel);
	end_line(log);
}

void request_log_write(struct request_log *log, uint64_t cycle, enum request_event event, unsigned slice,
		       unsigned channel, uint64_t line)
{
	if (log->choice.sm >= 0 || !wants_place(log, cycle, line))
		return;
	begin_line(log, cycle, names[event], 0, NOWHERE, line);
	add_slice(log, slice);
	fprintf(log->setup.out, ", channel %u, a write", channel);
	end_line(log);
}

void request_log_filled(struct request_log *log, uint64_t cycle, unsigned slice, unsigned entry)
{
	const struct followed *f = fetch_of(log, slice, entry);

	if (!f->id)
		return;
	begin_followed(log, cycle, REQUEST_FILL, f);
	add_slice(log, slice);
	end_line(log);
}
