/*
 * Runs traces on a table of GPUs and LLC policies, and compares cycles and counters with a file, or writes that file:
 *
 *   golden [--write] [--other-llvm] RESULTS.csv TRACE.romtrace...
 *
 * Exit code 0: all are the same, 1: some differ, 77: --other-llvm was given and no trace is the file's trace. Other
 * tests compare parts of the model with formulas; this test finds out whether any result of the whole has changed.
 */
#include "common/diag.h"
#include "common/vec.h"
#include "common/xalloc.h"
#include "sim-backend/results/result.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETTINGS = 4, NAME = 32, SKIPPED = 77, MOST_SHOWN = 40 };

/* Short kernels: policies that decide by epochs must decide within them. */
static const char *const all_runs[] = {"selrep.epoch_cycles=2000", "selrep-structures.epoch_cycles=2000",
				       "adaptive.profile_cycles=2000", NULL};

struct machine {
	const char *name;
	const char *settings[SETTINGS]; /* on top of selrep64 */
	const char *policies;
};

#define ALL "shared private degree2 degree4 degree8 degree16 adaptive selrep selrep-structures"
#define SOME "shared private selrep"

static const struct machine machines[] = {
    {"selrep64", {NULL}, ALL},
    {"seed2", {"map.seed=2"}, SOME},
    {"ipoly", {"map.scheme=ipoly"}, SOME},
    {"flat", {"noc.topology=flat"}, SOME},
    {"mesh", {"noc.topology=mesh"}, SOME},
    {"flits", {"noc.switching=flit", "noc.speedup=2", "noc.islip_iterations=2"}, SOME},
    {"chips", {"chips.count=2", "gpu.sms=128", "cta.policy=distributed"}, SOME},
    {"clocks", {"noc.clock_mhz=700", "llc.clock_mhz=1000"}, SOME},
    {"gddr5", {"dram.preset=gddr5", "dram.scheduler=fcfs"}, SOME},
    {"hbm2", {"dram.preset=hbm2", "llc.sectored=true"}, SOME},
    {"fermi", {"l1.preset=fermi", "sm.scheduler=two_level"}, SOME},
    {"volta", {"l1.preset=volta", "sm.scheduler=lrr", "cta.policy=bcs"}, SOME},
};

#define COUNTER(name, member) {name, offsetof(struct counters, member)}

static const struct {
	const char *name;
	size_t offset;
} columns[] = {
    COUNTER("cycles", run.cycles),
    COUNTER("instructions", sm.warp_instructions),
    COUNTER("load_cycles", sm.load_cycles),
    COUNTER("l1_hits", l1.hits),
    COUNTER("l1_merges", l1.merges),
    COUNTER("llc_accesses", llc.accesses),
    COUNTER("llc_hits", llc.array_hits),
    COUNTER("llc_merges", llc.merges),
    COUNTER("dram_reads", dram.reads),
    COUNTER("dram_writes", dram.writes),
    COUNTER("row_hits", dram.row_hits),
    COUNTER("router_flits", noc.router_flits),
    COUNTER("round_trip_cycles", noc.round_trip_cycles),
};
enum { COLUMNS = sizeof columns / sizeof *columns };

struct row {
	char sample[NAME], gpu[NAME], policy[NAME];
	uint64_t trace; /* hash of the trace */
	uint64_t values[COLUMNS];
	bool seen;
};

struct rows {
	VEC(struct row) all;
};

static _Noreturn void fail(const char *path, const char *what)
{
	fprintf(stderr, "golden: %s: %s\n", path, what);
	exit(1);
}

/* --- Runs --- */

/* FNV-1a. */
static uint64_t hash_of_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	int c;

	if (!file)
		fail(path, "cannot be read");
	while ((c = getc(file)) != EOF)
		hash = (hash ^ (unsigned)c) * UINT64_C(0x100000001b3);
	fclose(file);
	return hash;
}

/* "FOLDER/NAME.romtrace": its NAME. */
static void name_of(const char *path, char name[NAME])
{
	const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path;

	snprintf(name, NAME, "%.*s", (int)strcspn(start, "."), start);
}

static struct sim_config *configure(const struct machine *m, const char *policy)
{
	struct sim_config *c = sim_config_create();
	struct diag d = DIAG_INIT;
	int status = sim_config_load(c, "selrep64", &d);

