/*
 * Every position is computed here and not by gnuplot's histograms, so that error bars and papers' marks are exactly at
 * their bars.
 */
#include "study/report/script.h"

#include "common/ascii.h"
#include "common/c_locale.h"
#include "study/expression/expression.h"
#include "study/report/theme.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char ink[] = "lc rgb INK";

enum { MOST_BYTES = 49 };         /* of a name: of the label of a tic gnuplot draws no more */
enum { TURN = 35 };               /* degrees, of names below the axis */
static const double letter = 7.5; /* width of a letter in pixels */

/*
 * Writes the text in double quotes. Letters, blanks and bytes outside ASCII stay; every other byte is written as its
 * octal number. In single quotes a quote could not come first; an unescaped backtick would be a command; a digit would
 * belong to the number before it. In a format "%" is doubled.
 */
void script_quote(struct strbuf *out, const char *text, enum script_text kind)
{
	strbuf_addc(out, '"');
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (kind == SCRIPT_FORMAT && c == '%')
			strbuf_adds(out, "\\045");
		if (c >= 0x80 || ascii_is_alpha(*text) || c == ' ')
			strbuf_addc(out, (char)c);
		else if (c < ' ' || c == 0x7f)
			strbuf_addc(out, ' ');
		else
			strbuf_addf(out, "\\%03o", c);
	}
	strbuf_addc(out, '"');
}

/* Whether a character in UTF-8 begins here. */
static bool begins_character(const char *at)
{
	return ((unsigned char)*at & 0xc0) != 0x80;
}

/* A name as figures show it: a long one without its middle, since names mostly differ at their ends. */
static struct strbuf shown(const char *text)
{
	static const char dots[] = "\xe2\x80\xa6";
	size_t bytes = strlen(text), head = (MOST_BYTES - strlen(dots)) / 2, tail = bytes - head;
	struct strbuf name = STRBUF_INIT;

	strbuf_adds(&name, "");
	if (bytes <= MOST_BYTES) {
		strbuf_adds(&name, text);
		return name;
	}
	while (!begins_character(text + head))
		head--;
	while (!begins_character(text + tail))
		tail++;
	strbuf_addf(&name, "%.*s%s%s", (int)head, text, dots, text + tail);
	return name;
}

/* In characters. */
static size_t shown_width(const char *text)
{
	struct strbuf name = shown(text);
	size_t width = 0;

	for (size_t i = 0; i < name.len; i++)
		width += begins_character(name.data + i);
	strbuf_release(&name);
	return width;
}

static void add_name(struct strbuf *out, const char *text, enum script_text kind)
{
	struct strbuf name = shown(text);

	script_quote(out, name.data ? name.data : "", kind);
	strbuf_release(&name);
}

static void set(struct strbuf *out, const char *what, const char *text)
{
	if (!text || !*text)
		return;
	strbuf_addf(out, "set %s ", what);
	add_name(out, text, SCRIPT_TEXT);
	strbuf_addf(out, " textcolor rgb INK\n");
}

static bool is_stack(const struct study_figure *figure)
{
	return figure->kind == FIGURE_STACKED;
}

/* --- Places of rows --- */

/* Rows of stacked bars that differ only in the dimensions of `bars` are side by side, as one group. */
static bool begins_group(const struct study_figure *figure, const struct grid *g, size_t row)
{
	const struct grid_label *a, *b;

	if (!is_stack(figure) || row == 0 || g->rows.data[row].mean)
		return true;
	a = &g->rows.data[row - 1];
	b = &g->rows.data[row];
	for (size_t i = 0; i < figure->x.len; i++) {
		enum dimension k = dimension_find(figure->x.data[i].text);

		if (k != DIM_COUNT && a->values[k] != b->values[k])
			return true;
	}
	return false;
}

/* The place of a row along x; groups are one apart from each other. */
static double row_place(const struct study_figure *figure, const struct grid *g, size_t row)
{
	double place = 0;

	for (size_t i = 1; i <= row; i++)
		place += begins_group(figure, g, i) ? (is_stack(figure) ? 1.5 : 1) : 1;
	return place + (g->rows.data[row].mean ? 0.4 : 0);
}

static double bar_width(const struct grid *g)
{
	return 0.8 / (double)(g->columns.len ? g->columns.len : 1);
}

static double bar_place(const struct study_figure *figure, const struct grid *g, size_t row, size_t column)
{
	double place = row_place(figure, g, row);

	return is_stack(figure) ? place : place - 0.4 + bar_width(g) * ((double)column + 0.5);
}

