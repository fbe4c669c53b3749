/*
 * The L1 against a plain model of its sets, ways, sectors and MSHRs, access by access, on random streams. The model is
 * slow and says everything twice over; it shares no code with the L1.
 */
#include "sim-backend/config/config.h"
#include "sim-backend/memory/memsys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SECTORS = 4, MOST_LINES = 2048, MOST_FETCHES = 2048, MOST_WAITERS = 4096, STEPS = 60000 };

/* --- The model --- */

struct model_line {
	bool used; /* has a line, of which something is valid or coming */
	uint64_t line, touched;
	bool valid[SECTORS], coming[SECTORS];
};

struct model_fetch {
	bool out;
	uint64_t line;
	bool brings[SECTORS];
	unsigned nwaiters;
	uint16_t waiters[MOST_WAITERS];
	uint32_t mshr; /* the L1's number */
};

struct model {
	struct l1_config config;
	unsigned sets;
	uint64_t clock;
	struct model_line lines[MOST_LINES]; /* set by set */
	struct model_fetch fetches[MOST_FETCHES];
	unsigned nout;
};

static struct model m;

static unsigned bit(uint64_t address, unsigned from, unsigned to)
{
	return (unsigned)(address >> from & 1) << to;
}

static unsigned model_set(uint64_t line)
{
	uint64_t address = line * 128;
	unsigned bits = 0;

	switch (m.config.index) {
	case L1_INDEX_LINEAR: return (unsigned)(line % m.sets);
	case L1_INDEX_XOR:
		while (1u << (bits + 1) <= m.sets)
			bits++;
		return (unsigned)((line ^ line >> bits ^ line >> 2 * bits) % m.sets);
	default:
		return (bit(address, 7, 0) ^ bit(address, 13, 0)) | (bit(address, 8, 1) ^ bit(address, 14, 1)) |
		       (bit(address, 9, 2) ^ bit(address, 15, 2)) | (bit(address, 10, 3) ^ bit(address, 17, 3)) |
		       (bit(address, 11, 4) ^ bit(address, 19, 4)) | (m.sets == 64 ? bit(address, 12, 5) : 0);
	}
}

static struct model_line *set_begin(uint64_t line)
{
	return &m.lines[(size_t)model_set(line) * m.config.ways];
}

static struct model_line *find(uint64_t line)
{
	struct model_line *set = set_begin(line);

	for (unsigned w = 0; w < m.config.ways; w++)
		if (set[w].used && set[w].line == line)
			return &set[w];
	return NULL;
}

static bool is_coming(const struct model_line *l)
{
	return l->coming[0] || l->coming[1] || l->coming[2] || l->coming[3];
}

static bool is_empty(const struct model_line *l)
{
	return !is_coming(l) && !l->valid[0] && !l->valid[1] && !l->valid[2] && !l->valid[3];
}

/* A free way, or else the way that was touched longest ago and waits for nothing; NULL if all wait. */
static struct model_line *victim(uint64_t line)
{
	struct model_line *set = set_begin(line), *oldest = NULL;

	for (unsigned w = 0; w < m.config.ways; w++)
		if (!set[w].used)
			return &set[w];
	for (unsigned w = 0; w < m.config.ways; w++)
		if (!is_coming(&set[w]) && (!oldest || set[w].touched < oldest->touched))
			oldest = &set[w];
	return oldest;
}

static struct model_line *place(uint64_t line)
{
	struct model_line *l = find(line);

	if (!l) {
		l = victim(line);
		*l = (struct model_line){.used = true, .line = line};
	}
	l->touched = ++m.clock;
	return l;
}

struct model_answer {
	enum l1_outcome outcome;
	bool fetch[SECTORS];
	unsigned parts;
};

static bool is_streaming(void)
{
	return m.config.alloc == L1_ALLOC_STREAM;
}

static unsigned most_fetches(void)
{
	unsigned lines = m.sets * m.config.ways;

	return !is_streaming() ? m.config.mshrs : m.config.sectored ? lines * SECTORS : lines;
}

/* Which sectors must come, and which fetches on their way bring some of these. */
static unsigned joined(uint64_t line, const bool *lacks, bool *rest, struct model_fetch **joins)
{
	unsigned njoins = 0;

	memcpy(rest, lacks, SECTORS);
	for (unsigned i = 0; i < MOST_FETCHES; i++) {
		struct model_fetch *f = &m.fetches[i];
		bool helps = false;

		for (unsigned s = 0; s < SECTORS && f->out && f->line == line; s++)
			if (f->brings[s] && lacks[s]) {
				helps = true;
				rest[s] = false;
			}
		if (helps)
			joins[njoins++] = f;
	}
	return njoins;
}

static struct model_fetch *new_fetch(uint64_t line, const bool *sectors)
{
	struct model_fetch *f = m.fetches;

	while (f->out)
		f++;
	f->out = true;
	f->line = line;
	f->nwaiters = 0;
	memcpy(f->brings, sectors, sizeof f->brings);
	m.nout++;
	return f;
}

