/* The distance of two words: Damerau's and Levenshtein's, where no letter is changed twice. */
#include "common/guess.h"

#include <limits.h>
#include <string.h>

enum { LONGEST = 63 };

static unsigned least(unsigned a, unsigned b, unsigned c)
{
	unsigned least = a < b ? a : b;

	return least < c ? least : c;
}

/* Rows of the usual table: the letters of `a` up to the one before the last, up to the last, and up to this one. */
static unsigned distance(const char *a, size_t na, const char *b, size_t nb)
{
	unsigned rows[3][LONGEST + 1], *before = rows[0], *last = rows[1], *now = rows[2];

	for (size_t j = 0; j <= nb; j++)
		last[j] = (unsigned)j;
	for (size_t i = 1; i <= na; i++) {
		unsigned *free_row = before;

		now[0] = (unsigned)i;
		for (size_t j = 1; j <= nb; j++) {
			now[j] = least(last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    before[j - 2] + 1 < now[j])
				now[j] = before[j - 2] + 1;
		}
		before = last;
		last = now;
		now = free_row;
	}
	return last[nb];
}

struct guess guess_start(const char *word, size_t length)
{
	return (struct guess){.word = word, .length = length, .distance = (unsigned)(length + 5) / 3};
}

struct guess guess_nearest(const char *word)
{
	return (struct guess){.word = word, .length = strlen(word), .distance = UINT_MAX};
}

void guess_try(struct guess *g, const char *name)
{
	size_t length = strlen(name);
	unsigned found = UINT_MAX - 1;

	if (g->length <= LONGEST && length <= LONGEST)
		found = distance(g->word, g->length, name, length);
	if (found >= g->distance)
		return;
	g->distance = found;
	g->best = name;
}
