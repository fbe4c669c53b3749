/* Import of Accel-Sim's text: what a small trace becomes, and that damaged text is an error with its line. */
#include "common/file.h"
#include "trace/import/accelsim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char list[] = SAMPLES "/kernelslist.g", path[] = "accelsim.romtrace";

static struct trace_reader *import_sample(void)
{
	struct diag d = DIAG_INIT;
	struct trace_writer *w = trace_create(path, &d);
	struct trace_reader *r;

	assert_non_null(w);
	assert_int_equal(accelsim_import(list, w, NULL, &d), 0);
	assert_int_equal(trace_finish(w, &d), 0);
	r = trace_open(path, &d);
	assert_non_null(r);
	unlink(path);
	return r;
}

static void next_op(struct trace_warp_cursor *c, struct trace_op *op, unsigned cls, uint32_t mask)
{
	assert_true(trace_warp_next(c, op));
	assert_int_equal(op->inst->cls, cls);
	assert_int_equal(op->mask, mask);
}

static void check_first_warp(const struct trace_kernel *kernel, const struct trace_cta *cta)
{
	struct trace_warp_cursor c;
	struct trace_op op;

	trace_warp_start(&c, kernel, cta, 0);
	next_op(&c, &op, TRACE_MOVE, UINT32_MAX);
	next_op(&c, &op, TRACE_LOAD, UINT32_MAX);
	assert_true(op.inst->flags & TRACE_READ_ONLY);
	assert_int_equal(op.space, TRACE_GLOBAL);
	assert_int_equal(op.address[31], 0x7f0000001000 + 31 * 4);
	next_op(&c, &op, TRACE_LOAD, UINT32_MAX);
	assert_false(op.inst->flags & TRACE_READ_ONLY);
	assert_int_equal(op.inst->ndst, 4); /* R8 to R11 */
	assert_int_equal(op.inst->dst[3], 11);
	assert_int_equal(op.address[7], 0x7f0000000000);
	next_op(&c, &op, TRACE_FP32, UINT32_MAX);
	next_op(&c, &op, TRACE_BRANCH, UINT32_MAX);
	next_op(&c, &op, TRACE_STORE, 15);
	assert_int_equal(op.access_mask, 15);
	assert_int_equal(op.address[1], 0x7f0000000000 + 128);
	assert_int_equal(op.address[3], 0x7f0000000000 + 128 - 64 + 4);
	next_op(&c, &op, TRACE_STORE, 15);
	assert_int_equal(op.space, TRACE_SHARED); /* a generic store into the shared window */
	assert_true(op.address[0] < 1 << 24);
	next_op(&c, &op, TRACE_INT, UINT32_MAX);
	assert_int_equal(op.inst->src[1], TRACE_NO_REGISTER);
	next_op(&c, &op, TRACE_EXIT, UINT32_MAX);
	assert_false(trace_warp_next(&c, &op));
	assert_false(c.bad);
}

static unsigned count_ops(const struct trace_kernel *kernel, const struct trace_cta *cta, uint32_t warp)
{
	struct trace_warp_cursor c;
	struct trace_op op;
	unsigned count = 0;

	trace_warp_start(&c, kernel, cta, warp);
	while (trace_warp_next(&c, &op))
		count++;
	assert_false(c.bad);
	return count;
}

/* A generic store of the second warp into the local window: an offset in it. */
static void check_local(const struct trace_kernel *kernel, const struct trace_cta *cta)
{
	struct trace_warp_cursor c;
	struct trace_op op;

	trace_warp_start(&c, kernel, cta, 1);
	do
		assert_true(trace_warp_next(&c, &op));
	while (op.inst->cls != TRACE_STORE);
	assert_int_equal(op.space, TRACE_LOCAL);
	assert_int_equal(op.access_mask, 15);
	assert_int_equal(op.address[3], 0xfffc00);
}

