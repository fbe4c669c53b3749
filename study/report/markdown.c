/* The page from its head to its end; every table is a sheet. */
#include "study/report/markdown.h"

#include "study/report/gaps.h"
#include "study/report/layout.h"
#include "study/report/origin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 100 };

/* Prose in lines of at most COLUMNS bytes, as far as its words allow, with nothing in it formatted. */
static void put_wrapped(struct markdown *m, const char *text)
{
	size_t column = 0;

	while (*(text += strspn(text, " \t\n"))) {
		size_t length = strcspn(text, " \t\n");
		char *word = arena_memdup(&m->study->arena, text, length + 1);

		word[length] = '\0';
		if (column)
			fputs(column + 1 + length > COLUMNS ? "\n" : " ", m->stream);
		column = column && column + 1 + length <= COLUMNS ? column + 1 + length : length;
		sheet_put_markdown(word, m->stream);
		text += length;
	}
	fputs("\n\n", m->stream);
}

static void put_sheet(struct markdown *m, struct sheet *t)
{
	sheet_print(t, SHEET_AS_MARKDOWN, m->stream);
	fputc('\n', m->stream);
	sheet_release(t);
}

/* --- Where the numbers are from --- */

static void put_commands(struct markdown *m)
{
	fputs("`romark plot` has made this page. Nobody edits it by hand: the next run of the study replaces it.\n"
	      "These commands make it again:\n\n",
	      m->stream);
	fprintf(m->stream, "    romark sweep %s -o %s\n", m->names.study, m->names.results);
	fprintf(m->stream, "    romark plot %s %s --markdown=%s\n\n", m->names.study, m->names.results, m->names.page);
}

static void put_counts(struct markdown *m, const struct origin_counts *counts)
{
	fprintf(m->stream, "Points: %" PRId64 " done", counts->done);
	if (counts->failed)
		fprintf(m->stream, ", %" PRId64 " failed", counts->failed);
	if (counts->missing)
		fprintf(m->stream, ", %" PRId64 " missing", counts->missing);
	fputs(".\n", m->stream);
	if (counts->cut)
		fprintf(m->stream,
			"Not simulated to their end: %" PRId64 ". These have rates, and no totals such as cycles.\n",
			counts->cut);
	if (counts->estimates)
		fprintf(m->stream, "Estimates from a part that was simulated: %" PRId64 ".\n", counts->estimates);
	fputc('\n', m->stream);
}

static void put_seeds(struct markdown *m)
{
	const struct study *s = m->study;

	fputs("Seeds:", m->stream);
	for (size_t i = 0; i < s->seeds.len; i++)
		fprintf(m->stream, "%s %s", i ? "," : "", s->seeds.data[i].text);
	fputs(" of", m->stream);
	for (size_t i = 0; i < s->seed_keys.len; i++)
		fprintf(m->stream, "%s `%s`", i ? "," : "", s->seed_keys.data[i].text);
	fputs(".\n\n", m->stream);
}

static void put_gaps(struct markdown *m)
{
	struct sheet t = SHEET_INIT;

	gaps_lay_out(&t, m->study, m->db);
	if (!sheet_rows(&t)) {
		sheet_release(&t);
		return;
	}
	fputs("### Points without numbers\n\n", m->stream);
	put_sheet(m, &t);
}

static void put_origin(struct markdown *m, const struct results_points *points)
{
	struct origin_counts counts = origin_count(m->db, m->study, points);
	struct sheet versions = SHEET_INIT;

	fputs("## Where the numbers are from\n\n", m->stream);
	origin_lay_out_versions(&versions, m->db, m->study, points);
	put_sheet(m, &versions);
	put_counts(m, &counts);
	put_seeds(m);
	put_gaps(m);
}

void markdown_begin(struct markdown *m, struct study *s, struct database *db, const struct markdown_names *names)
{
	struct results_points points = results_points(s);

	*m = (struct markdown){.study = s, .db = db, .names = *names};
	m->stream = open_memstream(&m->text, &m->size);
	m->figures = open_memstream(&m->figure_text, &m->figure_size);
	if (!m->stream || !m->figures)
		BUG("no memory for a stream");
	fputs("# Results of the study ", m->stream);
	sheet_put_markdown(s->name, m->stream);
	fputs("\n\n", m->stream);
	if (s->description)
		put_wrapped(m, s->description);
	put_commands(m);
	put_origin(m, &points);
	if (s->tables.len)
		fputs("## Tables\n\n", m->stream);
	results_points_release(&points);
}

