/*
 * Numbers of operands that types and modifiers decide on: the parser accepts and refuses the lines of operands.txt as
 * ptxas does, and no instruction of the texts here takes any number of operands.
 */
#include "common/file.h"
#include "ptx-analyzer/language/text/ptx_text.h"
#include "tests/ptx-analyzer/language/ptxtest.h"

#include <ctype.h>
#include <stdlib.h>

static char *read_text(const char *name)
{
	char path[4096];
	struct file_data data;
	struct diag d = DIAG_INIT;
	char *text;

	snprintf(path, sizeof(path), "%s/%s", PTX_TEXTS, name);
	if (file_read(path, &data, &d) < 0)
		fail_msg("%s", d.message);
	text = strndup(data.data, data.size);
	file_data_release(&data);
	return text;
}

/* `line` in the kernel that starts with `head`; NULL if it is refused, and `d` says why. */
static struct ptx_module *parse_line(const char *head, const char *line, struct diag *d)
{
	struct strbuf sb = STRBUF_INIT;
	struct ptx_module *m;

	strbuf_addf(&sb, "%s%s\nret;\n}\n", head, line);
	m = ptx_parse("test.ptx", sb.data, sb.len, d);
	strbuf_release(&sb);
	return m;
}

static unsigned lines_of(const char *text)
{
	unsigned n = 1;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

static void test_table(void **state)
{
	char *text = read_text("operands.txt"), *rows = strstr(text, "--\n"), *save;
	unsigned taken = 0, refused = 0;

	(void)state;
	*rows = '\0';
	for (char *row = strtok_r(rows + 3, "\n", &save); row; row = strtok_r(NULL, "\n", &save)) {
		struct diag d = DIAG_INIT;
		struct ptx_module *m = parse_line(text, row + 2, &d);

		if (row[0] == '+' ? !m : m != NULL)
			fail_msg("'%s' is %s: %s", row + 2, m ? "taken" : "refused", d.message);
		if (!m) {
			assert_int_equal(d.line, lines_of(text));
			assert_true(strlen(d.message) > 10);
		}
		taken += m != NULL;
		refused += m == NULL;
		ptx_module_free(m);
	}
	assert_true(taken > 100 && refused > 80);
	free(text);
}

/* An instruction of a text: spelling, operands, and its place. */
struct line {
	size_t start, operands, end;
};

static bool find_line(const char *text, size_t at, struct line *l)
{
	size_t p = at + strspn(text + at, " \t");

	if (!islower((unsigned char)text[p]) || !strncmp(text + p, "call", 4))
		return false;
	l->start = p;
	l->end = p + strcspn(text + p, "\n");
	while (l->end > p && isspace((unsigned char)text[l->end - 1]))
		l->end--;
	l->operands = p + strcspn(text + p, " ;\n");
	if (l->end == p || text[l->end - 1] != ';' || text[l->operands] != ' ')
		return false;
	for (size_t i = p; i + 1 < l->end; i++)
		if (text[i] == ';' || text[i] == ':')
			if (text[i] == ';' || text[i + 1] == ' ')
				return false;
	return true;
}

static bool takes(const char *text, const struct line *l, const char *operands, size_t size, unsigned more)
{
	struct strbuf sb = STRBUF_INIT;
	struct diag d = DIAG_INIT;
	struct ptx_module *m;

	strbuf_add(&sb, text, l->operands);
	strbuf_adds(&sb, " ");
	strbuf_add(&sb, operands, size);
	for (unsigned i = 0; i < more; i++)
		strbuf_adds(&sb, ", 1");
	strbuf_addf(&sb, ";%s", text + l->end);
	m = ptx_parse("test.ptx", sb.data, sb.len, &d);
	if (!m)
		assert_true(d.line && strlen(d.message) > 10);
	ptx_module_free(m);
	strbuf_release(&sb);
	return m != NULL;
}

/* No operand at all, and far too many; what lies between is the table's. */
static unsigned check_line(const char *text, const struct line *l)
{
	size_t size = l->end - 1 - l->operands - 1;

	if (takes(text, l, "", 0, 0))
		fail_msg("without operands: %.*s", (int)(l->end - l->start), text + l->start);
	if (strncmp(text + l->start, "tcgen05.mma", 11) != 0 && takes(text, l, text + l->operands + 1, size, 9))
		fail_msg("with nine more operands: %.*s", (int)(l->end - l->start), text + l->start);
	for (unsigned more = 1; more < 5; more++)
		takes(text, l, text + l->operands + 1, size, more);
	return 1;
}

static void test_texts(void **state)
{
	static const char *const names[] = {"forms.ptx", "hopper.ptx", "blackwell.ptx", "classic.ptx"};
	unsigned checked = 0;

	(void)state;
	for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
		char *text = read_text(names[n]);
		struct line l;

		for (size_t at = 0; text[at]; at += strcspn(text + at, "\n") + 1) {
			if (find_line(text, at, &l))
				checked += check_line(text, &l);
			if (!text[at + strcspn(text + at, "\n")])
				break;
		}
		free(text);
	}
	assert_true(checked > 300);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_table), cmocka_unit_test(test_texts)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
