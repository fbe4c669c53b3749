/*
 * The LLC's replacement policies against models that are written from their papers' words: each set a list of lines,
 * aged step by step. Random streams of requests, with lines that are pending, dropped, and victims that are asked for
 * again before the line comes.
 */
#include "sim-backend/base/random.h"
#include "sim-backend/llc/tag_array.h"
#include "tests/sim-backend/support.h"

#include <stdlib.h>
#include <string.h>

enum { SETS = 16, WAYS = 8, LINES = 400, STEPS = 20000, LINE_BYTES_HERE = 128 };

static const struct llc_geometry geometry = {.chips = 1,
					     .mcs = 1,
					     .slices = 1,
					     .sets = SETS,
					     .ways = WAYS,
					     .line_bytes = LINE_BYTES_HERE,
					     .line_shift = 7,
					     .sectors = 1};

/* --- The models --- */

struct model_way {
	uint64_t line; /* LLC_NO_LINE: free */
	bool pending;
	unsigned order; /* lru: steps since its last use */
	unsigned value; /* rrip */
};

struct model {
	const char *name;
	unsigned bits, one_in, leaders, selector_bits;
	uint64_t seed;
	struct model_way ways[SETS][WAYS];
	unsigned inserted; /* lines that brrip's rule was asked about */
	int selector;
	uint64_t draws;
};

static unsigned farthest(const struct model *m)
{
	return (1u << m->bits) - 1;
}

