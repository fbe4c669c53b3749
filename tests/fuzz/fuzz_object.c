/* Any bytes as an object whose symbols the device link asks for: names, or none. */
#include "cc/symbols.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void count(void *arg, const char *name, bool defined)
{
	*(size_t *)arg += strlen(name) + defined;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t names = 0;

	cc_symbols((const char *)data, size, count, &names);
	return 0;
}
