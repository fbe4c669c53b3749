/*
 * Reads the JSON of a result, which may have hundreds of thousands of launches, with or without these.
 *
 *   json_t *root = result_load(text, size, false, &error);      // NULL: no JSON
 */
#ifndef ROMARK_CLI_COMPARE_LOAD_H
#define ROMARK_CLI_COMPARE_LOAD_H

#include <jansson.h>
#include <stdbool.h>

/* `kernels` false: leaves the list "kernels" at the top empty; only its brackets are checked. */
json_t *result_load(const char *text, size_t size, bool kernels, json_error_t *error);

#endif
