/*
 * The page of a simulation: what limited each kernel, rates over time, slices, structures, and a roofline, in one file
 * that needs nothing else. It is made of the result's document and its series, which go to these streams first.
 *
 *   struct sim_page page;
 *   if (sim_page_begin(&page, &d) < 0) ...
 *   options.json = page.json, options.series = page.series;
 *   if (sim_page_end(&page, "k.html", json_or_null, series_or_null, &d) < 0) ...
 *   sim_page_release(&page);
 */
#ifndef ROMARK_CLI_SIM_PAGE_H
#define ROMARK_CLI_SIM_PAGE_H

#include "common/diag.h"

#include <stdio.h>

struct sim_page {
	FILE *json, *series; /* files without a name */
};

int sim_page_begin(struct sim_page *page, struct diag *d);
/* Copies what the streams have got to `json` and `series`, unless they are NULL, and writes the page. */
int sim_page_end(struct sim_page *page, const char *path, FILE *json, FILE *series, struct diag *d);
void sim_page_release(struct sim_page *page);

#endif
