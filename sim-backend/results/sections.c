/* The table of sections and the formulas of derived values. */
#include "sim-backend/results/sections.h"

#include "common/diag.h"
#include "sim-backend/energy/energy.h"
#include "sim-backend/l1/l1_policy.h"
#include "sim-backend/llc/llc_policy.h"
#include "sim-backend/llc/llc_replacement.h"
#include "sim-backend/outside/outside.h"
#include "sim-backend/results/series.h"
#include "sim-backend/run/sampling.h"

#include <string.h>

static const struct stat_row run_stat_rows[] = {
#define STAT(...) STAT_ROW(struct run_stats, __VA_ARGS__)
#include "sim-backend/results/run_stats.def"
    STAT_END,
};

#define COUNTED(name, unit, text, help) {name, STAT_TYPE_COUNT, STAT_IS_PROMISED, unit, text, help}
#define PROMISED(name, unit, text, help) {name, STAT_TYPE_REAL, STAT_IS_PROMISED, unit, text, help}
#define DERIVED(name, unit, text, help) {name, STAT_TYPE_REAL, 0, unit, text, help}

static const struct stat_formula run_derived[] = {
    COUNTED("warp_instructions", "warp instructions", "sm.warp_instructions", "warp instructions issued"),
    COUNTED("thread_instructions", "thread instructions", "sm.thread_instructions", "the same times active lanes"),
    PROMISED("ipc", "warp instructions/cycle", "sm.warp_instructions / run.cycles",
	     "warp instructions per cycle of the whole GPU"),
    FORMULA_END,
};

static const struct stat_formula l1_derived[] = {
    PROMISED("miss_rate", "", "l1.misses / (l1.hits + l1.misses)", "share of look-ups that missed, merges included"),
    DERIVED("merge_rate", "", "l1.merges / (l1.hits + l1.misses)", "share of look-ups that joined a pending miss"),
    DERIVED("fetch_rate", "", "(l1.misses - l1.merges) / (l1.hits + l1.misses)",
	    "share of look-ups that asked for the line: misses without merges"),
    DERIVED("bound_fetch_rate", "", "l1.bound_fetches / (l1.hits + l1.misses)",
	    "the same under Belady's choices with bypass; with l1.bound"),
    FORMULA_END,
};

/*
 * A request that waits for the fill of another request costs no memory access. So it counts as a hit, and has its own
 * rate.
 */
static const struct stat_formula llc_derived[] = {
    COUNTED("hits", "requests", "llc.array_hits + llc.merges", "found, or found on their way from memory"),
    PROMISED("miss_rate", "", "llc.misses / llc.accesses", "share of look-ups that asked memory for the line"),
    DERIVED("merge_rate", "", "llc.merges / llc.accesses", "share of look-ups that waited for another look-up's fill"),
    PROMISED("replies_per_cycle", "replies/cycle", "llc.data_replies / run.cycles", "replies with data, all slices"),
    DERIVED("port_use", "", "llc.data_beats / (run.cycles * run.slices)",
	    "share of the time in which a slice's data port was busy"),
    FORMULA_END,
};

static const struct stat_formula dram_derived[] = {
    PROMISED("bandwidth_gbs", "GB/s",
	     "run.burst_bytes * (dram.read_bursts + dram.write_bursts) * run.clock_mhz * 0.001 / run.cycles",
	     "bytes read and written over time"),
    DERIVED("row_hit_rate", "", "dram.row_hits / (dram.reads + dram.writes)",
	    "share of transactions that found their row open"),
    DERIVED("read_clocks_mean", "memory clocks", "dram.read_clocks / dram.reads",
	    "from a read's arrival at its channel to its last data"),
    FORMULA_END,
};

static const struct stat_formula noc_derived[] = {
    DERIVED("round_trip_mean", "cycles", "noc.round_trip_cycles / noc.round_trips",
	    "from an SM's request to its reply"),
    FORMULA_END,
};

static const struct stat_formula links_derived[] = {
    DERIVED("remote_share", "", "links.remote_requests / (links.local_requests + links.remote_requests)",
	    "share of requests that went to another chip's LLC"),
    FORMULA_END,
};

