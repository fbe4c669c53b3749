/* Pictures of figures, drawn by gnuplot as a child process. */
#ifndef ROMARK_STUDY_REPORT_GNUPLOT_H
#define ROMARK_STUDY_REPORT_GNUPLOT_H

#include "study/report/grid.h"

/* Writes `stem`.svg and `stem`.png, each complete or not at all. */
int gnuplot_draw(const struct study_figure *figure, struct grid *g, const struct study *s, const char *stem,
		 struct diag *d);

#endif
