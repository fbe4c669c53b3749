/* What the lines of a module's PTX are counted in, for messages: a program has other lines of its own. */
#ifndef ROMARK_DEVICE_MODULE_NAME_H
#define ROMARK_DEVICE_MODULE_NAME_H

#include <stdio.h>
#include <string.h>

enum { MODULE_LINES_SIZE = 256 };

/* "saxpy (PTX)" of module "saxpy"; a file of PTX keeps its name. Returns `text`, which has MODULE_LINES_SIZE bytes. */
static inline const char *module_lines_name(const char *name, char *text)
{
	size_t length = strlen(name);
	int is_ptx = length >= 4 && strcmp(name + length - 4, ".ptx") == 0;

	snprintf(text, MODULE_LINES_SIZE, "%s%s", name, is_ptx ? "" : " (PTX)");
	return text;
}

#endif
