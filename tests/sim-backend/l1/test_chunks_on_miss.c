/*
 * Chunks that get their slots when a load misses: who must wait, what a line keeps while something is on its way; and a
 * plain model with fetches in flight, load by load and reply by reply.
 */
#include "tests/sim-backend/l1/chunk_streams.h"

#include "sim-backend/memory/memsys.h"
#include "tests/sim-backend/l1/load_and_fill.h"

static void init(struct one_l1 *o, const char *policy, uint32_t sets, uint32_t ways)
{
	one_l1_init(o, policy, sets, ways);
	o->config.alloc = L1_ALLOC_MISS;
}

/* One line of four slots: the fifth chunk waits, and so does one with another common tag, until a slot has its data. */
static void test_a_load_waits_for_slots(void **state)
{
	struct one_l1 o;
	uint32_t mshrs[5];

	(void)state;
	init(&o, "elastic32", 1, 1);
	o.config.write_hit = L1_INVALIDATE;
	one_l1_begin(&o);
	for (uint64_t n = 0; n < 4; n++)
		assert_int_equal(load(&o, 100 * n, 1, &mshrs[n]), L1_MISS);
	assert_int_equal(load(&o, 400, 1, &mshrs[4]), L1_STALL_WAY);
	assert_int_equal(load(&o, 200, 1, &mshrs[4]), L1_MERGED);
	assert_false(l1_store(o.l1, 100 * 128, 1)); /* nothing is there yet */
	assert_true(fill(&o, mshrs[1], 0));
	assert_int_equal(load(&o, 100, 1, &mshrs[4]), L1_HIT);
	assert_int_equal(load(&o, 1 << 14, 1, &mshrs[4]), L1_STALL_WAY); /* others wait in the line */
	assert_int_equal(load(&o, 400, 1, &mshrs[4]), L1_MISS);          /* takes the slot of line 100 */
	assert_int_equal(load(&o, 100, 1, &mshrs[1]), L1_STALL_WAY);
	assert_false(fill(&o, mshrs[0], MEM_BYPASS));
	assert_int_equal(load(&o, 0, 1, &mshrs[0]), L1_MISS); /* what is not kept leaves its slot */
	one_l1_end(&o);
}

/* 64 B need two slots side by side, and 96 B of which 32 are on their way two and one. */
static void test_a_load_waits_for_slots_of_its_size(void **state)
{
	struct one_l1 o;
	uint32_t mshrs[4], any;

	(void)state;
	init(&o, "elastic32", 1, 1);
	one_l1_begin(&o);
	assert_int_equal(load(&o, 7, 1, &mshrs[0]), L1_MISS);
	assert_int_equal(load(&o, 9, HIGH, &mshrs[1]), L1_MISS);
	assert_int_equal(load(&o, 11, LOW, &any), L1_STALL_WAY); /* one slot is left */
	assert_int_equal(load(&o, 7, ALL, &any), L1_STALL_WAY);
	fill(&o, mshrs[1], 0);
	assert_int_equal(load(&o, 7, ALL, &mshrs[2]), L1_MISS); /* the pair goes where 9 was */
	assert_int_equal(load(&o, 9, HIGH, &any), L1_STALL_WAY);
	one_l1_end(&o);
}

/* A period ends with whole lines while chunks are on their way: these find their slots gone, whole lines do not. */
static void test_what_is_on_its_way_outlasts_a_change_if_it_is_whole(void **state)
{
	struct one_l1 o;
	uint32_t small, large, other;

	(void)state;
	init(&o, "dycache", 1, 4);
	one_l1_knob(&o, "period", 4);
	one_l1_begin(&o);
	for (uint64_t n = 0; n < 4; n++) {
		assert_int_equal(load(&o, n, 1, &other), L1_MISS);
		l1_loaded(o.l1, 1, false);
		fill(&o, other, 0);
	}
	assert_int_equal(load(&o, 50, 1, &small), L1_MISS);
	l1_loaded(o.l1, 1, false);
	for (uint64_t n = 60; n < 63; n++) {
		assert_int_equal(load(&o, n, ALL, &large), L1_MISS);
		l1_loaded(o.l1, ALL, false);
	}
	assert_int_equal(counter(&o, "to_128"), 1);
	assert_true(fill(&o, large, 0));
	assert_false(fill(&o, small, 0));
	assert_int_equal(load(&o, 62, ALL, &other), L1_HIT);
	assert_int_equal(load(&o, 50, ALL, &other), L1_MISS);
	one_l1_end(&o);
}

