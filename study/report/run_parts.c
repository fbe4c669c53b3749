/* Each kind of part is a row with its statements: which parts a run has, and the counters of one of them. */
#include "study/report/run_parts.h"

#include "common/demangle.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const part_names[PART_KINDS] = {
    [PART_SLICE] = "slice",   [PART_CHANNEL] = "channel", [PART_STRUCTURE] = "structure",
    [PART_KERNEL] = "kernel", [PART_EPOCH] = "epoch",
};

#define COUNTER " (SELECT id FROM counters WHERE name = ?)"

/* Columns of `list`: number, kernel, id. Counters are queried by run, by counter, and by what identifies the part. */
static const struct {
	const char *list, *number, *has, *counters;
	const char *tells; /* types of what tells the part: i: its number; ss: kernel and id */
} kinds[PART_KINDS] = {
    [PART_SLICE] = {"SELECT DISTINCT unit, NULL, NULL FROM unit_values WHERE run = ? AND kind = 'slices'",
		    "SELECT value FROM unit_values WHERE kind = 'slices' AND run = ? AND counter =" COUNTER
		    " AND unit = ?",
		    "SELECT 1 FROM unit_values WHERE kind = 'slices' AND run = ? AND counter =" COUNTER " LIMIT 1",
		    "SELECT DISTINCT c.name FROM unit_values v JOIN counters c ON c.id = v.counter"
		    " WHERE v.run = ? AND v.kind = 'slices'",
		    "i"},
    [PART_CHANNEL] = {"SELECT DISTINCT unit, NULL, NULL FROM unit_values WHERE run = ? AND kind = 'channels'",
		      "SELECT value FROM unit_values WHERE kind = 'channels' AND run = ? AND counter =" COUNTER
		      " AND unit = ?",
		      "SELECT 1 FROM unit_values WHERE kind = 'channels' AND run = ? AND counter =" COUNTER " LIMIT 1",
		      "SELECT DISTINCT c.name FROM unit_values v JOIN counters c ON c.id = v.counter"
		      " WHERE v.run = ? AND v.kind = 'channels'",
		      "i"},
    [PART_STRUCTURE] = {"SELECT number, kernel, id FROM structures WHERE run = ?",
			"SELECT value FROM structure_values v JOIN structures s ON s.run = v.run AND s.number = "
			"v.number WHERE v.run = ? AND v.counter =" COUNTER " AND s.kernel = ? AND s.id = ?",
			"SELECT 1 FROM structure_values WHERE run = ? AND counter =" COUNTER " LIMIT 1",
			"SELECT DISTINCT c.name FROM structure_values v JOIN counters c ON c.id = v.counter"
			" WHERE v.run = ?",
			"ss"},
    [PART_KERNEL] = {"SELECT launch, name, NULL FROM kernels WHERE run = ?",
		     "SELECT v.value FROM kernel_values v WHERE v.run = ? AND v.counter =" COUNTER " AND v.launch = ?",
		     "SELECT 1 FROM kernel_values WHERE run = ? AND counter =" COUNTER " LIMIT 1",
		     "SELECT DISTINCT c.name FROM kernel_values v JOIN counters c ON c.id = v.counter"
		     " WHERE v.run = ?",
		     "i"},
    [PART_EPOCH] = {"SELECT DISTINCT cycle, NULL, NULL FROM epoch_values WHERE run = ?",
		    "SELECT value FROM epoch_values WHERE run = ? AND counter =" COUNTER " AND cycle = ?",
		    "SELECT 1 FROM epoch_values WHERE run = ? AND counter =" COUNTER " LIMIT 1",
		    "SELECT DISTINCT c.name FROM epoch_values v JOIN counters c ON c.id = v.counter WHERE v.run = ?",
		    "i"},
};

enum part_kind part_find(const char *name)
{
	enum part_kind kind = 0;

	while (kind < PART_KINDS && strcmp(part_names[kind], name) != 0)
		kind++;
	return kind;
}

void parts_init(struct parts *p, struct database *db, enum part_kind kind)
{
	*p = (struct parts){.db = db, .kind = kind};
}

void parts_release(struct parts *p)
{
	vec_release(&p->list);
	vec_release(&p->runs);
	vec_release(&p->counters);
	arena_release(&p->arena);
}

/* --- The list of parts --- */

static int compare(const void *a, const void *b)
{
	const struct run_part *x = a, *y = b;

	if (x->kernel && y->kernel && strcmp(x->kernel, y->kernel) != 0)
		return x->number < y->number ? -1 : 1;
	if (x->id && y->id)
		return strcmp(x->id, y->id);
	return (x->number > y->number) - (x->number < y->number);
}

static bool is_same(const struct run_part *x, const struct run_part *y)
{
	if (x->kernel && y->kernel && strcmp(x->kernel, y->kernel) != 0)
		return false;
	return x->id && y->id ? strcmp(x->id, y->id) == 0 : x->number == y->number;
}

/* Without its parameters. */
static const char *kernel_label(struct arena *arena, const char *kernel)
{
	char *name = demangle(kernel);
	const char *label;

	name[strcspn(name, "(")] = '\0';
	label = arena_strdup(arena, name);
	xfree(name);
	return label;
}

