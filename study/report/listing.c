/* Points are read once. Each column has a statement of its own that fetches its value for a point. */
#include "study/report/listing.h"

#include "study/database/numbers.h"
#include "study/expression/expression.h"
#include "study/plan.h"

#include "common/demangle.h"
#include "common/guess.h"
#include "common/strbuf.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* One row before its columns: a point with its run, and a part of the run where the listing has parts. */
struct point {
	int64_t run, study;
	const char *names[DIM_COUNT];
	int64_t part;
	const char *part_names[3]; /* as the kind's columns have them */
};

enum source {
	FROM_STUDY,
	FROM_POINT, /* a dimension */
	FROM_RUN,   /* a column of the table */
	FROM_PART,  /* a column of the kind's own */
	FROM_COUNTER,
	FROM_CONFIG,
};

struct column {
	enum source source;
	const char *name;
	int index;        /* dimension, column of run_columns, or of the kind */
	int64_t counter;  /* its id */
	const char *path; /* of a key of the configuration, as json_extract takes it */
};

struct study_of {
	int64_t id;
	const char *name, *text;
	struct study *study; /* NULL: the filter did not need it */
	struct expression *filter;
};

struct listing {
	struct database *db;
	const struct listing_request *request;
	struct sheet *sheet;
	struct arena arena;
	VEC(struct study_of) studies;
	VEC(struct point) points;
	VEC(struct column) columns;
	struct diag *d;
};

static const struct run_column {
	const char *name, *sql;
	enum sheet_kind kind;
	bool exported; /* in an export of all columns */
} run_columns[] = {
    {"id", "SELECT id FROM runs WHERE id = ?", SHEET_NUMBER, true},
    {"state", "SELECT state FROM runs WHERE id = ?", SHEET_TEXT, true},
    {"extent", "SELECT " NUMBERS_EXTENT " FROM runs r WHERE id = ?", SHEET_TEXT, true},
    {"llc_policy", "SELECT llc_policy FROM runs WHERE id = ?", SHEET_TEXT, true},
    {"l1_policy", "SELECT l1_policy FROM runs WHERE id = ?", SHEET_TEXT, true},
    {"gpu_name", "SELECT gpu FROM runs WHERE id = ?", SHEET_TEXT, false},
    {"options", "SELECT options FROM runs WHERE id = ?", SHEET_TEXT, false},
    {"wall_seconds", "SELECT wall_seconds FROM runs WHERE id = ?", SHEET_NUMBER, true},
    {"cpu_seconds", "SELECT cpu_seconds FROM runs WHERE id = ?", SHEET_NUMBER, true},
    {"peak_rss_bytes", "SELECT peak_rss_bytes FROM runs WHERE id = ?", SHEET_NUMBER, true},
    {"host", "SELECT host FROM runs WHERE id = ?", SHEET_TEXT, true},
    {"started", "SELECT started FROM runs WHERE id = ?", SHEET_NUMBER, true},
    {"attempts", "SELECT attempts FROM runs WHERE id = ?", SHEET_NUMBER, true},
    {"version", "SELECT version FROM runs WHERE id = ?", SHEET_TEXT, true},
    {"romark", "SELECT romark FROM runs WHERE id = ?", SHEET_TEXT, true},
    {"trace", "SELECT trace FROM runs WHERE id = ?", SHEET_TEXT, true},
    {"config", "SELECT config FROM runs WHERE id = ?", SHEET_TEXT, true},
    {"key", "SELECT key FROM runs WHERE id = ?", SHEET_TEXT, false},
    {"code", "SELECT code FROM runs WHERE id = ?", SHEET_NUMBER, false},
    {"signal", "SELECT signal FROM runs WHERE id = ?", SHEET_NUMBER, false},
    {"message", "SELECT message FROM runs WHERE id = ?", SHEET_TEXT, true},
};
enum { RUN_COLUMNS = sizeof run_columns / sizeof *run_columns };

#define PART_VALUE(table, tells) "SELECT value FROM " table " WHERE run = ? AND counter = ? AND " tells " = ?"
#define PART_COUNTERS(table, more)                                                                                     \
	"SELECT id, name FROM counters WHERE id IN (SELECT DISTINCT counter FROM " table more ")"

