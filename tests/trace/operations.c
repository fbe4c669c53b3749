/* What imported traces are compared by. */
#include "tests/trace/operations.h"

#include "trace/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

uint64_t sum_of_operations(const char *path)
{
	struct diag d = DIAG_INIT;
	struct trace_reader *r = trace_open(path, &d);
	struct trace_warp_cursor cursor;
	struct trace_launch launch;
	struct trace_cta cta;
	struct trace_op op;
	uint64_t sum = 0;

	assert_non_null(r);
	while (trace_next_launch(r, &launch, &d) > 0)
		while (trace_next_cta(r, &cta, &d) > 0) {
			for (uint32_t warp = 0; warp < cta.nwarps; warp++) {
				trace_warp_start(&cursor, trace_kernel_of(r, launch.kernel), &cta, warp);
				while (trace_warp_next(&cursor, &op))
					sum = sum * 31 + op.inst_index + op.mask +
					      (op.access_mask ? op.address[__builtin_ctz(op.access_mask)] : 0);
			}
			trace_cta_release(&cta);
		}
	trace_close(r);
	unlink(path);
	assert_int_not_equal(sum, 0);
	return sum;
}
