/*
 * Kinds of characters, by ASCII alone: the functions of ctype.h change with the locale of the process. Each takes a
 * char of any sign; a byte outside ASCII is of no kind.
 */
#ifndef ROMARK_COMMON_ASCII_H
#define ROMARK_COMMON_ASCII_H

#include <stdbool.h>

static inline bool ascii_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool ascii_is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static inline bool ascii_is_alpha(char c)
{
	return ascii_is_upper(c) || (c >= 'a' && c <= 'z');
}

static inline bool ascii_is_alnum(char c)
{
	return ascii_is_alpha(c) || ascii_is_digit(c);
}

static inline bool ascii_is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline char ascii_to_upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* The same text but for the case of its letters. */
static inline bool ascii_is_same(const char *a, const char *b)
{
	while (*a && ascii_to_upper(*a) == ascii_to_upper(*b)) {
		a++;
		b++;
	}
	return ascii_to_upper(*a) == ascii_to_upper(*b);
}

#endif
