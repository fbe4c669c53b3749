/*
 * Leads programs to romark's libraries after these have moved. A program that was linked with the toolkit's libraries
 * names them by their path, such as /opt/romark/lib/romark/toolkit/lib64/by-path/libcuda.so.1. Where that file is gone,
 * the file of the same name beside this library, or two folders up, takes its place. The loader asks before it opens a
 * file: this is an audit library (man 7 rtld-audit).
 */
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT unsigned la_version(unsigned version);
EXPORT char *la_objsearch(const char *name, uintptr_t *cookie, unsigned from);

unsigned la_version(unsigned version)
{
	return version < LAV_CURRENT ? version : LAV_CURRENT;
}

/* `file` in the folder of this library, or two folders up; NULL if it is not there. */
static char *of_ours(const char *file)
{
	static const char *const places[] = {"", "../../"};
	static __thread char path[PATH_MAX];
	const char *slash;
	Dl_info self;

	if (!dladdr((const void *)la_version, &self) || !(slash = strrchr(self.dli_fname, '/')))
		return NULL;
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		snprintf(path, sizeof path, "%.*s/%s%s", (int)(slash - self.dli_fname), self.dli_fname, places[i],
			 file);
		if (access(path, R_OK) == 0)
			return path;
	}
	return NULL;
}

/* LA_SER_ORIG: the name as the program has it. */
char *la_objsearch(const char *name, uintptr_t *cookie, unsigned from)
{
	const char *slash = strrchr(name, '/');
	char *moved = from == LA_SER_ORIG && slash && access(name, F_OK) < 0 ? of_ours(slash + 1) : NULL;

	(void)cookie;
	return moved ? moved : (char *)name;
}
