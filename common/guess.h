/*
 * "Did you mean": the known word that a wrong one is most like.
 *
 *   struct guess g = guess_start(word, strlen(word));
 *   for (...) guess_try(&g, names[i]);
 *   if (g.best) fprintf(stderr, "did you mean '%s'?\n", g.best);
 */
#ifndef ROMARK_COMMON_GUESS_H
#define ROMARK_COMMON_GUESS_H

#include <stddef.h>

struct guess {
	const char *word;
	size_t length;
	const char *best;  /* like enough to be meant; NULL = none so far */
	unsigned distance; /* of `best`; before there is one, what is too far */
};

/* Words of `length` bytes that differ in a third of their letters or more are not alike. */
struct guess guess_start(const char *word, size_t length);
/* For lists of which some name must be meant: any word is like enough, and `best` is set by the first try. */
struct guess guess_nearest(const char *word);
/* Letters put in, left out, changed or swapped with their neighbours count; the first of equals stays. */
void guess_try(struct guess *g, const char *name);

#endif
