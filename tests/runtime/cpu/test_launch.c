/*
 * Launches: shapes and attributes, guards of marks, traces, printf, cooperative grids, bad programs.
 */
#include "tests/runtime/cpu/harness.h"

#include "runtime/include/driver_types.h"
#include "trace/trace.h"

#include <stdio.h>
#include <unistd.h>

static const struct harness_launch one_warp = {.block = {32}};

/* stdout or stderr into a file while something runs; what it got, NUL-terminated. */
struct capture {
	FILE *file;
	int descriptor, saved;
	char text[4096];
};

static void capture_start(struct capture *c, int descriptor)
{
	fflush(NULL);
	c->file = tmpfile();
	c->descriptor = descriptor;
	c->saved = dup(descriptor);
	dup2(fileno(c->file), descriptor);
}

static void capture_end(struct capture *c)
{
	size_t n;

	fflush(NULL);
	dup2(c->saved, c->descriptor);
	close(c->saved);
	assert_int_equal(fseek(c->file, 0, SEEK_SET), 0);
	n = fread(c->text, 1, sizeof c->text - 1, c->file);
	c->text[n] = '\0';
	fclose(c->file);
}

/* c[i] = a[i] + b[i], and what happens when they overlap. */
static const char sum_ptx[] =
    ".visible .entry sum(.param .u64 a, .param .u64 b, .param .u64 c)\n.maxntid 64, 1, 1\n{\n.reg .u64 %a, %b, %c, %w;\n"
    ".reg .u32 %i, %x, %y;\n.shared .align 8 .b8 box[24];\nld.param.u64 %a, [a];\nld.param.u64 %b, [b];\n"
    "ld.param.u64 %c, [c];\ncvta.to.global.u64 %a, %a;\ncvta.to.global.u64 %b, %b;\ncvta.to.global.u64 %c, %c;\n"
    "mov.u32 %i, %tid.x;\nmov.u32 %x, %ctaid.x;\nmad.lo.u32 %i, %x, 32, %i;\nmul.wide.u32 %w, %i, 4;\n"
    "add.u64 %a, %a, %w;\nadd.u64 %b, %b, %w;\nadd.u64 %c, %c, %w;\nld.global.u32 %x, [%a];\nld.global.u32 %y, [%b];\n"
    "add.u32 %x, %x, %y;\nst.global.u32 [%c], %x;\nret;\n}\n";

static void test_attributes(void **state)
{
	struct device_module *m = harness_load(sum_ptx);
	struct device_kernel *k = NULL;
	struct kernel_attributes a;

	(void)state;
	assert_int_equal(cpu_device_ops.kernel(harness_device(), m, "none", &k), DEVICE_NOT_FOUND);
	assert_int_equal(cpu_device_ops.kernel(harness_device(), m, "sum", &k), DEVICE_OK);
	cpu_device_ops.attributes(harness_device(), k, &a);
	assert_int_equal(a.nparams, 3);
	assert_int_equal(a.param_bytes, 24);
	assert_int_equal(a.param_sizes[1], 8);
	assert_int_equal(a.param_offsets[2], 16);
	assert_int_equal(a.max_threads, 64);
	assert_int_equal(a.static_shared, 0);
	assert_int_equal(a.ptx_version, 100);
	assert_in_range(a.registers, 16, 32);
	harness_unload(m);
}

static void test_shapes(void **state)
{
	static const struct harness_launch bad[] = {{.block = {65}},
						    {.block = {2048}},
						    {.block = {32}, .grid = {1, 70000}},
						    {.block = {32}, .shared = 300000},
						    {.block = {8, 8, 8}}};
	struct device_module *m = harness_load(sum_ptx);

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		assert_int_equal(harness_run(m, "sum", &bad[i], NULL, 0), DEVICE_BAD_LAUNCH);
		assert_true(diag_is_set(&harness_diag));
	}
	harness_unload(m);
}

/* --- Marks --- */

