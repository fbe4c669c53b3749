/* `romark results`: what a database of results holds, as lists, whole runs, and files for other tools. */
#include "cli/command.h"

#include "common/guess.h"
#include "common/options.h"
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

/* The nearest is the one with the next number. */
static int no_run(struct database *db, const char *id, struct diag *d)
{
	int64_t count = database_count(db, "SELECT count(*) FROM runs", "");
	int64_t nearest = database_count(db, "SELECT id FROM runs ORDER BY abs(id - ?), id LIMIT 1", "i",
					 (int64_t)strtoll(id, NULL, 10));

	if (!count)
		return diag_file(d, database_path(db), "there are no runs in it; 'romark sweep' enters them");
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
	    "SELECT r.state, r.gpu, r.llc_policy, r.l1_policy, r.options, t.path, t.command, r.config, r.key, r.version,"
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

static int print_document(struct database *db, int64_t id, struct diag *d)
{
	size_t size = 0;
	char *text = numbers_document(db, id, &size);

	if (!text)
		return diag_file(d, database_path(db),
				 "run %" PRId64 " has no results; see 'romark results %s show %" PRId64 "'", id,
				 database_path(db), id);
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

/* --- Which of them --- */

static int no_such_word(const char *word)
{
	struct guess g = guess_nearest(word);

	guess_try(&g, "list");
	guess_try(&g, "show");
	guess_try(&g, "export");
	fprintf(stderr, "romark: results: no '%s'; did you mean '%s'? See 'romark results --help'\n", word, g.best);
	return EXIT_WRONG_USAGE;
}

static struct database *open_results(const char *path, struct diag *d)
{
	if (access(path, F_OK) < 0) {
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
	    {0, "rows", OPT_CHOICE, &a.rows, LISTING_ROWS, "what a row is"},
	    {0, "format", OPT_CHOICE, &a.format, SHEET_FORMATS, "how it is printed; export: csv"},
	    {0},
	};
	const struct usage usage = {"results", "RESULTS.sqlite [list | show ID... | export]",
				    "Shows what a database of results holds.", rows,
				    "Examples: romark results example.sqlite --filter=\"policy = selrep\"\n"
				    "          romark results example.sqlite show 7 --format=json > run7.json\n"
				    "          romark results example.sqlite export --rows=kernels > kernels.csv"};
	int n = options_parse(&usage, argc, argv);

	if (n < 0)
		return usage_exit(n);
	if (n == 0) {
		fprintf(stderr, "romark: results: no database given; see 'romark results --help'\n");
		return EXIT_WRONG_USAGE;
	}
	if (n > 1 && strcmp(argv[1], "list") != 0 && strcmp(argv[1], "show") != 0 && strcmp(argv[1], "export") != 0)
		return no_such_word(argv[1]);
	if (n > 2 && strcmp(argv[1], "show") != 0) {
		fprintf(stderr, "romark: results: '%s' is too much behind '%s'; see 'romark results --help'\n", argv[2],
			argv[1]);
		return EXIT_WRONG_USAGE;
	}
	if (n == 2 && strcmp(argv[1], "show") == 0) {
		fprintf(stderr, "romark: results: show which run? 'romark results %s' lists their ids\n", argv[0]);
		return EXIT_WRONG_USAGE;
	}
	a.request.kind = (enum listing_kind)a.rows;
	if (run(argv, n, &a, &d) == 0)
		return EXIT_OK;
	diag_print(&d, stderr);
	return EXIT_BAD_INPUT;
}
