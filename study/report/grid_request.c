/* Makes a grid's request from a figure or a table of the study file. */
#include "study/report/grid.h"

#include <string.h>

static void append(study_texts *to, const study_texts *from)
{
	for (size_t i = 0; i < from->len; i++)
		vec_push(to, from->data[i]);
}

static bool is_axis(const char *name)
{
	return dimension_find(name) != DIM_COUNT || part_find(name) != PART_KINDS;
}

struct grid_request grid_of_figure(const struct study_figure *figure)
{
	struct grid_request r = {.name = figure->name,
				 .place = figure->place,
				 .where = figure->where,
				 .mean = figure->mean,
				 .references = &figure->references};
	const struct study_text epoch = {part_names[PART_EPOCH], figure->place};

	for (size_t i = 0; i < figure->x.len; i++) {
		if (is_axis(figure->x.data[i].text))
			vec_push(&r.rows, figure->x.data[i]);
		else {
			r.x = figure->x.data[i].text;
			r.x_place = figure->x.data[i].place;
		}
	}
	if (figure->kind == FIGURE_SERIES && !r.rows.len)
		vec_push(&r.rows, epoch);
	append(figure->kind == FIGURE_STACKED ? &r.rows : &r.columns, &figure->bars);
	append(&r.over, &figure->over);
	append(&r.values, &figure->values);
	return r;
}

struct grid_request grid_of_table(const struct study_table *table)
{
	struct grid_request r = {.name = table->name,
				 .place = table->place,
				 .where = table->where,
				 .mean = table->mean,
				 .references = &table->references};

	append(&r.rows, &table->rows);
	append(&r.columns, &table->columns);
	append(&r.over, &table->over);
	append(&r.values, &table->values);
	return r;
}

void grid_request_release(struct grid_request *r)
{
	vec_release(&r->rows);
	vec_release(&r->columns);
	vec_release(&r->over);
	vec_release(&r->values);
}

static const char *choice_label(const study_choices *choices, const char *name)
{
	for (size_t i = 0; i < choices->len; i++)
		if (strcmp(choices->data[i].name, name) == 0)
			return choices->data[i].label;
	return name;
}

const char *study_label(const struct study *s, enum dimension dimension, const char *name)
{
	switch (dimension) {
	case DIM_PROGRAM:
		for (size_t i = 0; i < s->programs.len; i++)
			if (strcmp(s->programs.data[i].name, name) == 0)
				return s->programs.data[i].label;
		return name;
	case DIM_GPU: return choice_label(&s->gpus, name);
	case DIM_VARIANT: return choice_label(&s->variants, name);
	case DIM_POLICY: return choice_label(&s->policies, name);
	default: return name;
	}
}
