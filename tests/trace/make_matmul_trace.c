/* make_matmul_trace FILE N [unmarked]: a matrix product's trace for tests that need one but no program. */
#include "tests/trace/matmul.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	struct diag d = DIAG_INIT;
	struct trace_writer *w = argc >= 3 ? trace_create(argv[1], &d) : NULL;

	if (w)
		matmul_write_as(w, (uint32_t)atoi(argv[2]) / 16 * 16, argc == 3);
	if (w && trace_finish(w, &d) == 0)
		return 0;
	diag_print(&d, stderr);
	return 1;
}
