/* Chunks: the tag match of DyCache's Fig. 6, where chunks go, when their size changes; and a plain model of it all. */
#include "tests/sim-backend/l1/chunk_streams.h"

static void begin(struct one_l1 *o, const char *policy, uint32_t sets, uint32_t ways)
{
	one_l1_init(o, policy, sets, ways);
	one_l1_begin(o);
}

/* Bytes that the load of these sectors fetched; 0 = it hit. */
static uint64_t fetches(struct one_l1 *o, uint64_t line, uint8_t sectors)
{
	uint64_t before = o->fetched_bytes;

	one_access(o, line, sectors, 0);
	return o->fetched_bytes - before;
}

/*
 * 64 B chunks, a request of 128 B at 0x04000100: set 2, common tag 1, chunk tag 0. It hits when slots 0 and 2 of a line
 * with this common tag have the chunk tags 0 and 2. The paper's 32 KB cache has 32 sets, as its Fig. 4.
 */
static void test_figure_6(void **state)
{
	const uint64_t line = 0x04000100 / 128, other_common = 0x08000100 / 128, next_tag = 0x04001100 / 128;
	struct one_l1 o;

	(void)state;
	begin(&o, "elastic64", 32, 8);
	assert_int_equal(fetches(&o, line, ALL), 128);
	assert_int_equal(fetches(&o, line, ALL), 0);
	assert_int_equal(fetches(&o, line, HIGH), 0);
	assert_int_equal(fetches(&o, other_common, ALL), 128);
	assert_int_equal(fetches(&o, next_tag, ALL), 128);
	assert_int_equal(fetches(&o, line, ALL), 0);
	one_l1_end(&o);

	begin(&o, "elastic64", 32, 8);
	assert_int_equal(fetches(&o, line, HIGH), 64); /* into slots 0 and 1, where it does not help 128 B */
	assert_int_equal(fetches(&o, line, HIGH), 0);
	assert_true(one_access(&o, line, ALL, 0).partial);
	assert_int_equal(fetches(&o, line, ALL), 0);
	one_l1_end(&o);
}

static void test_fetches_are_of_chunks(void **state)
{
	static const struct {
		const char *policy;
		uint8_t sectors;
		uint64_t bytes;
	} cases[] = {{"elastic32", 1, 32},   {"elastic32", 8, 32},    {"elastic32", LOW, 64},
		     {"elastic32", 6, 128},  {"elastic32", ALL, 128}, {"elastic64", 4, 64},
		     {"elastic64", LOW, 64}, {"elastic64", 9, 128},   {"dycache", 1, 128}};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct one_l1 o;

		begin(&o, cases[i].policy, 32, 4);
		assert_int_equal(fetches(&o, 77, cases[i].sectors), cases[i].bytes);
		assert_int_equal(fetches(&o, 77, cases[i].sectors), 0);
		one_l1_end(&o);
	}
}

/* One set of one way holds four words of 32 B of lines far apart, where a line of 128 B would hold one. */
static void test_a_line_holds_words_of_several_lines(void **state)
{
	struct one_l1 o;

	(void)state;
	begin(&o, "elastic32", 1, 1);
	for (uint64_t n = 0; n < 4; n++)
		assert_int_equal(fetches(&o, 100 * n, 1), 32);
	for (uint64_t n = 0; n < 4; n++)
		assert_int_equal(fetches(&o, 100 * n, 1), 0);
	assert_int_equal(fetches(&o, 500, 1), 32); /* takes the slot of line 0 */
	assert_int_equal(fetches(&o, 100, 1), 0);
	assert_int_equal(fetches(&o, 0, 1), 32);
	assert_int_equal(fetches(&o, 1 << 14, 1), 32); /* another common tag: the whole line goes */
	assert_int_equal(fetches(&o, 100, 1), 32);
	one_l1_end(&o);
}

