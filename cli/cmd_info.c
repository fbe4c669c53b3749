/* romark info: describes a trace, for people or as JSON. */
#include "cli/command.h"
#include "cli/partial.h"
#include "common/demangle.h"
#include "common/integer.h"
#include "common/kernel_names.h"
#include "common/options.h"
#include "common/progress.h"
#include "common/xalloc.h"
#include "trace/summary.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static double share(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0.0;
}

static json_t *integer(uint64_t value)
{
	return json_integer((json_int_t)value);
}

static json_t *triple(const uint32_t *values)
{
	return json_pack("[I,I,I]", (json_int_t)values[0], (json_int_t)values[1], (json_int_t)values[2]);
}

static json_t *kernel_json(const struct kernel_summary *k)
{
	json_t *object = json_object();

	json_object_set_new(object, "name", json_string(k->name));
	json_object_set_new(object, "grid", triple(k->grid));
	json_object_set_new(object, "block", triple(k->block));
	json_object_set_new(object, "launches", integer(k->launches));
	json_object_set_new(object, "launches_unmarked", integer(k->launches_unmarked));
	json_object_set_new(object, "ctas", integer(k->ctas));
	json_object_set_new(object, "warp_instructions", integer(k->warp_instructions));
	json_object_set_new(object, "thread_instructions", integer(k->thread_instructions));
	json_object_set_new(object, "global_loads", integer(k->global_loads));
	json_object_set_new(object, "read_only_loads", integer(k->read_only_loads));
	json_object_set_new(object, "global_stores", integer(k->global_stores));
	json_object_set_new(object, "global_atomics", integer(k->global_atomics));
	json_object_set_new(object, "has_ptx", json_boolean(k->has_ptx));
	return object;
}

static void add_counts(json_t *object, const struct line_counts *counts)
{
	json_object_set_new(object, "lines", integer(counts->lines));
	json_object_set_new(object, "shared_lines", integer(counts->shared_lines));
	json_object_set_new(object, "shared_read_only_share",
			    json_real(share(counts->shared_read_only_lines, counts->shared_lines)));
}

static json_t *structure_json(const struct structure_summary *s)
{
	json_t *object = json_object();

	json_object_set_new(object, "kernel", json_string(s->kernel));
	json_object_set_new(object, "id", json_string(s->id));
	json_object_set_new(object, "verdict", json_string(trace_verdict_name(s->verdict)));
	json_object_set_new(object, "marked", json_boolean(s->marked));
	json_object_set_new(object, "loads", integer(s->loads));
	json_object_set_new(object, "read_only_loads", integer(s->read_only_loads));
	json_object_set_new(object, "stores", integer(s->stores));
	json_object_set_new(object, "atomics", integer(s->atomics));
	add_counts(object, &s->counts);
	return object;
}

static json_t *sharers_json(const struct trace_summary *s)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < TRACE_SHARER_BUCKETS; i++) {
		json_t *object = json_object();

		json_object_set_new(object, "ctas_from", integer(trace_bucket_first(i)));
		json_object_set_new(object, "ctas_to",
				    i < TRACE_SHARER_BUCKETS - 1 ? integer(trace_bucket_last(i)) : json_null());
		json_object_set_new(object, "lines", integer(s->sharers[i]));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *counts_by_name(const uint64_t *counts, unsigned len, const char *(*name)(unsigned))
{
	json_t *object = json_object();

	for (unsigned i = 0; i < len; i++)
		if (counts[i])
			json_object_set_new(object, name(i), integer(counts[i]));
	return object;
}

static const char *class_name(unsigned cls)
{
	return trace_class_name((enum trace_class)cls);
}

static const char *space_name(unsigned space)
{
	return trace_space_name((enum trace_space)space);
}

static json_t *summary_json(const struct trace_summary *s, bool complete)
{
	json_t *root = json_object(), *kernels = json_array(), *structures = json_array();

	for (size_t i = 0; i < s->nkernels; i++)
		json_array_append_new(kernels, kernel_json(&s->kernels[i]));
	for (size_t i = 0; i < s->nstructures; i++)
		json_array_append_new(structures, structure_json(&s->structures[i]));
	json_object_set_new(root, "schema", json_integer(1));
	json_object_set_new(root, "complete", json_boolean(complete));
	json_object_set_new(root, "kernels", kernels);
	json_object_set_new(root, "launches", integer(s->launches));
	json_object_set_new(root, "ctas", integer(s->ctas));
	json_object_set_new(root, "warp_instructions", integer(s->warp_instructions));
	json_object_set_new(root, "thread_instructions", integer(s->thread_instructions));
	json_object_set_new(root, "global_loads", integer(s->global_loads));
	if (s->marks)
		json_object_set_new(root, "marks", json_string(s->marks));
	json_object_set_new(root, "read_only_loads", integer(s->read_only_loads));
	json_object_set_new(root, "read_only_load_share", json_real(share(s->read_only_loads, s->global_loads)));
	json_object_set_new(root, "line_bytes", integer(s->line_bytes));
	json_object_set_new(root, "footprint_bytes", integer(s->counts.lines * s->line_bytes));
	add_counts(root, &s->counts);
	json_object_set_new(root, "sharers", sharers_json(s));
	json_object_set_new(root, "structures", structures);
	json_object_set_new(root, "classes", counts_by_name(s->of_class, TRACE_CLASS_COUNT, class_name));
	json_object_set_new(root, "accesses", counts_by_name(s->accesses_to, TRACE_SPACE_COUNT, space_name));
	json_object_set_new(root, "file_bytes", integer(s->file_bytes));
	json_object_set_new(root, "bytes_per_warp_instruction", json_real(share(s->file_bytes, s->warp_instructions)));
	return root;
}

static int print_json(const struct trace_summary *s, bool complete)
{
	json_t *root = summary_json(s, complete);
	char *text = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(9));

	json_decref(root);
	if (!text)
		return EXIT_BAD_INPUT;
	puts(text);
	free(text);
	return EXIT_OK;
}

