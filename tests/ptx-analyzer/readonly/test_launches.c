/*
 * Marks that a launch decides about: small kernels, each launched with memory that lies apart, where its marks hold,
 * and with memory that does not, where they must not. Every store is checked against what marked loads have read.
 */
#include "common/strbuf.h"
#include "ptx-analyzer/language/text/ptx_text.h"
#include "ptx-analyzer/readonly/analysis.h"
#include "tests/runtime/cpu/harness.h"

#include <stdio.h>
#include <unistd.h>

enum { BUFFERS = 4, BUFFER_BYTES = 1024 };

/* The arguments of a launch, and the table's contents: a buffer's letter, 't' the table itself, '0' a null pointer. */
struct launch_case {
	const char *what, *params, *table;
	bool holds;
};

static char *buffers[BUFFERS];
static uint64_t *table;

static uint64_t pointer_of(char letter)
{
	if (letter == '0')
		return 0;
	return letter == 't' ? DEVICE_POINTER(table) : DEVICE_POINTER(buffers[letter - 'a']);
}

/* Was nothing said of marks that do not hold? */
static bool run_holds(struct device_module *m, const char *text, const struct launch_case *c)
{
	const struct harness_launch shape = {{1, 1, 1}, {4, 1, 1}, 0, true};
	uint64_t params[8];
	size_t n = strlen(c->params);
	int saved = dup(2);
	FILE *said = tmpfile();
	enum device_status status;
	long length;

	for (size_t i = 0; i < n; i++)
		params[i] = pointer_of(c->params[i]);
	memset(table, 0, BUFFER_BYTES);
	for (size_t i = 0; c->table[i]; i++)
		table[i] = pointer_of(c->table[i]);
	fflush(stderr);
	dup2(fileno(said), 2);
	status = harness_run(m, "k", &shape, params, n);
	fflush(stderr);
	dup2(saved, 2);
	close(saved);
	length = lseek(fileno(said), 0, SEEK_END);
	fclose(said);
	if (status != DEVICE_OK)
		fail_msg("%s: %s\n%s", c->what, harness_diag.message, text);
	return length == 0;
}

static void check_launches(const char *text, const struct launch_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct device_module *m = harness_load(text);

		if (run_holds(m, text, &cases[i]) != cases[i].holds)
			fail_msg("%s: the marks should %s\n%s", cases[i].what, cases[i].holds ? "hold" : "not hold",
				 text);
		harness_unload(m);
	}
}

#define CHECK(text, cases) check_launches(text, cases, sizeof(cases) / sizeof *(cases))
#define HEADER ".version 8.0\n.target sm_80\n.address_size 64\n"
#define REGISTERS ".reg .b64 %rd<20>; .reg .b32 %r<20>; .reg .pred %p<4>;\n"

/* rows[1][i] = in[i] */
static const char rows_ptx[] = HEADER
    ".visible .entry k(.param .u64 rows, .param .u64 in)\n{\n" REGISTERS
    "ld.param.u64 %rd1, [rows]; cvta.to.global.u64 %rd1, %rd1; ld.param.u64 %rd2, [in]; cvta.to.global.u64 %rd2, %rd2;\n"
    "mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd2, %rd3; ld.global.u32 %r2, [%rd4];\n"
    "ld.global.u64 %rd5, [%rd1+8]; cvta.to.global.u64 %rd5, %rd5; add.s64 %rd6, %rd5, %rd3;\n"
    "st.global.u32 [%rd6], %r2; ret;\n}\n";

static void test_rows_of_a_table_are_written(void **state)
{
	static const struct launch_case cases[] = {
	    {"apart", "ta", "bcd", true},
	    {"the input is a row", "ta", "bad", false},
	    {"a row is the table", "ta", "btd", false},
	    {"the input is the table", "tt", "bcd", true},
	    {"the input is the table, and a row", "tt", "btd", false},
	};

	(void)state;
	CHECK(rows_ptx, cases);
}

/*
 * swap[0] = in; rows[0][i] = in[i]. If swap and rows are the same memory, the loaded pointer is `in`. Loads of rows
 * carry no mark, so only the store needs its guard.
 */
