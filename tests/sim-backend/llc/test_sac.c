/* SAC: its directory's counts, its decisions on two chips, and the cost of a change. */
#include "tests/sim-backend/inside.h"
#include "tests/sim-backend/support.h"

#include "sim-backend/llc/crd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PER_CHIP = 64, CHIPS = 2, SMS = CHIPS * PER_CHIP, LINE = 128, PAGE = 4096 };

static struct memsys_config config;
static struct memsys *ms;
static uint64_t now, shared_from;
static uint64_t unsettled; /* cycles of the latest kernel at whose begin the policies had not settled */

static int reset(void **state)
{
	(void)state;
	config = paper_machine();
	config.chips.count = CHIPS;
	config.sms = SMS;
	config.chips.link_gigabytes_per_second = 16;
	shared_from = 300;
	return 0;
}

/* --- The directory --- */

/* The paper's chip: 16 slices of 128 sets. */
static struct llc_geometry sac_geometry(unsigned sectors)
{
	struct llc_geometry g = paper_geometry();

	g.chips = 4;
	g.mcs = 8;
	g.slices = 2;
	g.sets = 128;
	g.sectors = sectors;
	return g;
}

/* The n-th line of the first sampled set. */
static uint64_t sampled_line(const struct crd *c, unsigned n)
{
	for (uint64_t line = 0;; line += LINE)
		if (llc_set_of(c->geometry, line) == c->of_set[0].number % c->geometry->sets && !n--)
			return line;
}

static bool note(struct crd *c, unsigned chip, struct mem_request request)
{
	uint64_t hits = crd_counts(c).hits;

	crd_note(c, c->of_set[0].number / c->geometry->sets, chip, &request, false);
	return crd_counts(c).hits > hits;
}

static void test_a_chip_that_asks_again_hits(void **state)
{
	struct llc_geometry g = sac_geometry(1);
	struct mem_request line, other;
	struct crd c;

	(void)state;
	crd_init(&c, &g, 8, 16, CRD_LINES);
	line = read_of(sampled_line(&c, 0), false);
	other = read_of(sampled_line(&c, 3), false);
	for (unsigned chip = 0; chip < 4; chip++) {
		assert_false(note(&c, chip, line));
		assert_true(note(&c, chip, line));
	}
	assert_false(note(&c, 2, other));
	assert_int_equal(crd_counts(&c).requests, 9);
	/* Another set is not sampled, nor is this set in another slice. */
	line.line += LINE * g.mcs * g.slices;
	assert_false(note(&c, 0, line) || note(&c, 0, line));
	crd_note(&c, 15, 0, &other, false);
	assert_int_equal(crd_counts(&c).requests, 9);
	crd_clear(&c);
	assert_false(note(&c, 2, other));
	crd_release(&c);
}

/* Sets of one number hold neighbouring lines. So they must differ within a chip, and from chip to chip. */
static void test_sampled_sets_are_scattered(void **state)
{
	struct llc_geometry g = sac_geometry(1);
	bool taken[128] = {false};
	unsigned different = 0;

	(void)state;
	for (g.chip = 0; g.chip < 4; g.chip++) {
		struct crd c;

		crd_init(&c, &g, 8, 16, CRD_LINES);
		for (unsigned i = 0; i < 8; i++) {
			unsigned set = c.of_set[i].number % g.sets;

			assert_int_equal(c.of_set[i].number / (2 * g.sets), i);
			different += !taken[set];
			taken[set] = true;
		}
		crd_release(&c);
	}
	assert_true(different >= 26);
}

static void test_sectors_are_apart(void **state)
{
	struct llc_geometry g = sac_geometry(4);
	struct crd c;
	uint64_t line;

	(void)state;
	crd_init(&c, &g, 8, 16, CRD_LINES);
	line = sampled_line(&c, 0);
	assert_false(note(&c, 1, part_of(line, 3)));
	assert_true(note(&c, 1, part_of(line, 2)));
	assert_false(note(&c, 1, part_of(line, 6)));
	assert_true(note(&c, 1, part_of(line, 7)));
	assert_false(note(&c, 0, part_of(line, 1)));
	crd_release(&c);
}