static void test_sample_trace(void **state)
{
	struct trace_reader *r = import_sample();
	const struct trace_kernel *kernel;
	struct trace_launch launch;
	struct diag d = DIAG_INIT;
	struct trace_cta cta;

	(void)state;
	assert_int_equal(trace_next_launch(r, &launch, &d), 1);
	kernel = trace_kernel_of(r, launch.kernel);
	assert_string_equal(kernel->name, "_Z5scalePfPKfi");
	assert_int_equal(kernel->registers_per_thread, 12);
	assert_int_equal(kernel->ninsts, 9);
	assert_int_equal(launch.shared_bytes, 256);
	assert_int_equal(launch.nallocations, 2);
	assert_int_equal(launch.allocations[1].address, 0x7f0000001000);
	assert_int_equal(trace_next_cta(r, &cta, &d), 1);
	assert_int_equal(cta.nwarps, 2);
	check_first_warp(kernel, &cta);
	assert_int_equal(count_ops(kernel, &cta, 1), 7);
	check_local(kernel, &cta);
	trace_cta_release(&cta);
	assert_int_equal(trace_next_cta(r, &cta, &d), 1);
	assert_int_equal(cta.x, 1);
	assert_int_equal(count_ops(kernel, &cta, 0), 2);
	assert_int_equal(count_ops(kernel, &cta, 1), 0);
	trace_cta_release(&cta);
	assert_int_equal(trace_next_launch(r, &launch, &d), 1);
	assert_int_equal(launch.stream, 7);
	assert_int_equal(trace_kernel_of(r, launch.kernel)->insts[0].source_line, 42);
	assert_int_equal(trace_next_launch(r, &launch, &d), 0);
	trace_close(r);
}

/* The first kernel's text with `old` replaced by `new` the first time it occurs. */
static int import_changed(const char *old, const char *new, const struct accelsim_options *options, struct diag *d)
{
	struct file_data file;
	struct trace_writer *w;
	const char *at;
	FILE *out;
	int status;

	assert_int_equal(file_read(SAMPLES "/kernel-1.traceg", &file, NULL), 0);
	at = strstr(file.data, old);
	assert_non_null(at);
	out = fopen("kernel-changed.traceg", "w");
	fprintf(out, "%.*s%s%s", (int)(at - file.data), file.data, new, at + strlen(old));
	fclose(out);
	file_data_release(&file);
	assert_int_equal(file_write("changed.g", "kernel-changed.traceg\n", 22, NULL), 0);
	w = trace_create(path, d);
	status = accelsim_import("changed.g", w, options, d);
	trace_abandon(w);
	unlink("changed.g");
	unlink("kernel-changed.traceg");
	return status;
}

#define OPCODE_OF_64 "F234567812345678123456781234567812345678123456781234567812345678"

static void test_damaged_text(void **state)
{
	static const struct {
		const char *old, *new, *says;
		unsigned line;
	} cases[] = {
	    {"0x7f0000001000 4\n", "0x7f00zz 4\n", "memory addresses", 24},
	    {"128 -64 4\n", "128\n", "memory addresses", 28},
	    {"insts = 9", "insts = 8", "insts", 33},
	    {"warp = 1\n", "warp = 2\n", "warp", 33},
	    {"thread block = 0,0,0", "thread block = 2,0,0", "grid", 19},
	    {"MOV 0 0", "MOV 1 Q7 0", "source registers", 23},
	    {"1 R1 MOV", "x R1 MOV", "destination registers", 23},
	    {"-block dim = (48,1,1)", "-block dim = (4800,1,1)", "block dim", 17},
	    {"-block dim = (48,1,1)", "-block dim = 48", "header", 4},
	    {"-kernel name = _Z5scalePfPKfi", "", "kernel name", 17},
	    {"\n#END_TB\n\n#BEGIN_TB\n", "\n\n\n#BEGIN_TB\n", "CTA begins", 45},
	    {"thread block = 0,0,0", "", "thread block", 21},
	    {"version = 3", "version = 2", "versions 3 to 5", 17},
	    {"version = 3", "version = 6", "versions 3 to 5", 17},
	    {"version = 3", "version = 5", "immediate", 23},
	    {" FMUL 2 ", " " OPCODE_OF_64 " 2 ", "opcode", 26},
	    {"FMUL 2 R4 R8 0", "FMUL 2 R4 R8 x", "width", 26},
	    {"\n0030 ffffffff", "\n0030 fffffffff", "mask", 26},
	    {"\n0030 ffffffff", "\n0030 q", "mask", 26},
	    /* The second warp's lines are spelt as the first one's, but for addresses and masks. */
	    {"0x7f0000001080 4\n", "0x7f0000001080\n", "memory addresses", 36},
	    {"0010 0000ffff 1 R4", "0010 1 R4", "destination registers", 36},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct diag d = DIAG_INIT;

		assert_int_equal(import_changed(cases[i].old, cases[i].new, NULL, &d), DIAG_ERROR);
		if (!strstr(d.message, cases[i].says) || d.line != cases[i].line)
			fail_msg("case %zu: line %u: %s", i, d.line, d.message);
	}
}

