/* Finds the ends of comments, literals and directives in a C++ source. */
#include "cc/source_text.h"

#include "common/ascii.h"

#include <string.h>

static size_t skip_line(const char *t, size_t i)
{
	for (; t[i] && t[i] != '\n'; i++)
		if (t[i] == '\\' && t[i + 1])
			i++;
	return i;
}

static size_t skip_quoted(const char *t, size_t i)
{
	char quote = t[i++];

	for (; t[i] && t[i] != quote && t[i] != '\n'; i++)
		if (t[i] == '\\' && t[i + 1])
			i++;
	return t[i] ? i + 1 : i;
}

/* R"end( ... )end" from its quote on. */
static size_t skip_raw_string(const char *t, size_t i)
{
	const char *open = strchr(t + i, '('), *close;
	size_t delimiter = open ? (size_t)(open - (t + i)) - 1 : 0;

	if (!open || delimiter > 16)
		return skip_quoted(t, i);
	for (close = open; (close = strchr(close, ')')); close++)
		if (strncmp(close + 1, t + i + 1, delimiter) == 0 && close[1 + delimiter] == '"')
			return (size_t)(close - t) + delimiter + 2;
	return i + strlen(t + i);
}

bool cc_is_word(char c)
{
	return ascii_is_alnum(c) || c == '_';
}

static bool starts_line(const char *t, size_t i)
{
	while (i && (t[i - 1] == ' ' || t[i - 1] == '\t'))
		i--;
	return i == 0 || t[i - 1] == '\n';
}

size_t cc_skip_text(const char *t, size_t i)
{
	const char *end;

	if (t[i] == '/' && t[i + 1] == '/')
		return skip_line(t, i);
	if (t[i] == '/' && t[i + 1] == '*') {
		end = strstr(t + i + 2, "*/");
		return end ? (size_t)(end - t) + 2 : i + strlen(t + i);
	}
	if (t[i] == '"')
		return i && t[i - 1] == 'R' ? skip_raw_string(t, i) : skip_quoted(t, i);
	if (t[i] == '\'')
		return i && ascii_is_alnum(t[i - 1]) ? i + 1 : skip_quoted(t, i); /* 1'000 */
	return i;
}

size_t cc_skip_non_code(const char *t, size_t i)
{
	return t[i] == '#' && starts_line(t, i) ? skip_line(t, i) : cc_skip_text(t, i);
}

int cc_bracket(char c)
{
	return (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
}

size_t cc_launch_end(const char *t, size_t i)
{
	int depth = 0;

	while (t[i] && depth >= 0) {
		size_t next = cc_skip_non_code(t, i);

		if (next != i) {
			i = next;
			continue;
		}
		depth += cc_bracket(t[i]);
		if (depth == 0 && strncmp(t + i, ">>>", 3) == 0)
			return i;
		i++;
	}
	return 0;
}
