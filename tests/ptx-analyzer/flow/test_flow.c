/*
 * Pointer origins on PTX written by hand: what compilers rarely emit but may, inputs that could run away, and sets.
 */
#include "ptx-analyzer/flow/sets.h"
#include "ptx-analyzer/language/text/ptx_text.h"
#include "tests/ptx-analyzer/flow/subject.h"

#define LOAD_A "ld.global.f32 %f1, [%rd1];\n"

static void test_bit_tricks(void **state)
{
	static const char *const writes_b[] = {
	    /* exchange by exclusive or */
	    "xor.b64 %rd20, %rd1, %rd2; xor.b64 %rd21, %rd20, %rd1; st.global.f32 [%rd21], %f1;",
	    /* a difference of two pointers added to one of them */
	    "sub.s64 %rd20, %rd2, %rd1; add.s64 %rd21, %rd1, %rd20; st.global.f32 [%rd21], %f1;",
	    /* aligned by shifts and by division */
	    "shr.u64 %rd20, %rd2, 5; shl.b64 %rd21, %rd20, 5; st.global.f32 [%rd21], %f1;",
	    "shl.b64 %rd20, %rd2, 8; mul.hi.u64 %rd21, %rd20, 72057594037927936; st.global.f32 [%rd21], %f1;",
	    "div.u64 %rd20, %rd2, 12; mul.lo.s64 %rd21, %rd20, 12; st.global.f32 [%rd21], %f1;",
	    "and.b64 %rd20, %rd2, -128; st.global.f32 [%rd20], %f1;",
	    "and.b64 %rd20, %rd2, 127; sub.s64 %rd21, %rd2, %rd20; st.global.f32 [%rd21], %f1;",
	    /* halves */
	    "mov.b64 {%r2, %r3}, %rd2; mov.b64 %rd20, {%r2, %r3}; st.global.f32 [%rd20], %f1;",
	    "cvt.u32.u64 %r2, %rd2; shr.u64 %rd20, %rd2, 32; shl.b64 %rd21, %rd20, 32; cvt.u64.u32 %rd22, %r2;"
	    "or.b64 %rd23, %rd21, %rd22; st.global.f32 [%rd23], %f1;",
	    "mov.b64 {%r2, %r3}, %rd2; cvt.u64.u32 %rd20, %r3; mul.lo.s64 %rd21, %rd20, 4294967296;"
	    "cvt.u64.u32 %rd22, %r2; add.s64 %rd23, %rd21, %rd22; st.global.f32 [%rd23], %f1;",
	    "mov.b64 {%r2, %r3}, %rd2; cvt.u64.u32 %rd20, %r2; cvt.u64.u32 %rd21, %r3;"
	    "bfi.b64 %rd22, %rd21, %rd20, 32, 32; st.global.f32 [%rd22], %f1;",
	    /* through predicates, shuffles and other lanes */
	    "setp.eq.u32 %p1, %r1, 0; selp.b64 %rd20, %rd1, %rd2, %p1; st.global.f32 [%rd20], %f1;",
	    "min.u64 %rd20, %rd1, %rd2; st.global.f32 [%rd20], %f1;",
	    "mov.b64 {%r2, %r3}, %rd2; shfl.sync.idx.b32 %r4, %r2, 0, 31, -1; shfl.sync.idx.b32 %r5, %r3, 0, 31, -1;"
	    "mov.b64 %rd20, {%r4, %r5}; st.global.f32 [%rd20], %f1;",
	    /* a parameter chosen by its address */
	    "setp.eq.u32 %p1, %r1, 0; mov.b64 %rd20, a; mov.b64 %rd21, b; selp.b64 %rd22, %rd20, %rd21, %p1;"
	    "ld.param.b64 %rd23, [%rd22]; st.f32 [%rd23], %f1;",
	    /* halves of two pointers side by side in memory */
	    ".local .align 8 .b8 buf[8]; mov.b64 {%r2, %r3}, %rd1; mov.b64 {%r4, %r5}, %rd2; st.local.u32 [buf], %r2;"
	    "st.local.u32 [buf+4], %r5; ld.local.u64 %rd20, [buf]; st.global.f32 [%rd20], %f1;",
	    /* a register used for two things */
	    "mov.u64 %rd20, %rd1; mov.u64 %rd20, %rd2; st.global.f32 [%rd20], %f1;",
	    "st.f32 [%rd12], %f1;",
	    "mov.b64 {%r2, %r3}, %rd2; prmt.b32 %r4, %r2, 0, 12816; prmt.b32 %r5, %r3, 0, 12816;"
	    "mov.b64 %rd20, {%r4, %r5}; st.global.f32 [%rd20], %f1;",
	};

	(void)state;
	for (size_t i = 0; i < sizeof writes_b / sizeof *writes_b; i++) {
		int v = verdict(writes_b[i], "p1", ALIAS_DISTINCT);

		if (v != VERDICT_WRITE_ONLY && v != VERDICT_READ_WRITE)
			fail_msg("%s: verdict %d", writes_b[i], v);
	}
}

