/* How large a sample's problem is, from the command line: `small` for tests, `paper`, or a number. */
#ifndef ROMARK_SAMPLES_SIZE_H
#define ROMARK_SAMPLES_SIZE_H

#include "check.h"

#include <string.h>

/* Without an argument it is small. */
static inline int chosen_size(int argc, char **argv, int small, int paper, const char *usage)
{
	if (argc < 2 || strcmp(argv[1], "small") == 0)
		return small;
	return strcmp(argv[1], "paper") == 0 ? paper : positive(argv[1], usage);
}

#endif
