/* Points come in the study's order, not the database's: figures keep it. */
#include "study/results.h"

#include "study/plan.h"

#include <jansson.h>

#include <stdlib.h>
#include <string.h>

static bool number(void *arg, int64_t run, int64_t launch, const char *counter, double *value)
{
	struct database *db = arg;
	struct rows rows;
	bool found;

	if (launch < 0)
		rows = database_ask(db,
				    "SELECT v.value FROM run_values v WHERE v.run = ?"
				    " AND v.counter = (SELECT id FROM counters WHERE name = ?)",
				    "is", run, counter);
	else
		rows = database_ask(db,
				    "SELECT v.value FROM kernel_values v WHERE v.run = ? AND v.launch ="
				    " (SELECT launch FROM kernels WHERE run = ? ORDER BY launch LIMIT 1 OFFSET ?)"
				    " AND v.counter = (SELECT id FROM counters WHERE name = ?)",
				    "iiis", run, run, launch, counter);
	found = database_next(&rows);
	if (found)
		*value = database_real(&rows, 0);
	database_end(&rows);
	return found;
}

static int64_t launches(void *arg, int64_t run)
{
	return database_count(arg, "SELECT count(*) FROM kernels WHERE run = ?", "i", run);
}

static void add(struct database *db, struct frame *f, const struct plan *p, const struct plan_point *point)
{
	const char *values[DIM_COUNT];
	struct rows rows;

	for (enum dimension i = 0; i < DIM_COUNT; i++)
		values[i] = plan_value(p, point, i);
	rows = database_ask(db,
			    "SELECT r.id, r.state = 'done' FROM points p JOIN runs r ON r.id = p.run"
			    " WHERE p.study = (SELECT id FROM studies WHERE name = ?) AND p.program = ? AND p.size = ?"
			    " AND p.gpu = ? AND p.variant = ? AND p.policy = ? AND p.seed = ?",
			    "ssssssi", p->study->name, values[DIM_PROGRAM], values[DIM_SIZE], values[DIM_GPU],
			    values[DIM_VARIANT], values[DIM_POLICY], (int64_t)strtoll(values[DIM_SEED], NULL, 10));
	if (database_next(&rows))
		frame_add(f, values, database_int(&rows, 0), database_int(&rows, 1) != 0);
	database_end(&rows);
}

struct frame *frame_of(struct database *db, struct study *s, struct diag *d)
{
	struct frame_source source = {db, number, launches};
	struct frame *f = frame_create(s, &source);
	struct plan *p = plan_create(s, NULL);

	for (size_t i = 0; i < p->points.len; i++)
		add(db, f, p, &p->points.data[i]);
	plan_free(p);
	if (database_check(db, d) == 0)
		return f;
	frame_free(f);
	return NULL;
}

static json_t *json_of_point(const struct plan *p, const struct plan_point *point)
{
	json_t *values = json_array();

	for (enum dimension i = 0; i < DIM_COUNT; i++) {
		const char *value = plan_value(p, point, i);

		json_array_append_new(values, i == DIM_SEED ? json_integer(strtoll(value, NULL, 10))
							    : json_stringn_nocheck(value, strlen(value)));
	}
	return values;
}

struct results_points results_points(struct study *s)
{
	struct plan *p = plan_create(s, NULL);
	struct results_points points = {.count = p->points.len};
	json_t *list = json_array();

	for (size_t i = 0; i < p->points.len; i++)
		json_array_append_new(list, json_of_point(p, &p->points.data[i]));
	points.json = json_dumps(list, JSON_COMPACT);
	json_decref(list);
	plan_free(p);
	return points;
}

void results_points_release(struct results_points *points)
{
	free(points->json);
	points->json = NULL;
}
