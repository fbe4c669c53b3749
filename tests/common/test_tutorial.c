/*
 * Start here: the pieces of common/ that all of romark is written with, in one small program. It reads numbers, one a
 * line, and writes their sum to a file. A vector grows, an arena owns the strings, a diagnostic says what is wrong with
 * the input, and an output file appears complete or not at all.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "common/arena.h"
#include "common/diag.h"
#include "common/file.h"
#include "common/vec.h"

#include <unistd.h>

typedef VEC(long) numbers;

/*
 * A function that reads foreign input looks like this: bad input fills the diagnostic and returns DIAG_ERROR. It never
 * prints and never exits; that is for the command that called it.
 */
static int read_numbers(const char *file, const char *text, numbers *out, struct diag *d)
{
	unsigned line = 1;

	for (const char *at = text; *at; line++) {
		char *end;
		long value = strtol(at, &end, 10);

		if (end == at || *end != '\n')
			return diag_set(d, file, line, 1, "a number is wanted");
		vec_push(out, value);
		at = end + 1;
	}
	return 0;
}

static int write_sum(const char *path, const numbers *n, struct diag *d)
{
	struct outfile out;
	long sum = 0;

	for (size_t i = 0; i < n->len; i++)
		sum += n->data[i];
	if (outfile_open(&out, path, d) < 0)
		return DIAG_ERROR;
	fprintf(out.stream, "%ld\n", sum);
	return outfile_commit(&out, d); /* from here on the file has its name */
}

static void test_a_sum_is_read_and_written(void **state)
{
	struct arena arena = ARENA_INIT; /* every string below ends with arena_release */
	const char *path = arena_printf(&arena, "tutorial-%d.txt", (int)getpid());
	struct diag d = DIAG_INIT;
	numbers n = VEC_INIT;
	struct file_data file;

	(void)state;
	assert_int_equal(read_numbers("in.txt", "40\n-3\n5\n", &n, &d), 0);
	assert_int_equal(n.len, 3);
	assert_int_equal(write_sum(path, &n, &d), 0);
	assert_int_equal(file_read(path, &file, &d), 0);
	assert_string_equal(file.data, "42\n");
	file_data_release(&file);
	unlink(path);
	vec_release(&n);
	arena_release(&arena);
}

static void test_bad_input_is_a_diagnostic(void **state)
{
	struct diag d = DIAG_INIT;
	numbers n = VEC_INIT;

	(void)state;
	assert_int_equal(read_numbers("in.txt", "1\ntwo\n", &n, &d), DIAG_ERROR);
	assert_string_equal(d.file, "in.txt"); /* printed as: romark: in.txt:2:1: a number is wanted */
	assert_int_equal(d.line, 2);
	assert_string_equal(d.message, "a number is wanted");
	vec_release(&n);
}

static void test_what_cannot_be_written_leaves_nothing(void **state)
{
	struct diag d = DIAG_INIT;
	numbers n = VEC_INIT;

	(void)state;
	assert_int_equal(write_sum("no/such/folder/sum.txt", &n, &d), DIAG_ERROR);
	assert_true(diag_is_set(&d));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_a_sum_is_read_and_written),
	    cmocka_unit_test(test_bad_input_is_a_diagnostic),
	    cmocka_unit_test(test_what_cannot_be_written_leaves_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
