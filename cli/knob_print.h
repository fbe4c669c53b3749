/* Knob tables as text and as JSON, for `romark gpus` and `romark policies`. */
#ifndef ROMARK_CLI_KNOB_PRINT_H
#define ROMARK_CLI_KNOB_PRINT_H

#include "sim-backend/knobs/knob.h"

#include <jansson.h>

/* One line a knob: key, value (`values` NULL: the default), unit, range, help, source. */
void knob_print(const char *section, const struct knob *knobs, const void *values);
json_t *knob_json(const struct knob *knobs, const void *values);

#endif
