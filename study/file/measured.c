/* A reader of CSV that knows where it is, so that each mistake has its line. */
#include "study/file/measured.h"

#include "common/c_locale.h"
#include "common/file.h"
#include "common/guess.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 24, SOURCE = -1 };

/* What a column of a file holds: a dimension, SOURCE, or DIM_COUNT + the number of a column of the study. */
typedef VEC(int) meanings;

struct table {
	struct study *s;
	const char *path; /* as messages have it */
	char *at;
	unsigned line;
	meanings columns;
	struct diag *d;
};

/* --- Cells --- */

/* Ends at a comma, at the end of the line, or at the end of the file; `*last`: it was the line's last one. */
static int plain_cell(struct table *t, const char **cell, bool *last)
{
	size_t length = strcspn(t->at, ",\n");
	size_t used = length && t->at[length - 1] == '\r' ? length - 1 : length;

	*cell = arena_strndup(&t->s->arena, t->at, used);
	*last = t->at[length] != ',';
	t->at += length + (t->at[length] != '\0');
	return 0;
}

/* "..." in which a quote is doubled. */
static int quoted_cell(struct table *t, const char **cell, bool *last)
{
	unsigned line = t->line;
	char *out = ++t->at;

	*cell = out;
	for (;; t->at++) {
		if (!*t->at)
			return diag_set(t->d, t->path, line, 1, "the quotes are not closed");
		if (*t->at == '"' && *++t->at != '"')
			break;
		t->line += *t->at == '\n';
		*out++ = *t->at;
	}
	t->at += *t->at == '\r';
	*last = *t->at != ',';
	if (*t->at && *t->at != ',' && *t->at != '\n')
		return diag_set(t->d, t->path, t->line, 1, "a comma is expected after the quotes");
	t->at += *t->at != '\0';
	*out = '\0';
	return 0;
}

static int next_cell(struct table *t, const char **cell, bool *last)
{
	return *t->at == '"' ? quoted_cell(t, cell, last) : plain_cell(t, cell, last);
}

/* --- The head --- */

static int number_column(struct study_measured *m, struct arena *arena, const char *name)
{
	size_t column = measured_column(m, name);

	if (column == SIZE_MAX) {
		column = m->columns.len;
		vec_push(&m->columns, arena_strdup(arena, name));
	}
	return DIM_COUNT + (int)column;
}

static int read_head(struct table *t)
{
	bool last = false;

	while (!last) {
		const char *name;
		int meaning;

		if (next_cell(t, &name, &last) < 0)
			return DIAG_ERROR;
		if (!*name)
			return diag_set(t->d, t->path, t->line, 1, "a column of this line has no name");
		meaning = (int)dimension_find(name);
		if (meaning == DIM_COUNT)
			meaning =
			    strcmp(name, "source") == 0 ? SOURCE : number_column(&t->s->measured, &t->s->arena, name);
		for (size_t i = 0; i < t->columns.len; i++)
			if (t->columns.data[i] == meaning)
				return diag_set(t->d, t->path, t->line, 1, "column '%s' is here twice", name);
		vec_push(&t->columns, meaning);
	}
	t->line++;
	return 0;
}

/* --- Rows --- */

static int take_dimension(struct table *t, struct measured_row *row, enum dimension dimension, const char *cell)
{
	struct guess g = guess_start(cell, strlen(cell));

	if (!*cell)
		return 0; /* whatever the dimension is */
	if (!study_has(t->s, dimension, cell, &g))
		return diag_set(t->d, t->path, t->line, 1, "no %s '%s' in this study%s", dimension_names[dimension],
				cell, guess_hint(&g).text);
	row->value[dimension] = cell;
	return 0;
}

static int take_number(struct table *t, struct measured_row *row, size_t column, const char *cell)
{
	char *end;

	if (!*cell)
		return 0;
	row->numbers[column] = c_strtod(cell, &end);
	if (*end || !isfinite(row->numbers[column]))
		return diag_set(t->d, t->path, t->line, 1, "%s is not a number: '%s'",
				t->s->measured.columns.data[column], cell);
	return 0;
}

static int take_cell(struct table *t, struct measured_row *row, int meaning, const char *cell)
{
	if (meaning == SOURCE) {
		row->source = cell;
		return 0;
	}
	if (meaning < DIM_COUNT)
		return take_dimension(t, row, (enum dimension)meaning, cell);
	return take_number(t, row, (size_t)(meaning - DIM_COUNT), cell);
}

