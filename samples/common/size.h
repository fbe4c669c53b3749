/* How large a sample's problem is, from the command line: `small` for tests, `paper` or `study`, or a number. */
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

/* The same where no paper prints a size: `study` is one that takes a simulator a minute or two. */
static inline int small_or_study(int argc, char **argv, int small, int study, const char *usage)
{
	if (argc < 2 || strcmp(argv[1], "small") == 0)
		return small;
	return strcmp(argv[1], "study") == 0 ? study : positive(argv[1], usage);
}

/* The number of a study's size from 0 to 4, such as 3 of "nn_3" behind the prefix "nn_"; -1 of anything else. */
static inline int study_size(const char *text, const char *prefix)
{
	size_t length = strlen(prefix);

	if (strncmp(text, prefix, length) != 0 || strlen(text) != length + 1)
		return -1;
	return text[length] >= '0' && text[length] <= '4' ? text[length] - '0' : -1;
}

#endif