/* Two of four sectors are there in chunks of 32 B: they are dropped, and all is fetched. */
static void test_a_partial_hit_fetches_all(void **state)
{
	struct one_l1 o;

	(void)state;
	begin(&o, "elastic32", 1, 2);
	fetches(&o, 9, 1);
	fetches(&o, 9, 2);
	assert_int_equal(fetches(&o, 9, LOW), 0); /* side by side, as a pair would be */
	assert_int_equal(fetches(&o, 9, ALL), 128);
	assert_int_equal(fetches(&o, 9, ALL), 0);
	one_l1_end(&o);
}

/* A look-up and a fetch for each missing chunk, and no fetch for chunks that are there, wherever they are. */
static void test_chunks_may_be_looked_up_one_by_one(void **state)
{
	static const struct {
		const char *policy;
		uint8_t sectors;
		unsigned look_ups, bytes;
	} cases[] = {{"elastic32", 1, 1, 32},    {"elastic32", HIGH, 2, 64}, {"elastic32", 9, 2, 64},
		     {"elastic32", ALL, 4, 128}, {"elastic64", 8, 1, 64},    {"elastic64", HIGH, 1, 64},
		     {"elastic64", 6, 2, 128},   {"elastic64", ALL, 2, 128}, {"dycache", ALL, 1, 128}};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct one_l1 o;
		struct access a;

		one_l1_init(&o, cases[i].policy, 32, 4);
		one_l1_choose(&o, "access", "chunk");
		one_l1_begin(&o);
		a = one_access(&o, 77, cases[i].sectors, 0);
		assert_int_equal(a.look_ups, cases[i].look_ups);
		assert_int_equal(a.fetches, cases[i].look_ups);
		assert_int_equal(o.fetched_bytes, cases[i].bytes);
		assert_int_equal(fetches(&o, 77, cases[i].sectors), 0);
		one_l1_end(&o);
	}
}

static void test_a_chunk_that_is_there_is_not_fetched(void **state)
{
	struct one_l1 o;
	struct access a;

	(void)state;
	one_l1_init(&o, "elastic32", 1, 2);
	one_l1_choose(&o, "access", "chunk");
	one_l1_begin(&o);
	fetches(&o, 9, 8);
	fetches(&o, 9, 1);
	a = one_access(&o, 9, ALL, 0);
	assert_int_equal(a.look_ups, 4);
	assert_int_equal(a.fetches, 2);
	assert_false(a.hit || a.partial);
	assert_int_equal(fetches(&o, 9, ALL), 0);
	one_l1_end(&o);
}

static void test_stores_and_atomics_drop_chunks(void **state)
{
	struct one_l1 o;

	(void)state;
	begin(&o, "elastic64", 32, 4);
	fetches(&o, 5, ALL);
	assert_true(l1_store(o.l1, 5 * 128, 2));
	assert_int_equal(fetches(&o, 5, ALL), 0);
	l1_invalidate(o.l1, 5 * 128, 2);
	assert_false(l1_store(o.l1, 5 * 128, 1)); /* the other half of the chunk is gone too */
	assert_int_equal(fetches(&o, 5, HIGH), 0);
	assert_int_equal(fetches(&o, 5, 1), 64);
	one_l1_end(&o);
}

/* So many loads of `sectors` of lines that were never there. */
static void miss(struct one_l1 *o, unsigned loads, uint8_t sectors)
{
	static uint64_t line = 1 << 20;

	for (unsigned i = 0; i < loads; i++)
		assert_true(fetches(o, line++, sectors) > 0);
}

