/* Launches as Clang is given them: which parts of a configuration are braced lists. */
#include "cc/braces.h"

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
	{"k<<<{3, 1}, {32}>>>(p);", "k<<<::romark_dim3({3, 1}), ::romark_dim3({32})>>>(p);"},
	{"k<<<g, {}, {0}, {}>>>(p);", "k<<<g, ::romark_dim3({}), ::romark_bytes({0}), ::romark_stream({})>>>(p);"},
	{"k<<<f<1, 2>(), {32}>>>(p);", "k<<<f<1, 2>(), ::romark_dim3({32})>>>(p);"},
	{"k<<<a < b, {32}>>>(p);", "k<<<a < b, ::romark_dim3({32})>>>(p);"},
	{"k<<<dim3{1, 2}, {g(1, 2), 3}>>>(p);", "k<<<dim3{1, 2}, ::romark_dim3({g(1, 2), 3})>>>(p);"},
	{"k<<<{1, /* }, */ 2}, 3>>>(p);", "k<<<::romark_dim3({1, /* }, */ 2}), 3>>>(p);"},
	{"#define L(k, g, b) k<<<g, b>>>()", "#define L(k, g, b) k<<<::romark_dim3(g), ::romark_dim3(b)>>>()"},
	{"#define L(k, g) k<<<g, 32>>>()\nk<<<g, b>>>();", "#define L(k, g) k<<<::romark_dim3(g), 32>>>()\nk<<<g, b>>>();"},
	{"#define L(...) k<<<__VA_ARGS__>>>()", NULL},
	{"#define L(c...) k<<<c>>>()", NULL},
	{"#define L k<<<g, (b)>>>()", NULL},
	{"#define L(g) k<<<f(g), (g) + 1>>>()", NULL},
	{"k<<<1, 2>>>({1, 2});", NULL},
	{"// k<<<{1}, {2}>>>()\nputs(\"k<<<{1}, {2}>>>()\");", NULL},
	{"k<<<{1", NULL},
	{"k<<<", NULL},
	{"", NULL},
};
/* clang-format on */

static void test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct strbuf out = STRBUF_INIT;
		bool changed = cc_braces_rewrite(cases[i].text, &out);

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
