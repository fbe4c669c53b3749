/*
 * Places in a frame whose index a loop or a condition bounds, as unoptimised code has them: indices that stay on one
 * side of a place, and indices that only look so.
 *
 * The frame holds %rd1 and %rd2 at 0 and 8, and a counter of 32 bits at 56; its generic address is %rd6. A way stores
 * %rd1 somewhere. Then a store goes through what 8 holds, so that p0 is read-only where the way does not reach 8.
 */
#include "tests/ptx-analyzer/flow/subject.h"

#define FRAME                                                                                                          \
	".local .align 16 .b8 l[64]; mov.u64 %rd5, l; cvta.local.u64 %rd6, %rd5;\n"                                    \
	"st.u64 [%rd6], %rd1; st.u64 [%rd6+8], %rd2; st.u32 [%rd6+56], 0;\n"
#define USE "\nld.u64 %rd20, [%rd6+8]; ld.global.f32 %f1, [%rd1]; st.global.f32 [%rd20], %f1;"

/* %rd1 goes to the frame at `at` and 8 times the index in %r2. */
#define WRITE(at)                                                                                                      \
	" cvt.s64.s32 %rd30, %r2; shl.b64 %rd31, %rd30, 3; add.u64 %rd32, %rd6, " #at ";"                              \
	"add.s64 %rd33, %rd32, %rd31; st.u64 [%rd33], %rd1; "
/* The same, with the bits of the index read without a sign. */
#define WRITE_UNSIGNED(at)                                                                                             \
	" mul.wide.u32 %rd31, %r2, 8; add.u64 %rd32, %rd6, " #at "; add.s64 %rd33, %rd32, %rd31;"                      \
	"st.u64 [%rd33], %rd1; "
/* for (i = 0; i < 4; i++) with `i` in the frame, as Clang writes it, and in a register, as nvcc does. */
#define COUNT(limit, body)                                                                                             \
	"$C: ld.u32 %r3, [%rd6+56]; setp.ge.s32 %p2, %r3, " #limit "; @%p2 bra $D; ld.u32 %r2, [%rd6+56];" body        \
	"ld.u32 %r4, [%rd6+56]; add.s32 %r5, %r4, 1; st.u32 [%rd6+56], %r5; bra.uni $C; $D:"
#define COUNT_REGISTER(compare, limit, step, body)                                                                     \
	"mov.u32 %r9, 0; $C: mov.u32 %r2, %r9; " compare " %p2, %r2, " #limit "; not.pred %p3, %p2; @%p3 bra $D;" body \
	"add.s32 %r5, %r2, " #step "; mov.u32 %r9, %r5; bra.uni $C; $D:"

