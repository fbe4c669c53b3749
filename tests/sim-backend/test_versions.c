/*
 * Follows versions of sectors through slices and memory: no policy serves an old version, and the check notices
 * policies that would. A kernel writes some blocks of lines and reads others; a later kernel reads the written blocks
 * as read-only.
 */
#include "tests/sim-backend/support.h"

#include "sim-backend/memory/versions.h"

enum { SMS = 64, BLOCKS = 24, BLOCK_LINES = 64, REQUESTS = 6000 };

struct kernel {
	unsigned number;
	bool atomics;
};

/* In kernel k a block is written when (block + k) % 3 is 0. */
static bool is_written(struct kernel k, unsigned block)
{
	return (block + k.number) % 3 == 0;
}

static struct mem_request request_of(struct kernel k, uint64_t *random)
{
	unsigned block = (unsigned)random_below(random, BLOCKS);
	uint64_t line = (block * BLOCK_LINES + random_below(random, BLOCK_LINES)) * 128;

	if (!is_written(k, block))
		return read_of(line, true);
	switch (random_below(random, k.atomics ? 4 : 3)) {
	case 0: return part_of(line, (uint8_t)(1 + line / 128 % 15));
	case 1: return write_of(line, 40, 3);
	case 2: return write_of(line, 128, 15);
	default: return atomic_of(line);
	}
}

static uint64_t run_kernel(struct memsys *ms, struct kernel k, uint64_t cycle)
{
	uint64_t random = 77 + k.number;

	memsys_kernel_begin(ms, cycle, k.atomics);
	for (unsigned sent = 0; sent < REQUESTS; cycle++) {
		struct mem_request reply;

		for (unsigned sm = 0; sm < SMS; sm++) {
			struct mem_request request = request_of(k, &random);

			while (memsys_receive(ms, sm, cycle, &reply))
				;
			if (!memsys_can_send(ms, sm, cycle))
				continue;
			memsys_send(ms, sm, cycle, &request);
			sent++;
		}
		memsys_tick(ms, cycle, false);
	}
	cycle = drain(ms, SMS, cycle);
	memsys_kernel_end(ms, cycle);
	return drain(ms, SMS, cycle);
}

/* The machine of so many chips; `small`: evictions and sectors too. */
static struct memsys_config machine_of(uint32_t chips, bool small)
{
	struct memsys_config config = paper_machine();

	config.chips.count = chips;
	config.noc.sm_routers = 16 / chips;
	config.map.page_bytes = 1024;
	if (small)
		config.llc.kilobytes = 128;
	config.llc.sectored = small;
	return config;
}

/* memsys_check's message after some kernels; NULL if all is well. */
static const char *violation_in(struct memsys_config config, const struct llc_policy_ops *policy)
{
	static char text[256];
	struct memsys *ms;
	const char *violation = NULL;
	uint64_t cycle = 0, knobs[16] = {0};

	if (policy->knobs)
		knob_defaults(policy->knobs, knobs);
	ms = memsys_create(&config, policy, knobs, 1);
	memsys_follow_versions(ms);
	for (unsigned k = 0; k < 6 && !violation; k++) {
		cycle = run_kernel(ms, (struct kernel){k, k % 2 == 1}, cycle + 1);
		violation = memsys_check(ms);
	}
	if (violation)
		snprintf(text, sizeof text, "%s", violation);
	memsys_free(ms);
	return violation ? text : NULL;
}

static const char *violation_on(uint32_t chips, const struct llc_policy_ops *policy, bool small)
{
	return violation_in(machine_of(chips, small), policy);
}

static const char *violation_of(const struct llc_policy_ops *policy, bool small)
{
	return violation_on(1, policy, small);
}

/* Each chip with copies of its own, of lines of all chips' memory. */
static void test_the_sm_side_organisation_serves_no_old_values(void **state)
{
	const struct llc_policy_ops *sm_side = llc_policy_find("sm-side");
	struct llc_policy_ops careless = *sm_side;

	(void)state;
	careless.kernel_end = NULL;
	for (uint32_t chips = 1; chips <= 4; chips *= 2)
		for (int small = 0; small < 2; small++)
			if (violation_on(chips, sm_side, small))
				fail_msg("%u chips: %s", chips, violation_on(chips, sm_side, small));
	assert_non_null(violation_on(2, &careless, false));
	assert_non_null(violation_on(4, &careless, false));
}

