/* The C++ runtime library has the demangler; it is loaded when the first mangled name is met. */
#include "common/demangle.h"

#include "common/xalloc.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

typedef char *demangler(const char *name, char *buffer, size_t *size, int *status);

static demangler *cxa_demangle;

static void load(void)
{
	void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);

	if (library)
		cxa_demangle = (demangler *)dlsym(library, "__cxa_demangle");
}

char *demangle(const char *name)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	char *text = NULL;
	int status;

	if (strncmp(name, "_Z", 2) == 0) {
		pthread_once(&once, load);
		text = cxa_demangle ? cxa_demangle(name, NULL, NULL, &status) : NULL;
	}
	return text ? text : xstrdup(name);
}
