/* Questions to the database about the points that a study has now. */
#include "study/report/origin.h"

#include "study/database/numbers.h"

#include <string.h>
#include <time.h>

static int64_t count_state(struct database *db, const struct study *s, const struct results_points *points,
			   const char *state)
{
	return database_count(db,
			      "SELECT count(*) FROM " RESULTS_POINTS " JOIN runs r ON r.id = p.run WHERE r.state = ?",
			      "sss", points->json, s->name, state);
}

static int64_t count_extent(struct database *db, const struct study *s, const struct results_points *points,
			    const char *extent)
{
	return database_count(
	    db, "SELECT count(*) FROM " RESULTS_POINTS " JOIN runs r ON r.id = p.run WHERE " NUMBERS_EXTENT " = ?",
	    "sss", points->json, s->name, extent);
}

struct origin_counts origin_count(struct database *db, const struct study *s, const struct results_points *points)
{
	struct origin_counts counts = {.points = (int64_t)points->count};

	counts.done = count_state(db, s, points, "done");
	counts.failed = count_state(db, s, points, "failed");
	counts.missing = counts.points - counts.done - counts.failed;
	counts.cut = count_extent(db, s, points, "cut");
	counts.estimates = count_extent(db, s, points, "estimate");
	counts.others =
	    database_count(db, "SELECT count(*) FROM points WHERE study = (SELECT id FROM studies WHERE name = ?)", "s",
			   s->name) -
	    database_count(db, "SELECT count(*) FROM " RESULTS_POINTS, "ss", points->json, s->name);
	return counts;
}

static void add_time(struct sheet *t, double seconds, const char *format)
{
	time_t at = (time_t)seconds;
	char text[64];
	struct tm tm;

	if (!gmtime_r(&at, &tm) || !strftime(text, sizeof text, format, &tm))
		*text = '\0';
	sheet_add(t, text);
}

void origin_lay_out_machines(struct sheet *t, struct database *db, const struct study *s,
			     const struct results_points *points)
{
	struct rows rows = database_ask(
	    db,
	    "SELECT r.version, r.romark, r.host, count(*), sum(r.wall_seconds), max(r.peak_rss_bytes), min(r.started),"
	    " max(r.started) FROM runs r WHERE r.state = 'done' AND r.id IN (SELECT p.run FROM " RESULTS_POINTS
	    ") GROUP BY 1, 2, 3 ORDER BY 7",
	    "ss", points->json, s->name);
	static const char *const names[] = {"romark",      "build",         "machine", "runs",
					    "run seconds", "most MiB used", "first",   "last"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		sheet_column(t, names[i], i >= 3 && i <= 5 ? SHEET_NUMBER : SHEET_TEXT);
	while (database_next(&rows)) {
		sheet_add(t, database_text(&rows, 0));
		sheet_addf(t, "%.12s", database_text(&rows, 1));
		sheet_add(t, database_text(&rows, 2));
		sheet_addf(t, "%" PRId64, database_int(&rows, 3));
		sheet_addf(t, "%.1f", database_real(&rows, 4));
		sheet_addf(t, "%.0f", database_real(&rows, 5) / 1048576);
		for (int i = 6; i < 8; i++)
			add_time(t, database_real(&rows, i), "%Y-%m-%d %H:%M UTC");
	}
}

void origin_lay_out_versions(struct sheet *t, struct database *db, const struct study *s,
			     const struct results_points *points)
{
	struct rows rows =
	    database_ask(db,
			 "SELECT r.version, count(*), min(r.started), max(r.started) FROM runs r WHERE r.state = 'done'"
			 " AND r.id IN (SELECT p.run FROM " RESULTS_POINTS ") GROUP BY 1 ORDER BY 3",
			 "ss", points->json, s->name);

	sheet_column(t, "romark", SHEET_TEXT);
	sheet_column(t, "runs", SHEET_NUMBER);
	sheet_column(t, "oldest run", SHEET_TEXT);
	sheet_column(t, "newest run", SHEET_TEXT);
	while (database_next(&rows)) {
		const char *version = database_text(&rows, 0);

		sheet_addf(t, "%s%s", version, strchr(version, '(') ? "" : ", commit not known");
		sheet_addf(t, "%" PRId64, database_int(&rows, 1));
		for (int i = 2; i < 4; i++)
			add_time(t, database_real(&rows, i), "%Y-%m-%d");
	}
}

void origin_lay_out_traces(struct sheet *t, struct database *db, const struct study *s,
			   const struct results_points *points)
{
	struct rows rows = database_ask(db,
					"SELECT DISTINCT p.program, p.size, t.hash, t.bytes FROM " RESULTS_POINTS
					" JOIN runs r ON r.id = p.run"
					" JOIN traces t ON t.hash = r.trace ORDER BY 1, 2",
					"ss", points->json, s->name);

	sheet_column(t, "program", SHEET_TEXT);
	sheet_column(t, "size", SHEET_TEXT);
	sheet_column(t, "trace", SHEET_TEXT);
	sheet_column(t, "bytes", SHEET_NUMBER);
	while (database_next(&rows)) {
		for (int i = 0; i < 3; i++)
			sheet_add(t, database_text(&rows, i));
		sheet_addf(t, "%" PRId64, database_int(&rows, 3));
	}
}
