/*
 * The journal is SQLite's usual one and not its write-ahead log: that needs memory which all users share, and a results
 * database may lie in a folder that several machines mount.
 */
#include "study/database/database.h"

#include "common/vec.h"
#include "study/database/schema.h"

#include <sqlite3.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

enum { PATIENCE_MS = 60000 };

struct statement {
	const char *sql; /* the key of the statement is this address */
	sqlite3_stmt *handle;
};

struct database {
	sqlite3 *handle;
	char *path;
	char *error; /* the first; NULL: none */
	VEC(struct statement) statements;
};

static void note_error(struct database *db)
{
	if (!db->error)
		db->error = xstrdup(sqlite3_errmsg(db->handle));
}

static void run_plain(struct database *db, const char *sql)
{
	if (!db->error && sqlite3_exec(db->handle, sql, NULL, NULL, NULL) != SQLITE_OK)
		note_error(db);
}

/* --- Opening --- */

static bool is_empty(struct database *db)
{
	return database_count(db, "SELECT count(*) FROM sqlite_schema", "") == 0;
}

static int check_kind(struct database *db, struct diag *d)
{
	int64_t application = database_count(db, "PRAGMA application_id", "");
	int64_t schema = database_count(db, "PRAGMA user_version", "");

	if (database_check(db, d) < 0)
		return DIAG_ERROR;
	if (application != DATABASE_APPLICATION)
		return diag_file(d, db->path, "not a database of romark's results; give another name");
	if (schema != DATABASE_SCHEMA)
		return diag_file(d, db->path, "the tables are of version %lld, and this romark knows version %d",
				 (long long)schema, DATABASE_SCHEMA);
	return 0;
}

static void create_tables(struct database *db)
{
	char pragma[64];

	run_plain(db, database_schema);
	snprintf(pragma, sizeof pragma, "PRAGMA application_id = %d", DATABASE_APPLICATION);
	run_plain(db, pragma);
	snprintf(pragma, sizeof pragma, "PRAGMA user_version = %d", DATABASE_SCHEMA);
	run_plain(db, pragma);
}

/* Two sweeps may begin at the same moment. */
static int create(struct database *db, struct diag *d)
{
	database_begin(db);
	if (is_empty(db))
		create_tables(db);
	return database_commit(db, d);
}

static int prepare(struct database *db, enum database_mode mode, struct diag *d)
{
	sqlite3_busy_timeout(db->handle, PATIENCE_MS);
	if (mode == DATABASE_WRITE && is_empty(db) && create(db, d) < 0)
		return DIAG_ERROR;
	if (check_kind(db, d) < 0)
		return DIAG_ERROR;
	if (mode == DATABASE_READ)
		run_plain(db, "PRAGMA query_only = 1");
	return 0;
}

/*
 * Refuses names under which nothing would be kept (a pipe, a folder), or that would lead to another file than the name
 * says.
 */
int database_check_name(const char *path, struct diag *d)
{
	struct stat st;

	if (!*path)
		return diag_file(d, NULL, "the database of results has an empty name; give the name of a file");
	if (strcmp(path, "-") == 0)
		return diag_file(d, NULL,
				 "a database of results is a file, not a stream; './-' is a file of this name");
	if (path[strlen(path) - 1] == '/' || (stat(path, &st) == 0 && S_ISDIR(st.st_mode)))
		return diag_file(d, path, "this is a folder; a database of results is a file");
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return diag_file(d, path, "not a file, so it would keep nothing; give the name of a file");
	return 0;
}

/* SQLite gives ":memory:" and "file:x?mode=memory" a meaning of their own, unless they begin with a folder. */
static int open_file(struct database *db, int flags)
{
	char *name = xmalloc(strlen(db->path) + 3);
	int status;

	sprintf(name, "%s%s", db->path[0] == '/' ? "" : "./", db->path);
	status = sqlite3_open_v2(name, &db->handle, flags, NULL);
	xfree(name);
	return status;
}

struct database *database_open(const char *path, enum database_mode mode, struct diag *d)
{
	/* A reader may have to finish what a sweep that was killed has left in the journal. */
	int flags = SQLITE_OPEN_READWRITE | (mode == DATABASE_WRITE ? SQLITE_OPEN_CREATE : 0);
	struct database *db = xcalloc(1, sizeof *db);

	db->path = xstrdup(path);
	if (database_check_name(path, d) < 0)
		;
	else if (open_file(db, flags) != SQLITE_OK)
		diag_file(d, path, "cannot open this database: %s", sqlite3_errmsg(db->handle));
	else if (prepare(db, mode, d) == 0)
		return db;
	database_close(db);
	return NULL;
}

void database_close(struct database *db)
{
	if (!db)
		return;
	for (size_t i = 0; i < db->statements.len; i++)
		sqlite3_finalize(db->statements.data[i].handle);
	vec_release(&db->statements);
	sqlite3_close(db->handle);
	xfree(db->error);
	xfree(db->path);
	xfree(db);
}

