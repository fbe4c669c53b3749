/* The tags are an array of sets and ways. MSHRs are found by a hash of their line, in chains. */
#include "sim-backend/l1/l1.h"

#include "common/diag.h"
#include "common/xalloc.h"

#include <stdlib.h>

enum { LINE_SHIFT = 7, CHAINS = 256, NO_MSHR = UINT16_MAX };
#define NO_LINE UINT64_MAX
#define OPEN "not confirmed against the paper"

const struct knob l1_knobs[] = {
    KNOB_UINT(struct l1_config, size_bytes, "bytes", 128, 1 << 24, 49152, "capacity; lines are 128 B",
	      "SelRep Table I"),
    KNOB_UINT(struct l1_config, ways, "ways", 1, 64, 6, "associativity", "SelRep Table I"),
    KNOB_UINT(struct l1_config, mshrs, "entries", 1, L1_MAX_MSHRS, 128, "lines that can be on their way",
	      "GPGPU-Sim's early Pascal L1 of this size; not confirmed against the paper"),
    KNOB_UINT(struct l1_config, merges, "loads", 1, L1_MAX_MERGES, 32, "loads that one MSHR can serve",
	      "as many as needed: the streaming L1 of Pascal and Volta; not confirmed against the paper"),
    KNOB_UINT(struct l1_config, hit_latency, "cycles", 1, 1000, 28, "from the L1 access to the dependent instruction",
	      OPEN),
    KNOB_UINT(struct l1_config, fill_latency, "cycles", 1, 1000, 4, "from the reply to the dependent instruction",
	      OPEN),
    KNOB_CHOICE(struct l1_config, caches, "all|read_only|none", L1_ALL_LOADS, "global loads that the L1 keeps",
		"SelRep section III-E: Volta keeps all"),
    KNOB_CHOICE(struct l1_config, write_hit, "update|invalidate", L1_UPDATE,
		"what a store does to a line that is present; the store goes on in both cases", OPEN),
    KNOB_CHOICE(struct l1_config, index, "linear|xor", 0, "set index: low line bits, or XORed with the bits above",
		OPEN),
    KNOB_END,
};

struct l1 {
	uint32_t sets, ways;
	uint32_t index_shift; /* xor index: log2(sets); 0 = linear */
	uint32_t merges, free_count;
	bool drop_on_write;
	const struct l1_policy_ops *policy;
	void *policy_state;
	uint64_t *tags; /* [set][way]: line address >> 7, or NO_LINE */
	uint32_t mshrs;
	uint64_t *mshr_line;                 /* NO_LINE = free */
	uint16_t chains[CHAINS], *next_mshr; /* NO_MSHR ends a chain */
	uint16_t *free_mshrs;                /* a stack */
	uint16_t *waiting;                   /* waiters per MSHR */
	uint16_t *waiters;                   /* [mshr][merge] */
};

struct l1 *l1_create(const struct l1_config *config, const struct l1_policy_ops *policy, const void *policy_knobs)
{
	struct l1 *l1 = xcalloc(1, sizeof *l1);
	struct l1_geometry geometry;

	l1->ways = config->ways;
	l1->sets = config->size_bytes / (config->ways << LINE_SHIFT);
	l1->index_shift = config->index ? 31 - (uint32_t)__builtin_clz(l1->sets | 1) : 0;
	l1->merges = config->merges;
	l1->mshrs = config->mshrs;
	l1->drop_on_write = config->write_hit == L1_INVALIDATE;
	l1->tags = xmalloc(sizeof *l1->tags * l1->sets * l1->ways);
	l1->mshr_line = xmalloc(sizeof *l1->mshr_line * l1->mshrs);
	l1->free_mshrs = xmalloc(sizeof *l1->free_mshrs * l1->mshrs);
	l1->waiting = xcalloc(l1->mshrs, sizeof *l1->waiting);
	l1->waiters = xcalloc((size_t)l1->mshrs * l1->merges, sizeof *l1->waiters);
	for (uint32_t i = 0; i < l1->mshrs; i++) {
		l1->mshr_line[i] = NO_LINE;
		l1->free_mshrs[i] = (uint16_t)(l1->mshrs - 1 - i);
	}
	l1->free_count = l1->mshrs;
	for (uint32_t i = 0; i < CHAINS; i++)
		l1->chains[i] = NO_MSHR;
	l1->next_mshr = xcalloc(l1->mshrs, sizeof *l1->next_mshr);
	geometry = (struct l1_geometry){l1->sets, l1->ways};
	l1->policy = policy;
	l1->policy_state = policy->create(&geometry, policy_knobs);
	l1_flush(l1);
	return l1;
}

void l1_free(struct l1 *l1)
{
	if (!l1)
		return;
	l1->policy->destroy(l1->policy_state);
	free(l1->tags);
	free(l1->mshr_line);
	free(l1->free_mshrs);
	free(l1->next_mshr);
	free(l1->waiting);
	free(l1->waiters);
	free(l1);
}

