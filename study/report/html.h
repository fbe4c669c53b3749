/* Text and pictures as parts of a page. */
#ifndef ROMARK_STUDY_REPORT_HTML_H
#define ROMARK_STUDY_REPORT_HTML_H

#include "common/strbuf.h"

#include <stdbool.h>
#include <stddef.h>

/* With what HTML takes for its own written out. */
void html_text(struct strbuf *out, const char *text);
void html_textf(struct strbuf *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The style of the page, with the theme's colours as variables. */
void html_style(struct strbuf *out);
/*
 * A picture of gnuplot as an element: colours are the theme's variables, and names have the picture's number, since a
 * page's names must differ. `ramp`: also the colours of the ramp, which a heat map keeps as they are.
 */
void html_picture(struct strbuf *out, const char *svg, size_t number, const char *title, bool ramp);

#endif
