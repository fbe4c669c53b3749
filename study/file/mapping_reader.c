/* The readers of single values, and the reader of a mapping by its table. */
#include "study/file/mapping_reader.h"

#include "common/c_locale.h"
#include "common/guess.h"
#include "common/pattern.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int wrong_value(struct reader *r, const struct yaml_tree *at, const char *format, ...)
{
	char message[512];
	va_list args;

	va_start(args, format);
	c_vsnprintf(message, sizeof message, format, args);
	va_end(args);
	return diag_set(r->d, r->s->path, at->line, at->column, "%s", message);
}

int wrong_name(struct reader *r, unsigned line, unsigned column, const char *what, const char *word,
	       const char *const *names)
{
	struct guess g = guess_start(word, strlen(word));

	for (; *names; names++)
		guess_try(&g, *names);
	return diag_set(r->d, r->s->path, line, column, "no %s '%s'%s", what, word, guess_hint(&g).text);
}

struct study_text placed(const struct yaml_tree *tree)
{
	return (struct study_text){tree->text, {tree->line, tree->column}};
}

static const struct field *find(const struct field *fields, const char *name)
{
	for (; fields->name; fields++)
		if (strcmp(fields->name, name) == 0)
			return fields;
	return NULL;
}

static int unknown_key(struct reader *r, const struct yaml_child *child, const struct field *fields, const char *what)
{
	struct guess g = guess_start(child->key, strlen(child->key));

	for (; fields->name; fields++)
		guess_try(&g, fields->name);
	return diag_set(r->d, r->s->path, child->line, child->column, "%s has no key '%s'%s", what, child->key,
			guess_hint(&g).text);
}

int read_fields(struct reader *r, const struct yaml_tree *tree, const struct field *fields, void *target,
		const char *what)
{
	if (tree->kind != YAML_MAP)
		return wrong_value(r, tree, "%s is a mapping of keys and values", what);
	for (size_t i = 0; i < tree->count; i++) {
		const struct yaml_child *child = &tree->children[i];
		const struct field *field = find(fields, child->key);

		if (!field)
			return unknown_key(r, child, fields, what);
		if (field->read(r, child->value, (char *)target + field->offset) < 0)
			return DIAG_ERROR;
	}
	return 0;
}

int read_text(struct reader *r, const struct yaml_tree *value, void *target)
{
	if (value->kind != YAML_TEXT)
		return wrong_value(r, value, "a single text is expected here");
	*(const char **)target = value->text;
	return 0;
}

int read_placed(struct reader *r, const struct yaml_tree *value, void *target)
{
	if (value->kind != YAML_TEXT)
		return wrong_value(r, value, "a single text is expected here");
	*(struct study_text *)target = placed(value);
	return 0;
}

int read_pattern(struct reader *r, const struct yaml_tree *value, void *target)
{
	struct diag why = DIAG_INIT;

	if (read_text(r, value, target) < 0)
		return DIAG_ERROR;
	if (pattern_check(value->text, &why) == 0)
		return 0;
	return wrong_value(r, value, "this is not a regular expression: %s", why.message);
}

int read_texts(struct reader *r, const struct yaml_tree *value, void *target)
{
	study_texts *texts = target;

	if (value->kind == YAML_MAP)
		return wrong_value(r, value, "a text or a list of texts is expected here");
	if (value->kind == YAML_TEXT)
		vec_push(texts, placed(value));
	for (size_t i = 0; i < value->count; i++) {
		if (value->children[i].value->kind != YAML_TEXT)
			return wrong_value(r, value->children[i].value, "a single text is expected here");
		vec_push(texts, placed(value->children[i].value));
	}
	return 0;
}

int read_number(struct reader *r, const struct yaml_tree *value, void *target)
{
	char *end = NULL;
	double number = value->kind == YAML_TEXT ? c_strtod(value->text, &end) : 0;

	if (!end || end == value->text || *end || !isfinite(number))
		return wrong_value(r, value, "a number is expected here");
	*(double *)target = number;
	return 0;
}

int read_count(struct reader *r, const struct yaml_tree *value, void *target)
{
	char *end = NULL;

	errno = 0;
	if (value->kind == YAML_TEXT && value->text[0] >= '0' && value->text[0] <= '9')
		*(uint64_t *)target = strtoull(value->text, &end, 10);
	if (!end || *end || errno)
		return wrong_value(r, value, "a whole number is expected here");
	return 0;
}

int read_flag(struct reader *r, const struct yaml_tree *value, void *target)
{
	bool is_true = value->kind == YAML_TEXT && strcmp(value->text, "true") == 0;

	if (!is_true && (value->kind != YAML_TEXT || strcmp(value->text, "false") != 0))
		return wrong_value(r, value, "true or false is expected here");
	*(bool *)target = is_true;
	return 0;
}

static const char *const *names_of_dimensions(void)
{
	static const char *names[DIM_COUNT + 1];

	for (int i = 0; i < DIM_COUNT; i++)
		names[i] = dimension_names[i];
	return names;
}

int read_at(struct reader *r, const struct yaml_tree *value, void *target)
{
	struct study_at *at = target;

	if (value->kind != YAML_MAP)
		return wrong_value(r, value,
				   "a mapping of dimensions and values is expected here, as in "
				   "{policy: shared}");
	for (size_t i = 0; i < value->count; i++) {
		const struct yaml_child *child = &value->children[i];
		enum dimension dimension = dimension_find(child->key);

		if (dimension == DIM_COUNT)
			return wrong_name(r, child->line, child->column, "dimension", child->key,
					  names_of_dimensions());
		if (read_text(r, child->value, &at->value[dimension]) < 0)
			return DIAG_ERROR;
		at->place[dimension] = placed(child->value).place;
	}
	return 0;
}
