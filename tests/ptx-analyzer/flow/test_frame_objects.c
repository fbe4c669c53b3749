/*
 * Variables that a compiler lists in a frame: an address that is computed from a place in one of them stays in it.
 *
 * The frame holds %rd1 at 0, %rd2 at 8 and %rd3 at 16; its generic address is %rd6. A store goes through %rd20, and a
 * load through %rd1. So p0 is read-only where %rd20 cannot be %rd1.
 */
#include "tests/ptx-analyzer/flow/subject.h"

#define FRAME                                                                                                          \
	".local .align 16 .b8 l[128]; mov.u64 %rd5, l; cvta.local.u64 %rd6, %rd5;\n"                                   \
	"st.u64 [%rd6], %rd1; st.u64 [%rd6+8], %rd2; st.u64 [%rd6+16], %rd3;\n"
#define USE "\nld.global.f32 %f1, [%rd1]; st.global.f32 [%rd20], %f1;"
#define LIST(text) ".pragma \"romark.frame " text "\";\n"
/* %rd32 is anywhere as far as numbers tell, computed from this place. */
#define FROM(place) "add.s64 %rd31, %rd6, " #place "; mad.lo.s64 %rd32, %rd4, 8, %rd31;"
#define LOAD " ld.u64 %rd20, [%rd32];"
#define STORE " st.u64 [%rd32], %rd1; ld.u64 %rd20, [%rd6+8];"
/* The same, at a number of 0 and more. */
#define UP(place)                                                                                                      \
	"add.s64 %rd31, %rd6, " #place "; and.b64 %rd33, %rd4, 1; shl.b64 %rd34, %rd33, 3; add.s64 %rd32, %rd31, %rd34;"

static const char *const apart[] = {
    LIST("[%rd6+8] 16") FROM(8) LOAD,
    LIST("[%rd6+8] 16") FROM(16) LOAD,
    LIST("[%rd6+32] 32") FROM(32) STORE,
    LIST("[%rd5+32] 32") FROM(40) STORE,
    LIST("[%rd6+32] 32 [%rd6+64] 8 [%rd6+8] 16") FROM(32) STORE,
    LIST("[%rd6] 8 [%rd6+8] 16") UP(8) LOAD,
    LIST("[%rd6+32] 32") FROM(32) "add.s64 %rd35, %rd32, 8; st.u64 [%rd35], %rd1; ld.u64 %rd20, [%rd6+8];",
    LIST("[%rd6+32] 32") FROM(32) "add.s64 %rd35, %rd32, %rd4; st.u64 [%rd35], %rd1; ld.u64 %rd20, [%rd6+8];",
    LIST("[%rd6+32] 32") FROM(32) "st.u64 [%rd6+64], %rd32; ld.u64 %rd35, [%rd6+64]; st.u64 [%rd35], %rd1;"
				  "ld.u64 %rd20, [%rd6+8];",
    LIST("[%rd6+32] 32") FROM(32) "selp.b64 %rd35, %rd32, %rd31, %p1; st.u64 [%rd35], %rd1; ld.u64 %rd20, [%rd6+8];",
    /* A counter behind the array that it is an index of. */
    LIST(
	"[%rd6+32] 32") "mov.b32 %r2, 0; st.u32 [%rd6+64], %r2; st.u64 [%rd6+72], %rd2;\n"
			"$L: ld.u32 %r3, [%rd6+64]; add.s32 %r4, %r3, 1; st.u32 [%rd6+64], %r4; mul.wide.s32 %rd30, %r3, 8;"
			"add.s64 %rd31, %rd6, 32; add.s64 %rd32, %rd31, %rd30; st.u64 [%rd32], %rd1; @%p1 bra $L; ld.u64 %rd20, [%rd6+72];",
};

