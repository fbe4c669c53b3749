/*
 * Lanes that part meet again though an arm may leave the kernel: whatever is in a part of an arm that no lane reaches,
 * all lanes are together in each round of the loop. activemask tells.
 */
#include "tests/runtime/cpu/harness.h"

#include "common/strbuf.h"

enum { ROUNDS = 50 };

/* %never holds in no lane. $ is the code of the odd lanes' arm. Returns the threads' counts, packed. */
static uint64_t together(const char *text, const char *arm)
{
	const struct harness_launch launch = {.grid = {1}, .block = {32}};
	uint64_t *out = harness_alloc(32 * sizeof *out, "out"), counted;
	const uint64_t params[] = {DEVICE_POINTER(out), 0};
	struct strbuf ptx = STRBUF_INIT;
	struct device_module *m;

	for (; *text; text++)
		if (*text == '$')
			strbuf_adds(&ptx, arm);
		else
			strbuf_addc(&ptx, *text);
	m = harness_load(ptx.data);
	harness_run_ok(m, "k", &launch, params, 2);
	counted = out[0];
	for (unsigned i = 0; i < 32; i++)
		assert_int_equal(out[i], counted);
	harness_unload(m);
	harness_free(out);
	strbuf_release(&ptx);
	return counted;
}

#define BODY                                                                                                           \
	"mov.u32 %i, 0; mov.u32 %s, 0; mov.u32 %n, 0;\n"                                                               \
	"LOOP: @%even bra EVEN;\n"                                                                                     \
	"add.u32 %s, %s, 3; setp.eq.and.u32 %q, %s, 77, %never; @%q bra ARM;\n"                                        \
	"MORE: add.u32 %s, %s, 1; bra MEET;\n"                                                                         \
	"EVEN: xor.b32 %s, %s, %i;\n"                                                                                  \
	"MEET: activemask.b32 %t; popc.b32 %t, %t; add.u32 %n, %n, %t; add.u32 %i, %i, 1;\n"                           \
	"setp.lt.u32 %q, %i, 50; @%q bra LOOP; bra AFTER;\nARM: $\nAFTER: add.u32 %s, %s, 1;\n"
#define REGISTERS                                                                                                      \
	".reg .u32 %i, %s, %t, %n; .reg .pred %even, %q, %never; .reg .u64 %out, %off, %w;\n"                          \
	"mov.u32 %t, %tid.x; and.b32 %i, %t, 1; setp.eq.u32 %even, %i, 0;\n"
#define PARAMETERS                                                                                                     \
	"ld.param.u64 %out, [pout]; ld.param.u64 %w, [never]; setp.ne.u64 %never, %w, 0;\n"                            \
	"mul.wide.u32 %off, %t, 8; add.u64 %out, %out, %off;\n"
#define STORE "cvt.u64.u32 %w, %n; st.global.u64 [%out], %w; ret;\n}\n"

static const char in_kernel[] =
    ".visible .entry k(.param .u64 pout, .param .u64 never) {\n" REGISTERS PARAMETERS BODY STORE;

static const char in_function[] =
    ".func (.reg .u32 r) f(.reg .u64 never) {\n" REGISTERS "mov.u64 %w, never; setp.ne.u64 %never, %w, 0;\n" BODY
    "mov.u32 r, %n;\nret;\n}\n"
    ".visible .entry k(.param .u64 pout, .param .u64 never) {\n" REGISTERS PARAMETERS "call (%n), f, (%w);\n" STORE;

static void check_arms(const char *text)
{
	static const char *const arms[] = {
	    "bra MORE;",
	    "trap;",
	    "exit;",
	    "ret;",
	    "brkpt; bra MORE;",
	    "@%even trap; bra MORE;",
	    "@!%even exit; bra MORE;",
	    "st.global.u64 [%out], %w; exit;",
	    "trap; exit;",
	    "bra OTHER; OTHER: add.u32 %s, %s, 1; @%even bra SIDE; trap; SIDE: exit;",
	    "bra.uni LAST; LAST: @%even ret; trap;",
	};
	for (size_t i = 0; i < sizeof arms / sizeof arms[0]; i++) {
		uint64_t got = together(text, arms[i]);

		if (got != 32 * ROUNDS)
			fail_msg("with '%s' %llu lanes were seen, not %d", arms[i], (unsigned long long)got,
				 32 * ROUNDS);
	}
}

static void test_kernel(void **state)
{
	(void)state;
	check_arms(in_kernel);
}

static void test_function(void **state)
{
	(void)state;
	check_arms(in_function);
}

/* Lanes that do leave are waited for by nobody, and those that stay go on together. */
static void test_some_leave(void **state)
{
	static const char text[] = ".visible .entry k(.param .u64 pout, .param .u64 never) {\n" REGISTERS PARAMETERS
				   "and.b32 %s, %t, 3; setp.eq.u32 %q, %s, 3; setp.eq.u32 %never, %s, 2;\n"
				   "@%even bra EVEN;\nst.global.u64 [%out], 1;\n@%q bra OUT;\nbra MEET;\n"
				   "EVEN: st.global.u64 [%out], 2; @%never exit;\n"
				   "MEET: activemask.b32 %i; cvt.u64.u32 %w, %i; st.global.u64 [%out], %w;\nret;\n"
				   "OUT: st.global.u64 [%out], 3;\n$\n}\n";
	static const char *const ends[] = {"ret;", "exit;", "bra LAST; LAST: ret;"};
	const struct harness_launch launch = {.grid = {1}, .block = {32}};
	uint64_t *out = harness_alloc(32 * sizeof *out, "out");
	const uint64_t params[] = {DEVICE_POINTER(out), 0};

	(void)state;
	for (size_t e = 0; e < sizeof ends / sizeof ends[0]; e++) {
		struct strbuf ptx = STRBUF_INIT;
		struct device_module *m;

		for (const char *at = text; *at; at++)
			if (*at == '$')
				strbuf_adds(&ptx, ends[e]);
			else
				strbuf_addc(&ptx, *at);
		m = harness_load(ptx.data);
		harness_run_ok(m, "k", &launch, params, 2);
		for (unsigned i = 0; i < 32; i++)
			assert_int_equal(out[i], i % 4 == 3 ? 3 : i % 4 == 2 ? 2 : 0x33333333);
		harness_unload(m);
		strbuf_release(&ptx);
	}
	harness_free(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_kernel), cmocka_unit_test(test_function),
					   cmocka_unit_test(test_some_leave)};

	return cmocka_run_group_tests(tests, harness_setup, harness_teardown);
}
