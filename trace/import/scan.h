/*
 * Words and numbers of a line that ends in a NUL. Each function moves `at` on, and returns whether it found what it
 * reads.
 */
#ifndef ROMARK_TRACE_IMPORT_SCAN_H
#define ROMARK_TRACE_IMPORT_SCAN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline bool scan_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static inline bool scan_is_end(char c)
{
	return scan_is_blank(c) || c == '\0';
}

static inline void scan_blanks(const char **at)
{
	while (scan_is_blank(**at))
		++*at;
}

/* Up to the next blank; its length. */
static inline size_t scan_word(const char **at, const char **word)
{
	scan_blanks(at);
	*word = *at;
	while (!scan_is_end(**at))
		++*at;
	return (size_t)(*at - *word);
}

/* 0 to 15; more than 15 if it is no hexadecimal digit. */
static inline unsigned scan_hex_digit(char c)
{
	unsigned digit = (unsigned)(unsigned char)c - '0', letter = ((unsigned)(unsigned char)c | 0x20) - 'a';

	return digit < 10 ? digit : letter < 6 ? letter + 10 : 16;
}

/* Digits only; false also where they say more than `most`. */
static inline bool scan_hex_digits(const char **at, uint64_t most, uint64_t *value)
{
	const char *start = *at;
	uint64_t sum = 0, lost = 0;
	unsigned digit;

	for (; (digit = scan_hex_digit(**at)) < 16; ++*at) {
		lost |= sum >> 60;
		sum = sum << 4 | digit;
	}
	*value = sum;
	return *at > start && !lost && sum <= most;
}

static inline bool scan_decimal_digits(const char **at, uint64_t *value)
{
	const char *start = *at;
	uint64_t sum = 0;
	bool fits = true;
	unsigned digit;

	for (; (digit = (unsigned)(unsigned char)**at - '0') < 10; ++*at) {
		fits = fits && sum <= (UINT64_MAX - digit) / 10;
		sum = sum * 10 + digit;
	}
	*value = sum;
	return fits && *at > start;
}

/* A whole word, with or without 0x. */
static inline bool scan_hex(const char **at, uint64_t *value)
{
	scan_blanks(at);
	if ((*at)[0] == '0' && ((*at)[1] | 0x20) == 'x')
		*at += 2;
	return scan_hex_digits(at, UINT64_MAX, value) && scan_is_end(**at);
}

static inline bool scan_decimal(const char **at, uint64_t *value)
{
	scan_blanks(at);
	return scan_decimal_digits(at, value) && scan_is_end(**at);
}

/* Modulo 2^64, as the distance between two addresses is. */
static inline bool scan_signed(const char **at, uint64_t *value)
{
	bool negative;

	scan_blanks(at);
	negative = **at == '-';
	*at += negative || **at == '+';
	if (!scan_decimal_digits(at, value) || !scan_is_end(**at))
		return false;
	if (negative)
		*value = -*value;
	return true;
}

/* "key = 1,2,3": `count` decimal numbers. */
static inline bool scan_numbers(const char *at, const char *key, unsigned count, uint32_t *out)
{
	size_t len = strlen(key);
	uint64_t value;

	if (strncmp(at, key, len) != 0)
		return false;
	at += len;
	scan_blanks(&at);
	if (*at++ != '=')
		return false;
	for (unsigned i = 0; i < count; i++) {
		if (i > 0 && *at++ != ',')
			return false;
		scan_blanks(&at);
		if (!scan_decimal_digits(&at, &value) || value > UINT32_MAX)
			return false;
		out[i] = (uint32_t)value;
	}
	return true;
}

#endif
