/* G-Cache: the access stream of the paper's Fig. 7, its switches and thresholds, and a plain model on random streams.
 */
#include "tests/sim-backend/l1/one_l1.h"

#include "sim-backend/memory/memsys.h"

/* The LLC's part: it has every line, and remembers which ones this L1 has had. */
static bool served[4096];

static struct access load(struct one_l1 *o, uint64_t line)
{
	struct access a = one_access(o, line, 1, served[line] ? MEM_VICTIM : 0);

	served[line] |= !a.hit;
	return a;
}

/* The least thresholds that do as Fig. 7, and lost lines enter as any others. */
static void choose_narrow(struct one_l1 *o)
{
	one_l1_knob(o, "hot", 3);
	one_l1_knob(o, "hot_for_victims", 2);
	one_l1_knob(o, "victims_enter", 127);
}

/* One set of two ways. */
static void begin_default(struct one_l1 *o)
{
	memset(served, 0, sizeof served);
	one_l1_init(o, "gcache", 1, 2);
}

static void begin(struct one_l1 *o)
{
	begin_default(o);
	choose_narrow(o);
}

enum { A1 = 1, A2, B1, B2 };
enum happened { HIT, KEPT, BYPASSED };

static enum happened happens(struct one_l1 *o, uint64_t line)
{
	struct access a = load(o, line);

	return a.hit ? HIT : a.kept ? KEPT : BYPASSED;
}

/*
 * The text of the paper: a1 is missed for the second time, which turns the switch on; b1 and b2 are bypassed; a1 and a2
 * are hit after that; and b1 gets in at last.
 */
static void test_figure_7(void **state)
{
	static const struct {
		uint64_t line;
		enum happened what;
	} stream[] = {{A1, KEPT},     {A2, KEPT}, {B1, KEPT}, {A2, HIT},      {A1, KEPT},     {A1, HIT}, {B1, BYPASSED},
		      {B2, BYPASSED}, {A1, HIT},  {A2, HIT},  {B1, BYPASSED}, {B1, BYPASSED}, {B1, KEPT}};

	(void)state;
	for (unsigned bits = 2; bits <= 3; bits++) {
		struct one_l1 o;

		begin(&o);
		one_l1_knob(&o, "bits", bits);
		one_l1_begin(&o);
		for (size_t i = 0; i < sizeof stream / sizeof stream[0]; i++)
			assert_int_equal(happens(&o, stream[i].line), stream[i].what);
		assert_int_equal(counter(&o, "bypasses"), 4);
		assert_int_equal(counter(&o, "switched_on"), 1);
		one_l1_end(&o);
	}
}

/* With the defaults the text of the figure holds as well, b1 only comes oftener. */
static void test_figure_7_under_the_defaults(void **state)
{
	static const struct {
		uint64_t line;
		enum happened what;
	} stream[] = {{A1, KEPT},     {A2, KEPT},     {B1, KEPT}, {A2, HIT}, {A1, KEPT},     {A1, HIT},
		      {B1, BYPASSED}, {B2, BYPASSED}, {A1, HIT},  {A2, HIT}, {B1, BYPASSED}, {B1, BYPASSED}};
	struct one_l1 o;
	unsigned more = 0;

	(void)state;
	begin_default(&o);
	one_l1_begin(&o);
	for (size_t i = 0; i < sizeof stream / sizeof stream[0]; i++)
		assert_int_equal(happens(&o, stream[i].line), stream[i].what);
	while (happens(&o, B1) == BYPASSED)
		more++;
	assert_int_equal(more, 4);
	one_l1_end(&o);
}

/* The same up to b1's second coming, with other thresholds: a2 has aged to 1 when a1 came back, so it is not below 1.
 */
