/*
 * Points of the frame fall into cells by their values of the rows' and columns' dimensions; a cell's place has the
 * values that all its points share, so expressions need not repeat a dimension that `where` has narrowed down.
 */
#include "study/report/grid.h"

#include "study/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An axis of a table: the dimensions that its list of names means, and whether parts of runs are among them. */
struct axis {
	enum dimension dimensions[DIM_COUNT];
	size_t count;
	bool parts;
};

struct member {
	uint32_t point, sample;
};

/* The points of one combination of rows and columns. */
struct bucket {
	VEC(struct member) members;
};

/* The state of a build. */
struct builder {
	struct grid *g;
	struct frame *f;
	struct study *s;
	struct axis rows, columns, over;
	grid_labels row_labels, column_labels, samples; /* without parts and values */
	struct bucket *buckets;                         /* rows x columns of these */
	VEC(struct expression *) values;
	struct expression *x, *where;
	struct diag *d;
};

/* --- Labels --- */

static const char *joined(struct grid *g, const char *a, const char *b)
{
	return *a && *b ? arena_printf(&g->arena, "%s %s", a, b) : *a ? a : b;
}

static const char *label_text(struct builder *b, const struct grid_label *label, const struct axis *axis)
{
	const char *text = "";

	for (size_t i = 0; i < axis->count; i++) {
		enum dimension k = axis->dimensions[i];

		text = joined(b->g, text,
			      k == DIM_SEED ? arena_printf(&b->g->arena, "seed %s", label->names[k])
					    : study_label(b->s, k, label->names[k]));
	}
	return text;
}

const char *grid_value_label(struct grid *g, const struct study *s, size_t value)
{
	const char *text = g->request->values.data[value].text;

	for (size_t i = 0; i < s->values.len; i++) {
		const struct study_value *v = &s->values.data[i];

		if (strcmp(v->name, text) != 0)
			continue;
		text = v->label ? v->label : v->name;
		return v->unit ? arena_printf(&g->arena, "%s (%s)", text, v->unit) : text;
	}
	return text;
}

/* --- Points into cells --- */

static struct axis axis_of(const study_texts *names)
{
	struct axis axis = {.count = 0};

	for (size_t i = 0; i < names->len; i++) {
		enum dimension dimension = dimension_find(names->data[i].text);

		if (dimension == DIM_COUNT)
			axis.parts = true;
		else if (axis.count < DIM_COUNT)
			axis.dimensions[axis.count++] = dimension;
	}
	return axis;
}

/* In the order of the axis' dimensions, and of the study for each of them. */
static int compare(const struct axis *axis, const uint32_t *a, const uint32_t *b)
{
	for (size_t i = 0; i < axis->count; i++) {
		enum dimension k = axis->dimensions[i];

		if (a[k] != b[k])
			return a[k] < b[k] ? -1 : 1;
	}
	return 0;
}

