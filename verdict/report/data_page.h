/*
 * An HTML page with data in it: a fixed text in which DATA_MARK stands for JSON inside a <script>.
 *
 *   data_page_fill(page, root, JSON_COMPACT, &out);
 */
#ifndef ROMARK_VERDICT_DATA_PAGE_H
#define ROMARK_VERDICT_DATA_PAGE_H

#include "common/strbuf.h"

#include <jansson.h>

#define DATA_MARK "@DATA@"

/* `page` has the mark once. `flags`: of json_dumps. */
void data_page_fill(const char *page, const json_t *root, size_t flags, struct strbuf *out);

#endif
