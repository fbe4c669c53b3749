/* Settings to and from the environment, row by row. */
#include "settings/settings.h"

#include "common/ascii.h"
#include "common/guess.h"
#include "common/pattern.h"
#include "common/strbuf.h"

#include <errno.h>
#include <inttypes.h>
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

/* --- Values of a row --- */

/* A value of a row's "a|b|c". */
struct value {
	const char *text;
	size_t length;
};

static bool next_value(const char **at, struct value *value)
{
	*value = (struct value){*at, strcspn(*at, "|")};
	*at += value->length + ((*at)[value->length] == '|');
	return value->length > 0;
}

static bool is_word(const struct value *value, const char *word)
{
	return strlen(word) == value->length && memcmp(value->text, word, value->length) == 0;
}

/* Length of the text before the N of a value: 0 for "N", 3 for "fd:N". Negative if the value has no N. */
static int before_number(const struct value *value)
{
	bool has =
	    value->text[value->length - 1] == 'N' && (value->length == 1 || value->text[value->length - 2] == ':');

	return has ? (int)value->length - 1 : -1;
}

/* FILE, FILE.json, PATH and REGEX take any text. */
static bool is_any_text(const struct value *value)
{
	return before_number(value) < 0 && ascii_is_upper(value->text[0]);
}

static uint64_t most_of(const struct setting *row)
{
	return row->type == SETTING_COUNT ? UINT64_MAX : row->type == SETTING_NUMBER ? UINT_MAX : INT_MAX;
}

/* A value such as fd:N claims all texts that begin with fd:, so fd:x is no file. */
static bool fits_number(const struct setting *row, const char *text, bool *claimed)
{
	const char *at = row->values;
	struct value value;

	*claimed = false;
	while (next_value(&at, &value)) {
		int prefix = before_number(&value);
		char *end;

		if (prefix < 0 || strncmp(text, value.text, (size_t)prefix) != 0)
			continue;
		*claimed = true;
		errno = 0;
		if (ascii_is_digit(text[prefix]) && strtoull(text + prefix, &end, 10) <= most_of(row) && !*end)
			return !errno;
	}
	return false;
}

/* Index of a word in "a|b|c"; negative if it is not there. */
static int index_of(const char *values, const char *word, size_t length)
{
	struct value value;

	for (int i = 0; next_value(&values, &value); i++)
		if (value.length == length && memcmp(value.text, word, length) == 0)
			return i;
	return -1;
}

/* The first word of a list that the row does not have, or NULL. */
static const char *unknown_word(const struct setting *row, const char *list)
{
	for (const char *at = list;; at++) {
		size_t length = strcspn(at, ",");

		if (index_of(row->values, at, length) < 0)
			return at;
		at += length;
		if (!*at)
			return NULL;
	}
}

static bool fits_text(const struct setting *row, const char *text)
{
	const char *at = row->values;
	struct value value;

	while (next_value(&at, &value))
		if (is_any_text(&value) || is_word(&value, text))
			return true;
	return false;
}

static int check_regex(const char *name, const char *text, struct diag *d)
{
	struct diag why = DIAG_INIT;

	if (pattern_check(text, &why) == 0)
		return 0;
	return diag_file(d, NULL, "%s=%.100s: no regular expression: %s", name, text, why.message);
}

/* "a, b or a whole number" */
static void add_values(struct strbuf *out, const struct setting *row)
{
	const char *at = row->values;
	struct value value;

	while (next_value(&at, &value)) {
		strbuf_adds(out, value.text == row->values ? "" : *at ? ", " : " or ");
		if (before_number(&value) == 0)
			strbuf_addf(out, "a whole number up to %" PRIu64, most_of(row));
		else
			strbuf_add(out, value.text, value.length);
	}
}

/* `wrong`: the part of the text that the row does not take. */
static int wrong_value(const struct setting *row, const char *name, const char *text, const char *wrong, struct diag *d)
{
	struct guess g = guess_start(wrong, row->type == SETTING_LIST ? strcspn(wrong, ",") : strlen(wrong));
	struct strbuf values = STRBUF_INIT;
	const char *at = row->values;
	struct value value;

	while (next_value(&at, &value)) {
		char word[32];

		snprintf(word, sizeof word, "%.*s", (int)value.length, value.text);
		if (before_number(&value) < 0 && !is_any_text(&value))
			guess_try(&g, word);
	}
	add_values(&values, row);
	diag_file(d, NULL, "%s=%s: it takes %s%s%s", name, text, values.data,
		  row->type == SETTING_LIST ? ", with commas between them" : "", *g.best ? guess_hint(&g).text : "");
	strbuf_release(&values);
	return DIAG_ERROR;
}

