/* A walk over a result: a number's name is the path of keys that lead to it, such as "llc.miss_rate". */
#include "study/database/numbers.h"

#include "common/c_locale.h"
#include "common/file.h"
#include "common/xalloc.h"

#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { MAX_NAME = 256, MAX_COLUMNS = 256 };

static int64_t counter(struct database *db, const char *name)
{
	int64_t id = database_count(db, "SELECT id FROM counters WHERE name = ?", "s", name);

	if (id)
		return id;
	database_do(db, "INSERT INTO counters(name) VALUES(?)", "s", name);
	return database_added(db);
}

/* --- Totals and kernels --- */

/* Where a number goes: a statement, and its values before the counter. */
struct target {
	struct database *db;
	const char *sql;
	int64_t run, part; /* part -1: the statement has no part */
};

static void put(const struct target *t, const char *name, double value)
{
	if (t->part < 0)
		database_do(t->db, t->sql, "iid", t->run, counter(t->db, name), value);
	else
		database_do(t->db, t->sql, "iiid", t->run, t->part, counter(t->db, name), value);
}

static void walk(const struct target *t, json_t *object, const char *prefix)
{
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value)
	{
		char name[MAX_NAME];

		snprintf(name, sizeof name, "%s%s%s", prefix, *prefix ? "." : "", key);
		if (strcmp(name, "config") == 0 || strcmp(name, "host") == 0 || strcmp(name, "schema") == 0)
			continue;
		if (json_is_number(value))
			put(t, name, json_number_value(value));
		else if (json_is_boolean(value))
			put(t, name, json_is_true(value));
		else if (json_is_object(value))
			walk(t, value, name);
	}
}

static void store_kernels(struct database *db, int64_t run, json_t *kernels)
{
	size_t i;
	json_t *kernel;

	json_array_foreach(kernels, i, kernel)
	{
		int64_t launch = json_integer_value(json_object_get(kernel, "launch"));
		const char *name = json_string_value(json_object_get(kernel, "name"));
		const struct target t = {
		    db, "INSERT OR REPLACE INTO kernel_values(run, launch, counter, value) VALUES(?, ?, ?, ?)", run,
		    launch};

		database_do(db, "INSERT OR REPLACE INTO kernels(run, launch, name) VALUES(?, ?, ?)", "iis", run, launch,
			    name ? name : "");
		walk(&t, kernel, "");
	}
}

/* --- Structures and units --- */

