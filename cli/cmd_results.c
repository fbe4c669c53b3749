/* `romark results`: what a database of results holds, as lists, whole runs, and files for other tools. */
#include "cli/command.h"
#include "cli/compare_load.h"
#include "cli/comparison.h"

#include "common/guess.h"
#include "common/options.h"
#include "common/strbuf.h"
#include "study/database/numbers.h"
#include "study/report/listing.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct arguments {
	struct listing_request request;
	int rows, format; /* of options; -1: not said */
};

static int print_sheet(struct database *db, const struct listing_request *request, enum sheet_format format,
		       struct diag *d)
{
	struct sheet t = SHEET_INIT;
	int status = listing_rows(db, request, &t, d);

	if (status == 0)
		sheet_print(&t, format, stdout);
	sheet_release(&t);
	return status;
}

static int list(struct database *db, struct arguments *a, struct diag *d)
{
	enum sheet_format format = a->format < 0 ? SHEET_AS_TEXT : (enum sheet_format)a->format;

	a->request.rounded = format == SHEET_AS_TEXT || format == SHEET_AS_MARKDOWN;
	return print_sheet(db, &a->request, format, d);
}

static int export(struct database *db, struct arguments *a, struct diag *d)
{
	a->request.all_columns = true;
	return print_sheet(db, &a->request, a->format < 0 ? SHEET_AS_CSV : (enum sheet_format)a->format, d);
}

/* --- One run --- */

/* The nearest id is the next number. */
static int no_run(struct database *db, const char *id, struct diag *d)
{
	int64_t count = database_count(db, "SELECT count(*) FROM runs", "");
	int64_t nearest = database_count(db, "SELECT id FROM runs ORDER BY abs(id - ?), id LIMIT 1", "i",
					 (int64_t)strtoll(id, NULL, 10));

	if (!count)
		return diag_file(d, database_path(db), "it has no runs; 'romark sweep' enters them");
	return diag_file(d, database_path(db), "there is no run %s among its %" PRId64 "; the nearest is %" PRId64, id,
			 count, nearest);
}

static int read_id(struct database *db, const char *word, int64_t *id, struct diag *d)
{
	char *end;

	errno = 0;
	*id = strtoll(word, &end, 10);
	if (!*word || *end || errno)
		return diag_file(d, NULL, "results: '%s' is no run's id, which 'romark results %s' lists", word,
				 database_path(db));
	if (!database_count(db, "SELECT 1 FROM runs WHERE id = ?", "i", *id))
		return no_run(db, word, d);
	return 0;
}

static void print_places(struct database *db, int64_t id)
{
	struct rows rows = database_ask(db,
					"SELECT study, program, size, gpu, variant, policy, seed FROM results"
					" WHERE run = ?",
					"i", id);
	static const char *const names[] = {"study", "program", "size", "gpu", "variant", "policy", "seed"};

	while (database_next(&rows)) {
		for (int i = 0; i < 7; i++)
			if (*database_text(&rows, i))
				printf("%s%s %s", i ? ", " : "", names[i], database_text(&rows, i));
		printf("\n");
	}
}

static void print_line(const char *what, const struct rows *rows, int column)
{
	if (*database_text(rows, column))
		printf("  %-12s %s\n", what, database_text(rows, column));
}

static void print_run(struct database *db, int64_t id)
{
	static const char *const names[] = {"state",   "GPU",     "LLC policy", "L1 policy", "options", "trace",
					    "command", "config",  "key",        "romark",    "build",   "machine",
					    "started", "seconds", "MiB",        "attempts",  "message"};
	struct rows rows = database_ask(
	    db,
	    "SELECT r.state, r.gpu, r.llc_policy, r.l1_policy, r.options, t.path, t.command, r.config, r.key, "
	    "r.version,"
	    " r.romark, r.host, datetime(r.started, 'unixepoch') || ' UTC', round(r.wall_seconds, 3),"
	    " r.peak_rss_bytes / 1048576, r.attempts, r.message, r.last_lines"
	    " FROM runs r JOIN traces t ON t.hash = r.trace WHERE r.id = ?",
	    "i", id);
	const int count = sizeof names / sizeof *names;

	printf("run %" PRId64 ": ", id);
	print_places(db, id);
	if (!database_next(&rows))
		return;
	for (int i = 0; i < count; i++)
		print_line(names[i], &rows, i);
	if (*database_text(&rows, count))
		printf("its last lines:\n%s\n", database_text(&rows, count));
	database_end(&rows);
}

