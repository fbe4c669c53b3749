/* The columns of a window, and how a window becomes a row. */
#include "sim-backend/results/series.h"

#include "common/c_locale.h"
#include "common/diag.h"
#include "common/xalloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const struct stat_row window_stat_rows[] = {
    STAT_COUNT(struct window_stats, cycle, "cycles", "the window's end"),
    STAT_COUNT(struct window_stats, launch, "", "launch in which the window ends, as counted in the trace"),
    STAT_REAL(struct window_stats, lsp, "slices",
	      "equation 1 of SelRep, measured: a controller's requests over those of its busiest slice, the mean of "
	      "the controllers that had any"),
    STAT_END,
};

#define COLUMN(name, unit, text, help) {name, STAT_TYPE_REAL, 0, unit, text, help}

const struct stat_formula series_columns[] = {
    COLUMN("ipc", "warp instructions/cycle", "sm.warp_instructions / run.cycles", "of the whole GPU"),
    COLUMN("l1_hit_rate", "", "l1.hits / (l1.hits + l1.misses)", "share of the L1s' look-ups that hit"),
    COLUMN("loads_of_32", "", "l1.of_32 / l1.accesses", "share of the loads that want one sector"),
    COLUMN("loads_of_64", "", "l1.of_64 / l1.accesses", "share of the loads that want half a line"),
    COLUMN("loads_of_128", "", "(l1.accesses - l1.of_32 - l1.of_64) / l1.accesses", "share of all other loads"),
    COLUMN("llc_hit_rate", "", "(llc.array_hits + llc.merges) / llc.accesses", "measured; merges are hits"),
    COLUMN("replies_per_cycle", "replies/cycle", "llc.data_replies / run.cycles", "replies with data, all slices"),
    COLUMN("llc_bytes_per_cycle", "bytes/cycle", "llc.data_beats * run.port_bytes / run.cycles",
	   "measured: through the data ports of all slices, fills and writes included"),
    COLUMN("port_use", "", "llc.data_beats / (run.cycles * run.slices)", "share of the time a data port was busy"),
    COLUMN("dram_gbs", "GB/s",
	   "run.burst_bytes * (dram.read_bursts + dram.write_bursts) * run.clock_mhz * 0.001 / run.cycles",
	   "read and written"),
    COLUMN("flush_cycles", "cycles", "llc.flush_cycles", "of flushes and reorganisations that ended in the window"),
    FORMULA_END,
};

const struct stat_formula series_columns_of_chips[] = {
    COLUMN("local_llc_per_cycle", "responses/cycle", "responses.local_llc / run.cycles",
	   "from the LLC of the SM's chip"),
    COLUMN("remote_llc_per_cycle", "responses/cycle", "responses.remote_llc / run.cycles", "from another chip's LLC"),
    COLUMN("local_memory_per_cycle", "responses/cycle", "responses.local_memory / run.cycles",
	   "from the memory of the SM's chip"),
    COLUMN("remote_memory_per_cycle", "responses/cycle", "responses.remote_memory / run.cycles",
	   "from another chip's memory"),
    COLUMN("remote_share", "",
	   "contents.remote_line_cycles / (contents.local_line_cycles + contents.remote_line_cycles)",
	   "share of the LLCs' lines that are of other chips' memory"),
    FORMULA_END,
};

static size_t count_rows(const struct stat_row *rows)
{
	size_t n = 0;

	while (rows && rows[n].name)
		n++;
	return n;
}

