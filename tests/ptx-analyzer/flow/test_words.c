/*
 * Words that a launch looks up unchanged, in memory and in parameters. If the kernel changes a word before it uses it
 * as an address, the address is unknown, unless the launch can see through the change.
 */
#include "tests/ptx-analyzer/flow/subject.h"

/* Makes an address in %rd21 of the word %rd20. */
#define WORD "ld.global.u64 %rd20, [%rd1];\n"
#define LOAD "\nld.global.f32 %f1, [%rd21]; st.global.f32 [%rd3], %f1;"

static const char *const changes[] = {
    "xor.b64 %rd21, %rd20, 65536;",
    "xor.b64 %rd21, %rd20, %rd4;",
    "ld.global.u64 %rd22, [%rd1+8]; xor.b64 %rd21, %rd20, %rd22;",
    "not.b64 %rd21, %rd20;",
    "neg.s64 %rd21, %rd20;",
    "sub.s64 %rd21, 0, %rd20;",
    "ld.global.u64 %rd22, [%rd1+8]; sub.s64 %rd21, %rd20, %rd22;",
    "or.b64 %rd21, %rd20, 256;",
    "or.b64 %rd21, %rd20, %rd4;",
    "and.b64 %rd21, %rd20, -512;",
    "and.b64 %rd21, %rd20, %rd4;",
    "and.b64 %rd21, %rd20, 70368744177663;",
    "shl.b64 %rd22, %rd20, 4; shr.u64 %rd21, %rd22, 4;",
    "shr.u64 %rd22, %rd20, 12; shl.b64 %rd21, %rd22, 5;",
    "shl.b64 %rd21, %rd20, 40;",
    "mul.lo.s64 %rd21, %rd20, %rd4;",
    "div.u64 %rd21, %rd20, %rd4;",
    "shr.u64 %rd21, %rd20, %r1;",
    "ld.global.v2.u32 {%r2, %r3}, [%rd1]; mov.b64 %rd21, {%r3, %r2};",
    "ld.global.u32 %r2, [%rd1]; ld.global.u32 %r3, [%rd1+64]; cvt.u64.u32 %rd22, %r2; cvt.u64.u32 %rd23, %r3;"
    "shl.b64 %rd23, %rd23, 32; or.b64 %rd21, %rd22, %rd23;",
    ".local .align 8 .b8 l[8]; ld.global.u32 %r2, [%rd1]; ld.global.u32 %r3, [%rd1+64]; st.local.u32 [l], %r2;"
    "st.local.u32 [l+4], %r3; ld.local.u64 %rd21, [l];",
};

static const char *const harmless[] = {
    "mov.u64 %rd21, %rd20;",
    "add.s64 %rd21, %rd20, 64;",
    "add.s64 %rd21, %rd20, -4096;",
    "mad.lo.s64 %rd21, %rd4, 4, %rd20;",
    "and.b64 %rd21, %rd20, -8;",
    "and.b64 %rd21, %rd20, -256;",
    "and.b64 %rd21, %rd20, 281474976710655;",
    "and.b64 %rd21, %rd20, 281474976710648;",
    "or.b64 %rd21, %rd20, 255;",
    "ld.global.u64 %rd22, [%rd1+8]; selp.b64 %rd21, %rd20, %rd22, %p1;",
};

static bool reaches_unknown(const char *address)
{
	struct strbuf body = STRBUF_INIT;
	int found;

	strbuf_adds(&body, WORD);
	strbuf_adds(&body, address);
	strbuf_adds(&body, LOAD);
	found = verdict(body.data, "unknown", ALIAS_GUARDED);
	strbuf_release(&body);
	return found >= 0;
}

static void test_changed_words_are_unknown(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
		if (!reaches_unknown(changes[i]))
			fail_msg("%s: taken for what the word leads to", changes[i]);
}

static void test_what_a_launch_sees_through_is_known(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
		if (reaches_unknown(harmless[i]))
			fail_msg("%s: unknown", harmless[i]);
}

/* As an index a changed word is a number like any other. */
static void test_changed_words_are_indices(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
		struct strbuf body = STRBUF_INIT;

		strbuf_adds(&body, WORD);
		strbuf_adds(&body, changes[i]);
		strbuf_adds(&body,
			    "\nadd.s64 %rd30, %rd2, %rd21; ld.global.f32 %f1, [%rd30]; st.global.f32 [%rd3], %f1;");
		if (verdict(body.data, "p1", ALIAS_GUARDED) != VERDICT_READ_ONLY)
			fail_msg("%s: an index by it ends a mark", changes[i]);
		strbuf_release(&body);
	}
}