static uint32_t set_of(const struct l1 *l1, uint64_t line)
{
	if (l1->index_shift)
		line ^= line >> l1->index_shift ^ line >> 2 * l1->index_shift;
	return (l1->sets & (l1->sets - 1)) == 0 ? (uint32_t)line & (l1->sets - 1) : (uint32_t)(line % l1->sets);
}

static uint32_t find_way(const struct l1 *l1, uint32_t set, uint64_t line)
{
	const uint64_t *tags = l1->tags + (size_t)set * l1->ways;

	for (uint32_t way = 0; way < l1->ways; way++)
		if (tags[way] == line)
			return way;
	return L1_NO_WAY;
}

static uint32_t chain_of(uint64_t line)
{
	return (line ^ line >> 8) % CHAINS;
}

static uint32_t find_mshr(const struct l1 *l1, uint64_t line)
{
	uint32_t at = l1->chains[chain_of(line)];

	while (at != NO_MSHR && l1->mshr_line[at] != line)
		at = l1->next_mshr[at];
	return at;
}

static uint32_t take_mshr(struct l1 *l1, uint64_t line)
{
	uint32_t at = l1->free_mshrs[--l1->free_count];
	uint16_t *chain = &l1->chains[chain_of(line)];

	l1->mshr_line[at] = line;
	l1->next_mshr[at] = *chain;
	*chain = (uint16_t)at;
	return at;
}

static void release_mshr(struct l1 *l1, uint32_t at)
{
	uint16_t *link = &l1->chains[chain_of(l1->mshr_line[at])];

	while (*link != at)
		link = &l1->next_mshr[*link];
	*link = l1->next_mshr[at];
	l1->mshr_line[at] = NO_LINE;
	l1->free_mshrs[l1->free_count++] = (uint16_t)at;
}

enum l1_outcome l1_load(struct l1 *l1, uint64_t address, uint16_t waiter)
{
	uint64_t line = address >> LINE_SHIFT;
	uint32_t set = set_of(l1, line), way = find_way(l1, set, line), at;

	if (way != L1_NO_WAY) {
		l1->policy->hit(l1->policy_state, set, way);
		return L1_HIT;
	}
	at = find_mshr(l1, line);
	if (at != NO_MSHR) {
		if (l1->waiting[at] == l1->merges)
			return L1_STALL_MERGE;
		l1->waiters[at * l1->merges + l1->waiting[at]++] = waiter;
		return L1_MERGED;
	}
	return l1->free_count ? L1_MISS : L1_STALL_MSHR;
}

uint32_t l1_open(struct l1 *l1, uint64_t address, uint16_t waiter)
{
	uint32_t mshr = take_mshr(l1, address >> LINE_SHIFT);

	l1->waiters[mshr * l1->merges] = waiter;
	l1->waiting[mshr] = 1;
	return mshr;
}

static void drop(struct l1 *l1, uint32_t set, uint32_t way)
{
	l1->tags[(size_t)set * l1->ways + way] = NO_LINE;
	l1->policy->drop(l1->policy_state, set, way);
}

bool l1_store(struct l1 *l1, uint64_t address)
{
	uint64_t line = address >> LINE_SHIFT;
	uint32_t set = set_of(l1, line), way = find_way(l1, set, line);

	if (way == L1_NO_WAY)
		return false;
	if (l1->drop_on_write)
		drop(l1, set, way);
	return true;
}

void l1_invalidate(struct l1 *l1, uint64_t address)
{
	uint64_t line = address >> LINE_SHIFT;
	uint32_t set = set_of(l1, line), way = find_way(l1, set, line);

	if (way != L1_NO_WAY)
		drop(l1, set, way);
}

uint32_t l1_fill(struct l1 *l1, uint32_t mshr, const uint16_t **waiters, bool *kept)
{
	uint64_t line = l1->mshr_line[mshr];
	uint32_t set, way;

	if (line == NO_LINE)
		BUG("a reply for MSHR %u, which is free", mshr);
	set = set_of(l1, line);
	*kept = l1->policy->fill(l1->policy_state, set, find_way(l1, set, NO_LINE), &way);
	if (*kept)
		l1->tags[(size_t)set * l1->ways + way] = line;
	release_mshr(l1, mshr);
	*waiters = l1->waiters + (size_t)mshr * l1->merges;
	return l1->waiting[mshr];
}

void l1_flush(struct l1 *l1)
{
	for (size_t i = 0; i < (size_t)l1->sets * l1->ways; i++)
		l1->tags[i] = NO_LINE;
	l1->policy->flush(l1->policy_state);
}

uint32_t l1_mshrs_in_use(const struct l1 *l1)
{
	return l1->mshrs - l1->free_count;
}

const void *l1_policy_statistics(const struct l1 *l1)
{
	return l1->policy->statistics ? l1->policy->statistics(l1->policy_state) : NULL;
}
