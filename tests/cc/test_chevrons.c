/* Launches as Clang is given them: which chevrons are put together, and which are not. */
#include "cc/chevrons.h"

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
	{"k << <1, 2 >> >(p);", "k <<< 1, 2 >>> (p);"},
	{"k< < <1, 2> > >(p);", "k<<<  1, 2>>>  (p);"},
	{"k<<\t<1, 2>>>(p);", "k<<< 1, 2>>>(p);"},
	{"k<<<1, 2>> >(p);", "k<<<1, 2>>> (p);"},
	{"k << <1, a >> 2 >> >(p); v<v<v<int>> > x;", "k <<< 1, a >> 2 >>> (p); v<v<v<int>> > x;"},
	{"#define RUN(k) k << <1, 1 >> >()", "#define RUN(k) k <<< 1, 1 >>> ()"},
	{"k<<<1, 2>>>(p);", NULL},
	{"v<v<v<int>> > x; a << b < c; d >> e > f;", NULL},
	{"puts(\"<< <\"); // k << <1, 1 >> >()\n/* << < */", NULL},
	{"k << ", NULL},
	{"", NULL},
};
/* clang-format on */

static void test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct strbuf out = STRBUF_INIT;
		bool changed = cc_chevrons_rewrite(cases[i].text, &out);

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
