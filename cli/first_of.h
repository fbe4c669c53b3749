/*
 * The first of those that are alike: a number for each text that is new, and the same number when it comes again.
 *
 *   struct first_of f = FIRST_OF_INIT;
 *   first_of(&f, "selrep", 0);        // 0
 *   first_of(&f, "shared", 1);        // 1
 *   first_of(&f, "selrep", 2);        // 0
 *   first_of_release(&f);
 */
#ifndef ROMARK_CLI_FIRST_OF_H
#define ROMARK_CLI_FIRST_OF_H

#include "common/arena.h"

struct first_of {
	struct arena arena;
	struct first_entry *entries;
};

#define FIRST_OF_INIT {.arena = ARENA_INIT}

size_t first_of(struct first_of *f, const char *text, size_t number);
void first_of_release(struct first_of *f);

#endif
