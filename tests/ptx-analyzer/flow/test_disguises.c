/*
 * Pointers that come back in disguise: an address with one pointer as its base that holds bits of another. Such an
 * access may reach anything, so it ends every mark; and what is only a number must not end any.
 */
#include "tests/ptx-analyzer/flow/subject.h"

#define LOAD_B "ld.global.f32 %f1, [%rd2];\n"

/* Marked loads of kernel `k` of `body`. */
static unsigned marked(const char *body, enum alias_level alias)
{
	struct subject s;
	unsigned n;

	analyze_body(&s, body, alias);
	n = ptx_kernel_facts(s.analysis, "k")->loads_marked;
	release(&s);
	return n;
}

/* Each stores to b through an address whose base is a; the difference of the two is %rd20. */
static void test_bits_of_another_pointer_end_marks(void **state)
{
	static const char *const stores[] = {
	    /* (int)(b - a), in a register and through memory of every kind */
	    "cvt.u32.u64 %r2, %rd20; cvt.s64.s32 %rd21, %r2; add.s64 %rd22, %rd1, %rd21;",
	    "cvt.u32.u64 %r2, %rd20; mul.wide.s32 %rd21, %r2, 4; add.s64 %rd22, %rd1, %rd21;",
	    ".local .align 4 .b8 l[8]; cvt.u32.u64 %r2, %rd20; st.local.u32 [l], %r2; ld.local.s32 %rd21, [l];"
	    "add.s64 %rd22, %rd1, %rd21;",
	    ".shared .align 4 .b8 m[8]; cvt.u32.u64 %r2, %rd20; st.shared.u32 [m], %r2; bar.sync 0;"
	    "ld.shared.s32 %rd21, [m]; add.s64 %rd22, %rd1, %rd21;",
	    "cvt.u32.u64 %r2, %rd20; st.global.u32 [%rd3], %r2; ld.global.s32 %rd21, [%rd3];"
	    "add.s64 %rd22, %rd1, %rd21;",
	    /* bytes and halves */
	    "cvt.u16.u64 %r2, %rd20; cvt.s64.s16 %rd21, %r2; add.s64 %rd22, %rd1, %rd21;",
	    "prmt.b32 %r3, %r1, 0, 12816; cvt.u32.u64 %r2, %rd20; prmt.b32 %r2, %r2, %r3, 12816;"
	    "cvt.s64.s32 %rd21, %r2; add.s64 %rd22, %rd1, %rd21;",
	    /* 3d - 2d, and shifts twice */
	    "mul.lo.s64 %rd21, %rd20, 3; shl.b64 %rd22, %rd20, 1; sub.s64 %rd22, %rd21, %rd22;"
	    "add.s64 %rd22, %rd1, %rd22;",
	    "shl.b64 %rd21, %rd20, 2; shl.b64 %rd21, %rd21, 2; shr.s64 %rd21, %rd21, 1; shr.s64 %rd21, %rd21, 3;"
	    "cvt.u32.u64 %r2, %rd21; cvt.s64.s32 %rd21, %r2; add.s64 %rd22, %rd1, %rd21;",
	    /* floating point */
	    ".reg .f64 %fd<3>; cvt.rn.f64.s64 %fd1, %rd20; cvt.rzi.s64.f64 %rd21, %fd1; add.s64 %rd22, %rd1, %rd21;",
	    ".reg .f64 %fd<3>; mov.b64 %fd1, %rd2; abs.f64 %fd2, %fd1; mov.b64 %rd21, %fd2; sub.s64 %rd21, %rd21, %rd1;"
	    "cvt.u32.u64 %r2, %rd21; cvt.s64.s32 %rd21, %r2; add.s64 %rd22, %rd1, %rd21;",
	    /* remainders, and the place of the highest bit */
	    "rem.u64 %rd21, %rd2, 65521; add.s64 %rd22, %rd1, %rd21;",
	    "bfind.u64 %r2, %rd20; mul.wide.u32 %rd21, %r2, 4; add.s64 %rd22, %rd1, %rd21;",
	    /* a power of two */
	    "cvt.u32.u64 %r2, %rd20; mov.u32 %r3, 1; shl.b32 %r3, %r3, %r2; cvt.u64.u32 %rd21, %r3;"
	    "add.s64 %rd22, %rd1, %rd21;",
	    /* words of memory that the kernel never follows, as they are */
	    "ld.global.u64 %rd20, [%rd3]; ld.global.u64 %rd21, [%rd3+8]; sub.s64 %rd20, %rd20, %rd21;"
	    "add.s64 %rd22, %rd1, %rd20;",
	    /* through a surface, by itself and to a texture of the same array; as two halves */
	    "cvt.u32.u64 %r2, %rd20; sust.b.1d.b32.trap [%rd4, {%r1}], {%r2}; suld.b.1d.b32.trap {%r3}, [%rd4, {%r1}];"
	    "cvt.s64.s32 %rd21, %r3; add.s64 %rd22, %rd1, %rd21;",
	    "cvt.u32.u64 %r2, %rd20; sust.b.1d.b32.trap [%rd4, {%r1}], {%r2};"
	    "tex.1d.v4.s32.s32 {%r3, %r4, %r5, %r6}, [%rd13, {%r1}]; cvt.s64.s32 %rd21, %r3; add.s64 %rd22, %rd1, %rd21;",
	    "mov.b64 {%r2, %r3}, %rd2; sust.b.1d.v2.b32.trap [%rd4, {%r1}], {%r2, %r3};"
	    "suld.b.1d.v2.b32.trap {%r4, %r5}, [%rd4, {%r1}]; mov.b64 %rd22, {%r4, %r5};",
	    /* through tensor memory, in a product of matrices in shared memory, as the count of a barrier */
	    "cvt.u32.u64 %r2, %rd20; tcgen05.st.sync.aligned.32x32b.x1.b32 [%r1], {%r2};"
	    "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, [%r1]; cvt.s64.s32 %rd21, %r3; add.s64 %rd22, %rd1, %rd21;",
	    ".shared .align 16 .b8 m[2048]; cvt.u32.u64 %r2, %rd20; st.shared.u32 [m], %r2;"
	    "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%r3, %r4, %r5, %r6}, %rd5, %rd6, 1;"
	    "cvt.s64.s32 %rd21, %r3; add.s64 %rd22, %rd1, %rd21;",
	    ".shared .align 16 .b8 m[2048]; cvt.u32.u64 %r2, %rd20; st.shared.u32 [m], %r2;"
	    "tcgen05.cp.cta_group::1.128x256b [%r1], %rd5;"
	    "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, [%r1]; cvt.s64.s32 %rd21, %r3; add.s64 %rd22, %rd1, %rd21;",
	    ".shared .align 8 .b8 m[8]; cvt.u32.u64 %r2, %rd20; mbarrier.init.shared.b64 [m], %r2;"
	    "mbarrier.arrive.shared.b64 %rd21, [m]; mbarrier.pending_count.b64 %r3, %rd21;"
	    "cvt.s64.s32 %rd21, %r3; add.s64 %rd22, %rd1, %rd21;",
	    /* the choice of an instruction with a predicate */
	    "setp.gt.s64 %p1, %rd20, 0; mov.u32 %r2, 0; @%p1 mov.u32 %r2, 1; mul.wide.u32 %rd21, %r2, 4;"
	    "add.s64 %rd22, %rd1, %rd21;",
	    /* the upper half of one pointer and the lower of the other */
	    "mov.b64 {%r2, %r3}, %rd1; mov.b64 {%r4, %r5}, %rd2; mov.b64 %rd22, {%r4, %r3};",
	    "and.b64 %rd21, %rd1, -4294967296; and.b64 %rd22, %rd2, 4294967295; or.b64 %rd22, %rd21, %rd22;",
	};

	(void)state;
	for (size_t i = 0; i < sizeof stores / sizeof *stores; i++) {
		struct strbuf body = STRBUF_INIT;

		strbuf_adds(&body, LOAD_B "sub.s64 %rd20, %rd2, %rd1;\n");
		strbuf_adds(&body, stores[i]);
		strbuf_adds(&body, "\nst.global.f32 [%rd22], %f1;");
		if (marked(body.data, ALIAS_GUARDED) || marked(body.data, ALIAS_STRICT))
			fail_msg("%s: a load is marked", stores[i]);
		strbuf_release(&body);
	}
}

