/*
 * The interface of passes.h for programs that do not always need it: LLVM takes tens of milliseconds and megabytes to
 * load, so the module that links it is loaded at the first call.
 */
#include "passes/passes.h"

#include "common/file.h"
#include "common/strbuf.h"
#include "common/xalloc.h"
#include "settings/settings.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
	int (*run)(const char *file, const void *data, size_t size, const struct pass_options *options,
		   struct pass_output *out, struct diag *d);
	void (*output_release)(struct pass_output *out);
	char error[512];
} llvm;

/*
 * The plugin that the setting names; without the setting, the plugin beside the program, in the build tree or as
 * installed.
 */
static void *open_module(void)
{
	static const char *const places[] = {"../passes/romark_plugin.so",
					     "../" ROMARK_LIBDIR "/romark/romark_plugin.so"};
	const char *wanted = setting_text(SETTING_ID_plugin);
	char program[PATH_MAX] = "";
	void *module = wanted ? dlopen(wanted, RTLD_NOW | RTLD_LOCAL) : NULL;

	if (wanted || !file_program_folder(program, sizeof program))
		return module;
	for (size_t i = 0; !module && i < sizeof places / sizeof *places; i++) {
		struct strbuf path = STRBUF_INIT;

		strbuf_addf(&path, "%s/%s", program, places[i]);
		if (access(path.data, R_OK) == 0)
			module = dlopen(path.data, RTLD_NOW | RTLD_LOCAL);
		strbuf_release(&path);
	}
	return module;
}

static void load(void)
{
	void *module = open_module();
	const char *error = module ? NULL : dlerror();

	if (!module) {
		snprintf(llvm.error, sizeof llvm.error, "%s%s",
			 setting_text(SETTING_ID_plugin) ? "ROMARK_PLUGIN: " : "",
			 error ? error : "romark_plugin.so is not where it was built");
		return;
	}
	llvm.output_release = dlsym(module, "pass_output_release");
	llvm.run = dlsym(module, "pass_run");
}

int pass_run(const char *file, const void *data, size_t size, const struct pass_options *options,
	     struct pass_output *out, struct diag *d)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
	if (!llvm.run)
		return diag_file(d, NULL, "cannot load the LLVM pass: %s", llvm.error);
	return llvm.run(file, data, size, options, out, d);
}

/* There is output and a report only after pass_run. */
void pass_output_release(struct pass_output *out)
{
	llvm.output_release(out);
}