/* A multiple or a part of a pointer is no base: the number that is added to it may be the pointer. */
static void test_part_of_pointer_is_no_base(void **state)
{
	static const char *const parts[] = {"mul.lo.s64 %rd20, %rd1, 8;",
					    "cvt.u32.u64 %r2, %rd1; cvt.u64.u32 %rd20, %r2;"};

	(void)state;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		struct strbuf body = STRBUF_INIT;

		strbuf_adds(&body, parts[i]);
		strbuf_adds(&body, "add.s64 %rd21, %rd20, %rd4; st.global.f32 [%rd21], %f1;");
		assert_int_equal(verdict(body.data, "p3", ALIAS_DISTINCT), VERDICT_WRITE_ONLY);
		strbuf_release(&body);
	}
}

static void test_unknown_stores_kill(void **state)
{
	static const char *const unknown[] = {
	    "st.global.f32 [4096], %f1;",
	    "{ .param .b64 q; st.param.b64 [q], %rd3; proto: .callprototype _ (.param .b64 x); call %rd4, (q), proto; }",
	    "mul.wide.u32 %rd20, %r1, 4; st.global.f32 [%rd20], %f1;",
	    "atom.global.exch.b64 %rd20, [%rd2], 0; st.global.f32 [%rd20], %f1;",
	    "ld.global.u64 %rd20, [%rd2]; ld.global.u64 %rd21, [%rd20]; st.global.f32 [%rd21], %f1;",
	    "ld.global.u64 %rd20, [%rd2]; st.global.u64 [%rd2], %rd3; st.global.f32 [%rd20], %f1;",
	};

	(void)state;
	for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
		struct strbuf body = STRBUF_INIT;

		strbuf_adds(&body, LOAD_A);
		strbuf_adds(&body, unknown[i]);
		if (verdict(body.data, "p0", ALIAS_GUARDED) != VERDICT_READ_WRITE)
			fail_msg("guarded: %s", unknown[i]);
		if (verdict(body.data, "p0", ALIAS_STRICT) != VERDICT_READ_WRITE)
			fail_msg("strict: %s", unknown[i]);
		if (verdict(body.data, "p0", ALIAS_DISTINCT) != VERDICT_READ_ONLY)
			fail_msg("distinct: %s", unknown[i]);
		strbuf_release(&body);
	}
}

/* A loaded pointer and what is subtracted from it, or it from, are pointers both. */
static void test_differences_with_loaded_pointers(void **state)
{
	static const char *const elsewhere[] = {
	    "ld.global.u64 %rd20, [%rd2]; sub.s64 %rd21, %rd4, %rd20; cvt.u32.u64 %r2, %rd21; cvt.s64.s32 %rd22, %r2;"
	    "add.s64 %rd23, %rd20, %rd22; st.global.f32 [%rd23], %f1;",
	    "ld.global.u64 %rd20, [%rd2]; ld.global.u64 %rd24, [%rd3]; sub.s64 %rd21, %rd24, %rd20;"
	    "cvt.u32.u64 %r2, %rd21; cvt.s64.s32 %rd22, %r2; add.s64 %rd23, %rd20, %rd22; st.global.f32 [%rd23], %f1;",
	    "ld.global.u64 %rd20, [%rd2]; ld.global.u64 %rd24, [%rd2+8]; sub.s64 %rd21, %rd24, %rd20;"
	    "add.s64 %rd23, %rd3, %rd21; st.global.f32 [%rd23], %f1; st.global.f32 [%rd20], %f1;",
	};
	const char *inside =
	    LOAD_A "ld.global.u64 %rd20, [%rd2]; ld.global.u64 %rd24, [%rd2+8]; sub.s64 %rd21, %rd24, %rd20;"
		   "shl.b64 %rd25, %rd21, 2; add.s64 %rd23, %rd3, %rd25; st.global.f32 [%rd23], %f1;"
		   "st.global.f32 [%rd20], %f1;";

	(void)state;
	assert_int_equal(verdict(inside, "p0", ALIAS_GUARDED), VERDICT_READ_ONLY);
	for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++) {
		struct strbuf body = STRBUF_INIT;

		strbuf_adds(&body, LOAD_A);
		strbuf_adds(&body, elsewhere[i]);
		if (verdict(body.data, "p0", ALIAS_GUARDED) != VERDICT_READ_WRITE)
			fail_msg("%s", elsewhere[i]);
		strbuf_release(&body);
	}
}

