/* Prints a library's notes, lines of text, on standard error. */
#ifndef ROMARK_CLI_NOTES_H
#define ROMARK_CLI_NOTES_H

#include "common/strbuf.h"

/* Prints the first lines, each behind "romark: ", and how many more there are. Releases them. */
void notes_print(struct strbuf *notes);

#endif