static void test_dycache_follows_the_sizes(void **state)
{
	struct one_l1 o;

	(void)state;
	begin(&o, "dycache", 32, 4);
	miss(&o, 999, 1);
	assert_int_equal(fetches(&o, 3, 1), 128); /* the 1,000th decides */
	assert_int_equal(fetches(&o, 3, 1), 0);   /* what is there stays */
	assert_int_equal(fetches(&o, 4, 1), 32);
	miss(&o, 998, LOW);
	assert_int_equal(fetches(&o, 5, 1), 32); /* 64 B prevail, but it is fine already: keep */
	miss(&o, 999, ALL);
	assert_int_equal(fetches(&o, 4, 1), 128); /* whole lines, and empty */
	assert_int_equal(counter(&o, "to_32"), 1);
	assert_int_equal(counter(&o, "to_128"), 1);
	miss(&o, 999, LOW);
	assert_int_equal(fetches(&o, 6, 1), 64);
	assert_int_equal(counter(&o, "to_64"), 1);
	one_l1_end(&o);
}

/* Small loads that hit: there is no need for small chunks. */
static void test_dycache_keeps_what_works(void **state)
{
	struct one_l1 o;

	(void)state;
	begin(&o, "dycache", 32, 4);
	for (unsigned i = 0; i < 5000; i++)
		fetches(&o, i % 64, 1);
	assert_int_equal(counter(&o, "decisions"), 5);
	assert_int_equal(counter(&o, "loads_at_128"), 5000);
	one_l1_end(&o);
}

static void test_what_does_not_fit_is_refused(void **state)
{
	(void)state;
	assert_refused("elastic64", "l1.sectored=true", "so it must be false");
	assert_refused("dycache", "l1.reuse=true", "so it must be false");
	assert_refused("elastic32", "l1.bound=true", "elastic32 has chunks, which can do with fewer fetches");
	assert_refused("dycache", "l1.bound=true", "so it must be false");
	assert_refused("dycache", "l1.ways=128", "make 3 sets");
	assert_null(refusal("dycache", "l1.ways=6"));
}

/*
 * 16 KB: 128 lines, whose chunk tags take the paper's 1 KB, or half of that; a valid bit for each chunk, the order of
 * the 16 or 8 chunks of a set, and the order of its four lines.
 */
static void test_storage_is_what_the_parts_take(void **state)
{
	struct one_l1 o;
	unsigned chunks = 1024 * 8 + 512 * (1 + 4) + 128 * 2;

	(void)state;
	one_l1_init(&o, "elastic32", 32, 4);
	assert_int_equal(o.policy->storage_bits(&o.config, o.knobs), chunks);
	one_l1_init(&o, "elastic64", 32, 4);
	assert_int_equal(o.policy->storage_bits(&o.config, o.knobs), 512 * 8 + 256 * (1 + 3) + 128 * 2);
	one_l1_init(&o, "dycache", 32, 4);
	assert_int_equal(o.policy->storage_bits(&o.config, o.knobs), chunks + 4 * 10 + 2);
}

/* --- The model: slots hold addresses of sectors --- */

enum { MODEL_SETS = 8, MODEL_WAYS = 4, EMPTY = -1 };

struct model_way {
	uint64_t region; /* what its words have in common, if there are some */
	unsigned long touched;
	int64_t word[4]; /* address / 32 */
	unsigned long word_touched[4];
};

static struct model {
	bool dynamic, by_chunk;
	unsigned grain; /* bytes */
	unsigned long now;
	unsigned loads, misses, small, middle, changes;
	struct model_way way[MODEL_SETS][MODEL_WAYS];
} m;

static void model_clear(void)
{
	for (unsigned s = 0; s < MODEL_SETS; s++)
		for (unsigned i = 0; i < MODEL_WAYS; i++) {
			m.way[s][i] = (struct model_way){0};
			for (unsigned k = 0; k < 4; k++)
				m.way[s][i].word[k] = EMPTY;
		}
}

/* Never used, or nothing is left of it: either way there is room for whatever comes. */
static bool is_free(const struct model_way *w)
{
	unsigned empty = 0;

	for (unsigned k = 0; k < 4; k++)
		empty += w->word[k] == EMPTY;
	return empty == 4;
}

