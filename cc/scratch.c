/* A lock ends with the process that holds it, however it ends: a folder that can be locked belongs to nobody. */
#include "cc/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char prefix[] = "romark-compile-";

const char *scratch_place(void)
{
	const char *place = getenv("TMPDIR");

	return place && *place ? place : "/tmp";
}

const char *scratch_name(struct arena *arena)
{
	return arena_printf(arena, "%s/%sXXXXXX", scratch_place(), prefix);
}

/* Removes the files in an open folder; there are no folders in it. */
static void empty(int folder)
{
	int again = dup(folder);
	DIR *list = again >= 0 ? fdopendir(again) : NULL;
	struct dirent *entry;

	if (!list) {
		if (again >= 0)
			close(again);
		return;
	}
	while ((entry = readdir(list)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			unlinkat(folder, entry->d_name, 0);
	closedir(list);
}

/* An open folder of this user's that this process has locked, or -1. */
static int take(int place, const char *name)
{
	int folder = openat(place, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat status;

	if (folder < 0)
		return -1;
	if (fstat(folder, &status) == 0 && status.st_uid == geteuid() && flock(folder, LOCK_EX | LOCK_NB) == 0)
		return folder;
	close(folder);
	return -1;
}

static void remove_abandoned(void)
{
	DIR *list = opendir(scratch_place());
	int place = list ? dirfd(list) : -1;
	struct dirent *entry;

	while (place >= 0 && (entry = readdir(list))) {
		int folder = strncmp(entry->d_name, prefix, sizeof prefix - 1) == 0 ? take(place, entry->d_name) : -1;

		if (folder < 0)
			continue;
		empty(folder);
		unlinkat(place, entry->d_name, AT_REMOVEDIR);
		close(folder);
	}
	if (list)
		closedir(list);
}

/* Between its making and its locking another process may have taken it for abandoned. */
static bool still_there(const struct scratch *s)
{
	struct stat opened, named;

	return fstat(s->lock, &opened) == 0 && stat(s->path, &named) == 0 && opened.st_ino == named.st_ino &&
	       opened.st_dev == named.st_dev;
}

int scratch_open(struct scratch *s, struct arena *arena)
{
	enum { TRIES = 100 };

	remove_abandoned();
	for (int i = 0; i < TRIES; i++) {
		char *name = arena_strdup(arena, scratch_name(arena));

		s->path = mkdtemp(name);
		if (!s->path)
			return -1;
		s->lock = open(s->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (s->lock >= 0)
			flock(s->lock, LOCK_EX); /* on a file system without locks no folder counts as abandoned */
		if (s->lock >= 0 && still_there(s))
			return 0;
		if (s->lock >= 0)
			close(s->lock);
	}
	s->path = NULL;
	return -1;
}

void scratch_close(struct scratch *s)
{
	if (!s->path || s->lock < 0)
		return;
	empty(s->lock);
	rmdir(s->path);
	close(s->lock);
	*s = (struct scratch){NULL, -1};
}
