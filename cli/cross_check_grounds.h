/*
 * Grounds on which the two analysers may differ about a load, each with a check. A ground counts only if its check
 * holds for this load.
 */
#ifndef ROMARK_CLI_CROSS_CHECK_GROUNDS_H
#define ROMARK_CLI_CROSS_CHECK_GROUNDS_H

#include "cli/cross_check_view.h"

/* Views of the module under other conditions, made when a ground asks for them. */
struct conditions {
	const char *file;
	const void *data;
	size_t size;
	struct pass_options options; /* at the level that is compared */
	struct other_view {
		struct view view;
		bool tried, made;
	} bare, optimised, guarded, distinct;
};

void conditions_release(struct conditions *c);
/* One checked sentence, or NULL: the difference has no explanation. */
const char *ground_of(struct conditions *c, const struct view *v, const struct seen_load *load);

#endif