const char *database_path(const struct database *db)
{
	return db->path;
}

/* --- Transactions --- */

void database_begin(struct database *db)
{
	run_plain(db, "BEGIN IMMEDIATE");
}

int database_check(struct database *db, struct diag *d)
{
	if (!db->error)
		return 0;
	diag_file(d, db->path, "the database says: %s", db->error);
	xfree(db->error);
	db->error = NULL;
	return DIAG_ERROR;
}

int database_commit(struct database *db, struct diag *d)
{
	run_plain(db, "COMMIT");
	if (db->error && !sqlite3_get_autocommit(db->handle))
		sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
	return database_check(db, d);
}

/* --- Statements --- */

static sqlite3_stmt *statement_of(struct database *db, const char *sql)
{
	sqlite3_stmt *handle = NULL;

	for (size_t i = 0; i < db->statements.len; i++)
		if (db->statements.data[i].sql == sql && strcmp(sqlite3_sql(db->statements.data[i].handle), sql) == 0) {
			sqlite3_reset(db->statements.data[i].handle);
			return db->statements.data[i].handle;
		}
	if (sqlite3_prepare_v3(db->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &handle, NULL) != SQLITE_OK) {
		note_error(db);
		return NULL;
	}
	vec_push(&db->statements, (struct statement){sql, handle});
	return handle;
}

static sqlite3_stmt *bind(struct database *db, const char *sql, const char *types, va_list args)
{
	sqlite3_stmt *statement = db->error ? NULL : statement_of(db, sql);

	for (int i = 0; statement && types[i]; i++)
		switch (types[i]) {
		case 'i': sqlite3_bind_int64(statement, i + 1, va_arg(args, int64_t)); break;
		case 'd': sqlite3_bind_double(statement, i + 1, va_arg(args, double)); break;
		case 's': sqlite3_bind_text(statement, i + 1, va_arg(args, const char *), -1, SQLITE_TRANSIENT); break;
		default: BUG("no type '%c' of a value", types[i]);
		}
	return statement;
}

static int finish(struct database *db, sqlite3_stmt *statement)
{
	if (!statement)
		return 0;
	if (sqlite3_step(statement) != SQLITE_DONE)
		note_error(db);
	sqlite3_reset(statement);
	return db->error ? 0 : sqlite3_changes(db->handle);
}

int database_do(struct database *db, const char *sql, const char *types, ...)
{
	sqlite3_stmt *statement;
	va_list args;

	va_start(args, types);
	statement = bind(db, sql, types, args);
	va_end(args);
	return finish(db, statement);
}

void database_put_blob(struct database *db, const char *sql, const void *data, size_t size, const char *types, ...)
{
	sqlite3_stmt *statement;
	va_list args;

	va_start(args, types);
	statement = bind(db, sql, types, args);
	va_end(args);
	if (statement)
		sqlite3_bind_blob64(statement, (int)strlen(types) + 1, data, size, SQLITE_TRANSIENT);
	finish(db, statement);
}

int64_t database_added(struct database *db)
{
	return sqlite3_last_insert_rowid(db->handle);
}

struct rows database_ask(struct database *db, const char *sql, const char *types, ...)
{
	struct rows rows = {.db = db};
	va_list args;

	va_start(args, types);
	rows.statement = bind(db, sql, types, args);
	va_end(args);
	return rows;
}

bool database_next(struct rows *rows)
{
	int got = rows->statement ? sqlite3_step(rows->statement) : SQLITE_DONE;

	if (got == SQLITE_ROW)
		return true;
	if (got != SQLITE_DONE)
		note_error(rows->db);
	database_end(rows);
	return false;
}

void database_end(struct rows *rows)
{
	if (rows->statement)
		sqlite3_reset(rows->statement);
	rows->statement = NULL;
}

int64_t database_int(const struct rows *rows, int column)
{
	return sqlite3_column_int64(rows->statement, column);
}

double database_real(const struct rows *rows, int column)
{
	return sqlite3_column_double(rows->statement, column);
}

const char *database_text(const struct rows *rows, int column)
{
	const char *text = (const char *)sqlite3_column_text(rows->statement, column);

	return text ? text : "";
}

bool database_is_null(const struct rows *rows, int column)
{
	return sqlite3_column_type(rows->statement, column) == SQLITE_NULL;
}

const void *database_blob(const struct rows *rows, int column, size_t *size)
{
	const void *data = sqlite3_column_blob(rows->statement, column);

	*size = (size_t)sqlite3_column_bytes(rows->statement, column);
	return data;
}

int64_t database_count(struct database *db, const char *sql, const char *types, ...)
{
	struct rows rows = {.db = db};
	int64_t value = 0;
	va_list args;

	va_start(args, types);
	rows.statement = bind(db, sql, types, args);
	va_end(args);
	if (database_next(&rows))
		value = database_int(&rows, 0);
	database_end(&rows);
	return value;
}
