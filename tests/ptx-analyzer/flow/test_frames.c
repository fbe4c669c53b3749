/*
 * Pointers that a kernel keeps in its frame, as unoptimised code does: places that the analysis tells apart, and places
 * that only look different.
 *
 * The frame holds %rd1, %rd2 and %rd3 at 0, 8 and 16; its generic address is %rd6. A store goes through %rd20, and a
 * load through %rd1. So p0 is read-only where %rd20 cannot be %rd1.
 */
#include "tests/ptx-analyzer/flow/subject.h"

#define FRAME                                                                                                          \
	".local .align 16 .b8 l[64]; mov.u64 %rd5, l; cvta.local.u64 %rd6, %rd5;\n"                                    \
	"st.u64 [%rd6], %rd1; st.u64 [%rd6+8], %rd2; st.u64 [%rd6+16], %rd3;\n"
#define USE "\nld.global.f32 %f1, [%rd1]; st.global.f32 [%rd20], %f1;"
#define MASKED "and.b32 %r2, %r1, 1; mul.wide.u32 %rd30, %r2, 8;"
#define SECOND " ld.u64 %rd20, [%rd6+8];"

static const char *const apart[] = {
    SECOND,
    /* An index, a remainder. */
    MASKED "add.s64 %rd31, %rd6, %rd30; ld.u64 %rd20, [%rd31+8];",
    MASKED "add.s64 %rd31, %rd6, 8; add.s64 %rd32, %rd30, %rd31; ld.u64 %rd20, [%rd32];",
    MASKED "add.s64 %rd31, %rd5, %rd30; ld.local.u64 %rd20, [%rd31+8];",
    "and.b64 %rd30, %rd4, 1; shl.b64 %rd32, %rd30, 3; add.s64 %rd31, %rd6, %rd32; ld.u64 %rd20, [%rd31+8];",
    "and.b32 %r2, %r1, 1; mad.wide.u32 %rd30, %r2, 8, %rd6; ld.u64 %rd20, [%rd30+8];",
    "rem.u32 %r2, %r1, 2; cvt.u64.u32 %rd30, %r2; mad.lo.s64 %rd31, %rd30, 8, %rd6; ld.u64 %rd20, [%rd31+8];",
    MASKED "add.s64 %rd31, %rd6, %rd30; st.u64 [%rd31+32], %rd1;" SECOND,
    "and.b32 %r2, %r1, 1; add.s32 %r3, %r2, 1; mad.wide.u32 %rd30, %r3, 8, %rd6; ld.u64 %rd20, [%rd30];",
    "and.b32 %r2, %r1, 1; cvt.u16.u32 %r3, %r2; cvt.u64.u16 %rd30, %r3; mad.lo.s64 %rd31, %rd30, 8, %rd6;"
    "ld.u64 %rd20, [%rd31+8];",
    /* One of two places. */
    "add.s64 %rd30, %rd6, 8; add.s64 %rd31, %rd6, 16; selp.b64 %rd32, %rd30, %rd31, %p1; ld.u64 %rd20, [%rd32];",
    "add.s64 %rd30, %rd6, 8; @%p1 add.s64 %rd30, %rd6, 16; ld.u64 %rd20, [%rd30];",
    "add.s64 %rd30, %rd6, 8; @%p1 add.s64 %rd30, %rd6, 16; st.u64 [%rd6+40], %rd30; ld.u64 %rd31, [%rd6+40];"
    "ld.u64 %rd20, [%rd31];",
    "add.s64 %rd30, %rd6, 8; selp.b64 %rd31, %rd30, %rd30, %p1; ld.u64 %rd20, [%rd31];",
    /* Low bits of an aligned address. */
    "or.b64 %rd30, %rd6, 8; ld.u64 %rd20, [%rd30];",
    "add.s64 %rd30, %rd6, 16; or.b64 %rd31, %rd30, 8; st.u64 [%rd31], %rd1;" SECOND,
    "add.s64 %rd30, %rd6, 8; or.b64 %rd31, %rd30, 8; ld.u64 %rd20, [%rd31];",
    /* A constant that a conversion leaves as it is. */
    "mov.u32 %r2, 8; cvt.u64.u8 %rd30, %r2; add.s64 %rd31, %rd6, %rd30; ld.u64 %rd20, [%rd31];",
};