/* The statements of each kind of row: the parts of a run, a counter of a part, and the counters that parts have. */
static const struct kind {
	const char *parts, *value, *counters;
	const char *names[3]; /* of the columns behind the part's number in `parts` */
	int kernel;           /* which of them is a kernel's name; -1: none */
	const char *shown;    /* counters of a list for people */
} kinds[] = {
    [LISTING_RUNS] = {NULL,
		      "SELECT value FROM run_values WHERE run = ? AND counter = ?",
		      PART_COUNTERS("run_values", ""),
		      {NULL},
		      -1,
		      "cycles,ipc"},
    [LISTING_KERNELS] = {"SELECT launch, launch, name FROM kernels WHERE run = ? ORDER BY launch",
			 PART_VALUE("kernel_values", "launch"),
			 PART_COUNTERS("kernel_values", ""),
			 {"launch", "kernel"},
			 1,
			 "cycles,ipc,l1.miss_rate,llc.miss_rate"},
    [LISTING_STRUCTURES] = {"SELECT number, kernel, id, verdict FROM structures WHERE run = ? ORDER BY number",
			    PART_VALUE("structure_values", "number"),
			    PART_COUNTERS("structure_values", ""),
			    {"kernel", "structure", "verdict"},
			    0,
			    "l1_accesses,l1_hits,llc_accesses,llc_hits,llc_merges"},
    [LISTING_SLICES] = {"SELECT DISTINCT unit, unit FROM unit_values WHERE run = ? AND kind = 'slices'",
			PART_VALUE("unit_values", "kind = 'slices' AND unit"),
			PART_COUNTERS("unit_values", " WHERE kind = 'slices'"),
			{"slice"},
			-1,
			"accesses,misses,merges"},
    [LISTING_CHANNELS] = {"SELECT DISTINCT unit, unit FROM unit_values WHERE run = ? AND kind = 'channels'",
			  PART_VALUE("unit_values", "kind = 'channels' AND unit"),
			  PART_COUNTERS("unit_values", " WHERE kind = 'channels'"),
			  {"channel"},
			  -1,
			  "reads,writes,row_hits"},
    [LISTING_EPOCHS] = {"SELECT DISTINCT cycle, cycle FROM epoch_values WHERE run = ?",
			PART_VALUE("epoch_values", "cycle"),
			PART_COUNTERS("epoch_values", ""),
			{"cycle"},
			-1,
			"ipc,llc_hit_rate"},
};

static const struct kind *kind_of(const struct listing *l)
{
	return &kinds[l->request->kind];
}

/* A message about an option such as "--columns". */
static int wrong_name(struct listing *l, const char *option, const char *what, const struct guess *g)
{
	return diag_file(l->d, option, "no %s '%s' in %s%s", what, g->word, database_path(l->db), guess_hint(g).text);
}

/* --- Studies and the filter --- */

static int parse_filter(struct listing *l, struct study_of *s)
{
	const struct study_text filter = {l->request->filter, {0, 0}};

	s->study = study_parse(s->text, strlen(s->text), s->name, l->d);
	if (!s->study)
		return DIAG_ERROR;
	s->filter = expression_parse(s->study, &filter, EXPRESSION_CONDITION, l->d);
	return s->filter ? 0 : DIAG_ERROR;
}

static int read_studies(struct listing *l)
{
	struct rows rows = database_ask(l->db, "SELECT id, name, text FROM studies ORDER BY id", "");
	const char *wanted = l->request->study;
	struct guess g = guess_start(wanted ? wanted : "", wanted ? strlen(wanted) : 0);

	while (database_next(&rows)) {
		struct study_of s = {database_int(&rows, 0), arena_strdup(&l->arena, database_text(&rows, 1)),
				     arena_strdup(&l->arena, database_text(&rows, 2)), NULL, NULL};

		guess_try(&g, s.name);
		if (!wanted || strcmp(wanted, s.name) == 0)
			vec_push(&l->studies, s);
	}
	if (wanted && !l->studies.len)
		return wrong_name(l, "--study", "study", &g);
	for (size_t i = 0; l->request->filter && i < l->studies.len; i++)
		if (parse_filter(l, &l->studies.data[i]) < 0)
			return DIAG_ERROR;
	return 0;
}

