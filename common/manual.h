/*
 * Writes manual pages (man 7 man).
 *
 *   manual_title(out, "romark-sim", "replay a trace on a simulated GPU");
 *   manual_section(out, "OPTIONS");
 *   manual_item(out, "-j, --json=FILE", "write all results here");
 */
#ifndef ROMARK_COMMON_MANUAL_H
#define ROMARK_COMMON_MANUAL_H

#include <stdio.h>

/* The page's head, in section 1, and its section NAME. `version` is printed at the foot. */
void manual_title(FILE *out, const char *name, const char *summary, const char *version);
void manual_section(FILE *out, const char *title);
/* One paragraph. */
void manual_text(FILE *out, const char *text);
/* Lines that stay as they are. */
void manual_lines(FILE *out, const char *text);
/* What stands in bold at the margin, and the text that belongs to it. */
void manual_item(FILE *out, const char *what, const char *text);

#endif
