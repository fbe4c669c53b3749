/*
 * Facts of a trace for the HTML page of verdicts: numbers of structures and lines, from results of `romark sim --json`
 * (with --lines, of lines too) and of `romark info --json`.
 *
 *   json_t *facts = NULL;
 *   if (report_facts_read(paths, count, &facts, &diag) < 0) ...
 *   json_decref(facts);
 */
#ifndef ROMARK_CLI_REPORT_FACTS_H
#define ROMARK_CLI_REPORT_FACTS_H

#include "common/diag.h"

#include <jansson.h>

/* *facts: a list of objects, NULL for none. DIAG_ERROR: a file is neither. */
int report_facts_read(const char *const *paths, size_t count, json_t **facts, struct diag *d);

#endif