/* `opened`: the new fetch, or NULL. */
static struct model_answer model_load(uint64_t line, unsigned sectors, uint16_t waiter, struct model_fetch **opened)
{
	struct model_answer a = {.outcome = L1_HIT};
	struct model_line *l = find(line);
	struct model_fetch *joins[SECTORS];
	bool lacks[SECTORS], any = false, rest = false;
	unsigned njoins;

	*opened = NULL;
	for (unsigned s = 0; s < SECTORS; s++) {
		lacks[s] = (!m.config.sectored || sectors >> s & 1) && !(l && l->valid[s]);
		any |= lacks[s];
	}
	if (!any) {
		l->touched = ++m.clock;
		return a;
	}
	njoins = joined(line, lacks, a.fetch, joins);
	for (unsigned s = 0; s < SECTORS; s++)
		rest |= a.fetch[s];
	a.parts = njoins + rest;
	a.outcome = !rest ? L1_MERGED : l ? L1_PARTIAL : L1_MISS;
	for (unsigned i = 0; i < njoins; i++)
		if (!is_streaming() && joins[i]->nwaiters == m.config.merges)
			a.outcome = L1_STALL_MERGE;
	if (rest && a.outcome != L1_STALL_MERGE) {
		if (m.config.alloc == L1_ALLOC_MISS && !l && !victim(line))
			a.outcome = L1_STALL_WAY;
		else if (m.nout == most_fetches())
			a.outcome = L1_STALL_MSHR;
	}
	if (a.outcome >= L1_STALL_MSHR)
		return a;
	for (unsigned i = 0; i < njoins; i++)
		joins[i]->waiters[joins[i]->nwaiters++] = waiter;
	if (rest) {
		*opened = new_fetch(line, a.fetch);
		(*opened)->waiters[(*opened)->nwaiters++] = waiter;
	}
	if (m.config.alloc == L1_ALLOC_MISS) {
		l = place(line);
		for (unsigned s = 0; s < SECTORS; s++)
			l->coming[s] |= a.fetch[s] && rest;
	}
	return a;
}

static void forget_if_empty(struct model_line *l)
{
	if (is_empty(l))
		l->used = false;
}

static bool model_fill(struct model_fetch *f, bool bypass)
{
	struct model_line *l;

	f->out = false;
	m.nout--;
	if (bypass && m.config.alloc != L1_ALLOC_MISS)
		return false;
	l = m.config.alloc == L1_ALLOC_MISS ? find(f->line) : place(f->line);
	for (unsigned s = 0; s < SECTORS; s++)
		if (f->brings[s]) {
			l->coming[s] = false;
			l->valid[s] |= !bypass;
		}
	forget_if_empty(l);
	return !bypass;
}

/* A store, or with `atomic` an atomic. Returns whether something that it touches was there. */
static bool model_write(uint64_t line, unsigned sectors, bool atomic)
{
	struct model_line *l = find(line);
	bool present = false;

	for (unsigned s = 0; s < SECTORS && l; s++)
		if (l->valid[s] && (!m.config.sectored || sectors >> s & 1)) {
			present = true;
			l->valid[s] = !(atomic || m.config.write_hit == L1_INVALIDATE);
		}
	if (l)
		forget_if_empty(l);
	return present;
}

/* --- Both on one stream --- */

static struct l1 *l1;
static unsigned outcomes[L1_STALL_WAY + 1], refused, store_hits;

static uint32_t random_below(uint64_t *state, uint32_t bound)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)((*state >> 33) % bound);
}

static void step_load(uint64_t line, uint8_t sectors, uint16_t waiter)
{
	struct l1_fetch fetch = {0};
	enum l1_outcome outcome = l1_load(l1, line * 128, sectors, waiter, &fetch);
	struct model_fetch *opened;
	struct model_answer a = model_load(line, sectors, waiter, &opened);

	assert_int_equal(outcome, a.outcome);
	outcomes[outcome]++;
	if (outcome == L1_MERGED || opened)
		assert_int_equal(fetch.parts, a.parts);
	if (!opened)
		return;
	for (unsigned s = 0; s < SECTORS; s++)
		assert_int_equal(fetch.sectors >> s & 1, a.fetch[s]);
	opened->mshr = l1_open(l1, line * 128, 0, waiter);
}

static void step_reply(uint64_t *random)
{
	struct model_fetch *f = m.fetches;
	bool bypass = random_below(random, 20) == 0, kept;
	const uint16_t *waiters;

	for (unsigned skip = random_below(random, m.nout); !f->out || skip; f++)
		skip -= f->out;
	assert_int_equal(l1_fill(l1, f->mshr, bypass ? MEM_BYPASS : MEM_VICTIM, 0, &waiters, &kept), f->nwaiters);
	assert_memory_equal(waiters, f->waiters, f->nwaiters * sizeof *waiters);
	assert_int_equal(kept, model_fill(f, bypass));
	refused += !kept;
}

static void step_flush(uint64_t *random)
{
	while (m.nout)
		step_reply(random);
	l1_flush(l1);
	memset(m.lines, 0, sizeof m.lines);
}

