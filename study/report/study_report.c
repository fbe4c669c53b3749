/* The main flow: each figure and table as a grid, and that as files and as a part of the page. */
#include "study/report/study_report.h"

#include "study/report/files.h"
#include "study/report/gnuplot.h"
#include "study/report/layout.h"
#include "study/report/markdown.h"
#include "study/report/page.h"
#include "study/results.h"

#include "common/ascii.h"
#include "common/file.h"
#include "common/guess.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct report {
	const struct report_options *options;
	struct study *study;
	struct database *db;
	struct frame *frame;
	struct html_page page;    /* for the folder */
	struct markdown markdown; /* a page by itself */
	struct arena arena;
	VEC(const char *) stems; /* of files, which must differ */
	struct report_files files;
	struct diag *d;
};

/* --- Names of files --- */

static bool is_taken(const struct report *r, const char *stem)
{
	for (size_t i = 0; i < r->stems.len; i++)
		if (strcmp(r->stems.data[i], stem) == 0)
			return true;
	return false;
}

/* KIND/NAME, where the name has what any file system takes. */
static const char *stem_of(struct report *r, const char *kind, const char *name)
{
	char *plain = arena_strdup(&r->arena, name);
	const char *stem;

	for (char *at = plain; *at; at++)
		if (!ascii_is_alnum(*at) && !strchr("-_.", *at))
			*at = '_';
	if (plain[0] == '.')
		plain[0] = '_';
	stem = arena_printf(&r->arena, "%s/%s", kind, plain);
	for (unsigned i = 2; is_taken(r, stem); i++)
		stem = arena_printf(&r->arena, "%s/%s-%u", kind, plain, i);
	vec_push(&r->stems, stem);
	return stem;
}

/* The text printed to a stream becomes a file of the report. */
struct printed {
	FILE *stream;
	char *data;
	size_t size;
};

static void print_begin(struct printed *p)
{
	p->stream = open_memstream(&p->data, &p->size);
	if (!p->stream)
		BUG("no memory for a stream");
}

static void print_end(struct report *r, struct printed *p, const char *stem, const char *ending)
{
	fclose(p->stream);
	report_files_add(&r->files, arena_printf(&r->arena, "%s.%s", stem, ending), p->data, p->size);
}

/* --- The numbers of a grid --- */

static void add_label_columns(struct sheet *t, const study_texts *names)
{
	for (size_t i = 0; i < names->len; i++)
		sheet_column(t, names->data[i].text, SHEET_TEXT);
}

static void add_label_cells(struct sheet *t, const study_texts *names, const struct grid_label *label)
{
	for (size_t i = 0; i < names->len; i++) {
		enum dimension dimension = dimension_find(names->data[i].text);

		if (label->mean)
			sheet_add(t, i ? "" : label->text);
		else
			sheet_add(t, dimension == DIM_COUNT ? label->part : label->names[dimension]);
	}
}

/* For other tools: a row for each number, with names and not labels. */
static void add_numbers(struct sheet *t, const struct grid *g)
{
	const struct grid_request *q = g->request;

	add_label_columns(t, &q->rows);
	add_label_columns(t, &q->columns);
	sheet_column(t, "value_of", SHEET_TEXT);
	if (q->x)
		sheet_column(t, q->x, SHEET_NUMBER);
	sheet_column(t, "value", SHEET_NUMBER);
	sheet_column(t, "stddev", SHEET_NUMBER);
	sheet_column(t, "count", SHEET_NUMBER);
	sheet_column(t, "missing", SHEET_NUMBER);
	sheet_column(t, "cut", SHEET_NUMBER);
	for (size_t r = 0; r < g->rows.len; r++)
		for (size_t c = 0; c < g->columns.len; c++) {
			const struct grid_cell *cell = grid_at(g, r, c);

			if (!cell->known && !cell->missing)
				continue;
			add_label_cells(t, &q->rows, &g->rows.data[r]);
			add_label_cells(t, &q->columns, &g->columns.data[c]);
			sheet_add(t, q->values.data[g->columns.data[c].value_index].text);
			if (q->x)
				sheet_add_number(t, cell->x);
			if (cell->known)
				sheet_add_number(t, cell->value);
			else
				sheet_add(t, NULL);
			if (cell->count > 1)
				sheet_add_number(t, cell->spread);
			else
				sheet_add(t, NULL);
			sheet_addf(t, "%zu", cell->count);
			sheet_addf(t, "%zu", cell->missing);
			sheet_addf(t, "%zu", cell->cut);
		}
}

