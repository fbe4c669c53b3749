/* One line: behind the error that was printed, or in its place. */
#include "cli/partial.h"

void partial_explain(const struct trace_reader *r, bool accepted, bool empty)
{
	const struct diag *cut = trace_cut(r);

	if (cut && accepted)
		fprintf(stderr, "romark: %s%s: %s; %s\n", empty ? "" : "warning: ", cut->file, cut->message,
			empty ? "there is nothing before" : "the results are of the part before");
	else if (cut)
		fputs("romark: --partial gives results of the part before\n", stderr);
}
