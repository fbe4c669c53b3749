/* Closed forms of machine code that an SM issues in place of the trace's rows, with a memory of fixed latency. */
#include "sim-backend/sm/machine_code.h"
#include "tests/sim-backend/mock_memsys.h"
#include "tests/sim-backend/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* As in test_sm_timing.c. */
enum { FIRST_ISSUE = 1, AFTER_LAST = 2 };

/*
 * The trace's table: block 0 has four loads of neighbouring words in shared memory and an instruction, blocks 1 and 2
 * have one instruction each.
 */
enum { LOADS = 4, ROWS = LOADS + 3, BLOCKS = 3, MOST = 128 };

static struct code_inst insts[MOST];
static struct code_block blocks[BLOCKS];
static struct code_part parts[4];
static uint32_t ninsts, nparts, registers;

static int reset(void **state)
{
	(void)state;
	mock = (struct mock_settings){.latency = 100, .interval = 1};
	ninsts = nparts = 0;
	registers = 16;
	for (unsigned i = 0; i < BLOCKS; i++)
		blocks[i] = (struct code_block){.arm = {CODE_NO_BLOCK, CODE_NO_BLOCK}, .rows = i ? 1 : LOADS + 1};
	return 0;
}

static struct machine_code *lower(const struct trace_kernel *kernel, enum sm_code code, struct diag *d)
{
	struct machine_code *made = machine_code_create(BLOCKS, ninsts, nparts);

	(void)d;
	assert_string_equal(kernel->ptx, "code");
	assert_int_equal(code, CODE_VOLTA);
	memcpy(made->blocks, blocks, sizeof blocks);
	memcpy(made->insts, insts, ninsts * sizeof *insts);
	memcpy(made->parts, parts, nparts * sizeof *parts);
	made->nregisters = 8;
	made->registers_per_thread = registers;
	return made;
}

/* Appends to the block, which is the last that gets instructions. */
static struct code_inst *add(uint32_t block, unsigned stall, unsigned interval)
{
	struct code_inst *in = &insts[ninsts];

	if (blocks[block].count++ == 0)
		blocks[block].first = ninsts;
	*in = (struct code_inst){.cls = TRACE_FP32,
				 .unit = 1,
				 .stall = (uint8_t)stall,
				 .interval = (uint16_t)interval,
				 .block = block,
				 .row = CODE_NO_ROW};
	ninsts++;
	return in;
}

/* --- Runs --- */

static uint32_t put_kernel(struct trace_writer *w, const char *ptx)
{
	static const struct trace_block table[BLOCKS] = {{0, LOADS + 1}, {LOADS + 1, 1}, {LOADS + 2, 1}};
	struct trace_inst rows[ROWS];

	for (unsigned i = 0; i < ROWS; i++)
		rows[i] = (struct trace_inst){.cls = TRACE_INT, .structure = TRACE_NO_STRUCTURE};
	for (unsigned i = 0; i < LOADS; i++)
		rows[i] = (struct trace_inst){.cls = TRACE_LOAD,
					      .space = TRACE_SHARED,
					      .access_bytes = 4,
					      .flags = TRACE_HAS_ACCESS,
					      .structure = TRACE_NO_STRUCTURE};
	return trace_add_kernel(w, &(struct trace_kernel){.name = "k",
							  .module = "test",
							  .insts = rows,
							  .ninsts = ROWS,
							  .blocks = table,
							  .nblocks = BLOCKS,
							  .registers_per_thread = 16,
							  .ptx = ptx});
}

static void put_block(struct trace_writer *w, uint32_t block, uint64_t stride)
{
	uint64_t addresses[TRACE_WARP_LANES];

	trace_block(w, 0, block, UINT32_MAX);
	for (unsigned i = 0; block == 0 && i < LOADS; i++) {
		for (unsigned lane = 0; lane < TRACE_WARP_LANES; lane++)
			addresses[lane] = lane * stride + 4 * i;
		trace_access(w, 0, TRACE_SHARED, UINT32_MAX, addresses);
	}
}

