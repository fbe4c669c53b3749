/* The pattern may be long, so the message shows its beginning. */
#include "cli/kernel_pattern.h"

#include "common/pattern.h"

#include <stdio.h>

bool kernel_pattern_check(const char *command, const char *pattern)
{
	struct diag why = DIAG_INIT;

	if (!pattern || pattern_check(pattern, &why) == 0)
		return true;
	fprintf(stderr, "romark: %s: --kernel=%.100s is not a regular expression: %s\n", command, pattern, why.message);
	return false;
}
