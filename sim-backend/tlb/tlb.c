/* A page in a TLB has the cycle from which it is there, so a page on its way is found like any other. */
#include "sim-backend/tlb/tlb.h"

#include "common/xalloc.h"
#include "sim-backend/base/port.h"

#define NO_PAGE UINT64_MAX
enum { PORT_ROOM = 4 };

const struct stat_row tlb_stat_rows[] = {
#define STAT(...) STAT_ROW(struct tlb_stats, __VA_ARGS__)
#include "sim-backend/tlb/tlb_stats.def"
    STAT_END,
};

struct tlb_entry {
	uint64_t page, there, asked;
};

struct tlb_array {
	uint32_t sets, ways;
	uint64_t asks;
	struct tlb_entry *entries; /* [set][way] */
};

struct waiting_request {
	struct mem_request request;
	uint64_t ready;
};

struct sm_tlb {
	struct tlb_array pages;
	PORT(struct mem_request) in;
	struct waiting_request *waiting; /* oldest first */
	uint32_t nwaiting;
};

/* Of a chip. */
struct shared_tlb {
	struct tlb_array pages;
	uint64_t *walkers; /* when each is free */
};

struct tlbs {
	const struct tlb_config *config;
	unsigned sms, chips;
	struct sm_tlb *of_sm;
	struct shared_tlb *of_chip;
	struct wakeups wakeups; /* SMs with requests */
	struct tlb_stats stats;
};

/* --- Arrays --- */

static void array_init(struct tlb_array *a, uint32_t entries, uint32_t ways)
{
	a->ways = ways;
	a->sets = entries / ways;
	a->entries = xcalloc(entries, sizeof *a->entries);
	for (uint32_t i = 0; i < entries; i++)
		a->entries[i].page = NO_PAGE;
}

/* The page's entry, or the one that it takes: then its page is another. */
static struct tlb_entry *array_find(struct tlb_array *a, uint64_t page)
{
	struct tlb_entry *set = a->entries + page % a->sets * a->ways, *oldest = set;

	for (uint32_t w = 0; w < a->ways; w++) {
		if (set[w].page == page) {
			oldest = &set[w];
			break;
		}
		if (set[w].page == NO_PAGE || (oldest->page != NO_PAGE && set[w].asked < oldest->asked))
			oldest = &set[w];
	}
	oldest->asked = ++a->asks;
	return oldest;
}

/* --- Translation --- */

struct tlbs *tlbs_create(const struct tlb_config *config, unsigned sms, unsigned chips)
{
	struct tlbs *t;

	if (!config->entries)
		return NULL;
	t = xcalloc(1, sizeof *t);
	*t = (struct tlbs){.config = config, .sms = sms, .chips = chips};
	t->of_sm = xcalloc(sms, sizeof *t->of_sm);
	t->of_chip = xcalloc(chips, sizeof *t->of_chip);
	wakeups_init(&t->wakeups, sms, false);
	for (unsigned sm = 0; sm < sms; sm++) {
		array_init(&t->of_sm[sm].pages, config->entries, config->entries);
		port_init(&t->of_sm[sm].in, PORT_ROOM, wakeup_of(&t->wakeups, sm));
		t->of_sm[sm].waiting = xcalloc(config->waiting, sizeof *t->of_sm[sm].waiting);
	}
	for (unsigned chip = 0; chip < chips; chip++) {
		array_init(&t->of_chip[chip].pages, config->shared_entries, config->shared_ways);
		t->of_chip[chip].walkers = xcalloc(config->walkers, sizeof *t->of_chip[chip].walkers);
	}
	return t;
}

void tlbs_free(struct tlbs *t)
{
	if (!t)
		return;
	for (unsigned sm = 0; sm < t->sms; sm++) {
		xfree(t->of_sm[sm].pages.entries);
		port_release(&t->of_sm[sm].in);
		xfree(t->of_sm[sm].waiting);
	}
	for (unsigned chip = 0; chip < t->chips; chip++) {
		xfree(t->of_chip[chip].pages.entries);
		xfree(t->of_chip[chip].walkers);
	}
	wakeups_release(&t->wakeups);
	xfree(t->of_sm);
	xfree(t->of_chip);
	xfree(t);
}