/* Another profile of the same kernel: counts start again, lines do not. */
static void test_counts_of_the_directory(void **state)
{
	struct llc_geometry g = sac_geometry(1);
	struct mem_request line;
	struct crd_counts counts;
	struct crd c;
	unsigned slice;

	(void)state;
	g.chip = 1;
	crd_init(&c, &g, 8, 16, CRD_LINES);
	line = read_of(sampled_line(&c, 0), false);
	slice = c.of_set[0].number / g.sets;
	crd_note(&c, slice, 1, &line, false);
	crd_note(&c, slice, 2, &line, true);
	crd_note(&c, slice, 2, &line, true);
	counts = crd_counts(&c);
	assert_int_equal(counts.requests, 3);
	assert_int_equal(counts.hits, 1);
	assert_int_equal(counts.slice_hits, 2);
	assert_int_equal(counts.far_requests, 2);
	assert_int_equal(counts.far_hits, 1);
	crd_restart(&c);
	counts = crd_counts(&c);
	assert_int_equal(counts.requests + counts.hits + counts.slice_hits + counts.far_requests + counts.far_hits, 0);
	assert_true(note(&c, 1, line));
	crd_clear(&c);
	assert_false(note(&c, 1, line));
	crd_release(&c);
}

/* Ten lines of four chips are ten lines, but forty copies. */
static void test_what_a_set_has_room_for(void **state)
{
	struct llc_geometry g = sac_geometry(1);
	static const unsigned hits[] = {[CRD_LINES] = 40, [CRD_COPIES] = 0};

	(void)state;
	for (enum crd_room room = CRD_LINES; room <= CRD_COPIES; room++) {
		struct crd c;

		crd_init(&c, &g, 8, 16, room);
		for (unsigned i = 0; i < 20; i++)
			for (unsigned chip = 0; chip < 4; chip++)
				note(&c, chip, read_of(sampled_line(&c, i % 10), false));
		assert_int_equal(crd_counts(&c).hits, hits[room]);
		/* A single chip has room for as many copies as lines. */
		crd_clear(&c);
		for (unsigned i = 0; i < 20; i++)
			note(&c, 3, read_of(sampled_line(&c, i % 10), false));
		assert_int_equal(crd_counts(&c).hits, 10);
		crd_release(&c);
	}
}

static void set_knob(void *knobs, const char *name, const char *value)
{
	char why[128];

	assert_int_equal(knob_set(knob_find(llc_policy_find("sac")->knobs, name), knobs, value, why, sizeof why), 0);
}

static uint64_t storage(unsigned sectors, const void *knobs)
{
	const struct llc_policy_ops *sac = llc_policy_find("sac");
	struct llc_geometry g = sac_geometry(sectors);
	void *s = sac->create(&g, knobs);
	uint64_t bytes = 0;

	for (const struct stat_row *row = sac->stats; row->name; row++)
		if (!strcmp(row->name, "storage_bytes"))
			bytes = *(const uint64_t *)((const char *)sac->statistics(s) + row->offset);
	sac->destroy(s);
	return bytes;
}

/* Section 3.6: 544 bytes of directory, 736 with sectors; 64 bytes for LSU, 12 for four more counters. */
static void test_storage_is_the_papers(void **state)
{
	uint64_t knobs[16] = {0};

	(void)state;
	knob_defaults(llc_policy_find("sac")->knobs, knobs);
	assert_int_equal(storage(1, knobs), 620);
	assert_int_equal(storage(4, knobs), 812);
	/* Ours: a counter of 24 bits for what a change would have saved, 16 for the bottleneck. */
	set_knob(knobs, "watch", "on");
	assert_int_equal(storage(1, knobs), 623);
	set_knob(knobs, "model", "bottleneck");
	assert_int_equal(storage(1, knobs), 671);
}

/* --- Decisions --- */

static double statistic(const char *name)
{
	const struct memsys_stats *s = memsys_statistics(ms);

	for (const struct stat_row *row = s->policy_rows; row->name; row++)
		if (!strcmp(row->name, name)) {
			const char *at = (const char *)s->policy_values + row->offset;

			return row->type == STAT_TYPE_REAL ? *(const double *)at : (double)*(const uint64_t *)at;
		}
	fail_msg("no statistic %s", name);
	return 0;
}

static void start(void)
{
	ms = memsys_with(&config, "sac");
	memsys_follow_versions(ms);
	now = 10;
}

static void start_set(const char *const settings[][2], unsigned n)
{
	const struct llc_policy_ops *sac = llc_policy_find("sac");
	uint64_t knobs[16] = {0};

	knob_defaults(sac->knobs, knobs);
	for (unsigned i = 0; i < n; i++)
		set_knob(knobs, settings[i][0], settings[i][1]);
	ms = memsys_create(&config, sac, knobs, 4);
	now = 10;
}

static void start_with(const char *model, const char *watch)
{
	start_set((const char *const[][2]){{"model", model}, {"watch", watch}}, 2);
}