static const char swapped_ptx[] = HEADER
    ".visible .entry k(.param .u64 rows, .param .u64 swap, .param .u64 in)\n{\n" REGISTERS
    "ld.param.u64 %rd1, [rows]; cvta.to.global.u64 %rd1, %rd1; ld.param.u64 %rd2, [in]; cvta.to.global.u64 %rd2, %rd2;\n"
    "ld.param.u64 %rd7, [swap]; cvta.to.global.u64 %rd7, %rd7; st.global.u64 [%rd7], %rd2; bar.sync 0;\n"
    "mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd2, %rd3; ld.global.u32 %r2, [%rd4];\n"
    "ld.volatile.global.u64 %rd5, [%rd1]; cvta.to.global.u64 %rd5, %rd5; add.s64 %rd6, %rd5, %rd3;\n"
    "st.global.u32 [%rd6], %r2; ret;\n}\n";

static void test_the_table_that_is_written_through_is_guarded(void **state)
{
	static const struct launch_case cases[] = {
	    {"apart", "tda", "bbb", true},
	    {"the table gets the input", "tta", "bbb", false},
	};

	(void)state;
	CHECK(swapped_ptx, cases);
}

/* out[i] = in[i], a barrier of the grid, out[i + 64] = in[i + 1] */
static const char barrier_ptx[] = HEADER
    ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n" REGISTERS
    "ld.param.u64 %rd1, [in]; cvta.to.global.u64 %rd1, %rd1; ld.param.u64 %rd2, [out]; cvta.to.global.u64 %rd2, %rd2;\n"
    "mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd1, %rd1, %rd3; add.s64 %rd2, %rd2, %rd3;\n"
    "ld.global.u32 %r2, [%rd1]; st.global.u32 [%rd2], %r2; mov.u32 %r3, %envreg2; cvt.u64.u32 %rd4, %r3;\n"
    "mov.u32 %r4, %envreg1; cvt.u64.u32 %rd5, %r4; bfi.b64 %rd6, %rd5, %rd4, 32, 32; barrier.sync 0;\n"
    "setp.ne.u32 %p1, %r1, 0; @%p1 bra met; add.s64 %rd7, %rd6, 4;\n"
    "atom.add.release.gpu.u32 %r5, [%rd7], -2147483648;\n"
    "wait: ld.acquire.gpu.u32 %r6, [%rd7]; xor.b32 %r7, %r6, %r5; setp.gt.s32 %p2, %r7, -1; @%p2 bra wait;\n"
    "met: barrier.sync 0; ld.global.u32 %r2, [%rd1+4]; st.global.u32 [%rd2+64], %r2; ret;\n}\n";

static void test_a_barrier_of_the_grid_writes_no_data(void **state)
{
	static const struct launch_case cases[] = {
	    {"apart", "ab", "", true},
	    {"in place", "aa", "", false},
	};

	(void)state;
	CHECK(barrier_ptx, cases);
}

/* k reads global memory through a function that another kernel passes shared memory, or what it writes. */
static const char shared_function_ptx[] = HEADER
    ".func (.param .b32 z) get(.param .b64 x)\n{\n.local .align 8 .b8 slot[8]; .reg .b64 %rd<3>; .reg .b32 %r<2>;\n"
    "ld.param.u64 %rd1, [x]; st.local.u64 [slot], %rd1; ld.local.u64 %rd2, [slot]; ld.u32 %r1, [%rd2];\n"
    "st.param.b32 [z], %r1; ret;\n}\n"
    ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n" REGISTERS
    "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4;\n"
    "add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3; { .param .b64 x; .param .b32 z; st.param.b64 [x], %rd1;\n"
    "call (z), get, (x); ld.param.b32 %r2, [z]; } st.u32 [%rd2], %r2; ret;\n}\n"
    ".visible .entry shared(.param .u64 out)\n{\n" REGISTERS ".shared .align 4 .b8 tile[16];\n"
    "mov.u64 %rd1, tile; cvta.shared.u64 %rd1, %rd1; ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x;\n"
    "mul.wide.u32 %rd3, %r1, 4; add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3; add.u32 %r2, %r1, 70;\n"
    "st.u32 [%rd1], %r2; { .param .b64 x; .param .b32 z; st.param.b64 [x], %rd1;\n"
    "call (z), get, (x); ld.param.b32 %r2, [z]; } st.u32 [%rd2], %r2; ret;\n}\n"
    ".visible .entry in_place(.param .u64 out)\n{\n" REGISTERS
    "ld.param.u64 %rd2, [out]; { .param .b64 x; .param .b32 z; st.param.b64 [x], %rd2;\n"
    "call (z), get, (x); ld.param.b32 %r2, [z]; } add.u32 %r2, %r2, 1; st.u32 [%rd2], %r2; ret;\n}\n";

