/* A column is read once for all points, so that a value then costs only an index. */
#include "study/expression/frame.h"

#include <math.h>
#include <string.h>

/* One counter of all points; a number that is not there is NAN. */
struct frame_column {
	struct frame_column *next;
	const char *counter;
	double *values;
};

struct frame *frame_create(struct study *s, const struct frame_source *source)
{
	struct frame *f = xcalloc(1, sizeof *f);

	f->study = s;
	f->source = *source;
	return f;
}

void frame_forget(struct frame *f)
{
	for (struct frame_column *c = f->columns; c; c = c->next)
		xfree(c->values);
	f->columns = NULL;
}

void frame_free(struct frame *f)
{
	if (!f)
		return;
	for (enum dimension i = 0; i < DIM_COUNT; i++)
		vec_release(&f->names[i]);
	frame_forget(f);
	xfree(f->index);
	vec_release(&f->points);
	arena_release(&f->arena);
	xfree(f);
}

uint32_t frame_name(const struct frame *f, enum dimension dimension, const char *name)
{
	for (size_t i = f->names[dimension].len; i-- > 0;)
		if (strcmp(f->names[dimension].data[i], name) == 0)
			return (uint32_t)i;
	return UINT32_MAX;
}

void frame_add(struct frame *f, const char *const values[DIM_COUNT], int64_t run, bool done)
{
	struct frame_point point = {.run = run, .done = done};

	for (enum dimension i = 0; i < DIM_COUNT; i++) {
		point.value[i] = frame_name(f, i, values[i]);
		if (point.value[i] == UINT32_MAX) {
			point.value[i] = (uint32_t)f->names[i].len;
			vec_push(&f->names[i], arena_strdup(&f->arena, values[i]));
		}
	}
	vec_push(&f->points, point);
}

enum { MAX_CELLS = 1 << 24 };

/* The number of a combination of values; combinations in all when `value` is NULL. */
static size_t cell(const struct frame *f, const uint32_t *value)
{
	size_t number = 0, all = 1;

	for (enum dimension i = 0; i < DIM_COUNT && all <= MAX_CELLS; i++) {
		number = number * f->names[i].len + (value ? value[i] : 0);
		all *= f->names[i].len;
	}
	return value ? number : all;
}

bool frame_find(struct frame *f, const uint32_t value[DIM_COUNT], size_t *point)
{
	size_t cells = cell(f, NULL);

	if (!f->points.len || cells > MAX_CELLS)
		return false;
	if (!f->index || f->indexed != f->points.len) {
		xfree(f->index);
		f->index = xcalloc(cells, sizeof *f->index);
		for (size_t i = f->points.len; i-- > 0;)
			f->index[cell(f, f->points.data[i].value)] = (uint32_t)i + 1;
		f->indexed = f->points.len;
	}
	*point = (size_t)f->index[cell(f, value)] - 1;
	return true;
}

static struct frame_column *column(struct frame *f, const char *counter)
{
	struct frame_column *c = f->columns;

	while (c && strcmp(c->counter, counter) != 0)
		c = c->next;
	if (c)
		return c;
	c = arena_new(&f->arena, struct frame_column);
	*c = (struct frame_column){f->columns, arena_strdup(&f->arena, counter),
				   xcalloc(f->points.len + 1, sizeof *c->values)};
	f->columns = c;
	for (size_t i = 0; i < f->points.len; i++) {
		const struct frame_point *p = &f->points.data[i];

		if (!p->done || !f->source.number(f->source.arg, p->run, -1, counter, &c->values[i]))
			c->values[i] = NAN;
	}
	return c;
}

/* A counter that a launch lacks, but its run has, is 0 in this launch. */
bool frame_number(struct frame *f, size_t point, int64_t launch, const char *counter, double *value)
{
	const struct frame_point *p = &f->points.data[point];

	*value = column(f, counter)->values[point];
	if (isnan(*value))
		return false;
	if (launch >= 0 && !f->source.number(f->source.arg, p->run, launch, counter, value))
		*value = 0;
	return true;
}

bool frame_is_cut(struct frame *f, size_t point)
{
	return column(f, "complete")->values[point] == 0;
}