static void test_guards(void **state)
{
	struct device_module *m = harness_load(sum_ptx);
	uint32_t *a = harness_alloc(128, "a"), *b = harness_alloc(128, "b"), *c = harness_alloc(128, "c");
	const uint64_t apart[] = {DEVICE_POINTER(a), DEVICE_POINTER(b), DEVICE_POINTER(c)};
	const uint64_t aliased[] = {DEVICE_POINTER(a), DEVICE_POINTER(b), DEVICE_POINTER(a)};
	struct capture log;

	(void)state;
	for (uint32_t i = 0; i < 32; i++) {
		a[i] = i;
		b[i] = 100 * i;
	}
	capture_start(&log, 2);
	harness_run_ok(m, "sum", &one_warp, apart, 3);
	capture_end(&log);
	assert_string_equal(log.text, "");
	assert_int_equal(c[7], 707);
	capture_start(&log, 2);
	harness_run_ok(m, "sum", &one_warp, aliased, 3);
	harness_run_ok(m, "sum", &one_warp, aliased, 3);
	capture_end(&log);
	assert_string_equal(log.text, "romark: kernel 'sum' runs without its read-only marks: 'p0' is read and 'p2' is "
				      "written, both in a\n");
	assert_int_equal(a[7], 7 + 2 * 700);
	harness_unload(m);
	harness_free(a);
	harness_free(b);
	harness_free(c);
}

/* --- Traces --- */

struct seen {
	unsigned launches, ctas, ops, loads, stores, marked;
};

/* `aliased`: the third array is the first one. Then the loads of the second alone are marked, after a check of each. */
static struct seen read_trace(const char *path, bool aliased, uint64_t first_address)
{
	struct trace_launch launch;
	struct trace_cta cta;
	struct seen seen = {0};
	struct diag d = DIAG_INIT;
	struct trace_reader *r = trace_open(path, &d);

	assert_non_null(r);
	while (trace_next_launch(r, &launch, &d) > 0) {
		const struct trace_kernel *k = trace_kernel_of(r, launch.kernel);

		seen.launches++;
		assert_string_equal(k->name, "sum");
		assert_true(launch.marks_in_force);
		assert_int_equal(launch.marks, aliased ? TRACE_MARKS_CHECKED : TRACE_MARKS_GUARDED);
		assert_int_equal(k->nstructures, 3);
		assert_string_equal(k->structures[0], "p0");
		assert_int_equal(launch.structures[0].verdict, TRACE_IS_READ_ONLY);
		assert_int_equal(launch.structures[2].verdict, TRACE_IS_WRITE_ONLY);
		assert_int_equal(launch.structures[0].marked, !aliased);
		assert_true(launch.structures[1].marked);
		assert_string_equal(launch.allocations[launch.structures[1].allocation].name, "b");
		while (trace_next_cta(r, &cta, &d) > 0) {
			struct trace_warp_cursor cursor;
			struct trace_op op;

			assert_int_equal(cta.x, seen.ctas % 3);
			trace_warp_start(&cursor, k, &cta, 0);
			while (trace_warp_next(&cursor, &op)) {
				seen.ops++;
				assert_int_equal(op.mask, UINT32_MAX);
				if (op.inst->cls == TRACE_LOAD && op.inst->space == TRACE_GLOBAL) {
					seen.marked += (op.inst->flags & TRACE_READ_ONLY) != 0;
					assert_int_equal(op.inst->structure, seen.loads++ % 2);
					assert_int_equal(op.space, TRACE_GLOBAL);
					if (op.inst->structure == 0)
						assert_int_equal(op.address[5],
								 first_address + 128 * (seen.ctas % 3) + 20);
				}
				if (op.inst->cls == TRACE_STORE) {
					seen.stores++;
					assert_int_equal(op.access_mask, UINT32_MAX);
					assert_int_equal(op.inst->structure, 2);
				}
			}
			assert_false(cursor.bad);
			trace_cta_release(&cta);
			seen.ctas++;
		}
	}
	if (diag_is_set(&d))
		fail_msg("%s", d.message);
	trace_close(r);
	return seen;
}