static void test_thresholds_decide_what_is_hot(void **state)
{
	static const uint64_t stream[] = {A1, A2, B1, A2, A1, A1};
	struct one_l1 o;

	(void)state;
	for (unsigned threshold = 1; threshold <= 2; threshold++) {
		begin(&o);
		one_l1_knob(&o, "hot_for_victims", threshold);
		one_l1_begin(&o);
		for (size_t i = 0; i < sizeof stream / sizeof stream[0]; i++)
			load(&o, stream[i]);
		assert_int_equal(happens(&o, B1), threshold == 1 ? KEPT : BYPASSED);
		one_l1_end(&o);
	}
}

/* Both lines hot, the switch on. */
static void heat(struct one_l1 *o)
{
	load(o, A1);
	load(o, A2);
	load(o, B1);
	load(o, A1);
	for (unsigned i = 0; i < 3; i++) {
		load(o, A1);
		load(o, A2);
	}
}

/* With thresholds of 3 a hot set cools in three steps, each of which takes M bypasses. */
static void test_m_bypasses_cool_a_set(void **state)
{
	(void)state;
	for (unsigned m = 1; m <= 5; m++) {
		struct one_l1 o;

		begin(&o);
		one_l1_knob(&o, "age_every", m);
		one_l1_knob(&o, "hot_for_victims", 3);
		one_l1_begin(&o);
		heat(&o);
		for (unsigned i = 0; i < 3 * m; i++)
			assert_int_equal(happens(&o, 100 + i), BYPASSED);
		assert_int_equal(happens(&o, 100 + 3 * m), KEPT);
		one_l1_end(&o);
	}
}

/* Bypasses that a hot set takes until a line gets in. */
static unsigned bypasses_to_cool(struct one_l1 *o)
{
	static uint64_t next = 1000;
	unsigned count = 0;

	for (unsigned i = 0; i < 3; i++) {
		load(o, A1);
		load(o, A2);
	}
	while (!one_access(o, next++, 1, 0).kept)
		count++;
	return count;
}

/* M doubles while more than half of the lines were lost early, up to the most; and halves while few were. */
static void test_m_follows_contention(void **state)
{
	struct one_l1 o;

	(void)state;
	begin(&o);
	one_l1_knob(&o, "hot_for_victims", 3);
	one_l1_knob(&o, "adapt_every", 20);
	one_l1_knob(&o, "age_most", 4);
	one_l1_begin(&o);
	heat(&o);
	assert_int_equal(bypasses_to_cool(&o), 3 * 1);
	for (unsigned i = 0; i < 100; i++)
		one_access(&o, 100 + i, 1, MEM_VICTIM);
	assert_int_equal(counter(&o, "slower"), 2);
	assert_int_equal(bypasses_to_cool(&o), 3 * 4);
	for (unsigned i = 0; i < 100; i++)
		one_access(&o, 300 + i, 1, 0);
	assert_int_equal(counter(&o, "faster"), 2);
	assert_int_equal(bypasses_to_cool(&o), 3 * 1);
	one_l1_end(&o);
}

/* A lost line enters with the knob's value, and other lines enter as far. */
static void test_a_lost_line_may_enter_near(void **state)
{
	(void)state;
	for (unsigned enters = 0; enters < 2; enters++) {
		struct one_l1 o;

		begin(&o);
		one_l1_knob(&o, "victims_enter", enters ? 127 : 0);
		one_l1_begin(&o);
		one_access(&o, A1, 1, MEM_VICTIM);
		one_access(&o, A2, 1, MEM_VICTIM);
		/* Both are hot and the switch is on, or they are like any line. */
		assert_int_equal(one_access(&o, B1, 1, 0).kept, enters);
		one_l1_end(&o);
	}
}

static void test_the_switch_goes_off_after_the_period(void **state)
{
	struct one_l1 o;

	(void)state;
	begin(&o);
	one_l1_knob(&o, "off_period", 12);
	one_l1_begin(&o);
	heat(&o); /* ten accesses */
	assert_int_equal(happens(&o, 100), BYPASSED);
	assert_int_equal(happens(&o, 101), KEPT);
	assert_int_equal(counter(&o, "switched_off"), 1);
	one_l1_end(&o);
}

