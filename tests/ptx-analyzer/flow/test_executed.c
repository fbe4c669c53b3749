/* Stores that no thread executes end no mark; those that some thread may execute do. */
#include "tests/ptx-analyzer/flow/subject.h"

#define LOAD "ld.global.f32 %f1, [%rd1]; st.global.f32 [%rd2], %f1;\n"
#define STORE "st.global.f32 [%rd1], %f1;\n"

static void check(const char *const *bodies, size_t count, int wanted)
{
	for (size_t i = 0; i < count; i++) {
		struct strbuf body = STRBUF_INIT;

		strbuf_addf(&body, "mov.u32 %%r9, %%tid.x;\n%s%s", LOAD, bodies[i]);
		if (verdict(body.data, "p0", ALIAS_GUARDED) != wanted)
			fail_msg("not %s: %s", verdict_name((enum verdict)wanted), bodies[i]);
		strbuf_release(&body);
	}
}

#define CHECK(bodies, wanted) check(bodies, sizeof(bodies) / sizeof *(bodies), wanted)

static void test_stores_behind_constant_conditions(void **state)
{
	static const char *const dead[] = {
	    "mov.pred %p1, -1; @%p1 bra out;" STORE "out:",
	    "mov.pred %p1, 0; @!%p1 bra out;" STORE "out:",
	    "mov.pred %p1, 0; @%p1 " STORE,
	    "setp.ne.u32 %p1, 4, 4; @%p1 " STORE,
	    "mov.u32 %r2, 0; mov.b32 %r3, %r2; setp.ne.s32 %p1, %r3, 0; not.pred %p2, %p1; @%p2 bra out;" STORE "out:",
	    "mov.u32 %r2, -1; setp.gt.s32 %p1, %r2, 0; @%p1 " STORE,
	    "mov.u32 %r2, 7; add.s32 %r3, %r2, 1; sub.s32 %r4, %r3, 8; setp.ne.u32 %p1, %r4, 0; @%p1 " STORE,
	    "and.b32 %r2, %r9, 0; setp.ne.u32 %p1, %r2, 0; @%p1 " STORE,
	    "mov.u32 %r2, -1; cvt.s64.s32 %rd20, %r2; setp.ge.s64 %p1, %rd20, 0; @%p1 " STORE,
	    "mov.u32 %r2, 255; cvt.s32.s8 %r3, %r2; setp.ne.s32 %p1, %r3, -1; @%p1 " STORE,
	    "mov.u32 %r2, 255; cvt.s8.s32 %r3, %r2; setp.ne.s32 %p1, %r3, -1; @%p1 " STORE,
	    "mov.pred %p1, 2; @!%p1 " STORE,
	    /* behind all that is executed */
	    "mov.pred %p1, -1; @%p1 ret;" STORE,
	    "mov.pred %p1, -1; @%p1 trap;" STORE,
	    /* a loop that is not entered; a choice with a side that is never taken */
	    "mov.u32 %r2, 0; mov.u32 %r3, %r2; head: setp.lt.s32 %p1, %r3, 0; @!%p1 bra out;" STORE
	    "add.s32 %r3, %r3, 1; bra head; out:",
	    "mov.pred %p3, 0; mov.pred %p4, %p3; @!%p3 bra next; setp.gt.u32 %p4, %r9, 3; next: @!%p4 bra out;" STORE
	    "out:",
	};

	(void)state;
	CHECK(dead, VERDICT_READ_ONLY);
}