static const char *const together[] = {
    "ld.u64 %rd20, [%rd6];",
    /* Bounds that reach the first place, or that are not bounds. */
    "mad.lo.s64 %rd30, %rd4, 8, %rd6; ld.u64 %rd20, [%rd30+8];",
    MASKED "add.s64 %rd31, %rd6, %rd30; ld.u64 %rd20, [%rd31];",
    MASKED "add.s64 %rd31, %rd6, %rd30; st.u64 [%rd31], %rd1;" SECOND,
    "and.b32 %r2, %r1, 3; mad.wide.u32 %rd30, %r2, 8, %rd6; st.u64 [%rd30+-16], %rd1;" SECOND,
    "and.b32 %r2, %r1, 2; mad.wide.u32 %rd30, %r2, 4, %rd6; st.u64 [%rd30], %rd1;" SECOND,
    "rem.u32 %r2, %r1, 2; mad.wide.u32 %rd30, %r2, 8, %rd6; st.u64 [%rd30], %rd1;" SECOND,
    "rem.u32 %r2, %r1, 3; mad.wide.u32 %rd30, %r2, 8, %rd6; st.u64 [%rd30+-8], %rd1;" SECOND,
    "rem.s32 %r2, %r1, 2; mad.wide.s32 %rd30, %r2, 8, %rd6; ld.u64 %rd20, [%rd30+8];",
    "rem.u32 %r2, 2, %r1; mad.wide.u32 %rd30, %r2, 8, %rd6; st.u64 [%rd30], %rd1;" SECOND,
    MASKED "sub.s64 %rd31, %rd6, %rd30; ld.u64 %rd20, [%rd31+8];",
    "and.b32 %r2, %r1, 1; mul.lo.s32 %r3, %r2, -8; cvt.s64.s32 %rd30, %r3; add.s64 %rd31, %rd6, %rd30;"
    "ld.u64 %rd20, [%rd31+8];",
    "and.b32 %r2, %r1, 1; add.s32 %r3, %r2, -1; mad.wide.s32 %rd30, %r3, 8, %rd6; ld.u64 %rd20, [%rd30+8];",
    "and.b32 %r2, %r1, 1; @%p1 mov.u32 %r2, %r1; mad.wide.u32 %rd30, %r2, 8, %rd6; ld.u64 %rd20, [%rd30+8];",
    "and.b32 %r2, %r1, 1; @%p1 add.s32 %r2, %r2, 1; mad.wide.u32 %rd30, %r2, 8, %rd6; ld.u64 %rd20, [%rd30+-8];",
    "and.b32 %r2, %r1, -2; mad.wide.u32 %rd30, %r2, 8, %rd6; ld.u64 %rd20, [%rd30+8];",
    "and.b32 %r2, %r1, %r3; mad.wide.u32 %rd30, %r2, 8, %rd6; ld.u64 %rd20, [%rd30+8];",
    "and.b32 %r2, %r1, 1; shfl.sync.idx.b32 %r3, %r2, 0, 31, -1; add.s32 %r4, %r3, %r1;"
    "mad.wide.u32 %rd30, %r4, 8, %rd6; ld.u64 %rd20, [%rd30+8];",
    /* Sums and conversions that cut bits off. */
    "mov.u32 %r2, 264; cvt.u64.u8 %rd30, %r2; add.s64 %rd31, %rd6, %rd30; st.u64 [%rd31], %rd1;" SECOND,
    "mov.u32 %r2, 65544; cvt.u64.u16 %rd30, %r2; add.s64 %rd31, %rd6, %rd30; st.u64 [%rd31], %rd1;" SECOND,
    "mov.u32 %r2, 248; cvt.s64.s8 %rd30, %r2; add.s64 %rd31, %rd6, %rd30; st.u64 [%rd31+16], %rd1;" SECOND,
    ".reg .b16 %h<3>; mov.u16 %h1, 65528; add.u16 %h2, %h1, 16; cvt.u64.u16 %rd30, %h2;"
    "add.s64 %rd31, %rd6, %rd30; st.u64 [%rd31], %rd1;" SECOND,
    ".reg .b16 %h<3>; mov.u16 %h1, 65535; add.u16 %h2, %h1, 9; cvt.u64.u16 %rd30, %h2;"
    "add.s64 %rd31, %rd6, %rd30; st.u64 [%rd31], %rd1;" SECOND,
    "mov.u32 %r2, 65535; add.u16x2 %r3, %r2, 9; cvt.u64.u32 %rd30, %r3; add.s64 %rd31, %rd6, %rd30;"
    "st.u64 [%rd31], %rd1;" SECOND,
    ".reg .b16 %h<4>; cvt.u16.u32 %h1, %r1; and.b16 %h3, %h1, 255; shl.b16 %h2, %h3, 8; cvt.s64.s16 %rd30, %h2;"
    "add.s64 %rd31, %rd6, %rd30; st.u64 [%rd31+8], %rd1;" SECOND,
    /* Low bits that the alignment does not cover, or that are not known. */
    "add.s64 %rd30, %rd6, 8; or.b64 %rd31, %rd30, 16; st.u64 [%rd31], %rd1;" SECOND,
    "add.s64 %rd30, %rd6, 8; or.b64 %rd31, %rd30, 8; st.u64 [%rd31], %rd1;" SECOND,
    "or.b64 %rd30, %rd6, %rd4; ld.u64 %rd20, [%rd30+8];",
    "xor.b64 %rd30, %rd6, 8; xor.b64 %rd30, %rd30, 8; ld.u64 %rd20, [%rd30];",
    /* One of two places, one of which is the first. */
    "add.s64 %rd30, %rd6, 8; selp.b64 %rd31, %rd6, %rd30, %p1; ld.u64 %rd20, [%rd31];",
    "add.s64 %rd30, %rd6, 8; selp.b64 %rd31, %rd30, %rd6, %p1; ld.u64 %rd20, [%rd31];",
    "add.s64 %rd30, %rd6, 32; selp.b64 %rd31, %rd30, %rd6, %p1; st.u64 [%rd31+8], %rd1;" SECOND,
    /* In loops. */
    "mov.u64 %rd30, %rd6; $L: st.u64 [%rd30], %rd1; add.s64 %rd30, %rd30, 8; @%p1 bra $L;" SECOND,
    "add.s64 %rd30, %rd6, 56; $L: st.u64 [%rd30], %rd1; add.s64 %rd30, %rd30, -8; @%p1 bra $L;" SECOND,
    "$L: ld.u64 %rd20, [%rd6+8]; st.u64 [%rd6+8], %rd1; @%p1 bra $L;",
    "mov.u32 %r2, 0; st.u32 [%rd6+48], %r2; $L: ld.u32 %r3, [%rd6+48]; cvt.u64.u32 %rd30, %r3;"
    "add.s64 %rd31, %rd6, %rd30; ld.u8 %r4, [%rd31]; st.u8 [%rd31+24], %r4; add.s32 %r3, %r3, 1;"
    "st.u32 [%rd6+48], %r3; @%p1 bra $L; ld.u64 %rd20, [%rd6+24];",
    /* Parts of a place, and stores across places. */
    "cvt.u32.u64 %r2, %rd1; shr.u64 %rd30, %rd1, 32; cvt.u32.u64 %r3, %rd30; st.u32 [%rd6+8], %r2;"
    "st.u32 [%rd6+12], %r3;" SECOND,
    "st.v2.u64 [%rd6], {%rd2, %rd1};" SECOND,
    "mov.b64 {%r2, %r3}, %rd1; st.v4.u32 [%rd6], {%r3, %r2, %r2, %r3};" SECOND,
    "ld.v2.u64 {%rd30, %rd31}, [%rd6]; st.v2.u64 [%rd6], {%rd31, %rd30};" SECOND,
    ".reg .b128 %q; mov.b128 %q, {%rd2, %rd1}; st.b128 [%rd6], %q;" SECOND,
    ".reg .b128 %q; ld.b128 %q, [%rd6]; mov.b128 {%rd20, %rd30}, %q;",
    /* The address goes elsewhere and comes back. */
    "st.u64 [%rd6+32], %rd6; ld.u64 %rd30, [%rd6+32]; st.u64 [%rd30+8], %rd1;" SECOND,
    "st.global.u64 [%rd3], %rd6; ld.global.u64 %rd30, [%rd3]; st.u64 [%rd30+8], %rd1;" SECOND,
    "xor.b64 %rd30, %rd6, %rd4; xor.b64 %rd31, %rd30, %rd4; st.u64 [%rd31+8], %rd1;" SECOND,
    "mov.b64 {%r2, %r3}, %rd6; mov.b64 %rd30, {%r2, %r3}; st.u64 [%rd30+8], %rd1;" SECOND,
    "cvta.to.local.u64 %rd30, %rd6; st.local.u64 [%rd30+8], %rd1;" SECOND,
    "cvt.u32.u64 %r2, %rd5; cvt.u64.u32 %rd30, %r2; st.local.u64 [%rd30+8], %rd1;" SECOND,
    "sub.s64 %rd30, %rd6, %rd4; add.s64 %rd31, %rd30, %rd4; st.u64 [%rd31+8], %rd1;" SECOND,
    /* Memory of alloca, which is one place for all its turns. */
    "$L: alloca.u64 %rd33, 32, 16; st.local.u64 [%rd33+8], %rd1; ld.local.u64 %rd20, [%rd33+8]; @%p1 bra $L;",
    "alloca.u64 %rd33, 32, 16; " MASKED "add.s64 %rd31, %rd33, %rd30; st.local.u64 [%rd31], %rd1;"
    "ld.local.u64 %rd20, [%rd33+8];",
};

