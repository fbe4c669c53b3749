/* A unit is a letter, and perhaps an ending that changes nothing. */
#include "common/size.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

double size_factor(const char *name)
{
	static const char letters[] = "KMG";
	const char *letter = *name ? strchr(letters, toupper((unsigned char)*name)) : NULL;
	double factor = 1;

	if (!letter)
		return *name == '\0' || strcasecmp(name, "B") == 0;
	for (long i = letter - letters; i >= 0; i--)
		factor *= 1024;
	return !name[1] || strcasecmp(name + 1, "B") == 0 || strcasecmp(name + 1, "iB") == 0 ? factor : 0;
}
