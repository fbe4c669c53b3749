/* Finds the list of launches by counting brackets, and gives the parser the text before and after it. */
#include "cli/compare_load.h"

#include <string.h>

/* Behind the text that begins at `at`; `end` if it does not end. */
static const char *skip_text(const char *at, const char *end)
{
	for (at++; at < end && *at != '"'; at++)
		at += *at == '\\' && at + 1 < end;
	return at < end ? at + 1 : end;
}

/* Behind the list or object that begins at `at`; `end` if it does not end. */
static const char *skip_brackets(const char *at, const char *end)
{
	size_t depth = 0;

	while (at < end) {
		char c = *at;

		if (c == '"') {
			at = skip_text(at, end);
			continue;
		}
		at++;
		depth += c == '[' || c == '{';
		if ((c == ']' || c == '}') && --depth == 0)
			return at;
	}
	return end;
}

/* Behind a text, a list, an object, or one character of anything else. */
static const char *skip_value(const char *at, const char *end)
{
	if (*at == '"')
		return skip_text(at, end);
	return *at == '[' || *at == '{' ? skip_brackets(at, end) : at + 1;
}

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && strchr(" \t\r\n", *at))
		at++;
	return at;
}

struct part {
	const char *begin, *end;
};

/* `at` is behind a string. If the string is the key of a list, returns the list's bracket, else NULL. */
static const char *list_behind(const char *at, const char *end)
{
	at = skip_blanks(at, end);
	if (at == end || *at != ':')
		return NULL;
	at = skip_blanks(at + 1, end);
	return at < end && *at == '[' ? at : NULL;
}

/* The text between the brackets of the document's list "kernels"; empty if there is no such list. */
static struct part find_kernels(const char *text, const char *end)
{
	static const char key[] = "\"kernels\"";
	const char *at = skip_blanks(text, end);

	if (at == end || *at != '{')
		return (struct part){end, end};
	for (at++; at < end;) {
		const char *next = skip_value(at, end), *list = NULL;

		if ((size_t)(next - at) == sizeof key - 1 && memcmp(at, key, sizeof key - 1) == 0)
			list = list_behind(next, end);
		at = list ? skip_brackets(list, end) : next;
		if (list && at < end)
			return (struct part){list + 1, at - 1};
	}
	return (struct part){end, end};
}

/* The text that the parser still has to read. */
struct rest {
	struct part parts[2];
};

static size_t give(void *buffer, size_t size, void *data)
{
	struct rest *rest = data;
	struct part *part = &rest->parts[rest->parts[0].begin == rest->parts[0].end];
	size_t left = (size_t)(part->end - part->begin), n = left < size ? left : size;

	memcpy(buffer, part->begin, n);
	part->begin += n;
	return n;
}

/* On an error it parses the whole text, so that the message has the right line. */
json_t *result_load(const char *text, size_t size, bool kernels, json_error_t *error)
{
	const char *end = text + size;
	struct part list = find_kernels(text, end);
	struct rest rest = {{{text, list.begin}, {list.end, end}}};
	json_t *root = kernels ? NULL : json_load_callback(give, &rest, 0, error);

	return root ? root : json_loadb(text, size, 0, error);
}