static int check_state(struct listing *l)
{
	const char *state = l->request->state;
	struct guess g = guess_start(state ? state : "", state ? strlen(state) : 0);

	for (int i = 0; state && i < RUN_STATES; i++) {
		if (strcmp(run_state_names[i], state) == 0)
			return 0;
		guess_try(&g, run_state_names[i]);
	}
	return state ? wrong_name(l, "--state", "state", &g) : 0;
}

/* --- Points --- */

static void add_parts(struct listing *l, const struct point *point)
{
	const struct kind *kind = kind_of(l);
	struct rows rows = database_ask(l->db, kind->parts, "i", point->run);

	while (database_next(&rows)) {
		struct point part = *point;

		part.part = database_int(&rows, 0);
		for (int i = 0; i < 3 && kind->names[i]; i++) {
			const char *text = database_text(&rows, i + 1);
			char *plain = i == kind->kernel && l->request->demangled ? demangle(text) : NULL;

			part.part_names[i] = arena_strdup(&l->arena, plain ? plain : text);
			xfree(plain);
		}
		vec_push(&l->points, part);
	}
}

static bool is_meant(const struct listing *l, size_t study, const struct point *point, const char *state)
{
	const struct expression *filter = l->studies.data[study].filter;

	if (l->request->run && l->request->run != point->run)
		return false;
	if (l->request->state && strcmp(l->request->state, state) != 0)
		return false;
	return !filter || expression_holds(filter, point->names);
}

static void read_points(struct listing *l, size_t study)
{
	struct rows rows =
	    database_ask(l->db,
			 "SELECT p.run, r.state, p.program, p.size, p.gpu, p.variant, p.policy, p.seed FROM points p"
			 " JOIN runs r ON r.id = p.run WHERE p.study = ? ORDER BY p.run",
			 "i", l->studies.data[study].id);

	while (database_next(&rows)) {
		struct point point = {.run = database_int(&rows, 0), .study = (int64_t)study};

		for (int i = 0; i < DIM_COUNT; i++)
			point.names[i] = arena_strdup(&l->arena, database_text(&rows, i + 2));
		if (!is_meant(l, study, &point, database_text(&rows, 1)))
			continue;
		if (kind_of(l)->parts)
			add_parts(l, &point);
		else
			vec_push(&l->points, point);
	}
}

/* --- Columns --- */

static void add_column(struct listing *l, enum source source, const char *name, int index)
{
	vec_push(&l->columns, (struct column){source, name, index, 0, NULL});
}

static bool add_counter(struct listing *l, const char *name)
{
	int64_t id = database_count(l->db, "SELECT id FROM counters WHERE name = ?", "s", name);

	if (!id)
		return false;
	add_column(l, FROM_COUNTER, name, 0);
	vec_last(&l->columns).counter = id;
	return true;
}

/* A key of the configuration: "llc.ways". */
static bool add_config(struct listing *l, const char *name)
{
	const char *dot = strchr(name, '.');
	const char *path;

	if (!dot || strpbrk(name, "\"'"))
		return false;
	path = arena_printf(&l->arena, "$.\"%.*s\".\"%s\"", (int)(dot - name), name, dot + 1);
	if (!database_count(l->db, "SELECT count(*) FROM configs WHERE json_type(json, ?) IS NOT NULL", "s", path))
		return false;
	add_column(l, FROM_CONFIG, name, 0);
	vec_last(&l->columns).path = path;
	return true;
}

static bool add_fixed(struct listing *l, const char *name)
{
	for (int i = 0; i < 3 && kind_of(l)->names[i]; i++)
		if (strcmp(kind_of(l)->names[i], name) == 0) {
			add_column(l, FROM_PART, name, i);
			return true;
		}
	if (strcmp(name, "study") == 0)
		add_column(l, FROM_STUDY, name, 0);
	else if (dimension_find(name) != DIM_COUNT)
		add_column(l, FROM_POINT, name, (int)dimension_find(name));
	else {
		int i = 0;

		while (i < RUN_COLUMNS && strcmp(run_columns[i].name, name) != 0)
			i++;
		if (i == RUN_COLUMNS)
			return false;
		add_column(l, FROM_RUN, name, i);
	}
	return true;
}

