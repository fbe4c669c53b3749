/* Settings to and from the environment, row by row. */
#include "settings/settings.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT(first, others) first, first others
#define UNSET(values) NULL, values

const struct setting setting_rows[SETTINGS] = {
#define SETTING(field, type, variable, values, letter, option, help)                                                   \
	{SETTING_OF_PROGRAM, SETTING_##type, variable, values, help, letter, option, offsetof(struct settings, field)},
#define TOOL_SETTING(reader, name, variable, values, help)                                                             \
	{SETTING_OF_##reader, SETTING_TEXT, variable, values, help, 0, NULL, 0},
#include "settings/settings.def"
#undef TOOL_SETTING
#undef SETTING
};

/* --- From the environment --- */

/* Index of `text` in "a|b|c", 0 if it is not there. */
static int choice_of(const char *values, const char *text)
{
	size_t length = strlen(text);

	for (int i = 0; *values; i++) {
		size_t end = strcspn(values, "|");

		if (end == length && memcmp(values, text, length) == 0)
			return i;
		values += end + (values[end] == '|');
	}
	return 0;
}

static const char *output_of(const char *text)
{
	return strcmp(text, "0") == 0 ? NULL : strcmp(text, "-") == 0 ? "1" : text;
}

const char *setting_text(enum setting_id id)
{
	const char *text = getenv(setting_rows[id].variable);

	return text && *text ? text : setting_rows[id].otherwise;
}

static unsigned number_of(const char *text)
{
	unsigned long long number = strtoull(text, NULL, 10);

	return number < UINT_MAX ? (unsigned)number : UINT_MAX;
}

static void read_row(const struct setting *row, const char *text, void *field)
{
	switch (row->type) {
	case SETTING_TEXT: *(const char **)field = text; break;
	case SETTING_OUTPUT: *(const char **)field = text ? output_of(text) : NULL; break;
	case SETTING_CHOICE: *(int *)field = choice_of(row->values, text); break;
	case SETTING_FLAG: *(bool *)field = text && strcmp(text, "0") != 0; break;
	case SETTING_COUNT: *(uint64_t *)field = text ? strtoull(text, NULL, 10) : UINT64_MAX; break;
	case SETTING_NUMBER: *(unsigned *)field = text ? number_of(text) : 0; break;
	}
}

void settings_read(struct settings *settings)
{
	for (enum setting_id i = 0; i < SETTINGS; i++)
		if (setting_rows[i].reader == SETTING_OF_PROGRAM)
			read_row(&setting_rows[i], setting_text(i), (char *)settings + setting_rows[i].offset);
}

/* --- Into the environment --- */

static void put_choice(const struct setting *row, int choice)
{
	const char *at = row->values;
	char text[32];

	while (choice-- > 0)
		at += strcspn(at, "|") + 1;
	snprintf(text, sizeof text, "%.*s", (int)strcspn(at, "|"), at);
	setenv(row->variable, text, 1);
}

static void put_number(const struct setting *row, unsigned number)
{
	char text[16];

	snprintf(text, sizeof text, "%u", number);
	if (number)
		setenv(row->variable, text, 1);
	else
		unsetenv(row->variable);
}

static void put_text(const struct setting *row, const char *text)
{
	if (text || row->otherwise)
		setenv(row->variable, text ? text : row->otherwise, 1);
	else
		unsetenv(row->variable);
}

static void put_row(const struct setting *row, const void *field)
{
	switch (row->type) {
	case SETTING_TEXT:
	case SETTING_OUTPUT: put_text(row, *(const char *const *)field); break;
	case SETTING_CHOICE: put_choice(row, *(const int *)field); break;
	case SETTING_FLAG: put_text(row, *(const bool *)field ? "1" : NULL); break;
	case SETTING_NUMBER: put_number(row, *(const unsigned *)field); break;
	case SETTING_COUNT: break; /* has no option */
	}
}

void settings_put(const struct settings *settings)
{
	for (size_t i = 0; i < SETTINGS; i++)
		if (setting_rows[i].option)
			put_row(&setting_rows[i], (const char *)settings + setting_rows[i].offset);
}
