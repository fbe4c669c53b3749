/*
 * Skips comments and literals of a C++ source, for readers that do not parse it.
 *
 *   for (size_t i = 0; text[i];) {
 *       size_t next = cc_skip_non_code(text, i);
 *       if (next == i) ... text[i] is code ...
 *       i = next > i ? next : i + 1;
 *   }
 */
#ifndef ROMARK_CC_SOURCE_TEXT_H
#define ROMARK_CC_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* The place after a comment or literal of `text` (NUL-terminated) at `i`; `i` itself if there is none. */
size_t cc_skip_text(const char *text, size_t i);
/* The same, past a preprocessor directive, too. */
size_t cc_skip_non_code(const char *text, size_t i);
/* A character of names and numbers. */
bool cc_is_word(char c);
/* 1 for an opening bracket, -1 for a closing bracket, 0 for anything else. */
int cc_bracket(char c);
/* The >>> of the <<< whose configuration starts at `i`, or 0. */
size_t cc_launch_end(const char *text, size_t i);

#endif
