/* The C++ runtime library has the demangler; it is loaded when the first mangled name is met. */
#include "common/demangle.h"

#include "common/ascii.h"
#include "common/xalloc.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef char *demangler(const char *name, char *buffer, size_t *size, int *status);

static demangler *cxa_demangle;

static void load(void)
{
	void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);

	if (library)
		cxa_demangle = (demangler *)dlsym(library, "__cxa_demangle");
}

/* The length of "_INTERNAL_0123abcd_4_k_cu_main::" where `text` begins with such a word, else 0. */
static size_t internal_length(const char *text)
{
	static const char start[] = "_INTERNAL_";
	size_t length = sizeof start - 1;

	if (strncmp(text, start, length) != 0 || strspn(text + length, "0123456789abcdef") != 8)
		return 0;
	while (ascii_is_alnum(text[length]) || text[length] == '_')
		length++;
	return strncmp(text + length, "::", 2) == 0 ? length + 2 : 0;
}

/* In place. */
static void drop_internal(char *text)
{
	char *to = text;

	while (*text) {
		text += internal_length(text);
		*to++ = *text;
		text += *text != '\0';
	}
	*to = '\0';
}

char *demangle(const char *name)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	size_t stars = strspn(name, "*");
	char *text = NULL, *whole;
	size_t size;
	int status;

	if (strncmp(name + stars, "_Z", 2) == 0) {
		pthread_once(&once, load);
		text = cxa_demangle ? cxa_demangle(name + stars, NULL, NULL, &status) : NULL;
	}
	if (!text)
		return xstrdup(name);
	drop_internal(text);
	size = strlen(text) + 1;
	whole = xmalloc(stars + size);
	memcpy(whole, name, stars);
	memcpy(whole + stars, text, size);
	free(text);
	return whole;
}