static const char *const apart[] = {
    /* Loops with a bound. */
    COUNT(4, WRITE(16)),
    COUNT_REGISTER("setp.lt.s32", 4, 1, WRITE(16)),
    COUNT_REGISTER("setp.lt.u32", 5, 1, WRITE(16)),
    COUNT_REGISTER("setp.ne.s32", 4, 1, WRITE(16)),
    "mov.u32 %r9, 4; $C: mov.u32 %r2, %r9; setp.le.s32 %p2, %r2, 0; @%p2 bra $D; add.s32 %r7, %r2, -1;"
    "mov.u32 %r9, %r7; mov.u32 %r2, %r7;" WRITE(16) "bra.uni $C; $D:",
    /* Of a stack only the lower end is known: what lies below it stays. */
    "mov.u32 %r9, 0; $C: mov.u32 %r2, %r9; setp.lt.s32 %p2, %r2, 0; @%p2 bra $D;" WRITE(
	16) "ld.global.u32 %r7, [%rd3]; add.s32 %r9, %r2, %r7; bra.uni $C; $D:",
    "mov.u32 %r2, %r1; setp.gt.s32 %p2, %r2, 0; @!%p2 bra $D; add.s32 %r2, %r2, -1;" WRITE(16) "$D:",
    /* A condition on an index that is no loop's. */
    "setp.lt.u32 %p2, %r1, 4; @!%p2 bra $D; mov.u32 %r2, %r1;" WRITE(16) "$D:",
    "setp.gt.u32 %p2, %r1, 4; @%p2 bra $D; mov.u32 %r2, %r1;" WRITE(16) "$D:",
    "setp.lt.s32 %p2, %r1, 0; @%p2 bra $D; mov.u32 %r2, %r1;" WRITE(16) "$D:",
    "setp.gt.s32 %p2, 0, %r1; @%p2 bra $D; mov.u32 %r2, %r1;" WRITE(16) "$D:",
    /* Two conditions, whose predicates meet. */
    "mov.pred %p4, 0; setp.lt.s32 %p2, %r1, 0; @%p2 bra $M; setp.lt.s32 %p3, %r1, 5; mov.pred %p4, %p3;"
    "$M: mov.pred %p5, %p4; @!%p5 bra $D; mov.u32 %r2, %r1;" WRITE(16) "$D:",
    /* Numbers that are small by themselves. */
    "ld.global.u8 %r2, [%rd3]; shr.u32 %r2, %r2, 6;" WRITE(16),
    "mov.u32 %r2, %laneid; shr.u32 %r2, %r2, 3;" WRITE(16),
    "and.b32 %r7, %r1, 1; and.b32 %r8, %r7, 1; add.s32 %r7, %r7, %r8; mov.u32 %r2, %r7;" WRITE(16),
    "rem.s32 %r2, %r1, 2; add.s32 %r2, %r2, 1;" WRITE(16),
    "rem.s32 %r2, %r1, 2;" WRITE(24),
    "clz.b32 %r2, %r1; shr.u32 %r2, %r2, 4;" WRITE(16),
    "min.u32 %r2, %r1, 3;" WRITE(16),
    "max.s32 %r2, %r1, 0;" WRITE(16),
    "and.b32 %r7, %r1, 3; mul.wide.u32 %rd31, %r7, 8; add.s64 %rd33, %rd6, %rd31; st.u64 [%rd33+16], %rd1;",
    /* The address is handed to a function that only reads. */
    COUNT(
	4,
	"{ .param .b64 x; st.param.b64 [x], %rd6; .param .b32 y; call (y), reads, (x); ld.param.b32 %r8, [y]; }" WRITE(
	    16)),
    /* A pointer that walks upwards from behind the place. */
    "add.s64 %rd30, %rd6, 16; $L: st.u64 [%rd30], %rd1; add.s64 %rd30, %rd30, 8; @%p1 bra $L;",
};