static void trace_sum(bool aliased, bool cooperative)
{
	const struct harness_launch launch = {.grid = {3}, .block = {32}, .cooperative = cooperative};
	char path[] = "/tmp/romark-trace-XXXXXX";
	struct device_module *m;
	struct seen seen;
	uint64_t params[3];

	close(mkstemp(path));
	setenv("ROMARK_QUIET", "1", 1);
	harness_open_with("ROMARK_TRACE", path);
	params[0] = DEVICE_POINTER(harness_alloc(384, "a"));
	params[1] = DEVICE_POINTER(harness_alloc(384, "b"));
	params[2] = aliased ? params[0] : DEVICE_POINTER(harness_alloc(384, "c"));
	m = harness_load(sum_ptx);
	harness_run_ok(m, "sum", &launch, params, 3);
	harness_run_ok(m, "sum", &launch, params, 3);
	cpu_device_ops.finish(harness_device());
	seen = read_trace(path, aliased, params[0]);
	assert_int_equal(seen.launches, 2);
	assert_int_equal(seen.ctas, 6);
	assert_int_equal(seen.ops, 6 * 18);
	assert_int_equal(seen.loads, 12);
	assert_int_equal(seen.marked, 12);
	assert_int_equal(seen.stores, 6);
	unsetenv("ROMARK_QUIET");
	harness_open();
	unlink(path);
}

static void test_trace(void **state)
{
	(void)state;
	trace_sum(false, false);
	trace_sum(true, false);
	trace_sum(false, true);
}

static void test_trace_selection(void **state)
{
	char path[] = "/tmp/romark-trace-XXXXXX";
	struct device_module *m;
	struct trace_launch launch;
	struct trace_reader *r;
	struct diag d = DIAG_INIT;
	uint64_t params[3];

	(void)state;
	close(mkstemp(path));
	setenv("ROMARK_KERNELS", "^other", 1);
	harness_open_with("ROMARK_TRACE", path);
	unsetenv("ROMARK_KERNELS");
	for (int i = 0; i < 3; i++)
		params[i] = DEVICE_POINTER(harness_alloc(128, "x"));
	m = harness_load(sum_ptx);
	harness_run_ok(m, "sum", &one_warp, params, 3);
	cpu_device_ops.finish(harness_device());
	r = trace_open(path, &d);
	assert_non_null(r);
	assert_int_equal(trace_next_launch(r, &launch, &d), 0);
	trace_close(r);
	harness_open();
	unlink(path);
}

/* --- Functions that the device provides --- */

static const char printf_ptx[] =
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
    ".global .align 1 .b8 format[] = {37, 100, 32, 37, 53, 46, 50, 102, 124, 37, 115, 124, 37, 45, 54, 108, 108, 100, 124, 37, "
    "99, 37, 37, 10, 0};\n"
    ".global .align 1 .b8 word[] = {104, 105, 0};\n"
    ".visible .entry k()\n{\n.local .align 8 .b8 args[40];\n.reg .u64 %a, %f;\n.reg .u32 %i, %r;\n.reg .f64 %d;\n"
    "mov.u32 %i, %tid.x;\nst.local.u32 [args], %i;\ncvt.rn.f64.u32 %d, %i;\nst.local.f64 [args+8], %d;\n"
    "mov.u64 %a, word;\ncvta.global.u64 %a, %a;\nst.local.u64 [args+16], %a;\nst.local.u64 [args+24], -5;\n"
    "st.local.u32 [args+32], 65;\nmov.u64 %f, format;\ncvta.global.u64 %f, %f;\nmov.u64 %a, args;\ncvta.local.u64 %a, %a;\n"
    "{\n.param .b64 p0;\nst.param.b64 [p0], %f;\n.param .b64 p1;\nst.param.b64 [p1], %a;\n.param .b32 q;\n"
    "call.uni (q), vprintf, (p0, p1);\nld.param.b32 %r, [q];\n}\nret;\n}\n";

static void test_printf(void **state)
{
	const struct harness_launch launch = {.block = {2}};
	struct device_module *m = harness_load(printf_ptx);
	struct capture out;

	(void)state;
	capture_start(&out, 1);
	harness_run_ok(m, "k", &launch, NULL, 0);
	cpu_device_ops.synchronize(harness_device(), NULL);
	capture_end(&out);
	assert_string_equal(out.text, "0  0.00|hi|-5    |A%\n1  1.00|hi|-5    |A%\n");
	harness_unload(m);
}