/* A load that may be of shared memory is marked only where the code asks before. */
static void test_loads_that_are_asked_to_be_global(void **state)
{
#define EITHER                                                                                                         \
	".shared .align 8 .b8 tile[64]; mov.u64 %rd20, tile; cvta.shared.u64 %rd20, %rd20; setp.eq.u32 %p3, %r1, 0;"   \
	"selp.b64 %rd21, %rd11, %rd20, %p3; st.global.f32 [%rd3], %f1;"
	static const char *const asked[] = {
	    EITHER "isspacep.global %p1, %rd21; @%p1 ld.f32 %f1, [%rd21];",
	    EITHER "isspacep.global %p1, %rd21; add.u32 %r2, %r1, 1; @%p1 ld.f32 %f1, [%rd21+4];",
	    EITHER "isspacep.global %p1, %rd21; @!%p1 bra $end; ld.f32 %f1, [%rd21];\n$end:",
	    EITHER "isspacep.global %p1, %rd21; @%p1 bra $yes; bra $end;\n$yes: ld.f32 %f1, [%rd21];\n$end:",
	    EITHER
	    "isspacep.global %p1, %rd21; bra next; next: @!%p1 bra $end; bra more; more: ld.f32 %f1, [%rd21];\n$end:",
	    EITHER "isspacep.global %p1, %rd21; @!%p1 bra $end;\n$loop: ld.f32 %f1, [%rd21]; @%p2 bra $loop;\n$end:",
	    EITHER
	    "isspacep.global %p1, %rd21; @!%p1 bra $end; @%p2 bra $b; add.u32 %r2, %r1, 1;\n$b: ld.f32 %f1, [%rd21];\n$end:",
	    "bra $top;\n$top:" EITHER
	    "isspacep.global %p1, %rd21; @!%p1 bra $end; ld.f32 %f1, [%rd21];\n$end: @%p2 bra $top;",
	};
	static const char *const other[] = {
	    EITHER "ld.f32 %f1, [%rd21];",
	    EITHER "isspacep.global %p1, %rd21; @!%p1 ld.f32 %f1, [%rd21];",
	    EITHER "isspacep.shared %p1, %rd21; @%p1 ld.f32 %f1, [%rd21];",
	    EITHER "isspacep.global %p1, %rd11; @%p1 ld.f32 %f1, [%rd21];",
	    EITHER "isspacep.global %p1, %rd21; @%p3 ld.f32 %f1, [%rd21];",
	    EITHER "isspacep.global %p1, %rd21; selp.b64 %rd21, %rd11, %rd20, %p3; @%p1 ld.f32 %f1, [%rd21];",
	    EITHER "isspacep.global %p1, %rd21; setp.eq.u32 %p1, %r1, 1; @%p1 ld.f32 %f1, [%rd21];",
	    EITHER "mov.pred %p1, -1; @%p3 isspacep.global %p1, %rd21; @%p1 ld.f32 %f1, [%rd21];",
	    EITHER "isspacep.global %p1, %rd21; bra next; next: @%p1 ld.f32 %f1, [%rd21];",
	    EITHER "isspacep.global %p1, %rd21; @%p1 bra $end; ld.f32 %f1, [%rd21];\n$end:",
	    EITHER "isspacep.global %p1, %rd21; @!%p1 bra $yes; bra $end;\n$yes: ld.f32 %f1, [%rd21];\n$end:",
	    EITHER "isspacep.shared %p1, %rd21; @!%p1 bra $end; ld.f32 %f1, [%rd21];\n$end:",
	    EITHER "isspacep.global %p1, %rd20; @!%p1 bra $end; ld.f32 %f1, [%rd21];\n$end:",
	    EITHER "isspacep.global %p1, %rd21; @!%p1 bra $end; add.u32 %r2, %r1, 1;\n$end: ld.f32 %f1, [%rd21];",
	    EITHER "isspacep.global %p1, %rd21; @!%p3 bra $end; ld.f32 %f1, [%rd21];\n$end:",
	    "bra $ask;\n$mid: add.s64 %rd21, %rd20, 0; bra $ld;\n$ask:" EITHER
	    "isspacep.global %p1, %rd21; @!%p1 bra $end; bra $mid;\n$ld: ld.f32 %f1, [%rd21];\n$end:",
	    EITHER "@%p2 bra $in; isspacep.global %p1, %rd21; @!%p1 bra $end;\n$in: ld.f32 %f1, [%rd21];\n$end:",
	    EITHER "isspacep.global %p1, %rd21; @!%p1 bra next; next: ld.f32 %f1, [%rd21];",
	    EITHER
	    "isspacep.global %p1, %rd21; @%p2 setp.eq.u32 %p1, %r1, 1; @!%p1 bra $end; ld.f32 %f1, [%rd21];\n$end:",
	    EITHER "isspacep.global %p1, %rd21; @!%p1 bra $end; add.s64 %rd21, %rd20, 0; ld.f32 %f1, [%rd21];\n$end:",
	    EITHER "isspacep.global %p1, %rd21; @!%p1 bra $end;\n$loop: ld.f32 %f1, [%rd21]; add.s64 %rd21, %rd20, 8;"
		   "@%p2 bra $loop;\n$end:",
	    EITHER "isspacep.global %p1, %rd22; @!%p1 bra $end; mov.u64 %rd22, %rd21; ld.f32 %f1, [%rd22];\n$end:",
	    EITHER "@!%p1 bra $end;\n$loop: isspacep.global %p1, %rd21; ld.f32 %f1, [%rd21]; @%p2 bra $loop;\n$end:",
	    "bra $top;\n$top:" EITHER
	    "@!%p1 bra $end; ld.f32 %f1, [%rd21];\n$end: isspacep.global %p1, %rd21; @%p2 bra $top;",
	};
	struct subject s;

	(void)state;
	for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
		analyze_body(&s, asked[i], ALIAS_GUARDED);
		assert_int_equal(find(&s, "k", "p0")->loads_marked, 1);
		release(&s);
	}
	for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
		analyze_body(&s, other[i], ALIAS_GUARDED);
		if (find(&s, "k", "p0")->loads_marked)
			fail_msg("%s", other[i]);
		release(&s);
	}
