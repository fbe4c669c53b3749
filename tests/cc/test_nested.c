/* Launches in device code as Clang before 22 is given them: what is changed, and what is not. */
#include "cc/nested_launch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#define LAUNCH(kernel) "::romark_launch<decltype(&" kernel "), &" kernel ">"

/* clang-format off */
static const struct {
	const char *text, *expected; /* NULL: nothing to change */
} cases[] = {
	{"__global__ void p() { k<<<1, 2>>>(a); }", "__global__ void p() { " LAUNCH("k") "(1, 2)(a); }"},
	{"__device__ int f() { if (x) k <<< g, b, 0, s >>> (a); }", "__device__ int f() { if (x) " LAUNCH("k") " ( g, b, 0, s ) (a); }"},
	{"__global__ void p() { a::b<int, 3>::k<4><<<f(1, {2}), b>>>(); }",
	 "__global__ void p() { " LAUNCH("a::b<int, 3>::k<4>") "(f(1, {2}), b)(); }"},
	{"__global__ void p() { ::k<(1 > 0)><<<1, 1>>>(); k<<<2, 2>>>(); }",
	 "__global__ void p() { " LAUNCH("::k<(1 > 0)>") "(1, 1)(); " LAUNCH("k") "(2, 2)(); }"},
	{"__device__ void f() { if (x) g(); else ::k<<<1, 1>>>(); }",
	 "__device__ void f() { if (x) g(); else " LAUNCH("::k") "(1, 1)(); }"},
	{"auto f = [] __device__(int i) { k<<<1, 1>>>(i); };", "auto f = [] __device__(int i) { " LAUNCH("k") "(1, 1)(i); };"},
	{"struct s { __device__ void f() { for (;;) { k<<<1, 1>>>(); } } void g() { k<<<1, 1>>>(); } };",
	 "struct s { __device__ void f() { for (;;) { " LAUNCH("k") "(1, 1)(); } } void g() { k<<<1, 1>>>(); } };"},
	{"__device__ int v; int main() { k<<<1, 1>>>(); }", NULL},
	{"__host__ __device__ void f() { k<<<1, 1>>>(); }", NULL},
	{"__global__ void p();\nint main() { p<<<1, 1>>>(); }", NULL},
	{"__global__ void p() { /* k<<<1, 1>>>(); */ } // { k<<<1, 1>>>();", NULL},
	{"#define X __device__ {\nint main() { k<<<1, 1>>>(); }", NULL},
	{"__global__ void p() { f(\"k<<<1, 1>>>()\", R\"x(k<<<1>>>)\" } )x\"); }", NULL},
	{"__global__ void p() { (*pointer)<<<1, 1>>>(); }", NULL},
	{"__global__ void p() { k<<<1, 1; }", NULL},
	{"__global__ void p() { int x = 1'000 + '{' + '\\''; } int main() { k<<<1, 1>>>(); }", NULL},
	{"}}}} __global__ { <<<>>> k<<<", NULL},
	{"__global__ void p() { > <<<1>>>(); ) k> <<<1>>>(); ", NULL},
	{"", NULL},
};
/* clang-format on */

static void test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct strbuf out = STRBUF_INIT;
		bool changed = cc_nested_rewrite(cases[i].text, &out);

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