static void test_without_contention_it_is_srrip(void **state)
{
	struct one_l1 o, srrip;
	uint64_t random = 5;

	(void)state;
	one_l1_init(&o, "gcache", 16, 4);
	one_l1_init(&srrip, "srrip", 16, 4);
	one_l1_begin(&o);
	one_l1_begin(&srrip);
	for (unsigned i = 0; i < 20000; i++) {
		uint64_t line = mixed_line(&random, 64);

		assert_int_equal(touch(&o, line), touch(&srrip, line));
	}
	assert_int_equal(counter(&o, "bypasses"), 0);
	one_l1_end(&o);
	one_l1_end(&srrip);
}

static void test_what_does_not_fit_is_refused(void **state)
{
	(void)state;
	assert_refused("gcache", "l1.alloc=miss", "so it must be fill or stream");
	assert_refused("gcache", "l1.sectored=true", "so it must be false");
	assert_refused("gcache", "gcache.hot=1", "gcache.hot_for_victims is 6; it must be gcache.hot at most (1)");
	assert_refused("gcache", "gcache.age_every=32",
		       "gcache.age_every is 32; it must be gcache.age_most at most (16)");
	assert_refused("gcache-ro", "l1.alloc=miss", "gcache-ro decides when a line has come");
	assert_null(refusal("gcache", "l1.alloc=stream"));
}

/* The paper's machine: 16 cores, an L2 of 512 sets and 16 ways. The victim bits take 1 KB for each L1. */
static void test_storage_is_what_the_paper_says(void **state)
{
	struct one_l1 o;
	unsigned own = 64 * (4 * 3 + 1) + 17;

	(void)state;
	one_l1_init(&o, "gcache", 64, 4);
	o.config.llc_lines = 512 * 16;
	assert_int_equal(o.policy->storage_bits(&o.config, o.knobs), own + 1024 * 8);
	one_l1_knob(&o, "victim_sms", 4);
	assert_int_equal(o.policy->storage_bits(&o.config, o.knobs), own + 1024 * 8 / 4);
	/* The value is limited to the number of SMs. */
	one_l1_knob(&o, "victim_sms", 999);
	assert_int_equal(o.policy->storage_bits(&o.config, o.knobs), own + 1024 * 8 / 16);
}

/* --- The model: a set is a list of lines with their heat --- */

enum { MODEL_SETS = 8, MODEL_WAYS = 4 };

struct model_line {
	int64_t line; /* -1: none */
	unsigned cold;
};

static struct model {
	unsigned top, hot, hot_victim, enters, every, period;
	struct model_line way[MODEL_SETS][MODEL_WAYS];
	bool bypassing[MODEL_SETS];
	unsigned bypasses[MODEL_SETS], all, accesses;
} m;

static void model_forget_all(void)
{
	for (unsigned s = 0; s < MODEL_SETS; s++) {
		m.bypassing[s] = false;
		m.bypasses[s] = 0;
		for (unsigned i = 0; i < MODEL_WAYS; i++)
			m.way[s][i].line = -1;
	}
}

static unsigned coldest(unsigned s)
{
	unsigned most = 0;

	for (unsigned i = 0; i < MODEL_WAYS; i++)
		if (m.way[s][i].cold > most)
			most = m.way[s][i].cold;
	return most;
}

static void cool(unsigned s, unsigned by)
{
	for (unsigned i = 0; i < MODEL_WAYS; i++)
		m.way[s][i].cold = m.way[s][i].cold + by > m.top ? m.top : m.way[s][i].cold + by;
}

static void put(unsigned s, uint64_t line, bool victim)
{
	unsigned at = MODEL_WAYS;

	for (unsigned i = MODEL_WAYS; i-- > 0;)
		if (m.way[s][i].line < 0)
			at = i;
	if (at == MODEL_WAYS) {
		cool(s, m.top - coldest(s));
		for (unsigned i = MODEL_WAYS; i-- > 0;)
			if (m.way[s][i].cold == m.top)
				at = i;
	}
	m.way[s][at] = (struct model_line){(int64_t)line, victim && m.enters < m.top ? m.enters : m.top - 1};
}