/* One warp that executes the blocks of `path`; `stride`: from lane to lane. */
static char *write_trace(const char *ptx, const char *path, uint64_t stride)
{
	char *name = strdup("/tmp/romark-code-XXXXXX");
	struct diag d = DIAG_INIT;
	struct trace_writer *w;

	close(mkstemp(name));
	w = trace_create(name, &d);
	assert_non_null(w);
	trace_begin_launch(
	    w, &(struct trace_launch){.kernel = put_kernel(w, ptx), .grid = {1, 1, 1}, .block = {32, 1, 1}});
	trace_begin_cta(w, 0, 0, 0, 1);
	for (; *path; path++)
		put_block(w, (uint32_t)(*path - '0'), stride);
	trace_end_cta(w);
	trace_end_launch(w);
	assert_int_equal(trace_finish(w, &d), 0);
	return name;
}

static int try_trace(char *name, const struct sim_options *options, struct sim_result **r, struct diag *d)
{
	struct sim_config *config = one_sm();
	struct trace_reader *trace = trace_open(name, d);
	int status;

	assert_int_equal(sim_config_set(config, "sm.code=volta", d), 0);
	assert_int_equal(sim_config_check(config, d), 0);
	status = sim_run(config, trace, options, r, d);
	trace_close(trace);
	sim_config_free(config);
	unlink(name);
	free(name);
	return status;
}

static struct sm_stats run(const char *path, uint64_t stride, uint64_t *cycles)
{
	const struct sim_options options = {.report = stderr, .lower = lower};
	struct diag d = DIAG_INIT;
	struct sim_result *r;
	struct sm_stats stats;

	if (try_trace(write_trace("code", path, stride), &options, &r, &d) < 0)
		fail_msg("%s", d.message);
	stats = r->total.sm;
	*cycles = r->cycles;
	sim_result_free(r);
	return stats;
}

/* --- Tests --- */

static void test_dependent_instructions_issue_a_stall_apart(void **state)
{
	uint64_t cycles;
	struct sm_stats s;

	(void)state;
	for (unsigned i = 0; i < 100; i++)
		add(1, 4, 2);
	s = run("1", 4, &cycles);
	assert_int_equal(cycles, FIRST_ISSUE + 99 * 4 + AFTER_LAST);
	assert_int_equal(s.warp_instructions, 100);
	assert_int_equal(s.by_class[TRACE_FP32], 100);
	assert_int_equal(s.thread_instructions, 3200);
	assert_int_equal(s.ptx_instructions, 1);
	assert_int_equal(s.ptx_thread_instructions, 32);
}

static void test_independent_instructions_are_bound_by_the_pipe(void **state)
{
	uint64_t cycles;

	(void)state;
	for (unsigned i = 0; i < 100; i++)
		add(1, 1, 2);
	run("1", 4, &cycles);
	assert_int_equal(cycles, FIRST_ISSUE + 99 * 2 + AFTER_LAST);
	for (unsigned i = 0; i < 100; i++)
		insts[i].unit = (uint8_t)(i % 2); /* two pipes take turns */
	run("1", 4, &cycles);
	assert_int_equal(cycles, FIRST_ISSUE + 99 + AFTER_LAST);
}

static void test_varying_times_are_waited_for(void **state)
{
	struct code_inst *in;
	uint64_t cycles;

	(void)state;
	in = add(1, 1, 1);
	in->latency = 24;
	in->dst[in->ndst++] = 3;
	in = add(1, 1, 1);
	in = add(1, 1, 1);
	in->src[in->nsrc++] = 3;
	run("1", 4, &cycles);
	assert_int_equal(cycles, FIRST_ISSUE + 24 + AFTER_LAST);
}

/* Double precision is as fast as the GPU says, whatever the code was made for. */
static void test_units_that_differ_among_gpus(void **state)
{
	struct sim_config *config = one_sm();
	uint32_t latency = config->exec.latency[TRACE_FP64], interval = config->exec.interval[TRACE_FP64];
	struct code_inst *in;
	uint64_t cycles;

	(void)state;
	sim_config_free(config);
	for (unsigned i = 0; i < 10; i++) {
		in = add(1, 1, 99);
		in->cls = TRACE_FP64;
		in->latency = 999;
		in->dst[in->ndst++] = 3;
	}
	in = add(1, 1, 1);
	in->src[in->nsrc++] = 3;
	run("1", 4, &cycles);
	assert_int_equal(cycles, FIRST_ISSUE + 9 * (latency > interval ? latency : interval) + latency + AFTER_LAST);
}

