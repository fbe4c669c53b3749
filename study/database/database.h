/*
 * A results database: SQLite with the tables of schema.c. A statement is prepared once for each
 * address of a text, so texts are literals.
 *
 *   struct database *db = database_open("results.sqlite", DATABASE_WRITE, &diag);
 *   database_begin(db);                                              // others wait up to a minute for their turn
 *   database_do(db, "UPDATE runs SET state = ? WHERE id = ?", "si", "done", id);
 *   struct rows rows = database_ask(db, "SELECT id, key FROM runs WHERE state = ?", "s", "done");
 *   while (database_next(&rows)) ... database_int(&rows, 0) ... database_text(&rows, 1) ...
 *   if (database_commit(db, &diag) < 0) ...
 *   database_close(db);
 *
 * The types of the values for "?" are i (int64_t), d (double), s (text; NULL is NULL). The first error is kept: later
 * statements do nothing, and database_commit or database_check returns the error. So a sequence of statements needs one
 * check.
 */
#ifndef ROMARK_STUDY_DATABASE_DATABASE_H
#define ROMARK_STUDY_DATABASE_DATABASE_H

#include "common/diag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct database;
struct sqlite3_stmt;

enum database_mode {
	DATABASE_READ,  /* it must be there */
	DATABASE_WRITE, /* it is made when it is not there */
};

/* Whether a file of this name can hold results, as far as that is known before it exists. */
int database_check_name(const char *path, struct diag *d);
struct database *database_open(const char *path, enum database_mode mode, struct diag *d);
void database_close(struct database *db);
const char *database_path(const struct database *db);

void database_begin(struct database *db);
/* 0, or DIAG_ERROR with the first error since the last check; nothing of the transaction is kept then. */
int database_commit(struct database *db, struct diag *d);
/* The same without a transaction. */
int database_check(struct database *db, struct diag *d);

/* Returns the number of rows that were changed. */
int database_do(struct database *db, const char *sql, const char *types, ...);
/* The id of the row that the last database_do has added. */
int64_t database_added(struct database *db);

struct rows {
	struct database *db;
	struct sqlite3_stmt *statement; /* NULL at the end */
};

/* Read all rows, or call database_end; a second use of the same literal begins anew. */
struct rows database_ask(struct database *db, const char *sql, const char *types, ...);
bool database_next(struct rows *rows);
void database_end(struct rows *rows);
int64_t database_int(const struct rows *rows, int column);
double database_real(const struct rows *rows, int column);
/* "" for NULL; valid until the next row. */
const char *database_text(const struct rows *rows, int column);
bool database_is_null(const struct rows *rows, int column);
const void *database_blob(const struct rows *rows, int column, size_t *size);

/* The statement's number; 0 without a row. */
int64_t database_count(struct database *db, const char *sql, const char *types, ...);
/* The last "?" of the text, after those of `types`, is the blob. */
void database_put_blob(struct database *db, const char *sql, const void *data, size_t size, const char *types, ...);

#endif