static const char *label_of(struct parts *p, const struct run_part *part)
{
	if (part->id)
		return arena_printf(&p->arena, "%s %s", kernel_label(&p->arena, part->kernel), part->id);
	if (part->kernel)
		return arena_printf(&p->arena, "%s #%" PRId64, kernel_label(&p->arena, part->kernel), part->number);
	return arena_printf(&p->arena, "%" PRId64, part->number);
}

/*
 * Runs of a trace mostly have the same parts in the same order, so the search for the next part begins behind the last.
 */
static bool is_there(const struct parts *p, const struct run_part *part, size_t *guess)
{
	for (size_t i = 0; i < p->list.len; i++) {
		size_t at = (*guess + i) % p->list.len;

		if (is_same(&p->list.data[at], part)) {
			*guess = at + 1;
			return true;
		}
	}
	return false;
}

void parts_collect(struct parts *p, int64_t run)
{
	struct rows rows = database_ask(p->db, kinds[p->kind].list, "i", run);
	size_t guess = 0;

	vec_push(&p->runs, run);
	while (database_next(&rows)) {
		struct run_part part = {.number = database_int(&rows, 0)};

		if (!database_is_null(&rows, 1))
			part.kernel = database_text(&rows, 1);
		if (!database_is_null(&rows, 2))
			part.id = database_text(&rows, 2);
		if (is_there(p, &part, &guess))
			continue;
		part.kernel = part.kernel ? arena_strdup(&p->arena, part.kernel) : NULL;
		part.id = part.id ? arena_strdup(&p->arena, part.id) : NULL;
		part.label = label_of(p, &part);
		vec_push(&p->list, part);
	}
}

/* Structures and kernels stay in the order of the traces. */
void parts_sort(struct parts *p)
{
	if (p->list.len && !p->list.data[0].kernel)
		qsort(p->list.data, p->list.len, sizeof *p->list.data, compare);
}

/* --- Counters --- */

static const struct part_counter *counter_of(struct parts *p, const char *name)
{
	struct part_counter counter = {.name = name};

	for (size_t i = 0; i < p->counters.len; i++)
		if (strcmp(p->counters.data[i].name, name) == 0)
			return &p->counters.data[i];
	for (size_t i = 0; i < p->runs.len && !counter.of_part; i++) {
		counter.of_part = database_count(p->db, kinds[p->kind].has, "is", p->runs.data[i], name) != 0;
		counter.of_run = counter.of_run ||
				 database_count(p->db, "SELECT 1 FROM run_values WHERE run = ? AND counter =" COUNTER,
						"is", p->runs.data[i], name) != 0;
	}
	counter.name = arena_strdup(&p->arena, name);
	vec_push(&p->counters, counter);
	return &vec_last(&p->counters);
}

static struct rows ask_part(struct parts *p, int64_t run, const char *counter, const struct run_part *part)
{
	if (kinds[p->kind].tells[0] == 's')
		return database_ask(p->db, kinds[p->kind].number, "isss", run, counter, part->kernel, part->id);
	return database_ask(p->db, kinds[p->kind].number, "isi", run, counter, part->number);
}

/* Whether a run has the part at all; counters that are 0 are left out of some parts. */
static bool has_part(struct parts *p, int64_t run, const struct run_part *part)
{
	if (p->kind == PART_STRUCTURE)
		return database_count(p->db, "SELECT 1 FROM structures WHERE run = ? AND kernel = ? AND id = ?", "iss",
				      run, part->kernel, part->id) != 0;
	if (p->kind == PART_KERNEL)
		return database_count(p->db, "SELECT 1 FROM kernels WHERE run = ? AND launch = ? AND name = ?", "iis",
				      run, part->number, part->kernel) != 0;
	return false;
}

bool parts_are_cut(const struct parts *p)
{
	return p->kind != PART_EPOCH;
}

static bool take_number(struct rows rows, double *value)
{
	bool found = database_next(&rows);

	*value = found ? database_real(&rows, 0) : 0;
	database_end(&rows);
	return found;
}

bool parts_run_number(struct parts *p, int64_t run, const char *name, double *value)
{
	return take_number(
	    database_ask(p->db, "SELECT value FROM run_values WHERE run = ? AND counter =" COUNTER, "is", run, name),
	    value);
}

bool parts_number(struct parts *p, int64_t run, const char *name, double *value)
{
	const struct part_counter *counter = counter_of(p, name);
	const struct run_part *part = &p->list.data[p->current];

	if (!counter->of_part)
		return counter->of_run && parts_run_number(p, run, name, value);
	return take_number(ask_part(p, run, name, part), value) || has_part(p, run, part);
}

const char *parts_unknown(struct parts *p, struct guess *g)
{
	for (size_t i = 0; i < p->counters.len; i++) {
		const struct part_counter *counter = &p->counters.data[i];
		struct rows rows;

		if (counter->of_part || counter->of_run)
			continue;
		rows = database_ask(p->db, kinds[p->kind].counters, "i", p->runs.len ? p->runs.data[0] : 0);
		*g = guess_start(counter->name, strlen(counter->name));
		while (database_next(&rows))
			guess_try(g, database_text(&rows, 0));
		return counter->name;
	}
	return NULL;
}