/* Rows are numbers, such as sizes or cycles; a row's place is its number. */
static bool is_number(const char *text, double *value)
{
	char *end;

	*value = c_strtod(text, &end);
	return *text && !*end && isfinite(*value);
}

static bool is_numeric(const struct grid *g)
{
	double value;

	for (size_t i = 0; i < g->rows.len; i++)
		if (!g->rows.data[i].mean && !is_number(g->rows.data[i].text, &value))
			return false;
	return g->rows.len > 0;
}

/* --- Sizes --- */

static size_t longest(const grid_labels *labels)
{
	size_t most = 0;

	for (size_t i = 0; i < labels->len; i++)
		if (shown_width(labels->data[i].text) > most)
			most = shown_width(labels->data[i].text);
	return most;
}

static unsigned within(double value, unsigned low, unsigned high)
{
	return value < low ? low : value > high ? high : (unsigned)value;
}

/* The names of a few groups get room side by side. */
static unsigned bars_width(const struct grid *g, double needed)
{
	double names = 110 + (double)g->rows.len * ((double)longest(&g->rows) * letter + 10);

	return within(names < 960 && needed < names ? names : needed, 640, 3000);
}

static double room_of_name(const struct grid *g, unsigned width)
{
	return (width - 110.0) / (double)(g->rows.len ? g->rows.len : 1);
}

/* Names below the axis are turned where they would not fit. */
static bool are_turned(const struct grid *g, unsigned width)
{
	return (double)longest(&g->rows) * letter > room_of_name(g, width);
}

void script_size(const struct study_figure *figure, const struct grid *g, unsigned *width, unsigned *height)
{
	double rows = (double)g->rows.len, columns = (double)g->columns.len;

	*height = 400;
	switch (figure->kind) {
	case FIGURE_BARS: *width = bars_width(g, 110 + rows * (columns * 16 + 22)); break;
	case FIGURE_STACKED: *width = bars_width(g, 110 + rows * 34); break;
	case FIGURE_HEAT:
		*width = within(220 + (double)longest(&g->columns) * letter + rows * 14, 640, 2400);
		*height = within(170 + columns * 22, 260, 2400);
		break;
	default: *width = 760;
	}
	if (!is_numeric(g) && are_turned(g, *width) && longest(&g->rows) > 12)
		*height += (unsigned)(((double)longest(&g->rows) - 12) * letter * sin(TURN * M_PI / 180));
}

/* --- Axes --- */

static void add_end(struct strbuf *out, const struct study_text *number, const char *otherwise)
{
	if (number->text)
		strbuf_addf(out, "%.15g", c_strtod(number->text, NULL));
	else
		strbuf_adds(out, otherwise);
}

static void add_range(struct strbuf *out, const char *axis, const struct study_text *low, const struct study_text *high,
		      const char *default_low)
{
	strbuf_addf(out, "set %s [", axis);
	add_end(out, low, default_low);
	strbuf_adds(out, ":");
	add_end(out, high, "*");
	strbuf_adds(out, "]\n");
}

static const char *value_axis_label(const struct study_figure *figure, struct grid *g, const struct study *s)
{
	if (figure->y_label)
		return figure->y_label;
	return g->request->values.len == 1 ? grid_value_label(g, s, 0) : "";
}

/*
 * Makes room left of the axis for the names that begin there: turned names, which go from their place down to the left,
 * and the names of the columns of a field of colours.
 */
static void add_left_margin(struct strbuf *out, const struct study_figure *figure, const struct grid *g, unsigned width)
{
	double last = (g->rows.len ? row_place(figure, g, g->rows.len - 1) : 0) + 1.4;
	double right = figure->kind == FIGURE_HEAT ? 0.84 * width : width - 25.0, left = 0;

	for (size_t i = 0; i < g->rows.len; i++) {
		double share = (row_place(figure, g, i) + 0.7) / last;
		double needed = (double)shown_width(g->rows.data[i].text) * letter * cos(TURN * M_PI / 180);

		left = fmax(left, (needed - share * right) / (1 - share));
	}
	if (figure->kind == FIGURE_HEAT)
		left = fmax(left, (double)longest(&g->columns) * letter + 25);
	left = fmin(left, 0.6 * width);
	if (left > 85)
		strbuf_addf(out, "set lmargin at screen %.4f\n", left / width);
	if (figure->kind != FIGURE_HEAT)
		strbuf_addf(out, "set rmargin at screen %.4f\n", right / width);
}