/* Where the kernel writes c by name, a load through such an address is not marked either. */
static void test_loads_in_disguise_are_not_marked(void **state)
{
	(void)state;
	assert_int_equal(marked("sub.s64 %rd20, %rd3, %rd1; cvt.u32.u64 %r2, %rd20; cvt.s64.s32 %rd21, %r2;"
				"add.s64 %rd22, %rd1, %rd21; ld.global.f32 %f1, [%rd22]; st.global.f32 [%rd3], %f1;",
				ALIAS_GUARDED),
			 0);
}

/* Indices, strides, lengths and alignments: the load of b keeps its mark. */
static void test_numbers_end_no_mark(void **state)
{
	static const char *const stores[] = {
	    "ld.global.u32 %r2, [%rd2+4]; mul.wide.u32 %rd20, %r2, 4; add.s64 %rd22, %rd1, %rd20;",
	    "ld.global.u64 %rd20, [%rd2+8]; shl.b64 %rd21, %rd20, 2; add.s64 %rd22, %rd1, %rd21;",
	    "ld.global.u64 %rd20, [%rd2+8]; ld.global.u64 %rd21, [%rd2+16]; sub.s64 %rd23, %rd21, %rd20;"
	    "shl.b64 %rd24, %rd23, 2; add.s64 %rd22, %rd1, %rd24;",
	    "mul.wide.s32 %rd20, %r1, 4; add.s64 %rd22, %rd1, %rd20;",
	    "add.s64 %rd22, %rd1, %rd4;",
	    "shl.b64 %rd20, %rd4, 3; add.s64 %rd22, %rd1, %rd20;",
	    "cvt.rn.f32.s32 %f2, %r1; mul.f32 %f2, %f2, %f1; cvt.rzi.s32.f32 %r2, %f2; mul.wide.s32 %rd20, %r2, 4;"
	    "add.s64 %rd22, %rd1, %rd20;",
	    "rem.u32 %r2, %r1, 17; mul.wide.u32 %rd20, %r2, 4; add.s64 %rd22, %rd1, %rd20;",
	    "sub.s32 %r2, 100, %r1; mul.wide.s32 %rd20, %r2, 4; add.s64 %rd22, %rd1, %rd20;",
	    /* a's own halves, put together again with a number added below */
	    "cvt.u32.u64 %r2, %rd1; add.s32 %r2, %r2, 64; cvt.u64.u32 %rd20, %r2; and.b64 %rd21, %rd1, -4294967296;"
	    "or.b64 %rd22, %rd21, %rd20;",
	};

	(void)state;
	for (size_t i = 0; i < sizeof stores / sizeof *stores; i++) {
		struct strbuf body = STRBUF_INIT;

		strbuf_adds(&body, LOAD_B);
		strbuf_adds(&body, stores[i]);
		strbuf_adds(&body, "\nst.global.f32 [%rd22], %f1;");
		if (!marked(body.data, ALIAS_GUARDED))
			fail_msg("%s: no load is marked", stores[i]);
		strbuf_release(&body);
	}
}

