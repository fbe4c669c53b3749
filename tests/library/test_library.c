/* libromark as programs see it: answers, and each way in which a call can be wrong. */
#include "common/xalloc.h"
#include "library/library_call.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* --- Errors --- */

static void break_a_promise(void *arg)
{
	BUG("promise %d", *(int *)arg);
}

/* Sanitizers end the process themselves where memory is out. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

static void want_too_much(void *arg)
{
	(void)arg;
	xfree(xmalloc(SIZE_MAX / 4));
}

static void call_inside(void *arg)
{
	struct romark_error error;
	int number = 8;

	assert_false(library_call(break_a_promise, &number, &error));
	*(bool *)arg = strstr(error.message, "promise 8") != NULL;
	number = 9;
	break_a_promise(&number);
}

static void test_the_process_goes_on(void **state)
{
	struct romark_error error;
	int number = 7;
	bool inner = false;

	(void)state;
	assert_false(library_call(break_a_promise, &number, &error));
	assert_non_null(strstr(error.message, "internal error of romark"));
	assert_non_null(strstr(error.message, "promise 7"));
	if (!SANITIZED) {
		assert_false(library_call(want_too_much, NULL, &error));
		assert_string_equal(error.message, "out of memory");
	}
	assert_false(library_call(call_inside, &inner, &error));
	assert_true(inner);
	assert_non_null(strstr(error.message, "promise 9"));
	assert_int_equal(romark_interface(), ROMARK_INTERFACE);
}

/* --- PTX --- */

