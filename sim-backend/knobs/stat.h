/*
 * Statistics are plain counters in a struct. A table declares each counter once, with its unit and its meaning. The
 * results, their differences from kernel to kernel and `romark stats` all come from these rows.
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
