/* From which places a kernel loads pointers: a launch takes other words of that memory for numbers. */
#include "tests/ptx-analyzer/flow/subject.h"

/* Element %r1 or %rd4 of an array at p0, of so many bytes each. */
#define ELEMENT(bytes) "mul.wide.s32 %rd20, %r1, " #bytes "; add.s64 %rd21, %rd1, %rd20;"
#define READ(pointer) "ld.global.f32 %f1, [" pointer "]; st.global.f32 [%rd3], %f1;"

/* "8" for byte 8, "24n+8" for byte 8 of each 24; "any" */
static const char *words_of(const char *body, const char *id)
{
	static char text[128];
	const struct structure *s;
	struct strbuf all = STRBUF_INIT;
	struct subject subject;

	analyze_body(&subject, body, ALIAS_GUARDED);
	s = find(&subject, "k", id);
	for (uint32_t i = 0; s && i < s->nwords; i++) {
		strbuf_addf(&all, i ? " " : "");
		if (s->words[i].step)
			strbuf_addf(&all, "%un+", s->words[i].step);
		strbuf_addf(&all, "%lld", (long long)s->words[i].at);
	}
	if (!s || !s->nwords)
		strbuf_addf(&all, s ? "any" : "none");
	snprintf(text, sizeof text, "%s", all.data);
	strbuf_release(&all);
	release(&subject);
	return text;
}

