/* What bounds each kernel of a result, as JSON. */
#ifndef ROMARK_CLI_EXPLAIN_JSON_H
#define ROMARK_CLI_EXPLAIN_JSON_H

#include "cli/explain_numbers.h"

/* The caller owns the object. */
json_t *explain_json(const struct explained *e);

#endif