static const char *const together[] = {
    /* Loops that begin too low, or have no bound on that side. */
    COUNT(4, WRITE(0)),
    COUNT_REGISTER("setp.lt.s32", 4, 1, WRITE(0)),
    COUNT_REGISTER("setp.lt.s32", 4, -1, WRITE(16)),
    COUNT_REGISTER("setp.ne.s32", 4, -1, WRITE(16)),
    COUNT_REGISTER("setp.gt.s32", -4, -1, WRITE(16)),
    "$C: ld.u32 %r3, [%rd6+56]; setp.ge.s32 %p2, %r3, 4; ld.u32 %r2, [%rd6+56];" WRITE(
	16) "ld.u32 %r4, [%rd6+56]; add.s32 %r5, %r4, -1; st.u32 [%rd6+56], %r5; @%p2 bra $C;",
    /* A bound that is another register's, or that another type has. */
    "setp.lt.s32 %p2, %r1, 4; @!%p2 bra $D; mov.u32 %r2, %r1;" WRITE(16) "$D:",
    "setp.lt.u32 %p2, %r1, 4294967295; @!%p2 bra $D; mov.u32 %r2, %r1;" WRITE(16) "$D:",
    "setp.gt.u32 %p2, %r1, 4; @!%p2 bra $D; mov.u32 %r2, %r1;" WRITE(16) "$D:",
    "setp.ge.u32 %p2, %r1, 0; @!%p2 bra $D; mov.u32 %r2, %r1;" WRITE(16) "$D:",
    "setp.ne.s32 %p2, %r1, -1; @!%p2 bra $D; mov.u32 %r2, %r1;" WRITE(16) "$D:",
    "setp.ge.s32 %p2, %r1, 0; @%p2 bra $D; mov.u32 %r2, %r1;" WRITE(16) "$D:",
    ".reg .b16 %h<3>; cvt.u16.u32 %h1, %r1; setp.lt.u16 %p2, %h1, 4; @!%p2 bra $D; mov.u32 %r2, %r1;" WRITE(16) "$D:",
    /* The index or the condition changes after the comparison. */
    "mov.u32 %r2, %r1; setp.ge.s32 %p2, %r2, 0; add.s32 %r2, %r2, -1; @!%p2 bra $D;" WRITE(16) "$D:",
    "mov.u32 %r2, %r1; setp.ge.s32 %p2, %r2, 0; setp.ge.s32 %p2, %r2, -8; @!%p2 bra $D;" WRITE(16) "$D:",
    "mov.u32 %r2, %r1; setp.ge.s32 %p2, %r2, 0; @%p1 setp.ge.s32 %p2, %r2, -8; @!%p2 bra $D;" WRITE(16) "$D:",
    "st.u32 [%rd6+56], %r1; ld.u32 %r3, [%rd6+56]; add.s32 %r4, %r3, -1; st.u32 [%rd6+56], %r4;"
    "setp.ge.s32 %p2, %r3, 0; @!%p2 bra $D; ld.u32 %r2, [%rd6+56];" WRITE(16) "$D:",
    "mov.u32 %r2, %r1; setp.ge.s32 %p2|%p3, %r2, 0; not.pred %p2, %p2; @!%p2 bra $D;" WRITE(16) "$D:",
    "mov.pred %p4, -1; setp.lt.s32 %p2, %r1, 0; @%p2 bra $M; setp.lt.s32 %p3, %r1, 5; mov.pred %p4, %p3;"
    "$M: mov.pred %p5, %p4; @!%p5 bra $D; mov.u32 %r2, %r1;" WRITE(16) "$D:",
    "mov.pred %p4, 0; setp.ge.s32 %p2, %r1, 0; @%p2 bra $M; setp.lt.s32 %p3, %r1, 5; mov.pred %p4, %p3;"
    "$M: mov.pred %p5, %p4; @!%p5 bra $D; mov.u32 %r2, %r1;" WRITE(16) "$D:",
    /* Sums, products and conversions that wrap. */
    "max.s32 %r2, %r1, 0; add.s32 %r2, %r2, 1;" WRITE(16),
    "max.s32 %r2, %r1, 0; mul.lo.s32 %r2, %r2, 2;" WRITE(16),
    "max.s32 %r2, %r1, 0; shl.b32 %r2, %r2, 1;" WRITE(16),
    "max.s32 %r7, %r1, 0; cvt.u16.u32 %r2, %r7; cvt.s32.s16 %r2, %r2;" WRITE(16),
    "ld.global.u8 %r7, [%rd3]; cvt.s32.s8 %r2, %r7;" WRITE(16),
    "ld.global.s8 %r2, [%rd3];" WRITE(16),
    "mul.hi.s32 %r2, %r1, 2;" WRITE(16),
    "max.u32 %r2, %r1, 0;" WRITE(16),
    "rem.s32 %r2, %r1, 2;" WRITE(16),
    "mov.u32 %r7, %laneid; sub.s32 %r2, 0, %r7;" WRITE(16),
    "shr.s32 %r2, %r1, 30;" WRITE(16),
    "div.s32 %r2, %r1, 1073741824;" WRITE(16),
    "max.s64 %rd30, %rd4, 0; add.s64 %rd30, %rd30, 1; shl.b64 %rd31, %rd30, 3; add.s64 %rd33, %rd6, %rd31;"
    "st.u64 [%rd33+16], %rd1;",
    "max.s64 %rd30, %rd4, 0; cvt.u32.u64 %r2, %rd30;" WRITE(16),
    "min.u64 %rd30, %rd4, -1; shl.b64 %rd31, %rd30, 3; add.s64 %rd33, %rd6, %rd31; st.u64 [%rd33+16], %rd1;",
    /* A distance back from a place. */
    "and.b32 %r7, %r1, 3; mul.wide.u32 %rd31, %r7, 8; sub.s64 %rd33, %rd6, %rd31; st.u64 [%rd33+32], %rd1;",
    /* The counter is stored to by other ways. */
    COUNT(4, WRITE(16) "st.u32 [%rd6+56], %r1;"),
    COUNT(4, WRITE(16) "st.v2.u32 [%rd6+56], {%r1, %r1};"),
    COUNT(4, WRITE(16) "st.u8 [%rd6+59], %r1;"),
    COUNT(4, WRITE(16) "st.u64 [%rd6+56], %rd4;"),
    COUNT(4, WRITE(16) "st.local.u32 [%rd5+56], %r1;"),
    COUNT(4, WRITE(16) "atom.add.u32 %r8, [%rd6+56], %r1;"),
    COUNT(4, WRITE(16) "and.b32 %r8, %r1, 1; mul.wide.u32 %rd34, %r8, 8; add.s64 %rd35, %rd6, %rd34;"
		       "st.u32 [%rd35+48], %r1;"),
    COUNT(4, WRITE(16) "cvt.s64.s32 %rd34, %r1; add.s64 %rd35, %rd6, %rd34; st.u32 [%rd35], %r1;"),
    COUNT(4, WRITE(16) "st.u64 [%rd6+40], %rd6; ld.u64 %rd35, [%rd6+40]; st.u32 [%rd35+56], %r1;"),
    COUNT(4, WRITE(16) "selp.b64 %rd35, %rd6, %rd1, %p1; st.u32 [%rd35+56], %r1;"),
    COUNT(4, WRITE(16) "cvt.u32.u64 %r8, %rd5; cvt.u64.u32 %rd35, %r8; st.local.u32 [%rd35+56], %r1;"),
    COUNT(4, "{ .param .b64 x; st.param.b64 [x], %rd6; call writes, (x); }" WRITE(16)),
    COUNT(4, "{ .param .b64 x; st.param.b64 [x], %rd6; .param .b64 y; call (y), returns, (x);"
	     "ld.param.b64 %rd35, [y]; st.u32 [%rd35+56], %r1; }" WRITE(16)),
    COUNT(4, "{ .param .b64 x; st.param.b64 [x], %rd6; call passes, (x); }" WRITE(16)),
    COUNT(4, "{ .param .b64 x; st.param.b64 [x], %rd6; call somewhere, (x); }" WRITE(16)),
    /* Both counters are in one vector that a load brings. */
    "ld.v2.u32 {%r2, %r3}, [%rd3];" WRITE(16),
    "mov.u32 %r2, 0; @%p1 mov.u32 %r2, %r1;" WRITE(16),
    "mov.u32 %r2, 0; @%p1 ld.global.u32 %r2, [%rd3];" WRITE(16),
    /* A pointer that walks down, or up from below. */
    "add.s64 %rd30, %rd6, 16; $L: st.u64 [%rd30], %rd1; add.s64 %rd30, %rd30, -8; @%p1 bra $L;",
    "mov.u64 %rd30, %rd6; $L: st.u64 [%rd30], %rd1; add.s64 %rd30, %rd30, 8; @%p1 bra $L;",
};

