/*
 * The settings: environment variables, a row each in settings.def. Programs get theirs together. The API reads them
 * once and gives them to the device that it opens:
 *
 *   struct settings settings;
 *   if (settings_read(&settings, &diag) < 0) ...
 *   dev = ops->open(&settings, &diag);
 *
 * A program started by romark gets them the other way: settings_put() before it starts. The LLVM plugin and romark
 * itself read their settings one by one: setting_text(SETTING_ID_clang).
 */
#ifndef ROMARK_SETTINGS_H
#define ROMARK_SETTINGS_H

#include "common/diag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SETTING_FIELD_TEXT const char *   /* of the environment, so as long as that stays; NULL: not set */
#define SETTING_FIELD_OUTPUT const char * /* as TEXT; "1": no file */
#define SETTING_FIELD_LIST const char *   /* as TEXT; setting_words() takes it apart */
#define SETTING_FIELD_CHOICE int          /* index in the row's values */
#define SETTING_FIELD_FLAG bool
#define SETTING_FIELD_COUNT uint64_t  /* 0: not set */
#define SETTING_FIELD_NUMBER unsigned /* 0: not set */

/* The settings that programs read. */
struct settings {
#define SETTING(field, type, ...) SETTING_FIELD_##type field;
#define TOOL_SETTING(...)
#include "settings/settings.def"
#undef TOOL_SETTING
#undef SETTING
};

enum setting_type {
	SETTING_TEXT,
	SETTING_OUTPUT,
	SETTING_CHOICE,
	SETTING_LIST,
	SETTING_FLAG,
	SETTING_COUNT,
	SETTING_NUMBER
};
enum setting_reader { SETTING_OF_PROGRAM, SETTING_OF_PLUGIN, SETTING_OF_ROMARK };

enum setting_id {
#define SETTING(field, ...) SETTING_ID_##field,
#define TOOL_SETTING(reader, name, ...) SETTING_ID_##name,
#include "settings/settings.def"
#undef TOOL_SETTING
#undef SETTING
	SETTINGS
};

/* A row of settings.def. */
struct setting {
	enum setting_reader reader;
	enum setting_type type;
	const char *variable, *otherwise, *values, *help;
	char letter;
	const char *option;
	size_t offset; /* of a program's setting: of its field in struct settings */
};

extern const struct setting setting_rows[SETTINGS];

/* The text from the environment, else the default, else NULL. Valid as long as the environment does not change. */
const char *setting_text(enum setting_id id);

/*
 * 0 if the row takes `text`; else DIAG_ERROR, with `name` (NULL: the variable), the text, and what the row takes in
 * `d`. Whether a named file or GPU exists is checked where it is used.
 */
int setting_check(enum setting_id id, const char *name, const char *text, struct diag *d);
/* The words of a LIST's text that the row has: a bit each, in the row's order. `text` may be NULL. */
unsigned setting_words(enum setting_id id, const char *text);
/*
 * Reads the environment. DIAG_ERROR if a row does not take its variable's text, or a variable has nearly the name of a
 * row's; `d` names the first such variable.
 * `settings` then still has all the other rows.
 */
int settings_read(struct settings *settings, struct diag *d);
/*
 * Writes each row with an option into the environment. A setting that is not set becomes the default, or its variable
 * is removed. `settings` may be {0} with the options' values.
 */
void settings_put(const struct settings *settings);

#endif