/* One instruction for four rows. */
static void add_joined(void)
{
	struct code_inst *in = add(0, 1, 1);

	in->cls = TRACE_LOAD;
	in->joined = LOADS;
	in->bytes = 4 * LOADS;
	in->dst[in->ndst++] = 1;
}

static void test_joined_accesses_are_one(void **state)
{
	uint64_t cycles;
	struct sm_stats s;

	(void)state;
	add_joined();
	s = run("0", 4 * LOADS, &cycles);
	assert_int_equal(s.shared_instructions, 1);
	assert_int_equal(s.joined_accesses, LOADS - 1);
	assert_int_equal(s.shared_cycles, 4); /* 512 bytes */
	assert_int_equal(s.ptx_instructions, LOADS + 1);
	assert_int_equal(s.by_class[TRACE_LOAD], 1);
	s = run("0", 0, &cycles);
	assert_int_equal(s.shared_cycles, 2); /* all lanes want the same 16 bytes; one pass would be enough for 4 */
}

static void test_blocks_repeat(void **state)
{
	uint64_t cycles;
	struct sm_stats s;

	(void)state;
	add_joined();
	for (unsigned i = 0; i < 50; i++)
		add(1, 1, 1);
	s = run("0101010", 4, &cycles);
	assert_int_equal(s.warp_instructions, 4 + 3 * 50);
	assert_int_equal(s.shared_instructions, 4);
	assert_int_equal(s.ptx_instructions, 4 * (LOADS + 1) + 3);
}

/* Block 1 is predicated behind block 0: it issues in each case. */
static void test_arms_issue_in_each_case(void **state)
{
	uint64_t with, without;
	struct sm_stats s;

	(void)state;
	add(0, 1, 1);
	add(1, 4, 1);
	add(1, 4, 1);
	add(2, 1, 1);
	blocks[0].arm[0] = 1;
	s = run("012", 4, &with);
	assert_int_equal(s.warp_instructions, 4);
	assert_int_equal(s.idle_arm_instructions, 0);
	assert_int_equal(s.thread_instructions, 4 * 32);
	s = run("02", 4, &without);
	assert_int_equal(s.warp_instructions, 4);
	assert_int_equal(s.idle_arm_instructions, 2);
	assert_int_equal(s.thread_instructions, 2 * 32);
	assert_int_equal(with, without);
	s = run("0", 4, &without); /* the warp ends there */
	assert_int_equal(s.idle_arm_instructions, 2);
}

/* To the region that begins with block 0, behind all blocks' instructions. */
static void add_to_region(unsigned part, unsigned stall)
{
	struct code_inst *in = &insts[ninsts];

	if (blocks[0].region_count++ == 0)
		blocks[0].region_first = ninsts;
	*in = (struct code_inst){.cls = TRACE_FP32,
				 .unit = 1,
				 .stall = (uint8_t)stall,
				 .interval = 1,
				 .part = (uint8_t)part,
				 .block = parts[part].block,
				 .row = CODE_NO_ROW};
	ninsts++;
}

