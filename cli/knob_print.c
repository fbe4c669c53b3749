/* The rows of knob tables, as people and as scripts read them. */
#include "cli/knob_print.h"

#include <stdio.h>

static void value_text(const struct knob *knob, const void *values, char *text, size_t size)
{
	if (values)
		knob_format(knob, values, text, size);
	else
		knob_format_default(knob, text, size);
}

static void range_text(const struct knob *knob, char *text, size_t size)
{
	if (knob->type == KNOB_TYPE_BOOL)
		snprintf(text, size, "true|false");
	else if (knob->type == KNOB_TYPE_CHOICE || knob->type == KNOB_TYPE_NAME)
		snprintf(text, size, "%s", knob->choices);
	else
		snprintf(text, size, "%.10g..%.10g", knob->min, knob->max);
}

void knob_print(const char *section, const struct knob *knobs, const void *values)
{
	for (const struct knob *knob = knobs; knob->name; knob++) {
		char key[96], value[KNOB_NAME_BYTES], range[128];

		snprintf(key, sizeof key, "%s.%s", section, knob->name);
		value_text(knob, values, value, sizeof value);
		range_text(knob, range, sizeof range);
		printf("  %-30s %10s %-10s [%s] %s (%s)\n", key, value, knob->unit, range, knob->help, knob->source);
	}
}

json_t *knob_json(const struct knob *knobs, const void *values)
{
	json_t *list = json_array();

	for (const struct knob *knob = knobs; knob->name; knob++) {
		char value[KNOB_NAME_BYTES], initial[64], range[128];
		json_t *object;

		value_text(knob, values, value, sizeof value);
		knob_format_default(knob, initial, sizeof initial);
		range_text(knob, range, sizeof range);
		object = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "key", knob->name, "type",
				   knob_type_name(knob->type), "value", value, "default", initial, "unit", knob->unit,
				   "range", range, "help", knob->help, "source", knob->source);
		json_array_append_new(list, object);
	}
	return list;
}