static void test_no_policy_serves_old_values(void **state)
{
	(void)state;
	for (uint32_t chips = 1; chips <= 4; chips *= 2)
		for (unsigned i = 0; llc_policy_table[i]; i++)
			for (int small = 0; small < 2; small++) {
				const char *violation = violation_on(chips, llc_policy_table[i], small);

				if (violation)
					fail_msg("%u chips, %s: %s", chips, llc_policy_table[i]->name, violation);
			}
}

static struct memsys_config coherent_machine_of(uint32_t chips, bool small, uint32_t entries)
{
	struct memsys_config config = machine_of(chips, small);

	config.chips.coherence = COHERENCE_HARDWARE;
	config.chips.directory_entries = entries;
	config.chips.directory_ways = 4;
	if (entries)
		config.llc.partial_write = LLC_PARTIAL_FILL;
	return config;
}

/* With directories nothing is flushed; two small directories have to evict lines that chips have written. */
static void test_hardware_coherence_serves_no_old_values(void **state)
{
	static const uint32_t entries[] = {0, 8 * 4 * 4, 8 * 4 * 64};

	(void)state;
	for (uint32_t chips = 2; chips <= 4; chips *= 2)
		for (unsigned i = 0; llc_policy_table[i]; i++)
			for (unsigned k = chips == 2; k < chips - 1 && llc_policy_table[i]->chips; k++) {
				const char *violation =
				    violation_in(coherent_machine_of(chips, k != 2, entries[k]), llc_policy_table[i]);

				if (violation)
					fail_msg("%u chips, %u entries, %s: %s", chips, entries[k],
						 llc_policy_table[i]->name, violation);
			}
}

/* An SM-side policy that flushes nothing, without directories. */
static void test_no_coherence_is_noticed(void **state)
{
	struct llc_policy_ops careless = *llc_policy_find("sm-side");
	struct memsys_config config = coherent_machine_of(2, false, 0);

	(void)state;
	assert_null(violation_in(config, &careless));
	careless.chips = NULL;
	careless.kernel_end = NULL;
	assert_non_null(violation_in(config, &careless));
}

/* A policy that copies and leaves what a kernel wrote in its home slice: later kernels read memory that never got it.
 */
static void test_copies_without_cleaning_are_noticed(void **state)
{
	struct llc_policy_ops careless = *llc_policy_find("degree4");

	(void)state;
	careless.kernel_begin = NULL;
	assert_non_null(violation_of(&careless, false));
}

/* A policy that keeps its copies when they are written. */
static void test_copies_that_stay_are_noticed(void **state)
{
	struct llc_policy_ops careless = *llc_policy_find("private");

	(void)state;
	careless.kernel_end = NULL;
	assert_non_null(violation_of(&careless, false));
}

/* Two slices write a sector in one kernel: either may have won, but all must agree on which. */
static void test_racing_writes(void **state)
{
	(void)state;
	for (unsigned agree = 0; agree < 2; agree++) {
		struct versions *v = versions_create();

		versions_written(v, 1, 0x80, 1);
		versions_written(v, 2, 0x80, 1);
		versions_kernel(v);
		versions_served(v, 1, 0x80, 1, true);
		assert_null(versions_violation(v));
		versions_served(v, agree ? 1 : 2, 0x80, 1, true);
		assert_int_equal(versions_violation(v) == NULL, agree);
		versions_free(v);
	}
}

static void test_versions_travel(void **state)
{
	struct versions *v = versions_create();
	uint32_t sent, read;

	(void)state;
	versions_written(v, 1, 0x80, 3);
	versions_served(v, 1, 0x80, 3, false);
	assert_null(versions_violation(v));
	sent = versions_sent(v, 1, 0x80, 1);
	versions_in_memory(v, 0x80, sent);
	read = versions_read(v, 0x80);
	versions_filled(v, 2, 0x80, read, 0);
	versions_served(v, 2, 0x80, 1, false);
	assert_null(versions_violation(v));
	versions_served(v, 2, 0x80, 2, true); /* written in this kernel: a copy may lag */
	assert_null(versions_violation(v));
	versions_kernel(v);
	versions_served(v, 2, 0x80, 2, true);
	assert_non_null(versions_violation(v));
	versions_free(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_no_policy_serves_old_values),
	    cmocka_unit_test(test_the_sm_side_organisation_serves_no_old_values),
	    cmocka_unit_test(test_hardware_coherence_serves_no_old_values),
	    cmocka_unit_test(test_no_coherence_is_noticed),
	    cmocka_unit_test(test_racing_writes),
	    cmocka_unit_test(test_copies_without_cleaning_are_noticed),
	    cmocka_unit_test(test_copies_that_stay_are_noticed),
	    cmocka_unit_test(test_versions_travel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
