/* Texts for people: diagnostics, and C++ names as the source has them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "common/demangle.h"
#include "common/diag.h"

#include <stdlib.h>
#include <string.h>

static void test_names_of_cxx(void **state)
{
	static const char *const names[][2] = {{"_Z5saxpyPKfPfi", "saxpy(float const*, float*, int)"},
					       {"_Z1fIdEvT_", "void f<double>(double)"},
					       {"saxpy", "saxpy"},
					       {"_Znonsense", "_Znonsense"},
					       {"i", "i"},
					       {"", ""}};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char *text = demangle(names[i][0]);

		assert_string_equal(text, names[i][1]);
		free(text);
	}
}

static void test_diag_cannot_change_the_terminal(void **state)
{
	struct diag d = DIAG_INIT;

	(void)state;
	diag_file(&d, "a", "'%s'", "\033[31mred\n\177");
	assert_string_equal(d.message, "'?[31mred?"
				       "?'");
}

static void test_diag_keeps_the_first_error(void **state)
{
	struct diag d = DIAG_INIT;
	const char *text = "ok line\n\tbad line\nmore";
	char printed[512] = {0};
	FILE *out = fmemopen(printed, sizeof printed, "w");

	(void)state;
	assert_int_equal(diag_set(&d, "k.ptx", 2, 6, "unknown instruction '%s'", "bad"), DIAG_ERROR);
	diag_excerpt(&d, text, strlen(text), 13);
	diag_set(&d, "k.ptx", 9, 9, "a later error");
	diag_print(&d, out);
	fclose(out);
	assert_string_equal(printed, "romark: k.ptx:2:6: unknown instruction 'bad'\n     bad line\n         ^\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_names_of_cxx),
	    cmocka_unit_test(test_diag_cannot_change_the_terminal),
	    cmocka_unit_test(test_diag_keeps_the_first_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
