/* Inline assembly as Clang is given it: which percent signs are doubled, and where commas are set. */
#include "cc/assembly.h"

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
	{"asm(\"mov.u32 %0, %smid;\" : \"=r\"(s));", "asm(\"mov.u32 %0, %%smid;\" : \"=r\"(s));"},
	{"asm volatile (\"mov.u32 %0, %ctaid.x;\" :\"=r\"(s));", "asm volatile (\"mov.u32 %0, %%ctaid.x;\" :\"=r\"(s));"},
	{"__asm__ __volatile__(\"a %laneid;\"\n\"b %clock;\" :: \"r\"(1));",
	 "__asm__ __volatile__(\"a %%laneid;\"\n\"b %%clock;\" :: \"r\"(1));"},
	{"#define S(x) \\\n asm(\"mov.u32 %0, %smid;\" : \"=r\"(x))", "#define S(x) \\\n asm(\"mov.u32 %0, %%smid;\" : \"=r\"(x))"},
	{"asm(\"%smid\" : \"=r\"(s)); printf(\"%smid\");", "asm(\"%%smid\" : \"=r\"(s)); printf(\"%smid\");"},
	{"asm(\"add %0, %1, %2;\" : \"=r\"(s) : \"r\"(f(a, \")\")) \"r\"(b));",
	 "asm(\"add %0, %1, %2;\" : \"=r\"(s) : \"r\"(f(a, \")\")), \"r\"(b));"},
	{"asm(\"\" :: \"r\"(a) // first\n/* x */ [b] \"r\"(b)\n\"r\" (c) : \"memory\");",
	 "asm(\"\" :: \"r\"(a), // first\n/* x */ [b] \"r\"(b),\n\"r\" (c) : \"memory\");"},
	{"asm(\"%smid\" : \"=r\"(a) \"=r\"(b)); f(x) \"a\";", "asm(\"%%smid\" : \"=r\"(a), \"=r\"(b)); f(x) \"a\";"},
	{"asm(\"add %0, %1;\" : \"=r\"((s)) : \"r\"(b ? (c) : d), \"r\"(e) : \"memory\" \"cc\");", NULL},
	{"asm(\"mov.u32 %0, %%smid;\" : \"=r\"(s));", NULL},
	{"asm(\"mov %[a], %c0, %=;\" : : [a] \"r\"(s));", NULL},
	{"asm(\"mov.u32 x, %smid;\");", NULL},
	{"// asm(\"%smid\" : \"=r\"(s));\n/* asm(\"%smid\" :) */", NULL},
	{"int asmx = f(\"%smid\", a ? b : c); s = \"asm(\\\"%smid\\\" :)\";", NULL},
	{"asm", NULL},
	{"asm(", NULL},
	{"asm(\"%", NULL},
	{"asm(\"\" : \"r\"(a", NULL},
	{"asm(\"\" : \"r\"(a)", NULL},
	{"", NULL},
};
/* clang-format on */

static void test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct strbuf out = STRBUF_INIT;
		bool changed = cc_assembly_rewrite(cases[i].text, &out);

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