static void stop(void)
{
	if (memsys_check(ms))
		fail_msg("%s", memsys_check(ms));
	memsys_free(ms);
}

/*
 * A kernel of so many cycles. Each chip's SMs use the lines of its own pages, or of both chips' pages; one request in
 * eight is a write. First touch gives each chip half of the pages. Returns the cycles until the last request was done.
 */
static uint64_t run_kernel(bool shared, unsigned lines, uint64_t cycles)
{
	uint64_t begin = now, end = now + cycles, random = 7, done;
	struct mem_request reply;

	memsys_kernel_begin(ms, now, false);
	unsettled = 0;
	for (; now < end; now++) {
		unsettled += !memsys_is_settled(ms);
		for (unsigned sm = 0; sm < SMS; sm++) {
			uint64_t line = random_below(&random, lines / CHIPS) * CHIPS;
			struct mem_request request;

			line += shared && now > shared_from ? random_below(&random, CHIPS) : sm / PER_CHIP;
			line = line % CHIPS * 64 * PAGE + line / CHIPS * LINE;
			request = random_below(&random, 8) ? read_of(line, false) : write_of(line, LINE, 15);
			while (memsys_receive(ms, sm, now, &reply))
				;
			if (memsys_can_send(ms, sm, now))
				memsys_send(ms, sm, now, &request);
		}
		memsys_tick(ms, now, false);
	}
	done = now = drain(ms, SMS, now);
	memsys_kernel_end(ms, now);
	now = drain(ms, SMS, now) + 1;
	if (memsys_check(ms))
		fail_msg("%s", memsys_check(ms));
	return done - begin;
}

static void test_a_small_shared_set_goes_sm_side(void **state)
{
	uint64_t cycles, remote;

	(void)state;
	start();
	cycles = run_kernel(true, 2048, 12000);
	assert_true(statistic("decisions") == 1 && statistic("sm_side_kernels") == 1);
	assert_true(statistic("eab_sm_side") > 1.05 * statistic("eab_memory_side"));
	assert_true(statistic("local") > 0.4 && statistic("local") < 0.95);
	/* Dirty lines crossed the machine's boundary twice: at the change and at the kernel's end. */
	assert_true(memsys_statistics(ms)->llc.flushes >= 2 * CHIPS);
	assert_true(statistic("reorganise_cycles") >= inside_chip(ms, 0)->common.geometry.sets);
	/* Requests were in flight when it was decided, and the sets took as many cycles afterwards. */
	assert_true(memsys_statistics(ms)->llc.drain_cycles > config.llc.latency);
	assert_true(memsys_statistics(ms)->llc.drain_cycles <
		    statistic("reorganise_cycles") - inside_chip(ms, 0)->common.geometry.sets + 10);
	/* The profile, the change and what is left are the kernel. */
	assert_true(statistic("sm_side_cycles") > 1000);
	assert_true(2000 + statistic("reorganise_cycles") + statistic("sm_side_cycles") == (double)cycles);
	assert_true(2000 + statistic("decided_cycles") == (double)cycles);
	/* Each of the two is in force from the cycle after it on. */
	assert_true(2000 + statistic("reorganise_cycles") + 1 == (double)unsettled);
	for (unsigned chip = 0; chip < CHIPS; chip++)
		assert_int_equal(inside_chip(ms, chip)->orders.work, LLC_WORK_NONE);
	/* The next kernel begins memory-side again: requests leave their chip. */
	remote = memsys_statistics(ms)->links.remote_requests;
	run_kernel(true, 2048, 1500);
	assert_true(memsys_statistics(ms)->links.remote_requests > remote);
	stop();
}

/* Three reads, one after the other, of rows of their own: their round trips over the profile, a row for each. */
static void test_what_the_whole_gpu_does(void **state)
{
	uint64_t begin, cycles = 0;
	double before;

	(void)state;
	start();
	run_kernel(true, 64, 500);
	before = statistic("decisions");
	begin = now;
	memsys_kernel_begin(ms, now, false);
	for (unsigned i = 1; i <= 3; i++) {
		uint64_t from = now;

		now = round_trip(ms, i, now, read_of(i * 1024 * PAGE, false));
		cycles += now - from;
		now += i;
	}
	for (; now < begin + 3000; now++)
		memsys_tick(ms, now, false);
	assert_true(statistic("decisions") == before + 1);
	assert_float_equal(statistic("in_flight"), (double)cycles / 2000, 1e-9);
	assert_float_equal(statistic("rows_per_burst"), 3.0 / (3.0 * LINE / config.dram.burst_bytes), 1e-9);
	stop();
}

