/* Hostile study files: whatever they hold, the answer is a study or one message. */
#include "study/study.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diag d = DIAG_INIT;
	struct study *s = study_parse((const char *)data, size, "fuzz.yaml", &d);

	if (!s && (!diag_is_set(&d) || strchr(d.message, '\n')))
		abort();
	study_free(s);
	return 0;
}
