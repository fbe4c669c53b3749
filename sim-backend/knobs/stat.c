/* Arithmetic over the values of any rows. */
#include "sim-backend/knobs/stat.h"

#include <string.h>

double stat_value(const struct stat_row *row, const void *values)
{
	const char *at = (const char *)values + row->offset;

	return row->type == STAT_TYPE_REAL ? *(const double *)at : (double)*(const uint64_t *)at;
}

static void accumulate(const struct stat_row *row, void *a, const void *b, int sign)
{
	char *to = (char *)a + row->offset;
	const char *from = (const char *)b + row->offset;

	if (row->type == STAT_TYPE_REAL)
		*(double *)to += sign * *(const double *)from;
	else
		*(uint64_t *)to += (uint64_t)sign * *(const uint64_t *)from;
}

void stats_add(const struct stat_row *rows, void *a, const void *b)
{
	for (const struct stat_row *row = rows; row->name; row++)
		if (!(row->flags & STAT_IS_LEVEL))
			accumulate(row, a, b, 1);
		else if (stat_value(row, b) > stat_value(row, a))
			memcpy((char *)a + row->offset, (const char *)b + row->offset, sizeof(uint64_t));
}

void stats_subtract(const struct stat_row *rows, void *a, const void *b)
{
	for (const struct stat_row *row = rows; row->name; row++)
		if (!(row->flags & STAT_IS_LEVEL))
			accumulate(row, a, b, -1);
}

void stats_add_times(const struct stat_row *rows, void *a, const void *b, double factor)
{
	for (const struct stat_row *row = rows; row->name; row++) {
		char *to = (char *)a + row->offset;

		if (row->flags & STAT_IS_LEVEL)
			continue;
		if (row->type == STAT_TYPE_REAL)
			*(double *)to += factor * stat_value(row, b);
		else
			*(uint64_t *)to += (uint64_t)(factor * stat_value(row, b) + 0.5);
	}
}

size_t stats_extent(const struct stat_row *rows)
{
	size_t end = 0;

	for (const struct stat_row *row = rows; row->name; row++)
		end = row->offset + sizeof(uint64_t) > end ? row->offset + sizeof(uint64_t) : end;
	return end;
}