/*
 * All SMs ask for a few lines none of which is in a sampled set. That the directories have seen nothing does not mean
 * that nothing would hit.
 */
static void test_unseen_is_not_missed(void **state)
{
	(void)state;
	start();
	run_kernel(true, 8, 6000);
	assert_true(statistic("decisions") == 1 && statistic("sampled") == 0);
	assert_true(statistic("hit_rate_memory_side") > 0.9);
	assert_true(statistic("hit_rate_sm_side") == statistic("hit_rate_memory_side"));
	assert_true(statistic("sm_side_kernels") == 1);
	stop();
	/* So does the bottleneck model. */
	start_with("bottleneck", "once");
	run_kernel(true, 8, 6000);
	assert_true(statistic("sampled") == 0);
	assert_true(statistic("hit_rate_sm_side") == statistic("hit_rate_memory_side"));
	assert_true(statistic("sm_side_kernels") == 1);
	stop();
	/* If there are more lines, some are sampled, and then the directories' rate counts. */
	start();
	run_kernel(true, 2048, 6000);
	assert_true(statistic("sampled") > 0);
	assert_true(statistic("hit_rate_sm_side") != statistic("hit_rate_memory_side"));
	stop();
}

/* Cycles of the profile, which goes on until it has seen so many sampled requests. */
static double profile_with_samples(const char *least)
{
	uint64_t cycles;
	double decided;

	start_set((const char *const[][2]){{"least_samples", least}}, 1);
	cycles = run_kernel(true, 2048, 12000);
	assert_true(statistic("sm_side_kernels") == statistic("decisions"));
	decided = statistic("decided_cycles");
	stop();
	return (double)cycles - decided;
}

static void test_a_profile_waits_for_samples(void **state)
{
	double longer;

	(void)state;
	assert_true(profile_with_samples("0") == 2000);
	assert_true(profile_with_samples("1") == 2000);
	longer = profile_with_samples("80");
	assert_true(longer > 2000 && longer < 12000 && fmod(longer, 2000) == 0);
	/* The kernel is over before. */
	assert_true(profile_with_samples("1000000") > 12000);
}

enum { LINES = 513 };

/* A third of the lines, so that slices hold lines of both kinds. */
static bool is_written(unsigned n)
{
	return n % 3 == 0;
}

static unsigned held(bool written)
{
	unsigned count = 0;

	for (unsigned n = 0; n < LINES; n++)
		count += is_written(n) == written && inside_holds(ms, 0, n * LINE);
	return count;
}

/* The change's work: what is dirty is written and goes, what is clean stays. */
static void test_a_change_drops_dirty_lines_alone(void **state)
{
	(void)state;
	start();
	for (unsigned n = 0; n < LINES; n++) {
		struct mem_request write = write_of(n * LINE, LINE, 15);

		write.flags = 0;
		now = round_trip(ms, 0, now, is_written(n) ? write : read_of(n * LINE, false)) + 1;
	}
	now = drain(ms, SMS, now) + 1;
	assert_int_equal(held(true), LINES / 3);
	assert_int_equal(held(false), LINES - LINES / 3);
	for (unsigned i = 0; i < inside_chip(ms, 0)->nslices; i++)
		llc_slice_start_work(inside_slice(ms, i), LLC_DROP_DIRTY, now);
	now = drain(ms, SMS, now);
	assert_int_equal(held(true), 0);
	assert_int_equal(held(false), LINES - LINES / 3);
	assert_int_equal(memsys_statistics(ms)->llc.write_backs, LINES / 3);
	stop();
}

/* Data that is not shared gains nothing; a kernel that ends within its profile is never decided. */
static void test_private_data_stay_memory_side(void **state)
{
	(void)state;
	start();
	run_kernel(false, 2048, 6000);
	assert_true(statistic("decisions") == 1 && statistic("sm_side_kernels") == 0);
	assert_true(statistic("local") == 1);
	/* Where each request goes to the same slice in both organisations. */
	assert_true(statistic("lsu_sm_side") == statistic("lsu_memory_side"));
	assert_int_equal(memsys_statistics(ms)->llc.flush_cycles, 0);
	run_kernel(false, 2048, 1000);
	assert_true(statistic("decisions") == 1);
	stop();
}

/* Each kernel is decided by itself. */
static void test_kernels_alternate(void **state)
{
	(void)state;
	start();
	for (unsigned i = 0; i < 3; i++) {
		run_kernel(false, 2048, 4000);
		assert_true(statistic("sm_side_kernels") == i);
		run_kernel(true, 2048, 4000);
		assert_true(statistic("sm_side_kernels") == i + 1);
	}
	stop();
}