static uint64_t region_of(uint64_t line)
{
	return line / MODEL_SETS / (1 << 4); /* chunk tags of 6 bits: 4 of the line, 2 of the sector */
}

/* Where in the way the words lie side by side, like a piece of their size; 4: nowhere. */
static unsigned stands_at(const struct model_way *w, int64_t word, unsigned size)
{
	for (unsigned at = 0; at < 4; at += size) {
		unsigned same = 0;

		for (unsigned k = 0; k < size; k++)
			same += w->word[at + k] == word + (int64_t)k;
		if (same == size)
			return at;
	}
	return 4;
}

static void model_remove(uint64_t line, int64_t word, unsigned size)
{
	struct model_way *set = m.way[line % MODEL_SETS];

	for (unsigned i = 0; i < MODEL_WAYS; i++)
		for (unsigned k = 0; k < 4; k++)
			if (set[i].word[k] >= word && set[i].word[k] < word + (int64_t)size)
				set[i].word[k] = EMPTY;
}

static void model_put(uint64_t line, int64_t word, unsigned size)
{
	struct model_way *set = m.way[line % MODEL_SETS], *chosen = NULL, *spare = NULL, *oldest = &set[0];
	unsigned at = 0;
	unsigned long least = ~0ul;

	for (unsigned i = 0; i < MODEL_WAYS; i++) {
		struct model_way *w = &set[i];

		if (is_free(w)) {
			spare = spare ? spare : w;
			continue;
		}
		if (w->touched < oldest->touched)
			oldest = w;
		for (unsigned k = 0; k < 4 && w->region == region_of(line) && size < 4; k += size) {
			unsigned long latest = 0;

			for (unsigned j = k; j < k + size; j++)
				if (w->word[j] != EMPTY && w->word_touched[j] > latest)
					latest = w->word_touched[j];
			if (latest < least) {
				least = latest;
				chosen = w;
				at = k;
			}
		}
	}
	if (!chosen || (spare && least > 0)) {
		chosen = spare ? spare : oldest;
		at = 0;
		*chosen = (struct model_way){region_of(line), 0, {EMPTY, EMPTY, EMPTY, EMPTY}, {0}};
	}
	chosen->touched = ++m.now;
	for (unsigned k = 0; k < size; k++) {
		chosen->word[at + k] = word + (int64_t)k;
		chosen->word_touched[at + k] = m.now;
	}
}

static void model_learn(uint8_t sectors, bool hit)
{
	unsigned first = 0, size = piece(sectors, 1, &first), grain = m.grain;
	bool fine;

	m.misses += !hit;
	m.small += size == 1;
	m.middle += size == 2;
	if (!m.dynamic || ++m.loads < 200)
		return;
	fine = (m.small + m.middle) * 2 > m.loads;
	if (m.misses * 2 > m.loads && fine && grain == 128)
		grain = m.small > m.middle ? 32 : 64;
	else if (m.misses * 2 > m.loads && !fine)
		grain = 128;
	m.changes += grain != m.grain;
	if (grain > m.grain)
		model_clear();
	m.grain = grain;
	m.loads = m.misses = m.small = m.middle = 0;
}

/* True if so many words from this word on are there. If not, those that are there are dropped. */
static bool model_look_up(uint64_t line, int64_t word, unsigned size, struct access *a)
{
	struct model_way *set = m.way[line % MODEL_SETS];

	for (unsigned i = 0; i < MODEL_WAYS; i++) {
		unsigned at = stands_at(&set[i], word, size);

		if (at == 4)
			continue;
		set[i].touched = ++m.now;
		for (unsigned k = at; k < at + size; k++)
			set[i].word_touched[k] = m.now;
		return true;
	}
	for (unsigned i = 0; i < MODEL_WAYS; i++)
		for (unsigned k = 0; k < 4; k++)
			a->partial |= set[i].word[k] >= word && set[i].word[k] < word + (int64_t)size;
	model_remove(line, word, size);
	return false;
}