static int first_verdict(const char *way)
{
	struct strbuf body = STRBUF_INIT;
	int found;

	strbuf_adds(&body, FRAME);
	strbuf_adds(&body, way);
	strbuf_adds(&body, USE);
	found = verdict(body.data, "p0", ALIAS_GUARDED);
	strbuf_release(&body);
	return found;
}

static void test_places_apart(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
		if (first_verdict(apart[i]) != VERDICT_READ_ONLY)
			fail_msg("p0 is not read-only: %s", apart[i]);
}

static void test_places_together(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof together / sizeof *together; i++)
		if (first_verdict(together[i]) == VERDICT_READ_ONLY)
			fail_msg("p0 is read-only: %s", together[i]);
}

/* --- Frames whose address goes to a function --- */

static const struct {
	const char *function; /* of the frame's address %a and of the pointer %b; gives back %z */
	int verdict;
} callees[] = {
    {"ld.u64 %z, [%a+8];", VERDICT_READ_ONLY},
    {"ld.u64 %z, [%a];", VERDICT_READ_WRITE},
    /* A number stored through one pointer is not a part of the next pointer. */
    {"ld.u64 %c, [%a+16]; st.f32 [%c], %f; ld.u64 %z, [%a+8];", VERDICT_READ_ONLY},
    {"ld.u64 %c, [%a+16]; st.u64 [%c], %b; ld.u64 %z, [%a+8];", VERDICT_READ_ONLY},
    /* The callee's stores are in the caller's place, under either name. */
    {"st.u64 [%a+8], %b; ld.u64 %z, [%a+8];", VERDICT_READ_WRITE},
    {"ld.u64 %c, [%a+40]; st.u64 [%c+8], %b; ld.u64 %z, [%a+8];", VERDICT_READ_WRITE},
    {"ld.u64 %c, [%a+40]; st.u64 [%a+8], %b; ld.u64 %z, [%c+8];", VERDICT_READ_WRITE},
    {"ld.u64 %c, [%a+40]; ld.u64 %d, [%c+40]; st.u64 [%d+8], %b; ld.u64 %z, [%c+8];", VERDICT_READ_WRITE},
    {"st.u64 [%a+48], %a; ld.u64 %c, [%a+48]; st.u64 [%c+8], %b; ld.u64 %z, [%a+8];", VERDICT_READ_WRITE},
    {"ld.v2.u64 {%z, %c}, [%a];", VERDICT_READ_WRITE},
    {"ld.v2.u64 {%c, %z}, [%a];", VERDICT_READ_ONLY},
    {".reg .b128 %q; ld.b128 %q, [%a+16]; mov.b128 {%c, %z}, %q;", VERDICT_READ_WRITE},
    {"cvt.u32.u64 %r, %b; and.b32 %r, %r, 1; mad.wide.u32 %c, %r, 8, %a; ld.u64 %z, [%c];", VERDICT_READ_WRITE},
    {"ld.u64 %c, [%a]; ld.u64 %d, [%a+8]; st.u64 [%a], %d; st.u64 [%a+8], %c; ld.u64 %z, [%a+8];", VERDICT_READ_WRITE},
    /* Its own frame, which others read, and which is another in each turn of a recursion. */
    {".local .align 8 .b8 m[16]; cvta.local.u64 %c, m; st.u64 [%c+8], %b; st.u64 [%a+8], %c; ld.u64 %d, [%a+8];"
     "ld.u64 %z, [%d+8];",
     VERDICT_READ_WRITE},
    {".local .align 8 .b8 m[16]; ld.u64 %z, [%a+8]; @%p bra $end; mov.u64 %c, m; cvta.local.u64 %c, %c;"
     "st.u64 [%c+8], %b; { .param .b64 x; .param .b64 y; .param .b64 r; st.param.b64 [x], %c; st.param.b64 [y], %b;"
     "call (r), f, (x, y); ld.param.b64 %z, [r]; }",
     VERDICT_READ_WRITE},
};