/* --- The model: slots hold addresses of words of 32 B, or wait for them --- */

enum { SETS = 4, WAYS = 2, EMPTY = -1, MOST_FETCHES = 256, PERIOD = 200 };

struct model_word {
	int64_t address; /* / 32; or EMPTY */
	unsigned fetch;  /* that it waits for; 0: it is there */
	unsigned long touched;
};

struct model_way {
	uint64_t region; /* what its words have in common, if there are some */
	unsigned long touched;
	struct model_word word[4];
};

struct model_fetch {
	bool out, brings[4];
	uint64_t line;
	unsigned waiters;
	uint32_t mshr;
};

static struct model {
	bool dynamic, retain;
	unsigned grain; /* words */
	unsigned mshrs, merges, nout;
	unsigned long now;
	unsigned loads, misses, small, middle, grown, outlasted;
	struct model_way way[SETS][WAYS];
	struct model_fetch fetches[MOST_FETCHES]; /* from 1 on */
} m;

static uint64_t region_of(uint64_t line)
{
	return line / SETS / (1 << 4); /* chunk tags of 6 bits: 4 of the line, 2 of the sector */
}

static bool model_waits(const struct model_way *w, unsigned at, unsigned size)
{
	for (unsigned k = at; k < at + size; k++)
		if (w->word[k].address != EMPTY && w->word[k].fetch)
			return true;
	return false;
}

static void model_empty(struct model_way *w)
{
	*w = (struct model_way){0};
	for (unsigned k = 0; k < 4; k++)
		w->word[k].address = EMPTY;
}

/* Nothing is there, or on its way: never used, or nothing is left. There is room for whatever comes. */
static bool is_free(const struct model_way *w)
{
	unsigned empty = 0;

	for (unsigned k = 0; k < 4; k++)
		empty += w->word[k].address == EMPTY;
	return empty == 4;
}

static bool model_hit(uint64_t line, unsigned first, unsigned size)
{
	for (unsigned i = 0; i < WAYS; i++)
		for (unsigned at = 0; at < 4; at += size) {
			struct model_way *w = &m.way[line % SETS][i];
			unsigned same = 0;

			for (unsigned k = 0; k < size; k++)
				same += w->word[at + k].address == (int64_t)(line * 4 + first + k) &&
					!w->word[at + k].fetch;
			if (same < size)
				continue;
			w->touched = ++m.now;
			for (unsigned k = at; k < at + size; k++)
				w->word[k].touched = m.now;
			return true;
		}
	return false;
}

/* Counts the words that are there, or forgets them. */
static unsigned model_there(uint64_t line, unsigned first, unsigned size, bool forget)
{
	unsigned count = 0;

	for (unsigned i = 0; i < WAYS; i++)
		for (unsigned k = 0; k < 4; k++) {
			struct model_word *w = &m.way[line % SETS][i].word[k];
			int64_t from = (int64_t)(line * 4 + first);

			if (w->address == EMPTY || w->fetch || w->address < from || w->address >= from + (int64_t)size)
				continue;
			count++;
			if (forget)
				w->address = EMPTY;
		}
	return count;
}

/* Gives `size` words from `first` on their slots in this set; false: nothing can leave. */
static bool model_put(struct model_way *set, uint64_t line, unsigned first, unsigned size, unsigned fetch)
{
	struct model_way *chosen = NULL, *spare = NULL, *oldest = NULL;
	unsigned at = 0;
	unsigned long least = ~0ul;

	for (unsigned i = 0; i < WAYS; i++) {
		struct model_way *w = &set[i];

		if (is_free(w)) {
			spare = spare ? spare : w;
			continue;
		}
		if (!model_waits(w, 0, 4) && (!oldest || w->touched < oldest->touched))
			oldest = w;
		for (unsigned k = 0; k < 4 && w->region == region_of(line) && size < 4; k += size) {
			unsigned long latest = 0;

			for (unsigned j = k; j < k + size; j++)
				if (w->word[j].address != EMPTY && w->word[j].touched > latest)
					latest = w->word[j].touched;
			if (!model_waits(w, k, size) && latest < least) {
				least = latest;
				chosen = w;
				at = k;
			}
		}
	}
	if (!chosen || (spare && least > 0)) {
		chosen = spare ? spare : oldest;
		if (!chosen)
			return false;
		at = 0;
		model_empty(chosen);
		chosen->region = region_of(line);
	}
	chosen->touched = ++m.now;
	for (unsigned k = 0; k < size; k++)
		chosen->word[at + k] = (struct model_word){(int64_t)(line * 4 + first + k), fetch, m.now};
	return true;
}