static void add_names(struct strbuf *out, const struct study_figure *figure, const struct grid *g)
{
	unsigned width, height;

	script_size(figure, g, &width, &height);
	if (are_turned(g, width)) {
		add_left_margin(out, figure, g, width);
		strbuf_addf(out, "set xtics scale 0 rotate by %d right (", TURN);
	} else {
		strbuf_adds(out, "set xtics scale 0 norotate center (");
	}
	for (size_t i = 0; i < g->rows.len; i++) {
		strbuf_adds(out, i ? ", " : "");
		add_name(out, g->rows.data[i].text, SCRIPT_FORMAT);
		strbuf_addf(out, " %g", row_place(figure, g, i));
	}
	strbuf_adds(out, ") textcolor rgb INK\n");
	strbuf_addf(out, "set xrange [-0.7:%g]\n", (g->rows.len ? row_place(figure, g, g->rows.len - 1) : 0) + 0.7);
}

static void add_frame(struct strbuf *out, const struct study_figure *figure, struct grid *g, const struct study *s)
{
	strbuf_adds(out,
		    "set encoding utf8\nunset title\nset border 3 lc rgb INK\nset tics nomirror textcolor rgb INK\n"
		    "set grid ytics back lt 1 lc rgb FAINT lw 1\nset style fill solid 1 border rgb INK\n"
		    "set key outside top left horizontal Left reverse textcolor rgb INK samplen 2 spacing 1.2\n"
		    "set datafile missing 'NaN'\n");
	set(out, "ylabel", value_axis_label(figure, g, s));
	set(out, "xlabel", figure->x_label);
	if (figure->log)
		strbuf_addf(out, "set logscale %s\n", figure->kind == FIGURE_SCATTER ? "xy" : "y");
}

/* --- Data --- */

static void add_number(struct strbuf *out, double value, bool known)
{
	if (known && isfinite(value))
		strbuf_addf(out, " %.9g", value);
	else
		strbuf_adds(out, " NaN");
}

