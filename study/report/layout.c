/* Rows and columns are named as in the grid; what a cell says depends on who reads it. */
#include "study/report/layout.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "size, variant" */
static const char *names_of_rows(struct grid *g)
{
	const char *names = "";

	for (size_t i = 0; i < g->request->rows.len; i++)
		names = arena_printf(&g->arena, "%s%s%s", names, i ? ", " : "", g->request->rows.data[i].text);
	return names;
}

static void print_number(char *text, size_t size, const char *format, double value)
{
/* study_load has checked that the format takes exactly one number. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(text, size, format, value);
#pragma GCC diagnostic pop
}

static void add_plain(struct sheet *t, const struct grid_cell *cell, const char *format)
{
	char text[128];

	print_number(text, sizeof text, format, cell->value);
	sheet_add(t, cell->known ? text : NULL);
}

/* "1.15 ± 0.02", "1.15, 2 missing", "cut", "missing"; nothing where the study has no such point. */
static void add_full(struct sheet *t, const struct grid_cell *cell, const char *format)
{
	char value[128], spread[128], text[384];
	size_t len = 0;

	if (!cell->known) {
		sheet_add(t, !cell->missing ? NULL : cell->cut == cell->missing ? "cut" : "missing");
		return;
	}
	print_number(value, sizeof value, format, cell->value);
	len = (size_t)snprintf(text, sizeof text, "%s", value);
	if (cell->count > 1) {
		print_number(spread, sizeof spread, format, cell->spread);
		len += (size_t)snprintf(text + len, sizeof text - len, " \xc2\xb1 %s", spread);
	}
	if (cell->missing)
		snprintf(text + len, sizeof text - len, ", %zu missing", cell->missing);
	sheet_add(t, text);
}

static const char *format_of(const study_texts *formats, const struct grid_label *column)
{
	return formats->data[formats->len > 1 ? column->value_index : 0].text;
}

void layout_cells(struct sheet *t, struct grid *g, const struct study *s, const study_texts *formats,
		  enum layout_style style)
{
	bool one = g->columns.len == 1 && !*g->columns.data[0].text;

	sheet_column(t, names_of_rows(g), SHEET_TEXT);
	for (size_t c = 0; c < g->columns.len; c++)
		sheet_column(t, one ? grid_value_label(g, s, 0) : g->columns.data[c].text, SHEET_NUMBER);
	for (size_t r = 0; r < g->rows.len; r++) {
		sheet_add(t, g->rows.data[r].text);
		for (size_t c = 0; c < g->columns.len; c++)
			(style == LAYOUT_FULL ? add_full : add_plain)(t, grid_at(g, r, c),
								      format_of(formats, &g->columns.data[c]));
	}
}

/* Whether some row names a value of the dimension. */
static bool measures(const struct study_measured *m, enum dimension dimension)
{
	for (size_t i = 0; i < m->rows.len; i++)
		if (m->rows.data[i].value[dimension])
			return true;
	return false;
}

void layout_measured(struct sheet *t, const struct study *s)
{
	const struct study_measured *m = &s->measured;
	bool wanted[DIM_COUNT];

	for (enum dimension k = 0; k < DIM_COUNT; k++) {
		wanted[k] = measures(m, k);
		if (wanted[k])
			sheet_column(t, dimension_names[k], SHEET_TEXT);
	}
	for (size_t c = 0; c < m->columns.len; c++)
		sheet_column(t, m->columns.data[c], SHEET_NUMBER);
	sheet_column(t, "source", SHEET_TEXT);
	for (size_t i = 0; i < m->rows.len; i++) {
		const struct measured_row *row = &m->rows.data[i];

		for (enum dimension k = 0; k < DIM_COUNT; k++)
			if (wanted[k])
				sheet_add(t, row->value[k]);
		for (size_t c = 0; c < m->columns.len; c++)
			sheet_add_number(t, c < row->columns ? row->numbers[c] : NAN);
		sheet_add(t, row->source);
	}
}

void layout_references(struct sheet *t, const struct grid *g)
{
	sheet_column(t, "reference", SHEET_TEXT);
	sheet_column(t, "here", SHEET_NUMBER);
	sheet_column(t, "paper", SHEET_NUMBER);
	sheet_column(t, "here / paper", SHEET_NUMBER);
	sheet_column(t, "source", SHEET_TEXT);
	for (size_t i = 0; i < g->references.len; i++) {
		const struct grid_reference *r = &g->references.data[i];

		sheet_add(t, r->reference->name);
		if (r->known)
			sheet_addf(t, "%.4g", r->ours);
		else
			sheet_add(t, NULL);
		sheet_addf(t, "%.4g", r->reference->paper);
		if (r->known && r->reference->paper != 0)
			sheet_addf(t, "%.3f", r->ours / r->reference->paper);
		else
			sheet_add(t, NULL);
		sheet_add(t, r->reference->source);
	}
}
