/* The counters of a moment, the windows of a series, and the laws that hold when a kernel has ended. */
#include "sim-backend/run/sim_internal.h"

#include "sim-backend/llc/llc_policy.h"
#include "sim-backend/run/parallel.h"

#include <inttypes.h>
#include <string.h>

enum { WINDOW_CYCLES = 20000 };

/* --- Counters --- */

/* Policy counters of all SMs' L1s as one set. */
static void l1_policy_now(const struct sim *s, void *sum)
{
	const struct stat_row *rows = s->config->l1_policy->stats;

	memset(sum, 0, stats_extent(rows));
	for (uint32_t i = 0; i < s->config->gpu.sms; i++)
		stats_add(rows, sum, l1_policy_statistics(s->sms[i]->l1));
}

static void structures_now(const struct sim *s, const struct memsys_stats *memory, struct structure_counters *all)
{
	for (size_t i = 0; i < s->result->structures.len; i++)
		all[i] = (struct structure_counters){s->result->structure_stats[i], memory->structures[i]};
}

static struct contents_stats contents_at(const struct sim *s, const struct memsys_stats *memory, uint64_t cycle)
{
	struct contents_stats by_chip[CHIPS_MAX] = {{0}}, sum = {0};

	if (memory->nchips > 1)
		memsys_contents(s->memory, cycle, by_chip);
	for (unsigned i = 0; i < memory->nchips; i++) {
		sum.local += by_chip[i].local;
		sum.remote += by_chip[i].remote;
	}
	return sum;
}

static void chips_now(const struct sim *s, const struct memsys_stats *memory, struct chip_stats *chips)
{
	struct contents_stats contents[CHIPS_MAX];

	if (memory->nchips < 2)
		return;
	memsys_contents(s->memory, s->cycle, contents);
	for (unsigned i = 0; i < memory->nchips; i++)
		chips[i] = (struct chip_stats){memory->responses_of[i], contents[i]};
}

/* Issue slots that nobody has charged yet are missing: sm_settle charges them. */
static void counters_now(const struct sim *s, const struct memsys_stats *memory, uint64_t cycle, struct counters *c)
{
	*c = (struct counters){.run = {.cycles = s->cycle,
				       .sms = s->config->gpu.sms,
				       .slices = memory->nslices,
				       .channels = memory->nchannels,
				       .burst_bytes = s->config->memory.dram.burst_bytes,
				       .port_bytes = s->config->memory.llc.port_bytes,
				       .clock_mhz = s->config->gpu.clock_mhz},
			       .sm = s->context.stats,
			       .l1 = s->context.l1_stats,
			       .noc = memory->noc,
			       .links = memory->links,
			       .llc = memory->llc,
			       .dram = memory->dram,
			       .stages = memory->stages,
			       .sharing = memory->sharing,
			       .tlb = memory->tlb,
			       .responses = memory->responses,
			       .contents = contents_at(s, memory, cycle),
			       .coherence = memory->coherence,
			       .working_set = memory->working_set};
	sm_stats_derive(&c->sm);
}

void sim_moment_read(const struct sim *s, struct moment *m)
{
	const struct memsys_stats *memory;

	memsys_settle(s->memory, s->cycle);
	memory = memsys_statistics(s->memory);
	parallel_gather(s->machine.parallel);
	counters_now(s, memory, s->cycle, &m->counters);
	chips_now(s, memory, m->chips);
	structures_now(s, memory, m->structures);
	if (m->l1_policy)
		l1_policy_now(s, m->l1_policy);
	if (m->llc_policy && memory->policy_values)
		memcpy(m->llc_policy, memory->policy_values, stats_extent(memory->policy_rows));
	if (m->replacement)
		memsys_replacement(s->memory, m->replacement);
	for (unsigned i = 0; i < memory->nslices; i++)
		m->slices[i] = memory->slices[i];
	for (unsigned i = 0; i < memory->nchannels; i++)
		m->channels[i] = memory->channels[i];
	for (unsigned i = 0; i < memory->nchannels * memory->nbanks; i++)
		m->banks[i] = memory->banks[i];
}

void sim_moment_now(const struct sim *s, struct moment *m)
{
	for (uint32_t i = 0; i < s->config->gpu.sms; i++)
		sm_settle(s->sms[i], s->cycle);
	sim_moment_read(s, m);
}

/* --- Windows --- */

static void end_window(struct sim *s, uint64_t cycle)
{
	const struct memsys_stats *memory;
	struct counters now;

	memsys_settle(s->memory, cycle);
	memory = memsys_statistics(s->memory);
	parallel_gather(s->machine.parallel);
	counters_now(s, memory, cycle, &now);
	if (s->series.policy_rows)
		memsys_series(s->memory, cycle, s->series.policy_values);
	series_window(&s->series, cycle, s->launch, &now, memory->slices);
}

void sim_end_windows(struct sim *s)
{
	while (s->series.next <= s->cycle)
		end_window(s, s->series.next);
}

void sim_begin_windows(struct sim *s)
{
	const struct sim_options *options = s->options;
	uint64_t epoch = memsys_epoch(s->memory), length = options->series_cycles;

	if (!length)
		length = epoch ? epoch : WINDOW_CYCLES;
	if (options->timeline)
		timeline_begin(&s->timeline, options->timeline, s->config->gpu.clock_mhz);
	series_begin(&s->series, options->series, options->timeline ? &s->timeline : NULL, length, &s->config->memory,
		     s->config->llc_policy->series_rows);
}

void sim_finish_windows(struct sim *s, bool failed)
{
	if (s->series.next != UINT64_MAX && !failed) {
		sim_end_windows(s);
		if (s->cycle > s->series.before.run.cycles)
			end_window(s, s->cycle);
	}
	if (s->options->timeline)
		timeline_end(&s->timeline);
	series_release(&s->series);
}

void sim_show_bar(struct sim *s, enum timeline_row row, const char *name, uint64_t start)
{
	if (s->options->timeline && s->cycle > start)
		timeline_bar(&s->timeline, row, name, start, s->cycle, s->launch);
}

static void check_slots(const struct sim *s, const struct counters *c)
{
	uint64_t sum = 0, slots = c->run.cycles * s->config->gpu.sms * s->config->sm.schedulers;

	for (int i = 0; i < SLOT_COUNT; i++)
		sum += c->sm.slots[i];
	if (sum != slots)
		BUG("schedulers: %" PRIu64 " issue slots, but %" PRIu64 " are accounted for", slots, sum);
}

void sim_check_conservation(const struct sim *s, const struct counters *c)
{
	const char *wrong = memsys_check(s->memory);

	if (wrong)
		BUG("memory system: %s", wrong);
	if (c->l1.accesses != c->l1.hits + c->l1.misses + c->l1.bypasses)
		BUG("L1: %" PRIu64 " accesses, but %" PRIu64 " hits, misses and bypasses", c->l1.accesses,
		    c->l1.hits + c->l1.misses + c->l1.bypasses);
	if (c->l1.fetches != c->l1.fills)
		BUG("L1: %" PRIu64 " lines asked for, %" PRIu64 " arrived", c->l1.fetches, c->l1.fills);
	for (uint32_t i = 0; i < s->config->gpu.sms; i++)
		if (s->sms[i]->expected || s->sms[i]->nctas || s->sms[i]->lsu_count)
			BUG("SM %" PRIu32 " is not empty at the end of a kernel", i);
	check_slots(s, c);
}