	if (status == 0)
		status = sim_config_policies(c, policy, NULL, &d);
	for (unsigned i = 0; status == 0 && i < SETTINGS && m->settings[i]; i++)
		status = sim_config_set(c, m->settings[i], &d);
	for (unsigned i = 0; status == 0 && all_runs[i]; i++)
		status = sim_config_set(c, all_runs[i], &d);
	if (status < 0 || sim_config_check(c, &d) < 0)
		fail(m->name, d.message);
	return c;
}

static struct row run(const char *path, uint64_t trace_hash, const struct machine *m, const char *policy)
{
	struct sim_config *c = configure(m, policy);
	struct sim_options options = {.report = stderr};
	struct diag d = DIAG_INIT;
	struct trace_reader *trace = trace_open(path, &d);
	struct sim_result *result;
	struct row row = {.trace = trace_hash};

	if (!trace || sim_run(c, trace, &options, &result, &d) < 0)
		fail(path, d.message);
	name_of(path, row.sample);
	snprintf(row.gpu, NAME, "%s", m->name);
	snprintf(row.policy, NAME, "%s", policy);
	for (unsigned i = 0; i < COLUMNS; i++)
		memcpy(&row.values[i], (const char *)&result->total + columns[i].offset, sizeof row.values[i]);
	sim_result_free(result);
	trace_close(trace);
	sim_config_free(c);
	return row;
}

static void run_all(const char *path, struct rows *rows)
{
	uint64_t hash = hash_of_file(path);

	for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
		char policies[128], *rest = policies;

		snprintf(policies, sizeof policies, "%s", machines[i].policies);
		for (char *policy; (policy = strtok_r(rest, " ", &rest));)
			vec_push(&rows->all, run(path, hash, &machines[i], policy));
	}
}

/* --- The file --- */

static void print_heading(FILE *out)
{
	fputs("sample,gpu,llc,trace", out);
	for (unsigned i = 0; i < COLUMNS; i++)
		fprintf(out, ",%s", columns[i].name);
	fputc('\n', out);
}

static void write_rows(const char *path, const struct rows *rows)
{
	FILE *out = fopen(path, "w");

	if (!out)
		fail(path, "cannot be written");
	print_heading(out);
	for (size_t i = 0; i < rows->all.len; i++) {
		const struct row *row = &rows->all.data[i];

		fprintf(out, "%s,%s,%s,%016" PRIx64, row->sample, row->gpu, row->policy, row->trace);
		for (unsigned k = 0; k < COLUMNS; k++)
			fprintf(out, ",%" PRIu64, row->values[k]);
		fputc('\n', out);
	}
	if (ferror(out) | fclose(out))
		fail(path, "cannot be written");
}

static struct row parse(const char *path, char *line)
{
	struct row row = {0};
	char *texts[] = {row.sample, row.gpu, row.policy}, *rest = line, *word;

	for (unsigned i = 0; i < 4 + COLUMNS; i++) {
		word = strsep(&rest, ",");
		if (!word)
			fail(path, "a row is too short; tests/golden/update writes the file anew");
		if (i < 3)
			snprintf(texts[i], NAME, "%s", word);
		else if (i == 3)
			row.trace = strtoull(word, NULL, 16);
		else
			row.values[i - 4] = strtoull(word, NULL, 10);
	}
	return row;
}

static void read_rows(const char *path, struct rows *rows)
{
	FILE *in = fopen(path, "r");
	char *line = NULL, *heading = NULL;
	size_t size = 0, heading_size;
	FILE *expected = open_memstream(&heading, &heading_size);

	print_heading(expected);
	fclose(expected);
	if (!in)
		fail(path, "cannot be read; tests/golden/update writes it");
	if (getline(&line, &size, in) < 0 || strcmp(line, heading) != 0)
		fail(path, "its columns are not those of today; tests/golden/update writes the file anew");
	while (getline(&line, &size, in) > 0)
		vec_push(&rows->all, parse(path, line));
	fclose(in);
	free(line);
	free(heading);
}

/* --- The comparison --- */