/* Gives the largest aligned pieces of these words their slots, one after the other. */
static bool model_reserve(struct model_way *set, uint64_t line, const bool *words, unsigned fetch)
{
	bool left[4];

	memcpy(left, words, sizeof left);
	for (unsigned size = 4; size >= m.grain; size /= 2)
		for (unsigned at = 0; at < 4; at += size) {
			unsigned have = 0;

			for (unsigned k = at; k < at + size; k++)
				have += left[k];
			if (have < size)
				continue;
			if (!model_put(set, line, at, size, fetch))
				return false;
			memset(left + at, 0, size);
		}
	return true;
}

/* Whether model_reserve would succeed: it is tried, and taken back. */
static bool model_is_room(uint64_t line, const bool *words)
{
	struct model_way trial[WAYS];
	unsigned long now = m.now;
	bool room;

	memcpy(trial, m.way[line % SETS], sizeof trial);
	room = model_reserve(trial, line, words, 1);
	m.now = now;
	return room;
}

static void model_grow(void)
{
	m.grown++;
	for (unsigned s = 0; s < SETS; s++)
		for (unsigned i = 0; i < WAYS; i++) {
			struct model_way *w = &m.way[s][i];
			bool whole = true, comes = w->word[0].fetch != 0;

			for (unsigned k = 0; k < 4; k++) {
				whole &= w->word[k].address == w->word[0].address + (int64_t)k && !w->word[k].fetch;
				comes &= w->word[k].fetch == w->word[0].fetch;
			}
			whole &= w->word[0].address != EMPTY && w->word[0].address % 4 == 0 && m.retain;
			m.outlasted += comes;
			if (!whole && !comes)
				model_empty(w);
		}
}

static void model_learn(uint8_t sectors, bool hit)
{
	unsigned first = 0, size = piece(sectors, 1, &first), before = m.grain;
	bool fine;

	m.misses += !hit;
	m.small += size == 1;
	m.middle += size == 2;
	if (!m.dynamic || ++m.loads < PERIOD)
		return;
	fine = (m.small + m.middle) * 2 > m.loads;
	if (m.misses * 2 > m.loads && fine && before == 4)
		m.grain = m.small > m.middle ? 1 : 2;
	else if (m.misses * 2 > m.loads && !fine)
		m.grain = 4;
	if (m.grain > before)
		model_grow();
	m.loads = m.misses = m.small = m.middle = 0;
}

/* Whether all fetches on their way that bring some of the words have room for one more load; `rest`: the others. */
static bool model_joins(uint64_t line, const bool *lacks, bool *rest, bool wait)
{
	memcpy(rest, lacks, 4);
	for (unsigned i = 1; i < MOST_FETCHES; i++) {
		struct model_fetch *f = &m.fetches[i];
		bool helps = false;

		for (unsigned k = 0; k < 4 && f->out && f->line == line; k++)
			if (f->brings[k] && lacks[k]) {
				helps = true;
				rest[k] = false;
			}
		if (helps && f->waiters == m.merges)
			return false;
		f->waiters += helps && wait;
	}
	return true;
}

/* A load that found its words on their way uses the slots that wait for them. */
static void model_touch(uint64_t line, unsigned first, unsigned size)
{
	m.now++;
	for (unsigned i = 0; i < WAYS; i++)
		for (unsigned k = 0; k < 4; k++) {
			struct model_way *w = &m.way[line % SETS][i];
			int64_t from = (int64_t)(line * 4 + first);

			if (w->word[k].address == EMPTY || !w->word[k].fetch || w->word[k].address < from ||
			    w->word[k].address >= from + (int64_t)size)
				continue;
			w->touched = w->word[k].touched = m.now;
		}
}

