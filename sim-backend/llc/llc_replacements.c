/* The replacement policies that llc.replacement accepts. */
#include "sim-backend/llc/llc_replacement.h"

#include <string.h>

#define REPLACEMENT(name, ops) extern const struct llc_replacement_ops ops;
#include "sim-backend/llc/llc_replacements.def"
#undef REPLACEMENT

const struct llc_replacement_ops *const llc_replacement_table[] = {
#define REPLACEMENT(name, ops) &ops,
#include "sim-backend/llc/llc_replacements.def"
#undef REPLACEMENT
    NULL,
};

const struct llc_replacement_ops *llc_replacement_find(const char *name)
{
	for (size_t i = 0; llc_replacement_table[i]; i++)
		if (strcmp(llc_replacement_table[i]->name, name) == 0)
			return llc_replacement_table[i];
	return NULL;
}