#define PER_CYCLE(origin)                                                                                              \
	DERIVED(#origin "_per_cycle", "responses/cycle", "responses." #origin " / run.cycles", "of these, in a cycle")

static const struct stat_formula responses_derived[] = {
    PER_CYCLE(local_llc), PER_CYCLE(remote_llc), PER_CYCLE(local_memory), PER_CYCLE(remote_memory), FORMULA_END,
};

static const struct stat_formula contents_derived[] = {
    DERIVED("local_lines", "lines", "contents.local_line_cycles / run.cycles", "of the own chip's memory, on average"),
    DERIVED("remote_lines", "lines", "contents.remote_line_cycles / run.cycles", "of other chips' memory, on average"),
    DERIVED("remote_share", "",
	    "contents.remote_line_cycles / (contents.local_line_cycles + contents.remote_line_cycles)",
	    "share of all LLCs' lines that are of other chips' memory, over the time"),
    FORMULA_END,
};

#define MEGABYTES(name, cycles, help)                                                                                  \
	DERIVED(name "_mb_" cycles, "MB", "working_set." name "_" cycles " / working_set.cycles_" cycles " / 1048576", \
		help)
#define WORKING_SET(cycles)                                                                                            \
	MEGABYTES("truly_shared", cycles, "mean of a window, in units of 2^20 bytes as the LLCs' sizes"),              \
	    MEGABYTES("copies", cycles, "the same, each line as often as there are chips that ask for it"),            \
	    MEGABYTES("falsely_shared", cycles, "mean of a window"),                                                   \
	    MEGABYTES("not_shared", cycles, "mean of a window")

static const struct stat_formula working_set_derived[] = {
    WORKING_SET("1000"),   WORKING_SET("5000"), WORKING_SET("10000"), WORKING_SET("50000"),
    WORKING_SET("100000"), WORKING_SET("run"),  FORMULA_END,
};

#define STAGE(stage, help) DERIVED(#stage "_mean", "cycles", "stages." #stage "_cycles / stages.requests", help)

static const struct stat_formula stages_derived[] = {
    STAGE(injection, "mean of a request"),     STAGE(request_network, "mean of a request"),
    STAGE(slice_queue, "mean of a request"),   STAGE(pipeline, "mean of a request"),
    STAGE(memory, "mean of a request"),        STAGE(reply_queue, "mean of a request"),
    STAGE(reply_network, "mean of a request"), FORMULA_END,
};

static const struct stat_formula sm_derived[] = {
    DERIVED("load_cycles_mean", "cycles", "sm.load_cycles / sm.load_instructions",
	    "from a load's issue to its last register"),
    FORMULA_END,
};

static const struct stat_formula tlb_derived[] = {
    DERIVED("miss_rate", "", "tlb.misses / tlb.requests", "share of requests that waited for their page"),
    FORMULA_END,
};

static const struct stat_formula sharing_derived[] = {
    DERIVED("share_over_2", "", "sharing.requests_over_2 / sharing.requests", "requests for lines of more than 2 SMs"),
    DERIVED("share_over_9", "", "sharing.requests_over_9 / sharing.requests", "requests for lines of more than 9 SMs"),
    DERIVED("sharers_mean", "SMs", "sharing.sharers / sharing.lines", "SMs that ask for a line in a window"),
    FORMULA_END,
};

static const struct stat_formula coherence_derived[] = {
    DERIVED("found_share", "", "coherence.found / (coherence.invalidations + coherence.recalls + coherence.downgrades)",
	    "share of notes to slices that found a copy"),
    FORMULA_END,
};

const struct stat_section counter_sections[] = {
#define SECTION(name, type, shown, help)                                                                               \
	{#name, help, name##_stat_rows, name##_derived, offsetof(struct counters, name), shown},
#include "sim-backend/results/sections.def"
    {NULL, NULL, NULL, NULL, 0, SHOWN_ALWAYS},
};

void counters_views(const struct counters *c, struct stat_view views[MAX_STAT_VIEWS])
{
	size_t n = 0;

	for (const struct stat_section *s = counter_sections; s->rows; s++)
		views[n++] = (struct stat_view){s->name, s->rows, (const char *)c + s->offset};
	views[n] = (struct stat_view){NULL, NULL, NULL};
}

static const struct stat_formula *find(const char *section, const char *name)
{
	for (const struct stat_section *s = counter_sections; s->rows; s++)
		for (const struct stat_formula *f = s->derived; strcmp(s->name, section) == 0 && f->name; f++)
			if (strcmp(f->name, name) == 0)
				return f;
	return NULL;
}

double counters_rate(const struct counters *c, const char *section, const char *name)
{
	const struct stat_formula *f = find(section, name);
	struct stat_view views[MAX_STAT_VIEWS];
	double value = 0;

	counters_views(c, views);
	if (!f || !formula_compute(f->text, views, &value))
		BUG("no value %s.%s", section, name);
	return value;
}

void counters_since(struct counters *now, const struct counters *before)
{
	for (const struct stat_section *s = counter_sections; s->rows; s++)
		stats_subtract(s->rows, (char *)now + s->offset, (const char *)before + s->offset);
}

void counters_add_times(struct counters *a, const struct counters *b, double factor)
{
	for (const struct stat_section *s = counter_sections; s->rows; s++)
		stats_add_times(s->rows, (char *)a + s->offset, (const char *)b + s->offset, factor);
}

/* --- For `romark stats` --- */

const struct stat_row own_stat_rows[] = {
#define STAT(...) STAT_ROW(struct own_counts, __VA_ARGS__)
#include "sim-backend/results/own_counts.def"
    STAT_END,
};

static const struct stat_row no_rows[] = {STAT_END};

/* Not counted, so without a place in a struct. */
static const struct stat_row result_rows[] = {
    {"trace_bytes", STAT_TYPE_COUNT, 0, 0, "bytes",
     "bytes of the trace that were read: all of it, unless the run was cut"},
    {"l1_policy_bits", STAT_TYPE_COUNT, 0, 0, "bits",
     "storage that the L1 policy needs in each L1, with its share of what the LLC keeps for it"},
    STAT_END,
};

static const struct stat_listing others[] = {
    {"result", "other values at the top of results", result_rows, NULL, NULL, ""},
    {"sampling", "a sampled run, and each launch in it", sampling_stat_rows, NULL, NULL, NULL},
    {"own", "each of several kernels that ran at once", own_stat_rows, NULL, NULL, NULL},
    {"window", "each window of --series", window_stat_rows, series_columns, NULL, NULL},
    {"window_of_chips", "the same, of several chips", no_rows, series_columns_of_chips, NULL, NULL},
    {"banks", "each bank of each memory channel, with --detail", bank_stat_rows, NULL, NULL, NULL},
    {"chips", "each of several chips: responses to its SMs, contents of its LLC", chip_stat_rows, NULL, NULL, NULL},
    {"structures", "each data structure of each kernel", structure_stat_rows, NULL, NULL, NULL},
    {"energy", "energy, estimated from the counters", energy_rows, NULL, NULL, "energy"},
    {"energy_events", "the same by the events that take it", energy_event_rows, NULL, NULL, "energy_events"},
    {"energy_of_structure", "of each data structure, as its `energy`", structure_energy_rows, NULL, NULL, NULL},
};

static bool other_at(size_t index, struct stat_listing *listing)
{
	if (index >= sizeof others / sizeof *others)
		return false;
	*listing = others[index];
	return true;
}

static struct stat_listing listing_of(const char *policy, const char *summary, const struct stat_row *rows)
{
	return (struct stat_listing){policy, summary, rows, NULL, "policy_stats", policy};
}

/* Policies that have counters. */
static bool policy_at(size_t index, struct stat_listing *listing)
{
	struct outside_listed loaded;

	for (size_t i = 0; llc_policy_table[i]; i++)
		if (llc_policy_table[i]->stats && index-- == 0) {
			*listing = listing_of(llc_policy_table[i]->name, llc_policy_table[i]->summary,
					      llc_policy_table[i]->stats);
			return true;
		}
	for (size_t i = 0; l1_policy_table[i]; i++)
		if (l1_policy_table[i]->stats && index-- == 0) {
			*listing = listing_of(l1_policy_table[i]->name, l1_policy_table[i]->summary,
					      l1_policy_table[i]->stats);
			return true;
		}
	for (size_t i = 0; llc_replacement_table[i]; i++)
		if (llc_replacement_table[i]->stats && index-- == 0) {
			*listing = listing_of(llc_replacement_table[i]->section, llc_replacement_table[i]->summary,
					      llc_replacement_table[i]->stats);
			return true;
		}
	for (size_t i = 0; outside_at(i, &loaded); i++)
		if (loaded.stats && index-- == 0) {
			*listing = listing_of(loaded.name, loaded.summary, loaded.stats);
			return true;
		}
	return false;
}

bool stat_listing_at(size_t index, struct stat_listing *listing)
{
	size_t sections = sizeof counter_sections / sizeof *counter_sections - 1;

	if (index < sections) {
		const struct stat_section *s = &counter_sections[index];

		*listing = (struct stat_listing){s->name, s->help, s->rows, s->derived, NULL, index ? s->name : ""};
		return true;
	}
	index -= sections;
	return other_at(index, listing) || policy_at(index - sizeof others / sizeof *others, listing);
}