/* A parameter that is encoded. Its own bits may be masked and put together again. */
static void test_changed_parameters(void **state)
{
	(void)state;
	assert_true(verdict("xor.b64 %rd21, %rd4, 65536;" LOAD, "unknown", ALIAS_GUARDED) >= 0);
	assert_true(verdict("sub.s64 %rd21, 5, %rd4;" LOAD, "unknown", ALIAS_GUARDED) >= 0);
	assert_true(
	    verdict("cvt.u32.u64 %r2, %rd4; xor.b32 %r2, %r2, 65536; shr.u64 %rd22, %rd4, 32; cvt.u32.u64 %r3, %rd22;"
		    "mov.b64 %rd21, {%r2, %r3};" LOAD,
		    "unknown", ALIAS_GUARDED) >= 0);
	assert_true(verdict("xor.b64 %rd21, %rd4, %rd1; xor.b64 %rd21, %rd21, %rd2;" LOAD, "unknown", ALIAS_GUARDED) >=
		    0);
	assert_int_equal(verdict("and.b64 %rd21, %rd4, -4096;" LOAD, "unknown", ALIAS_GUARDED), -1);
	assert_int_equal(verdict("mov.b64 {%r2, %r3}, %rd4; mov.b64 %rd21, {%r2, %r3};" LOAD, "unknown", ALIAS_GUARDED),
			 -1);
}

/* The halves that a by-value struct stores apart are not a word of it. */
static void test_halves_of_a_struct(void **state)
{
	struct subject s;

	(void)state;
	analyze(
	    &s,
	    HEADER
	    ".visible .entry k(.param .align 8 .b8 s[24], .param .u64 out)\n{\n.reg .b64 %rd<5>; .reg .b32 %r<3>; .reg .f32 %f<2>;\n"
	    "ld.param.u32 %r1, [s]; ld.param.u32 %r2, [s+16]; mov.b64 %rd1, {%r1, %r2};\n"
	    "ld.param.u64 %rd2, [out]; ld.global.f32 %f1, [%rd1]; st.global.f32 [%rd2], %f1; ret;\n}\n",
	    ALIAS_GUARDED);
	assert_non_null(find(&s, "k", "unknown"));
	assert_int_equal(ptx_kernel_facts(s.analysis, "k")->loads_marked, 0);
	release(&s);
}

static struct structure structure_of(const char *body, const char *id)
{
	const struct structure *found;
	struct structure result;
	struct subject s;

	analyze_body(&s, body, ALIAS_GUARDED);
	found = find(&s, "k", id);
	assert_non_null(found);
	result = *found;
	release(&s);
	return result;
}

#define B_AT(address) address " ld.global.f32 %f1, [%rd21]; st.global.f32 [%rd3], %f1;"

