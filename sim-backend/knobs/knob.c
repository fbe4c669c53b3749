/* Sets and prints the fields of the model's structs through the rows that declare them. */
#include "sim-backend/knobs/knob.h"

#include "common/c_locale.h"
#include "common/size.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *field(const struct knob *knob, void *values)
{
	return (char *)values + knob->offset;
}

static const void *const_field(const struct knob *knob, const void *values)
{
	return (const char *)values + knob->offset;
}

static void store(const struct knob *knob, void *values, double number)
{
	switch (knob->type) {
	case KNOB_TYPE_REAL: *(double *)field(knob, values) = number; break;
	case KNOB_TYPE_BOOL: *(bool *)field(knob, values) = number != 0; break;
	case KNOB_TYPE_UINT:
	case KNOB_TYPE_CHOICE: *(uint32_t *)field(knob, values) = (uint32_t)number; break;
	case KNOB_TYPE_NAME:
		knob_choice_name(knob->choices, (uint32_t)number, field(knob, values), KNOB_NAME_BYTES);
		break;
	}
}

void knob_defaults(const struct knob *knobs, void *values)
{
	for (const struct knob *knob = knobs; knob->name; knob++)
		store(knob, values, knob->initial);
}

const struct knob *knob_find(const struct knob *knobs, const char *name)
{
	for (const struct knob *knob = knobs; knob->name; knob++)
		if (strcmp(knob->name, name) == 0)
			return knob;
	return NULL;
}

bool knob_choice_name(const char *choices, uint32_t index, char *text, size_t size)
{
	const char *at = choices;

	for (; index > 0; index--) {
		at = strchr(at, '|');
		if (!at)
			return false;
		at++;
	}
	snprintf(text, size, "%.*s", (int)strcspn(at, "|"), at);
	return true;
}

/* Bytes in the unit of a size: 1,024 for KB. 0 when the unit is not of bytes. */
static double bytes_in_unit(const struct knob *knob)
{
	return strcmp(knob->unit, "bytes") == 0 ? 1 : strcmp(knob->unit, "KB") == 0 ? 1024 : 0;
}

/*
 * The factor of a number with this suffix: 1,024 for "K" when the unit is bytes. 0: the number must not have this
 * suffix.
 */
static double factor_of(const struct knob *knob, const char *suffix)
{
	double bytes = bytes_in_unit(knob);

	if (!*suffix)
		return 1;
	return bytes != 0 ? size_factor(suffix) / bytes : 0;
}

static int parse_number(const struct knob *knob, const char *text, double *number, char *why, size_t why_size)
{
	bool whole = knob->type == KNOB_TYPE_UINT;
	double factor;
	char *end;

	errno = 0;
	*number = c_strtod(text, &end);
	factor = factor_of(knob, end);
	*number *= factor;
	if (end == text || factor == 0 || errno || !isfinite(*number) || (whole && *number != floor(*number))) {
		if (bytes_in_unit(knob) != 0)
			snprintf(why, why_size, "must be a whole number of %s, or one of " SIZE_UNITS ", not '%s'",
				 knob->unit, text);
		else
			snprintf(why, why_size, "must be a %s, not '%s'", whole ? "whole number" : "number", text);
		return -1;
	}
	if (*number < knob->min || *number > knob->max) {
		c_snprintf(why, why_size, "must be %.10g to %.10g%s%s, not %s", knob->min, knob->max,
			   knob->unit[0] ? " " : "", knob->unit, text);
		return -1;
	}
	return 0;
}

static int parse_bool(const char *text, double *number, char *why, size_t why_size)
{
	static const char *const words[][2] = {{"false", "true"}, {"no", "yes"}, {"off", "on"}, {"0", "1"}};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		for (int value = 0; value < 2; value++)
			if (strcmp(text, words[i][value]) == 0) {
				*number = value;
				return 0;
			}
	snprintf(why, why_size, "must be true or false, not '%s'", text);
	return -1;
}

static int parse_choice(const struct knob *knob, const char *text, double *number, char *why, size_t why_size)
{
	char name[64];

	for (uint32_t i = 0; knob_choice_name(knob->choices, i, name, sizeof name); i++)
		if (strcmp(name, text) == 0) {
			*number = i;
			return 0;
		}
	snprintf(why, why_size, "must be one of %s, not '%s'", knob->choices, text);
	return -1;
}

bool knob_is_file(const char *name)
{
	size_t length = strlen(name);

	return strchr(name, '/') || (length > 3 && strcmp(name + length - 3, ".so") == 0);
}

/* A name of the choices; the last of these only says what else there may be. */
static int set_name(const struct knob *knob, void *values, const char *text, char *why, size_t why_size)
{
	double number;

	if (!knob_is_file(text)) {
		if (parse_choice(knob, text, &number, why, why_size) < 0)
			return -1;
	} else if (strlen(text) >= KNOB_NAME_BYTES) {
		snprintf(why, why_size, "has a path of %zu bytes; %d is the most", strlen(text), KNOB_NAME_BYTES - 1);
		return -1;
	}
	memmove(field(knob, values), text, strlen(text) + 1);
	return 0;
}

int knob_set(const struct knob *knob, void *values, const char *text, char *why, size_t why_size)
{
	double number = 0;
	int status;

	if (knob->type == KNOB_TYPE_NAME)
		return set_name(knob, values, text, why, why_size);
	if (knob->type == KNOB_TYPE_BOOL)
		status = parse_bool(text, &number, why, why_size);
	else if (knob->type == KNOB_TYPE_CHOICE)
		status = parse_choice(knob, text, &number, why, why_size);
	else
		status = parse_number(knob, text, &number, why, why_size);
	if (status == 0)
		store(knob, values, number);
	return status;
}

uint32_t knob_uint(const struct knob *knob, const void *values)
{
	return *(const uint32_t *)const_field(knob, values);
}

double knob_real(const struct knob *knob, const void *values)
{
	return *(const double *)const_field(knob, values);
}

bool knob_bool(const struct knob *knob, const void *values)
{
	return *(const bool *)const_field(knob, values);
}

const char *knob_name(const struct knob *knob, const void *values)
{
	return const_field(knob, values);
}

static void format(const struct knob *knob, double number, char *text, size_t size)
{
	if (knob->type == KNOB_TYPE_BOOL)
		snprintf(text, size, "%s", number != 0 ? "true" : "false");
	else if (knob->type == KNOB_TYPE_CHOICE || knob->type == KNOB_TYPE_NAME)
		knob_choice_name(knob->choices, (uint32_t)number, text, size);
	else
		c_snprintf(text, size, "%.10g", number);
}

void knob_format(const struct knob *knob, const void *values, char *text, size_t size)
{
	double number;

	if (knob->type == KNOB_TYPE_NAME) {
		snprintf(text, size, "%s", knob_name(knob, values));
		return;
	}
	number = knob->type == KNOB_TYPE_REAL   ? knob_real(knob, values)
		 : knob->type == KNOB_TYPE_BOOL ? knob_bool(knob, values)
						: knob_uint(knob, values);

	format(knob, number, text, size);
}

void knob_format_default(const struct knob *knob, char *text, size_t size)
{
	format(knob, knob->initial, text, size);
}

const char *knob_type_name(enum knob_type type)
{
	static const char *const names[] = {[KNOB_TYPE_UINT] = "uint",
					    [KNOB_TYPE_REAL] = "real",
					    [KNOB_TYPE_BOOL] = "bool",
					    [KNOB_TYPE_CHOICE] = "choice",
					    [KNOB_TYPE_NAME] = "name"};

	return names[type];
}