static void write_numbers(struct report *r, const struct grid *g, const char *stem)
{
	struct sheet t = SHEET_INIT;
	struct printed p;

	add_numbers(&t, g);
	print_begin(&p);
	sheet_print(&t, SHEET_AS_CSV, p.stream);
	print_end(r, &p, stem, "csv");
	sheet_release(&t);
}

/* --- Figures --- */

/* The report draws a figure only if at least one run behind it is done. */
static bool has_numbers(const struct grid *g)
{
	for (size_t r = 0; r < g->rows.len; r++)
		for (size_t c = 0; c < g->columns.len; c++)
			if (grid_at(g, r, c)->known)
				return true;
	return false;
}

static int draw(struct report *r, const struct study_figure *figure, struct grid *g, const char *stem)
{
	struct pictures pictures;

	if (r->options->no_figures || !r->options->folder || !has_numbers(g)) {
		page_figure(&r->page, figure, g, NULL);
		return 0;
	}
	if (gnuplot_draw(figure, g, r->study, &pictures, r->d) < 0)
		return DIAG_ERROR;
	page_figure(&r->page, figure, g, pictures.svg.data);
	report_files_add(&r->files, arena_printf(&r->arena, "%s.svg", stem), pictures.svg.data, pictures.svg.size);
	report_files_add(&r->files, arena_printf(&r->arena, "%s.png", stem), pictures.png.data, pictures.png.size);
	return 0;
}

/* Bars and parts of bars; curves and fields of colours have too many numbers for a reader. */
static bool is_a_table(const struct grid *g, const struct study_figure *figure)
{
	return (figure->kind == FIGURE_BARS || figure->kind == FIGURE_STACKED) && g->parts.kind == PART_KINDS;
}

static int add_figure(struct report *r, const struct study_figure *figure)
{
	struct grid_request request = grid_of_figure(figure);
	const char *stem = stem_of(r, "figures", figure->name);
	struct grid g;
	int status = grid_build(&g, r->frame, r->db, &request, r->d);

	if (status == 0) {
		write_numbers(r, &g, stem);
		if (is_a_table(&g, figure))
			markdown_figure(&r->markdown, figure->title, &g);
		status = draw(r, figure, &g, stem);
	}
	grid_release(&g);
	grid_request_release(&request);
	return status;
}

/* --- Tables --- */

static void write_markdown(struct report *r, const struct sheet *t, const struct study_table *table,
			   const struct grid *g, const char *stem)
{
	struct printed p;

	print_begin(&p);
	fputs("**", p.stream);
	sheet_put_markdown(table->title, p.stream);
	fputs("**\n\n", p.stream);
	sheet_print(t, SHEET_AS_MARKDOWN, p.stream);
	if (g->missing)
		fprintf(p.stream, "\nMissing values: %zu, of these %zu of runs that were not simulated to their end.\n",
			g->missing, g->cut);
	print_end(r, &p, stem, "md");
}

static int add_table(struct report *r, const struct study_table *table)
{
	struct grid_request request = grid_of_table(table);
	const char *stem = stem_of(r, "tables", table->name);
	struct sheet t = SHEET_INIT;
	struct grid g;
	int status = grid_build(&g, r->frame, r->db, &request, r->d);

	if (status == 0) {
		layout_cells(&t, &g, r->study, &table->formats, LAYOUT_PLAIN);
		write_numbers(r, &g, stem);
		write_markdown(r, &t, table, &g, stem);
		markdown_table(&r->markdown, table->title, &table->formats, &g);
		page_table(&r->page, table->title, &t, &g);
	}
	sheet_release(&t);
	grid_release(&g);
	grid_request_release(&request);
	return status;
}

/* --- All of it --- */

