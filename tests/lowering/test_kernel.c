/* Machine code of a kernel: its blocks, who performs each access, and PTX that does not fit. */
#include "lowering/machine_kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char saxpy[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
			    ".visible .entry k(.param .u64 p)\n{\n"
			    ".reg .pred %p<2>; .reg .f32 %f<3>; .reg .b64 %rd<3>;\n"
			    "ld.param.u64 %rd1, [p];\n"
			    "ld.global.f32 %f1, [%rd1];\n"
			    "setp.lt.f32 %p1, %f1, 0f00000000;\n"
			    "@%p1 bra DONE;\n"
			    "st.global.f32 [%rd1], %f1;\n"
			    "DONE: ret;\n}\n";

static struct machine_kernel *lower(const char *text, const struct trace_kernel *table, struct diag *d)
{
	return machine_kernel_create(
	    &(struct lowering_request){
		.ptx = text, .size = strlen(text), .kernel = "k", .generation = MACHINE_VOLTA, .table = table},
	    d);
}

/* The table that the CPU engine makes of `saxpy`. */
static const struct trace_inst rows[] = {
    {.cls = TRACE_MOVE},
    {.cls = TRACE_LOAD, .space = TRACE_GLOBAL, .flags = TRACE_HAS_ACCESS, .access_bytes = 4},
    {.cls = TRACE_FP32},
    {.cls = TRACE_BRANCH},
    {.cls = TRACE_STORE, .space = TRACE_GLOBAL, .flags = TRACE_HAS_ACCESS, .access_bytes = 4},
    {.cls = TRACE_EXIT},
};
static const struct trace_block blocks[] = {{0, 4}, {4, 1}, {5, 1}};

static unsigned accesses_of(const struct machine_block *b, uint32_t row)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < b->ninsts; i++)
		for (unsigned k = 0; k < b->insts[i].naccess; k++)
			n += b->insts[i].access[k] == row;
	return n;
}

static unsigned count_op(const struct machine_block *b, enum machine_op op)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < b->ninsts; i++)
		n += b->insts[i].op == op;
	return n;
}

static void test_each_access_is_performed_once(void **state)
{
	const struct trace_kernel table = {.insts = rows, .ninsts = 6, .blocks = blocks, .nblocks = 3};
	struct diag d = DIAG_INIT;
	struct machine_kernel *m = lower(saxpy, &table, &d);

	(void)state;
	assert_non_null(m);
	assert_int_equal(m->nblocks, 3);
	for (uint32_t b = 0; b < 3; b++)
		for (uint32_t r = 0; r < blocks[b].count; r++)
			assert_int_equal(accesses_of(&m->blocks[b], r),
					 (rows[blocks[b].first + r].flags & TRACE_HAS_ACCESS) != 0);
	machine_kernel_free(m);
}

/* A function that only a table of addresses leads to, which a trace's excerpt does not have: its rows are lowered. */
static void test_functions_of_tables_are_lowered(void **state)
{
	struct trace_inst more_rows[7];
	struct trace_block more_blocks[4];
	const struct trace_kernel table = {.insts = more_rows, .ninsts = 7, .blocks = more_blocks, .nblocks = 4};
	struct diag d = DIAG_INIT;
	struct machine_kernel *m;
	char text[1024];

	(void)state;
	memcpy(more_rows, rows, sizeof rows);
	memcpy(more_blocks, blocks, sizeof blocks);
	more_rows[6] = (struct trace_inst){.cls = TRACE_EXIT};
	more_blocks[3] = (struct trace_block){6, 1};
	snprintf(text, sizeof text, "%s.func f()\n{\nret;\n}\n", saxpy);
	m = lower(text, &table, &d);
	assert_non_null(m);
	assert_int_equal(m->nblocks, 4);
	assert_int_equal(count_op(&m->blocks[3], MACHINE_RET), 1);
	machine_kernel_free(m);
}