/* Blocks 0, 1 if it is executed, and 2 are one piece of code. */
static void test_regions_issue_in_place_of_their_blocks(void **state)
{
	uint64_t cycles;
	struct sm_stats s;

	(void)state;
	add(0, 9, 1);
	add(1, 9, 1);
	add(2, 9, 1);
	parts[0] = (struct code_part){.block = 0};
	parts[1] = (struct code_part){.block = 1, .optional = true};
	parts[2] = (struct code_part){.block = 2};
	nparts = blocks[0].nparts = 3;
	for (unsigned i = 0; i < 3; i++)
		add_to_region(2 - i, 2);
	s = run("012", 4, &cycles);
	assert_int_equal(cycles, FIRST_ISSUE + 2 * 2 + AFTER_LAST);
	assert_int_equal(s.ptx_instructions, LOADS + 3);
	assert_int_equal(s.idle_arm_instructions, 0);
	s = run("02", 4, &cycles);
	assert_int_equal(cycles, FIRST_ISSUE + 2 * 2 + AFTER_LAST);
	assert_int_equal(s.idle_arm_instructions, 1);
	s = run("01", 4, &cycles); /* it is left before its end */
	assert_int_equal(cycles, FIRST_ISSUE + 9 + AFTER_LAST);
	assert_int_equal(s.warp_instructions, 2);
}

/* Two copies of block 0: five turns are two of the region and one of the block. */
static void test_copies_of_a_loop(void **state)
{
	uint64_t cycles;
	struct sm_stats s;

	(void)state;
	add(0, 9, 1);
	parts[0] = parts[1] = (struct code_part){.block = 0};
	nparts = blocks[0].nparts = 2;
	add_to_region(0, 1);
	add_to_region(1, 1);
	add_to_region(1, 3);
	s = run("00000", 4, &cycles);
	assert_int_equal(s.warp_instructions, 2 * 3 + 1);
	assert_int_equal(s.ptx_instructions, 5 * (LOADS + 1));
	assert_int_equal(cycles, FIRST_ISSUE + 2 * 5 + AFTER_LAST);
}

static void test_kernels_without_ptx_issue_their_rows(void **state)
{
	const struct sim_options options = {.report = stderr, .lower = lower};
	struct diag d = DIAG_INIT;
	struct sim_result *r;

	(void)state;
	assert_int_equal(try_trace(write_trace("", "012", 4), &options, &r, &d), 0);
	assert_int_equal(r->total.sm.warp_instructions, ROWS);
	assert_int_equal(r->total.sm.ptx_instructions, 0);
	sim_result_free(r);
}

static void test_nobody_to_lower_is_an_error(void **state)
{
	const struct sim_options options = {.report = stderr};
	struct diag d = DIAG_INIT;
	struct sim_result *r;

	(void)state;
	assert_int_equal(try_trace(write_trace("code", "012", 4), &options, &r, &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "trace the program again"));
}

static void test_results_say_registers(void **state)
{
	char *text = NULL;
	size_t size;
	struct sim_options options = {.report = stderr, .lower = lower, .json = open_memstream(&text, &size)};
	struct diag d = DIAG_INIT;
	struct sim_result *r;

	(void)state;
	registers = 200;
	add(1, 1, 1);
	assert_int_equal(try_trace(write_trace("code", "1", 4), &options, &r, &d), 0);
	fclose(options.json);
	assert_non_null(strstr(text, "\"registers\":200"));
	assert_non_null(strstr(text, "\"estimated_registers\":16"));
	/* 200 registers of 32 lanes, ten warps of which fill the 65,536: so ten CTAs of a warp. */
	assert_non_null(strstr(text, "\"ctas_per_sm\":10"));
	sim_result_free(r);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_dependent_instructions_issue_a_stall_apart, reset),
	    cmocka_unit_test_setup(test_independent_instructions_are_bound_by_the_pipe, reset),
	    cmocka_unit_test_setup(test_varying_times_are_waited_for, reset),
	    cmocka_unit_test_setup(test_units_that_differ_among_gpus, reset),
	    cmocka_unit_test_setup(test_joined_accesses_are_one, reset),
	    cmocka_unit_test_setup(test_blocks_repeat, reset),
	    cmocka_unit_test_setup(test_arms_issue_in_each_case, reset),
	    cmocka_unit_test_setup(test_regions_issue_in_place_of_their_blocks, reset),
	    cmocka_unit_test_setup(test_copies_of_a_loop, reset),
	    cmocka_unit_test_setup(test_kernels_without_ptx_issue_their_rows, reset),
	    cmocka_unit_test_setup(test_nobody_to_lower_is_an_error, reset),
	    cmocka_unit_test_setup(test_results_say_registers, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