static const char *const together[] = {
    FROM(8) LOAD,
    LIST("[%rd6+8] 16") FROM(0) LOAD,
    LIST("[%rd6] 24") FROM(8) LOAD,
    LIST("[%rd6+8] 16") FROM(24) LOAD,
    /* From the end of the variable before. */
    LIST("[%rd6] 8 [%rd6+8] 16") FROM(8) LOAD,
    LIST("[%rd6] 8 [%rd6+8] 16") UP(8) "ld.u64 %rd20, [%rd32+-8];",
    LIST("[%rd6] 8 [%rd6+8] 16") UP(8) "add.s64 %rd35, %rd32, %rd4; ld.u64 %rd20, [%rd35];",
    LIST("[%rd6] 8 [%rd6+8] 16")
	FROM(16) "selp.b64 %rd35, %rd32, %rd36, %p1; add.s64 %rd36, %rd6, 8;"
		 "add.s64 %rd37, %rd36, %rd4; selp.b64 %rd38, %rd32, %rd37, %p1; ld.u64 %rd20, [%rd38];",
    /* Joined with other places. */
    LIST("[%rd6+8] 16") FROM(8) "selp.b64 %rd35, %rd32, %rd6, %p1; ld.u64 %rd20, [%rd35];",
    LIST("[%rd6+8] 16 [%rd6+32] 8") FROM(8) "add.s64 %rd33, %rd6, 32; mad.lo.s64 %rd34, %rd4, 8, %rd33;"
					    "selp.b64 %rd35, %rd32, %rd34, %p1; ld.u64 %rd20, [%rd35];",
    /* Numbers that addresses went into, and bits that were changed. */
    LIST("[%rd6+8] 16") "add.s64 %rd31, %rd6, 8; add.s64 %rd33, %rd6, %rd4; sub.s64 %rd34, %rd33, %rd31;"
			"add.s64 %rd32, %rd31, %rd34;" LOAD,
    LIST("[%rd6+8] 16") FROM(8) "xor.b64 %rd33, %rd32, 8; ld.u64 %rd20, [%rd33];",
    LIST("[%rd6+8] 16") FROM(8) "and.b64 %rd33, %rd32, -16; ld.u64 %rd20, [%rd33];",
    LIST("[%rd6+8] 16") "add.s64 %rd31, %rd6, 8; sub.s64 %rd34, %rd6, %rd31; st.u64 [%rd6+96], %rd34;"
			"ld.u64 %rd35, [%rd6+96]; add.s64 %rd36, %rd35, %rd4; add.s64 %rd32, %rd31, %rd36;" LOAD,
    /* Lists that cannot be. */
    LIST("[%rd6+8] 16 [%rd6+16] 8") FROM(8) LOAD,
    LIST("[%rd6+8] 200") FROM(8) LOAD,
    LIST("[%rd6+8] 0") FROM(8) LOAD,
    LIST("[%rd6+8] -16") FROM(8) LOAD,
    LIST("[%rd6+-8] 24") FROM(8) LOAD,
    LIST("[%rd9+8] 16") FROM(8) LOAD,
    LIST("[%none+8] 16") FROM(8) LOAD,
    LIST("[%rd6+8 16") FROM(8) LOAD,
    LIST("[%rd6+8] 16x") FROM(8) LOAD,
    LIST("%rd6+8 16") FROM(8) LOAD,
    LIST("[%rd6+8] 16") LIST("[%rd6+32] 16") FROM(8) LOAD,
    ".pragma \"romark.framework [%rd6+8] 16\";" FROM(8) LOAD,
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

static void test_variables_apart(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
		if (first_verdict(apart[i]) != VERDICT_READ_ONLY)
			fail_msg("p0 is not read-only: %s", apart[i]);
}

static void test_variables_together(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof together / sizeof *together; i++)
		if (first_verdict(together[i]) == VERDICT_READ_ONLY)
			fail_msg("p0 is read-only: %s", together[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_variables_apart),
	    cmocka_unit_test(test_variables_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
