/*
 * Statistics are plain counters in a struct. A row in a file of its own declares each counter once, with its unit and
 * its meaning. The field, the results, their differences from kernel to kernel and `romark stats` all come from it:
 *
 *   STAT(COUNT, row_hits, "transactions", "transactions that found their row open")      // in dram_stats.def
 *
 *   struct dram_stats {                                                                  // in dram_stats.h
 *   #define STAT STAT_FIELD
 *   #include "sim-backend/dram/dram_stats.def"
 *   };
 *
 *   const struct stat_row dram_stat_rows[] = {                                           // in dram_stats.c
 *   #define STAT(...) STAT_ROW(struct dram_stats, __VA_ARGS__)
 *   #include "sim-backend/dram/dram_stats.def"
 *       STAT_END};
 *
 *   stats->row_hits++;                                                                   // where it happens
 *
 * The first word is COUNT, PROMISED, LEVEL, REAL or REAL_LEVEL, as in the macros below. Policies, whose counters are
 * few, have struct and rows in their one file, with these macros.
 */
#ifndef ROMARK_SIM_STAT_H
#define ROMARK_SIM_STAT_H

#include <stddef.h>
#include <stdint.h>

enum stat_type { STAT_TYPE_COUNT, STAT_TYPE_REAL };

enum stat_flag {
	STAT_IS_LEVEL = 1,    /* a present value, no sum: the difference of two is the later one */
	STAT_IS_PROMISED = 2, /* scripts rely on it: printed even where zeros are left out */
};

struct stat_row {
	const char *name;
	enum stat_type type; /* field type: uint64_t, double */
	uint8_t flags;
	size_t offset;
	const char *unit; /* "requests", "cycles"; "" for a plain number */
	const char *help;
};

#define STAT_COUNT(type, field, unit, help) {#field, STAT_TYPE_COUNT, 0, offsetof(type, field), unit, help}
#define STAT_PROMISED(type, field, unit, help)                                                                         \
	{#field, STAT_TYPE_COUNT, STAT_IS_PROMISED, offsetof(type, field), unit, help}
#define STAT_LEVEL(type, field, unit, help) {#field, STAT_TYPE_COUNT, STAT_IS_LEVEL, offsetof(type, field), unit, help}
#define STAT_REAL(type, field, unit, help) {#field, STAT_TYPE_REAL, 0, offsetof(type, field), unit, help}
#define STAT_REAL_LEVEL(type, field, unit, help)                                                                       \
	{#field, STAT_TYPE_REAL, STAT_IS_LEVEL, offsetof(type, field), unit, help}
/* A field whose name in the results is another. */
#define STAT_NAMED(type, field, name, unit, help) {name, STAT_TYPE_COUNT, 0, offsetof(type, field), unit, help}
#define STAT_NAMED_LEVEL(type, field, name, unit, help)                                                                \
	{name, STAT_TYPE_COUNT, STAT_IS_LEVEL, offsetof(type, field), unit, help}
#define STAT_NAMED_REAL_LEVEL(type, field, name, unit, help)                                                           \
	{name, STAT_TYPE_REAL, STAT_IS_LEVEL, offsetof(type, field), unit, help}

/* What a row of a table makes in a struct, and in a list of rows. */
#define STAT_FIELD(kind, field, unit, help) STAT_FIELD_##kind field;
#define STAT_FIELD_COUNT uint64_t
#define STAT_FIELD_PROMISED uint64_t
#define STAT_FIELD_LEVEL uint64_t
#define STAT_FIELD_REAL double
#define STAT_FIELD_REAL_LEVEL double
#define STAT_ROW(type, kind, ...) STAT_##kind(type, __VA_ARGS__),

#define STAT_END {NULL, STAT_TYPE_COUNT, 0, 0, NULL, NULL}

/* The value of one row, whatever its type. */
double stat_value(const struct stat_row *row, const void *values);
/*
 * Over every row: a += b, and a -= b. A present value (STAT_LEVEL) becomes the larger of a and b in the sum, and stays
 * a in the difference.
 */
void stats_add(const struct stat_row *rows, void *a, const void *b);
void stats_subtract(const struct stat_row *rows, void *a, const void *b);
/* a += factor * b, rounded, over every row except present values. */
void stats_add_times(const struct stat_row *rows, void *a, const void *b, double factor);
/* Bytes of a struct up to the end of the last field that has a row. */
size_t stats_extent(const struct stat_row *rows);

#endif
