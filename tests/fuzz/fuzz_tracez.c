/* Hostile packed traces of Accel-Sim: the input is one kernel's .tracez. Works with files in the current folder. */
#include "trace/import/accelsim.h"

#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char list[] = "fuzz-z.g", kernel[] = "kernel-fuzz.tracez", trace[] = "fuzz-z.romtrace";
	struct trace_writer *w = trace_create(trace, NULL);
	FILE *out = fopen(kernel, "wb"), *names = fopen(list, "w");

	if (!w || !out || !names)
		return -1;
	fwrite(data, 1, size, out);
	fclose(out);
	fprintf(names, "%s\n", kernel);
	fclose(names);
	accelsim_import(list, w, NULL, NULL);
	trace_abandon(w);
	return 0;
}
