/* A descriptor is told from another file under the same number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "common/file.h"
#include "common/held.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_temporary(char *path)
{
	strcpy(path, "/tmp/romark-test-XXXXXX");
	return mkstemp(path);
}

static void test_number_is_taken(void **state)
{
	char mine[32], theirs[32];
	int fd = held_hide(open_temporary(mine)), other = open_temporary(theirs), read_only = open(mine, O_RDONLY);
	struct held held = held_note(fd);

	(void)state;
	assert_true(fd >= 100);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	assert_true(held_still(&held, fd));
	assert_false(held_still(&held, other));
	assert_false(held_still(&held, read_only)); /* the same file, but not for writing */
	dup2(other, fd);
	assert_false(held_still(&held, fd));
	close(fd);
	assert_false(held_still(&held, fd));
	assert_false(held_still(&held, -1));
	assert_int_equal(held_hide(-1), -1);
	close(other);
	close(read_only);
	unlink(mine);
	unlink(theirs);
}

static void test_text(void **state)
{
	static const char *const wrong[] = {"",     "1",    "1:",   ":1",  "1:2:3",
					    "-1:2", "1: 2", "1:-2", "a:b", "1:99999999999999999999"};
	struct held held = {2049, 18446744073709551615u}, back;
	char text[HELD_TEXT];

	(void)state;
	held_print(&held, text);
	assert_string_equal(text, "2049:18446744073709551615");
	assert_true(held_read(text, &back));
	assert_true(back.device == held.device && back.inode == held.inode);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_false(held_read(wrong[i], &back));
}

/* Giving up or committing after that touches neither the other file nor the old file of the name. */
static void lose(bool commit)
{
	char path[32], theirs[32], byte;
	int other = open_temporary(theirs), fd;
	struct diag d = DIAG_INIT;
	struct outfile out;

	close(open_temporary(path));
	assert_int_equal(outfile_open(&out, path, &d), 0);
	fputs("mine", out.stream);
	fd = fileno(out.stream);
	dup2(other, fd);
	if (commit) {
		assert_int_equal(outfile_commit(&out, &d), DIAG_ERROR);
		assert_non_null(strstr(d.message, "the program has closed its descriptor"));
	} else {
		outfile_abort(&out);
	}
	assert_int_equal(write(fd, "t", 1), 1); /* still open */
	assert_int_equal(pread(other, &byte, 1, 0), 1);
	assert_int_equal(byte, 't');
	assert_int_equal(lseek(other, 0, SEEK_END), 1);
	close(fd);
	close(other);
	other = open(path, O_RDONLY);
	assert_int_equal(read(other, &byte, 1), 0);
	close(other);
	unlink(path);
	unlink(theirs);
}

static void test_output_is_lost(void **state)
{
	(void)state;
	lose(true);
	lose(false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_number_is_taken),
	    cmocka_unit_test(test_text),
	    cmocka_unit_test(test_output_is_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