static void test_words(void **state)
{
	static const struct {
		const char *body, *words;
	} cases[] = {
	    {"ld.global.u64 %rd30, [%rd1+16]; ld.global.u32 %r2, [%rd1+8];" READ("%rd30"), "16"},
	    {"ld.global.u64 %rd30, [%rd1+-8]; ld.global.u64 %rd31, [%rd1+8];" READ("%rd30"), "-8 8"},
	    {"ld.global.v2.u64 {%rd30, %rd31}, [%rd1+16];" READ("%rd31"), "16 24"},
	    {ELEMENT(24) "ld.global.u64 %rd30, [%rd21+8]; ld.global.v2.u32 {%r2, %r3}, [%rd21+16];" READ("%rd30"),
	     "24n+8"},
	    {ELEMENT(16) "ld.global.u64 %rd30, [%rd21+8]; ld.global.u64 %rd31, [%rd1];" READ("%rd30"), "16n+8 0"},
	    {ELEMENT(16) "ld.global.u64 %rd30, [%rd21]; ld.global.u64 %rd31, [%rd21+48];" READ("%rd30"), "16n+0"},
	    {ELEMENT(8) "ld.global.u64 %rd30, [%rd21];" READ("%rd30"), "any"},
	    {"mad.wide.u32 %rd21, %r1, 24, %rd1; ld.global.u64 %rd30, [%rd21+16];" READ("%rd30"), "24n+16"},
	    {"shl.b64 %rd20, %rd4, 5; add.s64 %rd21, %rd1, %rd20; ld.global.u64 %rd30, [%rd21+8];" READ("%rd30"),
	     "32n+8"},
	    {"shl.b32 %r2, %r1, 1; add.s32 %r3, %r2, 1; mul.wide.s32 %rd20, %r3, 16; add.s64 %rd21, %rd20, %rd1;"
	     "ld.global.u64 %rd30, [%rd21];" READ("%rd30"),
	     "32n+16"},
	    {"cvt.s64.s32 %rd22, %r1; mul.lo.s64 %rd20, %rd22, 40; add.s64 %rd21, %rd1, %rd20;"
	     "ld.global.u64 %rd30, [%rd21];" READ("%rd30"),
	     "40n+0"},
	    {"mov.u64 %rd21, %rd1; $L: ld.global.u64 %rd30, [%rd21]; add.s64 %rd21, %rd21, 24; @%p1 bra $L;" READ(
		 "%rd30"),
	     "24n+0"},
	    {"add.s64 %rd20, %rd1, 48; selp.b64 %rd21, %rd1, %rd20, %p1; ld.global.u64 %rd30, [%rd21];" READ("%rd30"),
	     "48n+0"},
	    {".local .align 8 .b8 l[8];" ELEMENT(24) "st.local.u64 [l], %rd21; ld.local.u64 %rd22, [l];"
						     "ld.global.u64 %rd30, [%rd22];" READ("%rd30"),
	     "24n+0"},
	    /* A product that may wrap is a multiple of 8 alone, as is a sum of such products. */
	    {"mul.lo.s64 %rd20, %rd4, 24; add.s64 %rd21, %rd1, %rd20; ld.global.u64 %rd30, [%rd21];" READ("%rd30"),
	     "any"},
	    {"mul.lo.s32 %r2, %r1, 24; cvt.s64.s32 %rd20, %r2; add.s64 %rd21, %rd1, %rd20;"
	     "ld.global.u64 %rd30, [%rd21];" READ("%rd30"),
	     "any"},
	    {"mov.b64 %rd20, 0; $L: mul.wide.s32 %rd22, %r1, 24; add.s64 %rd20, %rd20, %rd22; @%p1 bra $L;"
	     "add.s64 %rd21, %rd1, %rd20; ld.global.u64 %rd30, [%rd21];" READ("%rd30"),
	     "any"},
	    {ELEMENT(24) "and.b64 %rd22, %rd21, -32; ld.global.u64 %rd30, [%rd22];" READ("%rd30"), "any"},
	    {ELEMENT(24) "sub.s64 %rd22, %rd21, %rd4; ld.global.u64 %rd30, [%rd22];" READ("%rd30"), "any"},
	    {ELEMENT(24) "xor.b64 %rd22, %rd20, 8; add.s64 %rd21, %rd1, %rd22; ld.global.u64 %rd30, [%rd21];" READ(
		 "%rd30"),
	     "any"},
	    {".reg .b16 %rs<5>; cvt.u16.u32 %rs1, %r1; cvt.u64.u16 %rd22, %rs1; shl.b64 %rd22, %rd22, 3; add.s64 %rd21, %rd1, %rd22;"
	     "ld.global.u64 %rd30, [%rd21];" READ("%rd30"),
	     "any"},
	    {"mul.wide.s32 %rd22, %r1, -24; add.s64 %rd21, %rd1, %rd22; ld.global.u64 %rd30, [%rd21];" READ("%rd30"),
	     "any"},
	    {"ld.global.u64 %rd22, [%rd2]; add.s64 %rd21, %rd1, %rd22; ld.global.u64 %rd30, [%rd21];" READ("%rd30"),
	     "any"},
	    /* Copies to shared memory bring all that is there. */
	    {".shared .align 16 .b8 t[16]; mov.b32 %r2, t; cp.async.ca.shared.global [%r2], [%rd1], 16;"
	     "ld.global.u64 %rd31, [%rd1+32]; ld.shared.u64 %rd30, [t+8];" READ("%rd30"),
	     "any"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *words = words_of(cases[i].body, "*p0");

		if (strcmp(words, cases[i].words) != 0)
			fail_msg("%s: %s, not %s", cases[i].body, words, cases[i].words);
	}
}

/* Words that are put together from numbers are not looked up: no load through them is marked, and a store ends all. */
static void test_words_in_parts(void **state)
{
	static const char *const parts[] = {
	    "ld.global.v2.u32 {%r2, %r3}, [%rd1+8]; mov.b64 %rd30, {%r2, %r3};",
	    "ld.global.u32 %r2, [%rd1+8]; ld.global.u32 %r3, [%rd1+12]; cvt.u64.u32 %rd22, %r2; cvt.u64.u32 %rd23, %r3;"
	    "shl.b64 %rd23, %rd23, 32; or.b64 %rd30, %rd22, %rd23;",
	    "ld.global.u32 %r2, [%rd1+8]; ld.global.u32 %r3, [%rd1+12]; cvt.u64.u32 %rd22, %r2;"
	    "mad.wide.u32 %rd23, %r3, 65536, 0; shl.b64 %rd23, %rd23, 16; add.s64 %rd30, %rd22, %rd23;",
	    "ld.global.u32 %r2, [%rd1+8]; ld.global.u32 %r3, [%rd1+12]; cvt.u64.u32 %rd22, %r2; cvt.u64.u32 %rd23, %r3;"
	    "bfi.b64 %rd30, %rd23, %rd22, 32, 32;",
	    "ld.global.u32 %r2, [%rd1+8]; ld.global.u32 %r3, [%rd1+12]; cvt.u64.u32 %rd22, %r2; cvt.u64.u32 %rd23, %r3;"
	    "mul.lo.s64 %rd23, %rd23, 4294967296; add.s64 %rd30, %rd22, %rd23;",
	    ".local .align 8 .b8 l[8]; ld.global.u32 %r2, [%rd1+8]; ld.global.u32 %r3, [%rd1+12];"
	    "st.local.u32 [l], %r2; st.local.u32 [l+4], %r3; ld.local.u64 %rd30, [l];",
	    ".local .align 8 .b8 l[8]; ld.global.v2.u32 {%r2, %r3}, [%rd1+8]; st.local.v2.u32 [l], {%r2, %r3};"
	    "ld.local.u64 %rd30, [l];",
	    ".reg .b16 %rs<5>; .local .align 8 .b8 l[8]; ld.global.v4.u16 {%rs1, %rs2, %rs3, %rs4}, [%rd1+8];"
	    "st.local.v4.u16 [l], {%rs1, %rs2, %rs3, %rs4}; ld.local.u64 %rd30, [l];",
	    ".local .align 8 .b8 l[8]; mov.u64 %rd20, 0; $L: add.s64 %rd21, %rd1, %rd20; ld.global.u8 %r2, [%rd21+8];"
	    "mov.u64 %rd22, l; add.s64 %rd22, %rd22, %rd20; st.local.u8 [%rd22], %r2; add.s64 %rd20, %rd20, 1;"
	    "@%p1 bra $L; ld.local.u64 %rd30, [l];",
	    ".shared .align 8 .b8 t[64]; ld.global.u32 %r2, [%rd1+8]; st.shared.u32 [t], %r2; bar.sync 0;"
	    "ld.shared.u64 %rd30, [t];",
	    "ld.global.u32 %r2, [%rd1+8]; ld.global.u32 %r3, [%rd1+12]; shfl.sync.idx.b32 %r4, %r2, 0, 31, -1;"
	    "shfl.sync.idx.b32 %r5, %r3, 0, 31, -1; mov.b64 %rd30, {%r4, %r5};",
	    "ld.global.u32 %r2, [%rd1+8]; ld.global.u32 %r3, [%rd1+12]; prmt.b32 %r4, %r2, %r3, 12816;"
	    "prmt.b32 %r5, %r2, %r3, 30292; mov.b64 %rd30, {%r4, %r5};",
	    ".local .align 8 .b8 l[8]; ld.global.u32 %r2, [%rd1+8]; cvt.u64.u32 %rd22, %r2; st.local.u64 [l], %rd22;"
	    "ld.local.u64 %rd23, [l]; ld.global.u32 %r3, [%rd1+12]; cvt.u64.u32 %rd24, %r3; shl.b64 %rd24, %rd24, 32;"
	    "or.b64 %rd30, %rd23, %rd24;",
	};

	(void)state;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		for (int stores = 0; stores <= 1; stores++) {
			struct strbuf body = STRBUF_INIT;
			struct subject s;

			strbuf_addf(&body, "ld.global.u64 %%rd31, [%%rd1]; ld.global.f32 %%f2, [%%rd31];%s", parts[i]);
			strbuf_adds(&body, stores ? "st.global.f32 [%rd30], %f2;" : READ("%rd30"));
			analyze_body(&s, body.data, ALIAS_GUARDED);
			if (!find(&s, "k", "unknown") || (stores && ptx_kernel_facts(s.analysis, "k")->loads_marked))
				fail_msg("%s: known", body.data);
			release(&s);
			strbuf_release(&body);
		}
}

/* Only the kernel knows where its own code loads from. */
static void test_words_of_a_function(void **state)
{
	static const char text[] = HEADER
	    ".func (.param .b64 r) next(.param .b64 a)\n{\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [a];\n"
	    "ld.global.u64 %rd2, [%rd1+8]; st.param.b64 [r], %rd2; ret;\n}\n"
	    ".visible .entry k(.param .u64 pp, .param .u64 out)\n{\n.reg .b64 %rd<9>; .reg .f32 %f<3>;\n"
	    "ld.param.u64 %rd1, [pp]; ld.param.u64 %rd2, [out]; cvta.to.global.u64 %rd3, %rd1; ld.global.u64 %rd6, [%rd3];\n"
	    "{ .param .b64 x; .param .b64 y; st.param.b64 [x], %rd3; call (y), next, (x); ld.param.b64 %rd5, [y]; }\n"
	    "ld.global.f32 %f1, [%rd5]; ld.global.f32 %f2, [%rd6]; st.global.f32 [%rd2], %f1; ret;\n}\n";
	struct subject s;

	(void)state;
	analyze(&s, text, ALIAS_GUARDED);
	assert_non_null(find(&s, "k", "*p0"));
	assert_int_equal(find(&s, "k", "*p0")->nwords, 0);
	release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_words),
	    cmocka_unit_test(test_words_in_parts),
	    cmocka_unit_test(test_words_of_a_function),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
