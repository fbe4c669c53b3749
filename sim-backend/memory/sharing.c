/* Each SM's requests of the window in a list of its own; when the window ends, a hash table of their lines. */
#include "sim-backend/memory/sharing.h"

#include "common/xalloc.h"
#include "sim-backend/base/bits.h"

#include <string.h>

struct sharing_request {
	uint64_t line;
	uint32_t window;
	bool read_only;
};

/* One request per cycle, and the first request of the next window if the SM comes before the tick. */
enum { LIST_PLACES = SHARING_WINDOW + 1 };

/* In memory of its own, so that SMs do not share cache lines. */
struct sm_list {
	uint32_t count;
	struct sharing_request requests[LIST_PLACES];
};

struct shared_line {
	uint64_t line;
	uint32_t requests;      /* 0: a free place */
	bool not_all_read_only; /* of the requests */
};

struct sharing {
	unsigned sms, words; /* words: of a set of SMs */
	uint64_t window;     /* the present one */
	struct sm_list **lists;
	uint32_t size, count; /* places, a power of two; lines in the window */
	struct shared_line *lines;
	uint64_t *sets;   /* [size][words]: SMs */
	uint32_t *places; /* of the window's lines, in the order in which they came */
	struct sharing_stats stats;
};

const struct stat_row sharing_stat_rows[] = {
#define STAT(...) STAT_ROW(struct sharing_stats, __VA_ARGS__)
#include "sim-backend/memory/sharing_stats.def"
    STAT_END,
};

struct sharing *sharing_create(unsigned sms)
{
	struct sharing *s = xcalloc(1, sizeof *s);

	s->sms = sms;
	s->words = bits_words(sms);
	s->lists = xcalloc(sms, sizeof *s->lists);
	for (unsigned i = 0; i < sms; i++)
		s->lists[i] = xcalloc_lines(1, sizeof **s->lists);
	s->size = 1;
	while (s->size < 2 * LIST_PLACES * sms)
		s->size *= 2;
	s->lines = xcalloc(s->size, sizeof *s->lines);
	s->sets = xcalloc((size_t)s->size * s->words, sizeof *s->sets);
	s->places = xcalloc(s->size, sizeof *s->places);
	return s;
}

void sharing_free(struct sharing *s)
{
	if (!s)
		return;
	for (unsigned i = 0; i < s->sms; i++)
		xfree(s->lists[i]);
	xfree(s->lists);
	xfree(s->lines);
	xfree(s->sets);
	xfree(s->places);
	xfree(s);
}

void sharing_note(struct sharing *s, uint64_t cycle, unsigned sm, uint64_t line, bool read_only)
{
	struct sm_list *list = s->lists[sm];

	list->requests[list->count++] = (struct sharing_request){line, (uint32_t)(cycle / SHARING_WINDOW), read_only};
}

/* Place of the line, which has requests from now on. */
static uint32_t place_of(struct sharing *s, uint64_t line)
{
	uint32_t place = (uint32_t)((line >> 5) * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (s->size - 1);

	while (s->lines[place].requests && s->lines[place].line != line)
		place = (place + 1) & (s->size - 1);
	if (!s->lines[place].requests++) {
		s->lines[place].line = line;
		s->places[s->count++] = place;
	}
	return place;
}

static void add_request(struct sharing *s, unsigned sm, const struct sharing_request *request)
{
	uint32_t place = place_of(s, request->line);

	bits_set(s->sets + (size_t)place * s->words, sm);
	s->lines[place].not_all_read_only |= !request->read_only;
}

/* Takes the requests of windows before `end`; what came later stays in the list. */
static void gather(struct sharing *s, unsigned sm, uint64_t end)
{
	struct sm_list *list = s->lists[sm];
	uint32_t kept = 0;

	for (uint32_t i = 0; i < list->count; i++)
		if (list->requests[i].window < end)
			add_request(s, sm, &list->requests[i]);
		else
			list->requests[kept++] = list->requests[i];
	list->count = kept;
}

static void count_line(struct sharing *s, uint32_t place)
{
	uint64_t *sms = s->sets + (size_t)place * s->words;
	uint32_t requests = s->lines[place].requests;
	unsigned sharers = 0;

	for (unsigned w = 0; w < s->words; w++)
		sharers += (unsigned)__builtin_popcountll(sms[w]);
	s->stats.lines++;
	s->stats.lines_over_2 += sharers > 2;
	s->stats.lines_over_9 += sharers > 9;
	s->stats.requests += requests;
	s->stats.requests_over_2 += sharers > 2 ? requests : 0;
	s->stats.requests_over_9 += sharers > 9 ? requests : 0;
	s->stats.sharers += sharers;
	s->stats.lines_shared += sharers > 1;
	s->stats.lines_shared_read_only += sharers > 1 && !s->lines[place].not_all_read_only;
	memset(sms, 0, s->words * sizeof *sms);
	s->lines[place].requests = 0;
	s->lines[place].not_all_read_only = false;
}

static void end_windows_before(struct sharing *s, uint64_t end)
{
	for (unsigned sm = 0; sm < s->sms; sm++)
		gather(s, sm, end);
	for (uint32_t i = 0; i < s->count; i++)
		count_line(s, s->places[i]);
	s->count = 0;
}

void sharing_tick(struct sharing *s, uint64_t cycle)
{
	uint64_t window = cycle / SHARING_WINDOW;

	if (window == s->window)
		return;
	end_windows_before(s, window);
	s->window = window;
}

void sharing_end_window(struct sharing *s)
{
	end_windows_before(s, UINT64_MAX);
}

struct sharing_stats sharing_statistics(const struct sharing *s)
{
	return s->stats;
}
