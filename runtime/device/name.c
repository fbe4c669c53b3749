/* Names of devices: a kind, then a colon and a number for a kind with several devices. */
#include "runtime/device/name.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	bool numbered;
} kinds[DEVICE_KINDS] = {[DEVICE_CPU] = {"cpu", false}, [DEVICE_CUDA] = {"cuda", true}};

/* The number in "", which means 0, or in ":" and digits. False for other text. */
static bool parse_number(const char *text, bool numbered, int *number)
{
	unsigned long value;

	*number = 0;
	if (!*text)
		return true;
	if (!numbered || !text[1] || strspn(text + 1, "0123456789") != strlen(text + 1))
		return false;
	value = strtoul(text + 1, NULL, 10);
	*number = value < INT_MAX ? (int)value : INT_MAX;
	return true;
}

int device_name_parse(const char *text, const char *setting, struct device_name *name, struct diag *d)
{
	size_t length = strcspn(text, ":");

	for (int kind = 0; kind < DEVICE_KINDS; kind++) {
		bool fits = strlen(kinds[kind].name) == length && memcmp(kinds[kind].name, text, length) == 0;

		name->kind = (enum device_kind)kind;
		if (fits && parse_number(text + length, kinds[kind].numbered, &name->number))
			return 0;
	}
	return diag_file(d, NULL, "%s=%s: no such device; there are cpu, cuda and cuda:N", setting, text);
}
