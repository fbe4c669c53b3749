/*
 * Numbers and patterns as in the C locale. romark's libraries live in users' programs, which may have called
 * setlocale(): then strtod("1.5") reads 1 and printf("%g", 1.5) writes 1,5. These functions do not depend on the
 * locale:
 *
 *   double rate = c_strtod(text, &end);
 *   c_snprintf(text, sizeof text, "%.6g", rate);
 *
 * strbuf_addf, arena_printf and the messages of diag.h print in this way too. common/ascii.h classifies letters.
 * tests/style/check_style makes all other code use these.
 */
#ifndef ROMARK_COMMON_C_LOCALE_H
#define ROMARK_COMMON_C_LOCALE_H

#include <regex.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

double c_strtod(const char *text, char **end);
int c_vsnprintf(char *text, size_t size, const char *format, va_list args);
int c_snprintf(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
int c_fprintf(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A compiled pattern does not change: regexec needs no locale. */
int c_regcomp(regex_t *regex, const char *pattern, int flags);

#endif
