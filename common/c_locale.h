/*
 * Numbers and patterns as the C locale has them. romark's libraries live in users' programs, and those may have called
 * setlocale(): then strtod("1.5") reads 1 and printf("%g", 1.5) writes 1,5. These functions take no notice:
 *
 *   double rate = c_strtod(text, &end);
 *   c_snprintf(text, sizeof text, "%.6g", rate);
 *
 * strbuf_addf, arena_printf and the messages of diag.h print in this way too. Letters are told apart by common/ascii.h.
 * tests/style/check_style holds all others to these.
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
/* What is compiled stays so: regexec needs no locale. */
int c_regcomp(regex_t *regex, const char *pattern, int flags);

#endif