#undef EITHER
}

/* Where they go, a launch can tell as long as the kernel leaves the memory alone that they are loaded from. */
static void test_stores_through_loaded_pointers_are_guarded(void **state)
{
	static const char *const loaded[] = {
	    "st.global.f32 [%rd3], %f1; ld.global.u64 %rd20, [%rd2]; st.global.f32 [%rd20], %f1;",
	    "ld.global.u64 %rd20, [%rd2]; atom.global.add.f32 %f2, [%rd20], %f1;",
	    "ld.global.v2.u64 {%rd20, %rd21}, [%rd2]; add.s64 %rd21, %rd21, 4; st.global.f32 [%rd21], %f1;",
	};

	(void)state;
	for (size_t i = 0; i < sizeof loaded / sizeof *loaded; i++) {
		struct strbuf body = STRBUF_INIT;

		strbuf_adds(&body, LOAD_A);
		strbuf_adds(&body, loaded[i]);
		if (verdict(body.data, "p0", ALIAS_GUARDED) != VERDICT_READ_ONLY)
			fail_msg("guarded: %s", loaded[i]);
		if (verdict(body.data, "p0", ALIAS_STRICT) != VERDICT_READ_WRITE)
			fail_msg("strict: %s", loaded[i]);
		strbuf_release(&body);
	}
}

/*
 * The driver's memory for the grid's barrier is not the program's. But what is computed from its address and other
 * values may be.
 */
static void test_the_barrier_of_a_grid_is_no_data(void **state)
{
#define WORKSPACE "mov.u32 %r2, %envreg1; mov.u32 %r3, %envreg2; mov.b64 %rd20, {%r3, %r2};"
	static const char *const elsewhere[] = {
	    WORKSPACE "cvt.s64.s32 %rd21, %r3; add.s64 %rd21, %rd21, %rd2; st.global.f32 [%rd21], %f1;",
	    WORKSPACE "mov.b64 {%r3, %r4}, %rd1; mov.b64 %rd21, {%r3, %r2}; st.global.f32 [%rd21], %f1;",
	    WORKSPACE "st.u64 [%rd20], %rd1; ld.u64 %rd21, [%rd20]; st.global.f32 [%rd21], %f1;",
	    WORKSPACE "ld.u64 %rd21, [%rd20]; st.global.f32 [%rd21], %f1;",
	};
	const char *barrier =
	    LOAD_A WORKSPACE "atom.add.release.gpu.u32 %r4, [%rd20+4], %r5;\n"
			     "shl.b64 %rd21, %rd20, 32; shr.u64 %rd22, %rd20, 32; shl.b64 %rd22, %rd22, 32;\n"
			     "or.b64 %rd23, %rd21, %rd22; st.global.f32 [%rd23], %f1;";

	(void)state;
	assert_int_equal(verdict(barrier, "p0", ALIAS_GUARDED), VERDICT_READ_ONLY);
	assert_int_equal(verdict(barrier, "p0", ALIAS_STRICT), VERDICT_READ_ONLY);
	for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++) {
		struct strbuf body = STRBUF_INIT;

		strbuf_adds(&body, LOAD_A);
		strbuf_adds(&body, elsewhere[i]);
		if (verdict(body.data, "p0", ALIAS_GUARDED) != VERDICT_READ_WRITE)
			fail_msg("%s", elsewhere[i]);
		strbuf_release(&body);
	}
#undef WORKSPACE
}

/* The previous kernel may still write what this kernel loads. */
static void test_dependent_launch(void **state)
{
	const char *body = "griddepcontrol.wait;\n" LOAD_A;
	const struct structure *a;
	struct subject s;

	(void)state;
	analyze_body(&s, body, ALIAS_GUARDED);
	a = find(&s, "k", "p0");
	assert_int_equal(a->verdict, VERDICT_READ_WRITE);
	assert_non_null(strstr(a->why, "kernel before"));
	release(&s);
	assert_int_equal(verdict(body, "p0", ALIAS_STRICT), VERDICT_READ_WRITE);
	assert_int_equal(verdict(body, "p0", ALIAS_DISTINCT), VERDICT_READ_WRITE);
	assert_int_equal(verdict("griddepcontrol.launch_dependents;\n" LOAD_A, "p0", ALIAS_GUARDED), VERDICT_READ_ONLY);
}