static bool is_full(unsigned s)
{
	for (unsigned i = 0; i < MODEL_WAYS; i++)
		if (m.way[s][i].line < 0)
			return false;
	return true;
}

static enum happened model_load(uint64_t line, bool victim)
{
	unsigned s = (unsigned)(line % MODEL_SETS);

	if (m.period && ++m.accesses % m.period == 0)
		memset(m.bypassing, 0, sizeof m.bypassing);
	for (unsigned i = 0; i < MODEL_WAYS; i++)
		if (m.way[s][i].line == (int64_t)line) {
			m.way[s][i].cold = 0;
			return HIT;
		}
	m.bypassing[s] |= victim;
	if (is_full(s) && m.bypassing[s] && coldest(s) < (victim ? m.hot_victim : m.hot)) {
		m.all++;
		if (++m.bypasses[s] % m.every == 0)
			cool(s, 1);
		return BYPASSED;
	}
	put(s, line, victim);
	return KEPT;
}

static void compare(bool narrow, unsigned bits, unsigned every, unsigned period, unsigned seed)
{
	struct one_l1 o;
	uint64_t random = seed;
	unsigned hits = 0;

	memset(served, 0, sizeof served);
	m = (struct model){.top = (1u << bits) - 1, .hot = 7, .hot_victim = 6, .every = every, .period = period};
	model_forget_all();
	one_l1_init(&o, "gcache", MODEL_SETS, MODEL_WAYS);
	if (narrow) {
		m.hot = 3;
		m.hot_victim = 2;
		m.enters = 127;
		choose_narrow(&o);
	}
	one_l1_knob(&o, "bits", bits);
	one_l1_knob(&o, "age_every", every);
	one_l1_knob(&o, "off_period", period);
	one_l1_begin(&o);
	for (unsigned i = 0; i < 60000; i++) {
		uint64_t line = mixed_line(&random, 2 * MODEL_SETS * MODEL_WAYS) % 4096;
		bool victim = served[line];
		enum happened what;

		if (random_below(&random, 5000) == 0) {
			l1_flush(o.l1);
			model_forget_all();
		}
		if (random_below(&random, 300) == 0) /* the LLC loses lines, too */
			served[random_below(&random, 4096)] = false;
		what = happens(&o, line);
		assert_int_equal(what, model_load(line, victim));
		hits += what == HIT;
	}
	assert_int_equal(counter(&o, "bypasses"), m.all);
	assert_true(m.all > 20 && hits > 6000);
	one_l1_end(&o);
}

static void test_it_does_as_the_model(void **state)
{
	(void)state;
	for (unsigned bits = 2; bits <= 4; bits++)
		for (unsigned every = 1; every <= 3; every++) {
			compare(true, bits, every, 0, bits + every);
			compare(true, bits, every, 700, bits * every);
			if (bits >= 3) /* below, a set that bypasses is always hot */
				compare(false, bits, every, 700, bits * every);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_figure_7),
	    cmocka_unit_test(test_figure_7_under_the_defaults),
	    cmocka_unit_test(test_thresholds_decide_what_is_hot),
	    cmocka_unit_test(test_m_bypasses_cool_a_set),
	    cmocka_unit_test(test_m_follows_contention),
	    cmocka_unit_test(test_a_lost_line_may_enter_near),
	    cmocka_unit_test(test_the_switch_goes_off_after_the_period),
	    cmocka_unit_test(test_without_contention_it_is_srrip),
	    cmocka_unit_test(test_what_does_not_fit_is_refused),
	    cmocka_unit_test(test_storage_is_what_the_paper_says),
	    cmocka_unit_test(test_it_does_as_the_model),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
