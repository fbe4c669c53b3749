/* Kernels launched by kernels: order, waiting, refusals, faults, what a trace has of them. */
#include "tests/runtime/cpu/harness.h"

#include "trace/trace.h"

#include <unistd.h>

/*
 * log[0] counts the entries behind it. launch(kernel, log, code, stream, threads) launches a kernel of two parameters
 * by the newer calls, launch_old by the older ones; note, middle and others put their code into the log.
 */
static const char ptx[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2(.param .b64 k, .param .align 4 .b8 g[12], .param .align 4 .b8 "
    "b[12], .param .b32 s);\n"
    ".extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2(.param .b64 p, .param .b64 s);\n"
    ".extern .func (.param .b64 r) cudaGetParameterBuffer(.param .b64 a, .param .b64 n);\n"
    ".extern .func (.param .b32 r) cudaLaunchDevice(.param .b64 k, .param .b64 p, .param .align 4 .b8 g[12], .param .align 4 .b8 "
    "b[12], .param .b32 s, .param .b64 t);\n"
    ".extern .func (.param .b32 r) cudaDeviceSynchronize();\n"
    ".extern .func (.param .b32 r) cudaGetLastError();\n"
    ".func (.param .b32 result) launch(.param .b64 k, .param .b64 log, .param .b64 code, .param .b64 stream, .param .b32 "
    "threads)\n{\n.reg .u64 %k, %l, %c, %s, %p;\n.reg .u32 %n, %e;\n.reg .pred %none;\n"
    "ld.param.u64 %k, [k];\nld.param.u64 %l, [log];\nld.param.u64 %c, [code];\nld.param.u64 %s, [stream];\n"
    "ld.param.u32 %n, [threads];\n"
    "{\n.param .b64 a;\n.param .align 4 .b8 g[12];\n.param .align 4 .b8 b[12];\n.param .b32 s;\n.param .b64 q;\n"
    "st.param.b64 [a], %k;\nst.param.b32 [g], 1;\nst.param.b32 [g+4], 1;\nst.param.b32 [g+8], 1;\n"
    "st.param.b32 [b], %n;\nst.param.b32 [b+4], 1;\nst.param.b32 [b+8], 1;\nst.param.b32 [s], 0;\n"
    "call.uni (q), __cudaCDP2GetParameterBufferV2, (a, g, b, s);\nld.param.b64 %p, [q];\n}\n"
    "st.u64 [%p], %l;\nst.u64 [%p+8], %c;\n"
    "{\n.param .b64 a;\n.param .b64 t;\n.param .b32 q;\nst.param.b64 [a], %p;\nst.param.b64 [t], %s;\n"
    "call.uni (q), __cudaCDP2LaunchDeviceV2, (a, t);\nld.param.b32 %e, [q];\n}\n"
    "st.param.b32 [result], %e;\nret;\n}\n"
    ".func (.param .b32 result) launch_old(.param .b64 k, .param .b64 log, .param .b64 code)\n{\n"
    ".reg .u64 %k, %l, %c, %p;\n.reg .u32 %e;\nld.param.u64 %k, [k];\nld.param.u64 %l, [log];\nld.param.u64 %c, [code];\n"
    "{\n.param .b64 a;\n.param .b64 n;\n.param .b64 q;\nst.param.b64 [a], 64;\nst.param.b64 [n], 20;\n"
    "call.uni (q), cudaGetParameterBuffer, (a, n);\nld.param.b64 %p, [q];\n}\n"
    "st.u64 [%p], %l;\nst.u64 [%p+8], %c;\n"
    "{\n.param .b64 a;\n.param .b64 p;\n.param .align 4 .b8 g[12];\n.param .align 4 .b8 b[12];\n.param .b32 s;\n.param .b64 t;\n"
    ".param .b32 q;\nst.param.b64 [a], %k;\nst.param.b64 [p], %p;\nst.param.b32 [g], 2;\nst.param.b32 [g+4], 1;\n"
    "st.param.b32 [g+8], 1;\nst.param.b32 [b], 1;\nst.param.b32 [b+4], 1;\nst.param.b32 [b+8], 1;\nst.param.b32 [s], 0;\n"
    "st.param.b64 [t], 0;\ncall.uni (q), cudaLaunchDevice, (a, p, g, b, s, t);\nld.param.b32 %e, [q];\n}\n"
    "st.param.b32 [result], %e;\nret;\n}\n"
    ".func put(.param .b64 log, .param .b64 code)\n{\n.reg .u64 %l, %c, %i;\nld.param.u64 %l, [log];\n"
    "ld.param.u64 %c, [code];\natom.add.u64 %i, [%l], 1;\nshl.b64 %i, %i, 3;\nadd.u64 %i, %i, %l;\nst.u64 [%i+8], %c;\nret;\n}\n"
#define REGS ".reg .u64 %l, %c, %k;\n.reg .u32 %e;\n.reg .pred %p;\nld.param.u64 %l, [log];\nld.param.u64 %c, [code];\n"
#define PUT(code)                                                                                                      \
	"{\n.param .b64 a;\n.param .b64 b;\nst.param.b64 [a], %l;\nst.param.b64 [b], " code                            \
	";\ncall.uni put, (a, b);\n}\n"
#define LAUNCH(kernel, code, stream, threads)                                                                          \
	"mov.u64 %k, " kernel                                                                                          \
	";\n{\n.param .b64 a;\n.param .b64 b;\n.param .b64 c;\n.param .b64 d;\n.param .b32 n;\n.param .b32 q;\n"       \
	"st.param.b64 [a], %k;\nst.param.b64 [b], %l;\nst.param.b64 [c], " code ";\nst.param.b64 [d], " stream ";\n"   \
	"st.param.b32 [n], " threads ";\ncall.uni (q), launch, (a, b, c, d, n);\nld.param.b32 %e, [q];\n}\n"
#define CALL(function) "{\n.param .b32 q;\ncall.uni (q), " function ", ();\nld.param.b32 %e, [q];\n}\n"
#define PUT_ERROR "cvt.u64.u32 %c, %e;\n" PUT("%c")
#define KERNEL(name, body) ".visible .entry " name "(.param .u64 log, .param .u64 code)\n{\n" REGS body "ret;\n}\n"
    KERNEL("note", PUT("%c")) KERNEL("middle", PUT("2") LAUNCH("note", "3", "0", "1")) KERNEL(
	"order",
	PUT("1") LAUNCH("note", "5", "3", "1") LAUNCH("middle", "0", "0", "1") LAUNCH("note", "4", "7", "1") PUT("6"))
	KERNEL(
	    "old",
	    "mov.u64 %k, note;\n{\n.param .b64 a;\n.param .b64 b;\n.param .b64 c;\n.param .b32 q;\nst.param.b64 [a], %k;\n"
	    "st.param.b64 [b], %l;\nst.param.b64 [c], 9;\ncall.uni (q), launch_old, (a, b, c);\nld.param.b32 %e, [q];\n}\n" PUT_ERROR)
	    KERNEL("waits", LAUNCH("middle", "0", "0", "1") LAUNCH("note", "5", "3", "1") PUT("1")
				CALL("cudaDeviceSynchronize") PUT("4") LAUNCH("note", "6", "0", "1"))
		KERNEL("wrong", LAUNCH("note", "5", "0", "2000") PUT_ERROR LAUNCH("put", "5", "0", "1")
				    PUT_ERROR CALL("cudaGetLastError") PUT_ERROR CALL("cudaGetLastError")
					PUT_ERROR LAUNCH("note", "5", "0", "1"))
		    KERNEL("deep", PUT("%c") "add.u64 %c, %c, 1;\n" LAUNCH("deep", "%c", "0", "1"))
			KERNEL("tail", PUT("%c") "add.u64 %c, %c, 1;\nsetp.gt.u64 %p, %c, 100;\n@%p ret;\n" LAUNCH(
					   "tail", "%c", "3", "1")) KERNEL("bad", "st.global.u32 [16], 1;\n")
			    KERNEL("parent_of_bad", LAUNCH("bad", "0", "0", "1"))
				KERNEL("waits_for_bad", LAUNCH("bad", "0", "0", "1") CALL("cudaDeviceSynchronize"));

enum { LOG_WORDS = 128 };
static const struct harness_launch one_thread = {.block = {1}};

/* Runs a kernel and compares what it and those it launched put into the log. */
static void expect_log(const char *kernel, const uint64_t *codes, size_t count)
{
	uint64_t *log = harness_alloc(LOG_WORDS * sizeof *log, "log"), params[2] = {DEVICE_POINTER(log), 0};
	struct device_module *m = harness_load(ptx);

	harness_run_ok(m, kernel, &one_thread, params, 2);
	assert_int_equal(log[0], count);
	assert_memory_equal(log + 1, codes, count * sizeof *codes);
	harness_unload(m);
	harness_free(log);
}

#define EXPECT_LOG(kernel, ...)                                                                                        \
	expect_log(kernel, (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static void test_order(void **state)
{
	(void)state;
	EXPECT_LOG("order", 1, 6, 2, 3, 4, 5);
	EXPECT_LOG("old", 0, 9, 9);
}

static void test_waiting(void **state)
{
	(void)state;
	EXPECT_LOG("waits", 1, 2, 3, 4, 6, 5);
}

/* Invalid configuration, invalid device function; the last error is given once. */
static void test_refusals(void **state)
{
	(void)state;
	setenv("ROMARK_QUIET", "1", 1);
	harness_open();
	EXPECT_LOG("wrong", 9, 98, 98, 0, 5);
	unsetenv("ROMARK_QUIET");
	harness_open();
}

static void test_depth(void **state)
{
	uint64_t codes[101];

	(void)state;
	for (uint64_t i = 0; i < 101; i++)
		codes[i] = i;
	setenv("ROMARK_QUIET", "1", 1);
	harness_open();
	expect_log("deep", codes, 25);
	unsetenv("ROMARK_QUIET");
	harness_open();
	expect_log("tail", codes, 101);
}

static void test_faults(void **state)
{
	uint64_t *log = harness_alloc(LOG_WORDS * sizeof *log, "log"), params[2] = {DEVICE_POINTER(log), 0};
	struct device_module *m = harness_load(ptx);

	(void)state;
	assert_int_equal(harness_run(m, "parent_of_bad", &one_thread, params, 2), DEVICE_ILLEGAL_ADDRESS);
	assert_non_null(strstr(harness_diag.message, "'bad'"));
	assert_int_equal(harness_run(m, "waits_for_bad", &one_thread, params, 2), DEVICE_ILLEGAL_ADDRESS);
	assert_non_null(strstr(harness_diag.message, "'bad'"));
	harness_run_ok(m, "order", &one_thread, params, 2);
	assert_int_equal(log[0], 6);
	harness_unload(m);
	harness_free(log);
}

/* Each launch follows the one that it was launched by; what a running kernel waits for is left out. */
static void expect_trace(const char *kernel, const char *const *names, size_t count)
{
	char path[] = "/tmp/romark-trace-XXXXXX";
	struct trace_launch launch;
	struct device_module *m;
	struct diag d = DIAG_INIT;
	struct trace_reader *r;
	uint64_t params[2] = {0};
	size_t n = 0;

	close(mkstemp(path));
	setenv("ROMARK_QUIET", "1", 1);
	harness_open_with("ROMARK_TRACE", path);
	params[0] = DEVICE_POINTER(harness_alloc(LOG_WORDS * 8, "log"));
	m = harness_load(ptx);
	harness_run_ok(m, kernel, &one_thread, params, 2);
	cpu_device_ops.finish(harness_device());
	r = trace_open(path, &d);
	assert_non_null(r);
	for (; trace_next_launch(r, &launch, &d) > 0; n++) {
		assert_true(n < count);
		assert_string_equal(trace_kernel_of(r, launch.kernel)->name, names[n]);
	}
	assert_int_equal(n, count);
	assert_false(diag_is_set(&d));
	trace_close(r);
	unsetenv("ROMARK_QUIET");
	harness_open();
	unlink(path);
}

static void test_traces(void **state)
{
	static const char *const order[] = {"order", "middle", "note", "note", "note"};
	static const char *const waits[] = {"waits", "note", "note"};

	(void)state;
	expect_trace("order", order, 5);
	expect_trace("waits", waits, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_order), cmocka_unit_test(test_waiting), cmocka_unit_test(test_refusals),
	    cmocka_unit_test(test_depth), cmocka_unit_test(test_faults),  cmocka_unit_test(test_traces),
	};

	return cmocka_run_group_tests(tests, harness_setup, harness_teardown);
}