static int by_x(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The error bar of a whole stack: the deviation of its sums. */
static double stack_spread(const struct grid *g, size_t row)
{
	double *sums = xcalloc(g->samples + 1, sizeof *sums), spread = 0;
	size_t count = 0;

	for (size_t i = 0; i < g->samples; i++) {
		double sum = 0;

		for (size_t c = 0; c < g->columns.len; c++)
			sum += grid_at(g, row, c)->samples[i];
		if (isfinite(sum))
			sums[count++] = sum;
	}
	if (count > 1)
		aggregate("stddev", sums, count, &spread);
	xfree(sums);
	return spread;
}

/* Position, upper end and spread of each bar of the column; a stack has its spread at its top. */
static void add_bars(struct strbuf *out, const struct study_figure *figure, const struct grid *g, size_t column)
{
	strbuf_addf(out, "$c%zu << EOD\n", column);
	for (size_t r = 0; r < g->rows.len; r++) {
		const struct grid_cell *cell = grid_at(g, r, column);
		double low = 0;

		for (size_t c = 0; is_stack(figure) && c < column; c++)
			low += grid_at(g, r, c)->known ? grid_at(g, r, c)->value : 0;
		strbuf_addf(out, "%.9g", bar_place(figure, g, r, column));
		add_number(out, low + cell->value, cell->known);
		if (is_stack(figure))
			add_number(out, stack_spread(g, r), column + 1 == g->columns.len);
		else
			add_number(out, cell->spread, cell->known && cell->count > 1);
		strbuf_adds(out, "\n");
	}
	strbuf_adds(out, "EOD\n");
}

static void add_curve(struct strbuf *out, const struct study_figure *figure, const struct grid *g, size_t column)
{
	bool numeric = is_numeric(g);
	double(*points)[3] = xcalloc(g->rows.len + 1, sizeof *points);
	size_t count = 0;

	for (size_t r = 0; r < g->rows.len; r++) {
		const struct grid_cell *cell = grid_at(g, r, column);
		double x = row_place(figure, g, r);

		if (!cell->known || (numeric && !is_number(g->rows.data[r].text, &x)))
			continue;
		points[count][0] = g->request->x ? cell->x : x;
		points[count][1] = cell->value;
		points[count++][2] = cell->count > 1 ? cell->spread : 0;
	}
	qsort(points, count, sizeof *points, by_x);
	strbuf_addf(out, "$c%zu << EOD\n", column);
	for (size_t i = 0; i < count; i++)
		strbuf_addf(out, "%.9g %.9g %.9g\n", points[i][0], points[i][1], points[i][2]);
	strbuf_adds(out, count ? "EOD\n" : "NaN NaN NaN\nEOD\n");
	xfree(points);
}

/* A paper's value is drawn at its bar, or as a line across if it has no bar. */
static void add_marks(struct strbuf *out, const struct study_figure *figure, const struct grid *g)
{
	strbuf_adds(out, "$marks << EOD\nNaN NaN\n");
	for (size_t i = 0; i < g->references.len; i++) {
		const struct grid_reference *r = &g->references.data[i];

		if (r->row != SIZE_MAX && r->column != SIZE_MAX)
			strbuf_addf(out, "%.9g %.9g\n", bar_place(figure, g, r->row, r->column), r->reference->paper);
	}
	strbuf_adds(out, "EOD\n");
}

static bool has_mark(const struct grid_reference *r)
{
	return r->row != SIZE_MAX && r->column != SIZE_MAX;
}

/* --- Drawing --- */

static void add_title(struct strbuf *out, const char *text)
{
	strbuf_adds(out, *text ? " title " : " notitle");
	if (*text)
		add_name(out, text, SCRIPT_TEXT);
}

static const char *colour_name(size_t series, size_t count)
{
	return theme[theme_series(series, count)].light;
}

static void draw_references(struct strbuf *out, const struct grid *g, bool bars)
{
	bool titled = false;

	for (size_t i = 0; i < g->references.len; i++) {
		const struct grid_reference *r = &g->references.data[i];

		if (bars && has_mark(r)) {
			if (!titled)
				strbuf_addf(out,
					    ", \\\n  $marks using 1:2 with points pt 13 ps 2.0 lc rgb INK title 'paper'"
					    ", \\\n  $marks using 1:2 with points pt 13 ps 1.3 lc rgb GROUND notitle");
			titled = true;
			continue;
		}
		strbuf_addf(out, ", \\\n  %.9g with lines dt 3 lw 1.5 %s", r->reference->paper, ink);
		add_title(out, r->reference->name);
	}
}

/* Error bars are arrows with flat heads, since gnuplot's own have a point in the middle. */
static void draw_spread(struct strbuf *out, size_t column, const char *colour, double width)
{
	strbuf_addf(
	    out,
	    ", \\\n  $c%zu using 1:($3 > 0 ? $2 - $3 : NaN):(0):(2 * $3) with vectors heads size screen 0.005,90 "
	    "lw %g lc rgb %s notitle",
	    column, width, colour);
}

/* Bars of many series have hatches, too. */
static void draw_bars(struct strbuf *out, const struct study_figure *figure, const struct grid *g)
{
	size_t count = g->columns.len;

	strbuf_addf(out, "set boxwidth %.6g absolute\nplot", is_stack(figure) ? 0.8 : bar_width(g) * 0.94);
	for (size_t i = 0; i < count; i++) {
		size_t c = is_stack(figure) ? count - 1 - i : i;

		strbuf_addf(out, "%s \\\n  $c%zu using 1:2 with boxes fc rgb '%s'%s", i ? "," : "", c,
			    colour_name(c, count), count > 5 && c % 2 ? " fs pattern 2" : "");
		add_title(out, g->columns.data[c].text);
	}
	for (size_t c = 0; g->averaged && c < count; c++) {
		draw_spread(out, c, "GROUND", 3);
		draw_spread(out, c, "INK", 1.2);
	}
	draw_references(out, g, true);
}

static const int shapes[] = {7, 5, 9, 11, 13, 6, 4, 8, 10, 12};

static int shape(size_t column)
{
	return shapes[column % (sizeof shapes / sizeof *shapes)];
}

static void draw_lines(struct strbuf *out, const struct grid *g, bool points)
{
	size_t count = g->columns.len;

	strbuf_adds(out, "plot");
	for (size_t c = 0; c < count; c++) {
		strbuf_addf(out, "%s \\\n  $c%zu using 1:2 with %s lw 2 dt %zu lc rgb '%s'", c ? "," : "", c,
			    points ? "linespoints" : "lines", c % 5 + 1, colour_name(c, count + 1));
		if (points)
			strbuf_addf(out, " pt %d ps 0.8", shape(c));
		add_title(out, g->columns.data[c].text);
	}
	for (size_t c = 0; g->averaged && c < count; c++)
		draw_spread(out, c, "INK", 1);
	draw_references(out, g, false);
}

/* A point on the diagonal is a value that equals its x. */
static void draw_scatter(struct strbuf *out, const struct grid *g)
{
	size_t count = g->columns.len;

	strbuf_addf(out, "plot x with lines lw 1 dt 3 %s notitle", ink);
	for (size_t c = 0; c < count; c++) {
		strbuf_addf(out, ", \\\n  $c%zu using 1:2 with points pt %d ps 1.1 lc rgb '%s'", c, shape(c),
			    colour_name(c, count + 1));
		add_title(out, g->columns.data[c].text);
	}
	draw_references(out, g, false);
}

static void plot_bars(struct strbuf *out, const struct study_figure *figure, struct grid *g)
{
	add_range(out, "yrange", &figure->y_min, &figure->y_max, figure->log ? "*" : "0");
	add_names(out, figure, g);
	for (size_t c = 0; c < g->columns.len; c++)
		add_bars(out, figure, g, c);
	add_marks(out, figure, g);
	draw_bars(out, figure, g);
}

/* Few sizes are named themselves; other numbers are gnuplot's choice. */
static void add_numeric_axis(struct strbuf *out, const struct study_figure *figure, const struct grid *g)
{
	strbuf_adds(out, "set offsets graph 0.02, graph 0.02, graph 0.05, 0\n");
	if (g->request->x || g->rows.len > 12 || figure->kind != FIGURE_LINES)
		return;
	strbuf_adds(out, "set xtics (");
	for (size_t i = 0; i < g->rows.len; i++)
		strbuf_addf(out, "%s%.15g", i ? ", " : "", c_strtod(g->rows.data[i].text, NULL));
	strbuf_adds(out, ")\n");
}

static void plot_lines(struct strbuf *out, const struct study_figure *figure, struct grid *g)
{
	add_range(out, "yrange", &figure->y_min, &figure->y_max, "*");
	if (!g->request->x && !is_numeric(g))
		add_names(out, figure, g);
	else
		add_numeric_axis(out, figure, g);
	for (size_t c = 0; c < g->columns.len; c++)
		add_curve(out, figure, g, c);
	if (figure->kind == FIGURE_SCATTER)
		draw_scatter(out, g);
	else
		draw_lines(out, g, figure->kind == FIGURE_LINES);
}

/* Rows of the grid run along x here, and columns along y. */
static void plot_heat(struct strbuf *out, const struct study_figure *figure, struct grid *g, const struct study *s)
{
	set(out, "cblabel", value_axis_label(figure, g, s));
	add_range(out, "cbrange", &figure->y_min, &figure->y_max, "*");
	strbuf_adds(out, "set palette defined (");
	for (size_t i = 0; i < THEME_STEPS; i++)
		strbuf_addf(out, "%s%zu '%s'", i ? ", " : "", i, theme[THEME_RAMP + i].light);
	strbuf_adds(out, ")\nunset grid\nunset ylabel\nset colorbox user origin 0.86,0.25 size 0.02,0.6\n"
			 "set rmargin at screen 0.84\nset border 0\nset ytics scale 0 (");
	for (size_t c = 0; c < g->columns.len; c++) {
		strbuf_adds(out, c ? ", " : "");
		add_name(out, g->columns.data[c].text, SCRIPT_FORMAT);
		strbuf_addf(out, " %zu", c);
	}
	strbuf_addf(out, ") textcolor rgb INK\nset yrange [%g:-0.5]\n", (double)g->columns.len - 0.5);
	if (is_numeric(g))
		strbuf_addf(out, "set xrange [-0.5:%g]\n", (double)g->rows.len - 0.5);
	else
		add_names(out, figure, g);
	strbuf_adds(out, "$heat << EOD\n");
	for (size_t r = 0; r < g->rows.len; r++)
		for (size_t c = 0; c < g->columns.len; c++) {
			strbuf_addf(out, "%zu %zu", r, c);
			add_number(out, grid_at(g, r, c)->value, grid_at(g, r, c)->known);
			strbuf_adds(out, "\n");
		}
	strbuf_adds(out, "EOD\nplot $heat using 1:2:3 with image pixels notitle");
}

void script_plot(struct strbuf *out, const struct study_figure *figure, struct grid *g, const struct study *s)
{
	strbuf_addf(out, "INK = '%s'\nFAINT = '%s'\nGROUND = '%s'\n", theme[THEME_INK].light, theme[THEME_FAINT].light,
		    theme[THEME_GROUND].light);
	add_frame(out, figure, g, s);
	switch (figure->kind) {
	case FIGURE_BARS:
	case FIGURE_STACKED: plot_bars(out, figure, g); break;
	case FIGURE_HEAT: plot_heat(out, figure, g, s); break;
	default: plot_lines(out, figure, g);
	}
	strbuf_adds(out, "\n");
}