/* A study that is not in the database has no results there, whatever else the database has. */
static int find_study(struct report *r)
{
	const char *name = r->study->name;
	struct guess g = guess_start(name, strlen(name));
	struct rows rows = database_ask(r->db, "SELECT name FROM studies", "");
	bool found = false;

	while (database_next(&rows)) {
		found = found || strcmp(database_text(&rows, 0), name) == 0;
		guess_try(&g, database_text(&rows, 0));
	}
	if (found)
		return 0;
	if (!g.count)
		return diag_file(r->d, r->options->results, "it has no study; 'romark sweep' enters one");
	return diag_file(r->d, r->options->results, "it has no study '%s'%s", name, guess_hint(&g).text);
}

static int open_all(struct report *r)
{
	r->study = study_load(r->options->study, r->d);
	if (!r->study)
		return DIAG_ERROR;
	r->db = database_open(r->options->results, DATABASE_READ, r->d);
	if (!r->db || find_study(r) < 0)
		return DIAG_ERROR;
	/* One look at the database: a sweep may go on meanwhile, and a lock for each number would take long. */
	database_do(r->db, "BEGIN", "");
	r->frame = frame_of(r->db, r->study, r->d);
	if (!r->frame)
		return DIAG_ERROR;
	if (!r->frame->points.len)
		return diag_file(r->d, r->options->results, "none of the study's runs is in it; run 'romark sweep'");
	return 0;
}

static void add_runs(struct report *r)
{
	struct results_points points = results_points(r->study);

	page_runs(&r->page, r->db, &points);
	results_points_release(&points);
}

static void begin(struct report *r)
{
	const struct report_options *o = r->options;
	const struct markdown_names names = {o->study, o->results, o->markdown ? o->markdown : ""};

	page_begin(&r->page, r->study);
	markdown_begin(&r->markdown, r->study, r->db, &names);
}

/* The page of Markdown is on the disk before the folder changes, and has its name when the folder is complete. */
static int write_both(struct report *r)
{
	const struct report_options *o = r->options;
	struct outfile page;

	if (o->markdown && (markdown_end(&r->markdown, r->d) < 0 || outfile_open(&page, o->markdown, r->d) < 0))
		return DIAG_ERROR;
	if (o->markdown && (fwrite(r->markdown.text, 1, r->markdown.size, page.stream) != r->markdown.size ||
			    fflush(page.stream) != 0)) {
		outfile_abort(&page);
		return diag_file(r->d, o->markdown, "cannot write: %s", strerror(errno));
	}
	if (o->folder && report_files_write(&r->files, o->folder, r->d) < 0) {
		if (o->markdown)
			outfile_abort(&page);
		return DIAG_ERROR;
	}
	return o->markdown ? outfile_commit(&page, r->d) : 0;
}

static int write_pages(struct report *r)
{
	const struct report_options *o = r->options;

	add_runs(r);
	page_repeat(&r->page, o->study, o->results, o->folder ? o->folder : "");
	if (database_check(r->db, r->d) < 0)
		return DIAG_ERROR;
	page_add(&r->page, &r->files); /* the last file, so that all files that it names exist */
	return write_both(r);
}

static int write_all(struct report *r)
{
	const struct study *s = r->study;

	begin(r);
	for (size_t i = 0; i < s->figures.len; i++)
		if (add_figure(r, &s->figures.data[i]) < 0)
			return DIAG_ERROR;
	for (size_t i = 0; i < s->tables.len; i++)
		if (add_table(r, &s->tables.data[i]) < 0)
			return DIAG_ERROR;
	return write_pages(r);
}

static void summarise(const struct report *r, struct report_summary *summary)
{
	*summary = (struct report_summary){
	    .points = r->frame->points.len, .figures = r->study->figures.len, .tables = r->study->tables.len};
	for (size_t i = 0; i < r->frame->points.len; i++)
		summary->done += r->frame->points.data[i].done;
}

int report_write(const struct report_options *options, struct report_summary *summary, struct diag *d)
{
	struct report r = {.options = options, .d = d};
	int status = open_all(&r);

	if (status == 0) {
		summarise(&r, summary);
		status = write_all(&r);
	}
	page_release(&r.page);
	markdown_release(&r.markdown);
	frame_free(r.frame);
	database_close(r.db);
	study_free(r.study);
	report_files_release(&r.files);
	vec_release(&r.stems);
	arena_release(&r.arena);
	return status;
}