static int wrong_column(struct listing *l, const char *name)
{
	struct guess g = guess_start(name, strlen(name));
	struct rows rows = database_ask(l->db, "SELECT name FROM counters", "");

	for (enum dimension i = 0; i < DIM_COUNT; i++)
		guess_try(&g, dimension_names[i]);
	for (int i = 0; i < RUN_COLUMNS; i++)
		guess_try(&g, run_columns[i].name);
	for (int i = 0; i < 3 && kind_of(l)->names[i]; i++)
		guess_try(&g, kind_of(l)->names[i]);
	while (database_next(&rows))
		guess_try(&g, database_text(&rows, 0));
	return wrong_name(l, "--columns", "column", &g);
}

static int add_named(struct listing *l, const char *names)
{
	char *copy = arena_strdup(&l->arena, names), *rest = copy;
	const char *name;

	while ((name = strsep(&rest, ",")) != NULL)
		if (*name && !add_fixed(l, name) && !add_counter(l, name) && !add_config(l, name))
			return wrong_column(l, name);
	return l->columns.len ? 0 : diag_file(l->d, "--columns", "no column is named");
}

/* Whether runs differ in this column, so that it tells them apart. */
static bool varies(const struct listing *l, enum dimension dimension)
{
	for (size_t i = 1; i < l->points.len; i++)
		if (strcmp(l->points.data[i].names[dimension], l->points.data[0].names[dimension]) != 0)
			return true;
	return false;
}

/* Whether some run is not simply whole. */
static bool has_extents(struct listing *l)
{
	for (size_t i = 0; i < l->points.len; i++)
		if (database_count(l->db, "SELECT " NUMBERS_EXTENT " != 'whole' FROM runs r WHERE id = ?", "i",
				   l->points.data[i].run))
			return true;
	return false;
}

static void add_short(struct listing *l)
{
	char *shown = arena_strdup(&l->arena, kind_of(l)->shown), *rest = shown;
	const char *name;

	add_fixed(l, "id");
	if (l->studies.len > 1)
		add_fixed(l, "study");
	for (enum dimension i = 0; i < DIM_COUNT; i++)
		if (i == DIM_PROGRAM || varies(l, i))
			add_fixed(l, dimension_names[i]);
	for (int i = 0; i < 3 && kind_of(l)->names[i]; i++)
		add_column(l, FROM_PART, kind_of(l)->names[i], i);
	if (l->request->kind == LISTING_RUNS)
		add_fixed(l, "state");
	if (has_extents(l))
		add_fixed(l, "extent");
	while ((name = strsep(&rest, ",")) != NULL)
		add_counter(l, name);
	if (l->request->kind == LISTING_RUNS)
		add_fixed(l, "wall_seconds");
}

static void add_all(struct listing *l)
{
	struct rows rows;

	add_fixed(l, "study");
	for (enum dimension i = 0; i < DIM_COUNT; i++)
		add_fixed(l, dimension_names[i]);
	for (int i = 0; i < RUN_COLUMNS; i++)
		if (run_columns[i].exported &&
		    (l->request->kind == LISTING_RUNS || i == 0 || strcmp(run_columns[i].name, "extent") == 0))
			add_column(l, FROM_RUN, run_columns[i].name, i);
	for (int i = 0; i < 3 && kind_of(l)->names[i]; i++)
		add_column(l, FROM_PART, kind_of(l)->names[i], i);
	rows = database_ask(l->db, kind_of(l)->counters, "");
	while (database_next(&rows)) {
		add_column(l, FROM_COUNTER, arena_strdup(&l->arena, database_text(&rows, 1)), 0);
		vec_last(&l->columns).counter = database_int(&rows, 0);
	}
}

static int choose_columns(struct listing *l)
{
	if (l->request->columns)
		return add_named(l, l->request->columns);
	if (l->request->all_columns)
		add_all(l);
	else
		add_short(l);
	return 0;
}

/* --- Cells --- */

static void put_number(struct listing *l, double value)
{
	if (l->request->rounded && value != (double)(int64_t)value)
		sheet_addf(l->sheet, "%.4g", value);
	else
		sheet_add_number(l->sheet, value);
}