/* The first label that is not before these values. */
static size_t label_place(const grid_labels *list, const struct axis *axis, const uint32_t *values)
{
	size_t low = 0, high = list->len;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (compare(axis, list->data[middle].values, values) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void add_label(struct builder *b, grid_labels *list, const struct axis *axis, const struct frame_point *point)
{
	size_t at = label_place(list, axis, point->value);
	struct grid_label label = {.text = ""};

	if (at < list->len && compare(axis, list->data[at].values, point->value) == 0)
		return;
	memset(label.values, 0xff, sizeof label.values);
	for (size_t i = 0; i < axis->count; i++) {
		enum dimension k = axis->dimensions[i];

		label.values[k] = point->value[k];
		label.names[k] = arena_strdup(&b->g->arena, b->f->names[k].data[point->value[k]]);
	}
	label.text = label_text(b, &label, axis);
	vec_grow(list);
	memmove(&list->data[at + 1], &list->data[at], (list->len - 1 - at) * sizeof label);
	list->data[at] = label;
}

static bool is_meant(const struct builder *b, const struct frame_point *point)
{
	const char *values[DIM_COUNT];

	for (enum dimension i = 0; i < DIM_COUNT; i++)
		values[i] = b->f->names[i].data[point->value[i]];
	return !b->where || expression_holds(b->where, values);
}

static void gather(struct builder *b)
{
	const struct frame *f = b->f;

	for (size_t i = 0; i < f->points.len; i++)
		if (is_meant(b, &f->points.data[i])) {
			add_label(b, &b->row_labels, &b->rows, &f->points.data[i]);
			add_label(b, &b->column_labels, &b->columns, &f->points.data[i]);
			add_label(b, &b->samples, &b->over, &f->points.data[i]);
		}
	b->buckets = xcalloc(b->row_labels.len * b->column_labels.len + 1, sizeof *b->buckets);
	for (size_t i = 0; i < f->points.len; i++) {
		const struct frame_point *point = &f->points.data[i];

		if (!is_meant(b, point))
			continue;
		vec_push(&b->buckets[label_place(&b->row_labels, &b->rows, point->value) * b->column_labels.len +
				     label_place(&b->column_labels, &b->columns, point->value)]
			      .members,
			 (struct member){(uint32_t)i, (uint32_t)label_place(&b->samples, &b->over, point->value)});
		if (b->rows.parts || b->columns.parts)
			if (point->done)
				parts_collect(&b->g->parts, point->run);
	}
	if (b->rows.parts || b->columns.parts)
		parts_sort(&b->g->parts);
}

/* --- Rows and columns with their parts and values --- */

static void expand_values(struct builder *b, grid_labels *to, const struct grid_label *label, bool values)
{
	size_t count = values ? b->values.len : 1;

	for (size_t i = 0; i < count; i++) {
		struct grid_label more = *label;

		if (count > 1) {
			more.value = b->g->request->values.data[i].text;
			more.text = joined(b->g, more.text, grid_value_label(b->g, b->s, i));
		}
		more.value_index = i;
		vec_push(to, more);
	}
}

static void expand(struct builder *b, grid_labels *to, const grid_labels *from, const struct axis *axis, bool values)
{
	const struct parts *parts = &b->g->parts;

	for (size_t i = 0; i < from->len; i++) {
		if (!axis->parts)
			expand_values(b, to, &from->data[i], values);
		for (size_t k = 0; axis->parts && k < parts->list.len; k++) {
			struct grid_label label = from->data[i];

			label.part = parts->list.data[k].label;
			label.part_index = k;
			label.text = joined(b->g, label.text, label.part);
			expand_values(b, to, &label, values);
		}
	}
}

/* --- Cells --- */

/* The values that the bucket's points of a sample share; false: there are no such points. */
static bool common_place(const struct builder *b, const struct bucket *bucket, size_t sample, struct study_at *at)
{
	const struct frame_point *first = NULL;

	for (size_t i = 0; i < bucket->members.len; i++) {
		const struct frame_point *point = &b->f->points.data[bucket->members.data[i].point];

		if (bucket->members.data[i].sample != sample)
			continue;
		for (enum dimension k = 0; k < DIM_COUNT; k++) {
			if (!first)
				at->value[k] = b->f->names[k].data[point->value[k]];
			else if (first->value[k] != point->value[k])
				at->value[k] = NULL;
		}
		first = first ? first : point;
	}
	return first != NULL;
}

static int compute_sample(struct builder *b, struct grid_cell *cell, size_t value, const struct study_at *at,
			  size_t sample)
{
	struct outcome y, x = {.known = true};

	if (expression_compute(b->values.data[value], b->f, at, &y, b->d) < 0 ||
	    (b->x && expression_compute(b->x, b->f, at, &x, b->d) < 0))
		return DIAG_ERROR;
	cell->missing += y.missing + (y.known && x.known ? 0 : !y.absent && !x.absent);
	cell->cut += y.cut + x.cut;
	if (!y.known || !x.known)
		return 0;
	cell->samples[sample] = y.value;
	cell->x += x.value;
	cell->count++;
	return 0;
}

static void summarise(struct grid *g, struct grid_cell *cell)
{
	double *known = xcalloc(g->samples + 1, sizeof *known);
	size_t count = 0;

	for (size_t i = 0; i < g->samples; i++)
		if (!isnan(cell->samples[i]))
			known[count++] = cell->samples[i];
	cell->count = count;
	cell->known = count > 0;
	if (count) {
		aggregate("mean", known, count, &cell->value);
		aggregate("stddev", known, count, &cell->spread);
	}
	xfree(known);
}

static size_t not_done(const struct builder *b, const struct bucket *bucket)
{
	size_t count = 0;

	for (size_t i = 0; i < bucket->members.len; i++)
		count += !b->f->points.data[bucket->members.data[i].point].done;
	return count;
}

static int compute_cell(struct builder *b, size_t row, size_t column)
{
	struct grid *g = b->g;
	const struct grid_label *r = &g->rows.data[row], *c = &g->columns.data[column];
	struct grid_cell *cell = grid_at(g, row, column);
	const struct bucket *bucket =
	    &b->buckets[label_place(&b->row_labels, &b->rows, r->values) * b->column_labels.len +
			label_place(&b->column_labels, &b->columns, c->values)];

	for (size_t i = 0; i < b->samples.len; i++) {
		struct study_at at = {.value = {NULL}};

		if (common_place(b, bucket, i, &at) && compute_sample(b, cell, c->value_index, &at, i) < 0)
			return DIAG_ERROR;
	}
	if (cell->count)
		cell->x /= (double)cell->count;
	summarise(g, cell);
	/* Runs may have different parts: one ends an epoch earlier than another. Such a part is not missing. */
	if (g->parts.kind != PART_KINDS)
		cell->missing = not_done(b, bucket) + cell->cut;
	g->missing += cell->missing;
	g->cut += cell->cut;
	return 0;
}

/* The outer loop goes through parts, since the frame holds one part at a time. */
static int compute_cells(struct builder *b)
{
	struct grid *g = b->g;
	size_t parts = g->parts.kind == PART_KINDS ? 1 : g->parts.list.len;

	for (size_t part = 0; part < parts; part++) {
		g->parts.current = part;
		frame_forget(b->f);
		for (size_t r = 0; r < g->rows.len; r++)
			for (size_t c = 0; c < g->columns.len; c++) {
				if (g->rows.data[r].mean || (b->rows.parts && g->rows.data[r].part_index != part) ||
				    (b->columns.parts && g->columns.data[c].part_index != part))
					continue;
				if (compute_cell(b, r, c) < 0)
					return DIAG_ERROR;
			}
	}
	return 0;
}

/* One more row: each sample's mean over all rows. */
static void compute_means(struct grid *g, const char *mean)
{
	size_t last = g->rows.len - 1;
	double *list = xcalloc(last + 1, sizeof *list);

	for (size_t c = 0; c < g->columns.len; c++) {
		struct grid_cell *cell = grid_at(g, last, c);

		for (size_t i = 0; i < g->samples; i++) {
			size_t count = 0;

			for (size_t r = 0; r < last; r++)
				if (!isnan(grid_at(g, r, c)->samples[i]))
					list[count++] = grid_at(g, r, c)->samples[i];
			if (count)
				aggregate(mean, list, count, &cell->samples[i]);
		}
		for (size_t r = 0; r < last; r++) {
			cell->missing += grid_at(g, r, c)->missing;
			cell->cut += grid_at(g, r, c)->cut;
		}
		summarise(g, cell);
	}
	xfree(list);
}

struct grid_cell *grid_at(const struct grid *g, size_t row, size_t column)
{
	return &g->cells[row * g->columns.len + column];
}

static void make_cells(struct grid *g)
{
	size_t count = g->rows.len * g->columns.len;

	g->cells = arena_array(&g->arena, struct grid_cell, count + 1);
	for (size_t i = 0; i < count; i++) {
		g->cells[i].samples = arena_array(&g->arena, double, g->samples);
		for (size_t k = 0; k < g->samples; k++)
			g->cells[i].samples[k] = NAN;
	}
}

/* --- Papers' values --- */

/*
 * Whether a reference belongs at this label: it names the label's value of each dimension. A reference cannot name
 * parts.
 */
static bool is_at(const struct study_at *at, const struct grid_label *label, const struct axis *axis)
{
	if (axis->parts)
		return false;
	for (size_t i = 0; i < axis->count; i++) {
		enum dimension k = axis->dimensions[i];

		if (label->mean ? at->value[k] != NULL : !at->value[k] || strcmp(at->value[k], label->names[k]) != 0)
			return false;
	}
	return true;
}

static size_t label_at(const struct study_at *at, const grid_labels *labels, const struct axis *axis)
{
	for (size_t i = 0; i < labels->len; i++)
		if (is_at(at, &labels->data[i], axis))
			return i;
	return SIZE_MAX;
}

static int add_reference(struct builder *b, struct frame *f, const struct study_reference *reference)
{
	struct grid *g = b->g;
	struct grid_reference r = {.reference = reference};
	struct expression *e = expression_parse(b->s, &reference->value, EXPRESSION_VALUE, b->d);
	struct outcome ours;

	if (!e || expression_compute(e, f, &reference->at, &ours, b->d) < 0)
		return DIAG_ERROR;
	r.known = ours.known;
	r.ours = ours.value;
	r.row = label_at(&reference->at, &g->rows, &b->rows);
	r.column = label_at(&reference->at, &g->columns, &b->columns);
	vec_push(&g->references, r);
	return 0;
}

static int add_references(struct builder *b, struct frame *f)
{
	const study_texts *names = b->g->request->references;

	for (size_t i = 0; i < names->len; i++)
		for (size_t k = 0; k < b->s->references.len; k++)
			if (strcmp(b->s->references.data[k].name, names->data[i].text) == 0 &&
			    add_reference(b, f, &b->s->references.data[k]) < 0)
				return DIAG_ERROR;
	return 0;
}

/* --- All of it --- */

static int parse_expressions(struct builder *b)
{
	const struct grid_request *r = b->g->request;
	enum expression_kind kind = b->rows.parts || b->columns.parts ? EXPRESSION_PART : EXPRESSION_VALUE;
	const struct study_text x = {r->x, r->x_place};

	for (size_t i = 0; i < r->values.len; i++) {
		struct expression *e = expression_parse(b->s, &r->values.data[i], kind, b->d);

		if (!e)
			return DIAG_ERROR;
		vec_push(&b->values, e);
	}
	if (r->x) {
		b->x = expression_parse(b->s, &x, kind, b->d);
		if (!b->x)
			return DIAG_ERROR;
	}
	if (r->where.text)
		b->where = expression_parse(b->s, &r->where, EXPRESSION_CONDITION, b->d);
	return r->where.text && !b->where ? DIAG_ERROR : 0;
}

/* A curve's points are all runs of its label, so what else tells runs apart is a row. */
static void add_free_dimensions(struct builder *b)
{
	for (enum dimension k = 0; k < DIM_COUNT; k++) {
		bool taken = b->f->names[k].len < 2;

		for (size_t i = 0; i < b->columns.count; i++)
			taken = taken || b->columns.dimensions[i] == k;
		for (size_t i = 0; i < b->over.count; i++)
			taken = taken || b->over.dimensions[i] == k;
		for (size_t i = 0; i < b->rows.count; i++)
			taken = taken || b->rows.dimensions[i] == k;
		if (!taken)
			b->rows.dimensions[b->rows.count++] = k;
	}
}

static bool number_of_part(void *arg, int64_t run, int64_t launch, const char *counter, double *value)
{
	(void)launch;
	if (strcmp(counter, "complete") == 0)
		return parts_are_cut(arg) && parts_run_number(arg, run, counter, value);
	return parts_number(arg, run, counter, value);
}

static int64_t no_launches(void *arg, int64_t run)
{
	(void)arg;
	(void)run;
	return 0;
}

/* The same points with numbers of parts. */
static struct frame *frame_of_parts(const struct frame *f, struct parts *parts)
{
	const struct frame_source source = {parts, number_of_part, no_launches};
	struct frame *copy = frame_create(f->study, &source);

	for (size_t i = 0; i < f->points.len; i++) {
		const struct frame_point *point = &f->points.data[i];
		const char *values[DIM_COUNT];

		for (enum dimension k = 0; k < DIM_COUNT; k++)
			values[k] = f->names[k].data[point->value[k]];
		frame_add(copy, values, point->run, point->done);
	}
	return copy;
}

static int check_parts(struct builder *b)
{
	struct parts *parts = &b->g->parts;
	struct guess g;
	const char *unknown = parts->kind == PART_KINDS ? NULL : parts_unknown(parts, &g);

	if (!unknown)
		return 0;
	return study_wrong(b->s, b->g->request->values.data[0].place, b->d, "no %s has a counter '%s'%s",
			   part_names[parts->kind], unknown, guess_hint(&g).text);
}

/* Checks that `keep` names these parts. */
static int check_kept(struct builder *b)
{
	static const char *const kept[PART_KINDS] = {"slices", "slices", "structures", "kernels", "epochs"};
	const struct parts *parts = &b->g->parts;

	if (parts->kind == PART_KINDS || parts->list.len || !parts->runs.len)
		return 0;
	return study_wrong(
	    b->s, b->g->request->place, b->d,
	    "'%s' goes through each %s, which these runs have not kept; `simulate: {keep: [%s]}` keeps them",
	    b->g->request->name, part_names[parts->kind], kept[parts->kind]);
}

static int build(struct builder *b, struct frame *f)
{
	struct grid *g = b->g;
	const char *mean = g->request->mean.text;

	if (parse_expressions(b) < 0)
		return DIAG_ERROR;
	if (b->x)
		add_free_dimensions(b);
	gather(b);
	if (check_kept(b) < 0)
		return DIAG_ERROR;
	g->samples = b->samples.len;
	g->averaged = b->over.count > 0;
	expand(b, &g->rows, &b->row_labels, &b->rows, false);
	expand(b, &g->columns, &b->column_labels, &b->columns, true);
	if (mean && g->rows.len > 1)
		vec_push(&g->rows, (struct grid_label){.text = mean, .mean = true});
	make_cells(g);
	if (compute_cells(b) < 0 || check_parts(b) < 0)
		return DIAG_ERROR;
	if (g->rows.len && vec_last(&g->rows).mean)
		compute_means(g, mean);
	return add_references(b, f);
}

static void builder_release(struct builder *b)
{
	for (size_t i = 0; b->buckets && i < b->row_labels.len * b->column_labels.len; i++)
		vec_release(&b->buckets[i].members);
	xfree(b->buckets);
	vec_release(&b->row_labels);
	vec_release(&b->column_labels);
	vec_release(&b->samples);
	vec_release(&b->values);
}

static enum part_kind kind_of_parts(const struct grid_request *r)
{
	const study_texts *lists[] = {&r->rows, &r->columns};

	for (size_t i = 0; i < 2; i++)
		for (size_t k = 0; k < lists[i]->len; k++)
			if (part_find(lists[i]->data[k].text) != PART_KINDS)
				return part_find(lists[i]->data[k].text);
	return PART_KINDS;
}

int grid_build(struct grid *g, struct frame *f, struct database *db, const struct grid_request *request, struct diag *d)
{
	struct builder b = {.g = g, .f = f, .s = f->study, .d = d};
	int status;

	*g = (struct grid){.request = request};
	parts_init(&g->parts, db, kind_of_parts(request));
	b.rows = axis_of(&request->rows);
	b.columns = axis_of(&request->columns);
	b.over = axis_of(&request->over);
	if (g->parts.kind != PART_KINDS)
		b.f = frame_of_parts(f, &g->parts);
	status = build(&b, f);
	builder_release(&b);
	if (b.f != f)
		frame_free(b.f);
	return status;
}

void grid_release(struct grid *g)
{
	vec_release(&g->rows);
	vec_release(&g->columns);
	vec_release(&g->references);
	parts_release(&g->parts);
	arena_release(&g->arena);
}