static unsigned model_open(uint64_t line, const bool *words)
{
	unsigned n = 1;

	while (m.fetches[n].out)
		n++;
	m.fetches[n] = (struct model_fetch){.out = true, .line = line, .waiters = 1};
	memcpy(m.fetches[n].brings, words, 4);
	m.nout++;
	return n;
}

/* `fetch`: the new fetch, or 0. */
static enum l1_outcome model_load(uint64_t line, uint8_t sectors, unsigned *fetch)
{
	unsigned first = 0, size = piece(sectors, m.grain, &first);
	bool lacks[4] = {false}, rest[4], partial;

	*fetch = 0;
	if (model_hit(line, first, size))
		return L1_HIT;
	memset(lacks + first, true, size);
	if (!model_joins(line, lacks, rest, false))
		return L1_STALL_MERGE;
	if (!rest[0] && !rest[1] && !rest[2] && !rest[3]) {
		model_joins(line, lacks, rest, true);
		model_touch(line, first, size);
		return L1_MERGED;
	}
	if (!model_is_room(line, rest))
		return L1_STALL_WAY;
	if (m.nout == m.mshrs)
		return L1_STALL_MSHR;
	partial = model_there(line, first, size, true) > 0;
	model_joins(line, lacks, rest, true);
	*fetch = model_open(line, rest);
	model_reserve(m.way[line % SETS], line, rest, *fetch);
	return partial ? L1_PARTIAL : L1_MISS;
}

/* Returns whether some of what comes is kept. */
static bool model_fill(unsigned fetch, bool bypass)
{
	bool kept = false;

	for (unsigned i = 0; i < WAYS; i++)
		for (unsigned k = 0; k < 4; k++) {
			struct model_word *w = &m.way[m.fetches[fetch].line % SETS][i].word[k];

			if (w->address == EMPTY || w->fetch != fetch)
				continue;
			w->fetch = 0;
			kept = !bypass;
			if (bypass)
				w->address = EMPTY;
		}
	m.fetches[fetch].out = false;
	m.nout--;
	return kept;
}

/* --- Both on one stream --- */

/* With access=chunk, the look-up of the load's first chunk represents the whole load. */
static void step_load(struct one_l1 *o, uint64_t line, uint8_t wanted, unsigned *outcomes)
{
	uint8_t sectors = l1_part(o->l1, wanted);
	uint32_t mshr = L1_NO_MSHR;
	enum l1_outcome outcome = load(o, line, sectors, &mshr);
	unsigned fetch;

	assert_int_equal(outcome, model_load(line, sectors, &fetch));
	outcomes[outcome]++;
	if (outcome >= L1_STALL_MSHR)
		return;
	if (fetch)
		m.fetches[fetch].mshr = mshr;
	l1_loaded(o->l1, wanted, outcome == L1_HIT);
	model_learn(wanted, outcome == L1_HIT);
}

static void step_reply(struct one_l1 *o, uint64_t *random)
{
	bool bypass = random_below(random, 20) == 0;
	unsigned n = 1;

	for (unsigned skip = random_below(random, m.nout); !m.fetches[n].out || skip; n++)
		skip -= m.fetches[n].out;
	assert_int_equal(fill(o, m.fetches[n].mshr, bypass ? MEM_BYPASS : 0), model_fill(n, bypass));
}

