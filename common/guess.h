/*
 * "Did you mean": finds the known word that is nearest to a wrong word.
 *
 *   struct guess g = guess_start(word, strlen(word));
 *   for (...) guess_try(&g, names[i]);
 *   fprintf(stderr, "no '%s'%s\n", word, guess_hint(&g).text);
 *
 * prints "no 'smi'; did you mean 'sim'?", if no word is alike "no 'x'; there are run, sim and trace", and only "no 'x'"
 * if that list would be long.
 */
#ifndef ROMARK_COMMON_GUESS_H
#define ROMARK_COMMON_GUESS_H

#include <stddef.h>

struct guess {
	const char *word;
	size_t length;
	unsigned distance; /* of `best` */
	unsigned count;    /* of `names`; more than the array holds: too many to be listed */
	char best[64];     /* the nearest word that is alike; "" = none so far */
	char names[160];   /* the tried words, a line each, as long as they are few */
};

struct guess_hint {
	char text[256];
};

struct guess guess_start(const char *word, size_t length);
/*
 * Counts letters put in, left out, changed or swapped with their neighbours. Words are alike if this count is at most a
 * third of the letters of the longer word, or 1 for words of two letters. A word without a dot may be like the part
 * after the name's last dot. Among equally near names the first stays.
 */
void guess_try(struct guess *g, const char *name);
/* Behind a message: "; did you mean 'NAME'?", or "; there are NAMES", or "". */
struct guess_hint guess_hint(const struct guess *g);

#endif
