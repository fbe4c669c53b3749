/* Pictures of figures, drawn by gnuplot as a child process. */
#ifndef ROMARK_STUDY_REPORT_GNUPLOT_H
#define ROMARK_STUDY_REPORT_GNUPLOT_H

#include "common/file.h"
#include "study/report/grid.h"

/* Both pictures of a figure; DIAG_ERROR leaves nothing to release. */
struct pictures {
	struct file_data svg, png;
};

int gnuplot_draw(const struct study_figure *figure, struct grid *g, const struct study *s, struct pictures *pictures,
		 struct diag *d);

#endif
