/* The two layouts: the build tree and an installed romark. */
#include "cc/installation.h"

#include "common/file.h"

#include <limits.h>
#include <string.h>

static const char *program_folder(struct arena *arena)
{
	char path[PATH_MAX];

	return file_program_folder(path, sizeof path) ? arena_strdup(arena, path) : ".";
}

/* PREFIX/lib for PREFIX/bin. */
static const char *parent_library(const char *here, struct arena *arena)
{
	const char *slash = strrchr(here, '/');

	return arena_printf(arena, "%.*s/" ROMARK_INSTALL_LIBDIR, slash ? (int)(slash - here) : 0, here);
}

void installation_find(struct installation *files, struct arena *arena)
{
	const char *here = program_folder(arena);

	if (strcmp(here, ROMARK_BUILD_DIR "/cli") == 0) {
		files->include = ROMARK_SOURCE_DIR "/runtime/include";
		files->library = ROMARK_BUILD_DIR "/runtime/api";
		files->toolkit = ROMARK_BUILD_DIR "/runtime/toolkit";
		files->device_library = ROMARK_BUILD_DIR "/runtime/devicelib/libdevice.10.bc";
		files->plugin = ROMARK_BUILD_DIR "/passes/romark_plugin.so";
	} else {
		files->library = parent_library(here, arena);
		files->toolkit = arena_printf(arena, "%s/romark/toolkit", files->library);
		files->include = arena_printf(arena, "%s/romark/include", files->library);
		files->device_library = arena_printf(arena, "%s/romark/libdevice.10.bc", files->library);
		files->plugin = arena_printf(arena, "%s/romark/romark_plugin.so", files->library);
	}
	files->cudart = arena_printf(arena, "%s/%s", files->library, "romark/cudart");
}