static void print_part(struct database *db, int64_t id, enum listing_kind kind, const char *columns)
{
	const struct listing_request request = {
	    .kind = kind, .columns = columns, .run = id, .rounded = true, .demangled = true};
	struct sheet t = SHEET_INIT;

	if (listing_rows(db, &request, &t, NULL) == 0 && sheet_rows(&t)) {
		printf("\n");
		sheet_print(&t, SHEET_AS_TEXT, stdout);
	}
	sheet_release(&t);
}

static void print_totals(struct database *db, int64_t id, enum sheet_format format)
{
	struct sheet t = SHEET_INIT;

	listing_totals(db, id, format == SHEET_AS_TEXT || format == SHEET_AS_MARKDOWN, &t);
	if (sheet_rows(&t))
		sheet_print(&t, format, stdout);
	sheet_release(&t);
}

static int no_document(struct database *db, int64_t id, struct diag *d)
{
	return diag_file(d, database_path(db),
			 "run %" PRId64 " has no results; see 'romark results %s show %" PRId64 "'", id,
			 database_path(db), id);
}

static int print_document(struct database *db, int64_t id, struct diag *d)
{
	size_t size = 0;
	char *text = numbers_document(db, id, &size);

	if (!text)
		return no_document(db, id, d);
	fwrite(text, 1, size, stdout);
	free(text);
	return 0;
}

static int show(struct database *db, const char *word, enum sheet_format format, struct diag *d)
{
	int64_t id;

	if (read_id(db, word, &id, d) < 0)
		return DIAG_ERROR;
	if (format == SHEET_AS_JSON)
		return print_document(db, id, d);
	if (format == SHEET_AS_TEXT) {
		print_run(db, id);
		print_part(db, id, LISTING_KERNELS, "launch,kernel,cycles,ipc,l1.miss_rate,llc.miss_rate");
		print_part(db, id, LISTING_STRUCTURES,
			   "kernel,structure,verdict,l1_accesses,l1_hits,llc_accesses,llc_hits,llc_merges");
		printf("\n");
	}
	print_totals(db, id, format);
	return database_check(db, d);
}

/* --- Runs beside each other --- */

/* Takes program and size from the study, because the result does not contain them. */
static void add_subject(struct database *db, int64_t id, json_t *root)
{
	struct rows rows = database_ask(db, "SELECT program, size FROM results WHERE run = ? LIMIT 1", "i", id);

	if (!database_next(&rows))
		return;
	json_object_set_new(root, "program", json_string(database_text(&rows, 0)));
	json_object_set_new(root, "size", json_string(database_text(&rows, 1)));
	database_end(&rows);
}

static int add_result(struct database *db, int64_t id, struct results *results, bool kernels, struct diag *d)
{
	size_t size = 0;
	char *text = numbers_document(db, id, &size);
	struct strbuf name = STRBUF_INIT;
	json_t *root;

	if (!text)
		return no_document(db, id, d);
	root = result_load(text, size, kernels, NULL);
	free(text);
	add_subject(db, id, root);
	strbuf_addf(&name, "run %" PRId64, id);
	return results_add(results, root, strbuf_detach(&name), d);
}

/* Without ids: all done runs that the options leave. */
static int add_chosen(struct database *db, const struct listing_request *request, struct results *results, bool kernels,
		      struct diag *d)
{
	struct listing_request ids = {
	    .columns = "id", .filter = request->filter, .study = request->study, .state = "done"};
	struct sheet t = SHEET_INIT;
	int status = listing_rows(db, &ids, &t, d);

	for (size_t i = 0; status == 0 && i < sheet_rows(&t); i++)
		status = add_result(db, strtoll(sheet_cell(&t, i, 0), NULL, 10), results, kernels, d);
	if (status == 0 && !sheet_rows(&t))
		status = diag_file(d, database_path(db), "no run that is done is left to compare");
	sheet_release(&t);
	return status;
}

/* The first kinds of rows are the comparison's. */
_Static_assert((int)LISTING_KERNELS == (int)COMPARISON_OF_KERNELS, "rows of lists and of comparisons");
_Static_assert((int)LISTING_STRUCTURES == (int)COMPARISON_OF_STRUCTURES, "rows of lists and of comparisons");

static int compare(struct database *db, char **words, int count, struct arguments *a, struct diag *d)
{
	struct results results = RESULTS_INIT;
	bool kernels = a->rows == LISTING_KERNELS;
	int status = count ? 0 : add_chosen(db, &a->request, &results, kernels, d);
	int64_t id;

	for (int i = 0; status == 0 && i < count; i++) {
		status = read_id(db, words[i], &id, d);
		if (status == 0)
			status = add_result(db, id, &results, kernels, d);
	}
	if (status == 0)
		status = comparison_print(&results, a->rows, a->request.columns,
					  a->format < 0 ? SHEET_AS_TEXT : (enum sheet_format)a->format, d);
	results_release(&results);
	return status;
}