static void test_stores_that_may_be_executed(void **state)
{
	static const char *const live[] = {
	    "mov.pred %p1, 0; @%p1 bra out;" STORE "out:",
	    "mov.pred %p1, -1; @%p1 " STORE,
	    "mov.pred %p1, 2; @%p1 " STORE, /* any number but 0 is true */
	    /* two numbers of 16 bits */
	    "mov.u32 %r2, 65535; mov.u32 %r3, 1; add.u16x2 %r4, %r2, %r3; setp.eq.u32 %p1, %r4, 0; @%p1 " STORE,
	    "setp.ne.u32 %p1, %r9, 0; @%p1 " STORE,
	    /* two definitions */
	    "mov.u32 %r2, 0; setp.ne.u32 %p1, %r9, 3; @%p1 mov.u32 %r2, 1; setp.ne.u32 %p2, %r2, 0; @%p2 " STORE,
	    /* the condition changes behind the first round of a loop */
	    "mov.u32 %r2, 0; head: setp.eq.u32 %p1, %r2, 0; @%p1 bra next;" STORE
	    "next: add.s32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 4; @%p2 bra head;",
	    "mov.u32 %r2, 0; setp.lt.s32 %p1, %r2, 1; @!%p1 bra out;" STORE "out:",
	    /* unsigned, signed, 64 bits and 32 */
	    "mov.u32 %r2, -1; setp.gt.u32 %p1, %r2, 0; @%p1 " STORE,
	    "mov.u32 %r2, -1; setp.hi.u32 %p1, %r2, 0; @%p1 " STORE,
	    "mov.u64 %rd20, 4294967296; cvt.u32.u64 %r2, %rd20; setp.eq.u32 %p1, %r2, 0; @%p1 " STORE,
	    "mov.u32 %r2, -1; cvt.u64.u32 %rd20, %r2; setp.ge.s64 %p1, %rd20, 0; @%p1 " STORE,
	    "mov.u32 %r2, 255; cvt.u8.u32 %r3, %r2; setp.eq.s32 %p1, %r3, 255; @%p1 " STORE,
	    "mov.u32 %r2, 2147483647; add.sat.s32 %r3, %r2, 1; setp.gt.s32 %p1, %r3, 0; @%p1 " STORE,
	    /* another result, which is not followed */
	    "mov.u32 %r2, 0; setp.eq.and.u32 %p1, %r2, 0, %p2; @%p1 " STORE,
	    "mov.u32 %r2, 0; setp.ne.u32 %p1|%p2, %r2, 0; @%p2 " STORE,
	    "mov.u32 %r2, 0; popc.b32 %r2, %r9; setp.ne.u32 %p1, %r2, 0; @%p1 " STORE,
	    "mov.f32 %f2, 0f00000000; setp.eq.f32 %p1, %f2, 0f00000000; @%p1 " STORE,
	    /* read before anything is written, and written by a path that is never taken */
	    "mov.pred %p5, 0; @%p5 add.u32 %r3, %r9, 1; setp.ne.u32 %p1, %r8, 1; @%p1 " STORE "mov.u32 %r8, 1;",
	    /* written under a condition only */
	    "setp.ne.u32 %p1, %r9, 3; @%p1 mov.u32 %r2, 0; setp.ne.u32 %p2, %r2, 0; @%p2 " STORE,
	    "mov.pred %p3, -1; @%p3 bra next; mov.pred %p5, 0; next: @%p5 " STORE,
	    "@%p7 " STORE,
	};

	(void)state;
	CHECK(live, VERDICT_READ_WRITE);
}

/* A parameter in a register has a value before the first definition. */
static void test_parameters_in_registers(void **state)
{
	static const char text[] =
	    HEADER ".func f(.reg .b64 a, .reg .b32 n)\n{\n.reg .pred %p<3>; .reg .b32 %r<2>; mov.u32 %r1, %tid.x;\n"
		   "setp.eq.u32 %p1, %r1, 0; @%p1 bra over;\n"
		   "mov.u32 n, 0; over: setp.eq.u32 %p2, n, 0; @%p2 bra out; st.u32 [a], 1; out: ret;\n}\n"
		   ".visible .entry k(.param .u64 a, .param .u64 b)\n{\n.reg .b64 %rd<4>; .reg .b32 %r<3>;\n"
		   "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.u32 %r1, [%rd1]; st.u32 [%rd2], %r1;\n"
		   "mov.u32 %r2, 1; call f, (%rd1, %r2); ret;\n}\n";
	struct subject s;

	(void)state;
	analyze(&s, text, ALIAS_GUARDED);
	assert_int_equal(find(&s, "k", "p0")->verdict, VERDICT_READ_WRITE);
	release(&s);
}

/* The effects of a call that is never made do not count. */
static void test_calls_that_are_not_made(void **state)
{
	static const char text[] = HEADER
	    ".extern .func anything(.param .b64 x);\n"
	    ".func put(.param .b64 x)\n{\n.reg .b64 %rd<2>; ld.param.u64 %rd1, [x]; st.u32 [%rd1], 1; ret;\n}\n"
	    ".visible .entry k(.param .u64 a, .param .u64 b)\n{\n.reg .b64 %rd<4>; .reg .b32 %r<3>; .reg .pred %p<2>;\n"
	    "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.u32 %r1, [%rd1]; st.u32 [%rd2], %r1;\n"
	    "mov.pred %p1, 0; @!%p1 bra out;\n"
	    "{ .param .b64 x; st.param.b64 [x], %rd1; call put, (x); }\n"
	    "{ .param .b64 y; st.param.b64 [y], %rd1; call anything, (y); }\nout:\nret;\n}\n";
	struct subject s;

	(void)state;
	analyze(&s, text, ALIAS_GUARDED);
	assert_int_equal(find(&s, "k", "p0")->verdict, VERDICT_READ_ONLY);
	assert_int_equal(find(&s, "k", "p0")->loads_marked, 1);
	release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_stores_behind_constant_conditions),
	    cmocka_unit_test(test_stores_that_may_be_executed),
	    cmocka_unit_test(test_parameters_in_registers),
	    cmocka_unit_test(test_calls_that_are_not_made),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