/* Pointers in a packed struct are at odd offsets. A part of one may belong to any pointer of the struct. */
static void test_packed_struct(void **state)
{
	const struct structure *p;
	struct subject s;

	(void)state;
	analyze(&s,
		HEADER ".visible .entry k(.param .align 4 .b8 s[20])\n{\n.reg .b64 %rd<9>; .reg .b32 %r<9>;\n"
		       "ld.param.u64 %rd1, [s+4]; ld.global.u32 %r1, [%rd1];\n"
		       "ld.param.u32 %r2, [s+12]; ld.param.u32 %r3, [s+16]; mov.b64 %rd2, {%r2, %r3};\n"
		       "st.global.u32 [%rd2], %r1; ret;\n}\n",
		ALIAS_GUARDED);
	p = find(&s, "k", "p0+4");
	assert_non_null(p);
	assert_int_equal(p->param_offset, 4);
	assert_int_equal(p->verdict, VERDICT_READ_WRITE);
	assert_int_equal(find(&s, "k", "p0+*")->verdict, VERDICT_WRITE_ONLY);
	release(&s);
}

static void test_offsets_do_not_kill(void **state)
{
	static const char *const indexed[] = {
	    "ld.global.u32 %r2, [%rd2]; mul.wide.u32 %rd20, %r2, 4; add.s64 %rd21, %rd3, %rd20;"
	    "st.global.f32 [%rd21], %f1;",
	    "ld.global.u64 %rd20, [%rd2]; add.s64 %rd21, %rd3, %rd20; st.global.f32 [%rd21], %f1;",
	    "ld.global.u64 %rd20, [%rd2]; shl.b64 %rd21, %rd20, 2; add.s64 %rd22, %rd21, %rd3;"
	    "st.global.f32 [%rd22], %f1;",
	    "ld.global.u64 %rd20, [%rd2]; mad.lo.s64 %rd21, %rd20, 12, %rd3; st.global.f32 [%rd21], %f1;",
	    ("ld.global.u32 %r2, [%rd2]; shl.b32 %r3, %r2, 2; cvt.u64.u32 %rd20, %r3; add.s64 %rd21, %rd3, %rd20;"
	     "st.global.f32 [%rd21+16], %f1;"),
	    "add.s64 %rd21, %rd3, %rd4; st.global.f32 [%rd21], %f1;",
	};

	(void)state;
	for (size_t i = 0; i < sizeof indexed / sizeof *indexed; i++) {
		struct strbuf body = STRBUF_INIT;

		strbuf_adds(&body, LOAD_A);
		strbuf_adds(&body, indexed[i]);
		if (verdict(body.data, "p0", ALIAS_GUARDED) != VERDICT_READ_ONLY)
			fail_msg("%s", indexed[i]);
		strbuf_release(&body);
	}
}

static void test_reasons(void **state)
{
	const struct structure *a;
	struct subject s;

	(void)state;
	analyze_body(&s, LOAD_A "st.global.f32 [%rd2], %f1;", ALIAS_STRICT);
	a = find(&s, "k", "p0");
	assert_non_null(a->why);
	assert_non_null(strstr(a->why, "`st.global.f32` writes p1"));
	assert_int_equal(a->why_line, 12);
	release(&s);
	analyze_body(&s, "ld.volatile.global.f32 %f1, [%rd1];", ALIAS_GUARDED);
	a = find(&s, "k", "p0");
	assert_int_equal(a->verdict, VERDICT_READ_ONLY);
	assert_int_equal(a->loads_marked, 0);
	assert_non_null(strstr(a->why, "volatile"));
	release(&s);
}

static void test_guards(void **state)
{
	const struct kernel_facts *f;
	struct subject s;

	(void)state;
	analyze_body(&s, LOAD_A "st.global.f32 [%rd2], %f1; ld.global.nc.f32 %f2, [%rd3];", ALIAS_GUARDED);
	f = ptx_kernel_facts(s.analysis, "k");
	/* A load that was .nc already needs no guard: the compiler has promised it. */
	assert_int_equal(f->nguards, 1);
	assert_string_equal(f->structures[f->guards[0].reads].id, "p0");
	assert_string_equal(f->structures[f->guards[0].writes].id, "p1");
	assert_int_equal(f->loads_marked, 2);
	release(&s);
	analyze_body(&s, LOAD_A "st.global.f32 [%rd2], %f1;", ALIAS_DISTINCT);
	assert_int_equal(ptx_kernel_facts(s.analysis, "k")->nguards, 0);
	release(&s);
}

