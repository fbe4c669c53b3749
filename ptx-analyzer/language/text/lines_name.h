/* The name before a line number of PTX in messages: a program or a source has other lines of its own. */
#ifndef ROMARK_PTX_LINES_NAME_H
#define ROMARK_PTX_LINES_NAME_H

#include <stdio.h>
#include <string.h>

enum { PTX_LINES_NAME_SIZE = 512 };

/* "saxpy (PTX)" of "saxpy"; a file of PTX keeps its name. Returns `text`, which has PTX_LINES_NAME_SIZE bytes. */
static inline const char *ptx_lines_name(const char *name, char *text)
{
	size_t length = strlen(name);
	int is_ptx = length >= 4 && strcmp(name + length - 4, ".ptx") == 0;

	snprintf(text, PTX_LINES_NAME_SIZE, "%s%s", name, is_ptx ? "" : " (PTX)");
	return text;
}

#endif
