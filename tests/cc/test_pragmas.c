/* Pragmas in the text for Clang: macros that are pragmas, and pragmas that are not before a loop. */
#include "cc/pragmas.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

/* clang-format off */
static const struct {
	const char *text, *expected; /* NULL: nothing to change */
} cases[] = {
	{"#define U #pragma unroll\nx", "#define U _Pragma(\"unroll\")\nx"},
	{"# define U  # pragma unroll 4 // four\nx", "# define U  _Pragma(\"unroll 4 \")\nx"},
	{"#define M #pragma message \"a\\b\"\n", "#define M _Pragma(\"message \\\"a\\\\b\\\"\")\n"},
	{"#pragma unroll\ns += 2;", "\ns += 2;"},
	{"  #pragma unroll 4\n  /* for */ if (x) y();", "  \n  /* for */ if (x) y();"},
	{"#pragma unroll\n#pragma nounroll\n{}", "\n#pragma nounroll\n{}"},
	{"#pragma unroll\nfor (;;) {}", NULL},
	{"#pragma unroll\n#pragma GCC ivdep\nwhile (x) {}", NULL},
	{"#pragma unroll\nFOR_ALL(i) {}", NULL},
	{"#pragma unroll", NULL},
	{"#define U _Pragma(\"unroll\")\n", NULL},
	{"#define S(x) #x\n#define P pragma\n", NULL},
	{"// #define U #pragma unroll\nputs(\"#pragma unroll\");", NULL},
	{"#define", NULL},
	{"", NULL},
};
/* clang-format on */

static void test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct strbuf out = STRBUF_INIT;
		bool changed = cc_pragmas_rewrite(cases[i].text, &out);

		if (changed != (cases[i].expected != NULL) || (changed && strcmp(out.data, cases[i].expected) != 0))
			fail_msg("%s\nbecomes\n%s", cases[i].text, changed ? out.data : "itself");
		strbuf_release(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