static void test_each_kernel_calls_the_function_that_it_may(void **state)
{
	static const struct launch_case cases[] = {
	    {"apart", "ab", "", true},
	    {"in place", "aa", "", false},
	};
	const struct harness_launch shape = {{1, 1, 1}, {4, 1, 1}, 0, false}, one = {{1, 1, 1}, {1, 1, 1}, 0, false};
	struct device_module *m = harness_load(shared_function_ptx);
	const uint64_t out = DEVICE_POINTER(buffers[2]);
	uint32_t *data = (uint32_t *)(void *)buffers[2];

	(void)state;
	harness_run_ok(m, "shared", &shape, &out, 1);
	assert_int_equal(data[3], 73);
	harness_run_ok(m, "in_place", &one, &out, 1);
	assert_int_equal(data[0], 71);
	harness_unload(m);
	CHECK(shared_function_ptx, cases);
}

/*
 * No kernel here writes global memory, so that loads through unknown pointers are marked as well. But bits of `in` in
 * the place in shared memory make the address unknown, and it is one of shared memory still.
 */
static const char shared_place_ptx[] =
    HEADER ".visible .entry k(.param .u64 in)\n{\n" REGISTERS ".shared .align 8 .b8 cell[512];\n"
	   "ld.param.u64 %rd2, [in]; ld.u32 %r1, [%rd2]; and.b64 %rd3, %rd2, 248; mov.u64 %rd1, cell;\n"
	   "cvta.shared.u64 %rd1, %rd1; add.s64 %rd1, %rd1, %rd3; ld.u32 %r2, [%rd1]; ret;\n}\n";
static const char global_place_ptx[] =
    HEADER ".global .align 8 .b8 cell[512];\n.visible .entry k(.param .u64 in)\n{\n" REGISTERS
	   "ld.param.u64 %rd2, [in]; ld.u32 %r1, [%rd2]; and.b64 %rd3, %rd2, 248; mov.u64 %rd1, cell;\n"
	   "cvta.global.u64 %rd1, %rd1; add.s64 %rd1, %rd1, %rd3; ld.u32 %r2, [%rd1]; ret;\n}\n";

static unsigned marks_in(const char *text)
{
	struct diag d = DIAG_INIT;
	struct ptx_module *m = ptx_parse("place", text, strlen(text), &d);
	struct ptx_analysis *a = ptx_analyze(m, ALIAS_GUARDED);
	unsigned marked = ptx_kernel_facts(a, "k")->loads_marked;

	ptx_analysis_free(a);
	ptx_module_free(m);
	return marked;
}

static void test_unknown_pointers_may_lead_to_shared_memory(void **state)
{
	static const struct launch_case shared[] = {{"a place in shared memory", "a", "", true}};
	static const struct launch_case global[] = {{"a place in a variable", "a", "", true}};

	(void)state;
	CHECK(shared_place_ptx, shared);
	CHECK(global_place_ptx, global);
	assert_int_equal(marks_in(shared_place_ptx), 1);
	assert_int_equal(marks_in(global_place_ptx), 2);
}

/*
 * Parameter `v` points BIAS bytes behind what is used, and each of these leaves that in %rd5 in its own way. Then it is
 * read, and `out` is written. `a` is a pointer as it should be. The distance of two buffers stands for $.
 */
#define BIAS "$"
#define BIASED_FUNCTIONS                                                                                               \
	".func (.param .b64 z) same(.param .b64 x)\n{\n.reg .b64 %rd<2>;\n"                                            \
	"ld.param.u64 %rd1, [x]; st.param.b64 [z], %rd1; ret;\n}\n"                                                    \
	".func (.param .b64 z) back(.param .b64 x)\n{\n.reg .b64 %rd<3>;\n"                                            \
	"ld.param.u64 %rd1, [x]; sub.s64 %rd2, %rd1, " BIAS "; st.param.b64 [z], %rd2; ret;\n}\n"                      \
	".func (.param .b64 z) get(.param .b64 x)\n{\n.reg .b64 %rd<3>;\n"                                             \
	"ld.param.u64 %rd1, [x]; ld.u32 %rd2, [%rd1]; st.param.b64 [z], %rd2; ret;\n}\n"