static void test_heap_and_assert(void **state)
{
	uint64_t *out = harness_alloc(256, "out"), param = DEVICE_POINTER(out);
	struct device_module *m = harness_load(
	    ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n"
	    ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s);\n"
	    ".global .align 1 .b8 text[] = {120, 62, 48, 0};\n"
	    ".visible .entry k(.param .u64 o)\n{\n.reg .u64 %o, %p, %w, %v;\n.reg .u32 %i;\nld.param.u64 %o, [o];\n"
	    "mov.u32 %i, %tid.x;\nmul.wide.u32 %w, %i, 8;\nadd.u64 %o, %o, %w;\n{\n.param .b64 n;\nst.param.b64 [n], 64;\n"
	    ".param .b64 r;\ncall.uni (r), malloc, (n);\nld.param.b64 %p, [r];\n}\nst.u64 [%p+56], %w;\nld.u64 %v, [%p+56];\n"
	    "st.global.u64 [%o], %v;\n{\n.param .b64 n;\nst.param.b64 [n], %p;\ncall.uni free, (n);\n}\nret;\n}\n"
	    ".visible .entry fails()\n{\n.reg .u64 %m;\nmov.u64 %m, text;\n{\n.param .b64 a;\nst.param.b64 [a], %m;\n"
	    ".param .b64 b;\nst.param.b64 [b], %m;\n.param .b32 c;\nst.param.b32 [c], 42;\n.param .b64 d;\nst.param.b64 [d], %m;\n"
	    ".param .b64 e;\nst.param.b64 [e], 1;\ncall.uni __assertfail, (a, b, c, d, e);\n}\nret;\n}\n");
	size_t before, after, total;

	(void)state;
	cpu_device_ops.memory_info(harness_device(), &before, &total);
	harness_run_ok(m, "k", &one_warp, &param, 1);
	cpu_device_ops.memory_info(harness_device(), &after, &total);
	assert_int_equal(before, after);
	for (uint64_t i = 0; i < 32; i++)
		assert_int_equal(out[i], i * 8);
	assert_int_equal(harness_run(m, "fails", &one_warp, NULL, 0), DEVICE_ASSERT);
	assert_non_null(strstr(harness_diag.message, "assertion 'x>0' failed at x>0:42"));
	/* The device goes on after a failed launch. */
	harness_run_ok(m, "k", &one_warp, &param, 1);
	harness_unload(m);
	harness_free(out);
}

/* --- Limits --- */

/* Each thread allocates blocks of `bytes` until malloc fails, and counts them; nothing is freed. */
static const char heap_ptx[] =
    ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n"
    ".visible .entry k(.param .u64 o, .param .u64 n)\n{\n.reg .u64 %o, %p, %n, %c;\n.reg .pred %q;\n"
    "ld.param.u64 %o, [o];\nld.param.u64 %n, [n];\nmov.u64 %c, 0;\nAGAIN:\n{\n.param .b64 a;\nst.param.b64 [a], %n;\n"
    ".param .b64 r;\ncall.uni (r), malloc, (a);\nld.param.b64 %p, [r];\n}\nsetp.eq.u64 %q, %p, 0;\n@%q bra DONE;\n"
    "st.u64 [%p], %c;\nadd.u64 %c, %c, 1;\nbra AGAIN;\nDONE:\nst.global.u64 [%o], %c;\nret;\n}\n"
    ".visible .entry frees(.param .u64 p)\n{\n.reg .u64 %p;\nld.param.u64 %p, [p];\n{\n.param .b64 a;\n"
    "st.param.b64 [a], %p;\ncall.uni free, (a);\n}\nret;\n}\n";

static uint64_t blocks_of(struct device_module *m, const uint64_t *out, uint64_t bytes)
{
	const struct harness_launch launch = {.block = {1}};
	const uint64_t params[] = {DEVICE_POINTER(out), bytes};

	harness_run_ok(m, "k", &launch, params, 2);
	return *out;
}