int setting_check(enum setting_id id, const char *name, const char *text, struct diag *d)
{
	const struct setting *row = &setting_rows[id];
	bool claimed;

	name = name ? name : row->variable;
	if (strcmp(row->values, "REGEX") == 0)
		return check_regex(name, text, d);
	if (row->type == SETTING_LIST) {
		const char *wrong = unknown_word(row, text);

		return wrong ? wrong_value(row, name, text, wrong, d) : 0;
	}
	if (fits_number(row, text, &claimed) || (!claimed && fits_text(row, text)))
		return 0;
	return wrong_value(row, name, text, text, d);
}

/* --- From the environment --- */

static int choice_of(const char *values, const char *text)
{
	int index = index_of(values, text, strlen(text));

	return index < 0 ? 0 : index;
}

unsigned setting_words(enum setting_id id, const char *text)
{
	unsigned words = 0;

	while (text && *text) {
		size_t length = strcspn(text, ",");
		int index = index_of(setting_rows[id].values, text, length);

		words |= index < 0 ? 0 : 1u << index;
		text += length + (text[length] == ',');
	}
	return words;
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
	case SETTING_TEXT:
	case SETTING_LIST: *(const char **)field = text; break;
	case SETTING_OUTPUT: *(const char **)field = text ? output_of(text) : NULL; break;
	case SETTING_CHOICE: *(int *)field = text ? choice_of(row->values, text) : 0; break;
	case SETTING_FLAG: *(bool *)field = text && strcmp(text, "0") != 0; break;
	case SETTING_COUNT: *(uint64_t *)field = text ? strtoull(text, NULL, 10) : 0; break;
	case SETTING_NUMBER: *(unsigned *)field = text ? number_of(text) : 0; break;
	}
}

/* --- Names --- */

extern char **environ;
static const char prefix[] = "ROMARK_";

static bool is_name(const char *name, size_t length)
{
	for (enum setting_id i = 0; i < SETTINGS; i++)
		if (strlen(setting_rows[i].variable) == length && memcmp(setting_rows[i].variable, name, length) == 0)
			return true;
	return false;
}

/* The variable is one that somebody meant to set: none has its name, but one has nearly that. */
static int check_name(const char *name, size_t length, struct diag *d)
{
	const size_t start = strlen(prefix);
	struct guess g = guess_start(name + start, length - start);

	for (enum setting_id i = 0; i < SETTINGS; i++)
		guess_try(&g, setting_rows[i].variable + start);
	if (!*g.best)
		return 0;
	return diag_file(d, NULL, "%.*s: romark reads no such variable; did you mean '%s%s'?", (int)length, name,
			 prefix, g.best);
}

static int check_names(struct diag *d)
{
	for (char **at = environ; at && *at; at++) {
		size_t length = strcspn(*at, "=");

		if (strncmp(*at, prefix, strlen(prefix)) == 0 && (*at)[length] && (*at)[length + 1] &&
		    !is_name(*at, length) && check_name(*at, length, d) < 0)
			return DIAG_ERROR;
	}
	return 0;
}

int settings_read(struct settings *settings, struct diag *d)
{
	int status = check_names(d);

	for (enum setting_id i = 0; i < SETTINGS; i++) {
		const char *text = setting_text(i);

		if (setting_rows[i].reader != SETTING_OF_PROGRAM)
			continue;
		if (text && setting_check(i, NULL, text, d) < 0)
			status = DIAG_ERROR;
		read_row(&setting_rows[i], text, (char *)settings + setting_rows[i].offset);
	}
	return status;
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

static void put_number(const struct setting *row, uint64_t number)
{
	char text[24];

	snprintf(text, sizeof text, "%" PRIu64, number);
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
	case SETTING_LIST:
	case SETTING_OUTPUT: put_text(row, *(const char *const *)field); break;
	case SETTING_CHOICE: put_choice(row, *(const int *)field); break;
	case SETTING_FLAG: put_text(row, *(const bool *)field ? "1" : NULL); break;
	case SETTING_NUMBER: put_number(row, *(const unsigned *)field); break;
	case SETTING_COUNT: put_number(row, *(const uint64_t *)field); break;
	}
}

void settings_put(const struct settings *settings)
{
	for (size_t i = 0; i < SETTINGS; i++)
		if (setting_rows[i].option)
			put_row(&setting_rows[i], (const char *)settings + setting_rows[i].offset);
}
