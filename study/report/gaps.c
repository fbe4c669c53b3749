/* Rows are joined along one dimension after the other, where they agree in all others. */
#include "study/report/gaps.h"

#include "study/plan.h"
#include "study/results.h"

#include "common/strbuf.h"

#include <string.h>
#include <uthash.h>

struct gap {
	const char *values[DIM_COUNT]; /* names, with commas between them */
	const char *state;             /* "failed", "missing" */
	size_t joined[DIM_COUNT];      /* how many names */
	size_t points;
	const char *others; /* the key: everything that a join does not change */
	UT_hash_handle hh;
};

struct gaps {
	struct study *study;
	struct arena arena;
	VEC(struct gap *) list;
};

/* --- The points --- */

/* Marks the points of this state, by their numbers in the plan. */
static void mark(struct database *db, const struct results_points *points, const struct study *s, const char *state,
		 char letter, char *marks)
{
	struct rows rows =
	    database_ask(db, "SELECT j.key FROM " RESULTS_POINTS " JOIN runs r ON r.id = p.run WHERE r.state = ?",
			 "sss", points->json, s->name, state);

	while (database_next(&rows))
		marks[database_int(&rows, 0)] = letter;
}

static void add_gap(struct gaps *g, const struct plan *p, const struct plan_point *point, const char *state)
{
	struct gap *gap = arena_new(&g->arena, struct gap);

	*gap = (struct gap){.state = state, .points = 1};
	for (enum dimension i = 0; i < DIM_COUNT; i++) {
		gap->values[i] = arena_strdup(&g->arena, plan_value(p, point, i));
		gap->joined[i] = 1;
	}
	vec_push(&g->list, gap);
}

static void collect(struct gaps *g, struct database *db)
{
	struct results_points points = results_points(g->study);
	struct plan *p = plan_create(g->study, NULL);
	char *marks = xcalloc(points.count + 1, 1);

	mark(db, &points, g->study, run_state_names[RUN_DONE], 'd', marks);
	mark(db, &points, g->study, run_state_names[RUN_FAILED], 'f', marks);
	for (size_t i = 0; i < points.count; i++)
		if (marks[i] != 'd')
			add_gap(g, p, &p->points.data[i], marks[i] == 'f' ? "failed" : "missing");
	xfree(marks);
	plan_free(p);
	results_points_release(&points);
}

/* --- Joins --- */

/* A text that is equal for two gaps if they differ only in `dimension`. */
static const char *others_of(struct gaps *g, const struct gap *gap, enum dimension dimension)
{
	struct strbuf text = STRBUF_INIT;
	const char *others;

	strbuf_adds(&text, gap->state);
	for (enum dimension i = 0; i < DIM_COUNT; i++)
		if (i != dimension)
			strbuf_addf(&text, "\n%s", gap->values[i]);
	others = arena_strdup(&g->arena, text.data);
	strbuf_release(&text);
	return others;
}

static void join_along(struct gaps *g, enum dimension dimension)
{
	struct gap *table = NULL;
	size_t kept = 0;

	for (size_t i = 0; i < g->list.len; i++) {
		struct gap *gap = g->list.data[i], *first;

		gap->others = others_of(g, gap, dimension);
		HASH_FIND_STR(table, gap->others, first);
		if (!first) {
			HASH_ADD_KEYPTR(hh, table, gap->others, strlen(gap->others), gap);
			g->list.data[kept++] = gap;
			continue;
		}
		first->values[dimension] =
		    arena_printf(&g->arena, "%s, %s", first->values[dimension], gap->values[dimension]);
		first->joined[dimension] += gap->joined[dimension];
		first->points += gap->points;
	}
	HASH_CLEAR(hh, table);
	g->list.len = kept;
}

/* --- The table --- */

/* How many values the study has of a dimension; 0: they depend on another dimension. */
static size_t count_of(const struct study *s, enum dimension dimension)
{
	switch (dimension) {
	case DIM_PROGRAM: return s->programs.len;
	case DIM_GPU: return s->gpus.len;
	case DIM_VARIANT: return s->variants.len;
	case DIM_POLICY: return s->policies.len;
	case DIM_SEED: return s->seeds.len;
	default: return 0;
	}
}

static bool is_shown(const struct study *s, enum dimension dimension)
{
	if (dimension != DIM_SIZE)
		return dimension == DIM_PROGRAM || count_of(s, dimension) > 1;
	for (size_t i = 0; i < s->programs.len; i++)
		if (s->programs.data[i].sizes.len > 1)
			return true;
	return false;
}

static void add_row(struct sheet *t, const struct study *s, const struct gap *gap)
{
	for (enum dimension i = 0; i < DIM_COUNT; i++)
		if (is_shown(s, i))
			sheet_add(t, gap->joined[i] > 1 && gap->joined[i] == count_of(s, i) ? "all" : gap->values[i]);
	sheet_addf(t, "%zu", gap->points);
	sheet_add(t, gap->state);
}

void gaps_lay_out(struct sheet *t, struct study *s, struct database *db)
{
	static const enum dimension order[] = {DIM_SEED, DIM_POLICY, DIM_VARIANT, DIM_GPU, DIM_SIZE, DIM_PROGRAM};
	struct gaps g = {.study = s, .arena = ARENA_INIT};

	for (enum dimension i = 0; i < DIM_COUNT; i++)
		if (is_shown(s, i))
			sheet_column(t, dimension_names[i], SHEET_TEXT);
	sheet_column(t, "points", SHEET_NUMBER);
	sheet_column(t, "state", SHEET_TEXT);
	collect(&g, db);
	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		join_along(&g, order[i]);
	for (size_t i = 0; i < g.list.len; i++)
		add_row(t, s, g.list.data[i]);
	vec_release(&g.list);
	arena_release(&g.arena);
}
