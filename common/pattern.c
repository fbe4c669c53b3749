/* The C library compiles brackets by recursion and repeats by copying, both without a bound of their own. */
#include "common/pattern.h"

#include "common/ascii.h"
#include "common/c_locale.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* State of a pair of round brackets: its parts so far, and the parts that a repeat would repeat. */
struct level {
	uint64_t parts, last;
};

static const uint64_t too_many = PATTERN_PARTS + 1;

static uint64_t limited(uint64_t parts)
{
	return parts < too_many ? parts : too_many;
}

static void add_part(struct level *level, uint64_t parts)
{
	level->parts = limited(level->parts + parts);
	level->last = parts;
}

/* Behind a list such as "[]a[:alpha:]]", which is one part. */
static const char *skip_list(const char *at)
{
	at += *at == '^';
	at += *at == ']';
	while (*at && *at != ']') {
		const char *end = *at == '[' && at[1] && strchr(":.=", at[1]) ? strchr(at + 2, at[1]) : NULL;

		at = end && end[1] == ']' ? end + 2 : at + 1;
	}
	return at + (*at == ']');
}

/* Reads "3}", "3,}" or "3,5}", and writes the last part as often as it says. Returns the place after it. */
static const char *repeat(struct level *level, const char *at)
{
	const char *end = at + strcspn(at, "}");
	uint64_t most = 1;

	for (; at < end; at++)
		if (ascii_is_digit(*at)) {
			char *behind;
			uint64_t times = strtoull(at, &behind, 10);

			most = times > most ? times : most;
			at = behind - 1;
		}
	most = limited(most);
	level->parts = limited(level->parts - level->last + most * level->last);
	level->last = limited(most * level->last);
	return end + (*end == '}');
}

/* The C library reports text that is no regular expression at all. */
static int check_size(const char *text, struct diag *d)
{
	struct level levels[PATTERN_DEPTH + 1] = {{0, 0}};
	size_t depth = 0;
	const char *at = text;

	if (strlen(text) > PATTERN_BYTES)
		return diag_file(d, NULL, "longer than %d bytes", PATTERN_BYTES);
	while (*at && levels[depth].parts < too_many) {
		char c = *at++;

		if (c == '(' && depth == PATTERN_DEPTH)
			return diag_file(d, NULL, "more than %d brackets in each other", PATTERN_DEPTH);
		if (c == '(') {
			levels[++depth] = (struct level){1, 0};
		} else if (c == ')' && depth) {
			depth--;
			add_part(&levels[depth], levels[depth + 1].parts);
		} else if (c == '{') {
			at = repeat(&levels[depth], at);
		} else {
			at = c == '[' ? skip_list(at) : at + (c == '\\' && *at);
			add_part(&levels[depth], strchr("*+?|", c) ? 0 : 1);
		}
	}
	if (levels[depth].parts >= too_many)
		return diag_file(d, NULL, "its repeats stand for more than %d characters", PATTERN_PARTS);
	return 0;
}

int pattern_compile(regex_t *regex, const char *text, struct diag *d)
{
	char reason[256];
	int error;

	if (check_size(text, d) < 0)
		return DIAG_ERROR;
	error = c_regcomp(regex, text, REG_EXTENDED | REG_NOSUB);
	if (!error)
		return 0;
	regerror(error, regex, reason, sizeof reason);
	return diag_file(d, NULL, "%s", reason);
}

int pattern_check(const char *text, struct diag *d)
{
	regex_t regex;

	if (pattern_compile(&regex, text, d) < 0)
		return DIAG_ERROR;
	regfree(&regex);
	return 0;
}
