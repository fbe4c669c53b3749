/* Looks for Clang by the names that distributions give it. */
#include "cc/toolchain.h"

#include "common/process.h"
#include "settings/settings.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The newest release for which the device library was built comes first; then other releases in this order. */
static const unsigned clang_versions[] = {ROMARK_CLANG_VERSION, 19, 20, 21, 22, 23, 18, 17, 16};
enum { CLANG_VERSIONS = sizeof clang_versions / sizeof *clang_versions };

/* The release in a name like "clang++-19" or /usr/lib/llvm-19/bin/clang, or 0. */
static unsigned version_in_name(const char *path)
{
	static const char *const before[] = {"clang++-", "clang-", "llvm-"};
	unsigned version = 0;

	for (size_t i = 0; !version && i < sizeof before / sizeof *before; i++) {
		const char *at = strstr(path, before[i]);

		version = at ? (unsigned)strtoul(at + strlen(before[i]), NULL, 10) : 0;
	}
	return version;
}

/*
 * Major release of a Clang: from its name, or from the file to which that name links; else the device library's
 * release.
 */
static unsigned version_of(const char *path)
{
	char file[PATH_MAX];
	unsigned version = version_in_name(path);

	if (!version && realpath(path, file))
		version = version_in_name(file);
	return version ? version : ROMARK_CLANG_VERSION;
}

static const char *c_compiler_beside(const char *clangxx, struct arena *arena)
{
	const char *plus = strstr(strrchr(clangxx, '/') ? strrchr(clangxx, '/') : clangxx, "++");

	if (!plus)
		return clangxx;
	return arena_printf(arena, "%.*s%s", (int)(plus - clangxx), clangxx, plus + 2);
}

int toolchain_find(struct toolchain *t, const char *path, struct arena *arena, struct diag *d)
{
	const char *asked = path ? path : setting_text(SETTING_ID_clang);

	t->clangxx = asked ? command_find(asked, arena) : NULL;
	if (asked && !t->clangxx)
		return diag_file(d, NULL, "%sno such compiler: %s", path ? "" : "ROMARK_CLANG: ", asked);
	for (int i = 0; !t->clangxx && i < CLANG_VERSIONS; i++)
		t->clangxx = command_find(arena_printf(arena, "clang++-%u", clang_versions[i]), arena);
	if (!t->clangxx)
		t->clangxx = command_find("clang++", arena);
	if (!t->clangxx)
		return diag_file(d, NULL, "no Clang found: install clang-19, or name clang++ in ROMARK_CLANG");
	t->clang = c_compiler_beside(t->clangxx, arena);
	t->clang_version = version_of(t->clangxx);
	/*
	 * A plugin works only with the release for which it was built. A plain Clang cannot load a plugin with
	 * sanitizers.
	 */
	t->takes_plugin = !ROMARK_SANITIZED && t->clang_version == ROMARK_CLANG_VERSION;
	return 0;
}
