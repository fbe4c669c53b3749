/* Device and inode identify a file: no other file has both while somebody holds it open. */
#include "common/held.h"

#include "common/ascii.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Programs count upwards from 3, shells like 10 and 255. */
enum { HIGH = 512 };

int held_hide(int fd)
{
	struct rlimit most = {0};
	int other = -1;

	if (fd < 0)
		return fd;
	if (getrlimit(RLIMIT_NOFILE, &most) == 0)
		other = fcntl(fd, F_DUPFD_CLOEXEC, most.rlim_cur >= 2 * HIGH ? HIGH : (int)most.rlim_cur / 2);
	if (other < 0)
		return fd;
	close(fd);
	return other;
}

struct held held_note(int fd)
{
	struct stat status;

	return fstat(fd, &status) == 0 ? (struct held){status.st_dev, status.st_ino} : (struct held){0};
}

bool held_still(const struct held *held, int fd)
{
	int mode = fcntl(fd, F_GETFL);
	struct held now = held_note(fd);

	return mode >= 0 && (mode & O_ACCMODE) != O_RDONLY && !(mode & O_PATH) && now.device == held->device &&
	       now.inode == held->inode;
}

void held_print(const struct held *held, char text[HELD_TEXT])
{
	snprintf(text, HELD_TEXT, "%" PRIuMAX ":%" PRIuMAX, (uintmax_t)held->device, (uintmax_t)held->inode);
}

bool held_read(const char *text, struct held *held)
{
	char *end;

	errno = 0;
	if (!ascii_is_digit(*text))
		return false;
	held->device = (dev_t)strtoumax(text, &end, 10);
	if (*end != ':' || !ascii_is_digit(end[1]))
		return false;
	held->inode = (ino_t)strtoumax(end + 1, &end, 10);
	return !*end && !errno;
}