/* All dynamic shared memory is at one address: a pointer stored under one name is loaded under the other. */
static void test_dynamic_shared_memory_has_one_address(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct subject s;

	(void)state;
	strbuf_adds(&text, HEADER ".extern .shared .align 8 .b8 one[];\n.extern .shared .align 8 .b8 two[];\n");
	add_kernel(&text, LOAD_B "st.shared.u64 [one], %rd2; bar.sync 0; ld.shared.u64 %rd20, [two];"
				 "st.global.f32 [%rd20], %f1;");
	analyze(&s, text.data, ALIAS_DISTINCT);
	assert_int_equal(find(&s, "k", "p1")->verdict, VERDICT_READ_WRITE);
	release(&s);
	strbuf_release(&text);
}

/* Address 0 of shared memory is memory like any other, not the null pointer. */
static void test_shared_memory_begins_at_zero(void **state)
{
	(void)state;
	assert_int_equal(verdict(".shared .align 8 .b8 m[8]; " LOAD_B "st.shared.u64 [m], %rd1; mov.u64 %rd20, 0;"
				 "st.shared.u64 [%rd20], %rd2; ld.shared.u64 %rd21, [m]; st.global.f32 [%rd21], %f1;",
				 "p1", ALIAS_DISTINCT),
			 VERDICT_READ_WRITE);
}

/* A kernel that gives a function shared memory forbids the marks that another kernel, with global memory, allows. */
static void test_function_of_two_spaces_is_not_marked(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct subject s;

	(void)state;
	strbuf_adds(&text, HEADER
		    ".func (.param .b32 z) get(.param .b64 x)\n{\n.reg .b64 %rd<2>; .reg .f32 %f<2>;\n"
		    "ld.param.u64 %rd1, [x]; ld.f32 %f1, [%rd1]; st.param.f32 [z], %f1; ret;\n}\n"
		    ".visible .entry other()\n{\n.shared .align 8 .b8 m[8]; .reg .b64 %rd<3>; .reg .f32 %f<2>;\n"
		    "mov.u64 %rd1, m; cvta.shared.u64 %rd2, %rd1; { .param .b64 x; .param .b32 z;\n"
		    "st.param.b64 [x], %rd2; call (z), get, (x); ld.param.f32 %f1, [z]; }\nst.shared.f32 [m], %f1;\n"
		    "ret;\n}\n");
	add_kernel(&text, "{ .param .b64 x; .param .b32 z; st.param.b64 [x], %rd2; call (z), get, (x);"
			  "ld.param.f32 %f1, [z]; }\nst.global.f32 [%rd1], %f1;");
	analyze(&s, text.data, ALIAS_DISTINCT);
	assert_int_equal(ptx_kernel_facts(s.analysis, "k")->loads_marked, 0);
	assert_int_equal(ptx_mark_loads(s.analysis, LOAD_RO), 0);
	release(&s);
	strbuf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_bits_of_another_pointer_end_marks),
	    cmocka_unit_test(test_loads_in_disguise_are_not_marked),
	    cmocka_unit_test(test_numbers_end_no_mark),
	    cmocka_unit_test(test_dynamic_shared_memory_has_one_address),
	    cmocka_unit_test(test_shared_memory_begins_at_zero),
	    cmocka_unit_test(test_function_of_two_spaces_is_not_marked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
