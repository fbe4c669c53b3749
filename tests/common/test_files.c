/* Output that appears complete or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "common/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_outfile_is_all_or_nothing(void **state)
{
	char path[] = "/tmp/romark-test-XXXXXX";
	struct outfile out;
	struct diag d = DIAG_INIT;
	struct file_data data;

	(void)state;
	close(mkstemp(path));
	assert_int_equal(file_write(path, "old", 3, &d), 0);
	assert_int_equal(outfile_open(&out, path, &d), 0);
	fputs("half", out.stream);
	outfile_abort(&out);
	assert_int_equal(file_read(path, &data, &d), 0);
	assert_string_equal(data.data, "old");
	file_data_release(&data);
	assert_int_equal(outfile_open(&out, path, &d), 0);
	fputs("new", out.stream);
	assert_int_equal(outfile_commit(&out, &d), 0);
	assert_int_equal(file_read(path, &data, &d), 0);
	assert_string_equal(data.data, "new");
	file_data_release(&data);
	unlink(path);
	assert_int_equal(file_read(path, &data, &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "cannot open"));
}

static unsigned entries(const char *folder)
{
	DIR *list = opendir(folder);
	unsigned count = 0;

	while (readdir(list))
		count++;
	closedir(list);
	return count - 2; /* . and .. */
}

/* An unfinished file has no name, so a process that is killed leaves nothing to remove. */
static void test_nothing_is_seen_before_the_end(void **state)
{
	char folder[] = "/tmp/romark-test-XXXXXX", path[64], link[64];
	struct diag d = DIAG_INIT;
	struct outfile out;
	struct stat status;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/file", folder);
	snprintf(link, sizeof link, "%s/link", folder);
	assert_int_equal(symlink("file", link), 0);
	assert_int_equal(outfile_open(&out, link, &d), 0);
	if (!out.temporary) /* the file system has files without a name */
		assert_int_equal(entries(folder), 1);
	assert_int_equal(outfile_commit(&out, &d), 0);
	assert_int_equal(file_write(path, "through", 7, &d), 0);
	assert_int_equal(lstat(path, &status), 0);
	assert_int_equal(status.st_size, 7);
	unlink(link);
	assert_int_equal(symlink("file", link), 0);
	assert_int_equal(file_write(link, "a link stays", 12, &d), 0);
	assert_int_equal(lstat(link, &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_size, 12);
	assert_int_equal(entries(folder), 2);
	unlink(link);
	unlink(path);
	assert_int_equal(rmdir(folder), 0);
}

/* Found before any work is done for the result. */
static void test_names_that_cannot_be(void **state)
{
	char endless[400];
	const char *const names[] = {"", "/tmp", "/tmp/", "/tmp/no-such-folder/", endless};
	struct outfile out;

	(void)state;
	memset(endless, 'x', sizeof endless - 1);
	endless[sizeof endless - 1] = '\0';
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct diag d = DIAG_INIT;

		assert_int_equal(outfile_open(&out, names[i], &d), DIAG_ERROR);
		assert_non_null(strstr(d.message, i ? "cannot write here" : "name of the file is empty"));
	}
}

/* As for /dev/null: the file under the name stays there. */
static void test_special_files_are_written_to(void **state)
{
	char path[] = "/tmp/romark-common-XXXXXX", text[8] = "";
	struct diag d = DIAG_INIT;
	struct outfile out;
	struct stat status;
	int pipe;

	(void)state;
	assert_non_null(mkdtemp(path));
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	pipe = open(path, O_RDWR | O_NONBLOCK);
	assert_true(pipe >= 0);
	assert_int_equal(file_write(path, "new", 3, &d), 0);
	assert_int_equal(read(pipe, text, sizeof text), 3);
	assert_string_equal(text, "new");
	assert_int_equal(outfile_open(&out, path, &d), 0);
	outfile_abort(&out);
	assert_int_equal(stat(path, &status), 0);
	assert_true(S_ISFIFO(status.st_mode));
	close(pipe);
	unlink(path);
	if (stat("/dev/full", &status) == 0)
		assert_int_equal(file_write("/dev/full", "lost", 4, &d), DIAG_ERROR);
}

static void test_missing_folder_is_an_error(void **state)
{
	struct outfile out;
	struct diag d = DIAG_INIT;

	(void)state;
	assert_int_equal(outfile_open(&out, "/no/such/folder/x", &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "cannot write"));
}

/* By device and inode; files that are not there yet by their folder and their name. */
static void test_one_file_under_two_names(void **state)
{
	char folder[] = "/tmp/romark-test-XXXXXX";
	struct diag d = DIAG_INIT;

	(void)state;
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	assert_true(file_is_same("new", "./new"));
	assert_false(file_is_same("new", "other"));
	assert_false(file_is_same("new", "no/new"));
	assert_int_equal(file_write("old", "old", 3, &d), 0);
	assert_int_equal(link("old", "hard"), 0);
	assert_int_equal(symlink("old", "soft"), 0);
	assert_true(file_is_same("old", ".//old"));
	assert_true(file_is_same("old", "hard"));
	assert_true(file_is_same("soft", "hard"));
	assert_false(file_is_same("old", "new"));
	assert_false(file_is_same("/dev/null", "//dev/null")); /* keeps nothing */
	unlink("soft");
	unlink("hard");
	unlink("old");
	assert_int_equal(chdir("/"), 0);
	assert_int_equal(rmdir(folder), 0);
}

/* A file whose name is anybody's: nothing waits, and nothing is read without end. */
static void test_regular_files_alone(void **state)
{
	char path[] = "/tmp/romark-common-XXXXXX", inside[64];
	static const char *const others[] = {"/dev/zero", "/dev/null", "/tmp"};
	struct file_data data;

	(void)state;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		struct diag d = DIAG_INIT;

		assert_int_equal(file_read_regular(others[i], 100, &data, &d), DIAG_ERROR);
		assert_string_equal(d.message, "no regular file");
	}
	assert_non_null(mkdtemp(path));
	snprintf(inside, sizeof inside, "%s/file", path);
	assert_int_equal(mkfifo(inside, 0600), 0);
	assert_int_equal(file_read_regular(inside, 100, &data, NULL), DIAG_ERROR);
	unlink(inside);
	assert_int_equal(file_write(inside, "four", 4, NULL), 0);
	assert_int_equal(file_read_regular(inside, 3, &data, NULL), DIAG_ERROR);
	assert_int_equal(file_read_regular(inside, 4, &data, NULL), 0);
	assert_string_equal(data.data, "four");
	file_data_release(&data);
	unlink(inside);
	rmdir(path);
}

static void test_reason_is_the_systems(void **state)
{
	struct diag d = DIAG_INIT;
	struct outfile out;

	(void)state;
	assert_int_equal(outfile_open(&out, "/no-such-folder/file", &d), DIAG_ERROR);
	assert_string_equal(d.message, "cannot write here: No such file or directory");
	d = (struct diag)DIAG_INIT;
	assert_int_equal(outfile_open(&out, "/proc/self/file", &d), DIAG_ERROR);
	assert_string_equal(d.message, "cannot write here: No such file or directory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_reason_is_the_systems),      cmocka_unit_test(test_regular_files_alone),
	    cmocka_unit_test(test_outfile_is_all_or_nothing),  cmocka_unit_test(test_nothing_is_seen_before_the_end),
	    cmocka_unit_test(test_names_that_cannot_be),       cmocka_unit_test(test_special_files_are_written_to),
	    cmocka_unit_test(test_missing_folder_is_an_error), cmocka_unit_test(test_one_file_under_two_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