static struct row *find(struct rows *rows, const struct row *like)
{
	for (size_t i = 0; i < rows->all.len; i++) {
		struct row *row = &rows->all.data[i];

		if (strcmp(row->sample, like->sample) == 0 && strcmp(row->gpu, like->gpu) == 0 &&
		    strcmp(row->policy, like->policy) == 0)
			return row;
	}
	return NULL;
}

struct difference {
	unsigned shown, values, runs, missing, traces, compared;
	char trace[NAME]; /* latest sample that has another trace */
};

static void show(struct difference *d, const struct row *row, const char *counter, uint64_t expected, uint64_t now)
{
	if (d->shown == 0)
		printf("%-10s %-9s %-9s %-18s %14s %14s %10s\n", "sample", "gpu", "llc", "counter", "expected", "now",
		       "change");
	if (d->shown++ < MOST_SHOWN)
		printf("%-10s %-9s %-9s %-18s %14" PRIu64 " %14" PRIu64 " %+9.2f%%\n", row->sample, row->gpu,
		       row->policy, counter, expected, now,
		       expected ? 100 * ((double)now / (double)expected - 1) : 100.0);
}

static void compare_row(struct difference *d, const struct row *expected, const struct row *now)
{
	unsigned before = d->values;

	if (expected->trace != now->trace) {
		d->traces += strcmp(d->trace, now->sample) != 0;
		snprintf(d->trace, NAME, "%s", now->sample);
		return;
	}
	d->compared++;
	for (unsigned i = 0; i < COLUMNS; i++)
		if (expected->values[i] != now->values[i]) {
			d->values++;
			show(d, now, columns[i].name, expected->values[i], now->values[i]);
		}
	d->runs += d->values > before;
}

static struct difference compare(struct rows *expected, struct rows *now)
{
	struct difference d = {0};

	for (size_t i = 0; i < now->all.len; i++) {
		struct row *row = find(expected, &now->all.data[i]);

		if (row) {
			row->seen = true;
			compare_row(&d, row, &now->all.data[i]);
		} else {
			d.missing++;
			printf("%s %s %s: not in the file\n", now->all.data[i].sample, now->all.data[i].gpu,
			       now->all.data[i].policy);
		}
	}
	for (size_t i = 0; i < expected->all.len; i++)
		if (!expected->all.data[i].seen) {
			d.missing++;
			printf("%s %s %s: in the file, but not run\n", expected->all.data[i].sample,
			       expected->all.data[i].gpu, expected->all.data[i].policy);
		}
	return d;
}

static int report(const char *path, const struct difference *d, bool other_llvm)
{
	bool traces = d->traces && !other_llvm;

	if (d->shown > MOST_SHOWN)
		printf("... and %u more\n", d->shown - MOST_SHOWN);
	printf("golden: %u runs are compared with %s, %u differ, %u are in one of the two only\n", d->compared, path,
	       d->runs, d->missing);
	if (d->traces)
		printf(
		    "golden: %u samples have another trace than when the file was written, such as %s: the sample, the "
		    "PTX that romark cc makes of it, or the CPU device has changed%s\n",
		    d->traces, d->trace, other_llvm ? ", as it may with another LLVM; they are left out" : "");
	if (d->values || d->missing || traces)
		printf(
		    "golden: if this was meant, run tests/golden/update and say in the commit what changed and why; if "
		    "not, something has changed by mistake\n");
	if (d->values || d->missing || traces)
		return 1;
	return d->compared ? 0 : SKIPPED;
}

int main(int argc, char **argv)
{
	struct rows now = {VEC_INIT}, expected = {VEC_INIT};
	bool write = false, other_llvm = false;
	const char *path;
	int status = 0;

	for (; argc > 1 && argv[1][0] == '-'; argc--, argv++) {
		write |= strcmp(argv[1], "--write") == 0;
		other_llvm |= strcmp(argv[1], "--other-llvm") == 0;
	}
	if (argc < 3) {
		fputs("usage: golden [--write] [--other-llvm] RESULTS.csv TRACE.romtrace...\n", stderr);
		return 2;
	}
	path = argv[1];
	for (int i = 2; i < argc; i++)
		run_all(argv[i], &now);
	if (write) {
		write_rows(path, &now);
	} else {
		struct difference d;

		read_rows(path, &expected);
		d = compare(&expected, &now);
		status = report(path, &d, other_llvm);
	}
	vec_release(&now.all);
	vec_release(&expected.all);
	return status;
}