/* Memory takes the lines of so small an LLC in about a thousand cycles. */
static void test_a_kernel_that_begins_to_share_is_seen_later(void **state)
{
	static const char *const models[] = {"paper", "bottleneck"};
	uint64_t cycles;

	(void)state;
	config.llc.kilobytes = 512;
	for (unsigned i = 0; i < 2; i++) {
		shared_from = 5000;
		start_with(models[i], "once");
		run_kernel(true, 2048, 16000);
		assert_true(statistic("decisions") == 1 && statistic("sm_side_kernels") == 0);
		stop();
		start_with(models[i], "on");
		cycles = run_kernel(true, 2048, 16000);
		assert_true(statistic("decisions") == 1 && statistic("sm_side_kernels") == 1);
		assert_true(statistic("sm_side_cycles") > 0);
		assert_true(statistic("sm_side_cycles") + (double)shared_from < (double)cycles);
		/* Where nothing is shared it stays as it is. */
		run_kernel(false, 2048, 8000);
		assert_true(statistic("decisions") == 2 && statistic("sm_side_kernels") == 1);
		stop();
	}
}

/* A change must first lose its cost: nothing if hardware keeps copies the same. */
static void test_a_late_change_must_pay(void **state)
{
	(void)state;
	config.llc.kilobytes = 16384;
	shared_from = 5000;
	for (unsigned coherent = 0; coherent < 2; coherent++) {
		config.chips.coherence = coherent ? COHERENCE_HARDWARE : COHERENCE_SOFTWARE;
		start_set((const char *const[][2]){{"model", "bottleneck"}, {"watch", "on"}, {"crd_sets", "256"}}, 3);
		run_kernel(true, 2048, 12000);
		assert_true(statistic("decisions") == 1 && statistic("sm_side_kernels") == coherent);
		stop();
	}
}

/* Nothing is in flight for several profiles, and then all is shared, but not yet for long enough. */
static void test_a_profile_without_requests_says_nothing(void **state)
{
	struct mem_request request, reply;

	(void)state;
	start_with("bottleneck", "on");
	memsys_kernel_begin(ms, now, false);
	now = round_trip(ms, 0, now, read_of(0, false));
	for (uint64_t until = now + 40000; now < until; now++)
		memsys_tick(ms, now, false);
	assert_true(statistic("decisions") == 1);
	assert_true(statistic("in_flight") == 0 && statistic("eab_sm_side") == 0);
	for (uint64_t until = now + 2500; now < until; now++) {
		for (unsigned sm = 0; sm < SMS; sm++) {
			request = read_of((sm + now) % 256 * LINE, false);
			while (memsys_receive(ms, sm, now, &reply))
				;
			if (memsys_can_send(ms, sm, now))
				memsys_send(ms, sm, now, &request);
		}
		memsys_tick(ms, now, false);
	}
	assert_true(statistic("eab_sm_side") > 1.05 * statistic("eab_memory_side"));
	assert_true(statistic("sm_side_kernels") == 0);
	now = drain(ms, SMS, now);
	stop();
}

static void test_the_bottleneck_decides(void **state)
{
	(void)state;
	start_with("bottleneck", "once");
	run_kernel(true, 4096, 8000);
	assert_true(statistic("decisions") == 1 && statistic("sm_side_kernels") == 1);
	run_kernel(false, 2048, 4000);
	assert_true(statistic("decisions") == 2 && statistic("sm_side_kernels") == 1);
	stop();
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, reset)
	const struct CMUnitTest tests[] = {
	    TEST(test_a_chip_that_asks_again_hits),   TEST(test_sectors_are_apart),
	    TEST(test_sampled_sets_are_scattered),    TEST(test_what_a_set_has_room_for),
	    TEST(test_storage_is_the_papers),         TEST(test_a_small_shared_set_goes_sm_side),
	    TEST(test_what_the_whole_gpu_does),       TEST(test_a_change_drops_dirty_lines_alone),
	    TEST(test_private_data_stay_memory_side), TEST(test_kernels_alternate),
	    TEST(test_counts_of_the_directory),       TEST(test_a_kernel_that_begins_to_share_is_seen_later),
	    TEST(test_a_late_change_must_pay),        TEST(test_a_profile_without_requests_says_nothing),
	    TEST(test_the_bottleneck_decides),        TEST(test_unseen_is_not_missed),
	    TEST(test_a_profile_waits_for_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