/* What is not known is said once, and what moves memory unseen is refused: the traffic would be missing. */
static void test_unknown_instructions(void **state)
{
	static const struct {
		const char *old, *new, *says; /* NULL: nothing */
		bool refused;
	} cases[] = {
	    {"FMUL 2 R4 R8 0", "FNEW.RZ 2 R4 R8 0",
	     "instruction FNEW is not known, and taken for work without memory: 1 warp instructions\n", false},
	    {"FMUL 2 R4 R8 0", "SYNCS.ARRIVE 2 R4 R8 0", NULL, false},
	    {"IADD3 3 R9", "UIADD3.X 3 R9", NULL, false},
	    {"FMUL 2 R4 R8 0", "UTMALDG.2D 2 R4 R8 0",
	     "instruction UTMALDG moves memory, of which the trace has no addresses", true},
	    {"LDG.E.CONSTANT.SYS 1 R2 4", "UBLKCP.S.G 1 R2 4", "instruction UBLKCP moves memory, of which", true},
	    {"FMUL 2 R4 R8 0", "TEX.LL 2 R4 R8 0", "instruction TEX moves memory, of which", true},
	    {"FMUL 2 R4 R8 0", "LDG.E 2 R4 R8 0", "instruction LDG moves memory, of which", true},
	    {"FMUL 2 R4 R8 0", "LDS 2 R4 R8 0", NULL, false},
	    {"FMUL 2 R4 R8 0", "TXQ 2 R4 R8 0", NULL, false},
	    {"FMUL 2 R4 R8 0", "STNEW 2 R4 R8 0", "instruction STNEW is not known, and moves memory", true},
	    {"LDG.E.CONSTANT", "FNEW.E", "instruction FNEW is not known, and moves memory", true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct strbuf notes = STRBUF_INIT;
		struct accelsim_options options = {.notes = &notes};
		struct diag d = DIAG_INIT;
		int status = import_changed(cases[i].old, cases[i].new, &options, &d);

		if (status != (cases[i].refused ? DIAG_ERROR : 0))
			fail_msg("case %zu: %d %s", i, status, d.message);
		if (cases[i].refused)
			assert_non_null(strstr(d.message, cases[i].says));
		if (cases[i].says)
			assert_non_null(strstr(notes.data, cases[i].says));
		else
			assert_int_equal(notes.len, 0);
		strbuf_release(&notes);
		options.skips_unknown = true;
		assert_int_equal(import_changed(cases[i].old, cases[i].new, &options, NULL), 0);
		strbuf_release(&notes);
	}
}

/* Replaces kernel-1's version, and writes `immediate` behind each instruction. */
static void write_version_5(const char *to, const char *immediate)
{
	struct file_data file;
	FILE *out = fopen(to, "w");

	assert_non_null(out);
	assert_int_equal(file_read(SAMPLES "/kernel-1.traceg", &file, NULL), 0);
	for (char *line = strtok(file.data, "\n"); line; line = strtok(NULL, "\n")) {
		if (strncmp(line, "-accelsim tracer", 16) == 0)
			fputs("-accelsim tracer version = 5\n", out);
		else
			fprintf(out, "%s%s%s\n", line, line[0] == '0' ? " " : "", line[0] == '0' ? immediate : "");
	}
	fclose(out);
	file_data_release(&file);
}

static struct file_data import_version_5(const char *immediate)
{
	struct diag d = DIAG_INIT;
	struct trace_writer *w = trace_create(path, &d);
	struct file_data trace;

	write_version_5("kernel-5.traceg", immediate);
	assert_int_equal(file_write("version5.g", "MemcpyDtoH,0x0,4\nkernel-5.traceg\n", 33, NULL), 0);
	if (accelsim_import("version5.g", w, NULL, &d) < 0)
		fail_msg("line %u: %s", d.line, d.message);
	assert_int_equal(trace_finish(w, &d), 0);
	assert_int_equal(file_read(path, &trace, NULL), 0);
	unlink(path);
	unlink("version5.g");
	unlink("kernel-5.traceg");
	return trace;
}

/* The immediate belongs neither to an instruction's identity nor to its addresses. */
static void test_version_5_has_immediates(void **state)
{
	struct file_data zero = import_version_5("0"), other = import_version_5("-64 ");

	(void)state;
	assert_int_equal(zero.size, other.size);
	assert_memory_equal(zero.data, other.data, zero.size);
	file_data_release(&zero);
	file_data_release(&other);
}

static void test_missing_files(void **state)
{
	struct diag d = DIAG_INIT;
	struct trace_writer *w = trace_create(path, &d);

	(void)state;
	assert_int_equal(accelsim_import("no-such-list.g", w, NULL, &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "cannot open"));
	d = (struct diag)DIAG_INIT;
	assert_int_equal(accelsim_import("/dev/null", w, NULL, &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "no kernel"));
	d = (struct diag)DIAG_INIT;
	assert_int_equal(file_write("changed.g", "kernel-1.traceg\n", 16, NULL), 0);
	assert_int_equal(accelsim_import("changed.g", w, NULL, &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "cannot open"));
	d = (struct diag)DIAG_INIT;
	assert_int_equal(mkfifo("kernel-1.traceg", 0666), 0); /* nobody waits for a writer */
	assert_int_equal(accelsim_import("changed.g", w, NULL, &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "no regular file"));
	unlink("kernel-1.traceg");
	d = (struct diag)DIAG_INIT;
	assert_int_equal(file_write("changed.g", "hello\n", 6, NULL), 0);
	assert_int_equal(accelsim_import("changed.g", w, NULL, &d), DIAG_ERROR);
	assert_int_equal(d.line, 1);
	unlink("changed.g");
	trace_abandon(w);
}

/* Whether the sample's plain wide load is marked when `ranges` are read-only. */
static bool marks_the_load(const char *ranges)
{
	struct accelsim_options options = {0};
	struct accelsim_range *list_of_ranges;
	struct trace_warp_cursor c;
	struct trace_launch launch;
	struct trace_reader *r;
	struct trace_writer *w;
	struct trace_cta cta;
	struct trace_op op;
	struct diag d = DIAG_INIT;
	bool marked;

	assert_int_equal(file_write("ranges.txt", ranges, strlen(ranges), NULL), 0);
	assert_int_equal(accelsim_read_ranges("ranges.txt", &list_of_ranges, &options.nranges, &d), 0);
	options.ranges = list_of_ranges;
	w = trace_create(path, &d);
	assert_int_equal(accelsim_import(list, w, &options, &d), 0);
	assert_int_equal(trace_finish(w, &d), 0);
	r = trace_open(path, &d);
	assert_int_equal(trace_next_launch(r, &launch, &d), 1);
	assert_int_equal(trace_next_cta(r, &cta, &d), 1);
	trace_warp_start(&c, trace_kernel_of(r, launch.kernel), &cta, 0);
	for (unsigned i = 0; i < 3; i++)
		assert_true(trace_warp_next(&c, &op));
	assert_int_equal(op.inst->cls, TRACE_LOAD);
	marked = op.inst->flags & TRACE_READ_ONLY;
	trace_cta_release(&cta);
	trace_close(r);
	free(list_of_ranges);
	unlink(path);
	unlink("ranges.txt");
	return marked;
}

static void test_loads_in_ranges_are_marked(void **state)
{
	(void)state;
	assert_true(marks_the_load("# all\n0x7f0000000000 +1048576\n"));
	assert_true(marks_the_load("0x7f0000000000 0x7f0000100000\n"));
	assert_false(marks_the_load("0x7f0000000000 +15\n"));
	assert_false(marks_the_load("0x1000 0x2000\n"));
}

static void test_wrong_ranges_are_refused(void **state)
{
	static const char *const wrong[] = {"1000\n", "5 4\n", "0x10 +0xffffffffffffffff\n", "a b\n", "1 2 3\n"};

	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct accelsim_range *ranges;
		struct diag d = DIAG_INIT;
		size_t count;

		assert_int_equal(file_write("ranges.txt", wrong[i], strlen(wrong[i]), NULL), 0);
		assert_int_equal(accelsim_read_ranges("ranges.txt", &ranges, &count, &d), DIAG_ERROR);
		assert_int_equal(d.line, 1);
		assert_non_null(strstr(d.message, "BEGIN +BYTES"));
	}
	unlink("ranges.txt");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_sample_trace),
	    cmocka_unit_test(test_damaged_text),
	    cmocka_unit_test(test_unknown_instructions),
	    cmocka_unit_test(test_version_5_has_immediates),
	    cmocka_unit_test(test_missing_files),
	    cmocka_unit_test(test_loads_in_ranges_are_marked),
	    cmocka_unit_test(test_wrong_ranges_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