/* A line near the previous one, or any of twice as many as fit; addresses up to 1 MB and more, for all index bits. */
static uint64_t next_line(uint64_t *random)
{
	static uint64_t last;
	uint32_t lines = 2 * m.sets * m.config.ways;

	if (random_below(random, 3))
		last = random_below(random, lines) * UINT64_C(0x9e3779b9) % lines * (random_below(random, 8) ? 1 : 37);
	return last;
}

static void compare(const struct l1_config *config, unsigned seed, unsigned replies)
{
	uint64_t random = seed * 1000003u + 17;

	memset(&m, 0, sizeof m);
	memset(outcomes, 0, sizeof outcomes);
	refused = store_hits = 0;
	m.config = *config;
	m.sets = config->size_bytes / 128 / config->ways;
	l1 = l1_create(config, l1_policy_table[0], NULL);
	for (unsigned step = 0; step < STEPS; step++) {
		uint64_t line = next_line(&random);
		uint8_t sectors = (uint8_t)(1 + random_below(&random, 15));
		bool present;

		if (random_below(&random, 100) < replies && m.nout)
			step_reply(&random);
		else if (random_below(&random, 12) == 0) {
			present = l1_store(l1, line * 128, sectors);
			assert_int_equal(present, model_write(line, sectors, false));
			store_hits += present;
		} else if (random_below(&random, 60) == 0) {
			l1_invalidate(l1, line * 128, sectors);
			model_write(line, sectors, true);
		} else if (random_below(&random, 10000) == 0)
			step_flush(&random);
		else
			step_load(line, sectors, (uint16_t)step);
		assert_int_equal(l1_mshrs_in_use(l1), m.nout);
	}
	l1_free(l1);
}

/* Outcomes that the configuration allows must have happened; others must not. */
static void check_outcomes(void)
{
	const struct l1_config *c = &m.config;

	assert_true(outcomes[L1_HIT] > 100 && outcomes[L1_MERGED] > 100 && outcomes[L1_MISS] > 100);
	assert_true(refused > 10 && store_hits > 10);
	if (c->alloc == L1_ALLOC_FILL && !c->sectored)
		assert_int_equal(outcomes[L1_PARTIAL], 0);
	if (c->sectored)
		assert_true(outcomes[L1_PARTIAL] > 100);
	if (c->alloc != L1_ALLOC_MISS)
		assert_int_equal(outcomes[L1_STALL_WAY], 0);
	if (c->alloc == L1_ALLOC_STREAM)
		assert_int_equal(outcomes[L1_STALL_MERGE], 0);
}

static void test_every_option_does_as_the_model(void **state)
{
	struct l1_config c;
	unsigned stalls[L1_STALL_WAY + 1] = {0};

	(void)state;
	knob_defaults(l1_knobs, &c);
	for (unsigned i = 0; i < 3 * 2 * 2 * 3 * 2; i++) {
		c.alloc = i % 3;
		c.sectored = i / 3 % 2;
		c.write_hit = i / 6 % 2;
		c.index = i / 12 % 3;
		c.ways = i / 36 ? 2 : 4;
		c.size_bytes = 32 * c.ways * 128;
		c.mshrs = i / 36 ? 40 : 150;
		c.merges = 4;
		compare(&c, i, i % 2 ? 40 : 25);
		check_outcomes();
		for (unsigned o = L1_STALL_MSHR; o <= L1_STALL_WAY; o++)
			stalls[o] += outcomes[o];
	}
	for (unsigned o = L1_STALL_MSHR; o <= L1_STALL_WAY; o++)
		assert_true(stalls[o] > 100);
}

static void test_sizes_that_are_no_power_of_two_do_as_the_model(void **state)
{
	struct l1_config c;

	(void)state;
	knob_defaults(l1_knobs, &c);
	for (unsigned i = 0; i < 4; i++) {
		c.alloc = i % 2;
		c.sectored = i / 2;
		c.ways = 3;
		c.size_bytes = 24 * 3 * 128;
		c.index = i / 2 ? L1_INDEX_XOR : L1_INDEX_LINEAR;
		c.mshrs = 32;
		compare(&c, i, 40);
	}
}

static void test_every_preset_does_as_the_model(void **state)
{
	char **presets = sim_preset_list("l1"), setting[128];
	unsigned count = 0;

	(void)state;
	for (; presets[count]; count++) {
		struct sim_config *c = sim_config_create();
		struct diag d = DIAG_INIT;

		snprintf(setting, sizeof setting, "l1.preset=%s", strrchr(presets[count], '/') + 1);
		*strrchr(setting, '.') = 0;
		assert_int_equal(sim_config_load(c, "selrep64", &d), 0);
		assert_int_equal(sim_config_set(c, setting, &d), 0);
		assert_int_equal(sim_config_check(c, &d), 0);
		compare(&c->l1, count, 40);
		check_outcomes();
		sim_config_free(c);
	}
	assert_true(count >= 3);
	sim_gpu_list_free(presets);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_every_option_does_as_the_model),
	    cmocka_unit_test(test_sizes_that_are_no_power_of_two_do_as_the_model),
	    cmocka_unit_test(test_every_preset_does_as_the_model),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
