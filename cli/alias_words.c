/* The level is none of the analysis, so the options of ptx, pass and cc do not list it. */
#include "cli/alias_words.h"

#include "verdict/verdict.h"

#include <stdio.h>
#include <string.h>

static bool asks(const char *word, const char *next)
{
	return strcmp(word, "--alias=" OBSERVED_NAME) == 0 ||
	       (strcmp(word, "--alias") == 0 && next && strcmp(next, OBSERVED_NAME) == 0);
}

bool alias_words_check(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (!asks(argv[i], i + 1 < argc ? argv[i + 1] : NULL))
			continue;
		fprintf(
		    stderr,
		    "romark: %s: --alias=observed is what one launch turned out to do, and says nothing of the code "
		    "or of other launches: only 'romark trace' and 'romark run --gpu' take it\n",
		    argv[0]);
		return false;
	}
	return true;
}