#define CALL(function, argument)                                                                                       \
	"{ .param .b64 x; .param .b64 z; st.param.b64 [x], " argument "; call (z), " function                          \
	", (x); ld.param.b64 %rd5, [z]; }\n"
#define MOVED "sub.s64 %rd4, %rd3, " BIAS "; "

static const char *const biased[] = {
    MOVED "and.b64 %rd5, %rd4, -16;",
    MOVED "and.b64 %rd5, %rd4, 281474976710655;",
    MOVED "selp.b64 %rd5, %rd4, %rd1, %p1;",
    MOVED "selp.b64 %rd5, %rd1, %rd4, %p2;",
    MOVED "mov.b64 {%r1, %r2}, %rd4; mov.b64 %rd5, {%r1, %r2};",
    MOVED "shr.u64 %rd5, %rd4, 4; shl.b64 %rd5, %rd5, 4;",
    MOVED "not.b64 %rd5, %rd4; not.b64 %rd5, %rd5;",
    "not.b64 %rd6, %rd3; add.s64 %rd7, %rd6, " BIAS "; not.b64 %rd5, %rd7;",
    MOVED ".local .align 8 .b8 l[8]; st.local.u64 [l], %rd1; st.local.u64 [l], %rd4; ld.local.u64 %rd5, [l];",
    MOVED ".local .align 8 .b8 l[8]; st.local.v2.u32 [l], {%r3, %r3}; mov.b64 {%r1, %r2}, %rd4;"
	  "st.local.u32 [l], %r1; st.local.u32 [l+4], %r2; ld.local.u64 %rd5, [l];",
    MOVED CALL("same", "%rd4"),
    CALL("back", "%rd3"),
};

static void add_distances(struct strbuf *text, const char *with_marks)
{
	long distance = buffers[2] - buffers[3];

	for (const char *c = with_marks; *c; c++)
		if (*c == '$')
			strbuf_addf(text, "%ld", distance);
		else
			strbuf_addf(text, "%c", *c);
}

static void test_lost_biases(void **state)
{
	static const struct launch_case cases[] = {
	    {"apart", "bca", "", true},
	    {"where it is used is written", "acd", "", false},
	    {"its own memory is written", "acc", "", false},
	};

	(void)state;
	for (size_t i = 0; i <= sizeof biased / sizeof *biased; i++) {
		bool in_callee = i == sizeof biased / sizeof *biased;
		struct strbuf text = STRBUF_INIT;

		add_distances(&text, HEADER BIASED_FUNCTIONS
			      ".visible .entry k(.param .u64 a, .param .u64 v, .param .u64 out)\n{\n" REGISTERS
			      "ld.param.u64 %rd1, [a]; ld.param.u64 %rd3, [v]; ld.param.u64 %rd2, [out];\n"
			      "setp.eq.u64 %p1, %rd1, %rd1; setp.ne.u64 %p2, %rd1, %rd1;\n");
		add_distances(&text, in_callee ? MOVED CALL("get", "%rd4") : biased[i]);
		strbuf_adds(&text, in_callee ? "cvt.u32.u64 %r4, %rd5;" : "ld.u32 %r4, [%rd5];");
		/* Byte ranges do not tell where this writes. */
		strbuf_adds(&text, "mov.u32 %r5, %clock; sub.s32 %r5, %r5, %r5; cvt.s64.s32 %rd9, %r5;\n"
				   "add.s64 %rd2, %rd2, %rd9; st.u32 [%rd2], %r4; ret;\n}\n");
		check_launches(text.data, cases, sizeof cases / sizeof *cases);
		strbuf_release(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_rows_of_a_table_are_written),
	    cmocka_unit_test(test_the_table_that_is_written_through_is_guarded),
	    cmocka_unit_test(test_a_barrier_of_the_grid_writes_no_data),
	    cmocka_unit_test(test_each_kernel_calls_the_function_that_it_may),
	    cmocka_unit_test(test_lost_biases),
	    cmocka_unit_test(test_unknown_pointers_may_lead_to_shared_memory),
	};
	int failed;

	setenv("ROMARK_VERIFY", "1", 1);
	unsetenv("ROMARK_QUIET");
	harness_open();
	for (int i = 0; i < BUFFERS; i++)
		buffers[i] = harness_alloc(BUFFER_BYTES, "buffer");
	table = harness_alloc(BUFFER_BYTES, "table");
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	harness_close();
	return failed;
}
