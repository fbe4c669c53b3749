/* All expressions of a study are parsed when it is loaded, so that a mistake is reported before anything runs. */
#include "common/ascii.h"
#include "study/expression/expression.h"
#include "study/report/run_parts.h"

#include <string.h>

static int check(struct study *s, const struct study_text *text, enum expression_kind kind, struct diag *d)
{
	return !text->text || expression_parse(s, text, kind, d) ? 0 : DIAG_ERROR;
}

static int check_all(struct study *s, const study_texts *texts, enum expression_kind kind, struct diag *d)
{
	for (size_t i = 0; i < texts->len; i++)
		if (check(s, &texts->data[i], kind, d) < 0)
			return DIAG_ERROR;
	return 0;
}

/* Counters of parts of runs are only known from results. */
static bool has_part(const study_texts *names)
{
	for (size_t i = 0; i < names->len; i++)
		if (part_find(names->data[i].text) != PART_KINDS)
			return true;
	return false;
}

/* A name that expressions can say. */
static int check_name(const struct study *s, const struct study_value *value, struct diag *d)
{
	const char *name = value->name;
	size_t i = 0;

	while (ascii_is_alnum(name[i]) || name[i] == '_')
		i++;
	if (name[i] || !i || ascii_is_digit(name[0]))
		return study_wrong(s, value->expression.place, d,
				   "'%s' cannot be named in expressions; letters, digits and '_' can", name);
	if (dimension_find(name) != DIM_COUNT)
		return study_wrong(s, value->expression.place, d, "'%s' is a dimension; give the value another name",
				   name);
	return 0;
}

static int check_figures(struct study *s, struct diag *d)
{
	for (size_t i = 0; i < s->figures.len; i++) {
		const struct study_figure *f = &s->figures.data[i];
		enum expression_kind kind = f->kind == FIGURE_SERIES || has_part(&f->x) || has_part(&f->bars)
						? EXPRESSION_PART
						: EXPRESSION_VALUE;

		if (check_all(s, &f->values, kind, d) < 0 || check(s, &f->where, EXPRESSION_CONDITION, d) < 0)
			return DIAG_ERROR;
		for (size_t k = 0; k < f->x.len; k++)
			if (dimension_find(f->x.data[k].text) == DIM_COUNT &&
			    part_find(f->x.data[k].text) == PART_KINDS && check(s, &f->x.data[k], kind, d) < 0)
				return DIAG_ERROR;
	}
	return 0;
}

static int check_tables(struct study *s, struct diag *d)
{
	for (size_t i = 0; i < s->tables.len; i++) {
		const struct study_table *t = &s->tables.data[i];
		enum expression_kind kind =
		    has_part(&t->rows) || has_part(&t->columns) ? EXPRESSION_PART : EXPRESSION_VALUE;

		if (check_all(s, &t->values, kind, d) < 0 || check(s, &t->where, EXPRESSION_CONDITION, d) < 0)
			return DIAG_ERROR;
	}
	return 0;
}

int expressions_check(struct study *s, struct diag *d)
{
	for (size_t i = 0; i < s->values.len; i++)
		if (check_name(s, &s->values.data[i], d) < 0 ||
		    check(s, &s->values.data[i].expression, EXPRESSION_VALUE, d) < 0)
			return DIAG_ERROR;
	for (size_t i = 0; i < s->references.len; i++)
		if (check(s, &s->references.data[i].value, EXPRESSION_VALUE, d) < 0)
			return DIAG_ERROR;
	if (check_figures(s, d) < 0 || check_tables(s, d) < 0)
		return DIAG_ERROR;
	return check(s, &s->where, EXPRESSION_CONDITION, d);
}
