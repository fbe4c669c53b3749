/* The part of a study file that says what to draw: figures, tables and the values of papers. */
#include "study/file/mapping_reader.h"

#include <stdlib.h>
#include <string.h>

static const char *const figure_kinds[] = {[FIGURE_BARS] = "bars",
					   [FIGURE_STACKED] = "stacked",
					   [FIGURE_LINES] = "lines",
					   [FIGURE_SCATTER] = "scatter",
					   [FIGURE_SERIES] = "series",
					   [FIGURE_HEAT] = "heat",
					   NULL};

static int read_kind(struct reader *r, const struct yaml_tree *value, void *target)
{
	const char *word;

	if (read_text(r, value, &word) < 0)
		return DIAG_ERROR;
	for (int i = 0; figure_kinds[i]; i++)
		if (strcmp(figure_kinds[i], word) == 0) {
			*(enum figure_kind *)target = (enum figure_kind)i;
			return 0;
		}
	return wrong_name(r, value->line, value->column, "kind of figure", word, figure_kinds);
}

static int read_mean(struct reader *r, const struct yaml_tree *value, void *target)
{
	static const char *const means[] = {"mean", "geomean", "hmean", NULL};
	struct study_text *mean = target;

	if (read_placed(r, value, mean) < 0)
		return DIAG_ERROR;
	for (int i = 0; means[i]; i++)
		if (strcmp(means[i], mean->text) == 0)
			return 0;
	return wrong_name(r, value->line, value->column, "mean", mean->text, means);
}

/* The text of a number, which goes into a figure's script unchanged. */
static int read_bound(struct reader *r, const struct yaml_tree *value, void *target)
{
	double number;

	return read_number(r, value, &number) < 0 ? DIAG_ERROR : read_placed(r, value, target);
}

#define AT(field) offsetof(struct study_figure, field)
static const struct field figure_fields[] = {{"kind", read_kind, AT(kind)},
					     {"title", read_text, AT(title)},
					     {"caption", read_text, AT(caption)},
					     {"value", read_texts, AT(values)},
					     {"x", read_texts, AT(x)},
					     {"bars", read_texts, AT(bars)},
					     {"lines", read_texts, AT(bars)},
					     {"rows", read_texts, AT(bars)},
					     {"over", read_texts, AT(over)},
					     {"where", read_placed, AT(where)},
					     {"mean", read_mean, AT(mean)},
					     {"x_label", read_text, AT(x_label)},
					     {"y_label", read_text, AT(y_label)},
					     {"y_min", read_bound, AT(y_min)},
					     {"y_max", read_bound, AT(y_max)},
					     {"log", read_flag, AT(log)},
					     {"references", read_texts, AT(references)},
					     {NULL, NULL, 0}};
#undef AT

int read_figures(struct reader *r, const struct yaml_tree *value, void *target)
{
	(void)target;
	if (value->kind != YAML_MAP)
		return wrong_value(r, value, "`figures` is a mapping from names to figures");
	for (size_t i = 0; i < value->count; i++) {
		const struct yaml_child *child = &value->children[i];
		struct study_figure *figure;

		vec_grow(&r->s->figures);
		figure = &vec_last(&r->s->figures);
		figure->name = figure->title = child->key;
		figure->place = (struct study_place){child->line, child->column};
		if (read_fields(r, child->value, figure_fields, figure, "a figure") < 0)
			return DIAG_ERROR;
		if (!figure->values.len)
			return wrong_value(r, child->value, "`value: EXPRESSION` is missing");
	}
	return 0;
}

#define AT(field) offsetof(struct study_table, field)
static const struct field table_fields[] = {{"title", read_text, AT(title)},
					    {"value", read_texts, AT(values)},
					    {"rows", read_texts, AT(rows)},
					    {"columns", read_texts, AT(columns)},
					    {"over", read_texts, AT(over)},
					    {"where", read_placed, AT(where)},
					    {"mean", read_mean, AT(mean)},
					    {"format", read_texts, AT(formats)},
					    {"references", read_texts, AT(references)},
					    {NULL, NULL, 0}};
#undef AT

/* A format for one number: any text with one "%", digits, and f, g or e, such as "%.2f x". */
static bool is_format(const char *format)
{
	const char *at = strchr(format, '%');

	if (!at)
		return false;
	at++;
	at += strspn(at, "+- 0");
	at += strspn(at, "0123456789");
	if (*at == '.')
		at += 1 + strspn(at + 1, "0123456789");
	return *at && strchr("fge", *at) && !strchr(at, '%');
}

/* One format for all values, or one for each. */
static int check_formats(struct reader *r, const struct yaml_tree *value, struct study_table *table)
{
	if (!table->formats.len)
		vec_push(&table->formats, (struct study_text){"%.3f", table->place});
	for (size_t i = 0; i < table->formats.len; i++)
		if (!is_format(table->formats.data[i].text))
			return wrong_value(r, value, "format '%s' is not for a number; give one such as \"%%.3f\"",
					   table->formats.data[i].text);
	if (table->formats.len > 1 && table->formats.len != table->values.len)
		return wrong_value(r, value, "%zu formats are here for %zu values; give one, or one for each",
				   table->formats.len, table->values.len);
	return 0;
}

int read_tables(struct reader *r, const struct yaml_tree *value, void *target)
{
	(void)target;
	if (value->kind != YAML_MAP)
		return wrong_value(r, value, "`tables` is a mapping from names to tables");
	for (size_t i = 0; i < value->count; i++) {
		const struct yaml_child *child = &value->children[i];
		struct study_table *table;

		vec_grow(&r->s->tables);
		table = &vec_last(&r->s->tables);
		table->name = table->title = child->key;
		table->place = (struct study_place){child->line, child->column};
		if (read_fields(r, child->value, table_fields, table, "a table") < 0)
			return DIAG_ERROR;
		if (!table->values.len)
			return wrong_value(r, child->value, "`value: EXPRESSION` is missing");
		if (check_formats(r, child->value, table) < 0)
			return DIAG_ERROR;
	}
	return 0;
}

struct reference_words {
	struct study_reference reference;
	struct study_text paper;
};

static int read_paper(struct reader *r, const struct yaml_tree *value, void *target)
{
	struct reference_words *words = target;

	words->paper = placed(value);
	return read_number(r, value, &words->reference.paper);
}

static const struct field reference_fields[] = {
    {"value", read_placed, offsetof(struct reference_words, reference.value)},
    {"at", read_at, offsetof(struct reference_words, reference.at)},
    {"source", read_text, offsetof(struct reference_words, reference.source)},
    {"paper", read_paper, 0},
    {NULL, NULL, 0}};

int read_references(struct reader *r, const struct yaml_tree *value, void *target)
{
	(void)target;
	if (value->kind != YAML_MAP)
		return wrong_value(r, value, "`references` is a mapping from names to values of papers");
	for (size_t i = 0; i < value->count; i++) {
		const struct yaml_child *child = &value->children[i];
		struct reference_words words = {.reference = {.name = child->key}};

		words.reference.place = (struct study_place){child->line, child->column};
		if (read_fields(r, child->value, reference_fields, &words, "a reference") < 0)
			return DIAG_ERROR;
		if (!words.paper.text || !words.reference.source || !words.reference.value.text)
			return wrong_value(r, child->value, "`value`, `paper` and `source` are all needed");
		vec_push(&r->s->references, words.reference);
	}
	return 0;
}