/* Four words side by side at a multiple of 16 bytes, then one behind a store. */
static const char loads[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
			    ".visible .entry k(.param .u64 p)\n{\n"
			    ".reg .f32 %f<9>; .reg .b32 %r<4>; .reg .b64 %rd<3>; .shared .align 4 .b8 a[4096];\n"
			    "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 4; mov.u32 %r3, a; add.s32 %r0, %r3, %r2;\n"
			    "ld.shared.f32 %f1, [%r0];\n"
			    "ld.shared.f32 %f2, [%r0+4];\n"
			    "ld.shared.f32 %f3, [%r0+12];\n"
			    "ld.shared.f32 %f4, [%r0+8];\n"
			    "add.f32 %f5, %f1, %f2; add.f32 %f6, %f3, %f4; add.f32 %f7, %f5, %f6;\n"
			    "st.shared.f32 [%r0], %f7;\n"
			    "ld.shared.f32 %f8, [%r0+4];\n"
			    "st.shared.f32 [%r0+64], %f8;\n"
			    "ret;\n}\n";

static void test_shared_loads_side_by_side_are_joined(void **state)
{
	struct diag d = DIAG_INIT;
	struct machine_kernel *m;
	unsigned wide = 0, narrow = 0;

	(void)state;
	m = lower(loads, NULL, &d);
	assert_non_null(m);
	for (uint32_t i = 0; i < m->blocks[0].ninsts; i++) {
		const struct machine_inst *in = &m->blocks[0].insts[i];

		if (in->op != MACHINE_LDS)
			continue;
		wide += in->naccess == 4 && in->bytes == 16 && in->access[2] - in->access[0] == 3;
		narrow += in->naccess == 1 && in->bytes == 4;
	}
	assert_int_equal(wide, 1);
	assert_int_equal(narrow, 1);
	machine_kernel_free(m);
}

/* Four stores are one behind the last number that they write; a load between them keeps two of them apart. */
static const char stores[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
			     ".visible .entry k(.param .u64 p)\n{\n"
			     ".reg .f32 %f<9>; .reg .b32 %r<4>; .reg .b64 %rd<3>; .shared .align 4 .b8 a[4096];\n"
			     "ld.param.u64 %rd1, [p];\n"
			     "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 4; mov.u32 %r3, a; add.s32 %r0, %r3, %r2;\n"
			     "ld.global.f32 %f1, [%rd1];\n"
			     "st.shared.f32 [%r0+4], %f1; st.shared.f32 [%r0], %f1;\n"
			     "add.f32 %f2, %f1, %f1; st.shared.f32 [%r0+8], %f2;\n"
			     "add.f32 %f3, %f2, %f1; st.shared.f32 [%r0+12], %f3;\n"
			     "ld.shared.f32 %f4, [%r0+64];\n"
			     "st.shared.f32 [%r0+32], %f4; ld.shared.f32 %f5, [%r0+128];\n"
			     "st.shared.f32 [%r0+36], %f5;\n"
			     "ret;\n}\n";

static void test_shared_stores_side_by_side_are_joined(void **state)
{
	struct diag d = DIAG_INIT;
	struct machine_kernel *m = lower(stores, NULL, &d);
	unsigned wide = 0, narrow = 0;

	(void)state;
	assert_non_null(m);
	for (uint32_t i = 0; i < m->blocks[0].ninsts; i++) {
		const struct machine_inst *in = &m->blocks[0].insts[i];

		if (in->op != MACHINE_STS)
			continue;
		wide += in->naccess == 4 && in->bytes == 16 && in->access[0] > in->access[1];
		narrow += in->naccess == 1 && in->bytes == 4;
	}
	assert_int_equal(wide, 1);
	assert_int_equal(narrow, 2);
	machine_kernel_free(m);
}

/* The store behind a branch is issued in each case, and the branch is not. Before the kernel's end lanes just exit. */
static void test_a_short_arm_is_predicated(void **state)
{
	struct diag d = DIAG_INIT;
	char text[1024], *end;
	struct machine_kernel *m = lower(saxpy, NULL, &d);

	(void)state;
	assert_non_null(m);
	assert_int_equal(m->blocks[0].arm[0], MACHINE_NO_BLOCK);
	machine_kernel_free(m);
	end = strstr(strcpy(text, saxpy), "ret;");
	strcpy(end, "st.global.f32 [%rd1+4], %f1; ret;\n}\n");
	m = lower(text, NULL, &d);
	assert_non_null(m);
	assert_int_equal(m->blocks[0].arm[0], 1);
	assert_int_equal(m->blocks[0].arm[1], MACHINE_NO_BLOCK);
	assert_int_equal(count_op(&m->blocks[0], MACHINE_BRA), 0);
	for (uint32_t i = 0; i < m->blocks[1].ninsts; i++)
		assert_true(m->blocks[1].insts[i].flags & MACHINE_PREDICATED);
	assert_int_equal(count_op(&m->blocks[1], MACHINE_STG), 1);
	assert_non_null(m->blocks[0].region); /* what the branch went past, and where both ways meet */
	assert_int_equal(m->blocks[0].region->nparts, 3);
	assert_true(m->blocks[0].region->parts[1].optional);
	assert_int_equal(m->blocks[0].region->parts[2].block, 2);
	assert_int_equal(m->blocks[0].region->ninsts, m->blocks[0].ninsts + m->blocks[1].ninsts + m->blocks[2].ninsts);
	machine_kernel_free(m);
}

static uint32_t place_of(const struct machine_block *b, enum machine_op op, unsigned nth)
{
	for (uint32_t i = 0; i < b->ninsts; i++)
		if (b->insts[i].op == op && nth-- == 0)
			return i;
	return UINT32_MAX;
}

/* A sum of an array: four turns load before the first sum, and have one comparison and one step. */
static const char loop[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
			   ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n"
			   ".reg .pred %p<2>; .reg .f32 %f<4>; .reg .b32 %r<4>; .reg .b64 %rd<4>;\n"
			   "ld.param.u64 %rd1, [p]; ld.param.u32 %r2, [n]; mov.u32 %r1, 0;\n"
			   "mov.f32 %f1, 0f00000000; mov.u64 %rd2, %rd1;\n"
			   "LOOP: ld.global.f32 %f2, [%rd2]; add.f32 %f1, %f1, %f2;\n"
			   "add.s64 %rd2, %rd2, 4; add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, %r2;\n"
			   "@%p1 bra LOOP;\n"
			   "st.global.f32 [%rd1], %f1;\n"
			   "ret;\n}\n";

static void test_loops_are_unrolled(void **state)
{
	struct diag d = DIAG_INIT;
	struct machine_kernel *m = lower(loop, NULL, &d);
	const struct machine_region *r;
	struct machine_block b;

	(void)state;
	assert_non_null(m);
	assert_true(m->blocks[1].unrolled);
	r = m->blocks[1].region;
	assert_int_equal(r->nparts, 4);
	b = (struct machine_block){.insts = r->insts, .ninsts = r->ninsts};
	assert_int_equal(count_op(&b, MACHINE_LDG), 4);
	assert_int_equal(count_op(&b, MACHINE_FADD), 4);
	assert_int_equal(count_op(&b, MACHINE_ISETP), 1);
	assert_int_equal(count_op(&b, MACHINE_BRA), 1);
	assert_true(place_of(&b, MACHINE_LDG, 3) < place_of(&b, MACHINE_FADD, 0));
	machine_kernel_free(m);
}

/* An array element: its address is one product, constants are operands, and the second load does not wait. */
static const char element[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
			      ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n"
			      ".reg .f32 %f<6>; .reg .b32 %r<6>; .reg .b64 %rd<6>;\n"
			      "ld.param.u64 %rd1, [p]; ld.param.u32 %r5, [n]; cvta.to.global.u64 %rd2, %rd1;\n"
			      "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
			      "mad.lo.s32 %r4, %r1, %r2, %r3;\n"
			      "mul.wide.s32 %rd3, %r4, 4; add.s64 %rd4, %rd2, %rd3; add.s64 %rd5, %rd4, 64;\n"
			      "ld.global.f32 %f1, [%rd4];\n"
			      "add.f32 %f2, %f1, 0f3F800000;\n"
			      "ld.global.f32 %f3, [%rd5];\n"
			      "div.rn.f32 %f4, %f3, %f2;\n"
			      "st.global.f32 [%rd4], %f4;\n"
			      "ret;\n}\n";

static void test_operations_are_fused_and_loads_come_first(void **state)
{
	struct diag d = DIAG_INIT;
	struct machine_kernel *m = lower(element, NULL, &d);
	const struct machine_block *b;

	(void)state;
	assert_non_null(m);
	b = &m->blocks[0];
	assert_int_equal(count_op(b, MACHINE_IMAD_WIDE), 1);
	assert_int_equal(count_op(b, MACHINE_IADD3), 0);
	assert_int_equal(count_op(b, MACHINE_S2R), 2);
	assert_int_equal(count_op(b, MACHINE_FFMA), 5);
	assert_int_equal(count_op(b, MACHINE_MUFU), 1);
	assert_true(place_of(b, MACHINE_LDG, 1) < place_of(b, MACHINE_FADD, 0));
	assert_true(place_of(b, MACHINE_LDG, 0) < place_of(b, MACHINE_FADD, 0));
	machine_kernel_free(m);
}

/*
 * Four turns of 16 bytes of shared memory: the address is aligned in each turn, so that words are joined, and nothing
 * is left of the loop but the copies.
 */
static const char short_loop[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
				 ".visible .entry k(.param .u64 p)\n{\n"
				 ".reg .pred %p<2>; .reg .f32 %f<9>; .reg .b32 %r<4>; .reg .b64 %rd<3>;\n"
				 ".shared .align 16 .b8 a[64];\n"
				 "ld.param.u64 %rd1, [p]; mov.u32 %r1, 16; mov.u32 %r2, a; mov.f32 %f1, 0f00000000;\n"
				 "LOOP: add.s32 %r3, %r2, %r1;\n"
				 "ld.shared.f32 %f2, [%r3+-16]; ld.shared.f32 %f3, [%r3+-12];\n"
				 "ld.shared.f32 %f4, [%r3+-8]; ld.shared.f32 %f5, [%r3+-4];\n"
				 "fma.rn.f32 %f1, %f2, %f3, %f1; fma.rn.f32 %f1, %f4, %f5, %f1;\n"
				 "add.s32 %r1, %r1, 16; setp.ne.s32 %p1, %r1, 80; @%p1 bra LOOP;\n"
				 "st.global.f32 [%rd1], %f1;\n"
				 "ret;\n}\n";

static void test_short_loops_are_unrolled_whole(void **state)
{
	struct diag d = DIAG_INIT;
	struct machine_kernel *m = lower(short_loop, NULL, &d);
	const struct machine_region *r;
	struct machine_block b;

	(void)state;
	assert_non_null(m);
	r = m->blocks[1].region;
	assert_int_equal(r->nparts, 4);
	assert_int_equal(m->blocks[1].rest, 0);
	b = (struct machine_block){.insts = r->insts, .ninsts = r->ninsts};
	assert_int_equal(count_op(&b, MACHINE_LDS), 4);
	assert_int_equal(count_op(&b, MACHINE_FFMA), 8);
	assert_int_equal(count_op(&b, MACHINE_ISETP) + count_op(&b, MACHINE_BRA), 0);
	r = m->blocks[0].region; /* what is before the loop, its turns, and what is behind it */
	assert_non_null(r);
	assert_int_equal(r->nparts, 6);
	assert_int_equal(r->parts[4].block, 1);
	assert_int_equal(r->parts[5].block, 2);
	for (uint32_t i = 0; i < r->ninsts; i++)
		if (r->insts[i].naccess)
			assert_int_equal(r->parts[r->insts[i].part].block, r->insts[i].op == MACHINE_LDS ? 1 : 2);
	machine_kernel_free(m);
}

/* The address in shared memory follows the counter, so that offsets stand for it; the product is a part of the sum. */
static const char indexed_loop[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
				   ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n"
				   ".reg .pred %p<2>; .reg .f32 %f<9>; .reg .b32 %r<7>; .reg .b64 %rd<3>;\n"
				   ".shared .align 4 .b8 a[4096];\n"
				   "ld.param.u64 %rd1, [p]; ld.param.u32 %r6, [n]; mov.u32 %r1, 0; mov.u32 %r2, a;\n"
				   "ld.global.f32 %f1, [%rd1]; mov.u32 %r5, %tid.x; add.s32 %r2, %r2, %r5;\n"
				   "LOOP: shl.b32 %r3, %r1, 2; add.s32 %r4, %r2, %r3;\n"
				   "ld.shared.f32 %f2, [%r4]; mul.f32 %f3, %f2, %f2; sub.f32 %f1, %f1, %f3;\n"
				   "add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, %r6; @%p1 bra LOOP;\n"
				   "st.global.f32 [%rd1], %f1;\n"
				   "ret;\n}\n";

static void test_offsets_stand_for_addresses(void **state)
{
	struct diag d = DIAG_INIT;
	struct machine_kernel *m = lower(indexed_loop, NULL, &d);
	const struct machine_region *r;
	struct machine_block b;

	(void)state;
	assert_non_null(m);
	r = m->blocks[1].region;
	assert_non_null(r);
	b = (struct machine_block){.insts = r->insts, .ninsts = r->ninsts};
	assert_int_equal(count_op(&b, MACHINE_LDS), 4);
	assert_int_equal(count_op(&b, MACHINE_FFMA), 4);
	assert_int_equal(count_op(&b, MACHINE_LEA), 1);
	assert_int_equal(r->ninsts, 4 + 4 + 1 + 3); /* the address; the counter, its comparison and the branch */
	machine_kernel_free(m);
}

/* A number that the front end left as a conversion: the product with it becomes a part of the load's address. */
static const char numbers[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
			      ".visible .entry k(.param .u64 p)\n{\n"
			      ".reg .f32 %f<4>; .reg .b32 %r<9>; .shared .align 4 .b8 a[4096];\n"
			      "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, a; add.s32 %r4, %r3, %r2;\n"
			      "mov.f32 %f1, 0f40000000; cvt.rzi.s32.f32 %r5, %f1; shr.u32 %r6, %r5, 1;\n"
			      "mad.lo.s32 %r7, %r6, 64, %r4; ld.shared.f32 %f2, [%r7];\n"
			      "st.shared.f32 [%r4], %f2;\n"
			      "ret;\n}\n";

static void test_numbers_are_folded(void **state)
{
	struct diag d = DIAG_INIT;
	struct machine_kernel *m = lower(numbers, NULL, &d);

	(void)state;
	assert_non_null(m);
	assert_int_equal(count_op(&m->blocks[0], MACHINE_F2I), 0);
	assert_int_equal(count_op(&m->blocks[0], MACHINE_IADD3) + count_op(&m->blocks[0], MACHINE_LEA), 0);
	machine_kernel_free(m);
}

/* Two quotients by one divisor have one reciprocal; a sum that is there already is not computed again. */
static const char quotients[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
				".visible .entry k(.param .u64 p, .param .u32 n)\n{\n"
				".reg .b32 %r<9>; .reg .b64 %rd<3>;\n"
				"ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x;\n"
				"div.u32 %r3, %r2, %r1; xor.b32 %r4, %r2, 5; div.u32 %r5, %r4, %r1;\n"
				"xor.b32 %r6, %r2, 5;\n"
				"st.global.u32 [%rd1], %r3; st.global.u32 [%rd1+4], %r5;\n"
				"st.global.u32 [%rd1+8], %r6;\n"
				"ret;\n}\n";

static void test_values_are_computed_once(void **state)
{
	struct diag d = DIAG_INIT;
	struct machine_kernel *m = lower(quotients, NULL, &d);

	(void)state;
	assert_non_null(m);
	assert_int_equal(count_op(&m->blocks[0], MACHINE_MUFU), 1);
	assert_int_equal(count_op(&m->blocks[0], MACHINE_LOP3), 3); /* one of them in each division */
	machine_kernel_free(m);
}

/* 48 words are loaded before the first sum needs one, as the schedule has it. */
static void test_registers_that_are_live(void **state)
{
	struct diag d = DIAG_INIT;
	struct machine_kernel *m;
	char text[8192];
	size_t at = (size_t)snprintf(text, sizeof text,
				     ".version 7.0\n.target sm_70\n.address_size 64\n"
				     ".visible .entry k(.param .u64 p)\n{\n"
				     ".reg .f32 %%f<200>; .reg .b64 %%rd<3>;\n"
				     "ld.param.u64 %%rd1, [p];\n");

	(void)state;
	for (unsigned i = 0; i < 48; i++)
		at += (size_t)snprintf(text + at, sizeof text - at, "ld.global.f32 %%f%u, [%%rd1+%u];\n", i, 4 * i);
	at += (size_t)snprintf(text + at, sizeof text - at, "mov.f32 %%f100, 0f3F800000;\n");
	for (unsigned i = 0; i < 48; i++)
		at += (size_t)snprintf(text + at, sizeof text - at, "add.f32 %%f%u, %%f%u, %%f%u;\n", 101 + i, 100 + i,
				       i);
	snprintf(text + at, sizeof text - at, "st.global.f32 [%%rd1], %%f148;\nret;\n}\n");
	m = lower(text, NULL, &d);
	assert_non_null(m);
	assert_in_range(m->registers_per_thread, 48, 64);
	machine_kernel_free(m);
}

static void test_latencies(void **state)
{
	(void)state;
	assert_int_equal(machine_latency(MACHINE_VOLTA, MACHINE_FMA, MACHINE_FMA), 4);
	assert_int_equal(machine_latency(MACHINE_VOLTA, MACHINE_ALU, MACHINE_FMA), 5);
	assert_int_equal(machine_latency(MACHINE_VOLTA, MACHINE_ALU, MACHINE_LSU), 8);
	assert_int_equal(machine_latency(MACHINE_AMPERE, MACHINE_ALU, MACHINE_LSU), 5);
	assert_int_equal(machine_latency(MACHINE_HOPPER, MACHINE_ALU, MACHINE_BRANCH), 13);
	assert_int_equal(machine_latency(MACHINE_VOLTA, MACHINE_LSU, MACHINE_ALU), 0);
	assert_true(machine_variable_latency(MACHINE_VOLTA, MACHINE_LSU) > 0);
}

static void test_a_predicate_is_later_than_a_source(void **state)
{
	(void)state;
	assert_int_equal(machine_latency(MACHINE_VOLTA, MACHINE_ALU, MACHINE_ALU), 4);
	assert_int_equal(machine_guard_latency(MACHINE_VOLTA, MACHINE_ALU), 12);
	assert_int_equal(machine_guard_latency(MACHINE_HOPPER, MACHINE_ALU), 13);
}

/* Products of 64 bits take Volta's FMA unit twice as long as sums of floats, and another unit later. */
static void test_units(void **state)
{
	struct machine_inst in = {.op = MACHINE_LDS};

	(void)state;
	assert_int_equal(machine_unit(MACHINE_VOLTA, MACHINE_IMAD_WIDE), MACHINE_FMA);
	assert_int_equal(machine_unit(MACHINE_VOLTA, MACHINE_IMAD), MACHINE_FMA);
	assert_int_equal(machine_unit(MACHINE_HOPPER, MACHINE_IMAD), MACHINE_WIDE);
	assert_int_equal(machine_unit(MACHINE_HOPPER, MACHINE_FFMA), MACHINE_FMA);
	assert_int_equal(machine_interval(MACHINE_VOLTA, MACHINE_IMAD_WIDE), 4);
	assert_int_equal(machine_interval(MACHINE_VOLTA, MACHINE_FFMA), 2);
	assert_int_equal(machine_interval(MACHINE_HOPPER, MACHINE_FFMA), 1);
	assert_int_equal(machine_interval(MACHINE_HOPPER, MACHINE_IMAD), 2);
	in.bytes = 16;
	assert_int_equal(machine_inst_interval(MACHINE_VOLTA, &in), 8);
	assert_int_equal(machine_inst_interval(MACHINE_AMPERE, &in), 4);
	in.bytes = 8;
	assert_int_equal(machine_inst_interval(MACHINE_VOLTA, &in), 4);
}

static void test_a_table_of_other_code_is_an_error(void **state)
{
	const struct trace_block short_block[] = {{0, 4}};
	const struct trace_kernel table = {.insts = rows, .ninsts = 4, .blocks = short_block, .nblocks = 1};
	struct diag d = DIAG_INIT;

	(void)state;
	assert_null(lower(saxpy, &table, &d));
	assert_non_null(strstr(d.message, "other instructions than the trace's table"));
}

static void test_a_kernel_that_is_missing_is_an_error(void **state)
{
	struct diag d = DIAG_INIT;

	(void)state;
	assert_null(lower(".version 7.0\n.target sm_70\n.address_size 64\n", NULL, &d));
	assert_non_null(strstr(d.message, "no kernel 'k'"));
}

static void test_names(void **state)
{
	(void)state;
	assert_string_equal(machine_op_name(MACHINE_IADD3), "IADD3");
	assert_string_equal(machine_pipe_name(machine_op_pipe(MACHINE_MUFU)), "xu");
	assert_int_equal(machine_generation_by_name("Turing"), MACHINE_VOLTA);
	assert_int_equal(machine_generation_by_name("kepler"), MACHINE_GENERATION_COUNT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_each_access_is_performed_once),
	    cmocka_unit_test(test_functions_of_tables_are_lowered),
	    cmocka_unit_test(test_shared_loads_side_by_side_are_joined),
	    cmocka_unit_test(test_shared_stores_side_by_side_are_joined),
	    cmocka_unit_test(test_a_short_arm_is_predicated),
	    cmocka_unit_test(test_operations_are_fused_and_loads_come_first),
	    cmocka_unit_test(test_loops_are_unrolled),
	    cmocka_unit_test(test_short_loops_are_unrolled_whole),
	    cmocka_unit_test(test_offsets_stand_for_addresses),
	    cmocka_unit_test(test_numbers_are_folded),
	    cmocka_unit_test(test_values_are_computed_once),
	    cmocka_unit_test(test_registers_that_are_live),
	    cmocka_unit_test(test_latencies),
	    cmocka_unit_test(test_units),
	    cmocka_unit_test(test_a_predicate_is_later_than_a_source),
	    cmocka_unit_test(test_a_table_of_other_code_is_an_error),
	    cmocka_unit_test(test_a_kernel_that_is_missing_is_an_error),
	    cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