static void print_kernels(const struct trace_summary *s)
{
	printf("\n%-32s %14s %14s %8s %12s %12s %9s\n", "kernel", "grid", "block", "launches", "warp insts",
	       "global loads", "read-only");
	for (size_t i = 0; i < s->nkernels; i++) {
		const struct kernel_summary *k = &s->kernels[i];
		char grid[40], block[40], *title = kernel_title(k->name);

		snprintf(grid, sizeof grid, "%ux%ux%u", k->grid[0], k->grid[1], k->grid[2]);
		snprintf(block, sizeof block, "%ux%ux%u", k->block[0], k->block[1], k->block[2]);
		printf("%-32s %14s %14s %8" PRIu64 " %12" PRIu64 " %12" PRIu64 " %7.1f %%\n", title, grid, block,
		       k->launches, k->warp_instructions, k->global_loads,
		       100.0 * share(k->read_only_loads, k->global_loads));
		if (k->launches_unmarked)
			printf("    %" PRIu64 " of the launches ran unmarked: a guard found aliasing\n",
			       k->launches_unmarked);
		xfree(title);
	}
}

static void print_structures(const struct trace_summary *s)
{
	printf("\n%-32s %-10s %-10s %6s %12s %12s %10s %10s %12s\n", "kernel", "structure", "verdict", "marked",
	       "loads", "stores", "lines", "shared", "of these r/o");
	for (size_t i = 0; i < s->nstructures; i++) {
		const struct structure_summary *t = &s->structures[i];
		char *title = kernel_title(t->kernel), *id = demangle(t->id);

		printf("%-32s %-10s %-10s %6s %12" PRIu64 " %12" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10.1f %%\n",
		       title, id, trace_verdict_name(t->verdict), t->marked ? "yes" : "no", t->loads,
		       t->stores + t->atomics, t->counts.lines, t->counts.shared_lines,
		       100.0 * share(t->counts.shared_read_only_lines, t->counts.shared_lines));
		xfree(id);
		xfree(title);
	}
}

static void print_sharers(const struct trace_summary *s)
{
	printf("\nCTAs of a launch that touch a line\n");
	for (unsigned i = 0; i < TRACE_SHARER_BUCKETS; i++) {
		uint64_t first = trace_bucket_first(i), last = trace_bucket_last(i);
		char range[48];

		if (!s->sharers[i])
			continue;
		if (first == last)
			snprintf(range, sizeof range, "%" PRIu64, first);
		else if (last == UINT64_MAX)
			snprintf(range, sizeof range, "%" PRIu64 " or more", first);
		else
			snprintf(range, sizeof range, "%" PRIu64 " to %" PRIu64, first, last);
		printf("  %-14s %12" PRIu64 " lines %6.1f %%\n", range, s->sharers[i],
		       100.0 * share(s->sharers[i], s->counts.lines));
	}
}

/* What the marks rest on. */
static const char *marks_words(const char *marks)
{
	static const char *const words[][2] = {
	    {"unknown", "the trace does not say what they rest on"},
	    {"own", "the program's own read-only loads"},
	    {"strict", "alias level strict"},
	    {"guarded", "alias level guarded"},
	    {"distinct", "alias level distinct, which nobody checked"},
	    {"observed", "observed: what each launch did, an upper bound for marks by data structure"},
	    {"checked", "alias level guarded; where its guards fail, loads outside all that the launch may write"},
	    {"mixed", "of several kinds"},
	};

	for (size_t i = 0; marks && i < sizeof words / sizeof *words; i++)
		if (strcmp(words[i][0], marks) == 0)
			return words[i][1];
	return "there is no launch";
}