static const char functions[] = ".extern .func somewhere(.param .b64 x);\n"
				".func (.param .b32 y) reads(.param .b64 x)\n{ .reg .b64 %rd<4>; .reg .b32 %r<4>;\n"
				".local .align 8 .b8 own[8]; mov.u64 %rd3, own; cvta.local.u64 %rd3, %rd3;\n"
				"ld.param.u64 %rd1, [x]; st.u64 [%rd3], %rd1; ld.u64 %rd2, [%rd3];\n"
				"ld.u32 %r1, [%rd2+56]; st.param.b32 [y], %r1; ret; }\n"
				".func writes(.param .b64 x)\n{ .reg .b64 %rd<4>; ld.param.u64 %rd1, [x];\n"
				"st.u32 [%rd1+56], -7; ret; }\n"
				".func passes(.param .b64 x)\n{ .reg .b64 %rd<4>; ld.param.u64 %rd1, [x];\n"
				"{ .param .b64 z; st.param.b64 [z], %rd1; call writes, (z); } ret; }\n"
				".func (.param .b64 y) returns(.param .b64 x)\n{ .reg .b64 %rd<4>;\n"
				"ld.param.u64 %rd1, [x]; st.param.b64 [y], %rd1; ret; }\n";

static int first_verdict(const char *way)
{
	struct strbuf body = STRBUF_INIT, text = STRBUF_INIT;
	const struct structure *found;
	struct subject s;
	int result;

	strbuf_addf(&body, "%s%s%s", FRAME, way, USE);
	strbuf_addf(&text, "%s%s", HEADER, functions);
	add_kernel(&text, body.data);
	analyze(&s, text.data, ALIAS_GUARDED);
	found = find(&s, "k", "p0");
	result = found ? (int)found->verdict : -1;
	release(&s);
	strbuf_release(&body);
	strbuf_release(&text);
	return result;
}

static void test_indices_apart(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
		if (first_verdict(apart[i]) != VERDICT_READ_ONLY)
			fail_msg("p0 is not read-only: %s", apart[i]);
}

static void test_indices_together(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof together / sizeof *together; i++)
		if (first_verdict(together[i]) == VERDICT_READ_ONLY)
			fail_msg("p0 is read-only: %s", together[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_indices_apart),
	    cmocka_unit_test(test_indices_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
