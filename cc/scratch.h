/* The folder for temporary files of a compilation. It also removes the folders that killed compilations have left. */
#ifndef ROMARK_CC_SCRATCH_H
#define ROMARK_CC_SCRATCH_H

#include "common/arena.h"

struct scratch {
	const char *path; /* in the arena */
	int lock;         /* the folder itself, locked as long as its owner lives */
};

/* Makes a folder in $TMPDIR, and removes those there that nobody owns any more. 0, or -1 with errno. */
int scratch_open(struct scratch *s, struct arena *arena);
/* A name that scratch_open could give, without a folder. */
const char *scratch_name(struct arena *arena);
/* Removes the folder with the files in it. */
void scratch_close(struct scratch *s);
/* Where such folders are made. */
const char *scratch_place(void);

#endif