static const char *text_of(json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

static void store_structures(struct database *db, int64_t run, json_t *structures)
{
	size_t i;
	json_t *structure;

	json_array_foreach(structures, i, structure)
	{
		const struct target t = {
		    db, "INSERT OR REPLACE INTO structure_values(run, number, counter, value) VALUES(?, ?, ?, ?)", run,
		    (int64_t)i};

		database_do(db,
			    "INSERT OR REPLACE INTO structures(run, number, kernel, id, verdict) VALUES(?, ?, ?, ?, ?)",
			    "iisss", run, (int64_t)i, text_of(structure, "kernel"), text_of(structure, "id"),
			    text_of(structure, "verdict"));
		walk(&t, structure, "");
	}
}

static void store_list(struct database *db, int64_t run, const char *kind, int64_t counter, json_t *list)
{
	size_t i;
	json_t *value;

	json_array_foreach(list, i, value) if (json_is_number(value))
	    database_do(db, "INSERT OR REPLACE INTO unit_values(run, kind, counter, unit, value) VALUES(?, ?, ?, ?, ?)",
			"isiid", run, kind, counter, (int64_t)i, json_number_value(value));
}

/* Lists with a number for each slice or channel. */
static void store_units(struct database *db, int64_t run, const char *kind, json_t *lists)
{
	const char *key;
	json_t *list;

	json_object_foreach(lists, key, list) store_list(db, run, kind, counter(db, key), list);
}

/* --- Epochs --- */

static size_t split(char *line, char **parts, size_t room)
{
	size_t n = 0;
	char *end;

	for (char *at = line; at && n < room; at = end ? end + 1 : NULL) {
		end = strchr(at, ',');
		if (end)
			*end = '\0';
		parts[n++] = at;
	}
	return n;
}

/* The first column is the cycle. */
static void store_epoch(struct database *db, int64_t run, char *line, const int64_t *counters, size_t columns)
{
	char *parts[MAX_COLUMNS];
	size_t n = split(line, parts, MAX_COLUMNS);
	int64_t cycle = strtoll(parts[0], NULL, 10);

	for (size_t i = 1; i < n && i < columns; i++)
		database_do(db, "INSERT OR REPLACE INTO epoch_values(run, cycle, counter, value) VALUES(?, ?, ?, ?)",
			    "iiid", run, cycle, counters[i], c_strtod(parts[i], NULL));
}

static int store_epochs(struct database *db, int64_t run, const char *path, struct diag *d)
{
	char *names[MAX_COLUMNS], *line, *next;
	int64_t counters[MAX_COLUMNS];
	struct file_data text;
	size_t columns;

	if (file_read(path, &text, d) < 0)
		return DIAG_ERROR;
	line = text.data;
	next = strchr(line, '\n');
	if (next)
		*next++ = '\0';
	columns = split(line, names, MAX_COLUMNS);
	for (size_t i = 0; i < columns; i++)
		counters[i] = counter(db, names[i]);
	while (next && *next) {
		line = next;
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		store_epoch(db, run, line, counters, columns);
	}
	file_data_release(&text);
	return 0;
}

/* --- All of it --- */

static void store_document(struct database *db, int64_t run, const struct file_data *text)
{
	size_t room = ZSTD_compressBound(text->size);
	void *frame = xmalloc(room);
	size_t size = ZSTD_compress(frame, room, text->data, text->size, 3);

	if (!ZSTD_isError(size))
		database_put_blob(db, "INSERT OR REPLACE INTO documents(run, zstd) VALUES(?, ?)", frame, size, "i",
				  run);
	xfree(frame);
}

static void store_parts(struct database *db, int64_t run, json_t *root, const struct study_simulation *keep)
{
	if (keep->keep_kernels)
		store_kernels(db, run, json_object_get(root, "kernels"));
	if (keep->keep_structures)
		store_structures(db, run, json_object_get(root, "structures"));
	if (keep->keep_slices) {
		store_units(db, run, "slices", json_object_get(root, "slices"));
		store_units(db, run, "channels", json_object_get(root, "channels"));
		store_units(db, run, "chips", json_object_get(root, "chips"));
	}
}

static void store(struct database *db, int64_t run, json_t *root, const struct study_simulation *keep)
{
	const struct target t = {db, "INSERT OR REPLACE INTO run_values(run, counter, value) VALUES(?, ?, ?)", run, -1};

	walk(&t, root, "");
	store_parts(db, run, root, keep);
}

int numbers_store(struct database *db, int64_t run, const char *folder, const struct study_simulation *keep,
		  struct diag *d)
{
	char path[PATH_MAX];
	struct file_data text;
	json_error_t error;
	json_t *root;

	snprintf(path, sizeof path, "%s/result.json", folder);
	if (file_read(path, &text, d) < 0)
		return DIAG_ERROR;
	root = json_loadb(text.data, text.size, 0, &error);
	if (root) {
		store_document(db, run, &text);
		store(db, run, root, keep);
	}
	file_data_release(&text);
	if (!root)
		return diag_set(d, path, (unsigned)error.line, (unsigned)error.column, "no JSON: %s", error.text);
	json_decref(root);
	snprintf(path, sizeof path, "%s/series.csv", folder);
	return keep->keep_epochs ? store_epochs(db, run, path, d) : 0;
}

void numbers_remove(struct database *db, int64_t run)
{
	database_do(db, "DELETE FROM run_values WHERE run = ?", "i", run);
	database_do(db, "DELETE FROM kernels WHERE run = ?", "i", run);
	database_do(db, "DELETE FROM kernel_values WHERE run = ?", "i", run);
	database_do(db, "DELETE FROM structures WHERE run = ?", "i", run);
	database_do(db, "DELETE FROM structure_values WHERE run = ?", "i", run);
	database_do(db, "DELETE FROM unit_values WHERE run = ?", "i", run);
	database_do(db, "DELETE FROM epoch_values WHERE run = ?", "i", run);
	database_do(db, "DELETE FROM documents WHERE run = ?", "i", run);
}

char *numbers_document(struct database *db, int64_t run, size_t *size)
{
	struct rows rows = database_ask(db, "SELECT zstd FROM documents WHERE run = ?", "i", run);
	char *text = NULL;

	if (database_next(&rows)) {
		size_t length;
		const void *frame = database_blob(&rows, 0, &length);
		unsigned long long whole = ZSTD_getFrameContentSize(frame, length);

		if (whole < ZSTD_CONTENTSIZE_ERROR) {
			text = xmalloc(whole + 1);
			*size = ZSTD_decompress(text, whole, frame, length);
			text[whole] = '\0';
		}
		database_end(&rows);
	}
	return text;
}

void numbers_complete(struct database *db, int64_t run, const struct study_simulation *keep)
{
	const struct study_simulation missing = {
	    .keep_kernels = keep->keep_kernels &&
			    !database_count(db, "SELECT EXISTS(SELECT 1 FROM kernels WHERE run = ?)", "i", run),
	    .keep_structures = keep->keep_structures &&
			       !database_count(db, "SELECT EXISTS(SELECT 1 FROM structures WHERE run = ?)", "i", run),
	    .keep_slices = keep->keep_slices &&
			   !database_count(db, "SELECT EXISTS(SELECT 1 FROM unit_values WHERE run = ?)", "i", run)};
	size_t size = 0;
	char *text = NULL;
	json_t *root;

	if (missing.keep_kernels || missing.keep_structures || missing.keep_slices)
		text = numbers_document(db, run, &size);
	root = text ? json_loadb(text, size, 0, NULL) : NULL;
	if (root)
		store_parts(db, run, root, &missing);
	json_decref(root);
	xfree(text);
}