/* The constant part of the distance from a pointer, if all accesses have it. */
static void test_bias(void **state)
{
	static const struct {
		const char *body;
		int64_t low, high;
	} cases[] = {
	    {"ld.global.f32 %f1, [%rd2+8];", 8, 8},
	    {"ld.global.f32 %f1, [%rd2+8]; ld.global.f32 %f1, [%rd2+-16];", 0, 0},
	    {"ld.global.f32 %f1, [%rd2+8]; ld.global.f32 %f1, [%rd2+40];", 8, 40},
	    {"ld.global.f32 %f1, [%rd2+8]; ld.global.f32 %f1, [%rd2];", 0, 0},
	    {"mad.wide.s32 %rd21, %r1, 4, %rd2; ld.global.f32 %f1, [%rd21+-4096];", -4096, -4096},
	    {B_AT("add.s64 %rd20, %rd2, -4096; mad.wide.s32 %rd21, %r1, 4, %rd20;"), -4096, -4096},
	    {B_AT("add.s32 %r2, %r1, -1024; mad.wide.s32 %rd21, %r2, 4, %rd2;"), -4096, -4096},
	    {B_AT("add.s64 %rd20, %rd4, -1024; shl.b64 %rd22, %rd20, 2; add.s64 %rd21, %rd2, %rd22;"), -4096, -4096},
	    {B_AT("sub.s64 %rd20, %rd2, 64; mov.u64 %rd21, %rd20; $L: add.s64 %rd21, %rd21, 4; @%p1 bra $L;"), -64,
	     -64},
	    {B_AT("mad.wide.s32 %rd21, %r1, 4, %rd2;"), 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct structure s = structure_of(cases[i].body, "p1");

		if (s.bias_low != cases[i].low || s.bias_high != cases[i].high)
			fail_msg("%s: %lld to %lld", cases[i].body, (long long)s.bias_low, (long long)s.bias_high);
	}
}

/* "any", or what bounds the numbers that are added to p1: the factor as a power of 2, and "w" for words of 32 bits. */
static const char *added_to(const char *body)
{
	static char text[16];
	struct offset_size added = structure_of(body, "p1").added;

	snprintf(text, sizeof text, added.any ? "any" : "%u%s", added.wide, added.words ? "w" : "");
	return text;
}

/* A word of 64 bits that is added to a base might be an address, and the base null, whatever it is multiplied by. */
static void test_numbers_added(void **state)
{
	static const struct {
		const char *body, *added;
	} cases[] = {
	    {B_AT("ld.global.u64 %rd20, [%rd1]; add.s64 %rd21, %rd2, %rd20;"), "any"},
	    {B_AT("ld.global.u64 %rd20, [%rd1]; mad.lo.s64 %rd21, %rd20, 4, %rd2;"), "any"},
	    {B_AT("ld.global.u64 %rd20, [%rd1]; shr.u64 %rd20, %rd20, 1; add.s64 %rd21, %rd2, %rd20;"), "any"},
	    {B_AT("ld.global.s32 %r2, [%rd1]; mad.wide.s32 %rd21, %r2, 4, %rd2;"), "2w"},
	    {B_AT("ld.global.s32 %r2, [%rd1]; mul.wide.s32 %rd20, %r2, 48; add.s64 %rd21, %rd2, %rd20;"), "6w"},
	    {B_AT("ld.global.s32 %r2, [%rd1]; mul.wide.s32 %rd20, %r2, 4096; add.s64 %rd21, %rd2, %rd20;"), "any"},
	    {B_AT("ld.global.s32 %r2, [%rd1]; mul.wide.s32 %rd20, %r2, 64; shl.b64 %rd20, %rd20, 6;"
		  "add.s64 %rd21, %rd2, %rd20;"),
	     "any"},
	    {B_AT("ld.global.s32 %r2, [%rd1]; cvt.s64.s32 %rd20, %r2; $L: add.s64 %rd20, %rd20, %rd20; @%p1 bra $L;"
		  "add.s64 %rd21, %rd2, %rd20;"),
	     "any"},
	    {B_AT("ld.global.s32 %r2, [%rd1]; cvt.s64.s32 %rd20, %r2; mul.lo.s64 %rd20, %rd20, %rd4;"
		  "add.s64 %rd21, %rd2, %rd20;"),
	     "any"},
	    {B_AT("ld.global.f32 %f1, [%rd1]; cvt.rzi.s64.f32 %rd20, %f1; add.s64 %rd21, %rd2, %rd20;"), "any"},
	    {B_AT("ld.global.f32 %f1, [%rd1]; cvt.rzi.s32.f32 %r2, %f1; mad.wide.s32 %rd21, %r2, 8, %rd2;"), "3w"},
	    {B_AT("mad.wide.s32 %rd21, %r1, 4, %rd2;"), "2w"},
	    {B_AT("mov.u32 %r2, %tid.x; mad.wide.s32 %rd21, %r2, 4, %rd2;"), "2"},
	    {B_AT("add.s64 %rd21, %rd2, %rd4;"), "0"},
	    {B_AT("shl.b64 %rd20, %rd4, 3; add.s64 %rd21, %rd2, %rd20;"), "3"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (strcmp(added_to(cases[i].body), cases[i].added) != 0)
			fail_msg("%s: %s", cases[i].body, added_to(cases[i].body));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_changed_words_are_unknown),
	    cmocka_unit_test(test_what_a_launch_sees_through_is_known),
	    cmocka_unit_test(test_changed_words_are_indices),
	    cmocka_unit_test(test_changed_parameters),
	    cmocka_unit_test(test_halves_of_a_struct),
	    cmocka_unit_test(test_bias),
	    cmocka_unit_test(test_numbers_added),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
