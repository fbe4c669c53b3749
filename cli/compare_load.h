/*
 * Reads the JSON of a result, which may have hundreds of thousands of launches, with or without these.
 *
 *   json_t *root = result_load(text, size, false, &error);      // NULL: no JSON
 */
#ifndef ROMARK_CLI_COMPARE_LOAD_H
#define ROMARK_CLI_COMPARE_LOAD_H

#include <jansson.h>
#include <stdbool.h>

/* `kernels` false: the list "kernels" at the top is empty, and only its brackets are looked at. */
json_t *result_load(const char *text, size_t size, bool kernels, json_error_t *error);

#endif