static const char ptx[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
			  ".visible .entry copy(.param .u64 from, .param .u64 to)\n{\n"
			  ".reg .b64 %rd<3>;\n.reg .f32 %f<2>;\n"
			  "ld.param.u64 %rd1, [from];\nld.param.u64 %rd2, [to];\n"
			  "ld.global.f32 %f1, [%rd1];\nst.global.f32 [%rd2], %f1;\nret;\n}\n";

static void test_verdicts(void **state)
{
	struct romark_analyse_options options = ROMARK_INIT(struct romark_analyse_options);
	struct romark_error error;
	struct romark_analysis *a = romark_analyse_text(ptx, sizeof ptx - 1, "copy.ptx", NULL, &error);
	const struct romark_structure_verdict *s;

	(void)state;
	assert_non_null(a);
	assert_string_equal(romark_analysis_kernel(a, 0)->name, "copy");
	assert_null(romark_analysis_kernel(a, 1));
	s = romark_analysis_structure(a, 0, 0);
	assert_string_equal(s->id, "p0");
	assert_string_equal(s->verdict, "read-only");
	assert_int_equal(s->loads_marked, 1);
	assert_string_equal(romark_analysis_structure(a, 0, 1)->verdict, "write-only");
	assert_null(romark_analysis_structure(a, 0, 2));
	assert_null(romark_analysis_structure(a, 1, 0));
	assert_int_equal(romark_analysis_guard(a, 0, 0)->writes, 1);
	assert_non_null(strstr(romark_analysis_json(a), "\"name\": \"copy\""));
	assert_non_null(strstr(romark_analysis_ptx(a), "ld.global.ro.f32"));
	romark_analysis_free(a);
	options.alias = ROMARK_STRICT;
	options.load = ROMARK_LOAD_NC;
	a = romark_analyse_text(ptx, sizeof ptx - 1, "copy.ptx", &options, &error);
	assert_string_equal(romark_analysis_structure(a, 0, 0)->verdict, "read-write");
	assert_null(strstr(romark_analysis_ptx(a), "ld.global.nc"));
	romark_analysis_free(a);
	romark_analysis_free(NULL);
}

static void test_wrong_ptx(void **state)
{
	struct romark_analyse_options options = ROMARK_INIT(struct romark_analyse_options);
	static const char text[] = ".version 8.0\n.target sm_80\n.visible .entry k()\n{\nfrobnicate;\n}\n";
	struct romark_error error;

	(void)state;
	assert_null(romark_analyse_text(text, sizeof text - 1, "wrong.ptx", NULL, &error));
	assert_string_equal(error.file, "wrong.ptx");
	assert_int_equal(error.line, 5);
	assert_null(romark_analyse("nothing.ptx", NULL, &error));
	assert_string_equal(error.file, "nothing.ptx");
	assert_null(romark_analyse("nothing.ptx", NULL, NULL));
	options.alias = 99;
	assert_null(romark_analyse_text(ptx, sizeof ptx - 1, "copy.ptx", &options, &error));
}

/* --- Traces --- */

#define NONE ROMARK_NO_REGISTER
static const struct romark_instruction instructions[] = {
    {ROMARK_LOAD_OP, ROMARK_GLOBAL, 4, true, 0, {NONE, NONE, NONE}, 0, 3},
    {ROMARK_INT_OP, 0, 0, false, 1, {0, NONE, NONE}, ROMARK_NO_STRUCTURE, 4},
    {ROMARK_ATOMIC_OP, ROMARK_SHARED, 4, false, NONE, {1, NONE, NONE}, ROMARK_NO_STRUCTURE, 5},
    {ROMARK_EXIT_OP, 0, 0, false, NONE, {NONE, NONE, NONE}, ROMARK_NO_STRUCTURE, 6},
};
static const uint32_t blocks[] = {0, 2};
static const char *const ids[] = {"p0"};
static const uint32_t grid[] = {2, 1, 1}, block[] = {48, 1, 1};

static struct romark_kernel kernel(void)
{
	struct romark_kernel k = ROMARK_INIT(struct romark_kernel);

	k.name = "k";
	k.instructions = instructions;
	k.ninstructions = 4;
	k.blocks = blocks;
	k.nblocks = 2;
	k.structures = ids;
	k.nstructures = 1;
	return k;
}

static void write_warp(struct romark_trace_writer *w, uint32_t warp, uint64_t base)
{
	uint32_t lanes = warp ? 0xffff : UINT32_MAX;
	uint64_t addresses[32];

	for (unsigned i = 0; i < 32; i++)
		addresses[i] = base + 4 * i;
	assert_int_equal(romark_trace_block(w, warp, 0, lanes, NULL), 0);
	assert_int_equal(romark_trace_access(w, warp, lanes, addresses, NULL), 0);
	assert_int_equal(romark_trace_block(w, warp, 1, lanes, NULL), 0);
	for (unsigned i = 0; i < 32; i++)
		addresses[i] = 4 * (i % 2);
	assert_int_equal(romark_trace_access(w, warp, lanes, addresses, NULL), 0);
}

static void write_trace(const char *path)
{
	const struct romark_launch_structure p0 = {.id = "p0", .verdict = "read-only", .address = 4096, .marked = true};
	struct romark_trace_writer *w = romark_trace_create(path, NULL);
	struct romark_kernel k = kernel();
	int number = romark_trace_add_kernel(w, &k, NULL);

	assert_int_equal(number, 0);
	assert_int_equal(romark_trace_begin_launch(w, number, grid, block, &p0, NULL), 0);
	for (uint32_t cta = 0; cta < 2; cta++) {
		assert_int_equal(romark_trace_begin_cta(w, cta, 0, 0, NULL), 0);
		for (uint32_t warp = 0; warp < 2; warp++)
			write_warp(w, warp, 4096 + cta * 256 + warp * 128);
		assert_int_equal(romark_trace_end_cta(w, NULL), 0);
	}
	assert_int_equal(romark_trace_end_launch(w, NULL), 0);
	assert_int_equal(romark_trace_finish(w, NULL), 0);
}

static void check_launch(const struct romark_launch *l)
{
	assert_string_equal(l->kernel, "k");
	assert_int_equal(l->grid[0], 2);
	assert_int_equal(l->block[0], 48);
	assert_int_equal(l->number, 0);
	assert_string_equal(l->marks, "own");
	assert_int_equal(l->nstructures, 1);
	assert_string_equal(l->structures[0].id, "p0");
	assert_string_equal(l->structures[0].verdict, "read-only");
	assert_int_equal(l->structures[0].address, 4096);
}

static void test_what_was_written_is_read(void **state)
{
	struct romark_trace_access all[8], more;
	const struct romark_launch *launch;
	struct romark_error error;
	struct romark_trace *t;

	(void)state;
	write_trace("library.romtrace");
	t = romark_trace_open("library.romtrace", &error);
	assert_non_null(t);
	assert_int_equal(romark_trace_read(t, all, 8, &error), -1);
	assert_int_equal(romark_trace_next_launch(t, &launch, &error), 1);
	check_launch(launch);
	assert_int_equal(romark_trace_read(t, all, 3, &error), 3);
	assert_int_equal(romark_trace_read(t, all + 3, 5, &error), 5);
	assert_int_equal(romark_trace_read(t, &more, 1, &error), 0);
	assert_int_equal(romark_trace_warp_instructions(t), 16);
	assert_int_equal(all[0].addresses[31], 4096 + 124);
	assert_int_equal(all[0].read_only, 1);
	assert_int_equal(all[0].source_line, 3);
	assert_int_equal(all[1].op, ROMARK_ATOMIC_OP);
	assert_int_equal(all[1].space, ROMARK_SHARED);
	assert_int_equal(all[1].structure, ROMARK_NO_STRUCTURE);
	assert_int_equal(all[6].lanes, 0xffff);
	assert_int_equal(all[6].addresses[15], 4096 + 256 + 128 + 60);
	assert_int_equal(all[6].addresses[16], 0);
	assert_int_equal(all[6].cta[0], 1);
	assert_int_equal(all[6].warp, 1);
	assert_int_equal(romark_trace_next_launch(t, &launch, &error), 0);
	assert_null(launch);
	romark_trace_close(t);
	romark_trace_close(NULL);
}

/* Launches that are not read to their end are passed over; damage is an error. */
static void test_cut_traces(void **state)
{
	const struct romark_launch *launch;
	struct romark_error error;
	struct romark_trace *t;

	(void)state;
	write_trace("library.romtrace");
	t = romark_trace_open("library.romtrace", &error);
	assert_int_equal(romark_trace_next_launch(t, &launch, &error), 1);
	assert_int_equal(romark_trace_next_launch(t, &launch, &error), 0);
	romark_trace_close(t);
	assert_int_equal(truncate("library.romtrace", 200), 0);
	t = romark_trace_open("library.romtrace", &error);
	assert_non_null(t);
	while (romark_trace_next_launch(t, &launch, &error) > 0)
		;
	assert_string_equal(error.file, "library.romtrace");
	romark_trace_close(t);
	assert_null(romark_trace_open("nothing.romtrace", &error));
	assert_string_equal(error.file, "nothing.romtrace");
}

/* Each call at a wrong time or with a wrong argument is an error; no file appears. */
enum wrong {
	NO_NAME,
	BAD_OP,
	BAD_STRUCTURE,
	BAD_BLOCKS,
	NO_KERNEL,
	NO_THREADS,
	NO_LAUNCH,
	NO_CTA,
	OUTSIDE,
	NO_WARP,
	NO_BLOCK,
	MISSING,
	NOT_THERE,
	TWICE,
	OPEN,
	WRONGS
};

static int add_wrong(struct romark_trace_writer *w, enum wrong wrong, struct romark_error *error)
{
	static const uint32_t bad_blocks[] = {0, 9};
	struct romark_instruction bad = instructions[0];
	struct romark_kernel k = kernel();

	if (wrong == NO_NAME)
		k.name = NULL;
	if (wrong == BAD_BLOCKS)
		k.blocks = bad_blocks;
	if (wrong == BAD_OP || wrong == BAD_STRUCTURE) {
		bad.op = wrong == BAD_OP ? 77 : ROMARK_LOAD_OP;
		bad.structure = 5;
		k.instructions = &bad;
		k.ninstructions = 1;
		k.blocks = NULL;
	}
	return romark_trace_add_kernel(w, &k, error);
}

static int go_wrong(struct romark_trace_writer *w, enum wrong wrong, struct romark_error *error)
{
	static const uint32_t no_threads[] = {0, 1, 1};
	static const uint64_t addresses[32];
	int number = add_wrong(w, wrong, error);

	if (number < 0)
		return -1;
	if (wrong == NO_CTA)
		return romark_trace_begin_cta(w, 0, 0, 0, error);
	if (romark_trace_begin_launch(w, wrong == NO_KERNEL ? 3 : number, grid,
				      wrong == NO_THREADS ? no_threads : block, NULL, error) < 0)
		return -1;
	if (wrong == NO_LAUNCH)
		return romark_trace_begin_launch(w, number, grid, block, NULL, error);
	if (romark_trace_begin_cta(w, wrong == OUTSIDE ? 2 : 0, 0, 0, error) < 0)
		return -1;
	if (wrong == TWICE)
		return romark_trace_begin_cta(w, 1, 0, 0, error);
	if (wrong == NOT_THERE)
		return romark_trace_access(w, 0, 1, addresses, error);
	if (romark_trace_block(w, wrong == NO_WARP ? 2 : 0, wrong == NO_BLOCK ? 2 : 0, 1, error) < 0)
		return -1;
	if (wrong == MISSING)
		return romark_trace_block(w, 0, 1, 1, error);
	return wrong == OPEN ? -1 : 0;
}

static void test_wrong_traces(void **state)
{
	(void)state;
	for (enum wrong wrong = 0; wrong < WRONGS; wrong++) {
		struct romark_error error = {.message = ""};
		struct romark_trace_writer *w = romark_trace_create("wrong.romtrace", &error);

		assert_int_equal(go_wrong(w, wrong, &error), -1);
		assert_true(error.message[0] || wrong == OPEN);
		if (wrong != OPEN)
			assert_int_equal(romark_trace_end_cta(w, &error), -1);
		if (wrong % 2)
			assert_int_equal(romark_trace_finish(w, &error), -1);
		else
			romark_trace_abandon(w);
		assert_int_not_equal(access("wrong.romtrace", F_OK), 0);
	}
	romark_trace_abandon(NULL);
	assert_null(romark_trace_create("no folder/t.romtrace", NULL));
}

/* --- Simulation --- */

static void count_calls(void *arg, uint64_t cycles, uint64_t warp_instructions)
{
	(void)cycles, (void)warp_instructions;
	++*(unsigned *)arg;
}

static void test_a_result_by_paths(void **state)
{
	static const char *const set[] = {"l1.size_bytes=3072", NULL};
	struct romark_sim_options options = ROMARK_INIT(struct romark_sim_options);
	struct romark_error error;
	struct romark_result *r;
	unsigned calls = 0;

	(void)state;
	write_trace("library.romtrace");
	options.llc = "selrep";
	options.set = set;
	options.threads = 2;
	options.progress = count_calls;
	options.progress_arg = &calls;
	r = romark_sim("library.romtrace", &options, &error);
	assert_non_null(r);
	assert_true(romark_result_number(r, "cycles", 0) > 100);
	assert_true(romark_result_number(r, "warp_instructions", 0) == 16);
	assert_true(romark_result_number(r, "kernels.0.cycles", 0) == romark_result_number(r, "cycles", 0));
	assert_true(romark_result_number(r, "config.l1.size_bytes", 0) == 3072);
	assert_true(romark_result_number(r, "complete", 0) == 1);
	assert_true(romark_result_number(r, "kernels.7.cycles", -1) == -1);
	assert_true(romark_result_number(r, "no.such", -1) == -1);
	assert_string_equal(romark_result_text(r, "kernels.0.name"), "k");
	assert_string_equal(romark_result_text(r, "llc_policy"), "selrep");
	assert_null(romark_result_text(r, "cycles"));
	assert_int_equal(romark_result_count(r, "kernels"), 1);
	assert_string_equal(romark_result_key(r, "", 0), "schema");
	assert_string_equal(romark_result_key(r, "policy_stats", 0), "selrep");
	assert_null(romark_result_key(r, "policy_stats", 1));
	assert_true(romark_result_json(r)[0] == '{');
	romark_result_free(r);
	romark_result_free(NULL);
}

static void fails(struct romark_sim_options options, const char *trace, const char *words)
{
	struct romark_error error;

	assert_null(romark_sim(trace, &options, &error));
	if (!strstr(error.message, words))
		fail_msg("'%s' is not in '%s'", words, error.message);
}

static void test_wrong_simulations(void **state)
{
	static const char *const set[] = {"l1.sise=3", NULL};
#define OPTIONS(...) ((struct romark_sim_options){.size = sizeof(struct romark_sim_options), __VA_ARGS__})

	(void)state;
	write_trace("library.romtrace");
	fails(OPTIONS(.gpu = "selrep6"), "library.romtrace", "selrep64");
	fails(OPTIONS(.llc = "shard"), "library.romtrace", "did you mean 'shared'");
	fails(OPTIONS(.l1 = "./nothing.so"), "library.romtrace", "cannot open");
	fails(OPTIONS(.set = set), "library.romtrace", "no key 'sise'");
	fails(OPTIONS(.sample = "most"), "library.romtrace", "most");
	fails(OPTIONS(.kernels = "^other$"), "library.romtrace", "^other$");
	fails((struct romark_sim_options){.size = sizeof(size_t), .llc = "shard"}, "nothing.romtrace", "cannot open");
	assert_null(romark_sim("nothing.romtrace", NULL, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_the_process_goes_on), cmocka_unit_test(test_verdicts),
	    cmocka_unit_test(test_wrong_ptx),           cmocka_unit_test(test_what_was_written_is_read),
	    cmocka_unit_test(test_cut_traces),          cmocka_unit_test(test_wrong_traces),
	    cmocka_unit_test(test_a_result_by_paths),   cmocka_unit_test(test_wrong_simulations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