/* --- Results --- */

static void put_notes(struct markdown *m, const struct grid *g)
{
	if (g->averaged) {
		fputs("Mean over ", m->stream);
		for (size_t i = 0; i < g->request->over.len; i++)
			fprintf(m->stream, "%s%s", i ? ", " : "", g->request->over.data[i].text);
		fprintf(m->stream, " (%zu value%s), \xc2\xb1 one standard deviation.\n", g->samples,
			g->samples == 1 ? "" : "s at most");
	}
	if (g->missing)
		fprintf(m->stream, "Missing values: %zu, of these %zu of runs that were not simulated to their end.\n",
			g->missing, g->cut);
	if (g->averaged || g->missing)
		fputc('\n', m->stream);
}

void markdown_table(struct markdown *m, const char *title, const study_texts *formats, struct grid *g)
{
	struct sheet cells = SHEET_INIT, references = SHEET_INIT;

	fputs("### ", m->stream);
	sheet_put_markdown(title, m->stream);
	fputs("\n\n", m->stream);
	layout_cells(&cells, g, m->study, formats, LAYOUT_FULL);
	put_sheet(m, &cells);
	put_notes(m, g);
	layout_references(&references, g);
	if (sheet_rows(&references))
		put_sheet(m, &references);
	else
		sheet_release(&references);
}

/* A figure has no format: as many digits as its largest number needs. */
static const char *format_of(const struct grid *g)
{
	double largest = 0;

	for (size_t r = 0; r < g->rows.len; r++)
		for (size_t c = 0; c < g->columns.len; c++)
			if (grid_at(g, r, c)->known && fabs(grid_at(g, r, c)->value) > largest)
				largest = fabs(grid_at(g, r, c)->value);
	return largest >= 1000 ? "%.0f" : largest >= 0.05 ? "%.3f" : "%.3g";
}

void markdown_figure(struct markdown *m, const char *title, struct grid *g)
{
	FILE *page = m->stream;
	struct study_text format = {.text = format_of(g)};
	const study_texts formats = {.data = &format, .len = 1};

	m->stream = m->figures;
	markdown_table(m, title, &formats, g);
	m->stream = page;
}

static void put_figures(struct markdown *m)
{
	fclose(m->figures);
	m->figures = NULL;
	if (m->figure_size)
		fprintf(m->stream, "## Figures as numbers\n\n%s", m->figure_text);
}

/* --- The files of the study --- */

void markdown_input_row(const struct study_input *input, FILE *out)
{
	fprintf(out, "| %s | ", input->kind);
	sheet_put_markdown(input->name, out);
	fprintf(out, " | %s |", input->hash);
}

static void put_inputs(struct markdown *m)
{
	struct study_inputs inputs;

	fputs(MARKDOWN_INPUTS "\n\nHashes of the files as they were when this page was made. Comments of YAML do not "
			      "count.\n\n| input | name | hash |\n|---|---|---|\n",
	      m->stream);
	inputs_collect(&inputs, m->study);
	for (size_t i = 0; i < inputs.list.len; i++) {
		markdown_input_row(&inputs.list.data[i], m->stream);
		fputc('\n', m->stream);
	}
	inputs_release(&inputs);
}

/* What others have measured, row by row, each with its source. */
static void put_measured(struct markdown *m)
{
	struct sheet t = SHEET_INIT;

	if (m->study->measured.rows.len)
		fputs("## Measured values\n\nRead from tables beside the study. Nobody has measured them with romark."
		      "\n\n",
		      m->stream);
	layout_measured(&t, m->study);
	if (sheet_rows(&t))
		put_sheet(m, &t);
	else
		sheet_release(&t);
}

static void put_traces(struct markdown *m)
{
	struct results_points points = results_points(m->study);
	struct sheet t = SHEET_INIT;

	fputs("## Traces\n\n", m->stream);
	origin_lay_out_traces(&t, m->db, m->study, &points);
	put_sheet(m, &t);
	results_points_release(&points);
}

int markdown_end(struct markdown *m, struct diag *d)
{
	put_figures(m);
	put_measured(m);
	put_traces(m);
	put_inputs(m);
	fclose(m->stream);
	m->stream = NULL;
	return database_check(m->db, d);
}

void markdown_release(struct markdown *m)
{
	if (m->stream)
		fclose(m->stream);
	if (m->figures)
		fclose(m->figures);
	free(m->text);
	free(m->figure_text);
}