static struct measured_row new_row(struct table *t)
{
	size_t columns = t->s->measured.columns.len;
	struct measured_row row = {.source = "", .columns = columns};

	row.numbers = arena_array(&t->s->arena, double, columns + 1);
	for (size_t i = 0; i < columns; i++)
		row.numbers[i] = NAN;
	return row;
}

/* Whether some run would belong to both rows, in a column that both have. */
static bool overlaps(const struct measured_row *a, const struct measured_row *b)
{
	bool shared = false;

	for (enum dimension i = 0; i < DIM_COUNT; i++)
		if (a->value[i] && b->value[i] && strcmp(a->value[i], b->value[i]) != 0)
			return false;
	for (size_t i = 0; i < a->columns && i < b->columns; i++)
		shared = shared || (!isnan(a->numbers[i]) && !isnan(b->numbers[i]));
	return shared;
}

static int add_row(struct table *t, const struct measured_row *row, unsigned line)
{
	for (size_t i = 0; i < t->s->measured.rows.len; i++)
		if (overlaps(&t->s->measured.rows.data[i], row))
			return diag_set(t->d, t->path, line, 1, "the run of this row has a value already");
	vec_push(&t->s->measured.rows, *row);
	return 0;
}

static int read_row(struct table *t)
{
	struct measured_row row = new_row(t);
	unsigned line = t->line;
	bool last = false;

	for (size_t i = 0; i < t->columns.len; i++) {
		const char *cell;

		if (last)
			return diag_set(t->d, t->path, line, 1, "%zu cells are here, and %zu columns", i,
					t->columns.len);
		if (next_cell(t, &cell, &last) < 0 || take_cell(t, &row, t->columns.data[i], cell) < 0)
			return DIAG_ERROR;
	}
	if (!last)
		return diag_set(t->d, t->path, line, 1, "there are more cells than the %zu columns", t->columns.len);
	t->line++;
	return add_row(t, &row, line);
}

static bool is_blank(struct table *t)
{
	if (*t->at != '\n' && *t->at != '\r')
		return false;
	t->at += 1 + (t->at[0] == '\r' && t->at[1] == '\n');
	t->line++;
	return true;
}

static int read_table(struct table *t)
{
	if (!*t->at)
		return diag_set(t->d, t->path, 1, 1,
				"it is empty; its first line names columns, such as "
				"program,cycles,source");
	if (read_head(t) < 0)
		return DIAG_ERROR;
	while (*t->at)
		if (!is_blank(t) && read_row(t) < 0)
			return DIAG_ERROR;
	return 0;
}

int measured_load(struct study *s, struct diag *d)
{
	int status = 0;

	for (size_t i = 0; i < s->measured.files.len && status == 0; i++) {
		struct table t = {.s = s, .path = study_path(s, s->measured.files.data[i].text), .line = 1, .d = d};
		struct file_data text;

		if (file_read_regular(t.path, MOST_BYTES, &text, d) < 0)
			return DIAG_ERROR;
		t.at = arena_strndup(&s->arena, text.data, text.size);
		file_data_release(&text);
		status = read_table(&t);
		vec_release(&t.columns);
	}
	return status;
}

void measured_release(struct study_measured *m)
{
	vec_release(&m->files);
	vec_release(&m->columns);
	vec_release(&m->rows);
}

/* --- Looking up --- */

size_t measured_column(const struct study_measured *m, const char *name)
{
	for (size_t i = 0; i < m->columns.len; i++)
		if (strcmp(m->columns.data[i], name) == 0)
			return i;
	return SIZE_MAX;
}

const struct measured_row *measured_find(const struct study_measured *m, const char *const values[DIM_COUNT],
					 size_t column)
{
	for (size_t i = 0; i < m->rows.len; i++) {
		const struct measured_row *row = &m->rows.data[i];
		bool belongs = column < row->columns && !isnan(row->numbers[column]);

		for (enum dimension k = 0; belongs && k < DIM_COUNT; k++)
			belongs = !row->value[k] || strcmp(row->value[k], values[k]) == 0;
		if (belongs)
			return row;
	}
	return NULL;
}