/* The walker that is free first takes the walk; the cycle of its end. */
static uint64_t walk(struct tlbs *t, struct shared_tlb *s, uint64_t cycle)
{
	uint64_t *first = s->walkers;

	for (uint32_t i = 1; i < t->config->walkers; i++)
		if (s->walkers[i] < *first)
			first = &s->walkers[i];
	*first = (*first > cycle ? *first : cycle) + t->config->walk_cycles;
	t->stats.walks++;
	return *first;
}

static uint64_t ask_shared(struct tlbs *t, unsigned chip, uint64_t page, uint64_t cycle)
{
	struct shared_tlb *s = &t->of_chip[chip];
	struct tlb_entry *e = array_find(&s->pages, page);
	uint64_t looked_up = cycle + t->config->shared_latency;

	t->stats.shared_requests++;
	if (e->page != page) {
		e->page = page;
		e->there = walk(t, s, looked_up);
	}
	return e->there > looked_up ? e->there : looked_up;
}

uint64_t tlb_translate(struct tlbs *t, unsigned sm, uint64_t address, uint64_t cycle)
{
	uint64_t page = (address >> 10) / t->config->page_kilobytes;
	struct tlb_entry *e = array_find(&t->of_sm[sm].pages, page);

	t->stats.requests++;
	if (e->page != page) {
		e->page = page;
		e->there = ask_shared(t, sm / (t->sms / t->chips), page, cycle);
	}
	if (e->there <= cycle)
		return cycle;
	t->stats.misses++;
	t->stats.wait_cycles += e->there - cycle;
	return e->there;
}

/* --- Requests --- */

bool tlb_can_take(const struct tlbs *t, unsigned sm, uint64_t cycle)
{
	return port_room(&t->of_sm[sm].in, cycle) > 0;
}

void tlb_take(struct tlbs *t, unsigned sm, uint64_t cycle, const struct mem_request *request)
{
	port_push(&t->of_sm[sm].in, cycle + 1, *request);
}

static bool take_waiting(struct sm_tlb *s, uint64_t cycle, struct mem_request *request)
{
	uint32_t i = 0;

	while (i < s->nwaiting && s->waiting[i].ready > cycle)
		i++;
	if (i == s->nwaiting)
		return false;
	*request = s->waiting[i].request;
	memmove(s->waiting + i, s->waiting + i + 1, (--s->nwaiting - i) * sizeof *s->waiting);
	return true;
}

static bool look_up(struct tlbs *t, unsigned sm, uint64_t cycle, struct mem_request *request)
{
	struct sm_tlb *s = &t->of_sm[sm];
	const struct mem_request *front = port_peek(&s->in, cycle);
	uint64_t ready;

	if (!front || s->nwaiting == t->config->waiting)
		return false;
	*request = *front;
	port_pop(&s->in, cycle);
	ready = tlb_translate(t, sm, request->line, cycle);
	if (ready > cycle)
		s->waiting[s->nwaiting++] = (struct waiting_request){*request, ready};
	return ready <= cycle;
}

bool tlb_tick(struct tlbs *t, unsigned sm, uint64_t cycle, struct mem_request *request)
{
	struct sm_tlb *s = &t->of_sm[sm];
	bool goes_on;

	if (!bits_has(t->wakeups.awake, sm))
		return false;
	goes_on = take_waiting(s, cycle, request) || look_up(t, sm, cycle, request);
	if (!s->in.count && !s->nwaiting)
		bits_clear(t->wakeups.awake, sm);
	return goes_on;
}

uint64_t tlbs_next(const struct tlbs *t, uint64_t cycle)
{
	uint64_t next = UINT64_MAX;

	for (unsigned sm = 0; sm < t->sms && next > cycle + 1; sm++) {
		const struct sm_tlb *s = &t->of_sm[sm];

		if (!bits_has(t->wakeups.awake, sm))
			continue;
		if (s->in.count && s->nwaiting < t->config->waiting)
			return cycle + 1;
		for (uint32_t i = 0; i < s->nwaiting; i++)
			wake_no_later(&next, s->waiting[i].ready);
	}
	return next > cycle ? next : cycle + 1;
}

bool tlbs_are_empty(const struct tlbs *t)
{
	return !wakeups_any(&t->wakeups);
}

const struct tlb_stats *tlbs_statistics(const struct tlbs *t)
{
	return &t->stats;
}
