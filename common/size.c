/* A unit is a letter, and perhaps an ending that changes nothing. */
#include "common/size.h"

#include "common/ascii.h"

#include <string.h>

double size_factor(const char *name)
{
	static const char letters[] = "KMG";
	const char *letter = *name ? strchr(letters, ascii_to_upper(*name)) : NULL;
	double factor = 1;

	if (!letter)
		return *name == '\0' || ascii_is_same(name, "B");
	for (long i = letter - letters; i >= 0; i--)
		factor *= 1024;
	return !name[1] || ascii_is_same(name + 1, "B") || ascii_is_same(name + 1, "iB") ? factor : 0;
}
