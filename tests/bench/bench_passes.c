/*
 * The time of the LLVM pass beside code generation: a module of KERNELS kernels, each with loops, a call and a by-value
 * struct, as marked bitcode (analysis and marking) and as PTX (with code generation). usage: bench_passes [KERNELS]
 */
#include "passes/passes.h"

#include "common/progress.h"
#include "common/strbuf.h"

#include <stdio.h>
#include <stdlib.h>

static void add_kernel(struct strbuf *ir, unsigned n)
{
	strbuf_addf(ir,
		    "define ptx_kernel void @k%u(ptr %%a, ptr %%b, ptr byval(%%view) align 8 %%v, i32 %%n) {\n"
		    "entry:\n"
		    "  %%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
		    "  %%out = load ptr, ptr %%v, align 8\n"
		    "  br label %%loop\n"
		    "loop:\n"
		    "  %%i = phi i32 [ %%t, %%entry ], [ %%j, %%loop ]\n"
		    "  %%s = phi float [ 0.0, %%entry ], [ %%s3, %%loop ]\n"
		    "  %%pa = getelementptr float, ptr %%a, i32 %%i\n"
		    "  %%x = load float, ptr %%pa, align 4\n"
		    "  %%k = mul i32 %%i, %u\n"
		    "  %%pb = getelementptr float, ptr %%b, i32 %%k\n"
		    "  %%y = load float, ptr %%pb, align 4\n"
		    "  %%s1 = fmul float %%x, %%y\n"
		    "  %%z = call float @helper(ptr %%a, i32 %%k)\n"
		    "  %%s2 = fadd float %%s1, %%z\n"
		    "  %%s3 = fadd float %%s2, %%s\n"
		    "  %%j = add i32 %%i, 32\n"
		    "  %%more = icmp slt i32 %%j, %%n\n"
		    "  br i1 %%more, label %%loop, label %%done\n"
		    "done:\n"
		    "  %%po = getelementptr float, ptr %%out, i32 %%t\n"
		    "  store float %%s3, ptr %%po, align 4\n"
		    "  ret void\n"
		    "}\n",
		    n, n + 1);
}

static char *make_module(unsigned kernels, size_t *size)
{
	struct strbuf ir = STRBUF_INIT;

	strbuf_adds(&ir, "target triple = \"nvptx64-nvidia-cuda\"\n"
			 "target datalayout = \"e-i64:64-i128:128-v16:16-v32:32-n16:32:64\"\n"
			 "%view = type { ptr, i32 }\n"
			 "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
			 "define internal float @helper(ptr %p, i32 %i) noinline {\n"
			 "  %q = getelementptr float, ptr %p, i32 %i\n"
			 "  %v = load float, ptr %q, align 4\n"
			 "  ret float %v\n"
			 "}\n");
	for (unsigned i = 0; i < kernels; i++)
		add_kernel(&ir, i);
	*size = ir.len;
	return strbuf_detach(&ir);
}

static double timed_run(const char *ir, size_t size, enum pass_emit emit, enum load_mark load)
{
	struct pass_options options = PASS_OPTIONS_INIT;
	struct diag d = DIAG_INIT;
	struct pass_output out;
	double start = monotonic_seconds();

	options.emit = emit;
	options.load = load;
	if (pass_run("bench.ll", ir, size, &options, &out, &d) < 0) {
		diag_print(&d, stderr);
		exit(1);
	}
	pass_output_release(&out);
	return monotonic_seconds() - start;
}

int main(int argc, char **argv)
{
	unsigned kernels = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1000;
	double bitcode, keep, marked;
	size_t size;
	char *ir = make_module(kernels, &size);

	bitcode = timed_run(ir, size, PASS_EMIT_BITCODE, LOAD_RO);
	keep = timed_run(ir, size, PASS_EMIT_PTX, LOAD_KEEP);
	marked = timed_run(ir, size, PASS_EMIT_PTX, LOAD_RO);
	printf("%u kernels, %.1f MB of IR\n", kernels, (double)size / 1e6);
	printf("read, analyse, mark, write bitcode: %.3f s, %.0f kernels/s\n", bitcode, kernels / bitcode);
	printf("PTX without marks: %.3f s; with marks: %.3f s (%.2f times)\n", keep, marked, marked / keep);
	free(ir);
	return 0;
}
