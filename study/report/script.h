/* A figure as a script for gnuplot, which draws it where `set output` says. */
#ifndef ROMARK_STUDY_REPORT_SCRIPT_H
#define ROMARK_STUDY_REPORT_SCRIPT_H

#include "study/report/grid.h"

#include "common/strbuf.h"

/* A figure's size in pixels, the same for every terminal. It grows with the figure's rows and columns. */
void script_size(const struct study_figure *figure, const struct grid *g, unsigned *width, unsigned *height);
/* All commands from the axes to `plot`. */
void script_plot(struct strbuf *out, const struct study_figure *figure, struct grid *g, const struct study *s);
/* Labels of tics are formats for their numbers, in which "%" means something. */
enum script_text { SCRIPT_TEXT, SCRIPT_FORMAT };
/* Quotes a text, so that gnuplot shows it literally: every text of a script goes through this. */
void script_quote(struct strbuf *out, const char *text, enum script_text kind);

#endif
