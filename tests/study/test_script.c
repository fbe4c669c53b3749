/* Every text comes out of gnuplot as it went in, as itself and as a format: all of ASCII, alone and in pairs. */
#include "study/report/script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static bool has_gnuplot(void)
{
	return system("gnuplot --version > /dev/null 2>&1") == 0;
}

static void add_print(struct strbuf *script, struct strbuf *expected, const char *text, enum script_text kind)
{
	strbuf_adds(script, kind == SCRIPT_FORMAT ? "print gprintf(" : "print ");
	script_quote(script, text, kind);
	strbuf_adds(script, kind == SCRIPT_FORMAT ? ", 7.0)\n" : "\n");
	for (; *text; text++)
		strbuf_addc(expected, ((unsigned char)*text < ' ' || *text == 0x7f) ? ' ' : *text);
	strbuf_addc(expected, '\n');
}

/* gnuplot's output for the script. */
static struct strbuf printed(const struct strbuf *script)
{
	char name[] = "/tmp/romark-test-script-XXXXXX", command[128], piece[4096];
	struct strbuf out = STRBUF_INIT;
	int fd = mkstemp(name);
	FILE *answer;
	size_t n;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, script->data, script->len), (ssize_t)script->len);
	close(fd);
	snprintf(command, sizeof command, "gnuplot %s 2>&1", name);
	answer = popen(command, "r");
	assert_non_null(answer);
	while ((n = fread(piece, 1, sizeof piece, answer)) > 0)
		strbuf_add(&out, piece, n);
	pclose(answer);
	unlink(name);
	return out;
}

static void compare(const struct strbuf *script, const struct strbuf *expected)
{
	struct strbuf got = printed(script);
	size_t same = 0;

	while (same < got.len && same < expected->len && got.data[same] == expected->data[same])
		same++;
	if (got.len != expected->len || same != got.len)
		fail_msg("byte %zu of %zu: '%.20s' instead of '%.20s'", same, got.len, got.data + same,
			 expected->data + same);
	strbuf_release(&got);
}

static void test_every_text_is_itself(void **state)
{
	static const char *const others[] = {"",
					     "'''",
					     "'q'",
					     "LLC 50 %",
					     "a_b^c{d}@e&f",
					     "$(touch made)",
					     "`touch made`",
					     "\xc3\xa9\xe2\x86\x92",
					     "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d",
					     "%s%n%d%%",
					     "\\n\\045\"",
					     "@A # no comment",
					     "%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%"};

	(void)state;
	if (!has_gnuplot()) {
		print_message("there is no gnuplot\n");
		skip();
	}
	for (enum script_text kind = SCRIPT_TEXT; kind <= SCRIPT_FORMAT; kind++) {
		struct strbuf script = STRBUF_INIT, expected = STRBUF_INIT;

		strbuf_adds(&script, "set print \"-\"\nset encoding utf8\n");
		for (int a = 1; a < 128; a++)
			for (int b = 0; b < 128; b++)
				add_print(&script, &expected, (char[]){(char)a, (char)b, 0}, kind);
		for (size_t i = 0; i < sizeof others / sizeof *others; i++)
			add_print(&script, &expected, others[i], kind);
		compare(&script, &expected);
		strbuf_release(&script);
		strbuf_release(&expected);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_text_is_itself)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
