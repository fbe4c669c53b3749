/*
 * A descriptor inside somebody else's program. The program may close descriptors that it does not know (closefrom, a
 * daemon's start) and open a file of its own under the number. So check the descriptor before each use:
 *
 *   fd = held_hide(fd);                        // out of the way of close(4), dup2(file, 4) and of what open() returns
 *   struct held held = held_note(fd);
 *   if (held_still(&held, fd)) write(fd, ...); // else: not ours; neither written to nor closed
 *
 * Another thread may close all descriptors between the check and the write. The write reaches a file of the program
 * only if that thread opens hundreds of files in this time: a new file gets the lowest number.
 */
#ifndef ROMARK_COMMON_HELD_H
#define ROMARK_COMMON_HELD_H

#include <stdbool.h>
#include <sys/types.h>

struct held {
	dev_t device;
	ino_t inode;
};

enum { HELD_TEXT = 48 };

/* A high number for it, close-on-exec; `fd` itself is closed. Where none is free, `fd` as it was. -1 stays -1. */
int held_hide(int fd);
/* The identity of the open file. For a descriptor that is not open, held_still is always false. */
struct held held_note(int fd);
/* Is it open for writing, on this file? */
bool held_still(const struct held *held, int fd);
/* As text for an environment variable, DEVICE:INODE, and back; false if the text has another form. */
void held_print(const struct held *held, char text[HELD_TEXT]);
bool held_read(const char *text, struct held *held);

#endif