/* A simulation can lower kernels whose PTX is there (sm.code). */
static void print_ptx(const struct trace_summary *s)
{
	size_t with = 0;

	for (size_t i = 0; i < s->nkernels; i++)
		with += s->kernels[i].has_ptx;
	printf("the PTX of %s kernel is in the trace\n", with == 0 ? "no" : with == s->nkernels ? "each" : "not every");
}

static int print_text(const struct trace_summary *s, const char *path)
{
	printf("%s: %" PRIu64 " launch%s, %" PRIu64 " CTAs, %" PRIu64 " warp instructions, %" PRIu64
	       " bytes (%.3f per warp instruction)\n",
	       path, s->launches, s->launches == 1 ? "" : "es", s->ctas, s->warp_instructions, s->file_bytes,
	       share(s->file_bytes, s->warp_instructions));
	printf("footprint %.1f KiB of global memory in %u B lines; %.1f %% of the lines are shared by CTAs, of these "
	       "%.1f %% read-only\n",
	       (double)(s->counts.lines * s->line_bytes) / 1024, s->line_bytes,
	       100.0 * share(s->counts.shared_lines, s->counts.lines),
	       100.0 * share(s->counts.shared_read_only_lines, s->counts.shared_lines));
	printf("%.1f %% of %" PRIu64 " global loads carry the read-only mark (%s)\n",
	       100.0 * share(s->read_only_loads, s->global_loads), s->global_loads, marks_words(s->marks));
	print_ptx(s);
	print_kernels(s);
	print_structures(s);
	print_sharers(s);
	return EXIT_OK;
}

static void show_progress(void *context, uint64_t bytes)
{
	progress_update(context, bytes, NULL);
}

struct info_options {
	unsigned line_bytes;
	bool json, partial;
};

static int summarise(struct trace_reader *r, const char *path, const struct info_options *options)
{
	struct diag d = DIAG_INIT;
	struct progress progress;
	struct trace_summary *s;
	struct stat st;
	bool empty;
	int status;

	if (options->partial)
		trace_accept_cut(r);
	progress_start(&progress, "reading", stat(path, &st) == 0 ? (uint64_t)st.st_size : 0);
	s = trace_summarise(r, options->line_bytes, show_progress, &progress, &d);
	progress_end(&progress);
	if (!s)
		diag_print(&d, stderr);
	empty = !s || (trace_cut(r) && !s->ctas);
	partial_explain(r, options->partial, empty);
	if (empty)
		status = EXIT_BAD_INPUT;
	else
		status = options->json ? print_json(s, !trace_cut(r)) : print_text(s, path);
	trace_summary_free(s);
	return status;
}

static int open_and_summarise(const char *path, const struct info_options *options)
{
	struct diag d = DIAG_INIT;
	struct trace_reader *r = trace_open(path, &d);
	int status;

	if (!r) {
		diag_print(&d, stderr);
		return EXIT_BAD_INPUT;
	}
	status = summarise(r, path, options);
	trace_close(r);
	return status;
}

int cmd_info(int argc, char **argv)
{
	struct info_options options = {.line_bytes = 128};
	const struct option_row rows[] = {
	    {0, "json", OPT_FLAG, &options.json, NULL, "JSON instead of tables"},
	    PARTIAL_ROW(options.partial),
	    {0, "line", OPT_SIZE, &options.line_bytes, "BYTES", "cache line for footprint and sharing (128)"},
	    {0},
	};
	const struct usage usage = {
	    "info", "FILE.romtrace", "Shows what is in a trace: kernels, loads, footprint, and who shares which data.",
	    rows,
	    "A line is shared when more than one CTA of the same launch touches it in global memory, and shared\n"
	    "read-only when it was only read then, through marked loads. FILE may be '-' for standard input."};
	int operands = options_parse(&usage, argc, argv);
	unsigned line_bytes = options.line_bytes;

	if (operands < 0)
		return usage_exit(operands);
	if (operands != 1 || line_bytes < 16 || line_bytes > 65536 || !is_power_of_two(line_bytes)) {
		fprintf(stderr, operands != 1 ? "romark: info: one trace wanted; see 'romark info --help'\n"
					      : "romark: info: --line takes a power of two from 16 to 65536\n");
		return EXIT_WRONG_USAGE;
	}
	return open_and_summarise(argv[0], &options);
}