/* 8 MB as in CUDA, or what the program says before the first malloc; a reset takes the blocks back. */
static void test_heap_limit(void **state)
{
	const struct harness_launch launch = {.block = {1}};
	uint64_t *out = harness_alloc(64, "out"), param = DEVICE_POINTER(out);
	struct device *dev = harness_device();
	struct device_module *m = harness_load(heap_ptx);
	size_t before, after, total;
	struct diag d = DIAG_INIT;

	(void)state;
	cpu_device_ops.memory_info(dev, &before, &total);
	cpu_device_ops.reset(dev);
	assert_int_equal(blocks_of(m, out, 1 << 20), 8);
	assert_int_equal(blocks_of(m, out, 1 << 20), 0);
	assert_int_equal(blocks_of(m, out, UINT64_MAX), 0);
	assert_int_equal(cpu_device_ops.set_limit(dev, cudaLimitMallocHeapSize, 1 << 20, &d), DEVICE_BAD_VALUE);
	cpu_device_ops.reset(dev);
	cpu_device_ops.memory_info(dev, &after, &total);
	assert_int_equal(before, after);
	assert_int_equal(cpu_device_ops.set_limit(dev, cudaLimitMallocHeapSize, 4096, &d), DEVICE_OK);
	assert_int_equal(blocks_of(m, out, 8), 256);
	cpu_device_ops.reset(dev);
	assert_int_equal(blocks_of(m, out, 4 << 20), 2);
	cpu_device_ops.reset(dev);
	/* A kernel may not free the host's allocations. */
	assert_int_equal(harness_run(m, "frees", &launch, &param, 1), DEVICE_ILLEGAL_ADDRESS);
	assert_non_null(strstr(harness_diag.message, "where no block of a kernel's malloc begins"));
	harness_unload(m);
	harness_free(out);
}

/* A function that calls itself n times, with 16 bytes of its own each time. */
static void test_stack_limit(void **state)
{
	static const char ptx[] =
	    ".func deep(.param .b32 n)\n{\n.local .align 8 .b8 own[16];\n.reg .u32 %n;\n.reg .pred %q;\nld.param.u32 %n, [n];\n"
	    "st.local.u32 [own], %n;\nsetp.eq.u32 %q, %n, 0;\n@%q bra END;\nsub.u32 %n, %n, 1;\n{\n.param .b32 a;\n"
	    "st.param.b32 [a], %n;\ncall deep, (a);\n}\nEND:\nret;\n}\n"
	    ".visible .entry k(.param .u64 n)\n{\n.reg .u64 %d;\n.reg .u32 %n;\nld.param.u64 %d, [n];\ncvt.u32.u64 %n, %d;\n{\n"
	    ".param .b32 a;\nst.param.b32 [a], %n;\ncall deep, (a);\n}\nret;\n}\n";
	const uint64_t shallow = 20, deep = 200, deeper = 5000;
	struct device *dev = harness_device();
	struct device_module *m = harness_load(ptx);
	struct diag d = DIAG_INIT;

	(void)state;
	harness_run_ok(m, "k", &one_warp, &deep, 1);
	assert_int_equal(cpu_device_ops.set_limit(dev, cudaLimitStackSize, 1024, &d), DEVICE_OK);
	harness_run_ok(m, "k", &one_warp, &shallow, 1);
	assert_int_equal(harness_run(m, "k", &one_warp, &deep, 1), DEVICE_ILLEGAL_ADDRESS);
	assert_non_null(strstr(harness_diag.message, "calls nest too deep: the local memory of a thread (1"));
	assert_non_null(strstr(harness_diag.message, "cudaDeviceSetLimit(cudaLimitStackSize, bytes) gives it more"));
	assert_int_equal(cpu_device_ops.set_limit(dev, cudaLimitStackSize, 256 << 10, &d), DEVICE_OK);
	harness_run_ok(m, "k", &one_warp, &deeper, 1);
	assert_int_equal(cpu_device_ops.set_limit(dev, cudaLimitStackSize, 1 << 20, &d), DEVICE_BAD_VALUE);
	cpu_device_ops.reset(dev);
	assert_int_equal(harness_run(m, "k", &one_warp, &deeper, 1), DEVICE_ILLEGAL_ADDRESS);
	harness_unload(m);
}

/* Every CTA adds to a counter and waits until all have, ten times: only resident CTAs get there. */
static void test_cooperative(void **state)
{
	const struct harness_launch launch = {.grid = {20}, .block = {64}, .cooperative = true};
	uint32_t *counter = harness_alloc(64, "counter");
	const uint64_t param = DEVICE_POINTER(counter);
	struct device_module *m = harness_load(
	    ".visible .entry k(.param .u64 o)\n{\n.reg .u64 %o;\n.reg .u32 %n, %k, %v, %want;\n.reg .pred %p;\n"
	    "ld.param.u64 %o, [o];\nmov.u32 %n, %nctaid.x;\nmov.u32 %k, 0;\nmov.u32 %want, 0;\nLOOP:\nadd.u32 %want, %want, %n;\n"
	    "mov.u32 %v, %tid.x;\nsetp.ne.u32 %p, %v, 0;\n@%p bra WAITED;\nred.global.add.u32 [%o], 1;\nSPIN:\n"
	    "ld.acquire.gpu.global.u32 %v, [%o];\nsetp.lt.u32 %p, %v, %want;\n@%p bra SPIN;\nWAITED:\nbar.sync 0;\n"
	    "add.u32 %k, %k, 1;\nsetp.lt.u32 %p, %k, 10;\n@%p bra LOOP;\nret;\n}\n");

	(void)state;
	harness_run_ok(m, "k", &launch, &param, 1);
	assert_int_equal(counter[0], 200);
	harness_unload(m);
	harness_free(counter);
}