void series_begin(struct series *s, FILE *csv, struct timeline *timeline, uint64_t length,
		  const struct memsys_config *memory, const struct stat_row *policy_rows)
{
	*s = (struct series){.csv = csv,
			     .timeline = timeline,
			     .length = length,
			     .next = csv || timeline ? length : UINT64_MAX,
			     .mcs = memory->chips.count * memory->noc.mc_routers,
			     .slices = memory->llc.slices_per_mc,
			     .columns = {series_columns, memory->chips.count > 1 ? series_columns_of_chips : NULL},
			     .policy_rows = policy_rows};
	s->policy_values = policy_rows ? xcalloc(1, stats_extent(policy_rows)) : NULL;
	s->shown = xcalloc(count_rows(policy_rows) + 1, sizeof *s->shown);
	s->accesses = xcalloc(s->mcs * s->slices, sizeof *s->accesses);
	if (!csv)
		return;
	fputs("cycle,launch,lsp", csv);
	for (unsigned t = 0; t < SERIES_TABLES; t++)
		for (const struct stat_formula *f = s->columns[t]; f && f->name; f++)
			fprintf(csv, ",%s", f->name);
	for (const struct stat_row *row = policy_rows; row && row->name; row++)
		fprintf(csv, ",%s", row->name);
	putc('\n', csv);
}

void series_release(struct series *s)
{
	xfree(s->policy_values);
	xfree(s->shown);
	xfree(s->accesses);
}

/* Equation 1 over the window's requests; 0 without requests. */
static double parallelism(struct series *s, const struct llc_stats *slices)
{
	unsigned active = 0;
	double total = 0;

	for (unsigned mc = 0; mc < s->mcs; mc++) {
		uint64_t sum = 0, most = 0;

		for (unsigned i = mc * s->slices; i < (mc + 1) * s->slices; i++) {
			uint64_t requests = slices[i].accesses - s->accesses[i];

			s->accesses[i] = slices[i].accesses;
			sum += requests;
			most = requests > most ? requests : most;
		}
		active += most > 0;
		total += most ? (double)sum / (double)most : 0;
	}
	return active ? total / active : 0;
}

static double column(const struct stat_formula *f, const struct counters *c)
{
	struct stat_view views[MAX_STAT_VIEWS];
	double value;

	counters_views(c, views);
	if (!formula_compute(f->text, views, &value))
		BUG("formula of %s: %s", f->name, f->text);
	return value;
}

static void put_row(const struct series *s, const struct window_stats *window, const struct counters *c)
{
	c_fprintf(s->csv, "%" PRIu64 ",%" PRIu64 ",%.6g", window->cycle, window->launch, window->lsp);
	for (unsigned t = 0; t < SERIES_TABLES; t++)
		for (const struct stat_formula *f = s->columns[t]; f && f->name; f++)
			c_fprintf(s->csv, ",%.6g", column(f, c));
	for (const struct stat_row *row = s->policy_rows; row && row->name; row++)
		c_fprintf(s->csv, ",%.6g", stat_value(row, s->policy_values));
	putc('\n', s->csv);
}

static void put_timeline(const struct series *s, const struct window_stats *window, const struct counters *c)
{
	uint64_t start = window->cycle - c->run.cycles;

	timeline_counter(s->timeline, "lsp", start, window->lsp);
	for (unsigned t = 0; t < SERIES_TABLES; t++)
		for (const struct stat_formula *f = s->columns[t]; f && f->name; f++)
			timeline_counter(s->timeline, f->name, start, column(f, c));
	for (const struct stat_row *row = s->policy_rows; row && row->name; row++) {
		double value = stat_value(row, s->policy_values);
		double *shown = &s->shown[row - s->policy_rows];

		timeline_counter(s->timeline, row->name, start, value);
		if (row->type == STAT_TYPE_COUNT && value != *shown)
			timeline_mark(s->timeline, TIMELINE_POLICY, row->name, start, value);
		*shown = value;
	}
}

void series_window(struct series *s, uint64_t cycle, uint64_t launch, const struct counters *now,
		   const struct llc_stats *slices)
{
	struct window_stats window = {.cycle = cycle, .launch = launch, .lsp = parallelism(s, slices)};
	struct counters counts = *now;

	counts.run.cycles = cycle;
	counters_since(&counts, &s->before);
	if (s->csv)
		put_row(s, &window, &counts);
	if (s->timeline)
		put_timeline(s, &window, &counts);
	s->before = *now;
	s->before.run.cycles = cycle;
	s->next = cycle + s->length;
}