static struct access model_load(uint64_t line, uint8_t sectors)
{
	unsigned first = 0, grain = m.grain / 32, all = piece(sectors, grain, &first), size = m.by_chunk ? grain : all;
	bool found[4], kept;
	struct access a = {.hit = true};

	if (m.by_chunk) {
		first = 0;
		all = 4;
	}
	for (unsigned k = first; k < first + all; k += size) {
		bool wanted = sectors >> k & ((1u << size) - 1);

		found[k] = !wanted || model_look_up(line, (int64_t)line * 4 + k, size, &a);
		a.hit &= found[k];
	}
	model_learn(sectors, a.hit);
	kept = m.grain <= grain * 32 || size * 32 >= m.grain;
	for (unsigned k = first; k < first + all; k += size)
		if (!found[k] && kept) {
			model_put(line, (int64_t)line * 4 + k, size);
			a.kept = true;
		}
	return a;
}

static void model_write(uint64_t line, uint8_t sectors)
{
	unsigned step = m.grain / 32;

	for (unsigned k = 0; k < 4; k += step)
		if (sectors >> k & ((1u << step) - 1))
			model_remove(line, (int64_t)line * 4 + k, step);
}

static void compare(const char *policy, unsigned grain, unsigned seed, bool by_chunk)
{
	struct one_l1 o;
	uint64_t random = seed;
	unsigned hits = 0, partial = 0;

	m = (struct model){.dynamic = grain == 128, .by_chunk = by_chunk, .grain = grain};
	model_clear();
	one_l1_init(&o, policy, MODEL_SETS, MODEL_WAYS);
	one_l1_knob(&o, "tag_bits", 6);
	one_l1_choose(&o, "access", by_chunk ? "chunk" : "block");
	if (m.dynamic)
		one_l1_knob(&o, "period", 200);
	one_l1_begin(&o);
	for (unsigned i = 0; i < 60000; i++) {
		uint64_t line = mixed_line(&random, MODEL_SETS * MODEL_WAYS);
		uint8_t sectors = next_sectors(&random, i);
		struct access a, expected;

		if (random_below(&random, 60) == 0) {
			l1_invalidate(o.l1, line * 128, sectors);
			model_write(line, sectors);
			continue;
		}
		a = one_access(&o, line, sectors, 0);
		expected = model_load(line, sectors);
		assert_int_equal(a.hit, expected.hit);
		assert_int_equal(a.partial, expected.partial);
		assert_int_equal(a.kept, expected.kept);
		hits += a.hit;
		partial += a.partial;
	}
	assert_true(hits > 6000);
	assert_true(by_chunk ? partial == 0 : partial > 100);
	if (m.dynamic)
		assert_true(m.changes > 10);
	one_l1_end(&o);
}

static void test_every_variant_does_as_the_model(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 4; seed++) {
		for (unsigned by_chunk = 0; by_chunk < 2; by_chunk++) {
			compare("elastic32", 32, seed, by_chunk);
			compare("elastic64", 64, seed, by_chunk);
			compare("dycache", 128, seed, by_chunk);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_figure_6),
	    cmocka_unit_test(test_fetches_are_of_chunks),
	    cmocka_unit_test(test_a_line_holds_words_of_several_lines),
	    cmocka_unit_test(test_a_partial_hit_fetches_all),
	    cmocka_unit_test(test_chunks_may_be_looked_up_one_by_one),
	    cmocka_unit_test(test_a_chunk_that_is_there_is_not_fetched),
	    cmocka_unit_test(test_stores_and_atomics_drop_chunks),
	    cmocka_unit_test(test_dycache_follows_the_sizes),
	    cmocka_unit_test(test_dycache_keeps_what_works),
	    cmocka_unit_test(test_what_does_not_fit_is_refused),
	    cmocka_unit_test(test_storage_is_what_the_parts_take),
	    cmocka_unit_test(test_every_variant_does_as_the_model),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
