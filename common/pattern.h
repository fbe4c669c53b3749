/*
 * Patterns of users: extended regular expressions, bounded so that compiling one needs little time, memory and stack.
 *
 *   regex_t regex;
 *   struct diag why = DIAG_INIT;
 *   if (pattern_compile(&regex, text, &why) < 0) ... why.message ...     // "Unmatched ( or \\("
 *   regfree(&regex);
 */
#ifndef ROMARK_COMMON_PATTERN_H
#define ROMARK_COMMON_PATTERN_H

#include "common/diag.h"

#include <regex.h>

enum {
	PATTERN_BYTES = 4096, /* of the text */
	PATTERN_DEPTH = 64,   /* brackets in each other */
	PATTERN_PARTS = 10000 /* after "a{3}" was written as "aaa" */
};

/* With REG_EXTENDED and REG_NOSUB. DIAG_ERROR: there is nothing to free; the message says why, without the pattern. */
int pattern_compile(regex_t *regex, const char *text, struct diag *d);
/* Whether pattern_compile takes it. */
int pattern_check(const char *text, struct diag *d);

#endif