static void add_callee(struct strbuf *text, const char *body)
{
	strbuf_addf(text,
		    HEADER
		    ".func (.param .b64 r) f(.param .b64 a, .param .b64 b)\n{\n.reg .b64 %%a, %%b, %%c, %%d, %%z;"
		    ".reg .b32 %%r; .reg .f32 %%f; .reg .pred %%p;\n"
		    "ld.param.b64 %%a, [a]; ld.param.b64 %%b, [b]; mov.f32 %%f, 0f3f800000;\n"
		    "%s\n$end: st.param.b64 [r], %%z; ret;\n}\n",
		    body);
}

static void test_callees(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof callees / sizeof *callees; i++) {
		struct strbuf text = STRBUF_INIT;
		struct subject s;
		int found;

		add_callee(&text, callees[i].function);
		add_kernel(&text, FRAME "st.u64 [%rd6+24], %rd1; st.u64 [%rd6+40], %rd6;\n"
					"{ .param .b64 x; .param .b64 y; .param .b64 q; st.param.b64 [x], %rd6;\n"
					"st.param.b64 [y], %rd1; call (q), f, (x, y); ld.param.b64 %rd20, [q]; }" USE);
		analyze(&s, text.data, ALIAS_GUARDED);
		found = (int)find(&s, "k", "p0")->verdict;
		if ((found == VERDICT_READ_ONLY) != (callees[i].verdict == VERDICT_READ_ONLY))
			fail_msg("p0 is of verdict %d: %s", found, callees[i].function);
		release(&s);
		strbuf_release(&text);
	}
}