/* A kernel that cannot run is reported at its launch, and only there. */
static void test_unsupported(void **state)
{
	struct device_module *m = harness_load(
	    ".extern .func nowhere(.param .b32 x);\n.visible .entry bad()\n{\n.reg .b32 %r<3>;\n"
	    "tcgen05.wait::ld.sync.aligned;\nret;\n}\n"
	    ".visible .entry calls()\n{\n.param .b32 p;\nst.param.b32 [p], 1;\ncall.uni nowhere, (p);\nret;\n}\n"
	    ".visible .entry good()\n{\nret;\n}\n");

	(void)state;
	harness_run_ok(m, "good", &one_warp, NULL, 0);
	assert_int_equal(harness_run(m, "bad", &one_warp, NULL, 0), DEVICE_BAD_PTX);
	assert_non_null(strstr(harness_diag.message, "tcgen05.wait"));
	assert_non_null(strstr(harness_diag.message, "not supported"));
	assert_true(harness_diag.line > 0);
	assert_int_equal(harness_run(m, "calls", &one_warp, NULL, 0), DEVICE_BAD_PTX);
	assert_non_null(strstr(harness_diag.message, "'nowhere' is called but has no body"));
	harness_unload(m);
}

/* Operands that the parser lets pass and the engine has no meaning for. */
static void test_bad_operands(void **state)
{
	static const struct {
		const char *inst, *message;
	} cases[] = {
	    {"vadd.u32.u32.u32 %d.h0, %a, %b", "need a third source"},
	    {"vadd.u32.u32.u32.add %d.h0, %a, %b, %c", "a word, not a part of one"},
	    {"vadd.u32.u32.u32 %d, %a.b7, %b", "the parts of a word are"},
	    {"vadd.u32.u32.u32 _, %a, %b", "a destination is a register"},
	    {"vadd4.u32.u32.u32 _, %a, %b, %c", "a destination is a register"},
	    {"mov.u32 _, %a", "a destination is a register"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char ptx[256];
		struct device_module *m;

		snprintf(ptx, sizeof ptx, ".visible .entry k()\n{\n.reg .b32 %%a, %%b, %%c, %%d;\n%s;\nret;\n}\n",
			 cases[i].inst);
		m = harness_load(ptx);
		assert_int_equal(harness_run(m, "k", &one_warp, NULL, 0), DEVICE_BAD_PTX);
		if (!strstr(harness_diag.message, cases[i].message))
			fail_msg("%s: %s", cases[i].inst, harness_diag.message);
		harness_unload(m);
	}
}

static void test_bad_text(void **state)
{
	static const char text[] = ".version 8.0\n.target sm_70\n.address_size 64\n.entry k() {\n frob.u32 %r1;\n}\n";
	struct device_module *m = NULL;
	struct diag d = DIAG_INIT;

	(void)state;
	assert_int_equal(cpu_device_ops.load(harness_device(), text, sizeof text - 1, "bad.ptx", &m, &d),
			 DEVICE_BAD_PTX);
	assert_int_equal(d.line, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_attributes),      cmocka_unit_test(test_shapes),
					   cmocka_unit_test(test_guards),          cmocka_unit_test(test_trace),
					   cmocka_unit_test(test_trace_selection), cmocka_unit_test(test_printf),
					   cmocka_unit_test(test_heap_and_assert), cmocka_unit_test(test_cooperative),
					   cmocka_unit_test(test_heap_limit),      cmocka_unit_test(test_stack_limit),
					   cmocka_unit_test(test_unsupported),     cmocka_unit_test(test_bad_operands),
					   cmocka_unit_test(test_bad_text)};

	return cmocka_run_group_tests(tests, harness_setup, harness_teardown);
}
