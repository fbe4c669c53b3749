/*
 * Diagnostics: the message of a library function about bad input. Libraries fill one in and return DIAG_ERROR (-1);
 * only the command line prints it and decides the exit code.
 *
 *   struct diag d = DIAG_INIT;
 *   if (ptx_parse(..., &d) < 0) { diag_print(&d, stderr); return 1; }
 *
 * Printed as `romark: FILE:LINE:COLUMN: message`, then the source line and a caret when it is known.
 */
#ifndef ROMARK_COMMON_DIAG_H
#define ROMARK_COMMON_DIAG_H

#include <stddef.h>
#include <stdio.h>

struct diag {
	char file[512];
	unsigned line, column; /* 1-based; 0 = not known */
	char message[1024];    /* one line: what is wrong and what to do */
	char excerpt[256];     /* the source line, or "" */
	unsigned caret;        /* 0-based column in excerpt */
};

#define DIAG_INIT {.line = 0}
enum { DIAG_ERROR = -1 };

/* Each fills `d` (may be NULL), keeps the first error if one is set, and returns DIAG_ERROR. */
int diag_set(struct diag *d, const char *file, unsigned line, unsigned column, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Message without a place beyond the file; `file` may be NULL. */
int diag_file(struct diag *d, const char *file, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Adds the source line around `at` (a position inside text[0..len)) and the caret. */
void diag_excerpt(struct diag *d, const char *text, size_t len, size_t at);
int diag_is_set(const struct diag *d);
void diag_print(const struct diag *d, FILE *out);

/* A broken promise inside romark itself: prints and aborts. Never for bad input. */
#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
void bug_at(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4), noreturn));

#endif