/*
 * The callee finds the address of its own variable in the caller's frame, under another name than it stored it by. A
 * load through it is not a load of global memory.
 */
static void test_own_variable_in_the_callers_frame(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct subject s;

	(void)state;
	add_callee(&text, ".local .align 8 .b8 m[16]; cvta.local.u64 %c, m; ld.u64 %d, [%a+40]; @%p st.u64 [%d+8], %c;"
			  "ld.u64 %z, [%a+8]; ld.u64 %b, [%z];");
	add_kernel(&text, FRAME "st.u64 [%rd6+40], %rd6;\n"
				"{ .param .b64 x; .param .b64 y; .param .b64 q; st.param.b64 [x], %rd6;\n"
				"st.param.b64 [y], %rd1; call (q), f, (x, y); ld.param.b64 %rd20, [q]; }\n"
				"st.global.u64 [%rd3], %rd4;");
	analyze(&s, text.data, ALIAS_GUARDED);
	assert_int_equal(find(&s, "k", "p1")->loads, 1);
	assert_int_equal(find(&s, "k", "p1")->loads_marked, 0);
	release(&s);
	strbuf_release(&text);
}

/* Two tables in a struct parameter: the first four pointers are read, the next two written. */
static void test_tables_in_a_parameter(void **state)
{
	static const struct {
		const char *index, *alignment;
		unsigned marked;
	} cases[] = {
	    {"and.b32 %r2, %r1, 3;", "8", 1}, {"rem.u32 %r2, %r1, 4;", "16", 1}, {"and.b32 %r2, %r1, 7;", "8", 0},
	    {"rem.u32 %r2, %r1, 5;", "8", 0}, {"mov.u32 %r2, %r1;", "8", 0},     {"and.b32 %r2, %r1, 3;", "4", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct strbuf text = STRBUF_INIT;
		struct subject s;

		strbuf_addf(&text,
			    HEADER
			    ".visible .entry k(.param .align %s .b8 t[64])\n{\n.reg .b64 %%rd<9>; .reg .b32 "
			    "%%r<4>;\nmov.u32 %%r1, %%tid.x; %s mul.wide.u32 %%rd1, %%r2, 8; mov.b64 %%rd2, t;\n"
			    "add.s64 %%rd3, %%rd2, %%rd1; ld.param.u64 %%rd4, [%%rd3]; ld.global.u32 %%r3, [%%rd4];\n"
			    "and.b32 %%r0, %%r1, 1; mul.wide.u32 %%rd5, %%r0, 8; add.s64 %%rd6, %%rd2, %%rd5;\n"
			    "ld.param.u64 %%rd7, [%%rd6+32]; st.global.u32 [%%rd7], %%r3; ret;\n}\n",
			    cases[i].alignment, cases[i].index);
		analyze(&s, text.data, ALIAS_GUARDED);
		if (ptx_kernel_facts(s.analysis, "k")->loads_marked != cases[i].marked)
			fail_msg("%s: marked or not against the table", cases[i].index);
		release(&s);
		strbuf_release(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_places_apart),
	    cmocka_unit_test(test_places_together),
	    cmocka_unit_test(test_callees),
	    cmocka_unit_test(test_own_variable_in_the_callers_frame),
	    cmocka_unit_test(test_tables_in_a_parameter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