static void compare(const char *policy, unsigned seed, bool by_chunk, bool retain, unsigned *outcomes)
{
	struct one_l1 o;
	uint64_t random = seed;

	init(&o, policy, SETS, WAYS);
	one_l1_knob(&o, "tag_bits", 6);
	one_l1_choose(&o, "access", by_chunk ? "chunk" : "block");
	m = (struct model){.grain = strcmp(policy, "elastic32") == 0   ? 1
				    : strcmp(policy, "elastic64") == 0 ? 2
								       : 4,
			   .dynamic = strcmp(policy, "dycache") == 0,
			   .retain = retain,
			   .mshrs = o.config.mshrs = seed % 2 ? 12 : 24,
			   .merges = o.config.merges = 4};
	if (m.dynamic) {
		one_l1_knob(&o, "period", PERIOD);
		one_l1_choose(&o, "retain", retain ? "true" : "false");
	}
	for (unsigned s = 0; s < SETS; s++)
		for (unsigned i = 0; i < WAYS; i++)
			model_empty(&m.way[s][i]);
	one_l1_begin(&o);
	for (unsigned step = 0; step < 60000; step++) {
		uint64_t line = mixed_line(&random, SETS * WAYS);
		uint8_t sectors = next_sectors(&random, step);

		if (m.nout && random_below(&random, 100) < 40) {
			step_reply(&o, &random);
		} else if (random_below(&random, 60) == 0) {
			unsigned first = 0, size = piece((uint8_t)(sectors & -sectors), m.grain, &first);

			l1_invalidate(o.l1, line * 128, sectors & (uint8_t)-sectors);
			model_there(line, first, size, true);
		} else {
			step_load(&o, line, sectors, outcomes);
		}
		assert_int_equal(l1_mshrs_in_use(o.l1), m.nout);
	}
	if (m.dynamic)
		assert_true(m.grown > 5 && (m.outlasted > 0 || by_chunk)); /* a line by chunks comes in several */
	one_l1_end(&o);
}

static void test_every_variant_does_as_the_model(void **state)
{
	static const char *const policies[] = {"elastic32", "elastic64", "dycache"};

	(void)state;
	for (unsigned p = 0; p < 3; p++) {
		unsigned outcomes[L1_STALL_WAY + 1] = {0};

		for (unsigned seed = 1; seed <= 4; seed++)
			for (unsigned variant = 0; variant < 4; variant++)
				if (p == 2 || variant < 2)
					compare(policies[p], seed, variant % 2, variant / 2, outcomes);
		for (unsigned i = 0; i <= L1_STALL_WAY; i++)
			assert_true(outcomes[i] > 100);
	}
}

/* With lines alone: the conventional cache's choices, also of ways that stores and atomics have emptied. */
static void test_whole_lines_do_as_lru(void **state)
{
	struct one_l1 chunks, lru;
	uint32_t out[2][64];
	unsigned nout = 0, waits = 0, drops = 0;
	uint64_t random = 3;

	(void)state;
	init(&chunks, "dycache", 8, 4);
	one_l1_knob(&chunks, "threshold", 100);
	init(&lru, "lru", 8, 4);
	chunks.config.mshrs = lru.config.mshrs = 64;
	chunks.config.write_hit = lru.config.write_hit = L1_INVALIDATE;
	one_l1_begin(&chunks);
	one_l1_begin(&lru);
	for (unsigned step = 0; step < 60000; step++) {
		uint64_t line = mixed_line(&random, 32);
		enum l1_outcome outcome;

		if (nout && random_below(&random, 100) < 35) {
			unsigned i = random_below(&random, nout--);

			assert_true(fill(&chunks, out[0][i], 0) && fill(&lru, out[1][i], 0));
			out[0][i] = out[0][nout];
			out[1][i] = out[1][nout];
			continue;
		}
		if (random_below(&random, 20) == 0) {
			bool there = l1_store(chunks.l1, line * 128, 2);

			assert_int_equal(there, l1_store(lru.l1, line * 128, 2));
			drops += there;
			line = mixed_line(&random, 32);
			l1_invalidate(chunks.l1, line * 128, 4);
			l1_invalidate(lru.l1, line * 128, 4);
			continue;
		}
		outcome = load(&chunks, line, 1, &out[0][nout]);
		assert_int_equal(outcome, load(&lru, line, 1, &out[1][nout]));
		nout += outcome == L1_MISS;
		waits += outcome == L1_STALL_WAY;
		if (outcome < L1_STALL_MSHR)
			l1_loaded(chunks.l1, 1, outcome == L1_HIT);
	}
	assert_true(waits > 100 && drops > 100);
	one_l1_end(&chunks);
	one_l1_end(&lru);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_a_load_waits_for_slots),
	    cmocka_unit_test(test_a_load_waits_for_slots_of_its_size),
	    cmocka_unit_test(test_what_is_on_its_way_outlasts_a_change_if_it_is_whole),
	    cmocka_unit_test(test_every_variant_does_as_the_model),
	    cmocka_unit_test(test_whole_lines_do_as_lru),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