static void put_row(struct listing *l, struct rows *rows, enum sheet_kind kind)
{
	if (!database_next(rows) || database_is_null(rows, 0))
		sheet_add(l->sheet, NULL);
	else if (kind == SHEET_NUMBER)
		put_number(l, database_real(rows, 0));
	else
		sheet_add(l->sheet, database_text(rows, 0));
	database_end(rows);
}

static void put_counter(struct listing *l, const struct point *point, const struct column *column)
{
	const char *sql = kind_of(l)->value;
	struct rows rows = kind_of(l)->parts ? database_ask(l->db, sql, "iii", point->run, column->counter, point->part)
					     : database_ask(l->db, sql, "ii", point->run, column->counter);

	put_row(l, &rows, SHEET_NUMBER);
}

static void put_cell(struct listing *l, const struct point *point, const struct column *column)
{
	struct rows rows;

	switch (column->source) {
	case FROM_STUDY: sheet_add(l->sheet, l->studies.data[point->study].name); break;
	case FROM_POINT: sheet_add(l->sheet, point->names[column->index]); break;
	case FROM_PART: sheet_add(l->sheet, point->part_names[column->index]); break;
	case FROM_COUNTER: put_counter(l, point, column); break;
	case FROM_RUN:
		rows = database_ask(l->db, run_columns[column->index].sql, "i", point->run);
		put_row(l, &rows, run_columns[column->index].kind);
		break;
	case FROM_CONFIG:
		rows = database_ask(l->db,
				    "SELECT json_extract(c.json, ?) FROM configs c JOIN runs r ON r.config = c.hash"
				    " WHERE r.id = ?",
				    "si", column->path, point->run);
		put_row(l, &rows, SHEET_TEXT);
	}
}

static enum sheet_kind kind_of_column(const struct listing *l, const struct column *column)
{
	switch (column->source) {
	case FROM_COUNTER: return SHEET_NUMBER;
	case FROM_RUN: return run_columns[column->index].kind;
	case FROM_POINT: return column->index == DIM_SEED ? SHEET_NUMBER : SHEET_TEXT;
	case FROM_PART:
		return strcmp(column->name, "launch") == 0 || kind_of(l)->kernel < 0 ? SHEET_NUMBER : SHEET_TEXT;
	default: return SHEET_TEXT;
	}
}

static void fill(struct listing *l)
{
	for (size_t i = 0; i < l->columns.len; i++)
		sheet_column(l->sheet, l->columns.data[i].name, kind_of_column(l, &l->columns.data[i]));
	for (size_t i = 0; i < l->points.len; i++)
		for (size_t k = 0; k < l->columns.len; k++)
			put_cell(l, &l->points.data[i], &l->columns.data[k]);
}

int listing_rows(struct database *db, const struct listing_request *request, struct sheet *t, struct diag *d)
{
	struct listing l = {.db = db, .request = request, .sheet = t, .d = d};
	int status;

	database_do(db, "BEGIN", ""); /* one lock for all that is read */
	status = check_state(&l);
	if (status == 0)
		status = read_studies(&l);
	for (size_t i = 0; status == 0 && i < l.studies.len; i++)
		read_points(&l, i);
	if (status == 0)
		status = choose_columns(&l);
	if (status == 0) {
		fill(&l);
		status = database_check(db, d);
	}
	database_do(db, "END", "");
	for (size_t i = 0; i < l.studies.len; i++)
		study_free(l.studies.data[i].study);
	vec_release(&l.studies);
	vec_release(&l.points);
	vec_release(&l.columns);
	arena_release(&l.arena);
	return status;
}

void listing_totals(struct database *db, int64_t run, bool rounded, struct sheet *t)
{
	struct rows rows =
	    database_ask(db, "SELECT name, value FROM run_counters WHERE run = ? ORDER BY name", "i", run);
	const struct listing_request request = {.rounded = rounded};
	struct listing l = {.request = &request, .sheet = t};

	sheet_column(t, "counter", SHEET_TEXT);
	sheet_column(t, "value", SHEET_NUMBER);
	while (database_next(&rows)) {
		sheet_add(t, database_text(&rows, 0));
		put_number(&l, database_real(&rows, 1));
	}
}
