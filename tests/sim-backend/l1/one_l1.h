/* One L1 with a policy by its name, whose misses are answered at once; and streams for it. */
#ifndef ROMARK_TEST_ONE_L1_H
#define ROMARK_TEST_ONE_L1_H

#include "sim-backend/config/config.h"
#include "sim-backend/l1/l1.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_KNOB_BYTES = 256 };

struct one_l1 {
	struct l1_config config;
	const struct l1_policy_ops *policy;
	_Alignas(8) uint8_t knobs[MOST_KNOB_BYTES];
	struct l1 *l1;
	uint64_t fetched_bytes;
};

static inline const struct l1_policy_ops *policy_called(const char *name)
{
	const struct l1_policy_ops *found = l1_policy_find(name);

	if (!found)
		fail_msg("no policy %s", name);
	return found;
}

/* Defaults, with so many sets and ways. Set knobs and options, then call one_l1_begin. */
static inline void one_l1_init(struct one_l1 *o, const char *policy, uint32_t sets, uint32_t ways)
{
	memset(o, 0, sizeof *o);
	o->policy = policy_called(policy);
	knob_defaults(l1_knobs, &o->config);
	o->config.sms = 16;
	o->config.ways = ways;
	o->config.size_bytes = sets * ways * 128;
	assert_true(o->policy->knobs_size <= MOST_KNOB_BYTES);
	if (o->policy->knobs)
		knob_defaults(o->policy->knobs, o->knobs);
}

static inline void one_l1_choose(struct one_l1 *o, const char *name, const char *text)
{
	char why[128];

	if (knob_set(knob_find(o->policy->knobs, name), o->knobs, text, why, sizeof why) < 0)
		fail_msg("%s %s", name, why);
}

static inline void one_l1_knob(struct one_l1 *o, const char *name, uint32_t value)
{
	char text[16];

	snprintf(text, sizeof text, "%u", value);
	one_l1_choose(o, name, text);
}

static inline void one_l1_begin(struct one_l1 *o)
{
	o->l1 = l1_create(&o->config, o->policy, o->knobs);
}

static inline void one_l1_end(struct one_l1 *o)
{
	l1_free(o->l1);
}

struct access {
	bool hit, partial, kept; /* all of it; some look-up was a partial hit; something of it */
	unsigned look_ups, fetches;
};

/* The MSHR of what one look-up lacks; L1_NO_MSHR if it hit. */
static inline uint32_t look_up(struct one_l1 *o, uint64_t line, uint8_t sectors, struct access *a)
{
	struct l1_fetch fetch;
	enum l1_outcome outcome = l1_load(o->l1, line * 128, sectors, 1, &fetch);

	a->look_ups++;
	if (outcome == L1_HIT)
		return L1_NO_MSHR;
	assert_true(outcome == L1_MISS || outcome == L1_PARTIAL);
	a->hit = false;
	a->partial |= outcome == L1_PARTIAL;
	a->fetches++;
	o->fetched_bytes += (uint64_t)__builtin_popcount(fetch.sectors) * 32;
	return l1_open(o->l1, line * 128, 0, 1);
}

/* A load of some sectors of a line. The fetch of the missing ones comes after its last look-up, with `flags`. */
static inline struct access access_of(struct one_l1 *o, uint64_t line, uint8_t sectors, uint8_t flags,
				      uint16_t structure)
{
	struct access a = {.hit = true};
	uint32_t mshrs[L1_SECTORS];
	unsigned n = 0;

	for (uint8_t left = sectors, part; left; left &= (uint8_t)~part) {
		part = l1_part(o->l1, left);
		mshrs[n++] = look_up(o, line, part, &a);
	}
	l1_loaded(o->l1, sectors, a.hit);
	for (unsigned i = 0; i < n; i++) {
		const uint16_t *waiters;
		bool kept;

		if (mshrs[i] == L1_NO_MSHR)
			continue;
		assert_int_equal(l1_fill(o->l1, mshrs[i], flags, structure, &waiters, &kept), 1);
		a.kept |= kept;
	}
	return a;
}

static inline struct access one_access(struct one_l1 *o, uint64_t line, uint8_t sectors, uint8_t flags)
{
	return access_of(o, line, sectors, flags, 0);
}

static inline bool touch(struct one_l1 *o, uint64_t line)
{
	return one_access(o, line, 1, 0).hit;
}

/* The policy's counter with this name. */
static inline uint64_t counter(const struct one_l1 *o, const char *name)
{
	for (const struct stat_row *row = o->policy->stats; row->name; row++)
		if (strcmp(row->name, name) == 0)
			return *(const uint64_t *)((const char *)l1_policy_statistics(o->l1) + row->offset);
	fail_msg("no counter %s", name);
	return 0;
}

/* The reason why a GPU with this L1 policy and one setting is refused; or NULL. */
static inline const char *refusal(const char *policy, const char *setting)
{
	static char text[sizeof((struct diag *)0)->message];
	struct sim_config *c = sim_config_create();
	struct diag d = DIAG_INIT;
	int status;

	assert_int_equal(sim_config_load(c, "selrep64", &d), 0);
	assert_int_equal(sim_config_policies(c, NULL, policy, &d), 0);
	if (setting && sim_config_set(c, setting, &d) < 0)
		fail_msg("%s", d.message);
	status = sim_config_check(c, &d);
	snprintf(text, sizeof text, "%s", d.message);
	sim_config_free(c);
	return status < 0 ? text : NULL;
}

static inline void assert_refused(const char *policy, const char *setting, const char *why)
{
	const char *reason = refusal(policy, setting);

	if (!reason || !strstr(reason, why))
		fail_msg("%s with %s: %s", policy, setting, reason ? reason : "not refused");
}

static inline uint32_t random_below(uint64_t *state, uint32_t bound)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)((*state >> 33) % bound);
}

/* Hot lines, a scan, and lines of a large range, in turns. */
static inline uint64_t mixed_line(uint64_t *random, uint32_t lines)
{
	static uint64_t scan;

	switch (random_below(random, 4)) {
	case 0: return scan++ % (8 * lines) + 16 * lines;
	case 1: return random_below(random, 6 * lines);
	default: return random_below(random, lines / 2 + 1);
	}
}

#endif
