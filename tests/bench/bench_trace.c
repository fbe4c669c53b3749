/* Speed and size of the trace on a matrix product: encoding, decoding, bytes per warp instruction. */
#include "common/progress.h"
#include "tests/trace/matmul.h"
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct totals {
	uint64_t operations, accesses, encoded_bytes, addresses;
};

static struct totals decode(struct trace_reader *r)
{
	struct trace_warp_cursor cursor;
	struct trace_launch launch;
	struct totals t = {0};
	struct trace_cta cta;
	struct trace_op op;

	while (trace_next_launch(r, &launch, NULL) > 0)
		while (trace_next_cta(r, &cta, NULL) > 0) {
			for (uint32_t warp = 0; warp < cta.nwarps; warp++) {
				t.encoded_bytes += cta.stream_bytes[warp];
				trace_warp_start(&cursor, trace_kernel_of(r, launch.kernel), &cta, warp);
				while (trace_warp_next(&cursor, &op)) {
					t.operations++;
					t.accesses += op.access_mask != 0;
					t.addresses += op.access_mask ? op.address[31] : 0;
				}
			}
			trace_cta_release(&cta);
		}
	return t;
}

int main(int argc, char **argv)
{
	const uint32_t n = argc > 1 ? (uint32_t)atoi(argv[1]) / 16 * 16 : 384;
	const char path[] = "bench.romtrace";
	struct diag d = DIAG_INIT;
	struct trace_writer *w = trace_create(path, &d);
	struct trace_reader *r;
	struct totals t;
	double start, written, read;
	uint64_t count, bytes;

	if (!w || n == 0) {
		fprintf(stderr, "usage: bench_trace [N]; N a multiple of 16; writes bench.romtrace here\n");
		return 1;
	}
	start = monotonic_seconds();
	count = matmul_write(w, n);
	if (trace_finish(w, &d) < 0) {
		diag_print(&d, stderr);
		return 1;
	}
	written = monotonic_seconds();
	r = trace_open(path, &d);
	t = decode(r);
	read = monotonic_seconds();
	bytes = trace_bytes_read(r);
	trace_close(r);
	unlink(path);
	printf("matmul %u: %llu warp instructions, %llu accesses (check %llx)\n", n, (unsigned long long)count,
	       (unsigned long long)t.accesses, (unsigned long long)t.addresses);
	printf("encode    %7.1f M warp instructions/s (with making the addresses)\n",
	       (double)count / (written - start) * 1e-6);
	printf("decode    %7.1f M warp instructions/s\n", (double)t.operations / (read - written) * 1e-6);
	printf("encoded   %7.3f bytes per warp instruction, %.3f in the file\n",
	       (double)t.encoded_bytes / (double)count, (double)bytes / (double)count);
	return t.operations == count ? 0 : 1;
}
