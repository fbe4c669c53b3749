/* Rows are compared as the page prints them, so nothing of its Markdown has to be understood. */
#include "study/report/page_check.h"

#include "study/report/markdown.h"

#include "common/ascii.h"
#include "common/file.h"

#include <stdlib.h>
#include <string.h>

/* "| source | a.cu |" and "0123", of the row "| source | a.cu | 0123 |". */
struct row {
	const char *input, *hash;
};

typedef VEC(struct row) row_list;

/* Splits a row in front of its last cell, the hash. False: the row is not about an input. */
static bool split(char *line, struct row *row)
{
	size_t length = strlen(line);
	char *last;

	if (length < 4 || strncmp(line, "| ", 2) != 0 || strcmp(line + length - 2, " |") != 0)
		return false;
	line[length - 2] = '\0';
	last = strrchr(line, '|');
	if (last == line || last[1] != ' ')
		return false;
	*row = (struct row){line, last + 2};
	last[0] = '\0';
	return true;
}

static const char *hash_of_input(const row_list *rows, const char *input)
{
	for (size_t i = 0; i < rows->len; i++)
		if (strcmp(rows->data[i].input, input) == 0)
			return rows->data[i].hash;
	return NULL;
}

/* --- The page --- */

/* "**Stale since 2026-11-28:** why": at the begin of a line, where a reader sees it. */
static bool is_stale_line(const char *line)
{
	static const char begin[] = "**Stale since ", form[] = "0000-00-00:** ";
	const char *at = line + sizeof begin - 1;

	if (strncmp(line, begin, sizeof begin - 1) != 0)
		return false;
	for (const char *want = form; *want; want++, at++)
		if (*want == '0' ? !ascii_is_digit(*at) : *at != *want)
			return false;
	return *at != '\0';
}

/* Skips lines between fences and in comments: they are not statements of the page. */
struct reading {
	bool fenced, hidden, inputs;
};

static bool is_seen(struct reading *r, const char *line)
{
	bool seen = !r->fenced && !r->hidden;
	const char *comment = strstr(line, "<!--");

	if (!r->hidden && strncmp(line, "```", 3) == 0)
		r->fenced = !r->fenced;
	if (!r->fenced && (r->hidden || comment))
		r->hidden = !strstr(comment ? comment : line, "-->");
	return seen;
}

static void read_line(struct page_check *check, struct reading *r, char *line, row_list *rows)
{
	struct row row;

	if (!is_seen(r, line))
		return;
	if (is_stale_line(line))
		check->stale = line;
	if (strncmp(line, "#", 1) == 0)
		r->inputs = strcmp(line, MARKDOWN_INPUTS) == 0;
	else if (r->inputs && split(line, &row) && strcmp(row.hash, "hash") != 0)
		vec_push(rows, row);
}

static int read_page(const char *path, struct page_check *check, row_list *rows, struct diag *d)
{
	struct reading reading = {.fenced = false};
	struct file_data page;
	char *text;

	if (file_read_regular(path, 1 << 26, &page, d) < 0)
		return DIAG_ERROR;
	text = arena_strdup(&check->arena, page.data);
	file_data_release(&page);
	for (char *line = text, *next; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		read_line(check, &reading, line, rows);
	}
	if (rows->len)
		return 0;
	return diag_file(d, path, "the page has no list of inputs under '%s'; romark plot --markdown makes one",
			 MARKDOWN_INPUTS);
}

/* --- The study --- */

static void print_row(struct page_check *check, const struct study_input *input, struct row *row)
{
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);

	if (!stream)
		BUG("no memory for a stream");
	markdown_input_row(input, stream);
	fclose(stream);
	if (!split(arena_strdup(&check->arena, text), row))
		BUG("an input has no row");
	free(text);
}

static int read_study(const char *path, struct page_check *check, row_list *rows, struct diag *d)
{
	struct study *s = study_load(path, d);
	struct study_inputs inputs;

	if (!s)
		return DIAG_ERROR;
	inputs_collect(&inputs, s);
	for (size_t i = 0; i < inputs.list.len; i++) {
		struct row row;

		print_row(check, &inputs.list.data[i], &row);
		vec_push(rows, row);
	}
	inputs_release(&inputs);
	study_free(s);
	return 0;
}

/* --- Both --- */

/* "source ../samples/mlp/mlp.cu", of "| source | ../samples/mlp/mlp.cu ". */
static const char *spoken(struct page_check *check, const char *input)
{
	const char *name = strchr(input + 2, '|');

	return arena_printf(&check->arena, "%.*s%.*s", (int)(name - input - 2), input + 2, (int)strlen(name + 2) - 1,
			    name + 2);
}

static void compare(struct page_check *check, const row_list *page, const row_list *study)
{
	for (size_t i = 0; i < study->len; i++) {
		const struct row *row = &study->data[i];
		const char *was = hash_of_input(page, row->input), *what = "has changed";

		if (was && strcmp(was, row->hash) == 0)
			continue;
		if (!was)
			what = "is new";
		else if (strcmp(row->hash, INPUT_ABSENT) == 0)
			what = "is not there";
		vec_push(&check->changes, arena_printf(&check->arena, "%s %s", spoken(check, row->input), what));
	}
	for (size_t i = 0; i < page->len; i++)
		if (!hash_of_input(study, page->data[i].input))
			vec_push(&check->changes, arena_printf(&check->arena, "%s is no longer part of the study",
							       spoken(check, page->data[i].input)));
}

int page_check(const char *study, const char *page, struct page_check *check, struct diag *d)
{
	row_list then = VEC_INIT, now = VEC_INIT;
	int status;

	*check = (struct page_check){.arena = ARENA_INIT};
	status = read_page(page, check, &then, d);
	if (status == 0)
		status = read_study(study, check, &now, d);
	if (status == 0)
		compare(check, &then, &now);
	vec_release(&then);
	vec_release(&now);
	return status;
}

void page_check_release(struct page_check *check)
{
	vec_release(&check->changes);
	arena_release(&check->arena);
}
