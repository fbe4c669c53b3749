/* The parser of inline assembly: "constraints\ntext". LLVM reads everything else that the pass is given. */
#include "passes/ir/effects.h"

#include "common/xalloc.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = xstrndup((const char *)data, size), *constraints;

	constraints = strsep(&text, "\n");
	effects_of_assembly(text ? text : "", constraints, size % 70);
	free(constraints);
	return 0;
}
