/* The calling thread takes the C locale for the length of one call; other threads and the process keep theirs. */
#include "common/c_locale.h"

#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static locale_t c_locale;

static void make(void)
{
	c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

/* The locale before, for uselocale(). */
static locale_t enter(void)
{
	pthread_once(&once, make);
	return uselocale(c_locale);
}

static void leave(locale_t before)
{
	int error = errno;

	uselocale(before);
	errno = error;
}

double c_strtod(const char *text, char **end)
{
	locale_t before = enter();
	double value = strtod(text, end);

	leave(before);
	return value;
}

int c_vsnprintf(char *text, size_t size, const char *format, va_list args)
{
	locale_t before = enter();
	int length = vsnprintf(text, size, format, args);

	leave(before);
	return length;
}

int c_snprintf(char *text, size_t size, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = c_vsnprintf(text, size, format, args);
	va_end(args);
	return length;
}

int c_fprintf(FILE *out, const char *format, ...)
{
	locale_t before = enter();
	va_list args;
	int length;

	va_start(args, format);
	length = vfprintf(out, format, args);
	va_end(args);
	leave(before);
	return length;
}

int c_regcomp(regex_t *regex, const char *pattern, int flags)
{
	locale_t before = enter();
	int error = regcomp(regex, pattern, flags);

	leave(before);
	return error;
}