/* --- The word behind `results` --- */

/* `ids`: runs may, or must, be named behind it. */
static const struct word {
	const char *name;
	bool ids, needs_ids;
} known_words[] = {{"list", false, false}, {"show", true, true}, {"compare", true, false}, {"export", false, false}};
enum { WORDS = sizeof known_words / sizeof *known_words };

static const struct word *find_word(const char *name)
{
	struct guess g = guess_start(name, strlen(name));

	for (int i = 0; i < WORDS; i++) {
		if (strcmp(known_words[i].name, name) == 0)
			return &known_words[i];
		guess_try(&g, known_words[i].name);
	}
	fprintf(stderr, "romark: results: no '%s'%s; see 'romark results --help'\n", name, guess_hint(&g).text);
	return NULL;
}

/* Slices, channels and epochs are not in the documents that are compared. */
static bool is_well_formed(char **words, int count, int rows)
{
	const struct word *word = count > 1 ? find_word(words[1]) : &known_words[0];

	if (!word)
		return false;
	if (count > 2 && !word->ids)
		fprintf(stderr, "romark: results: '%s' is too much behind '%s'; see 'romark results --help'\n",
			words[2], word->name);
	else if (count <= 2 && word->needs_ids)
		fprintf(stderr, "romark: results: %s which run? 'romark results %s' lists their ids\n", word->name,
			words[0]);
	else if (strcmp(word->name, "compare") == 0 && rows > LISTING_STRUCTURES)
		fprintf(stderr, "romark: results: compare takes --rows=runs, kernels or structures\n");
	else
		return true;
	return false;
}

static struct database *open_results(const char *path, struct diag *d)
{
	if (*path && access(path, F_OK) < 0) {
		diag_file(d, path, "there is no such database; 'romark sweep STUDY.yaml -o %s' makes it", path);
		return NULL;
	}
	return database_open(path, DATABASE_READ, d);
}

static int run(char **words, int count, struct arguments *a, struct diag *d)
{
	const char *what = count > 1 ? words[1] : "list";
	struct database *db = open_results(words[0], d);
	int status = 0;

	if (!db)
		return DIAG_ERROR;
	if (strcmp(what, "list") == 0)
		status = list(db, a, d);
	else if (strcmp(what, "export") == 0)
		status = export(db, a, d);
	else if (strcmp(what, "compare") == 0)
		status = compare(db, words + 2, count - 2, a, d);
	for (int i = 2; strcmp(what, "show") == 0 && status == 0 && i < count; i++)
		status = show(db, words[i], a->format < 0 ? SHEET_AS_TEXT : (enum sheet_format)a->format, d);
	database_close(db);
	return status;
}

int cmd_results(int argc, char **argv)
{
	struct arguments a = {.request = {.demangled = true}, .rows = LISTING_RUNS, .format = -1};
	struct diag d = DIAG_INIT;
	const struct option_row rows[] = {
	    {0, "filter", OPT_STRING, &a.request.filter, "EXPR", "only these runs: \"policy = selrep and seed < 3\""},
	    {0, "study", OPT_STRING, &a.request.study, "NAME", "only runs of this study"},
	    {0, "state", OPT_STRING, &a.request.state, "planned|running|done|failed", "only runs in this state"},
	    {0, "columns", OPT_STRING, &a.request.columns, "NAMES",
	     "dimensions, counters, keys of the configuration: program,policy,cycles,llc.miss_rate,llc.ways"},
	    {0, "rows", OPT_CHOICE, &a.rows, LISTING_ROWS, "the rows of the export"},
	    {0, "format", OPT_CHOICE, &a.format, SHEET_FORMATS, "how it is printed; export: csv"},
	    {0},
	};
	const struct usage usage = {"results", "RESULTS.sqlite [list | show ID... | compare [ID...] | export]",
				    "Shows what a database of results holds.", rows,
				    "Examples: romark results example.sqlite --filter=\"policy = selrep\"\n"
				    "          romark results example.sqlite show 7 --format=json > run7.json\n"
				    "          romark results example.sqlite compare 1 4 7 --rows=kernels\n"
				    "          romark results example.sqlite export --rows=kernels > kernels.csv"};
	int n = options_parse(&usage, argc, argv);

	if (n < 0)
		return usage_exit(n);
	if (n == 0) {
		fprintf(stderr, "romark: results: no database given; see 'romark results --help'\n");
		return EXIT_WRONG_USAGE;
	}
	if (!is_well_formed(argv, n, a.rows))
		return EXIT_WRONG_USAGE;
	a.request.kind = (enum listing_kind)a.rows;
	return run(argv, n, &a, &d) < 0 ? error_exit(&d) : EXIT_OK;
}
