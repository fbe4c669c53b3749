/* Parts of the page in their order; html.c has the parts that are the same in every page. */
#include "study/report/page.h"

#include "study/report/html.h"
#include "study/report/layout.h"
#include "study/report/origin.h"

#include <inttypes.h>
#include <string.h>

static void open_section(struct html_page *p, const char *id, const char *title)
{
	strbuf_addf(&p->text, "<h2 id=\"%s\">%s</h2>\n", id, title);
}

void page_begin(struct html_page *p, const struct study *s)
{
	*p = (struct html_page){.study = s};
	strbuf_adds(&p->text, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
			      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
	html_text(&p->text, s->name);
	strbuf_adds(&p->text, "</title>\n");
	html_style(&p->text);
	strbuf_adds(&p->text, "</head>\n<body>\n<h1>");
	html_text(&p->text, s->name);
	strbuf_adds(&p->text, "</h1>\n");
	if (s->description) {
		strbuf_adds(&p->text, "<p>");
		html_text(&p->text, s->description);
		strbuf_adds(&p->text, "</p>\n");
	}
	strbuf_adds(&p->text, "<nav>");
	if (s->figures.len)
		strbuf_adds(&p->text, "<a href=\"#figures\">Figures</a>");
	if (s->tables.len)
		strbuf_adds(&p->text, "<a href=\"#tables\">Tables</a>");
	strbuf_adds(&p->text, "<a href=\"#runs\">What was run</a><a href=\"#repeat\">How to repeat it</a></nav>\n");
	if (s->figures.len)
		open_section(p, "figures", "Figures");
}

/* --- Tables --- */

static void add_cell(struct strbuf *out, const char *tag, const struct sheet_column *column, const char *text)
{
	strbuf_addf(out, "<%s%s>", tag, column->kind == SHEET_NUMBER ? " class=\"n\"" : "");
	html_text(out, text ? text : "\xe2\x80\x93");
	strbuf_addf(out, "</%s>", tag);
}

static void add_sheet(struct strbuf *out, const struct sheet *t)
{
	strbuf_adds(out, "<div class=\"wide\"><table><thead><tr>");
	for (size_t c = 0; c < t->columns.len; c++)
		add_cell(out, "th", &t->columns.data[c], t->columns.data[c].name);
	strbuf_adds(out, "</tr></thead>\n<tbody>\n");
	for (size_t r = 0; r < sheet_rows(t); r++) {
		strbuf_adds(out, "<tr>");
		for (size_t c = 0; c < t->columns.len; c++)
			add_cell(out, "td", &t->columns.data[c], sheet_cell(t, r, c));
		strbuf_adds(out, "</tr>\n");
	}
	strbuf_adds(out, "</tbody></table></div>\n");
}

static void add_gaps(struct strbuf *out, const struct grid *g)
{
	if (!g->missing)
		return;
	strbuf_addf(out,
		    "<p class=\"warn\">%zu value%s missing here, of runs that are not done or have no such number.",
		    g->missing, g->missing == 1 ? " is" : "s are");
	if (g->cut)
		strbuf_addf(
		    out,
		    " Of these, %zu would be of runs that were not simulated to their end, so that their totals "
		    "are not known; means leave them out.",
		    g->cut);
	strbuf_adds(out, "</p>\n");
}

static void add_references(struct strbuf *out, const struct grid *g)
{
	struct sheet t = SHEET_INIT;

	layout_references(&t, g);
	if (sheet_rows(&t))
		add_sheet(out, &t);
	sheet_release(&t);
}

static void add_over(struct strbuf *out, const struct grid *g)
{
	for (size_t i = 0; i < g->request->over.len; i++) {
		strbuf_adds(out, i ? ", " : "");
		html_text(out, g->request->over.data[i].text);
	}
}

/* The meaning of the error bars; fields of colours have none. */
static void add_spread(struct strbuf *out, const struct study_figure *figure, const struct grid *g)
{
	if (!g->averaged)
		return;
	strbuf_adds(out, " Mean over ");
	add_over(out, g);
	strbuf_addf(out, " (%zu value%s)%s.", g->samples, g->samples == 1 ? "" : "s at most",
		    figure->kind == FIGURE_HEAT ? "" : "; error bars are one standard deviation");
}

void page_figure(struct html_page *p, const struct study_figure *figure, const struct grid *g, const char *svg)
{
	strbuf_adds(&p->text, "<figure><h3>");
	html_text(&p->text, figure->title);
	strbuf_adds(&p->text, "</h3>\n<div class=\"wide\">");
	if (svg)
		html_picture(&p->text, svg, ++p->pictures, figure->title, figure->kind != FIGURE_HEAT);
	else
		strbuf_adds(&p->text, "<p class=\"warn\">There is no picture; the numbers are in its CSV file.</p>");
	strbuf_adds(&p->text, "</div>\n<figcaption>");
	html_text(&p->text, figure->caption ? figure->caption : "");
	add_spread(&p->text, figure, g);
	strbuf_adds(&p->text, "</figcaption>\n");
	add_gaps(&p->text, g);
	add_references(&p->text, g);
	strbuf_adds(&p->text, "</figure>\n");
}

void page_table(struct html_page *p, const char *title, const struct sheet *sheet, const struct grid *g)
{
	if (!strstr(p->text.data, "<h2 id=\"tables\">"))
		open_section(p, "tables", "Tables");
	strbuf_adds(&p->text, "<h3>");
	html_text(&p->text, title);
	strbuf_adds(&p->text, "</h3>\n");
	add_sheet(&p->text, sheet);
	if (g->averaged) {
		strbuf_adds(&p->text, "<p class=\"note\">");
		strbuf_adds(&p->text, "Means over ");
		add_over(&p->text, g);
		strbuf_adds(&p->text, ".</p>\n");
	}
	add_gaps(&p->text, g);
	add_references(&p->text, g);
}

/* --- The runs --- */

static void add_texts(struct strbuf *out, const char *before, const study_texts *texts)
{
	for (size_t i = 0; i < texts->len; i++)
		strbuf_addf(out, "%s%s", i ? " " : before, texts->data[i].text);
}

static void add_programs(struct html_page *p)
{
	const struct study *s = p->study;
	struct sheet t = SHEET_INIT;

	sheet_column(&t, "program", SHEET_TEXT);
	sheet_column(&t, "size", SHEET_TEXT);
	sheet_column(&t, "made from", SHEET_TEXT);
	sheet_column(&t, "arguments", SHEET_TEXT);
	for (size_t i = 0; i < s->programs.len; i++)
		for (size_t k = 0; k < s->programs.data[i].sizes.len; k++) {
			const struct study_program *program = &s->programs.data[i];
			struct strbuf from = STRBUF_INIT, words = STRBUF_INIT;

			add_texts(&from, "", &program->sources);
			add_texts(&from, " ", &program->flags);
			strbuf_adds(&from, program->program.text ? program->program.text : "");
			strbuf_adds(&from, program->sizes.data[k].trace.text ? program->sizes.data[k].trace.text : "");
			add_texts(&words, "", &program->sizes.data[k].arguments);
			sheet_add(&t, program->label);
			sheet_add(&t, program->sizes.data[k].name);
			sheet_add(&t, from.data ? from.data : "");
			sheet_add(&t, words.data ? words.data : "");
			strbuf_release(&from);
			strbuf_release(&words);
		}
	add_sheet(&p->text, &t);
	sheet_release(&t);
}

static void add_choices(struct sheet *t, const char *dimension, const study_choices *choices)
{
	for (size_t i = 0; i < choices->len; i++) {
		const struct study_choice *c = &choices->data[i];
		struct strbuf text = STRBUF_INIT;

		if (!c->name[0])
			continue;
		strbuf_addf(&text, "%s%s ", c->gpu.text ? "gpu " : "", c->gpu.text ? c->gpu.text : "");
		strbuf_addf(&text, "%s%s ", c->llc.text ? "llc " : "", c->llc.text ? c->llc.text : "");
		strbuf_addf(&text, "%s%s ", c->l1.text ? "l1 " : "", c->l1.text ? c->l1.text : "");
		for (size_t k = 0; k < c->sets.len; k++)
			strbuf_addf(&text, "%s.%s=%s ", c->sets.data[k].section, c->sets.data[k].key,
				    c->sets.data[k].value);
		sheet_add(t, dimension);
		sheet_add(t, c->label);
		sheet_add(t, text.data + strspn(text.data, " "));
		strbuf_release(&text);
	}
}

static void add_configurations(struct html_page *p)
{
	const struct study *s = p->study;
	struct sheet t = SHEET_INIT;
	struct strbuf seeds = STRBUF_INIT;

	sheet_column(&t, "choice", SHEET_TEXT);
	sheet_column(&t, "name", SHEET_TEXT);
	sheet_column(&t, "what it sets", SHEET_TEXT);
	add_choices(&t, "GPU", &s->gpus);
	add_choices(&t, "variant", &s->variants);
	add_choices(&t, "policy", &s->policies);
	add_texts(&seeds, "", &s->seeds);
	sheet_add(&t, "seeds");
	sheet_add(&t, seeds.data);
	strbuf_release(&seeds);
	add_texts(&seeds, "", &s->seed_keys);
	sheet_add(&t, seeds.data);
	strbuf_release(&seeds);
	add_sheet(&p->text, &t);
	sheet_release(&t);
}

/* Runs that are not simply whole. */
static void add_extents(struct html_page *p, const struct origin_counts *counts)
{
	if (counts->cut)
		html_textf(&p->text,
			   " %" PRId64
			   " of them were not simulated to their end: of these there are rates, and no totals "
			   "such as cycles.",
			   counts->cut);
	if (counts->estimates)
		html_textf(&p->text, " %" PRId64 " of them are estimates from a part that was simulated.",
			   counts->estimates);
}

static void add_states(struct html_page *p, const struct origin_counts *counts)
{
	html_textf(&p->text, "<p>Points: %" PRId64 " done", counts->done);
	if (counts->failed)
		html_textf(&p->text, ", %" PRId64 " failed", counts->failed);
	if (counts->missing)
		html_textf(&p->text, ", %" PRId64 " missing", counts->missing);
	strbuf_adds(&p->text, ".");
	add_extents(p, counts);
	strbuf_adds(&p->text, "</p>\n");
	if (counts->others)
		strbuf_addf(&p->text,
			    "<p class=\"note\">The database also holds %" PRId64
			    " result%s of other versions of this study, which %s not on this page.</p>\n",
			    counts->others, counts->others == 1 ? "" : "s", counts->others == 1 ? "is" : "are");
}

static void add_failures(struct html_page *p, struct database *db, const struct results_points *points)
{
	struct rows rows =
	    database_ask(db,
			 "SELECT p.program, p.size, p.gpu, p.variant, p.policy, p.seed, r.message"
			 " FROM " RESULTS_POINTS " JOIN runs r ON r.id = p.run WHERE r.state = 'failed' LIMIT 50",
			 "ss", points->json, p->study->name);
	struct sheet t = SHEET_INIT;

	for (enum dimension i = 0; i < DIM_COUNT; i++)
		sheet_column(&t, dimension_names[i], SHEET_TEXT);
	sheet_column(&t, "message", SHEET_TEXT);
	while (database_next(&rows))
		for (int i = 0; i <= DIM_COUNT; i++)
			sheet_add(&t, database_text(&rows, i));
	if (sheet_rows(&t)) {
		strbuf_adds(&p->text, "<h3>Runs that failed</h3>\n");
		add_sheet(&p->text, &t);
	}
	sheet_release(&t);
}

static void add_measured(struct html_page *p)
{
	struct sheet t = SHEET_INIT;

	layout_measured(&t, p->study);
	if (sheet_rows(&t)) {
		strbuf_adds(&p->text, "<h3>Measured values</h3>\n");
		add_sheet(&p->text, &t);
	}
	sheet_release(&t);
}

void page_runs(struct html_page *p, struct database *db, const struct results_points *points)
{
	struct origin_counts counts = origin_count(db, p->study, points);
	struct sheet machines = SHEET_INIT, traces = SHEET_INIT;

	open_section(p, "runs", "What was run");
	add_states(p, &counts);
	add_programs(p);
	strbuf_adds(&p->text, "<h3>GPUs, policies, seeds</h3>\n");
	add_configurations(p);
	strbuf_adds(&p->text, "<h3>Where and when</h3>\n");
	origin_lay_out_machines(&machines, db, p->study, points);
	add_sheet(&p->text, &machines);
	sheet_release(&machines);
	add_measured(p);
	strbuf_adds(&p->text, "<details><summary>Hashes of the traces</summary>\n");
	origin_lay_out_traces(&traces, db, p->study, points);
	add_sheet(&p->text, &traces);
	sheet_release(&traces);
	strbuf_adds(&p->text, "</details>\n");
	add_failures(p, db, points);
}

void page_repeat(struct html_page *p, const char *study_path, const char *database_path, const char *folder)
{
	open_section(p, "repeat", "How to repeat it");
	strbuf_adds(&p->text, "<pre><code>");
	html_textf(&p->text, "romark sweep %s -o %s\nromark plot %s %s -o %s\n", study_path, database_path, study_path,
		   database_path, folder);
	strbuf_adds(&p->text, "</code></pre>\n<p>Runs that the database has already are not repeated; with another "
			      "name behind <code>-o</code> all of them are.</p>\n<details><summary>The study file"
			      "</summary>\n<pre><code>");
	html_text(&p->text, p->study->text);
	strbuf_adds(&p->text, "</code></pre></details>\n</body>\n</html>\n");
}

void page_add(struct html_page *p, struct report_files *files)
{
	size_t size = p->text.len;

	report_files_add(files, "index.html", strbuf_detach(&p->text), size);
}

void page_release(struct html_page *p)
{
	strbuf_release(&p->text);
}