static void test_spelling(void **state)
{
	static const struct {
		const char *from, *ro, *nc;
	} cases[] = {
	    {"ld.global.f32 %f1, [%rd1];", "ld.global.ro.f32", "ld.global.nc.f32"},
	    {"ld.f32 %f1, [%rd11];", "ld.global.ro.f32", "ld.global.nc.f32"},
	    {"ld.weak.global.cs.v2.f32 {%f1, %f2}, [%rd1];", "ld.global.cs.ro.v2.f32", "ld.global.cs.nc.v2.f32"},
	    {"ld.global.nc.L1::no_allocate.L2::128B.u32 %r2, [%rd1];", "ld.global.ro.L1::no_allocate.L2::128B.u32",
	     "ld.global.nc.L1::no_allocate.L2::128B.u32"},
	    {"ld.global.ca.v4.b32 {%r2, %r3, %r4, %r5}, [%rd1];", "ld.global.ca.ro.v4.b32", "ld.global.ca.nc.v4.b32"},
	    {"ld.global.cg.u32 %r2, [%rd1];", "ld.global.cg.ro.u32", "ld.global.cg.nc.u32"},
	    {"ld.global.lu.u32 %r2, [%rd1];", "ld.global.lu.u32", "ld.global.lu.u32"},
	    {"ld.acquire.gpu.global.u32 %r2, [%rd1];", "ld.acquire.gpu.global.u32", "ld.acquire.gpu.global.u32"},
	    {"ld.volatile.global.f32 %f1, [%rd1];", "ld.volatile.global.f32", "ld.volatile.global.f32"},
	    {"ld.relaxed.gpu.global.u32 %r2, [%rd1];", "ld.relaxed.gpu.global.u32", "ld.relaxed.gpu.global.u32"},
	    {"ld.global.cv.u32 %r2, [%rd1];", "ld.global.cv.u32", "ld.global.cv.u32"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (int mark = LOAD_RO; mark <= LOAD_NC; mark++) {
			const char *want = mark == LOAD_RO ? cases[i].ro : cases[i].nc, *got = NULL;
			const struct ptx_function *f;
			struct subject s;

			analyze_body(&s, cases[i].from, ALIAS_GUARDED);
			ptx_mark_loads(s.analysis, mark);
			f = ptx_find_function(s.module, "k");
			for (uint32_t j = 0; j < f->ninsts; j++)
				if (f->insts[j].opcode->op == PTX_OP_ld && f->insts[j].opcode->space != PTX_SPACE_PARAM)
					got = f->insts[j].opcode->text;
			assert_string_equal(got, want);
			release(&s);
		}
}

/* A mark in the input is judged anew: its guards come back, and a level that does not allow it takes it off. */
static void test_marked_input(void **state)
{
	const char *body = "ld.global.ro.f32 %f1, [%rd1]; st.global.f32 [%rd2], %f1;";
	struct strbuf text = STRBUF_INIT;
	struct subject s;

	(void)state;
	analyze_body(&s, body, ALIAS_GUARDED);
	assert_int_equal(ptx_kernel_facts(s.analysis, "k")->nguards, 1);
	assert_int_equal(ptx_mark_loads(s.analysis, LOAD_RO), 0);
	release(&s);
	analyze_body(&s, body, ALIAS_STRICT);
	assert_int_equal(ptx_mark_loads(s.analysis, LOAD_RO), 1);
	ptx_print(s.module, &text);
	assert_null(strstr(text.data, ".ro"));
	assert_non_null(strstr(text.data, "ld.global.f32"));
	strbuf_release(&text);
	release(&s);
}

/* Blocks in the order opposite to that of execution, so that facts flow backwards through the text. */
static void test_backward_blocks(void **state)
{
	enum { BLOCKS = 50000 };
	struct strbuf text = STRBUF_INIT;

	(void)state;
	strbuf_addf(&text, "mov.u64 %%rd20, %%rd1; bra L%d;\n", BLOCKS);
	strbuf_adds(&text, "L0: st.global.f32 [%rd20], %f1; ret;\n");
	for (int i = 1; i <= BLOCKS; i++)
		strbuf_addf(&text, "L%d: add.s64 %%rd20, %%rd20, 4; bra L%d;\n", i, i - 1);
	assert_int_equal(verdict(text.data, "p0", ALIAS_GUARDED), VERDICT_WRITE_ONLY);
	strbuf_release(&text);
}

/*
 * Pointer `a` is stored where it takes a detour to be loaded from, and what is loaded is written through: `a` is not
 * read-only, even at the level that takes no unknown store for one of `a`.
 */
static void test_detours(void **state)
{
	static const struct {
		const char *functions, *body;
	} cases[] = {
	    /* through a local array whose address others have */
	    {"", ".local .align 8 .b8 buf[16]; mov.u64 %rd20, buf; cvta.local.u64 %rd21, %rd20;"
		 "st.global.u64 [%rd2], %rd21; ld.global.u64 %rd22, [%rd3]; st.u64 [%rd22], %rd11;"
		 "ld.local.u64 %rd23, [%rd20]; st.f32 [%rd23], %f1;"},
	    /* ... which has it through another array */
	    {"", ".local .align 8 .b8 buf[16]; .local .align 8 .b8 holder[16]; mov.u64 %rd20, buf;"
		 "cvta.local.u64 %rd21, %rd20; mov.u64 %rd24, holder; st.local.u64 [%rd24], %rd21;"
		 "cvta.local.u64 %rd25, %rd24; st.global.u64 [%rd2], %rd25; ld.global.u64 %rd22, [%rd3];"
		 "st.u64 [%rd22], %rd11; ld.local.u64 %rd23, [%rd20]; st.f32 [%rd23], %f1;"},
	    /* ... or has it from a call of code that is not here */
	    {".extern .func mystery(.param .b64 p);\n",
	     ".local .align 8 .b8 buf[16]; mov.u64 %rd20, buf; cvta.local.u64 %rd21, %rd20;"
	     "{ .param .b64 q; st.param.b64 [q], %rd21; call mystery, (q); }"
	     "ld.global.u64 %rd22, [%rd3]; st.u64 [%rd22], %rd11;"
	     "ld.local.u64 %rd23, [%rd20]; st.f32 [%rd23], %f1;"},
	    /* through shared memory at an address that is not known, in this function and in another */
	    {"", ".shared .align 8 .b8 buf[64]; st.shared.u64 [%r1], %rd11; ld.shared.u64 %rd20, [buf];"
		 "st.f32 [%rd20], %f1;"},
	    {"", ".shared .align 8 .b8 buf[64]; st.shared.u64 [buf], %rd11; ld.shared.u64 %rd20, [%r1];"
		 "st.f32 [%rd20], %f1;"},
	    {".func f(.param .b64 p, .param .b32 at)\n{\n.reg .b64 %rd<2>; .reg .b32 %r<2>;\n"
	     "ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [at]; st.shared.u64 [%r1], %rd1; ret;\n}\n",
	     ".shared .align 8 .b8 buf[64]; { .param .b64 q; .param .b32 r; st.param.b64 [q], %rd11;"
	     "st.param.b32 [r], %r1; call f, (q, r); } ld.shared.u64 %rd20, [buf]; st.f32 [%rd20], %f1;"},
	    /* through shared memory that another function reads */
	    {".shared .align 8 .b8 buf[64];\n.func f()\n{\n.reg .b64 %rd<2>; .reg .f32 %f<2>;\n"
	     "ld.shared.u64 %rd1, [buf]; st.f32 [%rd1], %f1; ret;\n}\n",
	     "st.shared.u64 [buf], %rd11; call f;"},
	    /* into a local array by another function, at an offset that is not known */
	    {".func f(.param .b64 p, .param .b64 to, .param .b64 at)\n{\n.reg .b64 %rd<5>;\n"
	     "ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [to]; ld.param.u64 %rd3, [at];\n"
	     "shl.b64 %rd3, %rd3, 3; add.s64 %rd4, %rd2, %rd3; st.u64 [%rd4], %rd1; ret;\n}\n",
	     ".local .align 8 .b8 buf[64]; mov.u64 %rd20, buf; cvta.local.u64 %rd21, %rd20;"
	     "{ .param .b64 q; .param .b64 r; .param .b64 s; st.param.b64 [q], %rd11; st.param.b64 [r], %rd21;"
	     "st.param.b64 [s], %rd4; call f, (q, r, s); } ld.local.u64 %rd22, [%rd20+8]; st.f32 [%rd22], %f1;"},
	    /* through an asynchronous copy */
	    {"", ".shared .align 8 .b8 buf[64]; st.global.u64 [%rd2], %rd11;"
		 "cp.async.ca.shared.global [buf], [%rd2], 8; ld.shared.u64 %rd20, [buf]; st.f32 [%rd20], %f1;"},
	    /* through recursion that turns its parameters round */
	    {".func f(.param .b64 p, .param .b64 q, .param .b64 r)\n{\n.reg .b64 %rd<4>; .reg .f32 %f<2>;"
	     ".reg .pred %p<2>;\nld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [q]; ld.param.u64 %rd3, [r];\n"
	     "st.f32 [%rd1], %f1; setp.eq.u64 %p1, %rd1, %rd2; @%p1 bra L;\n"
	     "{ .param .b64 x; .param .b64 y; .param .b64 z; st.param.b64 [x], %rd2; st.param.b64 [y], %rd3;"
	     "st.param.b64 [z], %rd1; call f, (x, y, z); }\nL: ret;\n}\n",
	     "{ .param .b64 q; .param .b64 r; .param .b64 s; st.param.b64 [q], %rd12; st.param.b64 [r], %rd13;"
	     "st.param.b64 [s], %rd11; call f, (q, r, s); }"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct strbuf text = STRBUF_INIT, body = STRBUF_INIT;
		struct subject s;

		strbuf_adds(&text, HEADER);
		strbuf_adds(&text, cases[i].functions);
		strbuf_adds(&body, "ld.f32 %f1, [%rd11];");
		strbuf_adds(&body, cases[i].body);
		add_kernel(&text, body.data);
		analyze(&s, text.data, ALIAS_DISTINCT);
		if (find(&s, "k", "p0")->verdict != VERDICT_READ_WRITE)
			fail_msg("case %zu: verdict %s", i, verdict_name(find(&s, "k", "p0")->verdict));
		release(&s);
		strbuf_release(&body);
		strbuf_release(&text);
	}
}

/* A variable may be written through its address in another variable's initial value. */
static void test_initial_addresses(void **state)
{
	struct subject s;

	(void)state;
	analyze(&s,
		HEADER ".global .align 4 .f32 data;\n.global .align 8 .u64 holder = generic(data);\n"
		       ".visible .entry k()\n{\n.reg .b64 %rd<3>; .reg .f32 %f<2>;\nld.global.f32 %f1, [data];\n"
		       "ld.global.u64 %rd1, [holder]; st.f32 [%rd1], %f1; ret;\n}\n",
		ALIAS_DISTINCT);
	assert_int_equal(find(&s, "k", "data")->verdict, VERDICT_READ_WRITE);
	release(&s);
}

/* The memory that p1 holds pointers to is marked, and p1's own load is not. A launch has to check p1 all the same. */
static void test_holder_is_guarded(void **state)
{
	const struct kernel_facts *f;
	bool found[2] = {false, false};
	struct subject s;

	(void)state;
	analyze_body(&s, "ld.volatile.global.u64 %rd20, [%rd2]; ld.global.f32 %f1, [%rd20]; st.global.f32 [%rd3], %f1;",
		     ALIAS_GUARDED);
	f = ptx_kernel_facts(s.analysis, "k");
	for (uint32_t i = 0; i < f->nguards; i++) {
		const char *reads = f->structures[f->guards[i].reads].id;

		assert_string_equal(f->structures[f->guards[i].writes].id, "p2");
		found[0] |= strcmp(reads, "p1") == 0;
		found[1] |= strcmp(reads, "*p1") == 0;
	}
	assert_true(found[0] && found[1]);
	release(&s);
}

/* Memory of device-side malloc is not an allocation that a guard could name. */
static void test_heap_is_not_marked(void **state)
{
	struct subject s;

	(void)state;
	analyze(&s,
		HEADER ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.visible .entry k()\n{\n"
		       ".reg .b64 %rd<3>; .reg .f32 %f<2>;\n"
		       "{ .param .b64 n; .param .b64 r; st.param.b64 [n], 64; call (r), malloc, (n);"
		       "ld.param.b64 %rd1, [r]; }\nld.f32 %f1, [%rd1]; ret;\n}\n",
		ALIAS_DISTINCT);
	assert_int_equal(find(&s, "k", "heap")->verdict, VERDICT_READ_ONLY);
	assert_int_equal(find(&s, "k", "heap")->loads_marked, 0);
	release(&s);
}

/* `a` is a pointer, as a later use shows, so what was added to it before is an offset and `n` no pointer. */
static void test_late_pointer(void **state)
{
	struct subject s;

	(void)state;
	analyze(&s,
		HEADER ".visible .entry k(.param .u64 a, .param .u64 n)\n{\n.reg .b64 %rd<4>; .reg .f32 %f<2>;\n"
		       "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [n]; add.s64 %rd3, %rd1, %rd2;\n"
		       "st.f32 [%rd3], %f1; ld.f32 %f1, [%rd1]; ret;\n}\n",
		ALIAS_GUARDED);
	assert_int_equal(find(&s, "k", "p0")->verdict, VERDICT_READ_WRITE);
	assert_true(!find(&s, "k", "p1") || find(&s, "k", "p1")->stores == 0);
	release(&s);
}

static void test_unused_pointers_are_shown(void **state)
{
	(void)state;
	assert_int_equal(verdict(LOAD_A, "p0", ALIAS_GUARDED), VERDICT_READ_ONLY);
	assert_int_equal(verdict(LOAD_A, "p1", ALIAS_GUARDED), VERDICT_UNUSED);
	assert_int_equal(verdict(LOAD_A, "p2", ALIAS_GUARDED), VERDICT_UNUSED);
}

static void test_sets(void **state)
{
	struct set_table *t = set_table_new();
	uint32_t some[] = {9, 3, 9, 700000, 3};
	set_id a = set_of(t, some, 5), b = set_single(t, 3), c = set_single(t, 12);

	(void)state;
	assert_int_equal(set_get(t, a)->count, 3);
	assert_int_equal(set_union(t, a, b), a);
	assert_int_equal(set_union(t, b, c), set_union(t, c, b));
	assert_int_equal(set_union(t, SET_EMPTY, c), c);
	assert_true(set_has(t, a, 700000));
	assert_false(set_has(t, a, 12));
	for (uint32_t i = 0; i < 5000; i++)
		a = set_union(t, a, set_single(t, i * 7));
	assert_int_equal(set_get(t, a)->count, 5003);
	set_table_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_bit_tricks),
	    cmocka_unit_test(test_part_of_pointer_is_no_base),
	    cmocka_unit_test(test_unknown_stores_kill),
	    cmocka_unit_test(test_stores_through_loaded_pointers_are_guarded),
	    cmocka_unit_test(test_differences_with_loaded_pointers),
	    cmocka_unit_test(test_loads_that_are_asked_to_be_global),
	    cmocka_unit_test(test_the_barrier_of_a_grid_is_no_data),
	    cmocka_unit_test(test_dependent_launch),
	    cmocka_unit_test(test_packed_struct),
	    cmocka_unit_test(test_offsets_do_not_kill),
	    cmocka_unit_test(test_reasons),
	    cmocka_unit_test(test_guards),
	    cmocka_unit_test(test_spelling),
	    cmocka_unit_test(test_marked_input),
	    cmocka_unit_test(test_backward_blocks),
	    cmocka_unit_test(test_detours),
	    cmocka_unit_test(test_initial_addresses),
	    cmocka_unit_test(test_holder_is_guarded),
	    cmocka_unit_test(test_heap_is_not_marked),
	    cmocka_unit_test(test_late_pointer),
	    cmocka_unit_test(test_unused_pointers_are_shown),
	    cmocka_unit_test(test_sets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