/* The n-th number of SplitMix64. */
static uint64_t nth_number(uint64_t seed, uint64_t n)
{
	uint64_t z = seed + n * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static bool may_leave(const struct model_way *w)
{
	return !w->pending;
}

static int lru_choice(const struct model *m, unsigned set)
{
	int best = -1;

	for (int i = 0; i < WAYS; i++)
		if (may_leave(&m->ways[set][i]) && (best < 0 || m->ways[set][i].order > m->ways[set][best].order))
			best = i;
	return best;
}

static int random_choice(const struct model *m, unsigned set)
{
	int can[WAYS], count = 0;

	for (int i = 0; i < WAYS; i++)
		if (may_leave(&m->ways[set][i]))
			can[count++] = i;
	return count ? can[nth_number(m->seed << 32 | 5, m->draws + 1) % (unsigned)count] : -1;
}

/* On a copy of the set: look for the farthest, else let all lines get one step farther, and look again. */
static int rrip_choice(const struct model *m, unsigned set, unsigned *steps)
{
	unsigned values[WAYS];
	bool any = false;

	*steps = 0;
	for (int i = 0; i < WAYS; i++) {
		values[i] = m->ways[set][i].value;
		any = any || may_leave(&m->ways[set][i]);
	}
	if (!any)
		return -1;
	for (;; ++*steps) {
		for (int i = 0; i < WAYS; i++)
			if (values[i] == farthest(m) && may_leave(&m->ways[set][i]))
				return i;
		for (int i = 0; i < WAYS; i++)
			values[i] += values[i] < farthest(m);
	}
}

static int model_victim(const struct model *m, unsigned set, unsigned *steps)
{
	*steps = 0;
	for (int i = 0; i < WAYS; i++)
		if (m->ways[set][i].line == LLC_NO_LINE)
			return i;
	if (strcmp(m->name, "lru") == 0)
		return lru_choice(m, set);
	if (strcmp(m->name, "random") == 0)
		return random_choice(m, set);
	return rrip_choice(m, set, steps);
}

static bool one_of_many(struct model *m)
{
	return ++m->inserted % m->one_in == 0;
}

static bool enters_far(struct model *m, unsigned set)
{
	unsigned stretch = m->leaders ? SETS / m->leaders : 1;
	bool leads = set / stretch < m->leaders;
	int top = (1 << m->selector_bits) - 1;

	if (strcmp(m->name, "srrip") == 0)
		return true;
	if (strcmp(m->name, "brrip") == 0)
		return one_of_many(m);
	if (leads && set % stretch == 0) {
		m->selector = m->selector < top ? m->selector + 1 : top;
		return true;
	}
	if (leads && set % stretch == stretch / 2) {
		m->selector = m->selector > 0 ? m->selector - 1 : 0;
		return one_of_many(m);
	}
	return m->selector <= top / 2 || one_of_many(m);
}

static void model_used(struct model *m, unsigned set, int way)
{
	for (int i = 0; i < WAYS; i++)
		m->ways[set][i].order++;
	m->ways[set][way].order = 0;
}

static void model_hit(struct model *m, unsigned set, int way, bool waited)
{
	model_used(m, set, way);
	if (!waited)
		m->ways[set][way].value = 0;
}

static void model_fill(struct model *m, unsigned set, int way, uint64_t line, unsigned steps)
{
	for (int i = 0; i < WAYS; i++) {
		unsigned aged = m->ways[set][i].value + steps;

		m->ways[set][i].value = aged < farthest(m) ? aged : farthest(m);
	}
	model_used(m, set, way);
	m->ways[set][way].line = line;
	m->ways[set][way].pending = false;
	m->draws++;
	if (m->one_in)
		m->ways[set][way].value = farthest(m) - enters_far(m, set);
}

/* --- Both step by step --- */

static struct model model_of(const char *name)
{
	struct model m = {.name = name, .bits = 2, .one_in = 8, .leaders = 2, .selector_bits = 4, .seed = 77};

	m.selector = ((1 << m.selector_bits) - 1) / 2;
	for (int set = 0; set < SETS; set++)
		for (int way = 0; way < WAYS; way++)
			m.ways[set][way].line = LLC_NO_LINE;
	return m;
}

static void *knobs_of(const struct llc_replacement_ops *ops, const struct model *m)
{
	const struct {
		const char *name;
		unsigned value;
	} values[] = {{"bits", m->bits},
		      {"far_one_in", m->one_in},
		      {"leaders", m->leaders},
		      {"selector_bits", m->selector_bits},
		      {"seed", (unsigned)m->seed}};
	void *knobs = ops->knobs ? calloc(1, ops->knobs_size) : NULL;
	char text[16], why[64];

	for (size_t i = 0; knobs && i < sizeof values / sizeof *values; i++) {
		const struct knob *k = knob_find(ops->knobs, values[i].name);

		snprintf(text, sizeof text, "%u", values[i].value);
		if (k)
			assert_int_equal(knob_set(k, knobs, text, why, sizeof why), 0);
	}
	return knobs;
}

struct both {
	struct llc_tags tags;
	struct model model;
	uint64_t random;
	unsigned evictions, hits;
};

static unsigned pick(struct both *b, unsigned below)
{
	return (unsigned)(random_next(&b->random) % below);
}

static void hit(struct both *b, unsigned set, int index, const struct mem_request *r)
{
	bool waited = pick(b, 8) == 0;

	llc_tags_touch(&b->tags, index, r, waited);
	model_hit(&b->model, set, index % WAYS, waited);
	b->hits++;
}

/* A miss: the victims agree, also when they are asked for twice; then the line comes, or its write-back had no room. */
static void miss(struct both *b, unsigned set, const struct mem_request *r)
{
	unsigned steps;
	int expected = model_victim(&b->model, set, &steps), index = llc_tags_victim(&b->tags, r, 0, WAYS);

	assert_int_equal(index, llc_tags_victim(&b->tags, r, 0, WAYS));
	assert_int_equal(index, expected < 0 ? -1 : (int)set * WAYS + expected);
	if (expected < 0 || pick(b, 8) == 0)
		return;
	b->evictions += b->tags.addresses[index] != LLC_NO_LINE;
	llc_tags_place(&b->tags, index, r, 0);
	model_fill(&b->model, set, expected, r->line, steps);
}

static void drop(struct both *b, unsigned set)
{
	unsigned way = pick(b, WAYS);

	llc_tags_invalidate(&b->tags, (int)(set * WAYS + way));
	b->model.ways[set][way].line = LLC_NO_LINE;
	b->model.ways[set][way].pending = false;
}

static void turn_pending(struct both *b, unsigned set)
{
	unsigned way = pick(b, WAYS);
	struct llc_line *line = &b->tags.lines[set * WAYS + way];
	bool pending = pick(b, 2);

	if (b->model.ways[set][way].line == LLC_NO_LINE)
		return;
	line->mshr = pending ? 3 : LLC_NOT_PENDING;
	b->model.ways[set][way].pending = pending;
}

/* A few lines are asked for often, and streams pass by. */
static void step(struct both *b)
{
	unsigned n = pick(b, 3) ? pick(b, LINES / 8) : pick(b, LINES);
	struct mem_request r = {.line = (uint64_t)n * LINE_BYTES_HERE, .kind = MEM_READ};
	unsigned set = llc_set_of(&geometry, r.line);
	int index = llc_tags_find(&b->tags, r.line);

	if (index >= 0)
		hit(b, set, index, &r);
	else
		miss(b, set, &r);
	if (pick(b, 64) == 0)
		drop(b, set);
	if (pick(b, 8) == 0)
		turn_pending(b, set);
}

static void compare(const char *name)
{
	const struct llc_replacement_ops *ops = llc_replacement_find(name);
	struct both *b = calloc(1, sizeof *b);
	void *knobs;

	assert_non_null(ops);
	b->model = model_of(name);
	b->random = 1;
	knobs = knobs_of(ops, &b->model);
	llc_tags_init(&b->tags, &geometry, 4, 5, ops, knobs);
	for (unsigned i = 0; i < STEPS; i++)
		step(b);
	assert_true(b->evictions > STEPS / 20 && b->hits > STEPS / 20);
	llc_tags_release(&b->tags);
	free(knobs);
	free(b);
}

static void test_policies_are_as_their_models(void **state)
{
	(void)state;
	for (size_t i = 0; llc_replacement_table[i]; i++)
		compare(llc_replacement_table[i]->name);
}

/* RRIP's counters are insertions; the two kinds add up to all of them. */
static void test_insertions_are_counted(void **state)
{
	const struct llc_replacement_ops *ops = llc_replacement_find("brrip");
	struct model m = model_of("brrip");
	void *knobs = knobs_of(ops, &m);
	struct llc_tags tags;
	const void *counts;

	(void)state;
	llc_tags_init(&tags, &geometry, 4, 0, ops, knobs);
	for (uint64_t line = 0; line < 64; line++)
		llc_tags_place(&tags, (int)line % (SETS * WAYS),
			       &(struct mem_request){.line = line * LINE_BYTES_HERE, .kind = MEM_READ}, 0);
	counts = ops->statistics(tags.replacement_state);
	assert_true(stat_value(&ops->stats[0], counts) == 8);
	assert_true(stat_value(&ops->stats[1], counts) == 56);
	llc_tags_release(&tags);
	free(knobs);
}

/* Other seeds and other slices draw other numbers, the same seed the same. */
static unsigned draws(unsigned seed, unsigned slice)
{
	const struct llc_replacement_ops *ops = llc_replacement_find("random");
	struct model m = {.name = "random", .seed = seed};
	void *knobs = knobs_of(ops, &m), *state;
	unsigned drawn = 0;

	state =
	    ops->create(&(struct llc_replacement_geometry){.sets = 1, .ways = 16, .slice = slice, .slices = 8}, knobs);
	for (unsigned i = 0; i < 7; i++) {
		drawn = drawn * 16 + ops->victim(state, 0, 0xffff, NULL);
		ops->fill(state, 0, NULL);
	}
	ops->destroy(state);
	free(knobs);
	return drawn;
}

static void test_random_is_seeded(void **state)
{
	(void)state;
	assert_int_equal(draws(1, 0), draws(1, 0));
	assert_int_not_equal(draws(1, 0), draws(2, 0));
	assert_int_not_equal(draws(1, 0), draws(1, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_policies_are_as_their_models),
	    cmocka_unit_test(test_insertions_are_counted),
	    cmocka_unit_test(test_random_is_seeded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
