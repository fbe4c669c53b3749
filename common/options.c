/* The one parser behind every sub-command's option table. */
#include "common/options.h"

#include "common/ascii.h"
#include "common/diag.h"
#include "common/guess.h"
#include "common/size.h"
#include "common/xalloc.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int wrong(const struct usage *usage, const char *what, const char *word)
{
	fprintf(stderr, "romark: %s: %s '%s'; see 'romark %s --help'\n", usage->command, what, word, usage->command);
	return OPTIONS_WRONG;
}

static int unknown_option(const struct usage *usage, const char *word)
{
	size_t dashes = strspn(word, "-"), len = strcspn(word + dashes, "=");
	struct guess g = guess_start(word + dashes, len);

	for (const struct option_row *row = usage->rows; row->name; row++)
		guess_try(&g, row->name);
	if (access(word, F_OK) == 0) {
		fprintf(stderr, "romark: %s: unknown option '%s'; the file of this name is ./%s\n", usage->command,
			word, word);
		return OPTIONS_WRONG;
	}
	if (!*g.best || len < 2)
		return wrong(usage, "unknown option", word);
	fprintf(stderr, "romark: %s: unknown option '%s': did you mean --%s? See 'romark %s --help'\n", usage->command,
		word, g.best, usage->command);
	return OPTIONS_WRONG;
}

static const struct option_row *find_long(const struct usage *usage, const char *name, size_t len)
{
	for (const struct option_row *row = usage->rows; row->name; row++)
		if (strlen(row->name) == len && memcmp(row->name, name, len) == 0)
			return row;
	return NULL;
}

static const struct option_row *find_short(const struct usage *usage, char letter)
{
	for (const struct option_row *row = usage->rows; row->name; row++)
		if (row->letter == letter)
			return row;
	return NULL;
}

static int choice_index(const char *choices, const char *value)
{
	size_t len = strlen(value);
	int index = 0;

	for (const char *at = choices;; index++) {
		const char *bar = strchr(at, '|');
		size_t width = bar ? (size_t)(bar - at) : strlen(at);

		if (width == len && memcmp(at, value, len) == 0)
			return index;
		if (!bar)
			return -1;
		at = bar + 1;
	}
}

static int store_uint(const struct usage *usage, const struct option_row *row, const char *value)
{
	char *end;
	unsigned long number;
	double factor;

	errno = 0;
	number = strtoul(value, &end, 10);
	factor = row->kind == OPT_SIZE ? size_factor(end) : !*end;
	if (errno || factor == 0 || (row->kind == OPT_COUNT && !number) || !ascii_is_digit(*value) ||
	    (double)number * factor > UINT_MAX) {
		fprintf(stderr, "romark: %s: --%s takes a number%s, not '%s'; see 'romark %s --help'\n", usage->command,
			row->name,
			row->kind == OPT_SIZE    ? " of bytes, or of " SIZE_UNITS
			: row->kind == OPT_COUNT ? " from 1 on"
						 : "",
			value, usage->command);
		return OPTIONS_WRONG;
	}
	*(unsigned *)row->value = (unsigned)((double)number * factor);
	return 0;
}

static int store_long(const struct usage *usage, const struct option_row *row, const char *value)
{
	unsigned long long number;
	char *end;

	errno = 0;
	number = strtoull(value, &end, 10);
	if (errno || *end || !ascii_is_digit(*value)) {
		fprintf(stderr, "romark: %s: --%s takes a number, not '%s'; see 'romark %s --help'\n", usage->command,
			row->name, value, usage->command);
		return OPTIONS_WRONG;
	}
	*(uint64_t *)row->value = number;
	return 0;
}

static int store(const struct usage *usage, const struct option_row *row, const char *value)
{
	struct option_list *list = row->value;

	switch (row->kind) {
	case OPT_FLAG: *(bool *)row->value = true; return 0;
	case OPT_STRING: *(const char **)row->value = value; return 0;
	case OPT_UINT:
	case OPT_COUNT:
	case OPT_SIZE: return store_uint(usage, row, value);
	case OPT_LONG: return store_long(usage, row, value);
	case OPT_CHOICE:
		*(int *)row->value = choice_index(row->placeholder, value);
		if (*(int *)row->value >= 0)
			return 0;
		fprintf(stderr, "romark: %s: --%s takes %s, not '%s'\n", usage->command, row->name, row->placeholder,
			value);
		return OPTIONS_WRONG;
	case OPT_LIST:
		if (list->len == list->cap)
			list->data =
			    xrealloc(list->data, (list->cap = list->cap ? list->cap * 2 : 4) * sizeof *list->data);
		list->data[list->len++] = value;
		return 0;
	}
	return 0;
}

/* Takes the option at argv[*i]; advances *i over a separate value. */
static int take_option(const struct usage *usage, int argc, char **argv, int *i)
{
	char *word = argv[*i];
	bool is_long = word[1] == '-';
	const char *equals = is_long ? strchr(word, '=') : NULL;
	const char *value = equals ? equals + 1 : (!is_long && word[2] ? word + 2 : NULL);
	const struct option_row *row;

	if (is_long)
		row = find_long(usage, word + 2, equals ? (size_t)(equals - word - 2) : strlen(word + 2));
	else
		row = find_short(usage, word[1]);
	if (!row)
		return unknown_option(usage, word);
	if (row->kind == OPT_FLAG)
		return value ? wrong(usage, "takes no value:", word) : store(usage, row, NULL);
	if (!value) {
		if (*i + 1 >= argc)
			return wrong(usage, "value missing after", word);
		value = argv[++*i];
	}
	return store(usage, row, value);
}

static void check_rows(const struct usage *usage)
{
	for (const struct option_row *row = usage->rows; row->name; row++)
		if (find_long(usage, row->name, strlen(row->name)) != row ||
		    (row->letter && find_short(usage, row->letter) != row))
			BUG("%s has the option --%s, or its letter, twice", usage->command, row->name);
}

static int parse(const struct usage *usage, int argc, char **argv, bool leading)
{
	int operands = 0, i, status;

	check_rows(usage);
	for (i = 1; i < argc; i++) {
		char *word = argv[i];

		if (strcmp(word, "--") == 0) {
			i++;
			break;
		}
		if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
			options_help_print(usage, NULL);
			return OPTIONS_HELP;
		}
		if (word[0] != '-' || !word[1]) {
			if (leading)
				break;
			argv[operands++] = word;
			continue;
		}
		status = take_option(usage, argc, argv, &i);
		if (status < 0)
			return status;
	}
	while (i < argc)
		argv[operands++] = argv[i++];
	return operands;
}

int options_parse(const struct usage *usage, int argc, char **argv)
{
	return parse(usage, argc, argv, false);
}

int options_parse_leading(const struct usage *usage, int argc, char **argv)
{
	return parse(usage, argc, argv, true);
}

static bool is_given(const struct option_row *row)
{
	switch (row->kind) {
	case OPT_FLAG: return *(const bool *)row->value;
	case OPT_STRING: return *(const char *const *)row->value;
	case OPT_UINT:
	case OPT_COUNT:
	case OPT_SIZE: return *(const unsigned *)row->value;
	case OPT_LONG: return *(const uint64_t *)row->value;
	case OPT_CHOICE: return *(const int *)row->value;
	case OPT_LIST: return ((const struct option_list *)row->value)->len;
	}
	return false;
}

bool options_given(const struct option_row *rows)
{
	for (const struct option_row *row = rows; row->name; row++)
		if (is_given(row))
			return true;
	return false;
}
