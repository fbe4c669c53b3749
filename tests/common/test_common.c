/* The common layer: growth, diagnostics, option tables, and output that appears complete or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "common/arena.h"
#include "common/demangle.h"
#include "common/diag.h"
#include "common/file.h"
#include "common/options.h"
#include "common/strbuf.h"
#include "common/vec.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_arena_keeps_what_it_gave(void **state)
{
	struct arena arena = ARENA_INIT;
	uint64_t *numbers[2000];
	char *large;

	(void)state;
	for (uint64_t i = 0; i < 2000; i++) {
		numbers[i] = arena_alloc(&arena, 8 + i % 300);
		assert_int_equal((uintptr_t)numbers[i] % 16, 0);
		*numbers[i] = i;
	}
	large = arena_zalloc(&arena, 5 << 20);
	assert_int_equal(large[(5 << 20) - 1], 0);
	for (uint64_t i = 0; i < 2000; i++)
		assert_int_equal(*numbers[i], i);
	assert_string_equal(arena_printf(&arena, "%s-%d", "x", 42), "x-42");
	arena_release(&arena);
	assert_int_equal(arena.total, 0);
}

static void test_vec_and_strbuf_grow(void **state)
{
	VEC(int) v = VEC_INIT;
	struct strbuf sb = STRBUF_INIT;
	char *text;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		vec_push(&v, i);
		strbuf_addf(&sb, "%d,", i % 10);
	}
	assert_int_equal(v.len, 1000);
	assert_int_equal(vec_pop(&v), 999);
	assert_int_equal(vec_last(&v), 998);
	assert_int_equal(sb.len, 2000);
	text = strbuf_detach(&sb);
	assert_memory_equal(text, "0,1,2,", 6);
	assert_null(sb.data);
	free(text);
	vec_release(&v);
}

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

/* As for /dev/null: what stands under the name stays there. */
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

struct settings {
	bool quiet;
	const char *output;
	unsigned jobs;
	int mode;
	struct option_list set;
};

static int parse(struct settings *s, int argc, char **argv, bool leading)
{
	const struct option_row rows[] = {
	    {'q', "quiet", OPT_FLAG, &s->quiet, NULL, ""},  {'o', "output", OPT_STRING, &s->output, "FILE", ""},
	    {'j', "jobs", OPT_UINT, &s->jobs, "N", ""},     {0, "mode", OPT_CHOICE, &s->mode, "fast|exact", ""},
	    {0, "set", OPT_LIST, &s->set, "KEY=VALUE", ""}, {0, NULL, OPT_FLAG, NULL, NULL, NULL},
	};
	const struct usage usage = {"test", "FILES", "", rows, NULL};

	return leading ? options_parse_leading(&usage, argc, argv) : options_parse(&usage, argc, argv);
}

static void test_options(void **state)
{
	struct settings s = {0};
	char *argv[] = {"test",  "in",  "-q",        "-oout", "--jobs", "3", "--mode=exact",
			"--set", "a=1", "--set=b=2", "--",    "-x",     NULL};

	(void)state;
	assert_int_equal(parse(&s, 12, argv, false), 2);
	assert_string_equal(argv[0], "in");
	assert_string_equal(argv[1], "-x");
	assert_true(s.quiet);
	assert_string_equal(s.output, "out");
	assert_int_equal(s.jobs, 3);
	assert_int_equal(s.mode, 1);
	assert_int_equal(s.set.len, 2);
	assert_string_equal(s.set.data[1], "b=2");
	free(s.set.data);
}

static void test_leading_options_leave_the_program_alone(void **state)
{
	struct settings s = {0};
	char *argv[] = {"test", "-q", "prog", "-o", "x", NULL};

	(void)state;
	assert_int_equal(parse(&s, 5, argv, true), 3);
	assert_string_equal(argv[0], "prog");
	assert_string_equal(argv[1], "-o");
	assert_null(s.output);
}

static void test_wrong_options(void **state)
{
	static char *const words[] = {"--nope", "--jobs=x", "--jobs=-1", "--mode=slow", "--quiet=1", "-o", "-z"};
	FILE *saved = stderr;

	(void)state;
	stderr = fopen("/dev/null", "w");
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		struct settings s = {0};
		char *argv[] = {"test", words[i], NULL};

		assert_int_equal(parse(&s, 2, argv, false), OPTIONS_WRONG);
	}
	fclose(stderr);
	stderr = saved;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_arena_keeps_what_it_gave),
	    cmocka_unit_test(test_vec_and_strbuf_grow),
	    cmocka_unit_test(test_names_of_cxx),
	    cmocka_unit_test(test_diag_cannot_change_the_terminal),
	    cmocka_unit_test(test_diag_keeps_the_first_error),
	    cmocka_unit_test(test_outfile_is_all_or_nothing),
	    cmocka_unit_test(test_special_files_are_written_to),
	    cmocka_unit_test(test_missing_folder_is_an_error),
	    cmocka_unit_test(test_options),
	    cmocka_unit_test(test_leading_options_leave_the_program_alone),
	    cmocka_unit_test(test_wrong_options),
	};

	return cmocka_run_group_tests_name("common", tests, NULL, NULL);
}
