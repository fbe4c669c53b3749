/* A field may stand in quotation marks; other CSV than that is not needed. */
#include "cli/truth.h"

#include "common/c_locale.h"
#include "common/file.h"

#include <math.h>
#include <string.h>

enum { MOST_BYTES = 64 << 20, MOST_COLUMNS = 32 };
enum column { GPU, WHAT, X, VALUE, COLUMNS };

static const char *const names[COLUMNS] = {"gpu", "what", "x", "value"};

/* Cuts a line into fields; returns how many. */
static unsigned split(char *line, char *fields[MOST_COLUMNS])
{
	unsigned count = 0;

	for (char *at = line; at && count < MOST_COLUMNS;) {
		bool quoted = *at == '"';
		char *end = quoted ? strchr(at + 1, '"') : NULL, *comma = strchr(end ? end : at, ',');

		fields[count++] = at + (end != NULL);
		if (end)
			*end = '\0';
		if (comma)
			*comma = '\0';
		at = comma ? comma + 1 : NULL;
	}
	return count;
}

static bool find_columns(char *line, unsigned columns[COLUMNS])
{
	char *fields[MOST_COLUMNS];
	unsigned count = split(line, fields);

	for (unsigned c = 0; c < COLUMNS; c++) {
		columns[c] = MOST_COLUMNS;
		for (unsigned i = 0; i < count; i++)
			if (strcmp(fields[i], names[c]) == 0)
				columns[c] = i;
		if (columns[c] == MOST_COLUMNS)
			return false;
	}
	return true;
}

/* The numbers of "80 blocks 256 threads", with the unit kB or MB behind one. */
static void read_numbers(const char *x, double at[2])
{
	unsigned count = 0;

	at[0] = at[1] = 0;
	while (*x && count < 2) {
		char *end;
		double value = c_strtod(x, &end);

		if (end == x) {
			x++;
			continue;
		}
		end += strspn(end, " ");
		value *= strncmp(end, "kB", 2) == 0 ? 1024 : strncmp(end, "MB", 2) == 0 ? 1048576 : 1;
		at[count++] = value;
		x = end;
	}
}

static int take_row(struct truth *t, const char *path, unsigned number, char *line, const unsigned columns[COLUMNS],
		    struct diag *d)
{
	char *fields[MOST_COLUMNS], *end;
	unsigned count = split(line, fields);
	struct truth_row row;

	for (unsigned c = 0; c < COLUMNS; c++)
		if (columns[c] >= count)
			return diag_set(d, path, number, 0, "fewer fields than columns in the first line");
	row = (struct truth_row){.gpu = arena_strdup(&t->arena, fields[columns[GPU]]),
				 .what = arena_strdup(&t->arena, fields[columns[WHAT]]),
				 .x = arena_strdup(&t->arena, fields[columns[X]]),
				 .value = c_strtod(fields[columns[VALUE]], &end)};
	if (end == fields[columns[VALUE]] || !isfinite(row.value))
		return diag_set(d, path, number, 0, "no number in column 'value'");
	read_numbers(row.x, row.at);
	vec_push(&t->rows, row);
	return 0;
}

int truth_read(struct truth *t, const char *path, struct diag *d)
{
	struct file_data text;
	unsigned columns[COLUMNS], number = 1;
	char *line, *next;
	int status = file_read_regular(path, MOST_BYTES, &text, d);

	if (status < 0)
		return status;
	*t = (struct truth){.arena = ARENA_INIT};
	line = arena_strndup(&t->arena, (const char *)text.data, text.size);
	file_data_release(&text);
	for (; line && status == 0; line = next, number++) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		line[strcspn(line, "\r")] = '\0';
		if (number == 1 && !find_columns(line, columns))
			status = diag_set(d, path, 1, 0, "the first line must name the columns gpu, what, x and value");
		else if (number > 1 && *line)
			status = take_row(t, path, number, line, columns, d);
	}
	if (status < 0)
		truth_release(t);
	return status;
}

void truth_release(struct truth *t)
{
	vec_release(&t->rows);
	arena_release(&t->arena);
}
